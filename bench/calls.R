# The cost of everyday calls for the package in one library: processor seconds of each, in a fresh process. To
# compare two builds, alternate them and compare medians:
#
#   Rscript bench/calls.R LIBRARY ROUND OUT    appends a line per call to OUT: library, round, call, seconds
args <- commandArgs(trailingOnly = TRUE)
if (length(args) != 3) stop("Rscript bench/calls.R LIBRARY ROUND OUT")

used <- function() sum(proc.time()[1:2])
quiet <- function(call) suppressMessages(suppressWarnings(call))
start <- used()
library(tectree, lib.loc = args[1])
loaded <- used()
invisible(tec_tree(Species ~ ., iris))
seconds <- c("library(tectree)" = loaded - start, "the first tec_tree()" = used() - loaded)

options(tectree.threads = 1)
pdf(NULL)
set.seed(1)
n <- 30000
mixed <- data.frame(
  a = replace(rnorm(n), sample(n, 900), NA), b = round(rnorm(n), 1),
  c = factor(sample(letters[1:12], n, TRUE)), d = sample(c(TRUE, FALSE), n, TRUE),
  e = sample(c("x", "y", "z"), n, TRUE), f = ordered(sample(1:5, n, TRUE)),
  g = as.Date("2020-01-01") + sample(900, n, TRUE), h = runif(n)
)
x <- mixed
mixed$y <- factor(1 + (mixed$b + (mixed$c %in% letters[1:4]) + rnorm(n, sd = 0.6) > 0) + (mixed$b > 1))
mixed$z <- mixed$b + as.integer(mixed$c) / 5 + rnorm(n)
numbers <- as.matrix(mixed[c("b", "h")])
flowers <- tec_tree(Species ~ ., iris)
cart <- tec_tree(Species ~ ., iris, preset = "cart")
large <- quiet(tec_tree(y ~ . - z, mixed, min_bucket = 50))

# The number of repetitions in a round, and the call.
calls <- alist(
  "tec_tree(), iris" = 40 * tec_tree(Species ~ ., iris),
  "tec_tree(x, y), iris" = 40 * tec_tree(iris[1:4], iris$Species),
  "tec_tree(), mtcars" = 40 * tec_tree(mpg ~ ., mtcars),
  "tec_tree(), 30,000 mixed rows, classes" = 2 * quiet(tec_tree(y ~ . - z, mixed)),
  "tec_tree(x, y), 30,000 mixed rows, classes" = 2 * quiet(tec_tree(x, mixed$y)),
  "tec_tree(), 30,000 mixed rows, numbers" = 2 * quiet(tec_tree(z ~ . - y, mixed)),
  "tec_tree(x, y), matrix of 30,000 x 2" = 3 * tec_tree(numbers, mixed$y),
  "predict(), iris" = 60 * predict(flowers, iris),
  "predict(type = \"prob\"), 30,000 rows" = 5 * predict(large, mixed, type = "prob"),
  "print(), iris" = 30 * capture.output(print(flowers)),
  "summary() printed, iris" = 20 * capture.output(print(summary(flowers))),
  "plot(), iris" = 5 * plot(flowers),
  "tec_tune(), monks, five q" = 4 * tec_tune(monks1 ~ ., monks[1:7], q = c(0.25, 0.5, 1, 2, 4)),
  "tec_tune(), iris, best q last" = 4 * quiet(tec_tune(Species ~ ., iris, q = c(0.5, 1, 2))),
  "tec_scores(), iris" = 20 * tec_scores(Species ~ ., iris),
  "explain(), iris" = 10 * explain(flowers, iris[60, ]),
  "importance(), iris" = 40 * importance(flowers),
  "tec_prune(), iris" = 30 * tec_prune(cart, cp = 0.05),
  "cp_table(), iris" = 20 * cp_table(cart),
  "as.data.frame(), iris" = 30 * as.data.frame(flowers),
  "tec_rules(), iris" = 20 * tec_rules(flowers),
  "as_rpart(), iris" = 10 * as_rpart(flowers)
)
for (name in names(calls)) {
  times <- calls[[name]][[2]]
  call <- calls[[name]][[3]]
  set.seed(1)
  for (i in 1:2) eval(call)
  set.seed(1)
  start <- used()
  for (i in seq_len(times)) eval(call)
  seconds[name] <- (used() - start) / times
}
lines <- paste(args[1], args[2], names(seconds), signif(seconds, 4), sep = "\t")
cat(lines, sep = "\n", file = args[3], append = TRUE)
