# Random problems for the oracle, the engine's answer to them, and the comparison of the two. The
# problems are tiny and full of ties: few distinct values, repeated columns, small integer weights.

criteria_rows <- function() {
  # The same all along, and asked for by each of thousands of cases.
  if (is.null(listed_once$criteria)) {
    # Tests have an oracle of their own, see helper-oracle-chaid.R.
    listed <- tec_criteria()
    listed <- listed[!listed$name %in% test_criteria, ]
    listed_once$criteria <- lapply(seq_len(nrow(listed)), function(i) as.list(listed[i, ]))
  }
  listed_once$criteria
}

listed_once <- new.env()

pick <- function(x) x[sample.int(length(x), 1)]

random_column <- function(n, y, most_levels) {
  type <- pick(c(
    "tied", "tied", "continuous", "integer", "signal", "ordered", "nominal", "nominal", "constant"
  ))
  kind <- match(type, c("ordered", "nominal"), nomatch = 0L)
  n_levels <- if (kind == 0) 0L else pick(2:most_levels)
  x <- switch(type,
    tied = sample(c(-1.5, 0, 0.1, 0.3, 7), n, TRUE),
    continuous = stats::rnorm(n),
    integer = sample(-3:3, n, TRUE),
    signal = round(y + stats::rnorm(n), 1),
    constant = rep(2, n),
    sample(n_levels, n, TRUE, prob = stats::rexp(n_levels))
  )
  list(x = x, kind = kind, n_levels = n_levels)
}

random_weights <- function(n) {
  switch(pick(c("none", "integer", "quarters", "continuous")),
    none = NULL,
    integer = as.double(sample(0:3, n, TRUE, prob = c(1, 4, 2, 2))),
    quarters = sample(6, n, TRUE) / 4,
    continuous = stats::runif(n, 0.2, 2)
  )
}

random_response <- function(n, n_classes) {
  if (n_classes == 0) {
    few <- as.double(sample(0:4, n, TRUE))
    return(switch(sample(4L, 1L), few, few / 10, stats::rnorm(n), stats::rnorm(n)))
  }
  if (stats::runif(1) < 0.05) {
    return(rep(pick(seq_len(n_classes)), n))
  }
  sample(n_classes, n, TRUE, prob = stats::rexp(n_classes) + 0.2)
}

random_control <- function() {
  any_gain(list(
    min_split = pick(c(1, 2, 2, 5)),
    min_bucket = pick(c(1, 1, 1, 2, 3, 1.5)),
    max_depth = pick(c(Inf, Inf, 2)),
    max_leaves = Inf,
    min_gain = pick(c(0, 0, 0, 0.02)),
    nominal = pick(c("binary", "binary", "multiway", "ordered")),
    intervals = 2L, free_levels = pick(c(2, 3, Inf, Inf)),
    missing = "majority", max_surrogate = 5L, use_surrogate = 2L, surrogate_style = 0L,
    eligible = pick(c("default", "default", "default", "all", "mean", "mean_sd")),
    rules = "exact",
    threads = 1L
  ))
}

# A quarter of the problems split whatever it gains, or nearly so. No random number is drawn for it.
any_gain <- function(control) {
  if (control$min_split == 1) {
    control$min_gain <- if (control$min_bucket == 1) -Inf else -0.02
  }
  control
}

# `most_rows` and `most_levels` bound the work of the exhaustive search.
random_problem <- function(name, parameter, task, most_rows = 18, most_levels = 5) {
  n <- pick(c(1, 2, 3:most_rows, 10:most_rows))
  n_classes <- if (task == "regression") 0L else pick(c(2L, 2L, 2L, 3L, 4L, 6L))
  y <- random_response(n, n_classes)
  made <- lapply(seq_len(pick(1:4)), function(i) random_column(n, y, most_levels))
  if (length(made) > 1 && stats::runif(1) < 0.2) {
    made[[length(made)]] <- made[[1]]
  }
  columns <- lapply(made, `[[`, "x")
  if (stats::runif(1) < 0.3) {
    columns <- lapply(columns, function(x) replace(x, stats::runif(n) < 0.2, NA))
  }
  w <- random_weights(n)
  if (!is.null(w) && all(w == 0)) {
    w[1] <- 1
  }
  out <- list(
    columns = columns,
    kinds = vapply(made, `[[`, 0L, "kind"), n_levels = vapply(made, `[[`, 0L, "n_levels"),
    y = y, K = n_classes, weights = w, w = if (is.null(w)) rep(1, n) else w,
    rows = if (is.null(w)) seq_len(n) else which(w > 0),
    name = name, parameter = parameter, control = random_control()
  )
  if (is.null(w)) out else with_random_sizes(out)
}

# Rows of size 1, or of other sizes, beside their weights.
with_random_sizes <- function(problem) {
  n <- length(problem$y)
  sizes <- switch(pick(c("weights", "one", "one", "times")),
    weights = NULL, one = rep(1, n), times = as.double(sample(3, n, TRUE))
  )
  problem$sizes <- sizes
  if (!is.null(sizes)) problem$unit <- sizes / ifelse(problem$w > 0, problem$w, 1)
  problem
}

problem_response <- function(problem) {
  y <- if (problem$K > 0) as.integer(problem$y) else as.double(problem$y)
  c(list(y = y, n_classes = problem$K), list(factors = problem$factors)[!is.null(problem$factors)])
}

problem_columns <- function(problem) {
  as_coded <- function(x, kind) if (kind == 0) as.double(x) else as.integer(x)
  Map(as_coded, problem$columns, problem$kinds)
}

problem_rows <- function(problem) {
  if (length(problem$rows) == length(problem$y)) NULL else as.integer(problem$rows)
}

as_core_problem <- function(problem) {
  list(
    columns = problem_columns(problem), kinds = as.integer(problem$kinds),
    n_levels = as.integer(problem$n_levels), response = problem_response(problem),
    weights = problem$weights, sizes = problem$sizes, rows = problem_rows(problem),
    criterion = list(name = problem$name, parameter = problem$parameter),
    control = problem$control
  )
}

# Surrogates that growth could do without are found afterwards, as tec_tree() does.
engine_tree <- function(problem) {
  core <- as_core_problem(problem)
  tectree:::tec_surrogates_(tectree:::tec_fit_(core), core)
}

# With one candidate a column those that may not split the node are left out.
engine_scores <- function(problem, all = FALSE) {
  found <- tectree:::tec_scores_(as_core_problem(problem), all)
  found$admissible <- found$barred == 0L
  if (all) {
    return(found)
  }
  pools <- c("breaks", "level", "level_child")
  found[setdiff(names(found), pools)] <- lapply(
    found[setdiff(names(found), pools)], function(x) x[found$admissible]
  )
  found
}

# Why columns may not split the node, where the exact rules hold.
check_barred <- function(problem) {
  if (problem$control$rules == "c45") {
    return(character())
  }
  found <- tectree:::tec_scores_(as_core_problem(problem), FALSE)
  expected <- oracle_barred(problem$rows, problem)
  if (identical(found$column, seq_along(expected)) && identical(found$barred, expected)) {
    return(character())
  }
  paste("barred:", toString(found$barred), "/ oracle:", toString(expected))
}

# Numbers that agree but for rounding. Infinite breaks never occur.
agrees <- function(a, b) {
  length(a) == length(b) && isTRUE(all(abs(a - b) <= 1e-9 * pmax(abs(a), abs(b)) + 1e-12))
}

# The part of a pool that belongs to entry i: breaks, or levels and their children.
pool <- function(engine, name, i) {
  of <- if (name == "breaks") "break" else "level"
  engine[[name]][engine[[paste0(of, "_start")]][i] + seq_len(engine[[paste0(of, "_count")]][i])]
}

# What differs between the engine's table of attributes and the oracle's, in words.
score_differences <- function(engine, oracle) {
  column <- vapply(oracle, `[[`, 0L, "column")
  if (!identical(as.integer(engine$column), column)) {
    return(paste0("columns: ", toString(engine$column), " / oracle: ", toString(column)))
  }
  differences <- character()
  for (i in seq_along(oracle)) {
    expected <- oracle[[i]]
    for (name in c("gain", "cut", "score")) {
      found <- engine[[name]][i]
      if (!agrees(found, expected[[name]])) {
        differences <- c(differences, paste(name, "of", column[i], found, expected[[name]]))
      }
    }
    same <- c(
      breaks = agrees(pool(engine, "breaks", i), expected$breaks),
      level = same_group(engine, i, expected),
      eligible = engine$eligible[i] == expected$eligible,
      chosen = engine$chosen[i] == expected$chosen,
      branches = engine$n_branches[i] == expected$n_branches,
      admissible = engine$admissible[i],
      missing = engine$filled[i] == (expected$filled %||% -1),
      exact = engine$exact[i]
    )
    if (!all(same)) {
      differences <- c(differences, paste(toString(names(same)[!same]), "of column", column[i]))
    }
  }
  differences
}

same_group <- function(engine, i, expected) {
  if (is.null(expected$group)) {
    return(TRUE)
  }
  identical(as.integer(pool(engine, "level", i)), expected$group$level) &&
    identical(as.integer(pool(engine, "level_child", i)), expected$group$child)
}

# What differs between two trees, nodes in pre-order.
tree_differences <- function(engine, oracle) {
  if (length(engine$parent) != length(oracle)) {
    return(paste("number of nodes:", length(engine$parent), "/ oracle:", length(oracle)))
  }
  unlist(lapply(seq_along(oracle), function(i) {
    same <- node_agreement(engine, i, oracle[[i]])
    if (!all(same)) paste0("node ", i, ": ", toString(names(same)[!same]))
  }))
}

node_agreement <- function(engine, i, node) {
  inner <- !is.null(node$split)
  empty <- node$n == 0
  same <- c(
    depth = engine$depth[i] == node$depth,
    n_children = engine$n_children[i] == length(node$children),
    n = engine$n[i] == node$n,
    weight = agrees(engine$weight[i], node$weight),
    yval = agrees(engine$yval[i], node$yval),
    prob = agrees(engine$prob[i, ], node$prob),
    impurity = empty || agrees(engine$impurity[i], node$impurity)
  )
  if (!inner || !all(same)) {
    is_leaf <- engine$variable[i] == 0 && engine$kind[i] == 0 && is.na(engine$gain[i])
    return(c(same, leaf = inner || is_leaf))
  }
  children <- engine$child[engine$child_start[i] + seq_len(engine$n_children[i])]
  c(
    same,
    variable = engine$variable[i] == node$split$column,
    gain = agrees(engine$gain[i], node$split$gain),
    score = agrees(engine$score[i], node$split$score),
    breaks = agrees(pool(engine, "breaks", i), node$split$breaks),
    level = same_group(engine, i, node$split),
    parent = all(engine$parent[children] == i),
    default = identical(as.double(engine$default_child[i]), as.double(node$default)),
    surrogates = same_surrogates(engine, i, node$split$surrogates)
  )
}
