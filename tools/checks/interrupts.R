# Stops long calls at random moments, by an interrupt (SIGINT) or a time limit: each returns within a # nolint
# second with R's own condition, leaves options, connections and threads as they were, and the next
# call is right.
#
#   Rscript tools/checks/interrupts.R [--moments=300] [--seed=1] [--calls=growth,forest] [--size=1]
#
# The calls are those of tests/testthat/helper-interrupts.R. Prints one line per call and all faults. # nolint
# The exit status is 0 if there are none.

suppressPackageStartupMessages(library(tectree))
args <- commandArgs(TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[1L] else default
}
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1L])
`%||%` <- rlang::`%||%`
source(file.path(dirname(script), "..", "..", "tests", "testthat", "helper-interrupts.R"))

calls <- long_calls(as.numeric(given("size", "1")))
only <- given("calls", "")
if (nzchar(only)) calls <- calls[strsplit(only, ",")[[1L]]]
faults <- stop_at_moments(calls, as.integer(given("moments", "300")), as.integer(given("seed", "1")), # nolint
  say = function(text) cat(text, "\n")
)
if (nrow(faults)) print(faults, row.names = FALSE, right = FALSE)
quit(status = as.integer(nrow(faults) > 0L))
