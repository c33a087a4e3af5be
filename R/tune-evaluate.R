# Tested in test-tune.R and test-tune-run.R.
# Everything before the choice: the measures of all settings on all finished folds. `asked$tune`:
# the settings with a default grid (see tune-default.R); `design$widen`: whether a grid of q is
# extended if its last value is the best (see tune-widen.R); `design$equal`: whether criteria that
# grow the same tree are grown once (see compare-tests.R).
evaluate_grid <- function(input, asked, controls, design, env = NULL) {
  check_some_rows(input$n)
  preset <- check_preset(asked$preset)
  task <- response_task(check_response(input$response, input$response_name, input$n))
  by <- check_tune_by(
    design$by %||% "cv", design$metric, design$rule %||% "best", task, design$by_arg %||% "by"
  )
  tune <- what_to_tune(asked, controls, preset, task, by)
  q <- check_grid(asked$q, "q") %||% if ("q" %in% tune) usual_q_grid
  criteria <- criterion_grid(q, check_grid(asked$beta, "beta"), asked$criterion, preset, task)
  metric <- if (by == "cv") check_metric(design$metric, task) else by
  ready <- prepare_once(input, asked, criteria, controls$control[[1L]])
  controls <- add_default_grid(controls, setdiff(tune, "q"), ready, input, asked, env)
  first <- if (isTRUE(design$equal)) {
    control <- resolve_control(controls$control[[1L]], preset)
    control["alpha"] <- list(controls$alpha[[1L]] %||% control$alpha)
    equal_criteria(criteria, control, ready)
  }
  grid <- tune_grid(criteria[unique(first %||% seq_along(criteria))], controls, preset, task)
  settings <- share_trees(grid$settings, ready, asked)
  check_not_too_many(ready, TRUE)
  own <- copy_rows(ready)
  n <- length(own$response$core$y)
  used <- own$rows %||% seq_len(n)
  design$folds <- copied_folds(design$folds, own, input$n)
  drawn <- draw_rows(design, own, used, n, by)
  drawn$folds <- draw_inner_folds(drawn$folds, settings)
  job <- list(
    ready = own, input = c(list(n = n), input[c("needs", "formula", "predictors")]),
    asked = asked[intersect(names(asked), said_of_trees)],
    env = if (!is.null(asked$validation)) env,
    metric = metric,
    prob = needs_prob(metric), threads = cell_threads(settings, ready, length(used)),
    fold_threads = settings[[1L]]$control$threads
  )
  run <- c(
    list(
      table = grid$table, settings = settings, metric = metric, ready = ready, task = task,
      several = union(names(controls$table), controls$tuned), n_rows = length(used),
      n_folds = length(drawn$folds) - (by == "bootstrap632"), by = by,
      n_sampled = drawn$n_sampled
    ),
    measure_by(by, job, settings, drawn)
  )
  if (!is.null(first)) {
    return(with_equal_criteria(run, criteria, first))
  }
  more <- function(criteria, folds) {
    grid <- tune_grid(criteria, controls, preset, task)
    settings <- share_trees(grid$settings, ready, asked)
    measured <- measure_by(by, job, settings, list(folds = folds))
    c(list(table = grid$table, settings = settings), measured)
  }
  widen_q(run, design$widen %||% if ("q" %in% tune) TRUE, drawn$folds, more)
}

# Arguments of tec_tree() that are not part of a setting.
said_of_trees <- c("cost", "cost_in", "prior", "class_weights", "validation")

measure_settings <- function(job, settings, folds) {
  job$runs <- new.env(parent = emptyenv())
  settings <- join_runs(settings, job)
  say_many_trees(settings, length(folds))
  done <- run_folds(job, settings, folds)
  finished <- which(lengths(done) > 0L)
  collect_folds(done[finished], folds[finished])
}

# Criteria that grow together take hardly any time, and neither do prunings of one tree.
say_many_trees <- function(settings, folds) {
  alone <- is.na(each_field(settings, "run", 0L))
  trees <- folds * length(unique(each_field(settings, "grown", 0L)[alone]))
  if (trees >= 5000) {
    tec_inform("tune", c(
      "Growing {number_text(trees)} trees, one per setting and fold, which takes a while.",
      i = "Fewer values, fewer {.arg folds} or {.code prune = \"none\"} are faster."
    ))
  }
}

# Several threads only slow down a tree that is grown in milliseconds.
cell_threads <- function(settings, ready, n_used) {
  small <- n_used * length(ready$frame$name) < 1e5
  settings[[1L]]$control$threads %||% (if (small) 1L)
}

response_task <- function(y) {
  if (is.factor(y) || is.character(y) || is.logical(y)) "classification" else "regression"
}

# Codes the data once. There is one warning per criterion, for the first value with which gains can
# be negative.
prepare_once <- function(input, asked, criteria, control) {
  asked[c("q", "criterion")] <- list(NULL, criteria[[1L]])
  ready <- withCallingHandlers(
    prepare(input, asked, control),
    tec_warning_q = function(w) tryInvokeRestart("muffleWarning"),
    tec_warning_beta = function(w) tryInvokeRestart("muffleWarning")
  )
  low <- Filter(gains_below_zero, criteria)
  of <- vapply(low, function(one) {
    if (isTRUE(one$parameter["q"] <= 0)) "not concave" else one$name
  }, "")
  lapply(low[!duplicated(of)], warn_q)
  ready
}

# list(folds =, n_sampled =). All random numbers of a call are used here.
draw_rows <- function(design, ready, used, n, by) {
  if (is.null(design$by_arg)) check_design_used(design, by)
  stratified <- check_flag(design$stratified, "stratified", topic = "argument")
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
  folds <- if (by == "cv") {
    make_folds(design$folds %||% 10, design$repeats, stratified, used, class, n, levels)
  } else if (by == "bootstrap632") {
    times <- check_fold_count(design$folds %||% usual_samples, "folds", 2)
    draw_bootstrap(times, stratified, used, class, n)
  } else {
    list(list(repeat_ = 1L, fold = 1L, train = used, test = used))
  }
  list(folds = folds, n_sampled = if (!is.null(picked)) length(used))
}

# `values` is an array setting x measure x fold, `errors` a matrix setting x fold.
collect_folds <- function(done, folds) {
  first <- done[[1L]]$measures
  values <- array(
    unlist(lapply(done, `[[`, "measures")), c(dim(first), length(done)),
    dimnames = list(NULL, colnames(first), NULL)
  )
  errors <- matrix(unlist(lapply(done, `[[`, "errors")), nrow(first))
  list(values = values, errors = errors, folds = fold_table(folds))
}

fold_table <- function(folds) {
  sizes <- vapply(folds, function(fold) c(length(fold$train), length(fold$test)), c(0, 0))
  parts <- data.frame(
    repeat_ = vapply(folds, `[[`, 0L, "repeat_"), fold = vapply(folds, `[[`, 0L, "fold"),
    n_train = sizes[1L, ], n_test = sizes[2L, ]
  )
  names(parts)[1L] <- "repeat"
  parts
}

# The result of measure_settings(), by any way of comparison.
measure_by <- function(by, job, settings, drawn) {
  if (by %in% one_sample) {
    return(measure_sample(by, job, settings, drawn$folds[[1L]]))
  }
  if (by == "bootstrap632") {
    return(measure_bootstrap(job, settings, drawn$folds))
  }
  measure_settings(job, settings, drawn$folds)
}

measure_bootstrap <- function(job, settings, folds) {
  job$metric <- c("error", "no_information")
  run <- measure_settings(job, settings, folds)
  samples <- seq_len(length(folds) - 1L)
  if (nrow(run$folds) < length(folds)) {
    tec_abort("interrupted", c("Interrupted before the last bootstrap sample was finished."))
  }
  apparent <- run$values[, "error", length(folds)]
  none <- run$values[, "no_information", length(folds)]
  held_out <- matrix(run$values[, "error", samples], length(apparent))
  corrected <- error_632(apparent, rowMeans(held_out), none)
  values <- run$values[, c("error", sizes), samples, drop = FALSE]
  dimnames(values)[[2L]][1L] <- "bootstrap632"
  # The part of each sample in the mean.
  values[, 1L, ] <- (1 - corrected$weight) * apparent +
    corrected$weight * corrected$limit * held_out
  list(values = values, errors = run$errors, folds = run$folds[samples, , drop = FALSE])
}

# Runs all settings on all folds: one after the other, or distributed by the plan of the package
# future. A fold is finished as a whole, so that an interrupted run compares every setting on the
# same folds.

# A list with what run_some() returns for each fold, NULL for those not finished.
run_folds <- function(job, settings, folds) {
  done <- vector("list", length(folds))
  tick <- progress_ticker(length(folds), environment())
  on.exit(tick$close())
  at_once <- folds_at_once(job, settings, folds)
  tryCatch(
    for (wave in fold_waves(length(folds), default_threads(job$fold_threads), at_once)) {
      done[wave] <- tick$around(wave, function(signal) {
        run_wave(job, settings, folds[wave], signal)
      })
      if (any(lengths(done[wave]) == 0L)) rlang::interrupt()
    },
    interrupt = function(e) say_interrupted(done)
  )
  done
}

say_interrupted <- function(done) {
  finished <- sum(lengths(done) > 0L)
  if (finished == 0L) {
    tec_abort("interrupted", c("Interrupted before the first fold was finished."))
  }
  tec_warn("partial", c(
    "Interrupted: the result is partial, from {finished} of {length(done)} fold{?s}.",
    i = "The settings are compared only on these folds."
  ))
}

# The work of one process: for each finished fold a list(measures = a matrix setting x measure,
# errors = a message per setting or NA). `signal` is called when a fold is finished.
run_some <- function(folds, job, settings, signal = NULL) {
  Map(function(cells, fold) {
    if (is.null(cells)) {
      return(NULL)
    }
    measured <- measure_fold(cells, fold, job)
    if (!is.null(signal)) signal()
    measured
  }, fit_cells(job, settings, folds), folds)
}

measure_fold <- function(cells, fold, job) {
  truth <- job$ready$response$core$y[fold$test]
  weight <- job$ready$weights[fold$test]
  failed <- vapply(cells, inherits, NA, "error")
  measures <- matrix(NA_real_, length(cells), length(measure_names(job$metric)),
    dimnames = list(NULL, measure_names(job$metric))
  )
  like <- vapply(cells, function(cell) if (inherits(cell, "error")) "" else cell$like %||% "", "")
  measured <- ifelse(like == "", seq_along(cells), match(like, like))
  for (i in which(!failed)) {
    # Equal predictions are measured once; the size of the tree is measured for each setting.
    measures[i, ] <- if (measured[i] < i) {
      measures[measured[i], ]
    } else {
      measure_cell(cells[[i]], truth, weight, job$metric)
    }
    measures[i, sizes] <- unlist(cells[[i]][sizes])
  }
  errors <- rep(NA_character_, length(cells))
  errors[failed] <- vapply(cells[failed], conditionMessage, "")
  list(measures = measures, errors = errors)
}

measure_names <- function(metric) c(setdiff(metric, sizes), sizes)

run_wave <- function(job, settings, folds, signal) {
  if (!in_parallel()) {
    return(run_some(folds, job, settings, signal))
  }
  # Processes share the processor, so each uses one thread.
  if (is.null(job$threads)) job$threads <- 1L
  if (is.null(job$fold_threads)) job$fold_threads <- 1L
  done <- future.apply::future_lapply(
    lapply(folds, list), run_some,
    job = job, settings = settings, signal = signal,
    future.seed = NULL, future.packages = "tectree"
  )
  unlist(done, recursive = FALSE)
}

# The number of folds in a wave. After a wave, progress is shown and finished folds are safe from an
# interrupt. A wave has one fold per thread, or a few folds per process. It waits for its slowest
# fold, so it has more folds if `at_once` allows.
fold_waves <- function(n, threads, at_once = 1) {
  size <- threads * max(ceiling(n / (20 * threads)), floor(at_once / threads))
  if (in_parallel()) {
    workers <- max(1, min(n, future::nbrOfWorkers()))
    size <- workers * ceiling(n / (4 * workers))
  }
  unname(split(seq_len(n), (seq_len(n) - 1) %/% size))
}

# A progress bar of cli after about two seconds in an interactive session, or signals of progressr
# if it has handlers.
progress_ticker <- function(n, envir) {
  if (progressr_listens()) {
    step <- progressr::progressor(steps = n, envir = envir)
    return(list(around = function(wave, run) run(step), close = function() NULL))
  }
  if (!rlang::is_interactive()) {
    return(list(around = function(wave, run) run(NULL), close = function() NULL))
  }
  bar <- cli::cli_progress_bar("Growing trees", total = n, .auto_close = FALSE)
  list(
    around = function(wave, run) {
      out <- run(NULL)
      cli::cli_progress_update(length(wave), id = bar)
      out
    },
    close = function() cli::cli_progress_done(id = bar)
  )
}
