grown_table <- function(folds) {
  full_tree(Species ~ ., iris, prune = "ccp", cp = 0, min_bucket = 1, folds = folds)
}

test_that("a table is printed, marked and plain to work with", {
  table <- cp_table(grown_table(rep_len(1:5, 150)))
  expect_s3_class(table, "tec_cp_table")
  expect_snapshot(print(table))
  expect_snapshot(print(cp_table(tec_tree(mpg ~ ., mtcars, max_depth = 2))))
  expect_snapshot(print(cp_table(tec_tree(Species ~ ., iris, max_depth = 0))))
  expect_snapshot(print(cp_table(tec_tree(Species ~ ., iris, max_depth = 1), risk = "impurity")))
  plain <- as.data.frame(table)
  expect_identical(class(plain), "data.frame")
  expect_null(attr(plain, "risk"))
  expect_output(print(table[1:2]), "cp")
  expect_output(print(table[1:2, ]), "nsplit")
  expect_identical(expect_output(print(table)), table)
})

test_that("a table computed later equals that of the fit", {
  at_once <- cp_table(grown_table(0))
  later <- cp_table(full_tree(Species ~ ., iris, min_bucket = 1))
  expect_equal(as.data.frame(at_once), as.data.frame(later))
  expect_null(at_once$xerror)
})

test_that("a pure response has a table with one row", {
  data <- data.frame(x = 1:10, y = factor(rep("a", 10), levels = c("a", "b")))
  fit <- suppressWarnings(tec_tree(y ~ x, data, preset = "cart", folds = 2))
  table <- cp_table(fit)
  expect_equal(nrow(table), 1)
  expect_equal(table$xerror, 1)
  expect_equal(table$xstd, 0)
  expect_output(print(table), "Error of the root: 0")
})

test_that("the plot shows error, bars and sizes", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  table <- cp_table(grown_table(rep_len(1:5, 150)))
  expect_identical(expect_invisible(plot(table)), table)
  expect_silent(plot(table, upper = "splits", min_line = FALSE, main = "iris", ylim = c(0, 2)))
  expect_silent(plot(cp_table(tec_tree(Species ~ ., iris))))
  expect_silent(plot(cp_table(tec_tree(Species ~ ., iris, max_depth = 0)), upper = "none"))
  expect_error(plot(table, upper = "left"), class = "tec_error_argument")
})

test_that("a fit stores no data", {
  set.seed(1)
  n <- 5000
  data <- data.frame(x = stats::rnorm(n), y = factor(sample(2, n, TRUE)))
  fit <- tec_tree(y ~ x, data, preset = "cart", folds = rep_len(1:4, n))
  expect_lt(utils::object.size(fit), 40000)
})

test_that("arguments that autoplot() does not have are named with it", {
  skip_if_not_installed("ggplot2")
  table <- cp_table(tec_tree(Species ~ ., iris))
  expect_error(
    ggplot2::autoplot(table, odd = 1), "`autoplot()` has no argument `odd`", fixed = TRUE
  )
})
