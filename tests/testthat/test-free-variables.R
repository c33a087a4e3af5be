test_that("variables bound by a function are not columns", {
  free <- function(expr) free_variables(expr)
  expect_equal(free(quote(sapply(x, function(v) v + shift))), c("x", "shift"))
  expect_equal(free(quote((function(a, b = a + y) a * b)(x))), c("y", "x"))
  local <- quote(vapply(x, function(z) {
    w <- z * 2
    w + k
  }, 0))
  expect_equal(free(local), c("x", "k"))
  expect_equal(free(quote(sapply(x, function(x) x))), "x")
  expect_equal(free(quote(d$x + stats::sd(y) + z[, 1])), c("d", "x", "y", "z"))
  expect_equal(free(quote(sapply(x, function(v) sapply(v, function(u) u + v + w)))), c("x", "w"))
  expect_equal(free(quote(1 + 2)), NULL)
})

test_that("values replace free variables only", {
  values <- list(k = 3)
  expect_equal(replace_variables(quote(log(x + k)), values), quote(log(x + 3)))
  inner <- replace_variables(quote(sapply(x, function(k) k + 1) + k), values)
  expect_equal(deparse(inner), "sapply(x, function(k) k + 1) + 3")
  default <- replace_variables(quote(f(x, function(v, w = k) v + w + k)), values)
  expect_equal(deparse(default), "f(x, function(v, w = 3) v + w + 3)")
  expect_equal(replace_variables(quote(k$k), list(k = 3)), quote(3$k))
})

test_that("formulas may contain functions", {
  for (formula in list(
    y ~ sapply(x, function(v) v + 1), y ~ (function(v) v)(x),
    y ~ vapply(x, function(z) z * 2, 0)
  )) {
    fit <- tec_tree(formula, toy(), min_bucket = 1, prune = "none")
    expect_equal(predict(fit, toy()), toy()$y)
    expect_output(print(fit), "function(", fixed = TRUE)
  }
  shift <- 10
  fit <- tec_tree(y ~ sapply(x, function(v) v + shift), toy(), min_bucket = 1, prune = "none")
  rm(shift)
  expect_equal(predict(fit, toy()), toy()$y)
})
