test_that("rpart's trees predict the same here", {
  skip_if_not_installed("rpart")
  all <- every_split()
  d <- all$data
  d$word <- as.character(d$colour)
  d$day <- as.numeric(d$day)
  d[["a-b"]] <- d$x
  d[["1"]] <- d$k
  grow <- function(...) rpart::rpart(..., control = rpart::rpart.control(cp = 0.001, minsplit = 4))
  trees <- list(
    grow(y ~ . - z, d), grow(y ~ colour + word + flag, d), grow(y ~ size, d), grow(z ~ . - y, d),
    rpart::rpart(y ~ . - z, d, parms = list(split = "information")),
    rpart::rpart(y ~ . - z, d, parms = list(prior = c(0.1, 0.2, 0.7))),
    rpart::rpart(y ~ x, d, cp = 1), grow(y ~ log(k) + x, d),
    grow(y ~ `a-b` + `1`, d)
  )
  for (tree in trees) {
    fit <- as_tec_tree(tree)
    if (tree$method == "class") {
      expect_equal(predict(fit, d, type = "prob"), predict(tree, d), ignore_attr = TRUE)
    } else {
      expect_equal(predict(fit, d), unname(predict(tree, d)))
    }
    expect_identical(n_leaves(fit), sum(tree$frame$var == "<leaf>"))
    expect_output(print(fit), "tree for")
    expect_s3_class(tec_rules(fit), "tec_rules")
    expect_s3_class(summary(fit), "summary.tec_tree")
  }
})

test_that("impurity and gain of a converted tree equal ours", {
  skip_if_not_installed("rpart")
  fit <- tec_tree(Species ~ ., iris, criterion = "gini")
  back <- as_tec_tree(as_rpart(fit))
  expect_equal(back$tree$impurity, fit$tree$impurity)
  expect_equal(back$tree$gain, fit$tree$gain)
  expect_equal(back$tree$breaks, fit$tree$breaks)
  number <- tec_tree(mpg ~ ., mtcars)
  back <- as_tec_tree(as_rpart(number))
  expect_equal(back$tree$gain, number$tree$gain)
})
