# What a tree loses on its training data, counted anew from the vectors of its nodes; and the least
# that any tree of depth 2 loses, by trying all.

# The risk of each node as a leaf, from weights and class shares. `cost`: truth by answer.
node_risks <- function(tree, impurity, cost = NULL) {
  if (impurity || ncol(tree$prob) == 0L) {
    return(tree$weight * tree$impurity)
  }
  counts <- tree$weight * tree$prob
  counts[!is.finite(counts)] <- 0
  k <- ncol(counts)
  apply(counts %*% (cost %||% (1 - diag(k))), 1, min)
}

# At the best pruning. Rows that stop at a node keep their part of its risk.
penalised_loss <- function(tree, risk, price = 0, stops = FALSE) {
  n <- length(tree$kind)
  loss <- risk + price
  for (v in rev(seq_len(n))) {
    if (tree$kind[v] == 0L) next
    children <- tree$child[tree$child_start[v] + seq_len(tree$n_children[v])]
    below <- sum(loss[children])
    if (stops && tree$weight[v] > 0) {
      below <- below + risk[v] * max(0, 1 - sum(tree$weight[children]) / tree$weight[v])
    }
    loss[v] <- min(loss[v], below)
  }
  loss[1L]
}

# Every way to send rows left: thresholds of numbers, groups of levels.
all_divisions <- function(x) {
  if (is.factor(x)) {
    levels <- levels(droplevels(x))
    m <- length(levels)
    if (m < 2) {
      return(list())
    }
    sets <- lapply(seq_len(2^(m - 1) - 1), function(i) levels[bitwAnd(i, 2^(seq_len(m) - 1)) > 0])
    return(lapply(sets, function(set) x %in% set))
  }
  values <- sort(unique(x))
  lapply(values[-length(values)], function(v) x <= v)
}

# `loss(rows)`: of these rows in one leaf.
least_of_one_split <- function(columns, rows, loss, min_bucket) {
  best <- loss(rows)
  for (x in columns) {
    for (left in all_divisions(x[rows])) {
      if (sum(left) < min_bucket || sum(!left) < min_bucket) next
      best <- min(best, loss(rows[left]) + loss(rows[!left]))
    }
  }
  best
}

least_of_depth_two <- function(columns, loss, n, min_bucket) {
  rows <- seq_len(n)
  best <- loss(rows)
  for (x in columns) {
    for (left in all_divisions(x)) {
      if (sum(left) < min_bucket || sum(!left) < min_bucket) next
      best <- min(
        best, least_of_one_split(columns, rows[left], loss, min_bucket) +
          least_of_one_split(columns, rows[!left], loss, min_bucket)
      )
    }
  }
  best
}

# A problem of the oracle with limits that make looking ahead matter.
random_ahead_problem <- function(listed) {
  one <- pick(listed)[[1L]]
  problem <- random_problem(one$name, one$default %||% 0, one$task, most_rows = 30)
  if (is.na(problem$parameter)) problem$parameter <- 0
  classes <- problem$K
  problem$control <- utils::modifyList(problem$control, list(
    max_depth = pick(c(1, 2, 3, 4, Inf)), max_leaves = pick(c(Inf, Inf, 2, 3, 5, 8)),
    missing = pick(c("majority", "mode", "learned", "fractional", "surrogate", "drop")),
    use_surrogate = pick(0:2), max_surrogate = pick(c(1L, 5L)),
    intervals = pick(c(2L, 2L, 3L)),
    least_risk = -Inf, least_share = 0, risk_is_impurity = classes == 0 || pick(c(FALSE, TRUE)),
    leaf_price = 0, leaf_price_share = pick(c(0, 0, 0.01, 0.05))
  ))
  if (classes > 0 && stats::runif(1) < 0.2) {
    prior <- stats::runif(classes, 0.5, 2)
    problem$factors <- list(prior = prior, split = prior * stats::runif(classes, 0.5, 2))
  }
  if (classes > 0 && stats::runif(1) < 0.2) {
    problem$cost <- matrix(stats::runif(classes^2, 0.5, 3), classes) * (1 - diag(classes))
  }
  problem
}

grow_ahead <- function(problem, lookahead, rows = NULL) {
  core <- as_core_problem(problem)
  core$control$lookahead <- lookahead
  if (!is.null(problem$cost)) core$response$loss <- as.double(t(problem$cost))
  if (!is.null(rows)) core$rows <- rows
  tectree:::tec_fit_(core)
}

# Two columns that matter together, with some noise.
toy_of_two_columns <- function(n = 120) {
  set.seed(3)
  d <- data.frame(
    a = stats::runif(n), b = stats::runif(n), c = factor(sample(letters[1:3], n, TRUE))
  )
  d$y <- factor(ifelse(((d$a > 0.4) != (d$b > 0.6)) != (stats::runif(n) < 0.1), "yes", "no"))
  d
}
