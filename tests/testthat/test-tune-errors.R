test_that("bad grids are classed errors", {
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris, q = numeric())
    tec_tune(Species ~ ., iris, q = "a")
    tec_tune(Species ~ ., iris, q = c(1, NA, Inf))
    tec_tune(Species ~ ., iris, q = 1:2, min_bucket = numeric())
    tec_tune(Species ~ ., iris, q = 1:2, min_bucket = c(1, 0))
    tec_tune(Species ~ ., iris, q = 1:2, min_bukcet = 1:2)
    tec_tune(Species ~ ., iris, q = 1:2, criterion = "gini")
    tec_tune(Species ~ ., iris, beta = 1:2, criterion = tec_criterion("beta", beta = 2))
    tec_tune(Species ~ ., iris, beta = c(1, -1))
    tec_tune(Species ~ ., iris, criterion = c("gini", "gnii"))
    tec_tune(Species ~ ., iris, criterion = 1)
    tec_tune(Species ~ ., iris, criterion = c("l1", "l2"))
    tec_tune(mpg ~ ., mtcars, q = 1:2)
    tec_tune(Species ~ ., iris, alpha = c(0, -0.1))
  }))
})

test_that("bad folds are classed errors", {
  expect_error(tec_tune(Species ~ ., iris, q = 1, repeats = 1e9), class = "tec_error_folds")
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris, q = 1, folds = 1)
    tec_tune(Species ~ ., iris, q = 1, folds = 2.5)
    tec_tune(Species ~ ., iris, q = 1, folds = 151)
    tec_tune(Species ~ ., iris, q = 1, folds = NA)
    tec_tune(Species ~ ., iris, q = 1, folds = 1:149)
    tec_tune(Species ~ ., iris, q = 1, folds = rep(1:2, 50), subset = 1:120)
    tec_tune(Species ~ ., iris, q = 1, folds = rep(1, 150))
    tec_tune(Species ~ ., iris, q = 1, folds = c(NA, rep(1:2, length.out = 149)))
    tec_tune(Species ~ ., iris, q = 1, folds = rep(1:2, 75), repeats = 2)
    tec_tune(Species ~ ., iris, q = 1, folds = list(1, 2))
    tec_tune(Species ~ ., iris, q = 1, repeats = 0)
    tec_tune(Species ~ ., iris, q = 1, sample = 1)
    tec_tune(Species ~ ., iris, q = 1, stratified = NA)
  }))
})

test_that("resamples of other rows are a classed error", {
  skip_if_not_installed("rsample")
  set.seed(1)
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris, q = 1, folds = rsample::vfold_cv(iris[1:100, ], 4))
    tec_tune(Species ~ ., iris, q = 1, folds = rsample::vfold_cv(iris, 5), subset = 1:3)
    tec_tune(Species ~ ., iris, q = 1, folds = rsample::vfold_cv(iris, 5), repeats = 2)
  }))
})

test_that("bad metrics and rules are classed errors", {
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris, q = 1, metric = "rmse")
    tec_tune(mpg ~ ., mtcars, metric = c("rmse", "auc"))
    tec_tune(Species ~ ., iris, q = 1, metric = "acuracy")
    tec_tune(Species ~ ., iris, q = 1, metric = 1)
    tec_tune(Species ~ ., iris, q = 1, rule = "2se")
  }))
})

test_that("bad data are the errors of tec_tree()", {
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris[0, ], q = 1)
    tec_tune(~Species, iris, q = 1)
    tec_tune(Speces ~ ., iris, q = 1)
    tec_tune(x = iris[1:4], q = 1)
    tec_tune(Species ~ ., iris, preset = "id3", folds = 3)
    tec_tune(Species ~ ., iris, preset = "c50")
  }))
  error <- tryCatch(tec_tune(Species ~ ., iris, q = "a"), error = identity)
  expect_equal(as.character(error$call[[1]]), "tec_tune")
})

test_that("one class is tuned with a warning", {
  d <- data.frame(y = rep("a", 30), x = 1:30)
  expect_warning(tuned <- tec_tune(y ~ x, d, q = 1:2, folds = 3), class = "tec_warning_one_class")
  expect_equal(tuned$table$accuracy, c(1, 1))
  expect_equal(tuned$table$q[tuned$chosen], 1)
})

test_that("settings that fail are left out with a warning, all failing is an error", {
  local_binding("run_groups", function(...) list())
  grow <- grow_cell
  local_binding("grow_cell", function(job, setting, fold) {
    if (setting$criterion$parameter == 2 && fold$fold == 2) stop("no {luck}")
    grow(job, setting, fold)
  })
  set.seed(1)
  expect_warning(
    tuned <- tec_tune(Species ~ ., iris, q = c(2, 1, 3), folds = 3), "no \\{luck\\}",
    class = "tec_warning_tune"
  )
  expect_true(is.na(tuned$table$accuracy[1]))
  expect_false(tuned$chosen == 1)
  expect_output(print(tuned), "failed")
  expect_error(
    tec_tune(Species ~ ., iris, q = 2, folds = 3), "No setting could be fitted",
    class = "tec_error_tune"
  )
  expect_error(
    suppressWarnings(compare_criteria(Species ~ ., iris, "tsallis", q = 1:2, folds = 3)),
    class = "tec_error_tune"
  )
})
