# Settings that end growth, other than min_split, min_bucket and max_depth.

# Leaves' places in the pools, which nothing reads, are left out.
same_nodes <- function(a, b) expect_identical(as.data.frame(a), as.data.frame(b))

grown_whole <- function(criterion, data, ...) {
  full_tree(data[setdiff(names(data), "y")], data$y, criterion = criterion, min_bucket = 1, ...)
}

cases <- list(
  list(criterion = "gini", data = stats::setNames(iris, c(letters[1:4], "y"))),
  list(criterion = "gain_ratio", data = stats::setNames(iris, c(letters[1:4], "y"))),
  list(criterion = "l2", data = stats::setNames(mtcars, c("y", names(mtcars)[-1]))),
  list(criterion = "l1", data = stats::setNames(mtcars, c("y", names(mtcars)[-1])))
)

# A node is cut where its own split breaks the rule: nodes do not depend on each other.
test_that("min_weighted_gain makes no split that takes less off the whole tree's impurity", {
  for (case in cases) {
    whole <- grown_whole(case$criterion, case$data)
    tree <- whole$tree
    gain <- tree$gain * tree$weight / tree$weight[1]
    inner <- which(tree$kind != 0L)
    for (bound in stats::quantile(gain[inner], c(0.2, 0.5, 0.9), names = FALSE)) {
      bounded <- grown_whole(case$criterion, case$data, min_weighted_gain = bound * (1 + 1e-9))
      weak <- inner[gain[inner] <= bound * (1 + 1e-9)]
      same_nodes(bounded, tec_prune(whole, node = weak))
      # A split of just the bound is made.
      reached <- grown_whole(case$criterion, case$data, min_weighted_gain = bound)
      expect_gte(min(reached$tree$gain * reached$tree$weight, na.rm = TRUE) / tree$weight[1], bound)
    }
    first <- grown_whole(case$criterion, case$data, min_weighted_gain = gain[1])
    expect_identical(n_nodes(grown_whole(case$criterion, case$data, min_weighted_gain = 1e6)), 1L)
    expect_gt(n_nodes(first), 1)
  }
})

test_that("min_impurity makes leaves of nodes that are pure enough", {
  for (case in cases) {
    whole <- grown_whole(case$criterion, case$data)
    inner <- which(whole$tree$kind != 0L)
    for (bound in stats::quantile(whole$tree$impurity[inner], c(0.2, 0.5, 0.9), names = FALSE)) {
      bounded <- grown_whole(case$criterion, case$data, min_impurity = bound)
      clean <- inner[whole$tree$impurity[inner] <= bound]
      same_nodes(bounded, tec_prune(whole, node = clean))
    }
  }
})

test_that("min_bucket_share is a min_bucket of that share of the weight", {
  for (case in cases) {
    share <- grown_whole(case$criterion, case$data, min_bucket_share = 0.1)
    size <- 0.1 * nrow(case$data)
    sized <- full_tree(case$data[names(case$data) != "y"], case$data$y,
      criterion = case$criterion, min_bucket = size, min_split = 2
    )
    expect_identical(share$tree, sized$tree)
  }
  w <- rep(1:3, 50)
  share <- full_tree(Species ~ ., iris, weights = w, weights_as = "frequency", min_bucket = 1,
    min_bucket_share = 0.05)
  sized <- full_tree(Species ~ ., iris, weights = w, weights_as = "frequency", min_bucket = 15,
    min_split = 2)
  expect_identical(share$tree, sized$tree)
  # The larger of the two holds.
  both <- full_tree(Species ~ ., iris, min_bucket = 20, min_bucket_share = 0.01)
  expect_identical(both$tree, full_tree(Species ~ ., iris, min_bucket = 20)$tree)
})

test_that("they hold best first, in large trees and with several threads", {
  set.seed(1)
  n <- 30000
  d <- data.frame(x = runif(n), z = runif(n), f = factor(sample(letters[1:4], n, TRUE)))
  d$y <- factor(ifelse(runif(n) < 0.2, sample(1:3, n, TRUE), 1 + (d$x > 0.5) + (d$z > 0.3)))
  whole <- full_tree(y ~ ., d, criterion = "gini")
  tree <- whole$tree
  gain <- tree$gain * tree$weight / n
  weak <- which(gain < 1e-4)
  cut <- tec_prune(whole, node = weak)
  for (threads in 1:2) {
    fit <- full_tree(y ~ ., d, criterion = "gini", min_weighted_gain = 1e-4, threads = threads)
    same_nodes(fit, cut)
  }
  # Made in another order, the nodes are the same.
  first <- full_tree(y ~ ., d, criterion = "gini", min_weighted_gain = 1e-4, max_leaves = n)
  same_nodes(first, cut)
})

test_that("tuning grows the trees of tec_tree()", {
  for (setting in list(
    list(min_weighted_gain = 0.01), list(min_impurity = 0.3), list(min_bucket_share = 0.2)
  )) {
    tune <- function(...) full_tune(Species ~ ., iris, q = c(1, 2), folds = rep(1:3, 50), ...)
    tuned <- do.call(tune, setting)
    train <- iris[rep(1:3, 50) != 1, ]
    held <- iris[rep(1:3, 50) == 1, ]
    fit <- do.call(full_tree, c(list(Species ~ ., train, q = 2), setting))
    folds <- as.data.frame(tuned, what = "folds")
    at <- folds[folds$q == 2 & folds$fold == 1, ]
    expect_identical(as.integer(at$nodes), n_nodes(fit))
    expect_equal(at$accuracy, mean(predict(fit, held) == held$Species))
  }
})

test_that("scikit-learn stops at the same nodes", {
  slow_test()
  folder <- skip_without_shared_data()
  python <- skip_without_sklearn()
  settings <- list(
    list(min_impurity_decrease = 0.003), list(min_weight_fraction_leaf = 0.04),
    list(min_impurity_decrease = 0.001, min_weight_fraction_leaf = 0.01)
  )
  without_ties <- 0
  for (name in c("iris", "glass", "vehicle", "wine", "pima")) {
    data <- dense_ranks(read_shared(folder, name), "class")
    for (setting in settings) {
      fit <- do.call(full_tree, c(
        list(class ~ ., quote(data), criterion = "gini", min_bucket = 1, min_split = 2), setting
      ))
      peer <- fit_sklearn(python, data, "gini", 1, 2, 100, unlist(setting))
      walk <- walk_together(nested_tectree(fit, data), nested_sklearn(peer), data$class, node_gini)
      expect_identical(c(name, walk$wrong), name)
      if (walk$ties > 0) next
      without_ties <- without_ties + 1
      expect_identical(n_nodes(fit), nrow(peer$nodes), label = name)
    }
  }
  expect_gte(without_ties, 6)
})

test_that("bad settings are classed errors", {
  expect_snapshot(show_errors({
    tec_control(min_weighted_gain = -1)
    tec_control(min_bucket_share = 0.6)
    tec_control(min_bucket_share = "a")
    tec_control(min_impurity = NA)
  }))
})
