# What a fit keeps of its rows, to know them again: their order matters where bags and folds go by
# position.

# Of the rows used: a column of two numbers for each predictor, for the response and, with weights,
# for these. Rows that are counted elsewhere have none.
marks_of <- function(ready, threads = 1L) {
  if (!is.null(ready$frame$value[[1L]])) {
    row_marks(ready$frame$value, ready$response$core$y, ready$rows, ready$weights, threads)
  }
}

# A number is the sum to which each value adds by its place, and what its rounding errors are
# relative to.
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

# `offset` is a matrix with a row for each row of the data.
offset_marks <- function(offset, rows) {
  if (!is.null(offset)) tec_marks_(matrix_columns(offset), rows, 1L)
}

same_marks <- function(a, b) {
  abs(as.matrix(a)[1L, ] - as.matrix(b)[1L, ]) <= 1e-12 * as.matrix(b)[2L, ]
}

# Which parts are not those of the rows of a fit: names of columns, "weights", "offset". Rows
# without a response, weights or an offset are not asked for these.
parts_that_differ <- function(fit, marks) {
  known <- fit$marks
  p <- length(fit$columns$name)
  if (!is.list(known) || !is.numeric(known$columns) || ncol(known$columns) != p) {
    return(NULL)
  }
  both <- function(part) !is.null(known[[part]]) && !is.null(marks[[part]])
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
