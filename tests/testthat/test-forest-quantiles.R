test_that("quantiles are those of the training rows, weighted by the forest", {
  set.seed(1)
  d <- forest_data(50, classes = FALSE)
  d$y <- round(d$y, 1)
  new <- forest_data(20, classes = FALSE)
  for (w in list(rep(1, 50), sample(1:3, 50, TRUE))) {
    fit <- small_forest(y ~ ., d, weights = w)
    weight <- oracle_forest_weights(fit, d, new, w)
    probs <- c(0, 0.1, 0.5, 0.77, 1)
    found <- predict(fit, new, type = "quantiles", probs = probs)
    expect_identical(colnames(found), c("0%", "10%", "50%", "77%", "100%"))
    for (j in 1:20) {
      values <- sort(unique(d$y[weight[, j] > 0]))
      upto <- vapply(values, function(v) sum(weight[d$y <= v, j]), 0)
      expected <- vapply(probs, function(p) values[which(upto >= p - 1e-9)[1]], 0)
      expect_identical(unname(found[j, ]), expected)
    }
    # The mean of this distribution is the prediction.
    expect_equal(colSums(weight * d$y), predict(fit, new))
  }
})

test_that("the training rows are found or given", {
  set.seed(2)
  d <- forest_data(50, classes = FALSE)
  fit <- small_forest(y ~ ., d)
  expected <- predict(fit, d[1:5, ], type = "quantiles")
  xy <- small_forest(x = d[-1], y = d$y)
  expect_identical(dim(predict(xy, d[1:5, ], type = "quantiles")), c(5L, 3L))
  kept <- d
  d <- d[1:40, ]
  expect_error(predict(fit, kept[1:5, ], type = "quantiles"), class = "tec_error_data")
  expect_error(predict(fit, d[1:5, ], type = "quantiles", data = d), class = "tec_error_data")
  expect_identical(predict(fit, kept[1:5, ], type = "quantiles", data = kept), expected)
  found <- predict(xy, kept[1:5, ], type = "quantiles", data = kept[-1], y = kept$y)
  expect_identical(dim(found), c(5L, 3L))
})

test_that("weights and sample weights are given with rows that cannot be found", {
  set.seed(21)
  d <- forest_data(50, classes = FALSE)
  new <- d[1:6, ]
  w <- sample(1:3, 50, TRUE)
  drawn <- stats::runif(50)
  set.seed(22)
  fit <- small_forest(y ~ ., d, weights = w, sample_weights = drawn, importance = "permutation")
  quantiles <- predict(fit, new, type = "quantiles")
  set.seed(23)
  p <- importance(fit, p_values = TRUE, permutations = 3)
  near <- tec_proximity(fit, oob = TRUE)
  kept <- list(d, w, drawn)
  rm(d, w, drawn)
  # The rows are gone, and then without their weights.
  expect_snapshot(show_errors({
    predict(fit, new, type = "quantiles")
    predict(fit, new, type = "quantiles", data = kept[[1]])
    predict(fit, new, type = "quantiles", data = kept[[1]], weights = kept[[2]])
    predict(fit, new, type = "quantiles", data = kept[[1]], weights = 1:3)
    predict(fit, new, type = "quantiles", weights = kept[[2]])
    importance(fit, p_values = TRUE, data = kept[[1]])
    tec_proximity(fit, kept[[1]], oob = TRUE)
  }))
  expect_identical(
    predict(fit, new,
      type = "quantiles", data = kept[[1]], weights = kept[[2]], sample_weights = kept[[3]]
    ),
    quantiles
  )
  set.seed(23)
  expect_identical(
    importance(fit,
      p_values = TRUE, permutations = 3, data = kept[[1]], weights = kept[[2]],
      sample_weights = kept[[3]]
    ),
    p
  )
  expect_identical(
    tec_proximity(fit, kept[[1]], TRUE, weights = kept[[2]], sample_weights = kept[[3]]), near
  )
})

test_that("standard errors are those of the infinitesimal jackknife, minus its bias", {
  set.seed(3)
  d <- forest_data(40, classes = FALSE)
  new <- forest_data(6)
  for (replace in c(TRUE, FALSE)) {
    fit <- small_forest(y ~ ., d, trees = 60, replace = replace)
    counts <- forest_counts(fit)
    by_tree <- vapply(1:60, function(t) predict(fit[[t]], new), numeric(6))
    expect_equal(
      suppressWarnings(predict(fit, new, type = "se")), oracle_jackknife(by_tree, counts, replace)
    )
  }
  d <- forest_data(40)
  fit <- small_forest(y ~ ., d, trees = 60, by_class = TRUE)
  counts <- forest_counts(fit, d$y)
  found <- suppressWarnings(predict(fit, new, type = "se"))
  for (k in 1:3) {
    by_tree <- vapply(1:60, function(t) predict(fit[[t]], new, type = "prob")[, k], numeric(6))
    expect_equal(found[, k], oracle_jackknife(by_tree, counts, TRUE))
  }
  expect_identical(colnames(found), levels(d$y))
})

test_that("too few trees for a standard error give a warning", {
  expect_warning(
    found <- finish_errors(c(4, -1, 0, 1e-30, -1e-30)),
    "1 standard error cannot", class = "tec_warning_trees"
  )
  expect_identical(found, c(2, NA, 0, 0, 0))
  set.seed(4)
  expect_error(
    predict(small_forest(mpg ~ ., mtcars, trees = 1), mtcars, type = "se"), class = "tec_error_oob"
  )
})
