test_that("predictions for a table are new columns, not collected", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  d <- iris
  d$Petal.Width[c(3, 60, 120)] <- NA
  DBI::dbWriteTable(con, "new", d)
  table <- dplyr::tbl(con, "new")
  fit <- tec_tree(Species ~ ., iris)
  lazy <- predict(fit, table)
  expect_s3_class(lazy, "tbl_lazy")
  expect_identical(colnames(lazy), c(names(iris), ".pred"))
  expect_identical(dplyr::collect(lazy)$.pred, as.character(predict(fit, d)))
  prob <- as.data.frame(dplyr::collect(predict(fit, table, type = "prob")))
  expect_equal(
    unname(as.matrix(prob[paste0(".pred_", levels(iris$Species))])),
    unname(predict(fit, d, type = "prob")), tolerance = 1e-12
  )
  heaviest <- tec_tree(Species ~ ., iris, missing = "majority")
  node <- dplyr::collect(predict(heaviest, table, type = "node"))
  expect_identical(as.integer(node$.node), predict(heaviest, d, type = "node"))
  numbers <- tec_tree(Sepal.Length ~ Sepal.Width + Petal.Length, iris)
  expect_equal(dplyr::collect(predict(numbers, table))$.pred, predict(numbers, d))
  expect_snapshot(error = TRUE, {
    predict(fit, dplyr::select(table, Sepal.Length))
    predict(fit, table, type = "path")
    predict(fit, con)
  })
})

test_that("predictions of a forest for a table: one column per tree, then their vote or mean", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "new", iris)
  table <- dplyr::tbl(con, "new")
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 4)
  lazy <- predict(fit, table)
  expect_s3_class(lazy, "tbl_lazy")
  expect_identical(dplyr::collect(lazy)$.pred, as.character(predict(fit, iris)))
  prob <- as.data.frame(dplyr::collect(predict(fit, table, type = "prob")))
  expect_equal(
    unname(as.matrix(prob[paste0(".pred_", levels(iris$Species))])),
    unname(predict(fit, iris, type = "prob")), tolerance = 1e-12
  )
})
