# Evaluates a model on given rows; computes accuracy, precision and recall from a table of classes.

evaluate_fit <- function(fit, data, y, env) {
  truth <- node_response(fit, data, y, env)
  known <- which(!is.na(truth))
  if (length(known) < length(truth)) {
    dropped <- length(truth) - length(known)
    tec_inform("dropped", "{dropped} row{?s} of {.arg data} without a response {?is/are} not used.")
  }
  if (length(known) == 0L) {
    tec_abort("data", c(
      "{.arg data} has no rows with a response.",
      i = "To predict rows without a response, use {.fn predict}."
    ))
  }
  data <- data[known, , drop = FALSE]
  truth <- truth[known]
  predicted <- predict_beside(fit, data, "response", offset_of_rows(fit, data, env), env)
  rows <- say_not_predicted(!is.na(predicted))
  c(list(rows = length(rows)), measures_of(fit, truth[rows], predicted[rows]))
}

measures_of <- function(fit, truth, predicted, weights = NULL) {
  if (fit$response$task == "regression") {
    return(number_measures(truth, predicted, weights))
  }
  levels <- fit$response$levels
  class_measures(confusion_table(truth, as.integer(predicted), levels, weights), fit$cost)
}

# Tabulates class numbers. The time depends on the pairs that occur, not on all possible pairs.
confusion_table <- function(truth, predicted, levels, weights = NULL) {
  k <- length(levels)
  out <- matrix(0, k, k, dimnames = list(true = levels, predicted = levels))
  cell <- truth + k * (predicted - 1)
  known <- which(!is.na(cell))
  cells <- unique(cell[known])
  w <- if (is.null(weights)) rep(1, length(known)) else weights[known]
  out[cells] <- rowsum_at(w, match(cell[known], cells), length(cells))
  out
}

class_measures <- function(table, cost = NULL) {
  total <- sum(table)
  right <- unname(diag(table))
  share <- function(of) ifelse(of > 0, right / of, NA_real_)
  precision <- share(unname(colSums(table)))
  recall <- share(unname(rowSums(table)))
  classes <- data.frame(
    class = rownames(table), rows = unname(rowSums(table)), precision = precision, recall = recall,
    f1 = ifelse(precision + recall > 0, 2 * precision * recall / (precision + recall), 0)
  )
  c(
    list(confusion = table, accuracy = sum(right) / total, classes = classes),
    if (!is.null(cost)) list(loss = sum(table * cost) / total)
  )
}

number_measures <- function(truth, predicted, weights = NULL) {
  weights <- weights %||% rep(1, length(truth))
  mean_of <- function(x) sum(weights * x) / sum(weights)
  error <- truth - predicted
  spread <- mean_of((truth - mean_of(truth))^2)
  list(
    r_squared = if (isTRUE(spread > 0)) 1 - mean_of(error^2) / spread else NA_real_,
    rmse = sqrt(mean_of(error^2)), mae = mean_of(abs(error))
  )
}

# One line per class: "setosa  25 rows, precision 1.000, recall 1.000".
class_lines <- function(x, width, most = 20L) {
  shown <- utils::head(x$classes, most)
  share <- function(v) ifelse(is.na(v), "-", sprintf("%.3f", v))
  column <- function(name, values) pad(c(name, values), right = TRUE)
  body <- paste(
    pad(c("class", fit_width(show_label(shown$class), width %/% 3L))),
    column("rows", number_text(shown$rows)), column("precision", share(shown$precision)),
    column("recall", share(shown$recall)), column("f1", share(shown$f1))
  )
  more <- nrow(x$classes) - nrow(shown)
  c(
    paste0("Accuracy ", sprintf("%.3f", x$accuracy)), paste0("  ", body),
    if (!is.null(x$loss)) paste0("Mean loss ", number_text(x$loss, 4L)),
    if (more > 0L) {
      paste0("# ... with ", count_text(more, "more class", "more classes"), ": $classes")
    }
  )
}

# The offset of a boosted model, NULL without one. Rows other than the training rows must have its
# columns.
offset_of_rows <- function(fit, rows, env, training = FALSE) {
  if (!inherits(fit, "tec_boost") || !isTRUE(fit$settings$offset)) {
    return(NULL)
  }
  expr <- fit$call$offset
  lost <- setdiff(free_variables(expr), names(rows))
  if (length(lost) && !training) {
    tec_abort("offset", c(
      "The model has an offset, which these rows lack.",
      x = "It was {.code {expr_text(expr)}}, but there is no column {.field {lost[1L]}}.",
      i = "Add it, or use {.fn predict} with {.arg offset}."
    ))
  }
  eval_argument(expr, rows, env, globalenv(), "offset")
}

# predict() with the offset of a boosted model, or without one.
predict_beside <- function(fit, rows, type, offset, env) {
  more <- if (!is.null(offset)) list(offset = offset)
  do.call(stats::predict, c(list(fit, rows, type = type), more), quote = TRUE, envir = env)
}
