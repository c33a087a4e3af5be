# Tested in test-engine-grow.R and test-engine-fetch.R.
# Errors for what cannot be done from counts; each says what can be done instead.

# Checks before anything is counted, from the settings and list(name =, task =) of the response
# only. `control`: as given, or that of a forest.
check_countable <- function(asked, control, response, preset = check_preset(asked$preset)) {
  check_task_word(asked$words, response)
  criterion <- resolve_criterion(asked$q, asked$criterion, preset, response$task)
  check_task(criterion, response)
  own <- control_for(control, preset, criterion, response$task)
  check_settings_of_counts(own, criterion, response$task)
  check_counted_pruning(own)
  if (identical(control$missing, "fractional")) {
    abort_needs_rows("missing = \"fractional\"", "missing = \"majority\"")
  }
}

check_counted <- function(ready) {
  control <- ready$control
  task <- ready$response$info$task
  holed <- ready$frame$name[ready$frame$has_missing]
  check_settings_of_counts(control, ready$criterion, task)
  if (control$missing == "fractional" && length(holed)) abort_holed(holed, task)
}

check_settings_of_counts <- function(control, criterion, task) {
  refuse_settings(
    # Settings that need the rows of a node, or all rows, in addition to counts.
    "criterion = \"chisq\"" = if (by_chaid(control)) as_setting("rules", control$rules),
    "lookahead = 1" = if (looks_ahead(control)) "lookahead",
    "max_p = 1" = if (control$max_p < 1) "max_p",
    "honest = FALSE" = if (!identical(control$honest, FALSE)) "honest",
    "missing = \"learned\"" = if (control$missing == "surrogate") "missing = \"surrogate\""
  )
  if (task != "regression") {
    return(invisible())
  }
  refuse_settings(
    "missing = \"majority\"" = if (control$missing == "mode") "missing = \"mode\" and numbers",
    "criterion = \"l2\"" = if (criterion$name != "l2") as_setting("criterion", criterion$name),
    "intervals = 2" = if (control$intervals > 2) {
      paste("intervals =", control$intervals, "and numbers")
    },
    "splitter = \"best\"" = if (identical(control$splitter, "random")) {
      "splitter = \"random\" and numbers"
    },
    "eligible = \"all\"" = if (!control$eligible %in% c("default", "all")) {
      paste(as_setting("eligible", control$eligible), "and numbers")
    }
  )
}

as_setting <- function(arg, value) paste0(arg, " = \"", value, "\"")

# `...`: the setting that was asked for, or NULL, named by the setting to use instead.
refuse_settings <- function(...) {
  asked <- c(...)
  if (length(asked)) abort_needs_rows(asked[[1L]], names(asked)[1L])
}

abort_needs_rows <- function(what, instead) {
  tec_abort("engine", c(
    "A tree with {.code {what}} cannot be grown from counts.",
    i = "Use {.code {instead}}, or fetch the rows: {.code engine = tec_engine(collect_rows = Inf)}."
  ))
}

check_key <- function(engine, why) {
  if (is.null(engine$key)) {
    tec_abort("engine", c(
      why,
      i = "For example {.code engine = tec_engine(key = \"id\")}, with one whole number per row.",
      i = "Or fetch the rows: {.code engine = tec_engine(collect_rows = Inf)}."
    ))
  }
}

abort_holed <- function(holed, task) {
  serve <- c("learned", "majority", "drop", if (task == "classification") "mode")
  tec_abort("engine", c(
    "{.code missing = \"fractional\"} needs the rows themselves if values are missing.",
    x = "{cli::qty(length(holed))}Column{?s} with missing values: {.field {holed}}.",
    i = "With counts use {.or {.val {serve}}}."
  ))
}

# The settings of pruning that work with counts.
counted_pruning <- function(control) {
  if (control$prune == "auto") {
    tec_inform("engine", c(
      "The tree is not pruned, because the default needs rows.",
      i = "Pruning by counts: {.code cp = 0.01}, {.code prune = \"ccp\"} or
           {.code prune = \"pep\"}. To silence this message: {.code prune = \"none\"}."
    ))
    control["prune"] <- "none"
  }
  check_counted_pruning(control)
  if (control$prune == "ebp" && control$raise) {
    tec_inform("engine", "Error-based pruning does not raise subtrees here, which needs rows.")
    control$raise <- FALSE
  }
  control
}

check_counted_pruning <- function(control) {
  if (control$prune != "ccp") {
    return(invisible())
  }
  if (is.character(control$alpha)) {
    abort_needs_rows(paste0("alpha = \"", control$alpha, "\""), "alpha = 0.001")
  }
  if (length(control$folds) > 1L) abort_needs_rows("folds", "folds = 10")
}

# Reports the preparation before the first level.
say_stage <- function(engine, text, envir = parent.frame()) {
  if (engine$progress) tec_inform("engine", paste0("Preparation: ", text, "."), envir)
}

# Reports a step of the preparation if a second has passed since the last line.
say_step <- function(s, text, envir = parent.frame()) {
  now <- proc.time()[["elapsed"]]
  if (!isTRUE(s$settings$progress) || now - s$told < 1) {
    return(invisible())
  }
  s$told <- now
  say_stage(s$settings, text, envir)
}
