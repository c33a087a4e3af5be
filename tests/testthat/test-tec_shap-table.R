test_that("printing shows what was explained, the baseline and the mean sizes", {
  fit <- tec_tree(Species ~ ., iris)
  expect_snapshot({
    tec_shap(fit, iris)
    tec_shap(fit, iris[1:2, ], class = "virginica", background = iris)
    print(tec_shap(tec_tree(mpg ~ ., mtcars), mtcars[1, ]), n = 1, digits = 2, width = 40)
    tec_shap(fit, iris[0, ])
  })
})

test_that("the table has a row for each value", {
  rows <- data.frame(x = c(1.5, NA, 3), f = factor(c("a", "b", "a")), y = c("u", "v", "u"))
  fit <- tec_tree(y ~ x + f, rows, min_split = 2, min_bucket = 1, prune = "none")
  shap <- tec_shap(fit, rows)
  table <- as.data.frame(shap)
  expect_identical(names(table), c("row", "class", "variable", "data", "value"))
  expect_identical(nrow(table), 12L)
  one <- table[table$class == "v" & table$variable == "f", ]
  expect_identical(one$row, 1:3)
  expect_identical(one$data, c("a", "b", "a"))
  expect_identical(one$value, unname(shap$values[, "f", "v"]))
  expect_identical(table$data[2L], "missing")
  numbers <- as.data.frame(tec_shap(tec_tree(mpg ~ ., mtcars), mtcars))
  expect_identical(names(numbers), c("row", "variable", "data", "value"))
  expect_equal(data.frame(tidy(shap)), table)
})

test_that("shapviz takes the values", {
  shapviz <- from_package("shapviz", "shapviz")
  fit <- tec_tree(Species ~ ., iris)
  one <- tec_shap(fit, iris, class = "setosa")
  expect_identical(from_package("shapviz", "get_shap_values")(shapviz(one)), one$values)
  expect_identical(from_package("shapviz", "get_baseline")(shapviz(one)), one$baseline)
  all <- shapviz(tec_shap(fit, iris))
  expect_identical(names(all), levels(iris$Species))
})

test_that("interactions are those of a class, and their absence is printed", {
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 2, max_depth = 2, threads = 1)
  shap <- tec_shap(fit, iris[c(1, 80), ], interactions = TRUE)
  for (k in 1:3) {
    own <- pairs_of_class(shap, k)
    expect_identical(dim(own), c(2L, 4L, 4L))
    # They add up to the values.
    expect_equal(apply(own, 1:2, sum), shap$values[, , k], ignore_attr = TRUE)
  }
  expect_null(pairs_of_class(tec_shap(fit, iris[1, ]), 1))
  stump <- tec_tree(mpg ~ hp, mtcars, max_depth = 1, prune = "none")
  one <- tec_shap(stump, mtcars[1:2, ], interactions = TRUE)
  expect_output(print(one), "# No interactions", fixed = TRUE)
  expect_identical(cell_text(as.Date("2020-02-03") + 0:1), c("2020-02-03", "2020-02-04"))
})
