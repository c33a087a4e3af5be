skip_if_not_installed("ggplot2")

# The marks of plot() on the page that a ggplot has of some size, as grobs.
plot_grobs <- function(fit, page, ...) {
  grDevices::pdf(NULL, width = page[1], height = page[2])
  withr::defer(grDevices::dev.off())
  graphics::par(mar = rep(0, 4), lheight = 0.85)
  graphics::plot.new()
  looks <- tree_looks(fit, ...)
  layout <- fit_page(fit, NULL, NULL, list(width = page[1], height = page[2]), "auto", NULL, looks)
  colours <- view_colours(fit, layout$view, class_palette(fit, NULL))
  lapply(tree_layers(colour_layout(layout, colours, ink_on("white"))), layer_grob)
}

nameless <- function(grobs) {
  lapply(unname(grobs), function(grob) {
    grob$name <- NULL
    unclass(grob)
  })
}

test_that("the ggplot equals plot() on a page of the same size", {
  slow_test()
  iris_tree <- tec_tree(Species ~ ., iris)
  large <- tec_tree(class ~ ., balance_scale, max_leaves = 31)
  looks <- list(
    list(iris_tree), list(large), list(iris_tree, strips = TRUE), list(large, leaves = "columns"),
    list(iris_tree, path = iris[77, ]), list(large, by_rows = TRUE),
    list(iris_tree, show = c("node", "shares", "percent"), branches = "yes/no"),
    list(tec_tree(Species ~ ., iris, max_depth = 0))
  )
  for (args in looks) {
    size <- in_turn(list(c(7, 5), c(4, 6), c(11, 8)), 1)[[1]]
    words <- page_words(do.call(ggplot2::autoplot, args), size[1], size[2])
    expected <- do.call(plot_grobs, c(args[1], list(attr(words, "size")), args[-1]))
    expect_equal(nameless(attr(words, "grobs")), nameless(expected), ignore_attr = TRUE)
  }
  # The last is a leaf, which is all there is.
  expect_setequal(words$text, c("setosa 0.33", "n = 150"))
})

test_that("of numbers the pictures are those of plot(), in the colours of the scale", {
  fit <- tec_tree(mpg ~ ., mtcars)
  for (args in list(list(), list(leaves = "histogram"), list(leaves = "density", strips = TRUE))) {
    words <- page_words(do.call(ggplot2::autoplot, c(list(fit), args)))
    expected <- do.call(plot_grobs, c(list(fit, attr(words, "size")), args))
    grobs <- attr(words, "grobs")
    for (i in seq_along(expected)) {
      places <- c("x", "y", "x0", "x1", "y0", "y1", "width", "height", "label")
      for (part in intersect(places, names(expected[[i]]))) {
        expect_equal(grobs[[i]][[part]], expected[[i]][[part]])
      }
    }
  }
  # A scale of the user's has the last word.
  fill <- function(picture) {
    grobs <- attr(page_words(picture), "grobs")
    unique(unlist(lapply(unname(grobs), function(grob) if (!inherits(grob, "text")) grob$gp$fill)))
  }
  grey <- ggplot2::scale_fill_gradient(low = "#000000", high = "#000001")
  picture <- suppressMessages(ggplot2::autoplot(fit) + grey)
  expect_true(all(c("#000000", "#000001") %in% fill(picture)))
  classes <- ggplot2::scale_fill_manual(values = c("red", "green", "blue"))
  picture <- suppressMessages(ggplot2::autoplot(tec_tree(Species ~ ., iris)) + classes)
  expect_true(all(c("red", "green", "blue") %in% fill(picture)))
  expect_error(ggplot2::autoplot(fit, leaves = "stack"), class = "tec_error_argument")
  expect_error(ggplot2::autoplot(fit, strips = 3), class = "tec_error_argument")
})

test_that("its pictures are as they were looked at", {
  skip_if_not_installed("vdiffr")
  skip_unless_ggplot2_draws_so()
  draw <- function(title, ...) vdiffr::expect_doppelganger(title, ggplot2::autoplot(...))
  draw("gg iris", full_tree(Species ~ ., iris))
  draw("gg 31 leaves", full_tree(class ~ ., balance_scale, max_leaves = 31))
  draw("gg regression", full_tree(mpg ~ ., mtcars))
  draw("gg one leaf", full_tree(Species ~ ., iris, max_depth = 0))
  draw("gg two levels", full_tree(Species ~ ., iris), depth = 2)
})

expect_inside <- function(words) {
  size <- attr(words, "size")
  expect_identical(overlaps(words), character())
  # Devices round the size of letters.
  expect_gte(min(words$left), -0.02)
  expect_lte(max(words$right), size[1] + 0.05)
  expect_gte(min(words$low), -0.05)
  expect_lte(max(words$high), size[2] + 0.05)
}

test_that("every text keeps to its room on pages of all sizes", {
  slow_test()
  set.seed(1)
  cars <- tec_tree(mpg ~ ., mtcars, min_bucket = 1)
  long <- vapply(letters[1:4], strrep, "", 200)
  odd <- tec_tree(Species ~ ., odd_names(long, vapply(c("x", "y", "z"), strrep, "", 200)))
  for (fit in list(cars, odd, tec_tree(class ~ ., balance_scale, max_leaves = 31))) {
    for (size in in_turn(list(c(6.7, 6.7), c(11, 8), c(4, 3)), 1)) {
      expect_inside(suppressMessages(page_words(ggplot2::autoplot(fit), size[1], size[2])))
    }
  }
})

test_that("what is shown in the nodes has its room too", {
  iris_tree <- tec_tree(Species ~ ., iris)
  large <- tec_tree(class ~ ., balance_scale, max_leaves = 31)
  say <- c("node", "prediction", "share", "count", "percent")
  for (fit in list(iris_tree, large)) {
    for (size in in_turn(list(c(6.7, 6.7), c(11, 8), c(4, 3)), 1)) {
      picture <- ggplot2::autoplot(fit, show = say)
      expect_inside(suppressMessages(page_words(picture, size[1], size[2])))
    }
  }
  words <- page_words(ggplot2::autoplot(iris_tree, show = say), 11, 8)
  expect_true(all(c("1) setosa 0.33", "n = 150, 100%") %in% words$text))
})

test_that("signs are those that the device can write", {
  fit <- full_tree(Species ~ ., iris)
  written_by <- function(open) {
    open()
    on.exit(grDevices::dev.off())
    print(ggplot2::autoplot(fit))
    grid::grid.force()
    grobs <- grid::grid.get(grid::grid.grep("^page", grep = TRUE))$children
    gsub("\n", " ", unlist(lapply(unname(grobs), `[[`, "label")))
  }
  plain <- written_by(function() grDevices::pdf(NULL, width = 9, height = 6))
  expect_true("Petal.Length <= 2.45" %in% plain)
  skip_if_not(l10n_info()[["UTF-8"]] && capabilities("cairo"))
  file <- withr::local_tempfile(fileext = ".svg")
  signs <- written_by(function() grDevices::svg(file, 9, 6))
  expect_identical(sub("\u2264", "<=", signs, fixed = TRUE), plain)
  expect_true("Petal.Length \u2264 2.45" %in% signs)
})

test_that("the legend stands beside the tree", {
  for (fit in list(tec_tree(Species ~ ., iris), tec_tree(mpg ~ ., mtcars))) {
    grDevices::pdf(NULL, width = 7, height = 5)
    table <- ggplot2::ggplotGrob(ggplot2::autoplot(fit))
    place <- table$layout[grepl("^guide-box", table$layout$name), ]
    shown <- !vapply(table$grobs[match(place$name, table$layout$name)], inherits, NA, "zeroGrob")
    panel <- table$layout[table$layout$name == "panel", ]
    expect_true(all(place$l[shown] > panel$r))
    expect_identical(place$t[shown], panel$t)
    grDevices::dev.off()
  }
  expect_identical(key_beside(letters)$columns, 2L)
  expect_length(key_beside(paste("class", 1:100))$labels, 48)
  expect_false(anyDuplicated(key_beside(paste("a class of number", 1:48))$labels) > 0)
})

test_that("palettes of the wrong length are refused", {
  expect_error(
    ggplot2::autoplot(tec_tree(Species ~ ., iris), palette = "red"), class = "tec_error_argument"
  )
})

# How wide the keys of a ggplot are, in inches.
key_width <- function(picture) {
  grDevices::pdf(NULL, width = 3.3, height = 3)
  withr::defer(grDevices::dev.off())
  table <- ggplot2::ggplotGrob(picture)
  keys <- table$grobs[grepl("^guide-box", table$layout$name)]
  keys <- keys[vapply(keys, inherits, NA, "gtable")]
  max(vapply(keys, function(key) grid::convertWidth(sum(key$widths), "inches", TRUE), 0))
}

test_that("keys are no wider than a page of 3.3 inches", {
  set.seed(1)
  tuned <- full_tune(
    Species ~ ., iris,
    q = c(0.5, 1, 2), min_bucket = c(1, 5, 20), max_depth = c(2, 3, 5), folds = 4
  )
  picture <- ggplot2::autoplot(tuned)
  expect_length(ggplot2::ggplot_build(picture)$plot$scales$get_scales("colour")$get_labels(), 9)
  expect_lte(key_width(picture), 3.3)
  many <- full_tune(
    Species ~ ., iris,
    q = c(1, 1.5), min_bucket = c(1, 5, 10, 20), folds = 4,
    criterion = c("tsallis", "tsallis_ratio", "tsallis_mutual")
  )
  expect_lte(key_width(ggplot2::autoplot(many)), 3.3)
  for (classes in in_turn(c(3, 14, 26, 50), 1)) {
    d <- data.frame(x = 1:200, y = factor(rep_len(seq_len(classes), 200)))
    levels(d$y) <- paste("a class of number", seq_len(classes))
    expect_lte(key_width(ggplot2::autoplot(full_tree(y ~ x, d, max_leaves = 5))), 3.3)
  }
  expect_lte(key_width(ggplot2::autoplot(full_tree(mpg ~ ., mtcars))), 3.3)
})

test_that("of a large tree the top is drawn, with what is below, in about a second", {
  slow_test()
  set.seed(1)
  n <- if (all_cases()) 20000 else 5000
  d <- as.data.frame(matrix(stats::rnorm(3 * n), n))
  d$y <- factor(sample(c("a", "b", "c"), n, TRUE))
  fit <- full_tree(y ~ ., d, min_bucket = 1)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  took <- processor_seconds({
    picture <- ggplot2::autoplot(fit)
    expect_message(print(picture), class = "tec_message_plot")
  })
  expect_lt(took, 5)
  expect_silent(words <- page_words(picture, 7, 7)$text)
  below <- sub("(.|\n)*:\\s(.*) leaves$", "\\2", grep("leaves$", words, value = TRUE))
  below <- as.numeric(gsub(",", "", below))
  ended <- sum(startsWith(words, "n =") & !grepl("leaves$", words))
  expect_identical(as.integer(sum(below)) + ended, n_leaves(fit))
  # All of it: branches and colours.
  all <- ggplot2::autoplot(fit, depth = Inf)
  expect_message(grobs <- attr(page_words(all), "grobs"), class = "tec_message_plot")
  expect_length(grobs, 2)
  expect_length(grobs[[1]]$x0, 2 * (n_nodes(fit) - 1))
  expect_length(grobs[[2]]$x, n_leaves(fit))
  for (depth in in_turn(c(1000, 4000), 1)) {
    expect_message(print(ggplot2::autoplot(chain_tree(depth))), class = "tec_message_plot")
    expect_message(
      print(ggplot2::autoplot(chain_tree(depth), depth = Inf)), class = "tec_message_plot"
    )
  }
  expect_silent(print(ggplot2::autoplot(tec_tree(Species ~ ., iris))))
})
