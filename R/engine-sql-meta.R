# Tested in test-engine-sql.R.
# The contents of a query: types, numbers of rows, ranges, values. Afterwards `s` has
#
#   columns   for each predictor: name, kind, type (of the database: number, logical, date, time,
#             span, text), sql (its text in the user's query), nan, raw (its name in ours), ptype,
#             values, range, missing
#   response  the same, and the facts that growth needs
#   base      our query of the rows that count

# The types of the query's columns. `raw`: their names in our query.
describe_types <- function(s, names, raw = paste0("x", seq_along(names))) {
  type <- column_types(s, names)
  lapply(seq_along(names), function(at) {
    sql <- paste0("q.", quote_name(s$link, names[at]))
    label <- type[at] == "label"
    list(
      name = names[at], type = if (label) "text" else type[at], raw = raw[at], nan = FALSE,
      sql = if (label) s$dialect$text_type(sql) else sql
    )
  })
}

# A plain table is used by name: a user who may see only some of its columns cannot select all, and
# in SQLite a column called TRUE loses its name in a subquery.
queried_rows <- function(query) {
  table <- sub("^SELECT \\*\\s+FROM\\s+", "", query)
  names <- "^((\"([^\"]|\"\")*\"|`([^`]|``)*`)[.]?)+$"
  if (table != query && grepl(names, table)) paste(table, "q") else paste0("(", query, ") q")
}

# The kinds of types. In SQLite each value has a type, so a column must contain one kind.
column_types <- function(s, names) {
  quoted <- paste0("q.", quote_name(s$link, names))
  if (s$link$name == "sqlite") {
    return(value_types(s, names, quoted))
  }
  type <- if (is.null(s$dialect$type_of)) answer_types(s, quoted) else scalar_types(s, quoted)
  kind <- type_kind(tolower(type))
  unknown <- which(is.na(kind))
  if (length(unknown) && s$link$name == "postgres") kind[unknown] <- made_kind(s, type[unknown])
  bad <- which(is.na(kind))
  if (length(bad)) {
    tec_abort("column", c(
      "A column must contain numbers, dates, times, time intervals, booleans or text.",
      x = "Found: {.field {names[bad]}} ({unname(type[bad])}).",
      i = "Leave it out, or convert it in the query."
    ))
  }
  check_times(s, names[kind == "time"])
  unname(kind)
}

scalar_types <- function(s, quoted) {
  at <- paste0("(SELECT ", quoted, " FROM ", s$from, s$dialect$limit(1), ")")
  at <- paste(s$dialect$type_of(at), "AS", paste0("t", seq_along(quoted)))
  unlist(ask(s$link, paste("SELECT", paste(at, collapse = ", ")), "types"))
}

type_kind <- function(type) {
  out <- rep(NA_character_, length(type))
  kinds <- c(
    number = "^u?(tiny|small|medium|big|huge)?int|^(double|float|real|numeric|decimal)",
    logical = "^bool", date = "^date$", time = "^timestamp",
    span = "^interval|^time( |$)",
    text = "^(character|varchar|text|bpchar|char|string)", label = "^(citext|enum|uuid|name$)"
  )
  for (kind in names(kinds)) out[grepl(kinds[[kind]], type)] <- kind
  out[grepl("[]]$", type)] <- NA
  out
}

# User-defined types of PostgreSQL: enums, and domains, which behave like their base type.
made_kind <- function(s, type) {
  made <- ask(s$link, paste(
    "SELECT CAST(oid::regtype AS text) AS t, CAST(typtype AS text) AS of,",
    "CAST(typbasetype::regtype AS text) AS base FROM pg_type WHERE typtype IN ('d', 'e')"
  ), "types", c("t", "of", "base"))
  domains <- made[made$of == "d", ]
  while (any(type %in% domains$t)) {
    at <- match(type, domains$t)
    type[!is.na(at)] <- domains$base[at[!is.na(at)]]
  }
  kind <- type_kind(tolower(type))
  kind[type %in% made$t[made$of == "e"]] <- "label"
  kind
}

value_types <- function(s, names, quoted) {
  found <- in_batches(quoted, 300L, function(x) {
    kinds <- rep(c("IN ('integer', 'real')", "= 'text'", "= 'blob'"), each = length(x))
    parts <- paste0("SUM(typeof(", x, ") ", kinds, ") AS n", seq_along(kinds))
    out <- ask(s$link, paste("SELECT", toString(parts), "FROM", s$from), "types")
    matrix(as.numeric(unlist(out)), length(x))
  })
  found <- do.call(rbind, found)
  found[is.na(found)] <- 0
  number <- found[, 1L]
  text <- found[, 2L]
  blob <- found[, 3L]
  bad <- which((number > 0 & text > 0) | blob > 0)
  if (length(bad)) {
    first <- bad[1L]
    tec_abort("column", c(
      "A column must contain values of one kind.",
      x = "{.field {names[first]}} has {number[first]} number{?s}, {text[first]} text{?s} and \\
           {blob[first]} blob{?s}.",
      i = "Leave it out, or convert it to one kind in the query, for example with {.code CAST}."
    ))
  }
  ifelse(text > 0, "text", "number")
}

in_batches <- function(x, size, f) {
  unname(lapply(split(x, (seq_along(x) - 1L) %/% size), f))
}

check_numbers <- function(s) {
  for (what in c("weights", "key")) {
    if (!is.null(s[[what]]) && s[[what]]$type != "number") {
      tec_abort(if (what == "key") "key" else "weights", c(
        "{.arg {what}} must be a column of whole numbers.",
        x = "{.field {s[[what]]$name}} contains {s[[what]]$type}."
      ))
    }
  }
}

# A column of the user's query in our form: a double, a boolean or text, with NaN as NULL.
base_column <- function(s, column) {
  d <- s$dialect
  x <- column$sql
  x <- switch(column$type,
    number = d$number_type(x), date = d$number_type(d$days(x)),
    time = d$number_type(d$seconds(x)), span = d$number_type(d$span(x)), text = d$text(x), x
  )
  if (column$nan) x <- paste("CASE WHEN", d$nan(x), "THEN NULL ELSE", x, "END")
  paste(x, "AS", column$raw)
}

# `weighted`: without rows of frequency 0.
base_query <- function(s, weighted = TRUE) {
  columns <- c(s$columns, list(s$response), list(s$weights)[!is.null(s$weights)])
  parts <- vapply(columns, base_column, "", s = s)
  if (!is.null(s$key)) parts <- c(parts, paste(s$dialect$whole_type(s$key$sql), "AS k"))
  if (!is.null(s$shards)) parts <- c(parts, paste0("q.", quote_name(s$link, s$shards), " AS shard"))
  where <- c(is_answered(s), if (weighted && !is.null(s$weights)) paste(s$weights$sql, "> 0"))
  paste(
    "SELECT", toString(parts), "FROM", s$from, "WHERE", paste(where, collapse = " AND ")
  )
}

is_answered <- function(s) {
  c(
    paste(s$response$sql, "IS NOT NULL"),
    if (is_float(s, s$response)) paste("NOT", s$dialect$nan(sql_double(s, s$response)))
  )
}

is_float <- function(s, column) column$type == "number" && !is.null(s$dialect$nan)

count_where <- function(condition) paste0("SUM(CASE WHEN ", condition, " THEN 1 ELSE 0 END)")

# Counts the rows of the user's query. Other servers count their own rows if each has its own group.
count_rows <- function(s) {
  by <- if (!is.null(s$shards)) paste0(" GROUP BY q.", quote_name(s$link, s$shards))
  sum(as.numeric(ask(s$link, paste0("SELECT COUNT(*) AS n FROM ", s$from, by), "rows")$n))
}

sql_double <- function(s, column) s$dialect$number_type(column$sql)

# Rows, missing values and ranges in one pass over the query.
take_ranges <- function(s) {
  say_step(s, "ranges of {count_text(length(s$columns), 'predictor')}")
  numeric <- vapply(s$columns, function(column) column$type %in% counted_as_numbers, NA)
  found <- in_batches(seq_along(s$columns), 200L, function(at) {
    parts <- unlist(lapply(at, function(j) range_parts(s, s$columns[[j]], numeric[j])))
    ask_totals(s, c("COUNT(*) AS n", parts), "ranges")
  })
  if (length(found) == 0L) {
    found <- list(ask_totals(s, "COUNT(*) AS n", "ranges"))
  }
  s$n <- as.numeric(found[[1L]]$n)
  found <- do.call(cbind, found)
  for (j in seq_along(s$columns)) {
    of <- function(as) {
      x <- as.numeric(found[[paste0(as, j)]] %||% 0)
      if (is.na(x)) 0 else x
    }
    s$columns[[j]]$nan <- of("a") > 0
    s$columns[[j]]$missing <- s$n - of("k") + of("a")
    s$columns[[j]]$kind <- if (numeric[j]) "numeric" else "nominal"
    s$columns[[j]]$ptype <- prototypes[[s$columns[[j]]$type]]
    if (numeric[j]) {
      s$columns[[j]]$range <- as.numeric(c(found[[paste0("l", j)]], found[[paste0("u", j)]]))
    }
  }
}

counted_as_numbers <- c("number", "date", "time", "span")

# Totals of our rows. Over several servers, l... are minima, u... maxima, all others sums.
ask_totals <- function(s, parts, what) {
  sql <- paste0("SELECT ", paste(parts, collapse = ", "), " FROM (", s$base, ") s")
  if (is.null(s$shards)) {
    return(ask(s$link, sql, what))
  }
  out <- ask(s$link, paste(sql, "GROUP BY shard"), what)
  as.data.frame(lapply(stats::setNames(nm = names(out)), function(name) {
    x <- as.numeric(out[[name]])
    x <- x[!is.na(x)]
    kind <- substr(name, 1L, 1L)
    if (length(x) == 0L && kind %in% c("l", "u")) {
      return(NA_real_)
    }
    switch(kind, l = min(x), u = max(x), sum(x))
  }))
}

prototypes <- list(
  number = numeric(), logical = logical(), text = character(),
  date = structure(numeric(), class = "Date"),
  time = structure(numeric(), class = c("POSIXct", "POSIXt"), tzone = "UTC"),
  span = structure(numeric(), class = "difftime", units = "secs")
)

range_parts <- function(s, column, numeric) {
  x <- column$raw
  j <- substring(x, 2L)
  parts <- paste0("COUNT(", x, ") AS k", j)
  if (!numeric) {
    return(parts)
  }
  value <- x
  if (is_float(s, column)) {
    nan <- s$dialect$nan(x)
    value <- paste("CASE WHEN", nan, "THEN NULL ELSE", x, "END")
    parts <- c(parts, paste0(count_where(nan), " AS a", j))
  }
  c(parts, paste0("MIN(", value, ") AS l", j), paste0("MAX(", value, ") AS u", j))
}

# The values in order, or NULL if there are more than `max_values`. Levels of text are in the order
# of the C locale.
column_values <- function(s, column, base = s$base) {
  x <- column$raw
  cap <- s$settings$max_values
  by <- c(if (!is.null(s$shards)) "shard", x)
  limit <- if (is.null(s$shards)) cap + 2L else s$settings$max_cells
  sql <- paste0(
    "SELECT ", x, " AS v, COUNT(*) AS n FROM (", base, ") s GROUP BY ",
    paste(by, collapse = ", "), s$dialect$limit(limit)
  )
  ordered_values(s, column, ask(s$link, sql, "values", c("v", "n"))$v)
}

ordered_values <- function(s, column, found) {
  out <- unique(found[!is.na(found)])
  if (length(out) > s$settings$max_values) {
    return(NULL)
  }
  switch(column$type,
    text = sort(out, method = "radix"), logical = sort(as.character(as.logical(out))),
    sort(as.numeric(out) + 0)
  )
}

# The values of several columns in one query.
united_values <- function(s, columns) {
  parts <- vapply(seq_along(columns), function(i) {
    text <- columns[[i]]$type == "text"
    x <- columns[[i]]$raw
    v <- if (text) s$dialect$number_type("NULL") else x
    t <- if (text) x else s$dialect$text_type("NULL")
    paste0(
      "SELECT ", i, " AS f, ", v, " AS v, ", t, " AS t FROM (SELECT ", x, " FROM b GROUP BY ", x,
      s$dialect$limit(s$settings$max_values + 2), ") s", i
    )
  }, "")
  sql <- paste0("WITH b AS (", s$base, ") ", paste(parts, collapse = " UNION ALL "))
  found <- ask(s$link, sql, "values", c("f", "v", "t"))
  lapply(seq_along(columns), function(i) {
    of <- if (columns[[i]]$type == "text") found$t else found$v
    ordered_values(s, columns[[i]], of[found$f == i])
  })
}

# A collation that treats different texts as equal would merge levels in GROUP BY.
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
      "Different texts must be different values in the database.",
      x = "The collation of {.field {name}} treats some of them as equal, such as \\
          upper and lower case.",
      i = "Use another collation for the column in the query, or convert texts that are equal \\
          to the same text, for example with {.code UPPER}."
    ))
  }
}

# Only nondeterministic collations do so.
merged_collations <- function(s, x) {
  loose <- ask(s$link, paste(
    "SELECT CAST(collname AS text) AS c FROM pg_collation WHERE NOT collisdeterministic"
  ), "collations")$c
  if (length(loose) == 0L) {
    return(logical(length(x)))
  }
  of <- paste0("(SELECT pg_collation_for(", x, ") FROM (", s$base, ") s LIMIT 1) AS ", x)
  used <- unlist(ask(s$link, paste("SELECT", paste(of, collapse = ", ")), "collations"))
  # Names have quotes and a schema if necessary.
  name <- gsub("\"", "", sub("^.*[.]", "", used), fixed = TRUE)
  !is.na(used) & name %in% loose
}

# Whether there are fewer groups than texts with different bytes.
merged_groups <- function(s, x) {
  rows <- paste0("(SELECT COUNT(*) FROM (SELECT 1 AS one FROM (", s$base, ") s GROUP BY ")
  groups <- function(by) paste0(rows, by, ") t)")
  parts <- paste0(groups(c(x, s$dialect$bytes(x))), " AS n", seq_len(2L * length(x)))
  n <- as.numeric(unlist(ask(s$link, paste("SELECT", paste(parts, collapse = ", ")), "collations")))
  utils::head(n, length(x)) < utils::tail(n, length(x))
}
