#' Trees in tidymodels
#'
#' Where parsnip and tectree are loaded, in either order, `decision_tree()` has the engine
#' `"tectree"` for classification and regression. What parsnip's workflows, tune and butcher do
#' with an engine works with this one; predictors go to the tree as they are, no dummies are made,
#' and rows with missing predictors take part. Case weights of hardhat are case weights here.
#'
#' @section Arguments:
#' | `decision_tree()` | [tec_tree()] | |
#' |---|---|---|
#' | `tree_depth` | `max_depth` | |
#' | `min_n` | `min_split` | `min_bucket` is then 1, unless you give it; with `preset = "cart"` a third of `min_n`, as in rpart |
#' | `cost_complexity` | `cp` | the only pruning then, without cross-validation; 0 is none |
#'
#' Without `cost_complexity` the tree is pruned as [tec_tree()] does it, by cross-validation. All other arguments of
#' [tec_tree()] and [tec_control()] go into `set_engine()`. There `q = tune()` and `criterion =
#' tune()` have ranges, those of [tec_q_param()]; others, such as `min_bucket = tune()`, need one:
#' `update(parameters, min_bucket = dials::min_n())`.
#'
#' @section Many settings, one tree:
#' `tree_depth`, `min_n` and `cost_complexity` prune one largest tree, as [tec_tune()] explains.
#' `multi_predict(fit, new_data, tree_depth = , min_n = , cost_complexity = )` predicts for many
#' settings from that tree, a setting for each place of the arguments: fit it with the largest
#' `tree_depth`, the smallest `min_n` and a `cost_complexity`, the smallest or 0. The result is what a
#' fit with each setting predicts.
#'
#' tune uses this for one argument at a time: a grid with many values of `cost_complexity` costs
#' no more fits than one with a single value. For each `tree_depth` and `min_n` it fits again.
#'
#' @section Around it:
#' `vip::vi()` and `vip::vip()` show [importance()] by gain. `butcher::butcher()` removes the
#' call, so that what looks for the training rows then asks for `data`, and the curve of a `q` chosen
#' by cross-validation: there is little else to remove. For `tidy()`, `glance()` and `augment()` see
#' [tidiers].
#'
#' @param formula,data,weights As in [tec_tree()].
#' @param ... Other arguments of [tec_tree()].
#' @param tree_depth,min_n,cost_complexity As above.
#' @return `tec_parsnip_tree()`, which parsnip calls, returns a tree.
#' @family other frameworks
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
  rows <- list(formula, data, weights = weights)
  do.call(tec_tree, c(rows[c(TRUE, TRUE, !is.null(weights))], settings))
}

# `q` and `criterion` are arguments of the engine; here they get their ranges. tune can handle one
# argument that takes no new fit.
parsnip_arguments <- list(
  list("tree_depth", "dials", "tree_depth", FALSE), list("min_n", "dials", "min_n", FALSE),
  list("cost_complexity", "dials", "cost_complexity", TRUE),
  list("q", "tectree", "tec_q_param", FALSE),
  list("criterion", "tectree", "tec_criterion_param", FALSE)
)

register_parsnip <- function() {
  if ("tectree" %in% parsnip::get_from_env("decision_tree")$engine) {
    return(invisible())
  }
  for (mode in c("classification", "regression")) {
    parsnip::set_model_engine("decision_tree", mode, "tectree")
    parsnip::set_dependency("decision_tree", "tectree", "tectree", mode)
  }
  for (one in parsnip_arguments) {
    parsnip::set_model_arg("decision_tree", "tectree",
      parsnip = one[[1L]], original = one[[1L]],
      func = list(pkg = one[[2L]], fun = one[[3L]]), has_submodel = one[[4L]]
    )
  }
  register_mode("classification", c("class", "prob", "raw"))
  register_mode("regression", c("numeric", "raw"))
}

register_mode <- function(mode, types) {
  parsnip::set_fit("decision_tree", mode, "tectree", value = list(
    interface = "formula", protect = c("formula", "data", "weights"),
    func = c(pkg = "tectree", fun = "tec_parsnip_tree"), defaults = list()
  ))
  parsnip::set_encoding("decision_tree", mode, "tectree", options = list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
    allow_sparse_x = FALSE
  ))
  ours <- c(class = "class", prob = "prob", numeric = "response", raw = "response")
  for (type in types) {
    parsnip::set_pred("decision_tree", mode, "tectree", type, value = list(
      pre = NULL, post = if (type == "prob") function(x, object) as_table(as.data.frame(x)),
      func = c(fun = "predict"), args = list(
        object = quote(object$fit), newdata = quote(new_data), type = ours[[type]]
      )
    ))
  }
}
