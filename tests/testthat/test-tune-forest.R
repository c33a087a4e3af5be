test_that("by folds, settings are those of a naive loop over the same folds", {
  d <- mixed_data(120)
  fold <- rep(1:3, 40)
  cases <- list(
    list("number", c("rmse", "mae")), list("y", c("accuracy", "log_loss", "auc")),
    list("y", "brier", probability = TRUE), list("y", "accuracy", prior = c(0.2, 0.3, 0.5))
  )
  for (case in some_of(cases, 2)) {
    formula <- stats::reformulate(c("x", "z", "colour", "size"), case[[1]])
    weights <- sample(c(1, 2), 120, TRUE)
    more <- c(list(trees = 15), case[-(1:2)])
    args <- list(formula, d, mtry = c(1, 3), min_bucket = c(1, 6), metric = case[[2]],
      weights = weights, folds = fold, threads = 1, model = "forest"
    )
    tuned <- do.call(tec_tune, c(args, more))
    metric <- case[[2]][1]
    for (i in seq_len(4)) {
      setting <- as.list(tuned$table[i, c("mtry", "min_bucket")])
      base <- list(
        "forest", formula, d, fold, case[[2]], weights = weights, seed = tuned$seed
      )
      naive <- mean_of_folds(do.call(naive_model_folds, c(base, setting, more)))
      expect_equal(unlist(tuned$table[i, case[[2]]]), naive[1, ], ignore_attr = TRUE)
    }
    best <- order(tuned$table[[metric]] * if (is_largest(metric)) -1 else 1, tuned$table$nodes)[1]
    expect_identical(tuned$chosen, best)
    chosen <- as.list(tuned$table[best, c("mtry", "min_bucket")])
    alone <- do.call(tec_forest, c(
      list(formula, d, weights = weights, threads = 1, seed = tuned$seed), chosen, more
    ))
    expect_identical(tuned$fit$trees, alone$trees)
  }
})

test_that("without folds, settings are compared by their out-of-bag predictions", {
  d <- mixed_data(100)
  tuned <- tec_tune(y ~ z + colour + size, d,
    model = "forest", mtry = 1:3, max_depth = c(2, Inf), trees = 20, threads = 1,
    metric = c("accuracy", "brier")
  )
  expect_identical(tuned$by, "oob")
  naive <- lapply(seq_len(6), function(i) {
    tec_forest(y ~ z + colour + size, d,
      mtry = tuned$table$mtry[i], max_depth = tuned$table$max_depth[i], trees = 20, threads = 1,
      seed = tuned$seed
    )
  })
  expect_equal(tuned$table$accuracy, vapply(naive, function(fit) 1 - fit$oob$error, 0))
  expect_equal(tuned$table$brier, vapply(naive, function(fit) fit$oob$brier, 0))
  expect_equal(tuned$table$nodes, vapply(naive, function(fit) length(fit$trees$variable), 0))
  expect_identical(tuned$fit$trees, naive[[tuned$chosen]]$trees)
  expect_equal(1 - tuned$fit$oob$error, tuned$table$accuracy[tuned$chosen])
  number <- tec_tune(mpg ~ ., mtcars, model = "forest", mtry = c(2, 5), trees = 60, threads = 1)
  expect_equal(number$table$rmse[number$chosen], sqrt(number$fit$oob$error))
})

test_that("what concerns the data is said once, and columns of the data are found", {
  d <- mtcars
  d$mpg[1:2] <- NA
  d$w <- rep(1:2, 16)
  expect_message(
    tuned <- tec_tune(mpg ~ hp, d,
      model = "forest", min_bucket = c(2, 4), sample_weights = w, trees = 5, threads = 1
    ),
    "2 rows with a missing response"
  )
  alone <- suppressMessages(tec_forest(mpg ~ hp, d,
    min_bucket = tuned$table$min_bucket[tuned$chosen], sample_weights = w, trees = 5, threads = 1,
    seed = tuned$seed
  ))
  expect_identical(tuned$fit$trees, alone$trees)
})

test_that("criteria and q", {
  tuned <- tec_tune(Species ~ ., iris,
    model = "forest", q = c(0.5, 2), criterion = c("tsallis", "gini"), trees = 10, threads = 1
  )
  expect_identical(tuned$table$criterion, c("tsallis", "tsallis", "gini"))
  errors <- c(
    tec_forest(Species ~ ., iris, q = 0.5, trees = 10, threads = 1, seed = tuned$seed)$oob$error,
    tec_forest(Species ~ ., iris, q = 2, trees = 10, threads = 1, seed = tuned$seed)$oob$error,
    tec_forest(Species ~ ., iris,
      criterion = "gini", trees = 10, threads = 1, seed = tuned$seed
    )$oob$error
  )
  expect_equal(tuned$table$accuracy, 1 - errors)
  shown <- tec_forest(Species ~ ., iris,
    criterion = tec_criterion("beta", beta = 2), trees = 5, threads = 1, seed = 1
  )
  beta <- withr::with_seed(1, tec_tune(Species ~ ., iris,
    model = "forest", beta = 2, trees = 5, threads = 1
  ))
  expect_identical(beta$fit$criterion, shown$criterion)
})

test_that("other names, default grids, x and y, plots", {
  run <- function(...) {
    withr::with_seed(1, tec_tune(iris[1:4], iris$Species, model = "forest", threads = 1, ...))
  }
  ours <- run(mtry = 1:2, trees = 10, min_split = c(2, 6))
  theirs <- run(mtry = 1:2, num.trees = 10, min.node.size = c(1, 5))
  expect_equal(theirs$table, ours$table)
  expect_identical(theirs$fit$trees, ours$fit$trees)
  usual <- run(trees = 5)
  expect_setequal(usual$several, c("criterion", "mtry", "min_bucket"))
  expect_identical(sort(unique(usual$table$mtry)), c(1, 2, 3, 4))
  expect_identical(unique(run(trees = 5, tune = "max_depth")$table$max_depth), c(4, 8, 16, Inf))
  withr::local_seed(3)
  expect_snapshot(print(run(trees = 20, mtry = 1:3), width = 80))
  withr::local_pdf(tempfile(fileext = ".pdf"))
  expect_identical(plot(usual), usual)
  expect_silent(plot(usual, what = "tree"))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(usual), "ggplot")
})

test_that("errors of tuning forests", {
  expect_snapshot(show_errors({
    tec_tune(mpg ~ ., mtcars, model = "forest", by = "mdl")
    tec_tune(mpg ~ ., mtcars, model = "forest", by = "oob", folds = 3)
    tec_tune(mpg ~ ., mtcars, model = "forest", rule = "1se")
    tec_tune(mpg ~ ., mtcars, model = "forest", rounds = 1:3)
    tec_tune(mpg ~ ., mtcars, model = "forest", localImp = TRUE)
    tec_tune(mpg ~ ., mtcars, model = "forest", mtry = 20:21, trees = 5, threads = 1)
    tec_tune(mpg ~ ., mtcars,
      model = "forest", replace = FALSE, sample_fraction = 1, trees = 5, threads = 1
    )
  }))
})
