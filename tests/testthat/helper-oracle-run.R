# The loops of the oracle's tests, and a problem as a user would state it.

# Parameters that are tried in turn; NA for criteria without a parameter.
oracle_parameters <- function(criterion) {
  switch(criterion$parameter,
    q = c(1, 2, 0.5, 1.7, 3, 1 + 1e-9, 1 - 1e-9, 0, -1, 6),
    beta = c(1, 2, 0.5, 1.7, 3, 1 + 1e-9, 1 - 1e-9, 6),
    NA_real_
  )
}

# Calls check(problem) for `n` random problems of each criterion; it answers with differences in
# words.
# `adapt` changes the random problem to the case in question. One expectation a criterion: each
# costs a millisecond where tests run in parallel.
expect_oracle <- function(n, check, adapt = identity, criteria = criteria_rows(), ...) {
  for (k in seq_along(criteria)) {
    criterion <- criteria[[k]]
    parameters <- oracle_parameters(criterion)
    found <- character()
    for (i in case_seeds(n, from = 500L * k)) at_seed(i, {
      parameter <- parameters[i %% length(parameters) + 1]
      problem <- adapt(random_problem(criterion$name, parameter, criterion$task, ...))
      differences <- check(problem)
      found <- c(found, in_case(criterion$name, parameter, i, differences))
    })
    expect_identical(found, character(), label = criterion$name)
  }
}

in_case <- function(name, parameter, i, differences) {
  if (length(differences)) paste0(name, "(", parameter, "), problem ", i, ": ", differences)
}

check_scores <- function(problem) {
  score_differences(engine_scores(problem), oracle_scores(problem$rows, problem))
}

check_tree <- function(problem) tree_differences(engine_tree(problem), oracle_tree(problem))

check_both <- function(problem) {
  problem$root <- list2env(problem["w"])
  c(check_scores(problem), check_barred(problem), check_tree(problem))
}

# A problem as a user would state it.
problem_frame <- function(problem) {
  columns <- Map(function(x, kind, n_levels) {
    switch(kind + 1,
      x,
      factor(x, seq_len(n_levels), ordered = TRUE),
      factor(x, seq_len(n_levels), paste0("level", seq_len(n_levels)))
    )
  }, problem$columns, problem$kinds, problem$n_levels)
  names(columns) <- paste0("x", seq_along(columns))
  list2DF(columns)
}

# As tec_tree() takes weights: in the mean 1, sizes count rows.
as_user_problem <- function(problem) {
  used <- problem$w[problem$rows]
  equal <- min(used) == max(used)
  problem$w <- if (equal) rep(1, length(problem$w)) else problem$w / mean(used)
  problem["weights"] <- list(if (!equal) problem$w)
  problem["sizes"] <- list(if (!equal) rep(1, length(problem$w)))
  problem["unit"] <- list(if (!equal) 1 / ifelse(problem$w > 0, problem$w, 1))
  problem
}

user_tree <- function(problem) {
  criterion <- tec_criterion(problem$name)
  if (!is.na(problem$parameter)) {
    criterion$parameter[] <- problem$parameter
  }
  data <- problem_frame(problem)
  data$response <- if (problem$K > 0) factor(problem$y, seq_len(problem$K)) else problem$y
  data$times <- ifelse(seq_along(problem$w) %in% problem$rows, problem$w, 0)
  # A constant or single-level response and parameters that need care are warned about.
  suppressWarnings(tec_tree(
    response ~ . - times, data,
    criterion = criterion, weights = times, prune = "none", smooth = 0,
    control = do.call(tec_control, problem$control)
  ))
}
