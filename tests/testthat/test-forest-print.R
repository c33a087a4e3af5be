test_that("forests are printed and summarised", {
  set.seed(1)
  d <- forest_data(80)
  classes <- small_forest(y ~ ., d, trees = 20)
  few <- small_forest(y ~ ., d, trees = 2, probability = TRUE, mtry = "all", replace = FALSE)
  numbers <- small_forest(y ~ ., forest_data(80, classes = FALSE), trees = 20, threads = 1)
  whole <- small_forest(y ~ ., d, trees = 2, replace = FALSE, sample_fraction = 1)
  several <- small_forest(y ~ ., d, q = c(0.5, 1, 2))
  cost <- matrix(c(0, 1, 3, 1, 0, 3, 1, 1, 0), 3)
  costly <- small_forest(y ~ ., d, cost = cost, by_class = TRUE)
  expect_snapshot({
    classes
    few
    numbers
    whole
    several
    costly
    print(classes, width = 40)
    summary(classes)
    summary(numbers)
    summary(whole)
    summary(classes, d)
    summary(numbers, forest_data(5, classes = FALSE)[c(1, 1, 2), ])
  })
})

test_that("the summary has the measures of the out-of-bag predictions", {
  set.seed(2)
  d <- forest_data(80)
  fit <- small_forest(y ~ ., d, trees = 30)
  found <- summary(fit)
  expect_equal(found$accuracy, mean(predict(fit) == d$y))
  expect_equal(found$rows, 80)
  numbers <- small_forest(mpg ~ ., mtcars, trees = 30)
  known <- numbers$oob$times > 0
  y <- mtcars$mpg[known]
  error <- mean((predict(numbers)[known] - y)^2)
  expect_equal(summary(numbers)$r_squared, 1 - error / mean((y - mean(y))^2))
  expect_equal(summary(numbers)$rmse, sqrt(error))
  expect_equal(summary(fit, d)$accuracy, mean(predict(fit, d) == d$y))
})

test_that("a forest is printed with a decimal point under any `OutDec`", {
  fit <- tec_forest(mpg ~ wt, mtcars, trees = 5, seed = 1)
  text <- format(fit)
  withr::local_options(OutDec = ",")
  expect_identical(format(fit), text)
})
