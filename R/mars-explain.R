# Tested in test-mars-methods.R.

#' Explain a prediction of regression splines
#'
#' Shows, for one row, what each function of the sum contributes relative to its mean over the
#' training rows, and which terms are not 0.
#'
#' @param x A fit from [tec_mars()]; for `print()` an explanation.
#' @param newrow A data frame of one row, with the predictors of the terms.
#' @param class With more than two classes: the class to explain. `NULL`: the predicted class.
#' @param digits Number of significant digits.
#' @param width Maximum width of a line.
#' @param ... Must be empty.
#' @return An object of class `tec_mars_explanation`: a list with `prediction`, `link`, `constant`
#'   (the mean of the link over the training rows), `parts` (a data frame with `predictors`, `value`
#'   and `part`, in decreasing size) and `terms` (a data frame with `term`, `coefficient`, the
#'   `value` of the term, and their product `part`).
#' @family spline functions
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' explain(fit, mtcars["Fiat 128", ])
#' @rawNamespace S3method(generics::explain, tec_mars)
#' @rawNamespace S3method(dplyr::explain, tec_mars)
#' @export
explain.tec_mars <- function(x, newrow, class = NULL, ...) {
  plain_numbers()
  refuse_dots("explain", ...)
  check_fit(x)
  if (missing(newrow)) newrow <- NULL
  newrow <- one_row(newrow)
  values <- code_rows(x, newrow, parent.frame(), "newrow")
  basis <- mars_basis_of(x, values, 1L)
  if (anyNA(basis)) {
    gone <- x$columns$name[x$used[vapply(values[x$used], is.na, NA)]]
    tec_abort("newdata", c(
      "{.arg newrow} has no prediction.",
      x = "{cli::qty(length(gone))}Missing value{?s}: {.field {gone}}."
    ))
  }
  prediction <- predict_coded(x, values, 1L)
  r <- mars_explained(x, class, prediction)
  b <- x$coefficients[, r]
  functions <- mars_functions(x)
  part <- vapply(functions, function(f) {
    sum((basis[1L, f$terms] - x$means[f$terms]) * b[f$terms])
  }, 0)
  shown <- vapply(functions, function(f) {
    toString(vapply(f$columns, function(j) value_text(x$columns, j, values[[j]], 5L), ""))
  }, "")
  parts <- data.frame(
    predictors = as.character(names(functions)), value = unname(shown), part = unname(part)
  )
  parts <- parts[order(-abs(parts$part)), , drop = FALSE]
  rownames(parts) <- NULL
  terms <- data.frame(
    term = mars_term_texts(x), coefficient = unname(b), value = basis[1L, ],
    part = unname(b) * basis[1L, ]
  )
  structure(
    list(
      response = x$response$name, class = colnames(x$coefficients)[r],
      classes = x$response$levels, prediction = prediction,
      probability = if (!is.null(x$response$levels)) predict_coded(x, values, 1L, "prob")[1L, ],
      link = sum(terms$part), constant = sum(x$means * b), parts = parts, terms = terms
    ),
    class = "tec_mars_explanation"
  )
}

# The number of the response that is explained.
mars_explained <- function(fit, class, prediction) {
  shown <- colnames(fit$coefficients)
  if (length(shown) == 1L) {
    if (!is.null(class)) abort_only_for("class", "more than two classes")
    return(1L)
  }
  class_numbers(class %||% prediction, shown)
}

#' @rdname explain.tec_mars
#' @export
print.tec_mars_explanation <- function(x, digits = 5L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("explain.tec_mars", ...)
  check_output(digits, width)
  numbers <- is.null(x$classes)
  said <- if (numbers) number_text(x$prediction, digits) else show_label(as.character(x$prediction))
  cat(
    show_names(x$response), " = ", said,
    if (!numbers) {
      paste0(" (probability ", sprintf("%.3f", x$probability[[as.character(x$prediction)]]), ")")
    }, "\n", sep = ""
  )
  what <- if (numbers) "mean prediction" else paste0("mean log odds of ", show_label(x$class))
  label <- c(what, paste(x$parts$predictors, "=", x$parts$value, recycle0 = TRUE))
  number <- c(x$constant, x$parts$part)
  text <- paste0(ifelse(number < 0, "-", "+"), number_text(abs(number), digits))
  text[1L] <- number_text(number[1L], digits)
  last <- if (numbers) "prediction" else paste0("log odds of ", show_label(x$class))
  lines <- paste0(
    "  ", pad(c(label, last)), "  ", pad(c(text, number_text(x$link, digits)), right = TRUE)
  )
  cat(fit_width(lines, width), sep = "\n")
  invisible(x)
}

#' Importance of predictors in regression splines
#'
#' The squared error falls from each size of the backward pass to the next larger one, up to the
#' size of the fit. The importance of a predictor is the sum of those falls for which the larger
#' model uses the predictor. This is the criterion "rss" of `evimp()` in the package earth, without
#' its square root. With `type = "permutation"`, the importance is the increase of the prediction
#' error when the values of the predictor are shuffled, as for trees.
#'
#' @param x A fit from [tec_mars()].
#' @param type `"terms"` or `"permutation"`.
#' @param data For permutation: a data frame with the predictors and the response.
#' @param y The response, only if the fit was made from `x` and `y`.
#' @param repeats Number of times that each predictor is shuffled.
#' @param ... Must be empty.
#' @return A data frame of class `tec_importance`, as returned by [importance()]. `splits` is the
#'   number of terms of the fit that use the predictor.
#' @family spline functions
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' importance(fit)
#' @export
importance.tec_mars <- function(x, type = c("terms", "permutation"), data = NULL, y = NULL,
                                repeats = 10L, ...) {
  refuse_dots("importance", ...)
  type <- if (missing(type)) "terms" else type
  rows <- list(data = data, y = y, repeats = repeats, given = !missing(repeats))
  importance_of(x, type, "terms", mars_gain, rows, parent.frame())
}

mars_gain <- function(fit) {
  if (is.null(fit$subsets)) {
    tec_abort("conversion", c(
      "The fit does not contain its backward pass.",
      x = "It was read from JSON, which contains only the terms.",
      i = "Use {.code type = \"permutation\"}."
    ))
  }
  p <- length(fit$columns$name)
  of_term <- function(t) unique(fit$inputs$column[fit$side[t, ] != 0L])
  gain <- numeric(p)
  for (size in seq_along(fit$selected)[-1L]) {
    used <- unique(unlist(lapply(fit$subsets[[size]], of_term)))
    gain[used] <- gain[used] + max(0, fit$sizes$rss[size - 1L] - fit$sizes$rss[size])
  }
  terms <- tabulate(unlist(lapply(fit$selected, of_term)), p)
  gain[terms == 0L] <- 0
  c(importance_table(fit$columns$name, gain), list(splits = terms)) |> list2DF()
}
