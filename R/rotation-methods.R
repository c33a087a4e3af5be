#' Standard methods for rotation forests
#'
#' Methods that rotation forests have of their own, see [model-methods] for the others. `update()`
#' evaluates the call of a fit again with other arguments. A fit is kept with `saveRDS()`; it is not
#' exported to other languages.
#'
#' * `tidy()`: the loadings of all trees, as [tec_components()] has them.
#' * `glance()`: one row: `nobs`, `trees`, `leaves` and `depth` (means over trees), `columns`,
#'   `group_size`, `sample_fraction`.
#'
#' @param x A fit from [tec_rotation()].
#' @param ... Not used.
#' @return A tibble, or a data frame where the tibble package is not installed.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' glance(fit)
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
