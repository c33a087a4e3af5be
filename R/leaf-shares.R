# The class shares that nodes predict: those of their rows and of `smooth` extra rows, which are
# spread evenly over the classes or like the root's shares. So a few rows cannot rule out a class.
# If spread evenly, the order of the classes does not change. Prints, tables and the texts of plots
# show the same shares as predict().
leaf_shares <- function(fit, nodes = seq_along(fit$tree$kind)) {
  tree <- fit$tree
  shares <- tree$prob[nodes, , drop = FALSE]
  smooth <- smoothing(fit)
  if (smooth$rows == 0 || ncol(shares) == 0L) {
    return(shares)
  }
  # A leaf without training rows has the shares of the last node above it that has rows.
  while (any(empty <- tree$weight[nodes] <= 0 & tree$parent[nodes] > 0)) {
    nodes[empty] <- tree$parent[nodes[empty]]
  }
  weight <- tree$weight[nodes]
  extra <- rep(smooth$rows * smooth$to, each = length(nodes))
  (shares * weight + extra) / (weight + smooth$rows)
}

# Each share is rounded by itself, so that the text shows predict() to two digits.
share_text <- function(shares) {
  shares[] <- sprintf("%.2f", shares)
  shares
}

# list(rows =, to =): the number of extra rows of each node, and the share of each class in them.
smoothing <- function(fit) {
  classes <- ncol(fit$tree$prob)
  to <- if (smooths_to_root(fit)) fit$tree$prob[1L, ] else rep(1 / classes, classes)
  list(rows = smooth_rows(fit$control, classes), to = to)
}

smooth_rows <- function(control, classes) {
  smooth <- control$smooth %||% 0
  if (identical(smooth, "laplace")) classes else smooth
}

smooths_to_root <- function(fit) identical(fit$control$smooth_to, "root")

# The class with the smallest expected cost, as in a leaf.
best_answer <- function(prob, cost) {
  if (is.null(cost)) {
    return(largest_share(prob))
  }
  expected <- prob %*% cost
  least <- apply(expected, 1L, min)
  max.col(expected <= least * (1 + 1e-12), ties.method = "first")
}

# On ties the first class.
largest_share <- function(prob) {
  max.col(prob >= apply(prob, 1L, max) * (1 - 1e-12), ties.method = "first")
}

# The impurity of class shares, one row per node, by the entropy of the criterion.
node_impurity <- function(prob, criterion) {
  parameter <- names(criterion$parameter) %||% ""
  in_bits <- criterion$units == "bits" || criterion$name %in% c("chisq_lr", "row_effects")
  q <- if (parameter == "") if (in_bits) 1 else 2 else criterion$parameter[[1L]]
  prob <- prob / rowSums(prob)
  terms <- 0 * prob
  terms[prob > 0] <- tsallis_terms(prob[prob > 0], q)
  multiple <- if (in_bits || parameter == "beta") beta_multiple(q) else 1
  rowSums(terms) * multiple
}

# The tree with the shares and means of its rows, before shrinking.
raw_tree <- function(fit) unshrunk(fit)$tree

# The fit with the values that it had before they were shrunk.
unshrunk <- function(fit) {
  shrunk <- fit$shrunk
  if (is.null(shrunk)) {
    return(fit)
  }
  fit["shrunk"] <- NULL
  if (is_forest(fit)) {
    fit$trees[names(shrunk$trees)] <- shrunk$trees
    fit["oob"] <- list(shrunk$oob)
    return(fit)
  }
  fit$tree[c("prob", "yval")] <- shrunk[c("prob", "yval")]
  fit$control["smooth"] <- list(shrunk$smooth)
  fit
}

# The case weights of the classes in each node.
case_counts <- function(fit, classes = TRUE) {
  counts <- fit$tree$weight * raw_tree(fit)$prob[, classes, drop = FALSE]
  factor <- fit$class_factors$prior[classes]
  if (is.null(factor)) counts else sweep(counts, 2L, factor, "/")
}

# The sum of case weights in each node.
case_weights <- function(fit) {
  if (is.null(fit$class_factors)) fit$tree$weight else rowSums(case_counts(fit))
}
