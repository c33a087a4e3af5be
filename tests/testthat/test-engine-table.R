# Tables of SQLite as data of tec_tree(), and odd names.

sqlite_with <- function(..., env = parent.frame()) {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con), env)
  tables <- list(...)
  for (name in names(tables)) DBI::dbWriteTable(con, name, tables[[name]])
  con
}

text_iris <- function() transform(iris, Species = as.character(Species))
count_only <- function(...) tec_engine(collect_rows = 0, progress = FALSE, ...)

test_that("a lazy table, and a connection with a table's name, grow the tree of the rows", {
  con <- sqlite_with(iris = iris)
  rows <- tec_tree(Species ~ ., text_iris(), prune = "none")
  lazy <- tec_tree(Species ~ ., dplyr::tbl(con, "iris"), prune = "none", engine = count_only())
  named <- tec_tree(Species ~ ., con, table = "iris", prune = "none", engine = count_only())
  expect_identical(lazy$tree, rows$tree)
  expect_identical(named$tree, rows$tree)
  expect_identical(predict(lazy, iris), predict(rows, iris))
  expect_setequal(lazy$found, c("values", ""))
  expect_true(nrow(tec_passes(lazy)) > tree_depth(lazy))
  expect_identical(nrow(tec_passes(rows)), 0L)
})

test_that("a small table is fetched and pruned like rows in memory", {
  con <- sqlite_with(iris = iris)
  fit <- suppressMessages(tec_tree(Species ~ ., dplyr::tbl(con, "iris")))
  rows <- tec_tree(Species ~ ., text_iris())
  expect_identical(fit$tree, rows$tree)
  expect_identical(fit[["cptable"]], rows[["cptable"]])
  expect_setequal(fit$found, c("collected", ""))
  expect_snapshot(print(fit))
})

test_that("the user's own query counts", {
  con <- sqlite_with(iris = iris)
  skip_if_not_installed("dplyr")
  table <- dplyr::mutate(dplyr::tbl(con, "iris"), area = Petal.Length * Petal.Width)
  table <- dplyr::filter(table, Sepal.Width > 2.5)
  fit <- tec_tree(Species ~ area + Sepal.Length, table, prune = "none", engine = count_only())
  d <- subset(transform(text_iris(), area = Petal.Length * Petal.Width), Sepal.Width > 2.5)
  expect_identical(
    fit$tree, tec_tree(Species ~ area + Sepal.Length, d, prune = "none")$tree
  )
  computed <- tryCatch(
    tec_tree(Species ~ log(area), table, engine = count_only()), error = identity
  )
  expect_s3_class(computed, "tec_error_formula")
})

test_that("odd names and levels, numbers, weights, missing values", {
  set.seed(6)
  odd <- c("a\"b", "select", "x;y", "\u00e4\u00f6\u00fc", "with 'quote", "")
  d <- data.frame(
    n = sample(c(1:6, NA), 200, TRUE), f = sample(c(odd, NA), 200, TRUE), w = sample(0:3, 200, TRUE)
  )
  d$y <- ifelse(d$f %in% odd[1:3], "yes; '", sample(c("yes; '", "no \"x\""), 200, TRUE))
  d$u <- round(rnorm(200), 2)
  names(d)[1:2] <- c("a \"col\"", "from; drop")
  con <- sqlite_with(odd = d)
  for (missing in c("majority", "learned", "mode", "drop")) {
    fit <- suppressMessages(tec_tree(
      y ~ `a "col"` + `from; drop`, con, table = "odd", weights = w,
      weights_as = "frequency", missing = missing,
      prune = "none", engine = count_only()
    ))
    rows <- tec_tree(
      y ~ `a "col"` + `from; drop`, d, weights = w, weights_as = "frequency",
      missing = missing, prune = "none"
    )
    expect_identical(fit$tree, rows$tree)
    expect_identical(fit$columns$levels, rows$columns$levels)
  }
  fit <- tec_tree(
    u ~ . - y - w, con, table = "odd", missing = "majority", prune = "none",
    engine = count_only()
  )
  rows <- tec_tree(u ~ . - y - w, d, missing = "majority", prune = "none")
  expect_identical(fit$tree$breaks, rows$tree$breaks)
  expect_equal(fit$tree, rows$tree, tolerance = 1e-10)
})

test_that("factor(y) makes classes of numbers", {
  con <- sqlite_with(cars = mtcars)
  fit <- tec_tree(
    factor(cyl) ~ mpg + hp, con, table = "cars", prune = "none", engine = count_only()
  )
  expect_identical(fit$tree, tec_tree(factor(cyl) ~ mpg + hp, mtcars, prune = "none")$tree)
})

test_that("factor(y) has classes of frequency 0, but plain text does not", {
  d <- data.frame(x = 1:40 + 0, y = rep(c(0, 1), each = 20), fr = rep(1:2, 20))
  d$y[40:39] <- 2:3
  d$fr[40:39] <- 0L
  d$y[1] <- NA
  d$text <- ifelse(is.na(d$y), NA, paste0("c", d$y))
  con <- sqlite_with(rows = d)
  cl <- list(data = give_parts(cluster_of_two(), list(d[1:20, ], d[21:40, ])), table = "part")
  for (formula in list(factor(y) ~ x, factor(text) ~ x, text ~ x)) {
    grow <- function(...) {
      suppressMessages(tec_tree(formula, ..., weights = fr, weights_as = "frequency",
        prune = "none"))
    }
    rows <- grow(d)
    expect_length(rows$response$levels, if (identical(formula[[2]], quote(text))) 2 else 4)
    engines <- list(count_only(), count_only(strategy = "group"), read_all(collect_rows = Inf))
    ways <- lapply(engines, function(engine) list(data = con, table = "rows", engine = engine))
    for (way in c(ways, list(c(cl, list(engine = count_only()))))) {
      fit <- do.call(grow, way)
      expect_identical(fit$response$levels, rows$response$levels)
      expect_identical(fit$tree, rows$tree)
      expect_equal(fit$n_missing_response, rows$n_missing_response)
    }
  }
})

for (name in c("duckdb", "postgres")) {
  test_that(paste("factor() of booleans has the classes that are there:", name), {
    d <- data.frame(x = 0:19, y = ifelse(0:19 > 5, TRUE, NA))
    put_table(name, "yes", d)
    for (formula in list(factor(y) ~ x, y ~ x)) {
      grow <- function(...) quietly_grown(list(formula, ..., prune = "none"))
      here <- grow(d)
      for (encode in c("table", "inline")) {
        engine <- count_only(encode = encode)
        there <- grow(engine_connection(name), table = "yes", engine = engine)
        expect_identical(there$response$levels, here$response$levels)
        expect_identical(there$tree, here$tree)
      }
    }
  })
}

test_that("arguments that do not work with a table are errors", {
  con <- sqlite_with(iris = iris, none = iris[0, ])
  expect_snapshot(error = TRUE, {
    tec_tree(Species ~ ., con)
    tec_tree(Species ~ Petal.Widht, con, table = "iris")
    tec_tree(Species ~ ., con, table = "iris", subset = Petal.Width > 1, engine = count_only())
    tec_tree(Species ~ ., con, table = "iris", na.action = na.omit, engine = count_only())
    tec_tree(Species ~ ., con, table = "iris", q = c(1, 2), engine = count_only())
    tec_tree(Species ~ ., con, table = "iris", weights = sqrt(Petal.Width),
      weights_as = "frequency", engine = count_only())
    tec_tree(Species ~ ., con, table = "none", engine = count_only())
    tec_tree(Species ~ ., iris, engine = tec_engine())
    tec_tree(Species ~ ., con, table = "iris", engine = list(collect_rows = 1))
    tec_tree(Species ~ ., con, table = 3)
  })
  expect_error(tec_tree(Species ~ ., con, table = "nowhere"), class = "tec_error_database")
})

test_that("PostgreSQL: a missing table does not end the transaction of the user", {
  con <- connect_postgres("one")
  run_engine(con, "DROP TABLE IF EXISTS kept")
  run_engine(con, "CREATE TABLE kept (x integer)")
  run_engine(con, "BEGIN")
  run_engine(con, "INSERT INTO kept VALUES (1)")
  expect_error(tec_tree(y ~ x, con, table = "typo"), class = "tec_error_database")
  expect_identical(as.numeric(run_query(con, "SELECT COUNT(*) AS n FROM kept")$n), 1)
  run_engine(con, "ROLLBACK")
})

test_that("DuckDB: an unused column of a type unknown to R does no harm", {
  con <- engine_connection("duckdb")
  run_engine(con, "CREATE OR REPLACE TABLE spans AS SELECT range AS x, range % 3 AS y,
    INTERVAL 1 DAY AS took FROM range(60)")
  d <- data.frame(x = 0:59, y = 0:59 %% 3)
  here <- tec_tree(factor(y) ~ x, d, prune = "none")
  for (rows in c(Inf, 0)) {
    there <- tec_tree(factor(y) ~ x, con, table = "spans", prune = "none",
      engine = tec_engine(collect_rows = rows, progress = FALSE))
    expect_identical(there$tree, here$tree)
  }
})
