#' Boosting in tidymodels
#'
#' tectree registers the engine `"tectree"` for `boost_tree()`, for classification and regression,
#' when parsnip and tectree are loaded, in any order. Predictors are used without dummies, rows with
#' missing predictors are kept, and case weights of hardhat are supported.
#'
#' @section Arguments:
#' | `boost_tree()` | [tec_boost()] | |
#' |---|---|---|
#' | `trees` | `rounds` | |
#' | `learn_rate` | `rate` | |
#' | `tree_depth` | `max_depth` | |
#' | `min_n` | `min_bucket` | |
#' | `loss_reduction` | `min_gain` | |
#' | `sample_size` | `sample_fraction` | |
#' | `mtry` | `column_fraction` | a number of predictors; more than there are: all |
#' | `stop_iter` | `patience` | with `validation = 0.2` unless the engine is given another |
#'
#' All other arguments of [tec_boost()] go into `set_engine()`. Without arguments all defaults are
#' those of [tec_boost()]. With `cyclic = TRUE` there the model is a sum of functions of one or two
#' predictors (an explainable boosting machine); `tec_shapes(extract_fit_engine(fit), data)` shows
#' them.
#'
#' @param formula,data,weights As in [tec_boost()].
#' @param ... Other arguments of [tec_boost()].
#' @param columns,trees,min_n,tree_depth,learn_rate,loss_reduction,sample_size,stop_iter As above;
#'   `columns` is `mtry`.
#' @return parsnip calls `tec_parsnip_boost()`, which returns a model of [tec_boost()].
#' @family modeling frameworks
#' @concept tidymodels
#' @concept boost_tree
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- parsnip::boost_tree("classification", trees = 50, tree_depth = 2)
#' spec <- parsnip::set_engine(spec, "tectree", threads = 2)
#' fit <- parsnip::fit(spec, Species ~ ., iris)
#' predict(fit, iris[c(1, 71, 120), ], type = "prob")
#' parsnip::extract_fit_engine(fit)
#'
#' # Explainable boosting
#' spec <- parsnip::boost_tree("regression", trees = 50)
#' spec <- parsnip::set_engine(spec, "tectree", cyclic = TRUE, pairs = 1, threads = 2)
#' fit <- parsnip::fit(spec, mpg ~ wt + hp, mtcars)
#' tec_shapes(parsnip::extract_fit_engine(fit), mtcars)
#' @name parsnip-boost
NULL

parsnip_boost_arguments <- function() {
  list(
    list("mtry", "columns", "dials", "mtry", FALSE),
    list("trees", "trees", "dials", "trees", FALSE),
    list("min_n", "min_n", "dials", "min_n", FALSE),
    list("tree_depth", "tree_depth", "dials", "tree_depth", FALSE),
    list("learn_rate", "learn_rate", "dials", "learn_rate", FALSE),
    list("loss_reduction", "loss_reduction", "dials", "loss_reduction", FALSE),
    list("sample_size", "sample_size", "dials", "sample_prop", FALSE),
    list("stop_iter", "stop_iter", "dials", "stop_iter", FALSE)
  )
}

#' @rdname parsnip-boost
#' @export
tec_parsnip_boost <- function(formula, data, weights = NULL, ..., columns = NULL, trees = NULL,
                              min_n = NULL, tree_depth = NULL, learn_rate = NULL,
                              loss_reduction = NULL, sample_size = NULL, stop_iter = NULL) {
  others <- list(...)
  asked <- list(
    weights = parsnip_weights(weights), rounds = trees,
    column_fraction = at_most_columns(columns, formula, data),
    min_bucket = min_n, max_depth = tree_depth, rate = learn_rate, min_gain = loss_reduction,
    sample_fraction = sample_size, patience = stop_iter
  )
  chosen <- any(c("validation", "folds") %in% names(others))
  if (!is.null(stop_iter) && !chosen) others$validation <- 0.2
  # One predictor is a number of them, not their share.
  if (identical(as.double(asked$column_fraction), 1)) {
    p <- length(formula_terms(formula[[3L]], formula[[2L]], data)$name)
    asked$column_fraction <- 1 / p
  }
  fit <- do.call(tec_boost, c(list(formula, data), asked[lengths(asked) > 0L], others))
  if (identical(fit$response$name, "..y")) fit$response$name <- "outcome"
  fit
}

# plot(fit) of parsnip's wrapper, which has autoplot() only.
#' @export
`plot._tec_boost` <- function(x, ...) graphics::plot(x$fit, ...)
