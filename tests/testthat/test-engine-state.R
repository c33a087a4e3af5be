# A fit sees one state of the table, whatever others write in the meantime.

state_rows <- function() {
  set.seed(41)
  n <- 800
  d <- data.frame(a = sample(8, n, TRUE), b = sample(6, n, TRUE), c = sample(9, n, TRUE))
  d$y <- ifelse(stats::runif(n) < 0.2, "u", ifelse(d$a + d$b > 8, "v", "w"))
  d
}

# Grows while `meddle()` is called when a level of this number has been counted.
grow_while <- function(con, meddle, level = 1L, ...) {
  withCallingHandlers(
    tec_tree(
      y ~ a + b + c, con, table = "state", max_depth = 5, prune = "none", min_bucket = 5,
      engine = tec_engine(collect_rows = 0, progress = TRUE, ...)
    ),
    message = function(m) {
      if (grepl(paste0("^Level ", level, ":"), conditionMessage(m))) meddle()
      invokeRestart("muffleMessage")
    }
  )
}

# Rows that change places: every count of one column by class stays what it was.
swap <- paste(
  "UPDATE state SET a = 9 - a,",
  "y = CASE WHEN y = 'v' THEN 'w' WHEN y = 'w' THEN 'v' ELSE y END"
)

test_that("SQLite: an UPDATE by another connection between levels changes nothing", {
  skip_if_not_installed("RSQLite")
  for (journal in c("wal", "delete")) {
    file <- withr::local_tempfile(fileext = ".sqlite")
    con <- DBI::dbConnect(RSQLite::SQLite(), file)
    other <- DBI::dbConnect(RSQLite::SQLite(), file)
    DBI::dbGetQuery(con, paste0("PRAGMA journal_mode = ", journal))
    DBI::dbWriteTable(con, "state", state_rows())
    alone <- grow_while(con, function() NULL)
    for (strategy in c("stream", "group")) {
      said <- NULL
      meddle <- function() {
        said <<- tryCatch(
          paste(DBI::dbExecute(other, swap), "rows"), error = function(e) conditionMessage(e)
        )
      }
      fit <- grow_while(con, meddle, strategy = strategy)
      expect_identical(fit$tree, alone$tree)
      # With a write-ahead log others write; with a rollback journal they wait.
      expect_match(said, if (journal == "wal") "800 rows" else "locked")
      if (journal == "wal") DBI::dbExecute(other, swap)
    }
    # The transaction has ended: others write again.
    expect_identical(as.numeric(DBI::dbExecute(other, swap)), 800)
    DBI::dbDisconnect(other)
    DBI::dbDisconnect(con)
  }
})

test_that("SQLite: a transaction of the user stays open, and its changes are detected", {
  skip_if_not_installed("RSQLite")
  # A connection of its own: others may be in a transaction.
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "state", state_rows())
  alone <- grow_while(con, function() NULL)
  DBI::dbBegin(con)
  withr::defer(DBI::dbRollback(con))
  expect_identical(grow_while(con, function() NULL)$tree, alone$tree)
  error <- tryCatch(grow_while(con, function() DBI::dbExecute(con, swap)), error = identity)
  expect_true(inherits(error, c("tec_error_changed", "tec_error_counts")))
})

test_that("PostgreSQL: a transaction in which each query sees different rows is refused", {
  con <- engine_connection("postgres")
  other <- connect_postgres("one")
  put_table("postgres", "state", state_rows())
  meddle <- function() run_engine(other, swap)
  alone <- grow_while(con, function() NULL)
  expect_identical(grow_while(con, meddle, encode = "inline")$tree, alone$tree)
  run_engine(other, swap)
  # Last, since it skips the rest on CRAN.
  withr::defer(DBI::dbExecute(con, "ROLLBACK"))
  DBI::dbExecute(con, "BEGIN ISOLATION LEVEL REPEATABLE READ")
  expect_identical(grow_while(con, meddle, encode = "inline")$tree, alone$tree)
  DBI::dbExecute(con, "ROLLBACK")
  DBI::dbExecute(con, "BEGIN")
  expect_snapshot(error = TRUE, grow_while(con, meddle, encode = "inline"))
})

test_that("PostgreSQL: tec_cleanup() ends a transaction that a fit has left open, and no other", {
  con <- connect_postgres("one")
  level <- function() run_query(con, "SHOW transaction_isolation")[[1L]]
  start_transaction(list2env(list(link = sql_link(con))))
  expect_identical(level(), "repeatable read")
  tec_cleanup(con)
  expect_identical(level(), "read committed")
  # A query of it has failed.
  start_transaction(list2env(list(link = sql_link(con))))
  try(suppressWarnings(run_query(con, "SELECT 1 FROM nowhere")), silent = TRUE)
  tec_cleanup(con)
  expect_identical(as.numeric(run_query(con, "SELECT 1 AS n")$n), 1)
  DBI::dbExecute(con, "BEGIN ISOLATION LEVEL SERIALIZABLE")
  tec_cleanup(con)
  expect_identical(level(), "serializable")
  DBI::dbExecute(con, "ROLLBACK")
})

test_that("files that are rewritten while the tree grows are an error", {
  con <- engine_connection("duckdb")
  file <- withr::local_tempfile(fileext = ".parquet")
  put_table("duckdb", "state", state_rows())
  write <- function() {
    run_engine(con, paste0("COPY state TO ", quote_text(sql_link(con), file), " (FORMAT PARQUET)"))
  }
  grow <- function(meddle) {
    withCallingHandlers(
      tec_tree(y ~ a + b + c, file, max_depth = 5, prune = "none", min_bucket = 5,
        engine = tec_engine(collect_rows = 0, progress = TRUE, encode = "inline")),
      message = function(m) {
        if (grepl("^Level 4:", conditionMessage(m))) meddle()
        invokeRestart("muffleMessage")
      }
    )
  }
  write()
  expect_s3_class(grow(function() NULL), "tec_tree")
  run_engine(con, swap)
  expect_error(grow(write), class = "tec_error")
})

# Calls `fit()` again and again, which fails at its first statement, its second, and so on; in the
# test command at every fourth.
# `fail(run)` has the statement or query run, or not, and stops; `check(n, ended)` follows each fit,
# `ended` is its error.
# Returns how many statements there are.
fail_at_each <- function(fit, fail, check) {
  every <- if (all_cases()) 1 else 4
  n <- in_turn(seq_len(every), 1) - every
  at <- 0
  ended <- NULL
  meddled <- function(name) {
    run <- getNamespace("tectree")[[name]]
    function(con, sql) {
      at <<- at + 1
      if (at == n) fail(function() run(con, sql), sql) else run(con, sql)
    }
  }
  for (name in c("run_query", "run_statement", "send_query")) {
    local_binding(name, meddled(name))
  }
  repeat {
    n <- n + every
    at <- 0
    whole <- tryCatch(
      {
        done <- tryCatch(inherits(fit(), "tec_tree"), error = function(e) {
          ended <<- e
          FALSE
        })
        # An interrupt that came while the fit ended waits for this.
        Sys.sleep(0.001)
        done
      },
      interrupt = function(e) FALSE
    )
    if (at < n) {
      # Nothing was made to fail.
      if (!isTRUE(whole)) stop(ended)
      return(at)
    }
    at <- -Inf
    check(n, ended)
  }
}

# The ways in which a statement fails. No database refuses to end a transaction or to drop what a
# fit has made, nor to set back a setting; to commit it may. A time limit waits until a transaction
# has begun.
failures <- list(
  refused = function(run, sql) {
    # Whose error is the answer.
    if (grepl("tec_probe", sql)) {
      return(run())
    }
    if (grepl("^(ROLLBACK|RELEASE|DROP TABLE IF EXISTS|SET )", sql)) run()
    stop("no more")
  },
  interrupted = function(run, sql) {
    run()
    rlang::interrupt()
  },
  late = function(run, sql) {
    if (sql != "BEGIN") try(run(), silent = TRUE)
    stop("reached elapsed time limit")
  }
)

for (engine in c("sqlite", "duckdb", "postgres")) {
  test_that(paste("a fit that fails at any statement leaves the connection as it was:", engine), {
    slow_out_of_turn(engine, c("sqlite", "duckdb"), 1)
    con <- engine_connection(engine)
    put_table(engine, "state", state_rows()[1:40, ])
    link <- sql_link(con)
    one <- function(sql) as.numeric(run_query(con, sql)[[1L]])
    state <- function() {
      list(
        in_transaction(link), run_query(con, link$dialect$temporaries)$name,
        if (engine == "duckdb") one("SELECT current_setting('perfect_ht_threshold') AS v")
      )
    }
    ways <- list(list(encode = "table", strategy = "group", advance_every = 1))
    if (engine == "sqlite") ways <- c(ways, list(list(strategy = "stream")))
    for (way in ways) {
      fit <- function() {
        suppressMessages(suppressWarnings(tec_tree(
          y ~ a + b, con, table = "state", max_depth = 2, prune = "none",
          engine = do.call(tec_engine, c(list(collect_rows = 0, progress = FALSE), way))
        )))
      }
      before <- state()
      for (how in names(failures)) {
        n <- fail_at_each(fit, failures[[how]], function(n, ended) {
          expect_identical(state(), before, label = paste(how, n))
          if (how == "late") {
            expect_s3_class(ended, "simpleError")
            expect_identical(conditionMessage(ended), "reached elapsed time limit")
          }
        })
        expect_gt(n, 8)
      }
      # In DuckDB an error ends the transaction of the user, too.
      if (engine == "duckdb") next
      isolation <- if (engine == "postgres") " ISOLATION LEVEL REPEATABLE READ"
      run_engine(con, paste0("BEGIN", isolation))
      run_engine(con, "UPDATE state SET a = 77 WHERE a = 1")
      changed <- one("SELECT COUNT(*) AS n FROM state WHERE a = 77")
      before <- state()
      n <- fail_at_each(fit, failures$refused, function(n, ended) {
        expect_identical(state(), before, label = paste("within a transaction", n))
        expect_identical(one("SELECT COUNT(*) AS n FROM state WHERE a = 77"), changed)
      })
      run_engine(con, "ROLLBACK")
      expect_identical(one("SELECT COUNT(*) AS n FROM state WHERE a = 77"), 0)
    }
  })
}

test_that("SQLite: a refused COMMIT ends the transaction and says what was rolled back", {
  skip_if_not_installed("RSQLite")
  file <- withr::local_tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), file)
  other <- DBI::dbConnect(RSQLite::SQLite(), file)
  withr::defer({
    DBI::dbDisconnect(other)
    DBI::dbDisconnect(con)
  })
  DBI::dbExecute(con, "PRAGMA busy_timeout = 0")
  DBI::dbWriteTable(con, "state", state_rows())
  meddle <- function() {
    DBI::dbExecute(other, "BEGIN")
    DBI::dbGetQuery(other, "SELECT COUNT(*) FROM state")
    DBI::dbExecute(con, swap)
  }
  expect_warning(
    expect_error(grow_while(con, meddle, strategy = "stream"), class = "tec_error"),
    class = "tec_warning_changed"
  )
  expect_false(in_transaction(sql_link(con)))
})
