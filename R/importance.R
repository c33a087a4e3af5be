#' Variable importance
#'
#' By default, the importance of a predictor is the sum, over the nodes that split on it, of the
#' gain times the node's share of the weight of the root. For a criterion with linear weights
#' (`tsallis`, `shannon`, `gini`, `l2`, `l1`), the sum over all predictors is the impurity of the
#' root minus the mean impurity of the leaves.
#'
#' If several predictors are equally good, the first column is used. So the first of two identical
#' columns gets all the importance, and small nodes, where ties are frequent, favour the first
#' columns. [tec_scores()] marks ties; growing with `ties = "random"` shows their influence.
#'
#' With `type = "permutation"`, the importance is the increase of the prediction error when the
#' values of the predictor are shuffled, averaged over `repeats`. It needs data with the response.
#' On rows that were not used for training, it measures how much the predictor contributes to
#' prediction. On training rows, uninformative predictors also seem to matter.
#'
#' @param x A tree from [tec_tree()].
#' @param type `"gain"` or `"permutation"`.
#' @param data For permutation: a data frame with the predictors and the response. All its rows
#'   count equally.
#' @param y The response, needed only if the tree was grown from `x` and `y`.
#' @param repeats How often each predictor is shuffled.
#' @param ... Must be empty.
#' @return A data frame of class `tec_importance`, in decreasing order, with the columns `variable`
#'   and `importance`. For gain it also has `share` (of the total) and `splits` (the number of nodes
#'   that split on it), for permutation `se` (the standard error of the mean over the repeats).
#'   `print()` lists predictors without splits or without effect in one line. Permutation importance
#'   is in units of the error rate or the mean squared error (mean absolute error for criterion
#'   `l1`).
#' @family explanations of a tree
#' @seealso [plot()][plot.tec_importance] draws it.
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' importance(fit)
#' set.seed(1)
#' importance(fit, type = "permutation", data = iris)
#' @export
importance <- function(x, ...) {
  UseMethod("importance")
}

#' @rdname importance
#' @export
importance.tec_tree <- function(x, type = c("gain", "permutation"), data = NULL, y = NULL,
                                repeats = 10L, ...) {
  refuse_dots("importance", ...)
  type <- if (missing(type)) "gain" else type
  rows <- list(data = data, y = y, repeats = repeats, given = !missing(repeats))
  importance_of(x, type, "gain", gain_importance, rows, parent.frame())
}

refuse_permutation <- function(data, y, repeats) {
  refuse_without(
    "type = \"permutation\"", c(data = !is.null(data), y = !is.null(y), repeats = repeats)
  )
}

# The importance for any model: by its own measure, `kind`, or by permutation. `rows`: list(data, y,
# repeats, given = whether `repeats` was given).
importance_of <- function(fit, type, kind, own, rows, env) {
  type <- match_choice(type, c(kind, "permutation"), "type")
  check_fit(fit)
  if (type != "permutation") {
    refuse_permutation(rows$data, rows$y, rows$given)
    return(sorted_importance(own(fit), type))
  }
  repeats <- check_count(rows$repeats, "repeats", least = 1)
  data <- needed_data(rows$data, "importance")
  sorted_importance(permutation_importance(fit, data, rows$y, repeats, env), type)
}

sorted_importance <- function(table, type) {
  out <- table[order(-table$importance), ]
  rownames(out) <- NULL
  structure(out, type = type, class = c("tec_importance", "data.frame"))
}

importance_table <- function(name, value) {
  all <- sum(value)
  list2DF(list(
    variable = name, importance = value, share = if (all > 0) value / all else 0 * value
  ))
}

gain_importance <- function(fit) {
  check_squares(fit)
  tree <- fit$tree
  inner <- which(tree$kind != 0L)
  say_gains(fit, tree$variable[inner])
  gain <- tree$gain[inner] * tree$weight[inner] / tree$weight[1L]
  by <- factor(tree$variable[inner], levels = seq_along(fit$columns$name))
  total <- vapply(split(gain, by), function(g) sum(g, na.rm = TRUE), 0, USE.NAMES = FALSE)
  out <- importance_table(fit$columns$name, total)
  out$splits <- tabulate(by, length(total))
  out
}

# A tree of a forest does not have the gains of the search for columns with missing values.
say_gains <- function(fit, split) {
  columns <- intersect(split, fit[["gaps"]])
  if (length(columns)) {
    tec_inform("gain", c(
      "A tree of a forest does not store the gains of splits on columns with missing values: \
       {.field {shorten(fit$columns$name[sort(columns)])}}.",
      x = "They are given for all rows, not for those with a value, which chose the split.",
      i = "{.fn importance} of the forest shows the gains that chose the splits."
    ))
  }
}

permutation_importance <- function(fit, data, y, repeats, env) {
  variables <- seq_along(fit$columns$name)
  values <- code_rows(fit, data, env, "data")
  used <- which(lengths(values) > 0L)
  truth <- node_response(fit, data, y, env)
  if (all(is.na(truth))) {
    tec_abort("data", "No row of {.arg data} has a response.")
  }
  offset <- offset_of_rows(fit, data, env)
  rows <- rows_with_predictors(fit, values, nrow(data))
  if (length(rows) < nrow(data)) {
    values <- lapply(values, `[`, rows)
    truth <- truth[rows]
  }
  n <- length(rows)
  base <- prediction_error(fit, values, truth, offset)
  loss <- matrix(0, length(variables), repeats)
  for (j in used) {
    for (r in seq_len(repeats)) {
      shuffled <- values
      shuffled[[j]] <- values[[j]][sample.int(n)]
      loss[j, r] <- prediction_error(fit, shuffled, truth, offset) - base
    }
  }
  data.frame(
    variable = fit$columns$name, importance = rowMeans(loss),
    se = if (repeats > 1L) apply(loss, 1L, stats::sd) / sqrt(repeats) else NA_real_
  )
}

prediction_error <- function(fit, values, truth, offset) {
  predicted <- predict_shifted(fit, values, length(truth), "response", offset)
  known <- !is.na(truth)
  if (fit$response$task == "classification") {
    return(mean(as.integer(predicted)[known] != truth[known]))
  }
  error <- predicted[known] - truth[known]
  if (identical(fit$criterion$name, "l1")) mean(abs(error)) else mean(error^2)
}

# A fit does not store the training data, so functions that need rows have an argument `data`.
needed_data <- function(data, what) {
  if (is.null(data)) {
    tec_abort("data", c(
      "{.fn {what}} needs {.arg data}.",
      i = "A tree does not store its training data: give the rows, best those that it has not seen."
    ))
  }
  check_newdata(data, "data")
}

# The same number of decimals for all numbers, such that the largest has `digits` digits.
even_digits <- function(x, digits, largest) {
  decimals <- digits - 1 - floor(log10(max(largest, 1e-300)))
  if (decimals > 12 || decimals < -12) {
    return(number_text(x, digits))
  }
  formatC(x, digits = max(0, decimals), format = "f", width = 1L)
}
