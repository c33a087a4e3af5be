#' Standard methods for fitted trees
#'
#' Methods that only trees have. [model-methods] describes those of all models. A fit does not store
#' the training data. `fitted()`, `residuals()`, `model.frame()`, [update()][update.tec_tree],
#' [augment()][augment.tec_tree] and [tec_scores()] called without `data` evaluate the data of the
#' tree's call, with its subset, in the environment where they are called and in the global
#' environment. They use these data only if they are still the training rows, in the same order,
#' with the same response, predictors and weights. Otherwise `data` must be given.
#'
#' @details
#' * `deviance()`: computed from the leaves, with weights. Classification: -2 times the
#'   log-likelihood, which is the sum of w log p over the training rows, where w is the weight and p
#'   the predicted share of the row's class. Regression: the sum of squared errors, or with `l1` of
#'   absolute errors.
#' * `residuals()`: the errors of the predictions for `data`. For a numeric response: observed minus
#'   predicted. For classes, with p the predicted probability of the observed class: `"usual"` is 1
#'   if the prediction is wrong and 0 if it is right, `"pearson"` is (1 - p) / sqrt(p (1 - p)), and
#'   `"deviance"` is sqrt(-2 log p), whose squares sum to the deviance. Rows without a response have
#'   `NA`.
#' * `labels()`: the condition that leads to each node, named by the number of the node.
#'
#' @param object A tree from [tec_tree()].
#' @param data Rows with the response and the columns that the tree uses. The default is the
#'   training rows, if they can be found.
#' @param y The response, only if the tree was grown from `x` and `y`.
#' @param type `"usual"`, `"pearson"` or `"deviance"`.
#' @param digits Number of significant digits of cuts.
#' @param set_width Width beyond which a set of levels is shortened.
#' @param ... Not used.
#' @return See above.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' deviance(fit)
#' sum(residuals(fit))
#' head(residuals(fit, iris[51:100, ]))
#' labels(fit)
#' @name tec_tree-methods
NULL

#' @rdname tec_tree-methods
#' @export
deviance.tec_tree <- function(object, ...) {
  refuse_dots("deviance", ...)
  check_fit(object)
  if (object$response$task == "regression") {
    check_squares(object)
    return(sum(ending_weights(object)[, 1L] * node_losses(object)))
  }
  log_likelihood <- function(classes) {
    weight <- ending_weights(object, classes)
    some <- weight > 0
    sum(weight[some] * log(shares[, classes, drop = FALSE][some]))
  }
  shares <- leaf_shares(object)
  -2 * sum(vapply(class_blocks(object$tree), log_likelihood, 0))
}

#' @rdname tec_tree-methods
#' @export
residuals.tec_tree <- function(object, data = NULL, y = NULL,
                               type = c("usual", "pearson", "deviance"), ...) {
  refuse_dots("residuals", ...)
  types <- c("usual", "pearson", "deviance")
  type <- if (missing(type)) "usual" else match_choice(type, types, "type")
  check_fit(object)
  if (is.null(data)) {
    found <- training_rows(object, "residuals", parent.frame())
    data <- found$data
    y <- y %||% found$y
  }
  data <- check_rows_to_predict(object, data)
  truth <- node_response(object, data, y, parent.frame())
  if (object$response$task == "regression") {
    return(truth - predict.tec_tree(object, data))
  }
  if (type == "usual") {
    return(as.double(as.integer(predict.tec_tree(object, data)) != truth))
  }
  prob <- predict.tec_tree(object, data, type = "prob")
  p <- prob[cbind(seq_along(truth), truth)]
  if (type == "deviance") {
    return(sqrt(abs(2 * log(p))))
  }
  ifelse(p < 1, (1 - p) / sqrt(p * (1 - p)), 0 * p)
}

#' @rdname tec_tree-methods
#' @export
labels.tec_tree <- function(object, digits = 7L, set_width = Inf, ...) {
  plain_numbers()
  refuse_dots("labels", ...)
  check_fit(object)
  check_output(digits)
  check_bound(set_width, "set_width", least = 1)
  nodes <- seq_along(object$tree$parent)
  stats::setNames(branch_rules(object, nodes, digits, set_width), nodes)
}

#' Parts of a tree or a forest by the names of other packages
#'
#' The parts of a fit are internal; use the functions of the package to access them. For users of
#' rpart, randomForest and ranger, `$` also returns some parts under their names in these packages,
#' with a message that names the function to use instead.
#'
#' * `fit$variable.importance`: a named vector with the importance of each predictor that is split,
#'   as returned by [importance()].
#' * `fit$cptable`: the table of [cp_table()] as a matrix with the columns of rpart: `CP`, `nsplit`,
#'   `rel error`, and `xerror` and `xstd` if the tree was cross-validated.
#' * `fit$frame` is an error that names the functions to use. Otherwise rpart's own functions, such
#'   as `rpart::prune.rpart()`, would treat the tree as one without splits.
#' * `fit$where`: the node where each training row ends, from
#'   [`predict(fit, data, type = "node")`][predict.tec_tree]. This works only if
#'   the training rows can be found; otherwise it is an error.
#'
#' Forests have `$confusion` (as in randomForest, with `class.error`), `$confusion.matrix`,
#' `$predicted`, `$predictions`, `$votes`, `$err.rate` (a column `OOB`, one row per number of
#' trees), `$mse`, `$prediction.error`, `$rsq`, `$r.squared`, `$oob.times`, `$variable.importance`,
#' `$ntree` and `$num.trees`. Predictions and errors are out of bag. A part that does not apply to
#' the forest is `NULL`.
#'
#' For attributes of scikit-learn, such as `fit$feature_importances_`, a message names the function
#' to use.
#'
#' @param x A tree from [tec_tree()] or a forest from [tec_forest()].
#' @param name The name of a part.
#' @return The part, or `NULL` if there is no part of this name.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' fit$variable.importance
#' fit$cptable[, "CP"]
#' table(fit$where)
#' @export
`$.tec_tree` <- function(x, name) {
  part <- .subset2(x, name)
  if (!is.null(part) && name != "cptable") {
    return(part)
  }
  if (name %in% c("variable.importance", "where", "cptable", "frame")) {
    return(rpart_part(x, name, parent.frame()))
  }
  own_part(x, name)
}

own_part <- function(x, name) {
  # Exact matching: `predict` must not match the beginning of a longer name.
  part <- if (name != "predict") .subset2(x, name, exact = FALSE)
  if (is.null(part) && !is.na(part_advice[name])) {
    tec_inform("part", "{.code ${name}} is scikit-learn's name: {part_advice[[name]]}.")
  }
  part
}

rpart_part <- function(fit, name, env) {
  if (name == "variable.importance") {
    tec_inform("part", "{.code $variable.importance} is rpart's name: see {.run importance(fit)}.")
    table <- gain_importance(fit)
    table <- table[order(-table$importance), , drop = FALSE]
    return(stats::setNames(table$importance, table$variable)[table$importance > 0])
  }
  if (name == "cptable") {
    tec_inform("part", "{.code $cptable} is rpart's name: see {.run cp_table(fit)}.")
    return(rpart_cptable(cp_table(fit)))
  }
  if (name == "frame") {
    tec_abort("part", c(
      "A tree has no {.code $frame}, which is a part of rpart's trees.",
      i = "The nodes are in {.code as.data.frame(fit)}.",
      i = "{.code as_rpart(fit)} makes a tree for the functions of rpart."
    ))
  }
  tec_inform(
    "part", "{.code $where} is rpart's name: see {.code predict(fit, data, type = \"node\")}."
  )
  rows <- tryCatch(training_rows(fit, "predict", env)$data, tec_error_data = function(e) {
    tec_abort("data", c(
      "{.code $where} needs the training rows, which a tree does not keep.",
      i = "Use {.code predict(fit, data, type = \"node\")}."
    ))
  })
  predict.tec_tree(fit, rows, type = "node")
}

rpart_cptable <- function(table) {
  theirs <- c(
    cp = "CP", nsplit = "nsplit", rel_error = "rel error", xerror = "xerror", xstd = "xstd"
  )
  theirs <- theirs[names(theirs) %in% names(table)]
  out <- as.matrix(as.data.frame(table)[names(theirs)])
  dimnames(out) <- list(seq_len(nrow(out)), unname(theirs))
  out
}

# The weight of the training rows that end at each node, by class: all rows of a leaf, and the rows
# of an inner node that go down none of its branches.
ending_weights <- function(fit, classes = TRUE) {
  tree <- fit$tree
  counts <- if (length(tree$prob)) case_counts(fit, classes) else matrix(tree$weight)
  below <- matrix(0, nrow(counts), ncol(counts))
  edge <- edges(tree)
  sums <- rowsum(counts[edge$child, , drop = FALSE], edge$parent)
  at <- as.integer(rownames(sums))
  below[at, ] <- sums
  rest <- counts - below
  tiny <- rest < 1e-8 * pmax(1, counts)
  rest[tiny] <- 0
  leaf <- tree$kind == 0L
  rest[leaf, ] <- counts[leaf, ]
  rest
}

# The mean squared (or absolute) error of the prediction of each node on its rows.
node_losses <- function(fit) {
  moved <- if (is.null(fit$shrunk)) 0 else fit$tree$yval - fit$shrunk$yval
  fit$tree$impurity + moved^2
}

# The performance on the training rows, computed from the leaves. If rows with missing values are in
# several leaves, the rows are predicted instead, if they can be found.
training_fit <- function(fit, env) {
  leaves <- if (fit$response$task == "classification") class_fit(fit) else number_fit(fit)
  if (!is.null(fit$honest)) {
    return(c(leaves, list(where = "Rows that give the values: ")))
  }
  if (!has_rows_in_parts(fit)) {
    return(leaves)
  }
  found <- tryCatch(training_rows(fit, "summary", env), tec_error = function(e) NULL)
  if (is.null(found)) {
    return(c(leaves, list(in_parts = TRUE)))
  }
  truth <- node_response(fit, found$data, found$y, env)
  measures_of(fit, truth, predict.tec_tree(fit, found$data), found$used_weights)
}

# Whether some training rows are in several leaves.
has_rows_in_parts <- function(fit) {
  tree <- fit$tree
  identical(fit$control$missing, "fractional") && sum(tree$n[tree$kind == 0L]) > rows_of_values(fit)
}

class_fit <- function(fit) {
  levels <- fit$response$levels
  names <- list(true = levels, predicted = levels)
  table <- matrix(0, length(levels), length(levels), dimnames = names)
  for (classes in class_blocks(fit$tree)) {
    counts <- rowsum(ending_weights(fit, classes), fit$tree$yval)
    table[classes, as.integer(rownames(counts))] <- t(counts)
  }
  # Sums of shares may miss a whole number by rounding.
  whole <- abs(table - round(table)) < 1e-6
  table[whole] <- round(table[whole])
  class_measures(table, fit$cost)
}

number_fit <- function(fit) {
  tree <- fit$tree
  weight <- ending_weights(fit)[, 1L]
  error <- sum(weight * node_losses(fit)) / sum(weight)
  if (fit$criterion$name == "l1") {
    return(list(mae = error))
  }
  root <- tree$impurity[1L]
  list(r_squared = if (root > 0) 1 - error / root else NA_real_, rmse = sqrt(error))
}
