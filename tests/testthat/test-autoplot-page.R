skip_if_not_installed("ggplot2")

test_that("on a small page fewer levels are drawn, and a message says so", {
  fit <- tec_tree(class ~ ., balance_scale, max_leaves = 31)
  picture <- ggplot2::autoplot(fit)
  texts <- function(width, height, ...) {
    grDevices::pdf(NULL, width = width, height = height)
    on.exit(grDevices::dev.off())
    print(ggplot2::autoplot(fit, ...))
    grid::grid.force()
    grob <- grid::grid.get(grid::grid.grep("fitted_text", grep = TRUE))
    list(text = grob$words$label, points = grob$children[[2]]$gp$fontsize)
  }
  expect_silent(large <- texts(7, 5))
  expect_identical(sum(startsWith(large$text, "n =")), n_leaves(fit))
  expect_message(small <- texts(3.3, 3), "top [23] levels", class = "tec_message_plot")
  expect_gte(small$points, 4.5)
  below <- as.numeric(sub(".*:\\s(.*) leaves$", "\\1", grep("leaves$", small$text, value = TRUE)))
  ended <- sum(startsWith(small$text, "n =") & !grepl("leaves$", small$text))
  expect_identical(as.integer(sum(below)) + ended, n_leaves(fit))
  # What was asked for stays.
  expect_silent(asked <- texts(3.3, 3, depth = Inf))
  expect_identical(asked$text, large$text)
  expect_silent(asked <- texts(3.3, 3, size = 2))
  expect_identical(asked$text, large$text)
  # One version is whole, one has next to nothing, none can be read.
  expect_identical(readable_version(c(4.6, 6, 9), 3:1), 1L)
  expect_identical(readable_version(c(3, 4.2, 9), 3:1), 2L)
  expect_identical(readable_version(c(2, 3, 9), 3:1), 3L)
  expect_identical(readable_version(c(1, 2, 3), 3:1), 3L)
})
