#' Confidence intervals of leaf values
#'
#' Returns a table of the leaves of a tree with the standard error and a confidence interval of the
#' mean, or of the share of each class. `predict(se = TRUE)` returns the same standard errors for
#' rows.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' The intervals are valid for an honest tree (`honest = TRUE` in [tec_control()]): the rows that
#' give the values did not choose the splits (Athey and Imbens, 2016). For given splits, the share
#' of the intervals that contain the true mean of their leaf is then about `level`. In any other
#' tree, the same rows chose splits that make the leaves look different. So standard errors are too
#' small and intervals too narrow, and a message says so.
#'
#' # Computation
#'
#' The number of rows n of a leaf is its weight, scaled to a mean of 1 per row.
#'
#' * Mean: the standard error is s / sqrt(n), with the variance s^2 of the rows of the leaf (divisor
#'   n - 1). The interval uses the t distribution with n - 1 degrees of freedom. Both are `NA` for
#'   leaves of one row.
#' * Share p of a class: the standard error is sqrt(p (1 - p) / n). The interval is that of Wilson
#'   (1927), which is not empty for p = 0 and 1. With priors or class weights, the standard error is
#'   that of the weighted share by the delta method, and n is the number of rows that would give it.
#'
#' The shares are those of the rows, without `smooth`. There are no intervals for criterion `"l1"`,
#' whose leaves predict medians, and none after [tec_shrink()].
#'
#' # Honest trees
#'
#' The rows are divided at random (R's random numbers), with each class in the same proportion. The
#' first part determines the splits, their gains, the surrogates and the pruning, including its
#' cross-validation. The second part gives the weight, value and impurity of all nodes. A split with
#' rows of the second part in fewer than two of its branches is removed, so leaves without rows are
#' pruned back to the nearest node with rows. In a split with more than two branches, a branch
#' without rows predicts as its parent.
#'
#' @param fit A tree from [tec_tree()], or the result of [tec_tune()].
#' @param level Confidence level, between 0 and 1.
#' @return A data frame with one row per leaf, or per leaf and class: `node`, `rule`, `n` (rows),
#'   `weight`, `class` (only for classes), `estimate`, `se`, `lower`, `upper`. The attribute
#'   `honest` says whether the tree is honest.
#' @references
#' Athey, S. and Imbens, G. (2016) Recursive partitioning for heterogeneous causal effects.
#' *Proceedings of the National Academy of Sciences* 113, 7353-7360.
#'
#' Wilson, E. B. (1927) Probable inference, the law of succession, and statistical inference.
#' *Journal of the American Statistical Association* 22, 209-212.
#' @family uses of a tree
#' @examples
#' set.seed(1)
#' fit <- tec_tree(mpg ~ ., mtcars, honest = TRUE, min_bucket = 3)
#' fit
#' tec_intervals(fit)
#' predict(fit, mtcars[1:3, ], se = TRUE)
#'
#' tec_intervals(tec_tree(Species ~ ., iris, honest = 0.4), level = 0.9)
#' @srrstats {RE1.4} The help says that rows are taken as independent, and for which trees intervals
#'   are valid.
#' @export
tec_intervals <- function(fit, level = 0.95) {
  fit <- tree_argument(fit, "tec_intervals")
  if (!is_number(level) || level <= 0 || level >= 1) {
    abort_found("{.arg level} must be one number above 0 and below 1.", level)
  }
  check_has_errors(fit)
  say_optimistic(fit)
  leaf <- which(fit$tree$kind == 0L)
  bounds <- if (length(fit$response$levels)) share_bounds(fit, level) else mean_bounds(fit, level)
  out <- interval_table(fit, leaf, bounds)
  attr(out, "honest") <- !is.null(fit$honest)
  out
}

interval_table <- function(fit, leaf, bounds) {
  tree <- fit$tree
  classes <- max(1L, length(fit$response$levels))
  row <- rep(leaf, each = classes)
  part <- function(x) as.vector(t(x[leaf, , drop = FALSE]))
  out <- data.frame(
    node = row, rule = rep(region_texts(node_regions(fit)[leaf], fit$columns, 7L), each = classes),
    n = tree$n[row], weight = tree$weight[row]
  )
  if (length(fit$response$levels)) {
    out$class <- as_classes(rep(seq_len(classes), length(leaf)), fit$response)
  }
  cbind(out, lapply(bounds, part))
}

check_has_errors <- function(fit) {
  if (fit$criterion$name == "l1" || !is.null(fit$shrunk)) {
    tec_abort("se", c(
      "Standard errors are available only for means and class shares of leaves.",
      x = if (is.null(fit$shrunk)) {
        "The criterion is {.val l1}, whose leaves predict medians."
      } else {
        "The values of this tree are shrunk."
      },
      i = if (!is.null(fit$shrunk)) "Use the tree before {.fn tec_shrink}."
    ))
  }
  check_squares(fit)
}

say_optimistic <- function(fit) {
  if (is.null(fit$honest)) {
    tec_inform("optimistic", c(
      "!" = "The rows that give the values also chose the splits: standard errors are too small.",
      i = "Use {.code honest = TRUE} in {.fn tec_tree} for valid ones."
    ))
  }
}

# Standard errors of the values of all nodes: a matrix with one row per node and one column per
# class, or one column. An empty leaf predicts as the node above it.
value_errors <- function(fit) {
  tree <- fit$tree
  at <- node_with_rows(tree)
  if (!length(fit$response$levels)) {
    n <- tree$weight[at]
    return(matrix(ifelse(n > 1, sqrt(tree$impurity[at] / pmax(n - 1, 1e-300)), NA_real_)))
  }
  factor <- fit$class_factors$prior %||% rep(1, ncol(tree$prob))
  # With the weight c of a class and its factor f, its share is p = f c / W. The derivative with
  # respect to the weight of class j is f_j (1{j} - p) / W.
  squares <- sweep(case_counts(fit), 2L, factor^2, `*`)
  own <- squares * (1 - tree$prob)^2
  others <- tree$prob^2 * (rowSums(squares) - squares)
  (sqrt(pmax(own + others, 0)) / tree$weight)[at, , drop = FALSE]
}

mean_bounds <- function(fit, level) {
  tree <- fit$tree
  se <- value_errors(fit)
  df <- pmax(tree$weight[node_with_rows(tree)] - 1, 1e-8)
  half <- stats::qt((1 + level) / 2, df) * se
  value <- matrix(tree$yval)
  list(estimate = value, se = se, lower = value - half, upper = value + half)
}

# Wilson's interval. For shares of 0 and 1, n is the weight of the rows.
share_bounds <- function(fit, level) {
  p <- fit$tree$prob
  se <- value_errors(fit)
  n <- matrix(case_weights(fit)[node_with_rows(fit$tree)], nrow(p), ncol(p))
  some <- which(se > 0)
  n[some] <- (p * (1 - p) / se^2)[some]
  c(list(estimate = p, se = se), wilson_ends(p, n, level))
}

# The interval for shares of `n` rows (Wilson, 1927).
wilson_ends <- function(p, n, level) {
  z <- stats::qnorm((1 + level) / 2)
  middle <- (p + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z / (1 + z^2 / n) * sqrt(p * (1 - p) / n + z^2 / (4 * n^2))
  list(lower = pmax(middle - half, 0), upper = pmin(middle + half, 1))
}

# For predict(se = TRUE): the standard errors of the predictions.
predicted_errors <- function(fit, node, type, shared, value) {
  errors <- value_errors(fit)
  if (length(fit$response$levels) && type == "prob") {
    # The extra rows of `smooth` are constants.
    rows <- smoothing(fit)$rows
    weight <- fit$tree$weight[node_with_rows(fit$tree)]
    errors <- errors * (weight / (weight + rows))
  }
  out <- errors[node, , drop = FALSE]
  if (!is.null(shared)) {
    squares <- rowsum((errors[shared$node, , drop = FALSE] * shared$share)^2, shared$row,
      reorder = FALSE
    )
    out[unique(shared$row), ] <- sqrt(squares)
  }
  if (!length(fit$response$levels)) {
    return(out[, 1L])
  }
  if (type == "prob") {
    dimnames(out) <- list(NULL, fit$response$levels)
    return(out)
  }
  out[cbind(seq_along(node), as.integer(value))]
}

# For each node: itself, or the nearest node above that has rows.
node_with_rows <- function(tree) {
  at <- seq_along(tree$weight)
  for (i in which(tree$weight <= 0 & tree$parent > 0)) at[i] <- at[tree$parent[i]]
  at
}
