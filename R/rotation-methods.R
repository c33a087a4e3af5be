#' Standard methods for rotation forests
#'
#' Methods of the standard generics for models. `update()` evaluates the call of a fit again with
#' other arguments. A fit is kept with `saveRDS()`; it is not exported to other languages.
#'
#' * `formula()`: the formula with `.` written out, except for more than 200 predictors.
#' * `variable.names()`: the predictors, or with `used = TRUE` those that have a column.
#' * `nobs()`: the rows that the forest was grown from.
#' * `tidy()`: the loadings of all trees, as [tec_components()] has them.
#' * `glance()`: one row: `nobs`, `trees`, `leaves` and `depth` (means over trees), `columns`,
#'   `group_size`, `sample_fraction`.
#' * `augment()`: the rows with `.fitted`, for classes `.prob_<level>`, and `.resid` where the
#'   response is known (0 or 1 for classes).
#'
#' @param object,x A fit from [tec_rotation()].
#' @param used Whether to leave out predictors without a column.
#' @param data The training rows, only if they cannot be found.
#' @param newdata Other rows to predict.
#' @param ... Not used.
#' @return See above. `tidy()`, `glance()` and `augment()` return a tibble, or a data frame where
#'   the tibble package is not installed.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' formula(fit)
#' glance(fit)
#' augment(fit, newdata = iris[c(1, 71, 120), ])
#' @name tec_rotation-methods
NULL

#' @rdname tec_rotation-methods
#' @export
formula.tec_rotation <- function(x, ...) {
  refuse_dots("formula", ...)
  check_rotation(x)
  out <- written_formula(x)
  environment(out) <- parent.frame()
  out
}

#' @rdname tec_rotation-methods
#' @export
variable.names.tec_rotation <- function(object, used = FALSE, ...) {
  refuse_dots("variable.names", ...)
  check_rotation(object)
  used <- check_flag(used, "used", topic = "argument")
  if (used) object$columns$name[object$used] else object$columns$name
}

#' @rdname tec_rotation-methods
#' @export
nobs.tec_rotation <- function(object, ...) {
  refuse_dots("nobs", ..., also = "use.fallback")
  object$n_rows
}

#' @rdname tec_rotation-methods
#' @export
tidy.tec_rotation <- function(x, ...) {
  refuse_dots("tidy", ...)
  out <- tec_components(x, seq_along(x$seeds))
  class(out) <- "data.frame"
  as_table(out)
}

#' @rdname tec_rotation-methods
#' @export
glance.tec_rotation <- function(x, ...) {
  refuse_dots("glance", ...)
  check_rotation(x)
  size <- tree_sizes(x)
  as_table(data.frame(
    nobs = x$n_rows, trees = nrow(size), leaves = mean(size$leaves), depth = mean(size$depth),
    columns = nrow(x$inputs), group_size = x$rotation$group_size,
    sample_fraction = x$settings$sample_fraction
  ))
}

#' @rdname tec_rotation-methods
#' @export
augment.tec_rotation <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_dots("augment", ...)
  check_rotation(x)
  env <- parent.frame()
  rows <- newdata %||% data %||% training_rows(x, "augment", env)$data
  rows <- check_rows_to_predict(x, rows, if (is.null(newdata)) "data" else "newdata")
  mean <- mean_of_rotated(x, code_rows(x, rows, env), nrow(rows))
  augmented(x, rows, function(type) finish_rotation(x, mean, type), env)
}
