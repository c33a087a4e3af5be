# Tested in test-parsnip.R, test-parsnip-forest.R, test-parsnip-boost.R and test-parsnip-mars.R.

#' Trees in tidymodels
#'
#' tectree registers the engine `"tectree"` for `decision_tree()`, for classification and
#' regression, when parsnip and tectree are loaded, in any order; for `rand_forest()` see
#' [parsnip-forest]. It works with workflows, tune and butcher. Predictors are used without dummies,
#' rows with missing predictors are kept, and case weights of hardhat are supported.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @section Arguments:
#' | `decision_tree()` | [tec_tree()] | |
#' |---|---|---|
#' | `tree_depth` | `max_depth` | |
#' | `min_n` | `min_split` | also sets `min_bucket` to 1, unless you give it; with `preset = "cart"` to a third of `min_n`, as in rpart |
#' | `cost_complexity` | `cp` | no other pruning and no cross-validation; 0 is no pruning |
#'
#' Without `cost_complexity` the tree is pruned by cross-validation, as in [tec_tree()]. All other
#' arguments of [tec_tree()] and [tec_control()] go into `set_engine()`. There `q = tune()` and
#' `criterion = tune()` have the ranges of [tec_q_param()]. For others, such as `min_bucket =
#' tune()`, set a range: `update(parameters, min_bucket = dials::min_n())`.
#'
#' @section Many settings, one tree:
#' `tree_depth`, `min_n` and `cost_complexity` prune one largest tree, as [tec_tune()] explains.
#' `multi_predict(fit, new_data, tree_depth = , min_n = , cost_complexity = )` predicts for many
#' settings from that tree, one setting per element of the arguments. Fit the tree with the largest
#' `tree_depth`, the smallest `min_n` and the smallest `cost_complexity` (or 0). The predictions
#' equal those of separate fits.
#'
#' tune uses this only for `cost_complexity`, where many values need no more fits than one. Each
#' value of `tree_depth` and `min_n` needs its own fit.
#'
#' @section Other functions:
#' `extract_fit_engine()` returns the tree, for use with all functions for trees: `plot()`,
#' [tec_shap()], [tec_scores()] and others. Its columns are those that it was grown from, after any
#' recipe. Some functions also accept the fit of parsnip or the workflow: `tectree::explain()`,
#' [tec_rules()], [tec_prune()], [tec_view()], [tec_dependence()], [importance()], [tec_shap()],
#' [tec_gains()], and exports such as [tec_sql()]. `plot()` and `ggplot2::autoplot()` accept the fit
#' of parsnip, but not the workflow: use `plot(extract_fit_engine(fit))`. `summary()` and
#' [tec_scores()] accept only the tree.
#'
#' In a tree from a workflow or from `fit_xy()` the response is called `..y`. Functions that need it
#' take it as `y`: `importance(fit, type = "permutation", data = d, y = d$y)`, [tec_scores()],
#' [tec_gains()], and `plot()` with `type = "calibration"` or `"roc"`. For `strips`, `"histogram"`
#' and `"density"` the `data` of `plot()` need a column `..y`, made by `d$..y <- d$y`.
#'
#' `vip::vi()` and `vip::vip()` show [importance()] by gain. `butcher::butcher()` removes the call
#' and the tuning result of `q`; functions that need the training rows then require `data`.
#' [tidiers] describes `tidy()`, `glance()` and `augment()`.
#'
#' @param formula,data,weights As in [tec_tree()].
#' @param ... Other arguments of [tec_tree()].
#' @param tree_depth,min_n,cost_complexity See the table in the section *Arguments* below.
#' @return `tec_parsnip_tree()`, which parsnip calls, returns a tree.
#' @family modeling frameworks
#' @seealso `vignette("with-tidymodels", "tectree")` shows the use with workflows and tuning.
#' @concept tidymodels
#' @concept decision_tree
#' @concept multi_predict
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- parsnip::decision_tree(mode = "classification", cost_complexity = 0.01)
#' spec <- parsnip::set_engine(spec, "tectree", q = 1.5)
#' fit <- parsnip::fit(spec, Species ~ ., iris)
#' predict(fit, iris[c(1, 71, 120), ], type = "prob")
#' parsnip::extract_fit_engine(fit)
#'
#' # Three complexity penalties from one tree
#' parsnip::multi_predict(fit, iris[71, ], cost_complexity = c(0.01, 0.1, 0.6))$.pred[[1]]
#' @srrstats {ML3.0b, ML3.0c, ML3.0d} Specifications of parsnip print their settings, are combined
#'   with recipes in workflows, and are fitted by `fit()`.
#' @srrstats {ML3.2} A workflow or a recipe is used with any model.
#' @srrstats {ML6.1, ML6.1a} Shown within tidymodels here and in a vignette, and within [mlr3] and
#'   caret ([tec_caret()]).
#' @name parsnip
NULL

#' @rdname parsnip
#' @export
tec_parsnip_tree <- function(formula, data, weights = NULL, ..., tree_depth = NULL, min_n = NULL,
                             cost_complexity = NULL) {
  asked <- list(max_depth = tree_depth, min_split = min_n, cp = cost_complexity)
  settings <- prunable_arguments(asked[lengths(asked) > 0L], list(...), "cost_complexity")
  parsnip_fit(tec_tree, formula, data, weights, list(), settings)
}

# `asked`: arguments that may be NULL; `more`: all others.
parsnip_fit <- function(grow, formula, data, weights, asked, more) {
  # parsnip removes the class of hardhat's weights and leaves frequencies as integers.
  if (is.integer(weights) && !is.object(weights)) {
    weights <- structure(weights, class = "hardhat_frequency_weights")
  }
  asked <- c(list(weights = weights), asked)
  fit <- do.call(grow, c(list(formula, data), asked[lengths(asked) > 0L], more))
  # parsnip's own name for the response, if it got x and y or comes from a workflow.
  if (identical(fit$response$name, "..y")) {
    fit$response$name <- "outcome"
    if (is_mars(fit) && is.null(fit$response$levels)) colnames(fit$coefficients) <- "outcome"
  }
  fit
}

# plot(fit) of parsnip's wrapper, which has autoplot() only.
#' @export
`plot._tec_tree` <- function(x, ...) graphics::plot(x$fit, ...)

# list(parsnip's name, our name, package and function of the dials parameter, whether one fit is
# enough for all values). tune supports only one submodel argument.
parsnip_argument <- function(name, ours = name, dial = name, package = "dials", one_fit = FALSE) {
  list(name, ours, package, dial, one_fit)
}
parsnip_criteria <- list(
  parsnip_argument("q", dial = "tec_q_param", package = "tectree"),
  parsnip_argument("criterion", dial = "tec_criterion_param", package = "tectree")
)
# parsnip replaces an argument `mtry` of the fitting function by an expression in `x`, which a
# function of a formula and data does not have. So our argument is `columns`.
parsnip_arguments <- list(
  decision_tree = c(
    lapply(c("tree_depth", "min_n"), parsnip_argument),
    list(parsnip_argument("cost_complexity", one_fit = TRUE)), parsnip_criteria
  ),
  rand_forest = c(
    list(parsnip_argument("mtry", "columns")), lapply(c("trees", "min_n"), parsnip_argument),
    parsnip_criteria
  ),
  boost_tree = c(
    list(parsnip_argument("mtry", "columns")),
    lapply(c("trees", "min_n", "tree_depth", "learn_rate", "loss_reduction"), parsnip_argument),
    list(parsnip_argument("sample_size", dial = "sample_prop"), parsnip_argument("stop_iter"))
  ),
  mars = lapply(c("num_terms", "prod_degree", "prune_method"), parsnip_argument)
)

#' Forests in tidymodels
#'
#' tectree registers the engine `"tectree"` for `rand_forest()`, for classification and regression,
#' when parsnip and tectree are loaded, in any order. It works with workflows, tune and butcher.
#' Predictors are used without dummies, rows with missing predictors are kept, and case weights of
#' hardhat are supported.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @section Arguments:
#' | `rand_forest()` | [tec_forest()] | |
#' |---|---|---|
#' | `mtry` | `mtry` | more than there are predictors: all of them, with a warning |
#' | `trees` | `trees` | |
#' | `min_n` | `min_split` | |
#'
#' All other arguments of [tec_forest()] and [tec_control()] go into `set_engine()`. There
#' `q = tune()` and `criterion = tune()` have the ranges of [tec_q_param()]. With several values, as
#' in `set_engine("tectree", q = c(0.5, 1, 2))`, each fit chooses one by its out-of-bag error. All
#' defaults are those of [tec_forest()].
#'
#' @section Predictions: The types are `"class"`, `"prob"`, `"numeric"`, `"raw"` and `"conf_int"`.
#'   Confidence limits are the prediction plus and minus normal quantiles times the standard error,
#'   see [predict()][predict.tec_forest]. Limits of probabilities are kept between 0 and 1. With few
#'   trees the standard error can be `NA`: grow more. parsnip's types `"quantile"` and `"pred_int"`
#'   are not registered: use `predict(extract_fit_engine(fit), new_data, type = "quantiles")`.
#'   `std_error = TRUE` adds the standard errors. With `probability = FALSE`, the default, the class
#'   is the one with the most votes, which may not have the largest probability.
#'
#' @section Other functions:
#' `extract_fit_engine()` returns the forest, for use with [importance()][importance.tec_forest],
#' [tec_shap()] and other functions. `vip::vi()` shows the importance that the forest was grown
#' with. `butcher::butcher()` removes the call and the out-of-bag predictions. [forest-tidiers]
#' describes `tidy()`, `glance()` and `augment()`.
#'
#' @param formula,data,weights As in [tec_forest()].
#' @param ... Other arguments of [tec_forest()].
#' @param columns,trees,min_n `mtry`, `trees` and `min_n`, see the table in *Arguments* below.
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

#' @rdname parsnip-forest
#' @export
tec_parsnip_forest <- function(formula, data, weights = NULL, ..., columns = NULL, trees = NULL,
                               min_n = NULL) {
  mtry <- at_most_columns(columns, formula, data)
  asked <- list(mtry = mtry, trees = trees, min_split = min_n)
  parsnip_fit(tec_forest, formula, data, weights, asked, list(...))
}

n_predictors <- function(formula, data) {
  length(formula_terms(formula[[3L]], formula[[2L]], data)$name)
}

# The same as parsnip does for other engines: one grid also works for recipes that drop predictors.
at_most_columns <- function(columns, formula, data) {
  if (!is_number(columns)) {
    return(columns)
  }
  p <- n_predictors(formula, data)
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
#' *Experimental*, see *Lifecycle* in [tectree-package].
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
#' If `trees` is given, the model has so many rounds, unless `stop_iter`, or the engine's
#' `validation` or `folds`, makes it the maximum. All other arguments of [tec_boost()] go into
#' `set_engine()`, and all defaults are those of [tec_boost()]. With `cyclic = TRUE`, the model is a
#' sum of functions of one or two predictors (an explainable boosting machine), which
#' `tec_shapes(fit, data)` shows.
#'
#' @param formula,data,weights As in [tec_boost()].
#' @param ... Other arguments of [tec_boost()].
#' @param columns,trees,min_n,tree_depth,learn_rate,loss_reduction,sample_size,stop_iter See the
#'   table in *Arguments* below; `columns` is `mtry`.
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
#' tec_shapes(fit, mtcars)
#' @name parsnip-boost
NULL

#' @rdname parsnip-boost
#' @export
tec_parsnip_boost <- function(formula, data, weights = NULL, ..., columns = NULL, trees = NULL,
                              min_n = NULL, tree_depth = NULL, learn_rate = NULL,
                              loss_reduction = NULL, sample_size = NULL, stop_iter = NULL) {
  others <- list(...)
  asked <- list(
    rounds = trees, column_fraction = at_most_columns(columns, formula, data), min_bucket = min_n,
    max_depth = tree_depth, rate = learn_rate, min_gain = loss_reduction,
    sample_fraction = sample_size, patience = stop_iter
  )
  chosen <- any(c("validation", "folds") %in% names(others))
  if (!is.null(stop_iter) && !chosen) {
    others$validation <- 0.2
  } else if (!is.null(trees) && !chosen) {
    others$folds <- 0
  }
  # mtry = 1 is one predictor, not a share of 1.
  if (is_number(columns) && asked$column_fraction == 1) {
    asked$column_fraction <- 1 / n_predictors(formula, data)
  }
  parsnip_fit(tec_boost, formula, data, weights, asked, others)
}

# plot(fit) of parsnip's wrapper, which has autoplot() only.
#' @export
`plot._tec_boost` <- function(x, ...) graphics::plot(x$fit, ...)

#' Splines in tidymodels
#'
#' tectree registers the engine `"tectree"` for `mars()`, for classification and regression, when
#' parsnip and tectree are loaded, in any order. Predictors are used without dummies, and case
#' weights of hardhat are supported. Rows with missing predictors have no prediction.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @section Arguments:
#' | `mars()` | [tec_mars()] | |
#' |---|---|---|
#' | `num_terms` | `max_terms` | |
#' | `prod_degree` | `degree` | |
#' | `prune_method` | `prune` | `"backward"` is `"gcv"`, `"cv"` is `"folds"` |
#'
#' All other arguments of [tec_mars()] go into `set_engine()`, and all defaults are those of
#' [tec_mars()].
#'
#' @param formula,data,weights As in [tec_mars()].
#' @param ... Other arguments of [tec_mars()].
#' @param num_terms,prod_degree,prune_method See the table in the section *Arguments* below.
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

#' @rdname parsnip-mars
#' @export
tec_parsnip_mars <- function(formula, data, weights = NULL, ..., num_terms = NULL,
                             prod_degree = NULL, prune_method = NULL) {
  asked <- list(max_terms = num_terms, degree = prod_degree, pmethod = prune_method)
  parsnip_fit(tec_mars, formula, data, weights, asked, list(...))
}
