# The quick comparisons of helper-expect.R accept nothing that testthat would reject.

test_that("values are near if testthat treats them as equal", {
  near <- function(a, b, ...) are_near(a, b, 1e-8, ...)
  d <- data.frame(a = 1:3, b = c(1, NA, Inf))
  twin <- structure(list(a = as.double(1:3), b = c(1, NA, Inf)), row.names = 1:3)
  class(twin) <- "data.frame"
  expect_true(near(d, twin) && near(c(a = 1), c(a = 1 + 1e-9)) && near(2L, 2))
  expect_true(near(c(a = 1), 1, bare = TRUE) && near(list(1, 1:2), list(1 + 1e-9, c(1, 2))))
  pairs <- list(
    list(1, 1 + 1e-7), list(1:2, 2:3), list(1:2, c(1, 2.1)), list(NA_real_, NaN), list(Inf, -Inf),
    list(Inf, 1e300), list(c(a = 1), 1), list(c(a = 1), c(b = 1)), list(1, "1"), list(1, TRUE),
    list(NA_real_, 1), list(0, 1e-9), list(d, d[3:1, ]), list(d, as.list(d)), list(1, list(1)),
    list(factor("a"), factor("b")), list(matrix(1:4 + 0, 2), 1:4 + 0), list(1, NULL)
  )
  for (pair in pairs) {
    expect_identical(near(pair[[1]], pair[[2]]), FALSE)
    expect_identical(near(pair[[2]], pair[[1]]), FALSE)
  }
  expect_identical(near(d, d[3:1, ], bare = TRUE), FALSE)
})

test_that("a wrong value fails with the requested message", {
  expect_failure(expect_equal(1 + 1, 3), "1 [+] 1")
  expect_failure(expect_identical(1L, 1), "1L")
  expect_failure(expect_true(1 > 2), "1 > 2")
  expect_failure(expect_true(c(TRUE, TRUE)))
  expect_failure(expect_false(NA), "NA")
})
