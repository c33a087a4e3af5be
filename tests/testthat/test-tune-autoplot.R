skip_if_not_installed("ggplot2")

tuned_for_pictures <- function(...) {
  set.seed(1)
  full_tune(class ~ ., balance_scale, folds = 4, ...)
}

test_that("the ggplot of tuning shows the table and what was chosen", {
  tuned <- tuned_for_pictures(q = c(2, 0.5, 1), min_bucket = c(1, 10))
  picture <- ggplot2::autoplot(tuned)
  expect_s3_class(picture, "ggplot")
  points <- picture$data
  expect_identical(nrow(points), 12L)
  expect_equal(points$value, c(tuned$table$accuracy, tuned$table$nodes))
  expect_equal(points$high - points$value, c(tuned$table$accuracy_se, tuned$table$nodes_se))
  expect_identical(which(points$chosen), tuned$chosen + c(0L, 6L))
  built <- ggplot2::ggplot_build(picture)$data
  # Beside the value, where the point of the chosen setting stands.
  expect_equal(unique(built[[1]]$xintercept), tuned$table$q[tuned$chosen], tolerance = 0.03)
  expect_error(ggplot2::autoplot(tuned, metric = "auc"), class = "tec_error_argument")
  expect_error(ggplot2::autoplot(tuned, agianst = "q"), class = "tec_error_argument")
  race <- tuned_for_pictures(criterion = c("gini", "shannon", "gain_ratio"))
  settings <- ggplot2::autoplot(race)$data
  best <- settings[settings$at == levels(settings$at)[3], ]
  expect_equal(best$value[1], max(race$table$accuracy))
  expect_error(ggplot2::autoplot(race, against = "q"), class = "tec_error_argument")
})

test_that("the pictures of tuning are as they were looked at", {
  skip_if_not_installed("vdiffr")
  skip_unless_ggplot2_draws_so()
  draw <- function(title, tuned) vdiffr::expect_doppelganger(title, ggplot2::autoplot(tuned))
  draw("gg tuning", tuned_for_pictures(q = seq(0.4, 3, by = 0.4)))
  draw("gg tuning lines", tuned_for_pictures(q = c(0.5, 1, 2), min_bucket = c(1, 5, 20)))
  draw("gg tuning race", tuned_for_pictures(criterion = c("gini", "shannon", "gain_ratio")))
})
