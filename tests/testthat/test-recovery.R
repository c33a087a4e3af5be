# Data from a known function: models find it, come nearer to it with more rows, and do not depend on
# noise of the size of rounding errors or on seeds.

# Every model, small enough for many fits. `seed` is for those that draw.
known_models <- function(formula, data, seed = 1) {
  drawn <- function(code) withr::with_seed(seed, code)
  list(
    tree = tec_tree(formula, data), forest = drawn(tec_forest(formula, data, trees = 60)),
    boost = tec_boost(formula, data, rounds = 60, folds = 0), mars = tec_mars(formula, data),
    rotation = drawn(tec_rotation(formula, data, trees = 30))
  )
}

#' @srrstats {G5.6, G5.6a, G5.6b} Cuts and means of a step function are found within a tolerance,
#'   for several seeds.
#' @srrstats {G5.5} Data and models are drawn with fixed seeds.
test_that("a tree finds the cuts and the means of a step function", {
  for (seed in 1:5) {
    d <- withr::with_seed(seed, {
      x <- runif(600)
      data.frame(x, z = runif(600), y = c(1, 4, 2)[1 + (x > 0.3) + (x > 0.7)] + rnorm(600) / 10)
    })
    fit <- tec_tree(y ~ x + z, d, alpha = "1se", folds = rep(1:10, 60))
    expect_identical(n_leaves(fit), 3L, info = seed)
    cuts <- sort(fit$tree$breaks[is.finite(fit$tree$breaks)])
    expect_lt(max(abs(cuts - c(0.3, 0.7))), 0.02)
    means <- predict(fit, data.frame(x = c(0.1, 0.5, 0.9), z = 0.5))
    expect_lt(max(abs(means - c(1, 4, 2))), 0.05)
  }
})

#' @srrstats {G5.6, G5.6a, G5.6b, RE7.3} Coefficients and knots of splines are recovered.
test_that("splines find the knot and the slopes of a broken line", {
  for (seed in 1:5) {
    d <- withr::with_seed(seed, {
      x <- runif(400)
      data.frame(x, z = runif(400), y = 1 + 5 * pmax(0, x - 0.4) - 2 * pmax(0, 0.4 - x) +
        rnorm(400) / 20)
    })
    fit <- tec_mars(y ~ x + z, d, max_terms = 3)
    column <- match("x", fit$columns$name)
    hinges <- fit$selected[abs(fit$side[fit$selected, column]) == 1L]
    expect_gt(length(hinges), 0)
    expect_lt(max(abs(fit$cut[hinges, column] - 0.4)), 0.03)
    slope <- diff(predict(fit, data.frame(x = c(0, 0.3, 0.5, 1), z = 0.5)))[c(1, 3)]
    expect_lt(max(abs(slope / c(0.3, 0.5) - c(2, 5))), 0.3)
    expect_length(coef(fit), 3)
  }
})

# The function of Friedman (1991) without its noise columns.
friedman_rows <- function(n, noise = 0.5) {
  d <- data.frame(matrix(runif(4 * n), n))
  d$truth <- 10 * sin(pi * d$X1 * d$X2) + 20 * (d$X3 - 0.5)^2 + 10 * d$X4
  d$y <- d$truth + noise * rnorm(n)
  d
}

#' @srrstats {G5.7} The errors of all models on new rows fall as the number of rows grows.
test_that("more rows lead nearer to the function", {
  test <- withr::with_seed(9, friedman_rows(1000))
  errors <- vapply(c(100, 400, 1600), function(n) {
    d <- withr::with_seed(n, friedman_rows(n))[c("X1", "X2", "X3", "X4", "y")]
    vapply(known_models(y ~ ., d), function(fit) sqrt(mean((predict(fit, test) - test$truth)^2)), 0)
  }, numeric(5))
  expect_true(all(errors[, 2] < errors[, 1]))
  expect_true(all(errors[, 3] < errors[, 2]))
  expect_true(all(errors[, 3] < 0.4 * sd(test$truth)))
})

#' @srrstats {G5.9, G5.9a} Noise of the size of rounding errors does not change predictions.
#' @srrstats {G5.9, G5.9b} Nor do other seeds, beyond the spread of an average over trees.
test_that("predictions depend neither on trivial noise nor much on seeds", {
  d <- withr::with_seed(1, friedman_rows(300))[c("X1", "X2", "X3", "X4", "y")]
  noisy <- withr::with_seed(2, {
    as.data.frame(lapply(d, function(x) x * (1 + .Machine$double.eps * runif(300, -1, 1))))
  })
  expect_false(identical(d, noisy))
  plain <- lapply(known_models(y ~ ., d), predict, d)
  expect_equal(lapply(known_models(y ~ ., noisy), predict, d), plain, tolerance = 1e-6)
  again <- lapply(known_models(y ~ ., d, seed = 7), predict, d)
  for (name in c("tree", "boost", "mars")) expect_identical(again[[name]], plain[[name]])
  for (name in c("forest", "rotation")) {
    expect_false(identical(again[[name]], plain[[name]]))
    expect_lt(sqrt(mean((again[[name]] - plain[[name]])^2)), 0.1 * sd(d$y))
  }
})

#' @srrstats {RE7.1} A response that is a function of the predictors is fitted without error,
#' @srrstats {RE7.1a} and not slower than the same rows with noise.
test_that("a response without noise is fitted exactly, and faster", {
  d <- withr::with_seed(3, data.frame(x = runif(20000), z = runif(20000)))
  d$y <- 2.5 * (d$x > 0.5) - 0.7 * (d$x > 0.8)
  d$noisy <- d$y + withr::with_seed(4, rnorm(20000))
  grow <- function(formula) tec_tree(formula, d, prune = "none", threads = 1)
  expect_lt(max(abs(residuals(grow(y ~ x + z), d))), 1e-12)
  expect_identical(n_leaves(grow(y ~ x + z)), 3L)
  line <- transform(mtcars, mpg = 40 - 3 * wt)
  expect_lt(max(abs(residuals(tec_mars(mpg ~ wt + hp, line), line))), 1e-8)
  skip_on_cran()
  seconds <- function(formula) {
    min(vapply(1:3, function(i) system.time(grow(formula))[["elapsed"]], 0))
  }
  expect_lte(seconds(y ~ x + z), seconds(noisy ~ x + z))
})

#' @srrstats {RE7.0, RE2.4a} Predictors that are functions of each other: models predict the same
#'   as without them, and splines keep no collinear terms.
test_that("a copy of a predictor changes no prediction", {
  d <- withr::with_seed(5, friedman_rows(300))[c("X1", "X2", "y")]
  copied <- transform(d, X5 = X1, X6 = 3 * X1 - 2)[c("X1", "X2", "X5", "X6", "y")]
  for (grow in list(tec_tree, tec_mars, function(...) tec_boost(..., rounds = 30, folds = 0))) {
    expect_equal(predict(grow(y ~ ., copied), copied), predict(grow(y ~ ., d), d))
  }
  fit <- tec_mars(y ~ ., copied)
  expect_true(all(is.finite(coef(fit))))
  expect_length(coef(fit), length(coef(tec_mars(y ~ ., d))))
})

#' @srrstats {ML7.4} Rates near 1 fit noise, and small ones need more rounds.
#' @srrstats {ML7.6} With few rounds the loss is large, with too many it rises on held-out rows.
test_that("the rate and the number of rounds matter as the help says", {
  d <- withr::with_seed(6, friedman_rows(300, noise = 4))[c("X1", "X2", "X3", "X4", "y")]
  test <- withr::with_seed(7, friedman_rows(2000, noise = 4))
  losses <- function(rate) {
    curve <- tec_boost(y ~ ., d, validation = test, rate = rate, rounds = 150, patience = 150)$curve
    curve$validation
  }
  slow <- losses(0.02)
  usual <- losses(0.1)
  fast <- losses(1)
  # After ten rounds the smaller the rate, the further from the minimum of the usual one.
  expect_gt(slow[10], 1.5 * min(usual))
  expect_lt(which.min(fast), which.min(usual))
  expect_lt(which.min(usual), which.min(slow))
  # No number of rounds makes up for a rate of 1, and its loss ends far above its minimum.
  expect_gt(min(fast), 1.05 * min(usual))
  expect_gt(fast[150], 1.2 * min(fast))
  expect_gt(usual[150], 1.05 * min(usual))
})

#' @srrstats {ML7.7, ML7.8, ML7.9, ML7.9a} Every combination of a model, a search and a criterion
#'   finds the classes of most rows.
test_that("models, searches and criteria can be combined", {
  d <- withr::with_seed(8, boost_data(200, missing = FALSE))
  cases <- expand.grid(
    model = c("tec_tree", "tec_forest", "tec_rotation"),
    search = c("best", "random", "columns"), criterion = c("tsallis", "gain_ratio", "cair"),
    response = c("two", "three"), stringsAsFactors = FALSE
  )
  searches <- list(
    best = list(), random = list(splitter = "random"), columns = list(max_features = 2)
  )
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    args <- c(
      list(stats::reformulate(c("a", "b", "f", "o"), case$response), quote(d)),
      list(criterion = case$criterion), searches[[case$search]],
      if (case$model != "tec_tree") list(trees = 10)
    )
    fit <- withr::with_seed(i, do.call(case$model, args))
    right <- mean(predict(fit, d) == d[[case$response]])
    expect_gt(right, max(table(d[[case$response]])) / nrow(d) + 0.05,
      label = paste(unlist(case), collapse = " ")
    )
  }
})

#' @srrstats {ML7.11, ML7.11a} Metrics of trees of all depths: the accuracy does not see how certain
#'   a prediction is, the log loss and the Brier score do.
test_that("metrics rank the same models in different ways", {
  d <- withr::with_seed(9, boost_data(400, missing = FALSE))
  set.seed(1)
  tuned <- tec_tune(two ~ a + b + f, d,
    max_depth = c(0, 1, 2, 4, Inf), prune = "none", min_bucket = 1, smooth = 0,
    metric = c("accuracy", "balanced_accuracy", "log_loss", "brier", "auc", "nodes")
  )
  table <- tuned$table
  expect_false(anyNA(table[c("accuracy", "balanced_accuracy", "log_loss", "brier", "auc")]))
  root <- table$max_depth == 0
  deep <- table$max_depth == Inf
  # The full tree has more right classes than the root, but shares of 0 and 1 that are wrong.
  expect_gt(table$accuracy[deep], table$accuracy[root])
  expect_gt(table$auc[deep], table$auc[root])
  expect_gt(table$log_loss[deep], table$log_loss[root])
  expect_equal(table$balanced_accuracy[root], 0.5)
  expect_equal(table$auc[root], 0.5)
  expect_lt(table$max_depth[which.min(table$log_loss)], Inf)
  expect_identical(order(table$nodes), order(table$max_depth))
})

#' @srrstats {RE3.0, RE3.1} A regression that does not converge gives a warning with a class, which
#'   can be muffled; the fit says which one it is.
test_that("a logistic regression that does not converge says so", {
  d <- withr::with_seed(1, data.frame(x = runif(20000)))
  d$y <- factor(d$x > 0.5)
  expect_warning(fit <- tec_mars(y ~ x, d), "did not converge in 25 steps",
    class = "tec_warning_converged"
  )
  expect_identical(fit$logistic$converged, FALSE)
  expect_identical(fit$logistic$iterations, 25L)
  expect_identical(predict(fit, d), d$y)
  small <- tec_mars(Species ~ Petal.Length, iris)
  expect_identical(small$logistic$converged, rep(TRUE, 3))
})

#' @srrstats {G5.3} Predictions of complete rows are never missing or infinite.
#' @srrstats {RE7.2} Results are in the order of the rows, and columns keep their attributes.
test_that("complete rows have complete predictions, in their order", {
  d <- withr::with_seed(2, boost_data(120, missing = FALSE))
  attr(d$a, "label") <- "a label"
  rownames(d) <- paste0("row", 120:1)
  shuffled <- d[withr::with_seed(3, sample(120)), ]
  for (response in c("number", "two", "three")) {
    fits <- known_models(stats::reformulate(c("a", "b", "f", "o"), response), d)
    for (fit in fits) {
      type <- if (response == "number") "response" else "prob"
      found <- predict(fit, d, type = type)
      expect_true(all(is.finite(found)))
      order <- match(rownames(shuffled), rownames(d))
      again <- predict(fit, shuffled, type = type)
      expect_identical(again, if (is.matrix(found)) found[order, ] else found[order])
      rows <- as.data.frame(augment(fit, d))
      expect_false(anyNA(rows))
      expect_identical(attr(rows$a, "label"), "a label")
      expect_identical(as.list(rows[names(d)]), as.list(d))
    }
  }
})

#' @srrstats {G5.8d} More predictors than rows.
test_that("data with more columns than rows are fitted", {
  d <- withr::with_seed(1, as.data.frame(matrix(rnorm(20 * 60), 20)))
  d$y <- 2 * d$V7 + withr::with_seed(2, rnorm(20)) / 10
  for (fit in known_models(y ~ ., d)) {
    expect_length(variable.names(fit), 60)
    expect_gt(cor(predict(fit, d), d$y), 0.5)
  }
  expect_identical(variable.names(tec_mars(y ~ ., d), used = TRUE)[1], "V7")
})
