test_that("plots are drawn by base graphics and ggplot2, with the same numbers", {
  set.seed(1)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d, q = c(0.5, 1, 2))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (type in c("error", "importance", "tuning")) expect_invisible(plot(fit, type = type))
  expect_no_error(plot(fit, xlim = c(0, 20), ylab = "Error", main = "", background = "black"))
  chart <- forest_chart(fit, "error", ink_on("white"))
  expect_identical(chart$layers[[1]]$data$y, fit$oob$curve)
  expect_identical(chart$layers[[1]]$data$x, 1:12)
  chart <- forest_chart(fit, "tuning", ink_on("white"))
  expect_identical(chart$layers[[2]]$data$y, fit$tuning$error)
  expect_no_error(plot(small_forest(y ~ ., d, trees = 1)))
  skip_if_not_installed("ggplot2")
  for (type in c("error", "importance", "tuning")) {
    expect_s3_class(ggplot2::autoplot(fit, type = type), "ggplot")
  }
})

test_that("ROC and calibration judge out-of-bag predictions, or those of new rows", {
  set.seed(3)
  fit <- small_forest(Species ~ ., iris, trees = 30)
  oob <- predict(fit, type = "prob")
  known <- !is.na(oob[, 1])
  roc <- forest_shown(fit, "roc", NULL, environment())$picture
  auc <- attr(roc, "auc")
  for (level in levels(iris$Species)) {
    yes <- iris$Species[known] == level
    score <- round(oob[known, level], 12)
    above <- outer(score[yes], score[!yes], ">") + 0.5 * outer(score[yes], score[!yes], "==")
    expect_equal(auc$auc[auc$class == level], mean(above))
  }
  half <- forest_shown(fit, "calibration", iris[1:75, ], environment())
  expect_null(half$rows)
  expect_identical(sum(half$picture$rows), 75L * 3L)
  chart <- forest_chart(fit, "roc", ink_on("white"), list(picture = roc, rows = "Out-of-bag"))
  expect_match(chart$caption, "^Out-of-bag\\. ")
  number <- small_forest(mpg ~ ., mtcars)
  expect_error(plot(number, type = "roc"), class = "tec_error_argument")
  expect_error(plot(fit, data = iris), class = "tec_error_argument")
  expect_error(plot(fit, type = "roc", data = iris[, -5]), class = "tec_error_newdata")
})

test_that("rows in the same leaves are drawn at the same place", {
  set.seed(4)
  fit <- small_forest(Species ~ ., iris, trees = 20)
  shown <- forest_shown(fit, "proximity", NULL, environment())
  near <- tec_proximity(fit, iris)
  same <- which(near[1, ] == 1)
  expect_gt(length(same), 1)
  expect_equal(shown$x[same], rep(shown$x[1], length(same)))
  # Two dimensions keep what classical scaling keeps.
  place <- stats::cmdscale(sqrt(1 - near))
  expect_equal(as.matrix(dist(cbind(shown$x, shown$y))), as.matrix(dist(place)),
    ignore_attr = TRUE
  )
  chart <- proximity_chart(fit, shown, ink_on("white"))
  expect_identical(
    chart$layers[[1]]$data$colour, class_colours(3)[as.integer(iris$Species)]
  )
  many <- row_places_of(fit, iris[rep(1:150, 4), ], rep(1L, 600))
  expect_length(many$x, 500)
  expect_match(proximity_chart(fit, many, ink_on("white"))$caption, "500 of 600 rows")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_invisible(plot(fit, type = "proximity", data = iris[1:20, ]))
  expect_invisible(plot(small_forest(mpg ~ ., mtcars), type = "proximity"))
})

test_that("what cannot be drawn is said", {
  set.seed(2)
  fit <- small_forest(Species ~ ., iris, trees = 2, importance = "none")
  whole <- small_forest(Species ~ ., iris, trees = 2, replace = FALSE, sample_fraction = 1)
  expect_snapshot(show_errors({
    plot(fit, type = "tuning")
    plot(fit, type = "importance")
    plot(whole)
    plot(fit, type = "tree")
    plot(fit, xlimm = 3)
  }))
})
