#' Predict with a tree
#'
#' Returns one prediction per row of `newdata`, in the same order. A prediction does not depend on
#' the other rows. `newdata` must have the columns that the tree splits on; if their values are not
#' known, set them to `NA`. Other columns can be absent. If the column of a surrogate is absent, the
#' surrogate is skipped. Factors, characters and logicals are matched by the labels of their levels.
#' Unseen levels are treated as missing, with one warning per call that names the columns and levels
#' (or an error, with `unseen = "error"` in [tec_control()]).
#'
#' # Missing values
#'
#' Missing values are handled by the rule that the tree was grown with, see `missing` in
#' [tec_control()].
#'
#' * `"fractional"`: the row goes down every branch, in proportion to the weights of the training
#'   rows, and the prediction is the weighted mean over the leaves that it reaches.
#' * `"surrogate"`: the best surrogate with a value decides. Without one, the row goes down the
#'   branch with the largest weight.
#' * `"majority"`: the row goes down the branch with the largest weight.
#' * `"mode"`: the row goes down the branch of the imputed value.
#' * `"learned"`: the row goes down the branch with the larger gain in training, or, if no training
#'   row of the node had a missing value there, the branch with the largest weight.
#' * `"category"` (the presets of CHAID): the row goes with the categories that missing values were
#'   merged with, or alone. If no training row of the node had a missing value there, it goes down
#'   the branch with the largest weight.
#' * `"drop"`: the prediction is that of the node where the value is missing.
#'
#' # Security
#'
#' A tree grown on computed columns, such as `y ~ log(x)`, stores these calls, and `predict()`
#' evaluates them on `newdata`, as [predict.lm()] does. So load stored fits only from sources that
#' you trust. [tec_from_json()] reads a tree without running code. An inconsistent fit is an error
#' of class `tec_error_damaged`.
#'
#' @param object A tree from [tec_tree()].
#' @param newdata A data frame, or a matrix (also sparse) if the tree was grown from one. If
#'   missing, the training rows are used if they can be found: see [fitted()][model-methods].
#'   It can also be a lazy table of dbplyr. The result is then the table with the column `.pred` or
#'   `.node`, or a column `.pred_<class>` for each class, and nothing is collected.
#' @param type What to return:
#'   * `"response"`: the class or, for regression, the number;
#'   * `"class"`: a factor with the levels of the response;
#'   * `"prob"`: a matrix of class probabilities, one column per level: class shares that include
#'     the extra rows of `smooth`, see [tec_control()];
#'   * `"node"`: the number of the node where the row ends, as in
#'     [as.data.frame()][as.data.frame.tec_tree]; if it ends in several nodes, the one with the
#'     largest share (the first on ties);
#'   * `"path"`: a list with a data frame per row. `node`: the nodes that the row reaches, parents
#'     first. `by_default`: whether neither a value nor a surrogate sent it there. `surrogate`: the
#'     column of the surrogate that did (only in trees with surrogates). `share`: the share of the
#'     row that reaches the node (only if some share is less than 1).
#' @param se Whether to return standard errors as well: of the mean of the leaf, of its class shares
#'   (`type = "prob"`), or of the share of the predicted class. They are valid for honest trees, and
#'   too small for all others, see [tec_intervals()]. For a row that ends in several leaves, it is
#'   the standard error of the weighted mean.
#' @param threads Number of threads, see [tec_control()].
#' @param ... Must be empty.
#' @return Depending on `type`, a factor, a numeric vector, a matrix, an integer vector or a list.
#'   With `se = TRUE` a list: `fit`, `se.fit`, and `honest`, whether the tree is honest.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' some <- iris[c(1, 60, 120), ]
#' predict(fit, some)
#' predict(fit, some, type = "prob")
#' predict(fit, some, type = "path")
#'
#' set.seed(1)
#' honest <- tec_tree(Species ~ ., iris, honest = TRUE)
#' predict(honest, some, se = TRUE)
#' @export
predict.tec_tree <- function(object, newdata, type = c("response", "class", "prob", "node", "path"),
                             se = FALSE, threads = NULL, ...) {
  refuse_dots("predict.tec_tree", ...)
  type <- prediction_type(
    if (missing(type)) "response" else type, c("response", "class", "prob", "node", "path")
  )
  check_fit(object)
  check_prediction_type(type, object$response)
  if (check_flag(se, "se", topic = "argument")) check_errors_asked(object, type)
  threads <- default_threads(threads)
  if (missing(newdata)) {
    newdata <- training_rows(object, "predict", parent.frame(), arg = "newdata")$data
  } else if (is.null(newdata)) {
    tec_abort("newdata", c(
      "{.arg newdata} is NULL.", i = "Give a data frame of the rows to predict."
    ))
  }
  if (is_elsewhere(newdata)) {
    return(predict_elsewhere(object, newdata, type))
  }
  newdata <- check_newdata(newdata)
  values <- code_rows(object, newdata, parent.frame())
  if (type == "path") {
    return(predict_paths(object, values, nrow(newdata)))
  }
  if (se) {
    return(predict_with_errors(object, values, nrow(newdata), type, threads))
  }
  predict_coded(object, values, nrow(newdata), type, threads)
}

# Predictions for coded rows: "response", "prob" for classes, or another type of the model.
predict_coded <- function(fit, values, n, type = "response", threads = NULL) {
  UseMethod("predict_coded")
}

# `fit` is any model; only a boosted model has an offset.
predict_shifted <- function(fit, values, n, type, offset) {
  if (is.null(offset)) {
    return(predict_coded(fit, values, n, type))
  }
  predict_coded.tec_boost(fit, values, n, type, offset = offset)
}

check_errors_asked <- function(fit, type) {
  if (type %in% c("node", "path")) {
    tec_abort("argument", c(
      "{.code se = TRUE} is for predicted means, classes and shares.",
      x = "{.arg type} is {.val {type}}."
    ))
  }
  check_has_errors(fit)
  say_optimistic(fit)
}

predict_with_errors <- function(fit, values, n, type, threads) {
  node <- route_rows(fit, values, n, threads)
  shared <- shared_rows(fit, values, n)
  value <- leaf_values(fit, node, type, shared)
  list(
    fit = value, se.fit = predicted_errors(fit, node, type, shared, value),
    honest = !is.null(fit$honest)
  )
}

#' @exportS3Method
predict_coded.tec_tree <- function(fit, values, n, type = "response", threads = NULL) {
  node <- route_rows(fit, values, n, threads)
  shared <- if (type != "node") shared_rows(fit, values, n)
  leaf_values(fit, node, type, shared)
}

check_prediction_type <- function(type, response) {
  if (response$task == "regression" && type %in% c("class", "prob")) {
    tec_abort("argument", c(
      "{.code type = \"{type}\"} needs a classification tree.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Use {.code type = \"response\"}."
    ))
  }
}

# The rows that end in several nodes, one entry per end: list(row =, node =, share =), or NULL.
shared_rows <- function(fit, values, n) {
  if (fit$tree$unknown != 1 || !may_share(fit, values)) {
    return(NULL)
  }
  columns <- fit$columns
  shared <- tec_shares_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), n
  )
  if (length(shared$row)) shared
}

# Whether a row may have no branch, because of a missing value or an unseen level.
may_share <- function(fit, values) {
  tree <- fit$tree
  levels <- lengths(fit$columns$levels)
  any(tree$kind == 4L & tree$level_count < levels[pmax(1L, tree$variable)], na.rm = TRUE) ||
    any(vapply(values[needed_columns(fit)], anyNA, NA))
}

leaf_values <- function(fit, node, type, shared = NULL) {
  response <- fit$response
  if (type == "node") {
    return(node)
  }
  if (type == "prob") {
    prob <- leaf_shares(fit, node)
    dimnames(prob) <- list(NULL, response$levels)
    if (!is.null(shared)) prob[unique(shared$row), ] <- mixed_shares(fit, shared)
    return(prob)
  }
  value <- fit$tree$yval[node]
  if (response$task != "classification") {
    if (!is.null(shared)) value[unique(shared$row)] <- mixed(fit$tree$yval[shared$node], shared)
    return(value)
  }
  if (!is.null(shared)) {
    value[unique(shared$row)] <- best_answer(mixed_shares(fit, shared), fit$cost)
  }
  as_classes(value, response)
}

# For each row, the mean of the values at the nodes where it ends, weighted by its shares. `shared`
# has one entry per end, with a value or a row of a matrix.
mixed <- function(values, shared) {
  unname(rowsum(as.matrix(values) * shared$share, shared$row, reorder = FALSE))
}

mixed_shares <- function(fit, shared) {
  prob <- mixed(leaf_shares(fit, shared$node), shared)
  prob / rowSums(prob)
}

predict_paths <- function(fit, values, n) {
  columns <- fit$columns
  paths <- tec_paths_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), n
  )
  surrogate <- c(NA_character_, columns$name)[paths$surrogate + 1L]
  lapply(seq_len(n), function(i) {
    at <- paths$start[i] + seq_len(paths$start[i + 1L] - paths$start[i])
    path <- list(node = paths$node[at], by_default = paths$by_default[at])
    if (fit$tree$by_surrogate) path$surrogate <- surrogate[at]
    if (any(paths$share[at] != 1)) path$share <- paths$share[at]
    structure(path, class = "data.frame", row.names = .set_row_names(length(at)))
  })
}
