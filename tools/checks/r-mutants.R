# How good are the R tests? Writes faults into the R code and counts those that the tests find:
#
#   Rscript tools/checks/r-mutants.R [--faults=200] [--seed=1] [--work=FOLDER] [--limit=90]
#
# Needs the package as installed from this folder, and the package mutator, which writes the
# faults: each is a copy of one file of R/ with one change. Files are drawn in proportion to
# their lines. The tests that the file names in its first lines run, then those that call a changed
# function, the fastest first, to the first failure; the latter take at most about `limit` seconds
# per fault. Slow tests are left out. Faults in r-mutants-equal.tsv change nothing and are not
# counted. r-mutants-left.tsv says what the faults that no test found do to a user.
# WORK/tests.rds, which is made once, says which test files call which function;
# WORK/r-mutants.tsv has one line per fault. Prints the faults that were not found, and ends with
# their number.

args <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  found <- grep(paste0("^--", name, "="), args, value = TRUE)
  if (length(found)) sub("^[^=]*=", "", found[[1L]]) else default
}
file <- grep("^--file=", commandArgs(), value = TRUE)
checks <- dirname(normalizePath(sub("^--file=", "", file[[1L]])))
root <- dirname(dirname(checks))
work <- option("work", file.path(tempdir(), "r-mutants"))
wanted <- as.integer(option("faults", "200"))
limit <- as.numeric(option("limit", "90"))
set.seed(as.integer(option("seed", "1")))

tests <- file.path(work, "tests", "testthat")
if (!dir.exists(tests)) {
  dir.create(work, recursive = TRUE, showWarnings = FALSE)
  for (part in c("tests", "vignettes", "README.md", ".Rbuildignore")) {
    file.copy(file.path(root, part), work, recursive = TRUE)
  }
}
Sys.setenv(
  NOT_CRAN = "true", TECTREE_SLOW = "no", TECTREE_REPLICATION = file.path(root, "replication")
)

# Runs test files in a process of its own; its exit status is 0 only if all tests pass.
run_tests <- function(files, mutant = "none", record = "none", seconds = 600 + 10 * limit) {
  script <- file.path(checks, "r-mutant-tests.R")
  suppressWarnings(system2("timeout",
    c(seconds, "Rscript", "--vanilla", script, tests, mutant, record, files),
    stdout = FALSE, stderr = FALSE
  ))
}

two_at_once <- function(x, f) parallel::mclapply(x, f, mc.cores = 2L, mc.preschedule = FALSE)

# One row per test file that passes: its seconds, and the functions that it calls.
recorded <- file.path(work, "tests.rds")
if (!file.exists(recorded)) {
  files <- list.files(tests, "^test-.*[.]R$")
  rows <- two_at_once(split(files, seq_along(files) %% 8L), function(some) {
    record <- tempfile()
    run_tests(some, record = record, seconds = 7200)
    readRDS(record)
  })
  rows <- do.call(rbind, rows)
  message("Left out, since they fail without a fault: ", toString(setdiff(files, rows$file)))
  saveRDS(rows, recorded)
}
known <- readRDS(recorded)
known <- known[lengths(known$calls) > 0L, ]
known <- known[order(known$seconds), ]

# zz-missing.R and RcppExports.R are read or written when the package is built.
files <- setdiff(list.files(file.path(root, "R"), "[.]R$", full.names = TRUE),
  file.path(root, "R", c("RcppExports.R", "zz-missing.R", "data.R", "tectree-package.R")))
lines <- vapply(files, function(file) sum(!grepl("^\\s*(#|$)", readLines(file))), 0L)
drawn <- table(sample(files, wanted, replace = TRUE, prob = lines))
mutants <- do.call(rbind, lapply(names(drawn), function(file) {
  out <- file.path(work, "mutants", basename(file))
  dir.create(out, recursive = TRUE, showWarnings = FALSE)
  made <- suppressMessages(mutator::mutate_file(file, out,
    max_mutants = drawn[[file]], max_line_deletions = 0
  ))
  if (!length(made)) {
    return(NULL)
  }
  data.frame(
    file = file, mutant = vapply(made, `[[`, "", "path"),
    kind = vapply(made, function(x) x$loc$operator_id, ""),
    what = gsub("\\s+", " ", vapply(made, function(x) paste(x$info, collapse = " "), ""))
  )
}))
mutants <- mutants[sample(nrow(mutants)), ]

# The names of functions that differ between two files.
changed <- function(from, to) {
  old <- parse(from, keep.source = FALSE)
  new <- parse(to, keep.source = FALSE)
  at <- which(!mapply(identical, as.list(old), as.list(new)))
  vapply(as.list(old)[at], function(x) {
    if (is.call(x) && length(x) > 1L) as.character(x[[2L]])[1L] else ""
  }, "")
}

# The test files that a file of R/ names in its first lines, and the one of its own name.
tests_of <- function(file) {
  head <- paste(grep("^#", readLines(file, 6L), value = TRUE), collapse = " ")
  named <- regmatches(head, gregexpr("test-[A-Za-z0-9_-]+[.]R", head))[[1L]]
  c(named, paste0("test-", basename(file)))
}

# A fault as r-mutants-equal.tsv has it: the line at which the changed expression begins, and the
# change.
fault_text <- function(file, what) {
  line <- as.integer(sub(".*Range: ([0-9]+):.*", "\\1", what))
  text <- trimws(mapply(function(file, line) readLines(file)[line], file, line))
  paste(basename(file), text, sub(".*Details: ", "", what), sep = "\t")
}
equal <- utils::read.delim(file.path(checks, "r-mutants-equal.tsv"), quote = "")
without <- fault_text(mutants$file, mutants$what) %in%
  paste(equal$file, equal$text, equal$change, sep = "\t")
message(nrow(mutants), " drawn, ", sum(without), " of them change nothing")
mutants <- mutants[!without, ]

report <- file.path(work, "r-mutants.tsv")
done <- if (file.exists(report)) as.integer(sub("\t.*", "", readLines(report)))
invisible(two_at_once(setdiff(seq_len(nrow(mutants)), done), function(i) {
  names <- changed(mutants$file[i], mutants$mutant[i])
  topics <- tests_of(mutants$file[i])
  calls <- vapply(known$calls, function(calls) any(names %in% calls), NA)
  first <- known[known$file %in% topics, ]
  more <- known[calls & !known$file %in% topics, ]
  use <- c(first$file, more$file[cumsum(more$seconds) <= limit])
  status <- if (length(use)) run_tests(use, mutants$mutant[i], mutants$file[i])
  said <- if (is.null(status)) "no test" else switch(as.character(status),
    "0" = "not found", "124" = "no end", "found"
  )
  line <- paste(i, said, basename(mutants$file[i]), mutants$kind[i], paste(names, collapse = " "),
    paste0(mutants$what[i], "\n"),
    sep = "\t"
  )
  cat(line, file = report, append = TRUE)
}))
result <- utils::read.delim(report, header = FALSE, quote = "", comment.char = "",
  col.names = c("id", "result", "file", "kind", "functions", "what"))
print(result[result$result != "found", ], right = FALSE)
cat(sprintf("%d faults, %d found (%.1f %%)\n", nrow(result), sum(result$result == "found"),
  100 * mean(result$result == "found")))
