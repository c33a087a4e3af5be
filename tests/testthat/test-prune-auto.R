# The default pruning of tec_tree().

noisy_classes <- function(n, levels = 3, noise = 1) {
  data <- data.frame(a = round(stats::rnorm(n), 1), b = stats::rnorm(n), c = sample(5, n, TRUE))
  signal <- data$a + (data$c > 2) + noise * stats::rnorm(n)
  data$y <- factor(letters[as.integer(cut(signal, levels))], letters[seq_len(levels)])
  data
}
noisy_numbers <- function(n) {
  data <- data.frame(a = round(stats::rnorm(n), 1), b = stats::rnorm(n))
  data$y <- data$a + (data$b > 0) + stats::rnorm(n)
  data
}
without_seed <- function(code) {
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (!is.null(old)) assign(".Random.seed", old, globalenv()))
  set.seed(17)
  before <- .Random.seed
  force(code)
  identical(before, .Random.seed)
}

test_that("folds are those of the stream, whatever the order of the rows", {
  for (i in case_seeds(2)) at_seed(i, {
    data <- if (i %% 3 == 0) noisy_numbers(pick(50:90)) else noisy_classes(pick(50:90), pick(2:4))
    x <- data[setdiff(names(data), "y")]
    k <- pick(c(2, 5, 10))
    y <- if (is.factor(data$y)) as.integer(data$y) else data$y
    task <- if (is.factor(data$y)) "classification" else "regression"
    folds_of <- function(rows) {
      ready <- list(
        rows = NULL, weights = NULL, sizes = NULL, frame = list(value = as.list(x[rows, ])),
        response = list(core = list(y = y[rows]), info = list(task = task))
      )
      tectree:::own_folds(ready, nrow(data), k)
    }
    found <- folds_of(seq_len(nrow(data)))
    expect_equal(found, oracle_own_folds(data$y, as.list(x), k), label = i)
    # Rows that are equal in everything may change places.
    order <- sample(nrow(data))
    if (!anyDuplicated(data)) expect_equal(folds_of(order), found[order])
    sizes <- table(data$y, found)
    if (is.factor(data$y)) expect_true(all(apply(sizes, 1, max) - apply(sizes, 1, min) <= 1))
    expect_lte(diff(range(tabulate(found, k))), 1)
  })
})

test_that("folds do not depend on the order of the levels of classes and of factors", {
  at_seed(1, data <- noisy_classes(100, 3, 1.5))
  data$c <- factor(letters[data$c], letters[c(1, 5, 2, 4, 3)])
  folds_of <- function(data) {
    input <- formula_input(y ~ c + b, data, NULL, NULL, environment())
    tectree:::own_folds(prepare(input, list(), tec_control(), "tec"), nrow(data), 10)
  }
  turned <- transform(data, y = factor(y, c("c", "a", "b")), c = factor(c, letters[5:1]))
  expect_identical(folds_of(turned), folds_of(data))
  ranked <- transform(data, c = factor(c, letters[5:1], ordered = TRUE))
  expect_false(identical(folds_of(ranked), folds_of(turned)))
})

test_that("the tree is that of least error on these folds", {
  for (i in case_seeds(3)) at_seed(i, {
    data <- if (i %% 3 == 0) noisy_numbers(pick(50:80)) else noisy_classes(pick(50:80), pick(2:4))
    risk <- if (is.factor(data$y) && i %% 4 > 0) "misclassification" else "impurity"
    columns <- as.list(data[setdiff(names(data), "y")])
    k <- pick(c(3, 10))
    fit <- tec_tree(y ~ ., data, max_leaves = 6, folds = k, risk = risk)
    oracle <- oracle_auto(
      data, oracle_own_folds(data$y, columns, k), risk,
      max_leaves = 6
    )
    expect_nested(fit, oracle$problem, oracle$root, paste(i, risk))
    expect_equal(fit$pruning$folds, k)
    expect_identical(fit$control$prune, "auto")
  })
})

test_that("no random number of R is drawn, and the tree is the same each time", {
  set.seed(3)
  data <- noisy_classes(400)
  expect_true(without_seed(fit <- tec_tree(y ~ ., data)))
  set.seed(4)
  expect_identical(tec_tree(y ~ ., data)$tree, fit$tree)
  numbers <- noisy_numbers(300)
  expect_true(without_seed(fit <- tec_tree(y ~ ., numbers)))
  expect_identical(tec_tree(y ~ ., numbers)$tree, fit$tree)
  # With alpha = R's generator draws the folds.
  expect_false(without_seed(tec_tree(y ~ ., data, alpha = "min")))
})

test_that("neither threads nor the order of the rows change the tree", {
  set.seed(5)
  data <- noisy_classes(3000)
  fit <- tec_tree(y ~ ., data, threads = 1)
  expect_gt(n_leaves(fit), 1)
  expect_identical(tec_tree(y ~ ., data, threads = 2)$tree, fit$tree)
  expect_equal(tec_tree(y ~ ., data[sample(nrow(data)), ], threads = 1)$tree, fit$tree)
  numbers <- noisy_numbers(500)
  expect_equal(
    tec_tree(y ~ ., numbers[500:1, ])$tree, tec_tree(y ~ ., numbers)$tree
  )
})

test_that("pruning pays on noise, and leaves a signal as it is", {
  set.seed(6)
  noise <- data.frame(x = stats::rnorm(500), z = stats::rnorm(500))
  noise$y <- factor(sample(c("a", "b"), 500, TRUE, prob = c(0.3, 0.7)))
  expect_gt(n_leaves(tec_tree(y ~ ., noise, prune = "none")), 20)
  expect_equal(n_leaves(tec_tree(y ~ ., noise)), 1)
  signal <- noise
  signal$y <- factor((signal$x > 0) + 2 * (signal$z > 0))
  expect_equal(n_leaves(tec_tree(y ~ ., signal)), 4)
})

test_that("fewer than 50 rows are not pruned", {
  set.seed(7)
  noise <- data.frame(x = stats::rnorm(60), y = factor(sample(c("a", "b"), 60, TRUE)))
  few <- noise[1:49, ]
  fit <- tec_tree(y ~ x, few)
  expect_identical(fit$tree, tec_tree(y ~ x, few, prune = "none")$tree)
  expect_null(fit$pruning)
  expect_gt(n_leaves(fit), 1)
  expect_equal(tec_tree(y ~ x, noise[1:50, ])$pruning$folds, 10)
  # Rows that are used count, whatever they weigh.
  weights <- rep(c(1, 0), c(49, 11))
  expect_null(tec_tree(y ~ x, noise, weights = weights)$pruning)
  expect_null(tec_tree(y ~ x, noise, subset = 1:49)$pruning)
  expect_null(tec_tree(y ~ x, few, weights = rep(9, 49))$pruning)
  expect_gt(n_leaves(tec_tree(PlayTennis ~ ., play_tennis)), 1)
})

test_that("more than 10,000 rows have five folds", {
  set.seed(14)
  data <- data.frame(x = stats::runif(10001), z = stats::runif(10001))
  data$y <- factor((data$x > 0.5) != (stats::runif(10001) < 0.2))
  expect_equal(tec_tree(y ~ ., data)$pruning$folds, 5)
  expect_equal(tec_tree(y ~ ., data, subset = 1:10000)$pruning$folds, 10)
  expect_equal(tec_tree(y ~ ., data, folds = 3)$pruning$folds, 3)
})

test_that("a weight of 0 and a subset are as if the rows were not there", {
  set.seed(8)
  data <- noisy_classes(300)
  rows <- sort(sample(300, 200))
  there <- tec_tree(y ~ ., data[rows, ])
  expect_equal(tec_tree(y ~ ., data, subset = rows)$tree, there$tree)
  weights <- as.numeric(seq_len(300) %in% rows)
  expect_equal(tec_tree(y ~ ., data, weights = weights)$tree, there$tree)
})

test_that("a class with one row, one class, and columns of every kind are no trouble", {
  set.seed(9)
  data <- noisy_classes(80, 2)
  data$y <- factor(as.character(data$y), c("a", "b", "rare", "none"))
  data$y[1] <- "rare"
  data$f <- factor(sample(letters[1:4], 80, TRUE))
  data$d <- as.Date("2024-01-01") + sample(80)
  data$l <- sample(c(TRUE, FALSE, NA), 80, TRUE)
  data$b[sample(80, 10)] <- NA
  fit <- tec_tree(y ~ ., data)
  expect_equal(fit$pruning$folds, 10)
  expect_equal(dim(predict(fit, data, type = "prob")), c(80, 4))
  one <- data.frame(x = 1:60, y = factor(rep("a", 60)))
  expect_warning(fit <- tec_tree(y ~ x, one), class = "tec_warning_one_class")
  expect_equal(n_leaves(fit), 1)
  same <- data.frame(x = 1, y = stats::rnorm(60))
  expect_equal(n_leaves(suppressWarnings(tec_tree(y ~ x, same))), 1)
})

test_that("explicit settings of pruning override the default", {
  set.seed(10)
  data <- noisy_classes(200)
  all <- tec_tree(y ~ ., data, prune = "none")
  expect_null(all$pruning)
  expect_identical(tec_tree(y ~ ., data, cp = 0)$tree, all$tree)
  expect_identical(tec_tree(y ~ ., data, folds = 0)$tree, all$tree)
  expect_equal(tec_tree(y ~ ., data, cp = 0.02)$pruning$rule, "penalty")
  expect_equal(tec_tree(y ~ ., data, prune = "pep")$pruning$method, "pep")
  expect_error(tec_tree(y ~ ., data, prune = "auto", cp = 0.1), class = "tec_error_prune")
  for (preset in c("c45", "cart")) {
    expect_false(identical(tec_tree(y ~ ., data, preset = preset)$control$prune, "auto"))
  }
  # Folds that are given are taken.
  folds <- rep_len(1:4, 200)
  fit <- tec_tree(y ~ ., data, folds = folds)
  expect_equal(fit$pruning$folds, 4)
  set.seed(11)
  expect_equal(fit[["cptable"]], tec_tree(y ~ ., data, alpha = "min", folds = folds)[["cptable"]])
  # Of rows that are all in one fold none are left to grow from.
  one <- tec_tree(y ~ ., data, folds = rep(1:2, c(199, 1)), subset = 1:199)
  expect_identical(one$tree, tec_tree(y ~ ., data, subset = 1:199, prune = "none")$tree)
})

test_that("a fit can be grown and pruned further", {
  set.seed(12)
  data <- noisy_classes(300)
  fit <- tec_tree(y ~ ., data)
  expect_identical(update(fit, prune = "none")$tree, tec_tree(y ~ ., data, prune = "none")$tree)
  expect_identical(update(fit, min_bucket = 20)$tree, tec_tree(y ~ ., data, min_bucket = 20)$tree)
  expect_identical(update(fit, data = data[1:200, ])$tree, tec_tree(y ~ ., data[1:200, ])$tree)
  with_control <- tec_tree(y ~ ., data, control = tec_control(min_bucket = 6))
  expect_identical(update(with_control, q = 1)$tree, with_control$tree)
  table <- cp_table(fit)
  expect_true(all(c("xerror", "xstd") %in% names(table)))
  expect_equal(table$n_leaves[max(which(table$kept))], n_leaves(fit))
  small <- tec_prune(fit, alpha = "1se")
  expect_lte(n_leaves(small), n_leaves(fit))
  expect_equal(n_leaves(tec_prune(fit, cp = 2)), 1)
  skip_if_not_installed("rpart")
  expect_s3_class(as_rpart(fit), "rpart")
})

test_that("print() shows what was pruned, and how to get the full tree", {
  set.seed(13)
  data <- noisy_classes(300)
  fit <- tec_tree(y ~ ., data)
  whole <- n_leaves(tec_tree(y ~ ., data, prune = "none"))
  last <- function(fit, ...) utils::tail(format(fit, ...), 1)
  said <- " by cross-validation; prune = \"none\" keeps all"
  expect_equal(last(fit), paste0("# pruned from ", whole, " to ", n_leaves(fit), " leaves", said))
  noise <- data.frame(x = stats::rnorm(200), y = factor(sample(c("a", "b"), 200, TRUE)))
  expect_match(last(tec_tree(y ~ x, noise)), "^# pruned from [0-9]+ to 1 leaf")
  # Nothing was pruned: nothing is said.
  clear <- data.frame(x = 1:100, y = factor(rep(c("a", "b"), each = 50)))
  expect_no_match(last(tec_tree(y ~ x, clear)), "cross-validation")
  expect_no_match(last(tec_tree(y ~ ., data, prune = "none")), "cross-validation")
  expect_no_match(last(tec_prune(tec_tree(y ~ ., data), cp = 2)), "by cross-validation")
})

test_that("a tree whose errors cannot be squared is not pruned, with a warning", {
  set.seed(1)
  d <- data.frame(x = 1:80, y = rep(c(1, 5), each = 40) + rnorm(80))
  expect_warning(
    fit <- tec_tree(I(y * 1e75) ~ x, d), class = "tec_warning_not_pruned"
  )
  expect_no_warning(plain <- tec_tree(y ~ x, d))
  expect_gt(n_leaves(fit), n_leaves(plain))
  expect_snapshot(fit <- tec_tree(I(y * 1e75) ~ x, d))
  expect_no_warning(tec_tree(I(y * 1e75) ~ x, d, prune = "none"))
})
