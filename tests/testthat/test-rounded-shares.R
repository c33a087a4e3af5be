test_that("shares add up to 1 as they are written", {
  set.seed(1)
  for (k in c(2, 3, 7, 20)) {
    prob <- matrix(stats::rexp(200 * k)^3, ncol = k)
    prob <- prob / rowSums(prob)
    written <- matrix(as.numeric(rounded_shares(prob)), ncol = k)
    expect_equal(rowSums(written), rep(1, 200))
    expect_lt(max(abs(written - prob)), 0.01)
    # What is rounded up has a larger remainder than what is rounded down.
    rest <- 100 * prob - floor(100 * prob)
    up <- round(100 * written) > floor(100 * prob)
    for (i in seq_len(200)) {
      if (any(up[i, ]) && !all(up[i, ])) expect_gte(min(rest[i, up[i, ]]), max(rest[i, !up[i, ]]))
    }
  }
})

test_that("thirds, halves and other sums", {
  expect_identical(rounded_shares(rbind(c(1, 1, 1) / 3)), rbind(c("0.34", "0.33", "0.33")))
  expect_identical(rounded_shares(rbind(c(0.125, 0.875))), rbind(c("0.13", "0.87")))
  expect_identical(
    rounded_shares(rbind(c(1, 0), c(0, 1))), rbind(c("1.00", "0.00"), c("0.00", "1.00"))
  )
  # Shares of some classes only are rounded one by one.
  expect_identical(rounded_shares(rbind(c(0.336, 0.336))), rbind(c("0.34", "0.34")))
  expect_identical(rounded_shares(matrix(1, 2, 1)), matrix("1.00", 2, 1))
})
