# Priors, weights of classes and losses in the search: against the naive oracle, rows repeated, and
# rpart.

# Factors as priors make them, and others for the search; now and then of very different sizes.
with_factors <- function(problem) {
  k <- problem$K
  if (k == 0) {
    return(problem)
  }
  draw <- function() switch(pick(1:3), stats::runif(k, 0.5, 2), 10^stats::runif(k, -2, 2), pick(1:3) / seq_len(k))
  problem$factors <- list(prior = draw(), split = draw())
  if (stats::runif(1) < 0.4) problem$factors$split <- problem$factors$prior
  problem
}

class_criteria <- function() {
  Filter(function(criterion) criterion$task == "classification", criteria_rows())
}

test_that("the search counts rows by class, sizes by case weights, as the oracle does", {
  set.seed(501)
  expect_oracle(60, check_both, with_factors, class_criteria())
  set.seed(502)
  expect_oracle(8, check_both, function(problem) {
    problem <- with_factors(problem)
    problem$control$intervals <- 3L
    problem
  }, class_criteria(), most_rows = 9)
})

test_that("best-first growth makes the oracle's tree", {
  set.seed(503)
  expect_oracle(6, check_tree, function(problem) {
    problem <- with_factors(problem)
    problem$control$max_leaves <- pick(2:6)
    problem
  }, class_criteria())
})

test_that("every policy for missing values makes the oracle's tree", {
  set.seed(504)
  for (policy in c("fractional", "majority", "mode", "surrogate", "drop")) {
    expect_oracle(12, check_both, function(problem) {
      problem <- with_factors(problem)
      problem$columns <- lapply(problem$columns, function(x) {
        replace(x, stats::runif(length(x)) < pick(c(0, 0.1, 0.4)), NA)
      })
      problem$control$missing <- policy
      problem
    }, class_criteria())
  }
})

test_that("under the rules of C4.5 too", {
  set.seed(505)
  expect_oracle(20, check_both, function(problem) {
    problem <- with_factors(problem)
    problem$control$rules <- "c45"
    problem$control$missing <- pick(c("fractional", "majority"))
    problem
  }, class_criteria())
})
