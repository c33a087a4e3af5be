# Tested in test-tune-run.R and test-tune-prunings.R.
# The only place where the trees of a tuning run are grown. A cell is a setting on a fold.
#
# The contract of fit_cells(job, settings, folds):
#   job       list(ready =, input =, asked =, env =, prob =, threads =): the coded data
#             of the whole call as prepare() returns them (criterion, control and rows
#             are those of the cell), what grow_ready() needs of the input and the
#             call, whether class shares are wanted, and the number of threads; also
#             runs =, an environment for what is coded once, see tune-together.R
#   settings  a list of list(criterion =, control =, alpha =), see tune-grid.R, with what
#             share_trees() and join_runs() add: settings with the same `grown` share a tree,
#             those with the same `run` grow together
#   folds     a list of list(train =, test =, times =, inner =), see tune-folds.R
# It returns a list with an entry per fold, each a list with an entry per setting:
#   list(value =, prob =, nodes =, leaves =, depth =)
# `value` are the class codes or numbers predicted for the rows of `test`, in their
# order; `prob` their class shares (a matrix) or NULL. Where a cell failed its entry
# is the error; a fold that an interrupt left unfinished is NULL. Nothing in here draws
# random numbers, and no cell depends on another: it may be computed in any order, in
# parts, or all at once.
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
