test_that("a damaged forest is an error, however it is damaged", {
  set.seed(1)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d)
  numbers <- small_forest(y ~ ., forest_data(60, classes = FALSE))
  inner <- which(fit$trees$variable != 0L)
  leaf <- which(fit$trees$variable == 0L)
  damage <- list(
    function(f) f["trees"] <- NULL,
    function(f) f$trees <- 1,
    function(f) f$trees$cut <- f$trees$cut[-1],
    function(f) f$trees$cut <- as.character(f$trees$cut),
    function(f) f$trees$start <- f$trees$start[-1],
    function(f) f$trees$start[3] <- 2^30L,
    function(f) f$trees$start[3] <- NA,
    function(f) f$trees$variable[inner[1]] <- 99L,
    function(f) f$trees$variable[inner[3]] <- NA,
    function(f) f$trees$right[inner[1]] <- 10000L,
    function(f) f$trees$right[inner[2]] <- 1L,
    function(f) f$trees$right[inner[2]] <- -5L,
    function(f) f$trees$right[leaf[1:40]] <- 7L,
    function(f) f$trees$right[leaf[1:40]] <- -9999L,
    function(f) f$trees$sides <- raw(),
    function(f) f$trees["shares"] <- list(NULL),
    function(f) f$columns$kind[1] <- "odd",
    function(f) f$columns$name <- 1:6,
    function(f) f$response$levels <- 1
  )
  damaged <- 0
  for (one in damage) {
    body(one) <- call("{", body(one), quote(f))
    for (start in list(fit, numbers)) {
      bad <- tryCatch(one(unclass(start)), error = function(e) NULL)
      if (is.null(bad) || identical(bad, unclass(start))) next
      class(bad) <- "tec_forest"
      found <- tryCatch(predict(bad, d), error = identity)
      # Some damage only makes other trees: then there is a prediction for each row.
      if (inherits(found, "error")) {
        expect_s3_class(found, "tec_error_damaged")
        damaged <- damaged + 1
      } else {
        expect_length(found, 60)
      }
    }
  }
  expect_gt(damaged, 20)
})

test_that("the error says what was found", {
  set.seed(1)
  fit <- small_forest(Species ~ ., iris, trees = 2)
  expect_snapshot(show_errors({
    predict(structure(list(), class = "tec_forest"), iris)
    predict(structure(replace(unclass(fit), "trees", list(1)), class = "tec_forest"), iris)
    tec_more(iris, 3)
    tec_proximity(tec_tree(Species ~ ., iris))
  }))
})

test_that("a forest survives a file", {
  set.seed(2)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d)
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_identical(again, fit)
  expect_identical(predict(again, d), predict(fit, d))
  expect_lt(file.size(file), 50000)
})

test_that("no data and no environment are kept", {
  grow <- function() {
    large <- data.frame(y = factor(rep(1:2, 50)), x = stats::rnorm(100), id = stats::rnorm(100))
    small_forest(y ~ x, large, trees = 2)
  }
  fit <- grow()
  kept <- rapply(unclass(fit), is.environment, how = "unlist")
  expect_false(any(kept))
  expect_null(environment(fit$formula))
})
