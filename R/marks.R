# Checksums that a fit keeps of its rows, to recognise them. They depend on the order of the rows,
# because bags and folds go by position.

# The marks of the rows used: two numbers for each predictor, for the response and for the weights,
# if there are any. Counted rows have no marks.
marks_of <- function(ready, threads = 1L) {
  if (!is.null(ready$frame$value[[1L]])) {
    row_marks(ready$frame$value, ready$response$core$y, ready$rows, ready$weights, threads)
  }
}

# For each column: a sum of the values, weighted by their positions, and the size that its rounding
# errors are relative to.
row_marks <- function(values, y, rows, weights = NULL, threads = 1L) {
  all <- c(unname(values), list(response = y, weights = weights))
  all <- all[lengths(all) > 0L]
  marks <- tec_marks_(all, rows, threads)
  of <- function(part) if (part %in% names(all)) marks[, match(part, names(all))]
  list(
    n = if (is.null(rows)) length(values[[1L]]) else length(rows),
    columns = marks[, seq_along(values), drop = FALSE],
    response = of("response"), weights = of("weights")
  )
}

# `offset` is a matrix with one row per row of the data.
offset_marks <- function(offset, rows) {
  if (!is.null(offset)) tec_marks_(matrix_columns(offset), rows, 1L)
}

same_marks <- function(a, b) {
  a <- as.matrix(a)
  b <- as.matrix(b)
  if (!identical(dim(a), dim(b))) {
    return(rep(FALSE, ncol(b)))
  }
  abs(a[1L, ] - b[1L, ]) <= 1e-12 * b[2L, ]
}

# The parts that differ from those of the rows of a fit: names of columns, "weights", "offset".
# Parts that are missing in `marks` are not compared.
parts_that_differ <- function(fit, marks) {
  known <- fit$marks
  p <- length(fit$columns$name)
  if (!is.list(known) || !is.numeric(known$columns) || !identical(ncol(known$columns), p)) {
    return(NULL)
  }
  both <- function(part) is.numeric(known[[part]]) && is.numeric(marks[[part]])
  other <- c(
    !same_marks(known$columns, marks$columns),
    if (both("response")) !same_marks(known$response, marks$response),
    if (both("weights")) !same_marks(known$weights, marks$weights),
    if (both("offset")) any(!same_marks(known$offset, marks$offset))
  )
  names <- c(
    fit$columns$name, if (both("response")) fit$response$name, if (both("weights")) "weights",
    if (both("offset")) "offset"
  )
  names[other]
}
