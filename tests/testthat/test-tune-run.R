small <- function(...) {
  set.seed(6)
  metric <- c("accuracy", "auc")
  full_tune(Species ~ ., iris, q = c(0.5, 1, 2), folds = 5, repeats = 2, metric = metric, ...)
}

test_that("any plan gives the same numbers", {
  slow_test()
  skip_without_plans()
  plain <- small()
  processes <- NULL
  withr::defer({
    future::plan("sequential")
    if (!is.null(processes)) parallel::stopCluster(processes)
  })
  start_processes <- function() {
    processes <<- future::makeClusterPSOCK(2, rscript_libs = .libPaths())
    future::plan(future::cluster, workers = processes)
  }
  plans <- list(
    function() future::plan("multisession", workers = 2),
    function() future::plan("sequential"),
    start_processes,
    function() if (future::supportsMulticore()) future::plan("multicore", workers = 2)
  )
  for (start in in_turn(plans, 1)) {
    start()
    planned <- small()
    expect_identical(planned$values, plain$values)
    expect_identical(planned$table, plain$table)
    expect_identical(planned$fit$tree, plain$fit$tree)
    expect_false(planned$partial)
  }
})

test_that("folds are dealt out in waves only where there are processes", {
  expect_equal(fold_waves(3, 1), list(1L, 2L, 3L))
  expect_equal(lengths(fold_waves(5, 2)), c(2, 2, 1))
  expect_equal(lengths(fold_waves(100, 2)), c(rep(6, 16), 4))
  # Processes are started.
  skip_on_cran()
  skip_if_not_installed("future.apply")
  local_binding("in_parallel", function() TRUE)
  skip_if(!requireNamespace("future", quietly = TRUE))
  withr::defer(future::plan("sequential"))
  future::plan("multisession", workers = 2)
  expect_equal(lengths(fold_waves(10, 1)), c(4, 4, 2))
  expect_equal(unlist(fold_waves(100, 1)), 1:100)
})

test_that("without progress, forests run at once as far as memory allows", {
  at_once <- NULL
  counted <- folds_at_once
  local_binding("folds_at_once", function(job, settings, folds) {
    at_once <<- counted(job, settings, folds)
  })
  small()
  # 120 rows to train on, 3 settings x 30 rows x (a class, two columns of 3 shares).
  expect_equal(at_once, 2^23 / (120 + 3 * 30 * 7))
  expect_equal(fold_waves(10, 2, at_once), list(1:10))
  expect_equal(lengths(fold_waves(10, 4, 6)), c(4, 4, 2))
  expect_equal(lengths(fold_waves(10, 4, 0.1)), c(4, 4, 2))
  small(min_bucket = c(2, 5))
  expect_equal(at_once, 1)
  small(prune = "pep")
  expect_equal(at_once, 1)
  rlang::with_interactive(small(), value = TRUE)
  expect_equal(at_once, 1)
})

test_that("forests that run at once keep the finished parts after a real signal", {
  slow_test()
  skip_on_os("windows")
  skip_on_cran()
  set.seed(1)
  d <- data.frame(matrix(rnorm(4e4), 4000), y = factor(sample(3, 4000, TRUE)))
  repeats <- if (all_cases()) 16 else 6
  run <- function(repeats) {
    set.seed(2)
    full_tune(d[-11], d$y, q = seq(0.5, 2, by = 0.25), folds = 10, repeats = repeats, threads = 2)
  }
  # In the middle of the run, however fast the machine is; once more where it was too early.
  one <- system.time(run(repeats = 1))[["elapsed"]]
  warned <- FALSE
  for (wait in c(3, 4, 5) * one) {
    late <- sprintf("sleep %.2f; kill -INT %d", wait, Sys.getpid())
    system2("sh", c("-c", shQuote(late)), wait = FALSE)
    part <- withCallingHandlers(
      tryCatch(run(repeats), tec_error_interrupted = function(e) NULL),
      tec_warning_partial = function(w) {
        warned <<- TRUE
        invokeRestart("muffleWarning")
      }
    )
    if (!is.null(part)) break
  }
  expect_true(warned && part$partial)
  done <- nrow(part$folds)
  expect_true(done > 0 && done < 10 * repeats)
  whole <- run(repeats)
  same <- match(
    paste(part$folds$`repeat`, part$folds$fold), paste(whole$folds$`repeat`, whole$folds$fold)
  )
  expect_identical(part$values, whole$values[, , same, drop = FALSE])
})

test_that("an interrupted run returns the folds it finished", {
  withr::local_options(tectree.threads = 1)
  local_binding("folds_at_once", function(...) 1)
  cells <- fit_cells
  done <- 0
  local_binding("fit_cells", function(job, settings, folds) {
    if (done == 4) rlang::interrupt()
    done <<- done + 1
    cells(job, settings, folds)
  })
  expect_warning(tuned <- small(), "partial, from 4 of 10 folds", class = "tec_warning_partial")
  expect_true(tuned$partial)
  expect_equal(nrow(tuned$folds), 4)
  expect_snapshot(print(tuned))
  done <- 0
  set.seed(6)
  expect_warning(fit <- full_tree(Species ~ ., iris, q = 1:2), class = "tec_warning_partial")
  expect_match(format(fit), "PARTIAL", all = FALSE)
  done <- 4
  expect_error(small(), class = "tec_error_interrupted")
  local_binding("fit_cells", cells)
  whole <- small()
  expect_identical(tuned$values, whole$values[, , 1:4])
})

test_that("a real signal stops the run", {
  skip_on_os("windows")
  skip_on_cran()
  withr::local_options(tectree.threads = 1)
  local_binding("folds_at_once", function(...) 1)
  cells <- fit_cells
  done <- 0
  local_binding("fit_cells", function(job, settings, folds) {
    done <<- done + 1
    if (done == 3) {
      tools::pskill(Sys.getpid(), tools::SIGINT)
      Sys.sleep(5)
    }
    cells(job, settings, folds)
  })
  expect_warning(tuned <- small(), class = "tec_warning_partial")
  expect_equal(nrow(tuned$folds), 2)
})

test_that("progressr hears of every fold, also from other processes", {
  slow_test()
  skip_if_not_installed("progressr")
  steps <- function() {
    heard <- 0
    progressr::with_progress(
      small(),
      handlers = progressr::make_progression_handler("count", list(
        update = function(config, state, progression, ...) heard <<- heard + progression$amount
      ), interval = 0, enable = TRUE),
      enable = TRUE
    )
    heard
  }
  expect_equal(steps(), 10)
  skip_without_plans()
  withr::defer(future::plan("sequential"))
  future::plan("multisession", workers = 2)
  expect_equal(steps(), 10)
})

test_that("progress is shown only to a listener or in an interactive session", {
  expect_silent(small())
  ticked <- 0
  local_binding("progressr_listens", function() FALSE)
  rlang::with_interactive(
    {
      tick <- progress_ticker(4, environment())
      expect_equal(tick$around(1:3, function(signal) is.null(signal)), TRUE)
      expect_length(tick$around(4, function(signal) 1:2), 2)
      tick$close()
      expect_equal(small()$n_folds, 10)
    },
    value = TRUE
  )
})

test_that("a damaged result is reported", {
  whole <- small()
  for (part in c("table", "grid", "chosen", "n_folds", "n_rows", "partial")) {
    damaged <- whole
    damaged[part] <- list(NULL)
    expect_error(print(damaged), class = "tec_error_damaged")
    expect_error(as.data.frame(damaged), class = "tec_error_damaged")
  }
})

test_that("very many trees are announced", {
  grid <- function(n, run) lapply(seq_len(n), function(i) list(grown = i, run = run))
  expect_message(
    say_many_trees(grid(1000L, NA_integer_), 10), "10,?000 trees", class = "tec_message_tune"
  )
  expect_no_message(say_many_trees(grid(1000L, 1L), 10))
  expect_no_message(say_many_trees(grid(100L, NA_integer_), 10))
  expect_no_message(say_many_trees(rep(grid(1L, NA_integer_), 1000), 10))
})
