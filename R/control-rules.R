#' @section The rules of C4.5:
#' `rules = "c45"` finds splits in the same way as C4.5 release 8 and its port J48, for any
#' classification criterion. The cut measure of the criterion replaces the information gain, and its
#' score replaces the gain ratio (see [tec_criteria()]).
#'
#' - Each branch of a numeric cut needs a tenth of the node's weight divided by the number of
#'   classes, but at least `min_bucket` and at most 25. (The 25 also limits a larger `min_bucket`.)
#'   Cuts are made only between neighbouring values that differ by more than 1e-5.
#' - Cuts are tried in increasing order; a later cut must be better by more than 1e-6.
#' - If the cut measure is the information gain, log2(number of cuts tried) / n bits are subtracted
#'   from the gain of the best cut, and there is no split unless the rest is positive. This applies
#'   to `gain_ratio`, `shannon`, `cond_entropy`, `cami`, `cair`, `effcami0` and `effcami1`, and to
#'   `tsallis`, `tsallis_mutual` and `beta` with parameter 1.
#' - A factor with a branch per level needs two branches of `min_bucket`. It enters the mean gain
#'   even without any gain.
#' - If a criterion requires at least the mean gain, predictors may miss it by 1e-3. Factors with at
#'   least 0.3 times as many levels as training rows do not enter the mean, unless all predictors
#'   are of this kind; if no other predictor can be split, the node is a leaf.
#' - The best score wins; a later predictor must be better by more than 1e-6. If no score is above
#'   1e-6, the node is a leaf.
#' - The cut is at the largest value in the training rows that is not above the midpoint.
#'
#' With missing values, measures are those of the rows with a value times their share of the node,
#' and the other rows are an extra group in the split information. Groups of levels
#' (`nominal = "binary"`) and more than two `intervals` are not part of C4.5. They are searched as
#' with `"exact"`, without the subtraction, and then compete by these rules.
#'
#' @param rules How the split of a node is chosen. `"exact"`: the best split of each predictor, then
#'   the best predictor. `"c45"`: the rules of C4.5 release 8, see below, for classification only.
#'   `"chaid"` and `"chaid_exhaustive"`: the rules of CHAID, see below. `NULL`: the rules of the
#'   preset.
#' @rdname tec_control
#' @name tec_control
NULL

# C4.5 does not say whether a learned branch would pay for the number of cuts tried.
check_c45_missing <- function(control) {
  if (control$rules != "c45" || control$missing != "learned") {
    return(control)
  }
  tec_abort("control", c(
    "{.code missing = \"learned\"} is not available with the rules of C4.5.",
    x = "These are {.code rules = \"c45\"}, also set by {.code preset = \"c45\"}.",
    i = "Use {.code missing = \"fractional\"}, the rule of C4.5, or {.code rules = \"exact\"}."
  ))
}

# The rules of C4.5 are for classification. A preset does not apply them to regression, and an
# explicit argument is an error.
rules_for_task <- function(control, given, task) {
  if (control$rules != "c45") {
    return(control)
  }
  if (task == "classification") {
    return(check_c45_missing(control))
  }
  if (!is.null(given)) {
    tec_abort("control", c(
      "{.code rules = \"c45\"} needs a response of classes.",
      x = "The response is numeric.",
      i = "Use {.code rules = \"exact\"}, or leave {.arg rules} out."
    ))
  }
  control$rules <- "exact"
  control
}

chaid_rules <- c("chaid", "chaid_exhaustive")

by_chaid <- function(control) isTRUE(control$rules %in% chaid_rules)

by_permutation <- function(control) {
  isTRUE(control$max_p < 1) && identical(control$p_by, "permutation")
}
