test_that("formula and x/y grow the same tree", {
  d <- toy()
  formula <- tec_tree(y ~ ., d, min_bucket = 1)
  expect_equal(tec_tree(x = d[-1], y = d$y, min_bucket = 1)$tree, formula$tree)
  expect_equal(tec_tree(d[-1], d$y, min_bucket = 1)$tree, formula$tree)
  expect_equal(tec_tree(y = d$y, x = d[-1], min_bucket = 1)$tree, formula$tree)
  expect_equal(tec_tree(data = d, formula = y ~ ., min_bucket = 1)$tree, formula$tree)
  expect_equal(tec_tree(formula = y ~ ., data = d, min_bucket = 1)$tree, formula$tree)
  expect_equal(tec_tree(x = y ~ ., data = d, min_bucket = 1)$tree, formula$tree)
})

test_that("a matrix is a set of predictors", {
  m <- as.matrix(mtcars[-1])
  fit <- tec_tree(x = m, y = mtcars$mpg)
  expect_equal(fit$tree, tec_tree(mpg ~ ., mtcars)$tree)
  expect_equal(predict(fit, m), predict(fit, mtcars))
  plain <- tec_tree(x = unname(m), y = mtcars$mpg)
  expect_equal(plain$columns$name[1], "V1")
  expect_equal(predict(plain, unname(m)), predict(fit, m))
  letters <- matrix(rep(c("a", "b"), 12), 12)
  expect_equal(tec_tree(x = letters, y = toy()$y)$columns$kind, c("nominal", "nominal"))
})

test_that("bad x is a classed error", {
  twice <- toy()[c(2, 2)]
  names(twice) <- c("x", "x")
  nameless <- toy()[2:3]
  names(nameless)[1] <- ""
  expect_snapshot(show_errors({
    tec_tree(x = 1:12, y = toy()$y)
    tec_tree(x = toy()[0], y = toy()$y)
    tec_tree(x = twice, y = toy()$y)
    tec_tree(x = nameless, y = toy()$y)
    tec_tree(y = toy()$y)
    tec_tree("y ~ x", toy())
  }))
})

test_that("the fit keeps no data and no environment", {
  grow <- function() {
    ballast <- stats::rnorm(1e5)
    data <- toy()
    tec_tree(y ~ log(x), data, weights = rep(1, 12), subset = 1:12, min_bucket = 1)
  }
  fit <- grow()
  expect_lt(length(serialize(fit, NULL)), 20000)
  expect_equal(predict(fit, toy()), toy()$y)
  inlined <- do.call(tec_tree, list(y ~ x, data = toy(), weights = as.double(1:12)))
  expect_lt(length(serialize(inlined, NULL)), 20000)
  by_columns <- tec_tree(x = data.frame(x = rep(1, 1e5)), y = rep(1, 1e5))
  expect_lt(length(serialize(by_columns, NULL)), 20000)
  expect_null(environment(by_columns$formula))
  expect_equal(as.character(inlined$call$data), "<data.frame>")
  expect_null(environment(inlined$formula))
  has_environment <- function(x) {
    if (is.environment(x) || is.environment(attr(x, ".Environment"))) {
      return(TRUE)
    }
    (is.list(x) || is.call(x)) && any(vapply(as.list(x), has_environment, NA))
  }
  expect_false(has_environment(unclass(fit)))
  expect_false(has_environment(unclass(inlined)))
})

test_that("a fit survives a file", {
  fit <- tec_tree(y ~ ., toy(), min_bucket = 1)
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(readRDS(file), fit)
})

test_that("every type of predictor can split", {
  d <- data.frame(y = toy()$y)
  half <- rep(c(FALSE, TRUE), each = 6)
  columns <- list(
    1:12, as.double(1:12), as.Date("2024-01-01") + 1:12,
    as.POSIXct("2024-01-01", tz = "UTC") + 3600 * (1:12),
    as.POSIXlt(as.POSIXct("2024-01-01", tz = "UTC") + 3600 * (1:12)),
    as.difftime(1:12, units = "hours"), half, ifelse(half, "a", "b"),
    factor(ifelse(half, "a", "b")), factor(letters[1:12], ordered = TRUE),
    c(-Inf, -1:3, 4:8, Inf), c(0, -0, 1e-310, 2e-310, 3e-310, 4e-310, 1:6)
  )
  for (x in columns) {
    d$x <- x
    fit <- tec_tree(y ~ x, d, min_bucket = 1)
    expect_equal(length(fit$tree$parent), 3)
    expect_identical(predict(fit, d), d$y)
    expect_s3_class(as.data.frame(fit), "data.frame")
    expect_output(print(fit), "root")
  }
})

test_that("constant and empty-valued columns are harmless", {
  d <- cbind(toy(), one = 1, none = NA, nan = NaN, empty = factor(NA, levels = "a"))
  expect_equal(as.data.frame(tec_tree(y ~ ., d, min_bucket = 1))$variable[1], "x")
  expect_equal(length(tec_tree(y ~ one + none + nan + empty, d)$tree$parent), 1)
})

test_that("a missing formula is an error that names it", {
  for (grow in list(tec_tree, tec_tune, tec_scores, compare_criteria)) {
    expect_error(grow(data = iris), "no formula", class = "tec_error_formula")
  }
})

test_that("levels with commas, quotes and UTF-8 are levels", {
  d <- data.frame(y = toy()$y, x = rep(c("a, b", "say \"a\"", "\u65e5\u672c", "{x}"), each = 3))
  fit <- tec_tree(y ~ x, d, min_bucket = 1)
  expect_identical(predict(fit, d), d$y)
})

test_that("20,000 columns take seconds through both interfaces", {
  slow_test()
  skip_on_cran()
  n <- 500
  p <- 20000
  values <- matrix(sin(seq_len(n * p) * 1.7), n)
  colnames(values) <- paste0("x", seq_len(p))
  wide <- as.data.frame(values)
  wide$y <- factor(values[, 77] > 0.2)
  all <- stats::as.formula(paste("y ~", paste(colnames(values), collapse = " + ")))
  expect_lt(processor_seconds(a <- tec_tree(y ~ ., wide, max_depth = 1, threads = 2)), 10)
  expect_lt(processor_seconds(b <- tec_tree(all, wide, max_depth = 1, threads = 2)), 10)
  expect_lt(
    processor_seconds(c <- tec_tree(x = values, y = wide$y, max_depth = 1, threads = 2)), 10
  )
  expect_equal(b$tree, a$tree)
  expect_equal(c$tree, a$tree)
  expect_equal(as.data.frame(a)$variable[1], "x77")
  expect_equal(predict(a, wide["x77"]), wide$y)
})

test_that("a call without random draws does not start R's random numbers", {
  kept <- get0(".Random.seed", globalenv())
  withr::defer(if (!is.null(kept)) assign(".Random.seed", kept, globalenv()))
  suppressWarnings(rm(".Random.seed", envir = globalenv()))
  fit <- tec_tree(Species ~ ., iris)
  boost <- tec_boost(Species ~ ., iris, rounds = 2, folds = 0)
  predict(fit, iris)
  predict(boost, iris)
  tec_scores(Species ~ ., iris)
  tec_mars(Sepal.Length ~ ., iris)
  format(fit)
  summary(fit)
  tec_rules(fit)
  tec_prune(fit, alpha = 0.1)
  tec_shap(fit, iris[1:2, ])
  tec_json(fit)
  tec_criteria()
  expect_false(exists(".Random.seed", globalenv()))
})

test_that("a beta that is not a number is refused, not treated as q = 1", {
  for (beta in list(list(), "a", NA, numeric(), list(2), -1, Inf)) {
    expect_error(tec_tree(Species ~ ., iris, beta = beta), class = "tec_error")
    expect_error(tec_forest(Species ~ ., iris, trees = 2, beta = beta), class = "tec_error")
    expect_error(tec_tune(Species ~ ., iris, beta = beta, folds = 2), class = "tec_error")
  }
})
