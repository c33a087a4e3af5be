# Writes or compares a digest of a few trees, to compare builds of the package: Rscript smoke.R
# LIBRARY DIGEST. Writes the trees to the file DIGEST, or compares with them if the file exists.
arguments <- commandArgs(TRUE)
library(tectree, lib.loc = arguments[1])

fits <- list(
  id3 = tec_tree(PlayTennis ~ ., play_tennis, preset = "id3"),
  tsallis = tec_tree(Species ~ ., iris, q = 1.7, threads = 2),
  ratio = tec_tree(fruit ~ ., fruit, criterion = "gain_ratio", nominal = "multiway", threads = 2),
  monks = tec_tree(monks2 ~ . - monks1 - monks3, monks, criterion = "gini", min_bucket = 1),
  l2 = tec_tree(mpg ~ ., mtcars, criterion = "l2", threads = 2),
  l1 = tec_tree(mpg ~ ., mtcars, criterion = "l1")
)
digest <- lapply(fits, function(fit) as.list(as.data.frame(fit)))

if (!file.exists(arguments[2])) {
  saveRDS(digest, arguments[2])
} else {
  # Compilers may round differently in the last digits, never more.
  same <- all.equal(readRDS(arguments[2]), digest, tolerance = 1e-10)
  if (!isTRUE(same)) stop("the trees differ: ", paste(same, collapse = "; "), call. = FALSE)
}
