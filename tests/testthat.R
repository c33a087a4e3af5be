library(testthat)
library(tectree)

# Where TECTREE_RESULTS names a file, one line a test is written there for tools/test.sh:
# result, file, test, and the number of its expectations, tab separated.
results_file <- Sys.getenv("TECTREE_RESULTS")

write_results <- function(results, path) {
  tests <- as.data.frame(results)
  result <- ifelse(tests$failed > 0 | tests$error, "fail", ifelse(tests$skipped, "skip", "pass"))
  messages <- vapply(results, function(test) {
    kept <- Filter(function(x) !inherits(x, "expectation_success"), test$results)
    if (length(kept) == 0) "" else strsplit(conditionMessage(kept[[1]]), "\n")[[1]][1]
  }, "")
  lines <- paste(result, tests$file, gsub("\\s+", " ", tests$test), tests$nb, messages, sep = "\t")
  writeLines(lines, path, useBytes = TRUE)
}

if (nzchar(results_file)) {
  counted <- ListReporter$new()
  tryCatch(
    test_check("tectree", reporter = MultiReporter$new(list(CheckReporter$new(), counted))),
    finally = write_results(counted$get_results(), results_file)
  )
} else {
  test_check("tectree")
}
