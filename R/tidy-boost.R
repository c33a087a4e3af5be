#' Tidy tables of boosted models
#'
#' `tidy()` has a row for each round: the loss there. `glance()` has one row for the model.
#' `augment()` is that of [all models][model-methods].
#'
#' @param x A model from [tec_boost()].
#' @param ... Not used.
#' @return A tibble where that package is there, else a data frame. `tidy()`: as `curve` of
#'   [tec_boost()]. `glance()`: `method`, `loss`, `nobs`, `rounds`, `trees`, `leaves` and `depth`
#'   (means over trees), and the last of each column of `curve`.
#' @family conversions
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' set.seed(1)
#' fit <- tec_boost(Species ~ ., iris, rounds = 10, threads = 2)
#' tidy(fit)
#' glance(fit)
#' @name boost-tidiers
NULL

#' @rdname boost-tidiers
#' @export
tidy.tec_boost <- function(x, ...) {
  refuse_dots("tidy", ...)
  check_fit(x)
  as_table(known_curve(x))
}

#' @rdname boost-tidiers
#' @export
glance.tec_boost <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  size <- tree_sizes(if (x$method == "adaboost") x else c(list(response = NULL), x["trees"]))
  out <- data.frame(
    method = x$method, loss = x$loss, nobs = x$n_rows, rounds = x$rounds, trees = length(x$round),
    leaves = mean(size$leaves), depth = mean(size$depth)
  )
  if (!is.null(x$curve)) {
    last <- x$curve[min(x$rounds, nrow(x$curve)), -1L, drop = FALSE]
    out <- cbind(out, last, row.names = NULL)
  }
  as_table(out)
}
