# Rows with factors, ordered factors, characters and logicals, without missing values.
foreign_data <- function(n = 150, seed = 1, text = FALSE) {
  withr::with_seed(seed, {
    d <- forest_data(n)
    d$number <- d$a + d$b + stats::rnorm(n) / 3
    d$many <- factor(sample(sprintf("l%02d", 1:13), n, TRUE), sprintf("l%02d", 1:13))
    if (text) d$text <- sample(c("x", "y", "z"), n, TRUE)
    d
  })
}

test_that("trees in pre-order lead to the same leaves", {
  # 1: 2 4, 2: 3 5; 4, 3, 5 leaves; the second tree is a leaf.
  nodes <- list(
    left = c(2L, 3L, 0L, 0L, 0L, 0L), right = c(4L, 5L, 0L, 0L, 0L, 0L), size = c(5L, 1L)
  )
  expect_identical(
    forest_preorder(nodes),
    list(at = c(1L, 2L, 3L, 5L, 4L, 6L), place = c(1L, 2L, 3L, 5L, 4L, 6L), size = c(5L, 1L))
  )
  nodes$left[3] <- 1L
  nodes$right[3] <- 2L
  expect_error(forest_preorder(nodes), class = "tec_error_conversion")
  nodes$left[3] <- 9L
  expect_error(forest_preorder(nodes), class = "tec_error_conversion")
})

test_that("the end of a subtree is its last node", {
  fit <- withr::with_seed(1, small_forest(Species ~ ., iris, trees = 4))
  end <- forest_ends(fit$trees)
  for (i in seq_along(end)) {
    last <- i
    while (fit$trees$variable[last] != 0L) last <- last + fit$trees$right[last]
    expect_identical(end[i], last)
  }
})

test_that("a forest that is taken apart and reassembled is the same", {
  fit <- withr::with_seed(1, small_forest(y ~ ., forest_data(80), trees = 5))
  trees <- fit$trees
  at <- seq_along(trees$variable)
  inner <- trees$variable != 0L
  nodes <- list(
    left = ifelse(inner, at + 1L, 0L), right = ifelse(inner, at + trees$right, 0L),
    variable = abs(trees$variable), value = trees$cut, size = diff(trees$start),
    shares = matrix(0, length(at), 3L), unknown_right = trees$variable < 0L
  )
  nodes$shares[!inner, ] <- leaf_class_shares(trees, which(!inner), 3L)
  own <- unclass(fit)
  sides <- as.integer(trees$sides)
  new <- assemble_forest(nodes, own, function(j, place) {
    n <- length(fit$columns$levels[[j]])
    vapply(place, function(start) c(NA, TRUE, FALSE)[sides[start + seq_len(n)] + 1L], logical(n))
  })
  new <- with_leaf_weights(new, leaf_weights(trees, which(!inner), 3L))
  same <- c("start", "variable", "right", "shares")
  expect_equal(unclass(new)$trees[same], trees[same])
  # Sets of levels lie in another order.
  by_level <- inner & c(FALSE, fit$columns$kind == "nominal")[abs(trees$variable) + 1L]
  expect_identical(new$trees$cut[!by_level], trees$cut[!by_level])
  rows <- forest_data(60)
  rows$d[1:5] <- NA
  expect_identical(predict(new, rows), predict(fit, rows))
  for (i in 1:5) expect_equal(new[[i]]$tree$level_child, fit[[i]]$tree$level_child)
})

test_that("rows with a missing value go down the heavier branch", {
  fit <- withr::with_seed(1, small_forest(y ~ ., forest_data(80), trees = 3))
  new <- set_unknown_sides(fit)
  expect_identical(abs(new$trees$variable), abs(fit$trees$variable))
  for (i in 1:3) {
    tree <- new[[i]]$tree
    for (node in which(tree$kind != 0L)) {
      weight <- tree$weight[which(tree$parent == node)]
      expect_equal(tree$default_child[node], as.integer(weight[2] > weight[1]))
    }
  }
})

test_that("what cannot be converted is an error", {
  expect_snapshot(show_errors({
    as_tec_forest(1)
    as_tec_forest(structure(list(treetype = "Survival"), class = "ranger"))
    as_tec_forest(structure(list(treetype = "Regression"), class = "ranger"))
    as_tec_forest(structure(list(type = "unsupervised"), class = "randomForest"))
    as_tec_forest(structure(list(type = "regression"), class = "randomForest"))
  }))
  fit <- withr::with_seed(1, small_forest(Species ~ ., iris))
  expect_identical(as_tec_forest(fit), fit)
})

# ---- ranger ----

# Calls are the user's, so that they find the rows again.
ranger_of <- function(...) {
  call <- sys.call()
  call[[1L]] <- quote(ranger::ranger)
  call[c("num.trees", "seed", "num.threads", "verbose")] <- list(30, 1, 1, FALSE)
  eval(call, parent.frame())
}

same_numbers <- function(fit, peer, new) {
  expect_equal(predict(fit, new), predict(peer, new, num.threads = 1)$predictions)
}

# Where one class has the most votes.
same_votes <- function(fit, peer, new) {
  each <- predict(peer, new, predict.all = TRUE, num.threads = 1)$predictions
  levels <- peer$forest$levels
  count <- t(apply(each, 1, function(v) tabulate(v, length(levels))))
  expect_equal(predict(fit, new, type = "prob"), count / ncol(each), ignore_attr = TRUE)
  clear <- rowSums(count == apply(count, 1, max)) == 1
  their <- predict(peer, new, num.threads = 1)$predictions
  expect_identical(as.character(predict(fit, new))[clear], as.character(their)[clear])
  expect_gt(mean(clear), 0.5)
}

same_prob <- function(fit, peer, new) {
  expect_equal(
    predict(fit, new, type = "prob"), predict(peer, new, num.threads = 1)$predictions,
    ignore_attr = TRUE
  )
}

test_that("forests of ranger predict the same, however it codes factors", {
  skip_if_not_installed("ranger")
  d <- foreign_data(text = TRUE)
  new <- foreign_data(80, seed = 2, text = TRUE)
  d$day <- as.Date("2024-01-01") + round(10 * d$a)
  new$day <- as.Date("2024-01-01") + round(10 * new$a)
  # ranger takes its time over partitions of levels.
  for (how in some_of(c("ignore", "partition", "order"), 2)) {
    x <- setdiff(names(d), "number")
    peer <- ranger_of(y ~ ., d[x], respect.unordered.factors = how)
    expect_no_message(fit <- as_tec_forest(peer, d))
    same_votes(fit, peer, new)
    peer <- ranger_of(y ~ ., d[x], respect.unordered.factors = how, probability = TRUE)
    fit <- as_tec_forest(peer, d)
    same_prob(fit, peer, new)
    largest <- predict(peer, new, num.threads = 1)$predictions
    expect_identical(as.integer(predict(fit, new)), max.col(largest, "first"))
    peer <- ranger_of(number ~ ., d, respect.unordered.factors = how)
    same_numbers(as_tec_forest(peer, d), peer, new)
  }
})

test_that("other settings and calls of ranger are converted", {
  skip_if_not_installed("ranger")
  d <- foreign_data()
  new <- foreign_data(60, seed = 3)
  peer <- ranger_of(number ~ ., d, splitrule = "extratrees", max.depth = 4)
  same_numbers(as_tec_forest(peer), peer, new)
  x <- as.matrix(d[c("a", "b", "c")])
  peer <- ranger::ranger(x = x, y = d$number, num.trees = 10, seed = 1, num.threads = 1)
  expect_no_message(fit <- as_tec_forest(peer))
  same_numbers(fit, peer, as.matrix(new[c("a", "b", "c")]))
  peer <- ranger::ranger(
    data = d, dependent.variable.name = "number", num.trees = 10, seed = 1, num.threads = 1
  )
  expect_no_message(fit <- as_tec_forest(peer))
  expect_identical(fit$response$name, "number")
  same_numbers(fit, peer, new)
  # Classes that are numbers; a class without rows.
  d$two <- as.integer(d$number > 1)
  peer <- ranger::ranger(two ~ a + b, d,
    num.trees = 11, classification = TRUE, seed = 1, num.threads = 1
  )
  fit <- as_tec_forest(peer)
  their <- predict(peer, new, num.threads = 1)$predictions
  expect_identical(as.character(predict(fit, new)), as.character(their))
  d$y <- factor(d$y, c("none", "low", "mid", "high"))
  peer <- suppressWarnings(ranger_of(y ~ a + b + d, d, probability = TRUE))
  fit <- as_tec_forest(peer)
  expect_identical(fit$response$levels, c("low", "mid", "high"))
  same_prob(fit, peer, new)
})

test_that("leaf weights count the rows that ranger's trees drew", {
  skip_if_not_installed("ranger")
  d <- foreign_data()
  peer <- ranger_of(number ~ a + b + d, d, keep.inbag = TRUE, respect.unordered.factors = "order")
  fit <- as_tec_forest(peer)
  expect_true(fit$weights_known)
  node <- predict(fit, d, type = "node")
  for (i in c(1, 17)) {
    count <- peer$inbag.counts[[i]]
    expect_equal(predict(fit[[i]], d, type = "node"), node[, i])
    leaf <- fit[[i]]$tree$kind == 0
    drawn <- vapply(which(leaf), function(k) sum(count[node[, i] == k]), 0)
    expect_equal(fit[[i]]$tree$weight[leaf], drawn)
    # A leaf of ranger predicts the mean of the rows that it drew.
    mean <- vapply(which(leaf), function(k) {
      stats::weighted.mean(d$number[node[, i] == k], count[node[, i] == k])
    }, 0)
    expect_equal(fit[[i]]$tree$yval[leaf], mean)
  }
  # Without in-bag counts all rows count.
  peer <- ranger_of(number ~ a + b, d)
  expect_equal(as_tec_forest(peer)[[1]]$tree$weight[1], nrow(d))
})

test_that("without training rows all leaves weigh the same, and unknown levels are an error", {
  skip_if_not_installed("ranger")
  d <- foreign_data()
  peer <- ranger_of(number ~ a + b, d)
  same <- as_tec_forest(peer)
  peer$call <- NULL
  expect_message(fit <- as_tec_forest(peer), class = "tec_message_conversion")
  expect_false(fit$weights_known)
  expect_equal(fit[[1]]$tree$weight[1], n_leaves(fit[[1]]))
  expect_identical(predict(fit, d), predict(same, d))
  # Rows of another data set of the same size are not taken for the training rows.
  other <- ranger_of(number ~ a + b, d)
  d$a <- d$a + 100
  expect_message(as_tec_forest(other), class = "tec_message_conversion")
  d$a <- d$a - 100
  sets <- ranger_of(number ~ a + d, d, respect.unordered.factors = "partition")
  sets$call <- NULL
  sets$forest$covariate.levels <- NULL
  expect_snapshot(show_errors({
    as_tec_forest(sets)
    as_tec_forest(other, d["a"])
    as_tec_forest(other, transform(d, a = a + 100))
    predict(same, d, type = "se")
    tec_more(same, 5)
    predict(same)
    tec_shap(fit, d)
  }))
  shap <- tec_shap(same, d[1:3, ])
  expect_equal(shap$baseline + rowSums(shap$values), predict(same, d[1:3, ]))
  shap <- tec_shap(fit, d[1:3, ], background = d)
  expect_equal(shap$baseline + rowSums(shap$values), predict(same, d[1:3, ]))
  product <- ranger_of(number ~ a:b, d)
  expect_error(as_tec_forest(product), "a:b", class = "tec_error_conversion")
  expect_error(as_tec_forest(product, d), "a:b", class = "tec_error_conversion")
})

test_that("converted forests print and work like other forests", {
  skip_if_not_installed("ranger")
  peer <- ranger_of(Species ~ ., iris)
  fit <- as_tec_forest(peer)
  expect_snapshot(print(fit))
  expect_identical(tidy(fit)$leaves, vapply(1:30, function(i) n_leaves(fit[[i]]), 0L))
  expect_true(is.na(glance(fit)$oob.error))
  skip_if_not_installed("parsnip")
  spec <- parsnip::rand_forest("classification", trees = 10)
  spec <- parsnip::set_engine(spec, "ranger", seed = 1)
  wrapped <- parsnip::fit(spec, Species ~ ., iris)
  fit <- as_tec_forest(wrapped, iris)
  expect_equal(
    predict(fit, iris, type = "prob"), as.matrix(predict(wrapped, iris, type = "prob")),
    ignore_attr = TRUE
  )
})

test_that("node statistics of ranger give the weights", {
  skip_if_not_installed("ranger", "0.16.0")
  d <- foreign_data()
  peer <- ranger_of(number ~ a + b, d, node.stats = TRUE, keep.inbag = TRUE)
  counted <- as_tec_forest(ranger_of(number ~ a + b, d, keep.inbag = TRUE))
  peer$call <- NULL
  expect_no_message(fit <- as_tec_forest(peer))
  expect_identical(fit$trees, counted$trees)
})

test_that("rows with a missing value go where ranger learned to send them", {
  skip_if_not_installed("ranger", "0.16.0")
  d <- foreign_data()
  withr::with_seed(1, {
    d$a[sample(150, 40)] <- NA
    d$d[sample(150, 20)] <- NA
  })
  peer <- ranger_of(number ~ a + b + d, d)
  same_numbers(as_tec_forest(peer, d), peer, d)
  peer <- ranger_of(y ~ a + b + d, d, probability = TRUE, keep.inbag = TRUE)
  same_prob(as_tec_forest(peer, d), peer, d)
  peer <- ranger_of(y ~ a + b + d, d, respect.unordered.factors = "order")
  same_votes(as_tec_forest(peer, d), peer, d)
  whole <- foreign_data(seed = 5)
  peer <- ranger_of(number ~ a + b + d, whole)
  same_numbers(as_tec_forest(peer, whole), peer, d)
  peer <- ranger_of(number ~ a + b, d, na.action = "na.omit")
  expect_true(as_tec_forest(peer)$weights_known)
})

# ---- randomForest ----

random_forest_of <- function(...) {
  call <- sys.call()
  call[[1L]] <- from_package("randomForest", "randomForest")
  call$ntree <- 30
  withr::with_seed(1, eval(call, parent.frame()))
}

test_that("forests of randomForest predict the same", {
  skip_if_not_installed("randomForest")
  d <- foreign_data()
  new <- foreign_data(80, seed = 2)
  peer <- random_forest_of(y ~ a + b + c + d + e + f + many, d)
  expect_no_message(fit <- as_tec_forest(peer))
  prob <- predict(peer, new, type = "prob")
  expect_equal(predict(fit, new, type = "prob"), prob, ignore_attr = TRUE)
  clear <- rowSums(prob == apply(prob, 1, max)) == 1
  expect_identical(predict(fit, new)[clear], unname(predict(peer, new))[clear])
  for (corrected in c(FALSE, TRUE)) {
    peer <- random_forest_of(number ~ a + b + c + d + e + f + many, d, corr.bias = corrected)
    expect_equal(predict(as_tec_forest(peer), new), unname(predict(peer, new)))
  }
  x <- d[c("a", "b", "d", "f", "e")]
  peer <- random_forest_of(x, d$number)
  expect_equal(predict(as_tec_forest(peer), new), unname(predict(peer, new)))
  # All levels are stored here, so the rows are not needed.
  peer$call <- NULL
  fit <- suppressMessages(as_tec_forest(peer))
  expect_false(fit$weights_known)
})

test_that("a cutoff of randomForest becomes a cost", {
  skip_if_not_installed("randomForest")
  d <- foreign_data()
  new <- foreign_data(80, seed = 2)
  cutoff <- c(0.5, 0.3, 0.2)
  peer <- random_forest_of(y ~ a + b + d, d, cutoff = cutoff)
  fit <- as_tec_forest(peer)
  prob <- predict(peer, new, type = "prob")
  over <- sweep(prob, 2, cutoff, "/")
  clear <- rowSums(abs(over - apply(over, 1, max)) < 1e-9) == 1
  expect_identical(predict(fit, new)[clear], unname(predict(peer, new))[clear])
  expect_false(all(as.integer(predict(fit, new)) == max.col(prob, "first")))
})

test_that("leaf weights count the rows that randomForest's trees drew, also with rows left out", {
  skip_if_not_installed("randomForest")
  d <- foreign_data()
  d$a[c(4, 90)] <- NA
  peer <- random_forest_of(number ~ a + b + d, d, keep.inbag = TRUE, na.action = stats::na.omit)
  fit <- as_tec_forest(peer)
  expect_true(fit$weights_known)
  rows <- d[-c(4, 90), ]
  node <- predict(fit, rows, type = "node")
  leaf <- which(fit[[3]]$tree$kind == 0)
  count <- peer$inbag[, 3]
  expect_equal(
    fit[[3]]$tree$weight[leaf], vapply(leaf, function(k) sum(count[node[, 3] == k]), 0)
  )
})

test_that("missing levels and missing trees of randomForest are errors", {
  skip_if_not_installed("randomForest")
  d <- foreign_data()
  peer <- random_forest_of(number ~ a + f, d)
  peer$call <- NULL
  expect_error(as_tec_forest(peer), "f", class = "tec_error_conversion")
  expect_equal(
    predict(as_tec_forest(peer, d), d), unname(predict(peer, d))
  )
  peer <- random_forest_of(number ~ a, d, keep.forest = FALSE)
  expect_error(as_tec_forest(peer), class = "tec_error_conversion")
  peer <- random_forest_of(d[c("a", "b")])
  expect_error(as_tec_forest(peer), class = "tec_error_conversion")
})
