terms_of <- function(formula, data = toy()) {
  formula_terms(formula[[3]], formula[[2]], data)$name
}

test_that("sums, dots and minuses are read as in other modelling functions", {
  expect_equal(terms_of(y ~ .), c("x", "colour", "size"))
  expect_equal(terms_of(y ~ size + x), c("size", "x"))
  expect_equal(terms_of(y ~ . - x), c("colour", "size"))
  expect_equal(terms_of(y ~ . - (x + size)), "colour")
  expect_equal(terms_of(y ~ x + . - colour), c("x", "size"))
  expect_equal(terms_of(y ~ x + x + x), "x")
  expect_equal(terms_of(y ~ x - x + size), "size")
  expect_equal(terms_of(y ~ size - x + x), c("size", "x"))
  expect_equal(terms_of(y ~ (x + (size))), c("x", "size"))
  expect_equal(terms_of(y ~ x - 1), "x")
  expect_equal(terms_of(y ~ 0 + x), "x")
  expect_equal(terms_of(y ~ 1 + x), "x")
  expect_equal(terms_of(y ~ +x), "x")
  expect_equal(terms_of(y ~ -x + .), c("x", "colour", "size"))
  expect_equal(terms_of(y ~ log(x) + size), c("log(x)", "size"))
  expect_equal(terms_of(log(x) ~ .), c("y", "colour", "size"))
  expect_equal(terms_of(y ~ `x`), "x")
})

test_that("a formula without meaning for a tree is refused", {
  expect_snapshot(show_errors({
    tec_tree(y ~ x:size, toy())
    tec_tree(y ~ x * size, toy())
    tec_tree(y ~ x^2, toy())
    tec_tree(y ~ x / size, toy())
    tec_tree(y ~ x %in% size, toy())
    tec_tree(y ~ x | size, toy())
    tec_tree(y ~ offset(x), toy())
    tec_tree(y ~ 3 + x, toy())
    tec_tree(y ~ "x", toy())
    tec_tree(y ~ . - (x - size), toy())
    tec_tree(y ~ ., mean)
    tec_tree(~x, toy())
    tec_tree(NULL ~ x, toy())
    tec_tree(y ~ 1, toy())
    tec_tree(y ~ x - x, toy())
    tec_tree(y ~ y + x, toy())
    tec_tree(y ~ ., toy()["y"])
    tec_tree(y ~ .)
    tec_tree(iris$Species ~ iris$Petal.Length)
    tec_tree(Species ~ iris$Petal.Length + iris$Petal.Width, iris[-(3:4)])
    tec_tree(y ~ ., toy(), y = TRUE)
  }))
  expect_error(tec_tree(y ~ x:size, toy()), class = "tec_error_formula")
  expect_error(tec_tree(~x, toy()), class = "tec_error_response")
  expect_error(tec_tree(y ~ 1, toy()), class = "tec_error_data")
})

test_that("20,000 terms are read quickly and do not overflow", {
  names <- paste0("x", seq_len(20000))
  long <- stats::as.formula(paste("y ~", paste(names, collapse = " + ")))
  time <- processor_seconds(flat <- flatten_sum(long[[3]]))
  expect_equal(vapply(flat$expr, as.character, ""), names)
  expect_lt(time, 5)
  nest <- function(a, b) call("+", as.name(b), call("(", a))
  right <- Reduce(nest, rev(names[1:2000]), as.name("z"))
  expect_length(flatten_sum(right)$expr, 2001)
  expect_equal(stored_formula(long, 20000), y ~ ., ignore_attr = TRUE)
})

test_that("formulas of other packages work or say in one sentence what to write", {
  expect_snapshot(show_errors({
    tec_tree(mpg ~ poly(wt, 2) + hp, mtcars)
    tec_mars(mpg ~ splines::ns(wt, 3), mtcars)
    tec_forest(mpg ~ cbind(wt, hp), mtcars)
    tec_tree(cbind(vs, am) ~ hp, mtcars)
    tec_boost(cbind(vs, am) ~ hp, mtcars)
    tec_tree(vs ~ hp, mtcars, method = "class")
    tec_boost(vs ~ hp, mtcars, method = "class")
    tec_tree(mpg ~ hp + offset(wt), mtcars)
    tec_boost(mpg ~ hp + offset(log(wt)), mtcars)
  }))
})

test_that("rpart's na.action leaves out rows whose predictors are all missing", {
  d <- data.frame(y = 1:60, a = rep(1:6, 10), b = rep(1:5, 12))
  d$a[1:20] <- NA
  d$b[15:30] <- NA
  plain <- tec_tree(y ~ a + b, d[-(15:20), ])
  for (fit in list(
    suppressMessages(tec_tree(y ~ a + b, d, na.action = "na.rpart")),
    # As in a script whose library(rpart) is gone.
    suppressMessages(tec_tree(y ~ a + b, d, na.action = na.rpart))
  )) {
    expect_identical(fit$tree, plain$tree)
  }
  expect_message(tec_tree(y ~ a + b, d, na.action = "na.rpart"), "6 rows without predictors")
  skip_if_not_installed("rpart")
  fit <- suppressMessages(tec_tree(y ~ a + b, d, na.action = rpart::na.rpart))
  expect_identical(fit$tree, plain$tree)
  expect_equal(nobs(fit), length(rpart::rpart(y ~ a + b, d)$y))
  expect_length(residuals(fit), 54)
})

test_that("a dot needs data, every column needs a name, and large calls are not stored", {
  y <- 1:20
  expect_error(tec_tree(y ~ .), "there is no `data`", class = "tec_error_formula")
  unnamed <- stats::setNames(data.frame(1:3, 2:4), c("a", ""))
  expect_error(tec_tree(a ~ ., unnamed), "must have a name", class = "tec_error_data")
  some <- tec_tree(mpg ~ hp, mtcars[1:20, ])
  expect_identical(some$call$data, quote(mtcars[1:20, ]))
  large <- do.call(tec_tree, list(y ~ x, data = bquote(
    data.frame(x = c(..(as.list(1:9000))), y = 1:9000), splice = TRUE
  ), max_depth = 1))
  expect_identical(large$call$data, as.name("..."))
})

test_that("a tree in place of data is an error that says so", {
  fit <- tec_tree(Species ~ ., iris)
  expect_error(tec_tree(fit, iris$Species), "Give the data instead of a tree", class = "tec_error")
})
