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
  check_fit(x)
  size <- tree_sizes(x)
  as_table(data.frame(
    nobs = x$n_rows, trees = nrow(size), leaves = mean(size$leaves), depth = mean(size$depth),
    columns = nrow(x$inputs), group_size = x$rotation$group_size,
    sample_fraction = x$settings$sample_fraction
  ))
}
