# How fast does preset = "c45" grow its trees, compared with J48 (Weka, through RWeka) and C5.0
# (C50)?
#
#   Rscript bench/c45.R [options]
#
#   --sets=a,b,...   shared data sets (default: the largest without missing values)
#   --times=5        rounds; every competitor runs once a round, medians are reported
#   --threads=1,2    numbers of threads
#   --patience=60    a peer whose first run takes longer (seconds) runs only once
#   --lib=DIR        the library that contains tectree, if it is not a usual one
#   --memory=6g      of the Java machine
#
# Times are those of whole calls, data frame in, fitted tree out. All trees are unpruned: J48 with
# -U -O, which gives the same tree, and C5.0 without global pruning or winnowing, with branches by
# level; its local pruning cannot be switched off. The environment variable TECTREE_DATA names the
# data folder.

option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), commandArgs(trailingOnly = TRUE), value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[[length(given)]]) else default
}

options(java.parameters = paste0("-Xmx", option("memory", "6g")))
if (nzchar(option("lib", ""))) {
  .libPaths(c(option("lib", ""), .libPaths()))
}
library(tectree)

bench_dir <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[[1]]))
source(file.path(bench_dir, "..", "tests", "testthat", "helper-peers.R"))
folder <- file.path(shared_data_folder(), "uci")
default_sets <- "letter,poker_train,bank_marketing,covtype_sample,kddcup10"
sets <- strsplit(option("sets", default_sets), ",")[[1]]
times <- as.integer(option("times", "5"))
threads <- as.integer(strsplit(option("threads", "1,2"), ",")[[1]])
patience <- as.double(option("patience", "60"))

# Later versions prune, and undo splits that save no error, unless told not to.
unpruned <- list(prune = "none")
if ("collapse" %in% names(formals(tec_control))) {
  unpruned$collapse <- FALSE
}

ours <- function(data, threads) {
  do.call(tec_tree, c(list(class ~ ., data, preset = "c45", threads = threads), unpruned))
}

j48 <- function(data) {
  RWeka::J48(class ~ ., data,
    control = RWeka::Weka_control(U = TRUE, O = TRUE), na.action = stats::na.pass
  )
}

c50 <- function(data) {
  C50::C5.0(data[setdiff(names(data), "class")], data$class,
    control = C50::C5.0Control(subset = FALSE, winnow = FALSE, noGlobalPruning = TRUE, seed = 1)
  )
}

competitors <- c(
  stats::setNames(
    lapply(threads, function(n) function(data) ours(data, n)), paste0("tectree (", threads, ")")
  ),
  if (requireNamespace("RWeka", quietly = TRUE)) list(J48 = j48),
  if (requireNamespace("C50", quietly = TRUE)) list(C5.0 = c50)
)

seconds_of <- function(run, data) {
  gc()
  start <- as.numeric(Sys.time())
  run(data)
  as.numeric(Sys.time()) - start
}

bench <- function(name) {
  data <- read_shared(folder, name)
  seconds <- lapply(competitors, function(run) numeric())
  for (round in seq_len(times)) {
    for (who in names(competitors)) {
      if (round > 1 && seconds[[who]][1] > patience) {
        next
      }
      seconds[[who]][round] <- seconds_of(competitors[[who]], data)
    }
  }
  median <- vapply(seconds, stats::median, 0)
  nodes <- length(ours(data, 1L)$tree$parent)
  cat("\n", name, ": ", nrow(data), " x ", ncol(data) - 1, ", ", nodes, " nodes\n", sep = "")
  best <- min(median[startsWith(names(median), "tectree")])
  for (who in names(median)) {
    cat(sprintf(
      "  %-12s %8.3f s   %6.1f x   (%d runs, %.3f to %.3f)\n", who, median[[who]],
      median[[who]] / best, length(seconds[[who]]), min(seconds[[who]]), max(seconds[[who]])
    ))
  }
}

# The Java machine is started, and our code loaded, before anything is timed.
for (run in competitors) run(data.frame(x = 1:40, class = factor(rep(c("a", "b"), 20))))
cat(
  "tectree", as.character(packageVersion("tectree")), "  load",
  if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1], "\n"
)
for (name in sets) bench(name)
