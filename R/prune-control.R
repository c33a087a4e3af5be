# Checks and defaults of the settings of pruning.

prune_methods <- c("auto", "none", "pep", "ebp", "ccp", "rep")
risk_kinds <- c("misclassification", "impurity")

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
      i = "It is the confidence of {.val ebp}: smaller values prune more. C4.5 uses 0.25."
    ))
  }
  as.double(cf)
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

# A number of folds, or the fold of each row.
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
      i = "0 turns cross-validation off."
    ))
  }
  as.double(folds)
}

# Checks the settings against the response. `validation`: the rows for "rep".
check_prune_task <- function(control, response, validation) {
  method <- control$prune
  if (response$task == "regression") {
    if (method %in% c("pep", "ebp")) abort_no_classes(method, response)
    if (identical(control$risk, "misclassification")) {
      tec_abort("prune", c(
        "{.code risk = \"misclassification\"} needs classes.",
        x = "The response {.field {response$name}} is numeric.",
        i = "Leave {.arg risk} out: the risk is then that of the criterion."
      ))
    }
    control$collapse <- FALSE
  }
  if (method == "rep" && is.null(validation)) {
    tec_abort("prune", c(
      "{.code prune = \"rep\"} needs rows that are not used to grow the tree.",
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

# Arguments that only one method uses are an error for the others.
check_prune_given <- function(method, given, alpha, raise) {
  refuse <- function(setting, ...) refuse_without(setting, given[c(...)], "prune")
  if (method != "ccp") refuse("method = \"ccp\"", "risk", "penalties")
  if (method != "ebp") refuse("method = \"ebp\"", "cf", "raise")
  if (method == "ebp" && isFALSE(raise)) refuse("raise = TRUE", "data", "weights")
  if (method != "ebp" && !is.character(alpha)) refuse("alpha = \"min\"", "data", "weights")
  if (given[["weights"]] && !given[["data"]]) abort_only_with("weights", "data", "prune")
}

penalty_rules <- c("weakest_link", "rpart")
