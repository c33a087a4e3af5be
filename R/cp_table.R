#' Complexity parameter table
#'
#' The nested trees that a tree has at different complexity penalties, from the root alone
#' to the tree as it was grown: the table that `rpart::printcp()` and
#' `rpart::plotcp()` show.
#'
#' A tree that [tec_tree()] pruned without being told how, or grown with `prune = "ccp"`, keeps its
#' table, with cross-validated errors where there were `folds`. For any other tree the table is made
#' from its nodes, without cross-validation.
#'
#' `printcp(fit)` prints the table and `plotcp(fit)` draws it; trees of rpart are passed on to
#' rpart's functions of these names. After `library(rpart)` these names are rpart's functions, which take its
#' own trees only: call `cp_table(fit)` and `plot(cp_table(fit))`, or `tectree::printcp(fit)`.
#'
#' @section Two rules for the penalty of a split:
#' `penalties = "weakest_link"` is the rule of Breiman et al. (1984). The penalty of a split is what
#' it saves per leaf, together with the splits below it that are worth more. The tree of each row has
#' the least risk plus `cp` per leaf of all prunings.
#'
#' `penalties = "rpart"`, the default with `preset = "cart"`, is the rule of the package rpart, which
#' finds the penalties while it grows, from the leaves up. The penalty of a node is what it saves per
#' split: its risk less those of its two subtrees, by the number of their splits plus one. If that is
#' more than the penalty of a child, the child counts as a leaf, first the one of the smaller penalty.
#' A split of a penalty of at most `cp` is undone at once. A node that cannot reach this penalty is not
#' split: its penalty is at most its risk, and below what its parent can still save per split, given
#' the subtrees already grown. No penalty is above that of the node's parent.
#'
#' Mostly both rules give the same table. Where they do not, rpart's tree may be larger or smaller
#' than the best one at its `cp`.
#'
#' @section Columns:
#' `cp` of a row is the least penalty that leaves its tree, as a share of the root's risk; penalties
#' from this one up to that of the row before leave the same tree. The errors are relative to the root's. `xerror` is estimated, as in
#' rpart, by growing a tree without each fold and pruning it at the geometric mean of
#' neighbouring penalties, scaled by the fold's share of the weight; `xstd` is its
#' standard error. For classes both count wrong predictions, or their losses, relative to
#' the root's, also with `risk = "impurity"`: there `cp`, `alpha` and `rel_error` are in
#' terms of the impurity, `xerror` and `xstd` are not.
#'
#' @references
#' Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984)
#' *Classification and Regression Trees*. Wadsworth.
#'
#' Therneau, T. M. and Atkinson, E. J. (2022) *An Introduction to Recursive Partitioning Using the
#' RPART Routines*. Mayo Foundation.
#'
#' @param fit A tree from [tec_tree()].
#' @param risk As in [tec_prune()], where the fit has no table yet.
#' @param penalties `"weakest_link"` or `"rpart"`, see below. `NULL`: the rule that the fit was
#'   pruned by, else that of its preset, which is `"rpart"` for `"cart"`.
#' @param x A table from `cp_table()`.
#' @param digits Significant digits.
#' @param upper What to show above the plot: the number of leaves or of splits.
#' @param min_line Whether to draw a line one standard error above the least
#'   cross-validated error.
#' @param row.names,optional As in [as.data.frame()].
#' @param main,background Title and colour of the page, as in [plot()][plot.tec_tree].
#' @param object As `x`.
#' @param ... For `plot()`: graphical parameters. Else nothing.
#' @return `cp_table()`: a data frame of class `tec_cp_table`, one row per tree, with the
#'   columns `cp`, `alpha` (the same penalty in units of the mean risk), `nsplit`,
#'   `n_leaves`, `rel_error`, with cross-validation `xerror` and `xstd`, and `kept`:
#'   whether the tree is still a pruning of `fit`. `plot()` and `print()` return
#'   `x`, invisibly.
#' @family pruning functions
#' @examples
#' set.seed(1)
#' fit <- tec_tree(Species ~ ., iris, prune = "ccp", cp = 0, min_bucket = 2)
#' table <- cp_table(fit)
#' table
#' plot(table)
#' tec_prune(fit, alpha = "1se")
#'
#' # The same tree by the other rule
#' cp_table(fit, penalties = "rpart")
#' @export
cp_table <- function(fit, risk = NULL, penalties = NULL) {
  fit <- chosen_fit(fit, "cp_table")
  if (!inherits(fit, "tec_tree")) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree}.",
      x = "It is {describe(fit)}."
    ))
  }
  check_fit(fit)
  risk <- resolve_risk(fit, risk)
  penalties <- resolve_penalties(fit, penalties)
  table <- own_cptable(fit, risk, penalties)
  table <- table %||% as_cptable(penalty_sequence(fit, risk, penalties))
  root <- if (risk == "impurity") fit$tree$impurity[1L] else root_loss(fit)
  structure(
    as.data.frame(table),
    class = c("tec_cp_table", "data.frame"),
    response = fit$response$name, risk = risk, n = fit$n_rows, root = root,
    rule = fit$pruning$rule
  )
}

# The mean loss of the root as a leaf.
root_loss <- function(fit) {
  share <- fit$tree$prob[1L, ]
  class <- fit$tree$yval[1L]
  if (is.null(fit$cost)) sum(share[-class]) else sum(share * fit$cost[, class])
}

#' @rdname cp_table
#' @export
print.tec_cp_table <- function(x, digits = 5L, ...) {
  check_known(dot_names(list(...)), c("x", "digits"), "print.tec_cp_table")
  columns <- intersect(c("cp", "nsplit", "n_leaves", "rel_error", "xerror", "xstd"), names(x))
  if (length(columns) < 5L - !"xerror" %in% names(x)) {
    print(as.data.frame(x), digits = digits)
    return(invisible(x))
  }
  root <- attr(x, "root")
  if (!is.null(root)) {
    what <- if (attr(x, "risk") == "impurity") "Impurity" else "Error"
    cat(
      "Cost-complexity table of ", attr(x, "response"), "\n", what, " of the root: ",
      format(root, digits = digits), ", ", count_text(attr(x, "n"), "row"), "\n\n",
      sep = ""
    )
  }
  shown <- as.data.frame(unclass(x)[columns])
  shown[] <- lapply(shown, format, digits = digits)
  last <- if (is.null(x$kept)) nrow(x) else max(which(x$kept))
  shown[[" "]] <- ifelse(seq_len(nrow(x)) == last, "*", "")
  print(shown, right = TRUE)
  cat("* the tree as it is\n")
  invisible(x)
}

#' @rdname cp_table
#' @export
as.data.frame.tec_cp_table <- function(x, row.names = NULL, optional = FALSE, ...) {
  for (name in c("response", "risk", "n", "root", "rule")) attr(x, name) <- NULL
  class(x) <- "data.frame"
  if (!is.null(row.names)) row.names(x) <- row.names
  x
}
