test_that("invalid text is neither the name of an action nor of a file", {
  bytes <- `Encoding<-`("caf\xe9", "bytes")
  expect_error(tec_tree(Species ~ ., iris, na.action = bytes), class = "tec_error_argument")
  expect_error(tec_code(tec_tree(Species ~ ., iris), file = bytes), class = "tec_error_argument")
})

test_that("bad weights are classed errors", {
  expect_snapshot(show_errors({
    tec_tree(y ~ x, toy(), weights = -x)
    tec_tree(y ~ x, toy(), weights = c(NA, 1:11))
    tec_tree(y ~ x, toy(), weights = c(Inf, 1:11))
    tec_tree(y ~ x, toy(), weights = 1:3)
    tec_tree(y ~ x, toy(), weights = rep(0, 12))
    tec_tree(y ~ x, toy(), weights = "a")
  }))
  for (weights in list(-(1:12), c(NA, 1:11), 1:3, rep(0, 12))) {
    grow <- function() tec_tree(x = toy()["x"], y = toy()$y, weights = weights)
    expect_error(grow(), class = "tec_error_weights")
  }
})

test_that("weights and subset are looked up in data, the formula, the caller", {
  d <- toy()
  d$w <- c(2, rep(1, 11))
  heavy <- tec_tree(y ~ x, d, weights = w, min_bucket = 1)
  expect_equal(max(heavy$tree$prob[1, ]), 7 / 13)
  grow <- function(formula, these) {
    keep <- these
    tec_tree(formula, d, subset = keep, min_bucket = 1)
  }
  expect_equal(grow(y ~ x, 1:8)$n_rows, 8)
  expect_equal(tec_tree(y ~ x, d, subset = x > 3)$n_rows, 9)
  expect_equal(tec_tree(y ~ x, d, subset = -(1:2))$n_rows, 10)
  expect_equal(tec_tree(y ~ x, d, subset = c("1", "9"))$n_rows, 2)
  expect_equal(tec_tree(y ~ x, d, subset = ifelse(x > 3, TRUE, NA))$n_rows, 9)
})

test_that("frequency 2 is the row twice, weight 0 its absence", {
  d <- toy()
  twice <- tec_tree(y ~ x + colour, d[c(1:12, 4, 4, 9), ], min_bucket = 2)
  w <- tabulate(c(1:12, 4, 4, 9), 12)
  weighted <- tec_tree(y ~ x + colour, d, weights = w, weights_as = "frequency", min_bucket = 2)
  same <- c("parent", "variable", "breaks", "weight", "prob", "yval")
  expect_equal(weighted$tree[same], twice$tree[same])
  absent <- tec_tree(y ~ ., d, weights = rep(0:1, c(3, 9)), min_bucket = 1)
  expect_equal(absent$tree, tec_tree(y ~ ., d, subset = 4:12, min_bucket = 1)$tree)
})

test_that("bad subsets are classed errors", {
  expect_snapshot(show_errors({
    tec_tree(y ~ x, toy(), subset = c(1, 1, 2))
    tec_tree(y ~ x, toy(), subset = 13)
    tec_tree(y ~ x, toy(), subset = c(TRUE, FALSE))
    tec_tree(y ~ x, toy(), subset = x > 100)
    tec_tree(y ~ x, toy(), subset = list(1))
    tec_tree(y ~ x, toy(), subset = c(1, NA))
    tec_tree(y ~ x, toy(), subset = c(1.5, 2))
    tec_forest(y ~ x, toy(), subset = -0.5)
    tec_boost(y ~ x, toy(), subset = 1:9 + 0.5)
    tec_mars(y ~ x, toy(), subset = c(1.5, 2))
    tec_rotation(y ~ x, toy(), subset = c(1.5, 2))
    tec_tune(y ~ x, toy(), subset = c(1.5, 2))
    tec_scores(y ~ x, toy(), subset = c(1.5, 2))
  }))
})

#' @srrstats {G5.8, G5.8a} Data without rows.
test_that("no rows is an error", {
  expect_snapshot(show_errors({
    tec_tree(y ~ x, toy()[0, ])
    tec_tree(x = toy()[0, "x", drop = FALSE], y = toy()$y[0])
  }))
  expect_error(tec_tree(y ~ x, toy()[0, ]), class = "tec_error_data")
})

test_that("na.action is honoured", {
  d <- toy()
  d$x[c(1, 12)] <- NA
  expect_equal(tec_tree(y ~ x, d)$n_rows, 12)
  expect_equal(tec_tree(y ~ x, d, na.action = na.pass)$n_rows, 12)
  expect_message(fit <- tec_tree(y ~ x, d, na.action = na.omit), class = "tec_message_dropped")
  expect_equal(fit$n_rows, 10)
  expect_message(tec_tree(y ~ x, d, na.action = "na.omit"), "2 rows")
  expect_silent(tec_tree(y ~ colour, d, na.action = na.omit))
  expect_silent(tec_tree(y ~ x, d, na.action = na.fail, subset = 2:11))
  expect_snapshot(show_errors({
    tec_tree(y ~ x, d, na.action = na.fail)
    tec_tree(y ~ x, d, na.action = mean)
    tec_tree(y ~ x, d, na.action = "na.exclude")
  }))
  expect_error(tec_tree(y ~ x, d, na.action = na.fail), class = "tec_error_missing")
})

test_that("64-bit weights are read as the numbers they are", {
  d <- data.frame(x = 1:60, y = factor(rep(c("a", "b"), each = 30)))
  # The bit pattern that bit64 stores for 2.
  two <- structure(rep(2, 60) * 2^-1074, class = "integer64")
  fit <- tec_tree(y ~ x, d, weights = two, weights_as = "frequency", prune = "none")
  expect_equal(fit$tree$weight[1], 120)
  expect_equal(n_leaves(fit), 2)
  bad <- structure(c(-2^-1074 * 0, rep(NaN, 59)), class = "integer64")
  expect_error(tec_tree(y ~ x, d, weights = bad), class = "tec_error_weights")
})
