# Tested in test-tune-default.R and test-tune-choice.R.
# Default grids: for the sizes of the tree if the call has no grid, for `cp` if it has no argument
# for pruning, and for the settings in `tune`.

# The names of the settings with a default grid.
what_to_tune <- function(asked, controls, preset, task, by = "cv") {
  fixed <- fixed_arguments(controls$given)
  # The folds choose the pruning, so no tree needs its own cross-validation. One sample does not
  # choose it: its trees count at their best pruning.
  free <- if (!by %in% one_sample && all(auto_pruned(controls, preset))) {
    suited_sizes("cp", controls, preset)
  }
  if (!is.null(asked$tune)) {
    tune <- check_tune(asked$tune, c(fixed, if (!is.null(asked$q)) "q"), task)
    return(if (length(tune)) union(tune, free) else tune)
  }
  none <- is.null(asked$q) && is.null(asked$beta) && is.null(asked$criterion)
  if (!none || length(controls$control) > 1L) {
    return(as.character(free))
  }
  if (by %in% one_sample) {
    return("q")
  }
  suited_sizes(setdiff(tuned_settings$tree, fixed), controls, preset)
}

# Which settings leave the pruning to tec_tree().
auto_pruned <- function(controls, preset) {
  vapply(controls$control, function(control) {
    resolve_control(control, preset)$prune == "auto"
  }, NA) & lengths(controls$alpha) == 0L
}

# The arguments of tec_control() in the call. `alpha` is another name for `cp`, which only "ccp"
# accepts.
fixed_arguments <- function(given) {
  usual <- tec_control()
  from_control <- names(usual)[!vapply(names(usual), function(name) {
    is.null(given$control) || identical(given$control[[name]], usual[[name]])
  }, NA)]
  fixed <- c(from_control, dot_names(given$dots))
  prune <- given$dots$prune %||% given$control$prune %||% "ccp"
  c(fixed, if ("alpha" %in% fixed || !"ccp" %in% prune) "cp")
}

# If sizes are not subtrees of one tree, only the size that always needs its own tree.
suited_sizes <- function(sizes, controls, preset) {
  control <- resolve_control(controls$control[[1L]], preset)
  control$prune <- if (control$prune == "ebp") control$prune else "none"
  if (is_pruning(list(control = control))) sizes else intersect(sizes, "min_bucket")
}

check_tune <- function(tune, given, task) {
  known <- c(if (task == "classification") "q", tuned_settings$tree)
  if (!is.character(tune) || anyNA(tune)) {
    abort_found(
      "{.arg tune} must be names of settings to tune, of {.or {.val {known}}}.", tune,
      topic = "grid"
    )
  }
  tune <- vapply(tune, function(one) c(intersect(settings_of(one), known), one)[1L], "")
  for (one in tune) match_choice(one, known, "tune", "grid")
  twice <- intersect(tune, given)
  if (length(twice)) abort_tuned_twice(twice[1L])
  unique(tune)
}

abort_tuned_twice <- function(name) {
  tec_abort("grid", c(
    "{.arg tune} requests a default grid for {.arg {name}}.",
    x = "Its values are given too, or those of an argument that excludes it.",
    i = "Leave one of the two out."
  ))
}

# The settings with default grids for some sizes.
add_default_grid <- function(controls, sizes, ready, input, asked, env) {
  if (length(sizes) == 0L) {
    return(controls)
  }
  ready$control <- widest(ready$control, controls, ready$preset)
  values <- default_sizes(sizes, ready, input, asked, env)
  given <- controls$given
  out <- control_grid(given$control, c(given$dots, values), given$known, given$what)
  out$tuned <- names(values)
  # A min_split below two branches of min_bucket has no effect.
  table <- out$table
  if (all(c("min_split", "min_bucket") %in% names(table))) {
    kept <- table$min_split >= 2 * table$min_bucket
    out$table <- table[kept, , drop = FALSE]
    out[c("control", "alpha")] <- lapply(out[c("control", "alpha")], `[`, kept)
  }
  out
}

# The settings of the largest tree of a grid.
widest <- function(control, controls, preset) {
  all <- lapply(controls$control, resolve_control, preset = preset)
  for (name in c("max_depth", "max_leaves")) {
    control[[name]] <- max(vapply(all, `[[`, 0, name))
  }
  for (name in c("min_split", "min_bucket")) {
    control[[name]] <- min(vapply(all, `[[`, 0, name))
  }
  control
}

default_sizes <- function(sizes, ready, input, asked, env) {
  size <- sum(used_sizes(ready) %||% count_used_rows(ready, input$n))
  control <- ready$control
  out <- list()
  if ("min_bucket" %in% sizes) {
    out$min_bucket <- up_to(c(2, 5, 10, 20), size / 6)
    control$min_bucket <- min(out$min_bucket)
    if (!"min_split" %in% sizes) control$min_split <- min(control$min_split, 2 * control$min_bucket)
  }
  if ("min_split" %in% sizes) {
    largest <- max(out$min_bucket, control$min_bucket)
    usual <- if ("min_bucket" %in% sizes) c(4, 10, 20, 40) else largest * c(2, 4, 8)
    out$min_split <- sort(unique(c(2 * largest, up_to(usual, size / 2))))
    control$min_split <- min(out$min_split)
  }
  if (any(c("cp", "max_depth") %in% sizes)) {
    out <- c(default_bounds(sizes, control, ready, input, asked, env), out)
  }
  out[intersect(tuned_settings$tree, sizes)]
}

# Grids from the largest tree of all rows: penalties between those at which it changes, and depths
# below its own.
default_bounds <- function(sizes, control, ready, input, asked, env) {
  by_penalty <- "cp" %in% sizes
  if (by_penalty) {
    control[c("prune", "cp", "folds")] <- list("ccp", 0, 0)
    control["alpha"] <- list(NULL)
  }
  if ("max_depth" %in% sizes) control$max_depth <- Inf
  ready$control <- control
  fit <- grow_ready(ready, input, asked, env = env)
  list(
    cp = if (by_penalty) default_penalties(fit[["cptable"]]$cp),
    max_depth = c(up_to(c(3, 6, 10), max(fit$tree$depth) - 1), Inf)
  )
}

# At most ten penalties, the largest first, the last 0: geometric means of neighbours in the table,
# as rpart probes them, at sizes of the tree that grow by about the same factor.
default_penalties <- function(cp) {
  between <- sqrt(cp[-1L] * cp[-length(cp)])
  between <- between[between > 0]
  n <- length(between)
  at <- unique(round(exp(seq(0, log(max(n, 1L)), length.out = 9L))))
  unique(c(signif(between[at[at <= n]], 3L), 0))
}

# The choice of one setting from the measures of all cells.

# A data frame, one row per setting: the mean and the standard error of every measure. Folds of
# several repeats share their rows, so repeats do not increase the number of independent values. The
# standard error is the standard deviation of all values divided by the root of the number of folds
# of one repeat.
summarise_cells <- function(values, n_independent) {
  settings <- dim(values)[1L]
  out <- list()
  for (name in dimnames(values)[[2L]]) {
    cells <- matrix(values[, name, ], settings)
    # A fold without the classes that a metric needs is ignored for all settings.
    lost <- colSums(!is.na(cells)) == 0L
    cells <- cells[, !lost, drop = FALSE]
    out[[name]] <- rowMeans(cells)
    spread <- sqrt(pmax(0, rowSums((cells - out[[name]])^2)) / (ncol(cells) - 1L))
    out[[paste0(name, "_se")]] <- if (ncol(cells) > 1L) {
      spread / sqrt(min(ncol(cells), n_independent))
    } else {
      rep(NA_real_, settings)
    }
  }
  list2DF(out)
}

# list(row =, best =, why =). `table` has the grid's columns and the means.
choose_setting <- function(table, metric, rule) {
  value <- table[[metric]] * if (is_largest(metric)) 1 else -1
  ok <- !is.na(value)
  q_distance <- if (is.null(table$q)) rep(0, nrow(table)) else abs(table$q - 1)
  q_distance[is.na(q_distance)] <- Inf
  top <- max(value[ok])
  tied <- which(ok & value >= top - 1e-12)
  best <- tied[order(table$nodes[tied], q_distance[tied])][1L]
  if (rule == "best") {
    return(list(row = best, best = best, why = why_best(table, tied, best, metric)))
  }
  se <- table[[paste0(metric, "_se")]][best]
  within <- which(ok & value >= value[best] - (if (is.na(se)) 0 else se) - 1e-12)
  row <- within[order(table$nodes[within], -value[within], q_distance[within])][1L]
  alone <- length(within) == 1L
  list(row = row, best = best, why = paste0(
    if (alone) "alone " else paste0("fewest nodes of the ", length(within), " settings "),
    "within one standard error of the best ", metric_label(metric)
  ))
}

why_best <- function(table, tied, best, metric) {
  least <- if (metric == "nodes") "fewest" else "lowest"
  text <- paste(if (is_largest(metric)) "highest" else least, metric_label(metric))
  if (length(tied) == 1L) {
    return(text)
  }
  smallest <- tied[table$nodes[tied] == table$nodes[best]]
  text <- paste0(text, " of ", count_text(length(tied), "equal setting"))
  if (length(smallest) < length(tied)) text <- paste0(text, ", fewest nodes")
  if (length(smallest) == 1L) {
    return(text)
  }
  one_q <- length(unique(table$q[smallest])) < 2L
  paste0(text, if (one_q) ", first in the grid" else ", q nearest 1")
}

metric_label <- function(metric) {
  switch(metric,
    balanced_accuracy = "balanced accuracy", log_loss = "log loss", brier = "Brier score",
    auc = "AUC", rmse = "RMSE", mae = "MAE", ebp = "error expected by \"ebp\"",
    pep = "error expected by \"pep\"", mdl = "description length",
    bootstrap632 = ".632+ error", metric
  )
}

# The choice and its reasons, as plain vectors.
describe_run <- function(run, rule) {
  metric <- run$metric[1L]
  labels <- setting_labels(run$table)
  check_failures(run$values, run$errors, labels, metric)
  summary <- summarise_cells(run$values, max(table(run$folds[["repeat"]])))
  table <- cbind(run$table, summary)
  table[[metric]][rowSums(!is.na(run$errors)) > 0L] <- NA
  choice <- choose_setting(table, metric, rule)
  list(
    table = table, chosen = choice$row, best = choice$best, why = choice$why,
    metric = run$metric, rule = rule, grid = setdiff(names(run$table), run$stopped),
    several = run$several,
    values = run$values, folds = run$folds, n_folds = run$n_folds,
    partial = nrow(run$folds) < run$n_folds, n_rows = run$n_rows, n_sampled = run$n_sampled,
    task = run$task, by = run$by, response = run$ready$response$info$name, widened = run$widened,
    edge = run$edge, model = run$model %||% "tree", stopped = run$stopped, paths = run$paths,
    seed = run$seed
  )
}

# A setting as text: "tsallis, q = 1.4, min_bucket = 5".
setting_labels <- function(table) {
  if (length(table)) line_labels(table) else rep("the only one", nrow(table))
}

format_number <- function(x) vapply(x, format, "", digits = 7)

# Settings that failed on some fold are not considered.
check_failures <- function(values, errors, labels, metric) {
  failed <- rowSums(!is.na(errors)) > 0L
  if (all(failed)) {
    first <- escape_braces(errors[!is.na(errors)][1L])
    tec_abort("tune", c("No setting could be fitted on every fold.", x = first))
  }
  if (any(failed)) {
    first <- which(failed)[1L]
    text <- escape_braces(errors[first, !is.na(errors[first, ])][1L])
    tec_warn("tune", c(
      "{sum(failed)} setting{?s} could not be fitted on every fold and {?is/are} left out.",
      x = paste0("The first is {.val {labels[first]}}: ", text)
    ))
  }
  undefined <- colSums(!is.na(matrix(values[!failed, metric, ], sum(!failed)))) == 0L
  if (all(undefined)) {
    tec_abort("metric", c(
      "{.arg metric} {.val {metric}} is not defined on any fold.",
      i = "It needs folds with rows of at least two classes."
    ))
  }
  if (any(undefined)) {
    tec_warn("metric", c(
      paste(
        "{.arg metric} {.val {metric}} is not defined",
        "on {sum(undefined)} of {length(undefined)} folds."
      ),
      i = "They have rows of one class only and are left out of its mean."
    ))
  }
}

# One text per setting: "gini", "tsallis, q = 1".
line_labels <- function(table) {
  text <- lapply(names(table), function(name) {
    value <- setting_text(table[[name]])
    ifelse(is.na(table[[name]]), NA, if (name == "criterion") value else paste(name, "=", value))
  })
  join_known(text)
}

setting_text <- function(x) {
  out <- if (is.numeric(x)) format_number(x) else as.character(x)
  ifelse(is.na(x), NA, out)
}

join_known <- function(columns) {
  text <- do.call(cbind, unname(columns))
  apply(text, 1L, function(row) paste(row[!is.na(row)], collapse = ", "))
}
