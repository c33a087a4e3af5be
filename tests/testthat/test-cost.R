response_of <- function(levels) list(name = "y", task = "classification", levels = levels)
regression <- list(name = "y", task = "regression", levels = NULL)

named_cost <- function(values, levels) {
  matrix(values, length(levels), byrow = TRUE, dimnames = list(levels, levels))
}

test_that("a leaf predicts the class with the smallest expected loss, the first on ties", {
  set.seed(1)
  data <- data.frame(y = factor(rep(c("a", "b", "c"), c(50, 30, 20))))
  data$x <- stats::rnorm(100)
  cost <- named_cost(c(0, 1, 1, 1, 0, 1, 10, 10, 0), c("a", "b", "c"))
  fit <- tec_tree(y ~ x, data, cost = cost, min_bucket = 5)
  plain <- tec_tree(y ~ x, data, min_bucket = 5)
  loss <- fit$tree$prob %*% cost
  expect_equal(fit$tree$yval, apply(loss, 1, which.min))
  expect_equal(fit$tree[c("prob", "breaks", "n")], plain$tree[c("prob", "breaks", "n")])
  expect_false(identical(predict(fit, data), predict(plain, data)))
  expect_identical(predict(fit, data, type = "prob"), predict(plain, data, type = "prob"))
  dimnames(cost) <- list(true = letters[1:3], predicted = letters[1:3])
  expect_identical(fit$cost, cost)
  # 50 x 1 against 50 x 1: a tie.
  even <- named_cost(c(0, 1, 9, 1, 0, 9, 1, 1, 0), c("a", "b", "c"))
  root <- tec_tree(y ~ x, data, cost = even, max_depth = 0)
  expect_equal(root$tree$yval, 1)
  half <- data.frame(y = factor(c("a", "a", "b")), x = 1:3)
  tie <- tec_tree(y ~ x, half, cost = named_cost(c(0, 1, 2, 0), c("a", "b")), max_depth = 0)
  expect_equal(tie$tree$yval, 1)
  large <- data.frame(x = stats::rnorm(9000))
  large$y <- factor(stats::runif(9000) < stats::plogis(large$x))
  fit <- tec_tree(y ~ x, large, criterion = "gini", cost = matrix(c(0, 5, 1, 0), 2))
  expect_equal(fit$tree$yval, 1 + (5 * fit$tree$prob[, 2] > fit$tree$prob[, 1]))
})

test_that("a loss of 1 for every error changes nothing", {
  ones <- 1 - diag(3)
  fit <- tec_tree(Species ~ ., iris, cost = ones, min_bucket = 1)
  plain <- tec_tree(Species ~ ., iris, min_bucket = 1)
  expect_identical(fit$tree, plain$tree)
  for (method in c("pep", "ebp", "collapse")) {
    expect_identical(tec_prune(fit, method)$tree, tec_prune(plain, method)$tree)
  }
  expect_equal(cp_table(fit)$cp, cp_table(plain)$cp)
})

test_that("names may come in any order, and be left out", {
  cost <- named_cost(c(0, 1, 2, 3, 0, 4, 5, 6, 0), levels(iris$Species))
  grow <- function(cost) tec_tree(Species ~ ., iris, cost = cost)[c("tree", "cost")]
  expect_identical(grow(cost), grow(cost[c(3, 1, 2), c(2, 3, 1)]))
  expect_identical(grow(cost), grow(unname(cost)))
})

test_that("the root's loss and the table count losses", {
  cost <- named_cost(c(0, 1, 1, 1, 0, 1, 10, 10, 0), levels(iris$Species))
  set.seed(1)
  fit <- tec_tree(Species ~ ., iris, cost = cost, prune = "ccp", cp = 0, min_bucket = 1)
  table <- cp_table(fit)
  root <- tec_tree(Species ~ ., iris, cost = cost, max_depth = 0)
  loss <- mean(cost[cbind(iris$Species, predict(root, iris))])
  expect_equal(attr(table, "root"), loss)
  for (i in seq_len(nrow(table))) {
    pruned <- tec_prune(fit, cp = table$cp[i])
    found <- mean(cost[cbind(iris$Species, predict(pruned, iris))])
    expect_equal(table$rel_error[i], found / loss)
  }
})

test_that("a bad cost is a classed error", {
  levels <- c("no", "yes")
  grow <- function(cost, ...) tec_tree(y ~ x, toy(), cost = cost, ...)
  expect_snapshot(show_errors({
    grow("2:1")
    grow(1:4)
    grow(matrix(0, 3, 3))
    grow(matrix(c("0", "1", "1", "0"), 2))
    grow(named_cost(c(0, -1, 1, 0), levels))
    grow(named_cost(c(0, NA, 1, 0), levels))
    grow(named_cost(c(0, Inf, 1, 0), levels))
    grow(named_cost(c(0, 1, 1, 2), levels))
    grow(named_cost(c(0, 0, 0, 0), levels))
    grow(named_cost(c(0, 1, 1, 0), c("no", "maybe")))
    grow(matrix(c(0, 1, 1, 0), 2, dimnames = list(levels, NULL)))
    grow(matrix(c(0, 1, 1, 0), 2, dimnames = list(c("no", "no"), levels)))
    tec_tree(mpg ~ ., mtcars, cost = matrix(c(0, 1, 1, 0), 2))
  }))
  expect_error(grow(1:4), class = "tec_error_cost")
})

test_that("a prior is checked against the classes", {
  response <- response_of(c("no", "yes"))
  expect_null(check_prior(NULL, response))
  expect_equal(check_prior(c(0.2, 0.8), response), c(no = 0.2, yes = 0.8))
  expect_equal(check_prior(c(yes = 0.2, no = 0.8), response), c(no = 0.8, yes = 0.2))
  expect_snapshot(show_errors({
    check_prior(c(0.2, 0.7), response)
    check_prior(c(no = 0.2, maybe = 0.8), response)
    check_prior(1, response)
    check_prior("even", response)
    check_prior(c(1.5, -0.5), response)
    check_prior(c(NA, 1), response)
    check_prior(c(0.5, 0.5), regression)
  }))
})

test_that("a row in several branches gets the prediction with the smallest cost", {
  set.seed(61)
  d <- iris
  d$Petal.Length[sample(150, 60)] <- NA
  d$Petal.Width[sample(150, 60)] <- NA
  cost <- named_cost(c(0, 1, 1, 1, 0, 1, 1, 12, 0), levels(iris$Species))
  fit <- full_tree(Species ~ Petal.Length + Petal.Width, d, cost = cost)
  expected <- predict(fit, d, type = "prob") %*% cost
  cheapest <- max.col(-round(expected, 10), ties.method = "first")
  expect_identical(as.integer(predict(fit, d)), cheapest)
  expect_false(all(cheapest == max.col(predict(fit, d, type = "prob"), "first")))
  holed <- which(is.na(d$Petal.Length))[1]
  expect_identical(explain(fit, d[holed, ])$prediction, predict(fit, d[holed, ]))
})
