# The settings of a tuning run whose trees are subtrees of one tree: they differ only in `cp`,
# `alpha`, `max_depth` and `min_split`. A fold grows the largest of these trees once. A smaller
# depth or larger min_split gives its upper part, and a complexity penalty prunes that part (see
# prune/prunings.hpp). So each test row goes down the tree once, and the prediction of each setting
# is that of the node on the path where its tree ends.

# The settings, each with `grown`, the same number if they use the same grown tree, and `penalty`,
# the complexity penalty that prunes it (NA: none), with `relative`, whether it is a share of the
# root's risk.
share_trees <- function(settings, ready, asked) {
  by_cases <- counts_cases(asked, ready)
  key <- vapply(settings, function(s) {
    rlang::hash(list(s$criterion, if (is_pruning(s)) fixed_settings(s$control, by_cases) else s))
  }, "")
  grown <- match(key, unique(key))
  Map(function(s, g) c(s, list(grown = g), complexity_penalty(s)), settings, grown)
}

complexity_penalty <- function(setting) {
  control <- setting$control
  by_penalty <- control$prune == "ccp"
  alpha <- setting$alpha %||% if (by_penalty) control$alpha
  if (is.numeric(alpha)) {
    return(list(penalty = alpha, relative = FALSE))
  }
  list(penalty = if (by_penalty) control$cp %||% 0 else NA_real_, relative = TRUE)
}

each_field <- function(settings, name, type) vapply(settings, `[[`, type, name)
each_control <- function(settings, name) vapply(settings, function(s) s$control[[name]], 0)

# Settings that affect each node separately, so that a larger tree has the same nodes. All others
# must have their defaults.
settings_of_nodes <- c(neutral_settings, "min_weighted_gain", "min_bucket_share", "min_impurity")

# Whether the tree is grown depth-first and pruned only by a complexity penalty, if at all.
is_pruning <- function(setting) {
  control <- setting$control
  control$prune %in% c("none", "ccp") && !is.character(control$alpha) &&
    is.infinite(control$max_leaves) && !isTRUE(control$collapse) &&
    usual_but_for(control, settings_of_nodes)
}

# The weight of a node shows whether `min_split` stopped there, if the weight is the node's size.
counts_cases <- function(asked, ready) {
  is.null(ready$sizes) && is.null(asked$prior) && is.null(asked$class_weights) &&
    !identical(resolve_cost_in(asked$cost_in, asked$cost, ready$preset), "split")
}

fixed_settings <- function(control, by_cases) {
  varied <- c("prune", "cp", "alpha", "max_depth", if (by_cases) "min_split")
  unclass(control)[setdiff(names(control), varied)]
}

# For each setting: the number of settings that use the same tree.
n_served <- function(settings) {
  grown <- each_field(settings, "grown", 0L)
  tabulate(grown)[grown]
}

# The setting of the largest tree.
largest_setting <- function(settings) {
  out <- settings[[1L]]
  if (length(settings) == 1L && is.null(out$alpha)) {
    return(out)
  }
  out$control$max_depth <- max(each_control(settings, "max_depth"))
  out$control$min_split <- min(each_control(settings, "min_split"))
  out$alpha <- NULL
  out$control[c("cp", "alpha")] <- list(NULL)
  penalty <- each_field(settings, "penalty", 0)
  relative <- unique(each_field(settings, "relative", NA))
  # Splits pruned by the smallest penalty are in none of the trees, so they are not grown.
  if (!anyNA(penalty) && length(relative) == 1L) {
    out$control$prune <- "ccp"
    out$control[[if (relative) "cp" else "alpha"]] <- min(penalty)
  } else {
    out$control$prune <- "none"
  }
  out
}

# The cells of several settings from the largest tree. `like` is equal for cells with equal
# predictions.
prune_cells <- function(fit, settings, held, n, job) {
  node <- route_rows(fit, held, n, job$threads)
  shared <- shared_rows(fit, held, n)
  parts <- if (!is.null(shared)) shared_paths(fit, held, shared)
  at <- sort(unique(c(node, shared$node)))
  to <- prunings_of(fit, settings, at)
  of_row <- match(node, at)
  of_part <- match(shared$node, at)
  first <- which(to$like == seq_along(settings))
  cells <- lapply(first, function(i) {
    end <- to$end[, i]
    node <- end[of_row]
    cut <- if (!is.null(shared)) cut_shares(parts, shared$row, end[of_part])
    node[cut$whole$row] <- cut$whole$node
    c(cell_values(fit, node, cut$shared, job), list(like = paste(settings[[1L]]$grown, i)))
  })
  Map(
    function(cell, nodes, leaves, depth) c(cell, nodes = nodes, leaves = leaves, depth = depth),
    cells[match(to$like, first)], to$nodes, to$leaves, to$depth
  )
}

prunings_of <- function(fit, settings, at) {
  min_split <- each_control(settings, "min_split")
  # The tree was grown with its own limit, which is not always a weight.
  min_split[min_split <= fit$control$min_split] <- 0
  tec_prunings_(
    raw_tree(fit), length(fit$columns$name), core_risk(fit, fit$control$risk),
    each_control(settings, "max_depth"), min_split,
    each_field(settings, "penalty", 0), each_field(settings, "relative", NA), at,
    own_penalties(fit)
  )
}

# The shares of rows that reach each node, by row and node, for rows that go down several branches.
shared_paths <- function(fit, held, shared) {
  rows <- unique(shared$row)
  columns <- fit$columns
  paths <- tec_paths_(
    fit$tree, lapply(held, `[`, rows), unname(kind_codes[columns$kind]), lengths(columns$levels),
    length(rows)
  )
  list(key = pair_key(rep(rows, diff(paths$start)), paths$node), share = paths$share)
}

pair_key <- function(row, node) row + node * 2^31

# The nodes where shares of rows end in a subtree. Shares that end in the same node are added.
cut_shares <- function(parts, row, node) {
  key <- pair_key(row, node)
  first <- !duplicated(key)
  row <- row[first]
  node <- node[first]
  whole <- !row %in% row[duplicated(row)]
  share <- parts$share[match(key[first], parts$key)]
  list(
    whole = list(row = row[whole], node = node[whole]),
    shared = if (!all(whole)) {
      list(row = row[!whole], node = node[!whole], share = share[!whole])
    }
  )
}

cell_values <- function(fit, node, shared, job) {
  value <- leaf_values(fit, node, "response", shared)
  list(
    value = if (is.factor(value)) as.integer(value) else value,
    prob = if (job$prob) unname(leaf_values(fit, node, "prob", shared))
  )
}
