scores <- function(accuracy, nodes, q = NULL, se = 0.01) {
  out <- data.frame(accuracy = accuracy, accuracy_se = se, nodes = nodes)
  if (!is.null(q)) out$q <- q
  out
}

test_that("the best wins; of equals the smaller, then the q nearest 1, then the first", {
  row <- function(...) choose_setting(scores(...), "accuracy", "best")$row
  expect_equal(row(c(0.7, 0.9, 0.8), c(3, 9, 3)), 2)
  expect_equal(row(c(0.9, 0.9 + 1e-13, 0.8), c(3, 9, 3)), 1)
  expect_equal(row(c(0.9, 0.9 + 1e-11, 0.8), c(3, 9, 3)), 2)
  expect_equal(row(c(0.9, 0.9, 0.9), c(5, 3, 3), q = c(1, 3, 1.5)), 3)
  expect_equal(row(c(0.9, 0.9, 0.9), c(3, 3, 3), q = c(0.5, 1.2, 3)), 2)
  expect_equal(row(c(0.9, 0.9), c(3, 3)), 1)
  expect_equal(row(c(NA, 0.9), c(1, 3)), 2)
  expect_equal(row(c(0.9, 0.9), c(3, 3), q = c(NA, 5)), 2)
})

test_that("the reason says which rule decided", {
  why <- function(...) choose_setting(scores(...), "accuracy", "best")$why
  expect_equal(why(c(0.7, 0.9), c(3, 9)), "highest accuracy")
  expect_equal(why(c(0.9, 0.9), c(3, 9)), "highest accuracy of 2 equal settings, fewest nodes")
  q_nearest <- "highest accuracy of 3 equal settings, fewest nodes, q nearest 1"
  expect_equal(why(c(0.9, 0.9, 0.9), c(3, 9, 3), q = c(2, 1, 3)), q_nearest)
  first <- "highest accuracy of 2 equal settings, first in the grid"
  expect_equal(why(c(0.9, 0.9), c(3, 3)), first)
  expect_equal(why(c(0.9, 0.9), c(3, 3), q = c(2, 2)), first)
  table <- data.frame(nodes = c(3, 9), nodes_se = 1)
  expect_equal(choose_setting(table, "nodes", "best")$why, "fewest nodes")
})

test_that("smaller values are better for some metrics", {
  table <- data.frame(rmse = c(3, 2), rmse_se = 1, nodes = c(1, 9))
  expect_equal(choose_setting(table, "rmse", "best")$row, 2)
  expect_equal(choose_setting(table, "rmse", "1se")$row, 1)
})

test_that("the smallest tree within one standard error of the best", {
  table <- scores(c(0.80, 0.88, 0.90, 0.895), c(3, 5, 9, 5), se = c(1, 1, 0.02, 1))
  choice <- choose_setting(table, "accuracy", "1se")
  expect_equal(choice$row, 4)
  expect_equal(choice$best, 3)
  expect_match(choice$why, "3 settings")
  table$accuracy_se <- NA
  expect_equal(choose_setting(table, "accuracy", "1se")$row, 3)
})

test_that("standard errors do not shrink with repeats", {
  values <- array(rnorm(2 * 30), c(2, 1, 30), list(NULL, "accuracy", NULL))
  out <- summarise_cells(values, 10)
  expect_equal(out$accuracy, rowMeans(values[, 1, ]))
  expect_equal(out$accuracy_se, apply(values[, 1, ], 1, sd) / sqrt(10))
})

test_that("folds on which a metric is not defined count for no setting", {
  values <- array(c(1, 2, NA, NA, 3, 5), c(2, 1, 3), list(NULL, "auc", NULL))
  expect_equal(summarise_cells(values, 3)$auc, c(2, 3.5))
  expect_equal(summarise_cells(values, 3)$auc_se, c(1, 1.5))
})
