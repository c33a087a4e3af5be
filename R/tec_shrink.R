#' Shrink the values of leaves
#'
#' Hierarchical shrinkage (Agarwal et al., 2022) draws the value of each node towards those of the
#' nodes above it. A leaf of few rows is noisy, and the nodes above say what to expect there. The
#' splits stay as they are, and no tree is grown.
#'
#' With m the mean (or the class shares) of a node and n its weight, the value of a node is that of
#' the root plus, for every step down to it, (m of the child - m of the parent) / (1 + `lambda` / n
#' of the parent). `lambda = 0` changes nothing; larger values shrink more, most of all below small
#' nodes. Shares stay between 0 and 1 and sum to 1; the predicted class is that of the shrunk
#' shares, or of the smallest expected cost, and may change.
#'
#' All later uses have the shrunk values: predictions, rules, plots, [explain()][explain.tec_tree],
#' [tec_shap()], all exports. Counts of rows, training errors by class and gains remain those of the
#' rows. Shrinkage replaces `smooth` of [tec_control()]. [tec_prune()], [tec_more()] and
#' [update()][update.tec_tree] shrink their result by the same `lambda`. A tree or forest that was
#' shrunk before is shrunk anew from its own values.
#'
#' # Choice of lambda
#'
#' If `lambda` has several values, the one with the smallest squared error is used: of class shares
#' the Brier score, the sum of the squared errors of all shares. Of equal ones it is the smallest.
#' `"cv"` stands for 0, 0.1, 1, 10, 50, 100, 500.
#'
#' * For a tree by cross-validation: each fold grows one tree with the settings of the tree's call,
#'   also those of its pruning, and all values of `lambda` are compared on it. The folds are drawn
#'   from R's random numbers, with each class spread evenly.
#' * For a forest by its out-of-bag predictions, so no tree is grown.
#'
#' Both need the training rows: those of the call, if they can be found, or `data`.
#'
#' @param fit A tree from [tec_tree()], a forest from [tec_forest()], or the result of [tec_tune()].
#'   Criterion `"l1"` predicts medians, for which shrinkage is not defined.
#' @param lambda A number of at least 0, several to choose from, or `"cv"`.
#' @param data,y,weights The training rows, if they are not found: a data frame with the response
#'   (or `y`, if the tree was grown from `x` and `y`), and case weights.
#' @param sample_weights For a forest grown with them, together with `data`.
#' @param folds The number of folds for a tree.
#' @return `fit` with shrunk values. `fit$shrunk` has `lambda`, and `table`, the errors of all
#'   values if it was chosen. The out-of-bag results of a forest are those of the shrunk trees if
#'   the training rows are found, and are otherwise left out.
#' @references
#' Agarwal, A., Tan, Y. S., Ronen, O., Singh, C. and Yu, B. (2022) Hierarchical shrinkage: improving
#' the accuracy and interpretability of tree-based models. *Proceedings of the 39th International
#' Conference on Machine Learning*, PMLR 162, 111-135.
#' @family tree growing functions
#' @seealso `smooth` of [tec_control()] for extra rows in class shares.
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' shrunk <- tec_shrink(fit, lambda = 10)
#' shrunk
#' predict(shrunk, iris[c(1, 71, 107), ], type = "prob")
#'
#' # Lambda by cross-validation
#' set.seed(1)
#' shrunk <- tec_shrink(tec_tree(mpg ~ ., mtcars), lambda = "cv")
#' shrunk$shrunk$table
#' @export
tec_shrink <- function(fit, lambda = "cv", data = NULL, y = NULL, weights = NULL,
                       sample_weights = NULL, folds = 10) {
  fit <- chosen_fit(fit, "tec_shrink")
  if (!inherits(fit, c("tec_tree", "tec_forest"))) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree} or a forest from {.fn tec_forest}.",
      x = "It is {describe(fit)}."
    ))
  }
  check_fit(fit)
  lambda <- check_lambda(lambda)
  check_shrinkable(fit)
  fit <- unshrunk(fit)
  rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
  if (is_forest(fit)) {
    if (!missing(folds)) abort_only_for("folds", "trees")
    return(shrink_forest(fit, lambda, rows, parent.frame()))
  }
  if (!is.null(sample_weights)) abort_only_for("sample_weights", "forests")
  if (length(lambda) == 1L) {
    refuse_without("lambda = \"cv\"", c(!vapply(rows, is.null, NA), folds = !missing(folds)))
    return(shrink_tree(fit, lambda))
  }
  table <- shrinkage_by_folds(fit, lambda, rows, folds, parent.frame())
  out <- shrink_tree(fit, best_lambda(table))
  out$shrunk$table <- table
  out
}

usual_lambdas <- c(0, 0.1, 1, 10, 50, 100, 500)

check_lambda <- function(lambda) {
  if (identical(lambda, "cv")) {
    return(usual_lambdas)
  }
  ok <- is.numeric(lambda) && !is.object(lambda) && length(lambda) > 0L &&
    all_in_range(lambda, 0, 1e100)
  if (!ok) {
    tec_abort("shrink", c(
      "{.arg lambda} must be one or more numbers from 0 to 1e100, or {.val cv}.",
      x = "It is {describe(lambda)}.",
      i = "It is in rows: 0 does not shrink, 100 shrinks below nodes of a few hundred rows."
    ))
  }
  unique(as.double(lambda))
}

check_shrinkable <- function(fit) {
  if (identical(fit$criterion$name, "l1")) {
    tec_abort("shrink", c(
      "Shrinkage is defined for means and class shares.",
      x = "The criterion is {.val l1}, whose leaves predict medians."
    ))
  }
  if (identical(fit$weights_known, FALSE)) {
    tec_abort("shrink", c(
      "Shrinkage needs to know how many training rows the leaves have.",
      x = "The forest was converted without its training rows.",
      i = "Give them to {.fn as_tec_forest} as {.arg data}."
    ))
  }
}

# A tree made of one that had been shrunk, shrunk as that one; `shrunk` is NULL if it was not.
shrunk_like <- function(fit, shrunk) if (is.null(shrunk)) fit else shrink_tree(fit, shrunk$lambda)

shrinkage_text <- function(fit) {
  shrunk <- fit$shrunk
  if (is.null(shrunk)) {
    return(NULL)
  }
  chosen <- if (!is.null(shrunk$table)) {
    paste0(
      ", chosen from ", count_text(nrow(shrunk$table), "value"),
      if (is_forest(fit)) " out of bag" else " by cross-validation"
    )
  }
  paste0(
    "Values shrunk towards those of the nodes above (lambda = ", number_text(shrunk$lambda), chosen,
    ")"
  )
}
