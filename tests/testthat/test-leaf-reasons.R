toy_with_gaps <- function(seed) {
  set.seed(seed)
  d <- data.frame(a = rnorm(120), b = rnorm(120), g = factor(sample(letters[1:3], 120, TRUE)))
  d$y <- factor(d$a + d$b + (d$g == "b") + rnorm(120) > 0)
  for (name in c("a", "b", "g")) d[[name]][sample(120, 20)] <- NA
  d
}

# The reason that follows from the rows of a leaf and the settings, without the numbers of the tree.
naive_reason <- function(fit, data, y) {
  control <- fit$control
  node <- predict(fit, data, type = "node")
  nodes <- as.data.frame(fit)
  vapply(nodes$node[nodes$kind == "leaf"], function(leaf) {
    rows <- which(node == leaf)
    if (length(rows) == 0) {
      return("empty")
    }
    if (length(unique(y[rows])) == 1) {
      return("pure")
    }
    if (length(rows) < 2 * control$min_bucket) {
      return("min_bucket")
    }
    if (length(rows) < control$min_split) {
      return("min_split")
    }
    if (nodes$depth[leaf] >= control$max_depth) "max_depth" else "gain"
  }, "")
}

test_that("the reason of each leaf follows from its rows", {
  classes <- list(
    full_tree(fruit ~ ., fruit), full_tree(fruit ~ ., fruit, max_depth = 3),
    full_tree(fruit ~ ., fruit, min_split = 100, min_bucket = 3),
    full_tree(fruit ~ ., fruit, min_gain = 0.05, min_bucket = 1),
    full_tree(fruit ~ ., fruit, nominal = "multiway", min_bucket = 1)
  )
  for (fit in classes) {
    expect_identical(leaf_reasons(fit)$reason, naive_reason(fit, fruit, fruit$fruit))
  }
  d <- data.frame(x = 1:60, y = rep(c(0.1, 0.3, 0.7), each = 20))
  for (fit in list(
    full_tree(y ~ x, d), full_tree(mpg ~ ., mtcars, min_bucket = 1),
    full_tree(mpg ~ ., mtcars, criterion = "l1", min_gain = 0.5, min_bucket = 1)
  )) {
    rows <- if ("x" %in% variable.names(fit)) d else mtcars
    y <- if ("x" %in% variable.names(fit)) d$y else mtcars$mpg
    expect_identical(leaf_reasons(fit)$reason, naive_reason(fit, rows, y))
  }
  a <- factor(rep(c("u", "v"), 8), levels = c("u", "v", "w"))
  empty <- data.frame(a = a, y = rep(c("n", "p"), 8))
  fit <- full_tree(y ~ a, empty, preset = "id3")
  expect_identical(leaf_reasons(fit)$reason, c("pure", "pure", "empty"))
})

test_that("rows decide, not weights, unless weights are frequencies", {
  fit <- full_tree(Species ~ ., iris, weights = rep(c(0.5, 3), 75))
  expect_identical(leaf_reasons(fit)$node, which(fit$tree$kind == 0L))
  small <- leaf_reasons(fit)$reason == "min_bucket"
  size <- fit$tree$n[fit$tree$kind == 0L]
  pure <- leaf_reasons(fit)$reason == "pure"
  expect_identical(small, size < 10 & !pure)
  balanced <- full_tree(fruit ~ ., fruit, class_weights = "balanced")
  expect_identical(leaf_reasons(balanced)$reason, naive_reason(balanced, fruit, fruit$fruit))
})

test_that("reasons that the tree cannot distinguish are given as alternatives", {
  expect_identical(
    leaf_reasons(tec_tree(Species ~ ., iris, max_leaves = 3))$reason,
    c("pure", "max_leaves", "max_leaves")
  )
  # With room for another split the limit is no reason.
  fit <- tec_tree(Species ~ ., iris, min_gain = 0.4, max_leaves = 4)
  expect_identical(leaf_reasons(fit)$reason, c("pure", "gain", "gain"))
  cut <- tec_prune(tec_tree(Species ~ ., iris), cp = 0.2)
  expect_identical(leaf_reasons(cut)$reason, c("pure", "pruned", "pruned"))
  skip_if_not_installed("rpart")
  expect_null(leaf_reasons(as_tec_tree(rpart::rpart(Species ~ ., iris))))
})

test_that("a branch of a tree has the reasons it had in the tree", {
  fit <- tec_tree(fruit ~ ., fruit, max_depth = 3, min_bucket = 1)
  whole <- leaf_reasons(fit)
  branch <- leaf_reasons(fit[[2]])
  expect_identical(branch$reason, whole$reason[whole$node %in% (branch$node + 1L)])
})

test_that("print() ends with a hint if it matters", {
  last <- function(fit) utils::tail(format(fit), 1)
  set.seed(1)
  large <- tec_tree(fruit ~ ., fruit, min_bucket = 1)
  either <- data.frame(a = factor(c(0, 0, 1, 1)), b = factor(c(0, 1, 0, 1)))
  either$xor <- either$a != either$b
  expect_snapshot({
    writeLines(last(large))
    writeLines(last(tec_tree(mpg ~ ., mtcars)))
    writeLines(last(tec_tree(mpg ~ ., mtcars, min_split = 15, min_bucket = 1)))
    writeLines(last(tec_tree(mpg ~ ., mtcars, min_bucket = 20)))
    writeLines(last(tec_tree(Species ~ ., iris, max_depth = 0)))
    writeLines(last(tec_tree(Species ~ ., iris, min_gain = 5)))
    writeLines(last(tec_tree(xor ~ a + b, either, min_bucket = 1)))
    writeLines(last(tec_tree(xor ~ a + b, either, min_bucket = 1, rules = "c45")))
    writeLines(last(tec_tree(Species ~ ., iris, cp = 0.9)))
    writeLines(last(tec_prune(tec_tree(Species ~ ., iris), cp = 0.9)))
    writeLines(format(tec_tree(Species ~ ., iris,
      weights = rep(2, 150), weights_as = "frequency", max_depth = 0
    ))[2])
  })
  nothing <- list(full_tree(Species ~ ., iris), tec_tree(fruit ~ ., fruit, preset = "cart"))
  for (fit in nothing) expect_match(last(fit), "[*]$")
  expect_lte(max(nchar(format(large, width = 30))), 30)
})

test_that("the tree that print() recommends can be grown without a table", {
  fit <- full_tree(fruit ~ ., fruit, min_bucket = 1)
  set.seed(1)
  pruned <- tec_prune(fit, alpha = "1se")
  set.seed(1)
  same <- full_tree(fruit ~ ., fruit, min_bucket = 1, alpha = "1se", prune = "ccp")
  expect_identical(pruned$tree, same$tree)
  expect_identical(pruned[["cptable"]], same[["cptable"]])
  set.seed(1)
  expect_identical(tec_prune(fit, alpha = "1se", data = fruit)$tree, same$tree)
  weighted <- full_tree(fruit ~ ., fruit, weights = rep(1:2, 500))
  set.seed(1)
  found <- tec_prune(weighted, alpha = "min")
  set.seed(1)
  given <- tec_prune(weighted, alpha = "min", data = fruit, weights = rep(1:2, 500))
  expect_identical(found$tree, given$tree)
  expect_error(tec_prune(tec_prune(fit, "pep"), alpha = "min"), class = "tec_error_prune")
})

test_that("summary() gives the reasons with their values", {
  fit <- full_tree(Species ~ ., iris, max_depth = 2)
  large <- full_tree(fruit ~ ., fruit, min_bucket = 1)
  expect_identical(summary(fit)$leaves, data.frame(
    node = which(fit$tree$kind == 0L), reason = c("pure", "max_depth = 2", "max_depth = 2")
  ))
  expect_snapshot({
    writeLines(utils::tail(format(summary(fit)), 4))
    writeLines(utils::tail(format(summary(large)), 5))
  })
})

test_that("a part of a row does not count as a row, whatever the weights", {
  for (i in 1:4) {
    d <- toy_with_gaps(i)
    grow <- function(w, ...) {
      full_tree(y ~ ., d, weights = w, missing = "fractional", min_bucket = 5, ...)
    }
    # Weights that differ by next to nothing: sizes are the weights of the nodes.
    even <- grow(1 + 1e-9 * seq_len(nrow(d)))
    expect_equal(node_sizes(even), even$tree$weight, tolerance = 1e-6)
    reasons <- leaf_reasons(even)$reason
    expect_identical(reasons, leaf_reasons(grow(NULL))$reason)
    expect_true("min_bucket" %in% reasons)
    # Weights that count, where they do not change the splits: stumps of one column.
    one <- d[c("a", "y")]
    w <- runif(nrow(d), 0.2, 3)
    stump <- full_tree(y ~ a, one, weights = w, missing = "fractional", max_depth = 1)
    left <- one$a <= stump$tree$breaks
    share <- sum(w[which(left)]) / sum(w[!is.na(left)])
    gaps <- sum(is.na(left))
    sides <- c(sum(left, na.rm = TRUE), sum(!left, na.rm = TRUE)) + gaps * c(share, 1 - share)
    expect_equal(node_sizes(stump), c(nrow(d), sides))
    stump$tree$size <- NULL
    expect_equal(node_sizes(stump), c(nrow(d), sides))
  }
})

test_that("unlimited sizes give the reason why nothing was split", {
  for (size in c("min_split", "min_bucket")) {
    fit <- do.call(tec_tree, c(list(Species ~ ., iris), stats::setNames(Inf, size)))
    expect_identical(leaf_reasons(fit)$node, 1L)
    expect_output(print(fit), "min_bucket = Inf")
    expect_output(print(summary(fit)), "min_bucket = Inf")
  }
})
