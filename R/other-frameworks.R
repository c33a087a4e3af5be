# Methods for butcher::axe_call() and axe_fitted(). A fit contains no data and no environment, so
# there is little to remove: for a forest, the values that it has for each training row.

#' @rawNamespace S3method(butcher::axe_call, tec_fit, without_call)
#' @rawNamespace S3method(butcher::axe_call, tec_tune, without_calls)
#' @rawNamespace S3method(butcher::axe_fitted, tec_tree, without_tuning)
#' @rawNamespace S3method(butcher::axe_fitted, tec_forest, without_oob)
NULL

without_call <- function(x, ...) without_piece(x, "call")

# A tuning result has its own call and the call of the model.
without_calls <- function(x, ...) {
  x["call"] <- list(NULL)
  if (!is.null(x$fit)) x$fit <- without_call(x$fit)
  x
}

without_tuning <- function(x, ...) without_piece(x, "tuning")

without_oob <- function(x, ...) {
  class <- class(x)
  x <- unclass(x)
  x$oob[c("response", "prob", "votes")] <- NULL
  structure(x, class = class)
}

without_piece <- function(x, piece) {
  x[piece] <- NULL
  x
}

# For vip::vi() and vip::vip().

#' @rawNamespace S3method(vip::vi_model, tec_fit)
vi_model.tec_fit <- function(object, ...) {
  found <- importance(object)
  out <- as_table(data.frame(Variable = found$variable, Importance = found$importance))
  structure(out, type = attr(found, "type"), class = c("vi", class(out)))
}

#' Models in DALEX
#'
#' `DALEX::explain(fit, data, y)` makes an explainer for any model of this package, so that
#' `model_parts()`, `model_profile()` and `predict_parts()` of the package DALEX work. Without
#' `data`, the training rows are used if they can be found.
#'
#' For a numeric response, the explainer predicts the number. For two classes, it predicts the
#' probability of the second class, and `y` is 1 for rows of that class and 0 otherwise. For more
#' classes, it predicts the probabilities of all classes, and `y` is the factor.
#'
#' DALEX labels a model with its last class, which is the same for all models of this package. If
#' you compare several models, give each a `label`.
#'
#' Both packages have a function `explain()`, and the package attached last masks the other. Use
#' `DALEX::explain()` or `tectree::explain()` to be explicit. Models of other packages are always
#' passed on to DALEX.
#'
#' @return `DALEX::explain()` returns an explainer, an object of class `explainer`, for the
#'   functions of DALEX.
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

#' Parameters of trees and forests for dials
#'
#' The parameters for `q = tune()` and `criterion = tune()` in `set_engine("tectree")`, see
#' [parsnip] and [parsnip-forest]. Tune only one of the two: `q` is an error with a criterion that
#' has no `q`.
#'
#' @param range The minimum and the maximum.
#' @param trans A transformation of the package scales, or `NULL`.
#' @param values Names from [tec_criteria()]. `NULL`: all criteria for classes. For a numeric
#'   response, give `c("l2", "l1")`.
#' @return A parameter of the package dials.
#' @family modeling frameworks
#' @concept dials
#' @examplesIf requireNamespace("dials", quietly = TRUE)
#' tec_q_param()
#' dials::value_seq(tec_q_param(c(0.5, 2)), 4)
#' tec_criterion_param(c("gini", "shannon", "cair"))
#' @export
tec_q_param <- function(range = c(0.2, 4), trans = NULL) {
  need_package("dials", "tec_q_param")
  tryCatch(
    dials::new_quant_param("double",
      range = range, inclusive = c(TRUE, TRUE), trans = trans,
      label = c(q = "q of the Tsallis entropy")
    ),
    error = function(e) {
      tec_abort("argument", c(
        "{.arg range} must be two numbers, and {.arg trans} a transformation or {.code NULL}.",
        x = escape_braces(sub("^[^`A-Za-z]*", "", conditionMessage(e)))
      ))
    }
  )
}

#' @rdname tec_q_param
#' @export
tec_criterion_param <- function(values = NULL) {
  need_package("dials", "tec_criterion_param")
  known <- tec_criteria()
  values <- values %||% known$name[known$task == "classification"]
  if (!is.character(values)) {
    tec_abort("criterion", c(
      "{.arg values} must be names of criteria.", x = "It is {describe(values)}.",
      i = "{.run tectree::tec_criteria()} lists them."
    ))
  }
  for (value in values) tec_criterion(value)
  dials::new_qual_param("character", values = values, label = c(criterion = "Split criterion"))
}
