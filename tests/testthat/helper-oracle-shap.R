# Shapley values by all subsets of the predictors, from the nodes of a tree as they are stored.

# What a tree predicts for a row of codes of which `known` (logical) are known; for the others the
# codes of `other` count, or where it is NULL the weights of the leaves. `values`: a row per node.
oracle_subset_value <- function(tree, values, row, known, other = NULL, node = 1L) {
  if (tree$kind[node] == 0L) {
    return(values[node, ])
  }
  below <- function(child) oracle_subset_value(tree, values, row, known, other, child)
  children <- tree$child[tree$child_start[node] + seq_len(tree$n_children[node])]
  by_weight <- function() {
    weight <- vapply(children, function(child) oracle_leaf_weight(tree, child), 0)
    if (sum(weight) == 0) weight <- weight + 1
    all <- vapply(children, below, numeric(ncol(values)))
    as.vector(matrix(all, ncol(values)) %*% (weight / sum(weight)))
  }
  j <- tree$variable[node]
  x <- if (known[j]) row[[j]] else if (!is.null(other)) other[[j]]
  if (is.null(x)) {
    return(by_weight())
  }
  branch <- oracle_branch(tree, node, x)
  if (!is.na(branch)) {
    return(below(children[branch]))
  }
  switch(tree$unknown + 1L,
    below(children[tree$default_child[node] + 1L]), by_weight(), values[node, ]
  )
}

oracle_leaf_weight <- function(tree, node) {
  if (tree$kind[node] == 0L) {
    return(tree$weight[node])
  }
  children <- tree$child[tree$child_start[node] + seq_len(tree$n_children[node])]
  sum(vapply(children, function(child) oracle_leaf_weight(tree, child), 0))
}

# From 1; NA where there is no value or the node never saw the level.
oracle_branch <- function(tree, node, x) {
  if (is.na(x)) {
    return(NA_integer_)
  }
  cuts <- tree$breaks[tree$break_start[node] + seq_len(tree$break_count[node])]
  if (tree$kind[node] %in% 1:3) {
    return(sum(x > cuts) + 1L)
  }
  if (tree$kind[node] == 5L) {
    return(x)
  }
  at <- tree$level_start[node] + seq_len(tree$level_count[node])
  tree$level_child[at][match(x, tree$level[at])] + 1L
}

# predictors x outputs, for one row.
oracle_shapley <- function(tree, values, row, others = NULL) {
  p <- length(row)
  if (!is.null(others)) {
    each <- lapply(others, function(other) oracle_shapley_one(tree, values, row, other, p))
    return(Reduce(`+`, each) / length(others))
  }
  oracle_shapley_one(tree, values, row, NULL, p)
}

# What is predicted for each set of known predictors, a row each.
oracle_game <- function(tree, values, row, other, sets) {
  t(matrix(
    apply(sets, 1L, function(known) oracle_subset_value(tree, values, row, known, other)),
    ncol(values)
  ))
}

oracle_sets <- function(p) as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), p)))

oracle_shapley_one <- function(tree, values, row, other, p) {
  sets <- oracle_sets(p)
  game <- oracle_game(tree, values, row, other, sets)
  out <- matrix(0, p, ncol(values))
  for (j in seq_len(p)) {
    without <- which(!sets[, j])
    weight <- 1 / (p * choose(p - 1, rowSums(sets[without, , drop = FALSE])))
    out[j, ] <- colSums(weight * (game[without + 2^(j - 1), , drop = FALSE] -
      game[without, , drop = FALSE]))
  }
  out
}

# predictors x predictors x outputs, for one row: half of each pair's interaction, and on the
# diagonal the Shapley value less these.
oracle_interactions_one <- function(tree, values, row, other, p) {
  sets <- oracle_sets(p)
  game <- oracle_game(tree, values, row, other, sets)
  out <- array(0, c(p, p, ncol(values)))
  for (i in seq_len(p)) {
    for (j in setdiff(seq_len(p), i)) {
      without <- which(!sets[, i] & !sets[, j])
      weight <- 1 / (2 * (p - 1) * choose(p - 2, rowSums(sets[without, , drop = FALSE])))
      at <- function(more) game[without + more, , drop = FALSE]
      both <- at(2^(i - 1) + 2^(j - 1)) - at(2^(i - 1)) - at(2^(j - 1)) + at(0)
      out[i, j, ] <- colSums(weight * both)
    }
  }
  alone <- oracle_shapley_one(tree, values, row, other, p)
  for (i in seq_len(p)) {
    out[i, i, ] <- alone[i, ] - colSums(matrix(out[i, , ], p))
  }
  out
}

# rows x predictors x predictors x outputs.
oracle_interactions <- function(fit, data, background = NULL) {
  classes <- fit$response$task == "classification"
  values <- if (classes) leaf_shares(fit) else matrix(fit$tree$yval)
  others <- if (is.null(background)) list(NULL) else oracle_rows(fit, background)
  p <- length(fit$columns$name)
  all <- vapply(oracle_rows(fit, data), function(row) {
    each <- lapply(others, function(other) {
      oracle_interactions_one(fit$tree, values, row, other, p)
    })
    Reduce(`+`, each) / length(others)
  }, array(0, c(p, p, ncol(values))))
  aperm(all, c(4L, 1L, 2L, 3L))
}

# Codes of rows: a list of lists, a row each.
oracle_rows <- function(fit, data) {
  coded <- lapply(seq_along(fit$columns$name), function(j) {
    x <- data[[fit$columns$name[j]]]
    if (is.null(fit$columns$levels[[j]])) {
      return(as.numeric(x))
    }
    match(as.character(x), fit$columns$levels[[j]])
  })
  lapply(seq_len(nrow(data)), function(i) lapply(coded, `[[`, i))
}

# rows x predictors x outputs, as a tree predicts.
oracle_shap <- function(fit, data, background = NULL) {
  classes <- fit$response$task == "classification"
  values <- if (classes) leaf_shares(fit) else matrix(fit$tree$yval)
  rows <- oracle_rows(fit, data)
  others <- if (!is.null(background)) oracle_rows(fit, background)
  all <- vapply(
    rows, oracle_shapley, matrix(0, length(fit$columns$name), ncol(values)),
    tree = fit$tree, values = values, others = others
  )
  aperm(all, c(3L, 1L, 2L))
}
