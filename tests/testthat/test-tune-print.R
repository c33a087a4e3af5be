test_that("results are printed with the choice and why", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = c(0.5, 1, 2), min_bucket = c(1, 5), folds = 5)
  expect_snapshot({
    print(tuned)
    print(tuned, n = 2)
    print(tec_tune(Species ~ ., iris, max_depth = 1:3, metric = c("log_loss", "auc"), rule = "1se"))
    print(tec_tune(mpg ~ ., mtcars, criterion = c("l1", "l2"), repeats = 2, sample = 30, folds = 3))
    print(tec_tune(Species ~ ., iris, criterion = c("gini", "beta", "tsallis"), beta = 2, q = 2:3))
    print(tec_tree(Species ~ ., iris, q = 1:2, max_depth = 1)$tuning)
    tec_tree(Species ~ ., iris, q = 1:2, max_depth = 1)
    tec_tree(Species ~ ., iris, beta = 1:2, max_depth = 1)
    tec_tune(Species ~ ., iris, criterion = "gini", max_depth = 1, folds = 3)
  })
  expect_output(expect_identical(print(tuned), tuned))
  for (width in c(20, 40)) {
    expect_true(all(nchar(capture.output(print(tuned, width = width))) <= width))
  }
  expect_error(print(tuned, n = 0), class = "tec_error_control")
})

test_that("tables have one row per setting, or per setting and fold", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = c(1, 2), folds = 4, repeats = 2)
  table <- as.data.frame(tuned)
  expect_named(table, c(
    "criterion", "q", "accuracy", "accuracy_se", "nodes", "nodes_se", "leaves", "leaves_se",
    "depth", "depth_se", "chosen"
  ))
  expect_equal(sum(table$chosen), 1)
  folds <- as.data.frame(tuned, what = "folds")
  expect_equal(nrow(folds), 16)
  expect_equal(as.vector(tapply(folds$accuracy, folds$q, mean)), table$accuracy)
  expect_error(as.data.frame(tuned, what = "rows"), class = "tec_error_argument")
  skip_if_not_installed("generics")
  expect_equal(as.data.frame(generics::tidy(tuned)), table)
})

test_that("standard errors of 100 or more are whole numbers", {
  expect_identical(with_error(12859, 110.4, 4), "12859 (110)")
  expect_identical(with_error(0.94, 0.0178, 4), "0.9400 (0.018)")
})

test_that("the sizes of a grid that is not printed whole have a line", {
  tuned <- tec_tune(mpg ~ wt, mtcars, folds = 2, max_depth = 1:2, min_bucket = c(1, 5, 7), seed = 1)
  expect_match(grid_lines(tuned, 80), "^Grid: max_depth \\(2 values\\), min_bucket \\(3\\)")
  tuned$grid <- "max_depth"
  expect_null(grid_lines(tuned, 80))
})
