# A counter against a naive count of the same rows, in each available database.

predictors_of <- function(d) setdiff(names(d), c("y", "w", "id", "shard"))

# A counter on a random table, and what the naive count needs.
random_counter <- function(engine, numbers = FALSE, weighted = FALSE, key = FALSE, n = 150,
                           odd = TRUE, ...) {
  d <- as_stored(engine, random_table(n, numbers, odd))
  put_table(engine, "random_table", d)
  predictors <- predictors_of(d)
  counter <- tectree:::sql_counter(
    engine_connection(engine), "SELECT * FROM random_table", "y", predictors,
    weights = if (weighted) "w", key = if (key) "id", settings = list(max_values = 40, ...)
  )
  meta <- counter$meta()
  codes <- lapply(seq_along(predictors), function(j) {
    values <- meta$columns[[j]]$values
    if (is.null(values)) list(cuts = counter$cuts(j, 6)) else list(values = values)
  })
  counter$encode(codes)
  d <- d[!is.na(d$y) & (!weighted | d$w > 0), ]
  list(
    counter = counter, meta = meta, codes = codes, d = d, predictors = predictors,
    weight = if (weighted) d$w else rep(1, nrow(d))
  )
}

ways <- function(engine) {
  if (engine == "shards") {
    return(list(list()))
  }
  out <- list(list(encode = "inline"), list(encode = "table", advance_every = 1))
  if (engine == "sqlite") {
    out <- c(lapply(out, c, list(strategy = "group")), lapply(out, c, list(strategy = "stream")))
  }
  out
}

expect_same_cells <- function(case, tree, what = list(), label = NULL) {
  found <- case$counter$counts(tree, what)
  weight <- case$weight
  if (!is.null(what$bag)) {
    weight <- weight * tectree:::hash_bag(case$d$id, what$bag$tree, what$bag$replace,
      what$bag$fraction)
  }
  fold <- if (!is.null(what$by_fold)) tectree:::hash_fold(case$d$id, what$by_fold)
  response <- case$meta$response
  numbers <- if (response$kind == "number") {
    round(case$d$y * response$scale) - round((what$centre %||% 0) * response$scale)
  }
  wanted <- naive_cells(
    case$d, case$codes, tree, case$predictors, what$columns %||% seq_along(case$predictors), weight,
    fold, numbers, response$levels
  )
  if (is.null(wanted)) {
    expect_length(found$n, 0L)
  } else {
    expect_equal(sort_cells(found), wanted, tolerance = 0, label = label)
  }
}

stand_ins <- c("spark", "snowflake", "standard") # see helper-spark.R

engines_here <- c("sqlite", "duckdb", "postgres", "shards", stand_ins)

for (engine in engines_here) {
  test_that(paste("counts are those of a naive count:", engine), {
    slow_out_of_turn(engine, engines_here, 3)
    set.seed(7)
    for (way in ways(engine)) {
      for (i in case_seeds(1)) at_seed(i, {
        numbers <- i %% 2 == 0
        case <- do.call(random_counter, c(list(engine, numbers, i %% 3 == 0, TRUE), way))
        grown <- lapply(c(1, 2, 3, 4), function(depth) random_frontier(case$codes, depth))
        trees <- c(list(1), grown)
        label <- paste(engine, paste(way, collapse = " "), i)
        for (tree in trees) {
          expect_same_cells(case, tree, list(centre = if (numbers) 1), label = label)
        }
        expect_same_cells(case, 1, list(by_fold = 3L, columns = c(2L, 4L)), label = label)
        bag <- list(tree = i, replace = i %% 2 == 0, fraction = 0.7)
        expect_same_cells(case, trees[[3L]], list(bag = bag, by_fold = 2L), label = label)
        case$counter$close()
      })
    }
  })

  test_that(paste("rows and values inside an interval:", engine), {
    slow_out_of_turn(engine, engines_here, 3)
    set.seed(8)
    for (way in ways(engine)) {
      case <- do.call(random_counter, c(list(engine, FALSE, TRUE, TRUE), way))
      tree <- list(
        column = 7L, branch = c(0L, 1L, 1L, 1L, 2L, 2L, 2L),
        children = list(11, list(column = 3L, at = 0.5, missing = 1L, children = list(12, NULL)))
      )
      rows <- case$counter$rows(tree)
      node <- naive_nodes(case$d, case$codes, tree, case$predictors)
      for (id in c(11, 12)) {
        wanted <- case$d[which(node == id), ]
        found <- rows[[as.character(id)]]
        found <- found[order(found$k), ]
        wanted <- wanted[order(wanted$id), ]
        expect_identical(found$y, wanted$y)
        expect_equal(found$w, wanted$w)
        for (name in case$predictors) {
          one <- wanted[[name]]
          if (is.numeric(one) && !inherits(one, "Date")) one <- replace(as.numeric(one),
            is.nan(one), NA) + 0
          now <- found[[match(name, case$predictors)]]
          expect_equal(if (is.numeric(now) && !is.object(now)) now + 0 else now, one, tolerance = 0)
        }
      }
      ask <- list(frontier = tree, node = c(11, 11, 12), column = c(3, 3, 3), code = c(1, 2, 4))
      found <- as.data.frame(case$counter$inside(ask))
      code <- naive_codes(case$d[[case$predictors[3L]]], case$codes[[3L]])
      at <- which((node %in% 11 & code %in% 1:2) | (node %in% 12 & code == 4))
      expect_equal(sum(found$n), sum(case$weight[at]))
      expect_identical(sort(unique(found$value)), sort(unique(case$d[[case$predictors[3L]]][at])))
      case$counter$close()
    }
  })

  test_that(paste("what a table holds:", engine), {
    set.seed(9)
    case <- random_counter(engine, TRUE, n = 200)
    meta <- case$meta
    case$counter$close()
    expect_equal(meta$n, nrow(case$d))
    expect_equal(meta$n + meta$dropped, 200)
    expect_equal(meta$response$scale, 100)
    expect_equal(meta$response$mean, mean(case$d$y))
    for (j in seq_along(meta$columns)) {
      x <- case$d[[case$predictors[j]]]
      column <- meta$columns[[j]]
      expect_equal(column$missing, sum(is.na(x)))
      expect_identical(column$kind, if (is.character(x) || is.logical(x)) "nominal" else "numeric")
      expect_identical(class(column$ptype), if (is.integer(x)) "numeric" else class(x))
      if (j != 3L) {
        values <- unique(x[!is.na(x)])
        values <- if (is.logical(x)) c("FALSE", "TRUE") else
          if (is.character(x)) sort(values,
            method = "radix") else unique(sort(as.numeric(values) + 0))
        expect_identical(column$values, values)
      }
    }
    cuts <- case$codes[[3L]]$cuts
    expect_true(all(cuts %in% case$d[[case$predictors[3L]]]))
    share <- vapply(cuts, function(cut) mean(case$d[[case$predictors[3L]]] <= cut), 0)
    expect_lt(max(abs(share - seq_along(share) / 7)), 0.02)
  })

  test_that(paste("counts in small batches are the same:", engine), {
    slow_out_of_turn(engine, engines_here, 3)
    set.seed(10)
    case <- random_counter(engine)
    tree <- list(
      column = 1L, branch = c(1L, 1L, 2L, 2L, 3L, 3L, 3L), children = list(2, 3, 4)
    )
    whole <- sort_cells(case$counter$counts(tree, list()))
    case$counter$close()
    link <- engine_connection(engine)
    small <- tectree:::sql_counter(
      link, "SELECT * FROM random_table", "y", case$predictors,
      settings = list(max_values = 40, max_cells = 30)
    )
    small$meta()
    small$encode(case$codes)
    expect_identical(sort_cells(small$counts(tree, list())), whole)
    expect_gt(sum(small$passes()$what == "counts"), 5)
    small$close()
  })

  test_that(paste("numbers cross exactly:", engine), {
    slow_out_of_turn(engine, engines_here, 3)
    con <- engine_connection(engine)
    set.seed(11)
    bits <- as.raw(sample(0:255, 8 * 400, TRUE))
    x <- readBin(bits, "double", 400)
    x <- c(x[is.finite(x)], stats::rnorm(100), 0.1, 2^53, 2^53 + 2, -2^62, 5e-324,
      1.7976931348623157e308,
      2.2250738585072011e-308, 1 / 3, Inf, -Inf, 123456789.123456789)
    link <- asked_link(con)
    sql <- paste("SELECT", link$dialect$number(x), "AS v,", seq_along(x), "AS i",
      collapse = " UNION ALL ")
    for (some in split(seq_along(x), (seq_along(x) - 1L) %/% 100L)) {
      sql <- paste("SELECT", some, "AS i,", link$dialect$number(x[some]), "AS v",
        collapse = " UNION ALL ")
      out <- tectree:::ask(link, sql, "numbers")
      expect_identical(out$v[order(out$i)], x[some])
    }
  })
}

test_that("SQL for databases that are not run here", {
  # Counts of the nodes 4 and 5 in a table of four columns, one of them in intervals.
  text <- function(name) {
    s <- new.env()
    dialect <- tectree:::count_dialects()[[name]]
    s$link <- list(name = name, dialect = dialect, words = tectree:::sql_dialect(dialect$words))
    s$dialect <- dialect
    s$from <- "(SELECT * FROM sales) q"
    s$settings <- list(strategy = "group")
    s$task <- "class"
    column <- function(name, type, raw, ...) {
      sql <- paste0("q.", tectree:::quote_name(s$link, name))
      kind <- if (type %in% c("text", "logical")) "nominal" else "numeric"
      list(name = name, type = type, raw = raw, sql = sql, nan = type == "number" &&
        !is.null(dialect$nan), kind = kind, missing = 1, ...)
    }
    s$columns <- list(
      column("price", "number", "x1", cuts = c(0.1, 1 / 3), n_codes = 3L),
      column("the day", "date", "x2", values = c(18000, 18001), n_codes = 2L),
      column("colour", "text", "x3", values = c("it's", "\u00fc"), n_codes = 2L),
      column("sold", "logical", "x4", values = c("FALSE", "TRUE"), n_codes = 2L)
    )
    s$response <- column("class", "text", "y", values = c("no", "yes"))
    s$key <- column("id", "number", "k")
    s$base <- tectree:::base_query(s)
    source <- list(from = paste0("(", s$base, ") b"), coded = logical(4))
    tree <- list(column = 3L, branch = c(2L, 1L, 2L), children = list(
      NULL, list(column = 1L, branch = c(1L, 1L, 2L, 2L), children = list(4, 5))
    ))
    query <- tectree:::level_query(s, source, tree, list(columns = 1:4))
    by <- c("node", "y")
    if (dialect$sets > 0L) tectree:::sets_query(s, query, by) else tectree:::union_query(s, query,
      by)
  }
  for (name in c("spark", "snowflake", "bigquery", "sqlite", "postgres")) {
    expect_snapshot(cat(gsub("((SELECT|FROM|WHERE|GROUP BY|UNION ALL) )", "\n\\1", text(name))))
  }
})

test_that("what cannot be counted is an error that says why", {
  con <- engine_connection("sqlite")
  put <- function(d) put_table("sqlite", "bad", d)
  open <- function(query = "SELECT * FROM bad", y = "y", x = "a", ...) {
    tectree:::sql_counter(con, query, y, x, ...)
  }
  put(data.frame(a = c(1, 2, 3), y = c("u", "v", "u"), w = c(1, 0.5, -1), k = c("p", "q", "r")))
  # It holds a transaction until it is closed; on CRAN a snapshot skips the rest.
  counter <- open()
  withr::defer(counter$close())
  expect_snapshot(show_errors({
    open("SELECT 1 AS a, x'00' AS y")
    open("SELECT 1 AS a, 'u' AS y UNION ALL SELECT 'one', 'v'")
    open("SELECT * FROM nowhere")
    open(y = "z")
    open(weights = "w")
    open(weights = "k")
    open(key = "w")
    open(x = "k", settings = list(max_values = 2))
    open(task = "number")
    tectree:::sql_counter("con", "SELECT 1", "y", "x")
    counter$counts(1, list(by_fold = 3))
  }))
  counter$close()
  # A value that comes up later has no code.
  counter <- open()
  counter$encode(list(list(values = c(1, 2, 3))))
  run_engine(con, "INSERT INTO bad VALUES (4, 'u', 1, 's')")
  expect_error(counter$counts(1, list()), "changed", class = "tec_error_changed")
  run_engine(con, "INSERT INTO bad VALUES (1, 'w', 1, 's')")
  expect_error(counter$counts(1, list()), class = "tec_error_changed")
})

test_that("a driver that answers with nothing, or with other columns, is an error", {
  link <- tectree:::sql_link(engine_connection("sqlite"))
  expect_error(
    tectree:::checked_answer(link, {
      warning("could not run statement: server closed the connection")
      NULL
    }, "rows"),
    "server closed", class = "tec_error_database"
  )
  expect_error(
    tectree:::checked_answer(link, data.frame(x = 1), "rows", "y"), class = "tec_error_database"
  )
  mixed <- "Column `v`: mixed type, first seen values of type integer, coercing other values"
  expect_error(
    tectree:::checked_answer(link, {
      warning(mixed)
      data.frame(v = 1)
    }, "rows", "v"),
    "mixed type", class = "tec_error_database"
  )
})

test_that("levels that differ only in R: SQLite counts them separately, others refuse", {
  con <- engine_connection("sqlite")
  run_engine(con, "CREATE TEMP TABLE loose (a TEXT COLLATE NOCASE, y TEXT COLLATE NOCASE)")
  run_engine(
    con, "INSERT INTO loose VALUES ('a', 'u'), ('A', 'U'), ('a', 'U'), ('A', 'u'), ('A ', 'u')")
  for (strategy in c("group", "stream")) {
    counter <- tectree:::sql_counter(con, "SELECT * FROM loose", "y", "a",
      settings = list(strategy = strategy))
    expect_identical(counter$meta()$columns[[1L]]$values, c("A", "A ", "a"))
    counter$encode(list(list(values = c("A", "A ", "a"))))
    tree <- list(column = 1L, branch = c(0L, 1L, 2L, 2L), children = list(2, 3))
    cells <- counter$counts(tree, list())
    expect_equal(sum(cells$n[cells$node == 2]), 2)
    expect_identical(sort(unique(cells$class)), 1:2)
    counter$close()
  }
  run_engine(con, "DROP TABLE loose")
})

test_that("DuckDB and PostgreSQL: merged levels are an error", {
  slow_test()
  con <- engine_connection("duckdb")
  query <- "SELECT t COLLATE NOCASE AS a, 'u' AS y FROM (VALUES ('a'), ('A')) v(t)"
  expect_error(tectree:::sql_counter(con, query, "y", "a"), "collation",
    class = "tec_error_collation")
  con <- engine_connection("postgres")
  run_engine(con, paste(
    "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
  ))
  on.exit(run_engine(con, "DROP COLLATION loose"))
  query <- "SELECT t COLLATE loose AS a, 'u' AS y FROM (VALUES ('a'), ('A')) v(t)"
  expect_error(tectree:::sql_counter(con, query, "y", "a"), "collation",
    class = "tec_error_collation")
})

test_that("types of PostgreSQL: padded text, enumerations, decimals, large integers, times", {
  con <- engine_connection("postgres")
  run_engine(con, "CREATE TYPE mood AS ENUM ('sad', 'glad')")
  run_engine(con, paste(
    "CREATE TEMP TABLE kinds (a char(3), b mood, c numeric(20, 2), d bigint, e timestamptz,",
    "f real, y integer)"
  ))
  on.exit({
    run_engine(con, "DROP TABLE kinds")
    run_engine(con, "DROP TYPE mood")
  })
  run_engine(con, paste(
    "INSERT INTO kinds VALUES",
    "('x', 'sad', 0.1, 9007199254740992, '2020-01-01 12:00:00.5+00', 0.1, 1),",
    "('yy', 'glad', 12345678.91, -3, '1969-12-31 00:00:00+00', 2.5, 2),",
    "('x', NULL, NULL, 5, NULL, NULL, 2)"
  ))
  x <- letters[1:6]
  counter <- tectree:::sql_counter(con, "SELECT * FROM kinds", "y", x, task = "class")
  meta <- counter$meta()
  expect_identical(meta$response$levels, c("1", "2"))
  values <- lapply(meta$columns, `[[`, "values")
  expect_identical(values[[1L]], c("x  ", "yy "))
  expect_identical(values[[2L]], c("glad", "sad"))
  expect_identical(values[[3L]], c(0.1, 12345678.91))
  expect_identical(values[[4L]], c(-3, 5, 2^53))
  expect_identical(values[[5L]], c(-86400, as.numeric(as.POSIXct("2020-01-01 12:00:00.5",
    tz = "UTC"))))
  expect_s3_class(meta$columns[[5L]]$ptype, "POSIXct")
  expect_equal(values[[6L]], c(0.1, 2.5), tolerance = 1e-7)
  counter$encode(lapply(values, function(v) list(values = v)))
  tree <- list(column = 1L, branch = c(0L, 1L, 2L), children = list(2, 3))
  cells <- counter$counts(tree, list())
  expect_equal(sum(cells$n[cells$node == 2]), 12)
  rows <- counter$rows(tree)[["2"]]
  expect_identical(unique(rows[[1L]]), "x  ")
  expect_s3_class(rows[[5L]], "POSIXct")
  counter$close()
})

test_that("a transaction of the user in DuckDB stays open", {
  con <- engine_connection("duckdb")
  put_table("duckdb", "small", data.frame(a = c(1, 2), y = c("u", "v")))
  run_engine(con, "BEGIN TRANSACTION")
  run_engine(con, "INSERT INTO small VALUES (3, 'u')")
  counter <- tectree:::sql_counter(con, "SELECT * FROM small", "y", "a")
  expect_equal(counter$meta()$n, 3)
  counter$close()
  run_engine(con, "COMMIT")
  counter <- tectree:::sql_counter(con, "SELECT * FROM small", "y", "a")
  expect_equal(counter$meta()$n, 3)
  counter$close()
})

test_that("several trees of one shape are counted by one counter", {
  slow_test()
  for (engine in c("sqlite", "duckdb", "postgres")) {
    con <- tryCatch(engine_connection(engine), skip = function(e) NULL)
    if (is.null(con)) next
    set.seed(11)
    case <- random_counter(engine, odd = FALSE, n = 300, strategy = "group", encode = "table",
      advance_every = 1)
    codes <- vapply(case$codes, function(code) length(code$values %||% c(code$cuts, 0)), 0) + 1
    for (columns in list(c(1, 4, 7, 6), c(5, 6, 4, 7), c(7, 6, 1, 4))) {
      tree <- list(1, 2)
      for (j in rev(columns)) {
        branch <- rep_len(1:2, codes[j])
        tree <- list(list(column = j, branch = branch, children = tree), NULL)
      }
      expect_same_cells(case, tree[[1L]], label = paste(engine, columns[1L]))
    }
    case$counter$close()
  }
})

# 60 classes: with 40 folds and 30 nodes the starts of cells have more than two bytes.
expect_cells_by_number <- function(engine) {
  n <- 3000L
  d <- data.frame(
    a = sample(60, n, TRUE), b = sample(c(sprintf("level %d", 1:40), NA), n, TRUE),
    y = sprintf("class %d", sample(60, n, TRUE)), id = seq_len(n)
  )
  put_table(engine, "many", d)
  counter <- tectree:::sql_counter(
    engine_connection(engine), "SELECT * FROM many", "y", c("a", "b"), key = "id",
    settings = list(encode = "table")
  )
  meta <- counter$meta()
  codes <- lapply(meta$columns, function(column) list(values = column$values))
  counter$encode(codes)
  tree <- list(column = 1L, branch = c(0L, rep(1:30, 2)), children = as.list(1:30))
  for (folds in list(NULL, 7L, 40L)) {
    found <- counter$counts(tree, list(by_fold = folds))
    fold <- if (!is.null(folds)) tectree:::hash_fold(d$id, folds)
    wanted <- naive_cells(d, codes, tree, c("a", "b"), 1:2, rep(1, n), fold,
      levels = meta$response$levels)
    expect_equal(sort_cells(found), wanted, tolerance = 0)
  }
  counter
}

test_that("PostgreSQL hashes numbers of cells", {
  engine_connection("postgres")
  set.seed(10)
  counter <- expect_cells_by_number("postgres")
  passes <- counter$passes()
  expect_identical(passes$plan[passes$what == "counts"], rep("grouping sets", 3))
  counter$close()
})

test_that("DuckDB counts in arrays if possible, and its settings are restored", {
  con <- engine_connection("duckdb")
  setting <- function() {
    tectree:::run_query(con, "SELECT current_setting('perfect_ht_threshold') AS x")$x
  }
  run_engine(con, "SET perfect_ht_threshold = 7")
  withr::defer(run_engine(con, "RESET perfect_ht_threshold"))
  set.seed(10)
  counter <- expect_cells_by_number("duckdb")
  passes <- counter$passes()
  expect_identical(
    passes$plan[passes$what == "counts"], c("arrays", "arrays", "grouping sets")
  )
  expect_equal(setting(), 18)
  counter$close()
  expect_equal(setting(), 7)
})

test_that("a table without rows, with one class, or with a column without values", {
  for (engine in c("sqlite", "duckdb", "postgres")) {
    con <- tryCatch(engine_connection(engine), skip = function(e) NULL)
    if (is.null(con)) next
    d <- data.frame(a = c(NA_real_, NA), y = "u", stringsAsFactors = FALSE)
    put_table(engine, "small", d)
    for (query in c("SELECT * FROM small", "SELECT * FROM small WHERE 1 = 0")) {
      counter <- tectree:::sql_counter(con, query, "y", "a")
      meta <- counter$meta()
      expect_equal(meta$columns[[1L]]$missing, meta$n)
      counter$encode(list(list(values = numeric())))
      cells <- counter$counts(1, list())
      expect_equal(sum(cells$n), meta$n)
      expect_identical(as.integer(cells$code), integer(length(cells$n)))
      counter$close()
    }
  }
})

test_that("if rows are streamed, the values of all columns come from one pass", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "many_values", data.frame(
    a = c(0.1, NA, 3, -0, 0), b = c("b", NA, "A", "b", "a"), c = c(NA, NA, NA, NA, 7), d = 1:5,
    y = c("u", "v", "u", "v", "u")
  ))
  open <- function(...) {
    sql_counter(con, "SELECT * FROM many_values", "y", c("a", "b", "c", "d"), settings = list(...))
  }
  streamed <- open(block_rows = 2, max_values = 4)
  grouped <- open(strategy = "group", max_values = 4)
  values <- lapply(streamed$meta()$columns, `[[`, "values")
  expect_identical(values, lapply(grouped$meta()$columns, `[[`, "values"))
  expect_identical(values, list(c(0, 0.1, 3), c("A", "a", "b"), 7, NULL))
  passes <- streamed$passes()
  expect_identical(sum(passes$what == "values" & passes$plan == "stream"), 1L)
  grouped$close()
  streamed$close()
})

test_that("SQLite's parts of a large number are exact and together the number", {
  for (x in c(1.1e300, -3.7e120, 1 / 3, 2^60 + 2^10)) {
    text <- scaled_number(x)
    expect_identical(eval(parse(text = text)), x)
    numbers <- regmatches(text, gregexpr("[0-9]+[.]0", text))[[1L]]
    expect_true(all(as.numeric(numbers) < 2^53))
  }
})
