#' Trees in tidymodels
#'
#' tectree registers the engine `"tectree"` for `decision_tree()`, for classification and
#' regression, when parsnip and tectree are loaded, in any order; for `rand_forest()` see
#' [parsnip-forest]. It works with workflows, tune and butcher. Predictors are used without dummies,
#' rows with missing predictors are kept, and case weights of hardhat are supported.
#'
#' @section Arguments:
#' | `decision_tree()` | [tec_tree()] | |
#' |---|---|---|
#' | `tree_depth` | `max_depth` | |
#' | `min_n` | `min_split` | also sets `min_bucket` to 1, unless you give it; with `preset = "cart"` to a third of `min_n`, as in rpart |
#' | `cost_complexity` | `cp` | no other pruning and no cross-validation; 0 is no pruning |
#'
#' Without `cost_complexity` the tree is pruned by cross-validation, as in [tec_tree()]. All other
#' arguments of [tec_tree()] and [tec_control()] go into `set_engine()`. There `q = tune()`
#' and `criterion = tune()` have ranges, those of [tec_q_param()]; others, such as `min_bucket =
#' tune()`, need one: `update(parameters, min_bucket = dials::min_n())`.
#'
#' @section Many settings, one tree:
#' `tree_depth`, `min_n` and `cost_complexity` prune one largest
#' tree, as [tec_tune()] explains. `multi_predict(fit, new_data, tree_depth = , min_n = ,
#' cost_complexity = )` predicts for many settings from that tree, one for each element of
#' the arguments. Fit that tree with the largest `tree_depth`, the smallest `min_n` and the smallest
#' `cost_complexity` (or 0). The predictions equal those of separate fits.
#'
#' tune uses this only for `cost_complexity`: many values take no more fits than a single one. Each
#' `tree_depth` and `min_n` needs its own fit.
#'
#' @section Other functions:
#' Functions for trees accept the fit of parsnip or the workflow too:
#' `plot(fit)`, `tec_sql(fit)`, `tec_prune(fit, cp = )`, ... work on its tree, which
#' `extract_fit_engine()` returns. The columns are those that the tree was given, after a recipe.
#' `vip::vi()` and `vip::vip()` show [importance()] by gain. `butcher::butcher()` removes the call
#' and the tuning result of `q`; functions that need the training rows then require `data`. For
#' `tidy()`, `glance()` and `augment()` see [tidiers].
#'
#' @param formula,data,weights As in [tec_tree()].
#' @param ... Other arguments of [tec_tree()].
#' @param tree_depth,min_n,cost_complexity As above.
#' @return `tec_parsnip_tree()`, which parsnip calls, returns a tree.
#' @family modeling frameworks
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
#' @name parsnip
NULL

#' @rdname parsnip
#' @export
tec_parsnip_tree <- function(formula, data, weights = NULL, ..., tree_depth = NULL, min_n = NULL,
                             cost_complexity = NULL) {
  asked <- list(max_depth = tree_depth, min_split = min_n, cp = cost_complexity)
  settings <- prunable_arguments(asked[lengths(asked) > 0L], list(...), "cost_complexity")
  rows <- list(formula, data, weights = parsnip_weights(weights))
  fit <- do.call(tec_tree, c(rows[c(TRUE, TRUE, !is.null(weights))], settings))
  # parsnip's own name of the response, where it was given x and y or comes from a workflow.
  if (identical(fit$response$name, "..y")) fit$response$name <- "outcome"
  fit
}

# parsnip takes the class off hardhat's weights and leaves frequencies as integers.
parsnip_weights <- function(weights) {
  if (is.integer(weights) && !is.object(weights)) {
    weights <- structure(weights, class = "hardhat_frequency_weights")
  }
  weights
}

# plot(fit) of parsnip's wrapper, which has autoplot() only.
#' @export
`plot._tec_tree` <- function(x, ...) graphics::plot(x$fit, ...)

# list(parsnip's name, ours, package and function of the dials parameter, whether one fit serves all
# values). tune supports only one submodel argument.
parsnip_criteria <- list(
  list("q", "q", "tectree", "tec_q_param", FALSE),
  list("criterion", "criterion", "tectree", "tec_criterion_param", FALSE)
)
parsnip_arguments <- c(list(
  list("tree_depth", "tree_depth", "dials", "tree_depth", FALSE),
  list("min_n", "min_n", "dials", "min_n", FALSE),
  list("cost_complexity", "cost_complexity", "dials", "cost_complexity", TRUE)
), parsnip_criteria)
