# How long does it take to choose q without folds? 20 values of q by one sample and by ten folds, in
# units of fits of tec_tree() with its defaults. One thread, processor time, medians of three in turn.
#
#   Rscript bench/tune-by.R [--lib=DIR] [--data=DIR]
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
folder <- given("data", "../shared/data/uci")
q <- seq(0.2, 4, 0.2)
processor <- function(call) sum(system.time(call)[1:2])

manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
for (name in c("kr_vs_kp", "spambase", "nursery", "letter", "adult")) {
  data <- uci_set(manifest[manifest$name == name, ], folder)
  set.seed(1)
  took <- replicate(3, c(
    fit = processor(tec_tree(y ~ ., data)),
    ebp = processor(tec_tune(y ~ ., data, q = q, by = "ebp", widen = FALSE)),
    mdl = processor(tec_tune(y ~ ., data, q = q, by = "mdl", widen = FALSE)),
    cv = processor(tec_tune(y ~ ., data, q = q, widen = FALSE))
  ))
  took <- apply(took, 1L, stats::median)
  in_fits <- sprintf("%s %.1f", names(took)[-1L], took[-1L] / took[[1L]])
  cat(sprintf("%-10s one fit %.3f s; in fits: %s\n", name, took[[1L]], toString(in_fits)))
}
