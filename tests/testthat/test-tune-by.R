# Settings compared without folds, against estimates node by node.

# The least estimate of all prunings of a tree, or that of the whole tree; by recursion.
oracle_estimate <- function(fit, data, by, best = TRUE) {
  tree <- fit$tree
  kids <- function(v) which(tree$parent == v)
  k <- sum(tree$prob[1L, ] > 0)
  as_leaf <- function(v) {
    n <- tree$weight[v]
    counts <- n * tree$prob[v, ]
    loss <- if (is.null(fit$cost)) {
      n - counts[tree$yval[v]]
    } else {
      sum(counts * fit$cost[, tree$yval[v]]) / max(fit$cost)
    }
    switch(by,
      pep = loss + 1 / 2,
      ebp = oracle_upper(n, loss, 0.25),
      mdl = 1 + oracle_complexity(counts, k)
    )
  }
  split <- function(v) {
    if (by != "mdl") {
      return(0)
    }
    name <- fit$columns$name
    x <- data[[name[tree$variable[v]]]]
    values <- length(unique(x[!is.na(x)]))
    ways <- switch(split_kinds[tree$kind[v] + 1L],
      subset = 2^(values - 1) - 1, multiway = 1,
      choose(max(2, values) - 1, tree$break_count[v])
    )
    1 + log2(length(name)) + log2(max(1, ways))
  }
  cost <- function(v) {
    if (tree$kind[v] == 0L) {
      return(as_leaf(v))
    }
    below <- split(v) + sum(vapply(kids(v), cost, 0))
    if (best) min(as_leaf(v), below) else below
  }
  cost(1L) / if (by == "mdl") 1 else tree$weight[1L]
}

# C4.5's upper limit: the normal one with its correction for continuity, and for less than one error
# a line between those of none and one.
oracle_upper <- function(n, e, cf) {
  if (n < 1e-6) {
    return(0)
  }
  if (e < 1) {
    none <- n * (1 - cf^(1 / n))
    return(if (e <= 0) none else none + e * (oracle_upper(n, 1, cf) - none))
  }
  if (e + 0.5 >= n) {
    return(max(n, e))
  }
  z <- stats::qnorm(cf, lower.tail = FALSE)
  f <- (e + 0.5) / n
  n * (f + z^2 / (2 * n) + z * sqrt(f / n - f^2 / n + z^2 / (4 * n^2))) / (1 + z^2 / n)
}

oracle_complexity <- function(counts, k) {
  n <- sum(counts)
  if (n == 0) {
    return(0)
  }
  data <- sum(vapply(counts[counts > 0], function(c) c * log2(n / c), 0))
  data + max(0, (k - 1) / 2 * log2(n / 2) + log2(pi^(k / 2) / gamma(k / 2)))
}

without_runs <- function(code) {
  local_binding("run_groups", function(...) list())
  force(code)
}

some_q <- c(0.4, 1, 2, 3)

expect_estimates <- function(formula, data, by, ..., several = some_q, best = TRUE) {
  tuned <- tec_tune(formula, data, q = several, by = by, widen = FALSE, ...)
  by_hand <- vapply(several, function(q) {
    fit <- if (best) {
      tec_tree(formula, data, q = q, prune = "none", ...)
    } else {
      tec_tree(formula, data, q = q, ...)
    }
    oracle_estimate(fit, data, by, best)
  }, 0)
  expect_equal(tuned$table[[by]], by_hand)
  expect_equal(tuned$table[[by]][tuned$chosen], min(by_hand))
  tuned
}

test_that("the trees of all q are grown together, and estimated at their best pruning", {
  d <- mixed_data(300)
  for (by in one_sample) {
    expect_gt(count_calls("tec_run_trees_", expect_estimates(y ~ number + z + colour, d, by)), 0)
    expect_estimates(y ~ x + z + colour + size, d, by, missing = "majority", nominal = "multiway")
    expect_estimates(y ~ number + z + size, d, by, weights = rep(c(1, 2, 0.5), 100), min_bucket = 2)
    expect_estimates(Species ~ ., iris, by, intervals = 3)
  }
})

test_that("trees grown one by one have the same estimates", {
  d <- mixed_data(300)
  cost <- matrix(c(0, 1, 5, 2, 0, 1, 1, 1, 0), 3, dimnames = list(levels(d$y), levels(d$y)))
  for (by in one_sample) {
    together <- tec_tune(y ~ number + z + colour, d, q = some_q, by = by, widen = FALSE)
    apart <- without_runs(tec_tune(y ~ number + z + colour, d, q = some_q, by = by, widen = FALSE))
    expect_equal(together$values, apart$values)
    expect_identical(together$chosen, apart$chosen)
    expect_estimates(y ~ x + z + colour, d, by, cost = cost[c(3, 1, 2), c(2, 3, 1)])
    expect_estimates(y ~ x + z + colour, d, by)
    expect_estimates(y ~ x + z + colour, d, by, missing = "surrogate")
    expect_estimates(y ~ x + z + colour, d, by, missing = "fractional", max_leaves = 6)
  }
})

test_that("a tree that is pruned otherwise counts as it is", {
  d <- mixed_data(300)
  for (by in one_sample) {
    expect_estimates(y ~ number + z + colour, d, by, prune = "none", best = FALSE)
    expect_estimates(y ~ number + z + colour, d, by, prune = "ebp", raise = FALSE, best = FALSE)
    tuned <- tec_tune(y ~ number + z + colour, d, q = c(1, 2), cp = c(0, 0.01, 0.05), by = by)
    by_hand <- vapply(seq_len(6), function(i) {
      fit <- tec_tree(y ~ number + z + colour, d, q = tuned$table$q[i], cp = tuned$table$cp[i],
        folds = 0
      )
      expect_equal(tuned$table$leaves[i], n_leaves(fit))
      oracle_estimate(fit, d, by, best = FALSE)
    }, 0)
    expect_equal(tuned$table[[by]], by_hand)
  }
})

test_that("the sizes are those of the best pruning", {
  tuned <- tec_tune(Species ~ ., iris, q = c(1, 2), by = "pep")
  for (i in 1:2) {
    # Half an error a leaf is a penalty of cost-complexity pruning.
    full <- tec_tree(Species ~ ., iris, q = c(1, 2)[i], prune = "none")
    pruned <- tec_prune(full, alpha = 0.5 / 150)
    expect_equal(tuned$table$leaves[i], n_leaves(pruned))
    expect_equal(tuned$table$nodes[i], n_nodes(pruned))
    expect_equal(tuned$table$depth[i], tree_depth(pruned))
  }
})

test_that("the .632+ error is that of its definition", {
  d <- mixed_data(150)
  for (formula in list(y ~ number + z + colour, number ~ z + colour)) {
    classes <- identical(formula[[2L]], quote(y))
    truth <- if (classes) d$y else d$number
    loss <- function(a, b) if (classes) a != b else (a - b)^2
    grid <- list(min_bucket = c(1, 20))
    tuned <- withr::with_seed(7, tec_tune(formula, d, min_bucket = c(1, 20), prune = "none",
      by = "bootstrap632", folds = 6
    ))
    drawn <- withr::with_seed(7, draw_bootstrap(
      6, TRUE, 1:150, if (classes) as.integer(d$y), 150
    ))
    by_hand <- vapply(c(1, 20), function(size) {
      grow <- function(times) {
        tec_tree(formula, d,
          weights = times, weights_as = "frequency", min_bucket = size, prune = "none"
        )
      }
      whole <- predict(grow(rep(1, 150)), d)
      apparent <- mean(loss(whole, truth))
      pairs <- expand.grid(i = seq_along(truth), j = seq_along(whole))
      none <- mean(loss(truth[pairs$i], whole[pairs$j]))
      held <- mean(vapply(drawn[1:6], function(sample) {
        out <- d[sample$test, ]
        mean(loss(predict(grow(sample$times), out), if (classes) out$y else out$number))
      }, 0))
      capped <- min(held, none)
      over <- capped > apparent && none > apparent
      rate <- if (over) (capped - apparent) / (none - apparent) else 0
      w <- 0.632 / (1 - 0.368 * rate)
      (1 - w) * apparent + w * capped
    }, 0)
    expect_equal(tuned$table$bootstrap632, by_hand)
    expect_true(all(tuned$table$bootstrap632_se > 0))
  }
})

test_that("bootstrap samples draw each class, and every row as often as its count says", {
  drawn <- withr::with_seed(1, draw_bootstrap(4, TRUE, 11:40, rep(1:3, each = 10), 50))
  expect_length(drawn, 5L)
  for (sample in drawn[1:4]) {
    expect_equal(as.vector(rowsum(sample$times[11:40], rep(1:3, each = 10))), c(10, 10, 10))
    expect_setequal(c(sample$train, sample$test), 11:40)
    expect_identical(sample$train, which(sample$times > 0))
  }
  expect_identical(drawn[[5]]$train, drawn[[5]]$test)
})

test_that("weights limit the .632+ error and its parts", {
  found <- error_632(c(0, 0.1, 0.3, 0), c(0.2, 0.7, 0.2, 0), c(0.5, 0.5, 0.5, 0.5))
  expect_equal(found$weight, 0.632 / (1 - 0.368 * c(0.4, 1, 0, 0)))
  expect_equal(found$limit, c(1, 5 / 7, 1, 1))
})

test_that("tec_tree() chooses q by one sample", {
  fit <- tec_tree(Species ~ ., iris, q = some_q, tune_by = "mdl")
  tuned <- tec_tune(Species ~ ., iris, q = some_q, by = "mdl", widen = FALSE)
  expect_identical(fit$tree, tuned$fit$tree)
  expect_identical(fit$tree, tec_tree(Species ~ ., iris, q = tuned$table$q[tuned$chosen])$tree)
  expect_output(print(fit), "q chosen from 4 values by one sample \\(description length")
  expect_output(print(tuned), "nodes\\n.* 5(\\n|$)")
  expect_output(print(tuned), "4 settings, by \"mdl\" on 150 rows")
  expect_identical(eval(tuned$fit$call)$tree, tuned$fit$tree)
  fit <- withr::with_seed(1, tec_tree(Species ~ ., iris, q = c(1, 2), tune_by = "bootstrap632"))
  expect_output(print(fit$tuning), "25 bootstrap samples of 150 rows")
})

test_that("without a grid it is q's, which is extended", {
  tuned <- suppressMessages(tec_tune(Species ~ ., iris, by = "ebp"))
  expect_true(all(usual_q_grid %in% tuned$table$q))
  expect_identical(names(tuned$table)[1:2], c("criterion", "q"))
  sampled <- withr::with_seed(1, tec_tune(Species ~ ., iris, q = some_q, by = "ebp", sample = 60))
  expect_output(print(sampled), "by \"ebp\" on 60 rows sampled of 150\\s+rows")
  path <- withr::local_tempfile(fileext = ".png")
  grDevices::png(path)
  plot(tuned)
  grDevices::dev.off()
  expect_gt(file.size(path), 1000)
  expect_equal(nrow(as.data.frame(tuned, what = "folds")), nrow(tuned$table))
})

test_that("trees without an estimate are errors", {
  expect_snapshot(show_errors({
    tec_tune(Species ~ ., iris, q = 1:2, by = "aic")
    tec_tune(mpg ~ ., mtcars, min_bucket = 2:3, by = "mdl")
    tec_tune(Species ~ ., iris, q = 1:2, by = "ebp", metric = "auc")
    tec_tune(Species ~ ., iris, q = 1:2, by = "pep", rule = "1se")
    tec_tune(Species ~ ., iris[c(1, 51), ], q = 1:2, by = "bootstrap632")
    tec_tree(Species ~ ., iris, q = 1, tune_by = "mdl")
    tec_tree(Species ~ ., iris, q = 1:2, tune_by = "mld")
  }))
})

test_that("folds and repeats are refused if nothing is repeated", {
  for (by in c("ebp", "pep", "mdl")) {
    expect_error(tec_tune(Species ~ ., iris, by = by, folds = 3), class = "tec_error_argument")
    expect_error(tec_tune(Species ~ ., iris, by = by, repeats = 3), class = "tec_error_argument")
  }
  expect_error(
    tec_tune(Species ~ ., iris, by = "bootstrap632", repeats = 3), class = "tec_error_argument"
  )
})
