test_that("the mean of the forest is the sum of the trees", {
  set.seed(1)
  d <- boost_data(150)
  fit <- tec_boost(number ~ a + b + f, d, rounds = 20, folds = 0)
  expect_equal(predict(as_tec_forest(fit), d), predict(fit, d), tolerance = 1e-12)
  fit <- tec_boost(two ~ a + b + f, d, rounds = 20, folds = 0)
  expect_equal(predict(as_tec_forest(fit), d), predict(fit, d, type = "link"), tolerance = 1e-12)
  fit <- tec_boost(three ~ a + b + f, d, rounds = 20, folds = 0)
  link <- predict(fit, d, type = "link")
  for (class in colnames(link)) {
    expect_equal(predict(as_tec_forest(fit, class = class), d), link[, class], tolerance = 1e-12)
  }
})

test_that("Shapley values add up, and equal a naive sum if predictors do not interact", {
  set.seed(2)
  d <- boost_data(80)
  fit <- tec_boost(number ~ a + b + f, d, rounds = 15, folds = 0)
  shap <- tec_shap(fit, d)
  expect_equal(shap$baseline + rowSums(shap$values), predict(fit, d), tolerance = 1e-10)
  # Stumps: the function of a predictor less its mean over the background.
  fit <- tec_boost(number ~ a + b + f, d, rounds = 15, folds = 0, max_depth = 1)
  shap <- tec_shap(fit, d, background = d)
  parts <- predict(tec_shapes(fit, d), d)
  expect_equal(shap$values[, colnames(parts)], parts)
  fit <- tec_boost(three ~ a + b, d, rounds = 5, folds = 0)
  shap <- tec_shap(fit, d, class = "v")
  expect_equal(shap$baseline + rowSums(shap$values), predict(fit, d, type = "link")[, "v"])
})

test_that("AdaBoost's forest predicts its classes, with shares that follow the votes", {
  for (i in case_seeds(2)) at_seed(i, {
    d <- boost_data(120)
    y <- c("two", "three")[1 + i %% 2]
    fit <- tec_boost(d[c("a", "b", "f", "o")], d[[y]],
      method = "adaboost", rounds = 12, max_depth = 1 + i %% 3
    )
    forest <- as_tec_forest(fit)
    new <- boost_data(200)
    expect_identical(predict(forest, new), predict(fit, new))
    votes <- predict(fit, new, type = "link")
    most <- max(fit$vote)
    k <- ncol(votes)
    mine <- (votes + (most * fit$rounds - rowSums(votes)) / k) / (most * fit$rounds)
    expect_equal(predict(forest, new, type = "prob"), mine, tolerance = 1e-12)
    expect_equal(rowSums(mine), rep(1, 200))
    shap <- tec_shap(fit, new[1:10, ], class = levels(d[[y]])[1])
    expect_equal(shap$baseline + rowSums(shap$values), mine[1:10, 1])
  })
})

# The writers know nothing of boosting, but no forest has such models: weights of no whole number,
# numbers far from the response's, shares that are votes.
export_boosted <- function() {
  set.seed(4)
  full <- export_data(200)
  d <- with_gaps(full)
  grow <- function(y, ...) {
    fit <- suppressWarnings(tec_boost(d, y, rounds = 6, folds = 0, max_depth = 3, threads = 1, ...))
    forest <- as_tec_forest(fit, class = if (length(fit$base) > 2) "i")
    list(fit = forest, rows = forest_export_rows(forest, export_data(60)))
  }
  classes <- export_response(full, letters[c(1, 9, 5)])
  list(
    numbers = grow(export_response(full, NULL), weights = runif(200)),
    odds = grow(export_response(full, c("a", "b"))), score = grow(classes),
    votes = grow(classes, method = "adaboost")
  )
}

test_that("ONNX Runtime predicts the same as the model", {
  node_path()
  cases <- export_boosted()
  # Starting it takes seconds.
  for (name in c("numbers", "votes")) expect_export(cases[[name]], "onnx", name)
})

test_that("readers of PMML, R and JSON predict the same as the model", {
  cases <- export_boosted()
  for (name in names(cases)) expect_export(cases[[name]], "r", name)
  skip_if_not_installed("xml2")
  for (name in names(cases)) {
    case <- cases[[name]]
    said <- tec_pmml(case$fit)
    out <- verify_export(case$fit, case$rows, function(rows) pmml_target(said)(rows))
    expect_true(all(out$agree == nrow(case$rows)), label = name)
  }
  skip_if_not_installed("jsonlite")
  back <- tec_from_json(tec_json(cases$votes$fit))
  said <- suppressWarnings(lapply(list(back, cases$votes$fit), predict, cases$votes$rows))
  expect_identical(said[[1]], said[[2]])
})

test_that("exports predict the same as the model", {
  set.seed(3)
  d <- boost_data(100)
  fit <- tec_boost(number ~ a + b + f + o, d, rounds = 8, folds = 0)
  skip_if_not_installed("jsonlite")
  back <- tec_from_json(tec_json(fit))
  expect_equal(predict(back, d), predict(fit, d), tolerance = 1e-12)
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  expect_true(all(with(verify_export(fit, d, con), agree == rows)))
  two <- as_tec_forest(tec_boost(two ~ a + b + f, d, rounds = 8, folds = 0))
  expect_true(all(with(verify_export(two, d, con), agree == rows)))
  python <- Sys.which("python3")
  if (nzchar(python)) expect_true(all(with(verify_export(fit, d, "python"), agree == rows)))
  skip_if(!nzchar(Sys.which("cc")))
  expect_true(all(with(verify_export(two, d, "c"), agree == rows)))
})

test_that("bad input has errors that say what to do", {
  three <- tec_boost(Species ~ ., iris, rounds = 2, folds = 0)
  ada <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 2)
  parts <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 2, missing = "fractional")
  expect_snapshot_output(show_errors({
    as_tec_forest(three)
    as_tec_forest(three, class = "rosa")
    as_tec_forest(ada, class = "setosa")
    as_tec_forest(parts)
    tec_shap(ada, iris, class = "rosa")
    tec_shap(three, iris)
  }))
})
