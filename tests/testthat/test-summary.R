test_that("the table of classes is that of the predictions", {
  cases <- list(
    tec_tree(fruit ~ ., fruit), tec_tree(fruit ~ ., fruit, nominal = "multiway", min_bucket = 20),
    tec_tree(fruit ~ ., fruit, max_depth = 0)
  )
  for (fit in cases) {
    s <- summary(fit)
    truth <- table(fruit$fruit, predict(fit, fruit))
    expect_equal(unname(s$confusion), unname(unclass(truth)), ignore_attr = TRUE)
    expect_equal(s$accuracy, mean(predict(fit, fruit) == fruit$fruit))
  }
})

test_that("weights count in the table", {
  w <- rep(c(1, 2, 3), 50)
  fit <- tec_tree(Species ~ ., iris, weights = w, min_bucket = 10)
  truth <- tapply(w / 2, list(iris$Species, predict(fit, iris)), sum, default = 0)
  expect_equal(unname(summary(fit)$confusion), unname(truth), ignore_attr = TRUE)
})

test_that("errors of numbers are those of the predictions", {
  l2 <- tec_tree(mpg ~ ., mtcars)
  error <- mtcars$mpg - predict(l2, mtcars)
  expect_equal(summary(l2)$rmse, sqrt(mean(error^2)))
  expect_equal(summary(l2)$r_squared, 1 - sum(error^2) / sum((mtcars$mpg - mean(mtcars$mpg))^2))
  l1 <- tec_tree(mpg ~ ., mtcars, criterion = "l1")
  expect_equal(summary(l1)$mae, mean(abs(mtcars$mpg - predict(l1, mtcars))))
})

test_that("rows that end at an inner node are counted there", {
  fit <- toy_tree()
  # Two of the six rows of node 2 leave the tree at the root.
  fit$tree$n[2] <- fit$tree$weight[2] <- 4
  ending <- ending_weights(fit)
  expect_equal(ending[1, ], c(2, 0))
  expect_equal(ending[2, ], c(4, 0))
  expect_equal(sum(summary(fit)$confusion), 12)
})

test_that("precision and recall of the training rows are those of the predictions", {
  fit <- tec_tree(fruit ~ ., fruit)
  guess <- predict(fit, fruit)
  classes <- summary(fit)$classes
  for (level in levels(fruit$fruit)) {
    at <- classes[classes$class == level, ]
    expect_equal(at$precision, mean(fruit$fruit[guess == level] == level))
    expect_equal(at$recall, mean(guess[fruit$fruit == level] == level))
    expect_equal(at$f1, 2 / (1 / at$precision + 1 / at$recall))
  }
  leaf <- summary(tec_tree(Species ~ ., iris, max_depth = 0))$classes
  expect_equal(leaf$precision, c(1 / 3, NA, NA))
  expect_equal(leaf$recall, c(1, 0, 0))
})

test_that("summaries print", {
  expect_snapshot({
    summary(tec_tree(Species ~ ., iris))
    summary(tec_tree(mpg ~ ., mtcars))
    summary(tec_tree(mpg ~ ., mtcars, criterion = "l1", max_leaves = 2))
    summary(tec_tree(Species ~ ., iris, max_depth = 0))
  })
})

test_that("many classes: the worst confusions, within the width", {
  set.seed(1)
  d <- data.frame(x = 1:260, y = factor(rep(paste("class number", 1:26), each = 10)))
  d$y[sample(260, 40)] <- d$y[1]
  s <- summary(tec_tree(y ~ x, d, min_bucket = 8))
  lines <- format(s, width = 60)
  expect_lte(max(nchar(lines, "width")), 60)
  expect_true(any(grepl("predicted as", lines)))
  for (width in c(20, 40)) expect_lte(max(nchar(format(s, width = width), "width")), width)
})

test_that("pruning and surrogates are shown where a fit has them", {
  fit <- toy_tree()
  fit$pruning <- list(method = "ccp", cp = 0.01)
  fit$cptable <- list(cp = c(0.5, 0.1), nsplit = 0:1)
  lines <- format(summary(fit))
  expect_true("Pruning: method ccp, cp 0.01" %in% lines)
  expect_true("Trees by complexity penalty" %in% lines)
  expect_identical(summary(fit)$pruning, fit$pruning)
  expect_null(fit[[2]][["cptable"]])
  expect_identical(fit[[2]]$pruning, fit$pruning)
})

test_that("the errors of rows split by missing values are those of predict()", {
  set.seed(1)
  d <- mtcars
  d$wt[sample(32, 8)] <- NA
  d$am <- factor(d$am)
  fit <- tec_tree(am ~ ., d, missing = "fractional", prune = "none")
  wrong <- sum(predict(fit, d) != d$am)
  expect_equal(sum(summary(fit)$confusion) - sum(diag(summary(fit)$confusion)), wrong)
  expect_equal(generics::glance(fit)$accuracy, 1 - wrong / 32)
  w <- rep(1:2, 16)
  weighted <- tec_tree(am ~ ., d, weights = w, missing = "fractional", prune = "none")
  expect_equal(
    summary(weighted)$accuracy, sum(w[predict(weighted, d) == d$am]) / sum(w)
  )
  numbers <- tec_tree(mpg ~ ., d, missing = "fractional", prune = "none")
  expect_equal(summary(numbers)$rmse, sqrt(mean((predict(numbers, d) - d$mpg)^2)))
  rm(d)
  expect_true(summary(fit)$in_parts)
  expect_output(print(summary(fit)), "Rows with missing values count in parts")
})

test_that("a table of too many classes leaves the worst confusions", {
  d <- data.frame(y = factor(rep(letters[1:15], 4)), x = c(rep(1:15, 3), 15:1))
  s <- summary(tec_tree(y ~ x, d, max_depth = 2))
  lines <- confusion_table_lines(s, 20)
  expect_match(lines[1L], "wrong")
  expect_gt(length(lines), 1L)
})
