#' Standard methods for forests
#'
#' Methods that only forests have; see [model-methods] for the others. `update()` evaluates the call
#' of a forest again with changed arguments.
#'
#' * `fitted()`: the out-of-bag predictions, like `predict()` without `newdata`.
#'
#' @param object A forest from [tec_forest()].
#' @param type For `fitted()`: as in [predict()][predict.tec_forest].
#' @param ... Not used.
#' @return See above.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' table(fitted(fit), iris$Species)
#' length(update(fit, trees = 30))
#' @name tec_forest-methods
NULL

#' @rdname tec_forest-methods
#' @export
fitted.tec_forest <- function(object, type = "response", ...) {
  refuse_dots("fitted", ...)
  predict.tec_forest(object, type = type)
}

#' @rdname cash-.tec_tree
#' @export
`$.tec_forest` <- function(x, name) {
  part <- .subset2(x, name)
  if (!is.null(part)) {
    return(part)
  }
  if (!is.na(forest_parts[name])) {
    tec_inform("part", c(
      "{.code ${name}} is a name of randomForest or ranger: see {.code {forest_parts[[name]]}}."
    ))
    return(forest_part(x, name))
  }
  own_part(x, name)
}

# Names in other packages, and their counterparts here.
forest_parts <- c(
  confusion = "fit$oob$confusion", confusion.matrix = "fit$oob$confusion",
  predictions = "predict(fit)", predicted = "predict(fit)",
  votes = "predict(fit, type = \"votes\")", err.rate = "fit$oob$curve", mse = "fit$oob$curve",
  prediction.error = "fit$oob$error", rsq = "fit$oob$r_squared", r.squared = "fit$oob$r_squared",
  oob.times = "fit$oob$times", variable.importance = "importance(fit)", ntree = "n_trees(fit)",
  num.trees = "n_trees(fit)"
)

# NULL if the forest has no such part, such as `confusion` for regression.
forest_part <- function(fit, name) {
  oob <- fit$oob
  rows <- oob_of_rows(fit)
  classes <- !is.null(fit$response$levels)
  shares <- isTRUE(fit$settings$probability)
  switch(name,
    confusion = if (classes && !is.null(oob$confusion)) {
      right <- diag(oob$confusion) / rowSums(oob$confusion)
      cbind(oob$confusion, class.error = 1 - right)
    },
    confusion.matrix = oob$confusion,
    predictions = if (shares) rows$prob else rows$response,
    predicted = rows$response,
    votes = if (classes) out_of_bag(fit, "votes"),
    err.rate = if (classes) cbind(OOB = oob$curve),
    mse = if (!classes) oob$curve,
    prediction.error = if (shares) oob$brier else oob$error,
    rsq = , r.squared = oob$r_squared,
    oob.times = rows$times,
    variable.importance = if (!is.null(fit$importance)) {
      stats::setNames(fit$importance$value, fit$columns$name)
    },
    ntree = , num.trees = length(fit)
  )
}
