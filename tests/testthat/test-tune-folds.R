test_that("folds are equal in size, and every class is spread evenly", {
  set.seed(1)
  for (i in 1:30) {
    n <- sample(20:90, 1)
    k <- sample(2:10, 1)
    class <- sample(4, n, TRUE, prob = c(10, 5, 2, 1))
    group <- draw_folds(k, n, class)
    expect_lte(diff(range(tabulate(group, k))), 1)
    counts <- table(factor(group, 1:k), class)
    expect_true(all(apply(counts, 2, function(x) diff(range(x))) <= 1))
    expect_lte(diff(range(tabulate(draw_folds(k, n), k))), 1)
  }
})

test_that("the same seed draws the same folds, another one others", {
  run <- function(seed) {
    set.seed(seed)
    full_tune(Species ~ ., iris, q = 1:2, folds = 5, repeats = 2)
  }
  expect_identical(run(1)$values, run(1)$values)
  expect_false(identical(run(1)$values, run(2)$values))
  expect_equal(run(1)$folds[["repeat"]], rep(1:2, each = 5))
  expect_false(identical(run(1)$values[, , 1:5], run(1)$values[, , 6:10]))
})

test_that("folds given as any kind of vector are the same folds", {
  fold <- withr::with_seed(2, sample(rep(1:5, 30)))
  by <- function(folds, ...) full_tune(Species ~ ., iris, q = 1:2, folds = folds, ...)$values
  expect_identical(by(fold), by(fold + 10))
  expect_identical(by(fold), by(letters[fold]))
  expect_identical(by(fold), by(factor(fold)))
  set.seed(1)
  before <- .Random.seed
  by(fold)
  expect_identical(.Random.seed, before)
  part <- which(fold != 3)
  expect_identical(by(fold, subset = part), by(fold[part], subset = part))
})

test_that("leaving one out", {
  tuned <- full_tune(Species ~ ., iris[seq(1, 150, 5), ], q = 1, folds = 30, stratified = FALSE)
  expect_equal(tuned$folds$n_test, rep(1, 30))
  expect_true(all(tuned$values[, "accuracy", ] %in% 0:1))
})

test_that("resamples of rsample are taken as they are", {
  skip_if_not_installed("rsample")
  set.seed(1)
  cv <- rsample::vfold_cv(iris, v = 4, repeats = 2, strata = Species)
  tuned <- full_tune(Species ~ ., iris, q = c(1, 3), folds = cv)
  first <- cv[cv$id == "Repeat1", ]
  fold <- integer(150)
  for (k in 1:4) fold[rsample::complement(first$splits[[k]])] <- k
  by_vector <- full_tune(Species ~ ., iris, q = c(1, 3), folds = fold)
  expect_equal(tuned$values[, , 1:4], by_vector$values)
  expect_equal(tuned$folds[["repeat"]], rep(1:2, each = 4))
  expect_equal(tuned$table$accuracy_se, apply(tuned$values[, "accuracy", ], 1, sd) / 2)
  part <- full_tune(Species ~ ., iris, q = c(1, 3), folds = cv, subset = 1:120)
  expect_equal(sum(part$folds$n_test), 240)
})

test_that("a row that a bootstrap sample has twice counts as two", {
  skip_if_not_installed("rsample")
  set.seed(3)
  boot <- rsample::bootstraps(iris, times = 3)
  tuned <- full_tune(Species ~ ., iris, q = c(1, 3), folds = boot, metric = c("accuracy", "brier"))
  for (k in 1:3) {
    train <- rsample::analysis(boot$splits[[k]])
    test <- rsample::assessment(boot$splits[[k]])
    for (i in 1:2) {
      fit <- full_tree(Species ~ ., train, q = c(1, 3)[i])
      expect_equal(tuned$values[[i, "accuracy", k]], mean(predict(fit, test) == test$Species))
      expect_equal(tuned$values[[i, "nodes", k]], length(fit$tree$parent), ignore_attr = TRUE)
      expect_equal(tuned$values[[i, "brier", k]], naive_metric("brier", fit, test))
    }
  }
})

test_that("small classes give a message, lost classes a warning", {
  d <- data.frame(y = rep(c("a", "b"), c(57, 3)), x = 1:60)
  set.seed(1)
  expect_message(
    full_tune(y ~ x, d, q = 1), "has 3 rows and there are 10 folds",
    class = "tec_message_folds"
  )
  expect_no_message(full_tune(y ~ x, d, q = 1, folds = 3))
  fold <- rep(1:3, each = 20)
  expect_warning(
    full_tune(y ~ x, d, q = 1, folds = fold), "lack a class",
    class = "tec_warning_folds"
  )
})

test_that("a metric that is undefined on some folds is a warning, on all folds an error", {
  d <- data.frame(y = rep(c("a", "b"), each = 30), x = 1:60, half = rep(c(1, 2, 3), c(30, 15, 15)))
  expect_warning(
    tuned <- suppressWarnings(
      full_tune(y ~ x, d, q = 1, folds = c(rep(1:2, 15), rep(1:3, 10)), metric = "auc"),
      classes = "tec_warning_folds"
    ),
    "not defined on 1 of 3 folds",
    class = "tec_warning_metric"
  )
  expect_false(anyNA(tuned$table$auc))
  expect_error(
    suppressWarnings(full_tune(y ~ x, d, q = 1, folds = d$half, metric = "auc")),
    class = "tec_error_metric"
  )
})

test_that("a number of folds beyond all integers is refused", {
  for (folds in c(2^31, 1e300, Inf)) {
    expect_error(tec_tune(Species ~ ., iris, folds = folds), class = "tec_error_folds")
    expect_error(tec_tune(Species ~ ., iris, repeats = folds), class = "tec_error_folds")
    expect_error(compare_methods(Species ~ ., iris, folds = folds), class = "tec_error_folds")
  }
})

test_that("resamples of rsample count the rows of frequency weights", {
  skip_if_not_installed("rsample")
  set.seed(4)
  cv <- rsample::vfold_cv(iris, v = 3)
  fold <- integer(150)
  for (k in 1:3) fold[rsample::complement(cv$splits[[k]])] <- k
  w <- rep(1:3, 50)
  again <- rep(1:150, w)
  tuned <- full_tune(
    Species ~ ., iris, q = c(1, 3), folds = cv, weights = w, weights_as = "frequency"
  )
  by_vector <- full_tune(Species ~ ., iris[again, ], q = c(1, 3), folds = fold[again])
  expect_equal(tuned$values, by_vector$values)
})
