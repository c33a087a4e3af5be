# How long does it take to choose q?
#
#   Rscript bench/tune.R [--lib=DIR] [--threads=N] [--times=N] [--data=DIR]
#
#   curve   20 values of q x 10 folds on 100,000 x 20, 3 classes, at least 5 rows per leaf and no
#           bound on the depth, against one rpart() with its defaults; with two grids, the usual one
#           and a finer one around 1;
#   sets    100 values of q x 10 folds x 10 repeats on Glass, Vehicle and Cmc.
#
# For the cost of a further value of q see one-more.R. --data names the folder that contains `uci/`.
# Medians; competitors take turns. Nothing here is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
source(file.path(dirname(sub("^--file=", "", file[[1L]])), "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
threads <- as.integer(value("threads", "2"))
times <- as.integer(value("times", "3"))
folder <- value("data", Sys.getenv("TECTREE_DATA", "../shared/data"))

show <- function(what, time, more = "") {
  cat(sprintf("%-52s %8.2f s elapsed %8.2f s processor%s\n", what, time[[1L]], time[[2L]], more))
}
# Runs each of some calls `times` times, in turn; returns the median of each.
in_turn <- function(calls) {
  runs <- replicate(times, vapply(calls, function(call) seconds(call()), numeric(2)))
  apply(runs, c(2L, 1L), stats::median)
}

data <- class_data(100000L, 20L, 3L)
set.seed(1)
fold <- sample(rep_len(1:10, nrow(data)))
usual <- seq(0.2, 4, by = 0.2)
fine <- seq(0.5, 2.4, by = 0.1)
curve <- function(q) {
  tec_tune(y ~ ., data, q = q, folds = fold, min_bucket = 5, prune = "none", threads = threads)
}
took <- in_turn(list(
  rpart = function() rpart::rpart(y ~ ., data),
  usual = function() curve(usual),
  fine = function() curve(fine)
))
times_rpart <- function(name) {
  sprintf("  %.2f times rpart's", took[name, 1L] / took["rpart", 1L])
}
show("rpart with its defaults, 100,000 x 20", took["rpart", ])
show("20 q x 10 folds, q = 0.2, 0.4, ..., 4", took["usual", ], times_rpart("usual"))
show("20 q x 10 folds, q = 0.5, 0.6, ..., 2.4", took["fine", ], times_rpart("fine"))

for (name in c("glass", "vehicle", "cmc")) {
  path <- file.path(folder, "uci", paste0(name, ".csv.gz"))
  if (!file.exists(path)) {
    cat(name, "is not in", folder, "\n")
    next
  }
  set <- utils::read.csv(path, stringsAsFactors = TRUE)
  set$class <- factor(set$class)
  tune <- function() {
    set.seed(1)
    suppressMessages(tec_tune(
      class ~ ., set,
      q = seq(0.1, 10, by = 0.1), repeats = 10, min_bucket = 5, prune = "none", threads = threads
    ))
  }
  show(paste("100 q x 10 folds x 10 repeats,", name), in_turn(list(tune))[1L, ])
}
