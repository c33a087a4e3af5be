test_that("the area under the curve is pROC's", {
  skip_if_not_installed("pROC")
  set.seed(1)
  for (k in c(2, 3, 5)) {
    truth <- c(seq_len(k), sample(k, 80, TRUE))
    prob <- matrix(round(rexp(length(truth) * k), 1) + 0.01, length(truth))
    prob <- prob / rowSums(prob)
    colnames(prob) <- seq_len(k)
    expected <- if (k == 2) {
      pROC::auc(truth, prob[, 2], levels = c(1, 2), direction = "<")
    } else {
      pROC::auc(pROC::multiclass.roc(truth, prob))
    }
    expect_equal(hand_till(prob, truth), as.numeric(expected))
  }
})

test_that("a row of weight 2 counts as two", {
  set.seed(2)
  truth <- sample(3, 60, TRUE)
  prob <- matrix(sample(4, 180, TRUE), 60)
  prob <- prob / rowSums(prob)
  value <- max.col(prob, "first")
  weight <- sample(1:3, 60, TRUE)
  twice <- rep(1:60, weight)
  once <- list(value = value, prob = prob, nodes = 3, leaves = 2, depth = 1)
  more <- list(value = value[twice], prob = prob[twice, ], nodes = 3, leaves = 2, depth = 1)
  metric <- c("accuracy", "balanced_accuracy", "log_loss", "brier", "auc", "nodes")
  measured <- measure_cell(once, truth, weight, metric)
  expect_equal(measured, measure_cell(more, truth[twice], NULL, metric))
  expect_named(measured, c(metric[1:5], "nodes", "leaves", "depth"))
})

test_that("a share of 0 costs -log(1e-15)", {
  cell <- list(value = 1, prob = matrix(c(1, 0), 1), nodes = 1, leaves = 1, depth = 0)
  expect_equal(measure("log_loss", cell, 2L, NULL), -log(1e-15))
  expect_equal(measure("log_loss", cell, 1L, NULL), 0)
  expect_equal(measure("brier", cell, 2L, NULL), 2)
})

test_that("the area needs two classes", {
  expect_identical(hand_till(matrix(1, 3, 2), c(1, 1, 1)), NA_real_)
})
