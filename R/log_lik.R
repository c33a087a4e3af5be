#' Log-likelihood of a tree
#'
#' For `AIC()` and `BIC()`. A tree is treated as a model with a separate distribution in each leaf:
#' * classes: the shares of the leaf. The log-likelihood is -1/2 of the
#'   [deviance][tec_tree-methods]; each leaf has one parameter less than the number of levels.
#' * numbers: normal with the leaf's mean and one variance for all (the mean squared error); by
#'   criterion `"l1"` Laplace with the leaf's median and one scale (the mean absolute error). Each
#'   leaf has one parameter; the variance or scale is one more.
#'
#' Each split adds `split_df` parameters. One is too few for a search over all cuts of all columns,
#' so `AIC()` and `BIC()` favour large trees: to choose the size of a tree use [tec_tune()] or
#' [cp_table()]. The number of rows that `BIC()` counts is that of the training rows. For
#' regression, the log-likelihood is infinite if all errors are 0.
#'
#' @param object A tree from [tec_tree()].
#' @param split_df The number of parameters that a split counts as.
#' @param ... Not used.
#' @return An object of class `logLik`.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' logLik(fit)
#' AIC(fit, tec_prune(fit, cp = 0.1))
#' @importFrom stats logLik
#' @export
logLik.tec_tree <- function(object, split_df = 1, ...) {
  refuse_dots("logLik", ...)
  if (!is_number(split_df) || split_df < 0) {
    abort_found("{.arg split_df} must be a number of at least 0.", split_df)
  }
  deviance <- deviance.tec_tree(object)
  classes <- length(object$response$levels)
  leaves <- n_leaves(object)
  n <- object$tree$weight[1L]
  value <- if (classes) {
    -deviance / 2
  } else if (object$criterion$name == "l1") {
    -n * (log(2 * deviance / n) + 1)
  } else {
    -n / 2 * (log(2 * pi * deviance / n) + 1)
  }
  own <- if (classes) leaves * (classes - 1) else leaves + 1
  splits <- sum(object$tree$kind != 0L)
  structure(value, df = own + split_df * splits, nobs = n, class = "logLik")
}
