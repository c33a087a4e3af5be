# Predictions that need the training rows: quantiles from the weights of the training rows, and
# standard errors from the counts of the samples.

# `rows`: list(data, y, weights, sample_weights), as given.
forest_quantiles <- function(fit, values, n, probs, rows, threads, env) {
  check_probs(probs)
  training <- forest_training(fit, "predict", env, rows)
  y <- used_response(training$ready)
  by_value <- order(y)
  shares <- training_shares(fit, training, values, n, threads)
  out <- matrix(NA_real_, n, length(probs), dimnames = list(NULL, quantile_names(probs)))
  shares(function(rows, weight) {
    below <- apply(weight[by_value, , drop = FALSE], 2L, cumsum)
    dim(below) <- c(length(y), length(rows))
    for (k in seq_along(probs)) {
      # Sums of weights have rounding errors. A row without weight is not a quantile.
      at <- colSums(below <= 0 | below < probs[k] * (1 - 1e-12) - 1e-14) + 1L
      out[rows, k] <<- y[by_value][pmin(at, length(y))]
    }
  })
  out
}

quantile_names <- function(probs) paste0(format(100 * probs, trim = TRUE, digits = 7L), "%")

check_probs <- function(probs) {
  right <- is.numeric(probs) && !is.object(probs) && length(probs) > 0L && all_in_range(probs, 0, 1)
  if (!right) abort_found("{.arg probs} must be numbers from 0 to 1.", probs)
}

# Returns a function that gives the weights of the training rows for some new rows at a time, as a
# matrix of training rows and new rows.
training_shares <- function(fit, training, values, n, threads) {
  ready <- training$ready
  m <- fit$n_rows
  weight <- used_weights(ready) %||% rep(1, m)
  bags <- forest_bags(fit, used_response(ready), training$sample_weights, threads)
  node <- core_forest_predict(fit, used_values(ready), m, "node", threads)
  new_node <- core_forest_predict(fit, values, n, "node", threads)
  function(use) {
    at_once <- max(1L, as.integer(2e7 / m))
    for (rows in split(seq_len(n), (seq_len(n) - 1L) %/% at_once)) {
      out <- matrix(0, m, length(rows))
      trees <- numeric(length(rows))
      for (t in seq_len(ncol(node))) {
        drawn <- which(bags[, t] > 0L)
        w <- bags[drawn, t] * weight[drawn]
        leaves <- unique(new_node[rows, t])
        leaf <- match(node[drawn, t], leaves)
        mine <- which(!is.na(leaf))
        total <- rowsum_at(w[mine], leaf[mine], length(leaves))
        members <- split(mine, factor(leaf[mine], seq_along(leaves)))
        of <- match(new_node[rows, t], leaves)
        hits <- members[of]
        count <- lengths(hits, use.names = FALSE)
        i <- unlist(hits, use.names = FALSE)
        j <- rep(seq_along(rows), count)
        cell <- (j - 1) * m + drawn[i]
        out[cell] <- out[cell] + w[i] / total[of[j]]
        trees <- trees + (count > 0L)
      }
      use(rows, sweep(out, 2L, trees, "/"))
    }
  }
}

forest_errors <- function(fit, values, n, rows, threads, env) {
  if (isTRUE(fit$settings$sample_weights)) {
    tec_abort("argument", c(
      "Standard errors need samples in which all rows have the same probability.",
      x = "The forest was grown with {.arg sample_weights}."
    ))
  }
  by_class <- fit$settings$by_class
  given <- !vapply(rows, is.null, NA)
  y <- if (!is.null(by_class) || any(given)) {
    used_response(forest_training(fit, "predict", env, rows)$ready)
  }
  bags <- forest_bags(fit, y, NULL, threads)
  check_varied(bags)
  node <- core_forest_predict(fit, values, n, "node", threads)
  predicted <- function(k) {
    if (k == 0L && n > 0L) {
      return(core_forest_predict(fit, values, n, "tree", threads))
    }
    tree_shares(fit, node, k)
  }
  classes <- length(fit$response$levels)
  if (classes == 0L) {
    variance <- jackknife(predicted(0L), bags, fit$settings$replace)
  } else {
    variance <- vapply(seq_len(classes), function(k) {
      jackknife(predicted(k), bags, fit$settings$replace)
    }, numeric(n))
    dim(variance) <- c(n, classes)
    colnames(variance) <- fit$response$levels
  }
  finish_errors(variance)
}

check_varied <- function(bags) {
  if (ncol(bags) < 2L || all(bags == bags[, 1L])) {
    tec_abort("oob", c(
      "Standard errors need trees with different samples.",
      x = if (ncol(bags) < 2L) "There is one tree." else "All trees have the same rows."
    ))
  }
}

# The share of class `k` in the leaf of each row (rows of `node`) in each tree.
tree_shares <- function(fit, node, k) {
  trees <- fit$trees
  at <- node + rep(trees$start[-length(trees$start)], each = nrow(node))
  right <- trees$right[at]
  impure <- right < 0L
  out <- as.double(right == k)
  classes <- length(fit$response$levels)
  out[impure] <- trees$shares[(-right[impure] - 1) * classes + k]
  matrix(out, nrow(node))
}

# The variances of the means over trees (columns) of predictions, minus the bias.
jackknife <- function(predicted, bags, replace) {
  trees <- ncol(bags)
  n <- nrow(bags)
  centred <- predicted - rowMeans(predicted)
  counts <- bags - rowMeans(bags)
  spread <- rowMeans(centred^2)
  raw <- numeric(nrow(predicted))
  at_once <- max(1L, as.integer(2e7 / n))
  for (rows in split(seq_along(raw), (seq_along(raw) - 1L) %/% at_once)) {
    covariance <- tcrossprod(counts, centred[rows, , drop = FALSE]) / trees
    raw[rows] <- colSums(covariance^2)
  }
  bias <- n * mean(rowMeans(counts^2)) * spread / trees
  drawn <- sum(bags[, 1L])
  (raw - bias) * if (replace) 1 else n * (n - 1) / (n - drawn)^2
}

finish_errors <- function(variance) {
  # If all trees agree, the variance is 0.
  none <- abs(variance) < 1e-24
  variance[none] <- 0
  few <- variance < 0
  if (any(few)) {
    tec_warn("trees", c(
      "{sum(few)} standard error{?s} cannot be distinguished from the noise of so few trees: NA.",
      i = "Grow more trees with {.fn tec_more}."
    ))
  }
  variance[few] <- NA
  sqrt(variance)
}
