# Arguments that nothing would read: an error, not silence.

# Nothing is left in the `...` of a method: what its caller misspelled, or another package's name,
# is an error. `what`: the function; `also`: names that R itself passes on.
refuse_dots <- function(what, ..., also = character()) {
  known <- setdiff(names(formals(sys.function(sys.parent()))), "...")
  check_known(setdiff(dot_names(list(...)), also), known, what)
}

abort_only_with <- function(arg, setting, topic = "argument") {
  tec_abort(topic, c("{.arg {arg}} is for {.code {setting}}.", i = "Leave it out."))
}

abort_only_for <- function(arg, what) {
  tec_abort("argument", c("{.arg {arg}} is for {what}.", i = "Leave it out."))
}

# `given`: whether each argument was given, by its name; `setting`: what they are for.
refuse_without <- function(setting, given, topic = "argument") {
  if (any(given)) abort_only_with(names(given)[given][1L], setting, topic)
}

# A response and weights belong to rows that are given; `...` are NULL without them.
check_needs_data <- function(data, ...) {
  lone <- names(which(!vapply(list(...), is.null, NA)))
  if (is.null(data) && length(lone)) {
    tec_abort("data", c(
      "{.arg {lone[1L]}} needs {.arg data}, the rows that it belongs to.",
      x = "{.arg data} is not there.", i = "Give it too, or leave {.arg {lone[1L]}} out."
    ))
  }
}
