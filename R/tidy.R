#' Trees as tidy tables
#'
#' Methods for the generics package, for use with broom and tidymodels.
#'
#' @details
#' * `tidy()`: one row per node, in pre-order: `node`, `parent`, `depth`, `leaf`, `variable`
#'   (of the split), `rule` (the condition of the branch into the node), `n`, `estimate`
#'   (the class or number predicted), for classes `probability`, and `gain`.
#' * `glance()`: one row per tree: `criterion`, `parameter` (its q or beta), `nobs`, `nodes`,
#'   `leaves`, `depth`, `deviance`, and on the training rows `accuracy`, or `r.squared` and
#'   `rmse` (`l2`), or `mae` (`l1`).
#' * `augment()`: the rows with `.node`, `.fitted`, for classes `.prob_<level>`, and
#'   `.resid` if the response is among the columns (0 or 1 for classes).
#'
#' @param x A tree from [tec_tree()].
#' @param data,newdata The rows to add columns to. By default the training rows, if they can be
#'   found: see [fitted()][model-methods].
#' @param ... Not used.
#' @return A tibble, or a data frame where the tibble package is not installed.
#' @family conversions
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' tidy(fit)
#' glance(fit)
#' augment(fit)
#' augment(fit, newdata = iris[c(1, 71, 120), ])
#' @name tidiers
NULL

#' @rdname tidiers
#' @export
tidy.tec_tree <- function(x, ...) {
  refuse_dots("tidy", ...)
  nodes <- as.data.frame(x)
  classes <- x$response$task == "classification"
  out <- data.frame(
    node = nodes$node, parent = nodes$parent, depth = nodes$depth, leaf = nodes$kind == "leaf",
    variable = nodes$variable, rule = nodes$rule, n = nodes$n, estimate = nodes$yval
  )
  if (classes) out$probability <- leaf_shares(x)[cbind(nodes$node, x$tree$yval)]
  out$gain <- nodes$gain
  as_table(out)
}

#' @rdname tidiers
#' @export
glance.tec_tree <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  parameter <- x$criterion$parameter
  out <- data.frame(
    criterion = x$criterion$name,
    parameter = if (length(parameter)) unname(parameter) else NA_real_,
    nobs = x$n_rows, nodes = n_nodes(x), leaves = n_leaves(x), depth = tree_depth(x),
    deviance = deviance.tec_tree(x)
  )
  how_well <- training_fit(x, parent.frame())
  shown <- if (x$response$task == "classification") {
    "accuracy"
  } else if (x$criterion$name == "l1") {
    "mae"
  } else {
    c("r_squared", "rmse")
  }
  how_well <- how_well[shown]
  names(how_well)[names(how_well) == "r_squared"] <- "r.squared"
  as_table(cbind(out, as.data.frame(how_well)))
}

#' @rdname tidiers
#' @export
augment.tec_tree <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_dots("augment", ...)
  check_fit(x)
  rows <- newdata %||% data %||% training_rows(x, "augment", parent.frame())$data
  rows <- check_rows_to_predict(x, rows, if (is.null(newdata)) "data" else "newdata")
  # Warnings are given once.
  again <- function(...) {
    suppressWarnings(predict.tec_tree(x, rows, ...), classes = "tec_warning_unseen")
  }
  out <- rows
  out$.node <- predict.tec_tree(x, rows, type = "node")
  out$.fitted <- again()
  if (x$response$task == "classification") {
    prob <- again(type = "prob")
    out[paste0(".prob_", x$response$levels)] <- as.data.frame(prob)
  }
  if (has_response(x, rows)) {
    out$.resid <- suppressWarnings(residuals.tec_tree(x, rows), classes = "tec_warning_unseen")
  }
  as_table(out)
}
