# Tested in test-control.R.

#' Control parameters
#'
#' The settings of [tec_tree()] and [tec_scores()]. Give them to these functions directly, or as
#' `control = tec_control(...)` or another list, such as that of `rpart::rpart.control()` (see
#' [other-words]). Settings given directly override `control`.
#'
#' Sizes count rows, whatever these weigh (see *Weights*). If only one of `min_bucket` and
#' `min_split` is given, the other is derived from it: `min_split` is twice `min_bucket`, and
#' `min_bucket` is half of `min_split`, rounded down. With `preset = "cart"`, it is three times or
#' one third (rounded, and at most half).
#'
#' `min_gain` is in the units of the criterion. `min_weighted_gain` compares the gain times the
#' node's share of the weight, that is, the decrease of the impurity of the whole tree, like
#' `min_impurity_decrease` of scikit-learn.
#'
#' `cp` is the complexity penalty per leaf for `prune = "ccp"`, relative to the root as in
#' `rpart::rpart()`. A `cp` or `alpha` above 0 implies `prune = "ccp"`; `cp = 0` alone keeps every
#' split. The fit keeps its [cp_table()] down to the penalty `cp`, with cross-validated errors; the
#' folds are drawn from R's random numbers. With `cp` the tree is that of the penalty; `alpha =
#' "min"` or `"1se"` chooses it by cross-validated error. Splits that would be pruned are not grown.
#'
#' # Weights
#'
#' `weights` are importance by default (`weights_as = "importance"`). They are divided by their
#' mean, so only their ratios matter, and weights that are all equal change nothing. They enter all
#' sums: what a criterion, the value of a leaf, an error and a penalty are made of. They enter no
#' size: `min_split`, `min_bucket`, `min_bucket_share`, the number of rows below which nothing is
#' pruned, folds and bags count rows, as in rpart, ranger, scikit-learn and xgboost.
#'
#' Where a row stands for several, its weight is a frequency: `weights_as = "frequency"`, or
#' `weights` of the class that `hardhat::frequency_weights()` gives. The model is that of the rows
#' repeated, in sizes, folds, bags and out-of-bag errors too. Frequencies are whole numbers. Results
#' by row of the data, such as `fitted()`, still have one value for each row; the out-of-bag
#' prediction of a forest is that of all trees that left out one of the copies, put together. Rows
#' that are counted in a database, in files or by a cluster take frequencies only. There folds and
#' bags are of the rows of the table.
#'
#' C4.5 compares sums of weights with its sizes, so with `rules = "c45"` (`preset = "c45"`) weights
#' count as they are given, in sums and in sizes. A fit remembers what its weights are: weights
#' given again with data, for example to [tec_prune()], mean the same.
#'
#' # Missing values
#'
#' | `missing` | search of a split | rows with a missing value go | in prediction |
#' |---|---|---|---|
#' | `"fractional"` | gain times the share of weight with a value; the rest is an extra group in the split information of ratios | down every branch, with weights in proportion to the known weight | the same: a mean over leaves |
#' | `"majority"` | without them | to the branch with the largest weight | the same |
#' | `"mode"` | the node's most frequent value (lower median if numeric) is imputed | by the imputed value | by the imputed value |
#' | `"learned"` | splits in two: with all of them on either side, where the gain is larger; splits into more branches: without them | to the side with the larger gain; if the node had none in training, or more than two branches: to the branch with the largest weight | the same |
#' | `"surrogate"` | gain times the share of weight with a value | where the best surrogate with a value sends them, otherwise to the branch with the largest weight | the same |
#' | `"category"` | with the rules of CHAID: one more category | with the categories that theirs was merged with, or alone | the same; if the node had none in training, to the branch with the largest weight |
#' | `"drop"` | without them | nowhere: they are dropped | ends at that node |
#'
#' `"fractional"` is the rule of C4.5 and the default of the presets `"tec"` and `"c45"`;
#' `"surrogate"` is the rule of CART, as in rpart, and the default of `"cart"`. A surrogate is a
#' binary split on another column that predicts the branch better than always taking the larger
#' branch; splits into more than two branches have no surrogates. Agreement of surrogates is counted
#' by weight, but a cut of numbers must have at least two rows, of any weight, on either side, as in
#' rpart. A fraction of a row has that fraction of its weight, and for `min_bucket` counts as that
#' fraction of a row. A column with only missing values is never split on.
#'
#' With `"learned"`, rows with a missing value count in gains, scores and `min_bucket` on the side
#' where they are tried, and the left side wins ties. Cuts lie between known values: no split
#' separates the missing values from all others. When levels are grouped (`nominal = "binary"`),
#' missing values are treated as one more level, which is in a group with at least one other.
#' `"learned"` is not available with `rules = "c45"`.
#'
#' # Looking ahead
#'
#' A greedy tree makes the split that looks best in a node, without regard to what can follow it.
#' With `lookahead = m`, the `m` most promising splits of all columns are tried in every node. Each
#' is completed greedily within `max_depth`, `max_leaves` and all other limits, and the split whose
#' finished subtree has the smallest loss is made; the same is then done in its children.
#'
#' * The loss is what cost-complexity pruning counts, at the best pruning of the subtree: the risk
#'   of the leaves (see `risk`) plus the penalty per leaf, if `cp` or `alpha` gives one. Ties go
#'   to the
#'   subtree with fewer leaves, then to the more promising split. With `missing = "drop"`, rows that
#'   stop at a node keep their share of its risk.
#' * The loss of the training data is never larger than that of the greedy tree with the same
#'   settings, which is the first candidate everywhere.
#' * If all children would be leaves because of `max_depth`, the split whose leaves have the least
#'   loss is made. So with `max_depth = 2` and `lookahead = Inf`, no other tree of that depth has a
#'   smaller loss, if all splits are in two, no values are missing, no column has more than 256
#'   values and no factor more than 12 levels.
#' * The most promising splits are those with the largest score. Splits that gain nothing can be
#'   tried too, for the sake of what follows them. A second cut of a column that has less than a
#'   twentieth of the node's weight between it and a cut with a larger score comes after all other
#'   splits, because it would hardly lead to another subtree. Of a column with more than 256 values
#'   in a node, 63 evenly spaced cuts can be tried (255 in large nodes), and the greedy tree's.
#' * With `max_leaves`, a subtree may have as many leaves as the one it replaces, and those that the
#'   rest of the tree leaves unused.
#'
#' What it costs: a node that tries `m` splits grows `m` greedy subtrees, so that a tree takes about
#' `m` times as long as a greedy one, at most `m` times its depth. `Inf` tries every cut of every
#' column: with 20 columns of 100 values some 2,000 subtrees in each node. A small `lookahead` sees
#' only splits that look good by themselves. Of an interaction that no single split shows, such as
#' the exclusive or of two columns, the splits look no better than noise: among noise columns
#' `lookahead = 5` misses it in most samples, and `Inf` finds it.
#'
#' It is for small trees (`max_depth`, `max_leaves`, `cp`). With no such limit, all completed
#' trees fit the training data about equally well, and mostly their number of leaves decides. It
#' takes much longer: of 100,000 rows and 20 columns a tree of depth 5 with `lookahead = 20` takes
#' seconds. A smaller loss of the training data need not be a smaller error on new data: see the
#' article *Looking ahead*.
#' `lookahead` is not available with `rules = "c45"`, `max_p`, random splits (`ties`,
#' `max_features`, `splitter`), nor in forests.
#'
#' @param min_split The minimum number of rows of a node that is split. `NULL`: the preset's.
#' @param min_bucket The minimum number of rows of a branch, at least 1. In a multiway split, at
#'   least two branches must have it. `NULL`: the preset's.
#' @param max_depth The maximum depth; the root has depth 0. `NULL` is `Inf`.
#' @param max_leaves The maximum number of leaves. Splits with the largest gain times weight are
#'   made first. `NULL` is `Inf`.
#' @param min_gain A node is split only if the gain is larger than this, in the units of the
#'   criterion. With `-Inf` the best split is made whatever its gain, so that a tree can learn
#'   interactions without main effects, such as an exclusive or. The rules of C4.5 always require a
#'   positive gain. `NULL`: the preset's, `-Inf` with `"id3"`, otherwise 0.
#' @param min_weighted_gain The minimum of a split's gain times the node's share of the root's
#'   weight.
#' @param min_bucket_share The minimum weight of a branch as a share of the weight of all rows, from
#'   0 to 0.5. `min_bucket` applies as well.
#' @param min_impurity Nodes with this impurity or less are leaves, in the units of the criterion.
#' @param ties Which of several tied attributes is split on: the `"first"`, or one at `"random"`, so
#'   that importance does not favour the first columns.
#' @param max_features The number of randomly drawn columns to search in each node: a number, a
#'   share below 1, or `"sqrt"` or `"log2"` of the number of columns. If none of them has a split,
#'   more are drawn. `NULL`: all columns.
#' @param splitter `"best"`: the best cut of each column. `"random"`: one random cut of each column,
#'   between its minimum and maximum; the best of these is used. `ties`, `max_features` and
#'   `splitter` are reproducible with [set.seed()].
#' @param nominal How factors, characters and logicals are split: `"binary"` (two
#'   groups of levels), `"multiway"` (a branch per level) or `"ordered"` (a
#'   threshold on the level codes). `NULL`: the preset's.
#' @param intervals The maximum number of intervals that a numeric column is cut into; 2 is a single
#'   threshold. With the rules of CHAID, the number of groups of about equal counts that are merged.
#'   `NULL`: 10 with the rules of CHAID, otherwise 2.
#' @param missing How missing values are handled, in the search of a split, in training and in
#'   prediction: see below. `NULL`: the preset's.
#' @param max_surrogate With `missing = "surrogate"`, the maximum number of surrogates per node.
#' @param use_surrogate With `missing = "surrogate"`: 2, a row with a missing value follows the best
#'   surrogate that has a value, otherwise the branch with the largest weight; 1, it follows the
#'   surrogates, otherwise it stops at the node; 0, it stops at the node, and surrogates are only
#'   kept for information.
#' @param surrogate_style The agreement that ranks surrogates: 0, as a share of all rows with a
#'   value for the split; 1, as a share of those that also have a value for the surrogate.
#' @param unseen How prediction handles unseen levels: as `"missing"`, with a warning, or as an
#'   `"error"`.
#' @param prune How the tree is pruned: `"none"`, `"ccp"`, `"pep"`, `"ebp"` or `"rep"`, see
#'   [tec_prune()], or `"auto"`: `"ccp"` with `alpha = "min"`, on folds that depend only on the
#'   data, and no pruning with fewer than 50 rows. `NULL`: the preset's, or `"ccp"` if `cp` or
#'   `alpha` is above 0. `"rep"` needs the argument `validation` of [tec_tree()].
#' @param cf The confidence of `"ebp"`, above 0 and not above 0.5.
#' @param raise Whether `"ebp"` may replace a node by its largest branch.
#' @param collapse Whether subtrees that do not reduce the training errors are pruned before any
#'   other pruning. `NULL`: with `preset = "c45"`.
#' @param cp,alpha The complexity penalty per leaf for `"ccp"`: `cp` as a share of the root's risk,
#'   `alpha` in units of the mean risk. `alpha` can also be `"min"` or `"1se"`: the tree with the
#'   smallest cross-validated error, or the smallest tree within one standard error of it, among the
#'   penalties down to `cp`. The default of `"ccp"` is `cp = 0.01`.
#' @param folds For `"ccp"` and `"auto"`: the number of folds of the cross-validation, 0 for none,
#'   or the fold of each row. `NULL`: 10, with `"auto"` 5 for more than 10,000 rows.
#' @param risk The risk of a leaf for `"ccp"`: `"misclassification"` or `"impurity"`, see
#'   [tec_prune()]. The cross-validated errors for `"min"` and `"1se"` are wrong predictions with
#'   both.
#' @param penalties The rule for the complexity penalty of each split for `"ccp"`: `"weakest_link"`
#'   (Breiman et al., 1984) or `"rpart"` (of the package rpart), see [cp_table()]. `NULL`: `"rpart"`
#'   with `preset = "cart"`, otherwise `"weakest_link"`.
#' @param eligible Which attributes may win a node: `"default"` (the criterion's
#'   own rule), `"all"`, `"mean"` (cut measure at least the mean) or `"mean_sd"`
#'   (at least the mean minus one standard deviation).
#' @param smooth The number of extra rows in predicted class shares, or `"laplace"` for one row per
#'   class. With n rows and a share p of the class, the prediction is (n p + `smooth` r) / (n +
#'   `smooth`), where r is the share of the class in the extra rows. With case weights or priors n
#'   is the weight of the node, of which a row has 1 in the mean. `NULL`: the preset's, 2 with
#'   `"tec"`, otherwise 0.
#' @param smooth_to How the extra rows are spread over the classes: `"even"`, 1 / K for each of K
#'   classes, which does not change the order of the classes; or `"root"`, as the shares of the root
#'   or the priors, which makes `smooth = m` the m-estimate (Cestnik, 1990). The predicted class is
#'   always that of the shares without smoothing. See [tec_shrink()] for values that are drawn
#'   towards those of all nodes above.
#' @param honest Whether the tree is honest: one part of the rows decides the splits and the
#'   pruning, the other gives the values of all nodes. `TRUE` for halves, or the share of the rows
#'   for the values, above 0 and below 1. The parts are drawn from R's random numbers. See
#'   [tec_intervals()].
#' @param lookahead The number of splits that are tried in every node; `Inf` tries all. With 1, the
#'   tree is grown greedily. With more, each is completed to a whole subtree, and the one with the
#'   smallest loss is made: see below.
#' @param threads The number of threads, at most one per processor. `NULL`: the option
#'   `tectree.threads`, or one per processor up to the limit `OMP_THREAD_LIMIT`. The tree does not
#'   depend on it.
#' @param ... Settings under the names of other packages, such as `minsplit` or `min_samples_leaf`:
#'   see [other-words]. Any other name is an error.
#' @return A list of class `tec_control`. `NULL` entries are taken from the preset.
#' @references
#' Cestnik, B. (1990) Estimating probabilities: a crucial task in machine learning. *Proceedings of
#' the 9th European Conference on Artificial Intelligence*, 147-149.
#'
#' Norton, S. W. (1989) Generating better decision trees. *Proceedings of the 11th International
#' Joint Conference on Artificial Intelligence*, 800-805.
#'
#' Murthy, S. and Salzberg, S. (1995) Lookahead and pathology in decision tree induction.
#' *Proceedings of the 14th International Joint Conference on Artificial Intelligence*, 1025-1031.
#'
#' Esmeir, S. and Markovitch, S. (2007) Anytime learning of decision trees. *Journal of Machine
#' Learning Research* 8, 891-933.
#' @family tree growing functions
#' @examples
#' tec_control(min_bucket = 3, max_depth = 4)
#' tec_control(minbucket = 3)
#'
#' # Class shares with a row more per class, and with five rows more spread as in the root
#' tec_tree(Species ~ ., iris, smooth = "laplace")
#' predict(tec_tree(Species ~ ., iris, smooth = 5, smooth_to = "root"), iris[1:2, ], type = "prob")
#'
#' # Missing values go to the side where they gain more
#' fit <- tec_tree(Ozone ~ ., airquality, missing = "learned", subset = !is.na(Ozone))
#' tec_scores(fit, airquality)[c("variable", "split", "gain", "missing_branch")]
#'
#' # An exclusive or: neither column gains anything by itself
#' d <- expand.grid(a = 0:1, b = 0:1, copy = 1:5)
#' d$y <- factor(ifelse(d$a == d$b, "same", "different"))
#' tec_tree(y ~ a + b, d, max_depth = 2)
#' tec_tree(y ~ a + b, d, max_depth = 2, lookahead = Inf)
#' @export
tec_control <- function(...) {
  given <- control_names[control_names %in% names(match.call())]
  own <- with_our_names(list(...), character(), given)
  check_known(dot_names(own), control_names, "tec_control")
  given <- checked_settings(c(mget(given, environment()), own))
  control <- control_defaults
  control[names(given)] <- given
  control$alpha_resplit <- check_resplit(control$alpha_resplit, control$alpha_merge)
  structure(control, class = "tec_control")
}

# The settings are its arguments.
formals(tec_control) <- c(control_defaults, formals(tec_control))

usual_control <- structure(control_defaults, class = "tec_control")

# A list of settings as tec_control() makes it.
as_control <- function(control) {
  made <- inherits(control, "tec_control") && all(control_names %in% names(control))
  if (is.null(control) || made) {
    return(control)
  }
  do.call(tec_control, control_list(control), quote = TRUE)
}

# The control of a call: `control =` as given (or NULL), overridden by `...`.
merge_control <- function(control, dots, known, what) {
  if (is.null(control) && length(dots) == 0L) {
    return(usual_control)
  }
  dots <- with_our_names(dots, known)
  names <- dot_names(dots)
  check_known(names, c(control_names, known), what)
  # An argument of another method of the function.
  check_known(names, control_names, what)
  direct <- do.call(tec_control, dots, quote = TRUE)
  if (is.null(control)) {
    return(direct)
  }
  control <- as_control(control)
  for (field in intersect(names, control_names)) {
    control[field] <- list(direct[[field]])
  }
  control
}
