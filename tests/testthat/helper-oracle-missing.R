# The oracle's policies for rows without a value: what the search of a column sees of them,
# where they go, and what is predicted. Parts of rows are a weight vector of the node's own.

# A column as its search sees it in a node.
oracle_searched <- function(column, rows, problem) {
  x <- problem$columns[[column]]
  if (problem$control$missing != "mode") {
    return(x)
  }
  x[rows] <- ifelse(is.na(x[rows]), oracle_fill(column, rows, problem), x[rows])
  x
}

# The lower weighted median, or the commonest level, the lowest among equals.
oracle_fill <- function(column, rows, problem) {
  x <- problem$columns[[column]][rows]
  w <- problem$w[rows][!is.na(x)]
  x <- x[!is.na(x)]
  if (length(x) == 0) {
    return(NA)
  }
  values <- sort(unique(x))
  weight <- vapply(values, function(v) sum(w[x == v]), 0)
  if (problem$kinds[column] == 0) {
    values[which(cumsum(weight) >= sum(w) / 2 * (1 - 1e-12))[1]]
  } else {
    values[which(weight >= max(weight) * (1 - 1e-12))[1]]
  }
}

# Whether rows without a value are tried on both sides of the splits of a column.
oracle_learns <- function(column, rows, problem) {
  control <- problem$control
  several <- switch(problem$kinds[column] + 1,
    control$intervals > 2, FALSE, control$nominal == "multiway"
  )
  control$missing == "learned" && !several && anyNA(problem$columns[[column]][rows])
}

# The candidates of such a column, of all rows: `filled` is the branch of those without a value,
# from 0. Of levels that are grouped they are one more group; `alone` if no level is in its branch,
# or none in the other.
oracle_learned_candidates <- function(column, rows, node, problem, all) {
  x <- problem$columns[[column]][rows]
  known <- !is.na(x)
  if (length(unique(x[known])) < 2) {
    return(list())
  }
  kind <- problem$kinds[column]
  if (kind < 2 || problem$control$nominal == "ordered") {
    cuts <- oracle_candidates(x[known], kind, NULL, problem)
    return(c(
      lapply(cuts, oracle_on_side, known = known, side = 1L),
      lapply(cuts, oracle_on_side, known = known, side = 2L)
    ))
  }
  last <- problem$n_levels[column] + 1L
  found <- oracle_candidates(ifelse(known, x, last), kind, node, problem, all)
  lapply(found, function(candidate) {
    candidate$filled <- candidate$branch[!known][1] - 1
    candidate$alone <- length(unique(candidate$branch[known])) == 1
    candidate$group <- lapply(candidate$group, utils::head, n = -1)
    candidate
  })
}

oracle_on_side <- function(candidate, known, side) {
  branch <- rep(side, length(known))
  branch[known] <- candidate$branch
  candidate$branch <- branch
  candidate$filled <- side - 1
  candidate
}

# How rows without a value count in the search of a column: the share that gains are multiplied by,
# and the weight of one more branch in a split information.
oracle_unknown <- function(known, rows, problem) {
  whole <- sum(oracle_counted(rows, problem, "split"))
  part <- sum(oracle_counted(known, problem, "split"))
  missing <- problem$control$missing
  if (length(known) == length(rows) || !missing %in% c("fractional", "surrogate")) {
    return(list(share = 1, unknown = numeric()))
  }
  list(share = part / whole, unknown = if (missing == "fractional") whole - part else numeric())
}

# The branch, from 1, that a value goes to; NA for a missing one and a level that was not there.
oracle_route <- function(split, x, problem) {
  if (!is.null(split$group)) {
    return(split$group$child[match(x, split$group$level)] + 1)
  }
  if (problem$kinds[split$column] == 2 && problem$control$nominal == "multiway") {
    return(x)
  }
  ifelse(is.na(x), NA, 1 + rowSums(outer(x, split$breaks, ">")))
}

oracle_default <- function(node, split, problem) {
  problem$w <- node$w
  switch(problem$control$missing,
    drop = NA,
    mode = oracle_route(split, oracle_fill(split$column, node$rows, problem), problem) - 1,
    learned = split$filled %||% oracle_heaviest_known(node, split, problem),
    surrogate = if (problem$control$use_surrogate == 2) {
      oracle_heaviest_known(node, split, problem)
    } else {
      NA
    },
    oracle_heaviest_known(node, split, problem)
  )
}

oracle_heaviest_known <- function(node, split, problem) {
  oracle_heaviest(oracle_rows_of_children(split, problem), problem)
}

# Which branch each row goes to, by its value, a surrogate, or default; NA: none.
oracle_sent <- function(rows, split, default, problem) {
  branch <- oracle_route(split, problem$columns[[split$column]][rows], problem)
  if (problem$control$missing == "surrogate" && problem$control$use_surrogate > 0) {
    for (surrogate in split$surrogates) {
      to <- oracle_surrogate_route(surrogate, problem$columns[[surrogate$column]][rows])
      branch <- ifelse(is.na(branch), to, branch)
    }
  }
  ifelse(is.na(branch), default + 1, branch)
}

# For each child its rows and the weights of all rows there.
oracle_dealt_rows <- function(node, split, problem) {
  problem$w <- node$w
  known <- oracle_known_rows(node, split, problem)
  n_children <- length(oracle_rows_of_children(split, problem))
  if (problem$control$missing == "fractional") {
    weight <- vapply(seq_len(n_children), function(j) {
      sum(oracle_counted(known$rows[known$branch == j], problem, "prior"))
    }, 0)
    unknown <- setdiff(node$rows, known$rows)
    return(lapply(seq_len(n_children), function(j) {
      w <- node$w
      w[unknown] <- w[unknown] * weight[j] / sum(weight)
      here <- known$rows[known$branch == j]
      list(rows = if (length(here)) sort(c(here, unknown)), w = w)
    }))
  }
  branch <- oracle_sent(node$rows, split, oracle_default(node, split, problem), problem)
  lapply(seq_len(n_children), function(j) {
    list(rows = node$rows[!is.na(branch) & branch == j], w = node$w)
  })
}

oracle_known_rows <- function(node, split, problem) {
  branch <- oracle_route(split, problem$columns[[split$column]][node$rows], problem)
  list(rows = node$rows[!is.na(branch)], branch = branch[!is.na(branch)])
}

# ---- surrogates ----------------------------------------------------------------------------------

oracle_surrogate_route <- function(surrogate, x) {
  if (!is.null(surrogate$group)) {
    return(surrogate$group$child[match(x, surrogate$group$level)] + 1)
  }
  low <- x <= surrogate$cut
  ifelse(is.na(low), NA, ifelse(low == surrogate$flipped, 2, 1))
}

oracle_surrogates <- function(rows, split, problem) {
  control <- problem$control
  wanted <- control$missing == "surrogate" && control$max_surrogate > 0
  multiway <- problem$kinds[split$column] == 2 && control$nominal == "multiway"
  n_children <- if (multiway) problem$n_levels[split$column] else max(split$branch)
  if (!wanted || n_children != 2) {
    return(list())
  }
  branch <- oracle_route(split, problem$columns[[split$column]], problem)
  known <- rows[!is.na(branch[rows])]
  found <- list()
  for (column in setdiff(seq_along(problem$columns), split$column)) {
    values <- sort(unique(problem$columns[[column]][rows]))
    found <- c(found, oracle_surrogate(column, known, values, branch, problem))
  }
  agree <- vapply(found, function(s) round(s$agree, 12), 0)
  utils::head(found[order(-agree)], control$max_surrogate)
}

# All cuts in both directions, or each level by itself. `values` are those of all rows of the node,
# also of those whose branch is not known: they bound a cut.
oracle_surrogate <- function(column, rows, values, branch, problem) {
  x <- problem$columns[[column]]
  both <- rows[!is.na(x[rows])]
  if (length(both) == 0) {
    return(NULL)
  }
  side <- function(of) vapply(1:2, function(j) sum(problem$w[of[branch[of] == j]]), 0)
  of <- side(if (problem$control$surrogate_style == 1) both else rows)
  by_value <- problem$kinds[column] < 2 || problem$control$nominal == "ordered"
  found <- if (by_value) {
    oracle_surrogate_cut(column, both, values, branch, side(both), problem)
  } else {
    oracle_surrogate_levels(x, both, branch, side(both), problem$w)
  }
  if (is.null(found)) {
    return(NULL)
  }
  found$column <- column
  found$agree <- found$right / sum(of)
  found$adj <- (found$right - max(of)) / (sum(of) - max(of))
  if (isTRUE(found$adj > 1e-10)) list(found)
}

oracle_surrogate_cut <- function(column, both, v, branch, sides, problem) {
  w <- problem$w
  x <- problem$columns[[column]]
  midpoint <- if (problem$kinds[column] == 0) oracle_midpoint else function(a, b) floor((a + b) / 2)
  best <- list(right = max(sides))
  for (i in seq_along(v)[-1]) {
    low <- both[x[both] < v[i]]
    high <- both[x[both] >= v[i]]
    if (length(low) < 2 || length(high) < 2) next
    right <- c(
      sum(w[low][branch[low] == 2]) + sum(w[high][branch[high] == 1]),
      sum(w[low][branch[low] == 1]) + sum(w[high][branch[high] == 2])
    )
    for (d in 1:2) {
      if (right[d] > best$right * (1 + 1e-12)) {
        best <- list(right = right[d], flipped = d == 1, cut = midpoint(v[i - 1], v[i]))
        break
      }
    }
  }
  if (!is.null(best$flipped)) best
}

oracle_surrogate_levels <- function(x, both, branch, sides, w) {
  larger <- if (sides[2] >= sides[1]) 2 else 1
  levels <- sort(unique(x[both]))
  to <- vapply(levels, function(l) {
    here <- both[x[both] == l]
    each <- vapply(1:2, function(j) sum(w[here[branch[here] == j]]), 0)
    if (each[3 - larger] > each[larger] * (1 + 1e-12)) 3 - larger else larger
  }, 0)
  sent <- to[match(x[both], levels)]
  right <- sum(w[both][sent == branch[both]])
  list(right = right, flipped = FALSE, group = list(level = levels, child = as.integer(to - 1)))
}

# Agreement of the engine's surrogates of node i with the oracle's.
same_surrogates <- function(engine, i, expected) {
  at <- engine$surrogate_start[i] + seq_len(engine$surrogate_count[i])
  if (length(at) != length(expected)) {
    return(FALSE)
  }
  all(vapply(seq_along(at), function(j) {
    s <- expected[[j]]
    k <- at[j]
    levels <- engine$surrogate_level_start[k] + seq_len(engine$surrogate_level_count[k])
    same <- engine$surrogate_variable[k] == s$column &&
      agrees(engine$surrogate_agree[k], s$agree) && agrees(engine$surrogate_adj[k], s$adj)
    if (!is.null(s$group)) {
      return(same && identical(as.integer(engine$level[levels]), as.integer(s$group$level)) &&
        identical(as.integer(engine$level_child[levels]), s$group$child))
    }
    same && engine$surrogate_flipped[k] == s$flipped && agrees(engine$surrogate_cut[k], s$cut)
  }, NA))
}

# ---- prediction ----------------------------------------------------------------------------------

# Nodes with the places of their children in pre-order.
oracle_numbered <- function(nodes) {
  depth <- vapply(nodes, `[[`, 0, "depth")
  place <- seq_along(nodes)
  lapply(place, function(i) {
    node <- nodes[[i]]
    if (length(node$children) == 0) {
      return(node)
    }
    end <- c(which(place > i & depth <= depth[i]), length(nodes) + 1)[1]
    node$places <- which(place > i & place < end & depth == depth[i] + 1)
    node
  })
}

# The end nodes of one row of `columns` with its share of each: a vector by node.
oracle_ends <- function(nodes, problem, columns, row) {
  ends <- numeric(length(nodes))
  go <- function(i, share) {
    node <- nodes[[i]]
    if (is.null(node$split)) {
      ends[i] <<- ends[i] + share
      return()
    }
    there <- problem
    there$columns <- columns
    branch <- oracle_sent(row, node$split, node$default, there)
    unknown <- is.na(oracle_route(node$split, columns[[node$split$column]][row], problem))
    if (problem$control$missing == "fractional" && unknown) {
      weight <- vapply(nodes[node$places], `[[`, 0, "weight")
      for (j in seq_along(weight)) {
        if (weight[j] > 0) go(node$places[j], share * weight[j] / sum(weight))
      }
    } else if (is.na(branch)) {
      ends[i] <<- ends[i] + share
    } else {
      go(node$places[branch], share)
    }
  }
  go(1, 1)
  ends
}

policies_of_missing <- c("fractional", "majority", "mode", "learned", "surrogate", "drop")
