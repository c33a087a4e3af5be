# The predicted class shares: with some extra rows, divided evenly among the classes.

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
  expect_equal(tec_tree(Species ~ ., iris, preset = "J48", A = TRUE)$control$smooth, "laplace")
  expect_equal(update(tec_tree(Species ~ ., iris), smooth = 0)$control$smooth, 0)
})

test_that("frequencies count as rows, and a class without rows has a share", {
  data <- data.frame(
    x = rep(1:2, each = 6), y = factor(rep(c("a", "b"), each = 6), c("a", "b", "c"))
  )
  fit <- tec_tree(y ~ x, data, weights = rep(2, 12), weights_as = "frequency", min_bucket = 1)
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

test_that("explain() and the exports agree with predict()", {
  fit <- tec_tree(Species ~ ., iris)
  why <- explain(fit, iris[71, ])
  own <- predict(fit, iris[71, ], type = "prob")
  expect_equal(utils::tail(why$path$probability, 1), max(own))
  expect_equal(export_tree(fit, "tec_sql")$prob, unname(leaf_shares(fit)))
  table <- as.data.frame(fit)[paste0("prob_", levels(iris$Species))]
  expect_equal(as.matrix(table), leaf_shares(fit), ignore_attr = TRUE)
})

test_that("the printed shares of a leaf are those of predict(), to two digits", {
  for (smooth in list(NULL, 0, "laplace", 5)) {
    fit <- tec_tree(Species ~ ., iris, smooth = smooth)
    prob <- predict(fit, iris, type = "prob")
    said <- apply(matrix(sprintf("%.2f", prob), nrow(prob)), 1, paste, collapse = " ")
    node <- predict(fit, iris, type = "node")
    printed <- grep("[*]$", format(fit), value = TRUE)
    for (leaf in unique(node)) {
      own <- grep(paste0("^ *", leaf, "[)] "), printed, value = TRUE)
      expect_match(own, paste0("(", said[node == leaf][1], ")"), fixed = TRUE)
    }
    best <- prob[cbind(seq_along(node), max.col(prob))]
    expect_equal(tidy(fit)$probability[node], best)
    rules <- tec_rules(fit)
    expect_equal(rules$probability[match(node, rules$node)], best)
  }
})

test_that("Laplace adds one row per class, m-estimates divide rows as in the root", {
  d <- mixed_data(200)
  d$y <- factor(d$y, c(levels(d$y), "never"))
  weight <- rep(1:2, 100)
  prior <- c(0.2, 0.5, 0.3, 0)
  for (priors in list(NULL, prior)) {
    fit <- full_tree(y ~ number + z, d, weights = weight, prior = priors, smooth = "laplace")
    root <- fit$tree$prob[1L, ]
    node <- predict(fit, d, type = "node")
    own <- fit$tree$prob[node, ] * fit$tree$weight[node]
    by_hand <- (own + 1) / (fit$tree$weight[node] + 4)
    expect_equal(predict(fit, d, type = "prob"), by_hand, ignore_attr = TRUE)
    to_root <- full_tree(y ~ number + z, d, weights = weight, prior = priors, smooth = 3,
      smooth_to = "root"
    )
    expect_identical(to_root$tree, fit$tree)
    by_hand <- (own + 3 * rep(root, each = nrow(d))) / (fit$tree$weight[node] + 3)
    expect_equal(predict(to_root, d, type = "prob"), by_hand, ignore_attr = TRUE)
    expect_identical(predict(to_root, d), predict(fit, d))
    expect_equal(as.vector(predict(to_root, d, type = "prob")[, "never"]), numeric(200))
  }
})

test_that("extra rows go into JSON and back, and into tuning", {
  for (to in c("even", "root")) {
    fit <- tec_tree(Species ~ ., iris, prune = "none", smooth = "laplace", smooth_to = to)
    back <- tec_from_json(tec_json(fit))
    found <- verify_export(fit, iris, "r")
    expect_equal(found$agree, found$rows)
    expect_equal(predict(back, iris, type = "prob"), predict(fit, iris, type = "prob"))
    fold <- rep(1:5, 30)
    tuned <- tec_tune(Species ~ ., iris, q = c(1, 2), prune = "none", smooth = "laplace",
      smooth_to = to, folds = fold, metric = "brier"
    )
    by_hand <- vapply(1:5, function(k) {
      fit <- tec_tree(Species ~ ., iris[fold != k, ], q = 1, prune = "none", smooth = "laplace",
        smooth_to = to
      )
      prob <- predict(fit, iris[fold == k, ], type = "prob")
      mean(rowSums((prob - diag(3)[as.integer(iris$Species[fold == k]), ])^2))
    }, 0)
    expect_equal(tuned$table$brier[1L], mean(by_hand))
  }
})

test_that("smooth is checked", {
  for (bad in list(-1, NA, "a", 1:2, Inf)) {
    expect_error(tec_control(smooth = bad), class = "tec_error_control")
  }
  expect_error(tec_control(smooth_to = "rot"), class = "tec_error_control")
  expect_null(tec_control()$smooth)
})
