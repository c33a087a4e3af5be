# Tested in test-tec_rotation.R.
#' Print a rotation forest
#'
#' `print()` shows the size of the forest and the components of its first tree. [tec_components()]
#' returns those of all trees. [summary()][summary.tec_tree] adds the importance of the predictors.
#'
#' @param x A fit from [tec_rotation()].
#' @param digits Number of significant digits; loadings have two decimal places fewer.
#' @param width Maximum width of a line.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly. `format()` returns the lines.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' @name print.tec_rotation
#' @export
format.tec_rotation <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("print", ...)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  c(
    fit_width(c(wrap(grown_title(x), width), wrap(rotation_size(x), width)), width),
    "Components of tree 1, of scaled columns:",
    component_lines(components_of(x, 1L), 6L, max(1L, digits - 2L), width)
  )
}

rotation_size <- function(x) {
  trees <- length(x$seeds)
  fewer <- if (trees < x$settings$asked) {
    paste0(" (of ", x$settings$asked, ", stopped by the time limit)")
  }
  paste0(
    count_text(trees, "tree"), fewer, " of ", number_text(sum(x$trees$variable == 0L) / trees, 3L),
    " leaves on average, ", count_text(x$n_rows, "row"), ", ",
    count_text(nrow(x$inputs), "column"), " in groups of ", x$rotation$group_size,
    ", components of ", number_text(100 * x$settings$sample_fraction, 3L), " % of the rows",
    if (!is.null(x$response$levels)) " of random classes"
  )
}

#' @exportS3Method
summary_parts.tec_rotation <- function(fit) {
  # The columns are numeric and have no missing values.
  settings <- fit$control[setdiff(names(fit$control), c("nominal", "missing"))]
  list(
    title = grown_title(fit), size = rotation_size(fit), settings = settings_text(settings),
    importance = importance.tec_rotation(fit)
  )
}

#' Variable importance of a rotation forest
#'
#' The gain of each split, times the node's share of the weight of the root, is credited to the
#' component that is split. It is divided among the columns of the component by the squares of their
#' loadings, which add up to 1, and summed by predictor. The importance is the mean over the trees.
#' It shows which predictors the trees use, not what each predictor adds: correlated predictors in a
#' group share the credit. With `type = "permutation"`, the importance is the increase of the
#' prediction error when the values of a predictor are shuffled, as for [trees][importance].
#'
#' @inheritParams importance
#' @param x A fit from [tec_rotation()].
#' @param ... For `importance()`: must be empty. For `plot()`: passed on to [plot.tec_importance()].
#' @return A data frame of class `tec_importance`, in decreasing order: `variable`, `importance` and
#'   `share`, and for permutation `se`. `plot()` of this table, or of the fit, draws it: see
#'   [plot.tec_importance()].
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' importance(fit)
#' plot(fit)
#' @export
importance.tec_rotation <- function(x, type = c("gain", "permutation"), data = NULL, y = NULL,
                                    repeats = 10L, ...) {
  refuse_dots("importance", ...)
  type <- if (missing(type)) "gain" else type
  rows <- list(data = data, y = y, repeats = repeats, given = !missing(repeats))
  own <- function(fit) importance_table(fit$columns$name, unname(fit$gain))
  importance_of(x, type, "gain", own, rows, parent.frame())
}

#' @rdname importance.tec_rotation
#' @export
plot.tec_rotation <- function(x, ...) plot(importance.tec_rotation(x), ...)

#' @rdname importance.tec_rotation
#' @param object A fit from [tec_rotation()].
#' @rawNamespace S3method(ggplot2::autoplot, tec_rotation)
#' @rawNamespace export(autoplot.tec_rotation)
autoplot.tec_rotation <- function(object, ...) {
  autoplot.tec_importance(importance(object), ...)
}
