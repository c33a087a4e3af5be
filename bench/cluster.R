# Trees of rows that are distributed over several R processes: are they the trees of memory, and
# what do they cost?
#
#   Rscript bench/cluster.R --part=same [--tables=400]
#   Rscript bench/cluster.R --part=cost [--rows=1e6] [--workers=2] [--lib=DIR]
#
# same: random tables in two parts, as in the tests. cost: rows x 10 columns of 64 values, 3
# classes, depth 6, compared with fetching all parts and growing in memory; three times each, in
# turn. Nothing here is a test.
args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
here <- dirname(sub("^--file=", "", file[[1L]]))
source(file.path(here, "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
suppressMessages(library(testthat))
for (name in c("cases", "export", "expect", "engines", "same", "cluster")) {
  source(file.path(here, "..", "tests", "testthat", paste0("helper-", name, ".R")))
}

if (value("part", "cost") == "same") {
  done <- lapply(2000 + seq_len(as.integer(value("tables", "400"))), compare_parts)
  same <- vapply(done, `[[`, NA, "same")
  cat(length(same), "tables,", sum(!same), "trees differ:", which(!same) + 2000, "\n")
  quit()
}

n <- as.numeric(value("rows", "1e6"))
workers <- as.integer(value("workers", "2"))
set.seed(1)
d <- as.data.frame(matrix(sample.int(64, 10 * n, TRUE), ncol = 10))
names(d) <- paste0("x", 1:10)
z <- d$x1 + d$x2 * (d$x3 > 20) - d$x4 + sample.int(40, n, TRUE)
d$y <- factor(letters[1 + (z > 40) + (z > 90)])
cl <- parallel::makeCluster(workers)
invisible(parallel::clusterCall(cl, .libPaths, .libPaths()))
invisible(give_parts(cl, split(d, rep_len(seq_len(workers), n))))
rm(d, z)

# Processor seconds of this process and of the workers, and wall seconds.
spent <- function() {
  of_workers <- parallel::clusterCall(cl, proc.time)
  c(sum(proc.time()[1:2]), sum(vapply(of_workers, function(x) sum(x[1:2]), 0)),
    proc.time()[[3L]])
}
report <- function(what, code) {
  before <- spent()
  force(code)
  took <- spent() - before
  cat(sprintf("%-26s here %.1f s, workers %.1f s, clock %.1f s\n", what, took[1], took[2], took[3]))
  code
}
for (turn in 1:3) {
  there <- report("counted by the workers", tec_tree(
    y ~ ., cl, table = "part", max_depth = 6, prune = "none",
    engine = tec_engine(collect_rows = 0, progress = FALSE)
  ))
  rows <- report("all rows fetched", do.call(rbind, parallel::clusterEvalQ(cl, part)))
  memory <- report("grown in memory", tec_tree(
    y ~ ., rows, max_depth = 6, prune = "none", threads = 2
  ))
}
stopifnot(identical(there$tree, memory$tree))
print(tec_passes(there))
parallel::stopCluster(cl)
