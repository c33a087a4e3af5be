#' Control parameters
#'
#' The settings of [tec_tree()] and [tec_scores()]. They may be given to those
#' functions directly, or as `control = tec_control(...)` or any other list, such as
#' `rpart::rpart.control()` makes (see [other-words]); where both are given, the direct ones win.
#'
#' Sizes are sums of case weights, so that a row of weight 2 counts as two rows.
#' Where only one of `min_bucket` and `min_split` is given, the other follows: `min_split` is twice
#' `min_bucket`, and `min_bucket` half of `min_split`, rounded down. With `preset = "cart"` it is
#' three times and a third (rounded, and never more than half).
#'
#' `min_gain` is absolute, in the units of the criterion. `min_weighted_gain` is too, but counts the
#' gain times the node's share of the weight: what the split takes off the impurity of the whole
#' tree, as `min_impurity_decrease` of scikit-learn. `cp` is relative to the
#' root, as in `rpart::rpart()`: the complexity penalty per leaf for `prune = "ccp"`, which a `cp`
#' or `alpha` above 0 asks for by itself; `cp = 0` alone keeps every split. With `cp`, the table of the tree down to
#' this penalty is kept, see [cp_table()], and its cross-validated errors. R's random numbers
#' assign the rows to `folds`. The tree itself is that of the
#' penalty; with `alpha = "min"` or `"1se"` it is chosen by its cross-validated error.
#' Splits that this penalty would prune are not grown in the first place.
#'
#' # Missing values
#'
#' | `missing` | search of a split | rows without a value go | in prediction |
#' |---|---|---|---|
#' | `"fractional"` | gain times the share of weight with a value; those without are one more group in a ratio's split information | down every branch, their weight shared in proportion to its known weight | the same: a mean over leaves |
#' | `"majority"` | without them | to the branch of largest weight | the same |
#' | `"mode"` | the node's most frequent value (lower median where numeric) is filled in | as filled in | as filled in |
#' | `"surrogate"` | gain times the share of weight with a value | where the best surrogate with a value sends them, else to the branch of largest weight | the same |
#' | `"drop"` | without them | nowhere: they leave the tree | ends at that node |
#'
#' `"fractional"` is C4.5's and the default of the presets `"tec"` and `"c45"`;
#' `"surrogate"` is CART's as the package rpart has it, and the default of `"cart"`. A
#' surrogate is a split in two of another column that predicts the branch better than
#' the larger branch alone; splits into more branches have none. Sums of weights, such as
#' `min_bucket` compares, are those of the parts of rows. A column without any value
#' is never split on.
#'
#' @param min_split A node of less weight than this is a leaf. `NULL`: the
#'   preset's.
#' @param min_bucket The least weight of a branch, at least 1. Every branch of a
#'   binary or interval split, at least two branches of a multiway split. `NULL`:
#'   the preset's.
#' @param max_depth The depth at which nodes are leaves; the root has depth 0. `NULL` is `Inf`.
#' @param max_leaves The most leaves; the splits of largest gain times weight are
#'   made first. `NULL` is `Inf`.
#' @param min_gain A node is split only where the split gains more than this, any number in the
#'   units of the criterion. `-Inf` takes the best split, whatever it gains: so a tree learns what
#'   no column says alone, such as an exclusive or. The rules of C4.5 ask for a gain in any case.
#'   `NULL`: the preset's, `-Inf` with `"id3"`, otherwise 0.
#' @param min_weighted_gain A split must gain at least this times the node's share of the root's
#'   weight. A node whose best split does not is a leaf.
#' @param min_bucket_share The least weight of a branch as a share of the weight of all rows, from
#'   0 to 0.5; `min_bucket` holds as well.
#' @param min_impurity A node of this impurity or less is a leaf, in the units of the criterion.
#' @param ties Which of the attributes that tie wins a node: the `"first"`, or one drawn at
#'   `"random"`, so that importance does not lean towards the columns on the left.
#' @param max_features How many columns a node searches, drawn at random: a number, a share below
#'   1, `"sqrt"` or `"log2"` of their number. More are drawn where none of these has a split.
#'   `NULL`: all columns.
#' @param splitter `"best"`: the best cut of each column. `"random"`: of each column one cut drawn
#'   at random, between its least and its largest value; the best of these splits the node. What
#'   `ties`, `max_features` and `splitter` draw follows from [set.seed()].
#' @param nominal How factors, characters and logicals are split: `"binary"` (two
#'   groups of levels), `"multiway"` (a branch per level) or `"ordered"` (a
#'   threshold on the level codes). `NULL`: the preset's.
#' @param intervals The most intervals a numeric column is cut into; 2 is the
#'   ordinary threshold.
#' @param missing What happens to rows without a value, in the search of a split, at
#'   the split and in prediction: see below. `NULL`: the preset's.
#' @param max_surrogate With `missing = "surrogate"`, the most surrogates kept
#'   per node.
#' @param use_surrogate With `missing = "surrogate"`: 2, a row without a value follows
#'   the best surrogate that has one, else the branch of largest weight; 1, the same
#'   surrogates, else the row goes no further; 0, surrogates are only kept to be looked
#'   at, and the row goes no further.
#' @param surrogate_style The agreement that ranks surrogates: 0, as a share of all rows
#'   whose value is known at the split; 1, of those that also have a value for the
#'   surrogate.
#' @param unseen What prediction makes of a level that training never saw: it is
#'   `"missing"`, with a warning, or an `"error"`.
#' @param prune How the tree is pruned: `"none"`, `"ccp"`, `"pep"`, `"ebp"` or `"rep"`,
#'   see [tec_prune()], or `"auto"`: `"ccp"` with `alpha = "min"`, on folds that follow from
#'   the data alone, and nothing with fewer than 50 rows. `NULL`: the preset's, or `"ccp"`
#'   where `cp` or `alpha` is above 0. `"rep"` needs the argument `validation` of [tec_tree()].
#' @param cf The confidence of `"ebp"`, above 0 and not above 0.5.
#' @param raise Whether `"ebp"` may put a node's largest branch in its place.
#' @param collapse Whether subtrees that save no training error are pruned before
#'   any pruning. `NULL`: with `preset = "c45"`, as C4.5 does.
#' @param cp,alpha The complexity penalty per leaf for `"ccp"`: `cp` as a share of the root's risk,
#'   `alpha` in units of the mean risk. `alpha` may also be `"min"` or `"1se"`: the
#'   tree of least cross-validated error, or the smallest within one standard error
#'   of it, down to the penalty `cp` if that is given too. With neither, `"ccp"`
#'   has `cp = 0.01`.
#' @param folds For `"ccp"` and `"auto"`: the number of folds of the cross-validation, 0 for none,
#'   or the fold of each row. `NULL`: 10, with `"auto"` 5 for more than 10,000 rows.
#' @param risk The risk of a leaf for `"ccp"`: `"misclassification"` or `"impurity"`, see
#'   [tec_prune()]. Cross-validated errors, by which `"min"` and `"1se"` choose, count
#'   wrong predictions with either.
#' @param penalties The rule that gives each split its complexity penalty for `"ccp"`:
#'   `"weakest_link"`, that of Breiman et al. (1984), or `"rpart"`, that of the package rpart; see
#'   [cp_table()]. `NULL`: `"rpart"` with `preset = "cart"`, else `"weakest_link"`.
#' @param eligible Which attributes may win a node: `"default"` (the criterion's
#'   own rule), `"all"`, `"mean"` (cut measure at least the mean) or `"mean_sd"`
#'   (at least the mean less one standard deviation).
#' @param smooth Rows, spread evenly over the classes, that are added to a node where class shares
#'   are predicted: with n rows of which a share p is of a class, and K classes, that is
#'   (n p + `smooth` / K) / (n + `smooth`). Which class has the largest share does not change. What
#'   describes the tree, such as [print()][print.tec_tree] and [plot()][plot.tec_tree], shows the
#'   shares of its rows. `NULL`: the preset's, 2 with `"tec"`, else 0.
#' @param threads The number of threads, at most one per processor. `NULL`: the
#'   option `tectree.threads`, or else one per processor, within the limit
#'   `OMP_THREAD_LIMIT`. The tree is the same for any number.
#' @param ... Settings under the names that other packages have for them, such as `minsplit` or
#'   `min_samples_leaf`: see [other-words]. Any other name is an error.
#' @return A list of class `tec_control`. `NULL` entries are filled in from the
#'   preset.
#' @family tree growing functions
#' @examples
#' tec_control(min_bucket = 3, max_depth = 4)
#' tec_control(minbucket = 3)
#' @export
tec_control <- function(min_split = NULL, min_bucket = NULL, max_depth = Inf, max_leaves = Inf,
                        min_gain = NULL, nominal = NULL, intervals = 2L, missing = NULL,
                        max_surrogate = 5L, use_surrogate = 2L, surrogate_style = 0L,
                        unseen = "missing", prune = NULL, eligible = "default", rules = NULL,
                        threads = NULL, cf = 0.25, raise = TRUE, collapse = NULL, cp = NULL,
                        alpha = NULL, folds = NULL, risk = NULL, min_weighted_gain = 0,
                        min_bucket_share = 0, min_impurity = 0, ties = "first",
                        max_features = NULL, splitter = "best", penalties = NULL,
                        smooth = NULL, ...) {
  own <- with_our_names(list(...), character(), names(match.call())[-1L])
  if (length(own)) {
    check_known(dot_names(own), control_names, "tec_control")
    given <- as.list(match.call(expand.dots = FALSE))[-1L]
    given[["..."]] <- NULL
    given <- lapply(given, eval, envir = parent.frame())
    return(do.call(tec_control, c(given, own)))
  }
  structure(
    list(
      min_split = check_bound(min_split, "min_split", least = 1, optional = TRUE),
      min_bucket = check_bound(min_bucket, "min_bucket", least = 1, optional = TRUE),
      max_depth = check_bound(max_depth %||% Inf, "max_depth", least = 0, whole = TRUE),
      max_leaves = check_bound(max_leaves %||% Inf, "max_leaves", least = 1, whole = TRUE),
      min_gain = check_bound(min_gain, "min_gain", least = -Inf, optional = TRUE),
      nominal = check_optional(nominal, c("binary", "multiway", "ordered"), "nominal"),
      intervals = check_count(intervals, "intervals", least = 2),
      missing = check_optional(missing, missing_policies, "missing"),
      max_surrogate = check_count(max_surrogate, "max_surrogate", least = 0),
      use_surrogate = check_code(use_surrogate, "use_surrogate", 0:2),
      surrogate_style = check_code(surrogate_style, "surrogate_style", 0:1),
      unseen = match_choice(unseen, c("missing", "error"), "unseen", "control"),
      prune = check_pruner(prune),
      eligible = match_choice(eligible, eligible_rules, "eligible", "control"),
      rules = check_optional(rules, c("exact", "c45"), "rules"),
      threads = if (!is.null(threads)) check_count(threads, "threads", least = 1),
      cf = check_cf(cf),
      raise = check_flag(raise, "raise"),
      collapse = check_flag(collapse, "collapse", optional = TRUE),
      cp = check_cp(cp),
      alpha = check_alpha(alpha),
      folds = check_folds(folds),
      risk = check_optional(risk, risk_kinds, "risk"),
      min_weighted_gain = check_bound(min_weighted_gain, "min_weighted_gain", least = 0),
      min_bucket_share = check_share(min_bucket_share, "min_bucket_share"),
      min_impurity = check_bound(min_impurity, "min_impurity", least = 0),
      ties = match_choice(ties, c("first", "random"), "ties", "control"),
      max_features = check_max_features(max_features),
      splitter = match_choice(splitter, c("best", "random"), "splitter", "control"),
      penalties = check_optional(penalties, penalty_rules, "penalties"),
      smooth = check_smooth(smooth)
    ),
    class = "tec_control"
  )
}

eligible_rules <- c("default", "all", "mean", "mean_sd")
control_names <- c(
  "min_split", "min_bucket", "max_depth", "max_leaves", "min_gain", "nominal", "intervals",
  "missing", "max_surrogate", "use_surrogate", "surrogate_style", "unseen", "prune", "eligible",
  "rules", "threads", "cf", "raise", "collapse", "cp", "alpha", "folds", "risk",
  "min_weighted_gain", "min_bucket_share", "min_impurity", "ties", "max_features", "splitter",
  "penalties", "smooth"
)
missing_policies <- c("fractional", "majority", "mode", "surrogate", "drop")

# The control of a call: `control =` as given (or NULL), overridden by `...`.
merge_control <- function(control, dots, known, what) {
  dots <- with_our_names(dots, known)
  names <- dot_names(dots)
  check_known(names, c(control_names, known), what)
  # An argument of another way to call the function.
  check_known(names, control_names, what)
  direct <- do.call(tec_control, dots)
  if (is.null(control)) {
    return(direct)
  }
  control <- as_control(control)
  for (field in intersect(names, control_names)) {
    control[field] <- list(direct[[field]])
  }
  control
}

default_threads <- function(threads = NULL) {
  if (!is.null(threads)) {
    return(check_count(threads, "threads", least = 1))
  }
  option <- getOption("tectree.threads")
  if (!is.null(option)) {
    return(check_count(option, "tectree.threads", least = 1))
  }
  cores <- tec_cores_()
  # CRAN's checks set this where at most two cores may be used.
  if (nzchar(Sys.getenv("_R_CHECK_LIMIT_CORES_"))) {
    cores <- min(cores, 2L)
  }
  limit <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT")))
  if (!is.na(limit) && limit >= 1L) min(cores, limit) else cores
}

core_control <- function(control) {
  control$threads <- default_threads(control$threads)
  control$rules <- control$rules %||% "exact"
  unclass(control)[control_names[!control_names %in% c(prune_settings, outside_core)]]
}
outside_core <- c("unseen", "ties", "max_features", "splitter", "smooth")

shown_setting <- function(v) if (length(v) == 1L) format(v) else paste(length(v), "values")

#' @export
print.tec_control <- function(x, ...) {
  shown <- vapply(x, function(v) if (is.null(v)) "(default)" else shown_setting(v), "")
  writeLines(c("<tec_control>", paste0("  ", format(names(shown)), " ", shown)))
  invisible(x)
}
