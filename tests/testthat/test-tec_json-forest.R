test_that("a forest comes back from JSON", {
  skip_if_not_installed("jsonlite")
  cases <- in_turn(forest_export_cases(), 3)
  for (name in names(cases)) {
    fit <- cases[[name]]$fit
    rows <- cases[[name]]$rows
    again <- tec_from_json(tec_json(fit))
    expect_identical(again$trees, fit$trees, label = name)
    expect_export(cases[[name]], "json", name)
    types <- c("node", "tree", "response", if (!is.null(fit$response$levels)) c("prob", "votes"))
    for (type in types) {
      expect_identical(
        suppressWarnings(predict(again, rows, type)), suppressWarnings(predict(fit, rows, type)),
        label = paste(name, type)
      )
    }
    expect_identical(unclass(tec_json(again)), unclass(tec_json(fit)))
    expect_identical(as.data.frame(again[[2]]), as.data.frame(fit[[2]]))
  }
})

test_that("the predictors that ship read a forest", {
  slow_test()
  nasty_names <- c("a\"b", "c'd\\", "__proto__", "x\ny", "\u00e9", "${x}", "z")
  odd <- forest_export_cases(nasty_names, nasty, 3, trees = 3L)
  cases <- c(forest_export_cases(trees = 4L), nasty = odd[1L])
  for (target in c("json_python", "json_javascript")) {
    command <- c(json_python = "python3", json_javascript = "node")[[target]]
    if (!nzchar(Sys.which(command))) next
    for (name in in_turn(names(cases), 2)) {
      expect_export(cases[[name]], target, paste(target, name))
    }
  }
  expect_length(cases, 11L)
})

test_that("a forest is valid by the schema", {
  slow_test()
  cases <- forest_export_cases(trees = 3L)
  for (name in in_turn(names(cases), 2)) {
    expect_true(valid_by_schema(unclass(tec_json(cases[[name]]$fit))), label = name)
  }
  json <- unclass(tec_json(cases[[1L]]$fit))
  expect_false(valid_by_schema(sub("\"votes\"", "\"vote\"", json)))
  expect_false(valid_by_schema(sub("\"trees\"", "\"nodes\"", json)))
})

test_that("dates, times, differences and a file of a forest come back", {
  skip_if_not_installed("jsonlite")
  d <- data_of_times()
  set.seed(1)
  fit <- tec_forest(y ~ ., d, trees = 3, threads = 1)
  file <- withr::local_tempfile()
  tec_json(fit, file)
  again <- tec_from_json(file)
  expect_identical(predict(again, d), predict(fit, d))
  expect_identical(again$columns$ptype, fit$columns$ptype)
  expect_identical(capture.output(print(again))[1], capture.output(print(fit))[1])
  expect_output(print(again), "No out-of-bag error")
  expect_error(predict(again), class = "tec_error_newdata")
})

forest_json_example <- function() {
  trees <- list(
    start = c(0L, 5L), variable = c(2L, 0L, -1L, 0L, 0L), right = c(2L, 1L, 2L, 2L, -1L),
    cut = c(0, 10, 1.5, 6, 4), sides = as.raw(c(1, 2, 0)), shares = matrix(c(0.25, 0.75), 2L),
    weight = numeric(), unknown = 0L
  )
  set.seed(1)
  d <- data.frame(
    x = 1:40 / 10, g = rep(c("a", "b", "c", "a"), 10), y = factor(rep(c("no", "yes"), 20))
  )
  fit <- tec_forest(y ~ x + g, d, trees = 1, threads = 1)
  fit$trees <- trees
  fit$used <- NULL
  fit
}

test_that("the JSON of a small forest, and damage named with its place", {
  skip_if_not_installed("jsonlite")
  fit <- forest_json_example()
  json <- unclass(tec_json(fit))
  expect_identical(tec_from_json(json)$trees, fit$trees)
  change <- function(from, to) {
    stopifnot(grepl(from, json, fixed = TRUE))
    tryCatch(tec_from_json(sub(from, to, json, fixed = TRUE)), error = function(e) {
      cat(class(e)[1L], cli::ansi_strip(conditionMessage(e)), sep = "\n")
    })
  }
  expect_snapshot({
    tec_json(fit)
    change("[2, 0, 1, 0, 0]", "[2, 0, 1, 0]")
    change("[2, 0, 1, 0, 0]", "[2, 0, 7, 0, 0]")
    change("\"right\": [3, 5]", "\"right\": [3, 4]")
    change("\"default\": [2, 5]", "\"default\": [1, 5]")
    change("[1], [2]", "[1], [1]")
    change("[1], [2]", "[1], [9]")
    change("1.5", "null")
    change("\"weight\": [10", "\"weight\": [-1")
    change("[0.25, 0.75]", "[0.25, 0.7]")
    change("\"value\": [1", "\"value\": [3")
    change("\"class_by\": \"votes\", ", "")
    change("\"trees\": [", "\"more\": 1, \"trees\": [")
  })
})

test_that("a forest that breaks a rule of the format is refused by that rule", {
  skip_if_not_installed("jsonlite")
  refuses <- json_refuses(forest_json_example())
  refuses(p$columns[[2]]$name <- 5, "columns[2].name: it must be text")
  refuses(p$rows <- 1.5, "rows: it must be a whole number from 0")
  refuses(p$trees[[1]]$column <- list(), "the nodes do not form a tree in pre-order")
  refuses(p$trees[[1]]$column <- list(0, 0), "the nodes do not form a tree in pre-order")
  refuses(p$trees[[1]]$split <- list(1.5), "trees[1].split: there must be 2")
  refuses(p$trees[[1]]$split[[1]] <- list(1), "trees[1].split[1]: it must be two lists of levels")
  refuses(p$trees[[1]]$value <- list(1), "trees[1].value: there must be 3")
  refuses(p$trees[[1]]$inner_value <- list(1, 1), "all trees must have it if \"missing\" is")
  refuses({
    p$class_by <- NULL
    p$cost <- list(list(0, 1), list(1, 0))
    p$link <- list(round = list(1), output = list(1), base = list(0), scale = 1)
  }, "cost: it cannot be combined with \"link\"")

  boost <- json_refuses(tec_boost(Species ~ ., iris,
    rounds = 2, folds = 0, max_depth = 1, threads = 1
  ))
  boost(p$class_by <- "votes", "class_by: it is only for classes of a forest without costs")
  boost(p$response$levels <- list("a"), "response.levels: \"link\" needs at least two")
  boost(p$link$vote <- p$link$output, "link: it must have \"output\" or \"vote\"")
  number <- json_refuses(tec_forest(mpg ~ hp, mtcars, trees = 1, threads = 1))
  number(p$link <- list(round = list(1)), "link: it is not for a numeric response")
  votes <- json_refuses(
    tec_boost(Species ~ ., iris, method = "adaboost", rounds = 2, max_depth = 1, threads = 1)
  )
  votes(p$link$base[[1]] <- 1, "link.base: sums of votes start from 0")
})

test_that("values of inner nodes come back, for rows that stop there", {
  skip_if_not_installed("jsonlite")
  rows <- iris[c(1, 60, 140), ]
  rows[-5] <- NA
  for (formula in list(Species ~ ., Sepal.Length ~ .)) {
    fit <- tec_forest(formula, iris, trees = 3, missing = "drop", max_depth = 2, threads = 1)
    again <- tec_from_json(tec_json(fit))
    expect_identical(predict(again, rows), predict(fit, rows))
    expect_identical(predict(again, iris), predict(fit, iris))
    expect_identical(unclass(tec_json(again)), unclass(tec_json(fit)))
  }
})

test_that("a forest with one number changed is refused, or is the forest that the file says", {
  slow_test()
  skip_if_not_installed("jsonlite")
  json <- unclass(tec_json(forest_json_example()))
  mutations <- number_mutations(json)
  outcome <- vapply(mutations[seq(1L, length(mutations), by = 3L)], function(text) {
    fit <- tryCatch(tec_from_json(text), error = identity)
    if (inherits(fit, c("tec_error_export", "tec_error_argument"))) return("refused")
    stopifnot(inherits(fit, "tec_forest"))
    said <- jsonlite::parse_json(text)
    again <- jsonlite::parse_json(unclass(tec_json(fit)))
    if (!isTRUE(all.equal(said, again, tolerance = 0))) stop("another forest came back: ", text)
    prob <- suppressWarnings(predict(fit, data.frame(x = 1:3, g = c("a", "b", "z")), "prob"))
    stopifnot(abs(rowSums(prob) - 1) < 1e-8)
    utils::capture.output(print(fit), print(fit[[1]]))
    "read"
  }, "", USE.NAMES = FALSE)
  expect_setequal(unique(outcome), c("refused", "read"))
})
