# Tested in test-on-load.R.

#' tectree: decision trees with one family of split criteria
#'
#' A fast, exact tree engine for the split criteria of ID3, C4.5, CART, the Tsallis entropy
#' criterion and the CAMI family (see [tec_criteria()]). [tec_tree()] grows a tree,
#' [predict()][predict.tec_tree] uses it, [tec_scores()] shows how each split was chosen and
#' [tec_criteria()] lists all criteria.
#'
#' @section Options:
#' `tectree.threads`: the default number of threads.
#'
#' @section Training and test rows:
#' A model is grown from *training rows*: the rows of `data`, or those that `subset` selects. Errors
#' on these rows are optimistic, so measure a model on other rows, its *test rows*, which these
#' pages also call new rows. They can be rows of the same table, or a second table: the `newdata` of
#' `predict()`, or the `data` of [summary()][summary.tec_tree], which counts and measures them. The
#' arguments say which rows are which, so no column has to mark rows as training or test rows.
#'
#' *Held-out rows* are used while a model is chosen: the `validation` rows of [tec_tree()] and
#' [tec_boost()], the folds of [tec_tune()], [cp_table()] and [compare_methods()], and the
#' out-of-bag rows of [tec_forest()]. The error of the best of many settings is too small on the
#' rows that chose it. Keep test rows that took no part in any choice, and use them once.
#'
#' @section Sources of the methods:
#' The package implements published methods, which the help pages cite. Other implementations are
#' rpart (CART); J48 of RWeka and C50 (C4.5); the package CHAID; ranger and randomForest (forests);
#' xgboost, lightgbm and gbm (boosting); earth (splines); Weka (rotation forests); and, for Python,
#' scikit-learn and InterpretML (boosting in cycles). What is new is the speed, the exact search,
#' and what is shown of each model. The CAMI family and the Tsallis criteria for any `q` have no
#' other implementation in R that we know. The article *Speed and agreement* compares times and
#' results with these packages.
#'
#' @section Lifecycle: *Stable*: functions for single trees, that is [tec_tree()], [tec_control()],
#'   `predict()`, `print()`, `summary()`, [n_nodes()], the [methods for all models][model-methods],
#'   [tidiers], [tec_prune()], [cp_table()], [tec_tune()], [tec_scores()], [tec_rules()],
#'   [tec_gains()], [importance()], [explain()], [tec_criteria()], [tec_criterion()], the entropies
#'   and the functions that compare partitions; [tec_forest()]; the conversions [as_rpart()],
#'   [as.party()][as.party.tec_tree], [as_tec_tree()] and [as_tec_forest()]; the exports
#'   [tec_sql()], [tec_json()], [tec_code()], [tec_pmml()] and [tec_onnx()], [verify_export()], and
#'   the JSON format, which contains its version. Before an argument or a result of these changes,
#'   the old way still works for at least one version, with a warning that shows the new way.
#'
#' *Experimental*: [tec_boost()], [tec_shapes()], [tec_rotation()], [tec_components()],
#' [tec_mars()], [tec_more()], [tec_proximity()], [tec_shap()], [tec_dependence()], [tec_shrink()],
#' [tec_intervals()], [compare_criteria()], [compare_methods()], [tec_check_learner()],
#' [tec_picture()], [plot_impurity()], [tec_verbs()], [tec_view()], trees from databases
#' ([tec_engine()], [tec_passes()], [tec_resume()], [tec_cleanup()]), the appearance of plots and
#' pages, the connections to [tidymodels][parsnip], [caret][tec_caret()], [mlr3] and DALEX, and the
#' C++ headers. They are tested as thoroughly, but may change in any version. `NEWS.md` describes
#' the changes.
#'
#' The trees themselves may change in any version, if a tie or a default is decided in a different
#' way. `NEWS.md` describes such changes too.
#'
#' @srrstats {G1.0} The criteria and CART are cited in DESCRIPTION, all methods on their help pages.
#' @srrstats {G1.1} The section *Sources of the methods* names the other implementations and what is
#'   new.
#' @srrstats {G1.2} The section *Lifecycle*, CONTRIBUTING.md and the README say what is stable.
#' @srrstats {G1.4} Every help page is written with roxygen2.
#' @srrstats {G1.5} `replication/` repeats results of the papers, `bench/` makes the figures of this
#'   package.
#' @srrstats {G1.6} `bench/` compares times with rpart, ranger, earth, C50, RWeka and scikit-learn.
#' @srrstats {ML1.0, ML1.0a} The section *Training and test rows* explains the words of all pages.
#' @srrstats {ML1.1} That section also says why no labels are needed: arguments name the rows.
#' @srrstats {ML6.0} That section separates training, choosing and testing.
#' @keywords internal
#' @useDynLib tectree, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom stats predict
"_PACKAGE"

# Registers tectree with other packages when both are loaded, in any order.

.onLoad <- function(libname, pkgname) {
  once_loaded("parsnip", register_parsnip)
  once_loaded("mlr3", register_mlr3)
}

# A version of the package that rejects the registration must not prevent tectree from loading.
once_loaded <- function(package, register) {
  try_it <- function(...) {
    tryCatch(register(), error = function(e) {
      tec_warn("package", c(
        "{.pkg {package}} could not register the trees of this package.",
        x = "{conditionMessage(e)}"
      ))
    })
    invisible()
  }
  setHook(packageEvent(package, "onLoad"), try_it)
  if (isNamespaceLoaded(package)) try_it()
}

register_parsnip <- function() {
  register_model("decision_tree", "tec_parsnip_tree")
  register_model("rand_forest", "tec_parsnip_forest")
  register_model("boost_tree", "tec_parsnip_boost")
  register_model("mars", "tec_parsnip_mars")
}

register_mode <- function(model, fun, mode, types) {
  parsnip::set_fit(model, mode, "tectree", value = list(
    interface = "formula", protect = c("formula", "data", "weights"),
    func = c(pkg = "tectree", fun = fun), defaults = list()
  ))
  parsnip::set_encoding(model, mode, "tectree", options = list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
    allow_sparse_x = FALSE
  ))
  ours <- c(class = "class", prob = "prob", numeric = "response", raw = "response")
  for (type in types) {
    parsnip::set_pred(model, mode, "tectree", type, value = list(
      pre = NULL, post = if (type == "prob") function(x, object) as_table(as.data.frame(x)),
      func = c(fun = "predict"), args = list(
        object = quote(object$fit), newdata = quote(new_data), type = ours[[type]]
      )
    ))
  }
  if (model == "rand_forest") {
    # parsnip sets `level` and `std_error` in the specification when it predicts.
    parsnip::set_pred(model, mode, "tectree", "conf_int", value = list(
      pre = NULL, post = NULL, func = c(pkg = "tectree", fun = "tec_parsnip_intervals"),
      args = list(object = quote(object), new_data = quote(new_data))
    ))
  }
}

register_model <- function(model, fun) {
  if ("tectree" %in% parsnip::get_from_env(model)$engine) {
    return(invisible())
  }
  for (mode in c("classification", "regression")) {
    parsnip::set_model_engine(model, mode, "tectree")
    parsnip::set_dependency(model, "tectree", "tectree", mode)
  }
  for (one in parsnip_arguments[[model]]) {
    parsnip::set_model_arg(model, "tectree",
      parsnip = one[[1L]], original = one[[2L]], func = list(pkg = one[[3L]], fun = one[[4L]]),
      has_submodel = one[[5L]]
    )
  }
  register_mode(model, fun, "classification", c("class", "prob", "raw"))
  register_mode(model, fun, "regression", c("numeric", "raw"))
}
