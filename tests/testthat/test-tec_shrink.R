# Compares hierarchical shrinkage with a walk from the root, node by node.

# The value of a node from its path: a number, or the share of one class.
oracle_shrunk <- function(raw, weight, parent, lambda) {
  vapply(seq_along(raw), function(node) {
    path <- node
    while (parent[path[1L]] > 0) path <- c(parent[path[1L]], path)
    value <- raw[1L]
    for (i in seq_along(path)[-1L]) {
      up <- path[i - 1L]
      if (weight[up] > 0) value <- value + (raw[path[i]] - raw[up]) / (1 + lambda / weight[up])
    }
    value
  }, 0)
}

expect_shrunk <- function(fit, lambda) {
  shrunk <- tec_shrink(fit, lambda)
  tree <- fit$tree
  if (!length(fit$response$levels)) {
    by_hand <- oracle_shrunk(tree$yval, tree$weight, tree$parent, lambda)
    expect_equal(shrunk$tree$yval, by_hand)
    return(invisible(shrunk))
  }
  by_hand <- vapply(seq_len(ncol(tree$prob)), function(k) {
    oracle_shrunk(tree$prob[, k], tree$weight, tree$parent, lambda)
  }, numeric(length(tree$kind)))
  expect_equal(shrunk$tree$prob, matrix(by_hand, nrow(tree$prob)))
  expected <- if (is.null(fit$cost)) -by_hand else by_hand %*% fit$cost
  picked <- expected[cbind(seq_along(tree$kind), shrunk$tree$yval)]
  expect_equal(picked, apply(matrix(expected, nrow(tree$prob)), 1, min))
  invisible(shrunk)
}

test_that("values are those of the path from the root", {
  d <- mixed_data(300)
  d$colour[c(3, 50, 99)] <- NA
  cost <- matrix(c(0, 1, 5, 2, 0, 1, 1, 1, 0), 3, dimnames = list(levels(d$y), levels(d$y)))
  for (lambda in c(0, 0.5, 10, 1000)) {
    expect_shrunk(full_tree(y ~ ., d), lambda)
    expect_shrunk(full_tree(y ~ ., d, weights = rep(c(0.5, 2, 1), 100), cost = cost), lambda)
    expect_shrunk(full_tree(y ~ ., d, class_weights = "balanced", nominal = "multiway"), lambda)
    expect_shrunk(full_tree(mpg ~ ., mtcars, min_bucket = 1), lambda)
    weights <- seq(0.1, 2, length = 32)
    expect_shrunk(full_tree(mpg ~ ., mtcars, min_bucket = 1, weights = weights), lambda)
  }
})

test_that("lambda 0 changes nothing, and an endless lambda leaves the root", {
  fit <- full_tree(Species ~ ., iris)
  expect_equal(tec_shrink(fit, 0)$tree, fit$tree)
  far <- tec_shrink(fit, 1e99)
  expect_equal(predict(far, iris, type = "prob"), matrix(1 / 3, 150, 3), ignore_attr = TRUE)
  # Shrinking again starts from the values of the rows.
  expect_identical(tec_shrink(far, 5)$tree, tec_shrink(fit, 5)$tree)
  expect_identical(unshrunk(far), fit)
})

test_that("all later uses have the shrunk values", {
  d <- mixed_data(300)
  fit <- tec_tree(y ~ number + z + colour, d, prune = "none")
  shrunk <- tec_shrink(fit, 20)
  node <- predict(shrunk, d, type = "node")
  prob <- predict(shrunk, d, type = "prob")
  expect_equal(prob, shrunk$tree$prob[node, ], ignore_attr = TRUE)
  expect_identical(as.integer(predict(shrunk, d)), max.col(prob, "first"))
  expect_false(identical(predict(shrunk, d), predict(fit, d)))
  expect_equal(utils::tail(explain(shrunk, d[7, ])$path$probability, 1), max(prob[7, ]))
  shap <- tec_shap(shrunk, d[1:5, ])
  expect_equal(
    rep(1, 5) %o% shap$baseline + apply(shap$values, c(1, 3), sum), prob[1:5, ], ignore_attr = TRUE
  )
  back <- tec_from_json(tec_json(shrunk))
  expect_equal(predict(back, d, type = "prob"), prob)
  rules <- tec_rules(shrunk)
  expect_equal(
    rules$probability, apply(shrunk$tree$prob[rules$node, ], 1, max)
  )
  expect_true({
    found <- verify_export(shrunk, d, "r")
    all(found$agree == found$rows)
  })
  expect_output(print(shrunk), "shrunk towards those of the nodes above \\(lambda = 20\\)")
})

test_that("counts and training errors are those of the rows", {
  d <- mixed_data(300)
  fit <- tec_tree(y ~ number + z + colour, d, prune = "none")
  shrunk <- tec_shrink(fit, 50)
  expect_equal(case_counts(shrunk), case_counts(fit))
  table <- table(d$y, predict(shrunk, d))
  expect_equal(summary(shrunk)$confusion, unclass(table), ignore_attr = TRUE)
  numbers <- tec_shrink(full_tree(mpg ~ ., mtcars), 5)
  errors <- mtcars$mpg - predict(numbers, mtcars)
  expect_equal(summary(numbers)$rmse, sqrt(mean(errors^2)))
  expect_equal(deviance(numbers), sum(errors^2))
  log_likelihood <- sum(log(predict(shrunk, d, type = "prob")[cbind(1:300, as.integer(d$y))]))
  expect_equal(deviance(shrunk), -2 * log_likelihood)
})

test_that("pruning and update() shrink their result alike", {
  fit <- full_tree(Species ~ ., iris)
  shrunk <- tec_shrink(fit, 7)
  expect_equal(tec_prune(shrunk, cp = 0.3), tec_shrink(tec_prune(fit, cp = 0.3), 7))
  expect_equal(tec_prune(shrunk, node = 3), tec_shrink(tec_prune(fit, node = 3), 7))
  again <- update(shrunk, max_depth = 1)
  expect_equal(again$tree, tec_shrink(update(fit, max_depth = 1), 7)$tree)
})

test_that("a forest is shrunk tree by tree", {
  d <- mixed_data(150)
  numbers <- withr::with_seed(1, small_forest(number ~ ., d, trees = 6))
  classes <- withr::with_seed(1, small_forest(y ~ ., d, trees = 6, prior = c(0.5, 0.3, 0.2)))
  for (fit in list(numbers, classes)) {
    shrunk <- tec_shrink(fit, 8)
    for (i in c(1, 4)) {
      one <- expect_shrunk(fit[[i]], 8)
      leaf <- which(one$tree$kind == 0L)
      expect_equal(shrunk[[i]]$tree$yval[leaf], one$tree$yval[leaf])
      expect_equal(shrunk[[i]]$tree$prob[leaf, ], one$tree$prob[leaf, ])
    }
    expect_equal(unshrunk(shrunk), fit)
    expect_equal(tec_shrink(shrunk, 2)$trees, tec_shrink(fit, 2)$trees)
    expect_output(print(shrunk), "lambda = 8")
  }
})

test_that("a shrunk forest has the out-of-bag results of its trees", {
  d <- mixed_data(150)
  for (formula in list(y ~ ., number ~ .)) {
    fit <- withr::with_seed(1, small_forest(formula, d, trees = 12))
    # Without shrinkage they are those of growth.
    expect_equal(tec_shrink(fit, 0)$oob, fit$oob)
    table <- tec_shrink(fit, c(0, 2, 20))$shrunk$table
    bags <- forest_bags(fit, as.integer(d$y), NULL)
    by_hand <- vapply(table$lambda, function(lambda) {
      parts <- lapply(seq_along(fit), function(i) {
        one <- tec_shrink(fit[[i]], lambda)
        predict(one, d, type = if (identical(formula[[2L]], quote(y))) "prob" else "response")
      })
      truth <- if (is.matrix(parts[[1L]])) diag(3)[as.integer(d$y), ] else matrix(d$number)
      loss <- vapply(seq_len(nrow(d)), function(row) {
        out <- which(bags[row, ] == 0L)
        if (!length(out)) return(NA_real_)
        mean <- Reduce(`+`, lapply(parts[out], function(p) as.matrix(p)[row, ])) / length(out)
        sum((mean - truth[row, ])^2)
      }, 0)
      mean(loss, na.rm = TRUE)
    }, 0)
    expect_equal(table$error, by_hand)
  }
})

test_that("more trees of a shrunk forest are shrunk too", {
  d <- mixed_data(120)
  grow <- function(trees) small_forest(y ~ ., d, trees = trees)
  more <- withr::with_seed(3, tec_more(tec_shrink(grow(3), 4), 3, progress = FALSE))
  once <- withr::with_seed(3, tec_shrink(grow(6), 4))
  expect_equal(more$trees, once$trees)
  expect_equal(more$oob, once$oob)
})

test_that("lambda is chosen on one tree per fold", {
  grid <- c(0, 1, 10, 100)
  d <- mixed_data(200)
  for (formula in list(y ~ x + z + colour, number ~ z + y)) {
    fit <- tec_tree(formula, d,
      prune = "none", weights = rep(1:2, 100), weights_as = "frequency"
    )
    shrunk <- withr::with_seed(5, tec_shrink(fit, grid, folds = 4))
    classes <- identical(formula[[2L]], quote(y))
    each <- d[rep(1:200, rep(1:2, 100)), ]
    group <- withr::with_seed(5, draw_folds(4, 300, if (classes) as.integer(each$y)))
    sums <- vapply(grid, function(lambda) {
      sum(vapply(1:4, function(k) {
        one <- tec_shrink(tec_tree(formula, each[group != k, ], prune = "none"), lambda)
        test <- each[group == k, ]
        loss <- if (classes) {
          rowSums((predict(one, test, type = "prob") - diag(3)[as.integer(test$y), ])^2)
        } else {
          (predict(one, test) - test$number)^2
        }
        sum(loss)
      }, 0))
    }, 0) / 300
    expect_equal(shrunk$shrunk$table$error, sums)
    expect_equal(shrunk$shrunk$lambda, grid[which.min(sums)])
    expect_output(print(shrunk), "chosen from 4\\s+values by cross-validation")
  }
  given <- withr::with_seed(5, tec_shrink(update(fit, data = d, weights = NULL), grid, data = d))
  expect_length(given$shrunk$table$error, 4L)
})

test_that("models that cannot be shrunk are errors", {
  fit <- tec_tree(mpg ~ ., mtcars)
  median <- tec_tree(mpg ~ ., mtcars, criterion = "l1")
  forest <- withr::with_seed(1, small_forest(mpg ~ ., mtcars, trees = 2))
  expect_snapshot(show_errors({
    tec_shrink(1)
    tec_shrink(fit, -1)
    tec_shrink(fit, "some")
    tec_shrink(fit, folds = 1)
    tec_shrink(median, 1)
    tec_shrink(fit, c(1, 2), data = mtcars[-1, ])
  }))
  damaged <- tec_shrink(fit, 1)
  damaged$shrunk$yval <- 1
  expect_error(predict(damaged, mtcars), class = "tec_error_damaged")
})

test_that("a tree of rpart is not shrunk by several values", {
  skip_if_not_installed("rpart")
  foreign <- as_tec_tree(rpart::rpart(mpg ~ ., mtcars))
  expect_snapshot(show_errors({
    tec_shrink(foreign, c(1, 2))
  }))
})

# The nodes of one of ranger's trees, from the rows in its bag: n, mean and parent.
ranger_node_facts <- function(grown, t, x, y) {
  kids <- grown$forest$child.nodeIDs[[t]]
  nodes <- length(kids[[1L]])
  parent <- integer(nodes)
  for (side in 1:2) {
    inner <- which(kids[[side]] > 0)
    parent[kids[[side]][inner] + 1L] <- inner
  }
  leaf <- predict(grown, x, type = "terminalNodes")$predictions[, t] + 1L
  counts <- grown$inbag.counts[[t]]
  n <- sum <- numeric(nodes)
  for (row in seq_along(leaf)) {
    at <- leaf[row]
    while (at > 0) {
      n[at] <- n[at] + counts[row]
      sum[at] <- sum[at] + counts[row] * y[row]
      at <- parent[at]
    }
  }
  list(n = n, mean = sum / n, parent = parent, leaf = leaf)
}

test_that("a forest converted from ranger is shrunk by its nodes, as ranger::hshrink() does", {
  skip_if_not_installed("ranger")
  args <- list(mpg ~ ., mtcars, num.trees = 5, seed = 1, keep.inbag = TRUE, num.threads = 1)
  theirs <- if ("hshrink" %in% getNamespaceExports("ranger")) {
    get("hshrink", asNamespace("ranger"))
  }
  if (!is.null(theirs)) args$node.stats <- TRUE
  grown <- do.call(ranger::ranger, args)
  shrunk <- tec_shrink(as_tec_forest(grown, mtcars), 3)
  by_tree <- vapply(1:5, function(t) {
    facts <- ranger_node_facts(grown, t, mtcars, mtcars$mpg)
    oracle_shrunk(facts$mean, facts$n, facts$parent, 3)[facts$leaf]
  }, numeric(32))
  expect_equal(predict(shrunk, mtcars, type = "tree"), by_tree, ignore_attr = TRUE)
  expect_null(shrunk$oob$response)
  if (!is.null(theirs)) {
    theirs(grown, lambda = 3)
    expect_equal(predict(shrunk, mtcars), predict(grown, mtcars)$predictions)
  }
})

test_that("predictions of rows that stop at an inner node shrink, too", {
  fit <- tec_forest(Species ~ ., iris, trees = 1, missing = "drop", max_depth = 1, threads = 1)
  shrunk <- tec_shrink(fit, lambda = 10)
  own <- matrix(fit$trees$own, 3)
  # The root stays; its children move towards it.
  expected <- own[, 1] + (own - own[, 1]) / (1 + 10 / 150)
  expect_equal(matrix(shrunk$trees$own, 3), expected)
  lost <- iris[1, ]
  lost[-5] <- NA
  expect_equal(predict(shrunk, lost, "prob"), predict(fit, lost, "prob"))
  numbers <- tec_forest(mpg ~ ., mtcars, trees = 1, missing = "drop", max_depth = 1, threads = 1)
  own <- numbers$trees$own
  expect_equal(tec_shrink(numbers, lambda = 5)$trees$own, own[1] + (own - own[1]) / (1 + 5 / 32))
})

test_that("a converted forest has no samples to compare out of bag, and may lack its weights", {
  fit <- tec_forest(Species ~ ., iris, trees = 2, threads = 1)
  fit$seeds <- NULL
  expect_error(tec_shrink(fit, lambda = 1:2), "Give one value", class = "tec_error_conversion")
  fit$weights_known <- FALSE
  expect_error(tec_shrink(fit, lambda = 1), "without its training rows", class = "tec_error_shrink")
})
