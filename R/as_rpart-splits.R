# Tested in test-as_rpart.R.
# The splits of an rpart object: for each node its own, then its surrogates, a row each. A row
# holds the rows counted, levels (-1: below the threshold goes left, 1: right), gain or
# agreement, and the threshold or the row of csplit, where 1 is left, 3 right and 2 a level
# not seen.

rpart_splits <- function(fit, decided = NULL) {
  tree <- fit$tree
  count <- integer(length(tree$kind))
  inner <- which(tree$kind != 0L)
  if (length(inner) == 0L) {
    return(list(splits = NULL, csplit = NULL, surrogates = count))
  }
  rows <- lapply(inner, function(i) {
    c(list(primary_row(fit, i)), surrogate_rows(fit, i), stand_in_rows(fit, i))
  })
  owner <- rep(inner, lengths(rows))
  count[inner] <- lengths(rows) - 1L
  rows <- unlist(rows, recursive = FALSE)
  table <- csplit_table(lapply(rows, `[[`, "side"))
  number <- function(name) vapply(rows, function(row) as.double(row[[name]]), 0)
  index <- number("index")
  index[table$row > 0L] <- table$row[table$row > 0L]
  variable <- vapply(rows, `[[`, 0L, "variable")
  splits <- cbind(
    count = rows_decided(decided, owner, variable, length(fit$columns$name)),
    ncat = number("ncat"), improve = number("improve"), index = index, adj = number("adj")
  )
  rownames(splits) <- fit$columns$name[variable]
  list(splits = splits, csplit = table$csplit, surrogates = count)
}

# The column that decided at each node for each training row, and where the row ended.
deciding_rows <- function(fit, data, env) {
  known <- !is.na(node_response(fit, data, NULL, env))
  data <- data[known, , drop = FALSE]
  columns <- fit$columns
  values <- code_rows(fit, data, env, "data")
  paths <- tec_paths_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), nrow(data)
  )
  up <- fit$tree$parent[paths$node]
  by <- ifelse(paths$surrogate > 0L, paths$surrogate, fit$tree$variable[pmax(up, 1L)])
  some <- up > 0L & !paths$by_default
  where <- stats::setNames(route_rows(fit, values, nrow(data)), row.names(data))
  list(node = up[some], column = by[some], where = where)
}

rows_decided <- function(decided, node, column, n_columns) {
  if (is.null(decided)) {
    return(rep(NA_real_, length(node)))
  }
  key <- function(node, column) (node - 1) * n_columns + column
  as.double(tabulate(match(key(decided$node, decided$column), key(node, column)), length(node)))
}

# The sides of levels as rows of one matrix, and the row of each split, 0 for a number.
csplit_table <- function(sides) {
  by_level <- which(lengths(sides) > 0L)
  row <- integer(length(sides))
  row[by_level] <- seq_along(by_level)
  csplit <- matrix(2L, length(by_level), max(lengths(sides)))
  for (k in seq_along(by_level)) {
    side <- sides[[by_level[k]]]
    csplit[k, seq_along(side)] <- ifelse(is.na(side), 2L, c(1L, 3L)[side])
  }
  list(row = row, csplit = if (length(by_level)) csplit)
}

# The test of one column as rpart has it: of a number x <= cut, otherwise by `side`, the branch
# (1 or 2) of each level. `flipped`: low numbers go right.
rpart_test <- function(fit, variable, cut, side, flipped = FALSE) {
  if (fit$columns$kind[variable] == "numeric") {
    out <- list(ncat = if (flipped) 1 else -1, index = next_double(cut))
  } else if (is.logical(fit$columns$ptype[[variable]])) {
    # rpart codes a logical as 0 and 1.
    right <- isTRUE(side[1L] == 2L) || isTRUE(side[2L] == 1L)
    out <- list(ncat = if (right) 1 else -1, index = 0.5)
  } else {
    out <- list(ncat = length(side), index = 0, side = side)
  }
  c(list(variable = variable), out)
}

# For regression the gain is the decrease of the node's error, as a share of it.
primary_row <- function(fit, node) {
  tree <- fit$tree
  variable <- tree$variable[node]
  side <- level_branches(tree, node, length(fit$columns$levels[[variable]]))
  test <- rpart_test(fit, variable, tree$breaks[tree$break_start[node] + 1L], side)
  scale <- if (is.null(fit$response$levels)) 1 / tree$impurity[node] else tree$weight[node]
  c(test, list(improve = tree$gain[node] * scale, adj = 0))
}

surrogate_rows <- function(fit, node) {
  tree <- fit$tree
  at <- tree$surrogate_start[node] + seq_len(tree$surrogate_count[node])
  lapply(at, function(i) {
    test <- rpart_test(
      fit, tree$surrogate_variable[i], tree$surrogate_cut[i], surrogate_sides(fit, i),
      tree$surrogate_flipped[i]
    )
    c(test, list(improve = tree$surrogate_agree[i], adj = tree$surrogate_adj[i]))
  })
}

# The branch (1 or 2) of each level by surrogate `i`; NA for one that the node did not see.
surrogate_sides <- function(fit, i) {
  tree <- fit$tree
  code <- seq_along(fit$columns$levels[[tree$surrogate_variable[i]]])
  if (tree$surrogate_kind[i] == 4L) {
    at <- tree$surrogate_level_start[i] + seq_len(tree$surrogate_level_count[i])
    side <- rep(NA_integer_, length(code))
    side[tree$level[at]] <- tree$level_child[at] + 1L
  } else {
    side <- ifelse(code <= tree$surrogate_cut[i], 1L, 2L)
  }
  if (tree$surrogate_flipped[i]) 3L - side else side
}

# If the branch for missing values is not the one with more rows: surrogates that send every value
# to it. No number is below -Inf.
stand_in_rows <- function(fit, node) {
  tree <- fit$tree
  kids <- tree$child[tree$child_start[node] + 1:2]
  to <- tree$default_child[node] + 1L
  if (tree$unknown != 0L || tree$n[kids[to]] > tree$n[kids[3L - to]]) {
    return(NULL)
  }
  others <- setdiff(seq_along(fit$columns$name), tree$variable[node])
  agree <- tree$weight[kids[to]] / sum(tree$weight[kids])
  lapply(others, function(variable) {
    side <- rep(to, length(fit$columns$levels[[variable]]))
    c(
      if (length(side) && !is.logical(fit$columns$ptype[[variable]])) {
        list(variable = variable, ncat = length(side), index = 0, side = side)
      } else {
        list(variable = variable, ncat = if (to == 1L) 1 else -1, index = -Inf)
      },
      list(improve = agree, adj = 0)
    )
  })
}

# rpart's own: the gains of splits, and of surrogates in proportion to their adj.
rpart_importance <- function(frame, splits, classes) {
  if (is.null(splits)) {
    return(NULL)
  }
  inner <- which(frame$var != "<leaf>")
  first <- cumsum(c(1L, 1L + frame$nsurrogate[inner]))[seq_along(inner)]
  gain <- unname(splits[first, "improve"]) * if (classes) 1 else frame$dev[inner]
  owner <- rep(seq_along(inner), 1L + frame$nsurrogate[inner])
  part <- splits[, "adj"]
  part[first] <- 1
  value <- rowsum(gain[owner] * part, rownames(splits))[, 1L]
  value <- sort(value[value > 0], decreasing = TRUE)
  if (length(value)) value
}

# The branch, from 1, of each declared level; NA for one that the node did not see.
level_branches <- function(tree, node, n_levels) {
  out <- rep(NA_integer_, n_levels)
  if (tree$kind[node] == 5L) {
    out <- seq_len(n_levels)
  } else if (tree$kind[node] == 3L) {
    out <- ifelse(seq_len(n_levels) <= tree$breaks[tree$break_start[node] + 1L], 1L, 2L)
  } else {
    at <- set_positions(tree, node)
    out[tree$level[at]] <- tree$level_child[at] + 1L
  }
  out
}
