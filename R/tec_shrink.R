#' Shrink the values of leaves
#'
#' Hierarchical shrinkage (Agarwal et al., 2022) shrinks the value of each node towards the values
#' of the nodes above it. A leaf of few rows is noisy, and the nodes above show what to expect
#' there. The splits do not change, and no tree is grown.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' Let m be the mean (or the class shares) of a node and n its weight. The value of a node is that
#' of the root plus, for every step down to it, (m of the branch - m of the parent) / (1 + `lambda`
#' / n of the parent). `lambda = 0` changes nothing. Larger values shrink more, especially below
#' small nodes. Shares stay between 0 and 1 and sum to 1. The predicted class follows from the
#' shrunk shares, or has the smallest expected cost, so it may change.
#'
#' All later uses have the shrunk values: predictions, rules, plots, [explain()][explain.tec_tree],
#' [tec_shap()] and all exports. Counts of rows, training errors by class and gains do not change.
#' Shrinkage replaces `smooth` of [tec_control()]. [tec_prune()], [tec_more()] and
#' [update()][update.tec_tree] shrink their result by the same `lambda`. A tree or forest that was
#' shrunk before is shrunk again from its original values.
#'
#' # Choice of lambda
#'
#' If `lambda` has several values, the value with the smallest squared error is used (the smallest
#' value on ties). For class shares, this is the Brier score, the sum of the squared errors of all
#' shares. `"cv"` stands for 0, 0.1, 1, 10, 50, 100, 500.
#'
#' * For a tree, lambda is chosen by cross-validation. Each fold grows one tree with the settings of
#'   the tree's call, including pruning, and all values of `lambda` are compared on it. The folds
#'   are drawn from R's random numbers, with each class spread evenly.
#' * For a forest, lambda is chosen by the out-of-bag predictions, so no tree is grown.
#'
#' Both need the training rows: those of the call, if they can be found, or `data`.
#'
#' @param fit A tree from [tec_tree()], a forest from [tec_forest()], or the result of [tec_tune()].
#'   Criterion `"l1"` predicts medians, for which shrinkage is not defined.
#' @param lambda A number of at least 0, several numbers to choose from, or `"cv"`.
#' @param data,y,weights The training rows, if they cannot be found: a data frame with the response
#'   (or `y`, if the tree was grown from `x` and `y`), and weights.
#' @param sample_weights With `data`: the sample weights that a forest was grown with, if any.
#' @param folds Number of folds for a tree.
#' @return `fit` with shrunk values. `fit$shrunk` has `lambda` and, if it was chosen, `table` with
#'   the errors of all values. The out-of-bag results of a forest are those of the shrunk trees if
#'   the training rows are found; otherwise they are left out.
#' @references
#' Agarwal, A., Tan, Y. S., Ronen, O., Singh, C. and Yu, B. (2022) Hierarchical shrinkage: improving
#' the accuracy and interpretability of tree-based models. *Proceedings of the 39th International
#' Conference on Machine Learning*, PMLR 162, 111-135.
#' @family tree growing functions
#' @seealso `smooth` of [tec_control()] for extra rows in class shares.
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' shrunk <- tec_shrink(fit, lambda = 10)
#' shrunk
#' predict(shrunk, iris[c(1, 71, 107), ], type = "prob")
#'
#' # Lambda by cross-validation
#' set.seed(1)
#' shrunk <- tec_shrink(tec_tree(mpg ~ ., mtcars), lambda = "cv")
#' shrunk$shrunk$table
#' @export
tec_shrink <- function(fit, lambda = "cv", data = NULL, y = NULL, weights = NULL,
                       sample_weights = NULL, folds = 10) {
  fit <- chosen_fit(fit, "tec_shrink")
  if (!inherits(fit, c("tec_tree", "tec_forest"))) {
    abort_found(
      "{.arg fit} must be a tree from {.fn tec_tree} or a forest from {.fn tec_forest}.", fit
    )
  }
  check_fit(fit)
  lambda <- check_lambda(lambda)
  check_shrinkable(fit)
  fit <- unshrunk(fit)
  rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
  if (is_forest(fit)) {
    if (!missing(folds)) abort_only_for("folds", "trees")
    return(shrink_forest(fit, lambda, rows, parent.frame()))
  }
  if (!is.null(sample_weights)) abort_only_for("sample_weights", "forests")
  if (length(lambda) == 1L) {
    refuse_without("lambda = \"cv\"", c(!vapply(rows, is.null, NA), folds = !missing(folds)))
    return(shrink_tree(fit, lambda))
  }
  table <- shrinkage_by_folds(fit, lambda, rows, folds, parent.frame())
  out <- shrink_tree(fit, best_lambda(table))
  out$shrunk$table <- table
  out
}

usual_lambdas <- c(0, 0.1, 1, 10, 50, 100, 500)

check_lambda <- function(lambda) {
  if (identical(lambda, "cv")) {
    return(usual_lambdas)
  }
  ok <- is.numeric(lambda) && !is.object(lambda) && length(lambda) > 0L &&
    all_in_range(lambda, 0, 1e100)
  if (!ok) {
    abort_found(
      "{.arg lambda} must be one or more numbers from 0 to 1e100, or {.val cv}.", lambda,
      i = "It is in rows: 0 does not shrink, 100 shrinks below nodes of a few hundred rows.",
      topic = "shrink"
    )
  }
  unique(as.double(lambda))
}

check_shrinkable <- function(fit) {
  if (identical(fit$criterion$name, "l1")) {
    tec_abort("shrink", c(
      "Shrinkage is defined for means and class shares.",
      x = "The criterion is {.val l1}, whose leaves predict medians."
    ))
  }
  if (identical(fit$weights_known, FALSE)) {
    tec_abort("shrink", c(
      "Shrinkage needs the number of training rows in each leaf.",
      x = "The forest was converted without its training rows.",
      i = "Give them to {.fn as_tec_forest} as {.arg data}."
    ))
  }
}

# Shrinks a tree that was made from a shrunk tree by the same lambda. `shrunk` is NULL if that tree
# was not shrunk.
shrunk_like <- function(fit, shrunk) if (is.null(shrunk)) fit else shrink_tree(fit, shrunk$lambda)

shrinkage_text <- function(fit) {
  shrunk <- fit$shrunk
  if (is.null(shrunk)) {
    return(NULL)
  }
  chosen <- if (!is.null(shrunk$table)) {
    paste0(
      ", chosen from ", count_text(nrow(shrunk$table), "value"),
      if (is_forest(fit)) " out of bag" else " by cross-validation"
    )
  }
  paste0(
    "Values shrunk towards those of the nodes above (lambda = ", number_text(shrunk$lambda), chosen,
    ")"
  )
}

# Shrinkage of a forest. Its inner nodes store no values, unless rows stop there: they are the
# weighted means of the leaves below. Splits into more than two branches are stored as binary
# splits, each with its own node.

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

# The parent (0 for a root) and the depth of each node of all trees, whose nodes are in pre-order.
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

# list(training, bags), or NULL if the rows or the samples of the trees are neither known nor
# needed.
forest_rows_for_oob <- function(fit, rows, needed, env) {
  known <- !is.null(fit$seeds)
  if (!known && needed) {
    tec_abort("conversion", c(
      "Several values of {.arg lambda} are compared out of bag, which needs the trees' samples.",
      x = "This forest was converted from another package and does not have them.",
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

# The out-of-bag results of the current trees.
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
