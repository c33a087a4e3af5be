#' Print and summarise a forest
#'
#' `print()` shows the size of the forest and its out-of-bag error, for classes with the confusion
#' matrix. `summary()` adds the importance of the predictors, and precision and recall of each
#' class; `summary(fit, data)` evaluates the forest on other rows with their response instead of
#' out of bag.
#'
#' @param x,object A forest from [tec_forest()], for `print()` also what `summary()` returned.
#' @param data Rows to evaluate the forest on, with the response.
#' @param y The response of `data`, only if the forest was grown from `x` and `y`.
#' @param digits Significant digits.
#' @param width The width of a line.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `format()` the lines. `summary()` a list of class
#'   `summary.tec_forest` with `title`, `size`, `settings`, `importance`, and the measures of
#'   [summary.tec_tree()]: of the out-of-bag predictions, or of those for `data`. `rows` is the
#'   number of rows evaluated.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 50, importance = TRUE, threads = 2)
#' fit
#' summary(fit)
#' @name print.tec_forest
#' @export
format.tec_forest <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("print", ...)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  fit_width(c(
    wrap(forest_title(x), width), wrap(forest_size(x), width),
    if (!is.null(x$tuning)) wrap(forest_tuned_text(x$tuning), width),
    unlist(lapply(c(priors_text(x), shrinkage_text(x)), wrap, width)), oob_lines(x, digits, width)
  ), width)
}

forest_title <- function(x) {
  paste0(
    if (x$response$task == "classification") "Classification" else "Regression", " forest for ",
    show_names(x$response$name), " (", grown_by(x), ")"
  )
}

forest_size <- function(x) {
  trees <- length(x)
  p <- length(x$columns$name)
  leaves <- sum(x$trees$variable == 0L) / trees
  draws <- x$settings$draws
  how <- if (!is.null(draws)) {
    paste0(
      number_text(draws), " of ", count_text(x$n_rows, "row"), " drawn ",
      if (x$settings$replace) "with" else "without", " replacement"
    )
  } else {
    count_text(x$n_rows, "row")
  }
  paste0(
    count_text(trees, "tree"), " of ", number_text(leaves, 3L), " leaves on average, ", how,
    if (!is.null(x$mtry)) paste0(", mtry ", x$mtry, " of ", p)
  )
}

forest_tuned_text <- function(table) {
  name <- names(table)[2L]
  shown <- paste0(number_text(table[[2L]]), " (", sprintf("%.4g", table$error), ")")
  paste0("Out-of-bag error by ", name, ": ", toString(shown))
}

oob_lines <- function(x, digits, width) {
  found <- oob_measures(x)
  if (is.null(found)) {
    return(wrap(no_oob_text(x), width))
  }
  never <- sum(x$oob$times == 0L)
  c(
    if (is.null(found$confusion)) {
      error_lines(found, digits)
    } else {
      confusion_table_lines(found, width)
    },
    if (isTRUE(x$settings$probability)) paste("Brier score", number_text(x$oob$brier, digits)),
    if (never > 0L) {
      paste0(count_text(never, "row"), if (never == 1L) " was" else " were", " never out of bag")
    }
  )
}

no_oob_text <- function(x) {
  if (is.null(x$oob)) {
    return("No out-of-bag error.")
  }
  "No out-of-bag error: every tree has all rows (see `replace` and `sample_fraction`)."
}

# As evaluate_fit() has them, of the rows that are out of bag somewhere; NULL where none is.
oob_measures <- function(x) {
  oob <- x$oob
  if (is.null(oob) || !any(oob$times > 0L)) {
    return(NULL)
  }
  known <- sum(oob$times > 0L)
  out <- if (is.null(oob$confusion)) {
    list(r_squared = oob$r_squared, rmse = sqrt(oob$error))
  } else {
    class_measures(oob$confusion, x$cost)
  }
  c(list(rows = known, where = "Out of bag: "), out)
}

#' @rdname print.tec_forest
#' @export
summary.tec_forest <- function(object, data = NULL, y = NULL, ...) {
  plain_numbers()
  refuse_dots("summary.tec_forest", ...)
  check_needs_data(data, y = y)
  check_fit(object)
  how_well <- if (is.null(data)) {
    oob_measures(object)
  } else {
    evaluate_fit(object, check_rows_to_predict(object, data), y, parent.frame())
  }
  structure(
    c(list(
      title = forest_title(object), size = forest_size(object),
      settings = settings_text(object$control),
      importance = if (!is.null(object$importance)) importance.tec_forest(object)
    ), how_well),
    class = "summary.tec_forest"
  )
}

#' @rdname print.tec_forest
#' @export
print.summary.tec_forest <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  cat(format.summary.tec_forest(x, digits = digits, width = width, ...), sep = "\n")
  invisible(x)
}

#' @rdname print.tec_forest
#' @export
format.summary.tec_forest <- function(x, digits = 4L, width = getOption("width"), ...) {
  refuse_dots("print", ...)
  check_output(digits, width)
  width <- max(20, width)
  table <- x$importance
  fit_width(c(
    wrap(x$title, width), wrap(x$size, width), wrap(x$settings, width),
    if (!is.null(table)) {
      c("", importance_title(table), importance_lines(table, 10L, digits, width))
    },
    "", if (is.null(x$rows)) "No out-of-bag error." else fit_lines(x, digits, width)
  ), width)
}
