# The class shares that nodes predict: those of their rows and `smooth` extra rows, spread evenly
# over the classes. So a few rows cannot rule out a class, and the order of the classes does not
# change. Tables and plots of a tree show the shares without smoothing.
leaf_shares <- function(fit, nodes = seq_along(fit$tree$kind)) {
  tree <- fit$tree
  shares <- tree$prob[nodes, , drop = FALSE]
  smooth <- fit$control$smooth %||% 0
  if (smooth == 0 || ncol(shares) == 0L) {
    return(shares)
  }
  # A leaf that no training row reached has the shares of the last node above it that has rows.
  while (any(empty <- tree$weight[nodes] <= 0 & tree$parent[nodes] > 0)) {
    nodes[empty] <- tree$parent[nodes[empty]]
  }
  weight <- tree$weight[nodes]
  (shares * weight + smooth / ncol(shares)) / (weight + smooth)
}

check_smooth <- function(smooth) {
  if (is.null(smooth)) {
    return(NULL)
  }
  if (!is_number(smooth) || smooth < 0 || is.infinite(smooth)) {
    tec_abort("control", c(
      "{.arg smooth} must be one finite number of at least 0.",
      x = "It is {describe(smooth)}.",
      i = "It is a number of rows; 0 predicts the shares of the training rows."
    ))
  }
  as.double(smooth)
}
