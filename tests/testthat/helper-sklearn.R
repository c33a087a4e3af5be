# scikit-learn's trees and pruning paths, by the two scripts beside this file.

write_numbers <- function(data, file) {
  text <- lapply(data, function(x) format(as.numeric(x), digits = 17, trim = TRUE))
  table <- do.call(cbind, text)
  writeLines(apply(table, 1, paste, collapse = ","), file)
}

sklearn_criterion <- function(criterion) if (criterion == "gini") "gini" else "squared_error"

# `others`: further settings under scikit-learn's names.
fit_sklearn <- function(python, data, criterion, min_bucket, min_split, max_depth,
                        others = numeric()) {
  files <- tempfile(c("table", "nodes", "leaves"))
  on.exit(unlink(files))
  write_numbers(data, files[1])
  arguments <- c(test_path("sklearn_tree.py"), files, criterion, min_bucket, min_split, max_depth)
  arguments <- c(arguments, sprintf("%s=%.17g", names(others), others))
  status <- system2(python, shQuote(arguments))
  stopifnot(status == 0)
  list(
    nodes = unname(as.matrix(utils::read.csv(files[2], header = FALSE))),
    leaf = scan(files[3], integer(), quiet = TRUE) + 1L
  )
}

nested_sklearn <- function(fit) {
  left <- as.integer(fit$nodes[, 1]) + 1L
  right <- as.integer(fit$nodes[, 2]) + 1L
  parent <- integer(length(left))
  inner <- which(left > 0)
  parent[left[inner]] <- inner
  parent[right[inner]] <- inner
  nested_from_parents(parent, fit$leaf, left, right)
}

# The prices of the path, the highest first, equal ones once: scikit-learn cuts one node a step.
# The response is the last column.
sklearn_prices <- function(python, data, weights, criterion, min_bucket, min_split) {
  files <- tempfile(c("table", "path"))
  on.exit(unlink(files))
  last <- length(data)
  write_numbers(c(data[-last], list(weight = weights), data[last]), files[1])
  arguments <- c(test_path("sklearn_path.py"), files, criterion, min_bucket, min_split)
  status <- system2(python, shQuote(arguments))
  stopifnot(status == 0)
  price <- rev(utils::read.csv(files[2], header = FALSE)[[1]])
  price[c(TRUE, diff(price) < -1e-12 * price[1])]
}
