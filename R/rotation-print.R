# Tested in test-tec_rotation.R.
#' Print and summarise a rotation forest
#'
#' `print()` shows the size of the forest and what the components of its first tree are made of;
#' [tec_components()] has those of all trees. `summary()` adds the importance of the predictors;
#' `summary(fit, data)` also evaluates the forest on these rows.
#'
#' @param x,object A fit from [tec_rotation()], for `print()` also what `summary()` returned.
#' @param data Rows with the response to evaluate the fit on.
#' @param y The response of `data`, only if the fit was made from `x` and `y`.
#' @param digits Significant digits; of loadings two places fewer.
#' @param width The width of a line.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `format()` the lines. `summary()` a list of class
#'   `summary.tec_rotation`.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' fit
#' summary(fit, iris)
#' @name print.tec_rotation
#' @export
format.tec_rotation <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("print", ...)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  c(
    fit_width(c(wrap(rotation_title(x), width), wrap(rotation_size(x), width)), width),
    "Components of tree 1, of scaled columns:",
    component_lines(components_of(x, 1L), 6L, max(1L, digits - 2L), width)
  )
}

rotation_title <- function(x) {
  paste0(
    if (is.null(x$response$levels)) "Regression" else "Classification", " rotation forest for ",
    show_names(x$response$name), " (", grown_by(x), ")"
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

#' @rdname print.tec_rotation
#' @export
summary.tec_rotation <- function(object, data = NULL, y = NULL, ...) {
  plain_numbers()
  refuse_dots("summary.tec_rotation", ...)
  check_needs_data(data, y = y)
  check_fit(object)
  how_well <- if (!is.null(data)) {
    evaluate_fit(object, check_rows_to_predict(object, data), y, parent.frame())
  }
  # Of columns of numbers without missing values.
  settings <- object$control[setdiff(names(object$control), c("nominal", "missing"))]
  structure(
    c(list(
      title = rotation_title(object), size = rotation_size(object),
      settings = settings_text(settings), importance = importance.tec_rotation(object)
    ), how_well),
    class = "summary.tec_rotation"
  )
}

#' @rdname print.tec_rotation
#' @export
print.summary.tec_rotation <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("print", ...)
  check_output(digits, width)
  width <- max(20, width)
  lines <- c(
    wrap(x$title, width), wrap(x$size, width), wrap(x$settings, width), "",
    importance_title(x$importance), importance_lines(x$importance, 10L, digits, width),
    if (!is.null(x$rows)) c("", fit_lines(x, digits, width))
  )
  cat(fit_width(lines, width), sep = "\n")
  invisible(x)
}

#' Variable importance of a rotation forest
#'
#' The gain of each split times the node's share of the weight of its root belongs to the component
#' that is split. It is divided among the component's columns by the squares of their loadings,
#' which add up to 1, then summed by predictor; the mean over the trees. This says which predictors
#' the trees look at, not what each adds: predictors of a group that vary together share what one
#' of them knows. With `type = "permutation"` it is the increase of the prediction error when the
#' values of a predictor are shuffled, as for [trees][importance].
#'
#' @inheritParams importance
#' @param x A fit from [tec_rotation()].
#' @param ... Of `importance()`: must be empty. Of `plot()`: for [plot.tec_importance()].
#' @return A data frame of class `tec_importance`, in decreasing order: `variable`, `importance` and
#'   `share`, for permutation `se`. `plot()` of it, or of the fit, draws it: see
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
  type <- if (missing(type)) "gain" else match_choice(type, c("gain", "permutation"), "type")
  check_fit(x)
  if (type != "permutation") refuse_permutation(data, y, !missing(repeats))
  sorted_importance(x, type, function(fit) {
    importance_table(fit$columns$name, unname(fit$gain))
  }, data, y, repeats, parent.frame())
}

#' @rdname importance.tec_rotation
#' @export
plot.tec_rotation <- function(x, ...) plot(importance.tec_rotation(x), ...)

#' @rdname importance.tec_rotation
#' @param object A fit from [tec_rotation()].
#' @rawNamespace S3method(ggplot2::autoplot, tec_rotation)
#' @rawNamespace export(autoplot.tec_rotation)
autoplot.tec_rotation <- function(object, ...) {
  autoplot.tec_importance(importance.tec_rotation(object), ...)
}
