# The reasons why leaves were not split, from the tree and its settings, and the hints of print().

# A data frame with one row per leaf: node, reason (a key of reason_text()). NULL for converted
# trees, which were grown with other settings, and for honest trees, which were grown from other
# rows.
leaf_reasons <- function(fit) {
  if (is.null(fit$call) || !is.null(fit$honest)) {
    return(NULL)
  }
  tree <- fit$tree
  leaf <- which(tree$kind == 0L)
  control <- fit$control
  size <- node_sizes(fit)
  # Uses the same tolerance as growth, because sizes can be sums of fractions.
  below <- function(bound) bound == Inf | size[leaf] < bound - 1e-9 * max(1, bound)
  share <- control$min_bucket_share * size[1L]
  first_of(
    list(
      empty = tree$n[leaf] == 0,
      pure = pure_nodes(fit)[leaf],
      min_bucket = below(2 * control$min_bucket),
      min_split = below(control$min_split) | tree$n[leaf] < 2,
      min_bucket_share = below(2 * share),
      min_impurity = tree$impurity[leaf] <= control$min_impurity * (1 + 1e-12),
      max_depth = tree$depth[leaf] >= control$max_depth,
      pruned = rep(was_pruned(fit), length(leaf)),
      max_leaves = rep(length(leaf) - 1 + most_branches(fit) > control$max_leaves, length(leaf)),
      gain = rep(TRUE, length(leaf))
    ),
    leaf
  )
}

# The sizes that `min_split` and `min_bucket` limit: numbers of rows, or weights if these count
# rows.
node_sizes <- function(fit) {
  if (!has_own_sizes(fit)) {
    return(case_weights(fit))
  }
  fit$tree[["size"]] %||% sizes_of_parts(fit$tree)
}

# Sizes for a tree that was pruned after growth. A divided row counts as one in `n` of every branch,
# but its size is that of its parts. Their shares are those of the branches' weights; parts of parts
# are assumed to have the mean size.
sizes_of_parts <- function(tree) {
  n <- size <- tree$n
  if (tree$unknown != 1L) {
    return(size)
  }
  edge <- edges(tree)
  for (node in unique(edge$parent)) {
    child <- edge$child[edge$parent == node]
    weight <- tree$weight[child]
    divided <- max(0, sum(n[child]) - n[node]) / max(1, sum(weight > 0) - 1)
    each <- n[child] - (weight > 0) * divided + weight / sum(weight) * divided
    size[child] <- each * size[node] / n[node]
  }
  size
}

has_own_sizes <- function(fit) {
  meaning_of(fit$control) == "importance" && !is.null(fit$call[["weights"]])
}

# The maximum number of branches of a split on this tree's columns.
most_branches <- function(fit) {
  levels <- if (fit$control$nominal == "multiway") lengths(fit$columns$levels)
  if (by_chaid(fit$control)) levels <- lengths(fit$columns$levels) + 1L
  max(2, fit$control$intervals, levels)
}

first_of <- function(conditions, node) {
  first <- max.col(do.call(cbind, conditions), ties.method = "first")
  list2DF(list(node = node, reason = names(conditions)[first]))
}

# Equal numbers have an impurity of 0, up to rounding.
pure_nodes <- function(fit) {
  tree <- raw_tree(fit)
  if (fit$response$task == "classification") {
    present <- function(classes) rowSums(tree$prob[, classes, drop = FALSE] > 0)
    return(Reduce(`+`, lapply(class_blocks(tree), present)) <= 1L)
  }
  tree$impurity <= 1e-14 * tree$impurity[1L]
}

reason_text <- function(fit) {
  control <- fit$control
  number <- function(name) paste(name, "=", number_text(control[[name]]))
  split <- if (by_chaid(control)) {
    paste("no split has an adjusted p value of at most", number_text(control$alpha_split))
  } else if (control$min_gain == -Inf) {
    "no admissible split"
  } else {
    paste("no admissible split gains more than", number_text(control$min_gain))
  }
  if (control$min_weighted_gain > 0) {
    split <- paste0(split, ", and ", number("min_weighted_gain"), " times its share")
  }
  c(
    empty = "no training row", pure = "pure",
    min_bucket = paste0("too few rows for two branches of ", number("min_bucket")),
    min_split = paste0("fewer rows than ", number("min_split")),
    min_bucket_share = paste0(
      "too few rows for two branches of ", number("min_bucket_share"), " of all"
    ),
    min_impurity = paste0("no more impure than ", number("min_impurity")),
    max_depth = number("max_depth"),
    pruned = paste0("pruned, or ", split),
    max_leaves = paste0(number("max_leaves"), ", or ", split),
    gain = split
  )
}

# "  pure  3: nodes 2, 7, 11"
reason_lines <- function(leaves, width, most = 12L) {
  if (is.null(leaves)) {
    return(NULL)
  }
  groups <- split(leaves$node, factor(leaves$reason, unique(leaves$reason)))
  nodes <- vapply(groups, function(node) {
    more <- length(node) - most
    paste0(toString(utils::head(node, most)), if (more > 0L) paste(" and", more, "more"))
  }, "")
  count <- number_text(lengths(groups))
  lines <- strwrap(paste0(count, " ", names(groups), ": ", nodes), width, indent = 2L, exdent = 6L)
  c("", "Why leaves are not split", lines)
}

# The hint of print(): at most one line.
next_step <- function(fit) {
  leaves <- leaf_reasons(fit)
  if (is.null(leaves)) {
    return(NULL)
  }
  n <- nrow(leaves)
  if (n == 1L) {
    return(auto_step(fit) %||% root_step(fit, leaves$reason))
  }
  if (was_pruned(fit)) {
    return(auto_step(fit))
  }
  if (n > 10L && is.null(fit$pruning) && is.null(fit$control$cp)) {
    # Cross-validation needs rows, which a tree from data elsewhere may not have.
    how <- if (is.null(fit$found)) "alpha = \"1se\"" else "cp = 0.01"
    return(paste0("# ", n, " leaves, not pruned: tec_prune(fit, ", how, ")"))
  }
  small <- leaves$reason[leaves$reason %in% c("min_bucket", "min_split")]
  if (length(small) < n / 2 || node_sizes(fit)[1L] >= 10 * fit$control$min_split) {
    return(NULL)
  }
  size <- names(sort(table(small), decreasing = TRUE))[1L]
  paste0(
    "# ", length(small), " of ", n, " leaves are too small to split (", size, " = ",
    number_text(fit$control[[size]]), ")"
  )
}

root_step <- function(fit, reason) {
  if (reason == "pruned") {
    shown <- if (length(fit[["cptable"]]$cp) > 1L) ": cp_table(fit) shows the larger trees" else ""
    return(paste0("# Pruned to the root", shown))
  }
  # For example with exclusive or, for which no single column has a gain. C4.5's rules never split
  # then.
  idle <- reason == "gain" && fit$control$min_gain == 0 && isTRUE(fit$control$rules == "exact")
  hint <- if (idle) " (see min_gain = -Inf)"
  paste0("# Not split: ", reason_text(fit)[[reason]], hint)
}
