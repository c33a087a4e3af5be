# The oracle's exhaustive splitter. A problem is a list of
#   columns, kinds (0 numeric, 1 ordered, 2 nominal), n_levels   as the engine takes them
#   y, K, w                                                      K = 0: regression
#   name, parameter                                              of the criterion
#   control                                                      as the engine takes it
#   factors                                                      of classes, see oracle_counted()
# A candidate is a list(branch, breaks, group): `branch` holds a branch number for each row with a
# value, `group` the branch of each level for subsets.

# What rows count where classes count differently: for `what` "split" in the search, for "prior" in
# what is said of a node. Sizes are sums of oracle_sizes().
oracle_counted <- function(rows, problem, what) {
  w <- problem$w[rows]
  if (is.null(problem$factors)) w else w * problem$factors[[what]][problem$y[rows]]
}

oracle_reaches <- function(weight, bound) weight >= bound - 1e-9 * max(1, bound)

oracle_first_best <- function(values, impurity) {
  best <- max(values)
  # In a pure node, of impurity 0, the formulas here still round.
  ties <- abs(values - best) <= 1e-10 * pmax(abs(values), abs(best)) + 1e-13 * impurity + 1e-15
  which(ties)[1]
}

oracle_midpoint <- function(a, b) {
  if (is.infinite(a) && is.infinite(b)) {
    return(0)
  }
  if (is.infinite(a)) {
    return(-.Machine$double.xmax)
  }
  if (is.infinite(b)) {
    return(a)
  }
  t <- a + (b - a) / 2
  if (t >= b) a else t
}

# All ways to cut the ordered values v into up to `most` intervals, by number and then
# lexicographically.
oracle_cut_candidates <- function(x, most, threshold) {
  v <- sort(unique(x))
  candidates <- list()
  for (g in seq_len(min(most, length(v)))[-1]) {
    cuts <- utils::combn(length(v) - 1, g - 1)
    code <- match(x, v)
    for (i in seq_len(ncol(cuts))) {
      branch <- rep(1L, length(x))
      for (cut in cuts[, i]) {
        branch <- branch + (code > cut)
      }
      breaks <- vapply(cuts[, i], function(cut) threshold(v[cut], v[cut + 1]), 0)
      candidates[[length(candidates) + 1]] <- list(branch = branch, breaks = breaks)
    }
  }
  candidates
}

oracle_order_of_levels <- function(x, levels, node, statistic) {
  key <- vapply(levels, function(l) statistic(node$y[x == l], node$w[x == l]), 0)
  # Keys that differ by rounding alone are equal.
  levels[order(round(key / max(abs(key), 1e-300), 10), levels)]
}

oracle_prefixes <- function(ordered_levels) {
  lapply(seq_len(length(ordered_levels) - 1), function(i) ordered_levels[seq_len(i)])
}

oracle_groupings <- function(levels) {
  lapply(seq_len(2^(length(levels) - 1) - 1), function(mask) {
    levels[bitwAnd(mask, bitwShiftL(1L, seq_along(levels) - 1L)) > 0]
  })
}

# The groups that are tried, in order. `all`: not only the prefixes of an order of the levels.
oracle_groups <- function(x, node, problem, all) {
  levels <- sort(unique(x))
  if (length(levels) < 2) {
    return(list())
  }
  if (problem$name == "l2" && !all) {
    return(oracle_prefixes(oracle_order_of_levels(x, levels, node, oracle_mean)))
  }
  classes <- sort(unique(node$y))
  if (node$K > 0 && oracle_scans(problem, classes) && !all) {
    later <- max(classes)
    share <- function(y, w) sum(w[y == later]) / sum(w)
    return(oracle_prefixes(oracle_order_of_levels(x, levels, node, share)))
  }
  oracle_groupings(levels)
}

oracle_scans <- function(problem, classes) {
  length(classes) <= 2 && oracle_has_linear_weights(problem$name, problem$parameter)
}

oracle_group_candidate <- function(x, group) {
  levels <- sort(unique(x))
  # The first branch is the one with the first level.
  first <- if (levels[1] %in% group) group else setdiff(levels, group)
  list(
    branch = ifelse(x %in% first, 1L, 2L),
    breaks = numeric(),
    group = list(level = levels, child = ifelse(levels %in% first, 0L, 1L))
  )
}

oracle_candidates <- function(x, kind, node, problem, all = FALSE) {
  control <- problem$control
  if (kind == 0) {
    return(oracle_cut_candidates(x, control$intervals, oracle_midpoint))
  }
  if (kind == 1 || control$nominal == "ordered") {
    return(oracle_cut_candidates(x, 2, function(a, b) floor((a + b) / 2)))
  }
  if (control$nominal == "multiway") {
    return(list(list(branch = as.integer(x), breaks = numeric())))
  }
  lapply(oracle_groups(x, node, problem, all), function(group) oracle_group_candidate(x, group))
}

# All candidates of a column with their measures, or NULL. Those of the root are kept where
# check_both() asks for them three times: `problem$root` is then an environment with its weights.
oracle_column <- function(column, rows, problem) {
  root <- problem$root
  if (is.null(root) || !identical(rows, problem$rows) || !identical(problem$w, root$w)) {
    return(oracle_find_column(column, rows, problem))
  }
  name <- as.character(column)
  if (is.null(root[[name]])) {
    root[[name]] <- list(oracle_find_column(column, rows, problem))
  }
  root[[name]][[1]]
}

# No grouping beats the best prefix; where that is not admissible all groupings are tried.
oracle_find_column <- function(column, rows, problem) {
  found <- oracle_measured(column, rows, problem, all = FALSE)
  if (is.null(found) || problem$kinds[column] != 2 || problem$control$nominal != "binary") {
    return(found)
  }
  cut <- unname(found$values["cut", ])
  best <- max(cut)
  held <- max(-Inf, cut[oracle_sizes_hold(found, column, problem)])
  enough <- oracle_reaches(sum(oracle_sizes(found$known, problem)), 2 * problem$control$min_bucket)
  if (!enough || held >= best - 1e-10 * best - 1e-13 * found$impurity) {
    return(found)
  }
  oracle_measured(column, rows, problem, all = TRUE)
}

oracle_measured <- function(column, rows, problem, all) {
  x <- oracle_searched(column, rows, problem)
  learns <- oracle_learns(column, rows, problem)
  known <- if (learns) rows else rows[!is.na(x[rows])]
  node <- list(y = problem$y[known], w = oracle_counted(known, problem, "split"), K = problem$K)
  candidates <- if (learns) {
    oracle_learned_candidates(column, rows, node, problem, all)
  } else {
    oracle_candidates(x[known], problem$kinds[column], node, problem, all)
  }
  candidates <- Filter(function(candidate) length(unique(candidate$branch)) > 1, candidates)
  if (length(candidates) == 0) {
    return(NULL)
  }
  criterion <- oracle_criteria[[problem$name]]
  counted <- oracle_unknown(known, rows, problem)
  values <- counted$share * vapply(candidates, function(candidate) {
    criterion$measure(node, candidate$branch, problem$parameter, counted$unknown)
  }, c(cut = 0, gain = 0, score = 0))
  impurity <- oracle_impurity(rows, problem)
  gain <- values["gain", ] / counted$share
  list(
    candidates = candidates,
    values = values,
    left = oracle_left(candidates, gain, node, known, impurity, problem, column),
    known = known,
    impurity = impurity
  )
}

# The share of the measures of each grouping of levels that is left once it is named.
oracle_left <- function(candidates, gain, node, known, impurity, problem, column) {
  pays <- problem$n_levels[column] > problem$control$free_levels
  n <- sum(oracle_sizes(known, problem))
  unname(mapply(function(candidate, gain) {
    levels <- sum(!is.na(candidate$group$level))
    if (!pays || levels < 3 || gain <= 0) {
      return(1)
    }
    told <- if (problem$K > 0) {
      table <- tapply(node$w, list(candidate$branch, node$y), sum, default = 0) / sum(node$w)
      sum(table * log(table / outer(rowSums(table), colSums(table))), na.rm = TRUE)
    } else {
      gain / impurity / (if (problem$name == "l1") 1 else 2)
    }
    max(0, 1 - log((2^(levels - 1) - 1) / (levels - 1)) / (n * told))
  }, candidates, gain))
}

oracle_impurity <- function(rows, problem, what = "split") {
  node <- list(y = problem$y[rows], w = oracle_counted(rows, problem, what), K = problem$K)
  oracle_criteria[[problem$name]]$impurity(node, problem$parameter)
}

oracle_sizes_hold <- function(found, column, problem) {
  control <- problem$control
  multiway <- problem$kinds[column] == 2 && control$nominal == "multiway"
  vapply(found$candidates, function(candidate) {
    weight <- rowsum.default(
      oracle_sizes(found$known, problem), candidate$branch, reorder = FALSE
    )
    enough <- oracle_reaches(weight, control$min_bucket)
    !isTRUE(candidate$alone) && if (multiway) sum(enough) >= 2 else all(enough)
  }, NA)
}

# Whether a candidate gains enough to be made. In a pure node the gain is zero but for the rounding
# of the formulas here.
oracle_gains <- function(found, problem) {
  least <- problem$control$min_gain
  if (least >= 0) {
    least <- least + 1e-12 * found$impurity + 1e-15
  }
  unname(found$values["gain", ]) > least
}

oracle_admissible <- function(found, column, problem) {
  oracle_sizes_hold(found, column, problem) & oracle_gains(found, problem)
}

# The split that stands for a column: the best cut measure, for each number of intervals apart, then
# the best score. Of the splits that gain enough or, where none does, of all that hold min_bucket.
oracle_representative <- function(column, rows, problem) {
  found <- oracle_column(column, rows, problem)
  if (is.null(found)) {
    return(NULL)
  }
  usable <- which(oracle_sizes_hold(found, column, problem))
  gains <- oracle_gains(found, problem)
  enough <- any(gains[usable])
  if (enough) {
    usable <- usable[gains[usable]]
  }
  if (length(usable) == 0) {
    return(NULL)
  }
  g <- vapply(found$candidates[usable], function(candidate) length(unique(candidate$branch)), 0L)
  best <- vapply(split(usable, g), function(at) {
    at[oracle_first_best(found$values["cut", at], found$impurity)]
  }, 0L)
  best <- best[oracle_first_best(found$values["score", best], found$impurity)]
  candidate <- found$candidates[[best]]
  found$values <- found$values * rep(found$left, each = 3)
  enough <- enough && oracle_gains(found, problem)[best]
  c(
    list(
      column = column, known = found$known, n_branches = length(unique(candidate$branch)),
      enough = enough, left = found$left[[best]]
    ),
    candidate,
    as.list(found$values[, best])
  )
}

# One entry a column whose split gains enough, with `eligible` and `chosen`. Those that gain too
# little count in the mean.
oracle_scores <- function(rows, problem) {
  by_c45 <- problem$control$rules == "c45"
  splits <- if (by_c45) oracle_c45_scores(rows, problem) else oracle_exact_scores(rows, problem)
  # A leaf, whatever a split may gain.
  if (length(unique(problem$y[rows])) == 1) {
    splits <- lapply(splits, utils::modifyList, list(eligible = FALSE, chosen = FALSE))
  }
  splits
}

oracle_exact_scores <- function(rows, problem) {
  splits <- lapply(seq_along(problem$columns), function(column) {
    oracle_representative(column, rows, problem)
  })
  splits <- Filter(Negate(is.null), splits)
  if (length(splits) == 0) {
    return(list())
  }
  rule <- problem$control$eligible
  if (rule == "default") {
    rule <- oracle_criteria[[problem$name]]$eligible
  }
  cut <- vapply(splits, `[[`, 0, "cut")
  spread <- if (length(cut) > 1) stats::sd(cut) else 0
  bound <- switch(rule,
    all = -Inf,
    mean = mean(cut),
    mean_sd = mean(cut) - spread
  )
  eligible <- cut >= bound - 1e-10 * max(1, abs(mean(cut)))
  enough <- vapply(splits, `[[`, NA, "enough")
  score <- vapply(splits, `[[`, 0, "score")
  may_win <- which(eligible & enough)
  chosen <- if (length(may_win) > 0) {
    may_win[oracle_first_best(score[may_win], oracle_impurity(rows, problem))]
  } else {
    0
  }
  for (i in seq_along(splits)) {
    splits[[i]]$eligible <- eligible[i]
    splits[[i]]$chosen <- i == chosen
  }
  splits[enough]
}

# Why a column may not split the rows: 0 it may, 1 one value only, 2 min_bucket, 3 min_gain.
oracle_barred <- function(rows, problem) {
  vapply(seq_along(problem$columns), function(column) {
    found <- oracle_column(column, rows, problem)
    if (is.null(found)) {
      return(1L)
    }
    held <- oracle_sizes_hold(found, column, problem)
    if (!any(held)) {
      return(2L)
    }
    enough <- if (problem$control$rules == "c45") {
      any(oracle_admissible(found, column, problem))
    } else {
      oracle_representative(column, rows, problem)$enough
    }
    if (enough) 0L else 3L
  }, 0L)
}
