# All settings on all folds: one after the other, or distributed by the plan of the
# future framework. A fold is finished as a whole, so that an interrupted run compares
# every setting on the same folds.

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
    "Interrupted: the result is partial, of {finished} of {length(done)} fold{?s}.",
    i = "The settings are compared on these folds alone."
  ))
}

# What one process does: for each finished fold a list(measures = a matrix setting x
# measure, errors = a message per setting or NA). `signal` is called as a fold is finished.
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
  # Processes share the processor, so each keeps to one thread.
  if (is.null(job$threads)) job$threads <- 1L
  if (is.null(job$fold_threads)) job$fold_threads <- 1L
  done <- future.apply::future_lapply(
    lapply(folds, list), run_some,
    job = job, settings = settings, signal = signal,
    future.seed = NULL, future.packages = "tectree"
  )
  unlist(done, recursive = FALSE)
}

# Folds that are run before the progress is shown and what is finished is safe: one by
# one for each thread, or in parallel a few for each process. A wave waits for its
# slowest fold, so where `at_once` allows more they are more.
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
