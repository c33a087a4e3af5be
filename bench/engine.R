# The engine's figures on random data, KDD Cup 99, Nursery and Mushroom: whole calls, the minimum of three (of
# thirty if they take less than a tenth of a second), in seconds, on one thread and on two. To compare two builds,
# run it for each on a quiet machine.
#
#   Rscript bench/engine.R [--lib=DIR] [--data=DIR] [--weights]
#
# a: 100,000 x 20, 3 classes, or numbers for l2; b8: 1,000,000 x 10, 2 classes, depth 8; c: 200,000 x 20 with 88
# values, 5 classes. a and c are grown to the end. tec_tune(): 20 values of q on 10 folds of a.
args <- commandArgs(trailingOnly = TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[[1L]] else default
}
library(tectree, lib.loc = given("lib", NULL))
folder <- given("data", "../shared/data/uci")

set.seed(1)
normal <- function(n, p) as.data.frame(matrix(rnorm(n * p), n))
signal <- function(x) x[[1]] + x[[2]] * x[[3]] + rnorm(nrow(x))
a <- normal(1e5, 20)
numbers <- signal(a)
thirds <- factor(cut(numbers, quantile(numbers, 0:3 / 3), labels = FALSE, include.lowest = TRUE))
b <- normal(1e6, 10)
halves <- factor(signal(b) > 0)
few <- as.data.frame(matrix(sample(88, 2e5 * 20, TRUE), 2e5))
fifths <- factor(1 + (few[[1]] + few[[2]] + sample(60, 2e5, TRUE)) %/% 50 %% 5)
whole <- sample(1:3, 1e6, TRUE)
fraction <- runif(1e6, 0.5, 2)
noise <- factor(sample(3, 1e5, TRUE))
counts <- rpois(2e4, 2)
manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
real <- function(name) {
  x <- read.csv(file.path(folder, paste0(name, ".csv.gz")), stringsAsFactors = TRUE)
  class <- manifest$class_column[manifest$name == name]
  list(x = x[setdiff(names(x), class)], y = factor(x[[class]]))
}
kdd <- real("kddcup10")
nursery <- real("nursery")
mushroom <- real("mushroom")
fold <- sample(rep_len(1:10, 1e5))

grow <- function(...) tec_tree(..., min_bucket = 1, min_split = 2, missing = "majority", prune = "none")
calls <- alist(
  "a, gini" = grow(a, thirds, criterion = "gini"),
  "a, q = 1.5" = grow(a, thirds, q = 1.5),
  "a, gain_ratio" = grow(a, thirds, criterion = "gain_ratio"),
  "a, l2" = grow(a, numbers),
  "b8, gini" = grow(b, halves, criterion = "gini", max_depth = 8),
  "b8, q = 1.5" = grow(b, halves, q = 1.5, max_depth = 8),
  "b8, gain_ratio" = grow(b, halves, criterion = "gain_ratio", max_depth = 8),
  "c, gini" = grow(few, fifths, criterion = "gini"),
  "c, q = 1.5" = grow(few, fifths, q = 1.5),
  "c, gain_ratio" = grow(few, fifths, criterion = "gain_ratio"),
  "KDD Cup 99, gini" = grow(kdd$x, kdd$y, criterion = "gini"),
  "nursery, gini" = grow(nursery$x, nursery$y, criterion = "gini"),
  "mushroom, gini" = grow(mushroom$x, mushroom$y, criterion = "gini"),
  "a, tec_tune()" = tec_tune(
    y ~ ., cbind(a, y = thirds),
    q = seq(0.2, 4, by = 0.2), folds = fold, min_bucket = 5, prune = "none"
  )
)
weighted <- alist(
  "a, gini, whole weights" = grow(a, thirds, criterion = "gini", weights = whole[1:1e5]),
  "a, gini, fractions" = grow(a, thirds, criterion = "gini", weights = fraction[1:1e5]),
  "a, q = 1.5, whole weights" = grow(a, thirds, q = 1.5, weights = whole[1:1e5]),
  "a, q = 1.5, fractions" = grow(a, thirds, q = 1.5, weights = fraction[1:1e5]),
  "a, q = 1.5, class weights" = grow(a, thirds, q = 1.5, class_weights = c(1, 2, 3)),
  "a, gain_ratio, rules of C4.5" = grow(a, thirds, criterion = "gain_ratio", rules = "c45"),
  "a, noise, gini" = grow(a, noise, criterion = "gini"),
  "a, noise, gini, fractions" = grow(a, noise, criterion = "gini", weights = fraction[1:1e5]),
  "a, counts, l1" = grow(a[1:2e4, ], counts, criterion = "l1"),
  "a, tenths, l1, whole weights" = grow(a[1:2e4, ], counts / 10, criterion = "l1", weights = whole[1:2e4]),
  "b8, q = 1.5, whole weights" = grow(b, halves, q = 1.5, weights = whole, max_depth = 8),
  "b8, q = 1.5, fractions" = grow(b, halves, q = 1.5, weights = fraction, max_depth = 8)
)
least <- function(call, threads) {
  options(tectree.threads = threads)
  gc(FALSE)
  once <- function() system.time(eval(call))[[3L]]
  first <- once()
  min(first, replicate(if (first < 0.1) 29L else 2L, once()))
}
if ("--weights" %in% args) calls <- c(calls, weighted)
for (name in names(calls)) {
  cat(sprintf("%-30s one thread %.4f  two %.4f\n", name, least(calls[[name]], 1), least(calls[[name]], 2)))
}
