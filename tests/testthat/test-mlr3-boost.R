test_that("a learner's model is that of the same settings", {
  lrn <- from_package("mlr3", "lrn")
  tsk <- from_package("mlr3", "tsk")
  same <- function(key, of, ...) {
    task <- tsk(of)
    type <- if (is.factor(task$truth())) "prob" else "response"
    learner <- lrn(key, predict_type = type, threads = 1, ...)
    withr::with_seed(1, learner$train(task))
    x <- as.data.frame(task$data(cols = task$feature_names))
    alone <- withr::with_seed(1, tec_boost(x, task$truth(), threads = 1, ...))
    expect_identical(learner$model$trees, alone$trees)
    expect_equal(learner$predict(task)[[type]], predict(alone, x, type = type), ignore_attr = TRUE)
    shown <- importance(alone)
    expect_identical(learner$importance(), stats::setNames(shown$importance, shown$variable))
    expect_setequal(learner$selected_features(), names(x)[alone$used])
  }
  same("classif.tectree_boost", "iris", rounds = 30, max_depth = 2, validation = 0.3, patience = 5)
  same("classif.tectree_boost", "iris", method = "adaboost", rounds = 8, q = 1, min_split = 10)
  same("regr.tectree_boost", "mtcars",
    rounds = 10, rate = 0.3, min_bucket = 3, column_fraction = 0.5, lambda = 2
  )
  same("regr.tectree_boost", "mtcars", rounds = 5, cyclic = TRUE, pairs = 1, monotone = c(wt = -1))
})

test_that("weights and missing values, a resampling", {
  lrn <- from_package("mlr3", "lrn")
  d <- mixed_data(100)
  d$w <- rep(c(0.5, 1), 50)
  task <- from_package("mlr3", "as_task_classif")(d[c(1:5, 7)], target = "y")
  task$set_col_roles("w", roles = "weights_learner")
  learner <- lrn("classif.tectree_boost", rounds = 10, folds = 0, threads = 1)
  learner$train(task)
  alone <- tec_boost(d[task$feature_names], d$y, weights = d$w, rounds = 10, folds = 0, threads = 1)
  expect_identical(learner$model$trees, alone$trees)
  from_package("lgr", "get_logger")("mlr3")$set_threshold("warn")
  folds <- from_package("mlr3", "rsmp")("cv", folds = 2)
  # Folds one after the other, without a future for each.
  withr::local_options(mlr3.debug = TRUE)
  resampled <- withr::with_seed(1, from_package("mlr3", "resample")(task, learner, folds))
  expect_equal(nrow(resampled$errors), 0)
})

test_that("the parameters of a learner are the arguments of tec_boost(), and its settings", {
  skip_if_not_installed("paradox")
  per_row <- c("offset", "weights", "subset", "na.action")
  data <- c("formula", "data", "x", "y", "control")
  for (task in c("classif", "regr")) {
    ids <- mlr3_parameters(task, "boost")$ids()
    expect_identical(setdiff(ids, c(boost_arguments, control_names)), character())
    ada <- if (task == "regr") c("method", "q", "criterion", "beta")
    expect_identical(setdiff(boost_arguments, c(ids, per_row, data, ada)), character())
  }
})
