test_that("the mean of the forest is the sum of the trees", {
  set.seed(1)
  d <- boost_data(150)
  fit <- tec_boost(number ~ a + b + f, d, rounds = 20)
  expect_equal(predict(as_tec_forest(fit), d), predict(fit, d), tolerance = 1e-12)
  fit <- tec_boost(two ~ a + b + f, d, rounds = 20)
  expect_equal(predict(as_tec_forest(fit), d), predict(fit, d, type = "link"), tolerance = 1e-12)
  fit <- tec_boost(three ~ a + b + f, d, rounds = 20)
  link <- predict(fit, d, type = "link")
  for (class in colnames(link)) {
    expect_equal(predict(as_tec_forest(fit, class = class), d), link[, class], tolerance = 1e-12)
  }
})

test_that("Shapley values add up, and are those of a naive sum where predictors do not interact", {
  set.seed(2)
  d <- boost_data(80)
  fit <- tec_boost(number ~ a + b + f, d, rounds = 15)
  shap <- tec_shap(fit, d)
  expect_equal(shap$baseline + rowSums(shap$values), predict(fit, d), tolerance = 1e-10)
  # Stumps: the function of a predictor less its mean over the background.
  fit <- tec_boost(number ~ a + b + f, d, rounds = 15, max_depth = 1)
  shap <- tec_shap(fit, d, background = d)
  expect_equal(shap$values[, colnames(predict(tec_shapes(fit, d), d))], predict(tec_shapes(fit, d), d))
  fit <- tec_boost(three ~ a + b, d, rounds = 5)
  shap <- tec_shap(fit, d, class = "v")
  expect_equal(shap$baseline + rowSums(shap$values), predict(fit, d, type = "link")[, "v"])
})

test_that("exports predict what the model does", {
  set.seed(3)
  d <- boost_data(100)
  fit <- tec_boost(number ~ a + b + f + o, d, rounds = 8)
  skip_if_not_installed("jsonlite")
  back <- tec_from_json(tec_json(fit))
  expect_equal(predict(back, d), predict(fit, d), tolerance = 1e-12)
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  expect_true(all(with(verify_export(fit, d, con), agree == rows)))
  two <- as_tec_forest(tec_boost(two ~ a + b + f, d, rounds = 8))
  expect_true(all(with(verify_export(two, d, con), agree == rows)))
  python <- Sys.which("python3")
  if (nzchar(python)) expect_true(all(with(verify_export(fit, d, "python"), agree == rows)))
  expect_match(paste(tec_code(fit, "c"), collapse = "\n"), "double")
})

test_that("bad input has errors that say what to do", {
  three <- tec_boost(Species ~ ., iris, rounds = 2)
  ada <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 2)
  expect_snapshot_output(show_errors({
    as_tec_forest(three)
    as_tec_forest(three, class = "rosa")
    as_tec_forest(ada)
    tec_json(three)
    tec_shap(ada, iris)
    tec_shap(three, iris)
  }))
})
