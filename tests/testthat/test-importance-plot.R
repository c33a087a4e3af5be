drawn_by <- function(expr, width = 7, height = 5) {
  grDevices::pdf(NULL, width = width, height = height)
  withr::defer(grDevices::dev.off())
  before <- graphics::par(no.readonly = TRUE)[c("mar", "mgp", "tcl", "cex", "mex")]
  out <- force(expr)
  expect_identical(graphics::par(no.readonly = TRUE)[c("mar", "mgp", "tcl", "cex", "mex")], before)
  out
}

test_that("importance is drawn on pages of all sizes, and stays a data frame", {
  fit <- tec_tree(mpg ~ ., mtcars)
  table <- importance(fit)
  set.seed(1)
  shuffled <- importance(fit, type = "permutation", data = mtcars)
  for (size in list(c(3.3, 3), c(7, 5), c(12, 8))) {
    for (x in list(table, shuffled, importance(tec_tree(mpg ~ ., mtcars, max_depth = 0)))) {
      expect_identical(drawn_by(plot(x), size[1], size[2]), x)
    }
  }
  expect_s3_class(table, "data.frame")
  expect_identical(nrow(table[table$importance > 0, ]), length(variable.names(fit, used = TRUE)))
  # Some rows draw as well.
  expect_silent(drawn_by(plot(shuffled[1:3, ])))
})

test_that("bars are the numbers, the largest first", {
  set.seed(1)
  x <- importance(tec_tree(mpg ~ ., mtcars), type = "permutation", data = mtcars)
  bars <- importance_bars(x[c(3, 1, 2, 4:10), ], 4)
  # Zeros have no row, but are named.
  expect_identical(bars$name, x$variable[1:3])
  expect_equal(bars$value, x$importance[1:3])
  expect_equal(bars$high - bars$low, 2 * x$se[1:3])
  expect_match(attr(bars, "none"), "No importance: disp, drat, qsec", fixed = TRUE)
  expect_identical(importance_chart(x, 20L, "red", ink_on("white"))$caption, attr(bars, "none"))
  nothing <- importance(tec_tree(Species ~ ., iris, max_depth = 0))
  expect_identical(nrow(importance_bars(nothing, 20L)), 4L)
  gain <- importance_bars(importance(tec_tree(Species ~ ., iris)), 20)
  expect_identical(gain$low, gain$high)
  shortened <- shorten_middle("a_very_long_name_12", 12, nchar, mark = "~")
  expect_identical(shortened, "a_very~me_12")
})

test_that("the ggplot has the same bars", {
  skip_if_not_installed("ggplot2")
  set.seed(1)
  x <- importance(tec_tree(mpg ~ ., mtcars), type = "permutation", data = mtcars)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(x, most = 5))
  bars <- built$data[[1]]
  expect_equal(bars$xmax[order(-bars$ymin)], x$importance[1:3])
  expect_equal(built$data[[3]]$xend - built$data[[3]]$x, 2 * x$se[1:3])
  expect_identical(x$se[4:5], c(0, 0))
  expect_s3_class(ggplot2::autoplot(importance(tec_tree(Species ~ ., iris))), "ggplot")
})

test_that("objects that are not an importance are refused", {
  x <- importance(toy_tree())
  expect_snapshot(show_errors({
    plot(x[0, ])
    plot(x, most = 0)
    plot(x, mots = 3)
  }))
  skip_if_not_installed("ggplot2")
  expect_snapshot(show_errors({
    ggplot2::autoplot(x[, 1, drop = FALSE])
  }))
})

test_that("pictures of importance do not change", {
  skip_if_not_installed("vdiffr")
  x <- importance(full_tree(mpg ~ ., mtcars))
  set.seed(1)
  shuffled <- importance(full_tree(Species ~ ., iris), type = "permutation", data = iris)
  vdiffr::expect_doppelganger("importance by gain", function() plot(x))
  vdiffr::expect_doppelganger("importance by permutation", function() plot(shuffled))
  skip_if_not_installed("ggplot2")
  skip_unless_ggplot2_draws_so()
  vdiffr::expect_doppelganger("gg importance", ggplot2::autoplot(shuffled))
})
