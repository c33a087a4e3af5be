#' Standard methods for all models
#'
#' Methods of standard generics that all models have. [Trees][tec_tree-methods],
#' [forests][tec_forest-methods], [rotation forests][tec_rotation-methods] and
#' [splines][tec_mars-methods] have further methods. [tec_verbs()] lists the functions that work on
#' each model.
#'
#' A fit does not store the training data. `fitted()`, `residuals()` and `model.frame()` called
#' without `data` evaluate the data of the fit's call in the environment where they are called and
#' in the global environment. They use these data only if they are still the training rows, in the
#' same order, with the same response, predictors and weights.
#'
#' * `formula()`: the formula. `.` is written out, except for more than 200 predictors. `terms()`
#'   returns its terms object.
#' * `variable.names()`: the predictors, or with `used = TRUE` those that the model uses.
#' * `nobs()`: the number of training rows.
#' * `fitted()`: predictions for the training rows. Those of a forest are out of bag, see
#'   [tec_forest-methods]. The offset of a boosted model is used here and in `residuals()`,
#'   `augment()`, `summary()` and permutation importance, so other rows need its columns.
#'   `predict()` takes the offset as an argument. [tec_dependence()] and [tec_shap()] leave it out.
#' * `residuals()`: observed minus predicted; for classes 1 if the prediction is wrong and 0 if it
#'   is right. Without `data`, those of a forest are out of bag.
#' * `update()`: the model fitted again with other arguments, or the models compared again.
#' * `augment()`: the rows with `.fitted`, for classes `.prob_<level>`, and `.resid` if the response
#'   is known (0 or 1 for classes). The columns of the data keep their attributes.
#' * `model.frame()`: the response and the predictors, with one column per term of the formula.
#' * `weights()`: the weights of the training rows, or 1 for each row.
#' * `logLik()` and `deviance()` work for trees only, and `df.residual()` for no model: other models
#'   have no known number of parameters, so `AIC()` and `BIC()` would be meaningless. `coef()` works
#'   for [splines][tec_mars-methods] only, `text()` and `as.data.frame()` for
#'   [trees][tec_tree-methods] only. For all other models they are errors.
#' * `confint()` and `vcov()` work for no model. The data choose the splits and the terms, and
#'   errors that ignore this choice would be too small. [tec_intervals()] is for honest trees, and
#'   `predict(type = "se")` for [forests][predict.tec_forest].
#'
#' Values per row, also those of `predict()`, are in the order of the rows and have no row names.
#'
#' @param object,x,formula A model from [tec_tree()], [tec_forest()], [tec_boost()],
#'   [tec_rotation()] or [tec_mars()].
#' @param data Rows with the columns that the model uses; for `residuals()` and `model.frame()` also
#'   the response. The default is the training rows, if they can be found.
#' @param newdata New rows.
#' @param type As in [predict()][predict.tec_boost].
#' @param used Whether to leave out predictors that the model does not use.
#' @param formula. A formula that changes the formula of the model, as in [stats::update()].
#' @param ... For `update()`: the arguments that change, as in [stats::update()]. Otherwise empty.
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
#' @importFrom stats formula
#' @srrstats {RE4.4} The formula of any model.
#' @export
formula.tec_fit <- function(x, ...) {
  refuse_dots("formula", ...)
  check_fit(x)
  if (is.null(x$formula)) abort_fit_without_formula(x)
  out <- written_formula(x)
  environment(out) <- parent.frame()
  out
}

# The formula with `.` written out, except for very many predictors.
written_formula <- function(fit) {
  out <- fit$formula
  names <- fit$columns$name
  if (length(names) <= 200L) {
    terms <- lapply(seq_along(names), function(j) {
      if (is.symbol(fit$predictors[[j]])) as.name(names[j]) else str2lang(names[j])
    })
    out[[3L]] <- Reduce(function(a, b) call("+", a, b), terms)
  }
  out
}

abort_fit_without_formula <- function(fit) {
  tec_abort("conversion", c(
    "This {model_word(fit)} has no formula.",
    i = "It was converted from a model that has none."
  ))
}

#' @rdname model-methods
#' @importFrom stats terms
#' @export
terms.tec_fit <- function(x, ...) {
  refuse_dots("terms", ..., .also = "data")
  stats::terms(stats::formula(x), allowDotAsName = TRUE)
}

#' @rdname model-methods
#' @importFrom stats variable.names
#' @export
variable.names.tec_fit <- function(object, used = FALSE, ...) {
  refuse_dots("variable.names", ...)
  check_fit(object)
  used <- check_flag(used, "used", topic = "argument")
  if (used) object$columns$name[needed_columns(object)] else object$columns$name
}

#' @rdname model-methods
#' @importFrom stats nobs
#' @srrstats {RE4.5} The number of training rows.
#' @export
nobs.tec_fit <- function(object, ...) {
  refuse_dots("nobs", ..., .also = "use.fallback")
  object$n_rows
}

#' @rdname model-methods
#' @importFrom stats fitted
#' @srrstats {RE4.9} Fitted values; those of a forest are out of bag.
#' @export
fitted.tec_fit <- function(object, data = NULL, type = "response", ...) {
  refuse_dots("fitted", ...)
  check_fit(object)
  env <- parent.frame()
  rows <- data %||% training_rows(object, "fitted", env)$data
  rows <- check_rows_to_predict(object, rows)
  offset <- offset_of_rows(object, rows, env, is.null(data))
  predict_beside(object, rows, type, offset, env)
}

#' @rdname model-methods
#' @importFrom stats residuals
#' @srrstats {RE4.10} Residuals, defined in the details.
#' @export
residuals.tec_fit <- function(object, data = NULL, ...) {
  refuse_dots("residuals", ...)
  # Without rows the residuals are out of bag. augment() looks for the training rows where
  # residuals() is called.
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

# For a model that cannot predict without new rows.
predict_new <- function(fit, newdata, type, env, threads = NULL) {
  check_type(type, fit$response)
  if (is.null(newdata)) {
    tec_abort("newdata", c(
      "{.arg newdata} is missing.",
      i = "A fit does not store its rows. Give the rows to predict, for example the training rows."
    ))
  }
  newdata <- check_newdata(newdata)
  predict_coded(fit, code_rows(fit, newdata, env), nrow(newdata), type, threads)
}

#' @rdname model-methods
#' @srrstats {RE1.3, RE1.3a} Rows keep their order and columns their attributes; the details say
#'   that row names are not kept.
#' @export
augment.tec_fit <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_dots("augment", ...)
  env <- parent.frame()
  rows <- rows_to_augment(x, data, newdata, env)
  offset <- offset_of_rows(x, rows, env, is.null(newdata) && is.null(data))
  do.call(augmented, predicted_rows(x, rows, env, offset = offset))
}

rows_to_augment <- function(fit, data, newdata, env) {
  check_fit(fit)
  rows <- newdata %||% data %||% training_rows(fit, "augment", env)$data
  check_rows_to_predict(fit, rows, if (is.null(newdata)) "data" else "newdata")
}

predicted_rows <- function(fit, data, env, node = FALSE, offset = NULL) {
  values <- code_rows(fit, data, env)
  said <- function(type) predict_shifted(fit, values, nrow(data), type, offset)
  list(
    data = data, node = if (node) said("node"), response = said("response"),
    prob = if (length(fit$response$levels)) said("prob"),
    y = if (has_response(fit, data)) given_response(fit, data, env)
  )
}

has_response <- function(fit, data) {
  wanted <- free_variables(response_expr(fit))
  length(wanted) > 0L && all(wanted %in% names(data))
}

given_response <- function(fit, data, env) {
  if (fit$response$task == "regression") {
    return(node_response(fit, data, NULL, env))
  }
  eval_expr(response_expr(fit), data, env)
}

augmented <- function(data, response, prob, y, node = NULL) {
  data$.node <- node
  data$.fitted <- response
  if (!is.null(prob)) data[paste0(".prob_", colnames(prob))] <- as.data.frame(prob)
  if (!is.null(y)) {
    data$.resid <- if (is.numeric(response)) {
      y - response
    } else {
      as.double(as.character(response) != as.character(y))
    }
  }
  as_table(data)
}

#' @rdname model-methods
#' @importFrom stats model.frame
#' @srrstats {RE4.8, RE4.13} The response and the predictors, as terms of the formula.
#' @export
model.frame.tec_fit <- function(formula, data = NULL, ...) {
  refuse_dots("model.frame", ...)
  fit <- formula
  check_fit(fit)
  env <- parent.frame()
  rows <- check_newdata(data %||% training_rows(fit, "model.frame", env)$data, "data")
  check_has_columns(fit, rows, seq_along(fit$columns$name), "data")
  response <- eval_expr(fit$formula[[2L]], rows, env)
  places <- places_of(fit, rows)
  columns <- lapply(seq_along(places), function(j) {
    new_column(fit, rows, j, env, "data", places[[j]])
  })
  out <- structure(
    c(list(response), columns),
    names = c(fit$response$name, fit$columns$name), class = "data.frame",
    row.names = attr(rows, "row.names")
  )
  attr(out, "terms") <- stats::terms(fit)
  out
}

#' @rdname model-methods
#' @importFrom stats weights
#' @export
weights.tec_fit <- function(object, ...) {
  refuse_dots("weights", ...)
  check_fit(object)
  env <- parent.frame()
  found <- tryCatch(training_rows(object, "weights", env), tec_error_data = function(e) {
    tec_abort("data", c(
      "A {model_word(object)} keeps no weights, and the data of its call are not found here.",
      i = "Use the weights that it was fitted with."
    ))
  })
  as.double(found$weights %||% rep(1, found$input$n))[found$rows]
}

#' @rdname model-methods
#' @export
logLik.tec_fit <- function(object, ...) {
  refuse_dots("logLik", ...)
  abort_no_parameters(object, "logLik")
}

#' @rdname model-methods
#' @importFrom stats deviance
#' @export
deviance.tec_fit <- function(object, ...) {
  refuse_dots("deviance", ...)
  abort_no_parameters(object, "deviance")
}

#' @rdname model-methods
#' @importFrom stats df.residual
#' @export
df.residual.tec_fit <- function(object, ...) {
  refuse_dots("df.residual", ...)
  abort_no_parameters(object, "df.residual")
}

#' @rdname model-methods
#' @importFrom stats coef
#' @export
coef.tec_fit <- function(object, ...) {
  refuse_dots("coef", ...)
  tec_abort("argument", c(
    "{.fn coef} needs splines from {.fn tec_mars}.",
    x = "A {model_word(object)} has no coefficients.",
    i = "{.fn importance} and {.fn tec_dependence} show what predictors do."
  ))
}

abort_no_parameters <- function(fit, what) {
  instead <- c(
    tec_tree = "{.code logLik(fit)} counts the parameters of leaves and splits.",
    tec_forest = "{.code fit$oob} has the out-of-bag error.",
    tec_boost = "{.code fit$curve} has the loss after each round, {.code validation =} that of \\
      other rows.",
    tec_rotation = "{.code summary(fit, data)} has the errors on other rows.",
    tec_mars = "{.code glance(fit)} has the GCV, which penalises terms."
  )
  tec_abort("argument", c(
    "{.fn {what}} needs a model with a known number of parameters.",
    x = "A {model_word(fit)} has none.", i = instead[[class(fit)[1L]]]
  ))
}

#' @rdname model-methods
#' @export
update.tec_fit <- function(object, formula., ...) {
  if (!missing(formula.)) check_new_formula(formula.)
  given <- names(substitute(list(...)))
  if (is.null(object$call)) {
    tec_abort("conversion", c(
      "This model has no call.", x = "It was read from a file, or converted.",
      i = "Grow it again with {.fn tec_forest}, {.fn tec_boost} or {.fn tec_mars}."
    ))
  }
  # The rows were not given by name, for example by parsnip.
  if (!any(c("data", "x") %in% given) && grepl("^`?<", shorten_code(call_data(object$call)))) {
    tec_abort("data", c(
      "{.fn update} needs {.arg data}: a model does not store its rows.",
      x = "Its call does not say where its rows are.",
      i = "Give the rows, for example {.code update(fit, data = training)}."
    ))
  }
  update_by_call(object, match.call(), parent.frame())
}

#' @rdname model-methods
#' @export
update.tec_tune <- function(object, formula., ...) {
  if (!missing(formula.)) check_new_formula(formula.)
  update_by_call(object, match.call(), parent.frame())
}

# `call`: that of update(), made in `env`, where the arguments are evaluated.
update_by_call <- function(object, call, env) {
  own <- object$call
  maker <- class(object)[1L]
  if (!is.call(own) || !identical(own[[1L]], as.name(maker))) {
    abort_fit("its call is not one of {.fn {odd}}", odd = maker, model = "model", maker = maker)
  }
  call[[1L]] <- quote(stats::update.default)
  call$object <- object
  tryCatch(eval(call, env), error = but_limits(function(e) {
    if (inherits(e, "tec_error")) stop(e)
    tec_abort("argument", c(
      "The call of the model cannot be evaluated with these arguments.",
      x = "{conditionMessage(e)}", i = "Give {.arg data}, or grow the model with {.fn {maker}}."
    ))
  }))
}

check_new_formula <- function(x) {
  if (!inherits(x, "formula")) {
    abort_found("{.arg formula.} must be a formula.", x, topic = "formula")
  }
}

#' @rdname model-methods
#' @export
text.tec_fit <- function(x, ...) check_is_tree(x, "text")

#' @rdname model-methods
#' @export
as.data.frame.tec_fit <- function(x, ...) check_is_tree(x, "as.data.frame")
