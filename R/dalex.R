#' Models in DALEX
#'
#' `DALEX::explain(fit, data, y)` makes an explainer of any model of this package, so that
#' `model_parts()`, `model_profile()` and `predict_parts()` of the package DALEX work. Without
#' `data`, the training rows are used if they can be found.
#'
#' For a numeric response the explainer predicts the number; for two classes the probability of the
#' second, and `y` is 1 for rows of that class and 0 otherwise; for more classes the
#' probabilities of all, and `y` is the factor.
#'
#' DALEX names a model by its last class, which all models of this package share: give a `label` to
#' each of several that you compare.
#'
#' Both packages have a function `explain()`, and the one attached last masks the other. Use
#' `DALEX::explain()` or `tectree::explain()` to be explicit. Models of other packages are always
#' passed on to DALEX.
#'
#' @return `DALEX::explain()` returns an explainer, an object of class `explainer`. The functions
#' of DALEX
#'   take it and return what they return for other models.
#' @family conversions
#' @examplesIf requireNamespace("DALEX", quietly = TRUE)
#' fit <- tec_tree(mpg ~ ., mtcars)
#' explainer <- DALEX::explain(fit, data = mtcars[-1], y = mtcars$mpg, verbose = FALSE)
#' DALEX::predict_parts(explainer, mtcars["Fiat 128", -1])
#'
#' set.seed(1)
#' forest <- tec_forest(mpg ~ ., mtcars, trees = 50, threads = 2)
#' DALEX::explain(forest, mtcars[-1], mtcars$mpg, label = "forest", verbose = FALSE)
#' @name dalex
#' @rawNamespace S3method(DALEX::yhat, tec_fit)
#' @rawNamespace S3method(DALEX::model_info, tec_fit)
#' @rawNamespace S3method(DALEX::yhat, tec_tune, yhat.tec_fit)
#' @rawNamespace S3method(DALEX::model_info, tec_tune, model_info.tec_fit)
NULL

yhat.tec_fit <- function(X.model, newdata, ...) {
  levels <- chosen_fit(X.model, "explain")$response$levels
  if (is.null(levels)) {
    return(stats::predict(X.model, newdata))
  }
  prob <- stats::predict(X.model, newdata, type = "prob")
  column <- attr(X.model, "predict_function_target_column")
  if (is.null(column) && length(levels) == 2L) column <- 2L
  if (is.null(column)) prob else unname(prob[, column])
}

model_info.tec_fit <- function(model, is_multiclass = FALSE, ...) {
  levels <- chosen_fit(model, "explain")$response$levels
  chosen <- !is.null(attr(model, "predict_function_target_column"))
  type <- if (is.null(levels)) {
    "regression"
  } else if (length(levels) > 2L && !chosen) {
    "multiclass"
  } else {
    "classification"
  }
  version <- as.character(getNamespaceVersion("tectree"))
  structure(list(package = "tectree", ver = version, type = type), class = "model_info")
}
