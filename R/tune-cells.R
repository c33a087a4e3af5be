# The one place where the trees of a tuning run are grown. A cell is a setting on a
# fold.
#
# The contract of fit_cells(job, settings, folds):
#   job       list(ready =, input =, asked =, env =, prob =, threads =): the coded data
#             of the whole call as prepare() returns them (criterion, control and rows
#             are those of the cell), what grow_ready() needs of the input and the
#             call, whether class shares are wanted, and the number of threads; also
#             forests =, an environment for what is coded once, see tune-forest.R
#   settings  a list of list(criterion =, control =, alpha =), see tune-grid.R
#   folds     a list of list(train =, test =, times =, inner =), see tune-folds.R
# It returns a list with an entry a fold, each a list with an entry a setting:
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
  for (members in forest_groups(settings, folds, job)) {
    grown <- fit_forest(job, settings, members, folds)
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
  out <- vector("list", length(settings))
  for (members in split(seq_along(settings), same_tree(settings))) {
    grown <- tryCatch(grow_cell(job, settings[[members[1L]]], fold), error = identity)
    for (i in members) {
      out[[i]] <- if (inherits(grown, "error")) {
        grown
      } else {
        tryCatch(
          predict_cell(cut_back(grown, settings[[i]]$alpha), held, length(fold$test), job),
          error = identity
        )
      }
    }
  }
  out
}

# Settings that differ in `alpha` alone share a grown tree.
same_tree <- function(settings) {
  priced <- !vapply(settings, function(s) is.null(s$alpha), NA)
  if (!any(priced)) {
    return(seq_along(settings))
  }
  key <- lapply(settings, `[`, c("criterion", "control"))
  match(key, unique(key))
}

grow_cell <- function(job, setting, fold) {
  ready <- job$ready
  ready$criterion <- setting$criterion
  ready$control <- setting$control
  ready$control$threads <- job$threads
  # The table of prices is not looked at, but for a rule that chooses from it.
  ready$control$folds <- if (is.character(setting$control$alpha)) fold$inner else 0
  ready$rows <- fold$train
  if (!is.null(fold$times)) {
    ready$weights <- if (is.null(ready$weights)) fold$times else fold$times * ready$weights
  }
  grow_ready(ready, job$input, job$asked, env = job$env)
}

cut_back <- function(fit, alpha) {
  if (is.null(alpha)) {
    return(fit)
  }
  tec_prune(fit, method = "ccp", alpha = alpha)
}

predict_cell <- function(fit, held, n, job) {
  tree <- fit$tree
  node <- route_rows(fit, held, n, job$threads)
  shared <- shared_rows(fit, held, n)
  value <- leaf_values(fit, node, "response", shared)
  list(
    value = if (is.factor(value)) as.integer(value) else value,
    prob = if (job$prob) unname(leaf_values(fit, node, "prob", shared)),
    nodes = length(tree$parent), leaves = sum(tree$kind == 0L), depth = max(tree$depth)
  )
}
