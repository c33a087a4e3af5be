# Tested in test-engine-grow.R.
# What cannot be done from counts: each an error that says what can.

check_counted <- function(ready) {
  control <- ready$control
  holed <- ready$frame$name[ready$frame$has_missing]
  classes <- ready$response$info$task == "classification"
  check_settings_of_rows(control)
  if (control$missing == "surrogate") {
    abort_needs_rows("missing = \"surrogate\"", "missing = \"learned\"")
  }
  if (control$missing == "fractional" && length(holed)) abort_holed("fractional", holed, classes)
  if (classes) {
    return(invisible())
  }
  if (!control$missing %in% c("majority", "drop") && length(holed)) {
    abort_holed(control$missing, holed, classes)
  }
  if (control$missing == "mode") {
    abort_needs_rows("missing = \"mode\" and numbers", "missing = \"majority\"")
  }
  if (ready$criterion$name != "l2") {
    abort_needs_rows(paste0("criterion = \"", ready$criterion$name, "\""), "criterion = \"l2\"")
  }
  if (control$intervals > 2) {
    abort_needs_rows(paste("intervals =", control$intervals, "and numbers"), "intervals = 2")
  }
  if (identical(control$splitter, "random")) {
    abort_needs_rows("splitter = \"random\" and numbers", "splitter = \"best\"")
  }
  if (!control$eligible %in% c("default", "all")) {
    abort_needs_rows(
      paste0("eligible = \"", control$eligible, "\" and numbers"), "eligible = \"all\""
    )
  }
}

# What looks at the rows of a node, or at all of them, besides its counts.
check_settings_of_rows <- function(control) {
  if (by_chaid(control)) {
    abort_needs_rows(paste0("rules = \"", control$rules, "\""), "criterion = \"chisq\"")
  }
  if (looks_ahead(control)) abort_needs_rows("lookahead", "lookahead = 1")
  if (control$max_p < 1) abort_needs_rows("max_p", "max_p = 1")
  if (!identical(control$honest, FALSE)) abort_needs_rows("honest", "honest = FALSE")
}

abort_needs_rows <- function(what, instead) {
  tec_abort("engine", c(
    "A tree with {.code {what}} cannot be grown from counts.",
    i = "Use {.code {instead}}, or fetch the rows: {.code engine = tec_engine(collect_rows = Inf)}."
  ))
}

abort_holed <- function(missing, holed, classes) {
  tec_abort("engine", c(
    "{.code missing = \"{missing}\"} needs the rows where values are missing.",
    x = "{cli::qty(length(holed))}Column{?s} with missing values: {.field {holed}}.",
    i = if (classes) {
      "From counts: {.val majority}, {.val learned}, {.val mode} or {.val drop}."
    } else {
      "From counts of numbers: {.val majority} or {.val drop}."
    }
  ))
}

# The settings of pruning that counts can serve.
counted_pruning <- function(control) {
  if (control$prune == "auto") {
    tec_inform("engine", c(
      "The tree is not pruned: the default needs rows.",
      i = "By its counts: {.code cp = 0.01}, or {.code prune = \"pep\"}. Without this message:
           {.code prune = \"none\"}."
    ))
    control["prune"] <- "none"
  }
  if (control$prune == "ccp" && (is.character(control$alpha) || length(control$folds) > 1L)) {
    abort_needs_rows(paste0("alpha = \"", control$alpha, "\""), "alpha = 0.001")
  }
  if (control$prune == "ebp" && control$raise) {
    tec_inform("engine", "Error-based pruning raises no subtrees, which needs rows.")
    control$raise <- FALSE
  }
  control
}
