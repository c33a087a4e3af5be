# CHAID on 100,000 rows and 20 factors, and also on numbers, which are binned first:
#   Rscript bench/chaid.R [TIMES]
library(tectree)

times <- as.integer(c(commandArgs(TRUE), 5L)[1L])
set.seed(1)
n <- 1e5
factors <- as.data.frame(lapply(1:20, function(j) {
  factor(sample(letters[seq_len(3 + j %% 8)], n, TRUE))
}))
names(factors) <- paste0("f", 1:20)
numbers <- as.data.frame(matrix(stats::rnorm(20 * n), n))
score <- Reduce(`+`, lapply(factors[1:6], function(f) as.integer(f) %% 3)) + stats::rnorm(n, sd = 2)
three <- factor(cut(score, stats::quantile(score, 0:3 / 3), labels = FALSE, include.lowest = TRUE))
ordinal <- factor(three, ordered = TRUE)
numbers[[1L]] <- numbers[[1L]] + score / 4

measure <- function(what, data, y, ...) {
  seconds <- vapply(seq_len(times), function(i) {
    time <- system.time(fit <<- tec_tree(data, y, ..., threads = 1))
    c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
  }, c(0, 0))
  cat(sprintf(
    "%-46s %.2f s, processor %.2f s, %d leaves\n", what, stats::median(seconds[1L, ]),
    stats::median(seconds[2L, ]), n_leaves(fit)
  ))
}

fit <- NULL
for (preset in c("chaid", "chaid_exhaustive")) {
  measure(paste(preset, "factors, 3 classes"), factors, three, preset = preset)
  measure(paste(preset, "factors, depth 3"), factors, three, preset = preset, max_depth = 3)
  measure(paste(preset, "factors, row effects, depth 3"), factors, ordinal,
    preset = preset, max_depth = 3
  )
  measure(paste(preset, "numbers, depth 3"), numbers, three, preset = preset, max_depth = 3)
  measure(paste(preset, "factors, F, depth 3"), factors, score, preset = preset, max_depth = 3)
}
