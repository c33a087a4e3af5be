# The mean prediction with a column set to a value, row by row.
naive_dependence <- function(fit, data, column, value, weights = rep(1, nrow(data))) {
  set <- data
  set[[column]][] <- value
  if (fit$response$task == "regression") {
    return(sum(weights * predict(fit, set)) / sum(weights))
  }
  colSums(weights * predict(fit, set, type = "prob")) / sum(weights)
}

expect_dependence <- function(fit, data, column, weights = rep(1, nrow(data)), picture = NULL) {
  picture <- picture %||% tec_picture(fit, "dependence", data = data, predictors = column)
  for (i in seq_len(nrow(picture))) {
    # Anywhere in a step, and at its upper end.
    at <- if (is.null(picture$level)) {
      picture$to[i] - c(0, 0.5) * (picture$to[i] - picture$from[i])
    } else {
      as.character(picture$level[i])
    }
    for (value in at) {
      naive <- naive_dependence(fit, data, column, value, weights)
      if (length(naive) > 1L) naive <- naive[[as.character(picture$class[i])]]
      testthat::expect_equal(picture$value[i], naive)
    }
  }
  picture
}

test_that("partial dependence is the mean over the rows, at every step", {
  airs <- airquality[!is.na(airquality$Ozone), ]
  airs$Month <- factor(airs$Month)
  for (missing in some_of(c("majority", "surrogate", "fractional"), 2)) {
    fit <- tec_tree(Ozone ~ Wind + Temp + Month + Solar.R, airs, missing = missing, min_bucket = 4)
    for (column in c("Wind", "Temp", "Month", "Solar.R")) expect_dependence(fit, airs, column)
  }
  fit <- tec_tree(Species ~ ., iris, min_bucket = 2)
  for (column in names(iris)[1:4]) {
    picture <- expect_dependence(fit, iris, column)
    expect_setequal(as.character(picture$class), levels(iris$Species))
    # The steps follow one another.
    one <- picture[picture$class == "setosa", ]
    expect_equal(one$from[-1], one$to[-nrow(one)])
    expect_equal(range(one$from, one$to), range(iris[[column]]))
  }
})

test_that("case weights of training rows count", {
  d <- iris
  d$w <- rep(1:3, 50)
  fit <- tec_tree(Species ~ . - w, d, weights = w)
  picture <- tec_picture(fit, "dependence", predictors = "Petal.Length")
  expect_dependence(fit, d, "Petal.Length", d$w, picture)
})

test_that("partial dependence is DALEX's", {
  skip_if_not_installed("DALEX")
  fit <- tec_tree(mpg ~ ., mtcars)
  explainer <- DALEX::explain(fit, mtcars[-1], mtcars$mpg, verbose = FALSE)
  picture <- tec_picture(fit, "dependence", data = mtcars, predictors = "wt")
  theirs <- DALEX::model_profile(
    explainer, variables = "wt", N = NULL, variable_splits = list(wt = picture$to)
  )$agr_profiles
  expect_equal(theirs[["_yhat_"]], picture$value)
})

test_that("what cannot be set is refused", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- tec_tree(mpg ~ ., mtcars)
  one <- tec_tree(mpg ~ wt, mtcars)
  expect_snapshot(show_errors({
    tec_picture(fit, "surface", predictors = "wt")
    tec_picture(fit, "surface", predictors = c("wt", "weight"))
    tec_picture(fit, "surface", predictors = 1:2)
    tec_picture(fit, "surface", at = mtcars[1:2, ])
    tec_picture(fit, "surface", data = mtcars[, 1:3])
    tec_picture(one, "surface")
    tec_picture(fit, "dependence", at = mtcars[1, ])
    plot(fit, type = "surface", depth = 2)
    plot(fit, type = "surfaces")
    plot(tec_picture(fit, "surface")["node"])
  }))
})
