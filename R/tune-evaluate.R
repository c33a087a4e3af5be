# Everything up to the choice: the measures of all settings on all finished folds.
evaluate_grid <- function(input, asked, controls, design, env = NULL) {
  check_some_rows(input$n)
  preset <- check_preset(asked$preset)
  task <- response_task(check_response(input$response, input$response_name, input$n))
  grid <- tune_grid(asked$q, asked$beta, asked$criterion, controls, preset, task)
  metric <- check_metric(design$metric, task)
  ready <- prepare_once(input, asked, grid$settings, controls$control[[1L]])
  used <- ready$rows %||% seq_len(input$n)
  drawn <- draw_rows(design, ready, used, input$n)
  drawn$folds <- deal_inner_folds(drawn$folds, grid$settings)
  job <- list(
    ready = ready, input = input[c("n", "needs", "formula", "predictors")],
    asked = asked[c("cost", "validation")], env = if (!is.null(asked$validation)) env,
    metric = metric,
    prob = needs_prob(metric), threads = cell_threads(grid$settings, ready, length(used)),
    fold_threads = grid$settings[[1L]]$control$threads,
    forests = new.env(parent = emptyenv())
  )
  done <- run_folds(job, grid$settings, drawn$folds)
  finished <- which(lengths(done) > 0L)
  c(
    list(
      table = grid$table, settings = grid$settings, metric = metric, ready = ready, task = task,
      several = names(controls$table), n_rows = length(used), n_folds = length(drawn$folds),
      n_sampled = drawn$n_sampled
    ),
    collect_folds(done[finished], drawn$folds[finished])
  )
}

# More threads than one only delay a tree that is grown in milliseconds.
cell_threads <- function(settings, ready, n_used) {
  small <- n_used * length(ready$frame$name) < 1e5
  settings[[1L]]$control$threads %||% (if (small) 1L)
}

response_task <- function(y) {
  if (is.factor(y) || is.character(y) || is.logical(y)) "classification" else "regression"
}

# The data are coded once; a q that is not above 0 is warned of once.
prepare_once <- function(input, asked, settings, control) {
  asked[c("q", "criterion")] <- list(NULL, settings[[1L]]$criterion)
  ready <- withCallingHandlers(
    prepare(input, asked, control),
    tec_warning_q = function(w) tryInvokeRestart("muffleWarning")
  )
  low <- vapply(settings, function(s) isTRUE(s$criterion$parameter["q"] <= 0), NA)
  if (any(low)) warn_q(settings[[which(low)[1L]]]$criterion)
  ready
}

# list(folds =, n_sampled =): all the random numbers of a call.
draw_rows <- function(design, ready, used, n) {
  stratified <- check_stratified(design$stratified)
  levels <- ready$response$info$levels
  class <- if (length(levels)) ready$response$core$y[used]
  picked <- if (!is.null(design$sample)) sample_rows(design$sample, used, class)
  if (!is.null(picked)) {
    folds <- design$folds
    if (is.atomic(folds) && length(folds) == length(used) && length(used) < n) {
      folds <- folds[picked]
    }
    design$folds <- folds
    used <- used[picked]
    class <- class[picked]
  }
  list(
    folds = make_folds(design$folds, design$repeats, stratified, used, class, n, levels),
    n_sampled = if (!is.null(picked)) length(used)
  )
}

check_stratified <- function(stratified) {
  if (!is.logical(stratified) || length(stratified) != 1L || is.na(stratified)) {
    tec_abort("argument", c(
      "{.arg stratified} must be TRUE or FALSE.",
      x = "It is {describe(stratified)}."
    ))
  }
  stratified
}

# `values` is an array setting x measure x fold, `errors` a matrix setting x fold.
collect_folds <- function(done, folds) {
  first <- done[[1L]]$measures
  values <- array(
    unlist(lapply(done, `[[`, "measures")), c(dim(first), length(done)),
    dimnames = list(NULL, colnames(first), NULL)
  )
  errors <- matrix(unlist(lapply(done, `[[`, "errors")), nrow(first))
  sizes <- vapply(folds, function(fold) c(length(fold$train), length(fold$test)), c(0, 0))
  parts <- data.frame(
    repeat_ = vapply(folds, `[[`, 0L, "repeat_"), fold = vapply(folds, `[[`, 0L, "fold"),
    n_train = sizes[1L, ], n_test = sizes[2L, ]
  )
  names(parts)[1L] <- "repeat"
  list(values = values, errors = errors, folds = parts)
}
