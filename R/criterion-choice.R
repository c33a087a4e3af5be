# Tested in test-criterion-choice.R and test-lookahead.R.
# The criterion of a call, from `criterion`, `q`, `beta` and `preset`.
resolve_criterion <- function(q, criterion, preset, task, ordered = FALSE) {
  if (is.null(criterion)) {
    name <- if (is.null(q)) preset_criterion(preset, task, ordered) else "tsallis"
    criterion <- if (is.null(q)) tec_criterion(name) else tec_criterion(name, q = q)
  } else if (is.null(q)) {
    criterion <- tec_criterion(criterion)
  } else {
    criterion <- criterion_with_q(criterion, q)
  }
  warn_q(criterion)
  criterion
}

# `beta` implies its criterion. Several values form a grid, if allowed (`grid`).
criterion_with_beta <- function(criterion, beta, q, grid = TRUE) {
  if (is.null(beta) || grid && is.numeric(beta) && length(beta) > 1L) {
    return(criterion)
  }
  if (!is_number(beta)) {
    tec_abort("criterion", c(
      "{.arg beta} must be one finite number above 0.", x = "It is {describe(beta)}."
    ))
  }
  base <- tec_criterion(criterion %||% "beta")
  if (base$name != "beta" || !is.null(q)) {
    tec_abort("criterion", c(
      "{.arg beta} is the parameter of criterion {.val beta}.",
      x = if (is.null(q)) "The criterion is {.val {base$name}}." else "{.arg q} is given too.",
      i = "Give {.arg beta} alone, or {.arg q} for a Tsallis criterion."
    ))
  }
  if (inherits(criterion, "tec_criterion") && !isTRUE(base$parameter[["beta"]] == beta)) {
    tec_abort("criterion", c(
      "{.arg beta} is {beta}, but {.arg criterion} has {.code {format(base)}}.",
      i = "Give {.arg beta} once."
    ))
  }
  tec_criterion("beta", beta = beta)
}

criterion_with_q <- function(criterion, q) {
  q <- check_q(q)
  base <- tec_criterion(criterion)
  if (!identical(names(base$parameter), "q")) {
    tec_abort("criterion", c(
      "Criterion {.val {base$name}} has no {.arg q}.",
      i = "Leave {.arg q} out, or use {.val tsallis} or another Tsallis criterion."
    ))
  }
  if (inherits(criterion, "tec_criterion") && base$parameter[["q"]] != q) {
    tec_abort("criterion", c(
      "{.arg q} is {q}, but {.arg criterion} has {.code q = {base$parameter[['q']]}}.",
      i = "Give {.arg q} once."
    ))
  }
  tec_criterion(base, q = q)
}

# If an entropy is not concave, or a conditional entropy can exceed it, gains can be negative.
gains_below_zero <- function(criterion) {
  least <- if (criterion$name %in% c("tsallis_mutual", "beta")) 1 else 0
  value <- criterion$parameter
  length(value) > 0L && (value < least || (names(value) == "q" && value <= 0))
}

warn_q <- function(criterion) {
  if (!gains_below_zero(criterion)) {
    return(invisible())
  }
  parameter <- names(criterion$parameter)
  value <- criterion$parameter[[1L]]
  if (parameter == "q" && value <= 0) {
    tec_warn("q", c(
      "With {.code q = {value}} the entropy is not concave.",
      i = "Gains can be negative: a node splits only if the best gain is positive."
    ))
  } else {
    tec_warn(parameter, c(
      "Gains of {.val {criterion$name}} with {.code {parameter} = {value}} can be negative.",
      i = "A node splits only if the best gain is positive; from {.code {parameter} = 1} on no \
           gain is negative."
    ))
  }
}

check_task <- function(criterion, response) {
  if (criterion$task == response$task) {
    return(invisible())
  }
  name <- criterion$name
  if (response$task == "regression") {
    tec_abort("task", c(
      "Criterion {.val {name}} is for classification.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Use {.code criterion = \"l2\"} or {.val l1}, or make the response a factor."
    ))
  }
  tec_abort("task", c(
    "Criterion {.val {name}} is for regression.",
    x = "The response {.field {response$name}} contains classes.",
    i = "Use a classification criterion such as {.val gini}, or make the response numeric."
  ))
}

# Checks of `lookahead`. The core looks ahead (grow/look_ahead.hpp).

looks_ahead <- function(control) isTRUE(control$lookahead > 1)

# The number of splits tried in a node.
check_tried <- function(lookahead) {
  if (is.logical(lookahead) && length(lookahead) == 1L) {
    tec_abort("control", c(
      "{.arg lookahead} must be a number of splits of at least 1.",
      x = "It is {lookahead}.",
      i = "{.arg lookahead} of partykit, which tells whether branches can be split, has no
           counterpart."
    ))
  }
  check_bound(lookahead %||% 1, "lookahead", least = 1, whole = TRUE)
}

# `control` is resolved, and its rules are those of the task.
check_lookahead <- function(control) {
  if (!looks_ahead(control)) {
    return(control)
  }
  other <- c(
    if (identical(control$rules, "c45")) "rules = \"c45\"",
    if (identical(control$ties, "random")) "ties = \"random\"",
    if (!is.null(control$max_features)) "max_features",
    if (identical(control$splitter, "random")) "splitter = \"random\"",
    if (isTRUE(control$max_p < 1)) "max_p"
  )
  if (length(other)) {
    tec_abort("control", c(
      "{.arg lookahead} compares the best splits of all columns.",
      x = "{.code {other[[1L]]}} chooses splits in another way.",
      i = if (other[[1L]] == "rules = \"c45\"") {
        "Use {.code rules = \"exact\"}, or {.code lookahead = 1}."
      } else {
        "Leave one of the two out."
      }
    ))
  }
  control
}

# The penalty per leaf when subtrees are compared, as in later pruning. `weight`: that of all rows.
leaf_price <- function(control, weight) {
  by_penalty <- control$prune == "ccp"
  absolute <- by_penalty && is.numeric(control$alpha)
  list(
    leaf_price = if (absolute) control$alpha * weight else 0,
    leaf_price_share = if (by_penalty && !absolute) control$cp %||% 0 else 0
  )
}
