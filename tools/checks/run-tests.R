# Runs test files with the package in a library: Rscript run-tests.R LIBRARY TESTS FILES, where
# TESTS is the folder tests/testthat and FILES a regular expression for the names of its files,
# without `test-`. Slow tests are skipped unless TECTREE_SLOW is "yes". Fails if a test fails or
# none runs.
arguments <- commandArgs(TRUE)
.libPaths(c(arguments[1], .libPaths()))
Sys.setenv(NOT_CRAN = "true", TECTREE_SLOW = Sys.getenv("TECTREE_SLOW", "no"))
library(testthat)
library(tectree, lib.loc = arguments[1])
results <- test_dir(
  arguments[2],
  filter = arguments[3], package = "tectree", load_package = "installed", reporter = "check",
  stop_on_failure = FALSE
)
results <- as.data.frame(results)
failed <- sum(results$failed > 0 | results$error)
cat(nrow(results), "tests,", failed, "failed\n")
quit(status = failed > 0 || nrow(results) == 0)
