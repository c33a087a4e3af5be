# Honest trees: their values come from rows that did not choose the splits.

test_that("the values of the rows that grew a tree are the tree's", {
  d <- mixed_data(300)
  d$x[seq(1, 300, 7)] <- NA
  d$colour[seq(3, 300, 11)] <- NA
  weights <- rep(c(1, 2.5, 0.5), 100)
  check <- function(formula, ...) {
    fit <- full_tree(formula, d, weights = weights, ...)
    input <- call_rows(fit, environment())$input
    asked <- c(forest_asked(fit), list(preset = fit$preset))
    ready <- prepare(input, asked, fit$control)
    ready$rows <- ready$rows %||% seq_len(300)
    same <- c("n", "weight", "prob", "yval", "impurity")
    expect_equal(with_values_of(fit, ready)$tree[same], fit$tree[same], tolerance = 1e-9)
  }
  # Only CHAID has "category".
  for (policy in setdiff(missing_policies, "category")) {
    check(y ~ x + z + colour, missing = policy)
    check(z ~ x + y + colour, missing = policy)
  }
  check(y ~ x + z + colour, class_weights = "balanced")
  check(y ~ x + z + colour, nominal = "multiway", min_bucket = 1)
  for (criterion in some_of(tec_criteria()$name, 4)) {
    about <- tec_criterion(criterion)
    check(if (about$task == "classification") y ~ z + colour else z ~ x + y, criterion = criterion)
  }
})

test_that("a tree of a forest has the impurities of its criterion", {
  fit <- withr::with_seed(1, small_forest(Species ~ ., iris, beta = 3, trees = 1))
  prob <- fit[[1]]$tree$prob
  expect_equal(fit[[1]]$tree$impurity, apply(prob, 1, beta_entropy, beta = 3))
})

test_that("one part decides the splits, the other the values", {
  for (response in c("Species", "Sepal.Length")) {
    formula <- stats::reformulate(".", response)
    fit <- withr::with_seed(2, tec_tree(formula, iris, honest = 0.4, prune = "none"))
    y <- iris[[response]]
    parts <- withr::with_seed(2, honest_parts(
      list(response = list(
        info = list(levels = levels(y)), core = list(y = if (is.factor(y)) as.integer(y) else y)
      )), seq_len(150), 0.4
    ))
    expect_length(parts$values, 60)
    expect_setequal(c(parts$values, parts$splits), 1:150)
    whole <- full_tree(formula, iris[parts$splits, ])
    places <- function(fit) paste(fit$tree$variable, fit$tree$depth)
    expect_identical(setdiff(places(fit), places(whole)), character())
    others <- iris[parts$values, ]
    node <- predict(fit, others, type = "node")
    expect_setequal(unique(node), which(fit$tree$kind == 0L))
    if (is.factor(y)) {
      by_hand <- prop.table(table(node, others$Species), 1)
      leaf <- as.integer(rownames(by_hand))
      expect_equal(fit$tree$prob[leaf, ], unclass(by_hand), ignore_attr = TRUE)
      expect_equal(as.vector(table(others$Species)), c(20, 20, 20))
    } else {
      by_hand <- tapply(others$Sepal.Length, node, mean)
      leaf <- as.integer(names(by_hand))
      expect_equal(fit$tree$yval[leaf], as.vector(by_hand))
    }
    expect_equal(fit$tree$n[leaf], as.vector(table(node)))
    expect_equal(fit$n_rows, 150)
    expect_output(print(fit), "Honest: splits from 90 rows, values from 60 others")
  }
})

test_that("splits without rows in two branches are pruned back", {
  # The rows of the second part are all on one side of the second split.
  d <- data.frame(x = rep(c(1, 2, 3, 4), each = 10), y = rep(c(0.5, 0.5, 5, 9), each = 10))
  fit <- full_tree(y ~ x, d, min_bucket = 1)
  expect_equal(n_leaves(fit), 3)
  ready <- prepare(
    call_rows(fit, environment())$input, c(forest_asked(fit), list(preset = "tec")), fit$control
  )
  ready$rows <- c(1:20, 31:33)
  pruned <- with_values_of(fit, ready)
  expect_equal(n_leaves(pruned), 2)
  expect_equal(predict(pruned, data.frame(x = 3)), 9)
  ready$rows <- 1:5
  expect_equal(n_leaves(with_values_of(fit, ready)), 1)
  # A branch of several may be empty: it predicts as its parent.
  level <- data.frame(f = factor(rep(c("a", "b", "c"), 10)), y = rep(c(1.5, 5.5, 9), 10))
  many <- full_tree(y ~ f, level, nominal = "multiway", min_bucket = 1)
  ready <- prepare(
    call_rows(many, environment())$input, c(forest_asked(many), list(preset = "tec")), many$control
  )
  ready$rows <- which(level$f != "c")
  with_empty <- with_values_of(many, ready)
  expect_equal(n_leaves(with_empty), 3)
  expect_equal(predict(with_empty, level[1:3, ]), c(1.5, 5.5, 3.5))
})

test_that("honest trees find their rows, can be tuned and exported", {
  fit <- withr::with_seed(1, tec_tree(Species ~ ., iris, honest = TRUE))
  expect_equal(fitted(fit), predict(fit, iris))
  expect_equal(fit$control$honest, 0.5)
  expect_equal(fit$honest[c("splits", "values")], list(splits = 75, values = 75))
  expect_equal(sum(summary(fit)$confusion), 75)
  expect_output(print(summary(fit)), "Rows that give the values: [0-9]+ of 75 wrong")
  expect_null(leaf_reasons(fit))
  again <- withr::with_seed(1, update(fit, q = 1))
  once <- withr::with_seed(1, tec_tree(Species ~ ., iris, honest = TRUE, q = 1))
  expect_identical(again$tree, once$tree)
  expect_equal(predict(tec_from_json(tec_json(fit)), iris), predict(fit, iris))
  tuned <- withr::with_seed(1, tec_tune(Species ~ ., iris, q = 1:2, honest = TRUE, folds = 3))
  expect_false(is.null(tuned$fit$honest))
  prior <- c(0.1, 0.3, 0.6)
  fit <- withr::with_seed(1, tec_tree(Species ~ ., iris, honest = TRUE, prior = prior))
  expect_equal(fit$tree$prob[1L, ], prior)
  expect_equal(sum(case_counts(fit)[1L, ]), 75)
})

test_that("honest is checked", {
  expect_snapshot(show_errors({
    tec_control(honest = 1)
    tec_control(honest = "half")
    tec_tree(mpg ~ ., mtcars[1, ], honest = TRUE)
    tec_forest(mpg ~ ., mtcars, honest = TRUE)
  }))
})
