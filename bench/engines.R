# Trees whose rows stay in a database: are they the trees of memory, and what do they cost?
#
#   Rscript bench/engines.R --part=same [--tables=300] [--from=1] [--settings=4|all]
#     [--engines=sqlite,duckdb]
#   Rscript bench/engines.R --part=cost [--rows=3e6] [--depth=6] [--engines=...] [--lib=DIR]
#   Rscript bench/engines.R --part=large [--rows=3e7] [--limit=1048576] [--memory=256MB]
#     [--engines=duckdb,memory,postgres] [--dir=DIR]
#
# same: random tables with every kind of column, every criterion available from counts, q of 0.5, 1,
# 1.7, 2 and 5, three kinds of nominal splits; compares each tree of each engine, in each of its
# ways, with that of memory; uses this many settings per table, different ones on the next table, or
# all of them, from counts that are asked for once. cost: rows x 10 columns of 64 values, 3 classes,
# made within the engine; reports seconds, cells and bytes of each level, the time to pull all rows
# and grow in memory instead, and the engine's part of the time. large: rows x 10 columns with few
# and with many values, made by DuckDB; compares the tree of a Parquet file and of a table in
# PostgreSQL, each grown in a process with little address space (`ulimit -v`, in kB; DuckDB's own
# limit is --memory), with that of memory, grown without a limit. --dir keeps the file and the
# trees. Servers are started and stopped as in the tests. Nothing here is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
here <- dirname(sub("^--file=", "", file[[1L]]))
source(file.path(here, "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
suppressMessages(library(testthat))
tests <- file.path(here, "..", "tests", "testthat")
for (name in c("cases", "export", "expect", "engines", "tune", "same")) {
  source(file.path(tests, paste0("helper-", name, ".R")))
}
part <- value("part", "same")
wanted <- strsplit(value("engines", "sqlite,duckdb,postgres,shards"), ",")[[1L]]
seconds_of <- function(code) system.time(code)[["elapsed"]]
# Of this process, which includes the engines that run in it.
processor_of <- function(code) sum(system.time(code)[1:2])

# ---- the same tree? ------------------------------------------------------------------------------

if (part == "same") {
  first <- as.integer(value("from", "1"))
  seeds <- first - 1L + seq_len(as.integer(value("tables", "300")))
  settings <- value("settings", "4")
  per_table <- if (settings == "all") Inf else as.integer(settings)
  for (engine in wanted) {
    compared <- 0
    differ <- character()
    busy <- processor_of(took <- seconds_of(for (seed in seeds) {
      out <- compare_on(engine, seed, per_table)
      compared <- compared + out$compared
      differ <- c(differ, out$differ)
      if (seed %% 10 == 0) cat(sprintf("%s to table %d: %d trees\n", engine, seed, compared))
    }))
    cat(sprintf("%s: %d trees on %d tables, %d differ (%.0f s, processor %.0f s)\n", engine,
      compared, length(seeds), length(differ), took, busy))
    if (length(differ)) writeLines(utils::head(differ, 20L))
  }
}

# ---- what it costs -------------------------------------------------------------------------------

# Columns that every engine computes equally from the number of the row.
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
    paste0("WITH rows_made AS NOT MATERIALIZED (SELECT generate_series AS i ",
      "FROM generate_series(1, ", count, ")) ")
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
  engine <- tec_engine(collect_rows = 0, progress = FALSE, ...)
  suppressMessages(large_fit(con, depth, table = table, engine = engine))
}

large_fit <- function(data, depth, ...) {
  formula <- stats::reformulate(paste0("x", 1:10), "y")
  tec_tree(
    formula, data, ..., criterion = "tsallis", q = 1.5, max_depth = depth, min_bucket = 100,
    missing = "majority", prune = "none", threads = 1
  )
}

# A DuckDB with one thread and little memory; it writes the rest into `dir`.
small_duck <- function(memory, dir) {
  con <- connect_duck()
  for (set in c(
    "threads = 1", paste0("memory_limit = '", memory, "'"), "preserve_insertion_order = false",
    paste0("temp_directory = '", file.path(dir, "spilled"), "'")
  )) run_engine(con, paste("SET", set))
  con
}

show_passes <- function(fit, n, took) {
  passes <- as.data.frame(tec_passes(fit))
  counts <- passes[passes$what == "counts", ]
  cat(sprintf(
    "  %.2f s, of these %.0f %% outside the engine\n", took, 100 * (1 - sum(passes$seconds) / took)
  ))
  for (what in setdiff(unique(passes$what), "counts")) {
    at <- passes$what == what
    cat(sprintf("  %s: %d queries, %.2f s, %s bytes\n", what, sum(at), sum(passes$seconds[at]),
      format(sum(passes$bytes[at]), big.mark = ",")))
  }
  # A level may take several queries.
  for (level in unique(counts$level)) {
    of <- counts[counts$level == level, ]
    seconds <- sum(of$seconds)
    big <- function(x) format(x, big.mark = ",")
    cat(sprintf("  level %d: %.2f s, %s rows/s, %s cells, %s bytes, %s\n", level, seconds,
      format(n / seconds, digits = 2, big.mark = ","), big(sum(of$rows)), big(sum(of$bytes)),
      of$plan[1L]))
  }
}

if (part == "cost") {
  depth <- as.integer(value("depth", "6"))
  for (engine in wanted) {
    con <- engine_connection(engine)
    for (n in as.numeric(strsplit(value("rows", "1e5,1e6,3e6"), ",")[[1L]])) {
      made <- seconds_of(make_rows(engine, con, n))
      busy <- processor_of(took <- seconds_of(fit <- fit_big(con, "big", depth)))
      cat(sprintf("%s, %s rows (made in %.1f s), depth %d, processor %.2f s:\n", engine,
        format(n, big.mark = ","), made, depth, busy))
      show_passes(fit, n, took)
      if (engine == "shards") print(shard_work())
      link <- tectree:::sql_link(con)
      busy <- processor_of({
        pulled <- seconds_of(d <- tectree:::ask(link, "SELECT * FROM big", "all rows"))
        grown <- seconds_of(memory <- large_fit(d, depth))
      })
      cat(sprintf(
        "  pulling all rows %.2f s (%s bytes), growing %.2f s, processor %.2f s; %s: %s\n",
        pulled, format(tectree:::size_of(d), big.mark = ","), grown, busy, "the same tree",
        identical(memory$tree, fit$tree)
      ))
      rm(d, memory)
      invisible(gc())
    }
  }
}

# ---- more than memory holds ----------------------------------------------------------------------

# Two columns with few values, text, two with a few hundred, four with many and a number that is
# almost unique; three classes that depend on most of them.
large_rows <- function(n) {
  dialect <- tectree:::count_dialects()$duckdb
  hash <- function(seed, of) paste0("(", tectree:::hash_sql("i", seed, dialect), " % ", of, ")")
  fine <- function(seed) {
    paste0("(", hash(seed, 2^26), " * 67108864 + ", hash(seed + 50, 2^26), ") / 4503599627370496e0")
  }
  paste0(
    "SELECT x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, CASE WHEN score < 2.2 THEN 'a' ",
    "WHEN score < 2.9 THEN 'b' ELSE 'c' END AS y FROM (SELECT *, x3 / 64e0 + x7 / 2000 ",
    "+ 1.5e0 * x8 + CASE WHEN x1 >= 2 THEN 0.4e0 ELSE 0 END ",
    "+ CASE WHEN x6 IN ('l1', 'l5') THEN 0.5e0 ELSE 0 END ",
    "+ CASE WHEN x9 > 7000 THEN 0.3e0 ELSE 0 END + noise AS score FROM (SELECT ",
    "CAST(", hash(1, 4), " AS SMALLINT) AS x1, CAST(", hash(2, 12), " AS SMALLINT) AS x2, ",
    "CAST(", hash(3, 64), " AS SMALLINT) AS x3, CAST(", hash(4, 200), " AS SMALLINT) AS x4, ",
    "CAST(", hash(5, 300), " AS SMALLINT) AS x5, 'l' || ", hash(6, 8), " AS x6, ",
    hash(7, 200000), " / 100e0 AS x7, ", fine(8), " AS x8, ", hash(9, 100000), " / 10e0 AS x9, ",
    hash(10, 20000), " / 8e0 AS x10, ", hash(11, 1000), " / 1000e0 AS noise ",
    "FROM (SELECT range AS i FROM range(1, ", sprintf("%.0f", n), " + 1)) r) c) s"
  )
}

large_columns <- paste0("x", 1:10)

# The data, the servers and the file of each tree are in `dir`. Each fit runs in its own process:
# `limit`, in kB, is that of its address space.
run_large <- function(what, dir, limit = NULL) {
  call <- c(
    file.path(R.home("bin"), "Rscript"), "--no-init-file", file.path(here, "engines.R"),
    "--part=large-fit", paste0("--what=", what), paste0("--dir=", dir),
    grep("^--(depth|memory|lib|settings)=", args, value = TRUE)
  )
  command <- paste(shQuote(call), collapse = " ")
  if (!is.null(limit)) command <- paste0("ulimit -v ", limit, "; MALLOC_ARENA_MAX=1 ", command)
  cat(what, if (!is.null(limit)) paste0(", address space ", limit, " kB"), ":\n", sep = "")
  system2("sh", c("-c", shQuote(command)))
}

if (part == "large") {
  n <- as.numeric(value("rows", "3e7"))
  limit <- value("limit", "1048576")
  dir <- value("dir", file.path(tempdir(), "large"))
  dir.create(dir, showWarnings = FALSE, recursive = TRUE)
  wanted <- strsplit(value("engines", "duckdb,memory,postgres"), ",")[[1L]]
  file <- file.path(dir, "large.parquet")
  duck <- engine_connection("duckdb")
  if (!file.exists(file)) {
    took <- seconds_of(run_engine(duck, paste0("COPY (", large_rows(n), ") TO '", file,
      "' (FORMAT parquet)")))
    cat(sprintf("%s rows, %.0f MB of Parquet, made in %.0f s\n", format(n, big.mark = ","),
      file.size(file) / 1e6, took))
  }
  if ("postgres" %in% wanted) {
    con <- connect_postgres("one")
    writeLines(engines$folders$one, file.path(dir, "postgres.txt"))
    csv <- file.path(engines$folders$one, "large.csv")
    run_engine(duck, paste0("COPY (FROM '", file, "') TO '", csv, "' (FORMAT csv, HEADER false)"))
    Sys.chmod(csv, "0644")
    types <- c(rep("smallint", 5L), "text", rep("double precision", 4L), "text")
    run_engine(con, paste0("CREATE UNLOGGED TABLE big (",
      paste(c(large_columns, "y"), types, collapse = ", "), ")"))
    took <- seconds_of({
      run_engine(con, paste0("COPY big FROM '", csv, "' (FORMAT csv)"))
      run_engine(con, "VACUUM ANALYZE big")
    })
    unlink(csv)
    size <- DBI::dbGetQuery(con, "SELECT pg_relation_size('big') / 1e6 AS mb")$mb
    cat(sprintf("PostgreSQL: %.0f MB, loaded in %.0f s\n", size, took))
  }
  for (what in wanted) run_large(what, dir, if (what != "memory") limit)
  trees <- file.path(dir, paste0(wanted, ".rds"))
  if ("memory" %in% wanted || file.exists(file.path(dir, "memory.rds"))) {
    memory <- readRDS(file.path(dir, "memory.rds"))
    for (what in setdiff(wanted, "memory")) {
      cat(what, "has memory's tree:", identical(readRDS(file.path(dir, paste0(what, ".rds"))),
        memory), "\n")
    }
  }
}

# One fit of `what`; its tree is saved in the folder.
if (part == "large-fit") {
  what <- value("what", NULL)
  dir <- value("dir", NULL)
  depth <- as.integer(value("depth", "6"))
  from <- paste0("SELECT * FROM '", file.path(dir, "large.parquet"), "'")
  started <- proc.time()
  if (what == "memory") {
    link <- tectree:::sql_link(connect_duck())
    pulled <- seconds_of(d <- tectree:::ask(link, from, "all rows"))
    cat(sprintf("  pulled in %.1f s\n", pulled))
    took <- seconds_of(fit <- large_fit(d, depth))
    cat(sprintf("  grown in %.1f s\n", took))
  } else {
    if (what == "duckdb") {
      memory <- value("memory", "256MB")
      con <- small_duck(memory, dir)
      run_engine(con, paste0("CREATE VIEW big AS ", from))
    } else {
      con <- DBI::dbConnect(postgres_driver(), host = readLines(file.path(dir, "postgres.txt")),
        user = "postgres", dbname = "postgres")
    }
    n <- as.numeric(tectree:::ask(tectree:::sql_link(con), "SELECT COUNT(*) AS n FROM big", "n")$n)
    took <- seconds_of(fit <- large_fit(con, depth, table = "big",
      engine = tec_engine(collect_rows = 0, progress = TRUE)))
    show_passes(fit, n, took)
    print(table(found = fit$found))
  }
  status <- readLines("/proc/self/status")
  cat(" ", gsub("[[:space:]]+", " ", grep("VmPeak|VmHWM", status, value = TRUE)), "\n")
  used <- proc.time() - started
  cat(sprintf("  processor %.0f s, wall %.0f s; %d nodes\n", sum(used[1:2]), used[[3L]],
    length(fit$tree$kind)))
  saveRDS(fit$tree, file.path(dir, paste0(what, ".rds")))
}

withr::deferred_run(globalenv())
