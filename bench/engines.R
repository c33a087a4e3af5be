# Trees whose rows stay in a database: are they the trees of memory, and what do they cost?
#
#   Rscript bench/engines.R --part=same [--tables=300] [--settings=4] [--engines=sqlite,duckdb]
#   Rscript bench/engines.R --part=cost [--rows=3e6] [--depth=6] [--engines=...] [--lib=DIR]
#   Rscript bench/engines.R --part=file --rows=3e7 --file=x.parquet    # writes the file, by DuckDB
#   Rscript bench/engines.R --part=parquet --file=x.parquet [--memory=400MB]
#
# same: random tables with every kind of column, every criterion that counts serve, q of 0.5, 1,
# 1.7, 2 and 5, three kinds of nominal splits; each tree of each engine, in each of its ways, with
# that of memory. cost: rows x 10 columns of 64 values, 3 classes, made within the engine; seconds,
# cells and bytes of each level; pulling all rows instead and growing in memory; how much of the
# time is the engine's. parquet: the tree of a file in limited memory: run it under `ulimit -v`.
# Servers are started and stopped as in the tests. Nothing here is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
here <- dirname(sub("^--file=", "", file[[1L]]))
source(file.path(here, "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
suppressMessages(library(testthat))
tests <- file.path(here, "..", "tests", "testthat")
for (name in c("cases", "export", "expect", "engines", "same")) {
  source(file.path(tests, paste0("helper-", name, ".R")))
}
part <- value("part", "same")
wanted <- strsplit(value("engines", "sqlite,duckdb,postgres,shards"), ",")[[1L]]
seconds_of <- function(code) system.time(code)[["elapsed"]]

# ---- the same tree? ------------------------------------------------------------------------------

if (part == "same") {
  tables <- as.integer(value("tables", "300"))
  for (engine in wanted) {
    compared <- 0
    differ <- character()
    took <- seconds_of(for (seed in seq_len(tables)) {
      out <- compare_on(engine, seed, as.integer(value("settings", "4")))
      compared <- compared + out$compared
      differ <- c(differ, out$differ)
    })
    cat(sprintf("%s: %d trees on %d tables, %d differ (%.0f s)\n", engine, compared, tables,
      length(differ), took))
    if (length(differ)) writeLines(utils::head(differ, 20L))
  }
}

# ---- what it costs -------------------------------------------------------------------------------

# Columns that every engine makes alike from the number of the row.
made_columns <- function(dialect) {
  key <- dialect$whole_type("i")
  x <- vapply(1:10, function(j) dialect$mod(tectree:::hash_sql(key, j, dialect), 64), "")
  noise <- dialect$mod(tectree:::hash_sql(key, 99, dialect), 10)
  whole <- function(x) dialect$number_type(x)
  paste0(
    "SELECT ", paste0("x", 1:10, collapse = ", "),
      ", CASE WHEN noise = 0 THEN 'c' WHEN x1 < 32 AND x2 > 20 THEN 'a' ",
    "WHEN x3 < 10 OR (x4 > 40 AND x5 < 30) THEN 'b' ELSE 'c' END AS y FROM (SELECT ",
    paste0(whole(x), " AS x", 1:10, collapse = ", "), ", ", noise, " AS noise FROM rows_made) m"
  )
}

make_rows <- function(engine, con, n, table = "big") {
  count <- sprintf("%.0f", n)
  rows <- switch(engine,
    sqlite = paste0(
      "WITH RECURSIVE rows_made(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM rows_made WHERE i < ",
        count, ") "
    ),
    duckdb = paste0("WITH rows_made AS (SELECT range AS i FROM range(1, ", count, " + 1)) "),
    paste0("WITH rows_made AS NOT MATERIALIZED (SELECT generate_series AS i FROM generate_series(1, ", count, ")) ")
  )
  dialect <- tectree:::sql_link(con)$dialect
  sql <- paste0(rows, made_columns(dialect))
  if (engine == "shards") {
    return(make_shards(con, sql, table))
  }
  run_engine(con, paste("DROP TABLE IF EXISTS", table))
  run_engine(con, paste0("CREATE TABLE ", table, " AS ", sql))
  if (engine == "postgres") run_engine(con, paste("VACUUM ANALYZE", table))
}

# A third of the rows on each server.
make_shards <- function(con, sql, table) {
  run_engine(con, paste("DROP TABLE IF EXISTS", table, "CASCADE"))
  columns <- paste0(paste0("x", 1:10, " double precision", collapse = ", "),
    ", y text, shard integer")
  run_engine(con, paste0("CREATE TABLE ", table, " (", columns, ") PARTITION BY LIST (shard)"))
  for (i in 1:3) {
    shard <- engines[[paste0("shard", i)]]
    run_engine(shard, paste("DROP TABLE IF EXISTS", table))
    own <- sub("generate_series(1, ", paste0("generate_series(", i, ", "), sql, fixed = TRUE)
    own <- sub("([0-9])\\)\\) ", "\\1, 3)) ", own)
    run_engine(shard, paste0("CREATE TABLE ", table, " AS SELECT t.*, ", i, " AS shard FROM (", own,
      ") t"))
    run_engine(shard, paste("VACUUM ANALYZE", table))
    run_engine(con, paste0(
      "CREATE FOREIGN TABLE ", table, "_", i, " PARTITION OF ", table, " FOR VALUES IN (", i,
        ") SERVER s", i,
      " OPTIONS (table_name '", table, "')"
    ))
  }
}

fit_big <- function(con, table, depth, ...) {
  formula <- stats::reformulate(paste0("x", 1:10), "y")
  suppressMessages(tec_tree(
    formula, con, table = table, criterion = "tsallis", q = 1.5, max_depth = depth,
      min_bucket = 100,
    missing = "majority", prune = "none", engine = tec_engine(collect_rows = 0, progress = FALSE,
      ...)
  ))
}

show_passes <- function(fit, n, took) {
  passes <- as.data.frame(tec_passes(fit))
  counts <- passes[passes$what == "counts", ]
  cat(sprintf(
    "  %.2f s, of these %.0f %% outside the engine; before the first level %.2f s\n", took,
    100 * (1 - sum(passes$seconds) / took), sum(passes$seconds[passes$what != "counts"])
  ))
  for (i in seq_len(nrow(counts))) {
    cat(sprintf(
      "  level %d: %.2f s, %s rows/s, %s cells, %s bytes, %s\n", i - 1L, counts$seconds[i],
      format(n / counts$seconds[i], digits = 2, big.mark = ","),
        format(counts$rows[i], big.mark = ","),
      format(counts$bytes[i], big.mark = ","), counts$plan[i]
    ))
  }
}

if (part == "cost") {
  depth <- as.integer(value("depth", "6"))
  for (engine in wanted) {
    con <- engine_connection(engine)
    for (n in as.numeric(strsplit(value("rows", "1e5,1e6,3e6"), ",")[[1L]])) {
      made <- seconds_of(make_rows(engine, con, n))
      took <- seconds_of(fit <- fit_big(con, "big", depth))
      cat(sprintf("%s, %s rows (made in %.1f s), depth %d:\n", engine, format(n, big.mark = ","),
        made, depth))
      show_passes(fit, n, took)
      if (engine == "shards") print(shard_work())
      link <- tectree:::sql_link(con)
      pulled <- seconds_of(d <- tectree:::ask(link, "SELECT * FROM big", "all rows"))
      grown <- seconds_of(memory <- tec_tree(
        stats::reformulate(paste0("x", 1:10), "y"), d, criterion = "tsallis", q = 1.5,
          max_depth = depth,
        min_bucket = 100, missing = "majority", prune = "none", threads = 1
      ))
      cat(sprintf(
        "  pulling all rows %.2f s (%s bytes), growing in memory %.2f s; the same tree: %s\n",
          pulled,
        format(tectree:::size_of(d), big.mark = ","), grown, identical(memory$tree, fit$tree)
      ))
      rm(d, memory)
      invisible(gc())
    }
  }
}

# ---- more than memory holds ----------------------------------------------------------------------

if (part == "file") {
  con <- engine_connection("duckdb")
  dialect <- tectree:::sql_link(con)$dialect
  n <- as.numeric(value("rows", "3e7"))
  sql <- paste0("WITH rows_made AS (SELECT range AS i FROM range(1, ", sprintf("%.0f", n),
    " + 1)) ", made_columns(dialect))
  took <- seconds_of(run_engine(con, paste0("COPY (", sql, ") TO '", value("file", NULL),
    "' (FORMAT parquet)")))
  cat(sprintf("%s rows written in %.0f s\n", format(n, big.mark = ","), took))
}

if (part == "parquet") {
  con <- engine_connection("duckdb")
  run_engine(con, paste0("SET memory_limit = '", value("memory", "400MB"), "'"))
  run_engine(con, "SET threads = 1")
  query <- tectree:::parquet_query(value("file", NULL))
  run_engine(con, paste0("CREATE VIEW big AS ", query))
  n <- as.numeric(tectree:::ask(tectree:::sql_link(con), "SELECT COUNT(*) AS n FROM big", "rows")$n)
  took <- seconds_of(fit <- fit_big(con, "big", as.integer(value("depth", "6"))))
  status <- readLines("/proc/self/status")
  cat(format(n, big.mark = ","), "rows;", grep("VmPeak|VmHWM", status, value = TRUE), "\n")
  show_passes(fit, n, took)
  cat("nodes:", length(fit$tree$kind), " digest of the tree:",
    sum(fit$tree$n * seq_along(fit$tree$n)), "\n")
}

withr::deferred_run(globalenv())
