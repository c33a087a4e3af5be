# Grown by a call that finds the rows again.
grown <- function(...) {
  call <- sys.call()
  call[[1L]] <- quote(tec_forest)
  call$trees <- 8
  call$threads <- 1
  withr::with_seed(1, eval(call, parent.frame()))
}

test_that("tidy() has one row per tree, or the nodes of some trees", {
  fit <- grown(Species ~ ., iris)
  tidied <- generics::tidy(fit)
  for (i in c(1, 5, 8)) {
    tree <- fit[[i]]
    expect_identical(
      unlist(tidied[i, c("tree", "nodes", "leaves", "depth")], use.names = FALSE),
      as.integer(c(i, n_nodes(tree), n_leaves(tree), tree_depth(tree)))
    )
    expect_equal(tidied$weight[i], 150)
  }
  nodes <- generics::tidy(fit, trees = c(5, 2))
  expect_equal(unique(nodes$tree), c(5, 2))
  expect_equal(as.data.frame(nodes[nodes$tree == 2, -1]), as.data.frame(tidy(fit[[2]])))
})

test_that("glance() has the out-of-bag measures", {
  fit <- grown(Species ~ ., iris, q = 1.5)
  found <- generics::glance(fit)
  known <- fit$oob$times > 0
  wrong <- fit$oob$response[known] != iris$Species[known]
  expect_identical(nrow(found), 1L)
  expect_identical(found$parameter, 1.5)
  expect_identical(found$trees, 8L)
  expect_identical(found$mtry, 2L)
  expect_equal(found$oob.error, mean(wrong))
  expect_equal(found$accuracy, 1 - mean(wrong))
  expect_equal(found$leaves, mean(vapply(1:8, function(i) n_leaves(fit[[i]]), 0L)))
  truth <- outer(as.integer(iris$Species), 1:3, "==")
  expect_equal(found$brier.score, mean(rowSums((fit$oob$prob - truth)^2)[known]))
  number <- grown(mpg ~ ., mtcars)
  found <- generics::glance(number)
  error <- (number$oob$response - mtcars$mpg)[number$oob$times > 0]
  expect_equal(found$rmse, sqrt(mean(error^2)))
  y <- mtcars$mpg[number$oob$times > 0]
  expect_equal(found$r.squared, 1 - sum(error^2) / sum((y - mean(y))^2))
  all <- grown(Species ~ ., iris, replace = FALSE, sample_fraction = 1)
  expect_true(is.na(generics::glance(all)$oob.error))
})

test_that("augment() has out-of-bag predictions of training rows, others of new ones", {
  fit <- grown(Species ~ ., iris)
  found <- generics::augment(fit)
  expect_identical(found$.fitted, fit$oob$response)
  prob <- as.matrix(found[paste0(".prob_", levels(iris$Species))])
  expect_equal(prob, fit$oob$prob, ignore_attr = TRUE)
  expect_identical(found$.resid, as.double(fit$oob$response != iris$Species))
  expect_identical(generics::augment(fit, iris), found)
  # Without the response the rows are still those of training.
  expect_identical(generics::augment(fit, iris[-5])$.fitted, fit$oob$response)
  new <- generics::augment(fit, newdata = iris)
  expect_identical(new$.fitted, predict(fit, iris))
  expect_identical(new$.resid, as.double(predict(fit, iris) != iris$Species))
  expect_false(".resid" %in% names(generics::augment(fit, newdata = iris[1:4])))
  number <- grown(mpg ~ ., mtcars)
  expect_equal(generics::augment(number)$.resid, mtcars$mpg - number$oob$response)
  log_fit <- grown(log(mpg) ~ ., mtcars)
  expect_equal(
    generics::augment(log_fit, newdata = mtcars)$.resid, log(mtcars$mpg) - predict(log_fit, mtcars)
  )
})

test_that("augment() leaves out rows that were not used", {
  d <- iris
  d$Species[c(3, 70)] <- NA
  fit <- suppressMessages(grown(Species ~ ., d))
  found <- generics::augment(fit, d)
  expect_identical(nrow(found), 148L)
  expect_identical(found$Species, d$Species[-c(3, 70)])
  expect_identical(found$.fitted, fit$oob$response)
  expect_identical(generics::augment(fit), found)
  by_xy <- grown(iris[1:4], iris$Species)
  expect_identical(generics::augment(by_xy, iris[1:4])$.fitted, by_xy$oob$response)
})

test_that("errors of the tidiers", {
  fit <- grown(Species ~ ., iris)
  expect_snapshot(show_errors({
    tidy(fit, trees = 9)
    augment(fit, iris[1:100, ])
    augment(fit, iris[c(1, 1:149), ])
    augment(fit, iris[1:10, -5])
    augment(fit, newdata = iris[2:5])
  }))
  small <- fit
  small$oob <- NULL
  expect_error(augment(small), class = "tec_error_oob")
})
