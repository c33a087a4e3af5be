# Fits of all kinds.
fits_of_cars <- function(w = NULL) {
  set.seed(1)
  fits <- list(
    tec_tree = tec_tree(mpg ~ ., mtcars, weights = w),
    tec_forest = tec_forest(mpg ~ ., mtcars, trees = 5, weights = w),
    tec_boost = tec_boost(mpg ~ ., mtcars, rounds = 5, folds = 0, weights = w),
    tec_rotation = tec_rotation(mpg ~ ., mtcars, trees = 3, weights = w),
    tec_mars = tec_mars(mpg ~ ., mtcars, weights = w)
  )
}

test_that("every model has its own class and that of all, also from a file or converted", {
  fits <- fits_of_cars()
  for (name in names(fits)) expect_identical(class(fits[[name]]), c(name, "tec_fit"))
  for (fit in fits[c("tec_tree", "tec_forest", "tec_mars")]) {
    expect_identical(class(tec_from_json(tec_json(fit))), class(fit))
  }
  forest <- c("tec_forest", "tec_fit")
  expect_identical(class(as_tec_forest(fits$tec_boost)), forest)
  expect_identical(class(tec_shrink(fits$tec_forest, 1)), forest)
  expect_identical(class(fits$tec_forest[[1]]), c("tec_tree", "tec_fit"))
})

test_that("weights are those of the training rows", {
  w <- rep(1:2, 16)
  for (fit in fits_of_cars(w)) expect_equal(weights(fit), w)
  expect_identical(weights(tec_boost(mpg ~ wt, mtcars, rounds = 2, folds = 0)), rep(1, 32))
  d <- mtcars
  fit <- tec_forest(mpg ~ ., d, trees = 2)
  d <- d[1:20, ]
  expect_error(weights(fit), "keeps no weights", class = "tec_error_data")
})

test_that("methods that a model lacks are errors that name an alternative", {
  fits <- fits_of_cars()
  for (fit in fits) {
    expect_error(df.residual(fit), "number of parameters", class = "tec_error_argument")
    expect_error(logLik(fit, kind = 1), class = "tec_error_argument")
  }
  for (fit in fits[-5]) expect_error(coef(fit), "tec_mars", class = "tec_error_argument")
  for (fit in fits[-1]) expect_error(AIC(fit), "fit", class = "tec_error_argument")
})

test_that("models from a file have residuals where the response is given", {
  skip_if_not_installed("jsonlite")
  set.seed(2)
  grow <- list(
    tec_tree, tec_mars, function(f, d) tec_forest(f, d, trees = 5),
    function(f, d) tec_boost(f, d, rounds = 5, folds = 0)
  )
  for (formula in list(mpg ~ wt + hp, mpg > 20 ~ wt + hp)) {
    d <- mtcars
    if (is.call(formula[[2]])) d$`mpg > 20` <- d$mpg > 20
    for (one in grow) {
      fit <- one(formula, d)
      read <- tec_from_json(tec_json(fit))
      expect_equal(residuals(read, d), residuals(fit, data = d), tolerance = 1e-12)
      expect_equal(augment(read, newdata = d)$.resid, augment(fit, newdata = d)$.resid)
      bare <- d[c("wt", "hp")]
      expect_null(as.list(augment(read, newdata = bare))$.resid)
      expect_error(residuals(read, bare), class = "tec_error")
    }
  }
  d$mpg <- "a"
  fit <- tec_forest(mpg ~ wt, mtcars, trees = 2)
  expect_error(augment(fit, newdata = d), "numeric", class = "tec_error_response")
})

test_that("fitted(), residuals(), augment() and summary() of a model with an offset take it", {
  set.seed(1)
  d <- data.frame(a = rnorm(80), off = 3 * rnorm(80))
  d$z <- d$a + d$off + rnorm(80) / 3
  fit <- tec_boost(z ~ a, d, offset = off, rounds = 20, folds = 0)
  said <- predict(fit, d, offset = d$off)
  expect_equal(fitted(fit), said)
  expect_equal(fitted(fit, d), said)
  expect_equal(residuals(fit), d$z - said)
  expect_equal(augment(fit, newdata = d)$.fitted, said)
  expect_equal(summary(fit, data = d)$rmse, sqrt(mean((d$z - said)^2)))
  expect_error(fitted(fit, d["a"]), "off", class = "tec_error_offset")
  expect_error(augment(fit, newdata = d[c("a", "z")]), "off", class = "tec_error_offset")
  d$c <- factor(d$z > 0)
  classes <- tec_boost(c ~ a, d, offset = off, rounds = 20, folds = 0)
  prob <- predict(classes, d, type = "prob", offset = d$off)
  expect_equal(fitted(classes, type = "prob"), prob)
  expect_equal(augment(classes, newdata = d)$.prob_TRUE, unname(prob[, "TRUE"]))
  expect_error(
    tec_boost(z ~ a, d, offset = off, validation = d), "validation", class = "tec_error_offset"
  )
})

test_that("update() needs a call, and a call that says where the rows are", {
  forest <- tec_forest(Species ~ ., iris, trees = 2, threads = 1)
  forest$call <- NULL
  expect_error(update(forest, trees = 3), "has no call", class = "tec_error_conversion")
  inline <- do.call(tec_forest, list(Species ~ ., iris, trees = 2, threads = 1))
  expect_error(update(inline, trees = 3), "does not store its rows", class = "tec_error_data")
  expect_length(update(inline, data = iris, trees = 3), 3)
})

test_that("arguments that formula() does not have are named with it", {
  fit <- tec_tree(mpg ~ wt, mtcars)
  expect_error(formula(fit, odd = 1), "`formula()` has no argument `odd`", fixed = TRUE)
})
