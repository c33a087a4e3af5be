# Databases for the tests of counters: SQLite and DuckDB in this process, and PostgreSQL servers
# that are started here and stopped after the last test. Also a naive second count of the same rows
# in R.

# Where the tests end; outside of tests, the workspace (withr::deferred_run() then ends all).
the_end <- function() tryCatch(testthat::teardown_env(), error = function(e) globalenv())

# A connection to each database that is here, made once; the name of what is missing is skipped.
engines <- new.env()

engine_connection <- function(name) {
  if (is.null(engines[[name]])) {
    engines[[name]] <- switch(name,
      sqlite = connect_sqlite(), duckdb = connect_duck(),
      postgres = connect_postgres("one", until = the_end()), shards = connect_shards(),
      spark = stand_in("Spark SQL", engine_connection("duckdb")),
      snowflake = stand_in("Snowflake", engine_connection("duckdb")),
      standard = stand_in("Unknown", engine_connection("sqlite"))
    )
  }
  engines[[name]]
}

connect_sqlite <- function() {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con), the_end())
  con
}

connect_duck <- function() {
  package <- "duckdb" # takes an hour to compile, so it is not among the suggested ones
  here <- requireNamespace(package, quietly = TRUE) || (nzchar(Sys.getenv("TECTREE_DUCKDB")) &&
    requireNamespace("adbcdrivermanager", quietly = TRUE))
  skip_if_not(here, "there is no DuckDB here")
  tectree:::connect_duckdb()
}

postgres_driver <- function() {
  if (requireNamespace("RPostgres", quietly = TRUE)) {
    return(RPostgres::Postgres())
  }
  skip_if_not_installed("RPostgreSQL")
  DBI::dbDriver("PostgreSQL")
}

# `server`: a name; each has a folder of its own, where its socket is. `until`: at its end the
# connection is closed; RPostgreSQL has at most 16.
connect_postgres <- function(server, user = "postgres", ..., until = parent.frame()) {
  driver <- postgres_driver()
  if (is.null(engines$folders[[server]])) {
    engines$folders[[server]] <- start_postgres(
      the_end(), "-c shared_preload_libraries=pg_stat_statements"
    )
  }
  # Drivers ask for the time zone, which a machine without systemd answers with a warning.
  con <- suppressWarnings(
    DBI::dbConnect(driver, host = engines$folders[[server]], user = user, dbname = "postgres", ...)
  )
  DBI::dbExecute(con, "SET client_min_messages = error")
  withr::defer(suppressWarnings(try(DBI::dbDisconnect(con), silent = TRUE)), until)
  con
}

# A coordinator and three servers.
connect_shards <- function() {
  con <- connect_postgres("coordinator", until = the_end())
  DBI::dbExecute(con, "CREATE EXTENSION postgres_fdw")
  for (i in 1:3) {
    shard <- connect_postgres(paste0("shard", i), until = the_end())
    DBI::dbExecute(shard, "CREATE EXTENSION pg_stat_statements")
    engines[[paste0("shard", i)]] <- shard
    DBI::dbExecute(con, paste0(
      "CREATE SERVER s", i, " FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '",
      engines$folders[[paste0("shard", i)]], "', dbname 'postgres', async_capable 'true', ",
      "fetch_size '10000', fdw_tuple_cost '1')"
    ))
    DBI::dbExecute(con, paste0("CREATE USER MAPPING FOR postgres SERVER s", i,
      " OPTIONS (user 'postgres')"))
  }
  con
}

run_engine <- function(con, sql) {
  suppressWarnings(tectree:::run_statement(con, sql))
}

# Where the tables of a stand-in are (helper-spark.R).
behind <- function(name) {
  switch(name, spark = , snowflake = "duckdb", standard = "sqlite", name)
}

# A link that knows what a database without a name takes.
asked_link <- function(con) {
  link <- tectree:::sql_link(con)
  if (link$name == "standard") suppressMessages(tectree:::learn_dialect(link))
  link
}

# SQLite has neither booleans nor dates: R's driver stores numbers.
as_stored <- function(name, d) {
  if (behind(name) == "sqlite") {
    d[] <- lapply(d, function(x) if (is.logical(x) || inherits(x, "Date")) as.numeric(x) else x)
  }
  d
}

# The rows of `d` as a table, by literals: this is exact, which not every driver's own way is.
put_table <- function(name, table, d) {
  name <- behind(name)
  con <- engine_connection(name)
  if (name == "shards") {
    return(put_shards(con, table, d))
  }
  run_engine(con, paste("DROP TABLE IF EXISTS", table))
  run_engine(con, create_sql(name, con, table, d))
  insert_rows(name, con, table, d)
}

create_sql <- function(name, con, table, d) {
  types <- vapply(d, function(x) {
    if (is.logical(x)) "BOOLEAN" else if (inherits(x, "Date")) "DATE" else
      if (is.integer(x)) "BIGINT" else if (is.numeric(x)) "DOUBLE PRECISION" else "TEXT"
  }, "")
  if (name == "sqlite") types[types == "DOUBLE PRECISION"] <- "REAL"
  link <- tectree:::sql_link(con)
  paste0("CREATE TABLE ", table, " (", paste(tectree:::quote_name(link, names(d)), types,
    collapse = ", "), ")")
}

insert_rows <- function(name, con, table, d) {
  if (nrow(d) == 0L) {
    return(invisible())
  }
  link <- tectree:::sql_link(con)
  fields <- lapply(d, function(x) {
    out <- if (is.logical(x)) {
      as.character(x)
    } else if (inherits(x, "Date")) {
      paste0("DATE '", format(x), "'")
    } else if (is.integer(x)) {
      sprintf("%d", x)
    } else if (is.numeric(x)) {
      nan <- if (name == "sqlite") "NULL" else "CAST('NaN' AS DOUBLE PRECISION)"
      ifelse(is.nan(x), nan, link$dialect$number(x))
    } else {
      tectree:::quote_text(link, x)
    }
    nan <- is.double(x) & is.nan(unclass(x))
    replace(out, is.na(x) & !nan, "NULL")
  })
  rows <- paste0("(", do.call(paste, c(unname(fields), sep = ", ")), ")")
  for (some in split(rows, (seq_along(rows) - 1L) %/% 400L)) {
    run_engine(con, paste("INSERT INTO", table, "VALUES", paste(some, collapse = ", ")))
  }
}

# Each server has a part of the rows.
put_shards <- function(con, table, d) {
  run_engine(con, paste("DROP TABLE IF EXISTS", table, "CASCADE"))
  part <- rep_len(1:3, nrow(d))
  d <- cbind(d, shard = part)
  create <- create_sql("postgres", con, table, d)
  run_engine(con, paste(create, "PARTITION BY LIST (shard)"))
  for (i in 1:3) {
    shard <- engines[[paste0("shard", i)]]
    run_engine(shard, paste("DROP TABLE IF EXISTS", table))
    run_engine(shard, create)
    insert_rows("postgres", shard, table, d[part == i, , drop = FALSE])
    run_engine(con, paste0(
      "CREATE FOREIGN TABLE ", table, "_", i, " PARTITION OF ", table, " FOR VALUES IN (", i,
      ") SERVER s", i, " OPTIONS (table_name '", table, "')"
    ))
  }
}

# A table with every kind of column and value. `odd`: names and levels that break careless SQL.
random_table <- function(n, numbers = FALSE, odd = TRUE) {
  levels <- if (odd) sample(nasty, 5L) else letters[1:5]
  some <- function(x) sample(x, n, TRUE)
  d <- data.frame(
    a = some(c(-1.5, 0, 0.1, 0.30000000000000004, 2, 1e10, NA)),
    b = some(c(-Inf, -1e-310, -0, 0, 5e-324, 1.7e308, Inf, NaN, NA)),
    c = stats::rnorm(n) * 10^some(-5:5),
    d = some(c(levels, NA)),
    e = some(c(TRUE, FALSE, NA)),
    f = as.Date("2020-02-27") + some(c(0:4, NA)),
    g = some(c(1:6, NA)),
    stringsAsFactors = FALSE
  )
  if (odd) names(d) <- c("a", "select", "\"b\" ; --", "it's", "gr\u00f6\u00dfe", "x y", "Group")
  d$y <- if (numbers) some(c(-2.25, 0.1, 3, 1.7, NA)) else some(c(levels[1:3], NA))
  d$w <- some(0:3)
  d$id <- as.integer(sample(3L * n, n)) - n
  d
}

# How the naive count codes a column of a table: codes 1, 2, ...; 0 where missing.
naive_codes <- function(x, code) {
  x <- if (is.logical(x)) as.character(x) else if (inherits(x, "Date")) as.numeric(x) else x
  if (!is.null(code$cuts)) {
    out <- vapply(x, function(v) if (is.na(v)) 0 else 1 + sum(v > code$cuts), 0)
    return(as.integer(out))
  }
  out <- match(x, code$values)
  replace(out, is.na(x), 0L)
}

# Which rows reach each node asked for.
naive_nodes <- function(d, codes, tree, predictors) {
  node <- rep(NA_real_, nrow(d))
  walk <- function(tree, rows) {
    if (is.null(tree)) {
      return()
    }
    if (!is.list(tree)) {
      node[rows] <<- tree
      return()
    }
    x <- d[[predictors[tree$column]]]
    if (is.null(tree$at)) {
      branch <- tree$branch[naive_codes(x, codes[[tree$column]]) + 1L]
    } else {
      branch <- ifelse(is.na(x), tree$missing, ifelse(as.numeric(x) <= tree$at, 1L, 2L))
    }
    for (b in seq_along(tree$children)) walk(tree$children[[b]], rows & branch == b)
  }
  walk(tree, rep(TRUE, nrow(d)))
  node
}

# Cells by looping over the rows' groups; sorted. `d` without rows that do not count.
naive_cells <- function(d, codes, tree, predictors, columns, weight, fold = NULL, numbers = NULL,
                        levels = NULL) {
  node <- naive_nodes(d, codes, tree, predictors)
  out <- lapply(columns, function(j) {
    by <- list(node = node, column = rep(j, nrow(d)),
      code = naive_codes(d[[predictors[j]]], codes[[j]]))
    if (is.null(numbers)) by$class <- match(d$y, levels)
    by$fold <- fold
    sums <- list(n = weight)
    if (!is.null(numbers)) sums <- c(sums, list(sum = weight * numbers,
      squares = weight * numbers^2))
    keep <- !is.na(node) & weight > 0
    if (!any(keep)) {
      return(NULL)
    }
    stats::aggregate(as.data.frame(sums)[keep, , drop = FALSE], lapply(by, `[`, keep), sum)
  })
  out <- do.call(rbind, out)
  if (!is.null(out)) sort_cells(out)
}

sort_cells <- function(cells) {
  cells <- as.data.frame(cells)
  by <- intersect(c("column", "node", "fold", "code", "class", "value"), names(cells))
  cells <- cells[do.call(order, unname(cells[by])), c(by, setdiff(names(cells), c(by, "rows")))]
  cells[] <- lapply(cells, as.numeric)
  rownames(cells) <- NULL
  cells
}

# A tree whose conditions are sets of codes, with some of its nodes asked for.
random_frontier <- function(codes, depth = 3, counter = new.env()) {
  counter$node <- (counter$node %||% 0) + 1
  if (depth == 0 || stats::runif(1) < 0.15) {
    return(if (stats::runif(1) < 0.7) counter$node)
  }
  j <- sample(length(codes), 1L)
  if (!is.null(codes[[j]]$cuts) && stats::runif(1) < 0.4) {
    tree <- list(column = j, at = stats::rnorm(1), missing = sample(0:2, 1L))
    branches <- 2L
  } else {
    branches <- sample(2:3, 1L)
    n <- length(codes[[j]]$values %||% c(codes[[j]]$cuts, 0)) + 1L
    branch <- if (stats::runif(1) < 0.5) sort(sample(branches, n, TRUE)) else sample(0:branches, n,
      TRUE)
    tree <- list(column = j, branch = as.integer(branch))
  }
  tree$children <- lapply(seq_len(branches), function(b) random_frontier(codes, depth - 1, counter))
  tree
}

# What the shards have done: seconds, and rows that they gave back.
shard_work <- function() {
  out <- lapply(paste0("shard", 1:3), function(name) {
    DBI::dbGetQuery(engines[[name]], paste(
      "SELECT SUM(total_exec_time) / 1000 AS seconds, SUM(rows) AS rows FROM pg_stat_statements",
      "WHERE query LIKE 'DECLARE%' OR query LIKE 'FETCH%'"
    ))
  })
  out <- do.call(rbind, lapply(out, function(x) as.data.frame(lapply(x, as.numeric))))
  as.matrix(replace(out, is.na(out), 0))
}

# An R process that runs a script; its number.
start_r <- function(script) {
  lib <- paste(.libPaths(), collapse = .Platform$path.sep)
  r <- file.path(R.home("bin"), "Rscript")
  command <- paste0(
    "R_LIBS=", shQuote(lib), " exec ", shQuote(r), " --no-init-file ", shQuote(script),
      " >/dev/null 2>&1"
  )
  as.integer(system(paste0("sh -c ", shQuote(command), " & echo $!"), intern = TRUE))
}

wait_for <- function(expr, seconds = 30) {
  expr <- substitute(expr)
  env <- parent.frame()
  end <- Sys.time() + seconds
  while (Sys.time() < end) {
    if (isTRUE(eval(expr, env))) {
      return(TRUE)
    }
    Sys.sleep(0.05)
  }
  FALSE
}
