#' Predict with a forest
#'
#' Returns one prediction per row of `newdata`. Rows, missing values and unseen levels are handled
#' as by [predict.tec_tree()]. Without `newdata`, the out-of-bag predictions of the training rows
#' are returned. They are `NA` for a row that is in the sample of every tree.
#'
#' # Quantiles
#'
#' The trees give each training row a weight for a new row. In one tree, this is its share of the
#' leaf's weight if it is in the tree's sample and in the same leaf, otherwise 0; the weights are
#' averaged over the trees. A quantile is the smallest response such that the rows with at most this
#' response have at least the required weight in total (Meinshausen, 2006). The weighted mean of the
#' responses is the prediction (for criterion `"l2"`).
#'
#' # Standard errors
#'
#' Standard errors come from the infinitesimal jackknife (Wager, Hastie and Efron, 2014). The
#' variance is the sum over the training rows of the squared covariance between the trees'
#' predictions and the number of times that the trees drew the row, minus the bias that comes from
#' the limited number of trees. Without replacement it is multiplied by n (n - 1) / (n - s)^2 for s
#' of n rows drawn (Wager and Athey, 2018). If the bias is larger than the sum, the result is `NA`,
#' with a warning; [tec_more()] then adds trees. Standard errors need a forest whose trees draw all
#' rows with the same probability.
#'
#' Quantiles, and standard errors with `by_class`, need the training rows, which a forest does not
#' store. They are found as described in [tec_tree-methods], or given as `data`. With
#' `missing = "fractional"`, a row with missing values counts in the leaf that gets its largest
#' part.
#'
#' @inheritParams predict.tec_tree
#' @param object A forest from [tec_forest()].
#' @param newdata A data frame, or a matrix if the forest was grown from one. If missing, out-of-bag
#'   predictions are returned. Also a lazy table of dbplyr, which gets the column `.pred`, or a
#'   column `.pred_<class>` for each class; nothing is collected.
#' @param type What to return:
#'   * `"response"`: the class or, for regression, the number. The class is the one with the most
#'     votes, the first on ties; with `probability = TRUE` the one with the largest mean share; with
#'     `cost` the one with the smallest expected cost by the mean shares;
#'   * `"class"`: a factor with the levels of the response;
#'   * `"prob"`: a matrix of class shares, the means over the trees;
#'   * `"votes"`: a matrix of the shares of trees that vote for each class; votes are those of
#'     `"tree"`;
#'   * `"tree"`: a matrix with one column per tree, with its predictions. Classes are given as
#'     labels: the class with the largest share in the leaf, or with `cost` the smallest expected
#'     cost, as `fit[[i]]` predicts;
#'   * `"node"`: a matrix with the node where the row ends in each tree, numbered as in `fit[[i]]`;
#'   * `"quantiles"`: a matrix with one column per quantile (for a numeric response);
#'   * `"se"`: the standard errors of the predicted numbers, or a matrix of those of `"prob"`.
#' @param probs For `"quantiles"`: the probabilities.
#' @param data For `"quantiles"` and `"se"`: the training rows, needed only if they cannot be found.
#' @param y The response of `data`, needed only if the forest was grown from `x` and `y`.
#' @param weights,sample_weights With `data`: the weights that the forest was grown with, if any.
#' @return Depending on `type`, a factor, a numeric vector or a matrix.
#' @family forest functions
#' @references Meinshausen, N. (2006). Quantile regression forests. *JMLR* 7, 983-999.
#'
#'   Wager, S., Hastie, T. and Efron, B. (2014). Confidence intervals for random forests: the
#'   jackknife and the infinitesimal jackknife. *JMLR* 15, 1625-1651.
#'
#'   Wager, S. and Athey, S. (2018). Estimation and inference of heterogeneous treatment effects
#'   using random forests. *JASA* 113, 1228-1242.
#' @concept quantile regression forest
#' @concept infinitesimal jackknife
#' @concept prediction interval
#' @examples
#' set.seed(1)
#' fit <- tec_forest(mpg ~ ., mtcars, trees = 300, threads = 2)
#' some <- mtcars[1:3, ]
#' predict(fit, some)
#' predict(fit, some, type = "quantiles", probs = c(0.1, 0.5, 0.9))
#' predict(fit, some, type = "se")
#'
#' # Out-of-bag predictions
#' cor(predict(fit), mtcars$mpg)
#' @export
predict.tec_forest <- function(object, newdata,
                               type = c(
                                 "response", "class", "prob", "votes", "node", "tree", "quantiles",
                                 "se"
                               ),
                               probs = c(0.1, 0.5, 0.9), data = NULL, y = NULL, threads = NULL,
                               weights = NULL, sample_weights = NULL, ...) {
  refuse_dots("predict.tec_forest", ...)
  type <- prediction_type(
    if (missing(type)) "response" else type,
    c("response", "class", "prob", "votes", "node", "tree", "quantiles", "se")
  )
  check_fit(object, nodes = FALSE)
  check_forest_type(type, object$response)
  of_rows <- c("quantiles", "se")
  rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
  if (missing(newdata) && is.data.frame(data)) {
    tec_abort("newdata", c(
      "{.fn predict} has {.arg data}, but no {.arg newdata}.",
      x = "{.arg data} are the training rows, for the types {.val {c('quantiles', 'se')}}.",
      i = "Give the rows to predict as {.arg newdata}."
    ))
  }
  if (type != "quantiles") refuse_without("type = \"quantiles\"", c(probs = !missing(probs)))
  if (!type %in% of_rows) {
    refuse_without("type = \"quantiles\"", !vapply(rows, is.null, NA))
  }
  if (missing(newdata)) {
    return(out_of_bag(object, type))
  }
  if (is.null(newdata)) {
    tec_abort("newdata", c(
      "{.arg newdata} is NULL.",
      i = "Give a data frame of the rows to predict, or nothing for out-of-bag predictions."
    ))
  }
  if (is_elsewhere(newdata)) {
    return(predict_elsewhere(object, newdata, type))
  }
  newdata <- check_newdata(newdata)
  values <- code_rows(object, newdata, parent.frame())
  n <- nrow(newdata)
  if (type %in% of_rows) check_has_seeds(object, type)
  if (type == "quantiles") {
    return(forest_quantiles(object, values, n, probs, rows, threads, parent.frame()))
  }
  if (type == "se") {
    return(forest_errors(object, values, n, rows, threads, parent.frame()))
  }
  predict_coded(object, values, n, type, threads)
}

check_forest_type <- function(type, response) {
  if (!is.list(response)) abort_forest("its response is not described")
  classes <- response$task == "classification"
  if (!classes && type %in% c("class", "prob", "votes")) {
    tec_abort("argument", c(
      "{.code type = \"{type}\"} needs a classification forest.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Use {.code type = \"response\"}."
    ))
  }
  if (classes && type == "quantiles") {
    tec_abort("argument", c(
      "{.code type = \"quantiles\"} needs a numeric response.",
      x = "The response {.field {response$name}} contains classes.",
      i = "Use {.code type = \"prob\"}."
    ))
  }
}

check_has_seeds <- function(fit, type) {
  if (is.null(fit$seeds)) {
    tec_abort("conversion", c(
      "{.code type = \"{type}\"} needs the samples of the trees.",
      x = "This forest was converted from another package and does not store them."
    ))
  }
}

out_of_bag <- function(fit, type) {
  oob <- oob_of_rows(fit)
  found <- switch(type,
    response = oob$response,
    class = oob$response,
    prob = oob$prob,
    votes = oob$votes / ifelse(oob$times > 0L, oob$times, NA)
  )
  if (is.null(found)) {
    kept <- type %in% c("response", "class", "prob", "votes")
    tec_abort("newdata", c(
      if (kept) "The forest has no out-of-bag predictions." else
        "{.code type = \"{type}\"} needs {.arg newdata}.",
      i = "Give the rows to predict as {.arg newdata}."
    ))
  }
  found
}

# `values`: coded columns.
#' @exportS3Method
predict_coded.tec_forest <- function(fit, values, n, type = "response", threads = NULL) {
  response <- fit$response
  classes <- response$task == "classification"
  if (type == "node") {
    return(core_forest_predict(fit, values, n, "node", threads))
  }
  if (type == "tree") {
    by_tree <- core_forest_predict(fit, values, n, "tree", threads)
    if (!classes) {
      return(by_tree)
    }
    return(matrix(response$levels[by_tree], nrow(by_tree)))
  }
  sums <- core_forest_predict(fit, values, n, "sum", threads)
  trees <- length(fit)
  if (!classes) {
    return(sums$sum / trees)
  }
  if (type == "prob" || type == "votes") {
    out <- sums[[if (type == "prob") "shares" else "votes"]] / trees
    dimnames(out) <- list(NULL, response$levels)
    return(out)
  }
  class <- class_of_forest(
    sums$votes, sums$shares / trees, isTRUE(fit$settings$probability), fit$cost
  )
  as_classes(class, response)
}
