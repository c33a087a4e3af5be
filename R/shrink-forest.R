# Tested in test-tec_shrink.R.
# Shrinkage of a forest. Its inner nodes keep no values, unless rows stop there: they are the
# weighted means of the leaves below. Splits into more branches are splits by halves here, and each
# half is a node.

shrink_forest <- function(fit, lambda, rows, env) {
  training <- forest_rows_for_oob(fit, rows, length(lambda) > 1L, env)
  table <- NULL
  if (length(lambda) > 1L) {
    error <- vapply(lambda, function(one) {
      oob <- oob_of_trees(with_shrunk_trees(fit, one), training)
      oob$brier %||% oob$error
    }, 0)
    table <- data.frame(lambda = lambda, error = error)
    lambda <- best_lambda(table)
    table$chosen <- table$lambda == lambda
  }
  out <- with_shrunk_trees(fit, lambda)
  out["oob"] <- list(if (!is.null(training)) oob_of_trees(out, training))
  out$shrunk$oob <- fit$oob
  out$shrunk$table <- table
  out
}

leaf_parts <- c("right", "cut", "shares", "own")

with_shrunk_trees <- function(fit, lambda) {
  out <- unclass(fit)
  out$shrunk <- list(lambda = lambda, trees = fit$trees[intersect(leaf_parts, names(fit$trees))])
  out$trees <- shrunk_trees(fit$trees, length(fit$response$levels), lambda)
  structure(out, class = class(fit))
}

shrunk_trees <- function(trees, classes, lambda) {
  shape <- forest_shape(trees)
  leaf <- which(trees$variable == 0L)
  weight <- leaf_weights(trees, leaf, classes)
  value <- if (classes > 0L) leaf_class_shares(trees, leaf, classes) else matrix(trees$cut[leaf])
  centre <- if (classes > 0L) 0 else mean(value)
  sums <- sum_of_leaves(cbind(weight, weight * (value - centre)), leaf, shape$parent, shape$depth)
  raw <- sums[, -1L, drop = FALSE] / ifelse(sums[, 1L] > 0, sums[, 1L], 1)
  raw[leaf, ] <- value - centre
  for (i in rev(which(sums[, 1L] == 0 & trees$variable != 0L))) raw[i, ] <- raw[i + 1L, ]
  if (!is.null(trees$own)) raw <- t(own_values(trees, classes)) - centre
  out <- shrunk_values(raw, sums[, 1L], shape$parent, shape$depth, lambda)
  if (!is.null(trees$own)) trees$own <- as.double(t(out + centre))
  out <- out[leaf, , drop = FALSE]
  if (classes == 0L) {
    trees$cut[leaf] <- out[, 1L] + centre
    return(trees)
  }
  trees$right[leaf] <- -seq_along(leaf)
  trees$shares <- t(out)
  trees
}

# The parent (0 of a root) and the depth of each node of all trees, whose nodes are in pre-order.
forest_shape <- function(trees) {
  n <- length(trees$variable)
  inner <- which(trees$variable != 0L)
  parent <- depth <- integer(n)
  parent[inner + 1L] <- inner
  parent[inner + trees$right[inner]] <- inner
  at <- trees$start[-length(trees$start)] + 1L
  level <- 0L
  while (length(at)) {
    depth[at] <- level
    level <- level + 1L
    at <- at[trees$variable[at] != 0L]
    at <- c(at + 1L, at + trees$right[at])
  }
  list(parent = parent, depth = depth)
}

# list(training, bags) or NULL where the rows or the samples of the trees are not known and not
# needed.
forest_rows_for_oob <- function(fit, rows, needed, env) {
  known <- !is.null(fit$seeds)
  if (!known && needed) {
    tec_abort("conversion", c(
      "Several values of {.arg lambda} are compared out of bag, by the samples of the trees.",
      x = "This forest was converted from another package and does not know them.",
      i = "Give one value."
    ))
  }
  check_needs_data(
    rows$data, y = rows$y, weights = rows$weights, sample_weights = rows$sample_weights
  )
  find <- function() {
    training <- forest_training(fit, "tec_shrink", env, rows)
    y <- used_response(training$ready)
    c(training, list(y = y, bags = forest_bags(fit, y, training$sample_weights)))
  }
  if (!known) {
    return(NULL)
  }
  if (needed || !is.null(rows$data)) find() else tryCatch(find(), tec_error = function(e) NULL)
}

# The out-of-bag results, by the trees as they are now.
oob_of_trees <- function(fit, training) {
  y <- training$y
  classes <- length(fit$response$levels)
  values <- used_values(training$ready)
  w <- used_weights(training$ready) %||% rep(1, length(y))
  times <- integer(length(y))
  votes <- shares <- matrix(0, length(y), max(classes, 1L))
  curve <- numeric(length(fit))
  for (t in seq_along(curve)) {
    out <- which(training$bags[, t] == 0L)
    times[out] <- times[out] + 1L
    held <- lapply(values, function(x) x[out])
    said <- core_forest_predict(cut_forest(fit, t), held, length(out), "sum", 1L)
    votes[out, ] <- votes[out, , drop = FALSE] + if (classes > 0L) said$votes else said$sum
    if (classes > 0L) shares[out, ] <- shares[out, , drop = FALSE] + said$shares
    known <- times > 0L
    off <- if (classes > 0L) {
      max.col(votes[known, , drop = FALSE], ties.method = "first") != y[known]
    } else {
      (votes[known, 1L] / times[known] - y[known])^2
    }
    curve[t] <- weighted_mean(off, w[known])
  }
  storage.mode(votes) <- if (classes > 0L) "integer" else "double"
  sums <- if (classes > 0L) list(votes = votes, shares = shares) else list(sum = votes[, 1L])
  finish_oob(c(sums, list(times = times)), curve, forest_plan(fit, training, "none"))
}
