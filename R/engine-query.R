# Tested in test-engine-sql.R.

run_query <- function(con, sql) {
  if (inherits(con, "adbc_connection")) {
    return(as.data.frame(adbcdrivermanager::read_adbc(con, sql)))
  }
  DBI::dbGetQuery(con, sql)
}
