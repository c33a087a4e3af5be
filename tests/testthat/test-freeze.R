test_that("terms mean the same for new rows", {
  d <- data.frame(y = c(1, 1, 1, 9, 9, 9), x = c(1, 2, 3, 10, 11, 12))
  for (formula in list(
    y ~ scale(x), y ~ cut(x, 3), y ~ log(x), y ~ poly(x, 1), y ~ I(x^2), y ~ scale(log(x)),
    y ~ cut(x, quantile(x, c(0, 0.5, 1)), include.lowest = TRUE), y ~ stats::poly(x, 1), y ~ (x > 5)
  )) {
    fit <- tec_tree(formula, d, min_bucket = 1)
    expect_equal(length(fit$tree$parent), 3)
    expect_equal(predict(fit, d), d$y)
    one_by_one <- vapply(1:6, function(i) predict(fit, d[i, ]), 0)
    expect_equal(one_by_one, d$y)
    expect_equal(predict(fit, d[6:4, ]), c(9, 9, 9))
  }
})

test_that("cut() keeps the breaks and labels of the training rows", {
  x <- c(0.3, 1, 2.5, 7, 9.1)
  for (n in c(2, 3, 5)) {
    frozen <- freeze_call(call("cut", quote(x), n), list(x = x), baseenv())
    expect_identical(eval(frozen, list(x = x)), cut(x, n))
    expect_identical(levels(eval(frozen, list(x = 1))), levels(cut(x, n)))
  }
  constant <- freeze_call(quote(cut(x, 3)), list(x = c(4, 4)), baseenv())
  expect_identical(eval(constant, list(x = c(4, 4))), cut(c(4, 4), 3))
  labelled <- freeze_call(quote(cut(x, 2, labels = c("a", "b"))), list(x = x), baseenv())
  expect_identical(eval(labelled, list(x = x)), cut(x, 2, labels = c("a", "b")))
})

test_that("a value outside the training breaks is missing, not an error", {
  d <- data.frame(y = c(1, 1, 1, 9, 9, 9), x = c(1, 2, 3, 10, 11, 12))
  fit <- tec_tree(y ~ cut(x, 3), d, min_bucket = 1)
  expect_length(predict(fit, data.frame(x = c(-100, 100))), 2)
})

test_that("a term that cannot be frozen is refused", {
  d <- data.frame(y = 1:8, x = c(3, 1, 4, 1, 5, 9, 2, 6), day = Sys.Date() + 1:8)
  expect_snapshot(show_errors({
    tec_tree(y ~ I(x - mean(x)), d)
    tec_tree(y ~ rank(x), d)
    tec_tree(y ~ poly(x, 2), d)
    tec_tree(y ~ cut(day, 3), d)
    tec_tree(y ~ unique(x), d)
    tec_tree(y ~ I(3), d)
    tec_tree(y ~ cut(x, 1), d)
  }))
})

test_that("constants are inserted into the stored call", {
  grow <- function() {
    k <- 3
    tec_tree(y ~ log(x + k), toy(), min_bucket = 1)
  }
  fit <- grow()
  expect_equal(fit$predictors[[1]], quote(log(x + 3)))
  expect_equal(predict(fit, toy()), toy()$y)
})

test_that("a term that numbers the values that occur is refused", {
  d <- data.frame(y = 1:40, v = rep(c(7, 5, 9, 5), 10))
  for (formula in list(
    y ~ as.integer(factor(v)), y ~ as.numeric(as.factor(as.character(v))),
    y ~ match(v, unique(v)), y ~ I(v / max(v)), y ~ duplicated(v), y ~ cumsum(v)
  )) {
    expect_error(tec_tree(formula, d), "depends on the other rows", class = "tec_error_formula")
  }
  for (formula in list(
    y ~ as.integer(factor(v, c(5, 7, 9))), y ~ factor(v), y ~ round(log(v), 1)
  )) {
    expect_s3_class(tec_tree(formula, d), "tec_tree")
  }
  expect_error(tec_tree(mpg ~ as.numeric(factor(cyl)), mtcars), class = "tec_error_formula")
})
