# Forests from their definition: the draws in arithmetic of 16 bits at a time, as in
# helper-oracle-auto.R, and everything else from the single trees, in loops over trees and rows.

# SplitMix64 from a state of four parts of 16 bits: list(uniform, below).
oracle_draws <- function(state) {
  uniform <- function() {
    state <<- add64(state, bits64("9E3779B97F4A7C15"))
    sum(shift64(mixed64(state), 11) * 65536^(0:3)) / 2^53
  }
  list(uniform = uniform, below = function(n) floor(uniform() * n))
}

mixed64 <- function(x) {
  x <- times64(xor64(x, shift64(x, 30)), bits64("BF58476D1CE4E5B9"))
  x <- times64(xor64(x, shift64(x, 27)), bits64("94D049BB133111EB"))
  xor64(x, shift64(x, 31))
}

# The state of part `number` of a seed, a whole number below 2^53.
oracle_part <- function(seed, number) {
  parts <- seed %/% 65536^(0:3) %% 65536
  mixed64(add64(parts, times64(bits64("9E3779B97F4A7C15"), c(number + 1, 0, 0, 0))))
}

# How often each of n rows is drawn by one tree.
oracle_bag <- function(seed, n, draws, replace, weights = NULL, classes = NULL, by_class = NULL) {
  stream <- oracle_draws(oracle_part(seed, 0))
  counts <- integer(n)
  urns <- if (is.null(by_class)) list(seq_len(n)) else lapply(seq_along(by_class), function(s) {
    which(classes == s)
  })
  many <- if (is.null(by_class)) draws else by_class
  for (s in seq_along(urns)) {
    drawn <- oracle_urn(urns[[s]], many[s], replace, weights, stream)
    for (row in drawn) counts[row] <- counts[row] + 1L
  }
  counts
}

oracle_urn <- function(rows, draws, replace, weights, stream) {
  out <- integer()
  if (is.null(weights)) {
    for (i in seq_len(draws)) {
      if (replace) {
        out[i] <- rows[stream$below(length(rows)) + 1]
      } else {
        at <- i + stream$below(length(rows) - i + 1)
        rows[c(i, at)] <- rows[c(at, i)]
        out[i] <- rows[i]
      }
    }
    return(out)
  }
  rows <- rows[weights[rows] > 0]
  left <- weights[rows]
  sums <- cumsum(left)
  gone <- 0
  while (length(out) < draws) {
    at <- min(sum(sums <= stream$uniform() * sums[length(sums)]) + 1, length(rows))
    if (!replace && left[at] == 0) next
    out <- c(out, rows[at])
    if (replace) next
    gone <- gone + left[at]
    left[at] <- 0
    if (gone >= 0.5 * sums[length(sums)]) {
      sums <- cumsum(left)
      gone <- 0
    }
  }
  out
}

# The draws of all trees of a fit.
forest_counts <- function(fit, y = NULL) {
  tectree:::forest_bags(fit, as.integer(y), NULL, 1L)
}

# What the trees say out of bag: list(votes, prob or response, times, class, curve).
oracle_oob <- function(fit, data, truth, w = rep(1, nrow(data))) {
  bags <- forest_counts(fit, truth)
  n <- nrow(data)
  levels <- fit$response$levels
  k <- max(1L, length(levels))
  sums <- votes <- matrix(0, n, k)
  times <- integer(n)
  curve <- numeric(length(fit))
  for (t in seq_len(length(fit))) {
    tree <- fit[[t]]
    out <- which(bags[, t] == 0L)
    said <- as.matrix(predict(tree, data, type = if (length(levels)) "prob" else "response"))
    class <- if (length(levels)) as.integer(predict(tree, data)) else rep(1L, n)
    for (row in out) {
      sums[row, ] <- sums[row, ] + said[row, ]
      votes[row, class[row]] <- votes[row, class[row]] + 1
      times[row] <- times[row] + 1L
    }
    known <- times > 0L
    curve[t] <- stats::weighted.mean(w = w[known], if (length(levels)) {
      oracle_forest_class(fit, votes, sums / times)[known] != as.integer(truth)[known]
    } else {
      (sums[known] / times[known] - truth[known])^2
    })
  }
  list(votes = votes, mean = sums / ifelse(times > 0, times, NA), times = times, curve = curve)
}

# The class of a forest from the votes and mean shares of its trees, NA where there are none.
oracle_forest_class <- function(fit, votes, shares) {
  by <- if (!is.null(fit$cost)) {
    -(shares %*% fit$cost)
  } else if (fit$settings$probability) {
    shares
  } else {
    votes
  }
  apply(by, 1, function(r) if (anyNA(r)) NA else which(r >= max(r) - 1e-12)[1])
}

# A forest on small data; rows without a value, of which there are none, go to the majority.
# It is the caller's call that the fit keeps.
small_forest <- function(...) {
  call <- sys.call()
  call[[1L]] <- quote(tec_forest)
  given <- names(match.call(expand.dots = FALSE)$...)
  usual <- list(trees = 12L, missing = "majority", threads = 1L)
  for (name in setdiff(names(usual), given)) call[[name]] <- usual[[name]]
  eval(call, parent.frame())
}

# Data of numbers, levels and logicals with noise.
forest_data <- function(n = 60L, classes = TRUE) {
  x <- data.frame(
    a = round(stats::rnorm(n), 1), b = round(stats::runif(n), 2), c = sample(1:4, n, TRUE),
    d = factor(sample(letters[1:5], n, TRUE)), e = sample(c(TRUE, FALSE), n, TRUE),
    f = factor(sample(c("s", "m", "l"), n, TRUE), c("s", "m", "l"), ordered = TRUE)
  )
  value <- x$a + 2 * x$b + (x$d %in% c("a", "c")) + stats::rnorm(n, sd = 0.5)
  y <- if (classes) cut(value, c(-Inf, 0.8, 1.8, Inf), c("low", "mid", "high")) else value
  cbind(y = y, x)
}

# The standard errors of one row's predictions by the trees, in loops.
oracle_jackknife <- function(by_tree, counts, replace) {
  n <- nrow(counts)
  trees <- ncol(counts)
  apply(by_tree, 1, function(said) {
    raw <- 0
    for (i in seq_len(n)) {
      raw <- raw + mean((counts[i, ] - mean(counts[i, ])) * (said - mean(said)))^2
    }
    noise <- mean(apply(counts, 1, function(x) mean((x - mean(x))^2)))
    value <- raw - n * noise * mean((said - mean(said))^2) / trees
    if (!replace) value <- value * n * (n - 1) / (n - sum(counts[, 1]))^2
    if (abs(value) < 1e-24) 0 else if (value < 0) NA else sqrt(value)
  })
}

# The weight of each training row for a new row, in loops.
oracle_forest_weights <- function(fit, data, new, w = rep(1, nrow(data))) {
  bags <- forest_counts(fit)
  out <- matrix(0, nrow(data), nrow(new))
  for (t in seq_len(length(fit))) {
    node <- predict(fit[[t]], data, type = "node")
    at <- predict(fit[[t]], new, type = "node")
    for (j in seq_len(nrow(new))) {
      mine <- bags[, t] * w * (node == at[j])
      out[, j] <- out[, j] + mine / sum(mine) / length(fit)
    }
  }
  out
}

without_call <- function(fit, also = character()) {
  fit <- unclass(fit)
  fit[setdiff(names(fit), c("call", also))]
}

# Importance from the single trees in loops: a matrix of predictors and trees.
oracle_importance <- function(fit, data, type, truth = data$y, w = rep(1, nrow(data))) {
  bags <- forest_counts(fit)
  names <- fit$columns$name
  vapply(seq_len(length(fit)), function(t) {
    tree <- fit[[t]]
    out <- which(bags[, t] == 0L)
    switch(type,
      gain = oracle_tree_gain(tree),
      corrected = oracle_corrected(tree, data[out, ], truth[out], w[out]),
      permutation = oracle_permuted(tree, data[out, ], truth[out], fit$seeds[t], w[out])
    )
  }, numeric(length(names)))
}

oracle_tree_gain <- function(tree) {
  out <- numeric(length(tree$columns$name))
  for (node in which(tree$tree$kind != 0L)) {
    j <- tree$tree$variable[node]
    out[j] <- out[j] + tree$tree$gain[node] * tree$tree$weight[node] / tree$tree$weight[1]
  }
  out
}

oracle_corrected <- function(tree, data, truth, w) {
  out <- numeric(length(tree$columns$name))
  mean_at <- function(node) {
    if (is.numeric(truth)) tree$tree$yval[node] else tree$tree$prob[node, ]
  }
  own <- function(y) if (is.numeric(y)) y else as.double(seq_along(levels(y)) == as.integer(y))
  outside <- Reduce(`+`, lapply(seq_along(truth), function(i) w[i] * own(truth[i]))) / sum(w)
  paths <- predict(tree, data, type = "path")
  for (i in seq_along(truth)) {
    path <- paths[[i]]$node
    for (step in seq_along(path)[-1]) {
      j <- tree$tree$variable[path[step - 1]]
      more <- mean_at(path[step]) - mean_at(path[step - 1])
      out[j] <- out[j] + w[i] * sum(more * (own(truth[i]) - outside))
    }
  }
  out / sum(w)
}

oracle_permuted <- function(tree, data, truth, seed, w) {
  error <- function(d) {
    said <- predict(tree, d)
    if (is.numeric(truth)) stats::weighted.mean((said - truth)^2, w) else
      stats::weighted.mean(said != truth, w)
  }
  usual <- error(data)
  vapply(seq_along(tree$columns$name), function(j) {
    stream <- oracle_draws(oracle_part(seed, 1 + j))
    at <- seq_len(nrow(data))
    for (i in rev(at)[-length(at)]) {
      other <- stream$below(i) + 1
      at[c(i, other)] <- at[c(other, i)]
    }
    name <- tree$columns$name[j]
    permuted <- data
    permuted[[name]] <- data[[name]][at]
    error(permuted) - usual
  }, 0)
}
