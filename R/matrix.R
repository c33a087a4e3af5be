# Matrices as columns.

# A matrix, dense or of the package Matrix, as the data frame of its columns, without the cost of
# as.data.frame() for a wide one. What a sparse one does not store is 0. Anything else as it is.
as_columns <- function(x) {
  if (!is.matrix(x) && !inherits(x, "Matrix")) {
    return(x)
  }
  names <- colnames(x) %||% default_names(ncol(x))
  values <- if (is.matrix(x)) {
    matrix_columns(x)
  } else {
    need_package("Matrix", "tec_tree")
    # A block of columns at a time is dense twice.
    blocks <- split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% 64L)
    dense <- lapply(unname(blocks), function(at) matrix_columns(as.matrix(x[, at, drop = FALSE])))
    unlist(dense, recursive = FALSE)
  }
  structure(values, names = names, row.names = .set_row_names(nrow(x)), class = "data.frame")
}

default_names <- function(n) paste0("V", seq_len(n), recycle0 = TRUE)

matrix_columns <- function(x) lapply(seq_len(ncol(x)), function(j) unname(x[, j]))
