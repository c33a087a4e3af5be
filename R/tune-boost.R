# Tested in test-tune-boost.R and test-tune-forest.R.
# Grows the models of tec_tune(model = "boost"): one model per setting and fold, measured after each
# round. Rounds are added to all folds at once, until the mean has not improved for a while.

# The plan for the rows of a fold. A share of the rows is a share of these rows.
plan_for_fold <- function(plan, fold) {
  plan$ready <- ready_for_fold(plan$ready, fold)
  plan$rows <- plan$ready$rows
  if (plan$sample_fraction <= 1) {
    n <- length(plan$rows)
    plan$draws <- count_share(plan$sample_fraction, "sample_fraction", n, "rows")
  }
  plan
}

rounds_at_once <- 50L

# list(values = an array rounds x measure x fold; at = these rounds; path = the array of all
# rounds).
measure_boost <- function(setting, job, folds) {
  plan <- plan_of_setting(setting, job, quiet = TRUE)
  space <- job$space
  path <- if (plan$cyclic || plan$method == "adaboost") {
    joined_folds(lapply(folds, grow_whole, plan, job))
  } else {
    grow_rounds(plan, job, folds)
  }
  if (is.null(space$at)) {
    return(list(values = path[dim(path)[1L], , , drop = FALSE]))
  }
  at <- if (space$stops) best_round(path, job$metric[1L]) else space$at
  list(values = path[at, , , drop = FALSE], at = at, path = if (space$stops) path)
}

# The seeds of tec_boost(seed = ).
own_boost_seeds <- function(plan, job) {
  with_own_seed(job$seed, boost_seeds(plan, plan$rounds * if (plan$pairs > 0L) 2 else 1))
}

best_round <- function(path, metric) {
  mean <- rowMeans(matrix(path[, metric, ], dim(path)[1L]), na.rm = TRUE)
  if (is_largest(metric)) which.max(mean) else which.min(mean)
}

joined_folds <- function(parts) {
  array(unlist(parts), c(dim(parts[[1L]]), length(parts)),
    dimnames = c(dimnames(parts[[1L]]), list(NULL))
  )
}

grow_rounds <- function(plan, job, folds) {
  most <- plan$rounds
  patience <- job$space$patience %||% plan$patience
  seeds <- own_boost_seeds(plan, job)
  parts <- lapply(folds, function(fold) list(fold = fold, plan = plan_for_fold(plan, fold)))
  done <- 0L
  while (done < most) {
    to <- min(done + rounds_at_once, most)
    parts <- lapply(parts, more_of_path, plan, done, seeds[seq(done + 1L, to)], job)
    done <- to
    path <- joined_folds(lapply(parts, `[[`, "measures"))
    stalled <- job$space$stops && done - best_round(path, job$metric[1L]) >= patience
    if (isTRUE(stalled)) break
  }
  path
}

# Extends the path of a fold by more rounds. `start` has the scores of all rows so far.
more_of_path <- function(part, plan, done, seeds, job) {
  fold <- part$fold
  core <- boost_core(
    part$plan, seeds, validation = integer(), first = done, base = part$base, start = part$start
  )
  start <- part$start %||% start_scores(plan, core$base)
  fit <- list(
    method = "gradient", response = plan$ready$response$info, columns = plan$ready$frame,
    trees = core$trees, output = core$output, round = core$round - done, base = core$base
  )
  threads <- plan$ready$control$threads
  values <- plan$ready$frame$value
  n <- length(seeds)
  scores <- boost_scores(
    fit, lapply(values, `[`, fold$test), length(fold$test), seq_len(n), threads,
    start[fold$test, , drop = FALSE]
  )
  size <- sizes_by_round(fit, n, part$size)
  part$measures <- rbind(part$measures, measure_rounds(fit, scores, size, fold, plan, job))
  part$size <- size[n, ]
  part$start <- boost_scores(fit, values, plan$n, n, threads, start)[[1L]]
  part$base <- core$base
  part
}

# Measures AdaBoost, or a cyclic model, which has a single number of rounds.
grow_whole <- function(fold, plan, job) {
  own <- plan_for_fold(plan, fold)
  fit <- if (plan$method == "adaboost") {
    with_own_seed(job$seed, grow_adaboost(own, job$input, NULL))
  } else {
    new_boost(boost_core(own, own_boost_seeds(plan, job)), own, job$input, NULL)
  }
  at <- if (plan$cyclic) fit$rounds else seq_len(fit$rounds)
  n <- length(fold$test)
  start <- if (!is.null(plan$offset)) start_scores(plan, fit$base)[fold$test, , drop = FALSE]
  scores <- boost_scores(
    fit, lapply(plan$ready$frame$value, `[`, fold$test), n, at, plan$ready$control$threads, start
  )
  size <- sizes_by_round(fit, fit$rounds)[at, , drop = FALSE]
  out <- measure_rounds(fit, scores, size, fold, plan, job)
  # A model that ended early has no further rounds.
  if (plan$cyclic) out else out[pmin(seq_len(plan$rounds), fit$rounds), , drop = FALSE]
}

# One row per round: the nodes and leaves of all trees so far, and the largest depth. `before`: the
# values of earlier rounds.
sizes_by_round <- function(fit, rounds, before = NULL) {
  each <- tree_sizes(if (fit$method == "adaboost") fit else c(list(response = NULL), fit["trees"]))
  of <- factor(fit$round + 1L, seq_len(rounds))
  total <- function(x) cumsum(vapply(split(x, of), sum, 0, USE.NAMES = FALSE))
  deepest <- cummax(vapply(split(each$depth, of), max, 0, 0, USE.NAMES = FALSE))
  if (is.null(before)) before <- c(nodes = 0, leaves = 0, depth = 0)
  cbind(
    nodes = before[["nodes"]] + total(as.double(each$nodes)),
    leaves = before[["leaves"]] + total(as.double(each$leaves)),
    depth = pmax(before[["depth"]], deepest)
  )
}

# A matrix round x measure.
measure_rounds <- function(fit, scores, size, fold, plan, job) {
  truth <- plan$ready$response$core$y[fold$test]
  weight <- plan$ready$weights[fold$test]
  names <- measure_names(job$metric)
  out <- vapply(seq_along(scores), function(i) {
    value <- finish_boost(fit, scores[[i]], "response")
    cell <- c(
      list(
        value = if (is.factor(value)) as.integer(value) else value,
        prob = if (job$prob) unname(finish_boost(fit, scores[[i]], "prob"))
      ),
      size[i, ]
    )
    measure_cell(cell, truth, weight, job$metric)[names]
  }, numeric(length(names)))
  matrix(out, ncol = length(names), byrow = TRUE, dimnames = list(NULL, names))
}

# Grows the forests of tec_tune(model = "forest"): one forest per setting and fold, or one forest
# per setting, with out-of-bag predictions. All have the same seeds.

# list(values = an array setting x measure x fold, for one setting).
measure_forest <- function(setting, job, folds) {
  plan <- plan_of_setting(setting, job, quiet = TRUE)
  seeds <- with_own_seed(job$seed, draw_seeds(plan$settings$trees))
  measures <- vapply(folds, function(fold) {
    grown <- grow_on_fold(plan, fold, seeds, job)
    measure_cell(grown$cell, grown$truth, grown$weight, job$metric)[measure_names(job$metric)]
  }, numeric(length(measure_names(job$metric))))
  list(values = array(measures, c(1L, dim(measures))))
}

grow_on_fold <- function(plan, fold, seeds, job) {
  ready <- ready_for_fold(plan$ready, fold)
  forest <- plan_forest(ready, job$input, plan$asked, plan$settings)
  rows <- fold$test
  if (job$by == "oob") {
    grown <- grow_planned(forest, seeds, list(tick = NULL, close = function() NULL))
    check_some_oob(grown$oob)
    known <- grown$oob$times > 0L
    rows <- rows[known]
    value <- grown$oob$response[known]
    prob <- grown$oob$prob[known, , drop = FALSE]
  } else {
    core <- grow_core(forest, seeds, oob = FALSE)
    grown <- list(core = core, seeds = seeds, criterion = ready$criterion)
    fit <- new_forest(grown, forest, job$input, plan$settings, NULL)
    held <- lapply(ready$frame$value, `[`, rows)
    predicted <- function(type) {
      predict_coded(fit, held, length(rows), type, ready$control$threads)
    }
    value <- predicted("response")
    prob <- if (job$prob) predicted("prob")
  }
  trees <- grown$core$trees
  list(
    cell = list(
      value = if (is.factor(value)) as.integer(value) else value, prob = unname(prob),
      nodes = length(trees$variable), leaves = sum(trees$variable == 0L),
      depth = max(forest_shape(trees)$depth)
    ),
    truth = ready$response$core$y[rows], weight = plan$ready$weights[rows]
  )
}
