# Tested in test-tune.R.

# The tree of a tuning run; other objects unchanged.
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
      "{.fn {what}} needs a tree, and this tuning result holds none.",
      i = "Use the tree whose {.field tuning} it is."
    ))
  }
  chosen_fit(x$fit, what)
}

# The model in a parsnip fit or a workflow; anything else as it is.
wrapped_tree <- function(x) {
  fit <- x
  if (inherits(fit, "workflow")) fit <- fit$fit$fit
  if (inherits(fit, "model_fit")) fit <- fit$fit
  if (inherits(fit, c("tec_fit", "tec_tune"))) fit else x
}

# A tree, or that of a tuning run or of parsnip, of the function `what`.
tree_argument <- function(fit, what) {
  fit <- chosen_fit(fit, what)
  if (!inherits(fit, "tec_tree")) abort_found("{.arg fit} must be a tree from {.fn tec_tree}.", fit)
  check_fit(fit)
}
