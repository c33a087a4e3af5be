# Tested in test-engine-sql.R.
# Differences between the databases that count for a tree, as SQL text without calls. An entry has
#
#   words       the dialect of tec_sql() that quotes names and strings
#   number      a double as text that the database reads as exactly this double
#   number_type, whole_type, text_type    types for CAST
#   nan         a condition that holds for NaN; NULL if a column cannot contain it
#   days, seconds    a date or time as a number since 1970, also if it is infinite
#   span        a time interval, or a time of day, in seconds
#   booleans    FALSE and TRUE
#   mod         the remainder of whole numbers
#   sets        the number of columns that GROUPING() takes; 0 without GROUPING SETS
#   unions      the maximum number of parts of a UNION ALL
#   text        a column of text that differs whenever its bytes differ
#   bytes       the bytes of a text; NULL if different texts are never equal
#   type_of     the type of a scalar; NULL: given by the classes of an answer without rows
#   temporary   creates a temporary table from a query; %s are its name and the query
#   temporaries a query for the names of all temporary tables
#   begin       starts a transaction that sees one state of the data; NULL if there is none
#   thin        a condition that holds for one in `m` (a power of 2) values, always the same ones
#   stream      whether rows are read and counted in R by default
#   code_type   the type for CAST of codes up to `n`
#   fence       keeps a subquery from being merged with the query around it, if that is slow
#   numbers     how the numbers of cells are counted: "array", "hash", "explode" or not at all, see
#               engine-sql-cells.R
#   squares     whether codes of cuts take two CASE steps, instead of one per binary digit
#   quantiles   an array of values at given shares of the rows; NULL: each column is ranked
#   limit       the end of a query that returns at most a given number of rows

count_dialects <- function() {
  cast_number <- function(type) {
    function(x) cast_to(type)(paste0("'", number_words(x), "'", recycle0 = TRUE))
  }
  of <- function(name) function(x) paste0(name, "(", x, ")")
  # PostgreSQL and DuckDB have infinite dates and times.
  finite_since <- function(number) {
    function(x) {
      paste0(
        "CASE WHEN isfinite(", x, ") THEN CAST(", sprintf(number, x), " AS double precision) WHEN ",
        x, " > DATE '1970-01-01' THEN CAST('Infinity' AS double precision) WHEN ", x,
        " IS NOT NULL THEN CAST('-Infinity' AS double precision) END"
      )
    }
  }
  base <- list(
    words = "ansi", number_type = cast_to("DOUBLE PRECISION"), whole_type = cast_to("BIGINT"),
    text_type = cast_to("VARCHAR"), booleans = c("FALSE", "TRUE"), sets = 0L, unions = Inf,
    mod = function(x, m) paste0("(", x, " % ", m, ")"), text = identity, stream = FALSE,
    temporary = "CREATE TEMPORARY TABLE %s AS %s", number = cast_number("DOUBLE PRECISION"),
    days = function(x) paste0("(", x, " - DATE '1970-01-01')"),
    code_type = function(x, n) x, fence = "", squares = FALSE,
    limit = function(n) paste(" LIMIT", sprintf("%.0f", min(n, 2^53)))
  )
  other <- function(...) utils::modifyList(base, list(...))
  list(
    sqlite = other(
      words = "sqlite", number_type = cast_to("REAL"), whole_type = cast_to("INTEGER"),
      text_type = cast_to("TEXT"), booleans = c("0", "1"), number = sqlite_number,
      text = function(x) paste(x, "COLLATE BINARY"), stream = TRUE, unions = 400L,
      temporaries = "SELECT name FROM sqlite_temp_master WHERE type = 'table'", begin = "BEGIN"
    ),
    duckdb = other(
      words = "duckdb", number_type = cast_to("DOUBLE"), sets = 30L, number = duckdb_number,
      nan = of("isnan"), bytes = of("encode"), type_of = of("typeof"),
      days = finite_since("date_diff('day', DATE '1970-01-01', %s)"),
      seconds = finite_since("(epoch_us(%s) / 1000000.0e0)"),
      span = function(x) paste0("(epoch_us(", x, ") / 1000000.0e0)"),
      code_type = function(x, n) {
        type <- c("UTINYINT", "USMALLINT", "INTEGER", "BIGINT")[1 + sum(n >= 2^c(8, 16, 31))]
        paste0("CAST(", x, " AS ", type, ")")
      },
      numbers = "array", begin = "BEGIN TRANSACTION",
      temporaries = "SELECT table_name AS name FROM duckdb_tables() WHERE temporary",
      thin = function(x, m) paste0("hash(", x, ") % ", m, " = 0")
    ),
    postgres = other(
      words = "postgres", sets = 30L, text_type = cast_to("text"),
      nan = function(x) paste0(x, " = CAST('NaN' AS double precision)"),
      days = finite_since("(%s - DATE '1970-01-01')"),
      seconds = function(x) paste0("CAST(EXTRACT(EPOCH FROM ", x, ") AS double precision)"),
      span = function(x) paste0("CAST(EXTRACT(EPOCH FROM ", x, ") AS double precision)"),
      type_of = function(x) paste0("CAST(pg_typeof(", x, ") AS text)"),
      code_type = function(x, n) paste0("CAST(", x, " AS ", if (n < 32768) "smallint)" else "int)"),
      fence = " OFFSET 0", numbers = "hash",
      temporaries = paste(
        "SELECT c.relname AS name FROM pg_class c",
        "WHERE c.relnamespace = pg_my_temp_schema() AND c.relkind = 'r'"
      ),
      begin = "BEGIN ISOLATION LEVEL REPEATABLE READ",
      thin = function(x, m) paste0("(hashfloat8(", x, ") & ", m - 1, ") = 0")
    ),
    # Tested with a stand-in that accepts and refuses what Spark does (helper-spark.R).
    spark = other(
      words = "spark", number_type = cast_to("DOUBLE"), text_type = cast_to("STRING"),
      number = cast_number("DOUBLE"), nan = of("isnan"), type_of = of("typeof"),
      days = function(x) paste0("datediff(", x, ", DATE '1970-01-01')"),
      seconds = function(x) paste0("(unix_micros(CAST(", x, " AS TIMESTAMP)) / 1000000.0D)"),
      temporary = "CACHE TABLE %s AS %s", numbers = "explode", squares = TRUE,
      quantiles = function(x, at) {
        paste0("percentile_approx(", x, ", array(", toString(paste0(at, "D")), "), 10000)")
      }
    ),
    # For unknown databases, see engine-standard.R.
    standard = base,
    # Only the SQL text is tested; these were never run.
    snowflake = other(
      words = "snowflake", sets = 30L, number_type = cast_to("DOUBLE"),
      number = cast_number("DOUBLE"),
      nan = function(x) paste0(x, " = CAST('NaN' AS DOUBLE)"),
      days = function(x) paste0("DATEDIFF('day', DATE '1970-01-01', ", x, ")")
    ),
    bigquery = other(
      words = "bigquery", sets = 30L, number_type = cast_to("FLOAT64"),
      whole_type = cast_to("INT64"), text_type = cast_to("STRING"),
      number = cast_number("FLOAT64"), nan = of("IS_NAN"),
      days = function(x) paste0("DATE_DIFF(", x, ", DATE '1970-01-01', DAY)"),
      mod = function(x, m) paste0("MOD(", x, ", ", m, ")"),
      temporary = "CREATE TEMP TABLE %s AS %s"
    )
  )
}

cast_to <- function(type) function(x) paste0("CAST(", x, " AS ", type, ")", recycle0 = TRUE)

# 17 digits identify a double.
number_words <- function(x) {
  out <- sprintf("%.16e", x)
  out[x == Inf] <- "Infinity"
  out[x == -Inf] <- "-Infinity"
  out
}

# Without an exponent, DuckDB would read a DECIMAL.
duckdb_number <- function(x) {
  out <- number_words(x)
  odd <- is.infinite(x)
  out[odd] <- paste0("CAST('", out[odd], "' AS DOUBLE)", recycle0 = TRUE)
  out
}

# SQLite may round decimals to a neighbour of the nearest double. A whole number below 2^53, divided
# or multiplied by powers of two, is exact.
sqlite_number <- function(x) {
  out <- character(length(x))
  out[x == Inf] <- "9e999"
  out[x == -Inf] <- "-9e999"
  whole <- is.finite(x) & x == round(x) & abs(x) < 2^53
  out[whole] <- sprintf("%.1f", x[whole] + 0)
  rest <- which(is.finite(x) & !whole)
  out[rest] <- vapply(x[rest], scaled_number, "")
  out
}

scaled_number <- function(x) {
  by <- "4503599627370496.0" # 2^52
  text <- character()
  while (abs(x) >= 2^53) {
    x <- x / 2^52
    text <- c(text, paste("*", by))
  }
  # Shifts the number until it is whole.
  shift <- 0
  while (x != round(x)) {
    room <- 52 - max(0, floor(log2(abs(x))) + 1)
    step <- max(1, min(52, room))
    while (step > 1 && x * 2^(step - 1) == round(x * 2^(step - 1))) step <- step - 1
    x <- x * 2^step
    text <- c(text, paste("/", sprintf("%.1f", 2^step)))
  }
  paste0("(", sprintf("%.1f", x), paste0(" ", rev(text), collapse = ""), ")")
}

# The dialect of a connection, from its class or from its version query; otherwise "standard".
dialect_of <- function(con) {
  classes <- c(
    SQLiteConnection = "sqlite", PqConnection = "postgres", PostgreSQLConnection = "postgres",
    duckdb_connection = "duckdb", "Spark SQL" = "spark", spark_connection = "spark",
    Snowflake = "snowflake", BigQueryConnection = "bigquery"
  )
  known <- unname(stats::na.omit(classes[class(con)]))[1L]
  if (!is.na(known)) {
    return(known)
  }
  version <- tryCatch(
    suppressWarnings(as.character(run_query(con, "SELECT version() AS v")[[1L]])),
    error = but_limits(function(e) "")
  )
  if (length(version) == 1L && grepl("^PostgreSQL", version)) {
    return("postgres")
  }
  if (length(version) == 1L && grepl("^v[0-9]", version)) {
    return("duckdb")
  }
  "standard"
}

run_query <- function(con, sql) {
  if (inherits(con, "adbc_connection")) {
    return(as.data.frame(adbcdrivermanager::read_adbc(con, sql)))
  }
  DBI::dbGetQuery(con, sql)
}
