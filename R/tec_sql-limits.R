# Tested in test-tec_sql.R.
# Limits of a database, checked in R.

# Names that are equal in the database, and text that it treats as NULL.
check_sql_inputs <- function(inputs, sql) {
  names <- vapply(inputs, `[[`, "", "name")
  if (sql$fold) {
    twice <- names[tolower(names) %in% tolower(names)[duplicated(tolower(names))]]
    if (length(twice)) {
      abort_export(
        "Columns whose names differ only by case are one column to this database.",
        x = "Columns: {.field {twice}}.",
        i = "Rename one, and grow the tree again."
      )
    }
  }
  empty <- vapply(inputs, function(x) !x$logical && "" %in% x$levels, NA)
  if (sql$name == "oracle" && any(empty)) {
    abort_export(
      "Oracle takes empty text for NULL.",
      x = "Column with the label {.val {\"\"}}: {.field {names[empty]}}.",
      i = "Give the label a name, and grow the tree again."
    )
  }
}

check_sql_nesting <- function(nesting, sql) {
  if (nesting > sql$nesting) {
    abort_limit("levels of nested CASE", nesting, sql$nesting, sql)
  }
}

check_sql_columns <- function(n, sql) {
  if (n > sql$columns) abort_limit("columns", n, sql$columns, sql)
}

check_sql_length <- function(texts, sql) {
  size <- sum(nchar(unlist(texts), "bytes"))
  if (size > sql$characters) abort_limit("bytes of text", size, sql$characters, sql)
}

abort_limit <- function(what, found, limit, sql) {
  count <- function(x) format(x, big.mark = ",", scientific = FALSE)
  abort_export(
    "The tree is too large for one expression in this database ({.val {sql$name}}).",
    x = "It takes {count(limit)} {what}, and the tree needs {count(found)}.",
    i = "Make the tree smaller with {.fn tec_prune} or {.arg max_leaves}.",
    i = "{.code missing = \"majority\"} gives the shortest text.",
    i = "Or export to another place, such as {.fn tec_code}."
  )
}
