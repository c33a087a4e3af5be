#' Trees of a forest
#'
#' `fit[[3]]` is the third tree as a `tec_tree`, with all methods for trees: `print()`, `plot()`,
#' `predict()`, [tec_rules()], [as_rpart()] and others. `length(fit)` and `n_trees(fit)` return the
#' number of trees. `fit$oob` and `fit[["oob"]]` are parts of the fitted object.
#'
#' A forest stores the splits, the weights of the leaves and what they predict. The rest of a tree
#' follows from these: the weights and class shares of the other nodes, the impurities and the
#' gains. A forest does not store
#' * the number of rows: `n` is the rounded weight, which counts a row as often as it was drawn;
#' * the spread of the numbers in a leaf: its impurity is 0, and that of other nodes is the variance
#'   between their leaves, so gains of `"l2"` are exact. For `"l1"` the predictions of inner nodes
#'   are means of their leaves, and gains are those of `"l2"`;
#' * the gains and scores of criteria that are not an entropy reduction: the gains shown are those
#'   of the entropy in the same unit, Shannon's or that of q. They did not choose the split;
#' * the gains of splits on columns with missing values, unless `missing` is `"learned"` or
#'   `"mode"`. The search counted only the rows with a value, and so does `importance()` of the
#'   forest. The gains shown are those of all rows of the node, by the branches that they went down,
#'   and `importance()` of the tree says so;
#' * splits with more than two branches: they are stored as several splits in two;
#' * the weight of rows that `missing = "drop"` leaves behind at a split: weights, impurities and
#'   gains are those of the rows that go on. The prediction of such a node is stored.
#'
#' @param x A forest from [tec_forest()].
#' @param i The number of a tree, or the name of a part of the fit.
#' @param ... Must be empty.
#' @return `[[`: a tree, or a part of the fit. `n_trees()`: one whole number.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' length(fit)
#' fit[[3]]
#' @export
n_trees <- function(x) {
  x <- wrapped_tree(x)
  check_is_forest(x, "n_trees")
  length(x)
}

#' @export
length.tec_forest <- function(x) {
  trees <- .subset2(x, "trees")
  if (is.list(trees)) max(0L, length(trees$start) - 1L) else 0L
}

#' @rdname n_trees
#' @export
`[[.tec_forest` <- function(x, i, ...) {
  if (is.character(i)) {
    return(.subset2(x, i))
  }
  refuse_dots("[[", ...)
  check_fit(x)
  if (!is_number(i) || i < 1 || i > length(x) || i != round(i)) {
    abort_found("{.arg i} must be the number of a tree, from 1 to {length(x)}.", i)
  }
  forest_tree(x, as.integer(i))
}

# `[[` by number returns a tree, so functions that treat a fit as a list get a plain list.

#' @export
as.list.tec_forest <- function(x, ...) {
  refuse_dots("as.list", ...)
  unclass(x)
}

#' @importFrom utils str
#' @export
str.tec_forest <- function(object, ...) utils::str(unclass(object), ...)

# `check`: FALSE if check_fit() has already been called on the forest.
forest_tree <- function(fit, i, check = TRUE) {
  trees <- cut_forest(fit, i)$trees
  tree <- plain_tree(trees, fit)
  control <- fit$control
  control$smooth <- 0
  out <- new_fit("tec_tree", version = fit$version, list(
    tree = tree, columns = fit$columns, response = fit$response, criterion = fit$criterion,
    cost = fit$cost, cost_in = fit$cost_in, control = control, preset = "tec",
    formula = fit$formula, predictors = fit$predictors, call = NULL,
    source = paste0(grown_by(fit), ", tree ", i, " of ", length(fit), " of a forest"),
    n_rows = row_count(tree$n[1L]), n_missing_response = 0L,
    gaps = fit[["gaps"]]
  ))
  if (check) check_fit(out)
  out
}

# A matrix of leaves and classes.
leaf_class_shares <- function(trees, leaf, classes) {
  right <- trees$right[leaf]
  out <- matrix(0, length(leaf), classes)
  pure <- which(right > 0L)
  out[cbind(pure, right[pure])] <- 1
  impure <- which(right < 0L)
  shares <- matrix(trees$shares, classes)
  out[impure, ] <- t(shares[, -right[impure], drop = FALSE])
  out
}

# The vectors of a tec_tree, from those of a forest with one tree.
plain_tree <- function(trees, fit) {
  n <- length(trees$variable)
  inner <- trees$variable != 0L
  at <- which(inner)
  variable <- abs(trees$variable)
  parent <- integer(n)
  parent[at + 1L] <- at
  parent[at + trees$right[at]] <- at
  depth <- integer(n)
  for (node in seq_len(n)[-1L]) depth[node] <- depth[parent[node]] + 1L
  nominal <- inner
  nominal[inner] <- fit$columns$kind[variable[inner]] == "nominal" & length(trees$sides) > 0L
  numeric <- inner
  numeric[inner] <- fit$columns$kind[variable[inner]] == "numeric"
  kind <- ifelse(nominal, 4L, ifelse(numeric, 1L, ifelse(inner, 3L, 0L)))
  start <- function(count) as.integer(cumsum(c(0L, count))[seq_len(n)])
  two <- ifelse(inner, 2L, 0L)
  breaks <- as.integer(inner & !nominal)
  sets <- lapply(which(nominal), function(node) {
    n_levels <- length(fit$columns$levels[[variable[node]]])
    as.integer(trees$sides[trees$cut[node] + seq_len(n_levels)])
  })
  level_count <- integer(n)
  level_count[nominal] <- vapply(sets, function(side) sum(side > 0L), 0L)
  tree <- list(
    parent = parent, depth = depth, kind = kind, variable = variable, n_children = two,
    child_start = start(two), child = as.integer(rbind(at + 1L, at + trees$right[at])),
    break_start = start(breaks), break_count = breaks, breaks = trees$cut[breaks == 1L],
    level_start = start(level_count), level_count = level_count,
    level = as.integer(unlist(lapply(sets, function(side) which(side > 0L)))),
    level_child = as.integer(unlist(lapply(sets, function(side) side[side > 0L] - 1L))),
    default_child = ifelse(inner, as.integer(trees$variable < 0L), NA_integer_)
  )
  tree <- c(tree, tree_facts(trees, tree, fit))
  tree <- add_surrogates(
    c(tree, list(unknown = as.integer(trees$unknown), by_surrogate = FALSE)), vector("list", n)
  )
  tree <- add_gains(tree, inner)
  tree$exact <- ifelse(inner, fit$columns$kind[pmax(variable, 1L)] != "nominal", NA)
  tree$exact[nominal] <- TRUE
  tree
}

# Weights, predictions, shares and impurities of all nodes, from the leaves up.
tree_facts <- function(trees, tree, fit) {
  classes <- length(fit$response$levels)
  leaf <- which(tree$kind == 0L)
  weight <- leaf_weights(trees, leaf, classes)
  per_leaf <- if (classes > 0L) {
    cbind(weight, weight * leaf_class_shares(trees, leaf, classes))
  } else {
    value <- trees$cut[leaf]
    centre <- if (sum(weight) > 0) sum(weight * value) / sum(weight) else 0
    cbind(weight, weight * (value - centre), weight * (value - centre)^2)
  }
  sums <- sum_of_leaves(per_leaf, leaf, tree$parent, tree$depth)
  weight <- sums[, 1L]
  over <- ifelse(weight > 0, weight, 1)
  out <- list(n = round(weight), weight = weight)
  if (classes > 0L) {
    prob <- sums[, -1L, drop = FALSE] / over
    prob[leaf, ] <- leaf_class_shares(trees, leaf, classes)
    # Nodes above empty leaves; these have the shares of the node that was split into many.
    for (i in rev(which(weight == 0 & tree$kind != 0L))) prob[i, ] <- prob[i + 1L, ]
    out$impurity <- node_impurity(prob, fit$criterion)
    if (!is.null(trees$own)) prob <- t(own_values(trees, classes))
    out$yval <- as.double(best_answer(prob, fit$cost))
    out$prob <- prob
    return(out)
  }
  mean <- sums[, 2L] / over
  out$yval <- mean + centre
  out$yval[leaf] <- trees$cut[leaf]
  if (!is.null(trees$own)) out$yval <- as.double(trees$own)
  out$impurity <- pmax(0, sums[, 3L] / over - mean^2)
  out$impurity[leaf] <- 0
  out$prob <- matrix(0, length(tree$kind), 0L)
  out
}

# The criterion or, for a converted tree, its source.
grown_by <- function(fit) fit$source %||% format(fit$criterion)

# For each node, the sums over the leaves below it. `per_leaf` has one row per element of `leaf`.
sum_of_leaves <- function(per_leaf, leaf, parent, depth) {
  sums <- matrix(0, length(parent), ncol(per_leaf))
  sums[leaf, ] <- per_leaf
  for (d in rev(seq_len(max(depth)))) {
    at <- which(depth == d)
    up <- rowsum(sums[at, , drop = FALSE], parent[at])
    to <- as.integer(rownames(up))
    sums[to, ] <- sums[to, ] + up
  }
  sums
}
