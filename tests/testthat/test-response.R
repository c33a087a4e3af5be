test_that("classes and numbers are distinguished", {
  d <- toy()
  d$n <- seq_len(12)
  d$ch <- as.character(d$y)
  d$lg <- d$y == "yes"
  expect_equal(tec_tree(ch ~ x, d)$response$levels, c("no", "yes"))
  expect_equal(tec_tree(lg ~ x, d)$response$levels, c("FALSE", "TRUE"))
  expect_equal(tec_tree(n ~ x, d)$response$task, "regression")
  expect_equal(tec_tree(factor(n > 5) ~ x, d)$response$task, "classification")
  expect_equal(tec_tree(log(n) ~ x, d)$response$name, "log(n)")
})

test_that("declared levels are kept, ordered ones too", {
  d <- toy()
  d$y <- factor(d$y, levels = c("maybe", "yes", "no"), ordered = TRUE)
  fit <- tec_tree(y ~ x, d, min_bucket = 1)
  expect_identical(predict(fit, d), d$y)
  expect_equal(colnames(predict(fit, d, type = "prob")), c("maybe", "yes", "no"))
})

test_that("bad responses are classed errors", {
  d <- toy()
  d$l <- as.list(1:12)
  d$m <- matrix(1:24, 12)
  d$none <- factor(NA, levels = "a")
  d$gone <- NA_real_
  d$inf <- c(Inf, 1:11)
  d$date <- Sys.Date()
  d$z <- complex(real = 1:12)
  expect_snapshot(show_errors({
    tec_tree(l ~ x, d)
    tec_tree(m ~ x, d)
    tec_tree(cbind(x, x) ~ colour, d)
    tec_tree(none ~ x, d)
    tec_tree(gone ~ x, d)
    tec_tree(inf ~ x, d)
    tec_tree(date ~ x, d[c("date", "x")], criterion = "l2")
    tec_tree(z ~ x, d)
    tec_tree(x = d["x"])
    tec_tree(x = d["x"], y = 1:3)
    tec_tree(x = d["x"], y = d["y"])
    tec_tree(d, y ~ x)
  }))
  expect_error(tec_tree(l ~ x, d), class = "tec_error_response")
})

test_that("survival times are refused with the packages that take them", {
  d <- data.frame(x = 1:40)
  d$y <- structure(cbind(time = 1:40, status = 1), class = "Surv")
  expect_error(tec_tree(y ~ x, d), "Survival times are not supported", class = "tec_error_response")
})

test_that("one class makes a leaf and a warning", {
  d <- toy()
  d$y <- factor("no")
  expect_snapshot(fit <- tec_tree(y ~ x, d))
  expect_equal(nrow(as.data.frame(fit)), 1)
  expect_equal(unique(predict(fit, d)), factor("no"))
  expect_warning(tec_tree(y ~ x, toy(), subset = 1:6), class = "tec_warning_one_class")
})

test_that("rows without a response are dropped with a message", {
  d <- toy()
  d$y[c(2, 9)] <- NA
  expect_snapshot(fit <- tec_tree(y ~ x, d, min_bucket = 1))
  expect_message(tec_tree(y ~ x, d), class = "tec_message_dropped")
  expect_equal(fit$n_rows, 10)
  expect_equal(fit$n_missing_response, 2)
  expect_equal(fit$tree, tec_tree(y ~ x, d[-c(2, 9), ], min_bucket = 1)$tree)
})

test_that("the name of a column is not accepted as the response", {
  expect_snapshot(show_errors({
    tec_tree(iris[1:4], "Species")
    tec_tree("Species" ~ ., iris)
  }))
  expect_error(tec_tree(iris[1:4], "Species"), class = "tec_error_response")
})

test_that("one value for many rows is said in the right number", {
  d <- data.frame(y = 1:3)
  d$x <- I(list(1, 2, 3))
  expect_snapshot(show_errors({
    tec_tree(iris[1:4], 1)
    tec_tree(iris[1, 1:4], 1:3)
    tec_tree(Species ~ ., iris, weights = 1)
    tec_tree(Species ~ ., iris, cp = 0, prune = "ccp", folds = 1:2)
    tec_tune(Species ~ ., iris, q = 1:2, folds = 1:2)
    code_frame(list(1), "x", NULL, 150L)
    recode_column(1, list(name = "x", kind = "numeric"), 1L, 150L)
  }))
})

test_that("few whole numbers grow a regression tree, with a word on classes", {
  expect_snapshot(fit <- tec_tree(cyl ~ ., mtcars))
  expect_identical(fit$response$task, "regression")
  said <- function(...) {
    any(vapply(capture_conditions(tec_tree(...)), inherits, NA, "tec_message_regression"))
  }
  expect_false(said(mpg ~ ., mtcars))
  expect_false(said(cyl ~ ., mtcars, criterion = "l2"))
  expect_false(said(carb ~ ., mtcars[1:19, ]))
  expect_false(said(y ~ x, data.frame(y = 1:40, x = 1:40)))
  expect_false(said(I(cyl / 3) ~ wt, mtcars))
  expect_false(said(factor(cyl) ~ wt, mtcars))
  expect_true(said(am ~ wt, mtcars, subset = 1:25))
})

test_that("a numeric response of one value is not reported as classes", {
  data <- data.frame(y = rep(1, 30), x = 1:30)
  said <- character()
  withCallingHandlers(tec_tree(y ~ x, data), message = function(m) {
    said <<- conditionMessage(m)
    invokeRestart("muffleMessage")
  })
  expect_match(said, "has only one value: 1", fixed = TRUE)
  expect_no_match(said, "factor")
})

test_that("more classes than the core has room for are an error before anything is grown", {
  d <- data.frame(x = 1:70000, y = as.character(1:70000))
  expect_snapshot(tec_tree(y ~ x, d), error = TRUE)
  for (f in list(tec_forest, tec_boost, tec_scores, tec_rotation)) {
    expect_error(f(y ~ x, d), class = "tec_error_response")
  }
})

test_that("a class is asked for by text, as a factor or as TRUE and FALSE", {
  expect_identical(class_numbers("b", c("a", "b")), 2L)
  expect_identical(class_numbers(factor("b"), c("a", "b")), 2L)
  expect_identical(class_numbers(TRUE, c("FALSE", "TRUE")), 2L)
  expect_identical(class_numbers(c("b", "a"), c("a", "b"), one = FALSE), 2:1)
  bad <- structure(9L, levels = c("a", "b"), class = "factor")
  for (class in list(bad, mean, new.env(), NULL, character(), list("a", 1), NA, c("a", "b"))) {
    expect_error(class_numbers(class, c("a", "b")), class = "tec_error_argument")
  }
  expect_error(class_numbers(character(), "a", one = FALSE), class = "tec_error_argument")
})

test_that("the response that new rows lack is named", {
  fit <- tec_tree(mpg ~ wt, mtcars)
  expect_error(
    summary(fit, data = mtcars["wt"]), "`data` lacks the response mpg", class = "tec_error_newdata"
  )
})
