# Standard errors and intervals of leaf values.

test_that("means have the errors and intervals of t.test()", {
  fit <- withr::with_seed(1, tec_tree(Sepal.Length ~ ., iris, honest = TRUE, max_depth = 2))
  parts <- withr::with_seed(1, honest_parts(
    list(response = list(info = list())), seq_len(150), 0.5
  ))
  others <- iris[parts$values, ]
  node <- predict(fit, others, type = "node")
  table <- tec_intervals(fit, level = 0.9)
  expect_true(attr(table, "honest"))
  for (i in seq_len(nrow(table))) {
    test <- stats::t.test(others$Sepal.Length[node == table$node[i]], conf.level = 0.9)
    expect_equal(table$estimate[i], test$estimate[[1L]])
    expect_equal(table$se[i], test$stderr)
    expect_equal(c(table$lower[i], table$upper[i]), as.vector(test$conf.int))
  }
  expect_identical(table$rule, tec_rules(fit)$rule)
  said <- predict(fit, iris, se = TRUE)
  expect_identical(said$fit, predict(fit, iris))
  expect_equal(said$se.fit, table$se[match(predict(fit, iris, type = "node"), table$node)])
  expect_true(said$honest)
})

test_that("shares have those of prop.test() without correction", {
  fit <- withr::with_seed(4, tec_tree(Species ~ ., iris, honest = TRUE))
  table <- tec_intervals(fit)
  for (i in seq_len(nrow(table))) {
    n <- table$weight[i]
    test <- suppressWarnings(
      stats::prop.test(round(table$estimate[i] * n), n, correct = FALSE)
    )
    expect_equal(c(table$lower[i], table$upper[i]), as.vector(test$conf.int))
    expect_equal(table$se[i], sqrt(table$estimate[i] * (1 - table$estimate[i]) / n))
  }
  said <- predict(fit, iris, type = "prob", se = TRUE)
  node <- predict(fit, iris, type = "node")
  n <- fit$tree$weight[node]
  own <- sqrt(fit$tree$prob[node, ] * (1 - fit$tree$prob[node, ]) / n)
  expect_equal(said$se.fit, own * n / (n + 2), ignore_attr = TRUE)
  class <- predict(fit, iris, se = TRUE)
  expect_equal(class$se.fit, own[cbind(1:150, as.integer(class$fit))])
})

test_that("the errors of shares with priors are those of repeated samples", {
  weights <- c(1, 3, 0.5)
  fit <- withr::with_seed(4, tec_tree(Species ~ ., iris, honest = TRUE, class_weights = weights,
    max_depth = 1
  ))
  errors <- value_errors(fit)
  counts <- round(case_counts(fit)[1L, ])
  factor <- fit$class_factors$prior
  drawn <- withr::with_seed(1, stats::rmultinom(20000, sum(counts), counts / sum(counts))) * factor
  shares <- drawn / rep(colSums(drawn), each = 3)
  expect_equal(errors[1L, ], apply(shares, 1, stats::sd), tolerance = 0.03)
})

test_that("rows in several leaves have the error of their mean", {
  d <- mixed_data(200)
  fit <- withr::with_seed(2, tec_tree(z ~ x + colour, d, honest = TRUE, missing = "fractional",
    prune = "none"
  ))
  holes <- d[1:5, ]
  holes$x <- NA
  said <- predict(fit, holes, se = TRUE)
  leaf <- fit$tree$kind == 0L
  by_hand <- vapply(predict(fit, holes, type = "path"), function(path) {
    at <- path[leaf[path$node], ]
    share <- if (is.null(at$share)) 1 else at$share
    sqrt(sum((share * value_errors(fit)[at$node, 1L])^2))
  }, 0)
  expect_equal(said$se.fit, by_hand)
})

#' @srrstats {RE1.4} Intervals of a tree whose leaves chose the splits are too narrow.
test_that("intervals of an honest tree hold the true means, those of another do not", {
  # The response does not depend on the predictors: all true means are 0.
  held <- function(honest) {
    shares <- vapply(seq_len(if (all_cases()) 150 else 40), function(i) {
      d <- data.frame(x = stats::rnorm(200), z = stats::rnorm(200), y = stats::rnorm(200))
      fit <- tec_tree(y ~ ., d, prune = "none", max_depth = 3, min_bucket = 10, honest = honest)
      table <- suppressMessages(tec_intervals(fit))
      mean(table$lower <= 0 & table$upper >= 0, na.rm = TRUE)
    }, 0)
    mean(shares)
  }
  expect_lt(abs(withr::with_seed(1, held(TRUE)) - 0.95), 0.02)
  expect_lt(withr::with_seed(1, held(FALSE)), 0.85)
})

test_that("intervals of shares of an honest tree hold the true shares", {
  held <- function() {
    mean(vapply(seq_len(if (all_cases()) 100 else 30), function(i) {
      d <- data.frame(x = stats::rnorm(400), z = stats::rnorm(400), y = stats::runif(400) < 0.3)
      fit <- tec_tree(y ~ ., d, prune = "none", max_depth = 3, min_bucket = 20, honest = TRUE)
      table <- tec_intervals(fit)
      table <- table[table$class == "TRUE", ]
      mean(table$lower <= 0.3 & table$upper >= 0.3)
    }, 0))
  }
  expect_lt(abs(withr::with_seed(2, held()) - 0.95), 0.025)
})

test_that("other trees are reported as optimistic, and trees without standard errors are errors", {
  fit <- tec_tree(mpg ~ ., mtcars)
  expect_message(tec_intervals(fit), class = "tec_message_optimistic")
  expect_message(predict(fit, mtcars, se = TRUE), class = "tec_message_optimistic")
  expect_false(attr(suppressMessages(tec_intervals(fit)), "honest"))
  median <- tec_tree(mpg ~ ., mtcars, criterion = "l1")
  shrunk <- tec_shrink(fit, 1)
  expect_snapshot(show_errors({
    tec_intervals(1)
    tec_intervals(fit, level = 95)
    tec_intervals(median)
    predict(shrunk, mtcars, se = TRUE)
    predict(fit, mtcars, type = "node", se = TRUE)
    predict(fit, mtcars, se = "yes")
  }))
})
