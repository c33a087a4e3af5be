counted_forest <- function(data, response, ..., q = NULL, trees = 5, mtry = NULL, replace = TRUE,
                           sample_fraction = NULL) {
  predictors <- setdiff(names(data), c(response, "id"))
  counter <- memory_counter(data, response, predictors, key = "id")
  terms <- list(input = list(
    names = predictors, needs = as.list(predictors), predictors = lapply(predictors, as.name),
    response_name = response, formula = stats::reformulate(".", response)
  ))
  settings <- list(
    trees = trees, mtry = mtry, replace = replace, sample_fraction = sample_fraction,
    probability = FALSE, importance = "gain", progress = FALSE
  )
  grow_counted_forest(
    counter, terms, list(q = q), settings, tec_control(...),
    tec_engine(collect_rows = 0, key = "id", progress = FALSE)
  )
}

test_that("a forest's trees are those of the rows in their bags", {
  d <- transform(iris, id = seq_len(150))
  fit <- counted_forest(d, "Species", trees = 3, mtry = "all", q = 1)
  expect_s3_class(fit, "tec_forest")
  for (i in 1:3) {
    times <- hash_bag(d$id, i, TRUE, 1)
    rows <- rep(seq_len(150), times)
    tree <- tec_tree(
      Species ~ ., iris[rows, ], q = 1, prune = "none", missing = "learned", min_bucket = 1,
      min_split = 2, smooth = 0
    )
    expect_identical(predict(fit[[i]], iris), predict(tree, iris))
  }
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.9)
  expect_output(print(fit))
})

test_that("copies of a row in a bag tell nothing new about its level", {
  set.seed(2)
  d <- data.frame(id = 1:600, f = factor(rep(1:20, 30)))
  d$y <- factor(ifelse(runif(600) < as.integer(d$f) / 25, "a", "b"))
  bag <- d[rep(seq_len(600), hash_bag(d$id, 1, TRUE, 1)), ]
  whole <- tec_scores(y ~ f, bag, q = 1, min_bucket = 1, free_levels = Inf)$gain
  naming <- log((2^19 - 1) / 19)
  copies <- 1 / (1 - exp(-1))
  left <- whole - naming * copies / nrow(bag)
  leaves <- function(min_gain) {
    fit <- counted_forest(d, "y", trees = 1, q = 1, max_depth = 1, min_gain = min_gain)
    sum(fit[[1]]$tree$variable == 0)
  }
  expect_identical(c(leaves(left - 1e-6), leaves(left + 1e-6)), c(2L, 1L))
})

test_that("half of the rows without replacement, drawn columns and a numeric response", {
  d <- transform(mtcars, id = seq_len(32) * 7)
  set.seed(3)
  one <- counted_forest(d, "mpg", trees = 4, mtry = 2, replace = FALSE, sample_fraction = 0.6,
    missing = "majority")
  set.seed(3)
  two <- counted_forest(d, "mpg", trees = 4, mtry = 2, replace = FALSE, sample_fraction = 0.6,
    missing = "majority")
  expect_identical(one$trees, two$trees)
  expect_identical(
    one[[2]]$tree$n[1L], as.double(sum(hash_bag(d$id, 2, FALSE, 0.6)))
  )
  expect_gt(stats::cor(predict(one, mtcars), mtcars$mpg), 0.7)
})

test_that("a forest of a table in SQLite, and its requirements", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  d <- transform(iris, Species = as.character(Species), id = seq_len(150))
  DBI::dbWriteTable(con, "d", d)
  engine <- tec_engine(collect_rows = 0, key = "id", progress = FALSE)
  fit <- tec_forest(
    Species ~ ., con, table = "d", trees = 3, mtry = "all", engine = engine, q = 1
  )
  same <- counted_forest(d, "Species", trees = 3, mtry = "all", q = 1)
  expect_identical(fit$trees, same$trees)
  set.seed(1)
  fetched <- tec_forest(Species ~ . - id, con, table = "d", trees = 3)
  set.seed(1)
  expect_identical(fetched$trees, tec_forest(Species ~ . - id, d, trees = 3)$trees)
  expect_snapshot(error = TRUE, {
    tec_forest(Species ~ ., con, table = "d", engine = tec_engine(collect_rows = 0))
    tec_forest(Species ~ ., con, table = "d", engine = engine, importance = "permutation")
  })
})

test_that("bins of some predictors are reported, and only theirs", {
  con <- engine_connection("sqlite")
  d <- data.frame(id = 1:120, few = rep(1:3, 40), many = sqrt(1:120), y = rep(c("u", "v"), 60))
  put_table("sqlite", "some_bins", d)
  said <- character()
  withCallingHandlers(
    tec_forest(
      y ~ few + many, con, table = "some_bins", trees = 2, progress = FALSE,
      engine = tec_engine(max_values = 20, bins = 10, collect_rows = 0, key = "id")
    ),
    message = function(m) {
      said <<- c(said, conditionMessage(m))
      invokeRestart("muffleMessage")
    }
  )
  bins <- grep("bins only", said, value = TRUE)
  expect_length(bins, 1L)
  expect_match(bins, "many")
  expect_no_match(bins, "few")
})
