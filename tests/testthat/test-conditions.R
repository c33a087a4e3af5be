test_that("the nearest name is found, and only a near one", {
  expect_equal(nearest_name("min_bukcet", c("min_split", "min_bucket")), "min_bucket")
  expect_equal(nearest_name("GINI", c("gini", "l2")), "gini")
  expect_equal(nearest_name("tsal", c("tsallis", "l2")), "tsallis")
  expect_null(nearest_name("hp", c("mpg", "cyl")))
  expect_null(nearest_name("zzzzzz", c("gini", "l2")))
  expect_null(nearest_name("x", character()))
  expect_null(nearest_name("", "a"))
})

test_that("one letter is never taken for another", {
  expect_null(nearest_name("k", c("q", "x", "folds")))
})

test_that("values are described in words", {
  expect_equal(describe(NULL), "NULL")
  expect_equal(describe("a"), "\"a\" (character)")
  expect_equal(describe(NA), "NA (logical)")
  expect_equal(describe(1:3), "an integer vector of length 3")
  expect_equal(describe(matrix(1:4, 2)), "a matrix of 2 x 2")
  expect_equal(describe(mean), "a function")
})

test_that("an error comes from the function the user called", {
  error <- expect_error(tec_tree(y ~ ., toy(), min_bucket = 0), class = "tec_error_control")
  expect_equal(as.character(error$call[[1]]), "tec_tree")
  expect_s3_class(error, "tec_error")
  error <- expect_error(tec_control(min_bucket = 0), class = "tec_error_control")
  expect_equal(as.character(error$call[[1]]), "tec_control")
})

test_that("braces in names do not break a message", {
  d <- toy()
  names(d)[2] <- "a {b}"
  expect_error(tec_tree(y ~ `a {b`, d), "a \\{b\\}", class = "tec_error_formula")
})

test_that("the end of a name is found", {
  expect_identical(nearest_name("data", c("newdata", "type", "threads")), "newdata")
  expect_null(nearest_name("ata", c("newdata", "type")))
})
