# A tree of many leaves, and rows like those it was grown from.
wide_tree <- function(n = if (all_cases()) 20000 else 5000) {
  set.seed(1)
  d <- as.data.frame(matrix(stats::rnorm(3 * n), n))
  d$y <- factor(sample(c("a", "b", "c"), n, TRUE))
  full_tree(y ~ ., d, min_bucket = 1)
}

quiet_plot <- function(fit, ..., width = 7, height = 5) {
  grDevices::pdf(NULL, width = width, height = height)
  on.exit(grDevices::dev.off())
  plot(fit, ...)
}

test_that("of a large tree the top is drawn, with what is below, in about a second", {
  slow_test()
  fit <- wide_tree()
  expect_gt(n_leaves(fit), if (all_cases()) 8000 else 2000)
  words <- expect_readable(fit, width = 7, height = 5)
  view <- attr(words, "layout")$view
  expect_gt(max(view$level), 2)
  expect_identical(as.integer(sum(pmax(view$below, view$leaf))), n_leaves(fit))
  expect_true(all(closed_texts(view)[view$hidden > 0] %in% unlist(strsplit(
    gsub("^n = [0-9,]+, ", "", words$text), "\n"
  ))))
  took <- processor_seconds(suppressMessages(quiet_plot(fit)))
  expect_lt(took, 5)
  expect_message(quiet_plot(fit), class = "tec_message_plot")
  expect_snapshot(quiet_plot(wide_tree(5000)))
  # What the message says can be done.
  node <- view$node[which.max(view$below)]
  expect_message(quiet_plot(fit, nodes = node), class = "tec_message_plot")
  expect_message(quiet_plot(fit, depth = Inf), class = "tec_message_plot")
  expect_message(quiet_plot(fit, depth = max(view$level) + 2L, width = 20, height = 30), NA)
})

test_that("the work of a picture grows with its conditions, not with the layouts tried", {
  slow_test()
  set.seed(1)
  n <- 4000
  d <- lapply(c(job = 40, country_of_birth = 25), function(k) {
    levels <- replicate(k, paste(sample(letters, sample(4:14, 1), TRUE), collapse = ""))
    factor(sample(levels, n, TRUE), levels)
  })
  d <- data.frame(d, working_hours = stats::rnorm(n))
  odd <- as.integer(d$job) %% 3 + as.integer(d$country_of_birth) %% 4 + (d$working_hours > 0)
  d$y <- factor(ifelse(odd + stats::rnorm(n) > 3, "high", "low"))
  tectree <- asNamespace("tectree")
  put <- function(wrap) {
    unlockBinding("wrap_one", tectree)
    assign("wrap_one", wrap, tectree)
    lockBinding("wrap_one", tectree)
  }
  wraps <- 0
  wrap <- tectree$wrap_one
  withr::defer(put(wrap))
  put(function(...) {
    wraps <<- wraps + 1
    wrap(...)
  })
  for (leaves in c(15, 45)) {
    fit <- tec_tree(y ~ ., d, max_leaves = leaves, prune = "none")
    for (page in some_of(list(c(3.3, 3), c(7, 5), c(12, 8)), 1)) {
      wraps <- 0
      suppressMessages(quiet_plot(fit, width = page[1], height = page[2]))
      expect_gt(wraps, 0)
      expect_lt(wraps, 120 * n_nodes(fit))
    }
  }
})

test_that("a count of what is below is the tree's", {
  fit <- wide_tree(2000)
  view <- tree_view(fit, 3, NULL)
  closed <- which(view$hidden > 0)
  expect_gt(length(closed), 3)
  for (i in closed) {
    branch <- fit[[view$node[i]]]
    expect_equal(view$below[i], n_leaves(branch))
    expect_equal(view$hidden[i], n_nodes(branch) - 1)
  }
  tree <- fit$tree
  ends <- vapply(seq_along(tree$parent), function(i) subtree_end(tree, i), 0)
  expect_equal(subtree_ends(tree), ends)
  for (depth in 0:5) {
    expect_equal(drawn_leaves(tree, 1L)[depth + 1], sum(tree_view(fit, depth, NULL)$leaf))
  }
  expect_equal(drawn_leaves(tree, 2L)[3], sum(tree_view(fit, 2, 2L)$leaf))
})

test_that("trees that fit are drawn whole and without a word", {
  for (leaves in c(1, 5, 31)) {
    fit <- tec_tree(class ~ ., balance_scale, max_leaves = leaves)
    expect_message(quiet_plot(fit), NA)
    words <- expect_readable(fit, width = 7, height = 5)
    expect_identical(sum(attr(words, "layout")$view$leaf), n_leaves(fit))
  }
})

test_that("pages and trees of all sizes are readable", {
  skip_on_cran()
  set.seed(2)
  d <- as.data.frame(matrix(stats::rnorm(6000), 1000))
  names(d) <- c("age", "income", "left_distance", "x4", "x5", "x6")
  d$colour <- factor(sample(c("red", "green", "light grey"), 1000, TRUE))
  d$y <- factor(c("low", "middle", "high")[1 + (d$age + rnorm(1000) > 0) + (d$x4 * d$x5 > 0.5)])
  d$z <- d$age * 2 + (d$colour == "red") + stats::rnorm(1000)
  d$many <- cut(d$age + stats::rnorm(1000) / 2, 14, paste0("class", 1:14))
  pages <- list(c(3.3, 3), c(7, 5), c(12, 8))
  # Each number of leaves on each page and of each response; responses and pages take turns.
  formulas <- list(y ~ . - z - many, z ~ . - y - many, many ~ . - y - z)
  sizes <- c(1, 2, 12, 60, 400)
  for (i in seq_along(sizes)) {
    for (j in in_turn((i + 1:3) %% 3 + 1, 1)) {
      fit <- tec_tree(
        formulas[[j]], d, max_leaves = sizes[i], min_bucket = 1,
        max_depth = if (sizes[i] == 1) 0 else Inf
      )
      page <- pages[[(i + j) %% 3 + 1]]
      words <- expect_readable(fit, width = page[1], height = page[2])
      # In letters of 5 points at least.
      expect_gte(12 * attr(words, "layout")$cex, 5)
    }
  }
})

test_that("a chain of 1,000 and one of 4,000 can be drawn", {
  slow_test()
  skip_on_cran()
  for (depth in in_turn(c(1000, 4000), 1)) {
    fit <- chain_tree(depth)
    took <- processor_seconds(suppressMessages(quiet_plot(fit)))
    expect_lt(took, 5)
    expect_readable(fit, width = 7, height = 5)
    for (direction in c("down", "right")) {
      expect_message(quiet_plot(fit, direction = direction), class = "tec_message_plot")
      expect_message(
        quiet_plot(fit, depth = Inf, direction = direction), class = "tec_message_plot"
      )
    }
    expect_message(quiet_plot(fit, nodes = c(500, 1500)), class = "tec_message_plot")
    expect_message(quiet_plot(fit, cex = 1), class = "tec_message_plot")
  }
})

test_that("branches without letters are those of the tree", {
  fit <- wide_tree(2000)
  layout <- bare_layout(tree_view(fit, Inf, NULL), list(width = 7, height = 5))
  view <- layout$view
  expect_true(all(layout$x >= 0 & layout$x <= layout$end + 1e-9))
  expect_true(all(layout$y >= 0 & layout$y <= 5))
  expect_equal(layout$y[view$leaf], sort(layout$y[view$leaf], decreasing = TRUE))
})

down <- function(fit, width = 10, height = 7, ...) {
  attr(drawn_words(fit, width, height, direction = "down", ...), "layout")
}

test_that("a parent stands over its middle child, and between its first and last", {
  fit <- tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
  layout <- down(fit)
  view <- layout$view
  for (i in which(!view$leaf)) {
    x <- layout$x[view$up == i]
    expect_equal(layout$x[i], mean(range(x)))
    if (length(x) == 3L) expect_equal(layout$x[i], x[2L])
  }
  # Outlines of several levels, with slack for the middle one and without.
  wide <- c(-1, -4)
  leaf <- -1
  x <- sibling_places(list(wide, leaf, wide), list(-wide, -leaf, -wide))
  expect_equal(x, c(0, 4, 8))
  x <- sibling_places(list(wide, wide, leaf), list(-wide, -wide, -leaf))
  expect_equal(x, c(0, 8, 10))
})

test_that("subtrees take no more room than their outlines, and branches cross no box", {
  for (fit in list(tec_tree(mpg ~ ., mtcars, min_bucket = 2, prune = "none"), chain_tree(5))) {
    layout <- down(fit)
    view <- layout$view
    half <- layout$own / 2
    for (level in split(seq_along(layout$x), view$level)) {
      level <- level[order(layout$x[level])]
      gap <- diff(layout$x[level]) - half[level][-1L] - half[level][-length(level)]
      expect_true(all(gap > -1e-9))
    }
    # Side by side, the leaves would be wider than the page that the tree needs.
    needed <- max(layout$x + half) - min(layout$x - half)
    expect_lt(needed, 2.2 * sum(layout$own[view$leaf]))
    bottom <- layout$top - layout$height - layout$ask
    bend <- stats::ave(bottom, view$level, FUN = min) - layout$bend
    for (i in which(!view$leaf)) {
      same <- view$level == view$level[i]
      expect_true(all(bottom[same] > bend[i]))
      below <- view$level == view$level[i] + 1L
      expect_true(all((layout$top + layout$line * text_lines(layout$text$edge))[below] < bend[i]))
    }
  }
})

test_that("a text beside empty space keeps its line", {
  fit <- tec_tree(class ~ ., balance_scale, min_bucket = 1, max_depth = 5)
  layout <- down(fit, 10, 7)
  lines <- text_lines(layout$text$edge)
  # The first levels have room, whatever the last ones need.
  expect_true(all(lines[layout$view$level %in% 1:2] == 1L))
  expect_gt(max(lines), 1L)
  expect_readable(fit, width = 10, height = 7)
})

test_that("a large page has larger letters", {
  fit <- tec_tree(Species ~ ., iris)
  small <- down(fit, 10, 7)
  large <- down(fit, 20, 14)
  expect_equal(small$cex, 1)
  expect_gt(large$cex, 1.8)
  expect_readable(fit, width = 20, height = 14)
})

test_that("trees of other packages are drawn", {
  slow_test()
  fits <- list()
  if (requireNamespace("rpart", quietly = TRUE)) {
    fits$rpart <- as_tec_tree(rpart::rpart(Species ~ ., iris))
    fits$number <- as_tec_tree(rpart::rpart(mpg ~ ., mtcars))
    fits$large <- as_tec_tree(rpart::rpart(class ~ ., balance_scale, cp = 0, minsplit = 2))
  }
  if (requireNamespace("partykit", quietly = TRUE)) {
    fits$party <- as_tec_tree(partykit::ctree(Species ~ ., iris))
  }
  if (requireNamespace("C50", quietly = TRUE)) {
    fits$c50 <- as_tec_tree(C50::C5.0(Species ~ ., iris))
  }
  skip_if(length(fits) == 0L)
  for (fit in fits) {
    for (page in list(c(3.3, 3), c(7, 5))) expect_readable(fit, width = page[1], height = page[2])
    skip_if_not_installed("ggplot2")
    expect_s3_class(suppressMessages(ggplot2::autoplot(fit)), "ggplot")
  }
})

test_that("a tree that does not fit loses the shares of inner nodes, if they were not asked for", {
  local_binding("write_nodes", identity)
  local_binding("lay_out", function(view, ...) view)
  response <- list(task = "classification", levels = c("a", "b"))
  view <- function(show) structure(list(), looks = list(response = response, show = show))
  brief <- fit_brief(view(default_show(response)), NULL, "down", NULL)
  expect_identical(attr(brief, "looks")$show$inner, "prediction")
  expect_true("share" %in% attr(brief, "looks")$show$leaf)
  asked <- list(leaf = "share", inner = c("share", "prediction"))
  expect_null(fit_brief(view(asked), NULL, "down", NULL))
})
