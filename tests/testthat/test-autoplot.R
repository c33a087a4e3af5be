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

# The texts as drawn on a page of some size, as rectangles in inches, and where their room ends.
gg_texts <- function(fit, width, height) {
  grDevices::pdf(NULL, width = width, height = height)
  withr::defer(grDevices::dev.off())
  print(ggplot2::autoplot(fit))
  grid::grid.force()
  path <- grid::grid.grep("fitted_text", grep = TRUE, viewports = TRUE)
  grob <- grid::grid.get(path)
  grid::seekViewport(utils::tail(strsplit(attr(path, "vpPath"), "::")[[1]], 1))
  page <- c(
    grid::convertWidth(grid::unit(1, "npc"), "inches", TRUE),
    grid::convertHeight(grid::unit(1, "npc"), "inches", TRUE)
  )
  words <- grob$words[nzchar(grob$words$label), ]
  points <- grob$children[[2]]$gp$fontsize
  face <- ifelse(words$bold, "bold", "plain")
  left <- words$x * page[1]
  high <- points / 72 * 0.72
  low <- words$y * page[2] - words$vjust * high
  data.frame(
    text = words$label, left = left, right = left + text_inches(words$label, face, points),
    low = low, high = low + high, end = words$xmax * page[1]
  )
}

test_that("every text keeps to its room on pages of all sizes", {
  set.seed(1)
  cars <- tec_tree(mpg ~ ., mtcars, min_bucket = 1)
  long <- vapply(letters[1:4], strrep, "", 200)
  odd <- tec_tree(Species ~ ., odd_names(long, vapply(c("x", "y", "z"), strrep, "", 200)))
  for (fit in list(cars, odd, tec_tree(class ~ ., balance_scale, max_leaves = 31))) {
    for (size in list(c(6.7, 6.7), c(11, 8), c(4, 3))) {
      words <- gg_texts(fit, size[1], size[2])
      expect_identical(overlaps(words), character())
      # Devices round the size of letters.
      expect_true(all(words$right <= words$end + 0.01))
    }
  }
})

test_that("palettes of the wrong length are refused", {
  expect_error(
    ggplot2::autoplot(tec_tree(Species ~ ., iris), palette = "red"), class = "tec_error_argument"
  )
})

tuned_for_pictures <- function(...) {
  set.seed(1)
  tec_tune(class ~ ., balance_scale, folds = 4, ...)
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
  expect_identical(unique(built[[1]]$xintercept), tuned$table$q[tuned$chosen])
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
  draw <- function(title, tuned) vdiffr::expect_doppelganger(title, ggplot2::autoplot(tuned))
  draw("gg tuning", tuned_for_pictures(q = seq(0.4, 3, by = 0.4)))
  draw("gg tuning lines", tuned_for_pictures(q = c(0.5, 1, 2), min_bucket = c(1, 5, 20)))
  draw("gg tuning race", tuned_for_pictures(criterion = c("gini", "shannon", "gain_ratio")))
})
