# gini and l2 against rpart and scikit-learn on real data: see helper-peers.R for how ties are
# recognised.

numeric_sets <- c(
  "iris", "wine", "glass", "vehicle", "segment", "sonar", "pima", "ionosphere", "haberman",
  "heart_statlog", "page_blocks", "yeast", "waveform21", "spambase"
)
nominal_sets <- c(
  "balance_scale", "car", "cmc", "tic_tac_toe", "nursery", "kr_vs_kp", "hayes_roth",
  "monks3_train"
)

# rpart with cp = 0 takes back the splits below which no training error is saved; with cp < 0 it
# keeps them. That is the tree of the criterion, and has the same training error.
fit_rpart <- function(formula, data, method, cp, min_bucket = 7, min_split = 20) {
  rpart::rpart(formula, data,
    method = method,
    control = rpart::rpart.control(
      minsplit = min_split, minbucket = min_bucket, cp = cp, maxdepth = 30,
      maxcompete = 0, maxsurrogate = 0, usesurrogate = 0, xval = 0
    )
  )
}

fit_tectree <- function(formula, data, criterion, min_bucket = 7, min_split = 20, max_depth = 30) {
  full_tree(formula, data,
    criterion = criterion, min_bucket = min_bucket, min_split = min_split, max_depth = max_depth,
    nominal = "binary", free_levels = Inf, threads = 1
  )
}

misclassified <- function(y) length(y) - max(tabulate(y, nlevels(y)))
sum_of_squares <- function(y) sum((y - mean(y))^2)

#' @srrstats {G5.4b} Trees are those of rpart; other tests compare with C50, J48, earth and
#'   scikit-learn.
test_that("gini grows rpart's trees", {
  slow_test()
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  without_ties <- 0
  for (name in c(numeric_sets, nominal_sets)) {
    data <- read_shared(folder, name)
    ours <- nested_tectree(fit_tectree(class ~ ., data, "gini"), data)
    theirs <- nested_rpart(fit_rpart(class ~ ., data, "class", cp = -1))
    walk <- walk_together(ours, theirs, data$class, node_gini)
    expect_identical(c(name, walk$wrong), name)
    if (walk$ties > 0) {
      next
    }
    without_ties <- without_ties + 1
    expect_identical(count_leaves(ours), count_leaves(theirs), label = name)
    error <- leaf_sum(ours, data$class, misclassified)
    expect_identical(error, leaf_sum(theirs, data$class, misclassified), label = name)
    collapsed <- fit_rpart(class ~ ., data, "class", cp = 0)
    expect_equal(sum(predict(collapsed, type = "class") != data$class), error, label = name)
  }
  expect_gte(without_ties, 12)
})

test_that("l2 grows rpart's trees", {
  slow_test()
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  without_ties <- 0
  for (name in c(numeric_sets, "abalone", "waveform40")) {
    data <- as_regression(read_shared(folder, name))
    ours <- nested_tectree(fit_tectree(target ~ ., data, "l2"), data)
    theirs <- nested_rpart(fit_rpart(target ~ ., data, "anova", cp = 0))
    walk <- walk_together(ours, theirs, data$target, node_variance)
    expect_identical(c(name, walk$wrong), name)
    if (walk$ties > 0) {
      next
    }
    without_ties <- without_ties + 1
    expect_identical(count_leaves(ours), count_leaves(theirs), label = name)
    expect_equal(
      leaf_sum(ours, data$target, sum_of_squares), leaf_sum(theirs, data$target, sum_of_squares),
      tolerance = 1e-10, label = name
    )
  }
  expect_gte(without_ties, 11)
})

training_impurity <- function(weight, impurity, leaf) sum(weight[leaf] * impurity[leaf]) / weight[1]

expect_sklearn <- function(python, data, response, criterion, name, impurity, max_depth) {
  data <- dense_ranks(data, response)
  fit <- fit_tectree(
    stats::as.formula(paste(response, "~ .")), data, criterion,
    min_bucket = 3, min_split = 6, max_depth = max_depth
  )
  peer <- fit_sklearn(
    python, data, if (criterion == "gini") "gini" else "squared_error", 3, 6, max_depth
  )
  walk <- walk_together(nested_tectree(fit, data), nested_sklearn(peer), data[[response]], impurity)
  expect_identical(c(name, walk$wrong), name)
  if (walk$ties == 0) {
    ours <- training_impurity(fit$tree$weight, fit$tree$impurity, fit$tree$n_children == 0)
    theirs <- training_impurity(peer$nodes[, 4], peer$nodes[, 3], peer$nodes[, 1] < 0)
    expect_lte(abs(ours - theirs), 1e-12 * max(1, theirs), label = name)
  }
  walk$ties == 0
}

test_that("gini and l2 reach the training impurity of scikit-learn's best splitter", {
  slow_test()
  folder <- skip_without_shared_data()
  python <- skip_without_sklearn()
  without_ties <- c(gini = 0, l2 = 0)
  for (name in numeric_sets) {
    data <- read_shared(folder, name)
    for (max_depth in c(4, 30)) {
      without_ties["gini"] <- without_ties["gini"] +
        expect_sklearn(python, data, "class", "gini", name, node_gini, max_depth)
    }
    data <- as_regression(data)
    data$class <- NULL
    without_ties["l2"] <- without_ties["l2"] +
      expect_sklearn(python, data, "target", "l2", name, node_variance, 6)
  }
  expect_gte(without_ties[["gini"]], 8)
  expect_gte(without_ties[["l2"]], 5)
})
