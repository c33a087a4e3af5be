# Tested in test-engine-servers.R.
#' Drop what an unfinished fit has left in a database
#'
#' A tree that grows in a database may need temporary tables. They are dropped when the fit ends, by
#' an error or an interrupt too. Where R itself was stopped and the connection lives on, such as in
#' a pool, this drops them. It touches only temporary tables of this connection whose names begin
#' with `tec_`, six characters and `_`. A transaction that a fit has left open in PostgreSQL is
#' rolled
#' back.
#'
#' @param con A connection of DBI, or of adbcdrivermanager.
#' @return The names of the tables that were dropped, invisibly.
#' @family trees of data elsewhere
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' tec_cleanup(con)
#' DBI::dbDisconnect(con)
#' @export
tec_cleanup <- function(con) {
  link <- sql_link(con)
  if (is.null(link$dialect$temporaries)) {
    abort_database(c(
      "This database does not tell which temporary tables there are.",
      x = "The connection is {describe(con)}.",
      i = "They end with the connection, as do cached tables of Spark."
    ))
  }
  end_transaction(link)
  tables <- ask(link, link$dialect$temporaries, "temporary tables", "name")$name
  tables <- grep("^tec_[0-9a-f]{6}_", tables, value = TRUE)
  for (table in tables) {
    tell(link, paste("DROP TABLE", quote_name(link, table)), "a temporary table")
  }
  invisible(tables)
}

# A transaction of a fit is known by its setting. In one that has failed no question is answered.
end_transaction <- function(link) {
  if (link$name != "postgres") {
    return(invisible())
  }
  sql <- paste0("SELECT current_setting('", open_fit, "', true) AS fit")
  open <- tryCatch(
    suppressWarnings(run_query(link$con, sql)$fit), error = but_limits(function(e) "failed")
  )
  if (!identical(open, "") && !anyNA(open)) tell(link, "ROLLBACK", "a transaction")
}
