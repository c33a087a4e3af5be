skip_if_not_installed("ggplot2")

test_that("the ggplot has a bar a class and leaf, and builds", {
  fit <- tec_tree(Species ~ ., iris)
  picture <- ggplot2::autoplot(fit)
  expect_s3_class(picture, "ggplot")
  built <- ggplot2::ggplot_build(picture)
  bars <- built$data[[2]]
  leaf <- fit$tree$kind == 0L
  expect_identical(nrow(bars), sum(fit$tree$prob[leaf, ] > 0))
  share <- (bars$xmax - bars$xmin) / 12
  expect_equal(sort(share), sort(fit$tree$prob[leaf, ][fit$tree$prob[leaf, ] > 0]))
  label <- built$data[[3]]$label
  expect_setequal(label[startsWith(label, "n =")], rows_text(fit$tree$n[leaf]))
})

test_that("its pictures are as they were looked at", {
  skip_if_not_installed("vdiffr")
  draw <- function(title, ...) vdiffr::expect_doppelganger(title, ggplot2::autoplot(...))
  draw("gg iris", tec_tree(Species ~ ., iris))
  draw("gg 31 leaves", tec_tree(class ~ ., balance_scale, max_leaves = 31))
  draw("gg regression", tec_tree(mpg ~ ., mtcars))
  draw("gg one leaf", tec_tree(Species ~ ., iris, max_depth = 0))
  draw("gg two levels", tec_tree(Species ~ ., iris), depth = 2)
})

test_that("palettes of the wrong length are refused", {
  expect_error(
    ggplot2::autoplot(tec_tree(Species ~ ., iris), palette = "red"), class = "tec_error_argument"
  )
})
