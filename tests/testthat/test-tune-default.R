test_that("for a numeric response the sizes of the tree are tuned", {
  set.seed(1)
  expect_snapshot({
    tuned <- tec_tune(mpg ~ ., mtcars, folds = 5)
    print(tuned, n = 3)
    tuned$fit$call
  })
  expect_equal(tuned$several, c("cp", "max_depth", "min_split", "min_bucket"))
  expect_equal(tuned$metric, "rmse")
  chosen <- as.list(tuned$table[tuned$chosen, tuned$several])
  expect_true(same_tree_but_call(eval(tuned$fit$call), tuned$fit))
  # The best of all settings, each measured as tec_tree() would.
  expect_equal(tuned$table$rmse[tuned$chosen], min(tuned$table$rmse))
  # A tree for each min_bucket and fold, and the one that the grid is read from.
  expect_equal(count_grown(tec_tune(mpg ~ ., mtcars, folds = 5)), 2 * 5)
})

test_that("penalties are geometric means of those at which the largest tree changes", {
  set.seed(1)
  tuned <- tec_tune(mpg ~ ., mtcars, folds = 2)
  full <- tec_tree(mpg ~ ., mtcars, cp = 0, prune = "ccp", folds = 0, min_bucket = 2, min_split = 4)
  cp <- cp_table(full)$cp
  means <- sqrt(cp[-1] * cp[-length(cp)])
  used <- unique(tuned$table$cp)
  expect_equal(used[length(used)], 0)
  expect_true(all(used %in% c(signif(means, 3), 0)))
  expect_lte(length(used), 10)
  expect_equal(sort(used, decreasing = TRUE), used)
  expect_true(all(is.infinite(tuned$table$max_depth) | tuned$table$max_depth < tree_depth(full)))
  expect_true(all(tuned$table$min_split >= 2 * tuned$table$min_bucket))
  # Each penalty of the grid is one of a tree of its own.
  leaves <- vapply(used, function(p) n_leaves(tec_prune(full, cp = p)), 0)
  expect_equal(anyDuplicated(leaves), 0)
  expect_equal(default_penalties(c(0.5)), 0)
  expect_equal(default_penalties(c(0.5, 0)), 0)
  expect_lte(length(default_penalties(exp(-(1:500) / 10))), 10)
})

test_that("settings that are given are not tuned", {
  several <- function(...) tec_tune(mpg ~ ., mtcars, folds = 2, ...)$several
  set.seed(1)
  expect_equal(several(min_bucket = 3), c("cp", "max_depth", "min_split"))
  expect_equal(several(minbucket = 3, max_depth = 4), c("cp", "min_split"))
  expect_equal(several(control = tec_control(min_split = 8)), c("cp", "max_depth", "min_bucket"))
  expect_equal(several(alpha = 1), c("max_depth", "min_split", "min_bucket"))
  expect_equal(several(prune = "none"), c("max_depth", "min_split", "min_bucket"))
  expect_equal(several(max_leaves = 6), "min_bucket")
  expect_equal(several(preset = "cart"), c("cp", "max_depth", "min_split", "min_bucket"))
  # A grid of something else leaves the pruning open.
  expect_equal(several(max_depth = 1:2), c("max_depth", "cp"))
  expect_equal(several(criterion = "l1"), "cp")
  expect_equal(several(max_depth = 1:2, prune = "none"), "max_depth")
  expect_length(several(criterion = "l1", prune = "none"), 0)
  expect_length(several(tune = character()), 0)
})

test_that("penalties are those of the largest tree of a grid", {
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, max_depth = 1:4, folds = 3)
  expect_equal(tuned$several, c("max_depth", "cp"))
  alone <- tec_tune(Species ~ ., iris, max_depth = 4, tune = "cp", folds = 3)
  expect_equal(unique(tuned$table$cp), alone$table$cp)
  expect_gt(nrow(alone$table), 2)
})

test_that("tune requests default grids, and the pruning is tuned with them", {
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, tune = c("cp", "min_bucket"), folds = 3)
  expect_equal(tuned$several, c("cp", "min_bucket"))
  expect_equal(unique(tuned$table$q), 1)
  expect_equal(unique(tuned$table$min_bucket), c(2, 5, 10, 20))
  tuned <- tec_tune(Species ~ ., iris, tune = c("q", "max_depth"), folds = 3, widen = FALSE)
  expect_equal(unique(tuned$table$q), usual_q_grid)
  expect_equal(tuned$several, c("cp", "max_depth"))
  tuned <- tec_tune(Species ~ ., iris, tune = "min_split", q = c(1, 2), folds = 3, prune = "none")
  expect_equal(nrow(tuned$table), 6)
  tuned <- tec_tune(
    Species ~ ., iris,
    tune = "q", criterion = "tsallis_ratio", folds = 3, prune = "none"
  )
  expect_equal(nrow(tuned$table) - length(tuned$widened), 20)
  tuned <- tec_tune(mpg ~ ., mtcars, tune = "cp", max_depth = c(2, 4), folds = 3)
  expect_equal(tuned$several, c("max_depth", "cp"))
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris, tune = "mtry")
    tec_tune(mpg ~ ., mtcars, tune = "q")
    tec_tune(mpg ~ ., mtcars, tune = 1)
    tec_tune(mpg ~ ., mtcars, tune = "cp", cp = 0.1)
    tec_tune(mpg ~ ., mtcars, tune = "cp", prune = "rep")
    tec_tune(Species ~ ., iris, tune = "q", q = 1:2)
  }))
})

test_that("case weights, subsets, few rows and constant responses have grids", {
  set.seed(1)
  w <- rep(c(1, 3), 16)
  tuned <- tec_tune(mpg ~ ., mtcars, weights = w, folds = 3)
  expect_equal(unique(tuned$table$min_bucket), c(2, 5))
  tuned <- tec_tune(mpg ~ ., mtcars, weights = w, weights_as = "frequency", folds = 3)
  expect_equal(unique(tuned$table$min_bucket), c(2, 5, 10))
  tuned <- tec_tune(mpg ~ wt, mtcars, subset = 1:12, folds = 3)
  # One value is not a column of the table, but is given in the call.
  expect_null(tuned$table$min_bucket)
  expect_equal(tuned$fit$call$min_bucket, 2)
  expect_true(same_tree_but_call(eval(tuned$fit$call), tuned$fit))
  d <- data.frame(y = 1, x = 1:20)
  tuned <- tec_tune(y ~ x, d, folds = 2)
  expect_equal(n_nodes(tuned), 1)
  tuned <- tec_tune(x = mtcars[-1], y = mtcars$mpg, folds = 2)
  expect_gt(nrow(tuned$table), 20)
})

test_that("priors and weights of classes reach every fold", {
  fold <- rep(1:3, 50)
  prior <- c(setosa = 0.9, versicolor = 0.05, virginica = 0.05)
  set.seed(1)
  group <- NULL
  local_binding("make_folds", function(folds, repeats, stratified, used, ...) {
    group <<- fold
    given_folds(fold, used, 1L)
  })
  fit <- full_tree(Species ~ Sepal.Width, iris, q = c(0.5, 2), prior = prior)
  by_hand <- vapply(c(0.5, 2), function(q) {
    mean(vapply(1:3, function(k) {
      part <- full_tree(
        Species ~ Sepal.Width, iris, q = q, prior = prior, subset = which(fold != k)
      )
      mean(predict(part, iris[fold == k, ]) == iris$Species[fold == k])
    }, 0))
  }, 0)
  expect_equal(fit$tuning$table$accuracy, by_hand)
})

test_that("metrics have their names in the rule of a choice", {
  expect_identical(metric_label("balanced_accuracy"), "balanced accuracy")
  expect_identical(metric_label("brier"), "Brier score")
  expect_identical(metric_label("accuracy"), "accuracy")
})
