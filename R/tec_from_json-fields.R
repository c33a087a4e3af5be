# Tested in test-tec_json.R.
# The fields of a file of JSON, and checks of one: its type, length and range. `where` is its place,
# for the message.

json_types <- list(
  numeric = c("double", "integer", "Date", "POSIXct", "difftime"), ordered = "ordered",
  nominal = c("factor", "character", "logical")
)
json_fields <- list(
  tree = list(
    needed = c(
      "format", "version", "task", "response", "criterion", "preset", "missing", "surrogates",
      "unseen", "columns", "nodes"
    ),
    optional = c("source", "cost", "smooth", "smooth_to")
  ),
  forest = list(
    needed = c(
      "format", "version", "task", "response", "criterion", "missing", "unseen", "rows", "columns",
      "trees"
    ),
    optional = c("class_by", "cost", "mtry", "link")
  ),
  link = list(needed = c("round", "base", "scale"), optional = c("output", "vote")),
  forest_tree = list(
    needed = c("column", "split", "right", "default", "weight", "value"), optional = "inner_value"
  ),
  response = list(needed = c("name", "type"), optional = "levels"),
  column = list(needed = c("name", "kind", "type"), optional = c("units", "zone", "levels")),
  leaf = list(
    needed = c("node", "n", "weight", "value"), optional = c("prob", "shares", "impurity")
  ),
  split = list(
    needed = c("column", "kind", "children"),
    optional = c("breaks", "groups", "default", "gain", "score", "exact", "surrogates", "test")
  ),
  surrogate = list(
    needed = c("column", "kind", "children"), optional = c("breaks", "groups", "agree", "adj")
  )
)

json_fault <- function(where, ...) stop(paste0(where, ": ", ...), call. = FALSE)

check_json_fields <- function(x, fields, where) {
  given <- names(x)
  if (!is.list(x) || is.null(given)) json_fault(where, "it must be an object with named fields")
  twice <- given[duplicated(given)]
  if (length(twice)) json_fault(where, "the field \"", twice[1L], "\" is there twice")
  lost <- setdiff(fields$needed, given)
  if (length(lost)) json_fault(where, "the field \"", lost[1L], "\" is not there")
  none <- setdiff(given[lengths(x) == 0L & vapply(x, is.null, NA)], c("agree", "adj"))
  if (length(none)) json_fault(where, "the field \"", none[1L], "\" is null")
  odd <- setdiff(given, c(fields$needed, fields$optional))
  if (length(odd)) json_fault(where, "there is no field \"", odd[1L], "\" in this place")
}

check_json_string <- function(x, where) {
  if (!is.character(x) || length(x) != 1L || is.na(x)) json_fault(where, "it must be text")
}
check_json_word <- function(x, words, where) {
  check_json_string(x, where)
  if (!x %in% words) {
    words <- paste0("\"", words, "\"", collapse = ", ")
    json_fault(where, "it must be one of ", words, ", not \"", x, "\"")
  }
}
check_json_flag <- function(x, where) {
  if (!isTRUE(x) && !isFALSE(x)) json_fault(where, "it must be true or false")
}
check_json_list <- function(x, where, least) {
  if (!is.list(x) || !is.null(names(x)) || length(x) < least) {
    json_fault(where, "it must be a list of at least ", least)
  }
}

check_json_number <- function(x, where, low = -Inf, high = Inf, null = FALSE) {
  if (null && is.null(x)) {
    return(invisible())
  }
  if (!is.numeric(x) || length(x) != 1L || !is.finite(x)) {
    json_fault(where, "it must be a finite number")
  }
  if (x < low || x > high) json_fault(where, "it is out of range: ", x)
}

# A list of numbers, of a length that is known where `n` is given; as a vector.
check_json_numbers <- function(x, where, n = NULL) {
  if (!is.list(x)) json_fault(where, "it must be a list of numbers")
  if (!is.null(n) && length(x) != n) {
    json_fault(where, "it must have ", n, " numbers, not ", length(x))
  }
  for (v in x) check_json_number(v, where)
  as.double(unlist(x))
}

check_json_whole_numbers <- function(x, where, low, high) {
  out <- check_json_numbers(x, where)
  if (any(out != round(out)) || any(out < low | out > high)) {
    json_fault(where, "they must be whole numbers from ", low, " to ", high)
  }
  out
}

check_json_labels <- function(x, where, least = 1L) {
  check_json_list(x, where, least)
  for (label in x) check_json_string(label, where)
  out <- read_strings(x)
  if (anyDuplicated(out)) json_fault(where, "\"", out[duplicated(out)][1L], "\" is there twice")
  out
}

read_strings <- function(x) vapply(x, function(s) enc2utf8(s), "")
