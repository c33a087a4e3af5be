test_that("both interfaces grow the same model", {
  set.seed(1)
  a <- tec_boost(Species ~ ., iris, rounds = 3, folds = 0)
  b <- tec_boost(iris[1:4], iris$Species, rounds = 3, folds = 0)
  expect_identical(a$trees, b$trees)
  set.seed(1)
  named <- tec_boost(formula = Species ~ ., data = iris, rounds = 3, folds = 0)
  expect_identical(without_call(named), without_call(a))
  expect_lt(as.numeric(object.size(a)), 1e5)
})

test_that("arguments of other packages are understood", {
  ours <- tec_boost(mpg ~ ., mtcars,
    rounds = 5, folds = 0, rate = 0.3, max_depth = 2, lambda = 2, min_weight = 3, min_bucket = 2,
    threads = 1
  )
  theirs <- tec_boost(mpg ~ ., mtcars,
    nrounds = 5, folds = 0, eta = 0.3, interaction.depth = 2, reg_lambda = 2, min_child_weight = 3,
    min_data_in_leaf = 2, nthread = 1, verbose = 0
  )
  expect_identical(theirs$trees, ours$trees)
  gbm <- tec_boost(mpg ~ ., mtcars,
    n.trees = 5, folds = 0, shrinkage = 0.3, tree_depth = 2, n.minobsinnode = 2,
    distribution = "gaussian",
    lambda = 2, min_sum_hessian_in_leaf = 3, n.cores = 1
  )
  expect_identical(gbm$trees, ours$trees)
  seeded <- function() tec_boost(mpg ~ ., mtcars, rounds = 5, folds = 0, subsample = 0.5, seed = 1)
  expect_identical(seeded()$trees, seeded()$trees)
  draws <- tec_boost(mpg ~ ., mtcars,
    rounds = 5, folds = 0, bag.fraction = 0.5, colsample_bytree = 0.5
  )
  expect_identical(draws$settings[c("draws", "drawn_columns")], list(draws = 16, drawn_columns = 5))
  expect_error(tec_boost(mpg ~ ., mtcars, distribution = "poisson"), class = "tec_error_argument")
  expect_error(tec_boost(mpg ~ ., mtcars, eta = 0.1, rate = 0.1), class = "tec_error")
})

test_that("settings bound the trees", {
  set.seed(1)
  d <- boost_data(300)
  leaves <- function(...) {
    fit <- tec_boost(number ~ a + b + f + o, d, rounds = 5, folds = 0, ...)
    diff(c(0, cumsum(fit$trees$variable == 0)[fit$trees$start[-1]]))
  }
  expect_true(all(leaves(max_depth = 2) <= 4))
  expect_true(all(leaves(max_depth = 6, max_leaves = 5) == 5))
  expect_true(all(leaves(min_gain = 1e9) == 1))
  expect_true(all(leaves(min_bucket = 140) <= 2))
  expect_true(all(leaves(min_weight = 151) == 1))
  fit <- tec_boost(number ~ a + b, d, rounds = 5, folds = 0, min_bucket = 30, max_depth = 6)
  expect_true(all(fit$trees$right[fit$trees$variable == 0] >= 30))
})

test_that("models are printed", {
  set.seed(1)
  expect_snapshot_output({
    print(tec_boost(mpg ~ wt + hp, mtcars, rounds = 5, folds = 0))
    print(tec_boost(Species ~ ., iris, rounds = 5, validation = 0.2))
    print(tec_boost(Species ~ ., iris, method = "adaboost", rounds = 5))
    print(tec_boost(mpg ~ wt + hp, mtcars, rounds = 4, folds = 0, cyclic = TRUE), width = 50)
  })
})

test_that("bad input gives errors that name a solution", {
  one <- data.frame(y = factor(rep("a", 20)), x = 1:20)
  many <- data.frame(y = 1:131072, f = factor(rep(1:65536, 2)))
  expect_snapshot_output(show_errors({
    tec_boost(mpg ~ ., mtcars, rounds = 0)
    tec_boost(mpg ~ ., mtcars, rounds = "many")
    tec_boost(mpg ~ ., mtcars, rate = 0)
    tec_boost(mpg ~ ., mtcars, rate = 2)
    tec_boost(mpg ~ ., mtcars, max_depth = 0)
    tec_boost(mpg ~ ., mtcars, lambda = -1)
    tec_boost(mpg ~ ., mtcars, min_weight = Inf)
    tec_boost(mpg ~ ., mtcars, method = "gradients")
    tec_boost(y ~ x, one)
    tec_boost(y ~ x, one, method = "adaboost")
    tec_boost(y ~ f, many)
    tec_boost(mpg ~ ., mtcars, method = "adaboost")
    tec_boost(Species ~ ., iris, method = "adaboost", folds = 3)
    tec_boost(mpg ~ ., mtcars, q = 1)
    tec_boost(mpg ~ ., mtcars, missing = "majority")
    tec_boost(mpg ~ ., mtcars, nominal = "multiway")
    tec_boost(mpg ~ ., mtcars, cp = 0.1)
    tec_boost(mpg ~ ., mtcars, validation = 2)
    tec_boost(mpg ~ ., mtcars, validation = 0.001)
    tec_boost(mpg ~ ., mtcars, validation = mtcars["wt"])
    tec_boost(mpg ~ ., mtcars, validation = 0.3, folds = 3)
    tec_boost(mpg ~ ., mtcars, folds = 33)
    tec_boost(mpg ~ ., mtcars, sample_fraction = 0)
    tec_boost(mpg ~ ., mtcars, column_fraction = 12)
    tec_boost(mpg ~ ., mtcars, monotone = c(w = 1))
    tec_boost(mpg ~ ., mtcars, monotone = c(wt = 2))
    tec_boost(Species ~ ., iris, monotone = c(Sepal.Width = 1))
    tec_boost(Sepal.Width ~ ., iris, monotone = c(Species = 1))
    tec_boost(mpg ~ ., mtcars, offset = 1:3)
    tec_boost(mpg ~ ., mtcars, pairs = 2)
    tec_boost(I(mpg * 1e200) ~ wt, mtcars)
    tec_boost(mpg ~ ., mtcars[0, ])
    tec_boost(mpg ~ ., mtcars, objective = "rank:pairwise")
    tec_boost(mpg ~ ., mtcars, round = 3, booster = "dart")
  }))
})

test_that("beta is AdaBoost's criterion, or an error", {
  beta <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 3, beta = 3, max_depth = 2)
  expect_identical(beta$criterion, tec_criterion("beta", beta = 3))
  for (beta in list(list(), c(1, 2), "a", NA, numeric())) {
    expect_error(
      tec_boost(Species ~ ., iris, method = "adaboost", beta = beta), class = "tec_error"
    )
    expect_error(tec_rotation(Species ~ ., iris, beta = beta), class = "tec_error")
  }
})

test_that("weights that are too large for gradients are refused", {
  for (weight in c(1e150, 1e-150)) {
    expect_error(
      tec_boost(Species ~ ., iris, rounds = 2, folds = 0, weights = rep(c(1, weight), 75)),
      class = "tec_error_weights"
    )
    ada <- tec_boost(
      Species ~ ., iris, rounds = 2, weights = rep(c(1, weight), 75), method = "adaboost"
    )
    expect_false(anyNA(predict(ada, iris)))
  }
})

test_that("unused levels lead nowhere", {
  d <- data.frame(
    f = factor(rep(c("a", "c"), 50), c("a", "b", "c", "d")),
    o = factor(rep(1:4, 25), 0:5, ordered = TRUE), y = rep(c(1, 3), 50) + (1:100) / 1000
  )
  fit <- tec_boost(y ~ f + o, d, rounds = 3, folds = 0, min_bucket = 1)
  plain <- tec_boost(y ~ f + o, droplevels(d), rounds = 3, folds = 0, min_bucket = 1)
  expect_identical(predict(fit, d), predict(plain, droplevels(d)))
})

test_that("where nothing is drawn, random numbers stay as they are", {
  set.seed(1)
  before <- .Random.seed
  fit <- tec_boost(Species ~ ., iris, rounds = 2, folds = 0)
  expect_identical(.Random.seed, before)
  more <- tec_more(fit, 2)
  expect_identical(.Random.seed, before)
  expect_identical(predict(more, iris), predict(tec_boost(Species ~ ., iris,
    rounds = 4, folds = 0
  ), iris))
  tec_boost(Species ~ ., iris, rounds = 2, folds = 0, sample_fraction = 0.5)
  expect_false(identical(.Random.seed, before))
})

test_that("a word that contradicts the response is an error with a solution", {
  expect_snapshot(show_errors({
    tec_boost(mpg ~ ., mtcars, early_stopping_rounds = 10, folds = 0)
    tec_boost(mpg ~ ., mtcars, patience = 10, validation = 0)
    tec_boost(vs ~ ., mtcars, objective = "binary:logistic")
    tec_boost(vs ~ ., mtcars, distribution = "bernoulli")
    tec_boost(Species ~ ., iris, objective = "reg:squarederror")
    tec_boost(mpg ~ ., mtcars, objective = "count:poisson")
    tec_boost(Species ~ ., iris, method = "adaboost", patience = 5)
  }))
  fit <- tec_boost(factor(vs) ~ ., mtcars,
    objective = "binary:logistic", rounds = 2, threads = 1, early_stopping_rounds = 2,
    validation = 0.3
  )
  expect_identical(fit$loss, "logistic")
  expect_identical(fit$settings$patience, 2L)
  numbers <- tec_boost(mpg ~ ., mtcars,
    distribution = "gaussian", rounds = 2, folds = 0, threads = 1
  )
  expect_identical(numbers$loss, "squared")
})

test_that("num_leaves of lightgbm removes the limit of the depth, unless a depth is given", {
  data <- data.frame(x = 1:200, y = (37 * 1:200) %% 101)
  grow <- function(...) tec_boost(y ~ x, data, rounds = 3, folds = 0, min_bucket = 1, ...)
  leafwise <- grow(num_leaves = 20)
  same <- grow(max_leaves = 20, max_depth = Inf)
  expect_identical(leafwise$trees, same$trees)
  expect_identical(sum(leafwise$trees$variable == 0L), 60L)
  expect_identical(grow(max_leaves = 20, max_depth = -1)$trees, same$trees)
  shallow <- grow(num_leaves = 20, max_depth = 2)
  expect_identical(shallow$trees, grow(max_depth = 2)$trees)
  tuned <- tec_tune(
    y ~ x, data, model = "boost", num_leaves = c(2, 20), rounds = 3, tune = character(), folds = 2
  )
  expect_identical(tuned$fit$settings$max_depth, Inf)
})

test_that("the print of a cyclic model shows the depth of its trees and the pairs", {
  set.seed(1)
  size <- function(...) {
    paste(format(tec_boost(mpg ~ wt + hp, mtcars,
      rounds = 3, folds = 0, cyclic = TRUE, ...
    )), collapse = " ")
  }
  expect_match(size(), "depth 1, 1 pair of depth 2 Loss")
  expect_match(size(pairs = 0), "depth 1 Loss")
  noise <- data.frame(y = stats::rnorm(60), a = stats::rnorm(60), b = stats::rnorm(60))
  fit <- tec_boost(y ~ ., noise, cyclic = TRUE, validation = 0.3)
  expect_length(fit$settings$chosen, 0L)
  expect_match(paste(format(fit), collapse = " "), "no pair lowered the loss")
})

test_that("a task in place of a method is an error of the argument", {
  expect_error(
    tec_boost(mpg ~ wt, mtcars,
      method = "class", rounds = 2, folds = 0
    ), class = "tec_error_argument"
  )
})

test_that("gbm's and xgboost's names of folds are accepted", {
  set.seed(1)
  fit <- tec_boost(mpg ~ wt, mtcars, folds = 3)
  for (name in c("cv.folds", "nfold")) {
    set.seed(1)
    more <- stats::setNames(list(3), name)
    same <- do.call(tec_boost, c(list(mpg ~ wt, quote(mtcars)), more))
    expect_identical(same$trees, fit$trees)
  }
})
