#' @rdname n_leaves
#' @export
`[[.tec_tree` <- function(x, i, ...) {
  if (is.character(i)) {
    return(.subset2(x, i))
  }
  refuse_dots("[[", ...)
  check_fit(x)
  check_node(i, length(x$tree$parent), "i")
  branch_tree(x, as.integer(i))
}

branch_tree <- function(fit, node) {
  if (node == 1L) {
    return(fit)
  }
  whole <- fit
  tree <- fit$tree
  kept <- node:subtree_end(tree, node)
  shift <- node - 1L
  n <- length(tree$parent)
  out <- tree
  for (piece in names(tree)) {
    if (is_node_piece(piece)) out[[piece]] <- take_nodes(tree[[piece]], kept, n)
  }
  out$parent <- pmax(out$parent - shift, 0L)
  out$parent[1L] <- 0L
  # The branch starts at depth 0, so its maximum depth is adjusted.
  fit$control$max_depth <- fit$control$max_depth - out$depth[1L]
  out$depth <- out$depth - out$depth[1L]
  out <- crop_pools(out)
  out$child <- out$child - shift
  fit$tree <- out
  fit$n_rows <- as.integer(out$n[1L])
  # Keeps the reasons why its leaves were not split.
  fit$pruning <- if (was_pruned(whole)) whole$pruning[setdiff(names(whole$pruning), "leaves_grown")]
  # Its rows are not those of the call.
  fit[c("cptable", "marks")] <- NULL
  fit
}

# The entries of a tree with one value per node; all others are pools.
is_node_piece <- function(name) {
  name %in% c(node_pieces, "prob", "surrogate_start", "surrogate_count")
}

take_nodes <- function(x, kept, n) {
  if (is.matrix(x)) x[kept, , drop = FALSE] else if (length(x) == n) x[kept] else x
}

# Keeps only entries that the remaining nodes refer to.
crop_pools <- function(tree) {
  spans <- list(
    child = list("child_start", "n_children", "child"),
    breaks = list("break_start", "break_count", "breaks"),
    level = list("level_start", "level_count", c("level", "level_child"))
  )
  inner <- tree$kind != 0L
  # Surrogate splits have their own sets of levels in the same pool.
  if (length(tree$surrogate_level_start)) spans$level <- NULL
  for (span in spans) {
    count <- ifelse(inner, tree[[span[[2L]]]], 0L)
    start <- ifelse(inner, tree[[span[[1L]]]], 0L)
    at <- rep(start, count) + sequence(count)
    for (pool in span[[3L]]) tree[[pool]] <- tree[[pool]][at]
    tree[[span[[1L]]]] <- as.integer(cumsum(c(0L, count))[seq_along(count)])
  }
  tree
}

# `[[` with a number returns a branch, so code that walks over a fit as a list gets a plain list.

#' @export
as.list.tec_tree <- function(x, ...) {
  refuse_dots("as.list", ...)
  unclass(x)
}

#' @importFrom utils str
#' @export
str.tec_tree <- function(object, ...) utils::str(unclass(object), ...)

#' @method all.equal tec_tree
#' @export
all.equal.tec_tree <- function(target, current, ...) {
  if (!inherits(current, "tec_tree")) {
    return(paste("target is a tec_tree, current is", describe(current)))
  }
  all.equal(unclass(target), unclass(current), ...)
}

# Whether pruning removed splits. A tree that "auto" kept whole is not pruned.
was_pruned <- function(fit) {
  isTRUE(fit$control$collapse) ||
    (!is.null(fit$pruning) && !identical(fit$pruning$leaves_grown, n_leaves(fit)))
}

#' Size, depth and branches of a tree
#'
#' `n_leaves()`, `n_nodes()` and `tree_depth()` return the number of leaves, the number of nodes and
#' the depth of a tree. `fit[[node]]` returns the branch that starts at a node as a tree, with all
#' methods for trees. `length()` and `fit$...` refer to the list of the fit.
#'
#' @param x A tree from [tec_tree()].
#' @param i The number of a node, as shown by [print()][print.tec_tree] and
#'   [as.data.frame()][as.data.frame.tec_tree]; or the name of a part of the fit.
#' @param ... Must be empty.
#' @return One whole number; for `[[` a tree whose node 1 is node `i` of `x`. Its number of rows is
#'   that of the node, and the table of pruning is dropped.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' n_leaves(fit)
#' n_nodes(fit)
#' tree_depth(fit)
#' fit[[3]]
#' @export
n_leaves <- function(x) {
  x <- chosen_fit(x, "n_leaves")
  check_is_tree(x, "n_leaves")
  leaf_count(x)
}

#' @rdname n_leaves
#' @export
n_nodes <- function(x) {
  x <- chosen_fit(x, "n_nodes")
  check_is_tree(x, "n_nodes")
  length(x$tree$kind)
}

#' @rdname n_leaves
#' @export
tree_depth <- function(x) {
  x <- chosen_fit(x, "tree_depth")
  check_is_tree(x, "tree_depth")
  as.integer(max(x$tree$depth))
}
