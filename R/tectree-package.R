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
#' @section Lifecycle: *Stable*: functions for single trees, that is [tec_tree()], [tec_control()],
#'   `predict()`, `print()`, `summary()`, [tec_prune()], [cp_table()], [tec_tune()], [tec_scores()],
#'   [tec_rules()], [tec_gains()], [importance()], [explain()], [tec_criteria()], the entropies and
#'   the functions that compare partitions; [tec_forest()]; the exports [tec_sql()], [tec_json()],
#'   [tec_code()], [tec_pmml()] and [tec_onnx()], [verify_export()], and the JSON format, which
#'   contains its version. Before an argument or a result of these changes, the old way still works
#'   for at least one version, with a warning that shows the new way.
#'
#' *Experimental*: [tec_boost()], [tec_shapes()], [tec_rotation()], [tec_mars()], [tec_shap()],
#' [tec_dependence()], [compare_methods()], [tec_view()], trees from databases ([tec_engine()]), the
#' appearance of plots and pages, the connections to tidymodels, caret, mlr3 and DALEX, and the C++
#' headers. They are tested as thoroughly, but may change in any version. `NEWS.md` describes the
#' changes.
#'
#' The trees themselves may change in any version, if a tie or a default is decided in a different
#' way. `NEWS.md` describes such changes too.
#'
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
