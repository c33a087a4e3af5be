# The class shares that are predicted: with some rows more, spread evenly over the classes.

test_that("shares are those of the rows and of `smooth` rows more", {
  for (smooth in c(0, 1, 2, 7.5)) {
    fit <- tec_tree(Species ~ ., iris, prune = "none", smooth = smooth)
    node <- predict(fit, iris, type = "node")
    by_hand <- t(vapply(node, function(at) {
      counts <- tabulate(as.integer(iris$Species)[node == at], 3)
      (counts + smooth / 3) / (sum(counts) + smooth)
    }, numeric(3)))
    expect_equal(predict(fit, iris, type = "prob"), by_hand, ignore_attr = TRUE)
    raw <- tec_tree(Species ~ ., iris, prune = "none", smooth = 0)
    expect_identical(fit$tree, raw$tree)
    expect_identical(predict(fit, iris), predict(raw, iris))
  }
})

test_that("the plain call claims no certainty; presets are as the tools are", {
  fit <- tec_tree(Species ~ ., iris)
  expect_equal(fit$control$smooth, 2)
  prob <- predict(fit, iris, type = "prob")
  expect_true(all(prob > 0 & prob < 1))
  expect_equal(rowSums(prob), rep(1, 150))
  for (preset in c("c45", "cart")) {
    fit <- tec_tree(Species ~ ., iris, preset = preset)
    expect_equal(fit$control$smooth, 0)
    expect_true(any(predict(fit, iris, type = "prob") == 1))
  }
  expect_equal(update(tec_tree(Species ~ ., iris), smooth = 0)$control$smooth, 0)
})

test_that("weights count as rows, and a class without rows has a share", {
  data <- data.frame(
    x = rep(1:2, each = 6), y = factor(rep(c("a", "b"), each = 6), c("a", "b", "c"))
  )
  fit <- tec_tree(y ~ x, data, weights = rep(2, 12), min_bucket = 1)
  expect_equal(
    predict(fit, data[1, ], type = "prob")[1, ], c(a = 12 + 2 / 3, b = 2 / 3, c = 2 / 3) / 14
  )
})

test_that("a leaf that no row reached has the shares of the node above it", {
  data <- data.frame(
    f = factor(rep(c("a", "b"), c(8, 12)), c("a", "b", "none")),
    y = factor(rep(c("p", "q", "p"), c(7, 8, 5)))
  )
  fit <- tec_tree(y ~ f, data, nominal = "multiway", min_bucket = 1)
  empty <- data.frame(f = factor("none", levels(data$f)))
  node <- predict(fit, empty, type = "node")
  expect_equal(fit$tree$weight[node], 0)
  expect_equal(predict(fit, empty, type = "prob")[1, ], c(p = 12 + 1, q = 8 + 1) / 22)
})

test_that("a row in several leaves has their mean, and the class of its largest share", {
  d <- mixed_data(200)
  fit <- tec_tree(y ~ x + z + colour, d, prune = "none", missing = "fractional")
  raw <- update(fit, data = d, smooth = 0)
  holes <- d
  holes$x <- NA
  paths <- predict(fit, holes, type = "path")
  leaf <- fit$tree$kind == 0L
  by_hand <- t(vapply(paths, function(path) {
    at <- path[leaf[path$node], ]
    share <- if (is.null(at$share)) rep(1, nrow(at)) else at$share
    own <- fit$tree$prob[at$node, , drop = FALSE]
    weight <- fit$tree$weight[at$node]
    colSums(share * (own * weight + 2 / 3) / (weight + 2))
  }, numeric(3)))
  prob <- predict(fit, holes, type = "prob")
  expect_equal(prob, by_hand, ignore_attr = TRUE)
  expect_identical(as.integer(predict(fit, holes)), max.col(prob, "first"))
  expect_false(identical(prob, predict(raw, holes, type = "prob")))
})

test_that("explain() and the exports say what predict() does", {
  fit <- tec_tree(Species ~ ., iris)
  why <- explain(fit, iris[71, ])
  own <- predict(fit, iris[71, ], type = "prob")
  expect_equal(utils::tail(why$path$probability, 1), max(own))
  expect_equal(export_tree(fit, "tec_sql")$prob, unname(leaf_shares(fit)))
  # Tables of the tree show its rows.
  expect_equal(as.data.frame(fit)$prob_setosa[2], 1)
})

test_that("smooth is checked", {
  for (bad in list(-1, NA, "a", 1:2, Inf)) {
    expect_error(tec_control(smooth = bad), class = "tec_error_control")
  }
  expect_null(tec_control()$smooth)
})
