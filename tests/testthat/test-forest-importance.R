test_that("importance is that of the single trees", {
  set.seed(1)
  for (classes in c(TRUE, FALSE)) {
    d <- forest_data(60, classes)
    for (type in c("gain", "corrected", "permutation")) {
      fit <- small_forest(y ~ ., d, importance = type)
      by_tree <- oracle_importance(fit, d, type)
      found <- importance(fit)
      expect_equal(found$importance, sort(rowMeans(by_tree), decreasing = TRUE), label = type)
      expect_equal(unname(fit$importance$value), rowMeans(by_tree))
      expect_named(fit$importance$value, names(d)[-1])
      if (type == "permutation") {
        se <- apply(by_tree, 1, sd) / sqrt(12)
        expect_equal(found$se, se[match(found$variable, names(d)[-1])])
      }
      if (type == "gain") expect_equal(sum(found$share), 1)
    }
  }
})

test_that("a corrected importance does not favour columns with many values", {
  set.seed(2)
  d <- data.frame(
    y = factor(sample(c("a", "b"), 200, TRUE)), many = stats::runif(200),
    two = sample(0:1, 200, TRUE)
  )
  both <- lapply(c("gain", "corrected"), function(type) {
    set.seed(3)
    small_forest(y ~ ., d, importance = type, trees = 60)$importance$value
  })
  expect_gt(both[[1]][["many"]], 5 * both[[1]][["two"]])
  expect_lt(abs(both[[2]][["many"]]), both[[1]][["many"]] / 4)
  expect_lt(abs(both[[2]][["two"]]), 0.01)
})

# By predictor p-values of a mean of 0, over forests of new data. Only `signal` may say something of
# the response.
noise_p_values <- function(response, forests = 12L, n = 400L) {
  found <- vapply(seq_len(forests), function(i) {
    set.seed(i)
    d <- data.frame(
      number = stats::runif(n), two = factor(sample(c("a", "b"), n, TRUE)),
      twenty = factor(sample(letters[1:20], n, TRUE)), signal = stats::runif(n)
    )
    d$correlated <- d$number + stats::runif(n) / 5
    d$y <- response(n, d$signal)
    small_forest(y ~ ., d, importance = "corrected", trees = 100)$importance$value
  }, numeric(5))
  apply(found, 1, function(x) stats::t.test(x)$p.value)
}

# With y less the mean of its node, as the rule once was, the first response gives p = 1e-6.
test_that("a corrected importance of noise has an expectation of 0", {
  noise <- list(
    function(n, x) factor(sample(c("a", "b", "c"), n, TRUE, c(0.7, 0.2, 0.1))),
    function(n, x) stats::rnorm(n), function(n, x) 10 + stats::rexp(n)^2
  )
  for (response in some_of(noise, 1)) {
    expect_gt(min(noise_p_values(response, if (all_cases()) 40L else 12L)), 1e-3)
  }
})

test_that("next to a signal, noise with few levels has a corrected importance near 0", {
  beside <- list(
    function(n, x) factor(stats::runif(n) < 0.1 + 0.8 * (x > 0.5)),
    function(n, x) 3 * x + stats::rnorm(n)
  )
  for (response in some_of(beside, 1)) {
    found <- if (all_cases()) noise_p_values(response, 40L) else noise_p_values(response, 8L, 150L)
    expect_gt(min(found[c("number", "two", "correlated")]), 1e-3)
    expect_lt(found[["signal"]], 1e-6)
  }
})

test_that("a constant added to all responses does not change a corrected importance", {
  set.seed(11)
  d <- forest_data(80, classes = FALSE)
  grow <- function(shift) {
    set.seed(12)
    small_forest(y + shift ~ ., cbind(d, shift), importance = "corrected")$importance$value[-7]
  }
  expect_equal(grow(0), grow(1000), tolerance = 1e-8)
})

test_that("a corrected importance finds the informative columns", {
  set.seed(10)
  d <- forest_data(150)
  d$noise <- stats::runif(150)
  value <- small_forest(y ~ ., d, importance = "corrected", trees = 60)$importance$value
  expect_true(all(value[c("a", "b", "d")] > 3 * max(value[c("c", "e", "f", "noise")])))
})

test_that("p-values count the forests of permuted responses", {
  set.seed(4)
  d <- forest_data(50)
  for (type in c("gain", "permutation")) {
    fit <- small_forest(y ~ ., d, importance = type)
    set.seed(5)
    found <- importance(fit, p_values = TRUE, permutations = 6)
    set.seed(5)
    at_least <- 0
    for (b in 1:6) {
      permuted <- d
      permuted$y <- d$y[sample.int(50)]
      null <- small_forest(y ~ ., permuted, importance = type)
      at_least <- at_least + (null$importance$value >= fit$importance$value)
    }
    expect_equal(found$p_value, unname((1 + at_least) / 7)[match(found$variable, names(d)[-1])])
    set.seed(5)
    expect_identical(importance(fit, p_values = TRUE, permutations = 6), found)
  }
  # With other rows at hand too.
  kept <- d
  rm(d)
  set.seed(5)
  expect_identical(importance(fit, data = kept, p_values = TRUE, permutations = 6), found)
})

test_that("permutation on given rows equals that of trees", {
  set.seed(6)
  d <- forest_data(60)
  new <- forest_data(80)
  fit <- small_forest(y ~ ., d)
  set.seed(7)
  found <- importance(fit, type = "permutation", data = new, repeats = 3)
  set.seed(7)
  base <- mean(predict(fit, new) != new$y)
  loss <- vapply(names(d)[-1], function(name) {
    mean(replicate(3, {
      permuted <- new
      permuted[[name]] <- new[[name]][sample.int(80)]
      mean(predict(fit, permuted) != new$y)
    })) - base
  }, 0)
  expect_equal(found$importance, unname(loss[found$variable]))
})

test_that("importance is printed and drawn with p-values", {
  set.seed(8)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d, importance = TRUE)
  expect_snapshot({
    importance(fit)
    importance(fit, p_values = TRUE, permutations = 4)
    importance(small_forest(y ~ ., d, importance = "corrected"))
    importance(small_forest(y ~ a, d))
  })
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(importance(fit)))
})

test_that("importance that was not computed is an error", {
  set.seed(9)
  fit <- small_forest(Species ~ ., iris, trees = 2)
  none <- small_forest(Species ~ ., iris, trees = 2, importance = FALSE)
  expect_null(none$importance)
  expect_snapshot(show_errors({
    importance(fit, type = "permutation")
    importance(none)
    importance(fit, type = "gini")
    tec_forest(Species ~ ., iris, replace = FALSE, sample_fraction = 1, importance = TRUE)
  }))
})
