# Tested in test-prune-ccp.R, test-penalties.R and test-prune-auto.R.
# Cost-complexity pruning: the sequence of subtrees, its cross-validation, and the choice of a
# subtree.

# The sequence down to a penalty: absolute, or a share of the root's risk.
penalty_sequence <- function(fit, risk, penalties, floor = 0, relative = TRUE) {
  tec_penalties_(
    raw_tree(fit), length(fit$columns$name), core_risk(fit, risk), floor, relative, penalties
  )
}

# The table as plain vectors; `cv` are the sums of tec_cross_validate_() or NULL.
as_cptable <- function(sequence, cv = NULL) {
  root <- sequence$root_risk
  n <- length(sequence$penalty)
  table <- list(
    cp = if (root > 0) sequence$penalty / root else rep(0, n),
    alpha = sequence$penalty / sequence$weight,
    nsplit = sequence$splits,
    n_leaves = sequence$leaves,
    rel_error = if (root > 0) sequence$risk / root else rep(1, n)
  )
  if (!is.null(cv)) {
    spread <- sqrt(pmax(0, cv$square - cv$loss * (cv$loss / sequence$weight)))
    scale <- sequence$root_loss
    table$xerror <- if (scale > 0) cv$loss / scale else rep(1, n)
    table$xstd <- if (scale > 0) spread / scale else rep(0, n)
  }
  table$kept <- rep(TRUE, n)
  table
}

# The row of the table that a rule chooses: the first with the smallest error, or the first
# (smallest) tree within one standard error of it.
chosen_row <- function(table, rule) {
  best <- which.min(table$xerror)
  if (rule == "min") {
    return(best)
  }
  which(table$xerror <= table$xerror[best] + table$xstd[best])[1L]
}

# Penalties inside the intervals in which each tree of the sequence is the best: the geometric means
# of neighbours, as in rpart.
probe_penalties <- function(penalty) {
  n <- length(penalty)
  first <- if (n > 1L && penalty[1L] > 0) 10 * penalty[1L] else Inf
  # Scaling by a power of two keeps the product of large penalties finite and is exact.
  unit <- if (penalty[1L] > 0 && is.finite(penalty[1L])) 2^floor(log2(penalty[1L])) else 1
  c(first, unit * sqrt(pmax(0, (penalty[-n] / unit) * (penalty[-1L] / unit))))
}

# The fold of each used row, 1..k. For a number of folds, they have equal sizes and are drawn in the
# same way as in rpart.
assign_folds <- function(folds, n, rows, n_used) {
  if (length(folds) == 1L) {
    k <- min(folds, n_used)
    return(if (k > 1) sample(rep(seq_len(k), length.out = n_used), n_used, replace = FALSE))
  }
  if (!length(folds) %in% c(n, n_used)) {
    tec_abort("prune", c(
      "{.arg folds} must be one number, or have one value per row.",
      x = value_count(length(folds), n),
      i = if (n_used != n) "{n_used} of them {?is/are} used."
    ))
  }
  if (length(folds) == n && !is.null(rows)) {
    folds <- folds[rows]
  }
  group <- match(folds, sort(unique(folds)))
  if (max(group) > 1L) group
}

# The penalty below which no split is grown, because no tree of the table needs one. Best-first
# growth chooses splits by gain, so it must grow all of them.
growth_floor <- function(control, weight) {
  floor <- list(least_risk = -Inf, least_share = 0, risk_is_impurity = control$risk == "impurity")
  if (control$prune != "ccp" || is.finite(control$max_leaves)) {
    return(floor)
  }
  if (is.numeric(control$alpha)) {
    floor$least_risk <- control$alpha * weight
  } else {
    floor$least_share <- control$cp %||% 0
  }
  floor
}

# Prunes a fit that was just grown. `core`: the core's arguments that it was grown with.
finish_ccp <- function(fit, core, group) {
  control <- fit$control
  by_alpha <- is.numeric(control$alpha)
  weight <- fit$tree$weight[1L]
  floor <- if (by_alpha) control$alpha * weight else control$cp %||% 0
  if (control$penalties == "rpart") fit <- grown_by_rpart(fit, control$risk, floor, !by_alpha)
  sequence <- penalty_sequence(fit, control$risk, control$penalties, floor, !by_alpha)
  cv <- if (!is.null(group)) cross_validate(fit, core, group, sequence)
  table <- as_cptable(sequence, cv)
  row <- length(table$cp)
  if (is.character(control$alpha)) {
    if (is.null(group)) abort_no_folds(control$alpha)
    row <- chosen_row(table, control$alpha)
  }
  fit <- cut_at_penalty(fit, control$risk, control$penalties, sequence$penalty[row])
  fit$pruning <- list(
    method = "ccp", cp = table$cp[row], alpha = table$alpha[row], risk = control$risk,
    penalties = control$penalties,
    rule = if (is.character(control$alpha)) control$alpha else "penalty",
    folds = if (is.null(group)) 0 else max(group)
  )
  table$kept <- seq_along(table$cp) <= row
  fit$cptable <- table
  fit
}

abort_no_folds <- function(rule) {
  tec_abort("prune", c(
    "{.code alpha = \"{rule}\"} needs a cross-validated table.",
    i = "Use {.fn tec_tree} with {.code prune = \"ccp\"} and at least 2 {.arg folds}."
  ))
}

cross_validate <- function(fit, core, group, sequence) {
  n <- length(sequence$penalty)
  core$control$least_risk <- if (is.finite(fit$control$max_leaves)) -Inf else sequence$penalty[n]
  core$control$least_share <- 0
  tec_cross_validate_(
    core, core_risk(fit, fit$control$risk), group, max(group), probe_penalties(sequence$penalty),
    sequence$penalty[n], fit$control$penalties
  )
}

cut_at_penalty <- function(fit, risk, penalties, penalty) {
  replace_tree(
    fit,
    tec_prune_(fit$tree, length(fit$columns$name), "ccp", penalty, core_risk(fit, risk), penalties)
  )
}

kept_rows <- function(table) if (!is.null(table)) lapply(table, `[`, table$kept)

# The rows above the penalty, and the first at or below it with the penalty itself.
cut_table <- function(table, cp, alpha) {
  same <- 1e-9 * table$cp
  last <- which(table$cp <= cp + same)[1L]
  if (is.na(last)) {
    return(table)
  }
  table <- lapply(table, utils::head, last)
  table$cp[last] <- cp
  table$alpha[last] <- alpha
  table
}

resolve_risk <- function(fit, risk) {
  if (fit$response$task == "regression") {
    if (identical(risk, "misclassification")) {
      check_prune_task(list(prune = "ccp", risk = risk), fit$response, NULL)
    }
    return("impurity")
  }
  if (is.null(risk)) {
    return(fit$pruning$risk %||% "misclassification")
  }
  match_choice(risk, risk_kinds, "risk", "prune")
}

# Prunes after growth in tec_tree(). `core`: the core's arguments of the growth.
finish_pruning <- function(fit, core, group, validation, env) {
  control <- fit$control
  if (control$collapse) {
    fit <- prune_alone(fit, "collapse")
  }
  fit <- switch(control$prune,
    none = fit,
    pep = prune_alone(fit, "pep"),
    ebp = if (control$raise) {
      rows <- core[c("columns", "kinds", "n_levels", "response", "weights", "rows")]
      prune_with_rows(fit, "ebp", control$cf, rows)
    } else {
      prune_ebp(fit, control$cf, FALSE)
    },
    ccp = finish_ccp(fit, core, group),
    rep = prune_rep(fit, validation, env)
  )
  # Without missing values, surrogates are searched after pruning, for the remaining splits only.
  if (control$missing == "surrogate") fit$tree <- tec_surrogates_(fit$tree, core)
  fit
}

# The rule that gives each split its complexity penalty: weakest links, or rpart's.

# rpart's rule removes splits during growth, so it affects which ones are searched.
grown_by_rpart <- function(fit, risk, floor, relative) {
  fit$tree <- keep_pieces(
    fit$tree,
    tec_grown_by_rpart_(
      fit$tree, length(fit$columns$name), core_risk(fit, risk), floor, relative
    )
  )
  fit
}

# The table by which a fit was pruned, if it has this risk and these penalties.
own_cptable <- function(fit, risk, penalties) {
  same <- identical(fit$pruning$risk, risk) && penalties == own_penalties(fit)
  if (same) fit[["cptable"]]
}

# The rule of the pruning, otherwise that of the settings. Converted and older trees may have
# neither.
own_penalties <- function(fit) {
  fit$pruning$penalties %||% fit$control$penalties %||% "weakest_link"
}

resolve_penalties <- function(fit, penalties) {
  if (is.null(penalties)) {
    return(own_penalties(fit))
  }
  match_choice(penalties, penalty_rules, "penalties", "prune")
}

# prune = "auto", the default of tec_tree(): cost-complexity pruning with the smallest
# cross-validated error, on folds that depend only on the data.

# With fewer rows, trees are not pruned: the error on a fold of fewer than five rows is noise.
least_rows_to_prune <- 50L

# With many rows, few folds are as informative and take half the time.
auto_folds <- function(n_used) if (n_used > 10000) 5 else 10

# How a call prunes, once its rows are known: list(control =, group =). "auto" has become "ccp" with
# alpha = "min", or "none". `group` is the fold of each used row, or NULL.
plan_pruning <- function(control, ready, n) {
  n_used <- count_used_rows(ready, n)
  if (!control$prune %in% c("auto", "ccp")) {
    # Other methods do not use the fold of each row, but it must have the right length.
    if (length(control$folds) > 1L) assign_folds(control$folds, n, ready$rows, n_used)
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
# the folds do not depend on the order of the rows; levels without an order count by their labels.
own_folds <- function(ready, n_used, k) {
  used <- function(x) if (is.null(ready$rows)) x else x[ready$rows]
  frame <- ready$frame
  y <- used(ready$response$core$y)
  nominal <- frame$kind == "nominal"
  frame$value[nominal] <- Map(by_label, frame$value[nominal], frame$levels[nominal])
  keys <- c(
    list(by_label(y, ready$response$info$levels)), sort_keys(unname(frame$value), ready$rows)
  )
  if (!is.null(ready$weights)) keys <- c(keys, list(used(ready$weights)))
  order <- do.call(order, c(keys, list(method = "radix")))
  classes <- ready$response$info$task == "classification"
  tec_own_folds_(order, if (classes) y else rep(1L, n_used), min(k, n_used))
}

# Codes levels by their positions among the sorted labels.
by_label <- function(codes, levels) {
  sorted <- order(levels %||% character(), method = "radix")
  if (is.unsorted(sorted)) order(sorted)[codes] else codes
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
    "# pruned from ", number_text(fit$pruning$leaves_grown), " to ",
    count_text(kept, "leaf", "leaves"), " by cross-validation; prune = \"none\" keeps all"
  )
}
