test_that("SQLite and PostgreSQL predict what the forest does", {
  slow_test()
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  cases <- in_turn(forest_export_cases(), 2)
  # Every forest, and every choice with some of them.
  for (i in seq_along(cases)) {
    for (missing in missing_choices[(i + 0:1) %% length(missing_choices) + 1L]) {
      name <- paste(names(cases)[i], missing)
      expect_export(cases[[i]], con, name, missing)
    }
  }
  target <- postgres_forest()
  for (i in seq_along(cases)) {
    missing <- c("as_fitted", "null")[i %% 2L + 1L]
    found <- target(cases[[i]]$fit, missing)
    expect_export(cases[[i]], found, paste(names(cases)[i], missing, "in PostgreSQL"), missing)
  }
})

test_that("names and labels cannot break out of their quotes", {
  slow_test()
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  names <- c(
    "a\"b", "c'd;--", "e`f", "line\nbreak", "\U0001F333 \u00e9", "tectree_1", "back\\slash"
  )
  cases <- forest_export_cases(names, nasty, 2, trees = 3L)[c("learned", "shares", "numbers")]
  for (name in names(cases)) expect_export(cases[[name]], con, name)
  target <- postgres_forest()
  for (name in names(cases)) {
    expect_export(cases[[name]], target(cases[[name]]$fit, "as_fitted"), name)
  }
})

test_that("the query has the trees, their nodes, and the columns that are kept", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  flowers <- cbind(key = seq_len(150), iris)
  DBI::dbWriteTable(con, "flowers", flowers)
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 5, threads = 1)
  ask <- function(...) DBI::dbGetQuery(con, tec_sql(fit, con, ...))
  found <- ask("tree", table = "flowers", keep = "key")
  expect_identical(names(found), c("key", paste0("tree_", 1:5)))
  expect_identical(unname(as.matrix(found[-1])), predict(fit, iris, "tree"))
  found <- ask("node", table = "flowers", keep = character())
  expect_identical(unname(as.matrix(found)), predict(fit, iris, "node"))
  some <- ask(table = DBI::SQL("(SELECT * FROM flowers WHERE \"key\" > 60) f"))
  expect_identical(nrow(some), 90L)
  expect_identical(names(some), c(fit$columns$name[fit$used], "response"))
  found <- ask("prob", table = "flowers", keep = character())
  expect_equal(as.matrix(found), predict(fit, iris, "prob"))
})

test_that("models that a query cannot express are errors before a query", {
  slow_test()
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 5, threads = 1)
  expect_error(tec_sql(fit, "sqlite"), "table", class = "tec_error_argument")
  expect_error(tec_sql(fit, "sqlite", table = 1), "numeric", class = "tec_error_argument")
  expect_error(tec_sql(fit, "sqlite", table = "t", keep = 1), "keep", class = "tec_error_argument")
  expect_error(
    tec_sql(fit, "sqlite", "prob", table = "t", keep = "Setosa"), "keep",
    class = "tec_error_argument"
  )
  expect_error(tec_sql(fit[[1]], "sqlite", table = "t"), "forests", class = "tec_error_argument")
  rotation <- tec_rotation(Species ~ ., iris, trees = 1)
  expect_error(tec_sql(rotation, table = "t"), "no export", class = "tec_error_argument")
  number <- tec_forest(mpg ~ ., mtcars, trees = 3, threads = 1)
  expect_error(tec_sql(number, type = "votes", table = "t"), class = "tec_error_argument")
  many <- tec_forest(Species ~ ., iris, trees = 700, max_depth = 1, threads = 1, progress = FALSE)
  expect_error(
    tec_sql(many, "sqlite", "prob", table = "t"), "2,000 columns.*2,100",
    class = "tec_error_export"
  )
  expect_s3_class(tec_sql(many, "sqlite", table = "t"), "sql")
  shared <- tec_forest(Species ~ ., iris, trees = 3, missing = "fractional", threads = 1)
  expect_error(tec_sql(shared, "sqlite", "node", table = "t"), class = "tec_error_export")
})

test_that("the query of a small forest", {
  set.seed(1)
  fit <- tec_forest(Species ~ Petal.Length, iris, trees = 2, max_depth = 1, threads = 1)
  expect_snapshot({
    tec_sql(fit, "postgres", table = "flowers")
    tec_sql(fit, "sqlite", "prob", table = "flowers", keep = "id")
    tec_sql(fit, "mysql", "tree", table = "flowers")
  })
})

test_that("`keep` names columns that the query does not make, and `table` may be an identifier", {
  fit <- tec_forest(Species ~ ., iris, trees = 2, max_depth = 2, threads = 1)
  sql <- function(...) tec_sql(fit, ...)
  expect_error(sql(table = "t", keep = 3), "names of columns", class = "tec_error_argument")
  expect_error(
    sql(table = "t", keep = c("id", "response")), "Column: response", class = "tec_error_argument"
  )
  skip_if_not_installed("RSQLite")
  con <- engine_connection("sqlite")
  expect_match(sql(table = DBI::Id(table = "a b"), dialect = con), "FROM `a b`", fixed = TRUE)
  long <- transform(iris, Species = factor(Species, labels = strrep(c("a", "b", "c"), 64)))
  long <- tec_forest(Species ~ ., long, trees = 2, max_depth = 2, threads = 1)
  expect_match(tec_sql(long, table = "t", type = "prob"), "AS \"prob_3\"", fixed = TRUE)
})

test_that("a forest with costs chooses the class in SQL as predict() does", {
  skip_if_not_installed("RSQLite")
  cost <- rbind(c(0, 2, 1), c(1, 0, 9), c(1, 1, 0))
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 3, cost = cost, max_depth = 2, threads = 1)
  expect_false(identical(predict(fit, iris), iris$Species))
  out <- verify_export(fit, iris, engine_connection("sqlite"))
  expect_identical(out$agree, out$rows)
})

test_that("a forest beyond the limits of a database is refused", {
  expect_error(
    check_sql_columns(2000, list(columns = 1000, name = "oracle", model = "forest")),
    "It allows 1,000 columns, and the forest needs 2,000", class = "tec_error_export"
  )
  labels <- paste0("'", 1:2500, "'")
  expect_identical(
    sql_in(labels, "a", list()),
    paste0("(a IN (", paste(labels[1:1000], collapse = ", "), ") OR a IN (",
      paste(labels[1001:2000], collapse = ", "), ") OR a IN (",
      paste(labels[2001:2500], collapse = ", "), "))")
  )
  expect_match(sql_in(labels, "a", list(), not = TRUE), "^\\(a NOT IN .* AND a NOT IN ")
})
