# Tested in test-engine-state.R.
# One state of the data for the whole fit: a transaction, if the database has transactions that see
# the data as they were at the start, whatever others write. Otherwise all rows are counted again at
# the end.

# `s$transaction` is TRUE if the transaction is ours. A transaction of the user stays open; in
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

# The setting that marks our transaction in PostgreSQL.
open_fit <- "tectree.fit"

in_transaction <- function(link) {
  if (link$name == "duckdb") {
    # Each statement has its own transaction, unless one has been begun.
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
  # This is an error only within a transaction.
  said <- probe("BEGIN", "ROLLBACK")
  inside <- grepl("within a transaction", said, fixed = TRUE)
  if (any(!inside)) abort_answer(link, "a transaction", said)
  length(inside) > 0L
}

# Sets a savepoint in a transaction of the user, which our errors would end. Returns whether it did.
set_savepoint <- function(link, inside = in_transaction(link)) {
  if (link$name != "postgres" || !inside) {
    return(FALSE)
  }
  begin(link, "SAVEPOINT tec_fit")
  TRUE
}

# Undoes everything since the savepoint.
end_savepoint <- function(link) {
  for (how in c("ROLLBACK TO", "RELEASE")) quietly(link, paste(how, "SAVEPOINT tec_fit"))
}

in_savepoint <- function(link, question) {
  if (set_savepoint(link)) on.exit(end_savepoint(link))
  question
}

# At another isolation level, each query may see different rows.
check_isolation <- function(link) {
  level <- ask(link, "SHOW transaction_isolation", "a transaction")[[1L]]
  if (grepl("repeatable|serializable", level)) {
    return(invisible())
  }
  abort_database(c(
    "All queries of a tree must see the same state of the table.",
    x = "The connection is in a transaction of level {.val {level}}, which does not ensure it.",
    i = "End it first, with {.code COMMIT}, or begin it with
         {.code BEGIN ISOLATION LEVEL REPEATABLE READ}."
  ))
}

# The number of rows changed by this connection of SQLite, which sees its own changes.
own_changes <- function(link) {
  if (link$name != "sqlite") {
    return(0)
  }
  as.numeric(run_query(link$con, "SELECT total_changes() AS n")$n)
}

# Called at the end of a fit. `root`: the counts of all rows at its beginning.
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
      x = "Its counts differ from those at the beginning.",
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

# Ends what is ours, and repeats this if a time limit interrupted it.
close_counter <- function(s) {
  suspendInterrupts(tryCatch(end_counter(s), error = function(e) {
    end_counter(s)
    stop(e)
  }))
  invisible()
}

# A lost connection has already dropped its temporary tables.
end_counter <- function(s) {
  if (isTRUE(s$transaction) && s$link$name != "sqlite") {
    # This also drops the tables.
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

# Returns whether it succeeded.
quietly <- function(link, sql) {
  tryCatch(
    {
      suppressWarnings(run_statement(link$con, sql))
      TRUE
    },
    error = but_limits(function(e) FALSE)
  )
}

# In SQLite, keeps what the user has written on this connection in the meantime, if possible.
commit_others <- function(link) {
  if (quietly(link, "COMMIT")) {
    return(invisible())
  }
  if (quietly(link, "ROLLBACK")) {
    tec_warn("changed", c(
      "Changes made on the connection while the tree was growing were rolled back.",
      x = "The database refused them, for example because another session was reading.",
      i = "Make them again, or use another connection."
    ))
  }
}

# Calls `close` when the function with this frame ends, in whatever way.
close_at_end <- function(close, frame) {
  if (!is.null(frame)) do.call(on.exit, list(as.call(list(close)), TRUE, FALSE), envir = frame)
}
