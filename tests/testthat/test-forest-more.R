test_that("adding trees gives the forest that is grown at once", {
  for (classes in c(TRUE, FALSE)) {
    for (kind in c("none", "gain", "corrected", "permutation")) {
      set.seed(1)
      d <- forest_data(80, classes)
      d$d[1:9] <- NA
      w <- sample(1:3, 80, TRUE)
      set.seed(2)
      all <- small_forest(y ~ ., d, weights = w, trees = 14, importance = kind)
      set.seed(2)
      part <- small_forest(y ~ ., d, weights = w, trees = 5, importance = kind)
      more <- tec_more(part, 9)
      expect_identical(more$trees, all$trees)
      expect_identical(more$oob$votes, all$oob$votes)
      expect_equal(without_call(more), without_call(all))
    }
  }
})

test_that("the sequence of samples continues", {
  set.seed(3)
  d <- forest_data(60)
  d$often <- rep(1:3, 20)
  for (settings in list(
    list(by_class = TRUE), list(replace = FALSE), list(sample_fraction = 20),
    list(sample_weights = quote(often))
  )) {
    grow <- function(trees) {
      set.seed(4)
      eval(as.call(c(
        list(quote(small_forest), quote(y ~ a + b + d), quote(d), trees = trees), settings
      )))
    }
    all <- grow(7)
    more <- tec_more(grow(3), 4)
    expect_identical(more$trees, all$trees)
    expect_identical(more$oob$times, all$oob$times)
  }
})

test_that("rows other than the training rows are refused", {
  set.seed(5)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d, trees = 3)
  kept <- d
  expect_length(tec_more(fit, 2, data = kept), 5)
  d$y <- rev(d$y)
  d <- d[-1, ]
  changed <- kept
  changed$y <- sample(rev(levels(kept$y))[kept$y])
  expect_snapshot(show_errors({
    tec_more(fit, 2)
    tec_more(fit, 2, data = d)
    tec_more(fit, 0)
  }))
  # The same response with other predictors is seen by the weights of the leaves.
  d <- kept
  d[-1] <- d[sample(60), -1]
  expect_error(tec_more(fit, 2), class = "tec_error_data")
})

test_that("c() of forests gives the forest that is grown at once", {
  for (classes in c(TRUE, FALSE)) {
    for (kind in c("none", "gain", "permutation")) {
      set.seed(1)
      d <- forest_data(80, classes)
      d$d[1:9] <- NA
      w <- sample(1:3, 80, TRUE)
      grow <- function(trees) {
        small_forest(y ~ ., d, weights = w, trees = trees, importance = kind)
      }
      set.seed(2)
      all <- grow(14)
      set.seed(2)
      parts <- list(grow(5), grow(6), grow(3))
      joined <- do.call(c, parts)
      expect_identical(joined$trees, all$trees)
      expect_identical(joined$oob$votes, all$oob$votes)
      expect_equal(without_call(joined), without_call(all))
      expect_equal(predict(joined, d), predict(all, d))
      expect_identical(c(parts[[1]]), parts[[1]])
      # The rows, where they are not found.
      given <- do.call(c, c(parts, list(data = d, weights = w)))
      expect_equal(given, joined)
    }
  }
})

test_that("c() refuses forests with different rows, settings or kinds", {
  set.seed(5)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d, trees = 3)
  shuffled <- d
  shuffled$a <- rev(shuffled$a)
  other <- small_forest(y ~ ., shuffled, trees = 3)
  less <- small_forest(y ~ ., d[1:50, ], trees = 3)
  deep <- small_forest(y ~ ., d, trees = 3, max_depth = 2)
  set.seed(5)
  d <- forest_data(60)
  again <- small_forest(y ~ ., d, trees = 3)
  expect_snapshot(show_errors({
    c(fit, less)
    c(fit, other)
    c(fit, deep)
    c(fit, again)
    c(fit, 1)
    c(fit, tec_shrink(deep, 1))
  }))
})

test_that("the rows of a forest in another order are an error", {
  set.seed(2)
  for (formula in list(mpg ~ ., factor(cyl) ~ ., am == 1 ~ wt + hp)) {
    forest <- tec_forest(formula, mtcars, trees = 30)
    sorted <- mtcars[order(mtcars$mpg), ]
    expect_identical(augment(forest, data = mtcars)$.fitted, forest$oob$response)
    expect_s3_class(tec_more(forest, trees = 1, data = mtcars), "tec_forest")
    expect_error(augment(forest, data = sorted), "order", class = "tec_error_data")
    expect_error(tec_more(forest, trees = 1, data = sorted), "order", class = "tec_error_data")
  }
})

test_that("more trees for a converted forest are an error that says so", {
  fit <- tec_forest(mpg ~ wt, mtcars, trees = 5, seed = 1)
  fit["seeds"] <- NULL
  expect_error(
    tec_more(fit, 3), "This one was converted from another package", class = "tec_error_conversion"
  )
})
