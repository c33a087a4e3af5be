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

test_that("a rectangle predicts one value, and they fill the plane", {
  airs <- airquality[stats::complete.cases(airquality), ]
  airs$Month <- factor(airs$Month)
  titanic <- long_levels()
  cases <- list(
    list(tec_tree(Species ~ ., iris, min_bucket = 1), iris, c("Petal.Length", "Petal.Width")),
    list(tec_tree(Species ~ ., iris, min_bucket = 1), iris, c("Sepal.Width", "Petal.Length")),
    list(tec_tree(Ozone ~ Wind + Temp + Month, airs), airs, c("Month", "Temp")),
    list(tec_tree(Survived ~ Class + Sex + Age, titanic), titanic, c("Class", "Sex"))
  )
  set.seed(6)
  for (case in cases) {
    fit <- case[[1]]
    pair <- case[[3]]
    picture <- tec_picture(fit, "surface", data = case[[2]], predictors = pair)
    expect_equal(
      sum((picture$xmax - picture$xmin) * (picture$ymax - picture$ymin)),
      diff(range(picture$xmin, picture$xmax)) * diff(range(picture$ymin, picture$ymax))
    )
    # A point of each rectangle, with the others at their typical values.
    rows <- case[[2]][rep(1, nrow(picture)), ]
    for (column in setdiff(fit$columns$name, pair)) {
      x <- case[[2]][[column]]
      typical <- if (is.factor(x)) names(which.max(table(x))) else median(x)
      rows[[column]] <- if (is.factor(x)) factor(typical, levels(x)) else typical
    }
    inside <- function(low, high) low + stats::runif(length(low), 0.01, 1) * (high - low)
    place <- list(inside(picture$xmin, picture$xmax), inside(picture$ymin, picture$ymax))
    for (i in 1:2) {
      x <- case[[2]][[pair[i]]]
      rows[[pair[i]]] <- if (is.factor(x)) levels(x)[round(place[[i]] - 1e-9)] else place[[i]]
    }
    expect_equal(predict(fit, rows), picture$prediction)
    expect_equal(predict(fit, rows, type = "node"), picture$node)
  }
})

test_that("other predictors can be held where the user says", {
  fit <- tec_tree(mpg ~ ., mtcars)
  heavy <- tec_picture(fit, "surface", predictors = c("cyl", "hp"), at = mtcars["Fiat 128", ])
  expect_equal(unique(heavy$prediction), predict(fit, mtcars["Fiat 128", ]), ignore_attr = TRUE)
  expect_identical(fixed_text(attr(heavy, "picture")), "At wt = 2.2")
  # The defaults are the most important.
  expect_identical(names(picture_columns(fit, NULL, 2L)), c("wt", "cyl"))
})

test_that("cells are merged to rectangles", {
  node <- rbind(c(1, 1, 2), c(1, 1, 2), c(3, 1, 2))
  boxes <- merge_cells(node)
  expect_equal(sum((boxes$right - boxes$left + 1) * (boxes$high - boxes$low + 1)), 9)
  for (i in seq_len(nrow(boxes))) {
    cells <- node[boxes$left[i]:boxes$right[i], boxes$low[i]:boxes$high[i]]
    expect_identical(unique(as.vector(cells)), boxes$node[i])
  }
  expect_identical(nrow(boxes), 4L)
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
