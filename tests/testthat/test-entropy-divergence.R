test_that("divergence is cross-entropy minus entropy, and zero only for equal distributions", {
  set.seed(25)
  for (q in q_grid[q_grid != 50]) {
    p <- random_shares(4)
    r <- random_shares(4)
    expect_near(cross_entropy(p, r, q = q) - kl_divergence(p, r, q = q), tsallis_entropy(p, q))
    expect_near(cross_entropy(p, r, q = q), -sum(p^q * q_log(r, q)))
    expect_near(cross_entropy(p, p, q = q), tsallis_entropy(p, q))
    expect_near(kl_divergence(p, p, q = q), 0)
    if (q > 0) {
      expect_gt(kl_divergence(p, r, q = q), 0)
      expect_near(
        kl_divergence(p, r, beta = q),
        kl_divergence(p, r, q = q) * beta_entropy(p, q) / tsallis_entropy(p, q)
      )
    }
  }
  expect_equal(kl_divergence(p, r), sum(p * log2(p / r)))
  expect_equal(cross_entropy(p, r), -sum(p * log2(r)))
  expect_equal(kl_divergence(p, r, q = 1), sum(p * log(p / r)))
  expect_equal(kl_divergence(p, r, q = 2), sum(p^2 / r) - 1)
  expect_equal(kl_divergence(c(1, 1), c(1, 0)), Inf)
  expect_equal(kl_divergence(c(1, 0), c(1, 1)), 1)
  expect_lt(kl_divergence(c(1, 1), c(1, 0), q = 0.5), Inf)
  cells <- random_cells()
  expect_equal(
    kl_divergence(cells, outer(rowSums(cells), colSums(cells))), mutual_information(cells)
  )
})

test_that("distributions are matched by name if both have names", {
  expect_equal(kl_divergence(c(a = 1, b = 3), c(b = 3, a = 1)), 0)
  expect_equal(kl_divergence(c("a", "b", "b", "b"), c(b = 0.75, a = 0.25)), 0)
  expect_equal(kl_divergence(c("a", "a"), c("a", "b")), 1)
  expect_equal(kl_divergence(table(c("a", "b", "b")), c(1, 2)), 0)
  expect_equal(cross_entropy(table("yes"), c(no = 1, yes = 1)), 1)
  refused <- function(code) expect_error(code, class = "tec_error_entropy")
  refused(kl_divergence(1:2, 1:3))
  refused(kl_divergence(tec_partition(1:2), 1:2))
  refused(kl_divergence(1:2, c(-1, 2)))
  refused(cross_entropy(1:2, 1:2, q = 2, beta = 2))
  expect_error(kl_divergence(1:2, c(-1, 2)), "r")
})
