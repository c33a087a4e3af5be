#' Print regression splines
#'
#' `print()` writes the fit as a formula: the prediction for a numeric response, the log odds for
#' classes. With more than two classes it prints a table with one column per class.
#' [summary()][summary.tec_tree] adds the reason why the forward pass ended, the sizes that the
#' backward pass compared, and the importance of the predictors.
#'
#' @param x A fit from [tec_mars()].
#' @param digits Number of significant digits.
#' @param width Maximum width of a line.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly. `format()` returns the lines.
#' @family spline functions
#' @examples
#' tec_mars(mpg ~ ., mtcars)
#' @name print.tec_mars
#' @export
format.tec_mars <- function(x, digits = 5L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("print", ...)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  c(
    wrap(mars_title(x), width), wrap(mars_size_text(x), width), "",
    mars_formula_lines(x, digits, width), "", wrap(mars_quality_text(x), width)
  )
}

mars_title <- function(x) {
  paste0(
    if (is.null(x$response$levels)) "Regression" else "Classification", " splines for ",
    show_names(x$response$name), " (MARS, degree ", x$settings$degree, ")"
  )
}

mars_size_text <- function(x) {
  paste0(
    count_text(x$n_rows, "row"), ", ", length(x$selected), " of ", count_text(nrow(x$side), "term"),
    ", ", length(x$used), " of ", count_text(length(x$columns$name), "predictor")
  )
}

mars_quality_text <- function(x) {
  best <- x$sizes$cv[length(x$selected)]
  paste0(
    "GCV ", number_text(x$gcv, 4L), ", R squared ", sprintf("%.3f", x$r_squared),
    " (by GCV ", sprintf("%.3f", x$gcv_r_squared), ")",
    if (!is.null(best)) paste0(", mean squared error on folds ", number_text(best, 4L)),
    if (!is.null(x$logistic)) {
      paste0("; deviance ", toString(number_text(x$logistic$deviance, 4L)))
    }
  )
}

# "mpg =", then one line per term.
mars_formula_lines <- function(x, digits, width) {
  texts <- mars_term_texts(x, digits)
  b <- x$coefficients
  if (ncol(b) == 1L) {
    left <- if (is.null(x$response$levels)) {
      show_names(x$response$name)
    } else {
      paste0("log odds of ", show_label(colnames(b)))
    }
    sign <- ifelse(b[, 1L] < 0, "- ", "+ ")
    sign[1L] <- if (b[1L, 1L] < 0) "- " else "  "
    number <- pad(number_text(abs(b[, 1L]), digits), right = TRUE)
    product <- ifelse(texts == "1", "", paste(" *", texts))
    return(c(paste(left, "="), fit_width(paste0("  ", sign, number, product), width)))
  }
  columns <- vapply(seq_len(ncol(b)), function(k) {
    pad(c(show_label(colnames(b)[k]), number_text(b[, k], digits)), right = TRUE)
  }, character(nrow(b) + 1L))
  beside <- apply(columns, 1L, paste, collapse = "  ")
  c("Log odds of each class:", fit_width(paste0("  ", beside, "  ", c("", texts)), width))
}

#' @exportS3Method
summary_parts.tec_mars <- function(fit) {
  list(
    fit = fit, end = mars_end_text(fit),
    importance = if (!is.null(fit$subsets)) importance.tec_mars(fit), sizes = fit$sizes
  )
}

mars_end_text <- function(x) {
  s <- x$settings
  number <- number_text
  why <- switch(as.character(x$end %||% NA),
    "0" = "the response has one value",
    "1" = paste0("at ", s$terms, " terms (`terms`)"),
    "2" = "the GCV is far above that of the mean",
    "3" = paste0("R squared would rise by less than ", number(s$thresh), " (`thresh`)"),
    "4" = paste0("R squared reached ", number(1 - s$thresh)), "5" = "no further term was found",
    "not known"
  )
  paste0("The forward pass ended: ", why, ".")
}

#' @export
format.summary.tec_mars <- function(x, digits = 5L, width = getOption("width"), ...) {
  refuse_dots("print", ...)
  check_output(digits, width)
  c(
    format.tec_mars(x$fit, digits, width), wrap(x$end, width), "",
    # A fit from a file does not contain the sizes that were compared.
    if (!is.null(x$sizes)) c(mars_sizes_text(x, digits), ""),
    if (!is.null(x$importance)) importance_text(x$importance, 20L, 4L, width),
    if (!is.null(x$rows)) {
      c("", paste0("On ", count_text(x$rows, "row"), ":"), if (is.null(x$classes)) {
        paste0(
          "R squared ", sprintf("%.3f", x$r_squared), ", root mean squared error ",
          number_text(x$rmse, digits), ", mean absolute error ", number_text(x$mae, digits)
        )
      } else {
        class_lines(x, width)
      })
    }
  )
}

# The sizes around that of the fit, which is marked.
mars_sizes_text <- function(x, digits) {
  size <- length(x$fit$selected)
  shown <- x$sizes[abs(x$sizes$terms - size) <= 3L, , drop = FALSE]
  cells <- matrix(unlist(lapply(shown, number_text, digits = digits)), nrow(shown))
  head <- pad(rbind(names(shown), cells)[, 1L], right = TRUE)
  for (k in seq_along(shown)[-1L]) {
    head <- paste(head, pad(c(names(shown)[k], cells[, k]), right = TRUE), sep = "  ")
  }
  paste0("  ", head, c("", ifelse(shown$terms == size, "  <", "")))
}
