test_that("gains are counted from the leaves, the best first", {
  d <- as.data.frame(Titanic)
  fit <- tec_tree(Survived ~ . - Freq, d, weights = Freq, weights_as = "frequency",
    preset = "chaid")
  gains <- tec_gains(fit, class = "Yes")
  leaf <- predict(fit, d, type = "node")
  n <- tapply(d$Freq, leaf, sum)
  yes <- tapply(d$Freq * (d$Survived == "Yes"), leaf, sum)
  at <- as.character(gains$node)
  expect_equal(gains$n, as.numeric(n[at]))
  expect_equal(gains$gain_n, as.numeric(yes[at]))
  expect_equal(gains$response, 100 * gains$gain_n / gains$n)
  expect_equal(gains$index, gains$response / (711 / 2201))
  expect_false(is.unsorted(-gains$response))
  expect_equal(gains$cum_gain_percent, 100 * cumsum(gains$gain_n) / 711)
  expect_equal(gains$cum_response, 100 * cumsum(gains$gain_n) / cumsum(gains$n))
  last <- gains[nrow(gains), ]
  expect_equal(c(last$cum_n, last$cum_n_percent, last$cum_index), c(2201, 100, 100))
  # From the rows themselves.
  expect_equal(tec_gains(fit, d, class = "Yes", weights = Freq), gains)
  expect_identical(tec_gains(fit)$gain_n, gains$gain_n)
})

test_that("numbers, other rows and parts of rows are counted", {
  fit <- tec_tree(Ozone ~ ., airquality, subset = !is.na(Ozone), prune = "none")
  known <- airquality[!is.na(airquality$Ozone), ]
  gains <- tec_gains(fit, known)
  expect_equal(sum(gains$n), nrow(known))
  expect_equal(sum(gains$gain_n), sum(known$Ozone))
  expect_equal(gains, tec_gains(fit), tolerance = 1e-6)
  expect_equal(sum(tec_gains(fit, airquality)$n), nrow(known))
})

test_that("gains are printed and drawn", {
  fit <- tec_tree(Species ~ ., iris, preset = "chaid")
  gains <- tec_gains(fit, class = "virginica")
  expect_snapshot(print(gains))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (type in gains_types) expect_identical(plot(gains, type), gains)
  curve <- gains_chart(gains, "gains", "red", ink_on("white"))$layers[[2L]]$data
  expect_equal(curve$x, c(0, gains$cum_n_percent))
  expect_equal(curve$y, c(0, gains$cum_gain_percent))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(gains, "lift"), "ggplot")
})

test_that("trees and arguments without gains are errors", {
  fit <- tec_tree(Species ~ ., iris)
  expect_snapshot(error = TRUE, {
    tec_gains(fit, class = "rose")
    tec_gains(tec_tree(mpg ~ ., mtcars), class = "a")
    plot(tec_gains(fit)[0, ])
    tec_gains(iris)
  })
})
