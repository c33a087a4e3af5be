#' The nodes of a tree as a data frame
#'
#' One row per node, in pre-order: a node comes before its children, and the first
#' child's whole branch before the second child.
#'
#' @param x A tree from [tec_tree()].
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Must be empty.
#' @return A data frame with the columns
#'   * `node`, `parent` (0 for the root), `depth` (0 for the root);
#'   * `kind`: `"leaf"`, `"threshold"`, `"intervals"`, `"level"` (a threshold on
#'     ordered levels), `"subset"` or `"multiway"`;
#'   * `variable`: the column that the node splits, `NA` for a leaf;
#'   * `rule`: the condition on the branch that leads *into* the node;
#'   * `n` (rows), `weight` (sum of case weights);
#'   * `yval`: the class (a factor) or the number predicted;
#'   * `impurity`, `gain`, `score`, in the units of the criterion, the last two
#'     `NA` for a leaf;
#'   * `exact`: whether the search of the split was exhaustive, `NA` for a leaf;
#'   * `n_children`;
#'   * of splits found by p values `statistic` (chi-square or F), `df`, `df2` (of F), `p` and
#'     `p_adjusted`;
#'   * for classification `prob_<level>`, the share of each class that the node predicts.
#' @family uses of a tree
#' @examples
#' as.data.frame(tec_tree(Species ~ ., iris))[c("node", "rule", "n", "yval")]
#' @export
as.data.frame.tec_tree <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots("as.data.frame", ...)
  check_fit(x)
  plain_numbers()
  tree <- x$tree
  nodes <- seq_along(tree$parent)
  variable <- ifelse(tree$kind == 0L, NA_integer_, tree$variable)
  classes <- x$response$task == "classification"
  out <- list(
    node = nodes, parent = as.integer(tree$parent), depth = as.integer(tree$depth),
    kind = split_kinds[tree$kind + 1L],
    variable = x$columns$name[variable],
    rule = branch_rules(x, nodes),
    n = tree$n, weight = tree$weight,
    yval = if (classes) as_classes(tree$yval, x$response) else tree$yval,
    impurity = tree$impurity, gain = tree$gain, score = tree$score,
    exact = as.logical(tree$exact), n_children = as.integer(tree$n_children)
  )
  out <- c(out, split_tests(tree))
  if (classes) {
    shares <- leaf_shares(x)
    shares <- lapply(seq_len(ncol(shares)), function(k) shares[, k])
    names(shares) <- paste0("prob_", x$response$levels)
    out <- c(out, shares)
  }
  attr(out, "row.names") <- .set_row_names(length(nodes))
  class(out) <- "data.frame"
  with_row_names(out, row.names)
}
