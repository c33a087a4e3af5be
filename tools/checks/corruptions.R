# Random damage to stored models and to JSON: each call gives an error of the package or a right
# answer, and never a crash, an endless loop, an error without a class, or evaluated code.
#
#   Rscript tools/checks/corruptions.R [--cases=20000] [--seed=1] [--verbs=4] [--at-once=2]
#   Rscript tools/checks/corruptions.R --case=123      one case, with every outcome
#
# Each case damages one field of a model of tests/testthat/fixtures/models-1.rds (or its JSON) and
# calls predict() and some other functions (tests/testthat/helper-corruptions.R). The cases run in
# processes of 500, so that a crash is counted and the cases after it still run. Prints the faults,
# sorted, with a case of each. The exit status is 0 if there are none.

args <- commandArgs(TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[1L] else default
}
cases <- as.integer(given("cases", "20000"))
first <- as.integer(given("seed", "1"))
n_verbs <- as.integer(given("verbs", "4"))
at_once <- as.integer(given("at-once", "2"))
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1L])
tests <- file.path(dirname(script), "..", "..", "tests", "testthat")

# The cases `seeds` in this process; `file` gets a line before and after each call.
run_cases <- function(seeds, file) {
  suppressPackageStartupMessages(library(tectree))
  source(file.path(tests, "helper-corruptions.R"))
  models <- readRDS(file.path(tests, "fixtures", "models-1.rds"))
  known <- verbs_of_models(models)
  con <- file(file, "a")
  on.exit(close(con))
  say <- function(...) {
    cat(gsub("[[:cntrl:]]", " ", c(...)), "\n", sep = "\t", file = con)
    flush(con)
  }
  for (seed in seeds) {
    out <- corruption_case(seed, models, known, n_verbs, before = function(text) say("BEGIN", text))
    for (verb in names(out$outcomes)) {
      say("END", seed, out$model, verb, out$what, out$outcomes[[verb]])
    }
    say("DONE", seed)
  }
}

child <- given("child", "")
if (nzchar(child)) {
  run_cases(eval(parse(text = given("seeds", ""))), child)
  quit(status = 0)
}
case <- given("case", "")
if (nzchar(case)) {
  file <- tempfile()
  run_cases(as.integer(case), file)
  cat(readLines(file), sep = "\n")
  quit(status = 0)
}

# A process runs the cases from `from` to `to`, again from the next case after a crash. `limit`:
# seconds for 500 cases.
run_chunk <- function(from, to, limit = 1500) {
  file <- tempfile()
  file.create(file)
  lines <- character()
  while (from <= to) {
    command <- sprintf(
      "ulimit -v 6000000; timeout %d %s --vanilla %s --child=%s --seeds=%d:%d --verbs=%d >%s 2>&1",
      limit, shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script), file, from, to, n_verbs,
      paste0(file, ".out")
    )
    status <- system2("sh", c("-c", shQuote(command)))
    lines <- readLines(file, warn = FALSE)
    done <- sub("^DONE\t([0-9]+).*", "\\1", grep("^DONE", lines, value = TRUE))
    if (status == 0) break
    last <- max(from - 1L, as.integer(done))
    begun <- utils::tail(grep("^BEGIN", lines, value = TRUE), 1L)
    said <- paste(utils::tail(readLines(paste0(file, ".out"), warn = FALSE), 2L), collapse = " ")
    if (length(begun) == 0L) stop("The cases cannot start: ", said)
    what <- if (status == 124) "FAULT hang" else paste("FAULT crash, status", status, said)
    # BEGIN, "seed model verb change"
    cat("END", strsplit(begun, "\t")[[1L]][2L], "", "", "", what, "\n", sep = "\t", file = file,
      append = TRUE
    )
    from <- last + 2L
  }
  grep("^END", readLines(file, warn = FALSE), value = TRUE)
}

starts <- seq(first, first + cases - 1L, by = 500L)
ends <- pmin(starts + 499L, first + cases - 1L)
found <- parallel::mclapply(seq_along(starts), function(i) run_chunk(starts[i], ends[i]),
  mc.cores = at_once, mc.preschedule = FALSE
)
bad <- vapply(found, inherits, NA, "try-error")
if (any(bad)) stop(found[bad][[1L]])
parts <- do.call(rbind, lapply(strsplit(unlist(found), "\t"), function(x) c(x, rep("", 6L))[1:6]))
result <- stats::setNames(as.data.frame(parts[, -1L]), c("case", "model", "verb", "what", "outcome")) # nolint
fault <- startsWith(result$outcome, "FAULT")
cat(cases, "cases,", nrow(result), "calls:", sum(result$outcome == "right"), "right,",
  sum(!fault & result$outcome != "right"), "errors with a class,", sum(fault), "faults\n"
)
if (any(fault)) {
  short <- gsub("[0-9]+", "#", paste(result$verb, result$outcome, sep = ": ")[fault])
  groups <- split(result[fault, ], short)
  groups <- groups[order(-vapply(groups, nrow, 0L))]
  for (i in seq_along(groups)) {
    one <- groups[[i]]
    cat(sprintf("%5d  %s\n       case %s: %s, %s\n", nrow(one), names(groups)[i], one$case[1L],
      one$model[1L], one$what[1L]
    ))
  }
}
quit(status = as.integer(any(fault)))
