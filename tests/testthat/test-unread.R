test_that("arguments that the chosen type or method does not use are refused", {
  tree <- tec_tree(Species ~ ., iris)
  number <- tec_tree(mpg ~ ., mtcars)
  set.seed(1)
  forest <- tec_forest(Species ~ ., iris, trees = 3, threads = 1)
  numbers <- tec_forest(mpg ~ ., mtcars, trees = 3, threads = 1)
  boost <- tec_boost(mpg ~ ., mtcars, rounds = 2, folds = 0, max_depth = 2, threads = 1)
  mars <- tec_mars(mpg ~ ., mtcars)
  shap <- tec_shap(number, mtcars)
  tuned <- tec_tune(Species ~ ., iris, q = 1:2, folds = rep(1:2, 75))
  refused <- function(call) {
    call <- substitute(call)
    expect_error(eval(call), class = "tec_error", info = deparse(call)[1L])
  }
  # Of the right type, so that only a check of what is read can find them.
  refused(importance(tree, data = iris))
  refused(importance(tree, repeats = 3))
  refused(importance(mars, y = mtcars$mpg))
  refused(importance(boost, data = mtcars))
  refused(importance(forest, permutations = 3))
  refused(importance(forest, weights = rep(1, 150)))
  refused(importance(forest, p_values = TRUE, repeats = 3))
  refused(predict(forest, iris, weights = rep(1, 150)))
  refused(predict(numbers, mtcars, type = "quantiles", data = mtcars, y = mtcars$mpg))
  refused(predict(numbers, mtcars, type = "se", y = mtcars$mpg))
  refused(tec_more(forest, 2, y = iris$Species))
  refused(tec_more(boost, 2, weights = rep(1, 32)))
  refused(tec_more(boost, 2, data = mtcars, sample_weights = rep(1, 32)))
  refused(tec_proximity(forest, iris, weights = rep(1, 150)))
  refused(tec_prune(tree, alpha = 0.1, cf = 0.25))
  refused(tec_prune(tree, alpha = 0.1, data = iris))
  refused(tec_prune(tree, "ebp", risk = "impurity"))
  refused(tec_prune(tree, "ebp", raise = FALSE, data = iris))
  refused(tec_prune(tree, alpha = "min", weights = rep(1, 150)))
  refused(tec_prune(tree, node = 1, validation = iris))
  refused(tec_shrink(tree, 2, data = iris))
  refused(tec_shrink(tree, 2, folds = 3))
  refused(tec_shrink(tree, "cv", y = iris$Species))
  refused(tec_shrink(forest, 2, folds = 3))
  refused(tec_shrink(forest, 2, weights = rep(1, 150)))
  refused(tec_gains(tree, y = iris$Species))
  refused(tec_dependence(number, "wt", values = 1:3, n = 10))
  refused(tec_dependence(number, "wt", class = "a"))
  refused(tec_picture(number, "calibration", data = mtcars, class = "a"))
  refused(tec_picture(tree, "cp", data = iris))
  refused(tec_shap(boost, mtcars, class = "a"))
  refused(summary(tree, y = iris$Species))
  refused(summary(mars, y = mtcars$mpg))
  refused(explain(mars, mtcars[1, ], class = "a"))
  refused(plot(tree, data = iris))
  refused(plot(shap, row = 2))
  refused(plot(shap, predictor = "wt"))
  refused(plot(shap, type = "dependence", most = 3))
  refused(plot(tuned, what = "tree", col = "red"))
  refused(tec_boost(mpg ~ ., mtcars, rounds = 2, folds = 0, beta = list()))
  refused(tec_boost(Species ~ ., iris, rounds = 2, method = "adaboost", lambda = 2))
  refused(print(shap, quote = FALSE))
  refused(as_tec_tree(tree, data = iris))
})

test_that("the error names the use of the argument", {
  fit <- tec_tree(Species ~ ., iris)
  expect_snapshot(show_errors({
    importance(fit, data = iris)
    tec_prune(fit, "ebp", risk = "impurity")
    tec_shrink(fit, 2, sample_weights = 1)
    summary(fit, y = iris$Species)
  }))
})

test_that("arguments that belong together are accepted", {
  set.seed(1)
  fit <- tec_forest(mpg ~ ., mtcars, trees = 5, threads = 1)
  some <- mtcars[1:3, ]
  expect_identical(
    predict(fit, some, type = "se", data = mtcars), predict(fit, some, type = "se")
  )
  expect_error(predict(fit, some, type = "se", data = some), class = "tec_error")
  tree <- tec_tree(Species ~ ., iris)
  expect_s3_class(tec_prune(tree, "ebp", data = iris, weights = rep(1, 150)), "tec_tree")
})

# One object of each class that has methods with `...`.
objects_with_methods <- function() {
  set.seed(1)
  tree <- tec_tree(Species ~ ., iris)
  numbers <- tec_tree(mpg ~ wt, mtcars)
  forest <- tec_forest(Species ~ ., iris, trees = 3, threads = 1)
  boost <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0, threads = 1)
  rotation <- tec_rotation(Species ~ ., iris, trees = 2, threads = 1)
  mars <- tec_mars(mpg ~ wt, mtcars)
  by_q <- compare_criteria(Species ~ ., iris, criteria = c("tsallis", "gini"), q = 1, folds = 2)
  list(
    tec_tree = tree, tec_forest = forest, tec_boost = boost, tec_rotation = rotation,
    tec_mars = mars, tec_tune = tec_tune(Species ~ ., iris, q = 1:2, folds = 2),
    tec_methods = compare_methods(mpg ~ wt, mtcars, list(tree = tec_tree), folds = 2),
    tec_comparison = by_q, tec_shap = tec_shap(tree, iris[1:2, ]), tec_shapes = tec_shapes(boost),
    tec_importance = importance(tree), tec_rules = tec_rules(tree), tec_cp_table = cp_table(tree),
    tec_dependence = tec_dependence(numbers, "wt", mtcars),
    tec_gains = tec_gains(tree, iris, class = "setosa"),
    tec_picture = tec_picture(tree, "importance"),
    tec_scores = tec_scores(Species ~ ., iris), tec_explanation = explain(tree, iris[1, ]),
    tec_mars_explanation = explain(mars, mtcars[1, ]), tec_control = tec_control(),
    tec_criterion = tec_criterion("gini"), tec_engine = tec_engine(),
    tec_partition = tec_partition(c(1, 1, 2)), tec_components = tec_components(rotation),
    summary.tec_tree = summary(tree), summary.tec_forest = summary(forest),
    summary.tec_rotation = summary(rotation), summary.tec_mars = summary(mars)
  )
}

test_that("every method refuses an argument that it does not have", {
  slow_test()
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("partykit")
  skip_if_not_installed("generics")
  local_pdf <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(local_pdf)
  on.exit(grDevices::dev.off())
  objects <- objects_with_methods()
  # Those of helpers are functions, not names.
  table <- getNamespaceInfo("tectree", "S3methods")
  table <- table[vapply(table[, 3L], is.character, NA), 1:3]
  # What other packages or R's own functions call, with arguments of theirs; what passes all on.
  theirs <- c(
    "str", "all.equal", "makeContent", "knit_print", "axe_call", "axe_fitted", "model_info", "yhat",
    "vi_model", "shapviz", "min_grid", "multi_predict", "$", "[", "c"
  )
  checked <- character()
  for (i in seq_len(nrow(table))) {
    generic <- sub("^.*::", "", table[[i, 1L]])
    x <- objects[[table[[i, 2L]]]]
    method <- table[[i, 3L]]
    fun <- get(method, asNamespace("tectree"))
    if (is.null(x) || generic %in% theirs || !"..." %in% names(formals(fun))) next
    args <- list(x, no_such_argument = 1)
    if (generic == "[[") args <- list(x, 1, no_such_argument = 1)
    if (method == "prune.tec_tree") args$cp <- 0.1
    found <- tryCatch(
      utils::capture.output(suppressMessages(do.call(fun, args, quote = TRUE))),
      error = identity
    )
    checked <- c(checked, method)
    says <- if (inherits(found, "tec_error")) conditionMessage(found) else "no error"
    expect_match(says, "no_such_argument", fixed = TRUE, label = method)
  }
  expect_gt(length(checked), 150)
})

test_that("another package's name for an argument of predict() is an error that names ours", {
  forest <- tec_forest(Species ~ ., iris, trees = 3, threads = 1)
  boost <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0, threads = 1)
  expect_snapshot(error = TRUE, {
    predict(forest, data = iris)
    predict(forest, new_data = iris)
    predict(forest, iris, num.threads = 1)
    predict(forest, iris, predict.all = TRUE)
    predict(boost, mtcars, n.trees = 2)
    predict(boost, data = mtcars)
  })
})
