# Tested in test-forest-code.R.
# A forest as the writers take it, and what predict() says of it, from its single trees.

# list(response, classes, inputs, by, cost, link, shared, trees): `trees` are the forms of
# export_tree(), all with the inputs of the forest; `by` is forest_rule(), `link` linked_forest()'s.
export_forest <- function(fit, missing = "as_fitted") {
  check_fit(fit)
  used <- needed_columns(fit)
  inputs <- lapply(used, export_input, fit = fit)
  by <- forest_rule(fit)
  trees <- lapply(seq_len(length(fit)), function(i) {
    tree <- forest_tree(fit, i, check = FALSE)
    export_form(with_missing(tree, missing), used, inputs, missing)
  })
  list(
    response = fit$response$name, classes = fit$response$levels, inputs = inputs, by = by,
    cost = fit$cost, link = fit$link, shared = any(vapply(trees, `[[`, NA, "shared")), trees = trees
  )
}

# For places where a row goes to one node of a tree. `missing`: NULL if it was not asked for.
export_unshared <- function(fit, what, missing) {
  fit <- chosen_fit(fit, what)
  if (!is_forest(fit)) check_is_tree(fit, what)
  missing <- missing %||% unshared_missing(fit)
  form <- if (is_forest(fit)) {
    export_forest(fit, missing)
  } else {
    export_tree(fit, what, missing)
  }
  if (form$shared) abort_shared(paste0("{.fn ", what, "}"), model_word(fit))
  c(form, model = model_word(fit))
}

# As the model has it; but one that would send rows down several branches, and never had to when it
# was grown, sends them down the largest.
unshared_missing <- function(fit) {
  never <- if (is_forest(fit)) {
    trees <- fit[["trees"]]
    trees$unknown == 1L && !is.null(fit[["gaps"]]) && !any(needed_columns(fit) %in% fit[["gaps"]])
  } else {
    inherits(fit, "tec_tree") && fit$tree$unknown == 1L && is.null(fit$source) &&
      !has_shared_rows(fit$tree)
  }
  if (never) "majority" else "as_fitted"
}

# Whether a row without a value counts in several children of a node.
has_shared_rows <- function(tree) {
  edge <- edges(tree)
  inner <- which(tree$kind != 0L)
  below <- vapply(split(tree$n[edge$child], factor(edge$parent, inner)), sum, 0)
  any(below > tree$n[inner] * (1 + 1e-9))
}

# What decides on the class: "votes", "shares" (their means) or "cost" (expected by mean shares).
# "mean" where numbers are predicted.
forest_rule <- function(fit) {
  if (fit$response$task == "regression") {
    return("mean")
  }
  if (!is.null(fit$cost)) {
    return("cost")
  }
  if (isTRUE(fit$settings$probability)) "shares" else "votes"
}

# By a single tree at a time where `missing` is not as the forest has it.
expected_of_forest <- function(fit, newdata, missing = "as_fitted") {
  if (is_linked(fit)) {
    return(expected_of_linked(fit, newdata, missing))
  }
  n <- nrow(newdata)
  values <- suppressWarnings(code_rows(fit, newdata, parent.frame()))
  classes <- !is.null(fit$response$levels)
  predicted <- function(type) predict_coded(fit, values, n, type)
  if (missing == "as_fitted") {
    response <- predicted("response")
    return(list(
      response = if (classes) as.character(response) else response,
      prob = if (classes) predicted("prob"), votes = if (classes) predicted("votes")
    ))
  }
  mean_of_trees(fit, values, n, missing)
}

mean_of_trees <- function(fit, values, n, missing) {
  levels <- fit$response$levels
  k <- max(1L, length(levels))
  sums <- votes <- matrix(0, n, k)
  for (i in seq_len(length(fit))) {
    tree <- with_missing(forest_tree(fit, i), missing)
    said <- predict_coded(tree, values, n, if (length(levels)) "prob" else "response")
    if (missing == "null") {
      none <- vapply(predict_paths(tree, values, n), function(p) any(p$by_default), NA)
      sums[none, ] <- NA
    }
    sums <- sums + as.matrix(said)
    if (length(levels)) {
      at <- cbind(seq_len(n), best_answer(said, fit$cost))
      votes[at] <- votes[at] + 1
    }
  }
  if (length(levels) == 0L) {
    return(list(response = sums[, 1L] / length(fit)))
  }
  gone <- is.na(sums[, 1L])
  votes[gone, ] <- NA
  class <- rep(NA_integer_, n)
  class[!gone] <- class_of_forest(
    votes[!gone, , drop = FALSE], sums[!gone, , drop = FALSE] / length(fit),
    isTRUE(fit$settings$probability), fit$cost
  )
  list(response = levels[class], prob = sums / length(fit), votes = votes / length(fit))
}

is_linked <- function(fit) !is.null(fit$link)

abort_pmml_cost <- function() {
  abort_export(
    "PMML has no way to choose a class by the costs of a forest.",
    i = "Use {.fn tec_code}, {.fn tec_onnx} or {.fn tec_sql}, or grow the forest with \\
         {.arg class_weights} instead of {.arg cost}."
  )
}
