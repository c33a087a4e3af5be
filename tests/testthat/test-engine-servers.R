# Counters on real servers: what is pushed to shards, one state of the data, limits and faults.

# A counter whose columns are coded by all their values.
plain_counter <- function(con, query, response, predictors, ...) {
  counter <- tectree:::sql_counter(con, query, response, predictors, ...)
  counter$encode(lapply(counter$meta()$columns, function(column) list(values = column$values)))
  counter
}

series <- function(n) {
  paste0(
    "SELECT CAST(i % 7 AS double precision) AS a, CAST(i % 11 AS double precision) AS b, ",
    "CASE WHEN i % 3 = 0 THEN 'no' ELSE 'yes' END AS y FROM generate_series(1, ", n, ") i"
  )
}

small_tree <- list(column = 1L, branch = c(0L, 1L, 1L, 1L, 1L, 2L, 2L, 2L), children = list(2, 3))

shard_table <- function(n = 900) {
  set.seed(21)
  d <- data.frame(
    a = sample(1:7, n, TRUE) / 2, b = sample(letters[1:4], n, TRUE),
      y = sample(c("u", "v"), n, TRUE),
    stringsAsFactors = FALSE
  )
  put_table("shards", "parts", d)
  d
}

test_that("each server counts its part", {
  con <- engine_connection("shards")
  d <- shard_table()
  counter <- plain_counter(con, "SELECT * FROM parts", "y", c("a", "b"))
  before <- shard_work()
  cells <- counter$counts(small_tree, list())
  expect_equal(sum(cells$n), 2 * nrow(d))
  passes <- counter$passes()
  counts <- passes[passes$what == "counts", ]
  expect_identical(counts$plan, "pushed down")
  # At most a row for each server, column, code, class and node comes back.
  expect_lte(counts$rows, 3 * (7 + 4) * 2 * 2)
  counter$close()
  # Each of them was busy, and gave back cells, not its 300 rows for each column.
  work <- shard_work() - before
  expect_true(all(work[, "seconds"] > 0))
  expect_true(all(work[, "rows"] > 0 & work[, "rows"] <= (7 + 4) * 2 * 2))
})

test_that("conditions on levels and deep trees are sent to the servers", {
  con <- engine_connection("shards")
  shard_table()
  counter <- plain_counter(con, "SELECT * FROM parts", "y", c("a", "b"))
  set.seed(22)
  codes <- lapply(counter$meta()$columns, function(column) list(values = column$values))
  for (i in 1:5) expect_no_warning(counter$counts(random_frontier(codes, 6), list()))
  passes <- counter$passes()
  expect_true(all(passes$plan[passes$what == "counts"] == "pushed down"))
  counter$close()
})

test_that("a plan that transfers rows gives a warning", {
  con <- engine_connection("shards")
  shard_table()
  query <- "SELECT a, b, y FROM parts"
  expect_warning(
    counter <- plain_counter(con, query, "y", c("a", "b")), class = "tec_warning_plan"
  )
  counter$close()
  # The query has no pushed aggregate where a function of the user's must be evaluated here.
  query <- "SELECT a, CASE WHEN random() < 2 THEN b END AS b, y, shard FROM parts"
  counter <- plain_counter(con, query, "y", c("a", "b"), settings = list(shard_key = "shard"))
  expect_warning(counter$counts(small_tree, list()), class = "tec_warning_plan")
  expect_identical(utils::tail(counter$passes()$plan, 1L), "rows shipped")
  # Once is enough.
  expect_no_warning(counter$counts(small_tree, list()))
  counter$close()
})

test_that("a fit sees one state of the data", {
  con <- connect_postgres("one")
  other <- connect_postgres("one")
  DBI::dbExecute(other, paste("CREATE TABLE moving AS", series(700)))
  counter <- plain_counter(con, "SELECT * FROM moving", "y", c("a", "b"))
  first <- counter$counts(small_tree, list())
  DBI::dbExecute(other, "DELETE FROM moving WHERE a > 3")
  DBI::dbExecute(other, "INSERT INTO moving VALUES (99, 99, 'never')")
  expect_identical(counter$counts(small_tree, list()), first)
  counter$close()
  counter <- plain_counter(con, "SELECT * FROM moving", "y", c("a", "b"))
  expect_lt(sum(counter$counts(1, list())$n), sum(first$n))
  counter$close()
  DBI::dbExecute(other, "DROP TABLE moving")
})

test_that("a transaction of the user stays unchanged", {
  con <- connect_postgres("one")
  DBI::dbExecute(con, "BEGIN ISOLATION LEVEL REPEATABLE READ")
  DBI::dbExecute(con, paste("CREATE TEMP TABLE mine AS", series(50)))
  counter <- plain_counter(con, "SELECT * FROM mine", "y", c("a", "b"),
    settings = list(encode = "table"))
  counter$counts(small_tree, list())
  counter$close()
  expect_identical(as.numeric(DBI::dbGetQuery(con, "SELECT COUNT(*) FROM mine")[[1L]]), 50)
  expect_length(DBI::dbGetQuery(con, tectree:::count_dialects()$postgres$temporaries)$name, 1L)
  DBI::dbExecute(con, "ROLLBACK")
})

test_that("a user with read access only needs no temporary tables", {
  con <- connect_postgres("one")
  DBI::dbExecute(con, paste("CREATE TABLE readable AS", series(300)))
  DBI::dbExecute(con, "CREATE ROLE reader LOGIN")
  DBI::dbExecute(con, "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
  DBI::dbExecute(con, "GRANT SELECT ON readable TO reader")
  reader <- connect_postgres("one", "reader")
  counter <- tectree:::sql_counter(reader, "SELECT * FROM readable", "y", c("a", "b"))
  codes <- list(list(cuts = c(1, 3)), list(cuts = c(2, 5, 8)))
  counter$encode(codes)
  cells <- counter$counts(1, list())
  counter$close()
  counter <- tectree:::sql_counter(con, "SELECT * FROM readable", "y", c("a", "b"))
  counter$encode(codes)
  expect_true("a temporary table" %in% counter$passes()$what)
  expect_identical(sort_cells(counter$counts(1, list())), sort_cells(cells))
  counter$close()
  counter <- tectree:::sql_counter(reader, "SELECT * FROM readable", "y", "a",
    settings = list(encode = "table"))
  expect_error(counter$encode(codes[1L]), "encode", class = "tec_error_database")
  counter$close()
  # The connection is of use again.
  expect_identical(as.numeric(DBI::dbGetQuery(reader, "SELECT COUNT(*) FROM readable")[[1L]]), 300)
  DBI::dbExecute(con, "GRANT TEMPORARY ON DATABASE postgres TO PUBLIC")
  DBI::dbDisconnect(reader)
  DBI::dbExecute(con, "DROP TABLE readable")
  DBI::dbExecute(con, "DROP ROLE reader")
})

test_that("a time limit of the server is an error that says so", {
  con <- connect_postgres("one")
  counter <- plain_counter(con, series(300), "y", c("a", "b"))
  DBI::dbExecute(con, "SET statement_timeout = 1")
  slow <- series(3e6)
  expect_error(counter$ask(slow, "all rows"), "timeout", class = "tec_error_database")
  DBI::dbExecute(con, "ROLLBACK")
  DBI::dbExecute(con, "SET statement_timeout = 0")
  counter$close()
})

test_that("waits for a lock, and for R, are errors that name the setting", {
  con <- connect_postgres("one")
  other <- connect_postgres("one")
  DBI::dbExecute(con, paste("CREATE TABLE locked AS", series(300)))
  engine <- tec_engine(collect_rows = 0)
  grow <- function(use) tec_tree(y ~ ., use, table = "locked", prune = "none", engine = engine)
  DBI::dbExecute(other, "BEGIN")
  DBI::dbExecute(other, "LOCK TABLE locked")
  DBI::dbExecute(con, "SET lock_timeout = 20")
  error <- expect_error(suppressMessages(grow(con)), class = "tec_error_database")
  expect_match(conditionMessage(error), "Another session holds a lock", fixed = TRUE)
  DBI::dbExecute(other, "ROLLBACK")
  DBI::dbExecute(other, "SET idle_in_transaction_session_timeout = 20")
  slow <- function(m) {
    Sys.sleep(0.1)
    invokeRestart("muffleMessage")
  }
  error <- expect_error(
    withCallingHandlers(grow(other), message = slow), class = "tec_error_database"
  )
  expect_match(conditionMessage(error), "SET idle_in_transaction_session_timeout", fixed = TRUE)
  DBI::dbExecute(con, "DROP TABLE locked")
})

test_that("a lost connection is an error that says so", {
  con <- connect_postgres("one")
  counter <- plain_counter(con, series(300), "y", c("a", "b"))
  killer <- connect_postgres("one")
  pid <- DBI::dbGetQuery(con, "SELECT pg_backend_pid() AS p")$p
  DBI::dbGetQuery(killer, paste0("SELECT pg_terminate_backend(", pid, ")"))
  error <- expect_error(counter$counts(small_tree, list()), class = "tec_error_database")
  expect_match(conditionMessage(error), "connection|server|terminat")
  expect_no_error(counter$close())
})

test_that("a lost server of a shard is an error that names it", {
  con <- engine_connection("shards")
  shard_table()
  counter <- plain_counter(con, "SELECT * FROM parts", "y", c("a", "b"))
  whole <- counter$counts(small_tree, list())
  shard <- engines$shard2
  DBI::dbGetQuery(shard, paste(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'postgres_fdw'"
  ))
  expect_error(counter$counts(small_tree, list()), class = "tec_error_database")
  counter$close()
  # The next fit connects anew.
  counter <- plain_counter(con, "SELECT * FROM parts", "y", c("a", "b"))
  expect_identical(sort_cells(counter$counts(small_tree, list())), sort_cells(whole))
  counter$close()
})

test_that("an interrupt ends the query on the server and leaves nothing", {
  skip_if_not_installed("RPostgres")
  skip_on_os("windows")
  con <- connect_postgres("one")
  script <- withr::local_tempfile(fileext = ".R")
  ready <- withr::local_tempfile()
  ended <- withr::local_tempfile()
  writeLines(c(
    "library(tectree)",
    sprintf("con <- DBI::dbConnect(RPostgres::Postgres(), host = %s, user = 'postgres',",
      deparse(engines$folders$one)),
    "  dbname = 'postgres', check_interrupts = TRUE)",
    "invisible(DBI::dbExecute(con, \"SET application_name = 'to_interrupt'\"))",
    "small <- 'SELECT 1.5::float8 AS a, 2::float8 AS b, \\'u\\' AS y'",
    "counter <- tectree:::sql_counter(con, small, 'y', c('a', 'b'))",
    "counter$encode(list(list(cuts = 1), list(cuts = 2)))",
    sprintf("file.create(%s)", deparse(ready)),
    "sql <- 'SELECT COUNT(*) AS n FROM generate_series(1, 1000000000)'",
    "said <- tryCatch(counter$ask(sql, 'rows'),",
    "  interrupt = function(e) 'interrupted')",
    "counter$close()",
    "left <- DBI::dbGetQuery(con, tectree:::count_dialects()$postgres$temporaries)",
    sprintf("writeLines(c(said, nrow(left)), %s)", deparse(ended)),
    "Sys.sleep(30)"
  ), script)
  pid <- start_r(script)
  on.exit(tools::pskill(pid, 9L))
  activity <- function() {
    DBI::dbGetQuery(
      con, "SELECT state, query FROM pg_stat_activity WHERE application_name = 'to_interrupt'")
  }
  expect_true(wait_for(file.exists(ready)))
  expect_true(wait_for(any(grepl("generate_series",
    activity()$query) & activity()$state == "active")))
  tools::pskill(pid, tools::SIGINT)
  expect_true(wait_for(file.exists(ended) && length(readLines(ended)) == 2L))
  expect_identical(readLines(ended), c("interrupted", "0"))
  expect_identical(activity()$state, "idle")
})

test_that("RSQLite and PostgreSQL: only tables left by a killed session are dropped", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", data.frame(a = 1:9 / 2, y = letters[1:3]))
  counter <- plain_counter(con, "SELECT * FROM t", "y", "a", settings = list(encode = "table"))
  DBI::dbExecute(con, "CREATE TEMP TABLE tec_mine AS SELECT 1 AS a")
  left <- tec_cleanup(con)
  expect_match(left, "^tec_[0-9a-f]{6}_codes_1$")
  expect_setequal(DBI::dbListTables(con), c("t", "tec_mine"))
  expect_no_error(counter$close())
  con_pg <- connect_postgres("one")
  DBI::dbExecute(con_pg, "CREATE TEMP TABLE tec_0123ab_codes_1 AS SELECT 1 AS a")
  expect_identical(tec_cleanup(con_pg), "tec_0123ab_codes_1")
})
