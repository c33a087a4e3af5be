# Against the package earth.

same_as_earth <- function(x, y, degree, ...) {
  ours <- tec_mars(as.data.frame(x), y, degree = degree, threads = 1, ...)
  # Without library(earth) it does not find its contrasts.
  numbers <- if (!is.factor(y)) y else if (nlevels(y) == 2L) {
    as.integer(y) - 1
  } else {
    stats::setNames(as.data.frame(outer(y, levels(y), "==") + 0), levels(y))
  }
  if (is.data.frame(numbers)) numbers <- as.matrix(numbers)
  theirs <- earth::earth(x, numbers, degree = degree)
  expect_identical(unname(theirs$dirs), unname(ours$side) + 0)
  expect_equal(unname(theirs$cuts), unname(ours$cut), tolerance = 1e-12)
  expect_setequal(unname(theirs$selected.terms), ours$selected)
  expect_lt(abs(theirs$gcv - ours$gcv), 1e-8 * theirs$gcv)
  expect_equal(unname(theirs$rss.per.subset), ours$sizes$rss, tolerance = 1e-8)
  linear <- ours$linear %||% ours$coefficients
  expect_equal(
    unname(theirs$coefficients[order(theirs$selected.terms), , drop = FALSE]), unname(linear),
    tolerance = 1e-6
  )
  invisible(list(ours, theirs))
}

test_that("terms, sizes and coefficients are those of earth on data of R", {
  skip_if_not_installed("earth")
  for (degree in 1:2) {
    same_as_earth(as.matrix(mtcars[-1]), mtcars$mpg, degree)
    same_as_earth(as.matrix(trees[-3]), trees$Volume, degree)
    same_as_earth(as.matrix(iris[1:4]), iris$Species, degree)
    same_as_earth(as.matrix(quakes[-4]), quakes$mag, degree)
    complete <- stats::na.omit(airquality)
    same_as_earth(as.matrix(complete[-1]), complete$Ozone, degree)
  }
})

test_that("terms are those of earth on fifteen real data sets, degrees 1 and 2", {
  skip_if_not_installed("earth")
  classes <- c(
    "pima", "heart_statlog", "glass", "wine", "vehicle", "yeast", "ionosphere", "breast_w",
    "haberman", "car", "cmc"
  )
  for (name in some_of(classes, 3)) {
    data <- mars_uci(name)
    x <- stats::model.matrix(class ~ ., data)[, -1L]
    for (degree in 1:2) suppressWarnings(same_as_earth(x, data$class, degree))
  }
  for (name in some_of(c("wine", "pima", "vehicle", "abalone"), 1)) {
    data <- mars_uci(name)
    numbers <- vapply(data, is.numeric, NA)
    at <- which(numbers)[1L]
    x <- stats::model.matrix(~., data[-at])[, -1L]
    for (degree in 1:2) same_as_earth(x, data[[at]], degree)
  }
})

test_that("factors are taken as by model.matrix()", {
  skip_if_not_installed("earth")
  d <- transform(mtcars, cyl = factor(cyl), gear = factor(gear))
  ours <- tec_mars(mpg ~ ., d)
  theirs <- earth::earth(mpg ~ ., d)
  expect_identical(colnames(theirs$dirs), ours$inputs$name)
  expect_equal(theirs$gcv, ours$gcv)
  expect_equal(drop(predict(theirs, d)), predict(ours, d), ignore_attr = TRUE)
})

test_that("logistic regressions and importance are those of earth", {
  skip_if_not_installed("earth")
  data <- mars_uci("pima")
  both <- same_as_earth(as.matrix(data[-ncol(data)]), data$class, 1)
  glm <- earth::earth(as.matrix(data[-ncol(data)]), as.integer(data$class) - 1,
    glm = list(family = "binomial")
  )
  at <- order(glm$selected.terms)
  expect_equal(unname(glm$glm.coefficients[at, 1L]), unname(both[[1L]]$coefficients[, 1L]),
    tolerance = 1e-6
  )
  theirs <- earth::evimp(both[[2L]], sqrt. = FALSE)
  ours <- importance(both[[1L]])
  own <- ours$importance[match(rownames(theirs), ours$variable)]
  expect_equal(100 * own / max(own), unname(theirs[, "rss"]), tolerance = 1e-6)
})
