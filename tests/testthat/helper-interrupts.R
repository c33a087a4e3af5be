# Calls that take a while, stopped at random moments by an interrupt or a time limit. Used by
# test-interrupts.R and tools/checks/interrupts.R.

# Each call: `long(threads)`, a call of about half a second, and `short()`, a quick call of the same
# function with the same result each time.
long_calls <- function(size = 1) {
  set.seed(1)
  n <- round(20000 * size)
  d <- as.data.frame(matrix(round(stats::runif(n * 8), 3), n))
  d$k <- factor(sample(3, n, TRUE))
  d$y <- d$V1 + d$V2^2 + stats::rnorm(n) / 4
  classes <- d[names(d) != "y"]
  numbers <- d[names(d) != "k"]
  few <- d[seq_len(200), ]
  some <- d[seq_len(round(4000 * size)), ]
  forest <- tec_forest(k ~ . - y, some, trees = 30, progress = FALSE)
  boost <- tec_boost(y ~ . - k, some, rounds = 60, folds = 0, progress = FALSE)
  rows <- d[rep(seq_len(n), 3), ]
  seeded <- function(call) {
    set.seed(7)
    call
  }
  list(
    growth = list(
      long = function(threads) {
        tec_tree(k ~ ., classes, min_bucket = 1, prune = "none", threads = threads)
      },
      short = function() tec_tree(k ~ . - y, few)
    ),
    pruning = list(
      long = function(threads) tec_tree(k ~ ., classes, prune = "ccp", threads = threads),
      short = function() seeded(tec_tree(k ~ . - y, few, prune = "ccp"))
    ),
    forest = list(
      long = function(threads) {
        tec_forest(k ~ ., classes, trees = 6, threads = threads, progress = FALSE)
      },
      short = function() seeded(tec_forest(k ~ . - y, few, trees = 3, progress = FALSE))
    ),
    boosting = list(
      long = function(threads) {
        tec_boost(y ~ ., numbers, rounds = 60, folds = 0, threads = threads, progress = FALSE)
      },
      short = function() seeded(tec_boost(y ~ . - k, few, rounds = 5, folds = 0, progress = FALSE))
    ),
    adaboost = list(
      long = function(threads) {
        tec_boost(k ~ ., classes, method = "adaboost", rounds = 20, threads = threads,
          progress = FALSE
        )
      },
      short = function() {
        seeded(tec_boost(k ~ . - y, few, method = "adaboost", rounds = 3, progress = FALSE))
      }
    ),
    tuning = list(
      long = function(threads) {
        tec_tune(k ~ ., classes[seq_len(n / 4), ], q = 1:2, folds = 3, threads = threads)
      },
      short = function() seeded(tec_tune(k ~ . - y, few, q = 1:2, folds = 3))
    ),
    splines = list(
      long = function(threads) tec_mars(y ~ ., numbers, degree = 2, threads = threads),
      short = function() tec_mars(y ~ . - k, few)
    ),
    rotation = list(
      long = function(threads) {
        tec_rotation(k ~ ., classes, trees = 2, threads = threads, progress = FALSE)
      },
      short = function() seeded(tec_rotation(k ~ . - y, few, trees = 2, progress = FALSE))
    ),
    prediction = list(
      long = function(threads) stats::predict(forest, rows, type = "prob", threads = threads),
      short = function() stats::predict(forest, few, type = "prob")
    ),
    shap = list(
      long = function(threads) tec_shap(boost, d, threads = threads),
      short = function() tec_shap(boost, few[1:5, ])
    ),
    importance = list(
      long = function(threads) importance(boost, "permutation", data = some, repeats = 3),
      short = function() seeded(importance(boost, "permutation", data = few))
    ),
    dependence = list(
      long = function(threads) tec_dependence(forest, "V1", data = some, n = 8, threads = threads),
      short = function() tec_dependence(forest, "V1", data = few)
    ),
    comparison = list(
      long = function(threads) {
        compare_methods(k ~ ., classes[seq_len(n / 10), ], list(a = tec_tree, b = tec_mars), 3)
      },
      short = function() {
        out <- seeded(compare_methods(k ~ . - y, few, list(a = tec_tree, b = tec_mars), 3))
        out[setdiff(names(out), "seconds")]
      }
    ),
    export = list(
      long = function(threads) tec_code(forest, "c"),
      short = function() tec_code(forest, "c")
    )
  )
}

# What a call must leave as it was.
session_state <- function() {
  status <- "/proc/self/status"
  list(
    options = options(), folder = getwd(), devices = grDevices::dev.list(),
    connections = nrow(showConnections(all = TRUE)), random = RNGkind(), sinks = sink.number(),
    threads = if (file.exists(status)) grep("^Threads:", readLines(status), value = TRUE)
  )
}

# Calls `work` again and again until it ends after `delay` seconds with a condition. `by`: "limit"
# or "interrupt". Returns list(end = the condition, late = seconds).
end_after <- function(work, delay, by) {
  stopped <- tempfile()
  on.exit(unlink(stopped))
  if (by == "limit") {
    due <- Sys.time() + delay
    setTimeLimit(elapsed = delay, transient = TRUE)
    on.exit(setTimeLimit(), add = TRUE)
  } else {
    code <- sprintf(
      "(sleep %.4f; date +%%s.%%N >%s; kill -INT %d) &", delay, shQuote(stopped), Sys.getpid()
    )
    system(code)
  }
  end <- tryCatch(
    # A tuning run that has some results returns them with a warning.
    repeat withCallingHandlers(work(), tec_warning_partial = function(w) rlang::interrupt()),
    error = identity, interrupt = identity
  )
  now <- as.numeric(Sys.time())
  setTimeLimit()
  due <- if (by == "limit") as.numeric(due) else as.numeric(readLines(stopped))
  list(end = end, late = now - due)
}

# What is wrong about an end, or NULL.
wrong_end <- function(end, by, name) {
  if (by == "limit") {
    right <- inherits(end, "simpleError") &&
      identical(conditionMessage(end), "reached elapsed time limit")
  } else {
    right <- inherits(end, "interrupt") || name == "tuning" && inherits(end, "tec_error_interrupted") # nolint
  }
  if (!right) paste0("ended with ", class(end)[1L], ": ", conditionMessage(end))
}

# Stops each call at `moments` random moments. Returns a data frame of faults: call, moment, by,
# threads, fault; its attribute "late" has the latest return of each call. `long_again`: after every
# how many moments the long call itself is repeated, too.
stop_at_moments <- function(calls, moments, seed, long_again = 10, latest = 1,
                            say = function(text) NULL) {
  jit <- compiler::enableJIT(0) # R's compiler passes over time limits that end while it works
  on.exit(compiler::enableJIT(jit))
  faults <- list()
  late <- stats::setNames(numeric(length(calls)), names(calls))
  for (name in names(calls)) {
    call <- calls[[name]]
    wanted <- call$short()
    set.seed(7)
    whole <- call$long(2)
    started <- proc.time()[["elapsed"]]
    call$long(1)
    seconds <- proc.time()[["elapsed"]] - started
    before <- session_state()
    set.seed(seed)
    drawn <- data.frame(
      delay = pmax(0.02, stats::runif(moments, 0, seconds)), threads = sample(2L, moments, TRUE),
      by = sample(c("limit", "interrupt"), moments, TRUE)
    )
    for (i in seq_len(moments)) {
      one <- drawn[i, ]
      # A busy machine may be late by itself, but not three times.
      for (attempt in 1:3) {
        got <- end_after(function() call$long(one$threads), one$delay, one$by)
        if (got$late <= latest) break
      }
      late[name] <- max(late[name], got$late)
      after <- session_state()
      changed <- names(before)[!mapply(identical, before, after)]
      if ("options" %in% changed) {
        same <- intersect(names(before$options), names(after$options))
        differ <- !mapply(identical, before$options[same], after$options[same])
        changed <- c(setdiff(changed, "options"), same[differ])
      }
      again <- call$short()
      fault <- c(
        wrong_end(got$end, one$by, name),
        if (got$late > latest) sprintf("returned after %.1f s", got$late),
        if (length(changed)) paste("changed:", toString(changed)),
        if (!isTRUE(all.equal(again, wanted))) "the next call is another",
        if (i %% long_again == 0) {
          set.seed(7)
          if (!isTRUE(all.equal(without_seconds(call$long(2)), without_seconds(whole)))) {
            "the next long call is another"
          }
        }
      )
      if (length(fault)) {
        faults[[length(faults) + 1L]] <- cbind(call = name, moment = i, one, fault = fault)
      }
    }
    say(sprintf("%-12s %.2f s, %d moments, latest return %.2f s, %d faults", name, seconds, moments,
      late[name], sum(vapply(faults, function(f) f$call[1L] == name, NA))
    ))
  }
  structure(do.call(rbind, faults) %||% data.frame(), late = late)
}

without_seconds <- function(x) {
  if (is.data.frame(x)) x[setdiff(names(x), "seconds")] else x
}
