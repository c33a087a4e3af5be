# testthat's comparisons take milliseconds where nothing differs, and there are tens of thousands:
# values that are identical, or each number nearer than asked for, pass at once. All else goes
# to testthat, which says what differs.

expect_identical <- function(object, expected, ...) {
  if (identical(object, expected)) {
    return(invisible(succeed()))
  }
  compare_slowly(testthat::expect_identical, object, expected, substitute(object), list(...))
}

expect_equal <- function(object, expected, ..., tolerance = testthat_tolerance()) {
  if (are_near(object, expected, tolerance)) {
    return(invisible(succeed()))
  }
  more <- list(..., tolerance = tolerance)
  compare_slowly(testthat::expect_equal, object, expected, substitute(object), more)
}

compare_slowly <- function(compare, object, expected, asked, more) {
  if (is.null(more$label)) more$label <- paste0("`", deparse1(asked), "`")
  if (is.null(more$expected.label)) more$expected.label <- "`expected`"
  do.call(compare, c(list(object, expected), more), quote = TRUE)
}

# Doubles, each half as far apart as testthat allows for their mean, or less, and missing in the
# same places; and lists of such.
are_near <- function(a, b, tolerance) {
  if (identical(a, b)) {
    return(TRUE)
  }
  alike <- typeof(a) == typeof(b) && length(a) == length(b) &&
    identical(attributes(a), attributes(b))
  if (!alike || is.null(tolerance) || !(is.null(oldClass(a)) || is.data.frame(a))) {
    return(FALSE)
  }
  if (is.list(a)) {
    return(all(vapply(seq_along(a), function(i) are_near(a[[i]], b[[i]], tolerance), NA)))
  }
  if (!is.double(a)) {
    return(FALSE)
  }
  gone <- is.na(a) | is.na(b)
  identical(a[gone], b[gone]) &&
    isTRUE(all(abs(a - b) <= tolerance / 2 * pmin(abs(a), abs(b)), na.rm = TRUE))
}
