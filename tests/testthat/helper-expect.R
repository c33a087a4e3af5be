# testthat's comparisons take milliseconds even if nothing differs, and there are tens of thousands
# of them. Identical values, and numbers closer than required, pass at once. Everything else goes to
# testthat, which reports the differences.

expect_identical <- function(object, expected, ...) {
  if (identical(object, expected)) {
    return(invisible(succeed()))
  }
  compare_slowly(testthat::expect_identical, object, expected, substitute(object), list(...))
}

expect_equal <- function(object, expected, ..., tolerance = testthat_tolerance(),
                         ignore_attr = FALSE) {
  if (are_near(object, expected, tolerance, isTRUE(ignore_attr))) {
    return(invisible(succeed()))
  }
  more <- list(..., tolerance = tolerance, ignore_attr = ignore_attr)
  compare_slowly(testthat::expect_equal, object, expected, substitute(object), more)
}

expect_true <- function(object, ...) {
  if (isTRUE(object)) {
    return(invisible(succeed()))
  }
  say_slowly(testthat::expect_true, object, substitute(object), list(...))
}

expect_false <- function(object, ...) {
  if (isFALSE(object)) {
    return(invisible(succeed()))
  }
  say_slowly(testthat::expect_false, object, substitute(object), list(...))
}

# Snapshots name the class of a condition, and look the same with every version of testthat that
# DESCRIPTION's version of rlang allows.
expect_snapshot <- function(...) {
  call <- sys.call()
  call[[1]] <- quote(testthat::expect_snapshot)
  call$cnd_class <- TRUE
  eval.parent(call)
}

say_slowly <- function(compare, object, asked, more) {
  if (is.null(more$label)) more$label <- paste0("`", deparse1(asked), "`")
  do.call(compare, c(list(object), more), quote = TRUE)
}

compare_slowly <- function(compare, object, expected, asked, more) {
  if (is.null(more$label)) more$label <- paste0("`", deparse1(asked), "`")
  if (is.null(more$expected.label)) more$expected.label <- "`expected`"
  do.call(compare, c(list(object, expected), more), quote = TRUE)
}

# Numbers, each half as far apart as testthat allows for their mean, or less, and missing or
# infinite in the same places; and lists of such.
are_near <- function(a, b, tolerance, bare = FALSE) {
  if (identical(a, b)) {
    return(TRUE)
  }
  plain <- function(x) is.null(oldClass(x)) || is.data.frame(x)
  alike <- length(a) == length(b) && plain(a) && plain(b) && (bare || same_attributes(a, b))
  if (!alike || is.null(tolerance)) {
    return(FALSE)
  }
  if (is.list(a) && is.list(b)) {
    return(all(vapply(seq_along(a), function(i) are_near(a[[i]], b[[i]], tolerance, bare), NA)))
  }
  # An integer is the double of its value.
  if (!is.numeric(a) || !is.numeric(b) || (is.integer(a) && is.integer(b))) {
    return(FALSE)
  }
  a <- as.double(a)
  b <- as.double(b)
  other <- !is.finite(a) | !is.finite(b)
  identical(a[other], b[other]) && all(
    abs(a - b)[!other] <= tolerance / 2 * pmin(abs(a), abs(b))[!other]
  )
}

same_attributes <- function(a, b) {
  a <- attributes(a)
  b <- attributes(b)
  identical(a, b) || (setequal(names(a), names(b)) && identical(a[names(b)], b))
}
