# Tested in test-tune-fit.R.
# From the run to the tree of the chosen setting.

tune_input <- function(input, asked, controls, design, rule, call, env) {
  run <- evaluate_grid(input, asked, controls, design, env)
  tuned <- describe_run(run, rule)
  setting <- run$settings[[tuned$chosen]]
  call_of_fit <- tree_call(call, setting, run$several, controls$given$dots)
  tuned$fit <- grow_setting(run$ready, setting, run$several, input, asked, call_of_fit, env)
  tuned$call <- stored_call(call)
  tuned$call[[1L]] <- quote(tec_tune)
  structure(tuned, class = "tec_tune")
}

# tec_tree() with several values of q.
tree_of_best_q <- function(input, asked, control, call, env) {
  controls <- control_grid(control, list(), tree_arguments, "tec_tree")
  # Only the given values are compared.
  design <- list(
    repeats = 1, metric = NULL, stratified = TRUE, sample = NULL, widen = FALSE,
    by = asked$by, by_arg = "tune_by"
  )
  run <- evaluate_grid(input, asked, controls, design, env)
  tuned <- describe_run(run, "best")
  penalty <- intersect(run$several, "cp")
  fit <- grow_setting(run$ready, run$settings[[tuned$chosen]], penalty, input, asked, call, env)
  tuned$call <- fit$call
  fit$tuning <- structure(tuned, class = "tec_tune")
  fit
}

# The tree of one setting from all rows: what tec_tree() grows.
grow_setting <- function(ready, setting, several, input, asked, call, env) {
  ready$criterion <- setting$criterion
  ready$control <- setting$control
  if (tuned_penalty(setting, several)) ready$control$folds <- 0
  if (!is.null(setting$alpha)) {
    ready$control$prune <- "ccp"
    ready$control$alpha <- setting$alpha
  }
  grow_ready(ready, input, asked, call, env)
}

# The complexity penalty was chosen on the folds of the run, so the tree needs no cross-validation.
tuned_penalty <- function(setting, several) {
  any(c("cp", "alpha") %in% several) && !is.character(setting$control$alpha) &&
    !is.na(complexity_penalty(setting)$penalty)
}

# The call of tec_tree() that grows the chosen tree. `dots` are the settings that the call of
# tec_tune() gives, under our names.
tree_call <- function(call, setting, several, dots) {
  args <- as.list(call)[-1L]
  settings <- lapply(names(args), settings_of)
  one <- lengths(settings) == 1L
  kept <- setdiff(
    c(tree_arguments, setdiff(control_names, tune_arguments)), c("q", "beta", "criterion", several)
  )
  args <- args[one & vapply(settings, function(s) s[1L] %in% kept, NA)]
  # An argument of another package can stand for several settings, of which some vary.
  own <- intersect(unlist(settings[!one]), intersect(names(dots), kept))
  args[own] <- dots[own]
  args <- c(args, criterion_arguments(setting$criterion))
  args[setdiff(several, "alpha")] <- setting$control[setdiff(several, "alpha")]
  if (!is.null(setting$alpha)) args$alpha <- setting$alpha
  if (tuned_penalty(setting, several)) args$folds <- 0
  as.call(c(list(quote(tec_tree)), args))
}

criterion_arguments <- function(criterion) {
  parameter <- as.list(criterion$parameter)
  if (identical(names(parameter), "q")) {
    return(c(if (criterion$name != "tsallis") list(criterion = criterion$name), parameter))
  }
  name <- criterion$name
  if (length(parameter)) name <- as.call(c(list(quote(tec_criterion), name), parameter))
  list(criterion = name)
}

tune_arguments <- c(
  "formula", "data", "x", "y", "q", "criterion", "beta", "by", "folds", "repeats", "metric", "rule",
  "stratified", "sample", "preset", "weights", "subset", "na.action",
  "cost", "validation", "tune", "widen", "control", "model", "engine", "table"
)
