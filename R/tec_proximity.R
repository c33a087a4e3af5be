#' Proximity of rows in a forest
#'
#' The proximity of two rows is the share of trees in which they end in the same leaf.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' The matrix takes 8 bytes per pair of rows. `1 - proximity` is a dissimilarity, for use with
#' [stats::hclust()] or [stats::cmdscale()].
#'
#' @param fit A forest from [tec_forest()].
#' @param data The rows. The default is the training rows, if they can be found, see
#'   [tec_tree-methods].
#' @param oob Whether to count only the trees for which both rows are out of bag. The proximity is
#'   `NA` if there are none. Only for the training rows.
#' @param y The response of `data`, for `oob` if the forest was grown from `x` and `y`.
#' @param weights,sample_weights For `oob`, with `data`: the weights that the forest was grown with,
#'   if any.
#' @param threads Number of threads, see [tec_control()].
#' @return A symmetric matrix with one row and one column per row of `data`.
#' @family forest functions
#' @concept proximity
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 50, threads = 2)
#' near <- tec_proximity(fit, iris[c(1, 2, 51, 101), ])
#' round(near, 2)
#' @export
tec_proximity <- function(fit, data = NULL, oob = FALSE, threads = NULL, y = NULL, weights = NULL,
                          sample_weights = NULL) {
  fit <- wrapped_tree(fit)
  check_is_forest(fit, "tec_proximity")
  oob <- check_flag(oob, "oob", topic = "argument")
  env <- parent.frame()
  rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
  if (oob || is.null(data)) {
    training <- forest_training(fit, "tec_proximity", env, rows)
    values <- used_values(training$ready)
    n <- fit$n_rows
    names <- NULL
  } else {
    refuse_without("oob = TRUE", !vapply(rows[-1L], is.null, NA))
    data <- check_newdata(data, "data")
    values <- code_rows(fit, data, env, "data")
    n <- nrow(data)
    names <- if (is.character(attr(data, "row.names"))) attr(data, "row.names")
  }
  node <- core_forest_predict(fit, values, n, "node", threads)
  out <- if (oob) {
    bags <- forest_bags(fit, used_response(training$ready), training$sample_weights, threads)
    in_common(node, bags == 0L) / crossed(bags == 0L)
  } else {
    in_common(node) / length(fit)
  }
  out[is.nan(out)] <- NA
  dimnames(out) <- if (!is.null(names)) list(names, names)
  out
}

# The number of trees in which two rows are in the same node and both count.
in_common <- function(node, counts = NULL) {
  out <- matrix(0, nrow(node), nrow(node))
  for (t in seq_len(ncol(node))) {
    rows <- if (is.null(counts)) seq_len(nrow(node)) else which(counts[, t])
    for (together in split(rows, node[rows, t])) {
      out[together, together] <- out[together, together] + 1
    }
  }
  out
}

crossed <- function(counts) tcrossprod(counts + 0)
