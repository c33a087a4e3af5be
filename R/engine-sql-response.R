# Tested in test-engine-sql.R.
# The response of a query: its classes; or, for numbers, what engine-sums.R must know for sums that
# are exact in every database and in any order.

take_response <- function(s, task) {
  say_step(s, "the response {.field {s$response$name}}")
  type <- s$response$type
  if (type %in% c("date", "time", "span") || (type != "number" && identical(task, "number"))) {
    wanted <- if (is.null(task)) "classes or numbers" else "numbers"
    found <- c(
      date = "dates", time = "times", span = "spans of time", text = "text", logical = "booleans"
    )[[type]]
    tec_abort("response", c(
      "The response must be {wanted}.",
      x = "{.field {s$response$name}} holds {found}."
    ))
  }
  s$task <- if (type == "number" && !identical(task, "class")) "number" else "class"
  s$made_classes <- identical(task, "class")
  check_sql_weights(s)
  check_sql_key(s)
  if (s$task == "class") take_classes(s) else take_unit(s)
  by <- if (!is.null(s$shards)) paste0(" GROUP BY q.", quote_name(s$link, s$shards))
  total <- ask(s$link, paste0("SELECT COUNT(*) AS n FROM ", s$from, by), "rows")$n
  s$dropped <- sum(as.numeric(total)) - s$n
}

take_classes <- function(s) {
  values <- column_values(s, s$response)
  if (is.null(values)) {
    tec_abort("response", c(
      "The response has more than {s$settings$max_values} classes.",
      i = if (s$response$type == "number") "A response of numbers needs no classes."
    ))
  }
  # factor() knows numbers by their first 15 digits, and sorts text by the session's alphabet.
  if (s$made_classes && s$response$type == "text") values <- sort(values)
  s$response$values <- values
  s$response$levels <- as.character(values)
  same <- values[duplicated(s$response$levels)]
  if (length(same)) {
    tec_abort("response", c(
      "Classes must differ in the first 15 digits.",
      x = "{.field {s$response$name}} has {length(same)} that do{?es/} not, such as {same[1L]}.",
      i = "Round it in the query."
    ))
  }
}

check_sql_weights <- function(s) {
  if (is.null(s$weights)) {
    return(invisible())
  }
  w <- sql_double(s, s$weights)
  sql <- paste0(
    "SELECT COUNT(*) AS n, SUM(CASE WHEN ", s$weights$sql, " IS NULL THEN 1 ELSE 0 END) AS a, ",
    "SUM(CASE WHEN ", w, " < 0 OR ", w, " <> ROUND(", w, ") THEN 1 ELSE 0 END) AS b, ",
    "SUM(", w, ") AS w FROM ", s$from, " WHERE ", s$response$sql, " IS NOT NULL"
  )
  out <- lapply(ask(s$link, sql, "weights"), as.numeric)
  bad <- c(out$a, out$b)
  bad[is.na(bad)] <- 0
  if (any(bad > 0) || (!is.na(out$w) && out$w >= 2^53)) {
    tec_abort("weights", c(
      "Frequencies in a database must be whole numbers, 0 or more, with a sum below 2^53.",
      x = "{.field {s$weights$name}}: {bad[1]} missing, {bad[2]} negative or not whole.",
      i = "Counts must be exact whatever the order in which a database adds."
    ))
  }
}

check_sql_key <- function(s) {
  if (is.null(s$key)) {
    return(invisible())
  }
  k <- sql_double(s, s$key)
  sql <- paste0(
    "SELECT SUM(CASE WHEN ", s$key$sql, " IS NULL OR ", k, " <> ROUND(", k, ") OR ABS(", k, ") > ",
    s$dialect$number(2^53), " THEN 1 ELSE 0 END) AS b FROM ", s$from
  )
  bad <- as.numeric(ask(s$link, sql, "key")$b)
  if (!is.na(bad) && bad > 0) {
    tec_abort("key", c(
      "The key must be a whole number in every row, up to 2^53.",
      x = "{.field {s$key$name}} is not in {bad} row{?s}."
    ))
  }
}

counter_meta <- function(s) {
  keep <- c("name", "kind", "values", "range", "missing", "ptype")
  y <- s$response
  list(
    n = s$n, dropped = s$dropped,
    columns = lapply(s$columns, function(column) column[intersect(keep, names(column))]),
    response = if (s$task == "class") {
      list(kind = "class", name = y$name, levels = y$levels, ptype = prototypes[[y$type]])
    } else {
      c(
        list(kind = "number", name = y$name, n = s$n, min = y$range[1L], max = y$range[2L]),
        y[c("mean", "scale", "centre", "bits", "digits")]
      )
    }
  )
}

# About k cut points by rank: numbers that occur. Of many rows only some values are looked at,
# always the same.
find_cuts <- function(s, column, k) {
  say_step(s, "bins of {.field {s$columns[[column]]$name}}")
  if (!is.null(s$dialect$quantiles)) {
    return(quantile_cuts(s, k)[[column]])
  }
  x <- s$columns[[column]]$raw
  rows <- paste0("SELECT ", x, " FROM (", s$base, ") b WHERE ", x, " IS NOT NULL")
  thin <- 2^floor(log2(max(1, s$n / 2e6)))
  if (thin > 1 && !is.null(s$dialect$thin)) rows <- paste(rows, "AND", s$dialect$thin(x, thin))
  sql <- paste0(
    "SELECT DISTINCT ", x, " AS v FROM (SELECT ", x, ", ROW_NUMBER() OVER (ORDER BY ", x,
    ") AS r, COUNT(*) OVER () AS n FROM (", rows, ") t) u WHERE ",
    s$dialect$mod(s$dialect$whole_type(paste0("r * ", k + 1, " ")), "n"), " < ", k + 1
  )
  sort(as.numeric(ask(s$link, sql, "cuts", "v")$v) + 0)
}
