# What is the cost of 200 settings of the sizes of a tree compared with one?
#
#   Rscript bench/tune-sizes.R [--lib=DIR] [--threads=N] [--times=N] [--rows=N]
#
# 10 values of cp x 5 of max_depth x 4 of min_split by 10-fold cross-validation of a regression tree
# on rows x 10, all prunings of one tree per fold, against one setting on the same folds; both
# include the final tree of all rows. Medians; the two take turns. Nothing here is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
source(file.path(dirname(sub("^--file=", "", file[[1L]])), "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
threads <- as.integer(value("threads", "1"))
times <- as.integer(value("times", "5"))
n <- as.integer(value("rows", "10000"))

set.seed(1)
data <- as.data.frame(matrix(rnorm(n * 10L), n))
data$y <- with(data, sin(2 * V1) + V2 * V3 + 2 * (V4 > 0) + rnorm(n))
fold <- sample(rep_len(1:10, n))
tune <- function(...) {
  tec_tune(y ~ ., data, criterion = "l2", folds = fold, min_bucket = 5, threads = threads, ...)
}
penalties <- c(0, signif(exp(seq(log(1e-5), log(0.1), length.out = 9L)), 2L))
calls <- list(
  one = function() tune(prune = "none"),
  many = function() {
    tune(cp = penalties, max_depth = c(4, 6, 8, 10, Inf), min_split = c(10, 20, 40, 80))
  }
)
runs <- replicate(times, vapply(calls, function(call) seconds(call()), numeric(2L)))
took <- apply(runs, c(2L, 1L), stats::median)
cat(sprintf(
  "%s x 10, 10 folds: one setting %.3f s, 200 settings %.3f s processor, %.2f times\n",
  format(n, big.mark = ","), took["one", 2L], took["many", 2L],
  took["many", 2L] / took["one", 2L]
))
