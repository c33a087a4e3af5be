#' Forests as tidy tables
#'
#' Methods for the generics package, for use with broom and tidymodels.
#'
#' @details
#' * `tidy()`: one row per tree: `tree`, `nodes`, `leaves`, `depth` and `weight` (of the rows that
#'   it drew). With `trees`, one row per node of these trees: `tree` and the columns of
#'   [tidy()][tidy.tec_tree] for a tree.
#' * `glance()`: one row per forest: `criterion`, `parameter` (its q or beta), `nobs`, `trees`,
#'   `mtry`, `leaves` and `depth` (means over the trees), `oob.error`, and of the out-of-bag
#'   predictions `accuracy` and `brier.score`, or `r.squared` and `rmse`.
#' * `augment()`: the rows with `.fitted`, for classes `.prob_<level>`, and `.resid` if the response
#'   is known (0 or 1 for classes). The predictions of training rows are those out of bag: `NA`
#'   where a row is in the sample of every tree. Those of `newdata` are those of all trees.
#'
#' @param x A forest from [tec_forest()].
#' @param trees The numbers of the trees whose nodes to return.
#' @param data The training rows, only if they cannot be found: see [tec_tree-methods].
#' @param newdata Other rows.
#' @param ... Not used.
#' @return A tibble, or a data frame where the tibble package is not installed.
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
  check_tree_numbers(trees, length(x))
  of_tree <- lapply(trees, function(i) {
    cbind(tree = as.integer(i), as.data.frame(tidy.tec_tree(x[[i]])))
  })
  as_table(do.call(rbind, of_tree))
}

check_tree_numbers <- function(trees, n) {
  right <- is.numeric(trees) && length(trees) > 0L && all(trees %in% seq_len(n))
  if (!right) {
    tec_abort("argument", c(
      "{.arg trees} must be numbers of trees, from 1 to {n}.", x = "It is {describe(trees)}."
    ))
  }
}

# A row per tree.
tree_sizes <- function(fit) {
  trees <- fit$trees
  leaf <- trees$variable == 0L
  nodes <- diff(trees$start)
  tree <- rep(seq_along(nodes), nodes)
  weight <- numeric(length(leaf))
  weight[leaf] <- leaf_weights(trees, which(leaf), length(fit$response$levels))
  depth <- node_depths(trees)
  data.frame(
    nodes = nodes, leaves = as.integer(rowsum(as.integer(leaf), tree)[, 1L]),
    depth = vapply(split(depth, tree), max, 0L, USE.NAMES = FALSE),
    weight = unname(rowsum(weight, tree)[, 1L])
  )
}

# The depth of each node of all trees, a level of all trees at a time.
node_depths <- function(trees) {
  out <- integer(length(trees$variable))
  at <- trees$start[-length(trees$start)] + 1L
  depth <- 0L
  while (length(at)) {
    out[at] <- depth
    depth <- depth + 1L
    inner <- at[trees$variable[at] != 0L]
    at <- c(inner + 1L, inner + trees$right[inner])
  }
  out
}

#' @rdname forest-tidiers
#' @export
glance.tec_forest <- function(x, ...) {
  refuse_dots("glance", ...)
  check_is_forest(x, "glance")
  parameter <- x$criterion$parameter
  size <- tree_sizes(x)
  out <- data.frame(
    criterion = x$criterion$name,
    parameter = if (length(parameter)) unname(parameter) else NA_real_,
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

# As predicted_rows(), of the training rows out of bag.
training_forest_rows <- function(fit, data, env) {
  if (is.null(fit$oob$response)) {
    tec_abort("oob", c(
      "The forest has no out-of-bag predictions.",
      i = "Give the rows as {.arg newdata} for predictions of all trees."
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

# Rows with a response are checked to be those that the forest was grown from, others counted.
given_training_rows <- function(fit, data, env) {
  rows <- seq_len(nrow(data))
  y <- NULL
  if (has_response(fit, data)) {
    input <- given_input(fit, data, NULL, NULL, env)
    ready <- suppressMessages(forest_ready(fit, input), classes = "tec_message")
    if (is.null(fit$call[["weights"]])) check_same_rows(fit, ready, "augment")
    rows <- ready$rows %||% rows
    y <- input$response[rows]
  }
  n <- length(fit$copies %||% seq_len(fit$n_rows))
  if (length(rows) != n) {
    tec_abort("data", c(
      "{.arg data} must be the rows that the forest was grown from.",
      x = "It has {count_text(length(rows), 'row')}, the forest was grown from {n}.",
      i = "Give other rows as {.arg newdata}."
    ))
  }
  list(data = data[rows, , drop = FALSE], y = y)
}
