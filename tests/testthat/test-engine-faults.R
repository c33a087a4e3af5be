# Problems of a table, a connection or a session while a tree grows.

fault_rows <- function() {
  set.seed(31)
  n <- 1500
  d <- data.frame(
    a = sample(12, n, TRUE) / 4, b = sample(letters[1:5], n, TRUE), c = sample(9, n, TRUE) * 1.5,
    stringsAsFactors = FALSE
  )
  d$y <- ifelse(stats::runif(n) < 0.3, sample(c("u", "v", "w"), n, TRUE),
    ifelse(d$a > 2, "u", ifelse(d$b %in% c("a", "e") | d$c > 9, "v", "w"))
  )
  d
}

# Grows while `meddle()` is called when a level of this number has been counted.
grow_meddled <- function(con, level = 2L, meddle = function() NULL, ...) {
  withCallingHandlers(
    tec_tree(
      y ~ a + b + c, con, table = "fault", max_depth = 6, prune = "none", min_bucket = 5,
      missing = "majority", engine = tec_engine(collect_rows = 0, progress = TRUE, ...)
    ),
    message = function(m) {
      if (grepl(paste0("^Level ", level, ":"), conditionMessage(m))) meddle()
      invokeRestart("muffleMessage")
    }
  )
}

for (engine in c("sqlite", "duckdb")) {
  test_that(paste("rows that come or go between levels are an error, never another tree:", engine),
    {
    slow_out_of_turn(engine, c("sqlite", "duckdb"), 1)
    con <- engine_connection(engine)
    changes <- c(
      "DELETE FROM fault WHERE a = 1 AND b = 'a'",
        "INSERT INTO fault SELECT * FROM fault WHERE c > 12",
      "UPDATE fault SET y = 'u' WHERE y = 'w'", "UPDATE fault SET a = 3 WHERE a = 0.25",
      "UPDATE fault SET b = 'new' WHERE b = 'c'"
    )
    ways <- if (engine == "sqlite") list(list(strategy = "stream"),
      list(strategy = "group", encode = "inline")) else
      list(list(encode = "inline"))
    for (way in ways) {
      for (change in in_turn(changes, 2)) {
        put_table(engine, "fault", fault_rows())
        error <- tryCatch(
          do.call(grow_meddled, c(list(con, meddle = function() run_engine(con, change)), way)),
          tec_error = identity
        )
        expect_s3_class(error, "tec_error")
        expect_true(inherits(error, c("tec_error_counts", "tec_error_changed")), label = change)
      }
    }
  })
}

test_that("the error names the node and both numbers", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "fault", fault_rows())
  expect_snapshot(show_errors({
    grow_meddled(con, meddle = function() {
      run_engine(con, "DELETE FROM fault WHERE b = 'a' AND c < 5")
    })
  }))
})

test_that("codes in a temporary table do not change with the table", {
  for (engine in c("sqlite", "duckdb")) {
    con <- tryCatch(engine_connection(engine), skip = function(e) NULL)
    if (is.null(con)) next
    put_table(engine, "fault", fault_rows())
    way <- list(strategy = "group", encode = "table")
    fit <- do.call(grow_meddled, c(list(con), way))
    meddle <- function() run_engine(con, "DELETE FROM fault")
    meddled <- do.call(grow_meddled, c(list(con, meddle = meddle), way))
    expect_identical(meddled$tree, fit$tree)
  }
})

test_that("PostgreSQL: changes by others in the meantime have no effect", {
  slow_test()
  con <- connect_postgres("one")
  other <- connect_postgres("one")
  put_table("postgres", "fault", fault_rows())
  fit <- grow_meddled(con)
  meddled <- grow_meddled(con, meddle = function() {
    DBI::dbExecute(other, "DELETE FROM fault WHERE a > 1")
  })
  expect_identical(meddled$tree, fit$tree)
  expect_false(identical(grow_meddled(con)$tree, fit$tree))
})

test_that("a lost connection: the fit resumes on another one", {
  con <- connect_postgres("one")
  other <- connect_postgres("one")
  put_table("postgres", "fault", fault_rows())
  fit <- grow_meddled(con)
  file <- withr::local_tempfile(fileext = ".rds")
  pid <- DBI::dbGetQuery(con, "SELECT pg_backend_pid() AS p")$p
  expect_error(
    grow_meddled(con, 3L, function() {
      DBI::dbGetQuery(other, paste0("SELECT pg_terminate_backend(", pid, ")"))
    }, checkpoint = file),
    class = "tec_error_database"
  )
  again <- tec_resume(file, other, table = "fault",
    engine = tec_engine(collect_rows = 0, progress = FALSE))
  expect_identical(again$tree, fit$tree)
  # The levels that were counted before are not counted again.
  expect_lt(sum(tec_passes(again)$what == "counts"), sum(tec_passes(fit)$what == "counts"))
  expect_length(DBI::dbGetQuery(other, tectree:::count_dialects()$postgres$temporaries)$name, 0L)
})

test_that("a lost shard is an error, and the fit resumes when it is back", {
  slow_test()
  con <- engine_connection("shards")
  put_table("shards", "fault", fault_rows())
  fit <- grow_meddled(con)
  file <- withr::local_tempfile(fileext = ".rds")
  kill <- function() {
    DBI::dbGetQuery(engines$shard3, paste(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
      "WHERE application_name = 'postgres_fdw'"
    ))
  }
  expect_error(grow_meddled(con, 2L, kill, checkpoint = file), class = "tec_error_database")
  again <- tec_resume(file, con, table = "fault", engine = tec_engine(collect_rows = 0,
    progress = FALSE))
  expect_identical(again$tree, fit$tree)
})

test_that("errors and interrupts leave no temporary tables", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "fault", fault_rows())
  left <- function() DBI::dbGetQuery(con, tectree:::count_dialects()$sqlite$temporaries)$name
  grow <- function(...) {
    grow_meddled(con, strategy = "group", encode = "table", advance_every = 1, ...)
  }
  during <- character()
  fit <- grow(level = 4L, meddle = function() during <<- left())
  expect_true(any(grepl("_level_", during)))
  expect_identical(left(), character())
  expect_error(grow(meddle = function() stop("no more")), "no more")
  expect_identical(left(), character())
  tryCatch(
    grow(meddle = function() rlang::interrupt()),
    interrupt = function(e) NULL
  )
  expect_identical(left(), character())
  expect_identical(grow_meddled(con, strategy = "stream")$tree, fit$tree)
})

test_that("a read-only database counts without a table of codes", {
  d <- fault_rows()
  inline <- function(con, ...) {
    fit <- grow_meddled(con, ...)
    expect_false("a temporary table" %in% tec_passes(fit)$what)
    fit$tree
  }
  con <- connect_sqlite()
  DBI::dbWriteTable(con, "fault", d)
  whole <- grow_meddled(con)$tree
  DBI::dbExecute(con, "PRAGMA query_only = ON")
  expect_identical(inline(con, strategy = "group"), whole)
  expect_error(grow_meddled(con, strategy = "group", encode = "table"), "readonly",
    class = "tec_error_database")
  con <- engine_connection("spark")
  put_table("spark", "fault", d)
  local_binding("run_statement", function(con, sql) {
    if (grepl("^CACHE", sql)) stop("[INSUFFICIENT_PERMISSIONS] may not CREATE")
    0
  })
  expect_identical(inline(con), whole)
})

test_that("DuckDB: a database opened read-only has temporary tables", {
  slow_test()
  skip_if_not(inherits(engine_connection("duckdb"), "adbc_connection"), "for ADBC")
  file <- withr::local_tempfile(fileext = ".duckdb")
  open <- function(...) {
    driver <- adbcdrivermanager::adbc_driver(Sys.getenv("TECTREE_DUCKDB"), "duckdb_adbc_init")
    database <- adbcdrivermanager::adbc_database_init(driver, path = file, ...)
    adbcdrivermanager::adbc_connection_init(database)
  }
  con <- open()
  run_engine(con, create_sql("duckdb", con, "fault", fault_rows()))
  insert_rows("duckdb", con, "fault", fault_rows())
  whole <- grow_meddled(con)$tree
  adbcdrivermanager::adbc_connection_release(con)
  rm(con)
  gc()
  con <- open(access_mode = "READ_ONLY")
  expect_error(run_engine(con, "CREATE TABLE z AS SELECT 1 AS x"), "read-only")
  expect_identical(grow_meddled(con)$tree, whole)
})
