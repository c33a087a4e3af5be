test_that("learners are registered in a new session, whichever package is loaded first", {
  skip_if_not_installed("mlr3")
  for (order in some_of(list(c("tectree", "mlr3"), c("mlr3", "tectree")), 1)) {
    said <- in_new_session(c(
      sprintf("library(%s)", order), "learner <- lrn('classif.tectree', q = 2)",
      "learner$train(tsk('iris'))", "cat(class(learner$model))"
    ))
    expect_identical(said, "tec_tree tec_fit")
  }
})

test_that("a learner's tree is that of the same settings", {
  lrn <- from_package("mlr3", "lrn")
  tsk <- from_package("mlr3", "tsk")
  learner <- lrn("classif.tectree",
    predict_type = "prob", q = 1.5, min_bucket = 2, cp = 0.02, folds = 0
  )
  task <- tsk("iris")
  learner$train(task)
  x <- as.data.frame(task$data(cols = task$feature_names))
  tree <- tec_tree(x = x, y = task$truth(), q = 1.5, min_bucket = 2, cp = 0.02, folds = 0)
  expect_identical(learner$model$tree, tree$tree)
  predicted <- learner$predict(task)
  expect_equal(predicted$prob, predict(tree, x, type = "prob"), ignore_attr = TRUE)
  expect_identical(predicted$response, predict(tree, x))
  expect_identical(names(learner$importance()), importance(tree)$variable)
  expect_identical(learner$selected_features(), variable.names(tree, used = TRUE))
  number <- lrn("regr.tectree", criterion = "l1", max_depth = 2)
  cars <- tsk("mtcars")
  number$train(cars)
  x <- as.data.frame(cars$data(cols = cars$feature_names))
  alone <- tec_tree(x = x, y = cars$truth(), criterion = "l1", max_depth = 2)
  expect_identical(number$predict(cars)$response, predict(alone, x))
})

test_that("weights and missing values go to the tree; a copy and a resampling work", {
  lrn <- from_package("mlr3", "lrn")
  d <- mixed_data(120)
  as_task <- from_package("mlr3", "as_task_classif")
  task <- as_task(d[1:5], target = "y")
  d$w <- rep(c(0.5, 1, 2), 40)
  weighted <- as_task(d[c(1:5, 7)], target = "y")
  weighted$set_col_roles("w", roles = "weights_learner")
  learner <- lrn("classif.tectree")
  learner$train(weighted)
  alone <- tec_tree(x = d[weighted$feature_names], y = d$y, weights = d$w)
  expect_identical(learner$model$tree, alone$tree)
  expect_false(anyNA(learner$clone(deep = TRUE)$predict(weighted)$response))
  from_package("lgr", "get_logger")("mlr3")$set_threshold("warn")
  folds <- from_package("mlr3", "rsmp")("cv", folds = 2)
  resampled <- withr::with_seed(1, from_package("mlr3", "resample")(task, learner, folds))
  expect_equal(nrow(resampled$errors), 0)
})

test_that("every parameter of a learner is an argument of tec_tree()", {
  skip_if_not_installed("paradox")
  known <- c(tree_arguments, control_names)
  for (task in c("classif", "regr")) {
    expect_identical(setdiff(mlr3_parameters(task)$ids(), known), character())
  }
  # Its default is not Inf, so a learner must take it.
  expect_true(mlr3_parameters("classif")$check(list(free_levels = Inf)))
})
