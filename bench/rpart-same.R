# preset = "cart" against rpart() on subsamples of real data, unmodified: numbers, factors, missing
# values and ties.
#
#   Rscript bench/rpart-same.R [cases] [first seed]
#
# Both are called with the same seed, so they draw the same folds, and compared by the tree (the
# rows of each leaf, the variables) and by the table with its cross-validated errors. If something
# differs, the unpruned trees are walked from the root, as are those without each fold: at some node
# two splits with the same gain divide the rows differently, or another difference named in
# helper-rpart.R and helper-rpart-cases.R occurs. The reason is printed. A difference without a
# reason ends the script with status 1.

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
    cat(
      case_label(case), ": another ", if (out$tree) "table" else "tree", "; ",
      out$why %||% "NO REASON FOUND", "\n", sep = ""
    )
  }
  out
})
count <- function(test) sum(vapply(found, test, NA))
open <- count(function(out) !all(out$tree, out$table) && is.null(out$why))
cat(
  cases, "cases:", count(function(out) out$tree), "trees and",
  count(function(out) out$tree && out$table), "tables the same;", open,
  "differences without a reason\n"
)

quit(status = as.integer(open > 0))
