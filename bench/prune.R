# How long does pruning take?
#
#   Rscript bench/prune.R [--lib=DIR] [--threads=N] [--large]
#
#   the cost-complexity sequence of a tree of about 200,000 leaves;
#   preset "cart" with its 10-fold table against rpart() with its defaults, 100,000 x 20, and with
#   --large also 1,000,000 x 10 (minutes).
#
# Processor time is shown beside elapsed time: it is more reliable on a busy machine. Nothing here
# is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
source(file.path(dirname(sub("^--file=", "", file[[1L]])), "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
threads <- as.integer(value("threads", "2"))

show <- function(what, time) {
  cat(sprintf("%-56s %8.2f s elapsed %8.2f s processor\n", what, time[[1L]], time[[2L]]))
}

set.seed(1)
n <- 6e5
noise <- data.frame(y = factor(sample(2L, n, TRUE)), a = rnorm(n), b = rnorm(n), c = rnorm(n))
fit <- tec_tree(y ~ ., noise, criterion = "gini", min_bucket = 1, prune = "none", threads = threads)
leaves <- sum(fit$tree$kind == 0L)
show(paste("the sequence of", leaves, "leaves"), seconds(table <- cp_table(fit)))
show("  by impurity", seconds(cp_table(fit, risk = "impurity")))
show("  pruning at one price", seconds(tec_prune(fit, cp = table$cp[2L])))
rm(fit, noise)

compare <- function(n, p, classes) {
  data <- class_data(n, p, classes)
  ours <- seconds(tec_tree(y ~ ., data, preset = "cart", threads = threads))
  show(sprintf("cart, %d folds, %s x %d", 10L, format(n, big.mark = ","), p), ours)
  alone <- seconds(tec_tree(y ~ ., data, preset = "cart", folds = 0, threads = threads))
  show("  without folds", alone)
  theirs <- seconds(rpart::rpart(y ~ ., data))
  show("  rpart", theirs)
  cat(sprintf("  %.1f times faster by elapsed time\n", theirs[[1L]] / ours[[1L]]))
}
compare(100000L, 20L, 3L)
if ("--large" %in% args) compare(1000000L, 10L, 2L)
