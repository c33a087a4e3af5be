# Tested in test-tec_sql.R.
# The properties of a dialect. `quote`: the quotes around names. `bool`: the two values of a
# boolean. `backslash`: whether a backslash in a string is an escape: "yes", "maybe" (the server's
# settings decide) or never. `fold`: whether "A" and "a" name one column. `exponent`: whether 0.1 is
# a decimal of few digits and 0.1e0 a double. `subquery`: whether a scalar query can use the columns
# of the row. The rest are limits: nested levels of CASE, characters of a query, columns of a
# result. (dbplyr's simulated connections quote every name in backticks, so they do not help.)
sql_dialects <- function() {
  dialect <- function(quote = "ansi", bool = TRUE, backslash = "no", fold = FALSE, exponent = TRUE,
                      subquery = TRUE, nesting = Inf, characters = Inf, columns = Inf,
                      from_nothing = "") {
    quotes <- list(ansi = c("\"", "\""), tick = c("`", "`"), square = c("[", "]"))
    list(
      quote = quotes[[quote]], bool = if (bool) c("FALSE", "TRUE") else c("0", "1"),
      backslash = backslash, fold = fold, exponent = exponent, subquery = subquery,
      nesting = nesting, characters = characters, columns = columns, from_nothing = from_nothing
    )
  }
  mysql <- dialect("tick", backslash = "maybe", fold = TRUE, characters = 16 * 2^20, columns = 4096)
  list(
    ansi = dialect(),
    # Before version 3.46, the parser's stack has 100 entries.
    sqlite = dialect(
      bool = FALSE, fold = TRUE, exponent = FALSE, nesting = 15, characters = 1e9, columns = 2000
    ),
    postgres = dialect(exponent = FALSE, columns = 1664, characters = 2^30 - 1),
    duckdb = dialect(fold = TRUE),
    mssql = dialect("square", bool = FALSE, fold = TRUE, nesting = 10, columns = 4096),
    oracle = dialect(bool = FALSE, subquery = FALSE, from_nothing = " FROM dual"),
    mysql = mysql, mariadb = replace(mysql, "subquery", FALSE),
    bigquery = dialect(
      "tick", backslash = "yes", fold = TRUE, characters = 2^20, columns = 10000
    ),
    snowflake = dialect(backslash = "yes", subquery = FALSE, characters = 2^20),
    redshift = dialect(
      backslash = "maybe", fold = TRUE, subquery = FALSE, characters = 16 * 2^20, columns = 1600
    ),
    spark = dialect("tick", backslash = "yes", fold = TRUE, subquery = FALSE)
  )
}

# A dialect as list(name, quote, bool, ...). For a connection, `con` quotes by its own rules.
sql_dialect <- function(dialect) {
  known <- sql_dialects()
  if (!inherits(dialect, "DBIConnection")) {
    dialect <- match_choice(our_word("dialect", dialect, names(known)), names(known), "dialect")
    return(c(known[[dialect]], name = dialect))
  }
  need_package("DBI", "tec_sql")
  kinds <- c(
    SQLiteConnection = "sqlite", PqConnection = "postgres", PostgreSQLConnection = "postgres",
    duckdb_connection = "duckdb", "Microsoft SQL Server" = "mssql", Oracle = "oracle",
    MySQLConnection = "mysql", MariaDBConnection = "mariadb", BigQueryConnection = "bigquery",
    Snowflake = "snowflake", Redshift = "redshift", RedshiftConnection = "redshift",
    "Spark SQL" = "spark", spark_connection = "spark"
  )
  kind <- unname(stats::na.omit(kinds[class(dialect)]))[1L]
  words <- known[[if (is.na(kind)) "ansi" else kind]]
  c(words, name = if (is.na(kind)) "other" else kind, con = dialect)
}

# Drivers of databases that treat a backslash as an escape leave backslashes unchanged, and Spark
# drops a doubled quote ('it''s' is "its"). So these texts are quoted here.
asks_driver <- function(sql) !is.null(sql$con) && sql$backslash != "yes"

sql_name <- function(name, sql) {
  if (asks_driver(sql)) {
    return(as.character(DBI::dbQuoteIdentifier(sql$con, name)))
  }
  end <- sql$quote[2L]
  paste0(sql$quote[1L], gsub(end, paste0(end, end), name, fixed = TRUE), end)
}

sql_string <- function(x, sql) {
  if (asks_driver(sql)) {
    return(as.character(DBI::dbQuoteString(sql$con, x)))
  }
  if (sql$backslash == "yes") {
    # sparklyr looks for the end of a text before Spark does, and does not know escapes.
    quote <- if (sql$name == "spark") "\\u0027" else "\\'"
    for (pair in list(c("\\", "\\\\"), c("'", quote), c("\n", "\\n"), c("\r", "\\r"))) {
      x <- gsub(pair[1L], pair[2L], x, fixed = TRUE)
    }
    return(paste0("'", x, "'", recycle0 = TRUE))
  }
  slashed <- grepl("\\", x, fixed = TRUE)
  if (any(slashed) && sql$backslash == "maybe") {
    abort_export(
      "A label with a backslash cannot be written safely for this database.",
      x = "Label: {.val {x[slashed][1L]}}.",
      i = "Whether it reads the backslash as an escape is a setting. Give the connection."
    )
  }
  out <- paste0("'", gsub("'", "''", x, fixed = TRUE), "'", recycle0 = TRUE)
  # SQL Server reads strings without N in the code page of the database.
  if (sql$name == "mssql") out <- paste0(ifelse(grepl("[^ -~]", x), "N", ""), out, recycle0 = TRUE)
  if (sql$name == "postgres") {
    # Independent of the server's setting for backslashes.
    out[slashed] <- paste0("E", gsub("\\", "\\\\", out[slashed], fixed = TRUE), recycle0 = TRUE)
  }
  out
}

# A predicted number is always written as a real, so that the column has one type.
sql_real <- function(x, sql) {
  out <- real_number(x)
  decimal <- !grepl("e", out, fixed = TRUE)
  if (sql$exponent) out[decimal] <- paste0(out[decimal], "e0", recycle0 = TRUE)
  out
}

# Writes cuts.
sql_value <- function(value, input, dialect) {
  if (dialect == "sqlite" || !input$type %in% c("Date", "POSIXct")) {
    return(exact_number(value))
  }
  if (input$type == "Date") {
    # A column of dates holds whole days.
    date <- format(structure(floor(value), class = "Date"), "%Y-%m-%d")
    check_year(date, input)
    # In Oracle, CAST reads dates by a setting of the session.
    if (dialect == "oracle") {
      return(paste0("DATE '", date, "'"))
    }
    return(paste0("CAST('", date, "' AS DATE)"))
  }
  if (!dialect %in% c("postgres", "duckdb")) {
    abort_export(
      "Times are written for SQLite, PostgreSQL and DuckDB only.",
      x = "Column: {.field {input$name}}.",
      i = "Make it a number, such as seconds since 1970, and grow the tree again."
    )
  }
  # The last microsecond that is not above the cut.
  micro <- round(value * 1e6)
  micro <- micro - (micro / 1e6 > value)
  second <- structure(floor(micro / 1e6), class = c("POSIXct", "POSIXt"), tzone = "UTC")
  time <- format(second, "%Y-%m-%d %H:%M:%S")
  check_year(time, input)
  part <- sprintf("%06.0f", micro - 1e6 * as.numeric(second))
  paste0("CAST('", time, ".", part, "+00' AS TIMESTAMP WITH TIME ZONE)")
}

check_year <- function(text, input) {
  odd <- !grepl("^[0-9]{4}-", text)
  if (any(odd)) {
    abort_export(
      "Column {.field {input$name}} is split at a year that SQL cannot write.",
      x = "At {text[odd][1L]}."
    )
  }
}
