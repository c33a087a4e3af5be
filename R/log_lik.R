#' Log-likelihood of a tree
#'
#' Makes `AIC()` and `BIC()` work. A tree is treated as a model with its own distribution in each
#' leaf:
#' * Classification: the class shares of the leaf. The log-likelihood is -1/2 of the
#'   [deviance][tec_tree-methods]. Each leaf has one parameter less than the number of classes.
#' * Regression: a normal distribution with the mean of the leaf and one variance for all leaves
#'   (the mean squared error). With criterion `"l1"`, a Laplace distribution with the median of the
#'   leaf and one scale (the mean absolute error). Each leaf has one parameter; the variance or
#'   scale is one more.
#'
#' Each split adds `split_df` parameters. One is too few for a search over all cuts of all
#' predictors, so `AIC()` and `BIC()` favour large trees. To choose the size of a tree, use
#' [tec_tune()] or [cp_table()]. `BIC()` uses the number of training rows. For regression, the
#' log-likelihood is infinite if all errors are 0.
#'
#' @param object A tree from [tec_tree()].
#' @param split_df Number of parameters per split.
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
