# Data elsewhere: what tec_tree() and others do where `data` is a lazy table, a connection with a
# table's name, the path of Parquet files, or a cluster of R processes.

# list(con, query = the text of a SELECT, names = its columns, close)
table_source <- function(data, table = NULL, what = "tec_tree") {
  if (inherits(data, c("tbl_lazy", "tbl_sql"))) {
    need_package("dbplyr", what)
    check_no_table(table)
    query <- as.character(dbplyr::sql_render(data))
    return(pooled(dbplyr::remote_con(data), function(con) new_source(con, query, colnames(data))))
  }
  if (inherits(data, "Pool")) {
    return(pooled(data, function(con) table_source(con, table, what)))
  }
  if (is.character(data)) {
    check_no_table(table)
    con <- connect_duckdb()
    # What does not fit into memory goes into R's temporary folder, not into the user's.
    spill <- quote_text(sql_link(con), tempfile("duckdb"))
    run_statement(con, paste("SET temp_directory =", spill))
    return(new_source(con, parquet_query(path.expand(data)), close = function() hang_up(con)))
  }
  if (inherits(data, "cluster")) {
    return(cluster_source(data, table))
  }
  if (is.null(table)) {
    tec_abort("data", c(
      "{.arg data} is a connection: {.arg table} must name the table there.",
      i = "For example {.code {what}(y ~ ., con, table = \"big\")}."
    ))
  }
  new_source(data, table_query(data, table), table_columns(data, table))
}

# PostgreSQL may let a user see some columns of a table: then SELECT * is an error.
table_columns <- function(con, table) {
  link <- sql_link(con)
  if (link$name != "postgres") {
    return(NULL)
  }
  name <- sub("^SELECT \\* FROM ", "", table_query(con, table))
  found <- ask(link, paste0(
    "SELECT CAST(attname AS text) AS name, ",
    "has_column_privilege(attrelid, attnum, 'SELECT') AS may FROM pg_attribute ",
    "WHERE attrelid = to_regclass(", quote_text(link, name), ") AND attnum > 0 ",
    "AND NOT attisdropped ORDER BY attnum"
  ), "the columns", c("name", "may"))
  may <- as.logical(found$may)
  if (any(may) && !all(may)) found$name[may]
}

# `close`: of a connection of ours.
new_source <- function(con, query, names = NULL, close = function() NULL) {
  if (is.null(names)) {
    names <- query_columns(sql_link(con), query)
  }
  list(con = con, query = query, names = names, close = close)
}

# DuckDB's driver refuses an answer with a column of a type that R does not have.
query_columns <- function(link, query) {
  if (link$name == "duckdb") {
    described <- paste0("(DESCRIBE SELECT * FROM ", queried_rows(query), ")")
    return(ask(link, paste("SELECT column_name AS name FROM", described), "the columns")$name)
  }
  none <- paste("SELECT * FROM", queried_rows(query), "WHERE 1 = 0")
  names(in_savepoint(link, ask(link, none, "the columns", own = FALSE)))
}

# A source on one connection of a pool, which gets it back.
pooled <- function(con, make) {
  if (!inherits(con, "Pool")) {
    return(make(con))
  }
  one <- ask_pool("poolCheckout", con)
  done <- FALSE
  on.exit(if (!done) ask_pool("poolReturn", one))
  source <- make(one)
  close <- source$close
  source$close <- function() {
    close()
    ask_pool("poolReturn", one)
  }
  done <- TRUE
  source
}

# The package is there where a pool is.
ask_pool <- function(what, x) getExportedValue("pool", what)(x)

table_query <- function(con, table) {
  name <- if (inherits(table, c("SQL", "sql"))) {
    as.character(table)
  } else if (isS4(table) && inherits(con, "DBIConnection")) {
    as.character(DBI::dbQuoteIdentifier(con, table))
  } else if (is_string(table) && nzchar(table)) {
    quote_name(sql_link(con), table)
  } else {
    tec_abort("data", c(
      "{.arg table} must be the name of a table.",
      x = "It is {describe(table)}.",
      i = "A table in a schema is {.code DBI::Id(schema = , table = )}."
    ))
  }
  paste("SELECT * FROM", name)
}

check_no_table <- function(table) {
  if (!is.null(table)) {
    tec_abort("argument", c(
      "{.arg table} goes with a connection as {.arg data}.",
      x = "{.arg data} is a table already."
    ))
  }
}

hang_up <- function(con) {
  if (inherits(con, "DBIConnection")) {
    DBI::dbDisconnect(con, shutdown = TRUE)
  } else {
    adbcdrivermanager::adbc_connection_release(con)
  }
}

# `engine` and `table` say nothing of rows in memory.
check_in_memory <- function(engine, table) {
  given <- c(if (!is.null(engine)) "engine", if (!is.null(table)) "table")
  if (length(given)) {
    tec_abort("argument", c(
      "{.arg {given[1L]}} is for data in a database, in files or in other R processes.",
      x = "{.arg data} is in memory.",
      i = "Such data are a lazy table, a connection or a cluster with {.arg table}, or paths of
           Parquet files."
    ))
  }
}

# What a formula, and `weights`, ask of a table: names of columns. list(input =, response =,
# predictors =, weights =, task =)
table_terms <- function(formula, names, weights, engine) {
  check_two_sided(formula)
  lhs <- formula[[2L]]
  response <- table_response(lhs)
  columns <- structure(rep(list(NULL), length(names)), names = names)
  if (!is.null(engine$key)) columns <- columns[names != engine$key]
  terms <- formula_terms(formula[[3L]], lhs, columns)
  check_plain_terms(terms)
  lost <- setdiff(c(response$name, terms$name, weights, engine$key), names)
  if (length(lost)) abort_unknown(lost[1L], columns)
  list(
    input = list(
      names = terms$name, needs = as.list(terms$name), predictors = terms$expr,
      response_name = expr_text(lhs), formula = stored_formula(formula, length(terms$name))
    ),
    response = response$name, predictors = terms$name, weights = weights, task = response$task
  )
}

# A column, or factor() of one.
table_response <- function(lhs) {
  if (is.symbol(lhs)) {
    return(list(name = as.character(lhs)))
  }
  if (is.call(lhs) && call_head(lhs) %in% c("factor", "as.factor") && length(lhs) == 2L &&
    is.symbol(lhs[[2L]])) {
    return(list(name = as.character(lhs[[2L]]), task = "class"))
  }
  abort_computed(lhs)
}

check_plain_terms <- function(terms) {
  computed <- !vapply(terms$expr, is.symbol, NA)
  if (any(computed)) abort_computed(terms$expr[[which(computed)[1L]]])
}

abort_computed <- function(expr) {
  tec_abort("formula", c(
    "The formula of a table whose rows are counted must name its columns.",
    x = "It has {.code {expr_text(expr)}}.",
    i = "Make it a column of the table first, for example with {.fn dplyr::mutate}; or read the
         rows: {.code engine = tec_engine(collect_rows = Inf)}."
  ))
}

# `weights` of a call: the name of a column, quoted or not.
column_name <- function(expr, arg) {
  if (is.null(expr)) {
    return(NULL)
  }
  if (!is.symbol(expr) && !is_string(expr)) {
    tec_abort("argument", c(
      "{.arg {arg}} must be the name of a column of the table.",
      x = "It is {.code {expr_text(expr)}}."
    ))
  }
  as.character(expr)
}

check_table_arguments <- function(call, asked) {
  if (!is.null(call$subset)) {
    tec_abort("argument", c(
      "{.arg subset} is for rows that are read.",
      i = "Leave the other rows out of the table, for example with {.fn dplyr::filter}; or read
           them: {.code engine = tec_engine(collect_rows = Inf)}."
    ))
  }
  action <- if (is.function(asked$na_action)) named_action(asked$na_action) else asked$na_action
  if (!is.null(action) && !identical(action, "na.pass")) {
    tec_abort("argument", c(
      "{.arg na.action} is for rows that are read.",
      i = "Leave such rows out of the table, for example with {.fn dplyr::filter}; or read the
           rows: {.code engine = tec_engine(collect_rows = Inf)}."
    ))
  }
  several <- function(x) is.numeric(x) && length(x) > 1L
  if (several(asked$q) || several(asked$beta)) {
    tec_abort("argument", c(
      "Several values of {.arg {if (several(asked$q)) 'q' else 'beta'}} cannot be compared by
       counts.",
      i = "Give one, compare them with {.fn tec_tune}, or read the rows:
           {.code engine = tec_engine(collect_rows = Inf)}."
    ))
  }
}
