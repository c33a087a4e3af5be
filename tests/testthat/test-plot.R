big <- function() full_tree(class ~ ., balance_scale, max_leaves = 31)

test_that("no text meets another, and none leaves the page", {
  fits <- list(
    iris = full_tree(Species ~ ., iris), fruit = full_tree(fruit ~ ., fruit),
    leaves31 = big(), leaf = full_tree(Species ~ ., iris, max_depth = 0),
    number = full_tree(mpg ~ ., mtcars), cars = full_tree(mpg ~ ., mtcars, min_bucket = 1),
    id3 = full_tree(PlayTennis ~ ., play_tennis, preset = "id3"),
    long = full_tree(Survived ~ ., long_levels(), min_bucket = 60),
    months = full_tree(Survived ~ Month, long_levels(), nominal = "multiway"),
    intervals = full_tree(Species ~ ., iris, intervals = 6, min_bucket = 2)
  )
  for (fit in fits) expect_readable(fit)
  for (fit in some_of(fits, 3)) {
    expect_readable(fit, direction = "right")
    expect_readable(fit, width = 12, height = 5)
  }
  for (fit in some_of(fits[c("iris", "leaf", "number", "id3")], 2)) {
    expect_readable(fit, direction = "down")
    expect_readable(fit, width = 5, height = 4)
  }
})

test_that("31 leaves are readable without an option", {
  words <- expect_readable(big())
  layout <- attr(words, "layout")
  expect_identical(sum(layout$view$leaf), 31L)
  # Letters of a footnote's size, with whole names and conditions.
  expect_gte(12 * layout$cex, 6)
  expect_identical(layout$lost, 0L)
})

test_that("names of 200 letters, other scripts and 1,000 levels can be drawn", {
  slow_test()
  stretched <- vapply(letters[1:4], function(l) paste(strrep(l, 100), strrep("long name ", 10)), "")
  expect_readable(full_tree(Species ~ ., odd_names(stretched, c("a", "b", "c"))))
  expect_readable(
    full_tree(Species ~ ., odd_names(stretched, vapply(c("x", "y", "z"), strrep, "", 200))),
    direction = "right"
  )
  skip_if_not(l10n_info()[["UTF-8"]])
  scripts <- c(
    "\u8435\u7247\u306e\u9577\u3055", "\u0448\u0438\u0440\u0438\u043d\u0430", "\u0637\u0648\u0644",
    "largeur du p\u00e9tale"
  )
  suppressWarnings(
    {
      classes <- c("\u6e05", "\u0431", "\u0628\u0643\u0631")
      expect_readable(full_tree(Species ~ ., odd_names(scripts, classes)))
    }
  )
  d <- data.frame(f = factor(paste0("level", 1:1000)), y = factor(rep(c("a", "b"), 500)))
  words <- expect_readable(full_tree(y ~ f, d))
  expect_true(any(grepl("\\+\\d{3}}?$", words$text)))
})

test_that("a part of a tree can be drawn", {
  fit <- big()
  shown <- function(...) attr(drawn_words(fit, ...), "layout")$view
  expect_identical(max(shown(depth = 2)$level), 2L)
  expect_identical(sum(shown(depth = 2)$hidden) + 7, as.numeric(n_nodes(fit)))
  expect_identical(shown(nodes = 3)$node, 3L:subtree_end(fit$tree, 3L))
  some <- shown(nodes = c(9, 30))
  expect_true(all(c(9, 30) %in% some$node))
  expect_identical(sum(some$hidden) + nrow(some), as.numeric(n_nodes(fit)))
  expect_identical(nrow(shown(depth = 0)), 1L)
  inner <- some$node[!some$leaf]
  ancestors <- function(i) if (i == 0) integer() else c(i, ancestors(fit$tree$parent[i]))
  expect_setequal(inner, unique(c(ancestors(fit$tree$parent[9]), ancestors(fit$tree$parent[30]))))
})

test_that("text() writes what plot() left out, once", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- tec_tree(Species ~ ., iris)
  before <- graphics::par(no.readonly = TRUE)
  expect_identical(expect_invisible(plot(fit, labels = FALSE)), fit)
  expect_silent(text(fit))
  expect_message(text(fit), class = "tec_message_plot")
  plot(fit)
  expect_message(text(fit), class = "tec_message_plot")
  same <- c("mar", "xpd", "lheight", "cex", "mfrow")
  expect_identical(graphics::par(no.readonly = TRUE)[same], before[same])
})

test_that("colours are told apart", {
  for (k in c(1, 2, 8, 26)) expect_false(anyDuplicated(class_colours(k)) > 0)
  expect_length(unique(class_colours(60)), 60)
  expect_identical(class_colours(3), c("#E69F00", "#0072B2", "#F0E442"))
  expect_length(value_colours(c(1, 1)), 2)
})

test_that("wrapped texts keep to their width", {
  expect_identical(wrap_text("left_distance", 8, 2, nchar), "left_\ndistance")
  expect_identical(wrap_text("abc", 8, 2, nchar), "abc")
  expect_identical(wrap_text("Width <= 1.75", 8, 2, nchar), "Width\n<= 1.75")
  expect_identical(wrap_text("Width \u2264 1.75", 8, 2, nchar), "Width\n\u2264 1.75")
  cut <- wrap_text("one two three four", 5, 2, nchar)
  expect_lte(max(nchar(strsplit(cut, "\n")[[1]])), 5)
  expect_lte(lengths(strsplit(cut, "\n")), 2)
})

test_that("`main` is the title of scores", {
  scores <- tec_scores(y ~ x, toy())
  drawn <- function(...) {
    file <- withr::local_tempfile(fileext = ".pdf")
    grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
    plot(...)
    grDevices::dev.off()
    paste(readLines(file, warn = FALSE), collapse = "")
  }
  expect_match(drawn(scores), "Scores of the predictors")
  one <- drawn(scores, main = "My own title")
  expect_match(one, "My own title")
  expect_no_match(one, "Scores of the predictors")
})

test_that("nonsense is refused", {
  fit <- toy_tree()
  expect_snapshot(show_errors({
    plot(fit, depth = -1)
    plot(fit, nodes = 12)
    plot(fit, direction = "up")
    plot(fit, palette = "red")
    plot(fit, cex = "big")
    plot(fit, deth = 2)
    plot(tec_scores(y ~ x, toy()), 3)
    plot_impurity(q = "two")
  }))
})

test_that("the pictures are as they were looked at", {
  skip_if_not_installed("vdiffr")
  draw <- function(title, ...) vdiffr::expect_doppelganger(title, function() plot(...))
  draw("iris", full_tree(Species ~ ., iris))
  draw("play tennis", full_tree(PlayTennis ~ ., play_tennis, preset = "id3"))
  draw("31 leaves", big())
  draw("regression", full_tree(mpg ~ ., mtcars))
  draw("regression to the right", full_tree(mpg ~ ., mtcars, min_bucket = 1))
  draw("one leaf", full_tree(Species ~ ., iris, max_depth = 0))
  draw("long levels", full_tree(Survived ~ ., long_levels(), min_bucket = 60, free_levels = Inf))
  draw("twelve branches", full_tree(Survived ~ Month, long_levels(), nominal = "multiway"))
  draw("two levels", big(), depth = 2)
  draw("two paths", big(), nodes = c(9, 30))
})

test_that("scores and curves are as they were looked at", {
  skip_if_not_installed("vdiffr")
  draw <- function(title, plot) vdiffr::expect_doppelganger(title, plot)
  draw("three criteria", function() {
    plot(
      tec_scores(fruit ~ ., fruit, criterion = "shannon"),
      tec_scores(fruit ~ ., fruit, criterion = "gini"),
      tec_scores(fruit ~ ., fruit, criterion = "gain_ratio")
    )
  })
  draw("impurity curves", function() plot_impurity())
})

test_that("curves are the functions", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  curves <- plot_impurity(q = c(0.5, 2), rescaled = TRUE)
  at <- function(name, p) curves$impurity[curves$curve == name & abs(curves$p - p) < 1e-9]
  expect_equal(at("Tsallis, q = 0.5", 0.3), tsallis_entropy(c(0.3, 0.7), 0.5))
  expect_equal(at("twice Gini", 0.3), 2 * gini_index(c(0.3, 0.7)))
  expect_equal(at("Shannon, bits", 0.5), 1)
  expect_equal(at("half Shannon", 0.3), shannon_entropy(c(0.3, 0.7)) / 2)
  expect_equal(at("misclassification", 0.3), 0.3)
  expect_equal(at("misclassification", 0.9), 0.1)
  expect_message(
    scaled <- plot_impurity(c(0.5, 1.5, 3), scale = TRUE), "q = 3", class = "tec_message_curves"
  )
  expect_equal(unname(c(tapply(scaled$impurity, scaled$curve, max))), rep(1, 6))
  expect_error(plot(tec_scores(y ~ x, toy(), min_bucket = 7)), class = "tec_error_data")
})

test_that("no more impurity curves are drawn than can be told apart", {
  drawn <- NULL
  local_binding("impurity_chart", function(p, curves, ink) {
    drawn <<- curves
    list(title = "", x = chart_axis("", 0:1), y = chart_axis("", 0:1), layers = list())
  })
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_silent(three <- plot_impurity())
  expect_length(drawn, 3)
  expect_identical(unique(three$curve), names(drawn))
  expect_message(
    all <- plot_impurity(q = seq(0.1, 4, 0.1), rescaled = TRUE), class = "tec_message_curves"
  )
  expect_length(unique(all$curve), 5 + 39)
  expect_length(drawn, 8)
  curves <- do.call(rbind, drawn)
  apart <- as.matrix(stats::dist(curves, "maximum"))
  expect_gte(min(apart[upper.tri(apart)]), 0.02)
  # The same shape under two names.
  expect_message(plot_impurity(q = 3, scale = TRUE), "q = 3", class = "tec_message_curves")
  expect_false("Tsallis, q = 3" %in% names(drawn))
})

test_that("rpart's arguments for the looks of a tree are ignored, with a message", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- tec_tree(Species ~ ., iris)
  expect_message(plot(fit, uniform = TRUE, margin = 0.1), "margin", class = "tec_message_plot")
  expect_message(text(fit, use.n = TRUE), "nothing to add", class = "tec_message_plot")
  expect_error(plot(fit, unifrom = TRUE), class = "tec_error_argument")
})

test_that("numbers and arguments that rpart and rpart.plot have are ignored with a message", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- tec_tree(Species ~ ., iris)
  expect_message(plot(fit, uniform = TRUE, branch = 0.4), "`branch`", class = "tec_message_plot")
  expect_message(
    plot(fit, type = 4, extra = 104), "`type` and `extra`", class = "tec_message_plot"
  )
  expect_error(plot(fit, type = "four"), "type", class = "tec_error_argument")
  expect_error(plot(fit, branches = "no/yes"), "branches", class = "tec_error_argument")
})
