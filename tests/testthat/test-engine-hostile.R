# Names, columns and trees that break careless SQL: the tree equals that in memory, or an error says
# why not.

count_all <- function(...) tec_engine(collect_rows = 0, progress = FALSE, ...)

# In an engine, by name; of the rows of `d`.
stored_rows <- function(engine, d) {
  if (engine == "cluster") {
    side <- rep_len(1:2, nrow(d))
    return(list(give_parts(cluster_of_two(), list(d[side == 1L, ], d[side == 2L, ])), "part"))
  }
  put_table(engine, "hostile", as_stored(engine, d))
  list(engine_connection(engine), "hostile")
}

for (engine in c("sqlite", "duckdb", "postgres", "cluster")) {
  test_that(paste("factor() of a column makes classes, fetched or counted:", engine), {
    d <- data.frame(x = rep(1:10, 6), y = rep(c(3, 3, 3, 10, 10, 20), 10))
    here <- tec_tree(factor(y) ~ ., d, cp = 0)
    at <- stored_rows(engine, d)
    for (rows in c(Inf, 0)) {
      there <- tec_tree(factor(y) ~ ., at[[1L]], table = at[[2L]], cp = 0,
        engine = tec_engine(collect_rows = rows, progress = FALSE))
      expect_identical(there$response$levels, c("3", "10", "20"))
      expect_identical(there$tree, here$tree)
    }
  })

  test_that(paste("predictors may have any name:", engine), {
    set.seed(3)
    d <- as.data.frame(lapply(1:9, function(i) sample(4, 120, TRUE)))
    names(d) <- c(".response", ".weight", ".weights", ".key", "y", "w", "k", "node", "x2")
    d$out <- ifelse(d$.response + d$.weights > 4, "a", ifelse(d$w > 2, "b", "c"))
    here <- tec_tree(out ~ ., d, prune = "none", missing = "majority")
    at <- stored_rows(engine, d)
    for (rows in c(Inf, 50, 0)) {
      there <- tec_tree(out ~ ., at[[1L]], table = at[[2L]], prune = "none", missing = "majority",
        engine = tec_engine(collect_rows = rows, progress = FALSE))
      expect_identical(there$tree, here$tree)
      expect_identical(predict(there, d), predict(here, d))
    }
  })

  test_that(paste("random hostile tables have memory's tree:", engine), {
    if (engine != "sqlite") slow_test()
    for (seed in case_seeds(3)) {
      for (way in c("fetched", "counted")) {
        found <- compare_hostile(engine, seed, way)$result
        expect_true(found == "same" || startsWith(found, "tec_error_"),
          label = paste(engine, way, "seed", seed, found))
      }
    }
  })
}

test_that("a column of only NULLs is a column", {
  for (engine in c("sqlite", "duckdb", "postgres")) {
    con <- tryCatch(engine_connection(engine), skip = function(e) NULL)
    if (is.null(con)) next
    d <- data.frame(x = rep(1:4, 5), none = NA_character_, void = NA_real_,
      y = rep(c("a", "b", "b", "a"), 5))
    put_table(engine, "nulls", d)
    here <- suppressWarnings(tec_tree(y ~ ., d, prune = "none", missing = "majority"))
    for (way in same_ways(engine)) {
      there <- quietly_grown(list(y ~ ., data = con, table = "nulls", prune = "none",
        missing = "majority", engine = do.call(count_all, way)))
      expect_identical(there$tree, here$tree)
    }
  }
})

test_that("deep trees and many columns stay within the limits of SQLite", {
  con <- engine_connection("sqlite")
  n <- 60
  # Each split takes one row off.
  d <- data.frame(x = seq_len(n), y = 2^seq_len(n) / 2^30)
  put_table("sqlite", "deep", d)
  here <- tec_tree(y ~ x, d, prune = "none", max_depth = 58, min_split = 2, min_bucket = 1)
  expect_gt(max(tree_depth(here)), 30)
  ways <- c(same_ways("sqlite"), list(
    list(strategy = "group", encode = "inline"),
    list(strategy = "group", encode = "table", advance_every = 40), list(max_values = 20, bins = 5)
  ))
  for (way in in_turn(ways, 1)) {
    there <- tec_tree(y ~ x, con, table = "deep", prune = "none", max_depth = 58, min_split = 2,
      min_bucket = 1, engine = do.call(count_all, way))
    expect_near_tree(there, here, d)
  }
  set.seed(2)
  wide <- as.data.frame(matrix(sample(3, 600 * 40, TRUE), 40))
  wide$y <- ifelse(wide$V600 > 1, "a", "b")
  put_table("sqlite", "wide", wide)
  for (way in in_turn(same_ways("sqlite"), 1)) {
    there <- tec_tree(y ~ ., con, table = "wide", prune = "none", engine = do.call(count_all, way))
    expect_identical(there$tree, tec_tree(y ~ ., wide, prune = "none")$tree)
  }
})

test_that("p values that are adjusted for bins are not called certified", {
  con <- engine_connection("sqlite")
  set.seed(4)
  d <- data.frame(a = stats::rnorm(400), b = sample(5, 400, TRUE))
  d$y <- ifelse(d$a + d$b / 3 + stats::rnorm(400) > 1, "u", "v")
  put_table("sqlite", "chi", d)
  for (criterion in c("chisq", "chisq_lr")) {
    grow <- function(...) {
      tec_tree(y ~ ., con, table = "chi", criterion = criterion, max_depth = 3, prune = "none",
        engine = count_all(...))
    }
    expect_message(fit <- grow(max_values = 100, bins = 20), class = "tec_message_engine")
    expect_false("certified" %in% fit$found)
    expect_error(grow(max_values = 100, bins = 20, exact = "certify"), class = "tec_error_engine")
    all <- grow(max_values = Inf)
    here <- tec_tree(y ~ ., d, criterion = criterion, max_depth = 3, prune = "none")
    expect_identical(all$tree, here$tree)
  }
})

test_that("PostgreSQL: domains, spans of time and infinite dates are columns", {
  con <- engine_connection("postgres")
  run <- function(...) for (sql in c(...)) run_engine(con, sql)
  run(
    "DROP TABLE IF EXISTS odd", "DROP DOMAIN IF EXISTS under_100", "DROP DOMAIN IF EXISTS word",
    "CREATE DOMAIN word AS text", "CREATE DOMAIN under_100 AS integer CHECK (VALUE < 100)",
    "CREATE TABLE odd (n under_100, t word, d date, s timestamp, i interval, c time, y text)",
    paste0(
      "INSERT INTO odd SELECT g % 5, 'w' || g % 3, ",
      "CASE g % 4 WHEN 0 THEN date 'infinity' WHEN 1 THEN ",
      "date '-infinity' ELSE date '2020-01-01' + g % 7 END, CASE WHEN g % 6 = 0 THEN timestamp ",
      "'infinity' ELSE timestamp '2020-01-01 10:00' + g % 5 * interval '1 hour' END, ",
      "g % 4 * interval '90 minutes', time '08:00' + g % 3 * interval '1 hour', ",
      "CASE WHEN g % 4 = 0 THEN 'a' WHEN g % 3 = 0 THEN 'b' WHEN g % 5 > 2 THEN 'c' ELSE 'd' END ",
      "FROM generate_series(1, 240) g"
    )
  )
  g <- 1:240
  d <- data.frame(n = g %% 5, t = paste0("w", g %% 3))
  d$d <- as.Date("2020-01-01") + g %% 7
  d$d[g %% 4 == 0] <- as.Date(Inf)
  d$d[g %% 4 == 1] <- as.Date(-Inf)
  d$s <- as.POSIXct("2020-01-01 10:00", tz = "UTC") + 3600 * (g %% 5)
  d$s[g %% 6 == 0] <- Inf
  d$i <- as.difftime(5400 * (g %% 4), units = "secs")
  d$c <- as.difftime(3600 * (8 + g %% 3), units = "secs")
  d$y <- ifelse(g %% 4 == 0, "a", ifelse(g %% 3 == 0, "b", ifelse(g %% 5 > 2, "c", "d")))
  here <- tec_tree(y ~ ., d, prune = "none")
  for (rows in c(Inf, 0)) {
    there <- tec_tree(y ~ ., con, table = "odd", prune = "none",
      engine = tec_engine(collect_rows = rows, progress = FALSE))
    expect_identical(there$tree, here$tree)
    expect_identical(predict(there, d), predict(here, d))
  }
})

test_that("PostgreSQL: access to some columns, or a read-only server, is enough", {
  con <- engine_connection("postgres")
  run <- function(con, ...) for (sql in c(...)) run_engine(con, sql)
  d <- data.frame(x = rep(1:6, 10), z = rep(1:3, 20), y = rep(c("a", "b", "b", "a", "c", "c"), 10))
  put_table("postgres", "granted", d)
  run(con, "DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN",
    "GRANT SELECT (x, y) ON granted TO reader")
  reader <- connect_postgres("one", user = "reader")
  withr::defer(run(con, "DROP TABLE granted", "DROP ROLE reader"))
  here <- tec_tree(y ~ x, d, prune = "none")
  for (rows in c(Inf, 0)) {
    there <- tec_tree(y ~ ., reader, table = "granted", prune = "none",
      engine = tec_engine(collect_rows = rows, progress = FALSE))
    expect_identical(there$tree, here$tree)
  }
  DBI::dbDisconnect(reader)
  run(con, "SET default_transaction_read_only = on")
  withr::defer(run(con, "SET default_transaction_read_only = off"), priority = "first")
  there <- tec_tree(y ~ ., con, table = "granted", prune = "none", engine = count_all())
  expect_identical(there$tree, tec_tree(y ~ ., d, prune = "none")$tree)
})

test_that("a pool lends one connection to a fit and gets it back", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "pooled", iris_stored <- transform(iris, Species = as.character(Species)))
  lent <- 0
  local_binding("ask_pool", function(what, x) {
    lent <<- lent + if (what == "poolCheckout") 1 else -1
    if (what == "poolCheckout") x$con
  })
  pool <- structure(list(con = con), class = "Pool")
  fit <- tec_tree(Species ~ ., pool, table = "pooled", engine = count_all(), prune = "none")
  expect_identical(fit$tree, tec_tree(Species ~ ., iris_stored, prune = "none")$tree)
  expect_identical(lent, 0)
  expect_error(tec_tree(Species ~ lost, pool, table = "pooled"), class = "tec_error_formula")
  expect_error(tec_tree(Species ~ ., pool), class = "tec_error_data")
  expect_identical(lent, 0)
})

test_that("a chain of 160 levels is counted; one that is too deep is a classed error", {
  slow_test()
  d <- data.frame(x = as.numeric(1:161), y = rep(c("a", "b"), length.out = 161))
  con <- engine_connection("sqlite")
  put_table("sqlite", "chain", d)
  grow <- function(data, ...) {
    tec_tree(y ~ x, data, ..., prune = "none", min_bucket = 1, min_split = 2)
  }
  counted <- function() grow(con, table = "chain", engine = count_all())
  expect_identical(counted()$tree, grow(d)$tree)
  endless <- function(...) endless(...)
  local_binding("take_levels", endless)
  expect_error(counted(), "max_depth.*collect_rows", class = "tec_error_engine")
})

test_that("DuckDB: a tree that is too deep to be counted is a classed error", {
  slow_test()
  d <- data.frame(x = as.numeric(1:260), y = rep(c("a", "b"), 130))
  con <- engine_connection("duckdb")
  put_table("duckdb", "chain", d)
  expect_error(
    tec_tree(y ~ x, con, table = "chain", prune = "none", min_bucket = 1, min_split = 2,
      engine = count_all()),
    "max_depth.*collect_rows", class = "tec_error"
  )
})
