test_that("every fold's tree is the one that full_tree() grows from its rows", {
  d <- mixed_data()
  fold <- withr::with_seed(1, sample(rep(1:4, 30)))
  metric <- c("accuracy", "balanced_accuracy", "log_loss", "brier", "auc")
  tuned <- full_tune(y ~ . - number, d,
    q = c(0.5, 1, 2.5), min_bucket = c(2, 8), folds = fold, metric = metric
  )
  settings <- Map(
    function(q, b) list(q = q, min_bucket = b), tuned$table$q, tuned$table$min_bucket
  )
  expect_equal(length(settings), 6)
  naive <- naive_folds(y ~ . - number, d, settings, fold, metric)
  found <- as.data.frame(tuned, what = "folds")
  expect_equal(found[names(naive)], naive, ignore_attr = TRUE, tolerance = 1e-12)
  expect_equal(tuned$table$brier, as.vector(tapply(naive$brier, gl(6, 4), mean)))
  expect_equal(
    tuned$table$auc_se, as.vector(tapply(naive$auc, gl(6, 4), sd)) / 2
  )
})

test_that("the same for other criteria, presets, weights and regression", {
  d <- mixed_data()
  fold <- rep(1:3, 40)
  criteria <- c("gain_ratio", "gini", "cair", "tsallis_ratio", "beta")
  for (preset in c("c45", "cart", "tec")) {
    tuned <- full_tune(y ~ . - number, d, criterion = criteria, preset = preset, folds = fold)
    settings <- lapply(criteria, function(name) list(criterion = name, preset = preset))
    naive <- naive_folds(y ~ . - number, d, settings, fold, "accuracy")
    expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
  }
  w <- rep(c(1, 2, 0.5), length.out = 120)
  metric <- c("accuracy", "balanced_accuracy", "brier", "auc")
  tuned <- full_tune(y ~ . - number, d, q = c(1, 2), folds = fold, weights = w, metric = metric)
  settings <- list(list(q = 1), list(q = 2))
  naive <- naive_folds(y ~ . - number, d, settings, fold, metric, w)
  expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
  tuned <- full_tune(number ~ . - y, d,
    criterion = c("l2", "l1"), folds = fold, metric = c("mae", "rmse")
  )
  settings <- list(list(criterion = "l2"), list(criterion = "l1"))
  naive <- naive_folds(number ~ . - y, d, settings, fold, c("mae", "rmse"))
  expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
})

test_that("folds of a subset, of rows with a response, hold only those", {
  d <- mixed_data()
  d$y[3] <- NA
  fold <- rep(1:3, 40)
  part <- c(1:50, 70:110)
  tuned <- suppressMessages(full_tune(y ~ x + z, d, q = 1:2, folds = fold, subset = part))
  kept <- setdiff(part, 3)
  naive <- naive_folds(y ~ x + z, d[kept, ], list(list(q = 1), list(q = 2)), fold[kept], "accuracy")
  expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
  expect_equal(tuned$n_rows, 90)
})

test_that("the tree of the chosen setting is that of full_tree()", {
  d <- mixed_data()
  set.seed(3)
  tuned <- full_tune(y ~ x + z + colour, d, q = c(0.5, 1.5, 3), minbucket = c(3, 9), max_depth = 4)
  chosen <- tuned$table[tuned$chosen, ]
  plain <- full_tree(y ~ x + z + colour, d,
    q = chosen$q, min_bucket = chosen$min_bucket, max_depth = 4
  )
  expect_true(same_tree_but_call(tuned$fit, plain))
  expect_true(same_tree_but_call(eval(tuned$fit$call), plain))
  expect_identical(predict(tuned, d), predict(plain, d))
  tuned <- full_tune(x = d[c("x", "z")], y = d$y, criterion = "beta", beta = c(1.5, 2), folds = 3)
  beta <- tuned$table$beta[tuned$chosen]
  plain <- full_tree(x = d[c("x", "z")], y = d$y, criterion = tec_criterion("beta", beta = beta))
  expect_true(same_tree_but_call(tuned$fit, plain))
  expect_true(same_tree_but_call(eval(tuned$fit$call), plain))
  tuned <- full_tune(data = d, formula = y ~ x, criterion = "tsallis_ratio", q = 2:3, folds = 3)
  expect_true(same_tree_but_call(eval(tuned$fit$call), tuned$fit))
})

test_that("tec_tree() with several q tunes by the defaults", {
  set.seed(8)
  fit <- full_tree(Species ~ ., iris, q = c(0.5, 1, 2, 4))
  set.seed(8)
  tuned <- full_tune(Species ~ ., iris, q = c(0.5, 1, 2, 4))
  expect_s3_class(fit$tuning, "tec_tune")
  expect_equal(fit$tuning$table, tuned$table)
  expect_true(same_tree_but_call(fit, tuned$fit))
  expect_null(fit$tuning$fit)
  expect_match(format(fit), "q chosen from 4 values by cross-validation", all = FALSE)
  set.seed(8)
  expect_identical(full_tree(x = iris[1:4], y = iris$Species, q = c(0.5, 1, 2, 4))$tree, fit$tree)
  set.seed(8)
  fit <- full_tree(Species ~ ., iris, q = 1:3, criterion = "tsallis_mutual", min_bucket = 2)
  expect_equal(unique(fit$tuning$table$criterion), "tsallis_mutual")
  expect_equal(fit$control$min_bucket, 2)
  expect_error(full_tree(mpg ~ ., mtcars, q = 1:2), class = "tec_error_task")
  expect_error(full_tree(Species ~ ., iris, q = c(1, NA)), class = "tec_error_grid")
})

test_that("the result keeps no data", {
  grow <- function() {
    ballast <- rnorm(1e5)
    d <- iris[rep(1:150, 20), ]
    list(full_tree(Species ~ ., d, q = 1:2), full_tune(Species ~ ., d, q = 1:2))
  }
  for (fit in grow()) expect_lt(length(serialize(fit, NULL)), 40000)
})

test_that("without a grid the sizes of the tree are tuned", {
  set.seed(1)
  for (tuned in list(
    tec_tune(Species ~ ., iris, folds = 2), tec_tune(mpg ~ ., mtcars, folds = 2)
  )) {
    expect_equal(tuned$several, c("cp", "max_depth", "min_split", "min_bucket"))
    expect_gt(nrow(tuned$table), 20)
  }
  # Error-based pruning makes no tree a pruning of another.
  tuned <- tec_tune(Species ~ ., iris, folds = 2, preset = "c45")
  expect_equal(tuned$several, "min_bucket")
  expect_equal(full_tune(Species ~ ., iris, folds = 2, max_depth = 1:2)$table$q, c(1, 1))
})

test_that("with a grid each setting is compared at its best pruning, unless pruning is given", {
  d <- mixed_data()
  set.seed(1)
  tuned <- tec_tune(y ~ . - number, d, q = c(0.5, 2), folds = 4)
  expect_equal(tuned$several, "cp")
  expect_equal(unique(tuned$table$q), c(0.5, 2))
  penalties <- unique(tuned$table$cp)
  expect_gt(length(penalties), 2)
  expect_equal(nrow(tuned$table), 2 * length(penalties))
  chosen <- tuned$table[tuned$chosen, ]
  plain <- tec_tree(y ~ . - number, d, q = chosen$q, cp = chosen$cp, folds = 0)
  expect_identical(tuned$fit$tree, plain$tree)
  set.seed(1)
  given <- tec_tune(y ~ . - number, d, q = c(0.5, 2), folds = 4, cp = penalties)
  expect_equal(given$table, tuned$table)
  for (said in list(
    list(prune = "none"), list(prune = "pep"), list(cp = 0.01), list(tune = character())
  )) {
    tuned <- do.call(tec_tune, c(list(y ~ . - number, d, q = c(0.5, 2), folds = 2), said))
    expect_equal(nrow(tuned$table), 2)
  }
  set.seed(2)
  fit <- tec_tree(y ~ . - number, d, q = c(0.5, 2))
  expect_true(all(c("q", "cp") %in% names(fit$tuning$table)))
  expect_match(format(fit), "q, cp chosen from [0-9]+ settings", all = FALSE)
})

test_that("without a grid of cp each tree of a fold is pruned by folds of its own rows", {
  d <- mixed_data(200)
  fold <- rep_len(1:4, 200)
  tuned <- full_tune(y ~ . - number, d, q = c(0.5, 2), folds = fold, tune = character())
  naive <- naive_folds(
    y ~ . - number, d, lapply(c(0.5, 2), function(q) list(q = q, prune = "auto")), fold, "accuracy"
  )
  expect_equal(as.data.frame(tuned, what = "folds")$accuracy, naive$accuracy)
  expect_equal(as.data.frame(tuned, what = "folds")$nodes, naive$nodes)
})

test_that("the default tunes what matters", {
  # Noise around one step: a full tree is worse than its pruning.
  set.seed(5)
  d <- data.frame(x = rnorm(400), a = rnorm(400), b = rnorm(400))
  d$y <- factor((d$x > 0) != (runif(400) < 0.3))
  tuned <- tec_tune(y ~ ., d[1:200, ])
  right <- function(fit) mean(predict(fit, d[201:400, ]) == d$y[201:400])
  expect_gt(right(tuned), right(tec_tree(y ~ ., d[1:200, ], prune = "none")))
  expect_lt(n_leaves(tuned), 10)
})

test_that("a q that is not above 0 gives one warning", {
  set.seed(1)
  warnings <- capture_warnings(full_tune(Species ~ ., iris, q = c(-1, 0, 1), folds = 3))
  expect_length(warnings, 1)
  expect_match(warnings, "q = -1")
})

test_that("settings are compared on a sample, and the winner is grown on all rows", {
  d <- mixed_data(600)
  set.seed(5)
  expect_message(
    raced <- full_tune(y ~ x + z + size, d,
      criterion = tec_criteria()$name, sample = 200, folds = 5
    ),
    class = "tec_message_criteria"
  )
  classification <- tec_criteria()
  classification <- classification$name[classification$task == "classification"]
  expect_equal(raced$table$criterion, classification)
  expect_equal(raced$n_sampled, 200)
  expect_equal(sum(raced$folds$n_test), 200)
  expect_equal(raced$fit$n_rows, 600)
  plain <- full_tree(y ~ x + z + size, d, criterion = raced$table$criterion[raced$chosen])
  expect_true(same_tree_but_call(raced$fit, plain))
  # As many of each class as its share.
  at <- withr::with_seed(1, sample_rows(200, 1:600, as.integer(d$y)))
  expect_equal(anyDuplicated(at), 0)
  expect_true(all(abs(tabulate(d$y[at]) - tabulate(d$y) / 3) <= 1))
  expect_null(sample_rows(600, 1:600, as.integer(d$y)))
  expect_length(sample_rows(10, 11:600, NULL), 10)
  rare <- rep(1:3, c(97, 1, 2))
  expect_setequal(rare[sample_rows(5, 1:100, rare)], 1:3)
})

test_that("one grown tree serves all complexity penalties", {
  d <- mixed_data(200)
  fold <- rep(1:4, 50)
  alpha <- c(0, 0.002, 0.01, 0.05)
  grown <- 0
  grow <- grow_cell
  local_binding("grow_cell", function(...) {
    grown <<- grown + 1
    grow(...)
  })
  for (preset in c("tec", "cart")) {
    grown <- 0
    tuned <- full_tune(y ~ . - number, d, alpha = alpha, preset = preset, folds = fold)
    expect_equal(grown, 4)
    settings <- lapply(alpha, function(a) list(alpha = a, preset = preset, folds = 0))
    naive <- naive_folds(y ~ . - number, d, settings, fold, "accuracy")
    expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
    plain <- full_tree(y ~ . - number, d, alpha = alpha[tuned$chosen], preset = preset)
    expect_identical(tuned$fit$tree, plain$tree)
    expect_identical(eval(tuned$fit$call)$tree, plain$tree)
  }
  tuned <- full_tune(y ~ . - number, d, alpha = alpha, max_depth = c(2, 8), folds = fold)
  expect_equal(nrow(tuned$table), 8)
})

test_that("folds are pruned, and their missing values dealt with, as by full_tree()", {
  slow_test()
  d <- mixed_data(200)
  fold <- rep(1:4, 50)
  data <- d[c("y", "x", "z", "colour", "size")]
  for (prune in c("none", "pep", "ebp", "ccp")) {
    for (missing in policies_of_missing) {
      tuned <- full_tune(y ~ ., data,
        q = c(1, 2), prune = prune, missing = missing, folds = fold,
        metric = c("accuracy", "brier")
      )
      settings <- lapply(1:2, function(q) {
        list(q = q, prune = prune, missing = missing, folds = 0)
      })
      naive <- naive_folds(y ~ ., data, settings, fold, c("accuracy", "brier"))
      expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
    }
  }
})

test_that("pruning rules and losses are settings like others", {
  d <- mixed_data(200)
  fold <- rep(1:4, 50)
  cost <- matrix(c(0, 1, 5, 1, 0, 5, 1, 1, 0), 3, dimnames = list(letters[1:3], letters[1:3]))
  tuned <- full_tune(y ~ x + z, d,
    prune = c("none", "pep", "ebp"), q = 2, cost = cost, folds = fold
  )
  settings <- lapply(c("none", "pep", "ebp"), function(p) list(prune = p, q = 2, cost = cost))
  naive <- naive_folds(y ~ x + z, d, settings, fold, "accuracy")
  expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
  expect_true(same_tree_but_call(eval(tuned$fit$call), tuned$fit))
  tuned <- full_tune(y ~ x + z, d[1:150, ],
    prune = "rep", validation = d[151:200, ], q = 1:2, folds = 3
  )
  plain <- full_tree(y ~ x + z, d[1:150, ],
    prune = "rep", validation = d[151:200, ], q = tuned$table$q[tuned$chosen]
  )
  expect_true(same_tree_but_call(tuned$fit, plain))
})

test_that("a rule inside the folds has folds of its own, drawn beforehand", {
  run <- function() {
    set.seed(4)
    full_tune(Species ~ ., iris, preset = "cart", alpha = "1se", min_bucket = c(2, 7), folds = 5)
  }
  expect_identical(run()$values, run()$values)
  set.seed(1)
  full_tune(Species ~ ., iris, preset = "tec", prune = "ccp", q = 1, folds = rep(1:3, 50))
  after <- runif(1)
  set.seed(1)
  # The tree from all rows has its table; the folds draw nothing.
  full_tree(Species ~ ., iris, prune = "ccp", q = 1)
  expect_identical(runif(1), after)
})

test_that("complexity penalties are compared on one grown tree", {
  set.seed(5)
  group <- sample(rep(1:5, 30))
  alpha <- c(0, 0.02, 0.3)
  tuned <- full_tune(Species ~ ., iris, alpha = alpha, folds = group, min_bucket = 1)
  by_hand <- vapply(alpha, function(a) {
    mean(vapply(1:5, function(k) {
      fit <- tec_prune(full_tree(Species ~ ., iris[group != k, ], min_bucket = 1), "ccp", alpha = a)
      mean(predict(fit, iris[group == k, ]) == iris$Species[group == k])
    }, 0))
  }, 0)
  expect_equal(as.data.frame(tuned)$accuracy, by_hand)
  expect_identical(
    tuned$fit$tree,
    tec_prune(full_tree(Species ~ ., iris, min_bucket = 1), "ccp", alpha = alpha[tuned$chosen])$tree
  )
})

test_that("tec_tree() with several q takes its losses into every fold", {
  cost <- matrix(c(0, 1, 9, 1, 0, 9, 1, 1, 0), 3, dimnames = list(levels(iris$Species))[c(1, 1)])
  set.seed(2)
  fit <- full_tree(Species ~ Sepal.Width, iris, q = c(0.5, 2), cost = cost)
  set.seed(2)
  tuned <- full_tune(Species ~ Sepal.Width, iris, q = c(0.5, 2), cost = cost)
  set.seed(2)
  plain <- full_tune(Species ~ Sepal.Width, iris, q = c(0.5, 2))
  expect_identical(fit$tuning$values, tuned$values)
  expect_false(identical(plain$values, tuned$values))
})
