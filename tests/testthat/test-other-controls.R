test_that("they grow the same tree in every function that takes settings", {
  fit <- tec_tree(Species ~ ., iris, min_bucket = 10, criterion = "shannon")
  same <- tec_tree(Species ~ ., iris, min_samples_leaf = 10, criterion = "entropy")
  expect_identical(same$tree, fit$tree)
  expect_identical(update(same, q = 2)$control$min_bucket, 10)
  price <- tec_tree(Species ~ ., iris, ccp_alpha = 0.01)
  expect_identical(update(price, q = 2)$control$alpha, 0.01)
  expect_identical(update(price, q = 2)$control$risk, "impurity")
  expect_null(update(price, alpha = NULL, prune = "none")$control$alpha)
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, q = 1, min_samples_leaf = c(2, 10))
  set.seed(1)
  expect_identical(tuned$table, tec_tune(Species ~ ., iris, q = 1, min_bucket = c(2, 10))$table)
  expect_identical(
    tec_scores(Species ~ ., iris, criterion = "information", minbucket = 40)$gain,
    tec_scores(Species ~ ., iris, criterion = "shannon", min_bucket = 40)$gain
  )
})

test_that("tec_tune() takes them with several values", {
  tuned <- function(...) {
    set.seed(1)
    tec_tune(Species ~ ., iris, ...)
  }
  same <- function(theirs, ours) {
    theirs <- do.call(tuned, theirs)
    ours <- do.call(tuned, ours)
    expect_identical(theirs$table, ours$table)
    expect_true(same_tree_but_call(theirs$fit, ours$fit))
    expect_true(same_tree_but_call(eval(theirs$fit$call), ours$fit))
  }
  same(
    list(ccp_alpha = c(0, 0.01, 0.3), cv = 3),
    list(alpha = c(0, 0.01, 0.3), risk = "impurity", folds = 3)
  )
  same(
    list(preset = "J48", C = c(0.1, 0.4), M = 2:3, nfolds = 3),
    list(preset = "c45", cf = c(0.1, 0.4), prune = "ebp", min_bucket = 2:3, folds = 3)
  )
  same(
    list(q = 1:2, CF = 0.1, max_leaf_nodes = 4, xval = 3),
    list(q = 1:2, cf = 0.1, prune = "ebp", max_leaves = 4, folds = 3)
  )
  same(
    list(U = c(TRUE, FALSE), S = c(FALSE, TRUE), cv = 3),
    list(prune = c("none", "ebp"), raise = c(TRUE, FALSE), folds = 3)
  )
  same(
    list(min_samples_leaf = c(0.05, 0.2), cv = 3),
    list(min_bucket_share = c(0.05, 0.2), min_bucket = 1, folds = 3)
  )
  same(
    list(tune = c("maxdepth", "min_samples_leaf"), cv = 3),
    list(tune = c("max_depth", "min_bucket"), folds = 3)
  )
  skip_if_not_installed("rpart")
  theirs <- tuned(q = 1:2, control = rpart::rpart.control(minsplit = 30), cv = 3)
  ours <- tuned(
    q = 1:2, min_split = 30, min_bucket = 10, cp = 0.01, max_surrogate = 5, max_depth = 30,
    folds = 3
  )
  expect_identical(theirs$table, ours$table)
})

test_that("control may be the list of another package", {
  skip_if_not_installed("rpart")
  skip_if_not_installed("C50")
  skip_if_not_installed("partykit")
  own <- function(...) tec_tree(Species ~ ., iris, folds = 0, ...)$control
  expect_silent(got <- own(control = rpart::rpart.control(minsplit = 30)))
  expect_identical(
    got, own(
      min_split = 30, min_bucket = 10, cp = 0.01, max_surrogate = 5, max_depth = 30
    )
  )
  # Given directly wins.
  expect_identical(own(control = rpart::rpart.control(), max_depth = 1)$max_depth, 1)
  expect_silent(got <- own(preset = "C4.5", control = C50::C5.0Control(CF = 0.1, minCases = 3)))
  expect_identical(got, own(preset = "c45", cf = 0.1, min_bucket = 3, prune = "ebp"))
  weka <- structure(list(M = 3, U = TRUE), class = "Weka_control")
  expect_identical(
    own(preset = "J48", control = weka), own(preset = "c45", min_bucket = 3, prune = "none")
  )
  plain <- list(min_bucket = 3, maxdepth = 2)
  expect_identical(own(control = plain), own(min_bucket = 3, max_depth = 2))
  ctree <- partykit::ctree_control
  expect_snapshot({
    fit <- tec_tree(Species ~ ., iris, control = rpart::rpart.control(maxcompete = 1))
    fit <- tec_tree(Species ~ ., iris, control = ctree())
    fit <- tec_tree(Species ~ ., iris, control = ctree(testtype = "Univariate", mtry = 2))
    fit <- tec_tree(Species ~ ., iris, control = C50::C5.0Control(winnow = TRUE))
  })
  expect_snapshot(show_errors({
    tec_tree(Species ~ ., iris, control = list(min_bukcet = 3))
    tec_tree(Species ~ ., iris, control = list(3))
    tec_tree(Species ~ ., iris, control = 3)
    tec_tree(Species ~ ., iris, control = iris)
    tec_tree(Species ~ ., iris, control = list(minsplit = 3, min_split = 3))
    tec_tree(Species ~ ., iris, control = list(minsplit = 3, min_n = 3))
  }))
})
