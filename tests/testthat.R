library(testthat)
library(tectree)

# All files run where NOT_CRAN is true. `sh tools/test.sh quick` leaves out those that take most of
# the time. CRAN gives a package ten minutes for all of its check: it runs a file or two per topic.
slow_files <- paste0(
  "^(autoplot|boost-export|caret|chaid-exports|chart|engine|fit|frame|mars-export|mlr3|parsnip|",
  "plot|prune-ccp|rotation-predict|surrogates|tune|unread|verbs|view|as[-_]|other-words|",
  "tec_(code|intervals|json|onnx|pmml|proximity|shap|sql)|",
  "forest-(check|fit|importance|quantiles))"
)
cran_files <- paste0(
  "^(c45|compare|control|cost|cp_table|criterion|criterion-choice|entropy|explain|formula|",
  "importance|lookahead|missing-use|newdata|preset|print|priors|prune|prune-control|response|rows|",
  "rules|scores|summary|tree-shape|update|weights|(boost-|forest-|mars-)?predict|",
  "tec_(boost|forest|mars|rotation|rules|shrink|tree))$"
)
run_tests <- function(...) {
  if (identical(Sys.getenv("NOT_CRAN"), "true")) {
    test_check("tectree", ...)
  } else if (nzchar(Sys.getenv("TECTREE_RESULTS"))) {
    test_check("tectree", filter = slow_files, invert = TRUE, ...)
  } else {
    test_check("tectree", filter = cran_files, ...)
  }
}

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
    run_tests(reporter = MultiReporter$new(list(CheckReporter$new(), counted))),
    finally = write_results(counted$get_results(), results_file)
  )
} else {
  run_tests()
}
