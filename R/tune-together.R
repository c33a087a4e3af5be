# The settings of a tuning run whose trees can be grown together: those that differ in
# the criterion alone. Their columns are coded once for all folds, and criteria that
# agree on a split share the node (see grow/tuning/criteria_run.hpp). Every other setting is grown
# tree by tree, see tune-cells.R; the results are the same.

# The settings, each with `run`: the same number for those of one run, NA where it is none.
join_runs <- function(settings, job) {
  together <- vapply(settings, suits_run, NA, job = job)
  # One tree for many prunings is an alternative to growing criteria together. The more criteria
  # share a run, the more prunings are needed for it to be faster (measured: 6 with 20 criteria).
  grown <- each_field(settings, "grown", 0L)
  criteria <- vapply(settings, function(s) criterion_key(s$criterion), "")
  many <- n_served(settings) > 2 + length(unique(criteria)) / 5
  together <- together & !grown %in% grown[!together | many]
  key <- vapply(settings, function(s) rlang::hash(s$control), "")
  run <- ifelse(together, match(key, key), NA_integer_)
  Map(function(s, f) c(s, list(run = f)), settings, run)
}

# A list with a vector of settings per run, the lowest q first: the core looks at the first to
# see whether its numbers stay in range.
run_groups <- function(settings, folds, job) {
  if (!all(vapply(folds, function(fold) is.null(fold$times), NA))) {
    return(list())
  }
  q <- vapply(settings, function(s) {
    if (identical(names(s$criterion$parameter), "q")) s$criterion$parameter[[1L]] else 0
  }, 0)
  at <- order(q)
  unname(split(at, each_field(settings, "run", 0L)[at]))
}

suits_run <- function(setting, job) {
  control <- setting$control
  said <- job$asked[setdiff(names(job$asked), "validation")]
  excluded <- c(
    length(job$ready$response$info$levels) == 0L, !vapply(said, is.null, NA),
    !is.null(setting$alpha), control$prune != "none", isTRUE(control$collapse),
    identical(control$rules, "c45"), is.finite(control$max_leaves),
    looks_ahead(control), control$missing == "surrogate", control$unseen == "error",
    !identical(control$honest, FALSE), identical(control$smooth_to, "root")
  )
  !any(excluded)
}

# Coded when they are first asked for, and again in another process; NULL where the
# core cannot grow them together.
coded_run <- function(job, settings, members) {
  key <- paste(members, collapse = " ")
  held <- job$runs[[key]]
  if (!is.null(held) && tec_run_is_live_(held)) {
    return(held)
  }
  ready <- job$ready
  ready$control <- settings[[members[1L]]]$control
  ready$control$threads <- job$fold_threads
  ready$criterion <- settings[[members[1L]]]$criterion
  control <- check_prune_task(ready$control, ready$response$info, NULL)
  core <- core_problem(ready, NULL, control)
  criteria <- lapply(settings[members], function(s) core_criterion(s$criterion))
  held <- tec_code_run_(core, criteria)
  assign(key, held, envir = job$runs)
  held
}

# As fit_cells(), for the settings of one group; an empty list where they must be grown
# one by one. After an interrupt the folds that were not finished are NULL.
fit_run <- function(job, settings, members, folds) {
  run <- coded_run(job, settings, members)
  if (is.null(run)) {
    return(list())
  }
  grown <- tryCatch(
    tec_run_folds_(
      run, lapply(folds, `[[`, "train"), lapply(folds, `[[`, "test"), job$prob,
      smooth_rows(settings[[members[1L]]]$control, length(job$ready$response$info$levels)),
      default_threads(job$fold_threads)
    ),
    interrupt = function(e) tec_finished_folds_(run, length(folds))
  )
  lapply(grown, function(fold) {
    if (is.null(fold)) {
      return(NULL)
    }
    lapply(seq_along(members), function(i) {
      list(
        value = fold$value[[i]], prob = fold$prob[[i]], nodes = fold$nodes[i],
        leaves = fold$leaves[i], depth = fold$depth[i]
      )
    })
  })
}

# How many folds may run at once without progress: limited so that they need little memory. Folds
# finished before an interrupt are kept.
folds_at_once <- function(job, settings, folds) {
  groups <- run_groups(settings, folds, job)
  looked_at <- rlang::is_interactive() || progressr_listens() || in_parallel()
  if (looked_at || length(groups) != 1L || length(groups[[1L]]) < length(settings)) {
    return(1)
  }
  classes <- if (job$prob) length(job$ready$response$info$levels) else 0
  held <- vapply(folds, function(fold) {
    length(fold$train) + length(settings) * length(fold$test) * (1 + 2 * classes)
  }, 0)
  most_numbers_held <- 2^23
  most_numbers_held / max(held)
}

# A plan can only have been set where the future package is loaded.
in_parallel <- function() {
  if (!isNamespaceLoaded("future") || inherits(future::plan(), "sequential")) {
    return(FALSE)
  }
  requireNamespace("future.apply", quietly = TRUE)
}
