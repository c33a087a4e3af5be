tune_memory <- function(data, response, ..., q = NULL, folds = 4, metric = NULL) {
  predictors <- setdiff(names(data), c(response, "id"))
  counter <- memory_counter(data, response, predictors, key = "id")
  terms <- list(input = list(
    names = predictors, needs = as.list(predictors), predictors = lapply(predictors, as.name),
    response_name = response, formula = stats::reformulate(".", response)
  ))
  design <- list(folds = folds, repeats = 1, metric = metric, sample = NULL)
  asked <- list(q = q, criterion = NULL, beta = NULL, preset = "tec")
  run <- suppressMessages(run_counted(
    counter, counter$meta(), terms, asked, tune_controls(NULL, list(...)), design,
    tec_engine(collect_rows = 0, key = "id", progress = FALSE)
  ))
  list(run = run, passes = counter$passes())
}

test_that("the metrics are those of the trees grown without each fold", {
  set.seed(2)
  d <- transform(iris, id = sample(1e6, 150))
  q <- c(0.5, 1, 2)
  tuned <- tune_memory(d, "Species", q = q, prune = "none", metric = c("accuracy", "brier"))
  fold <- hash_fold(d$id, 4)
  for (i in seq_along(q)) {
    for (k in 1:4) {
      tree <- tec_tree(Species ~ . - id, d[fold != k, ], q = q[i], prune = "none")
      held <- d[fold == k, ]
      expect_equal(
        tuned$run$values[[i, "accuracy", k]], mean(predict(tree, held) == held$Species)
      )
      prob <- predict(tree, held, type = "prob")
      truth <- diag(3)[held$Species, ]
      expect_equal(tuned$run$values[[i, "brier", k]], mean(rowSums((prob - truth)^2)))
      expect_equal(tuned$run$values[[i, "nodes", k]], n_nodes(tree))
    }
  }
  expect_equal(sum(tuned$run$folds$n_test), 150)
})

test_that("numeric responses are measured by the root mean squared error", {
  d <- transform(mtcars, id = seq_len(32))
  tuned <- tune_memory(d, "mpg", folds = 3, prune = "none", min_bucket = c(2, 5))
  fold <- hash_fold(d$id, 3)
  for (i in 1:2) {
    for (k in 1:3) {
      tree <- tec_tree(
        mpg ~ . - id, d[fold != k, ], prune = "none", min_bucket = c(2, 5)[i]
      )
      held <- d[fold == k, ]
      expect_equal(
        tuned$run$values[[i, "rmse", k]], sqrt(mean((predict(tree, held) - held$mpg)^2))
      )
    }
  }
})

test_that("eleven q cost at most half of eleven fits", {
  slow_test()
  set.seed(5)
  n <- 2000
  d <- data.frame(
    id = seq_len(n), a = sample(30, n, TRUE), b = sample(30, n, TRUE), c = sample(5, n, TRUE)
  )
  d$y <- factor(ifelse(d$a + d$b + sample(20, n, TRUE) > 45, "x", ifelse(d$c > 3, "y", "z")))
  q <- seq(0.5, 3, by = 0.25)
  grid <- tune_memory(d, "y", q = q, folds = 2, prune = "none", max_depth = 5)
  cost <- function(passes) sum(passes$rows[passes$what == "counts"])
  alone <- vapply(q, function(one) {
    cost(tune_memory(d, "y", q = one, folds = 2, prune = "none", max_depth = 5)$passes)
  }, 0)
  expect_lt(cost(grid$passes), sum(alone) / 2)
})

test_that("tec_tune() of a table in SQLite", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  d <- transform(iris, Species = as.character(Species), id = seq_len(150))
  DBI::dbWriteTable(con, "d", d)
  engine <- tec_engine(collect_rows = 0, key = "id", progress = FALSE)
  tuned <- suppressMessages(tec_tune(
    Species ~ ., con, table = "d", q = c(0.5, 1, 2), folds = 4, prune = "none", engine = engine
  ))
  expect_s3_class(tuned, "tec_tune")
  same <- tune_memory(d, "Species", q = c(0.5, 1, 2), prune = "none")
  expect_equal(tuned$values, same$run$values)
  best <- tuned$fit$criterion$parameter[["q"]]
  expect_identical(
    tuned$fit$tree, tec_tree(Species ~ . - id, d, q = best, prune = "none")$tree
  )
  expect_output(print(tuned))
  set.seed(1)
  fetched <- tec_tune(Species ~ . - id, con, table = "d", q = c(1, 2), folds = 3)
  set.seed(1)
  rows <- tec_tune(Species ~ . - id, d, q = c(1, 2), folds = 3)
  expect_equal(fetched$values, rows$values)
  expect_snapshot(error = TRUE, {
    tec_tune(Species ~ ., con, table = "d", engine = tec_engine(collect_rows = 0))
    tec_tune(Species ~ ., con, table = "d", engine = engine, repeats = 2)
  })
})

test_that("a table is tuned over the same settings as rows in memory", {
  d <- transform(iris, id = seq_len(150))
  d$Species <- as.character(d$Species)
  put_table("sqlite", "tuned", d)
  con <- engine_connection("sqlite")
  tune <- function(...) {
    suppressMessages(tec_tune(
      Species ~ Petal.Width + Sepal.Width, con, table = "tuned", prune = "none", folds = 3,
      engine = tec_engine(collect_rows = 0, key = "id", progress = FALSE), ...
    ))
  }
  expect_identical(nrow(as.data.frame(tune(max_depth = 1:3))), 3L)
  expect_identical(nrow(as.data.frame(tune(tune = character()))), 1L)
  expect_identical(nrow(as.data.frame(tune(tune = "q"))), length(usual_q_grid))
  expect_error(tune(tune = "min_bucket"), "tune", class = "tec_error_engine")
})
