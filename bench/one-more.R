# What is the cost of one more value of q in a grid of 20?
#
#   Rscript bench/one-more.R [--lib=DIR] [--rounds=N]
#
# The trees of two folds of 100,000 x 20, 3 classes, at least 5 rows per leaf: q = 0.5, 0.6, ...,
# 2.4 against the same and 1.75, in turn, and the two fits of that value alone. The difference is a
# few hundredths of either side, so it takes many rounds: processor time on one thread, the mean of
# the differences with its standard error. Nothing here is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
source(file.path(dirname(sub("^--file=", "", file[[1L]])), "work.R"))
use_library(option_value(args, "lib", NULL))
rounds <- as.integer(option_value(args, "rounds", "10"))

data <- class_data(100000L, 20L, 3L)
set.seed(1)
fold <- sample(rep_len(1:10, nrow(data)))
kept <- lapply(1:2, function(k) which(fold != k))
left_out <- lapply(1:2, function(k) which(fold == k))
fine <- seq(0.5, 2.4, by = 0.1)

# The forests of a grid, ready to be grown from folds: what tec_tune() does, without its final tree
# of all rows.
forests <- function(q) {
  rules <- tectree:::resolve_control(tec_control(min_bucket = 5, threads = 1), "tec")
  rules <- tectree:::core_control(tectree:::rules_for_task(rules, NULL, "classification"))
  tectree:::tec_forests_(
    unname(as.list(data[-1L])), rep(0L, 20L), rep(0L, 20L),
    list(y = as.integer(data$y), n_classes = 3L), NULL, NULL,
    lapply(q, function(q) tectree:::core_criterion(tec_criterion("tsallis", q = q))),
    c(rules, list(least_risk = -Inf, least_share = 0, risk_is_impurity = FALSE))
  )
}
grow <- function(grid) tectree:::tec_forest_folds_(grid, kept, left_out, FALSE, 1L)
alone <- function() {
  for (k in 1:2) {
    fit <- tec_tree(y ~ ., data, subset = kept[[k]], q = 1.75, min_bucket = 5, prune = "none", threads = 1)
    predict(fit, data[left_out[[k]], ])
  }
}
processor <- function(call) seconds(call)[["processor"]]

few <- forests(fine)
more <- forests(c(fine, 1.75))
took <- replicate(rounds, c(processor(grow(few)), processor(grow(more)), processor(alone())))
added <- took[2L, ] - took[1L, ]
one <- stats::median(took[3L, ])
cat(sprintf(
  "20 values %.2f s; one more %.2f s (se %.2f); by itself %.2f s: %.0f %% of it (se %.0f)\n",
  stats::median(took[1L, ]), mean(added), stats::sd(added) / sqrt(rounds), one,
  100 * mean(added) / one, 100 * stats::sd(added) / sqrt(rounds) / one
))
