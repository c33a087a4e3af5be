#' Standard methods for regression splines
#'
#' Methods that splines have of their own, see [model-methods] for the others.
#'
#' * `coef()`: the coefficients, named by their terms.
#' * `tidy()`: a row per term: `term`, for more than two classes `class`, and `estimate`.
#' * `glance()`: one row: `nobs`, `terms`, `predictors`, `degree`, `gcv`, `gcv.r.squared`,
#'   `r.squared`, and for classes `deviance`.
#'
#' @param object,x A fit from [tec_mars()].
#' @param digits Significant digits of knots.
#' @param ... Not used.
#' @return See above. `tidy()` and `glance()` return a tibble, or a data frame where
#'   the tibble package is not installed.
#' @family spline functions
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' coef(fit)
#' tidy(fit)
#' glance(fit)
#' @name tec_mars-methods
NULL

#' @rdname tec_mars-methods
#' @export
coef.tec_mars <- function(object, digits = 7L, ...) {
  plain_numbers()
  check_fit(object)
  refuse_dots("coef", ...)
  check_output(digits)
  out <- object$coefficients
  names <- names_of_terms(object, digits)
  if (ncol(out) == 1L) {
    return(stats::setNames(out[, 1L], names))
  }
  rownames(out) <- names
  out
}

#' @rdname tec_mars-methods
#' @export
tidy.tec_mars <- function(x, digits = 7L, ...) {
  plain_numbers()
  refuse_dots("tidy", ...)
  check_fit(x)
  check_output(digits)
  b <- x$coefficients
  out <- data.frame(term = rep(names_of_terms(x, digits), ncol(b)))
  if (ncol(b) > 1L) out$class <- rep(colnames(b), each = nrow(b))
  out$estimate <- as.vector(b)
  as_table(out)
}

names_of_terms <- function(fit, digits) {
  replace(mars_term_texts(fit, digits), 1L, "(Intercept)")
}

#' @rdname tec_mars-methods
#' @export
glance.tec_mars <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  out <- data.frame(
    nobs = x$n_rows, terms = length(x$selected), predictors = length(x$used),
    degree = x$settings$degree, gcv = x$gcv, gcv.r.squared = x$gcv_r_squared,
    r.squared = x$r_squared
  )
  if (!is.null(x$logistic)) out$deviance <- sum(x$logistic$deviance)
  as_table(out)
}
