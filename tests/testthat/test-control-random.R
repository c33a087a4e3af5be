perfect_copies <- function() {
  x <- c(1:20, 41:60)
  data.frame(a = x, b = x, c = x, noise = rep(c(1, 2), c(12, 28)), y = factor(x > 30))
}
root_of <- function(fit) fit$columns$name[fit$tree$variable[1L]]
draws <- function(n, ...) {
  vapply(seq_len(n), function(i) root_of(tec_tree(y ~ ., perfect_copies(), ...)), "")
}

test_that("one of the tied predictors wins at random, the first by default", {
  set.seed(1)
  expect_identical(unique(draws(5)), "a")
  expect_setequal(unique(draws(40, ties = "random")), c("a", "b", "c"))
})

test_that("a node searches the requested number of columns", {
  set.seed(2)
  expect_true("noise" %in% draws(40, max_features = 1))
  expect_false("noise" %in% draws(40, max_features = 2))
  expect_identical(unique(draws(5, max_features = 4)), "a")
  expect_identical(count_features(NULL, 10), 0)
  expect_identical(count_features("sqrt", 10), 3)
  expect_identical(count_features("log2", 8), 3)
  expect_identical(count_features(0.5, 9), 4)
  expect_identical(count_features(0.3, 10), 3)
  expect_identical(count_features(0.01, 9), 1)
  expect_identical(count_features(99, 9), 9)
})

test_that("a random cut is drawn between the values", {
  set.seed(3)
  d <- data.frame(x = seq(0, 1, length.out = 201))
  d$y <- d$x^2
  cuts <- vapply(1:60, function(i) {
    tec_tree(y ~ x, d, splitter = "random", max_depth = 1)$tree$breaks[1L]
  }, 0)
  expect_true(min(cuts) > 0 && min(cuts) < 0.2 && max(cuts) > 0.8 && max(cuts) < 1)
  expect_gt(length(unique(cuts)), 40L)
})

test_that("set.seed() decides what is drawn, and only random searches draw", {
  grow <- function(...) tec_tree(Species ~ ., iris, ...)$tree
  for (random in list(list(ties = "random"), list(max_features = 2), list(splitter = "random"))) {
    set.seed(4)
    first <- do.call(grow, random)
    set.seed(4)
    expect_identical(do.call(grow, random), first)
    set.seed(4)
    expect_identical(do.call(grow, c(random, threads = 2)), first)
  }
  set.seed(5)
  before <- .Random.seed
  grow()
  expect_identical(.Random.seed, before)
})

test_that("random searches tune, prune and cross-validate", {
  set.seed(6)
  fit <- tec_tree(Species ~ ., iris, max_features = "sqrt", prune = "ccp", alpha = "1se")
  expect_s3_class(fit, "tec_tree")
  expect_identical(fit$control$max_features, "sqrt")
  tuned <- tec_tune(Species ~ ., iris, q = c(1, 2), folds = 3, max_features = 2)
  expect_identical(tuned$fit$control$max_features, 2)
})

test_that("unknown values are errors", {
  expect_snapshot(error = TRUE, {
    tec_control(max_features = 1.5)
    tec_control(max_features = "auto")
    tec_control(ties = "last")
    tec_control(splitter = "worst")
    tec_tree(Species ~ ., iris, splitter = "random", preset = "c45")
    tec_tree(Species ~ ., iris, splitter = "random", intervals = 3)
  })
})

test_that("ranger's argument name is understood", {
  set.seed(7)
  one <- tec_tree(Species ~ ., iris, mtry = 2)
  set.seed(7)
  expect_identical(one$tree, tec_tree(Species ~ ., iris, max_features = 2)$tree)
})
