rows_here <- iris[1:120, ]

test_that("training rows are found by the call", {
  fit <- tec_tree(Species ~ log(Petal.Width), rows_here)
  expect_identical(fitted(fit), predict(fit, rows_here))
  expect_identical(residuals(fit), residuals(fit, rows_here))
  expect_identical(augment(fit), augment(fit, rows_here))
  frame <- model.frame(fit)
  expect_identical(frame$Species, rows_here$Species)
  expect_identical(frame[["log(Petal.Width)"]], log(rows_here$Petal.Width))
  expect_identical(model.frame(fit, iris)[[2]], log(iris$Petal.Width))
  same <- tec_tree(Species ~ log(Petal.Width), rows_here, q = 2)
  expect_identical(update(fit, q = 2)$tree, same$tree)
  expect_identical(update(fit, q = 2)$call$data, quote(rows_here))
})

test_that("subset, weights and rows without a response follow the call", {
  d <- rows_here
  d$Species[7] <- NA
  w <- rep(1:3, 40)
  suppressMessages(fit <- tec_tree(Species ~ ., d, subset = Sepal.Length > 5, weights = w))
  used <- which(d$Sepal.Length > 5 & !is.na(d$Species))
  expect_identical(fitted(fit), predict(fit, d[used, ]))
  suppressMessages({
    again <- tec_tree(Species ~ ., d, subset = Sepal.Length > 5, weights = w, q = 2)
    expect_identical(update(fit, q = 2)$tree, again$tree)
    plain <- tec_tree(Species ~ ., d, subset = Sepal.Length > 5)
    expect_identical(update(fit, weights = NULL)$tree, plain$tree)
  })
  expect_identical(update(fit, q = 2)$call$subset, quote(Sepal.Length > 5))
})

test_that("x and y, a matrix, and variables without data are found", {
  m <- as.matrix(iris[1:4])
  y <- iris$Species
  fit <- tec_tree(m, y)
  expect_identical(residuals(fit), residuals(fit, iris, y = y))
  expect_identical(update(update(fit, q = 2), q = 1)$tree, fit$tree)
  expect_identical(names(model.frame(fit)), c("y", names(iris)[1:4]))
  a <- mtcars$wt
  b <- mtcars$mpg
  free <- tec_tree(b ~ a)
  expect_identical(fitted(free), predict(free, data.frame(a = a)))
  expect_identical(update(free, min_bucket = 1)$tree, tec_tree(b ~ a, min_bucket = 1)$tree)
})

test_that("a prior, a pruned tree and missing values are recognised", {
  prior <- c(setosa = 0.1, versicolor = 0.2, virginica = 0.7)
  expect_length(fitted(tec_tree(Species ~ ., iris, prior = prior)), 150)
  expect_length(fitted(tec_tree(Species ~ ., iris, preset = "c45")), 150)
  expect_length(fitted(tec_prune(tec_tree(Species ~ ., iris), cp = 0.1)), 150)
  holes <- iris
  holes$Petal.Length[seq(1, 150, 7)] <- NA
  expect_length(fitted(tec_tree(Species ~ ., holes)), 150)
  expect_length(fitted(tec_tree(mpg ~ ., mtcars, criterion = "l1")), 32)
})

test_that("different rows under the same name are refused", {
  grow <- function() {
    d <- iris[1:120, ]
    full_tree(Species ~ ., d)
  }
  fit <- grow()
  expect_snapshot(show_errors({
    residuals(fit)
    update(fit, q = 2)
  }))
  refused <- function(d) expect_error(fitted(fit), class = "tec_error_data")
  refused(iris)
  refused(iris[c(1:119, 121), ])
  other <- iris[1:120, ]
  other$Petal.Length <- rev(other$Petal.Length)
  refused(other)
  refused(iris[1:120, c(1, 2, 5)])
  refused(1:3)
  d <- iris[1:120, ]
  expect_identical(fitted(fit), predict(fit, d))
  # The global environment's rows are found from anywhere.
  far <- full_tree(Species ~ ., iris)
  expect_identical((function(iris) fitted(far))(1), fitted(far, iris))
  expect_error(fitted(fit[[3]]), class = "tec_error_data")
  far$call <- NULL
  expect_snapshot(show_errors({
    model.frame(far)
  }))
})

test_that("rows given for a fit with weights are said to count equally", {
  w <- rep(1:2, 16)
  fit <- tec_tree(mpg ~ wt + hp, mtcars, weights = w)
  expect_message(tec_dependence(fit, "wt", data = mtcars), "count equally")
  plain <- tec_tree(mpg ~ wt + hp, mtcars)
  expect_no_message(tec_dependence(plain, "wt", data = mtcars), message = "count equally")
})

test_that("weights of a call, and stored ones, are both known", {
  expect_message(say_unweighted(list(call = quote(tec_tree(y ~ x, weights = w)))), "count equally")
  expect_message(
    say_unweighted(list(call = quote(f()), marks = list(weights = "w"))), "count equally"
  )
  expect_no_message(say_unweighted(list(call = quote(f()))))
})
