test_that("learners are registered in a new session, whichever package is loaded first", {
  slow_test()
  skip_if_not_installed("mlr3")
  for (order in some_of(list(c("tectree", "mlr3"), c("mlr3", "tectree")), 1)) {
    said <- in_new_session(c(
      sprintf("library(%s)", order), "learner <- lrn('regr.tectree_forest', trees = 5)",
      "learner$train(tsk('mtcars'))", "cat(class(learner$model))"
    ))
    expect_identical(said, "tec_forest tec_fit")
  }
})

test_that("a learner's forest is that of the same settings", {
  lrn <- from_package("mlr3", "lrn")
  tsk <- from_package("mlr3", "tsk")
  learner <- lrn("classif.tectree_forest",
    predict_type = "prob", trees = 20, mtry = 1, q = c(0.5, 2), importance = "permutation",
    threads = 1
  )
  task <- tsk("iris")
  withr::with_seed(1, learner$train(task))
  x <- as.data.frame(task$data(cols = task$feature_names))
  alone <- withr::with_seed(1, tec_forest(x, task$truth(),
    trees = 20, mtry = 1, q = c(0.5, 2), importance = "permutation", threads = 1
  ))
  expect_identical(learner$model$trees, alone$trees)
  expect_identical(learner$oob_error(), alone$oob$error)
  predicted <- learner$predict(task)
  expect_equal(predicted$prob, predict(alone, x, type = "prob"), ignore_attr = TRUE)
  shown <- importance(alone)
  expect_identical(learner$importance(), stats::setNames(shown$importance, shown$variable))
  expect_identical(learner$selected_features(), variable.names(alone, used = TRUE))
  number <- lrn("regr.tectree_forest", trees = 10, min_split = 10, threads = 1)
  cars <- tsk("mtcars")
  withr::with_seed(1, number$train(cars))
  x <- as.data.frame(cars$data(cols = cars$feature_names))
  alone <- withr::with_seed(1, tec_forest(x, cars$truth(), trees = 10, min_split = 10, threads = 1))
  expect_identical(number$predict(cars)$response, predict(alone, x))
  expect_identical(number$oob_error(), alone$oob$error)
})

test_that("weights and missing values, a resampling, the out-of-bag error as a measure", {
  lrn <- from_package("mlr3", "lrn")
  d <- mixed_data(100)
  d$w <- rep(c(0.5, 1), 50)
  task <- from_package("mlr3", "as_task_classif")(d[c(1:5, 7)], target = "y")
  task$set_col_roles("w", roles = "weights_learner")
  learner <- lrn("classif.tectree_forest", trees = 10, threads = 1)
  withr::with_seed(1, learner$train(task))
  alone <- withr::with_seed(1, {
    tec_forest(d[task$feature_names], d$y, weights = d$w, trees = 10, threads = 1)
  })
  expect_identical(learner$model$trees, alone$trees)
  from_package("lgr", "get_logger")("mlr3")$set_threshold("warn")
  folds <- from_package("mlr3", "rsmp")("cv", folds = 2)
  # Folds one after the other, without a future for each.
  withr::local_options(mlr3.debug = TRUE)
  resampled <- withr::with_seed(1, from_package("mlr3", "resample")(task, learner, folds))
  expect_equal(nrow(resampled$errors), 0)
  oob <- from_package("mlr3", "msr")("oob_error")
  expect_equal(learner$predict(task)$score(oob, learner = learner)[[1]], alone$oob$error)
})

test_that("every parameter of a learner is an argument of tec_forest()", {
  skip_if_not_installed("paradox")
  known <- c(forest_arguments, setdiff(control_names, c("prune", "cp", "alpha", "folds", "cf")))
  for (task in c("classif", "regr")) {
    ids <- mlr3_parameters(task, "forest")$ids()
    expect_identical(setdiff(ids, known), character())
    expect_true(all(c("trees", "mtry", "sample_fraction", "importance") %in% ids))
  }
})
