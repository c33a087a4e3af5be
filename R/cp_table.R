#' Complexity parameter table
#'
#' Lists the nested subtrees of a tree at different complexity penalties, from the root alone to the
#' full tree. This is the table of `rpart::printcp()` and `rpart::plotcp()`.
#'
#' A tree that was pruned by default or grown with `prune = "ccp"` stores its table, with
#' cross-validated errors if there were `folds`. For any other tree the table is computed from its
#' nodes, without cross-validation.
#'
#' `printcp(fit)` prints the table and `plotcp(fit)` draws it; they pass trees of rpart to rpart's
#' functions. If `library(rpart)` masks them, use `cp_table(fit)` and `plot(cp_table(fit))`, or
#' `tectree::printcp(fit)`.
#'
#' @section Two rules for the penalty of a split:
#' `penalties = "weakest_link"` is the rule of Breiman et al. (1984). The penalty of a split is the
#' decrease of the risk per additional leaf that the split achieves together with those splits below
#' it that have a larger penalty. Among all subtrees, the tree of each row minimises the risk plus
#' `cp` per leaf.
#'
#' `penalties = "rpart"`, the default with `preset = "cart"`, is the rule of the package rpart,
#' which computes penalties during growth, from the leaves upwards. The penalty of a node is its
#' risk minus the risks of its two subtrees, divided by the number of their splits plus one. If this
#' is larger than the penalty of a branch, that branch is counted as a leaf, starting with the
#' smaller penalty. A split with a penalty of at most `cp` is removed immediately. A node that
#' cannot reach this penalty is not split. Upper bounds are its risk and the decrease per split that
#' its parent can still reach, given the subtrees grown so far. The penalty of a node is at most
#' that of its parent.
#'
#' Usually both rules give the same table. If not, rpart's tree can be larger or smaller than the
#' optimal one at its `cp`.
#'
#' @section Columns:
#' `cp` is the smallest penalty that gives the tree of the row, as a share of the root's risk; all
#' penalties up to the `cp` of the previous row give the same tree. Errors are relative to that of
#' the root. `xerror` is estimated as in rpart: a tree is grown without each fold and pruned at the
#' geometric means of neighbouring penalties, scaled by the fold's share of the weight. `xstd` is
#' its standard error. For classification, `xerror` and `xstd` measure wrong predictions, or their
#' costs, even with `risk = "impurity"`, where `cp`, `alpha` and `rel_error` are based on the
#' impurity.
#'
#' @references
#' Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984)
#' *Classification and Regression Trees*. Wadsworth.
#'
#' Therneau, T. M. and Atkinson, E. J. (2022) *An Introduction to Recursive Partitioning Using the
#' RPART Routines*. Mayo Foundation.
#'
#' @param fit A tree from [tec_tree()].
#' @param risk As in [tec_prune()], if the fit has no table yet.
#' @param penalties `"weakest_link"` or `"rpart"`, see below. `NULL`: the rule by which the fit was
#'   pruned, otherwise that of its preset, which is `"rpart"` for `"cart"`.
#' @param x A table from `cp_table()`.
#' @param digits Significant digits.
#' @param upper What to show below each `cp`: the number of leaves, the number of splits, or
#'   nothing.
#' @param min_line Whether to draw a line one standard error above the smallest cross-validated
#'   error.
#' @param row.names,optional As in [as.data.frame()].
#' @param main,background Title and colour of the page, as in [plot()][plot.tec_tree].
#' @param lty,col Type and colour of that line.
#' @param object As `x`.
#' @param ... For `plot()`: `xlim`, `ylim`, `xlab`, `ylab`. Otherwise not used.
#' @return `cp_table()`: a data frame of class `tec_cp_table`, one row per tree, with the
#'   columns `cp`, `alpha` (the same penalty in units of the mean risk), `nsplit`,
#'   `n_leaves`, `rel_error`, with cross-validation `xerror` and `xstd`, and `kept`:
#'   whether the tree is still a subtree of `fit`. `plot()` and `print()` return
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
#' # The other rule
#' cp_table(fit, penalties = "rpart")
#' @export
cp_table <- function(fit, risk = NULL, penalties = NULL) {
  fit <- tree_argument(fit, "cp_table")
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

# The mean loss if the root is a leaf.
root_loss <- function(fit) {
  share <- fit$tree$prob[1L, ]
  class <- fit$tree$yval[1L]
  if (is.null(fit$cost)) sum(share[-class]) else sum(share * fit$cost[, class])
}

#' @rdname cp_table
#' @export
print.tec_cp_table <- function(x, digits = 5L, ...) {
  plain_numbers()
  check_output(digits)
  refuse_dots("print.tec_cp_table", ...)
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
  refuse_dots("as.data.frame", ...)
  for (name in c("response", "risk", "n", "root", "rule")) attr(x, name) <- NULL
  class(x) <- "data.frame"
  with_row_names(x, row.names)
}
