# Coverage of the lines of R/ by the R tests:
#
#   Rscript tools/checks/coverage.R                 all tests but the slow ones
#   Rscript tools/checks/coverage.R --filter=REGEX  those of the test files; no aim
#   Rscript tools/checks/coverage.R --add=FILE ...  adds the counts of earlier runs, kept in FILE
#   Rscript tools/checks/coverage.R --list ...      also every line that is left
#   Rscript tools/checks/coverage.R --planted       without one test the coverage must be lower
#
# Prints one line for each file below the aim, 97 % of its lines, the total, and `N passed, N
# failed, N skipped`. TECTREE_SLOW=yes also runs the slow tests.
#
# covr counts the expressions of all functions of the installed package, in one process: a line is
# covered if all expressions on it are evaluated, also both values of an `if` on one line. Counted
# are lines with an expression in a function. Such lines seem unreached if they run while the
# package is built or in other processes (clusters, futures, `Rscript`). Functions that are
# elements of lists are not counted. covr has no branches. Tests that read the code of functions
# can fail here, since covr changes it: they are listed.

args <- commandArgs(TRUE)
given <- function(name) {
  at <- startsWith(args, paste0("--", name))
  if (any(at)) sub("^--[a-z]+=?", "", args[at][1L])
}
aim <- 97
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1L])
root <- normalizePath(file.path(dirname(script), "..", ".."))
if (!requireNamespace("covr", quietly = TRUE)) {
  message("coverage: the package covr is not installed")
  cat("0 passed, 0 failed, 1 skipped\n")
  quit(status = 0)
}

# Installs the package with its source references into a temporary library.
install <- function() {
  library <- tempfile("library")
  dir.create(library)
  copy <- tempfile("copy")
  dir.create(copy)
  files <- file.path(root, c("DESCRIPTION", "NAMESPACE", "R", "data", "inst", "src"))
  file.copy(files, copy, recursive = TRUE, copy.date = TRUE)
  unlink(list.files(file.path(copy, "src"), "[.](o|so)$", full.names = TRUE))
  if (!nzchar(Sys.getenv("R_MAKEVARS_USER")) && nzchar(Sys.which("ccache"))) {
    makevars <- tempfile()
    writeLines(c("CXX17 = ccache g++", "CXX17FLAGS = -O2"), makevars)
    Sys.setenv(R_MAKEVARS_USER = makevars)
  }
  Sys.setenv(R_KEEP_PKG_PARSE_DATA = "yes")
  options <- c("--with-keep.source", "--no-docs", "--no-test-load", "--no-byte-compile")
  out <- system2(file.path(R.home("bin"), "R"),
    c("CMD", "INSTALL", options, paste0("--library=", library), copy),
    stdout = TRUE, stderr = TRUE
  )
  if (!dir.exists(file.path(library, "tectree"))) stop(paste(out, collapse = "\n"))
  library
}

# TECTREE_BUILT may name a library with the package, installed as above.
built <- Sys.getenv("TECTREE_BUILT")
.libPaths(c(if (nzchar(built)) built else install(), .libPaths()))
Sys.setenv(
  NOT_CRAN = "true", R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep),
  TECTREE_SLOW = Sys.getenv("TECTREE_SLOW", "no"),
  TECTREE_REPLICATION = file.path(root, "replication")
)
shared <- file.path(dirname(root), "shared", "data")
if (!nzchar(Sys.getenv("TECTREE_DATA")) && dir.exists(shared)) Sys.setenv(TECTREE_DATA = shared)

# The code that builds the lists of the package again: covr traces the functions of the package, not
# the copies of them that these lists contain.
rebuilds <- c(
  "space <- asNamespace('tectree')",
  "for (code in run[[4L]]) {",
  "  name <- as.character(code[[2L]])",
  "  unlockBinding(name, space)",
  "  eval(code, space)",
  "  lockBinding(name, space)",
  "}"
)
lists_of <- function(folder) {
  fields <- read.dcf(file.path(root, "DESCRIPTION"), "Collate")
  files <- if (anyNA(fields)) list.files(folder, "[.]R$") else scan(text = fields, "", quiet = TRUE)
  code <- unlist(lapply(file.path(folder, gsub("'", "", files)), parse, keep.source = FALSE))
  space <- asNamespace("tectree")
  Filter(function(one) {
    assigns <- is.call(one) && identical(one[[1L]], quote(`<-`)) && is.name(one[[2L]])
    assigns && is.list(get0(as.character(one[[2L]]), space, inherits = FALSE))
  }, code)
}

# The counts of covr, one row for each line: file, line, value; and the failed tests.
coverage_of <- function(folder, filter) {
  run <- tempfile(fileext = ".R")
  failed <- tempfile()
  kept <- tempfile()
  saveRDS(list(folder, filter, failed, lists_of(file.path(root, "R"))), kept)
  writeLines(c(sprintf("run <- readRDS('%s')", kept), rebuilds, "
    results <- as.data.frame(testthat::test_dir(
      run[[1L]],
      filter = run[[2L]], package = 'tectree', load_package = 'installed', reporter = 'silent',
      stop_on_failure = FALSE
    ))
    bad <- results[results$failed > 0 | results$error, ]
    writeLines(paste0('failed: ', bad$file, ': ', bad$test)[seq_len(nrow(bad))], run[[3L]])
  "), run)
  counts <- covr::environment_coverage(asNamespace("tectree"), test_files = run)
  lines <- covr::tally_coverage(counts, by = "line")
  lines$filename <- basename(lines$filename)
  # A line may be part of a function and of one inside it.
  lines <- stats::aggregate(value ~ filename + line, lines, min)
  lines <- lines[order(lines$filename, lines$line), ]
  list(lines = lines, failed = readLines(failed))
}

# Tests may write beside themselves, and read these files of the project.
tests <- file.path(tempfile("project"), "tests", "testthat")
dir.create(tests, recursive = TRUE)
invisible(file.copy(file.path(root, "tests", "testthat"), dirname(tests), recursive = TRUE))
beside <- file.path(root, c("README.md", ".Rbuildignore", "vignettes"))
invisible(file.copy(beside, dirname(dirname(tests)), recursive = TRUE))

if (!is.null(given("planted"))) {
  # The test file of tec_gains(), and the same without one of its tests.
  file <- file.path(tests, "test-gains.R")
  code <- parse(file, keep.source = FALSE)
  reached <- vapply(list(code, code[-3L]), function(some) {
    writeLines(unlist(lapply(some, deparse)), file)
    lines <- coverage_of(tests, "^gains$")$lines
    sum(lines$value[lines$filename == "gains.R"] > 0)
  }, 0L)
  seen <- reached[2L] < reached[1L]
  cat(
    if (!seen) "FAILED: a test that is left out is not seen: ",
    reached[1L], " lines of R/gains.R are reached, and ", reached[2L], " without one test\n",
    as.integer(seen), " passed, ", as.integer(!seen), " failed, 0 skipped\n",
    sep = ""
  )
  quit(status = as.integer(!seen))
}

found <- coverage_of(tests, given("filter"))
lines <- found$lines
sum_file <- given("add")
if (!is.null(sum_file)) {
  if (file.exists(sum_file)) {
    earlier <- readRDS(sum_file)
    stopifnot(identical(earlier[c("filename", "line")], lines[c("filename", "line")]))
    lines$value <- lines$value + earlier$value
  }
  saveRDS(lines, sum_file)
}
lines <- lines[lines$filename != "RcppExports.R", ]
percent <- tapply(lines$value > 0, lines$filename, function(reached) 100 * mean(reached))
n <- table(lines$filename)[names(percent)]
below <- percent < aim
cat(found$failed, sep = "\n")
if (!is.null(given("list"))) {
  left <- lines[lines$value == 0, ]
  left <- left[order(left$filename, left$line), ]
  code <- mapply(function(file, line) readLines(file.path(root, "R", file))[line],
    left$filename, left$line)
  cat(sprintf("R/%s:%d: %s", left$filename, left$line, trimws(code)), sep = "\n")
}
cat(sprintf("below: R/%-40s %6.1f %% of %5d lines", names(percent), percent, n)[below], sep = "\n")
total <- 100 * mean(lines$value > 0)
passed <- !is.null(given("filter")) || total >= aim
cat(sprintf("%-49s %6.1f %% of %5d lines\n", "all", total, nrow(lines)))
if (length(found$failed)) cat(length(found$failed), "tests failed here\n")
cat(as.integer(passed), " passed, ", as.integer(!passed), " failed, 0 skipped\n", sep = "")
quit(status = as.integer(!passed))
