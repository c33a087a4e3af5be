# The number of doubles between positive a and b, plus one, from their bits as whole numbers.
bits_apart <- function(a, b) {
  words <- function(x) {
    out <- readBin(writeBin(x, raw(), endian = "big"), "integer", 2 * length(x), endian = "big")
    out <- ifelse(is.na(out), 2^31, ifelse(out < 0, out + 2^32, out))
    matrix(out, 2L)
  }
  difference <- words(b) - words(a)
  difference[1L, ] * 2^32 + difference[2L, ]
}

test_that("no double lies between a number and its neighbours", {
  set.seed(1)
  powers <- 2^c(-1074, -1073, -1023:-1021, -1:1, 52:54, 1000, 1023)
  many <- abs(stats::rnorm(500)) * 10^sample(-300:300, 500, TRUE)
  x <- c(powers, 1.5 * powers[-1], 1 / 3, 1e22, many)
  above <- next_double(x)
  expect_identical(bits_apart(x, above), rep(1, length(x)))
  expect_identical(previous_double(above), x)
  expect_identical(previous_double(-x), -above)
  expect_identical(next_double(-above), -x)
})

test_that("zero lies between the smallest numbers, and infinite values have no neighbour", {
  expect_identical(next_double(0), 2^-1074)
  expect_identical(previous_double(0), -2^-1074)
  expect_identical(next_double(-2^-1074), 0)
  expect_identical(next_double(c(Inf, -Inf, NA, NaN)), c(Inf, -Inf, NA, NaN))
  expect_identical(next_double(numeric()), numeric())
})
