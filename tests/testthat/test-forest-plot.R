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
