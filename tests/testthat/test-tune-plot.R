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

test_that("what is drawn is the table", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = c(2, 0.5, 1), folds = 4)
  seen <- list()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  line <- draw_line
  local_binding("draw_line", function(table, measure, against, colour) {
    seen[[measure]] <<- table[c(against, measure)]
    line(table, measure, against, colour)
  })
  plot(tuned)
  expect_named(seen, c("accuracy", "nodes"))
  expect_equal(seen$accuracy$q, c(0.5, 1, 2))
  expect_equal(seen$accuracy$accuracy, tuned$table$accuracy[c(2, 3, 1)])
})

test_that("the key of a tuning plot stays small and above the panel", {
  grDevices::pdf(NULL, width = 7, height = 5)
  withr::defer(grDevices::dev.off())
  graphics::plot.new()
  few <- key_above(paste("min_bucket =", 1:3))
  many <- key_above(rep("min_bucket = 10, max_depth = Inf", 15))
  expect_identical(few$cex, 0.8)
  expect_lt(many$cex, few$cex)
  for (key in list(few, many)) {
    expect_gte(key$lines - 0.5, key$cex)
    expect_lte(key$lines, 3.5)
  }
  expect_length(unique(line_colours(7)), 7)
  expect_length(unique(line_colours(12)), 12)
})

test_that("no text leaves the page, however small", {
  skip_if_not_installed("svglite")
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, max_depth = 1:3, q = 1:3, min_bucket = c(2, 5, 20), folds = 3, widen = FALSE)
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
    expect_true(any(turned) && any(grepl(">q, min_bucket<", text, fixed = TRUE)))
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
  expect_error(plot(fit$tuning, what = "tree"), "holds none", class = "tec_error_argument")
  skip_if_not_installed("ggplot2")
  data <- function(picture) picture$layers[[3]]$data
  expect_identical(
    data(ggplot2::autoplot(tuned, what = "tree")), data(ggplot2::autoplot(tuned$fit))
  )
})
