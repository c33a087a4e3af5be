#' Standard methods for forests
#'
#' Methods of the standard generics for models. `update()` evaluates the call of a forest again with
#' other arguments.
#'
#' * `formula()`: the formula with `.` written out, except for more than 200 predictors.
#' * `variable.names()`: the predictors, or with `used = TRUE` those that some tree splits.
#' * `nobs()`: the rows that the forest was grown from.
#' * `fitted()`: the out-of-bag predictions, as `predict()` without `newdata`.
#'
#' @param object,x A forest from [tec_forest()].
#' @param used Whether to leave out predictors that no tree splits.
#' @param type For `fitted()` as in [predict()][predict.tec_forest].
#' @param ... Not used.
#' @return See above.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' formula(fit)
#' nobs(fit)
#' table(fitted(fit), iris$Species)
#' length(update(fit, trees = 30))
#' @name tec_forest-methods
NULL

#' @rdname tec_forest-methods
#' @export
formula.tec_forest <- function(x, ...) {
  refuse_dots("formula", ...)
  check_forest(x)
  if (is.null(x$formula)) {
    tec_abort("conversion", c(
      "This forest has no formula.", i = "It was converted from a model that has none."
    ))
  }
  out <- written_formula(x)
  environment(out) <- parent.frame()
  out
}

#' @rdname tec_forest-methods
#' @export
variable.names.tec_forest <- function(object, used = FALSE, ...) {
  refuse_dots("variable.names", ...)
  check_forest(object)
  used <- check_flag(used, "used", topic = "argument")
  if (used) object$columns$name[needed_columns(object)] else object$columns$name
}

#' @rdname tec_forest-methods
#' @export
nobs.tec_forest <- function(object, ...) {
  refuse_dots("nobs", ..., also = "use.fallback")
  object$n_rows
}

#' @rdname tec_forest-methods
#' @export
fitted.tec_forest <- function(object, type = "response", ...) {
  refuse_dots("fitted", ...)
  predict.tec_forest(object, type = type)
}
