# Tested in test-engine-sql.R.
# A collation under which texts that differ are equal would merge levels in GROUP BY.
check_merged <- function(s) {
  text <- Filter(function(column) column$type == "text", c(s$columns, list(s$response)))
  if (length(text) == 0L) {
    return(invisible())
  }
  x <- vapply(text, `[[`, "", "raw")
  merged <- if (s$link$name == "postgres") {
    merged_collations(s, x)
  } else if (!is.null(s$dialect$bytes)) {
    merged_groups(s, x)
  } else {
    logical(length(x))
  }
  if (any(merged)) {
    name <- vapply(text[merged], `[[`, "", "name")
    tec_abort("collation", c(
      "Texts that differ must be different values to the database.",
      x = "The collation of {.field {name}} takes some of them for equal, such as in another case.",
      i = "Give the column another collation in the query, or make one text of each value, \\
           such as with {.code UPPER}."
    ))
  }
}

# Only collations that are not deterministic do so.
merged_collations <- function(s, x) {
  loose <- ask(s$link, paste(
    "SELECT CAST(collname AS text) AS c FROM pg_collation WHERE NOT collisdeterministic"
  ), "collations")$c
  if (length(loose) == 0L) {
    return(logical(length(x)))
  }
  of <- paste0("(SELECT pg_collation_for(", x, ") FROM (", s$base, ") s LIMIT 1) AS ", x)
  used <- unlist(ask(s$link, paste("SELECT", paste(of, collapse = ", ")), "collations"))
  # With quotes and a schema where these are needed.
  name <- gsub("\"", "", sub("^.*[.]", "", used), fixed = TRUE)
  !is.na(used) & name %in% loose
}

# Fewer groups than there are texts of different bytes.
merged_groups <- function(s, x) {
  rows <- paste0("(SELECT COUNT(*) FROM (SELECT 1 AS one FROM (", s$base, ") s GROUP BY ")
  groups <- function(by) paste0(rows, by, ") t)")
  parts <- paste0(groups(c(x, s$dialect$bytes(x))), " AS n", seq_len(2L * length(x)))
  n <- as.numeric(unlist(ask(s$link, paste("SELECT", paste(parts, collapse = ", ")), "collations")))
  utils::head(n, length(x)) < utils::tail(n, length(x))
}
