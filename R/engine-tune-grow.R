# Tested in test-engine-tune.R.
# The trees of settings and folds, grown side by side: what all of them ask for at a level is one
# question where the counter can (a counter's `together`), so that the number of questions depends
# on the depth and not on the number of trees.

# So many at a time: each keeps the counts of its last level.
trees_together <- 20L

# The measures of each setting on its fold.
measure_together <- function(base, settings, folds, metric) {
  counter <- base$counter
  plans <- Map(function(setting, fold) plan_setting(base, setting, fold), settings, folds)
  grown <- grow_together(counter, plans)
  fits <- Map(function(plan, grown) {
    fit <- new_tree(grown$tree, plan$ready, plan$input, plan$control, plan$cost, plan$priors, NULL)
    finish_pruning(fit, plan$core, NULL, NULL, NULL)
  }, plans, grown)
  leaves <- Map(leaf_frontier, fits, grown)
  what <- held_what(plans[[1L]])
  counter$held_ahead(lapply(leaves, `[[`, "frontier"), what)
  Map(function(plan, fit, at) measure_fit(counter, plan, fit, at, metric), plans, fits, leaves)
}

plan_setting <- function(base, setting, fold) {
  plan <- base$plan
  plan$fold <- fold
  plan$ready$criterion <- setting$criterion
  plan$control <- counted_pruning(
    check_prune_task(setting$control, plan$ready$response$info, NULL)
  )
  plan$root <- base$counter$counts(1L, counted_what(plan, 0L))
  ready <- plan$ready
  ready$total <- sum(plan$root$n[plan$root$column == 1L])
  check_counted(ready)
  plan$core <- counted_core(ready, plan$cost, plan$control, plan$priors)
  plan
}

# As grow_by_level() of each; bins are not looked into.
grow_together <- function(counter, plans) {
  states <- lapply(plans, counted_state)
  steps <- vector("list", length(plans))
  open <- seq_along(plans)
  level <- 0L
  repeat {
    steps[open] <- lapply(states[open], function(state) tec_counted_grow_(state$growth))
    open <- open[vapply(steps[open], function(step) is.null(step$tree), NA)]
    if (length(open) == 0L) break
    level <- level + 1L
    asks <- open[!vapply(steps[open], function(step) is.null(step$ask), NA)]
    frontiers <- lapply(steps[asks], function(step) step$ask$frontier)
    counter$ahead(frontiers, counted_what(plans[[1L]], level))
    for (i in asks) {
      cells <- counter$counts(steps[[i]]$ask$frontier, counted_what(plans[[i]], level))
      check_conflict(tec_counted_answer_(states[[i]]$growth, core_cells(cells)), plans[[i]])
    }
    for (i in setdiff(open, asks)) collect_nodes(states[[i]], counter, steps[[i]]$collect)
  }
  Map(function(step, state) c(step, growth = state$growth), steps, states)
}

# The leaves of a pruned tree: their numbers in it, in growth, and as what is asked for.
leaf_frontier <- function(fit, grown) {
  node <- which(fit$tree$kind == 0L)
  id <- grown$id[match(node_paths(fit$tree)[node], node_paths(grown$tree))]
  alone <- length(id) == 1L && id == 1L
  list(node = node, id = id, frontier = if (alone) 1L else tec_counted_frontier_(grown$growth, id))
}

held_what <- function(plan) replace(counted_what(plan, NA_integer_), "columns", list(1L))

measure_fit <- function(counter, plan, fit, leaves, metric) {
  held <- held_out(counter, plan, leaves)
  cell <- list(
    value = fit$tree$yval[held$node], nodes = length(fit$tree$kind), leaves = leaf_count(fit),
    depth = as.integer(max(fit$tree$depth)),
    prob = if (plan$ready$response$info$task == "classification") leaf_shares(fit, held$node)
  )
  measure_cell(cell, held$truth, held$weight, metric)
}

# Rows left out, as rows with weights: list(node = where they end, truth =, weight =). Of numbers
# the mean and the spread about it matter alone, and two rows have these.
held_out <- function(counter, plan, leaves) {
  cells <- counter$held(leaves$frontier, held_what(plan))
  node <- leaves$node[match(cells$node, leaves$id)]
  if (!is.null(cells$class)) {
    return(list(node = node, truth = as.integer(cells$class), weight = cells$n))
  }
  of <- plan$meta$response
  mean <- sum_of_digits(cells, sum_digits("sum", of$digits), of$bits) / cells$n
  squares <- sum_of_digits(cells, square_digits(of$digits), of$bits)
  spread <- sqrt(pmax(squares / cells$n - mean^2, 0))
  list(
    node = c(node, node), truth = of$centre + c(mean - spread, mean + spread) / of$scale,
    weight = rep(cells$n / 2, 2L)
  )
}
