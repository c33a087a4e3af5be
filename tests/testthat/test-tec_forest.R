# Out-of-bag errors of ours and a peer over seeds: the difference in its standard errors.
paired_t <- function(ours, theirs, seeds = 1:6) {
  off <- vapply(seeds, function(s) {
    set.seed(s)
    ours() - theirs(s)
  }, 0)
  mean(off) / max(stats::sd(off) / sqrt(length(seeds)), 1e-6)
}

test_that("out-of-bag errors are those of ranger", {
  skip_if_not_installed("ranger")
  skip_on_cran()
  skip_if_not(all_cases())
  # One in 1500 such differences is beyond 6 with six seeds; wrong rules are further off.
  set.seed(1)
  sets <- list(
    iris = transform(iris, y = Species, Species = NULL),
    cars = transform(mtcars, y = mpg, mpg = NULL),
    noise = forest_data(300), numbers = forest_data(300, classes = FALSE),
    # Few values: many nodes have nothing to split in the columns drawn.
    few = data.frame(
      y = factor(sample(c("a", "b"), 400, TRUE)), u = sample(2, 400, TRUE),
      v = sample(3, 400, TRUE),
      w = sample(4, 400, TRUE), x = sample(3, 400, TRUE), z = sample(5, 400, TRUE)
    )
  )
  flip <- stats::runif(400) < 0.6
  sets$few$y[flip] <- ifelse(sets$few$u + sets$few$v > 3, "a", "b")[flip]
  for (name in names(sets)) {
    d <- sets[[name]]
    t <- paired_t(
      function() small_forest(y ~ ., d, trees = 300, threads = 2, importance = "none")$oob$error,
      function(seed) {
        ranger::ranger(
          y ~ ., d, num.trees = 300, seed = 100 + seed, num.threads = 2,
          mtry = if (is.factor(d$y)) NULL else max(1, floor((ncol(d) - 1) / 3)),
          respect.unordered.factors = "partition"
        )$prediction.error
      }
    )
    expect_lt(abs(t), 6, label = name)
  }
})

test_that("out-of-bag probabilities are as good as ranger's", {
  skip_if_not_installed("ranger")
  skip_on_cran()
  skip_if_not(all_cases())
  set.seed(2)
  d <- forest_data(300)
  truth <- diag(3)[as.integer(d$y), ]
  t <- paired_t(
    function() small_forest(y ~ ., d, trees = 300, threads = 2, probability = TRUE)$oob$brier,
    function(seed) {
      fit <- ranger::ranger(
        y ~ ., d, num.trees = 300, seed = 100 + seed, num.threads = 2, probability = TRUE,
        respect.unordered.factors = "partition"
      )
      mean(rowSums((fit$predictions[, levels(d$y)] - truth)^2))
    }
  )
  expect_lt(abs(t), 6)
})

test_that("errors are those of randomForest", {
  skip_if_not_installed("randomForest")
  skip_on_cran()
  t <- paired_t(
    function() small_forest(Species ~ ., iris, trees = 300, threads = 2)$oob$error,
    function(seed) {
      fit <- randomForest::randomForest(Species ~ ., iris, ntree = 300)
      mean(fit$predicted != iris$Species)
    }
  )
  expect_lt(abs(t), 6)
})

test_that("rows without a value are learned from by default", {
  set.seed(3)
  d <- forest_data(80)
  for (name in c("a", "d", "f")) d[sample(80, 15), name] <- NA
  fit <- tec_forest(y ~ ., d, trees = 12, threads = 1)
  expect_identical(fit$control$missing, "learned")
  new <- forest_data(60)
  for (name in names(new)[-1]) new[sample(60, 20), name] <- NA
  prob <- Reduce(`+`, lapply(1:12, function(t) predict(fit[[t]], new, type = "prob"))) / 12
  expect_equal(predict(fit, new, type = "prob"), prob)
  one <- tec_forest(
    y ~ ., d, trees = 1, mtry = "all", replace = FALSE, sample_fraction = 1, threads = 1
  )
  tree <- full_tree(y ~ ., d, criterion = "gini", missing = "learned", min_bucket = 1,
    min_split = 2)
  expect_identical(predict(one, new, type = "prob"), predict(tree, new, type = "prob"))
})

test_that("extra trees draw one cut per column", {
  set.seed(4)
  d <- forest_data(80, classes = FALSE)
  fit <- small_forest(y ~ a + b, d, splitter = "random", replace = FALSE, sample_fraction = 1)
  cuts <- vapply(1:12, function(t) fit[[t]]$tree$breaks[1], 0)
  expect_identical(length(unique(cuts)), 12L)
  expect_true(all(is.na(predict(fit))))
  expect_output(print(fit), "No out-of-bag error")
})

test_that("a call without a formula or a response helps", {
  expect_snapshot(show_errors({
    tec_forest(iris)
    tec_forest(x = iris[1:4])
    tec_forest(~ Species, iris)
    tec_forest(Species ~ nothing, iris)
    tec_forest(Species ~ ., iris[0, ])
  }))
})
