# Regression splines, written by the R package tectree. @NAME@(data) takes a data frame and returns
# a list of response and, for classes, prob (a matrix). It needs only base R. Numbers, dates, times,
# factors, text and logicals are used as they are; time differences in the units of training. A row
# with a missing value or an unseen label has no prediction.
@NAME@ <- local({
  inputs <- c(@INPUTS@)
  levels <- list(@LEVELS@)
  classes <- c(@CLASSES@)
  # Term t is the product of the factors from[t] + 1 to from[t + 1]. A factor has an input; the
  # level that it indicates, or 0; its side (1 above the knot, -1 below, 2 the input itself); and
  # the knot.
  from <- c(@FROM@)
  input <- c(@INPUT@)
  level <- c(@LEVEL@)
  side <- c(@SIDE@)
  knot <- c(@KNOT@)
  # By term; one column per sum. The classes of the sums, or of the only sum and its opposite.
  coefficients <- matrix(c(@COEF@), ncol = @SUMS@, byrow = TRUE)
  at <- c(@AT@)

@READ@

  share <- function(x) 1 / (1 + exp(-x))

  function(data) {
    x <- lapply(seq_along(inputs), function(i) read(data, i))
    n <- nrow(data)
    basis <- matrix(1, n, length(from) - 1)
    for (t in seq_len(ncol(basis))) {
      for (f in seq_len(from[t + 1] - from[t]) + from[t]) {
        v <- x[[input[f]]]
        if (level[f] > 0) v <- as.numeric(v == level[f])
        h <- if (side[f] == 2) v else pmax(0, side[f] * (v - knot[f]))
        basis[, t] <- basis[, t] * h
      }
    }
    sum <- basis %*% coefficients
    if (is.null(classes)) return(list(response = sum[, 1], prob = NULL))
    aim <- if (ncol(sum) == 1) cbind(0, sum) else sum
    odds <- if (ncol(sum) == 1) cbind(share(-sum), share(sum)) else share(sum)
    known <- !is.na(sum[, 1])
    none <- known & rowSums(odds) == 0
    odds[none, ] <- exp(aim[none, , drop = FALSE] - apply(aim[none, , drop = FALSE], 1, max))
    prob <- matrix(0, n, length(classes), dimnames = list(NULL, classes))
    prob[, at] <- odds / rowSums(odds)
    prob[!known, ] <- NA
    class <- rep(NA, n)
    class[known] <- at[max.col(aim[known, , drop = FALSE], ties.method = "first")]
    list(response = factor(classes[class], classes), prob = prob)
  }
})
