# Tested in test-parsnip-forest.R, test-parsnip-boost.R and test-parsnip-mars.R.

#' Forests in tidymodels
#'
#' tectree registers the engine `"tectree"` for `rand_forest()`, for classification and regression,
#' when parsnip and tectree are loaded, in any order. It works with workflows, tune and butcher.
#' Predictors are used without dummies, rows with missing predictors are kept, and case weights of
#' hardhat are supported.
#'
#' @section Arguments:
#' | `rand_forest()` | [tec_forest()] | |
#' |---|---|---|
#' | `mtry` | `mtry` | more than there are predictors: all of them, with a warning |
#' | `trees` | `trees` | |
#' | `min_n` | `min_split` | |
#'
#' All other arguments of [tec_forest()] and [tec_control()] go into `set_engine()`. There
#' `q = tune()` and `criterion = tune()` have ranges, those of [tec_q_param()]. With several
#' values, `set_engine("tectree", q = c(0.5, 1, 2))`, each fit chooses by its out-of-bag error.
#' Without arguments all defaults are those of [tec_forest()].
#'
#' @section Predictions:
#' Types `"class"`, `"prob"`, `"numeric"`, `"raw"` and `"conf_int"`. The latter is the prediction
#' plus and minus normal quantiles times the standard error, see
#' [predict()][predict.tec_forest]; limits of probabilities are kept within 0 and 1. `std_error =
#' TRUE` adds the standard errors. Classes of a forest with `probability = FALSE`, the default, are
#' those of the most votes, and may differ from the largest probability.
#'
#' @section Other functions:
#' `extract_fit_engine()` returns the forest, for [importance()][importance.tec_forest],
#' [tec_shap()] and others. `vip::vi()` shows the importance that the forest was grown with.
#' `butcher::butcher()` removes the call and the out-of-bag predictions. For `tidy()`, `glance()`
#' and `augment()` see [forest-tidiers].
#'
#' @param formula,data,weights As in [tec_forest()].
#' @param ... Other arguments of [tec_forest()].
#' @param columns,trees,min_n `mtry`, `trees` and `min_n`, as above.
#' @param object,new_data A fit of parsnip, and the rows to predict.
#' @return parsnip calls these functions: `tec_parsnip_forest()` returns a forest,
#'   `tec_parsnip_intervals()` a table of the limits.
#' @family modeling frameworks
#' @concept tidymodels
#' @concept rand_forest
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- parsnip::rand_forest("classification", mtry = 2, trees = 50)
#' spec <- parsnip::set_engine(spec, "tectree", criterion = "shannon", threads = 2)
#' set.seed(1)
#' fit <- parsnip::fit(spec, Species ~ ., iris)
#' predict(fit, iris[c(1, 71, 120), ], type = "prob")
#' parsnip::extract_fit_engine(fit)
#' @name parsnip-forest
NULL

# parsnip replaces an argument `mtry` of the fitting function by an expression on `x`, which a
# function of a formula and data does not have: ours is `columns`.
parsnip_forest_arguments <- function() {
  c(list(
    list("mtry", "columns", "dials", "mtry", FALSE),
    list("trees", "trees", "dials", "trees", FALSE),
    list("min_n", "min_n", "dials", "min_n", FALSE)
  ), parsnip_criteria)
}

#' @rdname parsnip-forest
#' @export
tec_parsnip_forest <- function(formula, data, weights = NULL, ..., columns = NULL, trees = NULL,
                               min_n = NULL) {
  asked <- list(
    weights = parsnip_weights(weights), mtry = at_most_columns(columns, formula, data),
    trees = trees, min_split = min_n
  )
  fit <- do.call(tec_forest, c(list(formula, data), asked[lengths(asked) > 0L], list(...)))
  if (identical(fit$response$name, "..y")) fit$response$name <- "outcome"
  fit
}

# As parsnip does for other engines, so that one grid serves recipes that drop predictors.
at_most_columns <- function(columns, formula, data) {
  if (!is_number(columns)) {
    return(columns)
  }
  p <- length(formula_terms(formula[[3L]], formula[[2L]], data)$name)
  if (columns > p) {
    tec_warn("mtry", c(
      "{.arg mtry} is larger than the number of predictors.",
      x = "It is {columns}; there {cli::qty(p)}{?is/are} {p} predictor{?s}, and all are searched."
    ))
  }
  min(columns, p)
}

# plot(fit) of parsnip's wrapper, which has autoplot() only.
#' @export
`plot._tec_forest` <- function(x, ...) graphics::plot(x$fit, ...)

#' @rdname parsnip-forest
#' @export
tec_parsnip_intervals <- function(object, new_data) {
  if (!is.list(object) || !is_forest(object$fit)) {
    tec_abort("argument", c(
      "{.arg object} must be a fit of {.pkg parsnip} with a forest of this package.",
      x = "It is {describe(object)}."
    ))
  }
  asked <- object$spec$method$pred$conf_int$extras
  width <- stats::qnorm((1 + (asked$level %||% 0.95)) / 2)
  classes <- object$fit$response$levels
  centre <- predict.tec_forest(object$fit, new_data, if (length(classes)) "prob" else "response")
  error <- suppressWarnings(
    predict.tec_forest(object$fit, new_data, "se"), classes = "tec_warning_unseen"
  )
  ends <- list(lower = centre - width * error, upper = centre + width * error)
  with_error <- isTRUE(asked$std_error)
  if (length(classes) == 0L) {
    out <- data.frame(.pred_lower = ends$lower, .pred_upper = ends$upper)
    if (with_error) out$.std_error <- error
    return(as_table(out))
  }
  ends <- lapply(ends, function(end) pmin(pmax(end, 0), 1))
  out <- list()
  for (class in classes) {
    out[[paste0(".pred_lower_", class)]] <- unname(ends$lower[, class])
    out[[paste0(".pred_upper_", class)]] <- unname(ends$upper[, class])
  }
  if (with_error) {
    for (class in classes) out[[paste0(".std_error_", class)]] <- unname(error[, class])
  }
  as_table(list2DF(out, nrow(new_data)))
}

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
  if (is_number(columns) && asked$column_fraction == 1) {
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

#' Splines in tidymodels
#'
#' tectree registers the engine `"tectree"` for `mars()`, for classification and regression, when
#' parsnip and tectree are loaded, in any order. Predictors are used without dummies, and case
#' weights of hardhat are supported. Rows with missing predictors have no prediction.
#'
#' @section Arguments:
#' | `mars()` | [tec_mars()] | |
#' |---|---|---|
#' | `num_terms` | `max_terms` | |
#' | `prod_degree` | `degree` | |
#' | `prune_method` | `prune` | `"backward"` is `"gcv"`, `"cv"` is `"folds"` |
#'
#' All other arguments of [tec_mars()] go into `set_engine()`. Without arguments the defaults are
#' those of [tec_mars()].
#'
#' @param formula,data,weights As in [tec_mars()].
#' @param ... Other arguments of [tec_mars()].
#' @param num_terms,prod_degree,prune_method As above.
#' @return `tec_parsnip_mars()`, which parsnip calls, returns a fit of [tec_mars()].
#' @family modeling frameworks
#' @concept tidymodels
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- parsnip::mars("regression", prod_degree = 2)
#' spec <- parsnip::set_engine(spec, "tectree")
#' fit <- parsnip::fit(spec, mpg ~ ., mtcars)
#' predict(fit, mtcars[1:3, ])
#' parsnip::extract_fit_engine(fit)
#' @name parsnip-mars
NULL

parsnip_mars_arguments <- list(
  list("num_terms", "num_terms", "dials", "num_terms", FALSE),
  list("prod_degree", "prod_degree", "dials", "prod_degree", FALSE),
  list("prune_method", "prune_method", "dials", "prune_method", FALSE)
)

#' @rdname parsnip-mars
#' @export
tec_parsnip_mars <- function(formula, data, weights = NULL, ..., num_terms = NULL,
                             prod_degree = NULL, prune_method = NULL) {
  asked <- list(weights = parsnip_weights(weights), max_terms = num_terms, degree = prod_degree)
  asked <- asked[lengths(asked) > 0L]
  if (!is.null(prune_method)) asked$pmethod <- prune_method
  fit <- do.call(tec_mars, c(list(formula, data), asked, list(...)))
  if (identical(fit$response$name, "..y")) {
    fit$response$name <- "outcome"
    if (is.null(fit$response$levels)) colnames(fit$coefficients) <- "outcome"
  }
  fit
}
