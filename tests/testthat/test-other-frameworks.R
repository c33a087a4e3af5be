grown <- function(...) withr::with_seed(1, tec_forest(..., trees = 8, threads = 1))

test_that("a butchered forest still predicts and prints", {
  fit <- grown(Species ~ ., iris, q = c(1, 2))
  small <- without_oob(tectree:::without_call(fit))
  expect_s3_class(small, "tec_forest")
  expect_null(small$call)
  expect_null(small$oob$votes)
  expect_lt(object.size(small), object.size(fit))
  expect_identical(format(small), format(fit))
  expect_identical(predict(small, iris), predict(fit, iris))
  expect_identical(glance(small), glance(fit))
  expect_error(predict(small), class = "tec_error_newdata")
  expect_error(augment(small, iris), class = "tec_error_oob")
  expect_error(tec_more(small, 2, data = iris), class = "tec_error_oob")
})

test_that("butcher() removes the same parts", {
  butcher <- from_package("butcher", "butcher")
  fit <- grown(Species ~ ., iris)
  small <- butcher(fit)
  expect_null(small$call)
  expect_null(small$oob$prob)
  expect_identical(predict(small, iris), predict(fit, iris))
})

test_that("vip shows the importance that the forest was grown with", {
  fit <- grown(Species ~ ., iris, importance = "permutation")
  found <- vi_model.tec_fit(fit)
  expect_s3_class(found, "vi")
  expect_identical(found$Variable, importance(fit)$variable)
  expect_identical(found$Importance, importance(fit)$importance)
  expect_identical(attr(found, "type"), "permutation")
  none <- grown(Species ~ ., iris, importance = "none")
  expect_error(vi_model.tec_fit(none), class = "tec_error_argument")
  vi <- from_package("vip", "vi")
  expect_identical(vi(fit)$Variable, importance(fit)$variable)
})

# ---- DALEX ----

explainer_of <- function(fit, data, y) DALEX::explain(fit, data = data, y = y, verbose = FALSE)

test_that("an explainer knows the task and predicts as the tree does", {
  skip_if_not_installed("DALEX")
  number <- tec_tree(mpg ~ ., mtcars)
  three <- tec_tree(Species ~ ., iris)
  two <- toy_tree()
  explainer <- explainer_of(number, mtcars[-1], mtcars$mpg)
  expect_identical(explainer$model_info$type, "regression")
  expect_identical(explainer$model_info$package, "tectree")
  expect_identical(explainer$y_hat, predict(number, mtcars))
  expect_equal(explainer$residuals, residuals(number, mtcars))
  explainer <- explainer_of(three, iris[-5], iris$Species)
  expect_identical(explainer$model_info$type, "multiclass")
  expect_identical(explainer$y_hat, predict(three, iris, type = "prob"))
  explainer <- explainer_of(two, toy()["x"], as.integer(toy()$y == "yes"))
  expect_identical(explainer$model_info$type, "classification")
  expect_identical(explainer$y_hat, unname(predict(two, toy(), type = "prob")[, 2]))
  one <- DALEX::explain(three, iris[-5], as.integer(iris$Species == "virginica"),
    predict_function_target_column = "virginica", verbose = FALSE
  )
  expect_identical(one$model_info$type, "classification")
  expect_identical(one$y_hat, unname(predict(three, iris, type = "prob")[, "virginica"]))
})

test_that("the full model's loss is that of the tree", {
  skip_if_not_installed("DALEX")
  loss <- function(parts, variable) {
    parts$dropout_loss[parts$variable == variable & parts$permutation == max(parts$permutation)]
  }
  number <- tec_tree(mpg ~ ., mtcars)
  set.seed(1)
  parts <- DALEX::model_parts(explainer_of(number, mtcars[-1], mtcars$mpg), B = 1, N = NULL)
  expect_equal(loss(parts, "_full_model_"), sqrt(mean((mtcars$mpg - predict(number, mtcars))^2)))
  unused <- setdiff(names(mtcars)[-1], variable.names(number, used = TRUE))[1]
  expect_equal(loss(parts, unused), loss(parts, "_full_model_"))
  expect_gt(loss(parts, "wt"), loss(parts, "_full_model_"))
  three <- tec_tree(Species ~ ., iris)
  set.seed(1)
  parts <- DALEX::model_parts(explainer_of(three, iris[-5], iris$Species), B = 1, N = NULL)
  prob <- predict(three, iris, type = "prob")[cbind(1:150, as.integer(iris$Species))]
  expect_equal(loss(parts, "_full_model_"), -sum(log(prob)))
  expect_equal(loss(parts, "Sepal.Width"), loss(parts, "_full_model_"))
})

test_that("break-down contributions add up to the tree's prediction", {
  skip_if_not_installed("DALEX")
  number <- tec_tree(mpg ~ ., mtcars)
  row <- mtcars["Fiat 128", ]
  parts <- DALEX::predict_parts(explainer_of(number, mtcars[-1], mtcars$mpg), row[-1])
  inner <- !parts$variable %in% c("prediction")
  expect_equal(sum(parts$contribution[inner]), predict(number, row))
  expect_equal(parts$contribution[parts$variable == "intercept"], mean(predict(number, mtcars)))
  three <- tec_tree(Species ~ ., iris)
  parts <- DALEX::predict_parts(explainer_of(three, iris[-5], iris$Species), iris[71, -5])
  last <- parts[parts$variable == "prediction", ]
  prob <- predict(three, iris[71, ], type = "prob")
  expect_equal(last$contribution[match(paste0("tec_fit.", colnames(prob)), last$label)], c(prob))
})

test_that("iml gets shares or numbers from the tree", {
  predictor <- from_package("iml", "Predictor")
  fit <- tec_tree(Species ~ ., iris)
  asked <- predictor$new(fit, data = iris[-5], y = iris$Species, type = "prob")
  expect_equal(
    as.matrix(asked$predict(iris[c(1, 71), ])), predict(fit, iris[c(1, 71), ], type = "prob"),
    ignore_attr = TRUE
  )
  number <- tec_tree(mpg ~ ., mtcars)
  asked <- predictor$new(number, data = mtcars[-1], y = mtcars$mpg)
  curve <- from_package("iml", "FeatureEffect")
  effect <- curve$new(asked, "wt", method = "pdp", grid.points = 2:4)
  moved <- vapply(2:4, function(wt) mean(predict(number, replace(mtcars, "wt", wt))), 0)
  expect_equal(effect$results$.value, moved)
})

test_that("the parts of kernelshap add up to the prediction", {
  kernelshap <- from_package("kernelshap", "kernelshap")
  number <- tec_tree(mpg ~ wt + hp + cyl, mtcars)
  rows <- mtcars[1:5, c("wt", "hp", "cyl")]
  shap <- kernelshap(number, rows, bg_X = mtcars[c("wt", "hp", "cyl")], verbose = FALSE)
  expect_equal(rowSums(shap$S) + shap$baseline, predict(number, rows), ignore_attr = TRUE)
  fit <- tec_tree(Species ~ ., iris)
  shap <- kernelshap(fit, iris[71, -5], bg_X = iris[-5], type = "prob", verbose = FALSE)
  prob <- vapply(shap$S, sum, 0) + shap$baseline
  expect_equal(prob, predict(fit, iris[71, ], type = "prob")[1, ], ignore_attr = TRUE)
})

test_that("shapviz takes them", {
  kernelshap <- from_package("kernelshap", "kernelshap")
  shapviz <- from_package("shapviz", "shapviz")
  number <- tec_tree(mpg ~ wt + hp, mtcars)
  columns <- mtcars[c("wt", "hp")]
  shap <- kernelshap(number, columns[1:5, ], bg_X = columns, verbose = FALSE)
  expect_equal(shapviz(shap)$S, shap$S, ignore_attr = TRUE)
})

test_that("an explainer of a forest predicts as the forest does", {
  skip_if_not_installed("DALEX")
  number <- withr::with_seed(1, tec_forest(mpg ~ ., mtcars, trees = 20, threads = 1))
  explainer <- explainer_of(number, mtcars[-1], mtcars$mpg)
  expect_identical(explainer$model_info$type, "regression")
  expect_identical(explainer$model_info$package, "tectree")
  expect_identical(explainer$y_hat, predict(number, mtcars))
  row <- mtcars["Fiat 128", ]
  parts <- DALEX::predict_parts(explainer, row[-1])
  expect_equal(sum(parts$contribution[parts$variable != "prediction"]), predict(number, row))
  three <- withr::with_seed(1, tec_forest(Species ~ ., iris, trees = 20, threads = 1))
  explainer <- explainer_of(three, iris[-5], iris$Species)
  expect_identical(explainer$model_info$type, "multiclass")
  expect_identical(explainer$y_hat, predict(three, iris, type = "prob"))
})

# ---- dials ----

test_that("parameters of dials", {
  skip_if_not_installed("dials")
  expect_identical(dials::range_get(tec_q_param()), list(lower = 0.2, upper = 4))
  expect_identical(dials::value_seq(tec_q_param(c(1, 2)), 3), c(1, 1.5, 2))
  classes <- tec_criteria()$name[tec_criteria()$task == "classification"]
  expect_identical(tec_criterion_param()$values, classes)
  expect_identical(dials::value_seq(tec_criterion_param(c("l2", "l1")), 2), c("l2", "l1"))
  expect_error(tec_criterion_param("ginni"), class = "tec_error_criterion")
})

test_that("values that dials rejects are errors of this package", {
  skip_if_not_installed("dials")
  for (range in list(NULL, "a", 1, list(1), c(3, 2))) {
    expect_error(tec_q_param(range), class = "tec_error_argument")
  }
  expect_error(tec_q_param(trans = "log"), class = "tec_error_argument")
  expect_error(tec_criterion_param(mean), class = "tec_error_criterion")
})

test_that("the predictions for DALEX are numbers, or shares of classes", {
  fit <- tec_tree(mpg ~ wt, mtcars)
  expect_equal(yhat.tec_fit(fit, mtcars), predict(fit, mtcars))
  classes <- tec_tree(Species ~ ., iris)
  expect_equal(yhat.tec_fit(classes, iris), predict(classes, iris, type = "prob"))
  two <- tec_tree(factor(am) ~ wt, mtcars)
  expect_equal(
    yhat.tec_fit(two, mtcars), predict(two, mtcars, type = "prob")[, 2L], ignore_attr = TRUE
  )
})
