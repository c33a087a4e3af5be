# Checks for numbers so large or small that their products or squares leave the range of a double.
# The core scales weights and the response, but not these.

# For settings of which only the ratios matter.
check_moderate <- function(x, arg, topic) {
  positive <- x[x > 0]
  bad <- positive < 1e-100 | positive > 1e100
  if (any(bad)) {
    tec_abort(topic, c(
      "Positive numbers in {.arg {arg}} must lie between 1e-100 and 1e100.",
      x = "One of them is {positive[bad][[1L]]}.",
      i = "Only their ratios matter: leave out those that are negligible."
    ))
  }
}

# The squares of a numeric response must have a finite sum: errors, gains and means need it.
check_response_size <- function(y, name) {
  size <- max(abs(y))
  if (size > 1e100 || (size > 0 && size < 1e-100)) {
    tec_abort("response", c(
      "The response is outside the range that sums of squares can hold.",
      x = "{.field {name}} reaches {signif(size, 3)} in size.",
      i = "Multiply it by a constant."
    ))
  }
}

# Boosting adds small steps to numbers as large as the response. It cannot go on once these steps
# are lost to rounding.
warn_close_response <- function(y, rate, name) {
  size <- max(abs(y))
  spread <- diff(range(y))
  if (spread > 0 && spread * rate < 100 * 2^(floor(log2(size)) - 52)) {
    tec_warn("response", c(
      "Boosting cannot tell the values of the response apart: steps are lost to rounding.",
      x = "{.field {name}} reaches {signif(size, 3)} in size, and differs by {signif(spread, 3)}.",
      i = "Subtract a number near its mean, and add it to the predictions."
    ))
  }
}

# Whether the errors of a regression tree, and their squares, are finite.
squares_hold <- function(fit) {
  root <- fit$tree$impurity[1L]
  if (fit$response$task != "regression" || length(fit$tree$kind) == 1L || is.na(root)) {
    return(TRUE)
  }
  root < 1e145 && (root > 1e-145 || max(abs(fit$tree$yval)) > 1e-70)
}

# Errors that overflow cannot be compared by cross-validation.
warn_not_pruned <- function(fit) {
  tec_warn("not_pruned", c(
    "The tree is not pruned: squares of errors of the response \
     {.field {fit$response$name}} are too large or too small for cross-validation.",
    x = "Predictions reach {signif(max(abs(fit$tree$yval)), 3)} in size.",
    i = "Multiply the response by a constant before the tree is grown, or use \
         {.code prune = \"none\"}."
  ))
}

check_squares <- function(fit) {
  if (!squares_hold(fit)) {
    most <- max(abs(fit$tree$yval))
    tec_abort("response", c(
      "Errors of the response {.field {fit$response$name}} are too large or too small to be \
       squared.",
      x = "Predictions reach {signif(most, 3)} in size.",
      i = "Divide the response by a constant before the tree is grown."
    ))
  }
}

# A number of rows, as an integer if it fits. With frequencies it can be larger.
row_count <- function(n) if (n <= .Machine$integer.max) as.integer(round(n)) else round(n)
