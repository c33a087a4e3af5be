# The rules of C4.5 against the oracle of helper-oracle-c45.R, which knows nothing of the engine;
# test-c45-j48.R has the comparison with J48.

missing_policies <- c("fractional", "majority", "mode", "surrogate", "drop")

c45_parameters <- function(criterion) {
  switch(criterion$parameter,
    q = c(1, 2, 0.5, 3),
    beta = c(1, 2, 0.5),
    NA_real_
  )
}

c45_problem <- function(criterion, parameter, ...) {
  problem <- random_problem(criterion$name, parameter, "classification", ...)
  problem$control$rules <- "c45"
  problem$control$missing <- pick(missing_policies)
  # Some columns with neighbouring values that count as one.
  problem$columns <- Map(function(x, kind) {
    if (kind == 0 && stats::runif(1) < 0.3) round(x) * 4e-6 else x
  }, problem$columns, problem$kinds)
  problem
}

expect_c45_oracle <- function(n, adapt = identity, criteria = criteria_rows(), ...) {
  for (k in seq_along(criteria)) {
    criterion <- criteria[[k]]
    if (criterion$task == "regression") {
      next
    }
    parameters <- c45_parameters(criterion)
    found <- character()
    for (i in case_seeds(n, from = 500L * k)) at_seed(i, {
      parameter <- parameters[i %% length(parameters) + 1]
      problem <- adapt(c45_problem(criterion, parameter, ...))
      differences <- c(
        score_differences(engine_scores(problem), oracle_scores(problem$rows, problem)),
        tree_differences(engine_tree(problem), oracle_tree(problem))
      )
      found <- c(found, in_case(criterion$name, parameter, i, differences))
    })
    expect_identical(found, character(), label = criterion$name)
  }
}

test_that("splits, scores and whole trees equal the oracle's, for every criterion", {
  expect_c45_oracle(1)
})

test_that("every cut is listed, as admissible if it was tried and gains", {
  for (i in case_seeds(6)) at_seed(i, {
    problem <- c45_problem(list(name = "gain_ratio"), NA_real_)
    listed <- engine_scores(problem, all = TRUE)
    best <- engine_scores(problem)
    expect_identical(unique(listed$column[listed$admissible]), best$column)
    expect_identical(sum(listed$chosen), sum(best$chosen))
    for (j in seq_along(best$column)) {
      cut <- listed$cut[listed$column == best$column[j] & listed$admissible]
      expect_lte(abs(max(cut) - best$cut[j]), 1e-5)
      expect_lte(min(abs(cut - best$cut[j])), 1e-12)
    }
  })
})

# 32-bit columns, bins and rows that count more than 1.
test_that("a row of weight w counts as w rows, also in large nodes", {
  set.seed(206)
  n <- 6000
  data <- data.frame(
    a = stats::rnorm(n), b = sample(40, n, TRUE), c = factor(sample(letters[1:5], n, TRUE)),
    d = round(stats::rnorm(n), 6)
  )
  data$y <- factor(ifelse(
    data$a + data$b / 20 + (data$c == "b") + stats::rnorm(n) / 2 > 1.5, "yes", "no"
  ))
  times <- sample(3, n, TRUE)
  weighted <- tec_tree(y ~ ., data, preset = "c45", prune = "none", weights = times)
  repeated <- data[rep(seq_len(n), times), ]
  repeated <- tec_tree(y ~ ., repeated, preset = "c45", prune = "none")
  same <- c("parent", "kind", "variable", "breaks", "weight", "yval")
  expect_identical(weighted$tree[same], repeated$tree[same])
  shuffled <- sample(n)
  again <- tec_tree(y ~ ., data[shuffled, ],
    preset = "c45", prune = "none", weights = times[shuffled]
  )
  expect_identical(again$tree[same], weighted$tree[same])
  threads <- tec_tree(y ~ ., data, preset = "c45", prune = "none", weights = times, threads = 2)
  expect_identical(threads$tree, weighted$tree)
})

test_that("fractional weights find the same splits as whole ones", {
  set.seed(207)
  n <- 5000
  data <- data.frame(a = stats::rnorm(n), b = sample(30, n, TRUE), c = stats::rexp(n))
  data$y <- factor(sample(3, n, TRUE, prob = c(3, 2, 1)) + (data$a > 1))
  grow <- function(w) {
    tec_tree(y ~ ., data, preset = "c45", prune = "none", weights = w, min_bucket = 20)
  }
  whole <- grow(rep(2, n))
  # One row of a weight that is not whole takes the search for fractions.
  w <- rep(2, n)
  w[1] <- 2 + 1e-7
  real <- grow(w)
  same <- c("parent", "kind", "variable", "breaks", "n")
  expect_identical(real$tree[same], whole$tree[same])
  expect_equal(real$tree$score, whole$tree$score, tolerance = 1e-6)
})

test_that("thresholds are values of the column, below the midpoint of the node", {
  fit <- tec_tree(Species ~ ., iris, preset = "c45")
  nodes <- as.data.frame(fit)
  inner <- which(fit$tree$kind == 1)
  for (i in inner) {
    column <- iris[[fit$columns$name[fit$tree$variable[i]]]]
    expect_true(pool(fit$tree, "breaks", i) %in% column)
  }
  expect_identical(fit$tree$n[1], 150)
  # 1.9 | 3.0 in the root: halfway there is 2.45.
  expect_identical(pool(fit$tree, "breaks", 1L), if (fit$tree$variable[1] == 3) 1.9 else 0.6)
})

test_that("equal criteria also grow equal trees under the rules of C4.5", {
  set.seed(208)
  n <- 3000
  data <- as.data.frame(replicate(5, stats::rnorm(n)))
  data$y <- factor(cut(data$V1 + data$V2 * data$V3 + stats::rnorm(n), c(-Inf, -1, 1, Inf)))
  grow <- function(...) {
    fit <- tec_tree(y ~ ., data, rules = "c45", ...)
    fit$tree[c("parent", "kind", "variable", "breaks", "yval")]
  }
  shannon <- grow(criterion = "shannon")
  expect_identical(grow(criterion = "cond_entropy"), shannon)
  expect_identical(grow(criterion = "cami"), shannon)
  expect_identical(grow(q = 1), shannon)
  expect_identical(grow(criterion = tec_criterion("beta", beta = 1)), shannon)
  expect_identical(grow(criterion = "effcami0"), grow(criterion = "gain_ratio"))
  expect_false(identical(grow(criterion = "gini"), shannon))
})
