test_that("methods are measured on the held-out rows of the same folds", {
  set.seed(1)
  found <- compare_methods(mpg ~ ., mtcars,
    folds = 4, metric = c("rmse", "mae"),
    methods = list(splines = tec_mars, mean = function(f, d) stats::lm(mpg ~ 1, d))
  )
  set.seed(1)
  group <- draw_folds(4L, 32L)
  by_hand <- vapply(1:4, function(k) {
    fit <- tec_mars(mpg ~ ., mtcars[group != k, ])
    sqrt(mean((predict(fit, mtcars[group == k, ]) - mtcars$mpg[group == k])^2))
  }, 0)
  own <- found[found$method == "splines", ]
  expect_equal(own$rmse, mean(by_hand))
  expect_equal(own$rmse_se, stats::sd(by_hand) / 2)
  expect_identical(found$method[1L], "splines")
  expect_true(is.na(found$size[2L]) && own$size >= 1)
  expect_identical(nrow(attr(found, "folds")), 8L)
})

test_that("classes have probabilities, and rows without a prediction are counted", {
  set.seed(2)
  d <- droplevels(iris[51:150, ])
  d$Petal.Length[1:10] <- NA
  found <- suppressMessages(suppressWarnings(compare_methods(Species ~ ., d,
    folds = 3, metric = c("log_loss", "accuracy"),
    methods = list(tree = tec_tree, splines = tec_mars)
  )))
  by <- function(name) found[found$method == name, ]
  expect_identical(by("tree")$no_prediction, 0)
  expect_gt(by("splines")$no_prediction, 0)
  expect_true(all(found$accuracy > 0.8 & found$log_loss > 0))
  expect_false(is.unsorted(found$log_loss))
})

test_that("predictions of other packages must be one per row", {
  skip_if_not_installed("rpart")
  compare <- function(method) compare_methods(Species ~ ., iris, list(rpart = method), folds = 3)
  expect_error(compare(rpart::rpart), "one class or number per row", class = "tec_error_argument")
  registerS3method("predict", "by_class", function(object, newdata, type = "class", ...) {
    stats::predict(object$fit, newdata, type = type)
  })
  found <- compare(function(formula, data) {
    structure(list(fit = rpart::rpart(formula, data)), class = "by_class")
  })
  expect_gt(found$accuracy, 0.8)
  expect_identical(found$no_prediction, 0)
})

test_that("errors say what to do", {
  expect_snapshot(show_errors({
    compare_methods(mpg ~ ., mtcars, list(tec_tree))
    compare_methods(mpg ~ ., mtcars, list(tree = 1))
    compare_methods(mpg ~ ., mtcars, folds = 40)
    compare_methods(mpg ~ ., mtcars, metric = "accuracy")
    compare_methods(data = mtcars)
  }))
})

test_that("the comparison is drawn: folds, means and standard errors", {
  set.seed(1)
  found <- compare_methods(mpg ~ ., mtcars,
    folds = 3, metric = c("rmse", "mae"), methods = list(splines = tec_mars, tree = tec_tree)
  )
  for (metric in c("rmse", "mae")) {
    chart <- methods_chart(found, metric, "red", ink_on("white"))
    drawn <- lapply(chart$layers, `[[`, "data")
    expect_setequal(drawn[[1]]$x, attr(found, "folds")[[metric]])
    expect_equal(drawn[[3]]$x, found[[metric]])
    expect_equal(drawn[[2]]$xend - drawn[[2]]$x, 2 * found[[paste0(metric, "_se")]])
  }
  grDevices::pdf(withr::local_tempfile(fileext = ".pdf"))
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  expect_no_error(plot(found[2, ]))
  expect_no_error(plot(found, "mae"))
  expect_error(plot(found, "auc"), class = "tec_error_argument")
  expect_error(plot(found[0, ]), class = "tec_error_argument")
  expect_error(plot(found, folds = 3), class = "tec_error_argument")
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(found)))
})

test_that("methods and metrics get the weights of their rows", {
  set.seed(1)
  d <- transform(mtcars, w = c(0, 1.5, 2, 5))
  found <- compare_methods(mpg ~ wt + hp, d,
    folds = 3, weights = w, methods = list(
      line = function(formula, data, weights) {
        data$own <- weights
        stats::lm(mpg ~ wt + hp, data, weights = own)
      },
      tree = function(formula, data, weights) tec_tree(formula, data, weights = weights)
    )
  )
  set.seed(1)
  d <- d[d$w > 0, ]
  group <- draw_folds(3L, nrow(d))
  by_hand <- vapply(1:3, function(k) {
    test <- d[group == k, ]
    fit <- stats::lm(mpg ~ wt + hp, d[group != k, ], weights = w)
    sqrt(stats::weighted.mean((predict(fit, test) - test$mpg)^2, test$w))
  }, 0)
  folds <- attr(found, "folds")
  expect_equal(folds$rmse[folds$method == "line"], by_hand)
  tree <- tec_tree(mpg ~ wt + hp, d[group != 1, ], weights = w)
  expect_identical(folds$size[folds$method == "tree"][1L], as.double(n_leaves(tree)))
  expect_error(compare_methods(mpg ~ wt, d, weights = rep(0, nrow(d))), class = "tec_error_weights")
})

test_that("a message of several folds is shown once, with the method", {
  said <- character()
  withCallingHandlers(
    compare_methods(Temp ~ ., airquality, list(tree = tec_tree, splines = tec_mars), folds = 3),
    tec_message_dropped = function(m) {
      said <<- c(said, conditionMessage(m))
      tryInvokeRestart("muffleMessage")
    }
  )
  expect_length(said, 1)
  expect_match(said, "^splines, fold 1: [0-9]+ rows with missing predictors are not used[.]")
})

test_that("columns of probabilities must be named like the classes", {
  compare <- function(prob) {
    registerS3method("predict", "odd_prob", function(object, newdata, type = "class", ...) {
      if (type == "prob") prob(newdata) else rep("setosa", nrow(newdata))
    })
    compare_methods(
      Species ~ ., iris, list(odd = function(formula, data) structure(list(), class = "odd_prob")),
      folds = 3, metric = "auc"
    )
  }
  of <- function(names, rows = 0L) {
    function(data) matrix(1 / 3, nrow(data) + rows, 3, dimnames = list(NULL, names))
  }
  expect_equal(compare(of(levels(iris$Species)))$auc, 0.5)
  expect_equal(compare(of(rev(levels(iris$Species))))$auc, 0.5)
  dotted <- of(paste0(".pred_", levels(iris$Species)))
  expect_error(compare(dotted), "columns .*[.]pred_setosa", class = "tec_error_argument")
  expect_error(compare(of(NULL)), class = "tec_error_argument")
  expect_error(compare(of(levels(iris$Species), 1L)), class = "tec_error_argument")
  expect_error(compare(function(data) rep(0.5, nrow(data))), class = "tec_error_argument")
})

test_that("the size of a tuned tree is that of the chosen one", {
  tuned <- tec_tune(Species ~ ., iris, folds = 2, seed = 1)
  expect_equal(model_size(tuned), n_leaves(tuned$fit))
})
