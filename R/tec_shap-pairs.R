# Tested in test-tec_shap.R.
# Interactions among Shapley values.

check_has_interactions <- function(x) {
  if (is.null(x$interactions)) {
    tec_abort("argument", c(
      "The Shapley values have no interactions.", x = "They were computed without.",
      i = "Call {.fn tec_shap} with {.code interactions = TRUE}."
    ))
  }
}

# rows x predictors x predictors of the class of this number; NULL where there are none.
pairs_of_class <- function(x, k) {
  if (is.null(x$interactions)) {
    return(NULL)
  }
  size <- dim(x$interactions)
  array(x$interactions[, , , k], size[1:3], dimnames(x$interactions)[1:3])
}

# What each pair of predictors does together, both halves: rows x pairs, for all classes x classes.
pair_values <- function(x) {
  size <- dim(x$interactions)
  names <- show_names(dimnames(x$interactions)[[2L]])
  pairs <- which(upper.tri(matrix(0, size[2L], size[2L])), arr.ind = TRUE)
  outputs <- if (length(size) > 3L) size[4L] else 1L
  by_pair <- array(x$interactions, c(size[1L], size[2L]^2, outputs))
  at <- (pairs[, 2L] - 1L) * size[2L] + pairs[, 1L]
  labels <- list(NULL, paste0(names[pairs[, 1L]], ":", names[pairs[, 2L]], recycle0 = TRUE))
  if (length(size) == 3L) {
    return(array(2 * by_pair[, at, 1L], c(size[1L], length(at)), labels))
  }
  array(
    2 * by_pair[, at, , drop = FALSE], c(size[1L], length(at), outputs),
    c(labels, dimnames(x$interactions)[4L])
  )
}

print_pairs <- function(x, n, digits, width) {
  several <- length(dim(x$values)) > 2L
  x$values <- pair_values(x)
  table <- data.frame(variable = dimnames(x$values)[[2L]], importance = shap_sizes(x))
  table <- table[order(-table$importance), , drop = FALSE]
  some <- table[table$importance > 0, , drop = FALSE]
  if (nrow(some) == 0L) {
    cat("\n# No interactions\n")
    return(invisible())
  }
  cat("\nMean size of interactions", if (several) ", all classes", ":\n", sep = "")
  cat(importance_lines(some, n, digits, width), sep = "\n")
}

# By predictor, the mean absolute value; of several classes their sum.
shap_sizes <- function(x) {
  if (nrow(x$data) == 0L) {
    return(rep(0, dim(x$values)[2L]))
  }
  unname(rowSums(as.matrix(apply(abs(x$values), seq_along(dim(x$values))[-1L], mean))))
}
