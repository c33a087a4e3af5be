# Tested in test-control.R, test-text.R and test-unread.R.

#' @srrstats {G2.0, G2.2} A setting that must be one number is an error if it has another length.
#' @srrstats {G2.1} Types are checked at the entry of each function, before anything is grown.
#' @srrstats {G2.4b} Numbers become doubles.
#' @noRd
check_bound <- function(value, arg, least, whole = FALSE, optional = FALSE) {
  if (is.null(value) && optional) {
    return(NULL)
  }
  ok <- is_number(value) && value >= least &&
    (!whole || is.infinite(value) || value == round(value))
  if (!ok) {
    kind <- if (whole) "whole number" else "number"
    bound <- if (least > -Inf) " of at least {least}" else ", {.code -Inf} included"
    abort_found(paste0("{.arg {arg}} must be one {kind}", bound, "."), value, topic = "control")
  }
  as.double(value)
}

#' @srrstats {G2.4a} Counts become integers.
#' @noRd
check_count <- function(value, arg, least, most = .Machine$integer.max) {
  value <- check_bound(value, arg, least, whole = TRUE)
  if (value > most) {
    bound <- if (most < .Machine$integer.max) {
      paste("and at most", big_number(most))
    } else {
      "and finite"
    }
    abort_found(
      "{.arg {arg}} must be one whole number of at least {least}, {bound}.", value,
      topic = "control"
    )
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
    abort_found("{.arg {arg}} must be TRUE or FALSE.", value, topic = topic)
  }
  value
}

# Adds the arguments of the methods to a generic, after `...`, so that args() and editors show them.
# Only the methods read them.
with_arguments <- function(generic, ...) {
  own <- unlist(lapply(list(...), function(method) as.list(formals(method))), recursive = FALSE)
  own <- own[!duplicated(names(own)) & !names(own) %in% c("x", "formula", "...")]
  formals(generic) <- c(formals(generic), own)
  generic
}

# The method for `x` and `y`, from the method for a formula; both have the same body (fit_model()).
with_xy <- function(method) {
  own <- formals(method)[setdiff(names(formals(method)), place_arguments)]
  names(own)[1:2] <- c("x", "y")
  rows <- c("weights", "subset", intersect(row_arguments, names(own)))
  own[rows] <- list(NULL)
  formals(method) <- own
  method
}

# `place`: a function of the position of an unreadable string that returns the word for its place,
# its number and, for a level, its first row.
utf8_text <- function(x, what, topic, place) {
  text <- as_utf8(x)
  bad <- which(is.na(text) & !is.na(x))
  if (length(bad) == 0L) {
    return(text)
  }
  found <- place(bad[1L])
  row <- if (length(found) > 2L && !is.na(found[3L])) paste0(" (first in row ", found[3L], ")")
  shown <- escape_braces(spelled_out(x[bad[1L]]))
  tec_abort(topic, c(
    paste(escape_braces(what), "contains text that cannot be read."),
    x = paste0(found[1L], " ", found[2L], row, " is not valid text: \"", shown, "\"."),
    i = "Convert it first, for example with {.code iconv(x, \"latin1\", \"UTF-8\")}."
  ))
}

# Checks names of columns, also of those that are not used.
check_readable_names <- function(names, arg) {
  names <- as.character(names)
  if (all(validUTF8(names)) && !any(Encoding(names) == "bytes")) {
    return(invisible())
  }
  bad <- which(is.na(as_utf8(names)) & !is.na(names))
  if (length(bad)) {
    shown <- escape_braces(spelled_out(names[bad[1L]]))
    tec_abort("data", c(
      "A name in {.arg {arg}} cannot be read.",
      x = paste0("Name ", bad[1L], " is not valid text: \"", shown, "\"."),
      i = paste(
        "Convert the names first,",
        "for example with {.code iconv(names(x), \"latin1\", \"UTF-8\")}."
      )
    ))
  }
}

# Text, or the levels of a factor, in UTF-8; anything else unchanged. A string without an encoding
# mark is in the session's encoding, or in UTF-8 if the session supports only ASCII (LC_ALL=C).
# `what` (evaluated only for the error) and `topic` are for the error.
utf8_values <- function(x, what, topic) {
  if (is.factor(x)) {
    text <- utf8_text(levels(x), what, topic, function(at) {
      c("Level", at, match(at, plain_codes(x)))
    })
    if (!identical(Encoding(text), Encoding(levels(x)))) levels(x) <- text
    return(x)
  }
  if (!is.character(x)) {
    return(x)
  }
  values <- different_texts(x)
  text <- utf8_text(values, what, topic, function(at) c("Row", match(values[at], x)))
  if (!identical(Encoding(text), Encoding(values))) x[] <- text[match(x, values)]
  x
}

# Arguments that would be ignored are errors.

# Nothing may be left in the `...` of a method: a misspelled argument, or one of another package, is
# an error. `.what`: the function. `.also`: names that R itself passes on. The names start with a
# dot because the caller may have an argument `what` or `w`.
refuse_dots <- function(.what, ..., .also = character()) {
  known <- setdiff(names(formals(sys.function(sys.parent()))), "...")
  check_known(setdiff(dot_names(list(...)), .also), known, .what)
}

abort_only_with <- function(arg, setting, topic = "argument") {
  tec_abort(topic, c("{.arg {arg}} works only with {.code {setting}}.", i = "Leave it out."))
}

abort_only_for <- function(arg, what) {
  tec_abort("argument", c("{.arg {arg}} is only for {what}.", i = "Leave it out."))
}

# `given`: whether each argument was given, by name; `setting`: the setting that they need.
refuse_without <- function(setting, given, topic = "argument") {
  if (any(given)) abort_only_with(names(given)[given][1L], setting, topic)
}

# A response and weights need rows, `data`; `...` are NULL if not given.
check_needs_data <- function(data, ...) {
  lone <- names(which(!vapply(list(...), is.null, NA)))
  if (is.null(data) && length(lone)) {
    tec_abort("data", c(
      "{.arg {lone[1L]}} needs {.arg data}, the rows it belongs to.",
      x = "{.arg data} is not given.", i = "Give it too, or leave {.arg {lone[1L]}} out."
    ))
  }
}

# Refuses unknown arguments.
check_known <- function(names, known, what) {
  unknown <- setdiff(names, known)
  if (length(unknown) == 0L) {
    return(invisible())
  }
  first <- unknown[1L]
  if (!nzchar(first)) {
    exported <- what %in% getNamespaceExports("tectree")
    topic <- if (exported || grepl(".", what, fixed = TRUE)) what else paste0(what, ".tec_tree")
    tec_abort("argument", c(
      "Arguments after the first ones of {.fn {what}} must be named.",
      i = "See {.help [{.fn {what}}](tectree::{topic})} for their names."
    ))
  }
  settings <- any(c("min_bucket", "control") %in% known)
  entry <- if (!first %in% known) find_word(if (settings) "argument" else "use", first)
  if (!settings && !all(entry$ours %in% known)) entry <- NULL
  advice <- if (!is.null(entry)) entry$advice %||% paste0("use `", entry$ours, "`")
  of_tree <- settings && what != "tec_tree" && first %in% tree_arguments
  owners <- c("tec_tree", if (first %in% c("engine", "table")) c("tec_forest", "tec_tune"))
  owner <- if (is.null(entry) && !of_tree) model_with(first, what)
  tec_abort("argument", c(
    "{.fn {what}} has no argument {.arg {first}}.",
    x = if (!is.null(advice)) "{.arg {first}} is an argument of {entry$tool}.",
    x = if (of_tree) "{.arg {first}} is an argument of {.or {.fn {owners}}} only.",
    if (!is.null(advice)) c(i = "{upper_first(advice)}."),
    i = if (!is.null(owner)) "Give it to {.fn {owner}} itself, outside {.arg control}.",
    if (is.null(advice) && is.null(owner) && !of_tree) suggestion(first, known)
  ))
}

# The fitting function that has an argument which was found among settings.
model_with <- function(argument, what) {
  has <- function(model) {
    argument %in% own_arguments[[model]] || !is.null(find_word(model, argument))
  }
  model <- if (what == "tec_control") Find(has, c("forest", "boost", "mars", "rotation"))
  if (!is.null(model)) paste0("tec_", model)
}
