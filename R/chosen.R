# Tested in test-tune.R and test-tree-shape.R.

# The tree of a tuning result; other objects unchanged.
chosen_fit <- function(x, what) {
  x <- wrapped_tree(x)
  if (inherits(x, "tec_boost") && what %in% of_summed_trees) {
    return(summed_forest(x))
  }
  if (!inherits(x, "tec_tune")) {
    return(x)
  }
  if (is.null(x$fit)) {
    tec_abort("argument", c(
      "{.fn {what}} needs a tree, but this tuning result contains none.",
      i = "Use the tree whose {.field tuning} element it is."
    ))
  }
  if (!inherits(x$fit, "tec_fit")) abort_tuned()
  chosen_fit(x$fit, what)
}

# The model in a parsnip fit or a workflow; other objects unchanged.
wrapped_tree <- function(x) {
  fit <- x
  if (inherits(fit, "workflow")) fit <- fit$fit$fit
  if (inherits(fit, "model_fit")) fit <- fit$fit
  if (inherits(fit, c("tec_fit", "tec_tune"))) fit else x
}

# A tree, also from a tuning result or a parsnip fit, for the function `what`.
tree_argument <- function(fit, what) {
  fit <- chosen_fit(fit, what)
  if (!inherits(fit, "tec_tree")) abort_found("{.arg fit} must be a tree from {.fn tec_tree}.", fit)
  check_fit(fit)
}

check_is_tree <- function(x, what) {
  if (!inherits(x, "tec_tree")) {
    tec_abort("argument", c(
      "{.fn {what}} needs a tree from {.fn tec_tree}.",
      x = "It got {describe(x)}.",
      i = other_trees(x, what)
    ))
  }
  check_fit(x)
}

# Advice for objects that are not trees of tectree.
other_trees <- function(x, what) {
  if (inherits(x, c("workflow", "model_spec", "model_fit"))) {
    return("A model of parsnip must be fitted, with the engine {.val tectree}.")
  }
  instead <- c(
    tec_forest =
      "One of its trees is {.code fit[[1]]}; {.fn tec_shap} explains a prediction of all.",
    tec_boost =
      "{.fn tec_shap} explains a prediction, {.fn tec_dependence} shows what predictors do.",
    tec_mars = "{.fn explain} and {.fn plot} show what each function of the sum adds.",
    tec_rotation =
      "{.fn importance}, {.fn tec_dependence} and {.fn tec_components} show what predictors do."
  )
  if (what %in% c("tec_sql", "tec_json", "tec_code", "tec_pmml", "tec_onnx", "verify_export")) {
    instead[c("tec_mars", "tec_rotation")] <- c(
      "Splines are exported by {.fn tec_code}, {.fn tec_sql} and {.fn tec_json}.",
      "Its trees split on sums of predictors, which no export supports; {.fn saveRDS} stores it."
    )
  }
  model <- intersect(class(x), names(instead))
  if (length(model)) {
    return(instead[[model[1L]]])
  }
  "Trees of other packages are converted by {.fn as_tec_tree}."
}
