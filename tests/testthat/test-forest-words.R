test_that("arguments of other packages mean ours", {
  d <- forest_data(60)
  d$w <- rep(1:2, 30)
  same <- function(theirs, ours) {
    set.seed(1)
    theirs <- eval(theirs)
    set.seed(1)
    ours <- eval(ours)
    expect_identical(without_call(theirs), without_call(ours))
  }
  forest <- function(...) tec_forest(..., missing = "majority")
  same(quote(forest(y ~ ., d, ntree = 3)), quote(forest(y ~ ., d, trees = 3)))
  same(quote(forest(y ~ ., d, num.trees = 3)), quote(forest(y ~ ., d, trees = 3)))
  same(quote(forest(y ~ ., d, n_estimators = 3)), quote(forest(y ~ ., d, trees = 3)))
  same(
    quote(forest(y ~ ., d, ntree = 3, nodesize = 4)),
    quote(forest(y ~ ., d, trees = 3, min_split = 5))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, min.node.size = 10, max.depth = 2, num.threads = 1)),
    quote(forest(y ~ ., d, trees = 3, min_split = 11, max_depth = 2, threads = 1))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, sampsize = 20, max_features = "log2")),
    quote(forest(y ~ ., d, trees = 3, sample_fraction = 20, mtry = "log2"))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, sampsize = c(5, 6, 7))),
    quote(forest(y ~ ., d, trees = 3, by_class = c(5, 6, 7)))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, classwt = c(2, 1, 1))),
    quote(forest(y ~ ., d, trees = 3, prior = c(0.5, 0.25, 0.25)))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, bootstrap = FALSE)),
    quote(forest(y ~ ., d, trees = 3, replace = FALSE, sample_fraction = 1))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, splitrule = "extratrees", class_weight = "balanced")),
    quote(forest(y ~ ., d, trees = 3, splitter = "random", class_weights = "balanced"))
  )
  same(
    quote(forest(y ~ ., d, trees = 3, splitrule = "gini", importance = "none")),
    quote(forest(y ~ ., d, trees = 3, criterion = "gini", importance = FALSE))
  )
  # Columns of the data are found under other names of arguments too.
  same(
    quote(tec_forest(y ~ a + b, d, trees = 3, case.weights = w, missing = "majority")),
    quote(tec_forest(y ~ a + b, d, trees = 3, sample_weights = w, missing = "majority"))
  )
  same(
    quote(tec_forest(y ~ a + b, d, trees = 3, sample_weight = w, missing = "majority")),
    quote(tec_forest(y ~ a + b, d, trees = 3, weights = w, missing = "majority"))
  )
  # What needs nothing here is accepted.
  same(
    quote(forest(y ~ ., d, trees = 3, keep.inbag = TRUE, proximity = FALSE, oob_score = TRUE)),
    quote(forest(y ~ ., d, trees = 3))
  )
  same(
    quote(forest(x = d[2:4], y = d$y, ntree = 3)), quote(forest(x = d[2:4], y = d$y, trees = 3))
  )
})

test_that("the stored call has our names and the expressions as written", {
  fit <- tec_forest(Species ~ ., iris, ntree = 2 + 1, missing = "majority")
  expect_identical(fit$call$trees, quote(2 + 1))
  expect_null(fit$call$ntree)
})

test_that("formula, x and y and matrices give the same forest", {
  set.seed(2)
  one <- small_forest(Species ~ ., iris)
  for (grow in list(
    function() small_forest(x = iris[1:4], y = iris$Species),
    function() small_forest(as.matrix(iris[1:4]), iris$Species),
    function() small_forest(data = iris, formula = Species ~ .),
    function() small_forest(iris[1:4], iris$Species, subset = 1:150),
    function() small_forest(x = Species ~ ., data = iris)
  )) {
    set.seed(2)
    expect_identical(grow()$trees, one$trees)
  }
})

test_that("arguments without a counterpart say what to do", {
  expect_snapshot(show_errors({
    tec_forest(Species ~ ., iris, proximity = TRUE)
    tec_forest(Species ~ ., iris, strata = Species)
    tec_forest(Species ~ ., iris, always.split.variables = "Petal.Width")
    tec_forest(Species ~ ., iris, ntree = 10, trees = 10)
    tec_forest(Species ~ ., iris, splitrule = "hellinger")
    tec_forest(Species ~ ., iris, nodesize = 1, min_split = 2)
    tec_forest(Species ~ ., iris, seed = "a")
    tec_forest(Species ~ ., iris, method = "anova")
  }))
})

test_that("argument values of other packages have the same meaning", {
  trees <- function(...) {
    set.seed(1)
    without_call(tec_forest(Species ~ ., iris, trees = 3, ...))
  }
  expect_identical(trees(max.depth = 0), trees())
  expect_identical(trees(max.depth = 2), trees(max_depth = 2))
  set.seed(1)
  fit <- tec_boost(mpg ~ ., mtcars, rounds = 10, folds = 0, mtry = 1, max_depth = 3, min_bucket = 3)
  forest <- as_tec_forest(fit)
  used <- vapply(seq_len(n_trees(forest)), function(k) {
    length(unique(stats::na.omit(as.data.frame(forest[[k]])$variable)))
  }, 0L)
  expect_lte(max(used), 1L)
})
