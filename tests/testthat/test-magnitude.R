# Numbers at the ends of the range of a double are scaled, or give a classed error.

shape_of <- function(fit) fit$tree[c("parent", "kind", "variable", "child", "breaks", "n")]
finite_tree <- function(fit) {
  all(is.finite(unlist(fit$tree[c("yval", "weight", "impurity", "prob")]))) &&
    !any(is.infinite(c(fit$tree$gain, fit$tree$score)))
}

data_of <- function(n) {
  data.frame(a = rnorm(n), b = rnorm(n), g = factor(sample(letters[1:4], n, TRUE)))
}

test_that("a response times a constant grows the same tree", {
  withr::local_seed(1)
  d <- data_of(80)
  y <- d$a + rnorm(80) / 3
  for (criterion in c("l2", "l1")) {
    plain <- full_tree(d, y, criterion = criterion)
    for (power in c(664, -664, 500, -500, 260, -260, 990)) {
      scaled <- full_tree(d, y * 2^power, criterion = criterion)
      expect_identical(shape_of(scaled), shape_of(plain))
      expect_identical(scaled$tree$yval, plain$tree$yval * 2^power)
      expect_true(finite_tree(scaled))
    }
    expect_identical(shape_of(full_tree(d, y * 1e200, criterion = criterion)), shape_of(plain))
    expect_identical(shape_of(full_tree(d, y * 1e-200, criterion = criterion)), shape_of(plain))
  }
})

test_that("weights times a constant grow the same tree", {
  withr::local_seed(2)
  d <- data_of(80)
  w <- runif(80)
  y <- d$a + rnorm(80) / 3
  for (response in list(y, d$g)) {
    plain <- full_tree(d[1:2], response, weights = w, min_bucket = 2)
    large <- full_tree(
      d[1:2], response, weights = w * 2^1000, min_bucket = 2
    )
    expect_identical(shape_of(large), shape_of(plain))
    expect_identical(large$tree$prob, plain$tree$prob)
    expect_identical(large$tree$weight, plain$tree$weight)
  }
})

test_that("steps of large numbers are found", {
  x <- 1:50
  for (size in c(1e153, 1e308)) {
    for (criterion in c("l2", "l1")) {
      y <- c(-1, 1)[1 + (x > 25)] * size
      fit <- full_tree(y ~ x, data.frame(x, y),
        criterion = criterion, min_bucket = 1, min_split = 2
      )
      expect_identical(predict(fit, data.frame(x)), y)
      expect_true(finite_tree(fit))
    }
  }
  withr::local_seed(3)
  d <- data_of(20)
  expect_true(finite_tree(full_tree(d, rnorm(20), weights = rep(1e154, 20))))
})

test_that("costs of intervals that are not finite still give a tree", {
  withr::local_seed(4)
  for (i in 1:20) {
    d <- data.frame(x = rnorm(40), y = factor(sample(3, 40, TRUE)))
    fit <- full_tree(y ~ x, d,
      criterion = tec_criterion("beta", beta = 1000), intervals = 3, min_bucket = 1,
      weights = sample(c(0, 1, 1e-10), 40, TRUE)
    )
    expect_true(finite_tree(fit))
  }
})

test_that("scores and pruning are in the units of the data", {
  withr::local_seed(5)
  d <- data_of(60)
  y <- d$a + rnorm(60) / 3
  plain <- tec_scores(d, y)
  scaled <- tec_scores(d, y * 2^300)
  expect_equal(scaled$gain, plain$gain * 2^600)
  expect_identical(scaled$split, plain$split)
  fold <- rep(1:5, 12)
  # Each fold holds a fifth, so that the weights of the rows seen are known.
  table <- function(w) {
    cp_table(full_tree(d[1:2], d$g, preset = "cart", cp = 0.001, folds = fold, weights = w))
  }
  expect_equal(table(rep(2^1000, 60))$xerror, table(rep(2^600, 60))$xerror)
  expect_equal(table(rep(2^1000, 60))$xstd, table(rep(2^600, 60))$xstd)
})

test_that("squared errors that no number can hold are not added up", {
  withr::local_seed(6)
  d <- data_of(60)
  for (size in c(1e200, 1e-200)) {
    fit <- full_tree(d, (d$a + rnorm(60) / 3) * size)
    expect_error(tec_prune(fit, alpha = 0.1), class = "tec_error_response")
    expect_error(importance(fit), class = "tec_error_response")
    expect_error(deviance(fit), class = "tec_error_response")
    expect_error(summary(fit), class = "tec_error_response")
  }
  expect_snapshot(error = TRUE, {
    tec_prune(tec_tree(d, round(d$a, 1) * 1e200), alpha = 0.1)
  })
})

test_that("numbers that scaling cannot help with are classed errors", {
  withr::local_seed(7)
  d <- data_of(30)
  expect_snapshot(error = TRUE, {
    tec_tree(d[1:2], d$g, weights = c(5e-324, rep(1e306, 29)))
    tec_tree(d[1:2], c(5e-324, rep(1e306, 29)))
    tec_tree(d[1:2], d$g, class_weights = c(1e-200, 1, 1, 1))
    tec_tree(d[1:2], d$g, cost = 1e200 * (1 - diag(4)))
  })
  expect_true(finite_tree(full_tree(d[1:2], d$g, weights = rep(1e307, 30))))
  expect_error(full_tree(d[1:2], c(5e-324, rep(1e306, 29))), class = "tec_error_response")
})

test_that("threads are no more than the machine has", {
  expect_identical(
    as.data.frame(tec_tree(Species ~ ., iris, threads = 1e9)),
    as.data.frame(tec_tree(Species ~ ., iris, threads = 1))
  )
})

# R again, with so little memory that growth cannot have what it asks for.
test_that("memory that runs out is a classed error, and the session goes on", {
  slow_test()
  skip_on_cran()
  skip_on_os(c("mac", "windows", "solaris"))
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(
    sprintf("library(tectree, lib.loc = %s)", deparse(dirname(system.file(package = "tectree")))),
    "n <- 5e5", "x <- rnorm(n)",
    "d <- structure(rep(list(x), 400), names = paste0('x', 1:400), class = 'data.frame',",
    "  row.names = .set_row_names(n))",
    "grow <- function(x, y, unit) {",
    "  e <- tryCatch(tec_tree(x, y, threads = 2), error = identity)",
    "  said <- if (inherits(e, 'error')) grepl(paste0('[1-9][0-9.]* ', unit), conditionMessage(e))",
    "  cat(class(e)[1], said, '\\n')",
    "}",
    "grow(d, x, 'GB')", "grow(d, factor(x > 0), 'GB')", "grow(d[1:200], x, 'MB')",
    "cat(nrow(as.data.frame(tec_tree(Species ~ ., iris))) > 1, '\\n')"
  ), script)
  run <- sprintf(
    "ulimit -v 500000 && %s --vanilla %s 2>&1", shQuote(file.path(R.home("bin"), "Rscript")),
    shQuote(script)
  )
  said <- trimws(suppressWarnings(system2("sh", c("-c", shQuote(run)), stdout = TRUE)))
  skip_if(any(grepl("cannot allocate|package or namespace load failed", said)), "too little memory")
  expect_identical(tail(said, 4), c(rep("tec_error_memory TRUE", 3), "TRUE"))
})

test_that("ensembles refuse numbers whose squares cannot be summed", {
  set.seed(5)
  d <- data_of(40)
  d$y <- d$a + rnorm(40) / 9
  fits <- list(
    function(d) tec_forest(y ~ a + b, d, trees = 3, importance = "corrected", progress = FALSE),
    function(d) tec_boost(y ~ a + b, d, rounds = 3, folds = 0, progress = FALSE),
    function(d) tec_rotation(y ~ a + b, d, trees = 3), function(d) tec_mars(y ~ a + b, d)
  )
  for (fit in fits) {
    for (unit in c(1.7e308 / max(abs(d$y)), 1e101, 1e-101)) {
      expect_error(fit(transform(d, y = y * unit)), class = "tec_error_response")
    }
    for (unit in c(1e98, 1e-98)) {
      large <- transform(d, y = y * unit)
      large$y[7] <- NA
      found <- suppressMessages(predict(fit(large), large))
      expect_true(all(is.finite(found)) && stats::cor(found / unit, d$y) > 0.5)
    }
  }
  forest <- suppressMessages(fits[[1]](large))
  expect_true(all(is.finite(c(forest$oob$error, importance(forest)$importance))))
})

test_that("the variance of numbers far from 0 is theirs", {
  d <- data.frame(x = 1:40)
  for (step in c(1, 2)) {
    y <- 2^53 + step * (d$x %% 4)
    fit <- tec_tree(d, y, prune = "none", min_bucket = 10)
    expect_equal(fit$tree$impurity[1], mean((y - 2^53)^2) - mean(y - 2^53)^2)
  }
})

test_that("boosting warns only if its steps are lost to rounding", {
  d <- data.frame(x = 1:60)
  y <- rep(c(0, 1e4), each = 30)
  expect_snapshot(lost <- tec_boost(d, 1e17 + y, rounds = 5, folds = 0))
  kept <- expect_no_warning(suppressMessages(tec_boost(d, 1e12 + y, folds = 0)))
  expect_equal(range(predict(kept, d)) - 1e12, c(0, 1e4), tolerance = 1e-6)
  expect_no_warning(suppressMessages(tec_boost(d, rep(1e17, 60), rounds = 5, folds = 0)))
})
