# Connections to Spark for bench/spark.R, and tables there.

# list(by =, con =, close =); without `con`, `why`: what is missing.
connect_spark <- function(by, master, dsn) {
  ways <- list(sparklyr = by_sparklyr, pyspark = by_pyspark, odbc = by_odbc)
  if (identical(by, "stand-in")) {
    con <- tryCatch(engine_connection("spark"), skip = function(e) NULL)
    return(list(by = by, con = con, why = "The stand-in needs DuckDB.", close = function() NULL))
  }
  why <- character()
  for (name in if (is.null(by)) names(ways) else by) {
    found <- tryCatch(ways[[name]](master, dsn), error = function(e) conditionMessage(e))
    if (is.list(found)) {
      return(c(by = name, found))
    }
    why <- c(why, paste0(name, ": ", found))
  }
  list(why = why)
}

by_sparklyr <- function(master, dsn) {
  get <- function(name) getExportedValue("sparklyr", name)
  if (!requireNamespace("sparklyr", quietly = TRUE)) {
    return("the package is not installed.")
  }
  if (!nzchar(Sys.getenv("SPARK_HOME")) && nrow(get("spark_installed_versions")()) == 0L) {
    return("it finds no Spark: set SPARK_HOME, or call sparklyr::spark_install().")
  }
  con <- get("spark_connect")(master = master)
  list(con = con, close = function() get("spark_disconnect")(con))
}

by_odbc <- function(master, dsn) {
  if (is.null(dsn)) {
    return("--dsn names no data source.")
  }
  con <- DBI::dbConnect(getExportedValue("odbc", "odbc")(), dsn = dsn)
  list(con = con, close = function() DBI::dbDisconnect(con))
}

# PySpark as a connection of DBI: answers cross as lists of one type with the places of NULL.
by_pyspark <- function(master, dsn) {
  if (!requireNamespace("reticulate", quietly = TRUE)) {
    return("the package reticulate is not installed.")
  }
  python <- function(name) getExportedValue("reticulate", name)
  if (!python("py_module_available")("pyspark")) {
    return("Python has no module pyspark.")
  }
  sql <- python("import")("pyspark.sql")
  url <- if (master == "local") "local[*]" else master
  session <- sql$SparkSession$builder$master(url)$getOrCreate()
  columns <- python("py_run_string")(pyspark_columns)$columns
  of_dbi <- structure("DBIConnection", package = "DBI")
  loadNamespace("DBI")
  methods::setClass("Spark SQL", contains = of_dbi, slots = c(ask = "function"),
    where = globalenv())
  set <- function(generic, f) {
    methods::setMethod(getExportedValue("DBI", generic), c("Spark SQL", "character"), f,
      where = globalenv())
  }
  set("dbGetQuery", function(conn, statement, ...) conn@ask(statement))
  set("dbExecute", function(conn, statement, ...) {
    conn@ask(statement)
    0
  })
  con <- methods::new("Spark SQL", ask = function(statement) {
    pyspark_frame(columns(session$sql(as.character(statement))))
  })
  list(con = con, close = function() session$stop())
}

pyspark_columns <- "
import datetime
def columns(df):
    rows = df.collect()
    day, instant = datetime.date(1970, 1, 1), datetime.datetime(1970, 1, 1)
    out = []
    for at, (name, kind) in enumerate(df.dtypes):
        values = [row[at] for row in rows]
        missing = [v is None for v in values]
        if kind == 'boolean':
            values = [bool(v) for v in values]
        elif kind == 'date':
            values = [0.0 if v is None else float((v - day).days) for v in values]
        elif kind.startswith('timestamp'):
            values = [0.0 if v is None else (v - instant).total_seconds() for v in values]
        elif kind == 'string' or not kind.startswith(('tinyint', 'smallint', 'int', 'bigint',
                                                      'float', 'double', 'decimal')):
            values = ['' if v is None else str(v) for v in values]
        else:
            values = [0.0 if v is None else float(v) for v in values]
        out.append([name, kind, values, missing])
    return out
"

pyspark_frame <- function(columns) {
  out <- lapply(columns, function(column) {
    kind <- column[[2L]]
    values <- unlist(column[[3L]])
    if (is.null(values)) {
      number <- "^(tiny|small|big)?int|^(float|double|decimal|date|timestamp)"
      values <- if (kind == "boolean") logical() else if (grepl(number, kind)) numeric() else
        character()
    }
    values[as.logical(unlist(column[[4L]]))] <- NA
    if (kind == "date") values <- structure(values, class = "Date")
    if (startsWith(kind, "timestamp")) {
      values <- structure(values, class = c("POSIXct", "POSIXt"), tzone = "UTC")
    }
    values
  })
  names(out) <- vapply(columns, `[[`, "", 1L)
  structure(out, class = "data.frame", row.names = seq_along(out[[1L]]))
}

spark_version_of <- function(con) {
  ask <- function() as.character(DBI::dbGetQuery(con, "SELECT version() AS v")[[1L]])
  tryCatch(ask(), error = function(e) "?")
}

# The rows of `d` as a cached table, by literals, which is exact whatever the connection.
put_spark <- function(spark, table, d) {
  if (spark$by == "stand-in") {
    return(put_table("spark", table, d))
  }
  link <- tectree:::sql_link(spark$con)
  DBI::dbExecute(spark$con, paste("DROP VIEW IF EXISTS", table))
  rows <- paste0("(", do.call(paste, c(unname(lapply(d, spark_literals, link)), sep = ", ")), ")")
  sql <- paste0(
    "CACHE TABLE ", table, " AS SELECT * FROM (VALUES ", paste(rows, collapse = ", "), ") AS t(",
    paste(tectree:::quote_name(link, names(d)), collapse = ", "), ")"
  )
  DBI::dbExecute(spark$con, sql)
}

spark_literals <- function(x, link) {
  type <- if (is.logical(x)) "BOOLEAN" else if (inherits(x, "Date")) "DATE" else
    if (is.integer(x)) "BIGINT" else if (is.numeric(x)) "DOUBLE" else "STRING"
  nan <- is.double(x) & is.nan(unclass(x))
  out <- switch(type,
    BOOLEAN = as.character(x), DATE = paste0("DATE '", format(x), "'"), BIGINT = sprintf("%d", x),
    DOUBLE = link$dialect$number(as.double(x)), tectree:::quote_text(link, as.character(x))
  )
  out[is.na(x)] <- paste0("CAST(NULL AS ", type, ")")
  out[nan] <- "CAST('NaN' AS DOUBLE)"
  out
}

# A table that Spark makes itself.
make_large <- function(spark, table, n, query) {
  dialect <- tectree:::sql_link(spark$con)$dialect
  if (spark$by == "stand-in") {
    con <- engine_connection("duckdb")
    run_engine(con, paste("DROP TABLE IF EXISTS", table))
    rows <- sprintf("SELECT range AS i FROM range(%.0f)", n)
    dialect <- tectree:::sql_link(con)$dialect
    return(run_engine(con, paste("CREATE TABLE", table, "AS", query(dialect, rows))))
  }
  DBI::dbExecute(spark$con, paste("DROP VIEW IF EXISTS", table))
  rows <- sprintf("SELECT id AS i FROM range(%.0f)", n)
  DBI::dbExecute(spark$con, paste("CACHE TABLE", table, "AS", query(dialect, rows)))
}

# Our tables that are still there.
left_behind <- function(con) {
  views <- DBI::dbGetQuery(con, "SHOW VIEWS")
  grep("^tec_[0-9a-f]{6}_", views[["viewName"]], value = TRUE)
}
