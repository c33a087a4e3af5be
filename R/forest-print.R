#' Print a forest
#'
#' `print()` shows the size of the forest, its out-of-bag error and, for classes, the confusion
#' matrix. [summary()][summary.tec_tree] adds the importance of the predictors, and precision and
#' recall of each class.
#'
#' @param x A forest from [tec_forest()].
#' @param digits Significant digits.
#' @param width Line width.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `format()` the lines.
#' @family forest functions
#' @examples
#' set.seed(1)
#' tec_forest(Species ~ ., iris, trees = 50, threads = 2)
#' @name print.tec_forest
#' @export
format.tec_forest <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("print", ...)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  fit_width(c(
    wrap(grown_title(x), width), wrap(forest_size(x), width),
    if (!is.null(x$tuning)) wrap(forest_tuned_text(x$tuning), width),
    unlist(lapply(c(priors_text(x), shrinkage_text(x)), wrap, width)), oob_lines(x, digits, width)
  ), width)
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

#' @exportS3Method
summary_parts.tec_forest <- function(fit) {
  list(
    title = grown_title(fit), size = forest_size(fit), settings = settings_text(fit$control),
    importance = if (!is.null(fit$importance)) importance.tec_forest(fit)
  )
}
