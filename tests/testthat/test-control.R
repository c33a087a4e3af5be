test_that("defaults are left to the preset", {
  control <- tec_control()
  expect_s3_class(control, "tec_control")
  expect_named(control, control_names)
  expect_null(control$min_split)
  expect_equal(control$max_depth, Inf)
  expect_output(print(control), "min_bucket")
})

test_that("other packages' names are understood", {
  expect_equal(tec_control(minsplit = 9), tec_control(min_split = 9))
  expect_equal(tec_control(minbucket = 3), tec_control(min_bucket = 3))
  expect_equal(tec_control(maxdepth = 2), tec_control(max_depth = 2))
  expect_equal(tec_control(xval = 5), tec_control(folds = 5))
})

test_that("bad settings are classed errors", {
  expect_snapshot(show_errors({
    tec_control(min_bucket = 0)
    tec_control(min_bucket = 0.5)
    tec_control(min_split = 0)
    tec_control(max_depth = -1)
    tec_control(max_depth = 2.5)
    tec_control(max_leaves = 0)
    tec_control(min_gain = "none")
    tec_control(min_gain = NA)
    tec_control(intervals = 1)
    tec_control(intervals = Inf)
    tec_control(threads = 0)
    tec_control(nominal = "binry")
    tec_control(nominal = c("binary", "multiway"))
    tec_control(eligible = "best")
    tec_control(missing = "fractal")
    tec_control(max_surrogate = -1)
    tec_control(use_surrogate = 3)
    tec_control(surrogate_style = 2)
    tec_control(unseen = "ignore")
    tec_control(usesurrogate = 1, use_surrogate = 1)
  }))
  expect_error(tec_control(min_bucket = 0), class = "tec_error_control")
  expect_error(tec_control(max_depth = -1), class = "tec_error_control")
})

test_that("unknown and doubled arguments are errors", {
  expect_snapshot(show_errors({
    tec_control(min_bukcet = 3)
    tec_control(minsplit = 3, min_split = 3)
    tec_control(xval = 3, folds = 3)
    tec_tree(y ~ x, toy(), wieghts = 1)
    tec_tree(y ~ x, toy(), zzzzzzzz = 1)
    tec_scores(y ~ x, toy(), critrion = "gini")
    tec_tree(y ~ x, toy(), control = 3)
  }))
  expect_error(tec_tree(y ~ x, toy(), min_bukcet = 3), class = "tec_error_argument")
})

test_that("direct settings win over control", {
  control <- tec_control(min_bucket = 3, max_depth = 2)
  fit <- tec_tree(y ~ x, toy(), control = control, minbucket = 4)
  expect_equal(fit$control$min_bucket, 4)
  expect_equal(fit$control$max_depth, 2)
})

#' @srrstats {ML3.0a, ML3.0c, ML3.0d, RE4.1} A specification prints its settings, holds no data,
#'   and fits every model as the same settings do.
test_that("settings are specified once and fit any model", {
  settings <- tec_control(max_depth = 2, min_bucket = 4)
  expect_output(print(settings), "max_depth +2\n")
  expect_true(all(lengths(settings) <= 1L))
  for (name in c("tec_tree", "tec_forest", "tec_boost", "tec_rotation", "tec_tune")) {
    fit <- function(...) {
      fitted <- withr::with_seed(1, do.call(name, list(mpg ~ wt + hp, quote(mtcars), ...)))
      predict(fitted, mtcars)
    }
    more <- if (name %in% c("tec_forest", "tec_rotation")) list(trees = 10)
    by_object <- do.call(fit, c(list(control = quote(settings)), more))
    direct <- do.call(fit, c(list(max_depth = 2, min_bucket = 4), more))
    expect_identical(by_object, direct, info = name)
    expect_false(identical(by_object, do.call(fit, as.list(more))), info = name)
  }
})

test_that("threads come from the argument, the option, the environment", {
  withr::local_options(tectree.threads = NULL)
  withr::local_envvar(OMP_THREAD_LIMIT = "1")
  expect_equal(default_threads(), 1L)
  withr::local_options(tectree.threads = 2)
  expect_equal(default_threads(), 2L)
  expect_equal(default_threads(1), 1L)
  withr::local_options(tectree.threads = "many")
  expect_error(default_threads(), class = "tec_error_control")
})

test_that("a large number of intervals takes no memory by itself", {
  all <- tec_tree(Species ~ ., iris, intervals = 44, max_depth = 1, prune = "none")
  most <- tec_tree(Species ~ ., iris, intervals = 1e9, max_depth = 1, prune = "none")
  expect_identical(most$tree, all$tree)
})
