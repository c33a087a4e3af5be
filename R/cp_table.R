#' Complexity parameter table
#'
#' The nested trees that a tree has at different complexity penalties, from the root alone
#' to the tree as it was grown: the table that `rpart::printcp()` and
#' `rpart::plotcp()` show.
#'
#' A tree that [tec_tree()] pruned without being told how, or grown with `prune = "ccp"`, has kept its
#' table, with cross-validated errors where there were `folds`. For any other tree the table is made from its
#' nodes, without cross-validation. `printcp(fit)` prints the table and `plotcp(fit)` draws it;
#' other trees are passed on to rpart's functions of these names. With rpart attached after this package
#' its own functions are found first, which take rpart's trees only: use `cp_table()` then.
#'
#' `cp` of a row is the least penalty for which its tree is the best, as a share of the
#' root's risk; the tree of a row is the best from this penalty up to that of the
#' row before. The errors are relative to the root's. `xerror` is estimated, as in
#' rpart, by growing a tree without each fold and pruning it at the geometric mean of
#' neighbouring penalties, scaled by the fold's share of the weight; `xstd` is its
#' standard error. For classes both count wrong predictions, or their losses, relative to
#' the root's, also with `risk = "impurity"`: there `cp`, `alpha` and `rel_error` are in
#' terms of the impurity, `xerror` and `xstd` are not.
#'
#' @param fit A tree from [tec_tree()].
#' @param risk As in [tec_prune()], where the fit has no table yet.
#' @param x A table from `cp_table()`.
#' @param digits Significant digits.
#' @param upper What to show below each `cp`: the number of leaves or of splits, or neither.
#' @param min_line Whether to draw a line one standard error above the least
#'   cross-validated error.
#' @param row.names,optional As in [as.data.frame()].
#' @param main,background Title and colour of the page, as in [plot()][plot.tec_tree].
#' @param lty,col Type and colour of that line.
#' @param object As `x`.
#' @param ... For `plot()`: `xlim`, `ylim`, `xlab`, `ylab`. Else nothing.
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
#' @export
cp_table <- function(fit, risk = NULL) {
  fit <- chosen_fit(fit, "cp_table")
  if (!inherits(fit, "tec_tree")) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree}.",
      x = "It is {describe(fit)}."
    ))
  }
  check_fit(fit)
  risk <- resolve_risk(fit, risk)
  table <- if (identical(fit$pruning$risk, risk)) fit$cptable
  table <- table %||% as_cptable(penalty_sequence(fit, risk))
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
