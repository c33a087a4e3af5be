# Data spread over R processes: the tree equals that of all rows bound together.

count_parts <- function(...) tec_engine(collect_rows = 0, progress = FALSE, ...)

# A tree of two parts, and that of memory.
tree_of_parts <- function(formula, parts, ..., engine = count_parts()) {
  cl <- give_parts(cluster_of_two(), parts)
  quietly_grown(list(formula, cl, table = "part", engine = engine, ...))
}

test_that("random tables in two parts grow the tree of all rows", {
  for (seed in case_seeds(3)) at_seed(seed, {
    out <- compare_parts(seed)
    expect_true(out$same, info = paste("seed", seed))
    expect_identical(out$trees$there$columns, out$trees$here$columns)
    expect_identical(out$trees$there$response, out$trees$here$response)
  })
})

test_that("columns in bins are certified", {
  for (seed in case_seeds(1)) at_seed(seed, {
    n <- 300
    d <- data.frame(
      a = stats::rnorm(n), b = round(exp(4 * stats::rnorm(n)), 3),
      c = sample(c(-Inf, Inf, NA, round(stats::rnorm(60), 2)), n, TRUE)
    )
    d$y <- ifelse(d$a + log(d$b) / 4 + stats::rnorm(n) / 3 > 0.2, "u",
      ifelse(d$c > 0.5 & !is.na(d$c), "v", "w"))
    d$z <- round(d$a, 1) + 2 * (d$b > 1)
    # The second worker has the upper half of `b`.
    parts <- split(d, if (seed %% 2) d$b > 1 else sample(1:2, n, TRUE))
    d <- do.call(rbind, unname(parts))
    engine <- count_parts(max_values = 10, bins = 6)
    engine$parts <- c(4, 16, 256)[seed %% 3 + 1]
    for (formula in list(y ~ a + b + c, z ~ a + b + c)) {
      use <- list(max_depth = 3, missing = "majority", prune = "none", min_bucket = 3)
      there <- do.call(tree_of_parts, c(list(formula, parts, engine = engine), use))
      here <- do.call(tec_tree, c(list(formula, d), use))
      expect_true(is_same_tree(here, there, d))
      expect_true("certified" %in% there$found)
    }
  })
})

test_that("rows that are fetched grow and prune the same tree", {
  set.seed(3)
  d <- same_table(5, FALSE)
  parts <- random_parts(d)
  d <- do.call(rbind, parts)
  formula <- stats::reformulate(paste0("`", gsub("`", "\\\\`", names(d)[1:7]), "`"), "y")
  there <- tree_of_parts(formula, parts, engine = NULL)
  here <- quietly_grown(list(formula, d))
  expect_identical(there$tree, here$tree)
  expect_identical(there[["cptable"]], here[["cptable"]])
  expect_identical(there[c("columns", "response")], here[c("columns", "response")])
  some <- tree_of_parts(formula, parts, prune = "none", missing = "learned",
    engine = tec_engine(collect_rows = 60, progress = FALSE))
  expect_true("collected" %in% some$found)
  here <- quietly_grown(list(formula, d, prune = "none", missing = "learned"))
  expect_identical(some$tree, here$tree)
})

test_that("classes from factor() are in its order", {
  parts <- split(mtcars, rep(1:2, c(20, 12)))
  parts[[1]] <- parts[[1]][parts[[1]]$carb != 2, ]
  parts[[2]]$carb[1:3] <- 10
  d <- do.call(rbind, unname(parts))
  for (engine in list(count_parts(), NULL)) {
    there <- tree_of_parts(factor(carb) ~ mpg + wt, parts, prune = "none", engine = engine)
    here <- tec_tree(factor(carb) ~ mpg + wt, d, prune = "none")
    expect_identical(there$tree, here$tree)
    expect_identical(there$response$levels, here$response$levels)
    expect_identical(there$response$levels[6:7], c("8", "10"))
  }
  text <- lapply(parts, transform, carb = c("b", "B", "a", "\u00e4")[carb %% 4 + 1])
  there <- tree_of_parts(factor(carb) ~ mpg + wt, text, prune = "none")
  here <- tec_tree(factor(carb) ~ mpg + wt, do.call(rbind, unname(text)), prune = "none")
  expect_identical(there$tree, here$tree)
  expect_identical(there$response$levels, here$response$levels)
})

test_that("parts may have no rows, no response, no values, or dates", {
  d <- transform(iris, day = as.Date("2026-01-01") + seq_len(150), Sepal.Width = NA_real_)
  # The types of a file without rows do not matter.
  none <- data.frame(lapply(d[0, ], as.logical))
  there <- tree_of_parts(Species ~ ., list(none, d), prune = "none", missing = "majority")
  here <- tec_tree(Species ~ ., d, prune = "none", missing = "majority")
  expect_identical(there$tree, here$tree)
  expect_identical(there$columns, here$columns)
  gone <- transform(d, Species = replace(Species, TRUE, NA), Petal.Length = NA_real_)
  for (formula in list(Species ~ ., Sepal.Length ~ Petal.Length + Petal.Width)) {
    both <- if (identical(formula[[2L]], quote(Species))) {
      list(gone, d)
    } else {
      list(transform(d, Sepal.Length = NA_real_), d)
    }
    there <- tree_of_parts(formula, both, prune = "none", missing = "majority")
    here <- quietly_grown(
      list(formula, do.call(rbind, both), prune = "none", missing = "majority")
    )
    expect_true(is_same_tree(here, there, d))
    expect_equal(there$n_missing_response, 150)
  }
  cl <- give_parts(cluster_of_two(), list(none, none))
  expect_error(tec_tree(Species ~ ., cl, table = "part"), class = "tec_error_data")
})

test_that("sums of numbers are exact, in one unit for all parts", {
  parts <- list(data.frame(x = 1:20, y = 1:20 * 1), data.frame(x = 1:20, y = 1:20 / 8))
  same <- function() {
    fit <- tree_of_parts(y ~ x, parts, prune = "none")
    same_tree(fit, tec_tree(y ~ x, do.call(rbind, parts), prune = "none"), FALSE)
  }
  same()
  parts[[2L]]$y <- 1:20 / 7
  same()
  # Squares are beyond 2^53.
  parts <- list(data.frame(x = 1:20, y = 1:20 * 1e8), data.frame(x = 1:20, y = 1:20 / 8))
  same()
})

test_that("forests and tuning count bags and folds by a key", {
  d <- transform(iris, id = seq_len(150))
  cl <- give_parts(cluster_of_two(), split(d, rep(1:2, 75)))
  engine <- count_parts(key = "id")
  fit <- tec_forest(
    Species ~ ., cl, table = "part", trees = 3, mtry = "all", engine = engine, q = 1
  )
  for (i in 1:3) {
    rows <- rep(seq_len(150), hash_bag(d$id, i, TRUE, 1))
    tree <- tec_tree(
      Species ~ ., iris[rows, ], q = 1, prune = "none", missing = "learned", min_bucket = 1,
      min_split = 2, smooth = 0
    )
    expect_identical(predict(fit[[i]], iris), predict(tree, iris))
  }
  tuned <- suppressMessages(tec_tune(
    Species ~ ., cl, table = "part", q = c(0.5, 2), folds = 3, prune = "none", engine = engine
  ))
  fold <- hash_fold(d$id, 3)
  for (q in 1:2) {
    right <- vapply(1:3, function(k) {
      tree <- tec_tree(Species ~ ., iris[fold != k, ], q = c(0.5, 2)[q], prune = "none")
      mean(predict(tree, iris[fold == k, ]) == iris$Species[fold == k])
    }, 0)
    expect_equal(unname(tuned$values[q, "accuracy", ]), right)
  }
  expect_identical(
    tuned$fit$tree,
    tec_tree(Species ~ ., iris, q = tuned$fit$criterion$parameter[["q"]], prune = "none")$tree
  )
})

test_that("a tree goes on from its checkpoint; the workers forget their counters", {
  cl <- give_parts(cluster_of_two(), split(iris, rep(1:2, 75)))
  file <- withr::local_tempfile()
  fit <- tec_tree(
    Species ~ ., cl, table = "part", prune = "none", engine = count_parts(checkpoint = file)
  )
  expect_identical(tec_resume(file, cl, table = "part")$tree, fit$tree)
  expect_null(unlist(parallel::clusterCall(cl, eval, quote(tectree:::cluster_state$counter))))
  passes <- tec_passes(fit)
  expect_identical(passes$what, c("meta", rep("counts", tree_depth(fit))))
  expect_match(passes$plan, "^[0-9.]+ [+] [0-9.]+ s$")
  expect_true(all(passes$bytes > 0))
  give_parts(cl, split(transform(iris, Petal.Width = Petal.Width + 1), rep(1:2, 75)))
  error <- tryCatch(tec_resume(file, cl, table = "part"), error = identity)
  expect_s3_class(error, "tec_error_changed")
  expect_match(conditionMessage(error), "Worker 1")
  give_parts(cl, split(iris, rep(1:2, 75)))
  # Each worker predicts its part, as the error of predict() says.
  answers <- parallel::clusterCall(cl, eval, bquote(predict(.(fit), part)), globalenv())
  expect_identical(answers[[1L]], predict(fit, iris[rep(1:2, 75) == 1, ]))
})

test_that("a problem with a worker is an error that names it", {
  cl <- cluster_of_two()
  grow <- function(one, two, ..., formula = Species ~ .) {
    tec_tree(formula, give_parts(cl, list(one, two)), table = "part", engine = count_parts(...))
  }
  whole <- transform(iris, w = 1)
  dated <- transform(iris, day = as.Date("2026-01-01") + 1:150)
  expect_snapshot(error = TRUE, {
    tec_tree(Species ~ ., cl)
    tec_tree(Species ~ ., cl, table = "missing_part")
    grow(iris, iris[-2])
    grow(iris[-2], iris)
    grow(iris, transform(iris, Petal.Width = as.character(Petal.Width)))
    grow(iris, transform(iris, Species = as.character(Species)))
    grow(iris, 1:3)
    grow(iris, transform(iris, Petal.Length = I(Petal.Length)))
    grow(dated, dated, formula = day ~ Sepal.Width)
    grow(iris, transform(iris, Sepal.Width = Inf), formula = Sepal.Width ~ .)
    grow(whole, transform(whole, w = 0.5), key = "w")
    tec_tree(Species ~ . - w, cl, table = "part", weights = w,
      weights_as = "frequency", engine = count_parts())
    tec_tree(Species ~ Petal.Lenght, cl, table = "part")
    predict(tec_tree(Species ~ ., iris), cl)
    tec_mars(Sepal.Width ~ Sepal.Length, cl)
  })
  # The workers are as before.
  fit <- tec_tree(Species ~ ., give_parts(cl, list(iris, iris)), table = "part", cp = 0)
  expect_identical(fit$tree, tec_tree(Species ~ ., rbind(iris, iris), cp = 0)$tree)
})

test_that("a worker without the package, or of another version, is an error", {
  cl <- parallel::makeCluster(1)
  withr::defer(parallel::stopCluster(cl))
  parallel::clusterCall(cl, eval, quote({
    .libPaths("", include.site = FALSE)
    assign(".lib.loc", character(), environment(.libPaths))
  }))
  expect_error(tec_tree(y ~ ., cl, table = "part"), "Worker 1:.*tectree",
    class = "tec_error_cluster")
  expect_error(answer_call("9.9", "describe_part", list("part")), "version 9.9",
    class = "tec_error_cluster")
})

test_that("the answer to an earlier call is skipped; a dead worker is an error", {
  cl <- parallel::makeCluster(2)
  parallel::clusterCall(cl, .libPaths, .libPaths())
  give_parts(cl, list(iris, iris))
  # As an interrupt leaves it: the answer to a call was not taken.
  late <- cl[1]
  call <- list(type = "EXEC", data = list(fun = Sys.getpid, args = list(), return = TRUE, tag = 1))
  serialize(call, late[[1L]]$con)
  fit <- tec_tree(Species ~ ., cl, table = "part", cp = 0)
  expect_identical(fit$tree, tec_tree(Species ~ ., rbind(iris, iris), cp = 0)$tree)
  pids <- unlist(parallel::clusterCall(cl, Sys.getpid))
  tools::pskill(pids[2L], tools::SIGKILL)
  error <- tryCatch(tec_tree(Species ~ ., cl, table = "part"), error = identity)
  expect_s3_class(error, "tec_error_cluster")
  expect_match(conditionMessage(error), "Worker 2 no longer answers")
  tools::pskill(pids[1L], tools::SIGKILL)
  for (node in unclass(cl)) close(node$con)
})

test_that("processes of MPI grow the same tree", {
  # To load Rmpi would make this process one of MPI's.
  own <- Sys.getenv("TECTREE_MPI")
  libraries <- c(.libPaths(), own[nzchar(own)])
  here <- nzchar(Sys.which("mpirun")) && all(nzchar(vapply(
    c("Rmpi", "snow"), function(package) system.file(package = package, lib.loc = libraries), ""
  )))
  skip_if_not(here, "mpirun, Rmpi or snow is not here")
  file <- withr::local_tempfile()
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(
    'cl <- parallel::makeCluster(2, type = "MPI")',
    'parallel::clusterCall(cl[1], assign, "part", iris[1:70, ], envir = globalenv())',
    'parallel::clusterCall(cl[2], assign, "part", iris[71:150, ], envir = globalenv())',
    "fit <- tectree::tec_tree(",
    '  Species ~ ., cl, table = "part", prune = "none",',
    "  engine = tectree::tec_engine(collect_rows = 0, progress = FALSE)",
    ")",
    paste("saveRDS(list(class(cl), fit),", deparse(file), ")"),
    # stopCluster() may wait for ever (Open MPI 4.1).
    "Rmpi::mpi.abort(0)"
  ), script)
  withr::local_envvar(
    R_LIBS = paste(libraries, collapse = .Platform$path.sep), OMPI_ALLOW_RUN_AS_ROOT = "1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = "1", OMPI_MCA_rmaps_base_oversubscribe = "1",
    OMPI_MCA_mpi_yield_when_idle = "1"
  )
  starts <- system2("mpirun", c("-n", "1", "true"), stdout = FALSE, stderr = FALSE, timeout = 60)
  skip_if_not(starts == 0L, "mpirun starts no process here")
  run <- c("-n", "1", file.path(R.home("bin"), "Rscript"), "--no-init-file", shQuote(script))
  suppressWarnings(system2("mpirun", run, stdout = FALSE, stderr = FALSE, timeout = 120))
  result <- readRDS(file)
  expect_true("MPIcluster" %in% result[[1L]])
  expect_identical(result[[2L]]$tree, tec_tree(Species ~ ., iris, prune = "none")$tree)
  expect_match(tec_passes(result[[2L]])$plan, "+", fixed = TRUE)
})

test_that("an interrupt ends the fit, not the workers, and leaves no answer behind", {
  skip_on_os("windows")
  file <- withr::local_tempfile()
  script <- withr::local_tempfile(fileext = ".R")
  # A process of its own with workers, all of which the terminal's interrupt reaches.
  writeLines(c(
    "library(tectree)", "cl <- parallel::makeCluster(2)",
    "parallel::clusterCall(cl, .libPaths, .libPaths())",
    "make <- function(i) { set.seed(i); n <- 3e5",
    "  part <- as.data.frame(matrix(sample(50, 10 * n, TRUE), n))",
    "  part$y <- sample(letters[1:3], n, TRUE)",
    "  assign(\"part\", part, envir = globalenv()); NULL }",
    "environment(make) <- globalenv()", "parallel::clusterApply(cl, 1:2, make)",
    "count <- tec_engine(collect_rows = 0, progress = FALSE)",
    "grow <- function(depth, table = \"part\") tec_tree(y ~ ., cl, table = table,",
    "  max_depth = depth, prune = \"none\", engine = count)",
    "before <- grow(1)", "pids <- unlist(parallel::clusterCall(cl, Sys.getpid))",
    paste0("writeLines(as.character(c(Sys.getpid(), pids)), \"", file, ".pids\")"),
    # Each worker says when it reads its part, and waits until the interrupt was sent.
    "read <- function() {",
    paste0("  file.create(paste0(\"", file, "\", Sys.getpid(), \".reads\"))"),
    paste0("  while (!file.exists(\"", file, ".sent\")) Sys.sleep(0.05)"), "  part }",
    "environment(read) <- globalenv()",
    "ended <- tryCatch({ grow(12, read); \"whole\" }, interrupt = function(e) \"interrupted\")",
    "answers <- unlist(parallel::clusterCall(cl, function() nrow(part)))",
    "after <- grow(1)",
    paste0("saveRDS(list(ended, answers, identical(before$tree, after$tree)), \"", file, "\")")
  ), script)
  start_r(script)
  expect_true(wait_for(file.exists(paste0(file, ".pids")), 120))
  pids <- readLines(paste0(file, ".pids"))
  expect_true(wait_for(all(file.exists(paste0(file, pids[-1L], ".reads"))), 120))
  # To all of them, as a terminal does.
  tools::pskill(as.integer(pids), tools::SIGINT)
  file.create(paste0(file, ".sent"))
  expect_true(wait_for(file.exists(file), 180))
  Sys.sleep(0.2)
  expect_identical(readRDS(file), list("interrupted", c(300000L, 300000L), TRUE))
})

test_that("workers read their parts by themselves, again for each fit", {
  slow_test()
  files <- withr::local_tempfile(fileext = c(".1.rds", ".2.rds"))
  saveRDS(iris[1:70, ], files[1L])
  saveRDS(iris[71:150, ], files[2L])
  start <- function() {
    cl <- parallel::makeCluster(2)
    parallel::clusterCall(cl, .libPaths, .libPaths())
    for (i in 1:2) parallel::clusterCall(cl[i], Sys.setenv, TECTREE_PART = files[i])
    cl
  }
  cl <- start()
  withr::defer(parallel::stopCluster(cl))
  read <- function() readRDS(Sys.getenv("TECTREE_PART"))
  environment(read) <- globalenv()
  checkpoint <- withr::local_tempfile()
  grow <- function(cl, ...) tec_tree(Species ~ ., cl, table = read, prune = "none", ...)
  whole <- tec_tree(Species ~ ., iris, prune = "none")$tree
  expect_identical(grow(cl)$tree, whole)
  expect_identical(grow(cl, engine = count_parts(checkpoint = checkpoint))$tree, whole)
  # A worker that has lost all it had, and new ones.
  parallel::clusterEvalQ(cl[1], {
    state <- tectree:::cluster_state
    rm(list = ls(state), envir = state)
  })
  expect_identical(grow(cl, engine = count_parts())$tree, whole)
  parallel::stopCluster(cl)
  cl <- start()
  expect_identical(tec_resume(checkpoint, cl, table = read)$tree, whole)
  # What has changed is read.
  saveRDS(iris[71:120, ], files[2L])
  expect_identical(
    grow(cl, engine = count_parts())$tree, tec_tree(Species ~ ., iris[1:120, ], prune = "none")$tree
  )
  expect_null(unlist(parallel::clusterCall(cl, eval, quote(tectree:::cluster_state$part))))
  # What is wrong with the function, or with its file, is an error that names the worker.
  unlink(files[2L])
  expect_error(suppressWarnings(grow(cl)), "Worker 2", class = "tec_error_cluster")
  expect_null(unlist(parallel::clusterCall(cl, eval, quote(tectree:::cluster_state$part))))
  read <- function() 1:3
  environment(read) <- globalenv()
  expect_snapshot(error = TRUE, grow(cl))
})
