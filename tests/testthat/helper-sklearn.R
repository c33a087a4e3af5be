# scikit-learn's trees and pruning paths, computed by the script in the same folder.

write_numbers <- function(data, file) {
  text <- lapply(data, function(x) format(as.numeric(x), digits = 17, trim = TRUE))
  table <- do.call(cbind, text)
  writeLines(apply(table, 1, paste, collapse = ","), file)
}

sklearn_criterion <- function(criterion) if (criterion == "gini") "gini" else "squared_error"

# One process for all tests, because starting one takes most of a second.
sklearn <- new.env()

# The first python3 of the search path that has scikit-learn.
skip_without_sklearn <- function() {
  if (is.null(sklearn$python)) sklearn$python <- find_sklearn()
  if (is.na(sklearn$python)) skip("There is no python3 with scikit-learn.")
  sklearn$python
}

find_sklearn <- function() {
  folders <- strsplit(Sys.getenv("PATH"), .Platform$path.sep, fixed = TRUE)[[1]]
  pythons <- file.path(folders, "python3")
  for (python in pythons[file.exists(pythons)]) {
    arguments <- c("-c", shQuote("import sklearn.tree"))
    if (suppressWarnings(system2(python, arguments, stdout = FALSE, stderr = FALSE)) == 0) {
      return(python)
    }
  }
  NA_character_
}

start_sklearn <- function(python) {
  command <- paste(shQuote(python), shQuote(test_path("sklearn_trees.py")))
  sklearn$tasks <- pipe(command, "w")
  withr::defer(close(sklearn$tasks), envir = testthat::teardown_env())
}

# The file with the answer, or an error with scikit-learn's own words.
ask_sklearn <- function(python, what, criterion, data, settings) {
  if (is.null(sklearn$tasks)) start_sklearn(python)
  files <- tempfile(c("done", "table", "out"))
  on.exit(unlink(files[1:2]))
  write_numbers(data, files[2])
  named <- sprintf("%s=%.17g", names(settings), settings)
  writeLines(paste(c(files[1], what, criterion, files[2:3], named), collapse = "\t"), sklearn$tasks)
  flush(sklearn$tasks)
  end <- Sys.time() + 120
  while (!file.exists(files[1])) {
    if (Sys.time() > end) stop("scikit-learn has not answered.")
    Sys.sleep(0.002)
  }
  said <- readLines(files[1], warn = FALSE)
  if (length(said)) stop("scikit-learn: ", said)
  files[3]
}

sklearn_sizes <- function(min_bucket, min_split) {
  c(min_samples_leaf = min_bucket, min_samples_split = min_split)
}

# `others`: further settings under scikit-learn's names.
fit_sklearn <- function(python, data, criterion, min_bucket, min_split, max_depth,
                        others = numeric()) {
  settings <- c(sklearn_sizes(min_bucket, min_split), max_depth = max_depth, others)
  out <- ask_sklearn(python, "tree", criterion, data, settings)
  leaves <- paste0(out, ".leaves")
  on.exit(unlink(c(out, leaves)))
  list(
    nodes = unname(as.matrix(utils::read.csv(out, header = FALSE))),
    leaf = scan(leaves, integer(), quiet = TRUE) + 1L
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

# The root of a tree with learned sides: its column, threshold, and whether missing values go left.
# The column is 0 without a split.
sklearn_side <- function(python, data, min_bucket) {
  data <- lapply(data, function(x) replace(x, is.na(x), NaN))
  out <- ask_sklearn(python, "side", "gini", data, c(min_samples_leaf = min_bucket))
  on.exit(unlink(out))
  said <- unlist(utils::read.csv(out, header = FALSE), use.names = FALSE)
  list(column = said[1] + 1, threshold = said[2], left = said[3] == 1)
}

# The prices of the path, the highest first, equal ones once: scikit-learn cuts one node a step.
# The response is the last column.
sklearn_prices <- function(python, data, weights, criterion, min_bucket, min_split) {
  last <- length(data)
  table <- c(data[-last], list(weight = weights), data[last])
  out <- ask_sklearn(python, "path", criterion, table, sklearn_sizes(min_bucket, min_split))
  on.exit(unlink(out))
  price <- rev(utils::read.csv(out, header = FALSE)[[1]])
  price[c(TRUE, diff(price) < -1e-12 * price[1])]
}
