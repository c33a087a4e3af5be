# Stand-ins for databases that cannot be installed here: DBI connections over DuckDB or SQLite.
# `Spark SQL` reads SQL as Spark 3.5 does (its reference: literals, data types, functions, CACHE
# TABLE, generators), refuses what Spark refuses, and asks DuckDB. `Snowflake` has escapes in texts
# and answers in capitals. `Unknown` is SQLite under a name that no one knows.

stand_in_methods <- function() {
  where <- globalenv()
  if (methods::isClass("Spark SQL")) {
    return(invisible())
  }
  of_dbi <- function(name) structure(name, package = "DBI")
  methods::setClass("StandInResult", contains = of_dbi("DBIResult"),
    slots = c(state = "environment"), where = where)
  methods::setClass("StandIn", contains = list(of_dbi("DBIConnection"), "VIRTUAL"),
    slots = c(state = "environment"), where = where)
  for (name in c("Spark SQL", "Snowflake", "Unknown")) {
    methods::setClass(name, contains = "StandIn", where = where)
  }
  method <- function(generic, signature, f) {
    methods::setMethod(getExportedValue("DBI", generic), signature, f, where = where)
  }
  two <- function(first) c(first, "character")
  method("dbGetQuery", two("StandIn"), function(conn, statement, ...) stand_in_run(conn, statement))
  method("dbExecute", two("StandIn"), function(conn, statement, ...) {
    stand_in_run(conn, statement, FALSE)
    0
  })
  method("dbSendQuery", two("StandIn"), function(conn, statement, ...) {
    state <- list2env(list(rows = stand_in_run(conn, statement), at = 0), parent = emptyenv())
    methods::new("StandInResult", state = state)
  })
  method("dbFetch", "StandInResult", function(res, n = -1, ...) {
    rows <- res@state$rows
    last <- if (n < 0) nrow(rows) else min(nrow(rows), res@state$at + n)
    out <- rows[seq_len(nrow(rows)) > res@state$at & seq_len(nrow(rows)) <= last, , drop = FALSE]
    res@state$at <- last
    out
  })
  method("dbHasCompleted", "StandInResult", function(res, ...) {
    res@state$at >= nrow(res@state$rows)
  })
  method("dbClearResult", "StandInResult", function(res, ...) TRUE)
  method("dbIsValid", "StandIn", function(dbObj, ...) TRUE) # nolint
  method("dbQuoteIdentifier", two("Spark SQL"), function(conn, x, ...) {
    if (methods::is(x, "SQL")) x else DBI::SQL(paste0("`", gsub("`", "``", x, fixed = TRUE), "`"))
  })
}

# `con`: of DuckDB (of SQLite for "Unknown"), where the tables are.
stand_in <- function(class, con) {
  skip_if_not_installed("DBI")
  loadNamespace("DBI")
  stand_in_methods()
  state <- list2env(list(con = con, settings = character(), statements = character()),
    parent = emptyenv())
  if (class == "Spark SQL") for (sql in spark_macros) run_engine(con, sql)
  methods::new(class, state = state)
}

# What has been asked since the last time.
stand_in_statements <- function(con) {
  out <- con@state$statements
  con@state$statements <- character()
  out
}

stand_in_run <- function(con, sql, answer = TRUE) {
  sql <- enc2utf8(as.character(sql))
  con@state$statements <- c(con@state$statements, sql)
  state <- con@state
  if (methods::is(con, "Spark SQL")) {
    setting <- regmatches(sql, regexec("^SET ([a-zA-Z.]+)(=(.*))?$", sql))[[1L]]
    if (length(setting)) {
      return(spark_setting(state, setting[2L], if (nzchar(setting[3L])) setting[4L]))
    }
    sql <- spark_text(sql)
  }
  if (methods::is(con, "Snowflake")) sql <- snowflake_text(sql)
  if (!answer) {
    return(tectree:::run_statement(state$con, sql))
  }
  out <- as.data.frame(tectree:::run_query(state$con, sql))
  if (methods::is(con, "Snowflake")) {
    tokens <- sql_tokens(sql)
    names(out) <- ifelse(names(out) %in% tokens, toupper(names(out)), names(out))
  }
  out
}

spark_setting <- function(state, key, value) {
  if (!is.null(value)) state$settings[[key]] <- value
  now <- state$settings[key]
  data.frame(key = key, value = if (is.na(now)) "<undefined>" else unname(now))
}

# Quoted names and texts, numbers, words, signs; blanks are tokens, too.
sql_tokens <- function(sql) {
  pattern <- paste0(
    "(?s)`(?:[^`]|``)*`|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|",
    "[0-9]+(?:[.][0-9]*)?(?:[eE][+-]?[0-9]+)?[A-Za-z_0-9]*|[A-Za-z_][A-Za-z_0-9]*|",
    "<=|>=|<>|!=|[|][|]|::|--|/[*]|//|\\s+|."
  )
  regmatches(sql, gregexpr(pattern, sql, perl = TRUE))[[1L]]
}

# Texts with escapes as DuckDB writes them; those side by side are one in Spark.
plain_strings <- function(tokens) {
  of <- which(grepl("^['\"].", tokens))
  inner <- substr(tokens[of], 2L, nchar(tokens[of]) - 1L)
  tokens[of] <- paste0("'", gsub("'", "''", vapply(inner, unescape, ""), fixed = TRUE), "'",
    recycle0 = TRUE)
  tokens
}

unescape <- function(x) {
  if (!grepl("\\", x, fixed = TRUE)) {
    return(x)
  }
  parts <- regmatches(x, gregexpr("(?s)\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", x, perl = TRUE))[[1L]]
  known <- c(n = "\n", r = "\r", t = "\t", b = "\b", "%" = "\\%", "_" = "\\_")
  out <- vapply(parts, function(part) {
    if (!startsWith(part, "\\")) {
      return(part)
    }
    if (grepl("^\\\\u", part)) {
      return(intToUtf8(strtoi(substr(part, 3L, 6L), 16L)))
    }
    mark <- substring(part, 2L)
    if (mark %in% names(known)) known[[mark]] else mark
  }, "")
  paste(out, collapse = "")
}

snowflake_text <- function(sql) {
  tokens <- sql_tokens(sql)
  names <- startsWith(tokens, "\"")
  tokens[!names] <- plain_strings(tokens[!names])
  paste(tokens, collapse = "")
}

# What differs in DuckDB, as functions there.
spark_macros <- c(
  "CREATE OR REPLACE MACRO spark_isnan(x) AS COALESCE(isnan(x), FALSE)",
  "CREATE OR REPLACE MACRO spark_datediff(x, y) AS date_diff('day', y, x)",
  "CREATE OR REPLACE MACRO spark_unix_micros(x) AS epoch_us(x)",
  paste(
    "CREATE OR REPLACE MACRO spark_typeof(x) AS CASE typeof(x) WHEN 'INTEGER' THEN 'int'",
    "WHEN 'VARCHAR' THEN 'string' ELSE lower(typeof(x)) END"
  ),
  # A double is cut off, and saturates.
  paste(
    "CREATE OR REPLACE MACRO spark_long(x) AS CASE WHEN typeof(x) NOT IN ('DOUBLE', 'FLOAT')",
    "THEN TRY_CAST(x AS BIGINT) WHEN isnan(TRY_CAST(x AS DOUBLE)) THEN 0",
    "WHEN TRY_CAST(x AS DOUBLE) >= 9223372036854775807 THEN 9223372036854775807",
    "WHEN TRY_CAST(x AS DOUBLE) <= -9223372036854775808 THEN -9223372036854775808",
    "ELSE TRY_CAST(trunc(TRY_CAST(x AS DOUBLE)) AS BIGINT) END"
  )
)

# Functions, and words before a bracket, that Spark knows under these names.
spark_functions <- c(
  "COUNT", "SUM", "MIN", "MAX", "COALESCE", "ABS", "ROUND", "FLOOR", "CAST", "ROW_NUMBER", "OVER",
  "IN", "TYPEOF", "ISNAN", "DATEDIFF", "UNIX_MICROS", "EXPLODE", "POSEXPLODE", "ARRAY", "FLATTEN",
  "PERCENTILE_APPROX", "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "AS", "ON", "THEN", "ELSE",
  "WHEN", "ALL", "DISTINCT", "BY", "POWER", "EXP", "LN", "GREATEST", "LEAST", "VALUES", "JOIN",
  "MATERIALIZED", "SETS", "GROUPING", "INTO", "CASE", "T"
)

spark_types <- c(
  "BIGINT", "INT", "INTEGER", "SMALLINT", "TINYINT", "DOUBLE", "FLOAT", "REAL", "STRING",
  "BOOLEAN", "DATE", "TIMESTAMP", "BINARY", "DECIMAL"
)

refuse_spark <- function(class, ...) stop("[", class, "] ", ..., call. = FALSE)

# A statement of Spark as one of DuckDB.
spark_text <- function(sql) {
  tokens <- sql_tokens(sql)
  blank <- grepl("^\\s+$", tokens)
  if (any(tokens %in% c("--", "/*"))) refuse_spark("PARSE_SYNTAX_ERROR", "a comment")
  # Side by side, texts are one.
  tokens <- tokens[!blank]
  tokens <- join_strings(tokens)
  refuse_statement(tokens)
  refuse_tokens(tokens)
  refuse_generators(tokens)
  tokens <- translate_statement(tokens)
  tokens <- plain_strings(tokens)
  name <- startsWith(tokens, "`")
  tokens[name] <- paste0("\"", gsub("\"", "\"\"", gsub("``", "`", substr(tokens[name], 2L,
    nchar(tokens[name]) - 1L), fixed = TRUE), fixed = TRUE), "\"", recycle0 = TRUE)
  double <- grepl("^[0-9].*[dD]$", tokens)
  tokens[double] <- paste0("CAST(", sub("[dD]$", "", tokens[double]), " AS DOUBLE)",
    recycle0 = TRUE)
  paste(tokens, collapse = " ")
}

join_strings <- function(tokens) {
  text <- grepl("^['\"]", tokens)
  n <- length(tokens)
  joined <- c(FALSE, text[-1L] & text[-n])[seq_len(n)]
  for (i in rev(which(joined))) {
    before <- substr(tokens[i - 1L], 1L, nchar(tokens[i - 1L]) - 1L)
    tokens[i - 1L] <- paste0(before, substring(tokens[i], 2L))
  }
  tokens[!joined]
}

refuse_statement <- function(tokens) {
  words <- toupper(utils::head(tokens, 4L))
  allowed <- c("SELECT", "WITH", "CACHE", "UNCACHE", "DROP", "SHOW", "EXPLAIN", "DESCRIBE")
  if (!words[1L] %in% allowed) {
    refuse_spark("PARSE_SYNTAX_ERROR", "Syntax error at or near '", words[1L], "'")
  }
  if (words[1L] == "DROP" && !words[2L] %in% c("TABLE", "VIEW")) {
    refuse_spark("PARSE_SYNTAX_ERROR", "Syntax error at or near '", words[2L], "'")
  }
}

refuse_tokens <- function(tokens) {
  words <- toupper(tokens)
  after <- c(words[-1L], "")
  unknown <- c(";", "?", ":", "::", "$", "[", "//", "COLLATE", "POSITIONAL", "FETCH", "PRAGMA")
  bad <- tokens[words %in% unknown]
  if (length(bad)) refuse_spark("PARSE_SYNTAX_ERROR", "Syntax error at or near '", bad[1L], "'")
  called <- grepl("^[A-Z_]", words) & after == "(" & !words %in% spark_functions
  # Names of tables and queries come before a bracket after WITH and in a list of columns.
  if (any(called)) {
    refuse_spark("UNRESOLVED_ROUTINE", "Cannot resolve function ", tokens[called][1L])
  }
  types <- c(spark_types, "VARCHAR", "TEXT", "PRECISION", "UTINYINT", "USMALLINT", "HUGEINT")
  for (i in which(words == "AS" & after %in% types)) {
    if (!after[i] %in% spark_types || words[i + 2L] == "PRECISION") {
      refuse_spark("UNSUPPORTED_DATATYPE", "Unsupported data type ", tokens[i + 1L])
    }
  }
  # A sum of a condition: SUM(a IN (...)), SUM(a = b).
  for (i in which(words == "SUM" & after == "(")) {
    inside <- words[bracket(words, i + 1L)]
    depth <- cumsum((inside == "(") - (inside == ")")) + cumsum(inside == "CASE") -
      cumsum(inside == "END")
    if (any(inside[depth == 0] %in% c("IN", "=", "<", ">", "<=", ">=", "<>", "AND", "OR"))) {
      refuse_spark("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "SUM of BOOLEAN")
    }
  }
  for (i in which(words == "GROUPING" & after == "(")) {
    if ("," %in% words[bracket(words, i + 1L)]) refuse_spark("WRONG_NUM_ARGS", "GROUPING")
  }
}

# The tokens between a bracket at `i` and its end.
bracket <- function(tokens, i) {
  depth <- cumsum((tokens == "(") - (tokens == ")"))
  end <- which(seq_along(tokens) > i & depth == depth[i] - 1 & tokens == ")")[1L]
  if (end - i < 2L) integer() else (i + 1L):(end - 1L)
}

# A generator is a column of its own, the only one of its SELECT.
refuse_generators <- function(tokens) {
  words <- toupper(tokens)
  at <- which(words %in% c("EXPLODE", "POSEXPLODE") & c(words[-1L], "") == "(")
  depth <- cumsum((words == "(") - (words == ")"))
  select <- vapply(at, function(i) {
    if (!words[i - 1L] %in% c("SELECT", ",")) refuse_spark("UNSUPPORTED_GENERATOR", "nested")
    end <- max(bracket(words, i + 1L)) + 2L
    if (!words[end] %in% c("AS", ",", "FROM", ")")) refuse_spark("UNSUPPORTED_GENERATOR", "nested")
    max(which(words == "SELECT" & depth == depth[i] & seq_along(words) < i))
  }, 0L)
  if (anyDuplicated(select)) refuse_spark("UNSUPPORTED_GENERATOR", "only one generator")
}

translate_statement <- function(tokens) {
  words <- toupper(tokens)
  if (words[1L] == "CACHE") {
    if (words[2L] != "TABLE") refuse_spark("PARSE_SYNTAX_ERROR", "CACHE")
    tokens <- c("CREATE", "TEMP", tokens[-1L])
  }
  if (words[1L] == "UNCACHE" || (words[1L] == "DROP" && words[2L] == "VIEW")) {
    tokens <- c("DROP", "TABLE", tokens[-(1:2)])
  }
  tokens <- translate_posexplode(tokens)
  words <- toupper(tokens)
  call <- c(tokens[-1L], "") == "("
  own <- c(
    ISNAN = "spark_isnan", DATEDIFF = "spark_datediff", UNIX_MICROS = "spark_unix_micros",
    TYPEOF = "spark_typeof", ARRAY = "list_value", EXPLODE = "unnest"
  )
  here <- call & words %in% names(own)
  tokens[here] <- own[words[here]]
  translate_calls(tokens)
}

# CAST(x AS BIGINT), STRING and percentile_approx(x, probs, accuracy).
translate_calls <- function(tokens) {
  words <- toupper(tokens)
  n <- length(words)
  tokens[words == "STRING" & c("", words[-n]) == "AS"] <- "VARCHAR"
  long <- which(words %in% c("BIGINT", "INT") & c("", words[-n]) == "AS" & c(words[-1L], "") == ")")
  depth <- cumsum((words == "(") - (words == ")"))
  casts <- which(words == "CAST")
  for (i in long) {
    # The CAST whose bracket ends here.
    open <- max(casts[casts < i & depth[casts + 1L] == depth[i]])
    tokens[open] <- "spark_long"
    tokens[(i - 1L):i] <- ""
  }
  for (i in which(words == "PERCENTILE_APPROX")) {
    inside <- bracket(words, i + 1L)
    level <- depth[inside[1L]] - (words[inside[1L]] == "(")
    comma <- inside[words[inside] == "," & depth[inside] == level]
    tokens[i] <- "quantile_disc"
    if (length(comma) == 2L) tokens[comma[2L]:max(inside)] <- ""
  }
  tokens
}

# Its columns are `pos`, from 0, and `col`.
translate_posexplode <- function(tokens) {
  repeat {
    i <- which(toupper(tokens) == "POSEXPLODE")[1L]
    if (is.na(i)) {
      return(tokens)
    }
    inside <- bracket(tokens, i + 1L)
    list <- tokens[inside]
    tokens <- c(
      tokens[seq_len(i - 1L)], "generate_subscripts", "(", list, ",", "1", ")", "-", "1", "AS",
      "pos", ",", "unnest", "(", list, ")", "AS", "col", tokens[-seq_len(max(inside) + 1L)]
    )
  }
}
