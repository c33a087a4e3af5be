test_that("SQLite and PostgreSQL predict what predict() does", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  cases <- in_turn(export_cases(), 2)
  for (name in names(cases)) {
    for (missing in missing_choices) {
      expect_export(cases[[name]], con, paste(name, missing), missing)
    }
  }
  target <- postgres_target()
  for (name in names(cases)) {
    fit <- cases[[name]]$fit
    for (missing in missing_choices) {
      expect_export(
        cases[[name]], target(fit, missing), paste(name, missing, "in PostgreSQL"), missing
      )
    }
  }
})

test_that("names and labels cannot break out of their quotes", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  names <- c("a\"b", "c'd;--", "e`f", "line\nbreak", "\U0001F333 \u00e9", "x]y", "back\\slash")
  cases <- export_cases(names, nasty, 2)[c(
    "surrogate classes", "majority classes", "cost", "drop numbers"
  )]
  cases <- some_of(cases, 2)
  for (name in names(cases)) expect_export(cases[[name]], con, name)
  target <- postgres_target()
  for (name in names(cases)) expect_export(cases[[name]], target(cases[[name]]$fit), name)
  used <- names(cases)[[1L]]
  expect_true(any(grepl("back\\slash", tec_sql(cases[[used]]$fit, "postgres"), fixed = TRUE)))
  expect_error(tec_sql(cases[["drop numbers"]]$fit, "mysql"), class = "tec_error_export")
})

test_that("dplyr runs the expressions in the database", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "flowers", iris)
  fit <- tec_tree(Species ~ ., iris)
  rows <- dplyr::collect(dplyr::mutate(
    dplyr::tbl(con, "flowers"),
    !!!tec_sql(fit, con, "prob"), predicted = !!tec_sql(fit, con)
  ))
  expect_equal(rows$predicted, as.character(predict(fit, iris)))
  expect_equal(
    as.matrix(rows[levels(iris$Species)]), predict(fit, iris, "prob"), ignore_attr = TRUE
  )
})

test_that("dates, times and differences are compared as the database has them", {
  d <- data.frame(
    day = as.Date("1999-12-20") + 0:59,
    time = as.POSIXct("2020-02-28 23:59:58", tz = "UTC") + (0:59) / 7,
    wait = as.difftime((0:59) / 3, units = "hours")
  )
  d$y <- seq_len(60)
  fit <- tec_tree(y ~ day, d, max_depth = 1)
  expect_match(tec_sql(fit, "postgres"), "<= CAST('2000-01-18' AS DATE)", fixed = TRUE)
  expect_match(tec_sql(fit, "sqlite"), "\"day\" <= 10974.5", fixed = TRUE)
  fit <- tec_tree(y ~ time, d, max_depth = 1)
  expect_match(
    tec_sql(fit, "postgres"), "CAST('2020-02-29 00:00:02.214285+00' AS TIMESTAMP WITH TIME ZONE)",
    fixed = TRUE
  )
  expect_error(tec_sql(fit, "mysql"), class = "tec_error_export")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  rows <- d
  units(rows$wait) <- "mins"
  for (x in c("day", "time", "wait")) {
    fit <- tec_tree(stats::reformulate(x, "y"), d, missing = "majority")
    expect_equal(verify_export(fit, rows, con)$agree, c(60, 60))
  }
})

test_that("NaN is missing in PostgreSQL, which has it above all numbers", {
  d <- data.frame(
    wait = as.difftime(1:40 / 3, units = "hours"), x = 1:40 / 3, y = rep(1:2, each = 20)
  )
  target <- postgres_target()
  for (x in c("wait", "x")) {
    fit <- tec_tree(
      stats::reformulate(x, "y"), d, criterion = "l2", missing = "majority", subset = 1:30
    )
    rows <- d
    rows[[x]][1:5] <- NaN
    expect_identical(unique(verify_export(fit, rows, target(fit))$agree), 40L)
  }
})

test_that("SQL Server gets text beyond ASCII as such", {
  d <- data.frame(x = rep(c("caf\u00e9", "tea", "d'eau", "tea"), 10), y = rep(c(1, 5, 9, 5), 10))
  said <- tec_sql(tec_tree(y ~ x, d, missing = "majority", nominal = "multiway"), "mssql")
  expect_match(said, "= N'caf\u00e9'", fixed = TRUE)
  expect_match(said, "= 'd''eau'", fixed = TRUE)
  expect_no_match(tec_sql(tec_tree(y ~ x, d), "sqlite"), "N'", fixed = TRUE)
})

test_that("models that SQL cannot express are errors", {
  fit <- tec_tree(Species ~ ., iris, missing = "fractional", prune = "none")
  expect_error(tec_sql(fit, "postgres", "node"), class = "tec_error_export")
  for (missing in c("majority", "null")) {
    expect_length(tec_sql(fit, "postgres", "node", missing = missing), 1L)
  }
  expect_error(
    tec_sql(tec_tree(Species ~ log(Petal.Length), iris), "postgres"), class = "tec_error_export"
  )
  expect_error(tec_sql(fit, "dbase"), "ansi.*bigquery.*spark", class = "tec_error_argument")
  expect_error(tec_sql(fit, missing = "never"), "as_fitted", class = "tec_error_argument")
  x <- rep(c(-Inf, -.Machine$double.xmax), 20)
  fit <- tec_tree(x = data.frame(length = x), y = factor(x))
  expect_error(tec_sql(fit, "sqlite"), "length", class = "tec_error_export")
  expect_error(tec_sql(tec_tree(mpg ~ wt, mtcars), "sqlite", "prob"), class = "tec_error_argument")
})

test_that("a surrogate's branch is written once, however many splits lead to it", {
  set.seed(1)
  d <- as.data.frame(matrix(rnorm(8000), 1000))
  d[] <- lapply(d, function(x) x + d$V1 / 2)
  d$y <- rowSums(d) + rnorm(1000)
  fit <- tec_tree(y ~ ., d, missing = "surrogate", max_depth = 7, min_bucket = 2)
  expect_lt(nchar(tec_sql(fit, "sqlite")), 2000 * n_nodes(fit))
})

test_that("the text grows with the number of leaves, also for rows with missing values", {
  set.seed(1)
  d <- as.data.frame(matrix(rnorm(12000), 2000))
  d$y <- factor(d$V1 * d$V2 + d$V3 * d$V4 + rnorm(2000) > 0)
  size <- function(leaves, missing) {
    fit <- tec_tree(y ~ ., d, missing = "fractional", prune = "none", max_leaves = leaves)
    nchar(tec_sql(fit, "sqlite", missing = missing)) / sum(fit$tree$kind == 0L)
  }
  for (missing in missing_choices) {
    small <- size(15, missing)
    large <- size(120, missing)
    expect_lt(large, 1.3 * small)
    expect_lt(large, c(as_fitted = 400, majority = 50, null = 120)[[missing]])
  }
})

test_that("deep trees run in SQLite and PostgreSQL", {
  slow_test()
  set.seed(2)
  x <- seq(-1, 1, length.out = 200)
  steep <- tec_tree(
    y ~ x, data.frame(x, y = exp(40 * x)), missing = "fractional", prune = "none", min_bucket = 1
  )
  expect_gte(max(steep$tree$depth), 39L)
  d <- with_gaps(export_data(150), 0)
  d$y <- exp(5 * d$x1) + exp(4 * d$x2 + as.integer(d$x3))
  bushy <- tec_tree(y ~ ., d, missing = "fractional", prune = "none", min_bucket = 1, min_split = 2)
  expect_gt(max(bushy$tree$depth), 15L)
  at <- data.frame(x = c(0.5, 1:30 * 33 - 0.3, NA))
  cases <- list(
    steep = list(fit = steep, rows = data.frame(x = c(x + 0.003, NA))),
    bushy = list(fit = bushy, rows = with_gaps(d)), chain = list(fit = chain_tree(1000), rows = at),
    shared = list(fit = sharing(chain_tree(1000)), rows = at)
  )
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  for (name in names(cases)) expect_export(cases[[name]], con, name)
  target <- postgres_target()
  for (name in names(cases)) {
    expect_export(cases[[name]], target(cases[[name]]$fit), paste(name, "in PostgreSQL"))
  }
})

test_that("a class among many is found by a query of one row, or without one", {
  set.seed(3)
  d <- with_gaps(export_data(300))
  y <- factor(sample(LETTERS[1:6], 300, TRUE))
  fit <- tec_tree(x = d, y = y, missing = "fractional", prune = "none", max_depth = 5)
  case <- list(fit = fit, rows = export_rows(fit, export_data(150)))
  expect_match(tec_sql(fit, "postgres"), "FROM (SELECT", fixed = TRUE)
  expect_no_match(tec_sql(fit, "snowflake"), "FROM", fixed = TRUE)
  target <- postgres_target()
  expect_export(case, target(fit), "with a query")
  # Where names and labels are plain, Snowflake's text is PostgreSQL's.
  expect_export(case, target(fit, dialect = "snowflake"), "without")
})

test_that("each dialect is written as its manual says", {
  d <- data.frame(
    size = rep(1:6, 10) / 2, kind = rep(c("it's", "a\\b", "new\nline", "plain", "other"), 12),
    new = rep(c(TRUE, FALSE, FALSE), 20), day = as.Date("2024-02-28") + rep(0:3, 15),
    y = 1:60 %% 7 / 3
  )
  d$y <- d$y + (d$kind == "it's") + d$new / 2 + d$size + as.integer(d$day) %% 4
  one <- function(x) {
    tec_tree(
      stats::reformulate(x, "y"), d, missing = "fractional", prune = "none", max_depth = 1,
      nominal = "multiway"
    )
  }
  said <- function(dialect) {
    cat("--", dialect, "--\n")
    for (x in c("size", "kind", "new", "day")) {
      text <- tryCatch(
        unclass(tec_sql(one(x), dialect, missing = "majority")),
        error = function(e) cli::ansi_strip(conditionMessage(e))
      )
      cat(text, "\n")
    }
  }
  expect_snapshot(for (dialect in names(sql_dialects())) said(dialect))
})

test_that("limits and names that a database does not accept are errors before a query", {
  fit <- complete_tree(11)
  expect_error(
    tec_sql(fit, "mssql"), "10 levels of nested CASE.*needs 11", class = "tec_error_export"
  )
  expect_silent(tec_sql(fit, "sqlite"))
  d <- data.frame(x = rep(paste0(strrep("x", 3e5), 1:6), 10), y = rep(1:6, 10))
  fit <- tec_tree(
    y ~ x, d, criterion = "l2", missing = "majority", prune = "none", nominal = "multiway"
  )
  expect_error(tec_sql(fit, "snowflake"), "1,048,576 bytes", class = "tec_error_export")
  d <- data.frame(I = 1:90 %% 2, i = 1:90 %% 3)
  d$y <- d$I + 2 * d$i
  fit <- tec_tree(y ~ ., d, missing = "majority", prune = "none")
  expect_error(tec_sql(fit, "sqlite"), "differ only by case", class = "tec_error_export")
  expect_length(tec_sql(fit, "postgres"), 1L)
  d <- data.frame(x = rep(c("", "b"), 20), y = rep(c(1, 9), 20))
  fit <- tec_tree(y ~ x, d, criterion = "l2", missing = "majority", prune = "none")
  expect_error(tec_sql(fit, "oracle"), "NULL", class = "tec_error_export")
})

test_that("every writer takes a file, whole and in UTF-8", {
  fit <- tec_tree(Species ~ ., iris, missing = "majority")
  file <- withr::local_tempfile()
  read <- function() paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  writers <- list(
    function(file) tec_sql(fit, file = file), function(file) tec_code(fit, file = file),
    function(file) tec_json(fit, file), function(file) tec_pmml(fit, file)
  )
  folder <- withr::local_tempdir()
  for (write in writers) {
    writeLines("old", file)
    expect_identical(withVisible(write(file))$visible, FALSE)
    expect_identical(read(), as.vector(unclass(write(NULL))))
    expect_error(write(folder), "folder", class = "tec_error_argument")
    expect_error(write(file.path(folder, "none", "x")), "no folder", class = "tec_error_argument")
    expect_error(write(1), class = "tec_error_argument")
  }
  expect_length(dir(folder, all.files = TRUE, no.. = TRUE), 0L)
  tec_sql(fit, type = "prob", file = file)
  expect_match(read(), "AS \"setosa\",\nCASE", fixed = TRUE)
  names(iris)[3L] <- "\u4e2d"
  tec_sql(tec_tree(Species ~ ., iris, missing = "majority"), file = file)
  expect_match(read(), "\u4e2d", fixed = TRUE)
  expect_error(tec_onnx(fit, folder), "folder", class = "tec_error_argument")
})

test_that("no option of the session changes a number", {
  fit <- tec_tree(Species ~ ., iris, missing = "fractional", prune = "none")
  write <- function() {
    file <- withr::local_tempfile()
    tec_view(fit, file = file)
    langs <- lapply(names(code_words), function(lang) tec_code(fit, lang))
    list(
      langs, tec_sql(fit), tec_sql(fit, "sqlite", "node", missing = "null"), tec_json(fit),
      tec_pmml(fit, missing = "majority"), tec_onnx(fit, missing = "majority"),
      readLines(file, warn = FALSE),
      capture.output(
        print(fit), print(summary(fit)), print(importance(fit)), print(tec_rules(fit))
      ),
      as.data.frame(fit), as.list(tec_scores(fit))
    )
  }
  plain <- write()
  for (session in list(list(scipen = -10), list(OutDec = ","), list(scipen = 100))) {
    withr::with_options(session, {
      expect_identical(expect_no_warning(write()), plain)
      grDevices::pdf(NULL)
      expect_no_warning(plot(fit))
      grDevices::dev.off()
    })
  }
  expect_identical(getOption("OutDec"), ".")
})

test_that("options for numbers do not change what ensembles and tables elsewhere write", {
  con <- connect_sqlite()
  d <- data.frame(y = iris$Sepal.Length, a = iris$Petal.Width + 0.05, k = iris$Species, id = 1:150)
  DBI::dbWriteTable(con, "rows", d)
  write <- function() {
    set.seed(1)
    models <- list(
      tec_forest(k ~ a + y, d, trees = 2, progress = FALSE),
      tec_boost(y ~ a + k, d, rounds = 2, folds = 0, progress = FALSE), tec_mars(y ~ a, d)
    )
    counted <- tec_forest(y ~ a, con,
      table = "rows", trees = 2, importance = "none", progress = FALSE,
      engine = tec_engine(collect_rows = 0, key = "id", progress = FALSE)
    )
    list(
      lapply(models, function(fit) list(tec_json(fit), tec_code(fit, "javascript"))),
      lapply(models[-3], tec_sql, table = "rows"), tec_sql(models[[3]]),
      lapply(models[-3], tec_pmml), lapply(models[-3], tec_onnx), counted$trees
    )
  }
  plain <- write()
  withr::with_options(list(OutDec = ","), expect_identical(write(), plain))
})

test_that("choices are one text", {
  fit <- tec_tree(Species ~ ., iris, missing = "majority")
  for (choice in list(mean, new.env(), quote(x), c("majority", "null"), NA)) {
    for (write in list(tec_sql, tec_pmml, tec_onnx)) {
      expect_error(write(fit, missing = choice), class = "tec_error_argument")
    }
    expect_error(tec_sql(fit, type = choice), class = "tec_error_argument")
  }
})

test_that("a class that no leaf has is 0 in rows with missing values, too", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  fit <- tec_tree(
    Species ~ Petal.Width, iris[1:100, ], missing = "fractional", smooth = 0, prune = "none"
  )
  rows <- data.frame(Petal.Width = c(NA, 0.2, 1.5))
  expect_silent(verify_export(fit, rows, con))
  set.seed(3)
  d <- data.frame(x = rnorm(30), z = rnorm(30))
  d$y <- factor(sample(c("a", "b", "c"), 30, TRUE, c(0.6, 0.3, 0.1)), levels = c("a", "b", "c"))
  rows <- data.frame(x = c(NA, 0, NA), z = c(NA, NA, 0))
  for (probability in c(TRUE, FALSE)) {
    forest <- tec_forest(
      y ~ ., d, trees = 2, missing = "fractional", max_depth = 2, probability = probability,
      threads = 1
    )
    expect_silent(verify_export(forest, rows, con))
  }
})

test_that("labels that share rows with missing values are the same in SQL", {
  skip_if_not_installed("RSQLite")
  set.seed(2)
  d <- data.frame(g = sample(letters[1:5], 200, TRUE), x = round(stats::runif(200), 2))
  d$y <- factor(ifelse(d$g %in% c("a", "b"), d$x > 0.3, d$g == "c" & d$x < 0.6))
  d$z <- d$x + as.integer(d$y)
  d$g[1:20] <- NA
  d$x[15:40] <- NA
  for (formula in list(y ~ g + x, z ~ g + x)) {
    fit <- tec_tree(
      formula, d, missing = "fractional", max_depth = 4, min_bucket = 5, prune = "none"
    )
    out <- verify_export(fit, d, engine_connection("sqlite"))
    expect_identical(out$agree, out$rows)
  }
})

test_that("strings with backslashes are written for PostgreSQL's own form", {
  sql <- sql_dialect("postgres")
  expect_identical(sql_string(c("a\\b", "it's"), sql), c("E'a\\\\b'", "'it''s'"))
})

test_that("NaN is a missing value in PostgreSQL only", {
  input <- list(type = "number", whole = FALSE)
  expect_identical(
    sql_missing("x", input, list(name = "postgres")), "x IS NULL OR x::float8 = 'NaN'"
  )
  expect_identical(sql_missing("x", input, list(name = "sqlite")), "x IS NULL")
})

test_that("every dialect has a number for each limit", {
  known <- sql_dialects()
  for (limit in c("nesting", "characters", "columns")) {
    expect_true(all(vapply(known, `[[`, 0, limit) > 0))
  }
  expect_identical(known$redshift$characters, 16 * 2^20)
})
