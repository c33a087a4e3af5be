# Tested in test-control.R.

check_bound <- function(value, arg, least, whole = FALSE, optional = FALSE) {
  if (is.null(value) && optional) {
    return(NULL)
  }
  ok <- is_number(value) && value >= least &&
    (!whole || is.infinite(value) || value == round(value))
  if (!ok) {
    kind <- if (whole) "whole number" else "number"
    bound <- if (least > -Inf) " of at least {least}" else ", {.code -Inf} included"
    tec_abort("control", c(
      paste0("{.arg {arg}} must be one {kind}", bound, "."),
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

check_count <- function(value, arg, least, most = .Machine$integer.max) {
  value <- check_bound(value, arg, least, whole = TRUE)
  if (value > most) {
    bound <- if (most < .Machine$integer.max) {
      paste("and at most", format(most, big.mark = ",", scientific = FALSE))
    } else {
      "and finite"
    }
    tec_abort("control", c(
      "{.arg {arg}} must be one whole number of at least {least}, {bound}.",
      x = "It is {describe(value)}."
    ))
  }
  as.integer(value)
}

is_string <- function(x) is.character(x) && length(x) == 1L && !is.na(x)

is_number <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1L && !is.na(x)

check_flag <- function(value, arg, optional = FALSE, topic = "prune") {
  if (optional && is.null(value)) {
    return(NULL)
  }
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    tec_abort(topic, c(
      "{.arg {arg}} must be TRUE or FALSE.",
      x = "It is {describe(value)}."
    ))
  }
  value
}

# A generic with the arguments of its methods after `...`, so that args() and editors show them. It
# passes on what it is given: only methods read them.
with_arguments <- function(generic, ...) {
  own <- unlist(lapply(list(...), function(method) as.list(formals(method))), recursive = FALSE)
  own <- own[!duplicated(names(own)) & !names(own) %in% c("x", "formula", "...")]
  formals(generic) <- c(formals(generic), own)
  generic
}
