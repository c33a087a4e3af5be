# Tested in test-verbs.R.

#' Standard methods for all models
#'
#' Methods of the standard generics for forests, boosted models, rotation forests and splines, as
#' [trees][tec_tree-methods] have them. [tec_verbs()] lists what works on which model.
#'
#' A fit does not store the training data. `fitted()`, `residuals()` and `model.frame()` called
#' without `data` evaluate the data of the fit's call where they are called and in the global
#' environment, and use them only if they are still the training rows.
#'
#' * `formula()`: the formula with `.` written out, except for more than 200 predictors.
#'   `terms()`: its terms object.
#' * `variable.names()`: the predictors, or with `used = TRUE` those that the model uses.
#' * `nobs()`: the rows that the model was made from.
#' * `fitted()`: predictions for the training rows. Those of a forest are out of bag, see
#'   [tec_forest-methods].
#' * `residuals()`: observed less predicted, for classes 1 where the prediction is wrong and 0 where
#'   it is right. Without `data` those of a forest are out of bag.
#' * `model.frame()`: the response and the predictors, each term of the formula a column.
#' * `logLik()` and `deviance()` are errors: these models have no likelihood of a known number of
#'   parameters, so `AIC()` and `BIC()` would say nothing.
#'
#' @param object,x,formula A model from [tec_forest()], [tec_boost()], [tec_rotation()] or
#'   [tec_mars()].
#' @param data Rows with the columns that the model uses; for `residuals()` and `model.frame()` the
#'   response too. By default the training rows, where they are found.
#' @param type As in [predict()][predict.tec_boost].
#' @param used Whether to leave out predictors that the model does not use.
#' @param ... Must be empty.
#' @return See above.
#' @family uses of all models
#' @examples
#' fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 20)
#' formula(fit)
#' nobs(fit)
#' head(fitted(fit))
#' sum(residuals(fit)^2)
#' @name model-methods
NULL

#' @rdname model-methods
#' @export
formula.tec_boost <- function(x, ...) {
  refuse_dots("formula", ...)
  check_boost(x)
  out <- written_formula(x)
  environment(out) <- parent.frame()
  out
}

#' @rdname model-methods
#' @export
terms.tec_forest <- function(x, ...) {
  refuse_dots("terms", ..., also = "data")
  stats::terms(stats::formula(x), allowDotAsName = TRUE)
}

#' @rdname model-methods
#' @export
terms.tec_boost <- terms.tec_forest

#' @rdname model-methods
#' @export
terms.tec_rotation <- terms.tec_forest

#' @rdname model-methods
#' @export
terms.tec_mars <- terms.tec_forest

#' @rdname model-methods
#' @export
variable.names.tec_boost <- function(object, used = FALSE, ...) {
  refuse_dots("variable.names", ...)
  check_boost(object)
  used <- check_flag(used, "used", topic = "argument")
  if (used) object$columns$name[needed_columns(object)] else object$columns$name
}

#' @rdname model-methods
#' @export
nobs.tec_boost <- nobs.tec_forest

#' @rdname model-methods
#' @export
fitted.tec_boost <- function(object, data = NULL, type = "response", ...) {
  refuse_dots("fitted", ...)
  env <- parent.frame()
  data <- data %||% training_rows(object, "fitted", env)$data
  data <- check_rows_to_predict(object, data)
  do.call(stats::predict, list(object, data, type = type), quote = TRUE, envir = env)
}

#' @rdname model-methods
#' @export
fitted.tec_rotation <- fitted.tec_boost

#' @rdname model-methods
#' @export
fitted.tec_mars <- fitted.tec_boost

#' @rdname model-methods
#' @export
residuals.tec_forest <- function(object, data = NULL, ...) {
  refuse_dots("residuals", ...)
  # Out of bag without rows; augment() finds the training rows from where residuals() is called.
  found <- do.call(augment, list(object, newdata = data), quote = TRUE, envir = parent.frame())
  found <- as.list(found)$.resid
  if (is.null(found)) {
    tec_abort("data", c(
      "{.fn residuals} needs rows with the response.",
      i = "Give them as {.arg data}, or compare with {.fn predict} yourself."
    ))
  }
  found
}

#' @rdname model-methods
#' @export
residuals.tec_boost <- residuals.tec_forest

#' @rdname model-methods
#' @export
residuals.tec_rotation <- residuals.tec_forest

#' @rdname model-methods
#' @export
residuals.tec_mars <- residuals.tec_forest

#' @rdname model-methods
#' @export
model.frame.tec_forest <- function(formula, data = NULL, ...) {
  refuse_dots("model.frame", ...)
  model_frame(formula, data, parent.frame())
}

#' @rdname model-methods
#' @export
model.frame.tec_boost <- model.frame.tec_forest

#' @rdname model-methods
#' @export
model.frame.tec_rotation <- model.frame.tec_forest

#' @rdname model-methods
#' @export
model.frame.tec_mars <- model.frame.tec_forest

#' @rdname model-methods
#' @export
logLik.tec_forest <- function(object, ...) {
  refuse_dots("logLik", ...)
  abort_no_likelihood(object, "logLik")
}

#' @rdname model-methods
#' @export
logLik.tec_boost <- logLik.tec_forest

#' @rdname model-methods
#' @export
logLik.tec_rotation <- logLik.tec_forest

#' @rdname model-methods
#' @export
logLik.tec_mars <- logLik.tec_forest

#' @rdname model-methods
#' @export
deviance.tec_forest <- function(object, ...) {
  refuse_dots("deviance", ...)
  abort_no_likelihood(object, "deviance")
}

#' @rdname model-methods
#' @export
deviance.tec_boost <- deviance.tec_forest

#' @rdname model-methods
#' @export
deviance.tec_rotation <- deviance.tec_forest

#' @rdname model-methods
#' @export
deviance.tec_mars <- deviance.tec_forest

abort_no_likelihood <- function(fit, what) {
  how <- if (inherits(fit, "tec_forest")) {
    "{.code fit$oob} has the error of the rows out of bag."
  } else if (inherits(fit, "tec_boost")) {
    "{.code fit$curve} has the loss after each round, {.code validation =} that of other rows."
  } else if (is_mars(fit)) {
    "{.code glance(fit)} has the GCV, which penalises terms."
  } else {
    "{.code summary(fit, data)} has the errors on other rows."
  }
  name <- c(
    tec_forest = "forest", tec_boost = "boosted model", tec_rotation = "rotation forest",
    tec_mars = "model of splines"
  )[[class(fit)[1L]]]
  tec_abort("argument", c(
    "{.fn {what}} needs a tree from {.fn tec_tree}.",
    x = "A {name} has no likelihood of a known number of parameters.", i = how
  ))
}
