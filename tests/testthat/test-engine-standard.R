# Databases that are not installed here, by their stand-ins (helper-spark.R); counts and trees are
# compared in test-engine-sql.R, -same.R, -bins.R and -hash.R.

test_that("the stand-in of Spark reads texts and refuses statements as Spark does", {
  con <- engine_connection("spark")
  of <- function(sql) DBI::dbGetQuery(con, sql)[[1L]]
  # Two texts side by side are one; a backslash escapes; double quotes are texts, too.
  expect_identical(of("SELECT 'it''s' AS v"), "its")
  expect_identical(of("SELECT 'a\\\\b\\u0027c\\n\\d' AS v"), "a\\b'c\nd")
  expect_identical(of("SELECT \"a\" AS v"), "a")
  expect_identical(of("SELECT typeof(1) AS v"), "int")
  expect_identical(of("SELECT typeof('1') AS v"), "string")
  expect_equal(of("SELECT CAST(-2.7D AS BIGINT) AS v"), -2)
  expect_equal(of("SELECT CAST(CAST(1e300 AS BIGINT) AS DOUBLE) AS v"), 2^63)
  expect_equal(of("SELECT 7 / 2 AS v"), 3.5)
  expect_equal(of("SELECT explode(array(1, 2)) AS v"), 1:2)
  expect_identical(DBI::dbGetQuery(con, "SET spark.sql.shuffle.partitions")$value, "<undefined>")
  refused <- c(
    "SELECT SUM(typeof(1) IN ('integer', 'real')) AS v", "SELECT 1; SELECT 2", "SELECT ? AS v",
    "CREATE TEMPORARY TABLE t AS SELECT 1 AS v", "UPDATE t SET v = 1", "BEGIN TRANSACTION",
    "SELECT 1 AS v FROM a POSITIONAL JOIN b", "SELECT CAST(1 AS DOUBLE PRECISION) AS v",
    "SELECT CAST('a' AS VARCHAR) AS v", "SELECT CAST(1 AS UTINYINT) AS v", "SELECT 1::int AS v",
    "SELECT epoch_us(1) AS v", "SELECT 1 + explode(array(1)) AS v", "ROLLBACK",
    "SELECT explode(array(1)) AS v, explode(array(2)) AS w",
    "SELECT v FROM t FETCH FIRST 1 ROWS ONLY"
  )
  for (sql in refused) expect_error(DBI::dbGetQuery(con, sql), "^\\[", info = sql)
})

test_that("types of columns are those of an answer without rows", {
  answer <- data.frame(
    a = numeric(), b = integer(), c = character(), d = logical(), e = as.Date(character()),
    f = as.POSIXct(character()), g = I(list()), h = as.difftime(numeric(), units = "secs")
  )
  local_binding("ask", function(...) answer)
  s <- list(link = NULL, from = "t")
  types <- tectree:::answer_types(s, letters[1:8])
  expect_identical(unname(types), c(
    "double", "double", "text", "boolean", "date", "timestamp", "AsIs", "difftime"
  ))
  expect_identical(
    unname(tectree:::type_kind(types)),
    c("number", "number", "text", "logical", "date", "time", NA, NA)
  )
  # As Spark names them.
  expect_identical(
    unname(tectree:::type_kind(c("int", "bigint", "decimal(10,2)", "string", "boolean", "date",
      "timestamp_ntz", "array<int>", "struct<a:int>", "binary"))),
    c("number", "number", "number", "text", "logical", "date", "time", NA, NA, NA)
  )
})

test_that("answers in upper case are understood, and the user's names stay", {
  con <- engine_connection("snowflake")
  put_table("snowflake", "mixed", data.frame(a = c(1, 2, 1, 2), B = 1:4, y = c("u", "v", "u", "v")))
  expect_named(DBI::dbGetQuery(con, "SELECT COUNT(*) AS n FROM mixed"), "N")
  source <- tectree:::table_source(con, "mixed")
  expect_identical(source$names, c("a", "B", "y"))
  fit <- suppressMessages(
    tec_tree(y ~ ., con, table = "mixed", engine = tec_engine(collect_rows = 0), min_split = 2)
  )
  expect_identical(fit$columns$name, c("a", "B"))
  expect_equal(n_leaves(fit), 2)
})

test_that("an unknown database grows a tree with standard SQL, and a message says so", {
  con <- engine_connection("standard")
  put_table("standard", "plain", as_stored("standard", data.frame(
    a = c(0.1, 1 / 3, 0.1, 1 / 3), y = c("u", "v", "u", "v")
  )))
  grow <- function() {
    tec_tree(y ~ a, con, table = "plain", min_split = 2, prune = "none",
      engine = tec_engine(collect_rows = 0, progress = FALSE))
  }
  expect_snapshot(fit <- grow())
  expect_identical(fit$tree, tec_tree(y ~ a, data.frame(
    a = c(0.1, 1 / 3, 0.1, 1 / 3), y = c("u", "v", "u", "v")
  ), min_split = 2, prune = "none")$tree)
  # Nothing is written where it is not asked for.
  expect_false(any(tec_passes(fit)$what == "a temporary table"))
  expect_snapshot(error = TRUE, tec_cleanup(con))
})

test_that("the forms that an unknown database accepts are found by queries", {
  learned <- function(con) {
    link <- tectree:::sql_link(con)
    link$name <- "standard"
    link$dialect <- tectree:::count_dialects()$standard
    suppressMessages(tectree:::learn_dialect(link))
    link$dialect
  }
  d <- learned(engine_connection("standard"))
  expect_null(d$nan)
  expect_identical(d$number(Inf), "9e999")
  expect_identical(d$bytes("x"), "HEX(x)")
  d <- learned(engine_connection("duckdb"))
  expect_identical(d$days("x"), "(x - DATE '1970-01-01')")
  expect_identical(d$seconds("x"), "EXTRACT(EPOCH FROM x)")
  # NaN is equal to itself there.
  expect_identical(d$nan("x"), "x = CAST('NaN' AS DOUBLE PRECISION)")
  expect_identical(d$number(c(0.5, -Inf)), c(
    "(CAST(1 AS DOUBLE PRECISION) / CAST(2 AS DOUBLE PRECISION))",
    "CAST('-Infinity' AS DOUBLE PRECISION)"
  ))
  d <- learned(engine_connection("spark"))
  expect_identical(d$number_type("x"), "CAST(x AS DOUBLE)")
  expect_identical(d$text_type("x"), "CAST(x AS STRING)")
})

test_that("a database that merges texts is refused if this can be detected", {
  con <- engine_connection("standard")
  run_engine(engine_connection("sqlite"), "CREATE TABLE loose (a TEXT COLLATE NOCASE, y TEXT)")
  withr::defer(run_engine(engine_connection("sqlite"), "DROP TABLE loose"))
  run_engine(engine_connection("sqlite"), "INSERT INTO loose VALUES ('a', 'u'), ('A', 'v')")
  expect_error(
    suppressMessages(tectree:::sql_counter(con, "SELECT * FROM loose", "y", "a")),
    class = "tec_error_collation"
  )
})

test_that("times need a function of the database", {
  con <- engine_connection("snowflake")
  query <- "SELECT TIMESTAMP '2020-01-01 00:00:00' AS \"a\", 'u' AS \"y\""
  expect_error(tectree:::sql_counter(con, query, "y", "a"), class = "tec_error_column")
  counter <- tectree:::sql_counter(
    engine_connection("spark"), gsub("\"", "`", query, fixed = TRUE), "y", "a"
  )
  expect_equal(as.numeric(counter$meta()$columns[[1L]]$values), 1577836800)
  counter$close()
})

test_that("text in Spark's SQL is quoted as Spark does, whatever the driver does", {
  con <- engine_connection("spark")
  x <- c(nasty, "it's", "\\", "a\\'b", "''", "\\u0027")
  quoted <- tectree:::quote_text(tectree:::sql_link(con), x)
  sql <- paste("SELECT", quoted, "AS v,", seq_along(x), "AS i", collapse = " UNION ALL ")
  out <- DBI::dbGetQuery(con, sql)
  expect_identical(out$v[order(out$i)], x)
  # sparklyr looks for parameters outside of what it takes for texts.
  skip_if_not_installed("DBI")
  expect_identical(as.character(DBI::sqlInterpolate(DBI::ANSI(), sql)), sql)
})

test_that("rows of sparklyr come in one piece", {
  con <- structure(list(), class = c("spark_connection", "DBIConnection"))
  expect_false(tectree:::reads_blocks(con))
  expect_true(tectree:::reads_blocks(engine_connection("spark")))
  expect_identical(tectree:::dialect_of(con), "spark")
  expect_identical(tectree:::sql_dialect(con)$name, "spark")
})

test_that("tables with filter(), folds and predictions in Spark equal those in memory", {
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  con <- engine_connection("spark")
  set.seed(3)
  n <- 400
  d <- data.frame(
    select = sample(20, n, TRUE), `9to5` = stats::rnorm(n),
    `a b` = sample(c("it's", "b\\", NA), n, TRUE),
    y.z = sample(c(TRUE, FALSE), n, TRUE), id = seq_len(n), check.names = FALSE
  )
  d$y <- ifelse(d$select + d$`9to5` > 10, "o'k", ifelse(d$y.z, "no", "\\"))
  put_table("spark", "odd", d)
  # dbplyr says once that the class is not its own.
  table <- suppressWarnings(dplyr::filter(dplyr::tbl(con, "odd"), select > 3L))
  kept <- d[d$select > 3, ]
  engine <- tec_engine(collect_rows = 0, key = "id", progress = FALSE, encode = "table")
  use <- list(
    y ~ select + `9to5` + `a b` + y.z, missing = "majority", prune = "none", max_depth = 5
  )
  there <- do.call(tec_tree, c(use, list(data = table, engine = engine)))
  here <- do.call(tec_tree, c(use, list(data = kept)))
  expect_true(is_same_tree(here, there, kept))
  lazy <- predict(there, table)
  expect_s3_class(lazy, "tbl_lazy")
  out <- as.data.frame(dplyr::collect(lazy))
  out <- out[order(out$id), ]
  expect_identical(out$.pred, as.character(predict(here, kept)))
  prob <- as.data.frame(dplyr::collect(predict(there, table, type = "prob")))
  prob <- prob[order(prob$id), paste0(".pred_", here$response$levels)]
  wanted <- unname(predict(here, kept, type = "prob"))
  expect_equal(unname(as.matrix(prob)), wanted, tolerance = 1e-12)
})

# What a small table is asked for the counts of its first level, without a table of codes.
example_pass <- function(con) {
  d <- data.frame(a = c(1, 2, 4, 4), b = c("u", "v", "v", "u"), y = c("p", "q", "q", "q"))
  put_table("spark", "tiny", d)
  invisible(stand_in_statements(con))
  engine <- tec_engine(collect_rows = 0, encode = "inline", progress = FALSE)
  tec_tree(y ~ a + b, con, table = "tiny", min_split = 2, prune = "none", engine = engine)
  sql <- grep("explode", stand_in_statements(con), fixed = TRUE, value = TRUE)
  sql <- grep("posexplode", sql, fixed = TRUE, value = TRUE, invert = TRUE)[1L]
  gsub(" (FROM|GROUP BY|WHERE) ", "\n\\1 ", sql)
}

# Seven columns of many values and two of few, 3,000 rows.
many_values <- function(n = 3000) {
  set.seed(4)
  d <- as.data.frame(lapply(1:7, function(j) round(stats::rnorm(n), 4)))
  names(d) <- paste0("x", 1:7)
  d$x8 <- sample(5, n, TRUE)
  d$x9 <- sample(c("a", "b", NA), n, TRUE)
  d$y <- ifelse(d$x1 + d$x2 * (d$x8 > 2) + stats::rnorm(n) / 2 > 0, "u", "v")
  d$id <- seq_len(n)
  d
}

test_that("a fit in Spark needs one query per level, and few before", {
  con <- engine_connection("spark")
  d <- many_values()
  put_table("spark", "wide", d)
  use <- list(y ~ . - id, max_depth = 6, missing = "majority", prune = "none", min_bucket = 5)
  engine <- tec_engine(collect_rows = 0, max_values = 100, bins = 31, progress = FALSE)
  invisible(stand_in_statements(con))
  fit <- do.call(tec_tree, c(use, list(data = con, table = "wide", engine = engine)))
  statements <- stand_in_statements(con)
  expect_identical(fit$tree, do.call(tec_tree, c(use, list(data = d)))$tree)
  passes <- tec_passes(fit)
  levels <- tree_depth(fit)
  expect_equal(tree_depth(fit), 6)
  # Without a snapshot the rows are counted once more at the end, at no level.
  counts <- passes[passes$what == "counts" & !is.na(passes$level), ]
  expect_true(all(counts$plan == "one pass"))
  expect_false(anyDuplicated(counts$level) > 0L)
  # Types, ranges, values twice, those of the response, rows, cuts, codes, the columns' names.
  before <- passes[!passes$what %in% c("counts", "inside"), ]
  expect_lte(nrow(before), 9L)
  # Bins are looked into in all columns at once, and again in parts of them.
  inside <- table(passes$level[passes$what == "inside"])
  expect_lte(max(inside), 4L)
  expect_lte(nrow(passes), 9 + levels + 4 * levels)
  # The response's first value, a setting there and back, a table that is dropped.
  expect_lte(length(statements), nrow(passes) + 6L)
})

test_that("Spark also counts in one pass without a table of codes, and at the end", {
  con <- engine_connection("spark")
  d <- many_values(500)
  put_table("spark", "wide", d)
  for (formula in list(y ~ x1 + x8 + x9, x2 ~ x1 + x8 + x9)) {
    use <- list(formula, max_depth = 3, missing = "majority", prune = "none", min_bucket = 5)
    fits <- lapply(c("inline", "table"), function(encode) {
      engine <- tec_engine(
        collect_rows = 0, max_values = 100, bins = 31, progress = FALSE, encode = encode
      )
      invisible(stand_in_statements(con))
      fit <- do.call(tec_tree, c(use, list(data = con, table = "wide", engine = engine)))
      counts <- tec_passes(fit)$plan[tec_passes(fit)$what == "counts"]
      expect_identical(unique(counts), "one pass")
      # All levels, and all rows once more.
      expect_length(counts, tree_depth(fit) + 1L)
      statements <- stand_in_statements(con)
      expect_identical(any(grepl("^CACHE", statements)), encode == "table")
      fit
    })
    expect_identical(fits[[1L]]$tree, fits[[2L]]$tree)
    expect_true(is_same_tree(do.call(tec_tree, c(use, list(data = d))), fits[[1L]], d))
  }
  expect_snapshot(cat(example_pass(con)))
})

test_that("many small nodes are fetched by one query", {
  con <- engine_connection("spark")
  d <- many_values()
  put_table("spark", "wide", d)
  use <- list(y ~ . - id, max_depth = 8, missing = "majority", prune = "none")
  engine <- tec_engine(collect_rows = 200, max_values = 100, bins = 31, progress = FALSE)
  fit <- do.call(tec_tree, c(use, list(data = con, table = "wide", engine = engine)))
  expect_identical(fit$tree, do.call(tec_tree, c(use, list(data = d)))$tree)
  expect_gt(sum(fit$found == "collected"), 20)
  expect_equal(sum(tec_passes(fit)$what == "rows" & tec_passes(fit)$rows > 1), 1)
})

test_that("the trees of all folds and settings are counted together", {
  slow_test()
  con <- engine_connection("spark")
  d <- many_values(1000)
  put_table("spark", "wide", d)
  engine <- tec_engine(
    collect_rows = 0, max_values = 100, bins = 15, key = "id", progress = FALSE, encode = "table"
  )
  tune <- function(con) {
    suppressMessages(tec_tune(
      y ~ x1 + x2 + x8 + x9, con, table = "wide", q = c(1, 2), missing = "majority", max_depth = 4,
      folds = 5, engine = engine
    ))
  }
  tuned <- tune(con)
  apart <- tune(engine_connection("duckdb"))
  expect_equal(tuned$table, apart$table)
  expect_identical(tuned$fit$tree, apart$fit$tree)
  counts <- function(x) sum(tec_passes(x)$what == "counts")
  # The roots, four levels and the rows left out; then the chosen tree.
  expect_lte(counts(tuned), 1 + 4 + 1 + 1 + 4)
  expect_gt(counts(apart), counts(tuned))
})

test_that("a column of thousands of values is grouped by value in Spark", {
  con <- engine_connection("spark")
  set.seed(8)
  d <- data.frame(a = round(stats::rnorm(3000), 3), b = sample(10, 3000, TRUE), c = sample(3000))
  d$y <- ifelse(d$a > 0.3 | d$b > 7, "u", "v")
  put_table("spark", "long", d)
  use <- list(y ~ ., max_depth = 3, prune = "none")
  invisible(stand_in_statements(con))
  fit <- do.call(tec_tree, c(use, list(
    data = con, table = "long", engine = tec_engine(collect_rows = 0, progress = FALSE)
  )))
  expect_identical(fit$tree, do.call(tec_tree, c(use, list(data = d)))$tree)
  # No text has a condition for each value; c is a subtraction away from its code.
  expect_lt(max(nchar(stand_in_statements(con))), 10000)
  passes <- tec_passes(fit)
  counts <- passes$plan[passes$what == "counts" & !is.na(passes$level)]
  expect_identical(counts, rep(c("one pass", "union all"), length(counts) / 2))
})

test_that("codes in two steps are those of cuts", {
  con <- engine_connection("spark")
  set.seed(1)
  for (n in c(1, 2, 3, 5, 16, 31, 255)) {
    upper <- sort(stats::rnorm(n))
    x <- c(upper, upper + 1e-9, upper - 1e-9, -10, 10)
    number <- tectree:::count_dialects()$spark$number
    case <- tectree:::square_case("x", number(upper))
    rows <- paste0("(", seq_along(x), ", ", number(x), ")", collapse = ", ")
    sql <- paste0("SELECT i, ", case, " AS code FROM (VALUES ", rows, ") AS t(i, x)")
    out <- DBI::dbGetQuery(con, sql)
    expect_equal(out$code[order(out$i)], findInterval(x, upper, left.open = TRUE) + 1)
  }
})

test_that("Spark's own settings are restored", {
  con <- engine_connection("spark")
  key <- "spark.sql.codegen.wholeStage"
  s <- list(link = tectree:::sql_link(con))
  s$link$con <- con
  now <- function() DBI::dbGetQuery(con, paste("SET", key))$value
  expect_identical(tectree:::in_small_pieces(s, now()), "false")
  expect_identical(now(), "true")
  DBI::dbExecute(con, paste0("SET ", key, "=false"))
  expect_identical(tectree:::in_small_pieces(s, now()), "false")
  expect_identical(now(), "false")
  DBI::dbExecute(con, paste0("SET ", key, "=true"))
})

test_that("a text type with a length is used by a database that asks for one", {
  local_binding("dialect_says", function(link, sql, wanted = NULL) !grepl("VARCHAR)", sql))
  link <- list2env(list(dialect = count_dialects()$standard))
  learn_dialect(link)
  expect_identical(link$dialect$text_type("x"), "CAST(x AS VARCHAR(4000))")
})
