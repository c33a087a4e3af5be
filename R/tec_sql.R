#' Export a tree or forest to SQL
#'
#' Writes SQL expressions with the same predictions as [predict()][predict.tec_tree], for use in a
#' `SELECT` or in dplyr's `mutate()`: `predicted = !!tec_sql(...)`, or `!!!` for several
#' expressions. The columns of the table have the names of the columns that the tree was grown from.
#'
#' @details
#' Names and labels are quoted for the dialect, or by the connection if one is given. Cuts are
#' written so that they read back as the same double. The export is tested on SQLite and PostgreSQL.
#' The other dialects follow their manuals and are untested: run [verify_export()] on your
#' connection, especially if `=` ignores case. MySQL, MariaDB and Redshift may read a backslash
#' within a string as an escape. For them, a label that contains a backslash is an error without a
#' connection.
#'
#' `NULL` is a missing value, and so is `NaN` in PostgreSQL; in other databases, convert `NaN` to
#' `NULL` first. An infinite cut is an error. Unseen levels are treated as missing, even if the tree
#' was grown with `unseen = "error"`. Dates are compared as `DATE`, times as `TIMESTAMP WITH TIME
#' ZONE`; in SQLite both are numbers, days and seconds since 1970, as RSQLite stores them. Time
#' differences are numbers in the units of the training rows. A logical column is a boolean; in
#' SQLite, SQL Server and Oracle it is 0 or 1.
#'
#' @section Size and limits:
#' The length of the text grows with the number of leaves. Its nesting grows with the logarithm of
#' that number, not with the depth of the tree, so a tree of hundreds of levels runs in databases
#' whose parser allows few nested levels, such as SQLite. A text that is too long or too nested for
#' the dialect is an error in R, and so are names that are equal in the dialect.
#'
#' For a tree grown with `missing = "fractional"`, `"as_fitted"` adds a second part for rows with
#' missing values: the sum over the leaves that the row reaches, weighted by its shares. If columns
#' are never `NULL`, `"majority"` gives a shorter text with the same predictions.
#'
#' @section Splines:
#' For [tec_mars()], each type is an expression: `"response"`, `"class"`, `"prob"`, or `"link"` (the
#' number or the log odds; for more than two classes a list). Dates and times are supported only for
#' SQLite, because they are not numbers in all databases. A row with `NULL` or an unseen level in a
#' predictor of the terms has no prediction, whatever the value of `missing`.
#'
#' @section Forests:
#' A forest is a complete query, `WITH ... SELECT`, that returns the columns `keep` of `table` and
#' the predictions: `response`, or one column per class (`prob_1`, `prob_2` and so on if a label
#' cannot name a column), or `tree_1`, `tree_2` and so on. Its first part has one column per tree,
#' and the second part their means. If mean shares decide the class, and for `"prob"`, each tree has
#' one column per class. The parts are `MATERIALIZED` in SQLite (from version 3.35), PostgreSQL
#' (from 12) and DuckDB. Databases limit the number of columns (SQLite 2,000, PostgreSQL 1,664) and
#' the length of a query. A forest beyond these limits is an error in R: export a forest with fewer
#' trees.
#'
#' @section Boosting:
#' A model of [tec_boost()] is also a query. For classes, `"prob"` returns the probabilities and
#' `"link"` the sums of the trees, as [predict()][predict.tec_boost] does: the log odds of the
#' second of two classes as the column `link`, or one column per class. `"prob"` needs the function
#' `EXP` of the database. The query leaves out an `offset`: see *Offset* in [tec_boost()].
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
#' @param dialect `"ansi"` (standard SQL), `"sqlite"`, `"postgres"`, `"duckdb"`, `"mssql"` (SQL
#'   Server), `"oracle"`, `"mysql"`, `"mariadb"`, `"bigquery"`, `"snowflake"`, `"redshift"` or
#'   `"spark"`; or a DBI connection.
#' @param type `"response"`, the class or the number; `"class"`; `"prob"`, one expression per class;
#'   or `"node"`, the number of the node where the row ends. `"node"` is an error for models with
#'   `missing = "fractional"`, the default of trees, unless you add `missing = "majority"` or
#'   `"null"`. For a forest also `"votes"`, the share of trees that vote for each class, and
#'   `"tree"`, the predictions of the trees; `"node"` has one column per tree. For boosted models of
#'   classes and for splines also `"link"`.
#' @param missing How missing values are handled. `"as_fitted"`: as in
#'   [predict()][predict.tec_tree]. `"majority"`: the row goes down the branch with the largest
#'   weight. `"null"`: no prediction. Predictions for complete rows do not depend on it.
#' @param file `NULL`, or the name of a file to write the text to, in UTF-8. An existing file is
#'   replaced, but only by a complete text. For `"prob"` of a tree, the file contains a list of
#'   columns for `SELECT`.
#' @param table For a forest or a boosted model: the name of the table with the rows, or SQL text
#'   made by `DBI::SQL()` or dbplyr's `sql()`, such as a query in parentheses and its name.
#' @param keep For a forest or a boosted model: the columns of the table that are returned with the
#'   predictions, such as a key. `NULL`: the columns that the model uses.
#' @return A string of class `sql`, as made by dbplyr's `sql()`, which prints as the text; for
#'   `"prob"` of a tree, a list of them, named by the classes. For a forest and a connection, an
#'   object of DBI's class `SQL`, which `DBI::dbGetQuery()` accepts. The result is invisible if a
#'   file was written.
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
#'
#' # A forest is a query
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' head(DBI::dbGetQuery(con, tec_sql(forest, con, "votes", table = "flowers")))
#' verify_export(forest, iris, con)
#'
#' # So is a boosted model, with the probabilities of predict()
#' boosted <- tec_boost(Species ~ ., iris, rounds = 5, threads = 2)
#' head(DBI::dbGetQuery(con, tec_sql(boosted, con, "prob", table = "flowers")))
#' DBI::dbDisconnect(con)
#' @export
tec_sql <- function(fit, dialect = "ansi", type = c("response", "class", "prob", "node"),
                    missing = c("as_fitted", "majority", "null"), file = NULL, table = NULL,
                    keep = NULL) {
  plain_numbers(scipen = 999L)
  if (base::missing(missing)) missing <- missing_choices[1L]
  match_choice(missing, missing_choices, "missing")
  type <- if (base::missing(type)) "response" else type
  check_file(file)
  fit <- chosen_fit(fit, "tec_sql")
  if (is_mars(fit)) check_fit(fit)
  types <- c("response", "class", "prob", sql_types_of(fit))
  type <- match_choice(our_word("type", type, types), types, "type")
  sql <- sql_dialect(dialect)
  if (is_forest(fit)) {
    return(tec_sql_forest(fit, sql, type, missing, file, table, keep))
  }
  if (!is_mars(fit)) check_is_tree(fit, "tec_sql")
  if (!is.null(table) || !is.null(keep)) {
    tec_abort("argument", c(
      "{.arg table} and {.arg keep} are only for forests and boosted models.",
      i = "For {if (is_mars(fit)) 'splines' else 'a tree'}, {.fn tec_sql} writes an expression: \
           use it in your own query."
    ))
  }
  if (is_mars(fit)) {
    sql$model <- "model"
    out <- mars_sql(fit, sql, type)
  } else {
    form <- export_tree(fit, "tec_sql", missing)
    check_prediction_type(type, fit$response)
    if (type == "response" && !is.null(form$classes)) type <- "class"
    out <- sql_expressions(form, sql, type)
  }
  check_sql_length(out, sql)
  out <- lapply(out, structure, class = c("tec_code", "sql", "character"))
  if (is.null(names(out))) {
    return(give_text(out[[1L]], file))
  }
  columns <- paste(vapply(out, unclass, ""), "AS", vapply(names(out), sql_name, "", sql))
  give_text(out, file, paste(columns, collapse = ",\n"))
}

# The types besides those that all models have.
sql_types_of <- function(fit) {
  if (is_mars(fit)) {
    "link"
  } else if (!is_forest(fit)) {
    "node"
  } else if (is_linked(fit)) {
    c("node", "link")
  } else {
    c("votes", "tree", "node")
  }
}

# Used by predict() for rows in a database (engine-table.R).
#' @export
as_sql.default <- function(fit, ...) tec_sql(fit, ...)
