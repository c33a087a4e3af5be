test_that("the nearest name is found, but only if it is close", {
  expect_equal(nearest_name("min_bukcet", c("min_split", "min_bucket")), "min_bucket")
  expect_equal(nearest_name("GINI", c("gini", "l2")), "gini")
  expect_equal(nearest_name("tsal", c("tsallis", "l2")), "tsallis")
  expect_null(nearest_name("hp", c("mpg", "cyl")))
  expect_null(nearest_name("zzzzzz", c("gini", "l2")))
  expect_null(nearest_name("x", character()))
  expect_null(nearest_name("", "a"))
})

test_that("one letter is never taken for another", {
  expect_null(nearest_name("k", c("q", "x", "folds")))
})

test_that("values are described in words", {
  expect_equal(describe(NULL), "NULL")
  expect_equal(describe("a"), "\"a\" (character)")
  expect_equal(describe(NA), "NA (logical)")
  expect_equal(describe(1:3), "an integer vector of length 3")
  expect_equal(describe(matrix(1:4, 2)), "a matrix of 2 x 2")
  expect_equal(describe(mean), "a function")
})

test_that("an error comes from the function the user called", {
  error <- expect_error(tec_tree(y ~ ., toy(), min_bucket = 0), class = "tec_error_control")
  expect_equal(as.character(error$call[[1]]), "tec_tree")
  expect_s3_class(error, "tec_error")
  error <- expect_error(tec_control(min_bucket = 0), class = "tec_error_control")
  expect_equal(as.character(error$call[[1]]), "tec_control")
})

test_that("braces in names do not break a message", {
  d <- toy()
  names(d)[2] <- "a {b}"
  expect_error(tec_tree(y ~ `a {b`, d), "a \\{b\\}", class = "tec_error_formula")
})

test_that("a name is found by its end", {
  expect_identical(nearest_name("data", c("newdata", "type", "threads")), "newdata")
  expect_null(nearest_name("ata", c("newdata", "type")))
})

test_that("any object can be described", {
  bytes <- rawToChar(as.raw(c(0x63, 0xe9)))
  bad <- list(
    structure("x", class = "POSIXct"), structure(list(1, 2:3), class = "data.frame"),
    structure(1:3, class = "factor"), structure(1, class = "no such class"),
    structure(list(), class = "tec_tree"), quote(x), new.env(), 1i, raw(2), bytes,
    structure(3L, levels = c("a", "b"), class = "factor"), structure(1, class = "integer64")
  )
  for (x in bad) expect_true(nzchar(describe(x)))
  expect_identical(describe(bytes), "\"c<e9>\" (character)")
  for (x in bad) expect_error(tec_control(min_bucket = x), class = "tec_error_control")
  expect_error(tec_tree(iris, bytes), "c<e9>", class = "tec_error")
  expect_error(
    tec_tree(Species ~ ., iris, criterion = bytes), "c<e9>", class = "tec_error_criterion"
  )
  other <- stats::setNames(list(Species ~ ., iris, 1), c("", "", bytes))
  expect_error(do.call(tec_tree, other), class = "tec_error")
})

test_that("methods report other objects and damaged objects", {
  fit <- tec_tree(Species ~ ., iris)
  set.seed(1)
  boosted <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0, max_depth = 1)
  objects <- list(
    tec_shap = tec_shap(fit, iris[1:3, ]), tec_shapes = tec_shapes(boosted, mtcars),
    tec_cp_table = cp_table(fit)
  )
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  here <- asNamespace("tectree")
  drawn <- c(if (requireNamespace("ggplot2", quietly = TRUE)) "autoplot", "plot")
  for (class in names(objects)) {
    for (verb in in_turn(drawn, fewer(2, 1))) {
      draw <- get(paste0(verb, ".", class), here)
      expect_no_error(draw(objects[[class]]))
      for (other in list(1, NULL, mean, fit)) expect_error(draw(other), class = "tec_error")
      for (bad in list(structure(list(), class = class), structure("a", class = class))) {
        expect_error(draw(bad), class = "tec_error")
      }
      for (part in names(unclass(objects[[class]]))) {
        bad <- objects[[class]]
        bad[[part]] <- if (is.data.frame(bad)) NULL else list()
        said <- tryCatch(draw(bad), error = identity)
        if (inherits(said, "error")) expect_s3_class(said, "tec_error")
      }
    }
  }
  known <- ls(here, pattern = "^(tidy|glance|augment)[.]")
  for (method in c(known, if ("autoplot" %in% drawn) "autoplot.tec_boost")) {
    for (other in list(1, NULL, mean, iris)) {
      expect_error(get(method, here)(other), class = "tec_error")
    }
  }
})

test_that("frameworks' functions say what they were given", {
  expect_error(tec_parsnip_intervals(1, iris), "parsnip", class = "tec_error_argument")
  expect_error(tec_parsnip_tree(Species ~ ., iris, cost_complexity = mean), class = "tec_error")
  expect_error(tec_parsnip_boost(Species ~ ., iris, columns = y ~ x), class = "tec_error")
  expect_error(tec_caret(globalenv()), "model", class = "tec_error_argument")
  skip_if_not_installed("rpart")
  loadNamespace("rpart")
  for (x in list("a", 1, list(), iris)) {
    expect_error(plotcp(x), "tec_tree", class = "tec_error_argument")
    expect_error(printcp(x), "tec_tree", class = "tec_error_argument")
  }
  peer <- rpart::rpart(Species ~ ., iris)
  expect_output(printcp(peer), "Root node error")
})

#' @srrstats {G5.2} Functions are called with values of wrong types; `_snaps/` has the messages of
#'   the tests of each file.
test_that("values of any type are errors that name the argument", {
  forest <- tec_forest(Species ~ ., iris, trees = 2, threads = 1)
  mars <- tec_mars(Sepal.Length ~ ., iris)
  parts <- tec_partition(list(1:2, 3))
  calls <- alist(
    set = tec_trace_on(parts, sum), data = tec_tree(y ~ ., simpleCondition("a")),
    data = tec_tree(y ~ ., list(1, sum)),
    min_bucket = tec_tree(Species ~ ., iris, min_bucket = bad),
    min_bucket = tec_tree(Species ~ ., iris, control = list(min_bucket = bad)),
    threads = tec_dependence(mars, "Petal.Width", iris, threads = "zzz"),
    weights = tec_tree(Species ~ ., iris, weights = sum),
    what = plot(mars, what = bad), what = summary(mars, what = 1), formula. = update(mars, 0),
    text = text(forest), as.data.frame = as.data.frame(mars),
    width = format(tec_verbs(), width = "zzz"), width = print(tec_verbs(), width = data.frame())
  )
  bad <- quote(a + b)
  expect_named_errors(calls)
  skip_if_not_installed("partykit")
  expect_error(as.party.tec_tree(forest), "tec_tree", class = "tec_error_argument")
  skip_if_not_installed("ggplot2")
  expect_error(autoplot.tec_tree(forest), "tec_tree", class = "tec_error_argument")
  expect_s3_class(autoplot.tec_rotation(forest), "ggplot")
})

test_that("a lack of memory and damaged factors in the core have their own classes", {
  expect_error(
    abort_from_core("memory", "8 GB are needed"), "8 GB are needed, in addition to the data",
    class = "tec_error_memory"
  )
  expect_error(abort_from_core("column", "code 5"), "Found: code 5", class = "tec_error_column")
})
