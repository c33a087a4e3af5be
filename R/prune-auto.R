# prune = "auto", the default of tec_tree(): cost-complexity pruning with the smallest
# cross-validated error, on folds that depend only on the data.

# With fewer rows, trees are not pruned: the error on a fold of fewer than five rows is noise.
least_rows_to_prune <- 50L

# With many rows, few folds say as much in half the time.
auto_folds <- function(n_used) if (n_used > 10000) 5 else 10

# How a call prunes, once its rows are known: list(control =, group =), where "auto" has become
# "ccp" with alpha = "min", or "none", and `group` is each used row's fold or NULL.
plan_pruning <- function(control, ready, n) {
  n_used <- count_used_rows(ready, n)
  if (!control$prune %in% c("auto", "ccp")) {
    return(list(control = control))
  }
  folds <- control$folds %||% auto_folds(n_used)
  check_not_too_many(ready, length(folds) > 1L || folds > 1)
  group <- if (control$prune == "ccp" || length(folds) > 1L) {
    assign_folds(folds, n, ready$rows, n_used)
  } else if (n_used >= least_rows_to_prune && folds > 1) {
    own_folds(ready, n_used, folds)
  }
  if (control$prune == "auto") {
    control[c("prune", "alpha")] <- if (is.null(group)) list("none", NULL) else list("ccp", "min")
  }
  list(control = control, group = group)
}

# The fold of each used row. Rows are first sorted by the response, then by the predictors, so that
# the folds do not depend on the order of the rows.
own_folds <- function(ready, n_used, k) {
  used <- function(x) if (is.null(ready$rows)) x else x[ready$rows]
  y <- used(ready$response$core$y)
  keys <- c(list(y), sort_keys(unname(ready$frame$value), ready$rows))
  if (!is.null(ready$weights)) keys <- c(keys, list(used(ready$weights)))
  order <- do.call(order, c(keys, list(method = "radix")))
  classes <- ready$response$info$task == "classification"
  tec_own_folds_(order, if (classes) y else rep(1L, n_used), min(k, n_used))
}

# A fit by "auto" keeps the settings of its call; `grown` is the number of leaves before pruning.
as_asked <- function(fit, control, grown) {
  fit$control <- control
  if (!is.null(fit$pruning)) fit$pruning$leaves_grown <- grown
  fit
}

# A line of print(): how much of a tree was pruned by default, and how to get the full tree.
auto_step <- function(fit) {
  kept <- leaf_count(fit)
  if (!identical(fit$control$prune, "auto") || !isTRUE(fit$pruning$leaves_grown > kept)) {
    return(NULL)
  }
  paste0(
    "# ", number_text(kept), " of ", count_text(fit$pruning$leaves_grown, "leaf", "leaves"),
    " kept by cross-validation; all: prune = \"none\""
  )
}
