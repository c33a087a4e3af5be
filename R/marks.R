# What a fit keeps of its rows, to know them again: their order matters where bags and folds go by
# position.

# Of the rows used: a column of two numbers for each predictor, for the response and, with weights,
# for these.
marks_of <- function(ready) {
  row_marks(ready$frame$value, ready$response$core$y, ready$rows, ready$weights)
}

row_marks <- function(values, y, rows, weights = NULL) {
  n <- if (is.null(rows)) length(values[[1L]]) else length(rows)
  # A row's place is a number between -1/2 and 1/2, scaled so that no sum is infinite.
  place <- ((seq_len(n) * 0.6180339887498949) %% 1 - 0.5) * 2^-64
  mark <- function(x) mark_of(if (is.null(rows)) x else x[rows], place)
  list(
    columns = vapply(values, mark, c(0, 0), USE.NAMES = FALSE),
    response = if (!is.null(y)) mark(y), weights = if (!is.null(weights)) mark(weights)
  )
}

# A sum to which a value adds by its place, and what its rounding errors are relative to.
mark_of <- function(x, place) {
  x <- as.double(unclass(x))
  odd <- !is.finite(x)
  if (any(odd)) {
    beyond <- 1.3 * max(abs(x[!odd]), 0.7)
    x[odd] <- ifelse(is.na(x[odd]), 1.7, sign(x[odd])) * min(beyond, 1e307)
  }
  x <- x * place
  c(sum(x), sum(abs(x)))
}

same_marks <- function(a, b) {
  abs(as.matrix(a)[1L, ] - as.matrix(b)[1L, ]) <= 1e-11 * as.matrix(b)[2L, ]
}

# Which parts are not those of the rows of a fit: names of columns, "weights". Rows without a
# response, or without weights, are not asked for these.
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
    if (both("weights")) !same_marks(known$weights, marks$weights)
  )
  names <- c(
    fit$columns$name, if (both("response")) fit$response$name, if (both("weights")) "weights"
  )
  names[other]
}
