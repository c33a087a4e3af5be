#' Predictions of a tree
#'
#' As many results as `newdata` has rows, in the same order. Only the columns that
#' the tree splits on are looked at; others may be absent. Factors, characters and
#' logicals match by the labels of their levels. A level that the training rows did
#' not have counts as missing, and a warning names it. A missing value goes down the
#' branch of largest weight.
#'
#' @param object A tree from [tec_tree()].
#' @param newdata A data frame (or a matrix, where the tree was grown from one). The
#'   training data are not kept in the tree, so there is no default.
#' @param type What to return:
#'   * `"response"`: the class, or for regression the number;
#'   * `"class"`: a factor with the levels of the response;
#'   * `"prob"`: a matrix of class shares, one column a level;
#'   * `"node"`: the number of the leaf, as in
#'     [as.data.frame()][as.data.frame.tec_tree];
#'   * `"path"`: a list with the nodes from the root to the leaf. The name of a node
#'     is `"default"` where the row came to it because its value was missing, else
#'     `""`.
#' @param threads The number of threads, see [tec_control()].
#' @param ... Nothing else is understood.
#' @return By `type`: a factor or numeric vector, a matrix, an integer vector or a
#'   list.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' some <- iris[c(1, 60, 120), ]
#' predict(fit, some)
#' predict(fit, some, type = "prob")
#' predict(fit, some, type = "path")
#' @export
predict.tec_tree <- function(object, newdata, type = c("response", "class", "prob", "node", "path"),
                             threads = NULL, ...) {
  check_known(dot_names(list(...)), c("newdata", "type", "threads"), "predict.tec_tree")
  types <- c("response", "class", "prob", "node", "path")
  type <- if (missing(type)) "response" else match_choice(type, types, "type")
  if (missing(newdata) || is.null(newdata)) {
    tec_abort("newdata", c(
      "{.arg newdata} is missing.",
      i = "A tree does not keep its training data: give the rows to predict."
    ))
  }
  check_fit(object)
  check_prediction_type(type, object$response)
  newdata <- check_newdata(newdata)
  used <- sort(unique(object$tree$variable[object$tree$kind != 0L]))
  values <- code_newdata(object, newdata, used, parent.frame())
  if (type == "path") {
    return(predict_paths(object, values, nrow(newdata)))
  }
  node <- route_rows(object, values, nrow(newdata), threads)
  leaf_values(object, node, type)
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

# The leaf of each row.
route_rows <- function(fit, values, n, threads = NULL) {
  columns <- fit$columns
  with_fit_errors(tec_predict_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), n,
    default_threads(threads)
  ))
}

leaf_values <- function(fit, node, type) {
  response <- fit$response
  if (type == "node") {
    return(node)
  }
  if (type == "prob") {
    prob <- fit$tree$prob[node, , drop = FALSE]
    dimnames(prob) <- list(NULL, response$levels)
    return(prob)
  }
  value <- fit$tree$yval[node]
  if (response$task == "classification") as_classes(value, response) else value
}

predict_paths <- function(fit, values, n) {
  columns <- fit$columns
  paths <- with_fit_errors(tec_paths_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), n
  ))
  node <- paths$node
  names(node) <- ifelse(paths$by_default, "default", "")
  row <- rep(seq_len(n), diff(paths$start))
  unname(split(node, factor(row, levels = seq_len(n))))
}
