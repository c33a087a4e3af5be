boosted <- function(method, x, y, ...) {
  control <- caret::trainControl("cv", 2, savePredictions = "all", classProbs = is.factor(y))
  withr::with_seed(1, suppressWarnings(caret::train(x, y,
    method = method, trControl = control, threads = 1, ...
  )))
}

test_that("several numbers of rounds are read off one model, with the same result", {
  slow_test()
  skip_if_not_installed("caret")
  withr::local_envvar(TZ = "UTC")
  d <- mixed_data(100)
  x <- d[c("x", "z", "colour", "size")]
  grid <- expand.grid(rounds = c(3, 12, 7), max_depth = c(1, 3))
  cases <- list(
    list("boost", "number"), list("boost", "y"), list("adaboost", "y"),
    list("boost", "number", folds = 3), list("boost", "y", validation = 0.3),
    list("boost", "y", cyclic = TRUE, pairs = 0)
  )
  for (case in some_of(cases, 2)) {
    one <- tec_caret(case[[1]], c("rounds", "max_depth"))
    apart <- one
    apart$loop <- NULL
    run <- function(method) {
      fits <- list(method, x, d[[case[[2]]]], tuneGrid = grid, na.action = na.pass)
      do.call(boosted, c(fits, case[-(1:2)]))
    }
    grower <- if (case[[1]] == "boost") "grow_boost" else "grow_adaboost"
    fits <- count_calls(grower, together <- run(one))
    expect_equal(fits, 2 * 2 + 1)
    many <- run(apart)
    # Held-out rows and folds are drawn anew for each model.
    if (!any(c("validation", "folds") %in% names(case))) {
      expect_equal(together$results, many$results)
      expect_identical(together$finalModel$trees, many$finalModel$trees)
    }
    expect_false(anyNA(together$results[[together$metric]]))
  }
})

test_that("a model with held-out rows and fewer rounds has the rounds that it would have chosen", {
  d <- boost_data(120)
  fit <- function(rounds, ...) {
    withr::with_seed(1, tec_boost(two ~ a + b + f, d, rounds = rounds, threads = 1, ...))
  }
  for (design in list(list(validation = 0.3, patience = 8), list(folds = 3), list(folds = 0))) {
    all <- do.call(fit, c(list(60), design))
    for (most in c(2, 10, 60)) {
      few <- do.call(fit, c(list(most), design))
      expect_equal(rounds_of_first(all, most), few$rounds)
      found <- caret_predict_boost(all, d, data.frame(rounds = most), "prob")[[2]]
      expect_equal(as.matrix(found), predict(few, d, type = "prob"))
    }
  }
})

test_that("weights, importance and predictors", {
  skip_if_not_installed("caret")
  withr::local_envvar(TZ = "UTC")
  weights <- rep(c(1, 2), 75)
  fit <- boosted(tec_caret("boost", "rate"), iris[1:4], iris$Species,
    weights = weights, rounds = 10, tuneGrid = data.frame(rate = c(0.1, 0.3))
  )
  model <- tec_boost(iris[1:4], iris$Species,
    rate = fit$bestTune$rate, rounds = 10, folds = 0, weights = weights, threads = 1
  )
  expect_identical(fit$finalModel$trees, model$trees)
  expect_identical(predict(fit, iris), predict(model, iris))
  expect_setequal(caret::predictors(fit), names(iris)[model$used])
  shown <- caret::varImp(fit, scale = FALSE)$importance
  expect_identical(rownames(shown)[1], importance(model)$variable[1])
})

test_that("tuning grids of boosting", {
  method <- tec_caret("boost")
  expect_identical(method$parameters$parameter, c("rounds", "max_depth"))
  expect_identical(nrow(method$grid(iris[1:4], iris$Species, 3)), 9L)
  all <- tec_caret("boost", caret_settings$boost)
  drawn <- withr::with_seed(1, all$grid(iris[1:4], iris$Species, 20, "random"))
  expect_named(drawn, caret_settings$boost)
  expect_true(all(drawn$rate > 0 & drawn$rate < 1))
  expect_identical(tec_caret("adaboost")$type, "Classification")
})

test_that("errors of boosting in caret", {
  fit <- tec_boost(mpg ~ wt + hp, mtcars,
    rounds = 2, folds = 0, cyclic = TRUE, pairs = 1, threads = 1
  )
  expect_snapshot(show_errors({
    tec_caret("boost", "mtry")
    tec_caret("gbm")
    caret_predict_boost(fit, mtcars, data.frame(rounds = 1), "response")
  }))
})
