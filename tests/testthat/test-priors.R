# Priors, weights of classes and losses in the search: against the naive oracle, rows repeated, and
# rpart.

# Factors as priors make them, and others for the search; now and then of very different sizes.
with_factors <- function(problem) {
  k <- problem$K
  if (k == 0) {
    return(problem)
  }
  draw <- function() {
    switch(pick(1:3),
      stats::runif(k, 0.5, 2),
      10^stats::runif(k, -2, 2),
      pick(1:3) / seq_len(k)
    )
  }
  problem$factors <- list(prior = draw(), split = draw())
  if (stats::runif(1) < 0.4) problem$factors$split <- problem$factors$prior
  problem
}

class_criteria <- function() {
  Filter(function(criterion) criterion$task == "classification", criteria_rows())
}

test_that("the search counts rows by class, sizes by case weights, as the oracle does", {
  expect_oracle(1, check_both, with_factors, class_criteria())
  expect_oracle(1, check_both, function(problem) {
    problem <- with_factors(problem)
    problem$control$intervals <- 3L
    problem
  }, class_criteria(), most_rows = 9)
})

test_that("whole class weights are rows repeated", {
  for (i in case_seeds(3)) at_seed(i, {
    n <- 60
    data <- data.frame(
      x = sample(8, n, TRUE), z = stats::rnorm(n), f = factor(sample(letters[1:5], n, TRUE))
    )
    data$y <- factor(sample(c("p", "q", "r"), n, TRUE, prob = c(5, 2, 1)))
    data$x <- data$x + 2 * (data$y == "q")
    times <- c(r = pick(1:4), p = pick(1:4), q = pick(1:4))
    criterion <- pick(c("gini", "tsallis", "gain_ratio", "tsallis_ratio"))
    grow <- function(data, ...) {
      full_tree(y ~ ., data, criterion = criterion, min_bucket = 1, min_split = 2, ...)
    }
    ours <- grow(data, class_weights = times)$tree
    theirs <- grow(data[rep(seq_len(n), times[as.character(data$y)]), ])$tree
    same <- c("kind", "variable", "breaks", "level", "level_child", "child", "yval")
    expect_identical(ours[same], theirs[same])
    expect_equal(ours[c("prob", "gain")], theirs[c("prob", "gain")])
    expect_equal(ours$weight * sum(theirs$n[1]) / n, theirs$weight)
  })
})

test_that("the root has the priors, and balanced weights make them equal", {
  prior <- c(virginica = 0.7, setosa = 0.1, versicolor = 0.2)
  fit <- tec_tree(Species ~ ., iris, prior = prior)
  expect_equal(fit$tree$prob[1, ], c(0.1, 0.2, 0.7))
  expect_equal(fit$tree$weight[1], 150)
  expect_equal(fit$prior, prior[c(2, 3, 1)])
  part <- iris[c(1:50, 60:80, 140:150), ]
  balanced <- tec_tree(Species ~ ., part, class_weights = "balanced")
  expect_equal(balanced$tree$prob[1, ], rep(1 / 3, 3))
  expect_identical(balanced$class_weights, "balanced")
  # A class without rows takes no part; the shares of the sample are no priors.
  none <- tec_tree(Species ~ ., iris[1:100, ], prior = c(0.2, 0.6, 0.2))
  expect_equal(none$tree$prob[1, ], c(0.25, 0.75, 0))
  plain <- tec_tree(Species ~ ., part)
  shares <- c(50, 21, 11) / 82
  expect_equal(tec_tree(Species ~ ., part, prior = shares)$tree, plain$tree)
  doubled <- tec_tree(Species ~ ., part,
    weights = rep(2, 82), weights_as = "frequency", class_weights = c(1, 2, 2)
  )
  expect_equal(doubled$tree$weight[1], 164)
  expect_equal(doubled$tree$prob[1, ], c(50, 42, 22) / 114)
})

test_that("losses alter the search where they are to", {
  cost <- matrix(c(0, 1, 10, 1, 0, 10, 1, 1, 0), 3)
  leaf <- tec_tree(Species ~ ., iris, cost = cost)
  split <- tec_tree(Species ~ ., iris, cost = cost, cost_in = "split")
  expect_identical(leaf$cost_in, "leaf")
  expect_equal(split$tree$prob[1, ], rep(1 / 3, 3))
  expect_equal(split$class_factors$split, 3 * c(setosa = 2, versicolor = 2, virginica = 20) / 24)
  expect_equal(tec_tree(Species ~ ., iris, preset = "cart", cost = cost)$cost_in, "split")
})

test_that("the stored priors are used by scores, pruning, update and print", {
  part <- iris[c(1:50, 60:80, 140:150), ]
  fit <- tec_tree(Species ~ ., part, class_weights = "balanced", min_bucket = 1)
  chosen <- subset(tec_scores(fit, part), chosen)
  expect_equal(chosen$gain, fit$tree$gain[1])
  again <- update(fit, data = part)
  expect_identical(again$tree, fit$tree)
  expect_equal(tec_prune(fit, "ebp", data = part)$tree$weight[1], 82)
  expect_equal(sum(summary(fit)$confusion), 82)
  cost <- 1 - diag(3)
  cost[3, 1] <- 4
  prior <- c(setosa = 0.2, versicolor = 0.3, virginica = 0.5)
  expect_snapshot({
    print(tec_tree(Species ~ ., iris, prior = prior, max_depth = 1))
    print(fit, n = 1)
    print(tec_tree(Species ~ ., iris, cost = cost, cost_in = "split", max_depth = 0))
    print(tec_tree(Species ~ ., iris, class_weights = c(1, 2, 2.5), max_depth = 0))
  })
})

test_that("contradictory settings are classed errors", {
  grow <- function(...) tec_tree(Species ~ ., iris, ...)
  free <- matrix(c(0, 0, 1, 0, 0, 1, 0, 1, 0), 3)
  expect_snapshot(show_errors({
    grow(prior = c(0.5, 0.5))
    grow(prior = c(0.5, 0.3, 0.1))
    grow(prior = c(a = 0.5, b = 0.3, c = 0.2))
    grow(prior = c(-0.5, 1, 0.5))
    grow(prior = c(0, 0.5, 0.5))
    grow(prior = c(0.2, 0.3, 0.5), class_weights = "balanced")
    grow(class_weights = "even")
    grow(class_weights = c(1, 2))
    grow(class_weights = c(a = 1, b = 2, c = 3))
    grow(class_weights = c(1, 0, 1))
    grow(cost_in = "split")
    grow(cost_in = "branch", cost = 1 - diag(3))
    grow(cost_in = "split", cost = free)
    tec_tree(mpg ~ ., mtcars, class_weights = "balanced")
    tec_tree(mpg ~ ., mtcars, prior = 1)
  }))
  expect_error(grow(class_weights = "even"), class = "tec_error_class_weights")
})

test_that("class weights are a vector or a list", {
  weights <- c(virginica = 3, setosa = 1, versicolor = 2)
  grow <- function(w) tec_tree(Species ~ ., iris, class_weights = w, prune = "none")
  expect_identical(grow(as.list(weights))$tree, grow(weights)$tree)
  expect_error(grow(list(setosa = 1:2, virginica = 3)), class = "tec_error_class_weights")
  expect_error(grow(list(1, "a", 2)), class = "tec_error_class_weights")
})

test_that("class weights of other types are errors of ours", {
  for (weights in list(pairlist(a = 1), mean, new.env(), list(1, mean, 2))) {
    expect_error(
      tec_tree(Species ~ ., iris, class_weights = weights), class = "tec_error_class_weights"
    )
  }
})
