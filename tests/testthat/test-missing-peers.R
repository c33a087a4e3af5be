# `missing = "surrogate"` against rpart: splits, surrogates and predictions, on data sets with
# missing values of their own and with values removed at random.

surrogate_fit <- function(data, criterion, ...) {
  tec_tree(class ~ ., data,
    criterion = criterion, preset = "cart", min_bucket = 7, min_split = 20, max_depth = 30,
    prune = "none", threads = 1, ...
  )
}

# rpart's own na.action leaves out rows without any predictor.
rpart_fit <- function(data, method, use = 2, style = 0, most = 100) {
  rpart::rpart(class ~ ., data,
    method = method, na.action = stats::na.pass,
    control = rpart::rpart.control(
      minsplit = 20, minbucket = 7, cp = -1, maxdepth = 30, maxcompete = 0,
      maxsurrogate = most, usesurrogate = use, surrogatestyle = style, xval = 0
    )
  )
}

make_holes <- function(data, share) {
  for (name in setdiff(names(data), "class")) {
    data[[name]][stats::runif(nrow(data)) < share] <- NA
  }
  data
}


complete_sets <- c(
  "iris", "wine", "glass", "vehicle", "sonar", "pima", "ionosphere", "heart_statlog"
)
holed_sets <- c(
  "breast_cancer", "breast_w", "credit_approval", "hepatitis", "house_votes_84", "labor", "titanic",
  "mushroom", "sick"
)

# The first numeric column is the response.
as_number_problem <- function(data) {
  name <- names(data)[which(vapply(data, is.numeric, NA))[1]]
  data$class <- data[[name]]
  data[[name]] <- NULL
  data[!is.na(data$class), ]
}

# Differences between the two trees in words; predictions are compared where nothing tied.
expect_rpart <- function(data, method, label, use = 2, style = 0) {
  criterion <- if (method == "class") "gini" else "l2"
  ours <- surrogate_fit(
    data, criterion,
    max_surrogate = 100, use_surrogate = use, surrogate_style = style
  )
  theirs <- rpart_fit(data, method, use, style)
  found <- compare_with_rpart(ours, theirs, data, style)
  type <- if (method == "class") "prob" else "response"
  if (found$ties == 0) {
    difference <- as.matrix(predict(ours, data, type = type)) -
      as.matrix(stats::predict(theirs, data))
    found$wrong <- c(found$wrong, if (any(abs(difference) > 1e-8)) "predictions")
  }
  expect_identical(c(label, found$wrong), label)
  found
}

expect_rpart_sets <- function(names, shares, methods = c("class", "anova"), ...) {
  folder <- skip_without_shared_data()
  untied <- compared <- 0
  for (name in names) {
    for (share in shares) {
      data <- make_holes(read_shared(folder, name), share)
      for (method in methods) {
        if (method == "anova" && !any(vapply(data, is.numeric, NA))) next
        use <- if (method == "anova") as_number_problem(data) else data
        label <- paste0(name, ", ", method, ", ", 100 * share, " % holes")
        found <- expect_rpart(use, method, label, ...)
        untied <- untied + (found$ties == 0)
        compared <- compared + found$compared
      }
    }
  }
  c(untied = untied, compared = compared)
}

test_that("surrogates, splits and predictions are rpart's on data with holes", {
  skip_if_not_installed("rpart")
  set.seed(311)
  found <- expect_rpart_sets(some_of(complete_sets, 4), c(0, 0.1, 0.3))
  expect_gte(found[["untied"]], if (all_cases()) 20 else 3)
})

test_that("they are on data with missing values of their own", {
  skip_if_not_installed("rpart")
  set.seed(312)
  found <- expect_rpart_sets(some_of(holed_sets, 3), 0)
  if (all_cases()) expect_gte(found[["untied"]], 5)
})

test_that("the other styles and uses of surrogates are rpart's", {
  skip_if_not_installed("rpart")
  set.seed(313)
  for (use in 0:2) {
    found <- expect_rpart_sets(c("wine", "sonar", "heart_statlog"), 0.2, use = use, style = 1)
    expect_gte(found[["untied"]], 3)
  }
})

# ---- learned sides -------------------------------------------------------------------------------

# Numbers with missing values of which the response may say something.
sided_data <- function(n = 200) {
  y <- stats::rnorm(n)
  columns <- lapply(1:3, function(i) {
    x <- stats::rnorm(n) + sample(c(0, 0.3, 0.8), 1) * y
    gone <- stats::runif(n) < stats::plogis(sample(-2:1, 1) + sample(c(-2, 0, 2), 1) * y)
    replace(x, gone, NA)
  })
  list2DF(c(stats::setNames(columns, c("a", "b", "c")), list(y = y)))
}

test_that("'learned' sends missing values where scikit-learn's histogram boosting sends them", {
  slow_test()
  python <- skip_without_sklearn()
  set.seed(308)
  compared <- c(left = 0, right = 0)
  for (round in case_seeds(6)) at_seed(round, {
    data <- sided_data()
    if (round %% 2 == 0) data$y <- as.numeric(data$y > 0.5)
    bucket <- pick(c(1, 5, 20))
    theirs <- sklearn_side(python, data, bucket)
    # It may also cut off the missing values, which "learned" does not.
    if (theirs$column == 0 || !is.finite(theirs$threshold)) next
    if (round %% 2 == 0) data$y <- factor(data$y)
    fit <- tec_tree(y ~ ., data,
      criterion = if (is.factor(data$y)) "gini" else "l2", missing = "learned", prune = "none",
      max_depth = 1, min_bucket = bucket, min_split = 2 * bucket
    )
    expect_identical(fit$tree$variable[1], as.integer(theirs$column))
    expect_equal(fit$tree$breaks, theirs$threshold, tolerance = 1e-12)
    expect_identical(fit$tree$default_child[1] == 0L, theirs$left)
    compared <- compared + c(theirs$left, !theirs$left)
  })
  # A few cases may all go one way.
  expect_true(if (all_cases()) all(compared > 0) else any(compared > 0))
})
