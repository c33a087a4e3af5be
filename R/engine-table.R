# Tested in test-engine-table.R and test-engine-predict.R.
# Data elsewhere, for tec_tree() and others: `data` is a lazy table, a connection with the name of a
# table, the path of Parquet files, or a cluster of R processes.

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
    # What does not fit into memory is written to R's temporary folder, not to the working
    # directory.
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

# In PostgreSQL a user may see only some columns of a table; SELECT * is then an error.
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

# `close`: closes a connection that we opened.
new_source <- function(con, query, names = NULL, close = function() NULL) {
  if (is.null(names)) {
    names <- query_columns(sql_link(con), query)
  }
  list(con = con, query = query, names = names, close = close)
}

# DuckDB's driver refuses an answer that has a column of a type without counterpart in R.
query_columns <- function(link, query) {
  if (link$name == "duckdb") {
    described <- paste0("(DESCRIBE SELECT * FROM ", queried_rows(query), ")")
    return(ask(link, paste("SELECT column_name AS name FROM", described), "the columns")$name)
  }
  none <- paste("SELECT * FROM", queried_rows(query), "WHERE 1 = 0")
  names(in_savepoint(link, ask(link, none, "the columns", own = FALSE)))
}

# A source on one connection of a pool; the connection is returned to the pool afterwards.
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

# If there is a pool object, the package is installed.
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
      "{.arg table} needs a connection as {.arg data}.",
      x = "{.arg data} is already a table."
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

# `engine` and `table` have no meaning for rows in memory.
check_in_memory <- function(engine, table) {
  given <- c(if (!is.null(engine)) "engine", if (!is.null(table)) "table")
  if (length(given)) {
    tec_abort("argument", c(
      "{.arg {given[1L]}} is only for data in a database, in files or in other R processes.",
      x = "{.arg data} is in memory.",
      i = "Such data are a lazy table, a connection or a cluster with {.arg table}, or paths of
           Parquet files."
    ))
  }
}

# The columns of a table that a formula and `weights` need: list(input =, response =, predictors =,
# weights =, task =).
table_terms <- function(formula, names, weights, engine) {
  response <- table_response(formula[[2L]])
  of <- terms_among(formula, names, engine)
  terms <- of$terms
  computed <- !vapply(terms$expr, is.symbol, NA)
  if (any(computed)) abort_computed(terms$expr[[which(computed)[1L]]])
  lost <- setdiff(c(response$name, terms$name, weights, engine$key), names)
  if (length(lost)) abort_unknown(lost[1L], of$columns)
  list(
    input = list(
      names = terms$name, needs = as.list(terms$name), predictors = terms$expr,
      response_name = expr_text(formula[[2L]]),
      formula = stored_formula(formula, length(terms$name))
    ),
    response = response$name, predictors = terms$name, weights = weights, task = response$task
  )
}

# list(terms =, columns = those that `.` stands for)
terms_among <- function(formula, names, engine) {
  check_two_sided(formula)
  columns <- structure(rep(list(NULL), length(names)), names = names)
  if (!is.null(engine$key)) columns <- columns[names != engine$key]
  list(terms = formula_terms(formula[[3L]], formula[[2L]], columns), columns = columns)
}

# The response is a column, or factor() of one.
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

abort_computed <- function(expr) {
  tec_abort("formula", c(
    "If rows are counted, the formula must name columns of the table.",
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
  check_whole_table("subset", call$subset, "the other rows", "them")
  action <- if (is.function(asked$na_action)) named_action(asked$na_action) else asked$na_action
  check_whole_table("na.action", if (!identical(action, "na.pass")) action, "such rows", "the rows")
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

check_whole_table <- function(arg, value, which, what) {
  if (!is.null(value)) {
    tec_abort("argument", c(
      "{.arg {arg}} works only if the rows are read.",
      i = "Leave {which} out of the table, for example with {.fn dplyr::filter}; or read {what}:
           {.code engine = tec_engine(collect_rows = Inf)}."
    ))
  }
}

# Predictions for rows elsewhere are new columns of the lazy table; nothing is collected.

predict_elsewhere <- function(fit, data, type) {
  if (inherits(data, "cluster")) {
    tec_abort("newdata", c(
      "{.arg newdata} is a cluster, whose workers have their rows in memory.",
      i = "Let each predict its part:
           {.code parallel::clusterCall(cl, function(fit) predict(fit, part), fit)}."
    ))
  }
  need_package("dbplyr", "predict")
  need_package("dplyr", "predict")
  if (!inherits(data, c("tbl_lazy", "tbl_sql"))) {
    tec_abort("newdata", c(
      "{.arg newdata} must be a lazy table, or rows in memory.",
      x = "It is {describe(data)}.",
      i = "For a table of a connection: {.code dplyr::tbl(con, \"new\")}."
    ))
  }
  lost <- setdiff(unlist(fit$columns$needs[needed_columns(fit)]), colnames(data))
  if (length(lost)) {
    tec_abort("newdata", c(
      "{.arg newdata} lacks {cli::qty(length(lost))}{?a column/columns} that the
       {model_word(fit)} uses.",
      x = "{cli::qty(length(lost))}Missing column{?s}: {.field {lost}}."
    ))
  }
  if (inherits(fit, "tec_forest")) lazy_forest(fit, data, type) else lazy_tree(fit, data, type)
}

# A fit as SQL, by tec_sql().
as_sql <- function(fit, ...) UseMethod("as_sql")

lazy_tree <- function(fit, data, type) {
  if (type == "path") {
    tec_abort("argument", c(
      "{.code type = \"path\"} works only for rows in memory.", i = "Collect the rows first."
    ))
  }
  con <- dbplyr::remote_con(data)
  text <- as_sql(fit, con, type = if (type == "response") "response" else type)
  text <- if (is.list(text)) text else list(text)
  new <- lapply(text, function(x) dbplyr::sql(as.character(x)))
  names(new) <- prediction_names(fit, type, length(new))
  do.call(dplyr::mutate, c(list(data), new))
}

prediction_names <- function(fit, type, n) {
  switch(type,
    prob = paste0(".pred_", fit$response$levels),
    node = ".node",
    if (n == 1L) ".pred" else paste0(".pred_", seq_len(n))
  )
}

# One column per tree, then their mean or vote.
lazy_forest <- function(fit, data, type) {
  con <- dbplyr::remote_con(data)
  rows <- DBI::SQL(paste0("(", dbplyr::sql_render(data), ") tectree_rows"))
  text <- as_sql(fit, con, type = type, table = rows, keep = colnames(data))
  out <- dplyr::tbl(con, dbplyr::sql(as.character(text)))
  answers <- setdiff(colnames(out), colnames(data))
  names <- if (type == "prob") {
    paste0(".pred_", fit$response$levels)
  } else if (identical(answers, "response")) {
    ".pred"
  } else {
    paste0(".", answers)
  }
  do.call(dplyr::rename, c(list(out), stats::setNames(lapply(answers, as.name), names)))
}
