test_that("curves and races are drawn", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  set.seed(1)
  before <- graphics::par("mar", "mfrow")
  tuned <- full_tune(Species ~ ., iris, q = c(0.5, 1, 2), min_bucket = c(1, 5), folds = 4)
  expect_invisible(plot(tuned))
  other <- plot(tuned, against = "min_bucket", metric = "depth", col = "red", main = "a")
  expect_identical(other, tuned)
  expect_error(plot(tuned, against = "depth"), class = "tec_error_argument")
  expect_error(plot(tuned, metric = "auc"), class = "tec_error_argument")
  race <- full_tune(Species ~ ., iris, criterion = c("gini", "shannon"), folds = 4)
  expect_invisible(plot(race))
  expect_error(plot(race, against = "q"), class = "tec_error_argument")
  expect_invisible(plot(full_tune(Species ~ ., iris, max_depth = c(1, 2, Inf), folds = 4)))
  expect_invisible(plot(full_tree(Species ~ ., iris, q = 1:3)$tuning))
  expect_identical(graphics::par("mar", "mfrow"), before)
})

# The charts that plot() draws.
charts_of <- function(x, ...) {
  drawn <- NULL
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  draw <- draw_charts
  local_binding("draw_charts", function(charts, ...) {
    drawn <<- charts
    draw(charts, ...)
  })
  plot(x, ...)
  drawn
}

layers_of <- function(chart, kind) {
  lapply(Filter(function(layer) layer$kind == kind, chart$layers), `[[`, "data")
}

test_that("plots show the table", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = c(2, 0.5, 1), folds = 4)
  charts <- charts_of(tuned)
  expect_identical(vapply(charts, function(c) c$y$label, ""), c("accuracy", "nodes"))
  line <- layers_of(charts[[1]], "line")[[1]]
  expect_equal(line$x, c(0.5, 1, 2))
  expect_equal(line$y, tuned$table$accuracy[c(2, 3, 1)])
  points <- layers_of(charts[[2]], "point")[[1]]
  expect_equal(points$y, tuned$table$nodes)
  # The chosen one is a full point on the dashed line.
  expect_identical(which(points$colour != "white"), tuned$chosen)
  dashed <- layers_of(charts[[1]], "segment")[[1]]
  expect_equal(unique(c(dashed$x, dashed$xend)), tuned$table$q[tuned$chosen])
  # Settings of plot.default() that make sense for both panels.
  expect_identical(charts_of(tuned, xlab = "order", main = "Irises")[[1]]$title, "Irises")
  expect_error(charts_of(tuned, pch = 3), class = "tec_error_argument")
})

test_that("cp has a logarithmic axis, with 0 at its left end", {
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, cp = c(0.1, 0, 0.001, 0.01), folds = 4)
  charts <- charts_of(tuned)
  expect_identical(charts[[2]]$x$label, "cp")
  points <- layers_of(charts[[1]], "point")[[1]]
  cp <- tuned$table$cp
  expect_equal(points$x[cp > 0], log10(cp[cp > 0]))
  expect_lt(points$x[cp == 0], -3)
  marks <- charts[[1]]$x
  expect_identical(marks$text, c("0", "0.001", "0.01", "0.1"))
  expect_equal(marks$at, c(points$x[cp == 0], -3, -2, -1))
  # Where others vary too, cp is the axis; q before it.
  expect_identical(plot_dimension(tuned, NULL), "cp")
  expect_identical(dimension_axis(c(1, 2, 4), "q")$at, c(1, 2, 4))
  # A narrow range has marks between the powers of ten.
  near <- dimension_axis(c(0.01, 0.02, 0.05), "cp")$axis
  expect_identical(near$text, c("0.01", "0.02", "0.05"))
  skip_if_not_installed("ggplot2")
  built <- ggplot2::ggplot_build(ggplot2::autoplot(tuned))
  expect_setequal(round(unique(built$data[[4]]$x), 6), round(points$x, 6))
})

test_that("no text leaves the page, however small", {
  skip_if_not_installed("svglite")
  set.seed(1)
  tuned <- full_tune(
    Species ~ ., iris, max_depth = 1:3, q = 1:3, min_bucket = c(2, 5, 20), folds = 3, widen = FALSE
  )
  number <- function(x, name) {
    as.numeric(mapply(sub, paste0(".*", name, "([-0-9.]+).*"), "\\1", x))
  }
  for (page in list(c(3.3, 3), c(7, 5), c(12, 8))) {
    file <- withr::local_tempfile(fileext = ".svg")
    svglite::svglite(file, page[1], page[2])
    plot(tuned, against = "max_depth")
    grDevices::dev.off()
    text <- grep("<text ", readLines(file), value = TRUE, fixed = TRUE)
    size <- number(text, "font-size: ")
    turned <- grepl("rotate(-90)", text, fixed = TRUE)
    expect_true(any(turned) && any(grepl("q, min_bucket", text, fixed = TRUE)))
    # Above the line that letters stand on there are three quarters of their size.
    base <- number(text, ifelse(turned, "translate[(]", " y='"))
    expect_gte(min(base - 0.75 * size), 0)
    expect_lte(max(base[!turned]), 72 * page[2])
  }
})

test_that("the tree of the chosen setting is drawn on request", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = c(0.5, 2), folds = 3)
  drawn <- function(...) {
    file <- withr::local_tempfile(fileext = ".svg")
    grDevices::svg(file, 5, 4)
    plot(...)
    grDevices::dev.off()
    # Its groups are numbered on and on.
    gsub("surface[0-9]+", "", readLines(file))
  }
  expect_identical(drawn(tuned, what = "tree", depth = 2), drawn(tuned$fit, depth = 2))
  expect_identical(drawn(tuned, what = "curve"), drawn(tuned))
  expect_error(plot(tuned, what = "leaf"), class = "tec_error_argument")
  fit <- full_tree(Species ~ ., iris, q = c(0.5, 2))
  expect_error(plot(fit$tuning, what = "tree"), "contains none", class = "tec_error_argument")
  skip_if_not_installed("ggplot2")
  data <- function(picture) page_words(picture)[c("text", "left", "low", "points")]
  expect_identical(
    data(ggplot2::autoplot(tuned, what = "tree")), data(ggplot2::autoplot(tuned$fit))
  )
})

test_that("lines are in the order of their values, and stand side by side", {
  table <- data.frame(
    criterion = rep(c("gini", "shannon"), each = 6), max_depth = c(2, 10, 5), cp = rep(c(0, 0.1), 6)
  )
  x <- list(table = table, grid = names(table))
  line <- curve_of_settings(x, table, "cp")
  expect_identical(levels(line), c(
    "gini, 2", "gini, 5", "gini, 10", "shannon, 2", "shannon, 5", "shannon, 10"
  ))
  at <- side_by_side(table$cp, line)
  expect_identical(anyDuplicated(paste(at, line)), 0L)
  expect_identical(anyDuplicated(round(at[table$cp == 0], 9)), 0L)
  # No line leaves its value's place by more than a few percent of the axis.
  expect_lt(max(abs(at - table$cp)), 0.03 * 0.1)
  expect_identical(side_by_side(1:3, factor(rep("a", 3))), 1:3)
})
