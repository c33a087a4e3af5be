# Random distributions for the tests of entropies.

q_grid <- c(-5, -1, -0.3, 0, 0.5, 0.999, 1, 1.001, 1.7, 2, 3.9, 10, 50)

random_shares <- function(n) {
  shares <- stats::rexp(n)
  shares / sum(shares)
}

# Two dependent variables as a matrix of weights, some cells zero.
random_cells <- function(n_rows = sample(2:5, 1), n_columns = sample(2:5, 1)) {
  repeat {
    cells <- matrix(stats::rexp(n_rows * n_columns), n_rows)
    cells[stats::runif(length(cells)) < 0.2] <- 0
    if (all(rowSums(cells) > 0) && all(colSums(cells) > 0)) {
      return(cells)
    }
  }
}

# `scale`: the size of the terms that cancel, where there are such.
expect_near <- function(object, expected, scale = 1) {
  expect_lte(abs(object - expected), 1e-9 * max(scale, abs(object), abs(expected)))
}
