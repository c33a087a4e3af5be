# Shares of a whole as text, which add up to 1 as they are written.

# A character matrix like `prob`, whose rows are shares: rounded down to `digits`, then the largest
# remainders rounded up, the earlier class where two are equal. Rows that do not add up to 1 are
# rounded one by one.
rounded_shares <- function(prob, digits = 2L) {
  unit <- 10^digits
  out <- matrix(sprintf("%.*f", digits, prob), nrow(prob))
  whole <- which(abs(rowSums(prob) - 1) < 1e-6)
  if (ncol(prob) < 2L || length(whole) == 0L) {
    return(out)
  }
  # Sums of parts of rows differ from what they stand for in their last digits.
  size <- round(prob[whole, , drop = FALSE] * unit, 6L)
  down <- floor(size)
  missing <- round(unit - rowSums(down))
  rank <- t(apply(down - size, 1L, rank, ties.method = "first"))
  out[whole, ] <- sprintf("%.*f", digits, (down + (rank <= missing)) / unit)
  out
}
