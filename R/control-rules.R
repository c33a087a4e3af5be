#' @section The rules of C4.5:
#' `rules = "c45"` finds splits as C4.5 release 8 and its port J48 do; every
#' criterion of classes can be used with them. What C4.5 does with the information
#' gain is done with the criterion's cut measure, what it does with the gain ratio
#' with its score (see [tec_criteria()]).
#'
#' - A threshold leaves at least a tenth of the node's weight divided by the number
#'   of classes on either side: no less than `min_bucket`, no more than 25. (The 25
#'   holds above a larger `min_bucket` too.) A cut goes only between neighbouring
#'   values more than 1e-5 apart.
#' - Cuts are tried from the lowest up; a later one must be better by more than 1e-6.
#' - Where the cut measure is the information gain, log2(number of cuts tried) / n
#'   bits are taken off that of the best cut. What is then not above 0 is no split.
#'   This is so for `gain_ratio`, `shannon`, `cond_entropy`, `cami`, `cair`,
#'   `effcami0` and `effcami1`, and for `tsallis`, `tsallis_mutual` and `beta` with
#'   parameter 1.
#' - A nominal attribute with a branch per level needs two branches of `min_bucket`, and
#'   no gain to take part in the mean.
#' - Where a criterion's attributes must reach the mean, they may miss it by 1e-3.
#'   Nominal attributes with at least 0.3 times as many levels as there are training
#'   rows are left out of the mean unless all attributes are such; where no other
#'   attribute can be split, the node is a leaf.
#' - The best score wins, a later attribute's only if better by more than 1e-6. If none
#'   is above that, the node is a leaf.
#' - The threshold is the largest value in the training rows that is not above the
#'   midpoint.
#'
#' Where values are missing, measures count the known rows times their share of the
#' node, and the others are one more group of the split information. Level groups
#' (`nominal = "binary"`) and several `intervals` are not part of C4.5: they are searched
#' as with `"exact"`, without a deduction, and then compete by these rules.
#'
#' @param rules How a node's split is found among its candidates. `"exact"`: the best
#'   split of each attribute, then the best attribute. `"c45"`: as C4.5 release 8
#'   does it, see below; for classes only. `NULL`: the preset's.
#' @rdname tec_control
#' @name tec_control
NULL

preset_rules <- function(preset) if (preset == "c45") "c45" else "exact"

# The rules of C4.5 are for classes: a preset does not impose them on numbers,
# and nobody else may.
rules_for_task <- function(control, given, task) {
  if (task == "classification" || control$rules == "exact") {
    return(control)
  }
  if (!is.null(given)) {
    tec_abort("control", c(
      "{.code rules = \"c45\"} is for a response of classes.",
      x = "The response is numeric.",
      i = "Use {.code rules = \"exact\"}, or leave {.arg rules} out."
    ))
  }
  control$rules <- "exact"
  control
}
