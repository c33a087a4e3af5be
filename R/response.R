# The response: a factor, character or logical column holds classes, a number is
# to be estimated.

# Facts about the response, before it is known which rows are used.
check_response <- function(y, name, n) {
  if (is.null(y)) {
    tec_abort("response", c(
      "There is no response.",
      i = "Give it as {.arg y}, or on the left of {.code ~}."
    ))
  }
  if (length(dim(y)) == 1L || (is.matrix(y) && ncol(y) == 1L && !is.object(y))) {
    dim(y) <- NULL
  }
  check_response_type(y, name)
  if (length(y) != n) {
    tec_abort("response", c(
      "The response {.field {name}} must have one value a row.",
      x = "It has {length(y)} value{?s}; there {?is/are} {n} row{?s}."
    ))
  }
  if (is_integer64(y)) decode_integer64(y) else y
}

check_response_type <- function(y, name) {
  if (is.list(y) || !is.null(dim(y))) {
    tec_abort("response", c(
      "The response {.field {name}} must be one vector.",
      x = "It is {describe(y)}."
    ))
  }
  known <- is.factor(y) || is.character(y) || is.logical(y) || typeof(y) %in% c("double", "integer")
  if (!known || inherits(y, c("Date", "POSIXct", "difftime"))) {
    tec_abort("response", c(
      "The response {.field {name}} must hold classes (factor, character, logical) or numbers.",
      x = "It is {describe(y)}.",
      i = "Convert it first, for example with {.fn as.numeric} or {.fn factor}."
    ))
  }
}

response_missing <- function(y) {
  if (is.factor(y) && anyNA(levels(y))) is.na(levels(y))[y] | is.na(y) else is.na(y)
}

# The coded response and what of it the fit remembers. `rows` are those used.
code_response <- function(y, name, rows) {
  if (is.factor(y) || is.character(y) || is.logical(y)) {
    return(code_classes(y, name, rows))
  }
  used <- if (is.null(rows)) y else y[rows]
  if (any(is.infinite(used))) {
    tec_abort("response", c(
      "The response {.field {name}} must be finite.",
      x = "{sum(is.infinite(used))} value{?s} {?is/are} infinite."
    ))
  }
  list(
    core = list(y = as_double(y), n_classes = 0L),
    info = list(name = name, task = "regression", levels = NULL, ptype = numeric())
  )
}

code_classes <- function(y, name, rows) {
  column <- code_column(y, name, rows)
  counts <- tabulate(if (is.null(rows)) column$value else column$value[rows], column$n_levels)
  if (sum(counts > 0L) == 1L) {
    only <- column$levels[counts > 0L]
    tec_warn("one_class", c(
      "The response {.field {name}} has one class only: {.val {only}}.",
      i = "The tree is a single leaf."
    ))
  }
  list(
    core = list(y = column$value, n_classes = column$n_levels),
    info = list(
      name = name, task = "classification", levels = column$levels, ptype = column$ptype
    )
  )
}

as_double <- function(x) {
  if (typeof(x) == "double") x else as.double(x)
}

# Class codes as the response itself: a factor, ordered if the response was.
as_classes <- function(codes, response) {
  class <- if (is.ordered(response$ptype)) c("ordered", "factor") else "factor"
  structure(as.integer(codes), levels = response$levels, class = class)
}
