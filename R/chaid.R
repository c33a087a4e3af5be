#' @section CHAID:
#' `rules = "chaid"` (Kass, 1980) and `"chaid_exhaustive"` (Biggs, de Ville and Suen, 1991) divide a
#' column into as many branches as differ, and choose the column by the p value of a test:
#' Pearson's or the likelihood-ratio chi-square of classes by branches (`criterion = "chisq"`,
#' `"chisq_lr"`), of classes in order that of the row effects model against independence
#' (`"row_effects"`), of numbers (`"l2"`) F.
#'
#' - Categories are the levels of a factor that a node has. A number is cut once, in the whole
#'   sample, into `intervals` ordered groups of about equal counts.
#' - `"chaid"`: the pair of categories with the largest p value is merged while that is above
#'   `alpha_merge`, until two are left. Categories in order merge with neighbours only. With
#'   `alpha_resplit` a merged category of three or more is split in two where that has a p value of
#'   at most `alpha_resplit`. `"chaid_exhaustive"`: pairs are merged until two are left, and the set
#'   of categories with the smallest p value on the way is used.
#' - With `missing = "category"`, the default of the presets, missing values are one more category.
#'   In an ordered column, they join the group they differ least from, or stay alone, whichever has
#'   the smaller p value before it is adjusted. All other ways to handle missing values but
#'   `"learned"` are available.
#' - A category of less than `min_bucket` is merged with the one it differs least from.
#' - The p value is multiplied by the number of ways to merge so many categories into so many
#'   (Bonferroni; `p_adjust = "none"` leaves that out). The column with the smallest adjusted p
#'   value splits the node if that is at most `alpha_split`.
#' - With `"chaid_exhaustive"` p is multiplied by the number of pairs compared on the way (Biggs
#'   et al.):
#'   I (I - 1) / 2 of I ordered categories, I (I^2 - 1) / 6 of others, a third of SPSS's number.
#'
#' The tests take sums of weights as numbers of rows: of frequencies these are rows, of importance
#' as many as there are. The gain of a split is that of the Gini
#' index (`"chisq"`), of the entropy in bits, or of the squared error; its score is -log10 of the
#' adjusted p value.
#' The criteria `"chisq"`, `"chisq_lr"` and `"row_effects"` are also available with `rules =
#'"exact"`: then a column is split in two, or by level, in the way with the smallest p value, and
#'the column with the smallest adjusted p value wins. The p value is multiplied by the number of
#'ways to divide the column's values or levels in two.
#'
#' @param alpha_merge,alpha_split,alpha_resplit With the rules of CHAID: the p value above which two
#'   categories are merged, up to which a split is made, and up to which a merged category is split
#'   again (0: never).
#' @param p_adjust How p values are adjusted for the number of possible divisions: `"bonferroni"` or
#'   `"none"`.
#' @rdname tec_control
#' @name tec_control
NULL

#' @section Splits that may be chance: With `max_p` below 1 a split is made only where its p value
#' is at most `max_p`, by any criterion: by `p_by = "formula"` that of Pearson's chi-square of
#' classes by branches, or of F for the means of the branches, over the rows with a value, times the
#' number of ways to divide the column's values like that (`p_adjust = "none"`: as it is). By `p_by
#' = "permutation"` the share of `permutations` of the response over these rows whose best split of
#' the column is as good, which is adjusted by itself. `NULL` is a formula, and permutation where
#' there is none: for `criterion = "l1"`, for weights that are not whole numbers, and where classes
#' count differently (`prior`, `class_weights`, `cost_in`). Permutations follow [set.seed()]. Other
#' columns are not adjusted for: for p columns a `max_p` of 0.05 / p is as strict as CHAID's rule
#' for one.
#'
#' @param max_p The maximum p value of a split, see below; 1 tests nothing.
#' @param p_by `"formula"` or `"permutation"`, or `NULL`.
#' @param permutations The number of permutations, at least 19.
#' @param weights_as What `weights` are: `"importance"` or `"frequency"`, see *Weights*.
#' @rdname tec_control
#' @name tec_control
NULL

test_fields <- c("statistic", "df", "df2", "log_p", "log_times")
test_criteria <- c("chisq", "chisq_lr", "row_effects")

# Settings that a search by p values does not take; `missing`: as the user gave it, or NULL.
check_p_search <- function(control, criterion, missing = control$missing) {
  merges <- by_chaid(control)
  tests <- criterion$name %in% test_criteria
  # The preset of forests has "learned".
  if (tests && is.null(missing) && control$missing == "learned") control$missing <- "majority"
  if (merges && !tests && criterion$name != "l2") {
    tec_abort("control", c(
      "{.code rules = \"{control$rules}\"} is for criteria that test.",
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
      "{.code {odd[1L]}} is not available where splits are found by p values.",
      i = if (!merges && control$intervals > 2L) {
        "Use {.code rules = \"chaid\"} for several intervals."
      }
    ))
  }
}

# How p values for `max_p` are found, where the user does not say; `factors`: of the classes.
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

# The tests of a tree's splits: a data frame with a row a node, NA in leaves; NULL without tests.
# `df2` is that of an F statistic.
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

# "2", or "2 and 147" of F.
test_df <- function(test) {
  df <- number_text(test$df)
  ifelse(is.na(test$df2), df, paste0(df, " and ", number_text(test$df2)))
}

p_text <- function(p, digits = 2L, sign = TRUE) {
  small <- !is.na(p) & p < 1e-300
  out <- formatC(p, digits = digits, format = "g", width = 1L)
  ifelse(small, "< 1e-300", if (sign) paste("=", out) else out)
}
