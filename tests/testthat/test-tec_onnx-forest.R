test_that("ONNX Runtime predicts what the forest does", {
  node_path()
  # Starting it takes seconds.
  cases <- forest_export_cases(trees = 5L)
  for (name in some_of(c("numbers", "learned", "shares", "cost", "drop"), 2)) {
    expect_export(cases[[name]], "onnx", name)
  }
  for (name in some_of(c("fractional", "dropnumbers", "costfractional"), 1)) {
    expect_export(cases[[name]], "onnx", name, "null")
  }
  expect_export(cases[["fractionalnumbers"]], "onnx", "majority", "majority")
  names <- c("a\"b", "c'd\\", "*/ x", "line\nbreak", "\U0001F333 \u00e9", "${x}", "z")
  expect_export(forest_export_cases(names, nasty, 3, trees = 3L)$learned, "onnx", "nasty")
})

test_that("onnx's checker takes the model of a forest", {
  cases <- forest_export_cases(trees = 3L)[c("learned", "cost", "numbers")]
  said <- checked_onnx(lapply(cases, function(case) tec_onnx(case$fit)))
  expect_identical(said, c("probabilities votes label", "probabilities votes label", "value"))
})

test_that("forests that ONNX cannot express are errors", {
  set.seed(1)
  gaps <- tec_forest(Species ~ ., gappy_iris(), trees = 2, missing = "fractional", threads = 1)
  expect_error(tec_onnx(gaps), "forest has.*majority", class = "tec_error_export")
  expect_error(
    tec_onnx(tec_forest(mpg ~ wt, mtcars, trees = 2, max_depth = 0, threads = 1)), "without splits",
    class = "tec_error_export"
  )
})

test_that("a forest whose columns have no missing values needs no argument", {
  set.seed(1)
  grow <- function(formula, data, ...) tec_forest(formula, data, trees = 3, threads = 1, ...)
  fits <- list(
    grow(Species ~ ., iris, missing = "fractional"), grow(mpg ~ ., mtcars, missing = "fractional"),
    # Gaps in a column that is not used, and in rows that are left out.
    grow(Species ~ ., transform(iris, one = c(NA, rep(1, 149))), missing = "fractional"),
    grow(Species ~ ., transform(iris, Sepal.Width = replace(Sepal.Width, 1, NA)), subset = -1,
      missing = "fractional"
    )
  )
  for (fit in fits) {
    for (write in list(tec_pmml, tec_onnx)) {
      expect_no_message(chosen <- write(fit, missing = "majority"))
      expect_message(found <- write(fit), "grow the forest", class = "tec_message_missing")
      expect_identical(found, chosen)
    }
    expect_error(tec_onnx(fit, missing = "as_fitted"), "majority", class = "tec_error_export")
  }
  # A default forest has a branch for such rows, and exports as it is.
  gaps <- grow(Species ~ ., gappy_iris())
  expect_no_message(found <- tec_onnx(gaps))
  expect_identical(found, tec_onnx(gaps, missing = "as_fitted"))
  expect_identical(tec_pmml(gaps), tec_pmml(gaps, missing = "as_fitted"))
})
