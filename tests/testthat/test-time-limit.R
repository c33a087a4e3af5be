# Time limits and interrupts while the compiled code works (src/session.cpp).

# The condition that ends `work` with a time limit of a fifth of a second. It is repeated until it
# ends.
limited <- function(work) {
  setTimeLimit(elapsed = 0.2, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch(repeat work(), error = identity, interrupt = identity)
}

# The same if the process receives SIGINT.
interrupted <- function(work) {
  system2("sh", c("-c", shQuote(sprintf("sleep 0.3; kill -INT %d", Sys.getpid()))), wait = FALSE)
  tryCatch(repeat work(), error = identity, interrupt = identity)
}

noise <- function(n, columns, classes = 3) {
  set.seed(1)
  data <- as.data.frame(matrix(runif(n * columns), n))
  data$y <- factor(sample(classes, n, TRUE))
  data
}

works <- function() {
  data <- noise(100000, 20)
  deep <- tec_tree(y ~ V1, noise(20000, 1), min_bucket = 1, prune = "none")
  rows <- data.frame(V1 = rep(runif(1e6), 10))
  list(
    "tec_tree()" = function(threads) {
      tec_tree(y ~ ., data, min_bucket = 1, prune = "none", threads = threads)
    },
    "tec_tree(), looking ahead" = function(threads) {
      tec_tree(y ~ ., data, max_depth = 6, prune = "none", lookahead = 50, threads = threads)
    },
    "folds of pruning" = function(threads) {
      tec_tree(y ~ ., data[1:50000, ], min_bucket = 1, prune = "ccp", threads = threads)
    },
    "tec_scores()" = function(threads) {
      tec_scores(y ~ ., data, intervals = 3, threads = threads)
    },
    "tec_tune(), folds together" = function(threads) {
      tec_tune(y ~ ., data, q = 1:3, min_bucket = 1, threads = threads)
    },
    "tec_tune(), fold by fold" = function(threads) {
      tec_tune(y ~ ., data, q = 1:3, min_bucket = 1, threads = threads, prune = "pep")
    },
    "predict()" = function(threads) predict(deep, rows, threads = threads),
    "tec_forest()" = function(threads) tec_forest(y ~ ., data, trees = 50, threads = threads)
  )
}

# Each work with one thread or with two.
one_or_two_threads <- function(works) {
  all <- lapply(1:2, function(shift) {
    Map(function(name, i) list(name = name, threads = (i + shift) %% 2 + 1), names(works),
      seq_along(works)
    )
  })
  unlist(in_turn(all, 1), recursive = FALSE)
}

test_that("a time limit is R's own error, whatever the core is doing", {
  skip_on_cran()
  works <- works()
  for (i in one_or_two_threads(works)) {
    ended <- limited(function() works[[i$name]](i$threads))
    expect_s3_class(ended, "simpleError")
    expect_identical(c(i$name, conditionMessage(ended)), c(i$name, "reached elapsed time limit"))
  }
})

test_that("SIGINT is an interrupt, whatever the core is doing", {
  slow_test()
  skip_on_cran()
  skip_on_os("windows")
  works <- works()
  for (i in one_or_two_threads(works)) {
    ended <- interrupted(function() works[[i$name]](i$threads))
    # A tuning run that has no result yet says so.
    class <- c("interrupt", if (startsWith(i$name, "tec_tune")) "tec_error_interrupted")
    expect_true(inherits(ended, class), label = i$name)
  }
})

test_that("after an interrupt that is resumed from, growth goes on to the same tree", {
  skip_on_cran()
  skip_on_os("windows")
  data <- noise(100000, 10)
  grow <- function() tec_tree(y ~ ., data, min_bucket = 1, prune = "none", threads = 2)
  heard <- 0
  system2("sh", c("-c", shQuote(sprintf("sleep 0.3; kill -INT %d", Sys.getpid()))), wait = FALSE)
  while (heard == 0) {
    resumed <- withCallingHandlers(grow(), interrupt = function(e) {
      heard <<- heard + 1
      invokeRestart("resume")
    })
  }
  expect_identical(heard, 1)
  expect_identical(resumed$tree, grow()$tree)
})

# R takes the limit off when it raises the error, so an error that is passed over is lost.
test_that("a time limit passes through code that handles other errors", {
  calls <- 0
  # Ends with the error in one of its calls.
  limited_once <- function(x, at) {
    calls <<- calls + 1
    if (calls == at) stop("reached elapsed time limit")
    x
  }
  expect_error(
    tec_tree(Species ~ ., iris, weights = limited_once(Sepal.Width, 1)),
    "reached elapsed time limit"
  )
  calls <- 0
  expect_error(
    tec_tree(Species ~ limited_once(Sepal.Width, 2), iris), "reached elapsed time limit"
  )
})

test_that("a script goes on after a time limit that it catches", {
  slow_test()
  skip_on_cran()
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    "library(tectree)",
    "d <- data.frame(x = runif(2e5), z = runif(2e5), y = factor(sample(3, 2e5, TRUE)))",
    "grow <- function() tec_tree(y ~ ., d, min_bucket = 1, prune = 'none', threads = 2)",
    "limited <- function(...) {",
    "  setTimeLimit(..., transient = TRUE)",
    "  tryCatch(for (i in 1:100) grow(), error = conditionMessage)",
    "}",
    "limited(elapsed = 0.5)",
    "limited(cpu = 0.5)",
    "setSessionTimeLimit(elapsed = 0.5)",
    "tryCatch(for (i in 1:100) grow(), error = conditionMessage)",
    "setSessionTimeLimit()",
    "n_leaves(tec_tree(Species ~ ., iris, min_bucket = 80))"
  ))
  out <- withr::with_envvar(
    # R's own compiler passes over any error, so also over a time limit that ends while it works.
    c(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep), R_ENABLE_JIT = "0"),
    system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE)
  )
  expect_identical(out, paste("[1]", c(
    dQuote("reached elapsed time limit", FALSE), dQuote("reached CPU time limit", FALSE),
    dQuote("reached session elapsed time limit", FALSE), "1"
  )))
})
