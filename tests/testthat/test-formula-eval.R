test_that("unknown and repeated columns are named", {
  twice <- data.frame(y = 1:4, x = 1:4, x = 1:4, z = 4:1, check.names = FALSE)
  expect_snapshot(show_errors({
    tec_tree(Species ~ Petal.Lenght, iris)
    tec_tree(Specis ~ ., iris)
    tec_tree(log(Specis) ~ ., iris)
    tec_tree(Species ~ log(Petal.Lenght), iris)
    tec_tree(Species ~ nothing_like_it, iris)
    tec_tree(no_such_response ~ no_such_column)
    tec_tree(y ~ x, twice)
    tec_tree(y ~ ., twice)
  }))
  expect_error(tec_tree(Species ~ Petal.Lenght, iris), class = "tec_error_formula")
  expect_s3_class(tec_tree(y ~ z, twice), "tec_tree")
})

test_that("a function of the same name is not a column", {
  expect_error(tec_tree(y ~ mean, toy()), class = "tec_error_formula")
})

test_that("without data the variables come from the formula's environment", {
  y <- toy()$y
  x <- toy()$x
  fit <- tec_tree(y ~ x, min_bucket = 1)
  expect_equal(fit$tree, toy_tree()$tree)
  expect_equal(predict(fit, toy()), y)
  short <- 1:3
  expect_error(tec_tree(y ~ short), class = "tec_error_formula")
})

test_that("a column missing from data may come from the environment", {
  z <- toy()$x
  fit <- tec_tree(y ~ z, toy(), min_bucket = 1)
  expect_equal(fit$tree$breaks, toy_tree()$tree$breaks)
  expect_error(predict(fit, toy()), class = "tec_error_newdata")
  expect_equal(predict(fit, data.frame(z = c(1, 16))), factor(c("no", "yes")))
})

test_that("lists, tibbles and matrices are data", {
  expect_equal(tec_tree(y ~ x, as.list(toy()), min_bucket = 1)$tree, toy_tree()$tree)
  expect_equal(tec_tree(mpg ~ ., as.matrix(mtcars))$tree, tec_tree(mpg ~ ., mtcars)$tree)
  skip_if_not_installed("tibble")
  expect_equal(tec_tree(y ~ ., tibble::as_tibble(toy()))$tree, tec_tree(y ~ ., toy())$tree)
})

test_that("a term that fails says what and why", {
  expect_error(tec_tree(y ~ log(colour), toy()), "log\\(colour\\)", class = "tec_error_formula")
  expect_error(tec_tree(y ~ no_such(x), toy()), "no_such", class = "tec_error_formula")
})

test_that("odd names work", {
  d <- data.frame(a = toy()$y, b = toy()$x)
  names(d) <- c("the class", "h\u00f6he, \"cm\"")
  fit <- tec_tree(`the class` ~ ., d, min_bucket = 1)
  expect_equal(predict(fit, d), d[[1]])
  expect_equal(as.data.frame(fit)$variable[1], names(d)[2])
})

test_that("an argument that is not found is named", {
  grow <- list(
    function(...) tec_tree(mpg ~ wt, mtcars, ...), function(...) tec_forest(mpg ~ wt, mtcars, ...),
    function(...) tec_boost(mpg ~ wt, mtcars, ...), function(...) tec_mars(mpg ~ wt, mtcars, ...),
    function(...) tec_rotation(mpg ~ wt + hp, mtcars, ...),
    function(...) tec_scores(mpg ~ wt, mtcars, ...)
  )
  for (one in grow) {
    expect_error(one(weights = nosuch), "weights.*nosuch", class = "tec_error_argument")
    expect_error(one(subset = nosuch > 3), "subset.*nosuch", class = "tec_error_argument")
    expect_error(one(weights = log("a")), "weights.*log", class = "tec_error_argument")
  }
  error <- expect_error(
    tec_boost(mpg ~ wt, mtcars, offset = carbs), "offset", class = "tec_error_argument"
  )
  expect_match(conditionMessage(error), "carb\"")
  expect_error(
    tec_forest(mpg ~ wt, mtcars, sample_weights = nosuch), "sample_weights.*nosuch",
    class = "tec_error_argument"
  )
  expect_error(tec_tree(mtcars$mpg ~ wt, weights = nosuch), class = "tec_error")
  here <- mtcars$carb
  fit <- tec_tree(mpg ~ wt, mtcars, weights = here, subset = here > 1)
  expect_identical(fit$n_rows, sum(here > 1))
})
