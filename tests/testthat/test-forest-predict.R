test_that("predictions are means and votes of the single trees", {
  set.seed(1)
  for (probability in c(FALSE, TRUE)) {
    d <- forest_data(60)
    new <- forest_data(40)
    fit <- small_forest(y ~ ., d, probability = probability)
    prob <- votes <- 0
    for (t in 1:12) {
      prob <- prob + predict(fit[[t]], new, type = "prob")
      votes <- votes + diag(3)[as.integer(predict(fit[[t]], new)), ]
    }
    expect_equal(predict(fit, new, type = "prob"), prob / 12)
    expect_equal(unname(predict(fit, new, type = "votes")), votes / 12)
    class <- max.col(if (probability) round(prob, 9) else votes, ties.method = "first")
    expect_identical(as.integer(predict(fit, new)), class)
    expect_identical(predict(fit, new, type = "class"), predict(fit, new))
  }
  d <- forest_data(60, classes = FALSE)
  fit <- small_forest(y ~ ., d)
  by_tree <- vapply(1:12, function(t) predict(fit[[t]], new), numeric(40))
  expect_equal(predict(fit, new), rowMeans(by_tree))
  expect_identical(predict(fit, new, type = "tree"), by_tree)
})

test_that("predictions of each tree and nodes are those of the trees", {
  set.seed(2)
  d <- forest_data(60)
  new <- forest_data(40)
  fit <- small_forest(y ~ ., d)
  nodes <- vapply(1:12, function(t) predict(fit[[t]], new, type = "node"), integer(40))
  expect_identical(predict(fit, new, type = "node"), nodes)
  said <- vapply(1:12, function(t) as.character(predict(fit[[t]], new)), character(40))
  expect_identical(predict(fit, new, type = "tree"), said)
})

test_that("missing values and unseen levels are handled as in the trees", {
  set.seed(3)
  d <- forest_data(80)
  for (name in c("a", "d", "f")) d[sample(80, 15), name] <- NA
  new <- forest_data(60)
  for (name in names(new)[-1]) new[sample(60, 20), name] <- NA
  for (missing in c("majority", "fractional", "mode", "drop")) {
    fit <- small_forest(y ~ ., d, missing = missing)
    prob <- Reduce(`+`, lapply(1:12, function(t) predict(fit[[t]], new, type = "prob"))) / 12
    expect_equal(predict(fit, new, type = "prob"), prob, label = missing)
  }
  fit <- small_forest(y ~ ., d)
  new$d <- as.character(new$d)
  new$d[1:3] <- "z"
  expect_warning(found <- predict(fit, new), class = "tec_warning_unseen")
  new$d[1:3] <- NA
  expect_identical(found, predict(fit, new))
})

test_that("without newdata the predictions are out of bag", {
  set.seed(4)
  fit <- small_forest(Species ~ ., iris, trees = 3)
  expect_identical(predict(fit), fit$oob$response)
  expect_identical(predict(fit, type = "prob"), fit$oob$prob)
  votes <- predict(fit, type = "votes")
  expect_equal(rowSums(votes)[fit$oob$times > 0], rep(1, sum(fit$oob$times > 0)))
  never <- fit$oob$times == 0
  expect_true(any(never))
  expect_true(all(is.na(predict(fit)[never])) && all(is.na(votes[never, ])))
  expect_false(anyNA(predict(fit)[!never]))
})

test_that("a forest without splits predicts every row", {
  d <- data.frame(y = c(1, 1, 1, 1), x = 1:4)
  fit <- small_forest(y ~ x, d, trees = 2)
  expect_identical(predict(fit, data.frame(z = 1:3)), c(1, 1, 1))
  expect_identical(predict(fit, d[0, ]), numeric())
  expect_identical(dim(predict(fit, d[0, ], type = "node")), c(0L, 2L))
})

test_that("dates, characters and calls are predicted as they were grown", {
  set.seed(5)
  d <- data.frame(
    y = factor(rep(c("a", "b"), 30)), when = as.Date("2020-01-01") + sample(400, 60),
    who = sample(c("x", "y", "z"), 60, TRUE), size = stats::rexp(60) + 0.1
  )
  fit <- small_forest(y ~ when + who + log(size), d)
  expect_identical(names(fit$columns$needs), NULL)
  prob <- Reduce(`+`, lapply(1:12, function(t) predict(fit[[t]], d, type = "prob"))) / 12
  expect_equal(predict(fit, d, type = "prob"), prob)
})

test_that("wrong requests are helpful errors", {
  set.seed(6)
  fit <- small_forest(Species ~ ., iris, trees = 3)
  numbers <- small_forest(mpg ~ ., mtcars, trees = 3)
  whole <- small_forest(Species ~ ., iris, trees = 3, replace = FALSE, sample_fraction = 1)
  expect_snapshot(show_errors({
    predict(fit, iris["Species"])
    predict(fit, transform(iris, Petal.Width = "a"))
    predict(fit, NULL)
    predict(fit, iris, type = "quantiles")
    predict(numbers, mtcars, type = "prob")
    predict(numbers, mtcars, type = "votes")
    predict(fit, iris, tpye = "prob")
    predict(fit, type = "node")
    predict(numbers, mtcars, type = "quantiles", probs = 2)
    predict(whole, iris, type = "se")
  }))
})

test_that("arguments that the type does not use are refused", {
  set.seed(1)
  fit <- small_forest(mpg ~ ., mtcars)
  expect_snapshot(show_errors({
    predict(fit, mtcars, probs = 0.5)
    predict(fit, mtcars, data = mtcars)
    predict(fit, mtcars, type = "tree", y = mtcars$mpg)
  }))
})
