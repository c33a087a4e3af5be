# Tested in test-engine-resume.R.

#' Go on with an interrupted tree
#'
#' Growth from a database or files with `engine = tec_engine(checkpoint = file)` saves what was
#' counted after each level. `tec_resume()` goes on from there, on a new connection or in another
#' session. The tree is the one that growth without the interruption would have given.
#'
#' @param file The file that was given as `checkpoint`.
#' @param data The same table: a lazy table, a connection, paths of Parquet files, or a cluster.
#' @param table The name of the table, where `data` is a connection or a cluster; of a cluster also
#'   a function.
#' @param engine Settings from [tec_engine()]; `NULL`: those of the call that was interrupted.
#' @param validation For `prune = "rep"`: the rows that the call had.
#' @return A tree, as from [tec_tree()].
#' @family trees of data elsewhere
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' file <- tempfile(fileext = ".rds")
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' engine <- tec_engine(collect_rows = 0, checkpoint = file)
#' fit <- tec_tree(Species ~ ., con, table = "iris", prune = "none", engine = engine)
#' again <- tec_resume(file, con, table = "iris")
#' identical(fit$tree, again$tree)
#' DBI::dbDisconnect(con)
#' @export
tec_resume <- function(file, data, table = NULL, engine = NULL, validation = NULL) {
  saved <- read_checkpoint(file)
  plan <- saved$plan
  if (!is.null(engine)) plan$engine <- counting_engine(check_engine(engine))
  source <- table_source(data, table, "tec_resume")
  on.exit(source$close())
  counter <- counter_of(source, plan$terms, plan$engine, environment())
  check_same_table(counter$meta(), plan$meta)
  counter$encode(plan$codes$meaning)
  finish_counted(plan, counter, validation, saved$call, parent.frame(), saved$answers)
}
