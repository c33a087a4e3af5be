# The oracle of `rules = "c45"`: how C4.5 finds a split, one cut at a time, each measured from its
# class counts. Criteria are those of helper-oracle-criteria.R.

# Whether the cut measure is the information gain, and what a nat of it is in the criterion's units.
oracle_c45_unit <- function(problem) {
  bits <- c("shannon", "gain_ratio", "cond_entropy", "cami", "cair", "effcami0", "effcami1")
  one <- identical(problem$parameter, 1)
  if (problem$name %in% bits || problem$name == "beta" && one) {
    1 / log(2)
  } else if (problem$name %in% c("tsallis", "tsallis_mutual") && one) {
    1
  } else {
    0
  }
}

# What the gain is divided by, the rows without a value as one more group.
oracle_c45_divisor <- function(problem, n_js, unknown) {
  sizes <- c(rowSums(n_js), unknown)
  shares <- sizes / sum(sizes)
  switch(problem$name,
    gain_ratio = oracle_bits(shares),
    tsallis_ratio = oracle_tsallis(shares, problem$parameter),
    cair = max(log2(ncol(n_js)), log2(nrow(n_js))),
    effcami0 = ,
    effcami1 = if (nrow(n_js) <= ncol(n_js)) {
      oracle_bits(shares)
    } else {
      oracle_bits(colSums(n_js) / sum(n_js))
    },
    1
  )
}

# `counted`: how rows without a value count, see oracle_unknown().
oracle_c45_measure <- function(problem, node, branch, counted) {
  n_js <- oracle_counts(node, branch)
  known <- oracle_criteria[[problem$name]]$measure_counts(n_js, problem$parameter)
  gain <- known[["gain"]] * counted$share
  score <- oracle_ratio(gain, oracle_c45_divisor(problem, n_js, counted$unknown))
  c(cut = if (problem$name == "tsallis_ratio") score else gain, gain = gain, score = score)
}

oracle_c45_least_side <- function(problem, known) {
  share <- 0.1 * known / problem$K
  if (share <= problem$control$min_bucket + 1e-6) problem$control$min_bucket else min(share, 25)
}

# The best threshold of a column, or NULL.
oracle_c45_threshold <- function(x, kind, node, problem, counted, training) {
  v <- sort(unique(x))
  weight <- sum(node$w) / counted$share
  least <- oracle_c45_least_side(problem, sum(node$size))
  best <- c(cut = 0)
  at <- 0
  tried <- 0
  for (i in seq_along(v)[-length(v)]) {
    left <- x <= v[i]
    sides <- c(sum(node$size[left]), sum(node$size[!left]))
    if (!(v[i] + 1e-5 < v[i + 1]) || any(sides < least - 1e-6)) {
      next
    }
    tried <- tried + 1
    measures <- oracle_c45_measure(problem, node, ifelse(left, 1L, 2L), counted)
    if (measures[["cut"]] - best[["cut"]] > 1e-6) {
      best <- measures
      at <- i
    }
  }
  less <- if (tried > 0) oracle_c45_unit(problem) * log(tried) / weight else 0
  if (at == 0 || best[["cut"]] - less < 1e-6 || best[["gain"]] - less <= problem$control$min_gain) {
    return(NULL)
  }
  best <- best * (best[["gain"]] - less) / best[["gain"]]
  if (kind == 0) {
    midpoint <- oracle_midpoint(v[at], v[at + 1])
    break_at <- max(training[!is.na(training) & training <= midpoint])
  } else {
    break_at <- floor((v[at] + v[at + 1]) / 2)
  }
  c(list(branch = ifelse(x <= v[at], 1L, 2L), breaks = break_at), as.list(best))
}

# A split by levels is scored by C4.5's measures: multiway there is only one; groups of levels are
# found by the exact search.
oracle_c45_levels <- function(column, x, node, problem, counted) {
  if (problem$control$nominal == "multiway") {
    branch <- as.integer(x)
    sizes <- tapply(node$size, branch, sum)
    if (sum(oracle_reaches(sizes, problem$control$min_bucket)) < 2) {
      return(NULL)
    }
    found <- list(branch = branch, breaks = numeric(), left = 1)
  } else {
    found <- oracle_representative(column, problem$node_rows, problem)
    if (is.null(found) || !found$enough) {
      return(NULL)
    }
  }
  measures <- found$left * oracle_c45_measure(problem, node, found$branch, counted)
  if (abs(measures[["gain"]]) * sum(node$w) < 1e-6) {
    measures[] <- 0
  }
  if (problem$control$min_gain > 0 && measures[["gain"]] <= problem$control$min_gain) {
    return(NULL)
  }
  c(found[intersect(names(found), c("branch", "breaks", "group"))], as.list(measures))
}

oracle_c45_column <- function(column, rows, problem) {
  all_x <- oracle_searched(column, rows, problem)
  known <- rows[!is.na(all_x[rows])]
  x <- all_x[known]
  if (length(unique(x)) < 2) {
    return(NULL)
  }
  counted <- oracle_unknown(known, rows, problem)
  node <- list(
    y = problem$y[known], w = oracle_counted(known, problem, "split"), K = problem$K,
    size = oracle_sizes(known, problem)
  )
  problem$node_rows <- rows
  found <- if (oracle_by_level(column, problem)) {
    oracle_c45_levels(column, x, node, problem, counted)
  } else {
    training <- problem$columns[[column]][problem$rows]
    oracle_c45_threshold(x, problem$kinds[column], node, problem, counted, training)
  }
  if (!is.null(found)) {
    c(list(column = column, known = known, n_branches = length(unique(found$branch))), found)
  }
}

oracle_by_level <- function(column, problem) {
  problem$kinds[column] == 2 && problem$control$nominal != "ordered"
}

# Nominal columns with a level for every third row are left out of the mean, unless all are such.
oracle_c45_in_mean <- function(problem) {
  columns <- seq_along(problem$columns)
  many <- vapply(columns, oracle_by_level, NA, problem = problem) &
    problem$n_levels >= 0.3 * length(problem$rows)
  if (all(many)) rep(TRUE, length(many)) else !many
}

oracle_c45_bound <- function(cut, problem) {
  rule <- problem$control$eligible
  if (rule == "default") {
    rule <- oracle_criteria[[problem$name]]$eligible
  }
  spread <- if (length(cut) > 1) stats::sd(cut) else 0
  switch(rule,
    all = -Inf,
    mean = mean(cut) - 1e-3,
    mean_sd = mean(cut) - spread
  ) - 1e-10 * max(1, abs(mean(cut)))
}

oracle_c45_scores <- function(rows, problem) {
  splits <- lapply(seq_along(problem$columns), oracle_c45_column, rows = rows, problem = problem)
  splits <- Filter(Negate(is.null), splits)
  if (length(splits) == 0) {
    return(list())
  }
  column <- vapply(splits, `[[`, 0L, "column")
  cut <- vapply(splits, `[[`, 0, "cut")
  in_mean <- oracle_c45_in_mean(problem)[column]
  bound <- if (any(in_mean)) oracle_c45_bound(cut[in_mean], problem) else Inf
  best <- 0
  chosen <- 0
  for (i in seq_along(splits)) {
    splits[[i]]$eligible <- cut[i] >= bound
    splits[[i]]$chosen <- FALSE
    if (splits[[i]]$eligible && splits[[i]]$score - best > 1e-6) {
      best <- splits[[i]]$score
      chosen <- i
    }
  }
  if (chosen > 0) {
    splits[[chosen]]$chosen <- TRUE
  }
  splits
}
