# Compares prunings of one tree with trees that are grown one by one.

grown_apart <- function(code) {
  share <- share_trees
  local_binding("share_trees", function(...) {
    settings <- share(...)
    Map(function(s, i) replace(s, "grown", i), settings, seq_along(settings))
  })
  # Every tree is the one that full_tree() grows from its own settings.
  local_binding("largest_setting", function(settings) {
    stopifnot(length(settings) == 1L)
    settings[[1L]]
  })
  local_binding("prune_cells", function(fit, settings, held, n, job) {
    list(predict_cell(tec_prune(fit, "ccp", alpha = settings[[1L]]$alpha), held, n, job))
  })
  local_binding("run_groups", function(...) list())
  force(code)
}

prunings <- list(
  cp = c(0, 0.003, 0.01, 0.04, 0.2), max_depth = c(0, 2, 3, 5, Inf), min_split = c(4, 12, 30, 70)
)
prunings <- lapply(prunings, some_of, 3)

# Exactly equal predictions and sizes: the cells themselves, not their means.
expect_prunings_agree <- function(formula, data, ..., metric = NULL, grid = prunings, trees = 3,
                                  folds = 3) {
  cells <- list()
  fit <- fit_cells
  local_binding("fit_cells", function(...) {
    out <- fit(...)
    cells <<- c(cells, out)
    out
  })
  run <- function() {
    cells <<- list()
    set.seed(1)
    args <- list(formula, data, metric = metric, min_bucket = 2, ...)
    args <- c(utils::modifyList(args, grid), list(folds = folds))
    tuned <- do.call(tec_tune, args)
    list(tuned = tuned, cells = lapply(cells, lapply, function(cell) {
      if (inherits(cell, "error")) stop(cell)
      cell$like <- NULL
      lapply(cell, as.vector)
    }))
  }
  expect_equal(count_grown(together <- run()), trees)
  apart <- grown_apart(run())
  expect_identical(together$cells, apart$cells)
  expect_identical(together$tuned$values, apart$tuned$values)
  expect_identical(together$tuned$fit$tree, apart$tuned$fit$tree)
  nodes <- together$tuned$table$nodes
  expect_gt(length(unique(nodes)), if (all_cases()) 10 else 3)
  invisible(together$tuned)
}

# `few` of the lists of a formula and more arguments; weights are values, not an expression.
expect_each_agrees <- function(data, asked, few) {
  for (one in in_turn(asked, few)) {
    do.call(expect_prunings_agree, c(one[1L], list(data), one[-1L]))
  }
}

test_that("prunings of the largest tree are the trees grown one by one: regression", {
  d <- mixed_data(300)
  expect_each_agrees(d, list(
    list(number ~ x + z + colour + size),
    list(number ~ z + colour + size, criterion = "l1", metric = c("mae", "rmse")),
    list(number ~ z + colour, nominal = "multiway", intervals = 3),
    list(number ~ z + size, weights = rep(c(0.5, 1, 2.25, 0), 75), trees = 3 * 3),
    list(number ~ z + size, weights = rep(0:2, 100), weights_as = "frequency"),
    list(number ~ ., preset = "cart")
  ), 3)
})

test_that("prunings of the largest tree are the trees grown one by one: classes", {
  d <- mixed_data(300)
  probs <- c("accuracy", "log_loss", "auc")
  expect_each_agrees(d, list(
    list(y ~ z + colour + size, metric = probs),
    list(y ~ z + colour + size, q = c(0.5, 2), metric = probs, trees = 6),
    list(y ~ z + colour, criterion = "gain_ratio", nominal = "multiway"),
    list(y ~ z + colour, risk = "impurity", prune = "ccp", metric = probs),
    list(y ~ ., criterion = "gain_ratio", rules = "c45")
  ), 2)
})

test_that("rows with missing values go to the same branch in every pruning", {
  d <- mixed_data(300)
  d$colour[seq(1, 300, 7)] <- NA
  d$z[seq(3, 300, 11)] <- NA
  for (missing in in_turn(setdiff(missing_policies, "category"), 1)) {
    tuned <- expect_prunings_agree(number ~ x + z + colour + size, d, missing = missing)
    expect_prunings_agree(y ~ x + z + colour + size, d,
      missing = missing, metric = c("accuracy", "log_loss")
    )
  }
})

test_that("costs and priors determine the cost of leaves and the weights of rows", {
  d <- mixed_data(300)
  cost <- matrix(c(0, 1, 5, 1, 0, 5, 1, 1, 0), 3, dimnames = list(letters[1:3], letters[1:3]))
  expect_prunings_agree(y ~ x + z, d, cost = cost)
  # A row weighs by its class here, so the weight of a node does not tell its cases.
  expect_prunings_agree(
    y ~ x + z, d, cost = cost, preset = "cart", trees = 3 * length(prunings$min_split)
  )
})

test_that("rows of a bootstrap sample count as often as they were drawn", {
  skip_if_not_installed("rsample")
  d <- mixed_data(200)
  folds <- withr::with_seed(1, rsample::bootstraps(d, 3))
  expect_prunings_agree(number ~ x + z + colour, d, folds = folds)
  expect_prunings_agree(y ~ z + colour, d, folds = folds, metric = c("accuracy", "log_loss"))
})

test_that("penalties of both kinds, and settings that share no tree", {
  d <- mixed_data(200)
  alpha <- list(alpha = c(0, 0.002, 0.01, 0.05), max_depth = 1:5, min_split = c(4, 10, 20))
  expect_prunings_agree(y ~ z + colour, d, grid = alpha)
  expect_prunings_agree(number ~ z + colour, d, grid = alpha, preset = "cart")
  grown <- function(...) {
    count_grown(suppressMessages(full_tune(number ~ z + size, d, folds = 2, ...)))
  }
  set.seed(1)
  expect_equal(grown(cp = c(0, 0.1), min_bucket = c(2, 5, 9), min_split = c(20, 40)), 6)
  expect_equal(grown(max_depth = 1:3, max_leaves = c(3, Inf)), 8)
  expect_equal(grown(max_depth = 1:2, alpha = "min"), 4)
  expect_equal(grown(max_depth = 1:2, min_gain = c(0, 0.1)), 4)
})

test_that("a setting of an unknown kind makes every tree be grown by itself", {
  control <- resolve_control(tec_control(prune = "none"), "tec")
  expect_true(is_pruning(list(control = control)))
  expect_false(is_pruning(list(control = c(control, list(brand_new = 1)))))
})

test_that("prunings are those of the slow and obvious way", {
  d <- mixed_data(200)
  fold <- rep(1:4, 50)
  tuned <- full_tune(number ~ x + z + colour, d,
    cp = c(0.05, 0.01), max_depth = c(2, Inf), min_split = c(8, 30), min_bucket = c(3, 6),
    folds = fold, metric = c("rmse", "mae")
  )
  settings <- lapply(split(tuned$table[2:5], seq_len(16)), as.list)
  settings <- lapply(settings, c, list(folds = 0))
  naive <- naive_folds(number ~ x + z + colour, d, settings, fold, c("rmse", "mae"))
  expect_equal(as.data.frame(tuned, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
  chosen <- as.list(tuned$table[tuned$chosen, 2:5])
  plain <- do.call(tec_tree, c(list(number ~ x + z + colour, d, folds = 0, smooth = 0), chosen))
  expect_true(same_tree_but_call(tuned$fit, plain))
  expect_true(same_tree_but_call(eval(tuned$fit$call), plain))
})

test_that("the penalty prunes the shape, not the whole tree", {
  # Only both splits together tell XOR: one alone gains next to nothing.
  set.seed(3)
  d <- data.frame(a = rep(0:1, each = 200), b = rep(0:1, 200))
  d$y <- as.double(xor(d$a, d$b)) + 0.02 * d$a + rnorm(400, sd = 0.01)
  tuned <- full_tune(y ~ ., d, cp = c(0.1, 0), max_depth = c(1, 2), folds = rep(1:5, 80))
  expect_equal(tuned$table$nodes, c(1, 7, 3, 7))
})
