# Default grids: of the sizes of the tree if the call has no grid, of `cp` if it has no argument
# about pruning, and of the settings in `tune`.

tunable_sizes <- c("cp", "max_depth", "min_split", "min_bucket")

# The names of the settings with a default grid.
what_to_tune <- function(asked, controls, preset, task, by = "cv") {
  fixed <- fixed_arguments(controls$given)
  # The folds choose the pruning, so no tree needs its own cross-validation.
  # One sample does not choose it: its trees count at their best pruning.
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
  suited_sizes(setdiff(tunable_sizes, fixed), controls, preset)
}

# Which controls leave the pruning to tec_tree().
auto_pruned <- function(controls, preset) {
  vapply(controls$control, function(control) {
    resolve_control(control, preset)$prune == "auto"
  }, NA) & lengths(controls$alpha) == 0L
}

# The arguments of tec_control() that the call gives. `alpha` is
# another name of `cp`, which other ways of pruning than "ccp" do not take.
fixed_arguments <- function(given) {
  usual <- tec_control()
  from_control <- names(usual)[!vapply(names(usual), function(name) {
    is.null(given$control) || identical(given$control[[name]], usual[[name]])
  }, NA)]
  fixed <- c(from_control, dot_names(given$dots))
  prune <- given$dots$prune %||% given$control$prune %||% "ccp"
  c(fixed, if ("alpha" %in% fixed || !"ccp" %in% prune) "cp")
}

# If sizes are not subtrees of one tree, only the size that always needs a separate tree.
suited_sizes <- function(sizes, controls, preset) {
  control <- resolve_control(controls$control[[1L]], preset)
  control$prune <- if (control$prune == "ebp") control$prune else "none"
  if (is_pruning(list(control = control))) sizes else intersect(sizes, "min_bucket")
}

check_tune <- function(tune, given, task) {
  known <- c(if (task == "classification") "q", tunable_sizes)
  if (!is.character(tune) || anyNA(tune)) {
    tec_abort("grid", c(
      "{.arg tune} must be names of settings to tune, of {.or {.val {known}}}.",
      x = "It is {describe(tune)}."
    ))
  }
  tune <- vapply(tune, function(one) c(intersect(settings_of(one), known), one)[1L], "")
  for (one in tune) match_choice(one, known, "tune", "grid")
  twice <- intersect(tune, given)
  if (length(twice)) abort_tuned_twice(twice[1L])
  unique(tune)
}

abort_tuned_twice <- function(name) {
  tec_abort("grid", c(
    "{.arg tune} asks for a default grid of {.arg {name}}.",
    x = "Values of it are given too, or of what excludes it.",
    i = "Leave one of the two out."
  ))
}

# The controls with default grids of some sizes.
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

# The control of the largest tree of a grid.
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
  out[intersect(tunable_sizes, sizes)]
}

up_to <- function(values, most) values[seq_along(values) == 1L | values <= most]

# From the largest tree of all rows: penalties between those at which it changes, and depths below
# its own.
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
