# Tested in test-engine-state.R.
# One state of the data for the whole fit: a transaction, where the database has one that sees what
# was there when it began, whatever others write. Elsewhere all rows are counted once more at the
# end.

hold_state <- function(s) {
  s$transaction <- start_transaction(s$link)
  # Files are read anew by each query.
  s$held <- !is.null(s$dialect$begin) && !grepl("\\bread_[a-z_]+\\(", s$query)
}

# TRUE where the transaction is ours; one that the user has begun stays as it is.
start_transaction <- function(link) {
  begin <- link$dialect$begin
  if (is.null(begin)) {
    return(FALSE)
  }
  if (link$name == "sqlite") {
    return(begins(link, begin))
  }
  if (in_transaction(link)) {
    return(FALSE)
  }
  tell(link, begin, "a transaction")
  # For tec_cleanup().
  if (link$name == "postgres") tell(link, paste("SET LOCAL", open_fit, "= 'yes'"), "a setting")
  TRUE
}

# What our transaction in PostgreSQL is known by.
open_fit <- "tectree.fit"

# Within a transaction another one is an error.
begins <- function(link, begin) {
  tryCatch(
    {
      run_statement(link$con, begin)
      TRUE
    },
    error = function(e) {
      if (!grepl("within a transaction", conditionMessage(e), fixed = TRUE)) {
        abort_answer(link, "a transaction", conditionMessage(e))
      }
      FALSE
    }
  )
}

in_transaction <- function(link) {
  if (link$name == "duckdb") {
    # Each statement has a transaction of its own, unless one has been begun.
    number <- function() as.numeric(ask(link, "SELECT txid_current() AS id", "a transaction")$id)
    return(number() == number())
  }
  # Only within a transaction this is no error.
  tryCatch(
    {
      run_statement(link$con, "SAVEPOINT tec_probe")
      run_statement(link$con, "RELEASE SAVEPOINT tec_probe")
      TRUE
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
}

# Each query of another transaction may see other rows. One that reads them all would not mind.
check_isolation <- function(link) {
  level <- ask(link, "SHOW transaction_isolation", "a transaction")[[1L]]
  if (grepl("repeatable|serializable", level)) {
    return(invisible())
  }
  abort_database(c(
    "A tree needs one state of the table for all its queries.",
    x = "The connection is in a transaction of level {.val {level}}, which does not give it.",
    i = "End it first, with {.code COMMIT}, or begin it with
         {.code BEGIN ISOLATION LEVEL REPEATABLE READ}."
  ))
}

# Rows that this connection of SQLite has changed: within a transaction it sees them.
own_changes <- function(link) {
  if (link$name != "sqlite") {
    return(0)
  }
  as.numeric(run_query(link$con, "SELECT total_changes() AS n")$n)
}

# At the end of a fit. `root`: the counts of all rows at its beginning.
check_unchanged <- function(s, root, centre) {
  # A table of codes is a copy.
  if (s$held && (!is.null(s$coded) || own_changes(s$link) == s$changes)) {
    return(invisible())
  }
  counted <- mget(c("source", "coded", "advanced"), s, ifnotfound = list(NULL))
  on.exit(list2env(counted, s))
  list2env(list(source = s$inline, coded = NULL, advanced = NULL), s)
  now <- count_cells(s, 1L, list(centre = centre, level = NA_real_))
  if (!same_cells(now, root)) {
    tec_abort("changed", c(
      "The table has changed while the tree was growing.",
      x = "Its rows are counted as others than at the beginning.",
      i = "Grow it again, from a table that does not change while it is read, or a copy of it."
    ))
  }
}

same_cells <- function(a, b) {
  sorted <- function(cells) {
    cells <- lapply(unclass(cells)[setdiff(names(cells), "rows")], as.numeric)
    cells <- cells[order(names(cells))]
    by <- cells[intersect(c("column", "code", "class"), names(cells))]
    order <- do.call(order, unname(by))
    lapply(cells, function(x) unname(x[order]))
  }
  identical(sorted(a), sorted(b))
}

# Drops what is ours. A connection that is gone took its temporary tables along.
close_counter <- function(s) {
  quietly <- function(sql) {
    tryCatch(suppressWarnings(run_statement(s$link$con, sql)), error = function(e) NULL)
  }
  # With it go the tables. In SQLite what the user has written meanwhile stays.
  if (s$transaction && s$link$name != "sqlite") {
    quietly("ROLLBACK")
  } else {
    for (table in s$tables) quietly(paste("DROP TABLE IF EXISTS", quote_name(s$link, table)))
    if (s$transaction) quietly("COMMIT")
  }
  for (sql in s$restore) quietly(sql)
  s$tables <- character()
  s$transaction <- FALSE
  invisible()
}
