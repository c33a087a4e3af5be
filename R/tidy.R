# Tested in test-tidy.R, test-tidy-forest.R and test-tidy-boost.R.

#' Trees as tidy tables
#'
#' Methods for the generics package, for use with broom and tidymodels.
#'
#' @details
#' * `tidy()`: one row per node, in pre-order: `node`, `parent`, `depth`, `leaf`, `variable`
#'   (of the split), `rule` (the condition of the branch into the node), `n`, `estimate`
#'   (the class or number predicted), for classes `probability`, and `gain`.
#' * `glance()`: one row per tree: `criterion`, `parameter` (its q or beta), `nobs`, `nodes`,
#'   `leaves`, `depth`, `deviance`, and on the training rows `accuracy`, or `r.squared` and
#'   `rmse` (`l2`), or `mae` (`l1`).
#' * `augment()`: the rows with `.node`, `.fitted`, for classes `.prob_<level>`, and
#'   `.resid` if the response is among the columns (0 or 1 for classes).
#'
#' @param x A tree from [tec_tree()].
#' @param data,newdata The rows to add columns to. The default is the training rows, if they can be
#'   found: see [fitted()][model-methods].
#' @param ... Not used.
#' @return A tibble if the package tibble is installed, otherwise a data frame.
#' @family conversions
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' tidy(fit)
#' glance(fit)
#' augment(fit)
#' augment(fit, newdata = iris[c(1, 71, 120), ])
#' @name tidiers
NULL

#' @rdname tidiers
#' @export
tidy.tec_tree <- function(x, ...) {
  refuse_dots("tidy", ...)
  check_fit(x)
  nodes <- as.data.frame(x)
  classes <- x$response$task == "classification"
  out <- data.frame(
    node = nodes$node, parent = nodes$parent, depth = nodes$depth, leaf = nodes$kind == "leaf",
    variable = nodes$variable, rule = nodes$rule, n = nodes$n, estimate = nodes$yval
  )
  if (classes) out$probability <- leaf_shares(x)[cbind(nodes$node, x$tree$yval)]
  out$gain <- nodes$gain
  as_table(out)
}

#' @rdname tidiers
#' @srrstats {RE4.11} R squared, errors, deviance or accuracy.
#' @export
glance.tec_tree <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  out <- data.frame(
    criterion = x$criterion$name, parameter = unname(c(x$criterion$parameter, NA_real_)[1L]),
    nobs = x$n_rows, nodes = n_nodes(x), leaves = n_leaves(x), depth = tree_depth(x),
    deviance = deviance.tec_tree(x)
  )
  how_well <- training_fit(x, parent.frame())
  shown <- if (x$response$task == "classification") {
    "accuracy"
  } else if (x$criterion$name == "l1") {
    "mae"
  } else {
    c("r_squared", "rmse")
  }
  how_well <- how_well[shown]
  names(how_well)[names(how_well) == "r_squared"] <- "r.squared"
  as_table(cbind(out, as.data.frame(how_well)))
}

#' @rdname tidiers
#' @export
augment.tec_tree <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_dots("augment", ...)
  env <- parent.frame()
  rows <- rows_to_augment(x, data, newdata, env)
  found <- predicted_rows(x, rows, env, node = TRUE)
  if (!is.null(found$y)) {
    # A class that the tree does not have counts as missing.
    truth <- suppressWarnings(node_response(x, rows, NULL, env), classes = "tec_warning_unseen")
    found$y <- if (is.factor(found$response)) as_classes(truth, x$response) else truth
  }
  do.call(augmented, found)
}

#' Forests as tidy tables
#'
#' Methods for the generics package, for use with broom and tidymodels.
#'
#' @details
#' * `tidy()`: one row per tree: `tree`, `nodes`, `leaves`, `depth` and `weight` (of the rows that
#'   it drew). With `trees`, one row per node of these trees: `tree` and the columns of
#'   [tidy()][tidy.tec_tree] for a tree.
#' * `glance()`: one row per forest: `criterion`, `parameter` (its q or beta), `nobs`, `trees`,
#'   `mtry`, `leaves` and `depth` (means over the trees), `oob.error`, and, from the out-of-bag
#'   predictions, `accuracy` and `brier.score`, or `r.squared` and `rmse`.
#' * `augment()`: the rows with `.fitted`, for classes `.prob_<level>`, and `.resid` if the response
#'   is known (0 or 1 for classes). Predictions for training rows are out of bag, and `NA` if a row
#'   is in the sample of every tree. Predictions for `newdata` use all trees.
#'
#' @param x A forest from [tec_forest()].
#' @param trees The numbers of the trees whose nodes to return.
#' @param data The training rows. They are needed only if they cannot be found, see
#'   [tec_tree-methods].
#' @param newdata New rows.
#' @param ... Not used.
#' @return A tibble if the package tibble is installed, otherwise a data frame.
#' @family conversions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' tidy(fit)
#' tidy(fit, trees = 3)
#' glance(fit)
#' augment(fit)
#' augment(fit, newdata = iris[c(1, 71, 120), ])
#' @name forest-tidiers
NULL

#' @rdname forest-tidiers
#' @export
tidy.tec_forest <- function(x, trees = NULL, ...) {
  refuse_dots("tidy", ...)
  check_is_forest(x, "tidy")
  if (is.null(trees)) {
    return(as_table(cbind(tree = seq_len(length(x)), tree_sizes(x))))
  }
  check_tree_numbers(trees, length(x), "trees")
  of_tree <- lapply(trees, function(i) {
    cbind(tree = as.integer(i), as.data.frame(tidy.tec_tree(x[[i]])))
  })
  as_table(do.call(rbind, of_tree))
}

check_tree_numbers <- function(trees, n, arg) {
  right <- is.numeric(trees) && length(trees) > 0L && all(trees %in% seq_len(n))
  if (!right) abort_found("{.arg {arg}} must be numbers of trees, from 1 to {n}.", trees)
}

# One row per tree.
tree_sizes <- function(fit) {
  trees <- fit$trees
  leaf <- trees$variable == 0L
  nodes <- diff(trees$start)
  tree <- rep(seq_along(nodes), nodes)
  weight <- numeric(length(leaf))
  weight[leaf] <- leaf_weights(trees, which(leaf), length(fit$response$levels))
  depth <- forest_shape(trees)$depth
  data.frame(
    nodes = nodes, leaves = as.integer(rowsum(as.integer(leaf), tree)[, 1L]),
    depth = vapply(split(depth, tree), max, 0L, USE.NAMES = FALSE),
    weight = unname(rowsum(weight, tree)[, 1L])
  )
}

#' @rdname forest-tidiers
#' @export
glance.tec_forest <- function(x, ...) {
  refuse_dots("glance", ...)
  check_is_forest(x, "glance")
  size <- tree_sizes(x)
  out <- data.frame(
    criterion = x$criterion$name, parameter = unname(c(x$criterion$parameter, NA_real_)[1L]),
    nobs = x$n_rows, trees = length(x), mtry = x$mtry %||% NA_integer_,
    leaves = mean(size$leaves), depth = mean(size$depth), oob.error = x$oob$error %||% NA_real_
  )
  if (x$response$task == "classification") {
    out$accuracy <- 1 - out$oob.error
    out$brier.score <- x$oob$brier %||% NA_real_
  } else {
    out$r.squared <- x$oob$r_squared %||% NA_real_
    out$rmse <- sqrt(out$oob.error)
  }
  as_table(out)
}

#' @rdname forest-tidiers
#' @export
augment.tec_forest <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_dots("augment", ...)
  check_is_forest(x, "augment")
  env <- parent.frame()
  found <- if (!is.null(newdata)) {
    predicted_rows(x, check_rows_to_predict(x, newdata, "newdata"), env)
  } else {
    training_forest_rows(x, data, env)
  }
  do.call(augmented, found)
}

# As predicted_rows(), for the out-of-bag predictions of the training rows.
training_forest_rows <- function(fit, data, env) {
  if (is.null(fit$oob$response)) {
    tec_abort("oob", c(
      "The forest has no out-of-bag predictions.",
      i = "Give the rows as {.arg newdata} to predict with all trees."
    ))
  }
  found <- if (is.null(data)) {
    training_rows(fit, "augment", env)
  } else {
    given_training_rows(fit, check_newdata(data, "data"), env)
  }
  oob <- oob_of_rows(fit)
  list(data = found$data, response = oob$response, prob = oob$prob, y = found$y)
}

# Checks that rows with a response are the training rows of the forest. Other rows are counted.
given_training_rows <- function(fit, data, env) {
  rows <- seq_len(nrow(data))
  coded <- values <- y <- NULL
  if (has_response(fit, data)) {
    input <- given_input(fit, data, NULL, NULL, env)
    ready <- suppressMessages(forest_ready(fit, input), classes = "tec_message")
    if (is.null(fit$call[["weights"]])) check_same_rows(fit, ready, "augment")
    rows <- ready$rows %||% rows
    y <- input$response[rows]
    values <- ready$frame$value
    coded <- ready$response$core$y
  } else if (all(unlist(fit$columns$needs) %in% names(data))) {
    all <- seq_along(fit$columns$name)
    values <- code_newdata(fit, data, all, env, integer(), "data")
  }
  n <- length(fit$copies %||% seq_len(fit$n_rows))
  if (length(rows) != n) {
    tec_abort("data", c(
      "{.arg data} must be the rows that the forest was grown from.",
      x = "It has {count_text(length(rows), 'row')}, but the forest was grown from {n}.",
      i = "Give other rows as {.arg newdata}."
    ))
  }
  if (!is.null(values)) {
    each <- if (is.null(fit$copies)) rows else rep.int(rows, fit$copies)
    check_marks(fit, row_marks(values, coded, each), "augment")
  }
  list(data = if (length(rows) < nrow(data)) data[rows, , drop = FALSE] else data, y = y)
}

#' Tidy tables of boosted models
#'
#' `tidy()` returns one row per round with the loss. `glance()` returns one row for the model.
#' `augment()` is the method of [all models][model-methods].
#'
#' @param x A model from [tec_boost()].
#' @param ... Not used.
#' @return A tibble if the package tibble is installed, otherwise a data frame. `tidy()`: the same
#'   columns as `curve` of [tec_boost()]. `glance()`: `method`, `loss`, `nobs`, `rounds`, `trees`,
#'   `leaves` and `depth` (means over trees), and the last value of each column of `curve`.
#' @family conversions
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' set.seed(1)
#' fit <- tec_boost(Species ~ ., iris, rounds = 10, threads = 2)
#' tidy(fit)
#' glance(fit)
#' @name boost-tidiers
NULL

#' @rdname boost-tidiers
#' @export
tidy.tec_boost <- function(x, ...) {
  refuse_dots("tidy", ...)
  check_fit(x)
  as_table(known_curve(x))
}

#' @rdname boost-tidiers
#' @export
glance.tec_boost <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  size <- tree_sizes(if (x$method == "adaboost") x else c(list(response = NULL), x["trees"]))
  out <- data.frame(
    method = x$method, loss = x$loss, nobs = x$n_rows, rounds = x$rounds, trees = length(x$round),
    leaves = mean(size$leaves), depth = mean(size$depth)
  )
  if (!is.null(x$curve)) {
    last <- x$curve[min(x$rounds, nrow(x$curve)), -1L, drop = FALSE]
    out <- cbind(out, last, row.names = NULL)
  }
  as_table(out)
}
