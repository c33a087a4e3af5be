#' Export a tree to SQL
#'
#' Writes SQL expressions with the same predictions as [predict()][predict.tec_tree], for use in a
#' `SELECT` or in dplyr's `mutate()`: `predicted = !!tec_sql(...)`, or `!!!` for several
#' expressions. The columns of the table have the names of the columns that the tree was grown from.
#'
#' @details
#' Names and labels are quoted for the dialect, or by the connection if one is given. Thresholds are
#' written so that they read back as the same double. Tested on SQLite and PostgreSQL. The other
#' dialects follow their manuals and are untested: run [verify_export()] on your connection,
#' especially if `=` ignores case. MySQL, MariaDB and Redshift may read a backslash within a string
#' as an escape: without a connection a label that holds one is an error there.
#'
#' `NULL` is a missing value, and so is PostgreSQL's `NaN`; in other databases turn `NaN` into
#' `NULL` first. An infinite threshold is an error. Unseen labels are treated as missing, also if
#' the tree was grown with `unseen = "error"`. Dates are compared as `DATE`, times as `TIMESTAMP
#' WITH TIME ZONE`; in SQLite both are numbers, days and seconds since 1970, as RSQLite stores them.
#' Time differences are numbers in the units of the training rows. A logical column is a boolean, in
#' SQLite, SQL Server and Oracle 0 or 1.
#'
#' @section Size and limits:
#' The text grows with the number of leaves. Its nesting grows with the logarithm of that number,
#' not with the depth of the tree, so a tree of hundreds of levels runs in databases whose parser
#' allows few nested levels, such as SQLite. A text that is too long or too nested for the dialect,
#' and names that are equal in the dialect, are errors in R.
#'
#' For a tree grown with `missing = "fractional"`, `"as_fitted"` adds a second part for rows with
#' missing values: the sum over the leaves that the row reaches, weighted by its shares. If columns
#' are never `NULL`, `"majority"` gives a shorter text with the same predictions.
#'
#' @param fit A tree from [tec_tree()], or the result of [tec_tune()].
#' @param dialect `"ansi"` (standard SQL), `"sqlite"`, `"postgres"`, `"duckdb"`, `"mssql"` (SQL
#'   Server), `"oracle"`, `"mysql"`, `"mariadb"`, `"bigquery"`, `"snowflake"`, `"redshift"` or
#'   `"spark"`; or a DBI connection.
#' @param type `"response"`, the class or the number; `"class"`; `"prob"`, an expression for each
#'   class; or `"node"`, the number of the node where the row ends.
#' @param missing How missing values are handled. `"as_fitted"`: as in
#'   [predict()][predict.tec_tree]. `"majority"`: the row goes down the branch with the largest
#'   weight. `"null"`: no prediction. Predictions for complete rows do not depend on it.
#' @param file `NULL`, or the name of a file to write the text to, in UTF-8. An existing file is
#'   replaced, and only by a complete text. For `"prob"` the file holds a list of columns for
#'   `SELECT`.
#' @return A string of class `sql`, as dbplyr's `sql()` makes it, which prints as the text; for
#'   `"prob"` a list of them, named by the classes. Invisibly if a file was written.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, preset = "cart")
#' tec_sql(fit)
#' tec_sql(fit, "mysql", "node")
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(con, "flowers", iris)
#' query <- paste("SELECT", tec_sql(fit, con), "AS predicted FROM flowers")
#' table(DBI::dbGetQuery(con, query)$predicted, iris$Species)
#' verify_export(fit, iris, con)
#' DBI::dbDisconnect(con)
#' @export
tec_sql <- function(fit, dialect = "ansi", type = c("response", "class", "prob", "node"),
                    missing = c("as_fitted", "majority", "null"), file = NULL) {
  plain_numbers(scipen = 999L)
  types <- c("response", "class", "prob", "node")
  type <- match_choice(our_word("type", type[1L], types), types, "type")
  missing <- match_choice(missing[1L], missing_choices, "missing")
  check_file(file)
  sql <- sql_dialect(dialect)
  form <- export_tree(fit, "tec_sql", missing)
  check_prediction_type(type, chosen_fit(fit, "tec_sql")$response)
  if (type == "response" && !is.null(form$classes)) type <- "class"
  out <- sql_expressions(form, sql, type)
  check_sql_length(out, sql)
  out <- lapply(out, structure, class = c("tec_code", "sql", "character"))
  if (type != "prob") {
    return(give_text(out[[1L]], file))
  }
  out <- stats::setNames(out, form$classes)
  columns <- paste(vapply(out, unclass, ""), "AS", vapply(form$classes, sql_name, "", sql))
  give_text(out, file, paste(columns, collapse = ",\n"))
}

sql_expressions <- function(form, sql, type) {
  check_sql_inputs(form$inputs, sql)
  form$columns <- vapply(form$inputs, function(x) sql_name(x$name, sql), "")
  form$labels <- lapply(form$inputs, function(input) {
    if (input$logical) sql$bool else if (length(input$levels)) sql_string(input$levels, sql)
  })
  form$branches <- sql_branches(form, sql)
  switch(type,
    node = sql_nodes(form, sql),
    class = sql_class(form, sql),
    prob = lapply(seq_along(form$classes), function(k) sql_number(form, form$prob[, k], sql)),
    response = sql_number(form, form$value, sql)
  )
}

sql_nodes <- function(form, sql) {
  if (form$shared) abort_shared("{.code type = \"node\"}")
  sql_cases(form, as.character(seq_along(form$nodes)), sql)
}

# In a tree that sends rows down several branches: first the branches for rows without missing
# values, which most rows are, and for the others a sum.
sql_number <- function(form, value, sql) {
  plain <- sql_cases(form, sql_real(value, sql), sql)
  if (!form$shared) {
    return(plain)
  }
  sum <- sql_sum(form, value, sql)
  if (all(value == value[1L])) plain else sql_first(plain, sum)
}

sql_class <- function(form, sql) {
  labels <- sql_string(form$classes, sql)
  plain <- sql_cases(form, labels[form$value], sql)
  if (!form$shared) {
    return(plain)
  }
  # How a class is chosen over several leaves: by the largest share, or the smallest expected cost.
  aim <- if (is.null(form$cost)) form$prob else -(form$prob %*% form$cost)
  live <- if (is.null(form$cost)) colSums(form$prob) > 0 else rep(TRUE, ncol(aim))
  aim <- aim[, live, drop = FALSE]
  labels <- labels[live]
  # Up to rounding, as best_answer() has it.
  margin <- if (is.null(form$cost)) 1 - 1e-12 else 1 + 1e-12
  best <- if (length(labels) <= 3L || !sql$subquery) {
    sql_duels(form, aim, margin, labels, sql)
  } else {
    sql_best(form, aim, margin, labels, sql)
  }
  if (length(labels) == 1L) best else sql_first(plain, best)
}

sql_first <- function(plain, sum) paste0("COALESCE(\n", plain, ",\n", sum, "\n)")

# The first class that is not worse than any later one.
sql_duels <- function(form, aim, margin, labels, sql) {
  n <- length(labels)
  when <- vapply(seq_len(n - 1L), function(k) {
    gap <- vapply((k + 1L):n, function(other) {
      paste(sql_sum(form, aim[, k] - margin * aim[, other], sql), ">= 0")
    }, "")
    paste0("WHEN ", paste(gap, collapse = "\n  AND "), " THEN ", labels[k])
  }, "")
  sql_case(when, labels[n])
}

# With more classes each sum is written once, in a query of its own, which has one row.
sql_best <- function(form, aim, margin, labels, sql) {
  n <- length(labels)
  check_sql_columns(n, sql)
  name <- paste0("tectree_", seq_len(n))
  sums <- vapply(seq_len(n), function(k) sql_sum(form, aim[, k], sql), "")
  when <- vapply(seq_len(n - 1L), function(k) {
    least <- paste(exact_number(margin), "*", name[(k + 1L):n])
    paste0("WHEN ", paste(name[k], ">=", least, collapse = " AND "), " THEN ", labels[k])
  }, "")
  paste0(
    "(SELECT ", sql_case(when, labels[n]), "\nFROM (SELECT\n",
    paste(sums, "AS", name, collapse = ",\n"), sql$from_nothing, ") tectree)"
  )
}

sql_case <- function(when, last, indent = "") {
  if (length(when) == 0L) {
    return(last)
  }
  lines <- c(paste0("  ", when), paste0("  ELSE ", last), "END")
  paste0("CASE\n", paste0(indent, lines, collapse = "\n"))
}
