# The policies for missing values: predictions compared with the naive oracle, for every criterion.
# Searches, trees and surrogates are compared in C++ (tests/cpp/oracle/).

# A random problem with missing values: 0 to 60 % of each column, sometimes a whole column.
with_holes <- function(policy) {
  function(problem) {
    problem$columns <- lapply(problem$columns, function(x) {
      share <- pick(c(0, 0.1, 0.3, 0.6))
      if (stats::runif(1) < 0.05) share <- 1
      replace(x, stats::runif(length(x)) < share, NA)
    })
    problem$control$missing <- policy
    problem$control$max_surrogate <- pick(c(5L, 5L, 1L, 0L))
    problem$control$use_surrogate <- pick(c(2L, 2L, 1L, 0L))
    problem$control$surrogate_style <- pick(0:1)
    problem
  }
}

# ---- prediction ----------------------------------------------------------------------------------

# New rows with holes of their own, and levels out of the training rows' reach.
new_columns <- function(problem, n = 12) {
  Map(function(x, kind, n_levels) {
    new <- if (kind == 0) sample(c(x, stats::rnorm(3)), n, TRUE) else sample(n_levels, n, TRUE)
    replace(new, stats::runif(n) < 0.4, NA)
  }, problem$columns, problem$kinds, problem$n_levels)
}

predicted_by_oracle <- function(nodes, problem, columns) {
  n <- length(columns[[1]])
  ends_of <- function(row) oracle_ends(nodes, problem, columns, row)
  ends <- t(vapply(seq_len(n), ends_of, nodes_zero(nodes)))
  if (length(nodes) == 1) ends <- t(ends)
  value <- if (problem$K > 0) {
    t(vapply(nodes, `[[`, numeric(problem$K), "prob"))
  } else {
    matrix(vapply(nodes, `[[`, 0, "yval"))
  }
  list(ends = ends, value = ends %*% value)
}

nodes_zero <- function(nodes) numeric(length(nodes))

check_prediction <- function(problem) {
  problem <- as_user_problem(problem)
  fit <- user_tree(problem)
  nodes <- oracle_numbered(oracle_tree(problem))
  columns <- new_columns(problem)
  expected <- predicted_by_oracle(nodes, problem, columns)
  data <- problem_frame(list(
    columns = columns, kinds = problem$kinds, n_levels = problem$n_levels
  ))
  found <- predict(fit, data, type = if (problem$K > 0) "prob" else "response")
  node <- predict(fit, data, type = "node")
  largest <- apply(expected$ends, 1, function(e) which(e >= max(e) * (1 - 1e-12))[1])
  paths <- predict(fit, data, type = "path")
  # Rows are random, so the first few by themselves are as good as all.
  alone <- 1:4
  one_by_one <- vapply(alone, function(i) predict(fit, data[i, , drop = FALSE], type = "node"), 0L)
  c(
    if (!agrees(c(found), c(expected$value))) "predictions",
    if (!identical(as.integer(node), as.integer(largest))) "end nodes",
    if (!identical(one_by_one, as.integer(node)[alone])) "rows by themselves",
    if (!all(vapply(seq_along(paths), function(i) same_path(paths[[i]], expected$ends[i, ]), NA))) {
      "paths"
    }
  )
}

# A path ends where the row's parts do, and no part is lost.
same_path <- function(path, ends) {
  share <- if (is.null(path$share)) rep(1, nrow(path)) else path$share
  at <- which(ends > 0)
  path$node[1] == 1 && all(at %in% path$node) && agrees(share[match(at, path$node)], ends[at]) &&
    abs(sum(ends) - 1) < 1e-12
}

for (policy in policies_of_missing) {
  test_that(paste0("'", policy, "' predicts as the oracle does"), {
    expect_oracle(1, check_prediction, with_holes(policy))
  })

  test_that(paste0("'", policy, "' predicts values that only new rows lack"), {
    expect_oracle(1, check_prediction, function(problem) {
      problem$control$missing <- policy
      problem$columns <- lapply(problem$columns, function(x) replace(x, is.na(x), x[!is.na(x)][1]))
      problem
    })
  })
}

test_that("splits without gain have the same order, whatever the order of the rows", {
  d <- data.frame(
    a = c(45.5, NA, 30, NA, 0.75, 47.5, 36.75, 34.5, 38, 2, NA, 19, 41, 14.5, 43.25, 8.25, 33.25),
    b = c(5, NA, -42, -2, NA, 9, -1, -41, NA, -36, 30, 36, -46, -21, NA, 14, 4),
    c = c(7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, NA, 7),
    d = c(93, NA, 127, 188, 83, 125, 78, 241, 220, 95, 55, 189, 295, 238, 115, 156, 119),
    y = c(4, 0, 4, 0, 4, 0, 4, 4, 0, 0, 0, 0, 0, 0, 4, 4, 4)
  )
  # Where rows go down in parts, a sum of their weights has the rounding of its order.
  tree <- function(data, seed) {
    set.seed(seed)
    fit <- full_tree(y ~ ., data,
      criterion = "l1", max_leaves = 8, min_gain = -Inf, max_features = 2, ties = "random",
      splitter = "random", missing = "fractional", min_bucket = 1
    )
    as.data.frame(fit)[c("depth", "n")]
  }
  for (seed in 1:40) {
    set.seed(seed)
    moved <- d[sample(nrow(d)), ]
    expect_identical(tree(moved, seed), tree(d, seed))
  }
})
