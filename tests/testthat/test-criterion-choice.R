test_that("q chooses Tsallis, and must fit the criterion", {
  for (preset in preset_names) {
    got <- resolve_criterion(1.5, NULL, preset, "classification")
    expect_equal(got, tec_criterion("tsallis", q = 1.5))
  }
  expect_equal(
    resolve_criterion(2, "tsallis_ratio", "tec", "classification"),
    tec_criterion("tsallis_ratio", q = 2)
  )
  expect_equal(resolve_criterion(NULL, "beta", "tec", "classification"), tec_criterion("beta"))
  same <- tec_criterion("tsallis", q = 2)
  expect_equal(resolve_criterion(2, same, "tec", "classification"), same)
})

test_that("bad values of q are classed errors", {
  expect_snapshot(show_errors({
    tec_tree(y ~ x, toy(), q = NA)
    tec_tree(y ~ x, toy(), q = Inf)
    tec_tree(y ~ x, toy(), q = "1")
    tec_scores(y ~ x, toy(), q = 1:3)
    suppressWarnings(tec_tree(y ~ x, toy(), q = -500))
    suppressWarnings(tec_tune(y ~ x, toy(), q = c(1, -500), folds = 2))
    tec_tree(y ~ x, toy(), q = 2, criterion = "gini")
    tec_tree(y ~ x, toy(), q = 2, criterion = tec_criterion("tsallis", q = 3))
  }))
  expect_error(tec_tree(y ~ x, toy(), q = NA_real_), class = "tec_error_q")
  expect_error(tec_tree(y ~ x, toy(), q = numeric()), class = "tec_error_q")
  expect_error(tec_scores(y ~ x, toy(), q = c(1, 2)), class = "tec_error_q")
  expect_error(tec_tree(y ~ x, toy(), q = 2, criterion = "gini"), class = "tec_error_criterion")
})

test_that("q <= 0 warns once per call", {
  warned <- 0
  withCallingHandlers(
    tec_tree(y ~ x, toy(), q = -1),
    tec_warning_q = function(w) {
      warned <<- warned + 1
      invokeRestart("muffleWarning")
    }
  )
  expect_equal(warned, 1)
  expect_snapshot(invisible(tec_tree(y ~ x, toy(), q = 0)))
})

test_that("a criterion must suit the response", {
  expect_snapshot(show_errors({
    tec_tree(y ~ x, toy(), criterion = "l2")
    tec_tree(mpg ~ ., mtcars, criterion = "gini")
    tec_tree(mpg ~ ., mtcars, q = 2)
    tec_tree(mpg ~ ., mtcars, preset = "id3")
  }))
  expect_error(tec_tree(y ~ x, toy(), criterion = "l1"), class = "tec_error_task")
  expect_error(tec_tree(mpg ~ ., mtcars, criterion = "gini"), class = "tec_error_task")
})

test_that("beta implies its criterion", {
  fit <- tec_tree(Species ~ ., iris, beta = 1.7)
  expect_identical(fit$criterion, tec_criterion("beta", beta = 1.7))
  same <- tec_tree(Species ~ ., iris, criterion = tec_criterion("beta", beta = 1.7))
  expect_identical(fit$tree, same$tree)
  expect_identical(tec_tree(iris[1:4], iris$Species, beta = 1.7)$tree, same$tree)
  expect_identical(update(fit, beta = 2)$criterion, tec_criterion("beta", beta = 2))
  expect_identical(update(fit, min_bucket = 1)$criterion, fit$criterion)
  set.seed(1)
  chosen <- tec_tree(Species ~ ., iris, beta = c(1, 2))
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, beta = c(1, 2))
  expect_identical(chosen$tree, tuned$fit$tree)
  expect_snapshot(show_errors({
    tec_tree(Species ~ ., iris, beta = 1.7, q = 1)
    tec_tree(Species ~ ., iris, beta = 1.7, criterion = "gini")
    tec_tree(Species ~ ., iris, beta = 1, criterion = tec_criterion("beta", beta = 2))
    tec_tree(Species ~ ., iris, beta = "a")
    tec_tree(mpg ~ ., mtcars, beta = 2)
  }))
})

test_that("a tuning run warns of each criterion whose gains may be negative", {
  warnings <- capture_warnings(
    tec_tune(Species ~ ., iris,
      criterion = c("tsallis_mutual", "beta", "tsallis"), q = c(1, 0.5, 0.25), beta = c(1, 0.5),
      folds = 2
    )
  )
  expect_match(warnings, "Gains of", all = TRUE)
  expect_match(warnings[1], "tsallis_mutual.*q = 0.5")
  expect_match(warnings[2], "beta = 0.5")
  expect_length(warnings, 2)
  expect_length(capture_warnings(tec_tune(
    Species ~ ., iris, criterion = c("tsallis", "tsallis_ratio"), q = c(1, -1), folds = 2
  )), 1)
})

test_that("criteria whose gains may be negative warn once per call", {
  count <- function(expr) {
    warned <- 0
    withCallingHandlers(expr, tec_warning = function(w) {
      warned <<- warned + 1
      tryInvokeRestart("muffleWarning")
    })
    warned
  }
  expect_identical(count(tec_tree(Species ~ ., iris, beta = 0.5)), 1)
  expect_identical(count(tec_tree(Species ~ ., iris, q = 0.5, criterion = "tsallis_mutual")), 1)
  expect_identical(count(tec_tree(Species ~ ., iris, q = -1, criterion = "tsallis_mutual")), 1)
  expect_identical(count(tec_tree(Species ~ ., iris, q = 0.5)), 0)
  expect_identical(count(tec_tree(Species ~ ., iris, beta = 1)), 0)
  expect_snapshot({
    beta <- tec_tree(Species ~ ., iris, beta = 0.5)
    mutual <- tec_tree(Species ~ ., iris, q = 0.5, criterion = "tsallis_mutual")
  })
})
