# What tec_tune(model = "forest") grows: a forest for each setting and fold, or one forest whose
# rows out of bag are predicted. All have the same seeds.

# list(values = an array setting x measure x fold, of one setting).
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
      depth = max(node_depths(trees))
    ),
    truth = ready$response$core$y[rows], weight = plan$ready$weights[rows]
  )
}
