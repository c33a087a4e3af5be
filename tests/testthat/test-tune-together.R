# Compares trees grown together with the same trees grown one by one.

one_by_one <- function(code) {
  local_binding("run_groups", function(...) list())
  force(code)
}

expect_same_tuning <- function(together, apart) {
  sizes <- c("nodes", "leaves", "depth")
  expect_identical(together$values[, sizes, ], apart$values[, sizes, ])
  expect_equal(together$values, apart$values, tolerance = 1e-12)
  expect_identical(together$best, apart$best)
  expect_identical(together$fit$tree, apart$fit$tree)
}

all_metrics <- c("accuracy", "balanced_accuracy", "log_loss", "brier", "auc")
some_q <- c(0.3, 1, 1.1, 2, 3.5)

# Whether a call grew any trees together.
grown_together <- function(code) count_calls("tec_run_folds_", code) > 0

expect_run_agrees <- function(formula, data, ..., seed = 1) {
  run <- function() {
    set.seed(seed)
    full_tune(formula, data, q = some_q, metric = all_metrics, folds = 4, ...)
  }
  expect_true(grown_together(together <- run()))
  expect_same_tuning(together, one_by_one(run()))
}

test_that("trees grown together predict as trees grown one by one", {
  expect_run_agrees(Species ~ ., iris)
  expect_run_agrees(Species ~ ., iris, repeats = 2, min_bucket = c(1, 5), max_depth = c(2, Inf))
  expect_run_agrees(Species ~ ., iris, weights = rep(c(1, 2.5, 0), 50))
  expect_run_agrees(Species ~ ., iris, smooth = 2)
  expect_run_agrees(Species ~ ., iris, smooth = 0.7, weights = rep(c(1, 2.5, 0), 50))
})

test_that("levels a node has not seen go where they go in a tree of its own", {
  data <- mixed_data(300)
  data$x <- NULL
  data$colour <- factor(sample(letters, 300, TRUE))
  for (nominal in c("binary", "multiway", "ordered")) {
    expect_run_agrees(y ~ z + colour + size, data, nominal = nominal, min_bucket = 2)
    expect_run_agrees(y ~ z + colour + size, data, nominal = nominal, min_bucket = 2, smooth = 2)
  }
})

test_that("missing values are taken as in a tree of its own", {
  data <- mixed_data(300)
  data$colour[sample(300, 30)] <- NA
  for (missing in c("majority", "drop", "mode", "learned")) {
    expect_run_agrees(y ~ x + z + colour + size, data, missing = missing, min_bucket = 2)
  }
})

test_that("other criteria and many rows are grown together too", {
  data <- withr::with_seed(1, {
    y <- factor(sample(3, 6000, TRUE))
    data.frame(
      y = y, a = rnorm(6000) + as.integer(y) / 3, b = round(rnorm(6000), 1), c = runif(6000)
    )
  })
  expect_run_agrees(y ~ ., data, min_bucket = 20)
  run <- function() {
    set.seed(3)
    full_tune(y ~ ., data,
      criterion = c("gini", "gain_ratio", "cair", "effcami0", "tsallis_ratio"), folds = 3,
      metric = all_metrics, max_depth = 6
    )
  }
  expect_same_tuning(run(), one_by_one(run()))
})

test_that("settings that cannot be grown together are grown one by one", {
  grows <- function(...) grown_together(full_tune(..., folds = 3))
  set.seed(1)
  expect_false(grows(number ~ z + size, mixed_data(), min_bucket = c(3, 9)))
  expect_false(grows(y ~ x + z, mixed_data(), q = 1:2))
  expect_false(grows(Species ~ ., iris, q = 1:2, prune = "pep"))
  expect_false(grows(Species ~ ., iris, q = 1:2, max_leaves = 4))
  expect_false(grows(Species ~ ., iris, q = 1:2, missing = "surrogate"))
  expect_false(grows(Species ~ ., iris, q = 1:2, alpha = c(0, 0.1)))
})

test_that("some settings may be grown together and others one by one", {
  run <- function() {
    set.seed(2)
    full_tune(Species ~ ., iris, q = c(0.5, 2), max_leaves = c(3, Inf), folds = 4)
  }
  expect_true(grown_together(run()))
  expect_same_tuning(run(), one_by_one(run()))
})

test_that("a q too far below 0 is an error wherever it stands in the grid", {
  set.seed(1)
  d <- data.frame(y = factor(sample(2, 400, TRUE)), x = stats::rnorm(400))
  run <- function(q) {
    suppressWarnings(full_tune(y ~ x, d, q = q, folds = 2), classes = "tec_warning_q")
  }
  expect_error(run(c(1, -500)), "too far below 0", class = "tec_error_criterion")
  expect_error(run(c(-500, 1)), "too far below 0", class = "tec_error_criterion")
  # The order of the grid is kept.
  expect_identical(run(c(2, -1, 1))$table$q, c(2, -1, 1))
})
