# The settings of pruning: their checks and defaults.

prune_methods <- c("auto", "none", "pep", "ebp", "ccp", "rep")
risk_kinds <- c("misclassification", "impurity")
prune_settings <- c(
  "prune", "cf", "raise", "collapse", "alpha", "cp", "folds", "risk", "penalties"
)

check_pruner <- function(prune) {
  if (is.character(prune) && length(prune) == 1L && prune %in% c("min", "1se")) {
    tec_abort("control", c(
      "{.arg prune} must be one of {.or {.val {prune_methods}}}.",
      x = "It is {.val {prune}}.",
      i = "By cross-validation: {.code alpha = \"{prune}\"}."
    ))
  }
  if (isTRUE(prune) || isFALSE(prune)) {
    tec_abort("control", c(
      "{.arg prune} must be one of {.or {.val {prune_methods}}}.",
      x = "It is {describe(prune)}.",
      i = "Did you mean {.val {if (prune) 'auto' else 'none'}}?"
    ))
  }
  check_optional(prune, prune_methods, "prune")
}

check_cf <- function(cf) {
  if (!is_number(cf) || cf <= 0 || cf > 0.5) {
    tec_abort("prune", c(
      "{.arg cf} must be one number above 0 and not above 0.5.",
      x = "It is {describe(cf)}.",
      i = "It is the confidence of {.val ebp}: smaller values prune more. C4.5 has 0.25."
    ))
  }
  as.double(cf)
}

check_flag <- function(value, arg, optional = FALSE, topic = "prune") {
  if (optional && is.null(value)) {
    return(NULL)
  }
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    tec_abort(topic, c(
      "{.arg {arg}} must be TRUE or FALSE.",
      x = "It is {describe(value)}."
    ))
  }
  value
}

# A penalty per leaf, or the rule that chooses it.
check_alpha <- function(alpha) {
  if (is.null(alpha) || identical(alpha, "min") || identical(alpha, "1se")) {
    return(alpha)
  }
  if (!is_number(alpha) || alpha < 0 || !is.finite(alpha)) {
    tec_abort("prune", c(
      "{.arg alpha} must be one finite number of at least 0, {.val min} or {.val 1se}.",
      x = "It is {describe(alpha)}.",
      i = "{.val min} and {.val 1se} choose by cross-validation."
    ))
  }
  as.double(alpha)
}

check_cp <- function(cp) {
  if (is.null(cp)) {
    return(NULL)
  }
  if (!is_number(cp) || cp < 0 || !is.finite(cp)) {
    tec_abort("prune", c(
      "{.arg cp} must be one finite number of at least 0.",
      x = "It is {describe(cp)}.",
      i = "It is a share of the root's risk; {.code prune = \"none\"} keeps every split."
    ))
  }
  as.double(cp)
}

# A number of folds, or each row's fold.
check_folds <- function(folds) {
  if (is.null(folds)) {
    return(NULL)
  }
  if (length(folds) > 1L) {
    if (!is.numeric(folds) || anyNA(folds) || any(folds != round(folds))) {
      tec_abort("prune", c(
        "{.arg folds} must be one number, or the fold of each row as whole numbers.",
        x = "It is {describe(folds)}."
      ))
    }
    if (length(unique(folds)) < 2L) {
      tec_abort("prune", c(
        "{.arg folds} must name at least two folds.",
        x = "Every row is in fold {folds[1]}."
      ))
    }
    return(as.double(folds))
  }
  if (!is_number(folds) || folds < 0 || folds != round(folds) || is.infinite(folds)) {
    tec_abort("prune", c(
      "{.arg folds} must be one whole number of at least 0, or the fold of each row.",
      x = "It is {describe(folds)}.",
      i = "0 does without cross-validation."
    ))
  }
  as.double(folds)
}

# Resolves the pruning of a call: afterwards `prune` is one of prune_methods.
resolve_prune <- function(control, preset) {
  asks_ccp <- is.character(control$alpha) || isTRUE(control$alpha > 0) || isTRUE(control$cp > 0)
  penalties <- c("alpha", "cp")[!c(is.null(control$alpha), is.null(control$cp))]
  method <- control$prune
  if (is.null(method)) {
    method <- if (asks_ccp || is.numeric(control$alpha)) "ccp" else presets[[preset]]$prune
    # A penalty of 0 is no pruning.
    if (method == "auto" && !is.null(control$cp)) method <- "none"
  } else if (method != "ccp" && asks_ccp) {
    tec_abort("prune", c(
      "{.arg {penalties}} {?is/are} for {.code prune = \"ccp\"}.",
      x = "{.arg prune} is {.val {method}}.",
      i = "Leave one of the two out."
    ))
  }
  if (length(penalties) == 2L && is.numeric(control$alpha)) {
    tec_abort("prune", c(
      "{.arg alpha} and {.arg cp} are two names of one penalty.",
      x = "Both are numbers.",
      i = "{.arg alpha} is in units of the risk, {.arg cp} in shares of the root's: give one."
    ))
  }
  control$prune <- method
  # "auto" decides when it knows the rows.
  if (method != "auto") control$folds <- control$folds %||% 10
  control$collapse <- control$collapse %||% (preset == "c45")
  control$penalties <- control$penalties %||% presets[[preset]]$penalties %||% "weakest_link"
  if (method == "ccp" && length(penalties) == 0L) {
    control$cp <- 0.01
  }
  control
}

# What the response allows. `validation` is the data for "rep".
check_prune_task <- function(control, response, validation) {
  method <- control$prune
  if (response$task == "regression") {
    if (method %in% c("pep", "ebp")) abort_no_classes(method, response)
    if (identical(control$risk, "misclassification")) {
      tec_abort("prune", c(
        "{.code risk = \"misclassification\"} needs classes.",
        x = "The response {.field {response$name}} is numeric.",
        i = "Leave {.arg risk} out: it is then the criterion's deviation."
      ))
    }
    control$collapse <- FALSE
  }
  if (method == "rep" && is.null(validation)) {
    tec_abort("prune", c(
      "{.code prune = \"rep\"} needs rows that the tree is not grown from.",
      i = "Give them as {.arg validation}, a data frame with the response."
    ))
  }
  if (method != "rep" && !is.null(validation)) {
    tec_abort("prune", c(
      "{.arg validation} is for {.code prune = \"rep\"}.",
      x = "{.arg prune} is {.val {method}}."
    ))
  }
  control$risk <- control$risk %||%
    if (response$task == "regression") "impurity" else "misclassification"
  control
}

abort_no_classes <- function(method, response) {
  tec_abort("prune", c(
    "Pruning by {.val {method}} counts errors and is for classification.",
    x = "The response {.field {response$name}} is numeric.",
    i = "Use {.val ccp} or {.val rep}, or {.code prune = \"none\"}."
  ))
}

# What else a method reads is refused for the others.
check_prune_given <- function(method, given, alpha, raise) {
  refuse <- function(setting, ...) refuse_without(setting, given[c(...)], "prune")
  if (method != "ccp") refuse("method = \"ccp\"", "risk", "penalties")
  if (method != "ebp") refuse("method = \"ebp\"", "cf", "raise")
  if (method == "ebp" && isFALSE(raise)) refuse("raise = TRUE", "data", "weights")
  if (method != "ebp" && !is.character(alpha)) refuse("alpha = \"min\"", "data", "weights")
  if (given[["weights"]] && !given[["data"]]) abort_only_with("weights", "data", "prune")
}
