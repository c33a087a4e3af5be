# preset = "cart" against rpart() on subsamples of real data, as they are: numbers, factors, missing
# values and ties. Rscript bench/rpart-same.R [cases] [first seed]
#
# Each case is called twice with the same seed, so that both draw the same folds, and compared in
# the tree (the rows of each leaf) and in the table with its cross-validated errors. Where something
# differs, the trees that the settings grow without pruning are walked from the root, and so are
# those of each fold: at some node two splits of the same gain must part the rows otherwise, or one
# of the differences must be there that helper-rpart.R names. The case is printed with the node. A
# difference without such a node ends the script with status 1.

library(tectree)
`%||%` <- function(x, y) if (is.null(x)) y else x
directory <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
for (helper in c("helper-rpart.R", "helper-rpart-cases.R", "helper-peers.R")) {
  source(file.path(directory, "..", "tests", "testthat", helper))
}

arguments <- as.integer(commandArgs(TRUE))
cases <- if (length(arguments)) arguments[1] else 300L
first <- if (length(arguments) > 1) arguments[2] else 1L
folder <- Sys.getenv("TECTREE_DATA", file.path(directory, "..", "..", "shared", "data"))

found <- lapply(first + seq_len(cases) - 1L, function(seed) {
  case <- rpart_case(file.path(folder, "uci"), seed)
  out <- compare_case(case)
  if (!out$tree || !out$table) {
    cat(case_label(case), ": ", differing_parts(out), "; ", out$why, "\n", sep = "")
  }
  out
})
count <- function(name) sum(vapply(found, `[[`, NA, name))
cat(
  cases, "cases:", count("tree"), "trees and", count("table"), "tables the same,",
  count("proven"), "with a tie or another named difference,", count("open"), "without\n"
)
quit(status = as.integer(count("open") > 0))
