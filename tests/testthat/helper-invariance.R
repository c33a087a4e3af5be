# Problems and comparisons for the tests of invariances and of equal criteria.

# The structure of a tree, without numbers in the units of the criterion.
structure_of <- function(tree, breaks = TRUE) {
  kept <- c(
    "parent", "depth", "kind", "variable", "n_children", "child_start", "child", "level",
    "level_child", "default_child", "n", "exact"
  )
  c(tree[kept], if (breaks) tree["breaks"])
}

expect_same_tree <- function(a, b, tolerance = 1e-9, label = NULL) {
  expect_identical(structure_of(a), structure_of(b), label = label)
  numbers <- c("weight", "yval", "impurity", "gain", "score", "prob")
  expect_equal(a[numbers], b[numbers], tolerance = tolerance, label = label)
}

each_criterion <- function(action) {
  # To a test weights are frequencies.
  listed <- tec_criteria()
  listed <- listed[!listed$name %in% test_criteria, ]
  for (i in seq_len(nrow(listed))) {
    action(listed$name[i], listed$default[i], listed$task[i])
  }
}

# Numeric columns and continuous weights: hardly any ties.
smooth_problem <- function(name, parameter, task, n = 300) {
  problem <- random_problem(name, parameter, task)
  y <- sample(3, n, TRUE)
  problem$columns <- lapply(1:4, function(j) stats::rnorm(n) + j * y / 4)
  problem$kinds <- integer(4)
  problem$n_levels <- integer(4)
  problem$K <- if (task == "regression") 0L else 3L
  problem$y <- if (task == "regression") y + stats::rnorm(n) else y
  problem$weights <- problem$w <- stats::runif(n, 0.5, 2)
  problem["sizes"] <- list(NULL)
  problem$rows <- seq_len(n)
  problem$control <- utils::modifyList(
    problem$control,
    list(min_bucket = 12, min_split = 24, max_depth = 4, min_gain = 0, eligible = "default")
  )
  problem
}

with_rows <- function(problem, at) {
  problem$columns <- lapply(problem$columns, `[`, at)
  problem$y <- problem$y[at]
  problem$w <- problem$w[at]
  problem$weights <- problem$weights[at]
  problem$sizes <- problem$sizes[at]
  problem$unit <- problem$unit[at]
  problem$rows <- which(problem$w > 0)
  problem
}

engine_nodes <- function(tree, problem) {
  tectree:::tec_predict_(
    tree, problem_columns(problem), as.integer(problem$kinds), as.integer(problem$n_levels),
    length(problem$y), 1L
  )
}
