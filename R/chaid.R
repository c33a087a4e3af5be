#' @section CHAID:
#' `rules = "chaid"` (Kass, 1980) and `"chaid_exhaustive"` (Biggs, de Ville and Suen, 1991) divide a
#' column into as many branches as differ significantly, and choose the column by the p value of a
#' test. For classes this is Pearson's or the likelihood-ratio chi-square test of classes by
#' branches (`criterion = "chisq"`, `"chisq_lr"`), for ordered classes the test of the row effects
#' model against independence (`"row_effects"`), and for numbers the F test (`"l2"`).
#'
#' - Categories are the levels of a factor that occur in a node. A numeric column is cut once, in
#'   the whole sample, into `intervals` ordered groups of about equal counts.
#' - `"chaid"`: the pair of categories with the largest p value is merged, as long as that p value
#'   is above `alpha_merge` and more than two categories are left. Ordered categories merge with
#'   neighbours only. With `alpha_resplit` a merged category of three or more is split in two again
#'   if the p value of that split is at most `alpha_resplit`. `"chaid_exhaustive"`: pairs are merged
#'   until two are left, and the set of categories with the smallest p value on the way is used.
#' - With `missing = "category"`, the default of the presets, missing values are one more category.
#'   In an ordered column, they join the group they differ least from, or stay alone, whichever has
#'   the smaller unadjusted p value. All other values of `missing` except `"learned"` are also
#'   available.
#' - A category smaller than `min_bucket` is merged with the one it differs least from.
#' - The p value is multiplied by the number of ways to merge the original categories into the final
#'   number of categories (Bonferroni; `p_adjust = "none"` leaves that out). The column with the
#'   smallest adjusted p value splits the node if that p value is at most `alpha_split`.
#' - With `"chaid_exhaustive"` the p value is multiplied by the number of pairs compared on the way
#'   (Biggs et al.): I (I - 1) / 2 for I ordered categories, I (I^2 - 1) / 6 for others, which is a
#'   third of SPSS's number.
#'
#' The tests take sums of weights as numbers of rows. Sums of frequencies are numbers of rows, and
#' importance weights add up to the number of rows. The gain of a split is that of the Gini index
#' (`"chisq"`), of the entropy in bits, or of the squared error. Its score is -log10 of the adjusted
#' p value.
#'
#' The criteria `"chisq"`, `"chisq_lr"` and `"row_effects"` are also available with
#' `rules = "exact"`. A column is then split in two, or by level, in the way with the smallest p
#' value, and the column with the smallest adjusted p value wins. The p value is multiplied by the
#' number of ways to divide the column's values or levels in two.
#'
#' @param alpha_merge,alpha_split,alpha_resplit For the rules of CHAID: the p value above which two
#'   categories are merged, the p value up to which a split is made, and the p value up to which a
#'   merged category is split again (0: never).
#' @param p_adjust How p values are adjusted for the number of possible divisions: `"bonferroni"` or
#'   `"none"`.
#' @rdname tec_control
#' @name tec_control
NULL

#' @section Significance of splits: With `max_p` below 1 a split is made only if its p value is
#' at most `max_p`, whatever the criterion. With `p_by = "formula"` this is the p value of Pearson's
#' chi-square test of classes by branches, or of the F test for the means of the branches, over the
#' rows with a value. It is multiplied by the number of ways to divide the column's values in the
#' same way (unless `p_adjust = "none"`). With `p_by = "permutation"` it is the share of
#' `permutations` of the response over these rows for which the best split of the column is as good,
#' which needs no adjustment. `NULL` uses the formula, or permutations if there is no formula: for
#' `criterion = "l1"`, for weights that are not whole numbers, and if classes count differently
#' (`prior`, `class_weights`, `cost_in`). Permutations follow [set.seed()]. The p values are not
#' adjusted for the number of columns: for p columns, a `max_p` of 0.05 / p is as strict as CHAID's
#' rule with one column.
#'
#' @param max_p Maximum p value of a split, see below; 1 means that splits are not tested.
#' @param p_by `"formula"`, `"permutation"` or `NULL`, see below.
#' @param permutations Number of permutations, at least 19.
#' @param weights_as Meaning of `weights`: `"importance"` or `"frequency"`, see *Weights*.
#' @rdname tec_control
#' @name tec_control
NULL

test_fields <- c("statistic", "df", "df2", "log_p", "log_times")
test_criteria <- c("chisq", "chisq_lr", "row_effects")

# Refuses settings that a search by p values does not support. `missing`: as given by the user, or
# NULL.
check_p_search <- function(control, criterion, missing = control$missing) {
  merges <- by_chaid(control)
  tests <- criterion$name %in% test_criteria
  # The preset of forests has "learned".
  if (tests && is.null(missing) && control$missing == "learned") control$missing <- "majority"
  if (merges && !tests && criterion$name != "l2") {
    tec_abort("control", c(
      "{.code rules = \"{control$rules}\"} needs a criterion with a test.",
      x = "The criterion is {.val {criterion$name}}.",
      i = "Use {.val {test_criteria}}, or {.val l2} for a numeric response."
    ))
  }
  if (control$missing == "category" && !merges) {
    tec_abort("control", c(
      "{.code missing = \"category\"} is for the rules of CHAID.",
      x = "The rules are {.val {control$rules}}.",
      i = "Use {.code missing = \"learned\"}, or {.code rules = \"chaid\"}."
    ))
  }
  if (merges || tests) check_test_settings(control, merges)
  control
}

check_test_settings <- function(control, merges) {
  odd <- c(
    if (merges && isTRUE(control$max_p < 1)) paste("max_p =", control$max_p),
    if (control$missing == "learned") "missing = \"learned\"",
    if (control$splitter == "random") "splitter = \"random\"",
    if (!merges && control$intervals > 2L) paste("intervals =", control$intervals)
  )
  if (length(odd)) {
    tec_abort("control", c(
      "{.code {odd[1L]}} is not available if splits are found by p values.",
      i = if (!merges && control$intervals > 2L) {
        "Use {.code rules = \"chaid\"} for several intervals."
      }
    ))
  }
}

# The default of `p_by`. `factors`: the weight factors of the classes.
resolve_p_by <- function(control, criterion, weights, factors) {
  if (!isTRUE(control$max_p < 1) || !is.null(control$p_by)) {
    return(control)
  }
  whole <- is.null(weights) || all(weights == round(weights))
  plain <- all(abs(unlist(factors) - 1) < 1e-12)
  known <- by_chaid(control) || criterion$name %in% test_criteria ||
    criterion$name != "l1" && whole && plain
  control$p_by <- if (known) "formula" else "permutation"
  control
}

# The tests of a tree's splits: a data frame with one row per node, NA in leaves; NULL without
# tests. `df2` is the second number of degrees of freedom of an F statistic.
split_tests <- function(tree) {
  if (is.null(tree$test)) NULL else test_table(as.data.frame(tree$test))
}

test_table <- function(test) {
  p <- exp(test$log_p)
  list2DF(list(
    statistic = test$statistic, df = test$df, df2 = ifelse(test$df2 > 0, test$df2, NA_real_),
    p = p, p_adjusted = pmin(1, exp(test$log_p + test$log_times))
  ))
}

test_name <- function(test) ifelse(is.na(test$df2), "chi-square", "F")

# "chi-square = 12.3, df = 2, p = 0.0021, adjusted p = 0.0063"
test_texts <- function(test, digits = 4L) {
  number <- function(x) formatC(x, digits = digits, format = "g", width = 1L)
  paste0(
    test_name(test), " = ", number(test$statistic), ", df = ", test_df(test),
    ", p ", p_text(test$p), ", adjusted p ", p_text(test$p_adjusted)
  )
}

# "2", or "2 and 147" for an F test.
test_df <- function(test) {
  df <- number_text(test$df)
  ifelse(is.na(test$df2), df, paste0(df, " and ", number_text(test$df2)))
}

p_text <- function(p, digits = 2L, sign = TRUE) {
  small <- !is.na(p) & p < 1e-300
  out <- formatC(p, digits = digits, format = "g", width = 1L)
  ifelse(small, "< 1e-300", if (sign) paste("=", out) else out)
}
