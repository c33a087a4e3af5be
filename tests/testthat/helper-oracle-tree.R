# The oracle's tree: plain recursion for depth-first growth, a plain list of open leaves for
# best-first. The result is a nested list, flattened in pre-order for comparison.

oracle_leaf <- function(rows, depth, problem) {
  y <- problem$y[rows]
  w <- oracle_counted(rows, problem, "prior")
  node <- list(
    rows = rows, w = problem$w, depth = depth, split = NULL, children = list(),
    n = length(rows), weight = sum(w), size = sum(oracle_sizes(rows, problem)),
    impurity = oracle_impurity(rows, problem, "prior"), prob = numeric()
  )
  if (problem$K > 0) {
    node$prob <- oracle_shares(list(y = y, w = w, K = problem$K))
    node$yval <- which(node$prob >= max(node$prob) * (1 - 1e-12))[1]
  } else {
    node$yval <- if (problem$name == "l1") oracle_median(y, w) else oracle_mean(y, w)
  }
  node
}

# A level without rows: predicts as its parent does.
oracle_empty_leaf <- function(parent) {
  list(
    rows = integer(), depth = parent$depth + 1, split = NULL, children = list(), n = 0, weight = 0,
    impurity = NA, prob = parent$prob, yval = parent$yval
  )
}

# The sizes of rows, of which a part has that part of the row's size: problem$unit is a row's size
# by weight.
oracle_sizes <- function(rows, problem) {
  unit <- problem$unit %||% rep(1, length(problem$w))
  (problem$w * unit)[rows]
}

oracle_split_of <- function(node, problem) {
  control <- problem$control
  problem$w <- node$w
  stop_here <- node$n == 0 ||
    length(unique(problem$y[node$rows])) == 1 ||
    !oracle_reaches(node$size, control$min_split) ||
    node$depth >= control$max_depth
  if (stop_here) {
    return(NULL)
  }
  for (split in oracle_scores(node$rows, problem)) {
    if (split$chosen) {
      split$surrogates <- oracle_surrogates(node$rows, split, problem)
      return(split)
    }
  }
  NULL
}

oracle_children <- function(node, split, problem) {
  lapply(oracle_dealt_rows(node, split, problem), function(dealt) {
    if (length(dealt$rows) == 0) {
      return(oracle_empty_leaf(node))
    }
    problem$w <- dealt$w
    oracle_leaf(dealt$rows, node$depth + 1, problem)
  })
}

# The rows with a value, by branch.
oracle_rows_of_children <- function(split, problem) {
  multiway <- problem$kinds[split$column] == 2 && problem$control$nominal == "multiway"
  n_children <- if (multiway) problem$n_levels[split$column] else max(split$branch)
  lapply(seq_len(n_children), function(j) split$known[split$branch == j])
}

# The heaviest branch, from 0, the first among equals.
oracle_heaviest <- function(rows, problem) {
  weight <- vapply(rows, function(r) sum(problem$w[r]), 0)
  which(weight >= max(weight) * (1 - 1e-12))[1] - 1
}

oracle_grow <- function(node, problem) {
  node$split <- oracle_split_of(node, problem)
  if (!is.null(node$split)) {
    node$default <- oracle_default(node, node$split, problem)
    children <- oracle_children(node, node$split, problem)
    node$children <- lapply(children, oracle_grow, problem = problem)
  }
  node
}

oracle_flatten <- function(node) {
  c(list(node), do.call(c, lapply(node$children, oracle_flatten)))
}

# Best-first: the open leaf with the largest gain times weight is split next; a split that would
# make more than max_leaves leaves is not made. `path` says where a node hangs.
oracle_grow_best_first <- function(root, problem) {
  open <- list(list(path = integer(), node = root, split = oracle_split_of(root, problem)))
  splits <- list()
  n_leaves <- 1
  repeat {
    can_split <- which(!vapply(open, function(entry) is.null(entry$split), NA))
    if (length(can_split) == 0) {
      break
    }
    priority <- vapply(open[can_split], function(entry) entry$split$gain * entry$node$weight, 0)
    at <- can_split[oracle_first_best(priority, root$impurity * root$weight)]
    entry <- open[[at]]
    open[[at]] <- NULL
    children <- oracle_children(entry$node, entry$split, problem)
    if (n_leaves + length(children) - 1 > problem$control$max_leaves) {
      next
    }
    n_leaves <- n_leaves + length(children) - 1
    splits[[oracle_place(entry$path)]] <- entry$split
    for (j in seq_along(children)) {
      open[[length(open) + 1]] <- list(
        path = c(entry$path, j), node = children[[j]],
        split = oracle_split_of(children[[j]], problem)
      )
    }
  }
  oracle_assemble(root, integer(), splits, problem)
}

oracle_place <- function(path) paste(c("root", path), collapse = ".")

oracle_assemble <- function(node, path, splits, problem) {
  node$split <- splits[[oracle_place(path)]]
  if (!is.null(node$split)) {
    node$default <- oracle_default(node, node$split, problem)
    children <- oracle_children(node, node$split, problem)
    node$children <- lapply(seq_along(children), function(j) {
      oracle_assemble(children[[j]], c(path, j), splits, problem)
    })
  }
  node
}

# All nodes in pre-order.
oracle_tree <- function(problem) {
  root <- oracle_leaf(problem$rows, 0, problem)
  if (is.finite(problem$control$max_leaves)) {
    oracle_flatten(oracle_grow_best_first(root, problem))
  } else {
    oracle_flatten(oracle_grow(root, problem))
  }
}
