test_that("partial dependence is the mean prediction with the predictor set", {
  set.seed(1)
  d <- forest_data(40)
  numbers <- forest_data(40, classes = FALSE)
  w <- sample(1:3, 40, TRUE)
  fits <- list(
    small_forest(y ~ ., d, weights = w), small_forest(y ~ ., numbers, weights = w),
    full_tree(y ~ ., d, weights = w), full_tree(y ~ ., numbers, weights = w)
  )
  for (k in seq_along(fits)) {
    fit <- fits[[k]]
    data <- if (k %% 2) d else numbers
    for (name in c("a", "d", "e", "f")) {
      found <- tec_dependence(fit, name, n = 5, individual = TRUE)
      own <- attr(found, "individual")
      for (i in seq_len(nrow(found))) {
        new <- data
        value <- found[[name]][i]
        if (name == "e") value <- as.logical(value)
        new[[name]] <- value
        said <- if (k %% 2) {
          predict(fit, new, type = "prob")[, as.character(found$class[i])]
        } else {
          predict(fit, new)
        }
        expect_equal(found$prediction[i], sum(w * said) / sum(w))
        mine <- own[[name]] == found[[name]][i]
        if (k %% 2) mine <- mine & own$class == found$class[i]
        expect_equal(own$prediction[mine], unname(said))
        expect_identical(own$row[mine], 1:40)
      }
    }
    values <- stats::quantile(data$a, seq(0, 1, length.out = 5), type = 1, names = FALSE)
    expect_identical(unique(tec_dependence(fit, "a", n = 5)$a), unique(values))
  }
})

test_that("values and classes can be chosen, dates and calls are predictors", {
  set.seed(2)
  d <- data.frame(
    y = factor(rep(c("a", "b"), 20)), when = as.Date("2020-01-01") + sample(400, 40),
    size = stats::rexp(40) + 0.1
  )
  fit <- small_forest(y ~ when + log(size), d)
  found <- tec_dependence(fit, "when", values = as.Date(c("2020-02-01", "2020-12-01")))
  expect_identical(found$when, as.Date(c("2020-02-01", "2020-12-01")))
  expect_identical(as.character(found$class), c("b", "b"))
  expect_named(tec_dependence(fit, "log(size)", d[1:5, ]), c("log(size)", "class", "prediction"))
  both <- tec_dependence(fit, "when", class = c("a", "b"), n = 3)
  expect_equal(as.vector(tapply(both$prediction, format(both$when), sum)), rep(1, 3))
})

test_that("dependence is drawn, with and without the rows", {
  set.seed(3)
  d <- forest_data(30)
  fit <- small_forest(y ~ ., d)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (name in c("a", "d")) {
    for (individual in c(FALSE, TRUE)) {
      found <- tec_dependence(fit, name, individual = individual, n = 4)
      expect_invisible(plot(found))
      expect_invisible(plot(found, centre = TRUE))
      chart <- individual_chart(found, TRUE, NULL, NULL, ink_on("white"))
      mean <- chart$layers[[1L + individual]]$data
      expect_equal(mean$y[!duplicated(mean$group)], rep(0, 3))
      if (requireNamespace("ggplot2", quietly = TRUE)) {
        expect_s3_class(ggplot2::autoplot(found), "ggplot")
      }
    }
  }
})

test_that("wrong requests are errors that help", {
  set.seed(4)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- small_forest(Species ~ ., iris, trees = 2)
  expect_snapshot(show_errors({
    tec_dependence(fit, "Petal.With")
    tec_dependence(iris, "Petal.Width")
    tec_dependence(fit, "Petal.Width", values = "a")
    tec_dependence(fit, "Petal.Width", class = "rose")
    tec_dependence(fit, "Petal.Width", data = iris[1:2])
    plot.tec_dependence(data.frame(a = 1, class = 2, prediction = 3))
  }))
})

test_that("many values asked for are those of the column, and no values are an error", {
  fit <- tec_tree(Sepal.Length ~ ., iris)
  all <- tec_dependence(fit, "Petal.Width", iris, n = 1e9)
  expect_identical(all$Petal.Width, sort(unique(iris$Petal.Width)))
  expect_identical(all, tec_dependence(fit, "Petal.Width", iris, values = all$Petal.Width))
  expect_error(tec_dependence(fit, "Petal.Width", values = numeric()), class = "tec_error_argument")
})
