# Tested in test-engine-sql.R.
# The response of a query: its classes or, for numbers, what engine-sums.R needs for sums that are
# exact in every database and in any order.

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
      x = "{.field {s$response$name}} contains {found}."
    ))
  }
  s$task <- if (type == "number" && !identical(task, "class")) "number" else "class"
  s$made_classes <- identical(task, "class")
  with_response <- check_sql_weights(s) %||% s$n
  check_sql_key(s)
  if (s$task == "class") take_classes(s) else take_unit(s)
  s$dropped <- count_rows(s) - with_response
}

take_classes <- function(s) {
  # factor() has the classes of all rows, including those of frequency 0.
  values <- if (s$made_classes) {
    column_values(s, s$response, base_query(s, weighted = FALSE))
  } else if (s$response$type == "logical") {
    c("FALSE", "TRUE")
  } else {
    column_values(s, s$response)
  }
  if (is.null(values)) {
    tec_abort("response", c(
      "The response has more than {s$settings$max_values} classes.",
      i = if (s$response$type == "number") "A numeric response does not need classes."
    ))
  }
  # factor() distinguishes numbers by their first 15 digits, and sorts text by the session's locale.
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
    return(NULL)
  }
  w <- sql_double(s, s$weights)
  sql <- paste0(
    "SELECT COUNT(*) AS n, ", count_where(paste(s$weights$sql, "IS NULL")), " AS a, ",
    count_where(paste0(w, " < 0 OR ", w, " <> ROUND(", w, ")")), " AS b, SUM(", w, ") AS w FROM ",
    s$from, " WHERE ", paste(is_answered(s), collapse = " AND ")
  )
  out <- lapply(ask(s$link, sql, "weights"), as.numeric)
  bad <- c(out$a, out$b)
  bad[is.na(bad)] <- 0
  if (any(bad > 0) || (!is.na(out$w) && out$w >= 2^53)) {
    tec_abort("weights", c(
      "Frequencies in a database must be whole numbers, 0 or more, with a sum below 2^53.",
      x = "{.field {s$weights$name}}: {bad[1]} missing, {bad[2]} negative or not whole.",
      i = "Counts must be exact in whatever order a database adds."
    ))
  }
  out$n
}

check_sql_key <- function(s) {
  if (is.null(s$key)) {
    return(invisible())
  }
  k <- sql_double(s, s$key)
  wrong <- paste0(
    s$key$sql, " IS NULL OR ", k, " <> ROUND(", k, ") OR ABS(", k, ") > ", s$dialect$number(2^53)
  )
  sql <- paste("SELECT", count_where(wrong), "AS b FROM", s$from)
  bad <- as.numeric(ask(s$link, sql, "key")$b)
  if (!is.na(bad) && bad > 0) {
    tec_abort("key", c(
      "The key must be a whole number in every row, up to 2^53.",
      x = "{.field {s$key$name}} is not a whole number in {bad} row{?s}."
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

# About k cut points by rank, all of them values that occur. With many rows, only a fixed subset of
# the values is used.
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

# The cuts of all binned columns in one query, one row per column and share.
quantile_cuts <- function(s, k) {
  if (identical(s$quantiles$k, k)) {
    return(s$quantiles$cuts)
  }
  columns <- which(vapply(s$columns, function(x) x$kind == "numeric" && is.null(x$values), NA))
  x <- vapply(s$columns[columns], `[[`, "", "raw")
  at <- format(seq_len(k) / (k + 1), digits = 15, scientific = FALSE, trim = TRUE)
  sql <- paste0(
    "SELECT posexplode(flatten(array(", paste0("a", columns, collapse = ", "), "))) FROM (SELECT ",
    paste(s$dialect$quantiles(x, at), "AS", paste0("a", columns), collapse = ", "), " FROM (",
    s$base, ") b) q"
  )
  out <- ask(s$link, sql, "cuts", c("pos", "col"))
  of <- factor(as.numeric(out$pos) %/% k + 1, seq_along(columns))
  cuts <- vector("list", length(s$columns))
  cuts[columns] <- lapply(split(as.numeric(out$col) + 0, of), function(v) sort(unique(v)))
  s$quantiles <- list(k = k, cuts = cuts)
  cuts
}

describe_columns <- function(s, response, predictors, weights, key, task) {
  p <- length(predictors)
  raw <- c(
    paste0("x", seq_len(p), recycle0 = TRUE), "y", if (length(weights)) "w", if (length(key)) "k"
  )
  of <- describe_types(s, c(predictors, response, weights, key), raw)
  s$columns <- of[seq_len(p)]
  s$response <- of[[p + 1L]]
  if (length(weights)) s$weights <- of[[p + 2L]]
  if (length(key)) s$key <- of[[length(of)]]
  check_numbers(s)
  s$base <- base_query(s)
  take_ranges(s)
  s$base <- base_query(s)
  take_values(s)
  check_merged(s)
  take_response(s, task)
  s$inline <- list(from = paste0("(", s$base, ") b"), coded = logical(p))
}

# The values of each column, if there are not too many. Looks at the first rows, then at all rows.
take_values <- function(s) {
  say_step(s, "values of {count_text(length(s$columns), 'predictor')}")
  cap <- s$settings$max_values
  logical <- vapply(s$columns, function(column) column$type == "logical", NA)
  s$columns[logical] <- lapply(s$columns[logical], replace, "values", list(c("FALSE", "TRUE")))
  few <- which(!logical & s$n > 0)
  first <- in_batches(few, 400L, function(at) {
    x <- vapply(s$columns[at], `[[`, "", "raw")
    sql <- paste0(
      "SELECT ", paste0("COUNT(DISTINCT ", x, ") AS ", x, collapse = ", "), " FROM (SELECT ",
      paste(x, collapse = ", "), " FROM (", s$base, ") b", s$dialect$limit(20000), ") s"
    )
    as.numeric(unlist(ask(s$link, sql, "values")))
  })
  few <- few[unlist(first) <= cap]
  values <- if (length(few) && identical(s$dialect$numbers, "explode")) {
    united_values(s, s$columns[few])
  } else if (length(few) && s$settings$strategy == "stream") {
    streamed_values(s, few)
  } else {
    lapply(s$columns[few], function(column) {
      say_step(s, "values of {.field {column$name}}")
      column_values(s, column)
    })
  }
  s$columns[few] <- Map(function(column, values) {
    replace(column, "values", list(values))
  }, s$columns[few], values)
  many <- vapply(s$columns, function(column) {
    column$kind == "nominal" && is.null(column$values) && s$n > 0
  }, NA)
  if (any(many)) {
    name <- vapply(s$columns[many], `[[`, "", "name")
    tec_abort("column", c(
      "A column of text may have at most {big_number(cap)} values.",
      x = "{.field {name}} has more.",
      i = "Leave it out, group its values in the query, or raise {.arg max_values} of \\
           {.fn tec_engine}."
    ))
  }
}
