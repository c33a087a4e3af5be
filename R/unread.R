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

# Unknown named arguments.
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
  tec_abort("argument", c(
    "{.fn {what}} has no argument {.arg {first}}.",
    x = if (!is.null(advice)) "{.arg {first}} is an argument of {entry$tool}.",
    x = if (of_tree) "{.arg {first}} is an argument of {.fn tec_tree} alone.",
    if (!is.null(advice)) c(i = "{upper_first(advice)}."),
    if (is.null(advice) && !of_tree) suggestion(first, known)
  ))
}

tree_arguments <- c(
  "formula", "data", "x", "y", "q", "criterion", "preset", "weights", "subset", "na.action",
  "cost", "cost_in", "prior", "class_weights", "validation", "beta", "tune_by", "control", "engine",
  "table"
)
