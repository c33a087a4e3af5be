# Grows two small trees, prints their accuracy and draws them. Called by tools/demo.sh as
# Rscript demo.R LIBRARY FOLDER: where the package is installed, and where the pictures go.
arguments <- commandArgs(TRUE)
library(tectree, lib.loc = arguments[1])
source(file.path(Sys.getenv("TECTREE_TOOLS"), "draw-tree.R"))

accuracy <- function(fit, data, response) {
  mean(predict(fit, data, type = "class") == data[[response]])
}

# The accuracy on held-out rows.
cross_validated_accuracy <- function(grow, data, response, folds = 10) {
  set.seed(1)
  fold <- sample(rep_len(seq_len(folds), nrow(data)))
  right <- vapply(seq_len(folds), function(k) {
    out <- fold == k
    sum(predict(grow(data[!out, ]), data[out, ], type = "class") == data[[response]][out])
  }, 0)
  sum(right) / nrow(data)
}

show_tree <- function(title, grow, data, response, file) {
  fit <- grow(data)
  cat("\n", title, "\n", strrep("-", nchar(title)), "\n", sep = "")
  print(fit)
  cat(sprintf(
    "\naccuracy on the training rows %.1f %%, by 10-fold cross-validation %.1f %%\n",
    100 * accuracy(fit, data, response), 100 * cross_validated_accuracy(grow, data, response)
  ))
  path <- draw_tree(fit, file.path(arguments[2], file), title)
  cat("picture:", path, "\n")
}

show_tree(
  "PlayTennis, preset = \"id3\"",
  function(rows) tec_tree(PlayTennis ~ ., rows, preset = "id3"),
  play_tennis, "PlayTennis", "play_tennis"
)
show_tree(
  "iris, q = 1.5",
  function(rows) tec_tree(Species ~ ., rows, q = 1.5),
  iris, "Species", "iris"
)
