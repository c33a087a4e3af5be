test_that("the page is one string without links to other files", {
  view <- tec_view(toy_tree())
  expect_s3_class(view, "tec_view")
  expect_length(view$html, 1L)
  expect_match(view$html, "^<!doctype html>")
  expect_match(view$html, "<title>Decision tree for y</title>", fixed = TRUE)
  expect_match(view$html, "default-src 'none'", fixed = TRUE)
  expect_no_match(view$html, "(src|href)=|url[(]|@import|\\{\\{")
  # Without scripts there is the text.
  expect_match(view$html, "<noscript><pre>Classification tree for y", fixed = TRUE)
})

test_that("it is saved as UTF-8, and then returned invisibly", {
  d <- toy()
  levels(d$y) <- c("n\u00e4", "\U0001f333")
  file <- withr::local_tempfile(fileext = ".html")
  out <- withVisible(tec_view(tec_tree(y ~ x, d, min_bucket = 1), file = file))
  expect_false(out$visible)
  text <- readLines(file, encoding = "UTF-8")
  expect_true(all(validUTF8(text)))
  for (level in levels(d$y)) expect_true(any(grepl(level, text, fixed = TRUE)))
})

test_that("print() gives a file below tempdir() to the viewer", {
  shown <- NULL
  view <- tec_view(toy_tree())
  withr::local_options(viewer = function(file) shown <<- file)
  expect_identical(print(view), view)
  expect_true(startsWith(normalizePath(shown), normalizePath(tempdir())))
  expect_identical(paste(readLines(shown, encoding = "UTF-8"), collapse = "\n"), view$html)
  # A page that has been saved is shown from where it is.
  file <- withr::local_tempfile(fileext = ".html")
  print(tec_view(toy_tree(), file = file))
  expect_identical(shown, file)
  expect_output(print(view, viewer = NULL), "^A page of [0-9]+ kB: ")
})

test_that("what is no tree, no file or no row is an error", {
  expect_error(tec_view(1), class = "tec_error_argument")
  expect_error(tec_view(toy_tree(), file = 1), class = "tec_error_argument")
  expect_error(
    tec_view(toy_tree(), file = file.path(tempdir(), "no", "such.html")),
    class = "tec_error_argument"
  )
  expect_error(tec_view(toy_tree(), newrow = toy()), class = "tec_error_newdata")
  expect_error(tec_view(toy_tree(), size = 2), class = "tec_error_argument")
})

test_that("the result of tec_tune() is viewed by its tree", {
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, q = c(1, 2), folds = 3)
  expect_identical(tec_view(tuned)$html, tec_view(tuned$fit)$html)
})

test_that("knitr gets a frame in HTML, and the text elsewhere", {
  skip_if_not_installed("knitr")
  d <- toy()
  levels(d$y) <- c("</iframe>", "\"yes\" & no")
  view <- tec_view(tec_tree(y ~ x, d, min_bucket = 1))
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  withr::defer(knitr::opts_knit$set(rmarkdown.pandoc.to = old))
  knitr::opts_knit$set(rmarkdown.pandoc.to = "html")
  html <- knitr::knit_print(view, options = list(out.height = "300px"))
  expect_s3_class(html, "knit_asis")
  expect_match(html, "```{=html}\n<iframe title=\"Decision tree\"", fixed = TRUE)
  expect_match(html, "height:300px", fixed = TRUE)
  expect_identical(lengths(regmatches(html, gregexpr("</iframe>", html, fixed = TRUE))), 1L)
  for (other in c("latex", "gfm", "docx", "markdown_strict")) {
    knitr::opts_knit$set(rmarkdown.pandoc.to = other)
    text <- knitr::knit_print(view, options = list())
    expect_match(text, "```\nClassification tree for y", fixed = TRUE)
    expect_no_match(text, "iframe title")
  }
})

test_that("the page gets surrogates, costs, and the types of columns", {
  fit <- tec_tree(Species ~ ., iris, missing = "surrogate", max_depth = 2, prune = "none")
  page <- view_model(fit)
  said <- page$surrogates
  count <- fit$tree$surrogate_count
  expect_identical(unclass(said$count), count)
  at <- unlist(Map(function(start, n) start + seq_len(n), fit$tree$surrogate_start, count))
  names <- vapply(page$columns, `[[`, "", "name")
  expect_identical(
    names[said$variable + 1L], fit$columns$name[fit$tree$surrogate_variable[at]]
  )
  expect_identical(unclass(said$cut), fit$tree$surrogate_cut[at])
  expect_null(view_model(tec_tree(Species ~ ., iris, missing = "majority"))$surrogates)
  cost <- rbind(c(0, 2, 1), c(1, 0, 9), c(1, 1, 0))
  page <- view_model(tec_tree(Species ~ ., iris, cost = cost))
  expect_identical(do.call(rbind, lapply(page$cost, unclass)), cost)
  d <- data_of_times()
  one <- function(formula) {
    view_model(tec_tree(formula, d, max_depth = 1, prune = "none"))$columns[[1]]
  }
  expect_identical(one(y ~ time)[c("type", "zone")], list(type = "POSIXct", zone = "Asia/Tokyo"))
  expect_identical(one(y ~ wait)[c("type", "unit")], list(type = "difftime", unit = "hours"))
  expect_true(one(y ~ log(1 + as.numeric(wait)))$computed)
  fit <- tec_tree(y ~ day, d, max_depth = 1, prune = "none")
  expect_identical(row_lines(fit, list(as.Date("2020-01-05"))), "day = 2020-01-05")
  expect_identical(row_lines(fit, list(as.Date(NA))), "day = NA")
})

test_that("an hour that the clock shows twice is in UTC", {
  utc <- function(x) as.POSIXct(x, tz = "UTC")
  expect_identical(
    time_text(utc("2020-10-25 00:30:00"), "Europe/Berlin"), "2020-10-25 00:30:00.000000Z"
  )
  expect_identical(
    time_text(utc("2020-10-26 00:30:00"), "Europe/Berlin"), "2020-10-26 01:30:00.000000"
  )
})
