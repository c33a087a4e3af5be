test_that("both interfaces grow the same forest", {
  set.seed(1)
  a <- tec_rotation(Species ~ ., iris, trees = 5)
  set.seed(1)
  b <- tec_rotation(iris[1:4], iris$Species, trees = 5)
  set.seed(1)
  named <- tec_rotation(formula = Species ~ ., data = iris, n_estimators = 5, num.threads = 1)
  expect_identical(b[c("trees", "rotation", "gain")], a[c("trees", "rotation", "gain")])
  expect_identical(named[c("trees", "rotation")], a[c("trees", "rotation")])
  expect_lt(as.numeric(object.size(a)), 1e5)
  copy <- tempfile()
  saveRDS(a, copy)
  expect_lt(file.size(copy), 2e4)
  expect_identical(predict(readRDS(copy), iris), predict(a, iris))
})

test_that("a rotation forest learns what lies across the predictors", {
  set.seed(2)
  d <- data.frame(matrix(stats::rnorm(600 * 6), 600))
  d$y <- factor(d$X1 + d$X2 + d$X3 > 0)
  train <- 1:300
  set.seed(3)
  turned <- tec_rotation(y ~ ., d[train, ], trees = 60, threads = 2)
  straight <- tec_forest(y ~ ., d[train, ], trees = 60, threads = 2)
  error <- function(fit) mean(predict(fit, d[-train, ]) != d$y[-train])
  expect_lt(error(turned), error(straight))
  gain <- importance(turned)
  expect_setequal(gain$variable[1:3], c("X1", "X2", "X3"))
})

test_that("fits are printed", {
  set.seed(4)
  d <- data.frame(
    y = iris$Petal.Width, iris[1:3], Species = iris$Species, flower = rep(c("no", "yes"), 75)
  )
  expect_snapshot_output({
    print(tec_rotation(Species ~ ., iris, trees = 5))
    fit <- tec_rotation(y ~ ., d, trees = 4, sample_fraction = 0.3, min_bucket = 5)
    print(fit, width = 60)
    print(summary(fit, d), digits = 3)
    print(tec_components(fit, tree = 2:3), most = 2)
  })
})

test_that("bad input gives errors that name a solution", {
  one <- data.frame(y = factor(rep("a", 20)), x = 1:20)
  flat <- data.frame(y = 1:4, x = factor(rep("a", 4)))
  huge <- data.frame(y = 1:4, x = c(1, 2, Inf, 1e200))
  expect_snapshot_output(show_errors({
    tec_rotation(Species ~ ., iris, trees = 0)
    tec_rotation(Species ~ ., iris, group_size = 0)
    tec_rotation(Species ~ ., iris, group_size = 5)
    tec_rotation(Species ~ ., iris, group_size = 1.5)
    tec_rotation(Species ~ ., iris, sample_fraction = 0)
    tec_rotation(Species ~ ., iris, sample_fraction = 20)
    tec_rotation(Species ~ ., iris, time_limit = 0)
    tec_rotation(Species ~ ., iris, missing = "learned")
    tec_rotation(Species ~ ., iris, cp = 0.1)
    tec_rotation(Species ~ ., iris, lookahead = 3)
    tec_rotation(Species ~ ., iris, K = 2)
    tec_rotation(Species ~ ., iris, max_deep = 3)
    tec_rotation(Species ~ ., iris, groupsize = 3)
    tec_rotation(Species ~ ., iris, q = c(1, 2))
    tec_rotation(Species ~ ., iris, criterion = "l2")
    tec_rotation(Species ~ ., iris[0, ])
    tec_rotation(Species ~ ., iris, weights = 0)
    tec_rotation(y ~ x, one)
    tec_rotation(y ~ x, flat)
    tec_rotation(y ~ x, huge)
    tec_rotation(data = iris)
    tec_rotation(iris[1:4], "Species")
  }))
})

test_that("two predictors are one group by default", {
  fit <- tec_rotation(Species ~ Petal.Length + Petal.Width, iris, trees = 3)
  expect_identical(fit$rotation$group_size, 2L)
  expect_identical(tec_rotation(Species ~ Petal.Length, iris, trees = 3)$rotation$group_size, 1L)
})

test_that("a rotation forest can be compared with the other methods", {
  set.seed(5)
  found <- compare_methods(Species ~ ., iris,
    folds = 3, metric = c("log_loss", "accuracy"), methods = list(
      tree = tec_tree, rotation = function(formula, data) tec_rotation(formula, data, trees = 10)
    )
  )
  own <- found[found$method == "rotation", ]
  expect_gt(own$accuracy, 0.9)
  expect_gt(own$size, 30)
})

test_that("exports and functions of trees refuse a rotation forest", {
  fit <- tec_rotation(Species ~ ., iris, trees = 2)
  for (f in list(
    tec_json, tec_sql, tec_code, tec_pmml, tec_onnx, tec_rules, tec_more, tec_shap, tec_view,
    n_trees, n_leaves, tec_proximity, tec_shrink, tec_prune
  )) {
    expect_error(f(fit), class = "tec_error")
  }
})
