#' @srrstats {ML7.5} The rate that is chosen has the smallest error of all.
test_that("rounds, depth and rate are those of a naive loop over the same folds", {
  slow_test()
  d <- mixed_data(120)
  fold <- rep(1:3, 40)
  cases <- list(
    list("number", "rmse"), list("number", c("mae", "rmse"), sample_fraction = 0.6),
    list("y", c("log_loss", "accuracy", "brier")), list("y", "auc", column_fraction = 0.5)
  )
  for (case in some_of(cases, 2)) {
    formula <- stats::reformulate(c("x", "z", "colour", "size"), case[[1]])
    weights <- sample(c(1, 2, 0.5), 120, TRUE)
    more <- utils::modifyList(
      list(sample_fraction = 1, column_fraction = 1, min_bucket = 10), case[-(1:2)]
    )
    args <- list(formula, d, max_depth = c(1, 3), rate = c(0.1, 0.4), metric = case[[2]],
      weights = weights, patience = 5, folds = fold, threads = 1, model = "boost"
    )
    tuned <- do.call(tec_tune, c(args, more))
    metric <- case[[2]][1]
    sign <- if (is_largest(metric)) -1 else 1
    best <- numeric()
    for (i in seq_len(nrow(tuned$table))) {
      setting <- as.list(tuned$table[i, c("max_depth", "rate")])
      path <- tuned$paths[tuned$paths$setting == i, ]
      rounds <- c(setting, list(
        "boost", formula, d, fold, case[[2]], weights = weights, rounds = path$rounds,
        seed = tuned$seed
      ))
      naive <- mean_of_folds(do.call(naive_model_folds, c(rounds, more)))
      expect_equal(as.matrix(path[case[[2]]]), naive, ignore_attr = TRUE)
      expect_equal(tuned$table$rounds[i], which.min(sign * naive[, metric]))
      # The run ends where the best is five rounds ago, or more: fifty at a time. Otherwise it ends
      # at the limit of 1,000 rounds.
      ends <- nrow(path) - tuned$table$rounds[i]
      expect_true(ends >= 5 && ends < 55 || ends < 5 && nrow(path) == 1000L)
      best[i] <- min(sign * naive[, metric])
    }
    expect_equal(tuned$chosen, which.min(best))
    expect_equal(tuned$table[[metric]][tuned$chosen], sign * min(best))
    chosen <- as.list(tuned$table[tuned$chosen, c("max_depth", "rate", "rounds")])
    alone <- do.call(tec_boost, c(
      list(formula, d, weights = weights, threads = 1, seed = tuned$seed, folds = 0), chosen, more
    ))
    expect_identical(tuned$fit$trees, alone$trees)
    expect_identical(predict(tuned, d), predict(alone, d))
  }
})

test_that("one fit per fold gives all rounds", {
  calls <- count_calls("tec_boost_fit_", {
    tuned <- tec_tune(mpg ~ wt + hp, mtcars,
      model = "boost", rounds = c(5, 40, 20), rate = c(0.1, 0.3), folds = 4, threads = 1
    )
  })
  expect_equal(calls, 2 * 4 + 1)
  expect_equal(tuned$table$rounds, rep(c(5, 20, 40), 2))
  expect_null(tuned$stopped)
  expect_identical(tuned$fit$rounds, tuned$table$rounds[tuned$chosen])
})

test_that("AdaBoost, predictors in turn, and an offset", {
  d <- mixed_data(90)
  fold <- rep(1:3, 30)
  formula <- y ~ z + colour + size
  tuned <- suppressMessages(tec_tune(formula, d,
    model = "boost", method = "adaboost", max_depth = c(1, 3), rounds = 12, folds = fold,
    threads = 1
  ))
  for (i in 1:2) {
    naive <- mean_of_folds(naive_model_folds("boost", formula, d, fold, "accuracy",
      method = "adaboost", max_depth = tuned$table$max_depth[i], rounds = 1:12, seed = tuned$seed
    ))
    expect_equal(tuned$paths$accuracy[tuned$paths$setting == i], naive[, "accuracy"])
  }
  # Models with pairs are grown anew for each number of rounds.
  turns <- tec_tune(number ~ z + size, d,
    model = "boost", cyclic = TRUE, pairs = 1, rounds = c(3, 8), folds = fold, threads = 1
  )
  naive <- vapply(c(3, 8), function(rounds) {
    folds <- naive_model_folds("boost", number ~ z + size, d, fold, "rmse",
      cyclic = TRUE, pairs = 1, seed = turns$seed, nrounds = rounds, folds = 0
    )
    mean_of_folds(folds)[1, 1]
  }, 0)
  expect_equal(turns$table$rmse, naive)
  d$known <- d$number - 1
  with_offset <- tec_tune(number ~ z, d,
    model = "boost", rounds = c(1, 5), offset = known, folds = fold, threads = 1
  )
  expect_lt(with_offset$table$rmse[1], 0.2)
  expect_identical(with_offset$fit$call$offset, quote(known))
})

test_that("other names, default grids and single values", {
  run <- function(...) {
    withr::with_seed(1, tec_tune(mpg ~ wt + hp + qsec, mtcars, model = "boost", threads = 1, ...))
  }
  ours <- run(rate = c(0.1, 0.3), rounds = 30, folds = 3, patience = 10, max_depth = 2)
  theirs <- run(
    eta = c(0.1, 0.3), nrounds = 30, nfold = 3, early_stopping_rounds = 10, tree_depth = 2
  )
  expect_equal(theirs$table, ours$table)
  expect_identical(theirs$fit$trees, ours$fit$trees)
  expect_identical(theirs$fit$call$rounds, ours$fit$call$rounds)
  columns <- run(mtry = 1:3, folds = 2, rounds = 20)
  expect_equal(columns$table$column_fraction, c(1 / 3, 2, 3))
  expect_identical(columns$fit$settings$drawn_columns, c(1, 2, 0)[columns$chosen])
  usual <- run(folds = 2, rounds = 20)
  expect_identical(usual$grid, c("max_depth", "rate"))
  expect_equal(nrow(usual$table), 12)
  expect_identical(run(folds = 2, rate = 0.2, rounds = 20)$grid, "max_depth")
  expect_identical(run(folds = 2, tune = "mtry", rounds = 20)$grid, "column_fraction")
  none <- run(folds = 2, tune = character(), rounds = 7)
  expect_identical(none$fit$rounds, 7L)
  expect_null(none$stopped)
})

test_that("x and y, resamples with weights, another process", {
  d <- mixed_data(80)
  x <- d[c("z", "colour")]
  tuned <- tec_tune(x, d$number, model = "boost", rounds = c(2, 6), folds = 2, threads = 1)
  expect_s3_class(tuned$fit, "tec_boost")
  skip_if_not_installed("rsample")
  set.seed(1)
  boots <- rsample::bootstraps(d, 2)
  tuned <- tec_tune(number ~ z + colour, d,
    model = "boost", rounds = 5, tune = character(), folds = boots, threads = 1
  )
  naive <- vapply(boots$splits, function(split) {
    fit <- tec_boost(number ~ z + colour, d,
      weights = tabulate(as.integer(split), nrow(d)), weights_as = "frequency", rounds = 5,
      folds = 0,
      threads = 1
    )
    naive_metric("rmse", fit, rsample::assessment(split))
  }, 0)
  expect_equal(tuned$table$rmse, mean(naive))
})

test_that("a result prints, has tables and plots", {
  withr::local_seed(3)
  tuned <- tec_tune(mpg ~ wt + hp, mtcars,
    model = "boost", rate = c(0.1, 0.3), max_depth = 1:2, rounds = 60, folds = 4, threads = 1
  )
  expect_snapshot(print(tuned, width = 80))
  one <- tec_tune(mpg ~ wt + hp, mtcars,
    model = "boost", rate = 0.2, rounds = 40, tune = "rounds", folds = 4, threads = 1
  )
  expect_snapshot(print(one, width = 80))
  frame <- as.data.frame(tuned, what = "folds")
  expect_equal(nrow(frame), 4 * 4)
  expect_equal(mean(frame$rmse[1:4]), tuned$table$rmse[1])
  path <- tempfile(fileext = ".pdf")
  withr::local_pdf(path)
  for (drawn in list(tuned, one)) expect_identical(plot(drawn), drawn)
  expect_identical(by_rounds(one, NULL, "rmse")$grid, "rounds")
  drawn <- by_rounds(tuned, "rounds", "rmse")
  expect_equal(drawn$table$rmse[drawn$chosen], tuned$table$rmse[tuned$chosen])
  expect_silent(plot(tuned, "rounds"))
  expect_silent(plot(tuned, what = "tree"))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(tuned, "rounds"), "ggplot")
  expect_s3_class(ggplot2::autoplot(one), "ggplot")
})

test_that("functions of models use the chosen one", {
  tuned <- withr::with_seed(1, tec_tune(mpg ~ wt + hp, mtcars,
    model = "boost", rounds = c(3, 9), folds = 2, threads = 1
  ))
  expect_identical(importance(tuned), importance(tuned$fit))
  expect_identical(tec_json(tuned), tec_json(tuned$fit))
  expect_error(as_tec_tree(tuned), class = "tec_error")
})

test_that("errors of tuning boosting", {
  expect_snapshot(show_errors({
    tec_tune(mpg ~ ., mtcars, model = "boosting")
    tec_tune(mpg ~ ., mtcars, model = "boost", by = "oob")
    tec_tune(mpg ~ ., mtcars, model = "boost", preset = "cart")
    tec_tune(mpg ~ ., mtcars, model = "boost", rate = numeric())
    tec_tune(mpg ~ ., mtcars, model = "boost", raet = 0.1)
    tec_tune(mpg ~ ., mtcars, model = "boost", q = 1:2)
    tec_tune(mpg ~ ., mtcars, model = "boost", method = "adaboost")
    tec_tune(mpg ~ ., mtcars, model = "boost", tune = "cp")
    tec_tune(mpg ~ ., mtcars, model = "boost", tune = "rate", rate = 0.1)
    tec_tune(mpg ~ ., mtcars, model = "boost", rate = 1:2, eta = 1)
    tec_tune(mpg ~ ., mtcars, model = "boost", rounds = 0)
    tec_tune(mpg ~ ., mtcars, model = "boost", rate = c(2, 3), folds = 2, threads = 1)
  }))
})

test_that("rounds at the end of their range are reported; other `tune` and data are refused", {
  set.seed(1)
  expect_message(
    tuned <- tec_tune(mpg ~ hp, mtcars, model = "boost", rounds = 2, folds = 3, tune = "rounds"),
    "the largest allowed, 2", class = "tec_message_rounds"
  )
  expect_identical(tuned$table$rounds, 2L)
  expect_error(
    tec_tune(mpg ~ hp, mtcars, model = "boost", tune = 3), "names of settings to tune",
    class = "tec_error_grid"
  )
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  put_table("sqlite", "cars", mtcars)
  expect_error(
    tec_tune(mpg ~ hp, dplyr::tbl(engine_connection("sqlite"), "cars"), model = "forest"),
    "needs data in memory", class = "tec_error_data"
  )
})
