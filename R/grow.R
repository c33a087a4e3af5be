# Tested in test-tec_tree.R.
# Everything that the core needs, from the user's arguments and rows in memory.
prepare <- function(input, asked, control, preset = check_preset(asked$preset)) {
  check_some_rows(input$n)
  force(preset)
  y <- check_response(input$response, input$response_name, input$n)
  as <- weights_meaning(input$weights, control$weights_as)
  used <- used_rows(input, y, resolve_na_action(asked$na_action))
  response <- code_response(y, input$response_name, used$rows)
  ready <- prepare_for(response, asked, control, preset, function() {
    if (is.null(asked$criterion)) say_regression(response, used$rows)
    frame <- code_frame(input$values, input$names, used$rows, input$n, preset == "id3")
    warn_columns(frame, used$rows)
    if (preset == "id3") frame$has_missing <- has_missing(frame, used$rows)
    frame
  })
  ready$control$weights_as <- as
  weighed <- weigh_rows(used, input$n, meaning_of(ready$control), length(ready$frame$name))
  check_not_too_many(weighed, preset == "forest" || is_honest(ready$control))
  c(ready, list(
    rows = weighed$rows, weights = weighed$weights, sizes = weighed$sizes,
    given_weights = if (!is.null(weighed$sizes)) used$weights,
    copies = weighed$copies, too_many = weighed$too_many,
    n_missing_response = used$n_missing_response
  ))
}

# The part that does not depend on where the rows are. `code_columns()` returns the columns.
prepare_for <- function(response, asked, control, preset, code_columns) {
  info <- response$info
  check_task_word(asked$words, info)
  criterion <- resolve_criterion(
    asked$q, asked$criterion, if (by_chaid(control)) control$rules else preset, info$task,
    is.ordered(info$ptype)
  )
  check_task(criterion, info)
  frame <- code_columns()
  if (preset == "id3") check_id3(frame, !is.null(control$missing))
  list(
    frame = frame, response = response, criterion = criterion,
    control = control_for(control, preset, criterion, info$task), preset = preset
  )
}

control_for <- function(control, preset, criterion, task) {
  rules <- rules_for_task(resolve_control(control, preset), control$rules, task)
  check_p_search(check_lookahead(rules), criterion, control$missing)
}

# Grows from coded data. Uses only n, needs, formula and predictors of `input`, and only cost and
# validation of `asked`.
grow_ready <- function(ready, input, asked, call = NULL, env = NULL) {
  if (is_honest(ready$control)) {
    return(grow_honest(ready, input, asked, call, env))
  }
  cost <- check_cost(asked$cost, ready$response$info)
  priors <- resolve_priors(asked, ready, cost)
  control <- check_prune_task(ready$control, ready$response$info, asked$validation)
  plan <- plan_pruning(control, ready, input$n)
  core <- core_problem(ready, cost, plan$control, priors$factors)
  # The fold of each row is data, which a fit does not store.
  if (length(control$folds) > 1L) {
    control$folds <- plan$control$folds <- length(unique(plan$group %||% control$folds))
  }
  fit <- new_tree(tec_fit_(core), ready, input, plan$control, cost, priors, call)
  if (control$prune == "auto" && !is.null(plan$group) && !squares_hold(fit)) {
    warn_not_pruned(fit)
    fit$control$prune <- "none"
  }
  grown <- sum(fit$tree$kind == 0L)
  fit <- finish_pruning(fit, core, plan$group, asked$validation, env)
  if (control$prune == "auto") as_asked(fit, control, grown) else fit
}

# The fit, before it is pruned.
new_tree <- function(tree, ready, input, control, cost, priors, call) {
  new_fit("tec_tree", c(
    list(tree = tree),
    facts_of_data("tec_tree", ready, input, call),
    facts_of_classes(cost, priors),
    list(criterion = ready$criterion, control = control, preset = ready$preset)
  ))
}

facts_of_classes <- function(cost, priors) {
  list(
    cost = cost, cost_in = priors$cost_in, prior = priors$prior,
    class_weights = priors$class_weights, class_factors = priors$factors
  )
}

# The `problem` that the core takes to grow a tree.
#' @srrstats {G3.0} Gains are compared with tolerances. Values of one column are equal only if their
#'   bits are, since a cut must separate the values of the rows.
#' @noRd
core_problem <- function(ready, cost, control, factors = NULL, seed = draw_seed(), more = TRUE) {
  frame <- ready$frame
  control <- resolve_p_by(control, ready$criterion, ready$weights, factors)
  weight <- ready$total %||% if (is.null(ready$weights)) {
    length(ready$rows %||% ready$response$core$y)
  } else {
    sum(used_weights(ready))
  }
  list(
    columns = frame$value, kinds = unname(kind_codes[frame$kind]), n_levels = frame$n_levels,
    response = c(ready$response$core, list(loss = core_loss(cost), factors = factors)),
    weights = ready$weights, sizes = ready$sizes,
    rows = ready$rows, criterion = core_criterion(ready$criterion),
    control = c(
      core_control(control), growth_floor(control, weight), leaf_price(control, weight),
      core_random(control, length(frame$value), seed, more)
    )
  )
}

grow_honest <- function(ready, input, asked, call, env) {
  share <- ready$control$honest
  used <- ready$rows %||% seq_len(input$n)
  parts <- honest_parts(ready, used, share)
  ready$marks <- marks_of(ready, default_threads(ready$control$threads))
  first <- second <- ready
  first$control$honest <- FALSE
  first$rows <- parts$splits
  second$rows <- parts$values
  fit <- grow_ready(first, input, asked, call, env)
  # Priors are those of the rows that give the values.
  priors <- resolve_priors(asked, second, fit$cost)
  fit["class_factors"] <- list(priors$factors)
  fit <- with_values_of(fit, second)
  fit$control$honest <- share
  fit$n_rows <- length(used)
  fit$honest <- list(
    share = share, splits = length(parts$splits), values = length(parts$values)
  )
  fit
}

# The size of each node if the size of a row is not its weight and rows are divided into parts. In
# `n`, a row counts in every branch that has a part of it.
with_part_sizes <- function(fit, ready) {
  tree <- fit$tree
  own <- !is.null(fit$call[["weights"]]) && meaning_of(fit$control) == "importance"
  if (!own || tree$unknown != 1L || is_honest(ready$control)) {
    return(fit)
  }
  edge <- edges(tree)
  inside <- rowsum_at(tree$n[edge$child], edge$parent, length(tree$n))
  if (all(inside <= tree$n)) {
    return(fit)
  }
  if (is.null(ready$sizes)) {
    fit$tree$size <- case_weights(fit)
    return(fit)
  }
  values <- used_values(ready)
  size <- used_sizes(ready)
  columns <- fit$columns
  parts <- tec_shares_(
    tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), length(size)
  )
  node <- route_rows(fit, values, length(size))
  whole <- setdiff(seq_along(size), parts$row)
  out <- rowsum_at(
    c(size[whole], size[parts$row] * parts$share), c(node[whole], parts$node), length(tree$parent)
  )
  for (child in rev(seq_along(out)[-1L])) {
    out[tree$parent[child]] <- out[tree$parent[child]] + out[child]
  }
  fit$tree$size <- out
  fit
}
