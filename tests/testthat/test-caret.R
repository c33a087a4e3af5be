trained <- function(method, x, y, ...) {
  control <- caret::trainControl("cv", 3, savePredictions = "all", classProbs = is.factor(y))
  withr::with_seed(1, caret::train(x, y, method = method, trControl = control, ...))
}

sorted <- function(pred, by) {
  pred <- pred[do.call(order, unname(as.list(pred[c(by, "rowIndex")]))), sort(names(pred))]
  rownames(pred) <- NULL
  pred
}

test_that("settings that give subtrees are read off one tree, with the same result", {
  skip_if_not_installed("caret")
  d <- mixed_data(150)
  tune <- c("cp", "max_depth", "min_split")
  apart <- tec_caret(tune = tune)
  apart$loop <- NULL
  for (response in some_of(c("y", "number"), 1)) {
    run <- function(method) {
      x <- d[c("x", "z", "colour", "size")]
      trained(method, x, d[[response]], tuneLength = 2, na.action = na.pass)
    }
    fits <- count_fits(one <- run(tec_caret(tune = tune)))
    expect_equal(fits, 3 + 1)
    many <- run(apart)
    expect_equal(one$results, many$results)
    expect_equal(sorted(one$pred, tune), sorted(many$pred, tune))
    expect_identical(one$finalModel$tree, many$finalModel$tree)
  }
})

test_that("only the least restrictive setting of each group is fitted", {
  grid <- data.frame(
    max_depth = c(5, 3, 8, 2, 9), cp = c(0, 0.1, 0.01, 0, 0.01), q = c(1, 1, 1, 1, 2)
  )
  plan <- tec_caret(tune = c("max_depth", "cp", "q"))$loop(grid)
  expect_identical(plan$loop, grid[c(1, 3, 5), ])
  expect_identical(lapply(plan$submodels, rownames), list("4", "2", character()))
  expect_identical(names(plan$submodels[[1]]), c("max_depth", "cp"))
  twice <- tec_caret(tune = "cp")$loop(data.frame(cp = c(0.1, 0.1)))
  expect_equal(c(nrow(twice$loop), nrow(twice$submodels[[1]])), c(1, 1))
})

test_that("predictions, weights, importance", {
  skip_if_not_installed("caret")
  weights <- rep(1:3, 50)
  fit <- trained(tec_caret(tune = "q"), iris[1:4], iris$Species,
    weights = weights, tuneGrid = data.frame(q = c(1, 2))
  )
  tree <- tec_tree(Species ~ ., iris, weights = weights, q = fit$bestTune$q)
  expect_identical(fit$finalModel$tree, tree$tree)
  expect_identical(predict(fit, iris), predict(tree, iris))
  prob <- as.matrix(predict(fit, iris, type = "prob"))
  expect_equal(prob, predict(tree, iris, type = "prob"), ignore_attr = TRUE)
  expect_identical(caret::predictors(fit), variable.names(tree, used = TRUE))
  shown <- caret::varImp(fit, scale = FALSE)$importance
  expect_identical(rownames(shown)[1], importance(tree)$variable[1])
  cart <- trained(tec_caret(), iris[1:4], iris$Species,
    preset = "cart", tuneGrid = data.frame(cp = 0.02)
  )
  alone <- tec_tree(Species ~ ., iris, preset = "cart", cp = 0.02, folds = 0)
  expect_identical(cart$finalModel$tree, alone$tree)
})

test_that("a metric of the user chooses the settings", {
  skip_if_not_installed("caret")
  median_error <- function(data, lev = NULL, model = NULL) {
    c(median_error = stats::median(abs(data$obs - data$pred)))
  }
  control <- caret::trainControl("cv", 3, savePredictions = "all", summaryFunction = median_error)
  fit <- withr::with_seed(1, caret::train(mtcars[-1], mtcars$mpg,
    method = tec_caret(), metric = "median_error", maximize = FALSE, trControl = control,
    tuneGrid = data.frame(cp = c(0.5, 0.05, 0))
  ))
  by <- list(fit$pred$Resample, cp = fit$pred$cp)
  folds <- stats::aggregate(abs(fit$pred$obs - fit$pred$pred), by, stats::median)
  means <- tapply(folds$x, folds$cp, mean)
  expect_equal(fit$results$median_error, unname(c(means)))
  expect_equal(fit$bestTune$cp, as.numeric(names(means)[which.min(means)]))
})

test_that("a random grid, and criteria", {
  skip_if_not_installed("caret")
  control <- caret::trainControl("cv", 2, search = "random")
  method <- tec_caret(tune = c("criterion", "cp", "min_bucket"))
  fit <- withr::with_seed(1, caret::train(Species ~ ., iris,
    method = method, trControl = control, tuneLength = 6
  ))
  expect_false(anyNA(fit$results$Accuracy))
  expect_true(fit$bestTune$criterion %in% tec_criteria()$name)
})

test_that("errors of tec_caret()", {
  expect_snapshot(show_errors({
    tec_caret(tune = "cpp")
    tec_caret(tune = c("q", "criterion"))
    tec_caret(tune = 1)
    tec_caret("cp")
  }))
})
