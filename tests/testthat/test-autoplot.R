skip_if_not_installed("ggplot2")

test_that("the ggplot has a bar a class and leaf, and builds", {
  fit <- tec_tree(Species ~ ., iris)
  picture <- ggplot2::autoplot(fit)
  expect_s3_class(picture, "ggplot")
  built <- ggplot2::ggplot_build(picture)
  first <- function(layer) layer[layer$version == 1, ]
  bars <- first(built$data[[2]])
  leaf <- fit$tree$kind == 0L
  expect_identical(nrow(bars), sum(fit$tree$prob[leaf, ] > 0))
  share <- (bars$xmax - bars$xmin) / 12
  expect_equal(sort(share), sort(fit$tree$prob[leaf, ][fit$tree$prob[leaf, ] > 0]))
  label <- first(built$data[[3]])$label
  expect_setequal(label[startsWith(label, "n =")], rows_text(fit$tree$n[leaf]))
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

# The texts as drawn on a page of some size, as rectangles in inches, and where their room ends.
gg_texts <- function(fit, width, height, ...) {
  grDevices::pdf(NULL, width = width, height = height)
  withr::defer(grDevices::dev.off())
  print(ggplot2::autoplot(fit, ...))
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
  lines <- lengths(strsplit(words$label, "\n", fixed = TRUE))
  high <- points / 72 * (0.72 + 1.2 * (lines - 1))
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
    for (size in in_turn(list(c(6.7, 6.7), c(11, 8), c(4, 3)), 1)) {
      words <- gg_texts(fit, size[1], size[2])
      expect_identical(overlaps(words), character())
      # Devices round the size of letters.
      expect_true(all(words$right <= words$end + 0.02))
    }
  }
})

test_that("what is shown in the nodes has its room too", {
  iris_tree <- tec_tree(Species ~ ., iris)
  large <- tec_tree(class ~ ., balance_scale, max_leaves = 31)
  say <- c("node", "prediction", "share", "count", "percent")
  for (fit in list(iris_tree, large)) {
    for (size in in_turn(list(c(6.7, 6.7), c(11, 8), c(4, 3)), 1)) {
      words <- suppressMessages(gg_texts(fit, size[1], size[2], show = say))
      expect_true(all(words$right <= words$end + 0.02))
      expect_identical(overlaps(words), character())
    }
  }
  words <- suppressMessages(gg_texts(iris_tree, 11, 8, show = say))
  expect_true(all(c("1) setosa 0.33", "n = 150, 100%") %in% words$text))
})

test_that("a path is thick, and rows make branches and bars wide", {
  fit <- tec_tree(Species ~ ., iris)
  looks <- tree_looks(fit, path = iris[77, ], by_rows = FALSE)
  layout <- letter_layout(tree_view(fit, Inf, NULL, looks, signs = FALSE))
  lines <- gg_branches(layout$view, layout, ink_on("white"))
  on <- sum(layout$view$on_path)
  # A line along each node of the way and one up to each but the first, drawn last.
  expect_identical(which(lines$colour == "black"), utils::tail(seq_len(nrow(lines)), 2 * on - 1))
  looks <- tree_looks(fit, by_rows = TRUE)
  view <- tree_view(fit, Inf, NULL, looks, signs = FALSE)
  bars <- gg_bars(fit, view, letter_layout(view))
  leaf <- fit$tree$kind == 0L
  wide <- tapply(bars$xmax - bars$xmin, bars$ymin, sum)
  expect_equal(as.vector(rev(wide)), 12 * fit$tree$n[leaf] / max(fit$tree$n[leaf]))
})

test_that("signs are those that the device can write", {
  fit <- full_tree(Species ~ ., iris)
  written_by <- function(open) {
    open()
    on.exit(grDevices::dev.off())
    print(ggplot2::autoplot(fit))
    grid::grid.force()
    grob <- grid::grid.get(grid::grid.grep("fitted_text", grep = TRUE))
    grob$words$label
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
  set.seed(1)
  n <- if (all_cases()) 20000 else 5000
  d <- as.data.frame(matrix(stats::rnorm(3 * n), n))
  d$y <- factor(sample(c("a", "b", "c"), n, TRUE))
  fit <- full_tree(y ~ ., d, min_bucket = 1)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  took <- processor_seconds({
    expect_message(picture <- ggplot2::autoplot(fit), class = "tec_message_plot")
    print(picture)
  })
  expect_lt(took, 5)
  words <- picture$layers[[3]]$data
  words <- words$label[words$version == 1]
  below <- sub(".*:\\s(.*) leaves$", "\\1", grep("leaves$", words, value = TRUE))
  below <- as.numeric(gsub(",", "", below))
  ended <- sum(startsWith(words, "n =") & !grepl("leaves$", words))
  expect_identical(as.integer(sum(below)) + ended, n_leaves(fit))
  # All of it: branches and colours.
  expect_message(all <- ggplot2::autoplot(fit, depth = Inf), class = "tec_message_plot")
  expect_length(all$layers, 2)
  expect_equal(nrow(all$layers[[1]]$data), n_nodes(fit) - 1 + n_leaves(fit) - 1)
  expect_silent(print(all))
  for (depth in in_turn(c(1000, 4000), 1)) {
    expect_message(print(ggplot2::autoplot(chain_tree(depth))), class = "tec_message_plot")
    expect_message(
      print(ggplot2::autoplot(chain_tree(depth), depth = Inf)), class = "tec_message_plot"
    )
  }
  expect_message(ggplot2::autoplot(tec_tree(Species ~ ., iris)), NA)
})

test_that("leaves hold the pictures of plot()", {
  skip_if_not_installed("ggplot2")
  fit <- tec_tree(mpg ~ ., mtcars)
  look <- function(leaves, layer = 2L, ...) {
    ggplot2::layer_data(ggplot2::autoplot(fit, leaves = leaves, size = 3, ...), layer)
  }
  leaf <- fit$tree$kind == 0L
  ends <- predict(fit, mtcars, type = "node")
  bars <- look("histogram")
  place <- range(bars$xmin, bars$xmax)
  one <- histogram_bars(mtcars$mpg[ends == which(leaf)[1L]], range(mtcars$mpg), "")
  expect_identical(nrow(bars), sum(vapply(
    which(leaf), function(i) nrow(histogram_bars(mtcars$mpg[ends == i], range(mtcars$mpg), "")), 0L
  )))
  top <- bars[bars$ymin == max(bars$ymin), ]
  expect_equal((sort(top$xmin) - place[1L]) / diff(place), one$left)
  expect_equal((top$ymax - top$ymin) / max(top$ymax - top$ymin), one$high)
  # The line of a prediction stands where it is on the axis of all responses.
  marks <- look("density", 3L)
  marks <- marks[marks$x == marks$xend, ]
  at <- (fit$tree$yval[leaf] - min(mtcars$mpg)) / diff(range(mtcars$mpg))
  expect_equal(sort((marks$x - place[1L]) / diff(place)), sort(at))
  # As wide by rows or not.
  expect_equal(look("histogram", by_rows = TRUE)$xmax, bars$xmax)
  columns <- ggplot2::layer_data(
    ggplot2::autoplot(tec_tree(Species ~ ., iris), leaves = "columns", size = 3), 2L
  )
  expect_equal(length(unique(columns$xmin)), 3L)
  expect_error(ggplot2::autoplot(fit, leaves = "stack"), class = "tec_error_argument")
})

test_that("strips below the inner nodes are those of plot()", {
  skip_if_not_installed("ggplot2")
  fit <- tec_tree(Species ~ ., iris)
  draw <- function(fit, layer, ...) {
    ggplot2::layer_data(ggplot2::autoplot(fit, strips = TRUE, size = 3, ...), layer)
  }
  inner <- which(fit$tree$kind != 0L)
  rows <- drawn_rows(fit, iris, NULL)
  strips <- lapply(inner, function(node) split_strip(fit, node, rows))
  bars <- draw(fit, 2L)
  leaves <- ggplot2::layer_data(ggplot2::autoplot(fit, size = 3), 2L)
  bars <- bars[-seq_len(nrow(leaves)), ]
  expect_identical(nrow(bars), sum(vapply(strips, function(s) nrow(s$bars), 0L)))
  high <- unlist(lapply(strips, function(s) s$bars$high - s$bars$low))
  expect_equal(bars$ymax - bars$ymin, high / 2)
  # Nothing of a strip lies below the page or in another's lines.
  expect_gte(min(bars$ymin), -sum(fit$tree$kind == 0L))
  lines <- draw(fit, 3L)
  cuts <- unlist(lapply(strips, `[[`, "cuts"))
  expect_identical(sum(lines$x == lines$xend), length(cuts))

  fit <- tec_tree(mpg ~ ., mtcars)
  expect_equal(nrow(draw(fit, 4L)), sum(fit$tree$n[fit$tree$kind != 0L]))
  expect_s3_class(ggplot2::autoplot(fit, strips = TRUE, leaves = "density"), "ggplot")
  expect_error(ggplot2::autoplot(fit, strips = 3), class = "tec_error_argument")
})
