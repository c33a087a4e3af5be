# tec_tune() for data elsewhere. Folds are a hash of a key column. Counts are requested by fold: a
# training set has the counts of all folds but one. The counts of the rows at the end of a path are
# requested once and used for every setting and every fold.

tune_elsewhere <- function(formula, data, table, asked, controls, design, rule, engine, call, env) {
  counted <- design
  counted["folds"] <- list(design$folds %||% 10)
  fit_elsewhere(
    formula, data, table, engine, as.list(call)[c("weights", "subset")],
    controls$control[[1L]],
    read = function(data, exprs) {
      input <- formula_input(formula, data, exprs$weights, exprs$subset, env)
      tune_input(input, asked, controls, design, rule, call, env)
    },
    check = function(response) {
      check_table_arguments(call, asked["na_action"])
      check_counted_tune(counted, asked, engine)
    },
    count = function(counter, terms, engine) {
      meta <- counter$meta()
      check_counted_rows(meta, terms$input)
      tune_counted(counter, meta, terms, asked, controls, counted, rule, engine, call, env)
    }
  )
}

check_counted_tune <- function(design, asked, engine) {
  check_key(engine, "The folds of a table need a column that identifies its rows.")
  if (!identical(design$by %||% "cv", "cv")) abort_needs_rows("by", "by = \"cv\"")
  if (!is_number(design$folds) || design$folds < 2) {
    abort_needs_rows("folds", "folds = 10")
  }
  if (!identical(as.double(design$repeats), 1)) abort_needs_rows("repeats", "repeats = 1")
  if (!is.null(design$sample)) abort_needs_rows("sample", "sample = NULL")
  if (length(setdiff(asked[["tune"]], "q"))) abort_needs_rows("tune", "min_bucket = c(5, 10)")
  if (!is.null(asked$validation)) abort_needs_rows("validation", "prune = \"none\"")
}

tune_counted <- function(counter, meta, terms, asked, controls, design, rule, engine, call, env) {
  run <- run_counted(counter, meta, terms, asked, controls, design, engine)
  tuned <- describe_run(run, rule)
  setting <- run$settings[[tuned$chosen]]
  fit_call <- tree_call(call, setting, run$several, controls$given$dots)
  asked[c("q", "beta")] <- list(NULL, NULL)
  asked$criterion <- setting$criterion
  tuned$fit <- grow_counted(counter, terms, asked, setting$control, engine, fit_call, env)
  tuned$fit$call <- stored_call(fit_call)
  tuned$passes <- counter$passes()
  tuned$call <- stored_call(call, quote(tec_tune))
  structure(tuned, class = "tec_tune")
}

# Returns the same as evaluate_grid() for rows in memory.
run_counted <- function(counter, meta, terms, asked, controls, design, engine) {
  preset <- check_preset(asked$preset)
  task <- if (meta$response$kind == "class") "classification" else "regression"
  alone <- is.null(asked$q) && is.null(asked$beta) && is.null(asked$criterion)
  # As in what_to_tune(): a grid given by the user, or `tune`, determines what is tuned.
  tune <- asked[["tune"]]
  usual <- if (is.null(tune)) length(controls$control) == 1L else "q" %in% tune
  q <- check_grid(asked$q, "q") %||%
    if (alone && usual && task == "classification") usual_q_grid
  criteria <- criterion_grid(q, check_grid(asked$beta, "beta"), asked$criterion, preset, task)
  metric <- check_metric(design$metric, task)
  if ("mae" %in% metric) abort_needs_rows("metric = \"mae\"", "metric = \"rmse\"")
  grid <- tune_grid(criteria, controls, preset, task)
  if (any(lengths(lapply(grid$settings, `[[`, "alpha")) > 0L)) {
    abort_needs_rows("several values of alpha or cp", "min_bucket = c(5, 10)")
  }
  grid$settings <- lapply(grid$settings, without_own_pruning)
  folds <- as.integer(design$folds)
  asked[c("q", "beta", "criterion")] <- list(NULL, NULL, criteria[[1L]])
  base <- plan_folds(counter, meta, terms, asked, grid$settings, engine, folds, preset)
  cells <- expand.grid(setting = seq_along(grid$settings), fold = seq_len(folds))
  rows <- in_batches(seq_len(nrow(cells)), trees_together, function(at) {
    measure_together(base, grid$settings[cells$setting[at]], cells$fold[at], metric)
  })
  rows <- unlist(rows, recursive = FALSE)
  measured <- lapply(split(rows, cells$fold), do.call, what = rbind)
  values <- array(
    unlist(measured), c(dim(measured[[1L]]), folds),
    dimnames = list(NULL, measure_names(metric), NULL)
  )
  n <- counted_rows(meta, base$plan$ready)
  parts <- data.frame(1L, fold = seq_len(folds), n_train = n - base$n_test, base$n_test)
  names(parts) <- c("repeat", "fold", "n_train", "n_test")
  list(
    table = grid$table, settings = grid$settings, metric = metric, ready = base$plan$ready,
    task = task, several = union(names(controls$table), controls$tuned), n_rows = n,
    n_folds = folds, n_sampled = NULL, values = values,
    errors = matrix(NA_character_, nrow(grid$table), folds), folds = parts
  )
}

# Trees of single settings are not pruned by their own cross-validation.
without_own_pruning <- function(setting) {
  if (setting$control$prune == "auto") setting$control["prune"] <- "none"
  if (setting$control$missing == "drop") {
    abort_needs_rows("missing = \"drop\"", "missing = \"majority\"")
  }
  setting
}

# The parts that all trees share: list(plan =, counter = for counts by fold, n_test = rows per
# fold).
plan_folds <- function(counter, meta, terms, asked, settings, engine, folds, preset) {
  engine <- engine_of_many(engine)
  cache <- new.env(parent = emptyenv())
  leaves <- new.env(parent = emptyenv())
  count <- function(cache, left_out) {
    function(frontier, what) counts_by_fold(counter, cache, frontier, what, folds, left_out)
  }
  prepare <- function(cache) {
    function(frontiers, what) {
      ask_paths(counter, cache, frontiers, replace(what, "by_fold", list(folds)))
    }
  }
  by_fold <- replace(counter, c("counts", "ahead", "held", "held_ahead"), list(
    count(cache, FALSE), prepare(cache), count(leaves, TRUE), prepare(leaves)
  ))
  control <- structure(settings[[1L]]$control, class = "tec_control")
  plan <- plan_counted(by_fold, meta, terms, asked, control, engine, preset)
  root <- cache[[node_keys(1L)[[1L]]]]
  first <- root$column == 1L
  n_test <- rowsum_at(root$n[first], root$fold[first], folds)
  if (any(n_test == 0)) {
    tec_abort("engine", c(
      "A fold has no rows: {.field {engine$key}} must identify the rows.",
      i = "Use a column with a different whole number in each row, or fewer {.arg folds}."
    ))
  }
  plan$root <- NULL
  list(plan = plan, counter = by_fold, n_test = n_test)
}

# The counts of all rows outside `what$fold` (NULL: of all rows), from those by fold. `left_out`:
# the counts of the fold itself.
counts_by_fold <- function(counter, cache, frontier, what, folds, left_out) {
  fold <- what$fold
  what$fold <- NULL
  what$by_fold <- folds
  found <- counts_by_path(counter, cache, frontier, what)
  out <- lapply(names(found), function(id) {
    cells <- found[[id]]
    if (!is.null(fold)) cells <- cells[(cells$fold == fold) == left_out, ]
    cells$node <- rep(as.integer(id), nrow(cells))
    cells
  })
  # One cell per column, code and class, summed over folds.
  out <- as.list(bind_cells(out))
  add_up(out[names(out) != "fold"])
}

# The cells of each requested node. They are stored in `cache` by the path that leads to the node,
# and queried only if the path is new.
counts_by_path <- function(counter, cache, frontier, what) {
  ask_paths(counter, cache, list(frontier), what)
  lapply(node_keys(frontier), function(key) cache[[key]])
}

# Queries the new paths of several trees, each path once, and together if the counter can.
ask_paths <- function(counter, cache, frontiers, what) {
  claimed <- character()
  parts <- lapply(frontiers, function(frontier) {
    keys <- unlist(node_keys(frontier))
    known <- vapply(keys, exists, NA, envir = cache, inherits = FALSE)
    new <- keys[!known & !keys %in% claimed & !duplicated(keys)]
    claimed <<- c(claimed, new)
    list(keys = new, tree = if (length(new)) keep_asked(frontier, names(new)))
  })
  parts <- parts[lengths(lapply(parts, `[[`, "keys")) > 0L]
  trees <- lapply(parts, `[[`, "tree")
  found <- if (length(trees) > 1L && !is.null(counter$together)) {
    counter$together(trees, what)
  } else {
    lapply(trees, counter$counts, what)
  }
  for (i in seq_along(parts)) {
    cells <- as.data.frame(unclass(found[[i]]))
    cells$node <- as.integer(cells$node)
    keys <- parts[[i]]$keys
    for (id in names(keys)) assign(keys[[id]], cells[cells$node == as.integer(id), ], envir = cache)
  }
}

# Grows the trees of all settings and folds side by side. If the counter can (`together`), the
# requests of all trees at a level are one query. The number of queries then depends on the depth
# and not on the number of trees.

# The number of trees at a time; each stores the counts of its last level.
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

# Like grow_by_level() for each tree, but bins are not examined.
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

# The leaves of a pruned tree: their numbers in it, their numbers during growth, and the frontier
# that requests them.
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

# Held-out rows as rows with weights: list(node = their leaf, truth =, weight =). For a numeric
# response only the mean and the spread about it matter, and two rows reproduce them.
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
