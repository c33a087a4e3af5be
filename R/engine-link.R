# Tested in test-engine-sql.R and test-engine-servers.R.
# Queries on a connection of DBI or of the package adbcdrivermanager. Every query is timed and
# recorded, and its answer must be the requested table: some drivers answer an error with a warning
# and no table.

sql_link <- function(con) {
  if (!inherits(con, c("DBIConnection", "adbc_connection"))) {
    tec_abort("database", c(
      "{.arg con} must be a connection to a database.",
      x = "It is {describe(con)}.",
      i = "Make one with {.fn DBI::dbConnect}."
    ))
  }
  need_package(if (inherits(con, "adbc_connection")) "adbcdrivermanager" else "DBI", "tec_tree")
  link <- new.env(parent = emptyenv())
  link$con <- con
  link$name <- dialect_of(con)
  link$dialect <- count_dialects()[[link$name]]
  link$words <- sql_dialect(link$dialect$words)
  if (inherits(con, "DBIConnection")) link$words$con <- con
  link$log <- list()
  link
}

quote_name <- function(link, x) vapply(x, sql_name, "", link$words, USE.NAMES = FALSE)
quote_text <- function(link, x) vapply(enc2utf8(x), sql_string, "", link$words, USE.NAMES = FALSE)

run_statement <- function(con, sql) {
  if (inherits(con, "adbc_connection")) {
    return(adbcdrivermanager::execute_adbc(con, sql))
  }
  DBI::dbExecute(con, sql)
}

send_query <- function(con, sql) DBI::dbSendQuery(con, sql)

# `columns`: the columns that the answer must have. `what`, `level`, `plan`: for the record. `own`:
# FALSE if the names of columns are the user's.
ask <- function(link, sql, what, columns = NULL, level = NA_real_, plan = "", own = TRUE) {
  start <- proc.time()[["elapsed"]]
  out <- checked_answer(link, run_query(link$con, sql), what, columns, own)
  note(link, what, level, start, nrow(out), size_of(out), plan)
  out
}

# `answer` is evaluated here, lazily.
checked_answer <- function(link, answer, what, columns = NULL, own = TRUE) {
  out <- watched(link, answer, what)
  if (own) out <- own_names(out)
  if (!is.data.frame(out) || !all(columns %in% names(out))) {
    found <- describe(out)
    if (is.data.frame(out)) found <- paste(c("the columns", names(out)), collapse = " ")
    said <- link$said
    abort_database(c(
      "The database did not return the table that a query about {what} asks for.",
      x = "It returned {found}.",
      if (length(said)) stats::setNames(escape_braces(said), rep("x", length(said))),
      i = answer_advice(paste(said, collapse = " "))
    ))
  }
  out[] <- lapply(out, plain_column)
  out
}

# Our own names are lower case. Some databases, such as Snowflake, return upper case.
own_names <- function(table) {
  if (is.data.frame(table)) names(table) <- tolower(names(table))
  table
}

tell <- function(link, sql, what, level = NA_real_) {
  start <- proc.time()[["elapsed"]]
  watched(link, run_statement(link$con, sql), what)
  note(link, what, level, start, 0, 0, "")
}

# Errors of the driver become ours, as do its warnings that numbers were changed.
watched <- function(link, expr, what) {
  link$said <- character()
  out <- tryCatch(
    withCallingHandlers(expr, warning = function(w) {
      link$said <- c(link$said, driver_said(link$con, w))
      invokeRestart("muffleWarning")
    }),
    error = but_limits(function(e) abort_answer(link, what, conditionMessage(e)))
  )
  changed <- grep("mixed type|coerc|overflow|truncat|precision", link$said, value = TRUE)
  if (length(changed)) abort_answer(link, what, changed[1L])
  out
}

# RPostgreSQL's warning contains the failed statement; the message of the server is stored
# separately.
driver_said <- function(con, warning) {
  said <- conditionMessage(warning)
  if (!inherits(con, "PostgreSQLConnection") || !startsWith(said, "Could not create execute")) {
    return(said)
  }
  tryCatch(trimws(DBI::dbGetException(con)$errorMsg), error = function(e) "no connection")
}

abort_answer <- function(link, what, said) {
  said <- c(said, link$said)
  said <- utils::head(unlist(strsplit(trimws(said), "\n", fixed = TRUE)), 6L)
  said <- said[nzchar(trimws(said))]
  abort_database(c(
    "The database could not answer a query about {what}.",
    stats::setNames(escape_braces(substr(said, 1L, 300L)), rep("x", length(said))),
    i = answer_advice(paste(said, collapse = " "))
  ))
}

deep_tree_advice <- paste(
  "Set {.arg max_depth}, or read the rows: {.code tec_engine(collect_rows = Inf)}."
)

# Advice by the message of the database; the first match is used.
answer_advices <- list(
  "idle.in.transaction" = paste(
    "The server ended the session, because its transaction waited for R longer than",
    "{.code idle_in_transaction_session_timeout} allows. Raise it:",
    "{.code SET idle_in_transaction_session_timeout = 0}."
  ),
  "lock timeout|lock_timeout|(table|database|schema) is locked|deadlock|lock on file" = paste(
    "Another session holds a lock on the table, or on the database. Wait until it has ended, or",
    "allow a longer wait ({.code lock_timeout} in PostgreSQL, {.code PRAGMA busy_timeout} in",
    "SQLite)."
  ),
  "parser stack overflow|expression depth|stack depth limit|C stack usage" = deep_tree_advice,
  "out of memory|bad_?alloc|failed to allocate|cannot allocate" = paste(
    "The database did not have enough memory. Allow it more, or request less at a time:",
    "{.code engine = tec_engine(max_cells = 1e6)}."
  ),
  "timeout" = paste(
    "A query took longer than the server allows, or waited that long for a lock of another",
    "session. Raise its limit ({.code statement_timeout} in PostgreSQL), or fit on fewer columns."
  ),
  "terminat|closed|could not connect|lost|no connection|server" = paste(
    "The connection, or one of the servers behind it, is gone.",
    "Connect again; {.fn tec_resume} goes on from a checkpoint."
  ),
  "permission|privilege|denied|read.?only" =
    "With {.code encode = \"inline\"} no temporary tables are created."
)

answer_advice <- function(said) {
  fits <- vapply(names(answer_advices), grepl, NA, said, ignore.case = TRUE)
  if (any(fits)) answer_advices[[which(fits)[1L]]]
}

forbids_writing <- function(said) {
  grepl("permission|privilege|denied|read.?only", said, ignore.case = TRUE)
}

abort_database <- function(message, envir = parent.frame()) {
  tec_abort("database", message, envir)
}

# 64-bit integers as doubles, text in UTF-8, factors as text.
plain_column <- function(x) {
  if (is_integer64(x)) {
    return(if (length(x)) decode_integer64(x) else numeric())
  }
  if (is.factor(x)) x <- as.character(x)
  if (is.character(x)) enc2utf8(x) else x
}

note <- function(link, what, level, start, rows, bytes, plan) {
  link$log[[length(link$log) + 1L]] <- list(
    what = what, level = level, seconds = proc.time()[["elapsed"]] - start, rows = rows,
    bytes = bytes, plan = plan
  )
}

size_of <- function(table) {
  sum(vapply(table, function(x) {
    if (is.character(x)) {
      return(sum(nchar(x, "bytes"), na.rm = TRUE))
    }
    length(x) * (4 + 4 * is.double(x))
  }, 0))
}

log_table <- function(link) {
  field <- function(name, none) {
    vapply(link$log, function(entry) entry[[name]], none)
  }
  as_table(data.frame(
    what = field("what", ""), level = field("level", 0), seconds = field("seconds", 0),
    rows = field("rows", 0), bytes = field("bytes", 0), plan = field("plan", "")
  ))
}

# PostgreSQL tables whose parts are on other servers (postgres_fdw). Each server counts its part
# only if the column that divides the table is in GROUP BY; then no rows are transferred. The plan
# of every kind of query is checked, because without that the fit would be correct but very slow.

# The column that divides the table between servers, or NULL if all parts are on this one.
find_shards <- function(s) {
  if (s$link$name != "postgres") {
    return(NULL)
  }
  plan <- ask(s$link, paste("EXPLAIN (VERBOSE) SELECT 1 FROM", s$from), "the plan")[[1L]]
  if (!any(grepl("Foreign Scan", plan))) {
    return(NULL)
  }
  column <- s$settings$shard_key %||% shard_column(s, plan)
  if (is.null(column)) {
    warn_plan("The table is on another server, and the column that divides it is not known.")
  } else {
    tell(s$link, "SET LOCAL enable_partitionwise_aggregate = on", "a setting")
  }
  column
}

# The key of the partitioned table with parts on other servers that the plan reads, if there is
# exactly one.
shard_column <- function(s, plan) {
  sql <- paste(
    "SELECT DISTINCT CAST(a.attname AS text) AS name, CAST(c.relname AS text) AS part",
    "FROM pg_partitioned_table p JOIN pg_inherits i ON i.inhparent = p.partrelid",
    "JOIN pg_class c ON c.oid = i.inhrelid AND c.relkind = 'f'",
    "JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]",
    "WHERE p.partnatts = 1"
  )
  found <- ask(s$link, sql, "the shards")
  text <- paste(plan, collapse = "\n")
  used <- vapply(found$part, grepl, NA, text, fixed = TRUE)
  name <- unique(found$name[used])
  there <- ask(s$link, paste0("SELECT * FROM (", s$query, ") q LIMIT 0"), "the columns",
    own = FALSE)
  if (length(name) == 1L && name %in% names(there)) name
}

# "pushed down" if each foreign scan is of an aggregate. The first other plan gives a warning.
check_plan <- function(s, sql) {
  plan <- ask(s$link, paste("EXPLAIN (VERBOSE)", sql), "the plan")[[1L]]
  scans <- sum(grepl("Foreign Scan", plan))
  pushed <- sum(grepl("Relations: Aggregate on", plan, fixed = TRUE))
  if (pushed >= scans) {
    return("pushed down")
  }
  if (is.null(s$warned)) {
    warn_plan("{scans - pushed} of {scans} scans on other servers send all rows to this one.")
  }
  s$warned <- TRUE
  "rows shipped"
}

warn_plan <- function(what, envir = parent.frame()) {
  tec_warn("plan", c(
    "The other servers do not count their own rows, so this will be slow.",
    x = what,
    i = "Give {.code shard_key}, the column that divides a table partitioned by list between them.",
    i = "Servers with the option {.code fdw_tuple_cost} '1' are less likely to be sent rows.",
    i = "{.code postgres_fdw} must be able to send the conditions in the query."
  ), envir)
}

# A DuckDB in memory, from the package duckdb, or by ADBC from the library in the environment
# variable TECTREE_DUCKDB.
connect_duckdb <- function() {
  # Not a suggested package, because compiling it takes an hour.
  package <- "duckdb"
  if (requireNamespace(package, quietly = TRUE)) {
    return(DBI::dbConnect(getExportedValue(package, "duckdb")()))
  }
  library <- Sys.getenv("TECTREE_DUCKDB")
  if (!nzchar(library) || !requireNamespace("adbcdrivermanager", quietly = TRUE)) {
    need_package("duckdb", "tec_tree")
  }
  driver <- adbcdrivermanager::adbc_driver(library, "duckdb_adbc_init")
  adbcdrivermanager::adbc_connection_init(adbcdrivermanager::adbc_database_init(driver))
}

# A query of DuckDB that reads Parquet files.
parquet_query <- function(path) {
  path <- gsub("'", "''", enc2utf8(path), fixed = TRUE)
  paste0("SELECT * FROM read_parquet([", paste0("'", path, "'", collapse = ", "), "])")
}
