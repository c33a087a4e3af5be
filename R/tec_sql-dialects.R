# How names are quoted, how a boolean is written, and whether a backslash within a string may be an
# escape. dbplyr's simulated connections quote every name in backticks, so they cannot say.
sql_dialects <- function() {
  quotes <- list(ansi = c("\"", "\""), tick = c("`", "`"), square = c("[", "]"))
  dialect <- function(quote, bool, escapes = FALSE) {
    words <- if (bool) c("FALSE", "TRUE") else c("0", "1")
    list(quote = quotes[[quote]], bool = words, escapes = escapes)
  }
  list(
    sqlite = dialect("ansi", FALSE), postgres = dialect("ansi", TRUE),
    duckdb = dialect("ansi", TRUE), mssql = dialect("square", FALSE),
    oracle = dialect("ansi", FALSE), mysql = dialect("tick", TRUE, TRUE),
    mariadb = dialect("tick", TRUE, TRUE), redshift = dialect("ansi", TRUE, TRUE),
    snowflake = dialect("ansi", TRUE, TRUE), spark = dialect("tick", TRUE, TRUE)
  )
}

# A dialect as list(name, quote, bool, escapes); of a connection, `con` quotes by its own rules.
sql_dialect <- function(dialect) {
  known <- sql_dialects()
  if (!inherits(dialect, "DBIConnection")) {
    match_choice(dialect, names(known), "dialect")
    return(c(known[[dialect]], name = dialect))
  }
  need_package("DBI", "tec_sql")
  kinds <- c(
    SQLiteConnection = "sqlite", PqConnection = "postgres", PostgreSQLConnection = "postgres",
    duckdb_connection = "duckdb", "Microsoft SQL Server" = "mssql", Oracle = "oracle",
    MySQLConnection = "mysql", MariaDBConnection = "mariadb"
  )
  kind <- unname(stats::na.omit(kinds[class(dialect)]))[1L]
  words <- known[[if (is.na(kind)) "postgres" else kind]]
  c(words, name = if (is.na(kind)) "other" else kind, con = dialect)
}

sql_name <- function(name, sql) {
  if (!is.null(sql$con)) {
    return(as.character(DBI::dbQuoteIdentifier(sql$con, name)))
  }
  end <- sql$quote[2L]
  paste0(sql$quote[1L], gsub(end, paste0(end, end), name, fixed = TRUE), end)
}

sql_string <- function(x, sql) {
  if (!is.null(sql$con)) {
    return(as.character(DBI::dbQuoteString(sql$con, x)))
  }
  slashed <- grepl("\\", x, fixed = TRUE)
  if (any(slashed) && sql$escapes) {
    abort_export(
      "A label with a backslash cannot be written safely for this database.",
      x = "Label: {.val {x[slashed][1L]}}.",
      i = "Such a database may read the backslash as an escape."
    )
  }
  out <- paste0("'", gsub("'", "''", x, fixed = TRUE), "'")
  # SQL Server reads text without N in the code page of the database.
  if (sql$name == "mssql") out <- paste0(ifelse(grepl("[^ -~]", x), "N", ""), out)
  if (sql$name == "postgres") {
    # Whatever the server's setting for backslashes is.
    out[slashed] <- paste0("E", gsub("\\", "\\\\", out[slashed], fixed = TRUE))
  }
  out
}
