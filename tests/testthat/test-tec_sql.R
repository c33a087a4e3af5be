test_that("SQLite and PostgreSQL predict what predict() does", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  cases <- some_of(export_cases(), 3)
  for (name in names(cases)) {
    expect_export(cases[[name]], con, name)
    expect_export(cases[[name]], con, paste(name, "null"), "null")
  }
  skip_if_not_installed("withr")
  target <- postgres_target()
  for (name in names(cases)) {
    fit <- cases[[name]]$fit
    expect_export(cases[[name]], target(fit), paste(name, "in PostgreSQL"))
    expect_export(cases[[name]], target(fit, "null"), paste(name, "null in PostgreSQL"), "null")
  }
})

test_that("names and labels cannot break out of their quotes", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  names <- c("a\"b", "c'd;--", "e`f", "line\nbreak", "\U0001F333 \u00e9", "x]y", "back\\slash")
  cases <- export_cases(names, nasty, 2)[c("surrogate classes", "majority classes", "cost", "drop numbers")]
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
  expect_equal(as.matrix(rows[levels(iris$Species)]), predict(fit, iris, "prob"), ignore_attr = TRUE)
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
  d <- data.frame(wait = as.difftime(1:40 / 3, units = "hours"), x = 1:40 / 3, y = rep(1:2, each = 20))
  target <- postgres_target()
  for (x in c("wait", "x")) {
    fit <- tec_tree(stats::reformulate(x, "y"), d, criterion = "l2", missing = "majority", subset = 1:30)
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

test_that("what SQL cannot say is an error", {
  fit <- tec_tree(Species ~ ., iris)
  expect_error(tec_sql(fit, "postgres", "node"), class = "tec_error_export")
  expect_length(tec_sql(fit, "postgres", "node", missing = "null"), 1L)
  expect_error(tec_sql(tec_tree(Species ~ log(Petal.Length), iris), "postgres"), class = "tec_error_export")
  expect_error(tec_sql(fit, "dbase"), class = "tec_error_argument")
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
