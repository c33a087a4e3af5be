test_that("stages are models with fewer rounds", {
  set.seed(1)
  d <- boost_data(120)
  for (y in c("number", "two", "three")) {
    f <- reformulate(c("a", "b", "f"), y)
    type <- if (y == "number") "response" else "prob"
    fit <- tec_boost(f, d, rounds = 12, folds = 0)
    stages <- predict(fit, d, type = type, rounds = c(0, 5, 12))
    expect_named(stages, c("0", "5", "12"))
    expect_identical(stages[["5"]], predict(tec_boost(f, d, rounds = 5, folds = 0), d, type = type))
    expect_identical(stages[["12"]], predict(fit, d, type = type))
    expect_identical(predict(fit, d, type = type, rounds = 5), stages[["5"]])
  }
  expect_equal(unname(stages[["0"]][1, ]), as.vector(prop.table(table(d$three))))
})

test_that("probabilities and classes follow from the scores", {
  set.seed(2)
  d <- boost_data(100)
  fit <- tec_boost(two ~ a + b, d, rounds = 10, folds = 0)
  link <- predict(fit, d, type = "link")
  expect_equal(predict(fit, d, type = "prob")[, "yes"], plogis(link))
  expect_identical(predict(fit, d), factor(ifelse(link > 0, "yes", "no")))
  fit <- tec_boost(three ~ a + b, d, rounds = 10, folds = 0)
  p <- predict(fit, d, type = "prob")
  expect_equal(rowSums(p), rep(1, 100))
  link <- predict(fit, d, type = "link")
  expect_equal(log(p) - log(p)[, 1], link - link[, 1])
  expect_identical(as.integer(predict(fit, d, type = "class")), max.col(p, "first"))
})

test_that("missing values and unseen levels go down the learned branches", {
  set.seed(3)
  n <- 200
  d <- data.frame(a = rnorm(n))
  d$y <- d$a
  d$a[1:60] <- NA
  d$y[1:60] <- 5
  fit <- tec_boost(y ~ a, d, rounds = 60, folds = 0)
  expect_lt(abs(predict(fit, data.frame(a = NA_real_)) - 5), 0.1)
})

test_that("bad input has errors that say what to do", {
  set.seed(1)
  fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0)
  expect_snapshot_output(show_errors({
    predict(fit)
    predict(fit, 1:3)
    predict(fit, mtcars["wt"])
    predict(fit, mtcars, type = "prob")
    predict(fit, mtcars, type = "probs")
    predict(fit, mtcars, rounds = 4)
    predict(fit, mtcars, rounds = NA)
    predict(fit, mtcars, offset = 1:3)
    predict(structure(unclass(fit)[-3], class = "tec_boost"), mtcars)
    predict(structure(within(unclass(fit), round <- 1L), class = "tec_boost"), mtcars)
  }))
})

test_that("a damaged model is an error, not a crash", {
  set.seed(1)
  fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0)
  break_it <- function(part, value) {
    fit$trees[[part]][] <- value
    expect_error(predict(fit, mtcars), class = "tec_error")
  }
  break_it("right", 1000000L)
  break_it("start", 7L)
  fit$output[] <- 3L
  expect_error(predict(fit, mtcars), class = "tec_error")
})
