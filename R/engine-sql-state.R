# Tested in test-engine-state.R.
# One state of the data for the whole fit: a transaction, where the database has one that sees what
# was there when it began, whatever others write. Elsewhere all rows are counted once more at the
# end.

# `s$transaction` is TRUE where the transaction is ours. One that the user has begun stays open; in
# PostgreSQL a savepoint keeps our errors from ending it.
start_transaction <- function(s) {
  link <- s$link
  s$transaction <- s$savepoint <- FALSE
  if (is.null(link$dialect$begin)) {
    return(invisible())
  }
  if (in_transaction(link)) {
    s$savepoint <- set_savepoint(link, TRUE)
    return(invisible())
  }
  s$transaction <- TRUE
  begin(link, link$dialect$begin)
  # For tec_cleanup().
  if (link$name == "postgres") begin(link, paste("SET LOCAL", open_fit, "= 'yes'"))
}

begin <- function(link, sql) watched(link, run_statement(link$con, sql), "a transaction")

# What our transaction in PostgreSQL is known by.
open_fit <- "tectree.fit"

in_transaction <- function(link) {
  if (link$name == "duckdb") {
    # Each statement has a transaction of its own, unless one has been begun.
    number <- function() as.numeric(ask(link, "SELECT txid_current() AS id", "a transaction")$id)
    return(number() == number())
  }
  probe <- function(...) {
    tryCatch(
      {
        for (sql in c(...)) run_statement(link$con, sql)
        NULL
      },
      error = but_limits(conditionMessage), warning = conditionMessage
    )
  }
  if (link$name == "postgres") {
    # This fails outside a transaction.
    return(is.null(probe("SAVEPOINT tec_probe", "RELEASE SAVEPOINT tec_probe")))
  }
  # Only within a transaction this is an error.
  said <- probe("BEGIN", "ROLLBACK")
  inside <- grepl("within a transaction", said, fixed = TRUE)
  if (any(!inside)) abort_answer(link, "a transaction", said)
  length(inside) > 0L
}

# Whether a savepoint is set: in a transaction of the user's, which our errors would end.
set_savepoint <- function(link, inside = in_transaction(link)) {
  if (link$name != "postgres" || !inside) {
    return(FALSE)
  }
  begin(link, "SAVEPOINT tec_fit")
  TRUE
}

# What we have done since is undone.
end_savepoint <- function(link) {
  for (how in c("ROLLBACK TO", "RELEASE")) quietly(link, paste(how, "SAVEPOINT tec_fit"))
}

in_savepoint <- function(link, question) {
  if (set_savepoint(link)) on.exit(end_savepoint(link))
  question
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

# Ends what is ours, once more where a time limit has come in between.
close_counter <- function(s) {
  suspendInterrupts(tryCatch(end_counter(s), error = function(e) {
    end_counter(s)
    stop(e)
  }))
  invisible()
}

# A connection that is gone took its temporary tables along.
end_counter <- function(s) {
  if (isTRUE(s$transaction) && s$link$name != "sqlite") {
    # With it go the tables.
    quietly(s$link, "ROLLBACK")
  } else if (isTRUE(s$savepoint)) {
    end_savepoint(s$link)
  } else {
    for (table in s$tables) {
      quietly(s$link, paste("DROP TABLE IF EXISTS", quote_name(s$link, table)))
    }
    if (isTRUE(s$transaction)) commit_others(s$link)
  }
  for (sql in s$restore) quietly(s$link, sql)
  s$tables <- s$restore <- character()
  s$transaction <- s$savepoint <- FALSE
}

# Whether it was done.
quietly <- function(link, sql) {
  tryCatch(
    {
      suppressWarnings(run_statement(link$con, sql))
      TRUE
    },
    error = but_limits(function(e) FALSE)
  )
}

# In SQLite what the user has written on this connection meanwhile stays, where it may.
commit_others <- function(link) {
  if (quietly(link, "COMMIT")) {
    return(invisible())
  }
  if (quietly(link, "ROLLBACK")) {
    tec_warn("changed", c(
      "What was written on the connection while the tree was growing is undone.",
      x = "The database did not take it, such as since another session was reading.",
      i = "Write it again, or on another connection."
    ))
  }
}

# Has something closed when the caller whose frame this is ends, in whatever way.
close_at_end <- function(close, frame) {
  if (!is.null(frame)) do.call(on.exit, list(as.call(list(close)), TRUE, FALSE), envir = frame)
}
