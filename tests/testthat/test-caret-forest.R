trained <- function(method, x, y, control = caret::trainControl("oob"), ...) {
  withr::with_seed(1, caret::train(x, y, method = method, trControl = control, ...))
}

test_that("a forest is tuned by its out-of-bag error", {
  withr::local_envvar(TZ = "UTC")
  skip_if_not_installed("caret")
  fit <- trained(tec_caret("forest"), iris[1:4], iris$Species, trees = 20, threads = 1,
    tuneGrid = data.frame(mtry = c(1, 3))
  )
  expect_s3_class(fit$finalModel, "tec_forest")
  expect_identical(fit$results$mtry, c(1, 3))
  oob <- fit$finalModel$oob
  measured <- caret_oob(fit$finalModel)
  known <- oob$times > 0
  peer <- caret::postResample(oob$response[known], iris$Species[known])
  expect_equal(measured, peer)
  number <- trained(tec_caret("forest"), mtcars[-1], mtcars$mpg, trees = 50, threads = 1,
    tuneLength = 2
  )
  expect_false(anyNA(number$results$RMSE))
  expect_equal(caret_oob(number$finalModel)[["RMSE"]], sqrt(number$finalModel$oob$error))
})

test_that("forests are resampled, with several settings, weights and predictions", {
  skip_if_not_installed("caret")
  d <- mixed_data(100)
  x <- d[c("x", "z", "colour", "size")]
  weights <- rep(c(1, 2), 50)
  cv <- caret::trainControl("cv", 2, classProbs = TRUE)
  fit <- trained(tec_caret("forest", c("mtry", "min_split")), x, d$y,
    control = cv, weights = weights, trees = 15, threads = 1, na.action = na.pass,
    tuneGrid = expand.grid(mtry = c(1, 4), min_split = c(2, 20))
  )
  expect_equal(nrow(fit$results), 4)
  expect_false(anyNA(fit$results$Accuracy))
  forest <- fit$finalModel
  expect_equal(sum(forest$root), length(weights))
  expect_identical(predict(fit, x, na.action = na.pass), predict(forest, x))
  prob <- predict(fit, x, type = "prob", na.action = na.pass)
  expect_equal(as.matrix(prob), predict(forest, x, type = "prob"), ignore_attr = TRUE)
  expect_setequal(caret::predictors(fit), variable.names(forest, used = TRUE))
  shown <- caret::varImp(fit, scale = FALSE)$importance
  expect_identical(rownames(shown)[1], importance(forest)$variable[1])
})

test_that("random search stays among the predictors", {
  grid <- withr::with_seed(1, {
    tec_caret("forest")$grid(iris[1:4], iris$Species, 30, "random")
  })
  expect_setequal(grid$mtry, 1:4)
  expect_identical(tec_caret("forest")$grid(iris[1:4], iris$Species, 3)$mtry, c(2, 3, 4))
  expect_identical(tec_caret("forest")$grid(iris[1], iris$Species, 1)$mtry, 1)
})

test_that("errors of forests in caret", {
  all <- withr::with_seed(1, {
    tec_forest(Species ~ ., iris, trees = 2, replace = FALSE, sample_fraction = 1, threads = 1)
  })
  expect_snapshot(show_errors({
    tec_caret("forest", "cp")
    tec_caret(tune = "mtry")
    tec_caret("forests")
    caret_oob(all)
  }))
})
