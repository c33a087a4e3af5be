# Prices by impurity against scikit-learn's `ccp_alpha` path.
#
# Where nothing ties the whole paths are equal. What differs on the data as they are is the tree,
# not the pruning: of splits that tie scikit-learn takes one by chance (it looks at the columns in
# random order), we the first; and it makes splits that gain nothing. So where a path differs the
# trees are walked together until they part, and there the two gains must be equal. Columns are
# given as ranks, because scikit-learn reads numbers in single precision.

path_sets <- c(
  "iris", "wine", "glass", "ionosphere", "sonar", "pima", "vehicle", "yeast", "segment",
  "haberman", "heart_statlog"
)

path_data <- function(folder, name, criterion) {
  data <- read_shared(folder, name)
  if (criterion == "gini") {
    return(dense_ranks(data, "class"))
  }
  data <- as_regression(data)
  data$class <- NULL
  dense_ranks(data, "target")
}

path_fit <- function(data, criterion, ...) {
  response <- utils::tail(names(data), 1)
  full_tree(stats::as.formula(paste(response, "~ .")), data, criterion = criterion, ...)
}

equal_paths <- function(ours, theirs) {
  length(ours) == length(theirs) && all(abs(ours - theirs) < 1e-8 * ours[1])
}

each_path <- function(compare) {
  folder <- skip_without_shared_data()
  python <- skip_without_sklearn()
  for (name in path_sets) {
    for (criterion in c("gini", "l2")) {
      compare(python, path_data(folder, name, criterion), criterion, paste(name, criterion))
    }
  }
}

test_that("where nothing ties, alpha by impurity is scikit-learn's ccp_alpha", {
  set.seed(31)
  each_path(function(python, data, criterion, label) {
    # Weights around 1, whose sums are exact; two sets of rows never weigh the same.
    w <- 1 + round(stats::runif(nrow(data), -1, 1) * 2^22) / 2^29
    if (criterion == "l2") {
      data$target <- data$target + 0.05 * stats::sd(data$target) * stats::rnorm(nrow(data))
    }
    fit <- path_fit(data, criterion, weights = w, min_bucket = 2.5, min_split = 5.5)
    ours <- cp_table(fit, risk = "impurity")$alpha
    theirs <- sklearn_prices(python, data, w, sklearn_criterion(criterion), 3, 6)
    expect_identical(length(ours), length(theirs), label = label)
    expect_equal(ours / ours[1], theirs / theirs[1], tolerance = 1e-8, label = label)
    # scikit-learn takes a variance as a difference of squares.
    expect_equal(ours[1], theirs[1], tolerance = 1e-9, label = label)
  })
})

test_that("on the data as they are, paths are equal or the trees part at a tie", {
  equal <- 0
  each_path(function(python, data, criterion, label) {
    fit <- path_fit(data, criterion, min_bucket = 3, min_split = 6)
    ours <- cp_table(fit, risk = "impurity")$alpha
    w <- rep(1, nrow(data))
    theirs <- sklearn_prices(python, data, w, sklearn_criterion(criterion), 3, 6)
    if (equal_paths(ours, theirs)) {
      equal <<- equal + 1
      return()
    }
    peer <- fit_sklearn(python, data, sklearn_criterion(criterion), 3, 6, 1000)
    impurity <- if (criterion == "gini") node_gini else node_variance
    walk <- walk_together(
      nested_tectree(fit, data), nested_sklearn(peer), data[[length(data)]], impurity
    )
    expect_identical(c(label, walk$wrong), label)
    expect_gt(walk$ties, 0, label = label)
  })
  expect_gte(equal, 8)
})
