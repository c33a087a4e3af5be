# Tested in test-tune-together.R, test-tune-run.R and test-tune-prunings.R.
# The settings of a tuning run whose trees can be grown together: they differ only in the criterion.
# Their columns are coded once for all folds, and criteria that agree on a split share the node (see
# grow/tuning/criteria_run.hpp). Every other setting is grown tree by tree; the results are the
# same.

# The settings, each with `run`: the same number for all settings of one run, NA for no run.
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

# The coded columns of a run. They are coded at the first request, and again in another process.
# NULL if the core cannot grow the settings together.
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

# As fit_cells(), for the settings of one group; an empty list if they must be grown one by one.
# After an interrupt, the folds that were not finished are NULL.
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

# The number of folds that may run at once without progress, limited to save memory. Folds that were
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

# A plan can be set only if the package future is loaded.
in_parallel <- function() {
  if (!isNamespaceLoaded("future") || inherits(future::plan(), "sequential")) {
    return(FALSE)
  }
  requireNamespace("future.apply", quietly = TRUE)
}

# The only place where the trees of a tuning run are grown. A cell is a setting on a fold.
#
# The contract of fit_cells(job, settings, folds):
#   job       list(ready =, input =, asked =, env =, prob =, threads =): the coded data of the
#             whole call as returned by prepare() (criterion, control and rows are those of the
#             cell), the parts of the input and the call that grow_ready() needs, whether class
#             shares are wanted, and the number of threads; also runs =, an environment for data
#             that are coded once
#   settings  a list of list(criterion =, control =, alpha =), see tune-grid.R, with what
#             share_trees() and join_runs() add: settings with the same `grown` share a tree,
#             those with the same `run` grow together
#   folds     a list of list(train =, test =, times =, inner =), see tune-folds.R
# It returns a list with an entry per fold, each a list with an entry per setting:
#   list(value =, prob =, nodes =, leaves =, depth =)
# `value` are the class codes or numbers predicted for the rows of `test`, in their order; `prob`
# their class shares (a matrix) or NULL. The entry of a cell that failed is the error. A fold that
# an interrupt left unfinished is NULL. This code draws no random numbers, and no cell depends on
# another. So cells may be computed in any order, in parts, or all at once.
#
# Every tree is the one that tec_tree() grows from the rows of `train` as `subset`.
fit_cells <- function(job, settings, folds) {
  out <- lapply(folds, function(fold) vector("list", length(settings)))
  rest <- seq_along(settings)
  for (members in run_groups(settings, folds, job)) {
    grown <- fit_run(job, settings, members, folds)
    unfinished <- lengths(grown) == 0L
    if (length(grown)) rest <- setdiff(rest, members)
    if (any(unfinished) && length(rest)) rlang::interrupt()
    for (f in which(!unfinished)) out[[f]][members] <- grown[[f]]
    out[which(unfinished)] <- list(NULL)
  }
  if (!length(rest)) {
    return(out)
  }
  for (f in seq_along(folds)) out[[f]][rest] <- fit_fold(job, settings[rest], folds[[f]])
  out
}

fit_fold <- function(job, settings, fold) {
  held <- lapply(job$ready$frame$value, `[`, fold$test)
  n <- length(fold$test)
  out <- vector("list", length(settings))
  for (members in split(seq_along(settings), vapply(settings, `[[`, 0L, "grown"))) {
    served <- settings[members]
    out[members] <- tryCatch(
      {
        grown <- grow_cell(job, largest_setting(served), fold)
        alone <- length(served) == 1L && is.null(served[[1L]]$alpha)
        if (alone) {
          list(predict_cell(grown, held, n, job))
        } else {
          prune_cells(grown, served, held, n, job)
        }
      },
      error = but_limits(function(e) rep(list(e), length(served)))
    )
  }
  out
}

grow_cell <- function(job, setting, fold) {
  ready <- job$ready
  ready$criterion <- setting$criterion
  ready$control <- setting$control
  ready$control$threads <- job$threads
  # Only a rule that chooses from the cross-validated table needs one. "auto" draws its own folds.
  if (setting$control$prune != "auto") {
    ready$control$folds <- if (is.character(setting$control$alpha)) fold$inner else 0
  }
  ready$rows <- fold$train
  if (!is.null(fold$times)) ready <- draw_rows_again(ready, fold$times)
  grow_ready(ready, job$input, job$asked, env = job$env)
}

predict_cell <- function(fit, held, n, job) {
  tree <- fit$tree
  node <- route_rows(fit, held, n, job$threads)
  c(
    cell_values(fit, node, shared_rows(fit, held, n), job),
    list(nodes = length(tree$parent), leaves = sum(tree$kind == 0L), depth = max(tree$depth))
  )
}
