# Tested in test-tec_shrink.R.
# Chooses lambda for a tree: one tree per fold, shrunk by each value of lambda.

best_lambda <- function(table) table$lambda[order(table$error, table$lambda)[1L]]

# Returns a data frame: lambda, error (a mean over rows), chosen.
shrinkage_by_folds <- function(fit, lambda, rows, folds, env) {
  if (is.null(fit$call) || identical(fit$control$prune, "rep")) {
    tec_abort("shrink", c(
      "Several values of {.arg lambda} can be compared only if the tree can be grown again.",
      x = if (is.null(fit$call)) {
        "This tree was converted from another package."
      } else {
        "Pruning by {.val rep} needs separate rows in each fold."
      },
      i = "Give one value."
    ))
  }
  check_needs_data(rows$data, y = rows$y, weights = rows$weights)
  found <- shrinkage_rows(fit, rows, env)
  ready <- found$ready
  used <- ready$rows %||% seq_len(found$input$n)
  folds <- check_fold_number(folds, length(used))
  y <- ready$response$core$y
  classes <- fit$response$task == "classification"
  group <- draw_folds(folds, length(used), if (classes) y[used])
  errors <- lapply(seq_len(folds), function(k) {
    test <- used[group == k]
    ready$rows <- used[group != k]
    grown <- grow_ready(ready, found$input, found$asked, fit$call, env)
    fold_errors(grown, lapply(ready$frame$value, `[`, test), y[test], ready$weights[test], lambda)
  })
  table <- data.frame(lambda = lambda, error = Reduce(`+`, errors) / total_weight(ready, used))
  table$chosen <- table$lambda == best_lambda(table)
  table
}

total_weight <- function(ready, used) {
  if (is.null(ready$weights)) length(used) else sum(ready$weights[used])
}

# The sum of squared errors of a fold's rows, for each lambda.
fold_errors <- function(fit, values, truth, weight, lambda) {
  n <- length(truth)
  node <- route_rows(fit, values, n, 1L)
  shared <- shared_rows(fit, values, n)
  vapply(lambda, function(one) {
    shrunk <- shrink_tree(fit, one)
    loss <- if (length(fit$response$levels)) {
      prob <- leaf_values(shrunk, node, "prob", shared)
      rowSums(prob^2) - 2 * own_share(prob, truth) + 1
    } else {
      (leaf_values(shrunk, node, "response", shared) - truth)^2
    }
    sum(loss * (weight %||% 1))
  }, 0)
}

# The training rows, prepared as for the tree: list(ready =, input =, asked =).
shrinkage_rows <- function(fit, rows, env) {
  if (is.null(rows$data)) {
    found <- training_rows(fit, "tec_shrink", env)
    input <- found$input
  } else {
    input <- given_input(fit, check_newdata(rows$data, "data"), rows$y, rows$weights, env)
    found <- list()
  }
  asked <- c(forest_asked(fit, found$na_action), list(preset = fit$preset))
  control <- fit$control
  if (!identical(control$prune, "auto") && !is.character(control$alpha)) control$folds <- 0
  ready <- suppressMessages(prepare(input, asked, control), classes = "tec_message")
  ready$criterion <- fit$criterion
  if (length(ready$rows %||% seq_len(input$n)) != fit$n_rows) {
    tec_abort("data", c(
      "{.fn tec_shrink} needs the rows that the tree was grown from.",
      x = "{.arg data} has a different number of rows."
    ))
  }
  ready$marks <- marks_of(ready)
  check_marks(fit, ready$marks, "tec_shrink")
  list(ready = ready, input = input, asked = asked)
}

shrink_tree <- function(fit, lambda) {
  tree <- fit$tree
  classes <- fit$response$task == "classification"
  raw <- if (classes) tree$prob else matrix(tree$yval)
  value <- shrunk_values(raw, tree$weight, tree$parent, tree$depth, lambda)
  fit$shrunk <- list(
    lambda = lambda, prob = tree$prob, yval = tree$yval, smooth = fit$control$smooth
  )
  if (classes) {
    fit$tree$prob <- value
    fit$tree$yval <- as.double(best_answer(value, fit$cost))
    fit$control$smooth <- 0
  } else {
    fit$tree$yval <- value[, 1L]
  }
  fit
}

# The shrunk values of all nodes, one row of `raw` per node. Parents come before their children.
shrunk_values <- function(raw, weight, parent, depth, lambda) {
  out <- raw
  for (at in split(seq_along(depth), depth)[-1L]) {
    up <- parent[at]
    # Below a node without rows, all values equal its own.
    kept <- ifelse(weight[up] > 0, 1 / (1 + lambda / weight[up]), 0)
    out[at, ] <- out[up, , drop = FALSE] +
      kept * (raw[at, , drop = FALSE] - raw[up, , drop = FALSE])
  }
  if (ncol(raw) > 1L) pmin(pmax(out, 0), 1) else out
}
