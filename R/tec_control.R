# Tested in test-control.R.

#' Settings of trees
#'
#' The settings of [tec_tree()] and [tec_scores()]. Pass them to these functions directly, or as
#' `control = tec_control(...)` or another list, such as that of `rpart::rpart.control()` (see
#' [other-words]). Settings that are passed directly override `control`.
#'
#' Each setting is a single value, unless its description says otherwise. Words such as
#' `"surrogate"` are written in lower case; an error suggests the nearest word.
#'
#' Sizes count rows, whatever their weights (see *Weights*). If only one of `min_bucket` and
#' `min_split` is given, the other is derived from it: `min_split` is twice `min_bucket`, and
#' `min_bucket` is half of `min_split`, rounded down. With `preset = "cart"`, it is three times or
#' one third (rounded, and at most half). Forests derive neither from the other.
#'
#' `min_gain` is in the units of the criterion. `min_weighted_gain` compares the gain times the
#' node's share of the weight, that is, the decrease of the impurity of the whole tree, like
#' `min_impurity_decrease` of scikit-learn.
#'
#' `cp` is the complexity penalty per leaf for `prune = "ccp"`, relative to the root as in
#' `rpart::rpart()`. A `cp` or `alpha` above 0 implies `prune = "ccp"`; `cp = 0` alone keeps every
#' split. The fit keeps its [cp_table()] down to the penalty `cp`, with cross-validated errors. The
#' folds are drawn from R's random numbers. With `cp`, the tree is pruned at that penalty. With
#' `alpha = "min"` or `"1se"`, the penalty is chosen by cross-validated error. Splits that would be
#' pruned are not grown.
#'
#' # Specified, not yet fitted
#'
#' `tec_control()` checks settings and stores them without data. The result prints all settings, and
#' fits any number of models: `tec_tree(y ~ ., data, control = settings)`, also [tec_forest()],
#' [tec_boost()], [tec_rotation()] and [tec_tune()]. A specification that includes the kind of model
#' is a function of parsnip with the engine `"tectree"` (see [parsnip]), such as
#' `parsnip::decision_tree()`, or a learner of [mlr3]. `parsnip::fit()` or `$train()` fits it.
#'
#' # Weights
#'
#' By default, `weights` are importance weights (`weights_as = "importance"`). They are divided by
#' their mean, so only their ratios matter, and equal weights have no effect. They are used in all
#' sums: in criteria, values of leaves, errors and penalties. They are not used in sizes:
#' `min_split`, `min_bucket`, `min_bucket_share`, the number of rows below which a tree is not
#' pruned, folds and bags count rows, as in rpart and ranger and as `min_samples_leaf` of
#' scikit-learn. The exception is `min_weight` of [tec_boost()], a sum of weighted Hessians.
#'
#' No setting limits the weight of a leaf of a tree or forest, except with the rules of C4.5.
#' [tec_rules()] shows the weight of each leaf, divided by the mean weight, in the column `weight`.
#' `tec_prune(node = )` turns nodes into leaves.
#'
#' If a row stands for several rows, its weight is a frequency. Use `weights_as = "frequency"`, or
#' `weights` made by `hardhat::frequency_weights()`. The model is then the same as for repeated
#' rows, also in sizes, folds, bags and out-of-bag errors. Frequencies are whole numbers. Results
#' per row of the data, such as `fitted()`, still have one value per row. The out-of-bag prediction
#' of a forest combines all trees that left out one of the copies. Data that are counted in a
#' database, in files or by a cluster accept only frequencies. Their folds and bags consist of rows
#' of the table.
#'
#' C4.5 compares sums of weights with its sizes, so with `rules = "c45"` (`preset = "c45"`) weights
#' are used unscaled, in sums and in sizes. A fit stores the meaning of its weights: weights that
#' are given again with data, for example to [tec_prune()], have the same meaning.
#'
#' For survey weights and inverse-probability weights, use importance weights. Standard errors
#' (`xstd` of [cp_table()], `alpha = "1se"`, standard errors of predictions) treat rows as
#' independent: they are not those of a survey design.
#'
#' After the fit:
#' * [summary()][summary.tec_tree] of a tree, [tec_scores()], [tec_dependence()] and [tec_shapes()]
#'   use the weights of the fit for the training rows that they find.
#' * [tec_scores()], [tec_gains()] and [tec_prune()] have an argument `weights` for rows that are
#'   given. [compare_methods()] and [tec_tune()] use their `weights` in the fits and in the metrics.
#' * All rows that are given count equally in `tec_dependence()`, `tec_shapes()`,
#'   [importance()] by permutation, `summary()`, and [plot()][plot.tec_tree] of type `"roc"` and
#'   `"calibration"`.
#'
#' # Missing values
#'
#' `missing` says how a row with a missing value is handled. It is the same in training and in
#' prediction, except with `"drop"`:
#' * `"fractional"`: the row goes down every branch, in proportion to the known weight, and its
#'   prediction is a mean over leaves. The gain is multiplied by the share of weight with a value.
#'   In the split information of ratios, the other rows are an extra group.
#' * `"majority"`: the search leaves the row out. It goes to the branch with the largest weight.
#' * `"mode"`: the node's most frequent value (the lower median if numeric) is imputed.
#' * `"learned"`: in a binary split, all rows with a missing value go to the branch where the gain
#'   is larger. Other splits are searched without them. If the node had none in training, or the
#'   split has more than two branches, they go to the branch with the largest weight.
#' * `"surrogate"`: the gain is multiplied by the share of weight with a value. The row goes where
#'   the best surrogate with a value sends it, otherwise to the branch with the largest weight.
#' * `"category"`: missing values are one more category (only with the rules of CHAID). The row goes
#'   with the categories that this category was merged with, or alone. If the node had none in
#'   training, it goes to the branch with the largest weight.
#' * `"drop"`: the search leaves the row out. In training it is dropped; in prediction it ends at
#'   the node.
#'
#' `"fractional"` is the rule of C4.5 and the default of the presets `"tec"` and `"c45"`.
#' `"surrogate"` is the rule of CART, as in rpart, and the default of `"cart"`. A surrogate is a
#' binary split on another column that predicts the branch better than always taking the larger
#' branch. Splits into more than two branches have no surrogates. Agreement of surrogates is
#' measured by weight, but a numeric cut must have at least two rows, of any weight, on either side,
#' as in rpart. A part of a row has that share of its weight, and counts as that share of a row for
#' `min_bucket`. A column with only missing values is never split on.
#'
#' With `"learned"`, rows with a missing value are tried in each branch. They count in its gain,
#' score and `min_bucket`, and the left branch wins ties. Cuts lie between known values: no split
#' separates the missing values from all others. When levels are grouped (`nominal = "binary"`),
#' missing values are treated as one more level, which is in a group with at least one other.
#' `"learned"` is not available with `rules = "c45"`.
#'
#' # Factors with many levels
#'
#' A factor with L levels in a node can be divided in two groups in 2^(L-1) - 1 ways, a number with
#' L values only in L - 1 ways. The best of so many groupings gains much even if the levels mean
#' nothing: a column of identifiers tells the classes of all training rows apart. To name one of the
#' groupings takes log2((2^(L-1) - 1) / (L - 1)) bits more than to name a cut, and the grouping
#' tells n I bits about the response of n rows, where I is the mutual information of branch and
#' class (for a numeric response: half the share of the variance, in nats, as for normal numbers).
#'
#' If a factor has more than `free_levels` levels, the gain and the score of its best grouping are
#' multiplied by one minus the quotient of the two, or by 0 if that is negative. C4.5 deducts the
#' number of cuts of a number from its gain in the same way. Numbers, ordered factors, `nominal =
#' "multiway"` and `splitter = "random"` have no such deduction. [tec_scores()] shows the deduction.
#' The gain of such a split, in the tree and in its importance, is the gain less the deduction.
#'
#' By default, factors with up to ten levels pay nothing, so that textbook examples have the gains
#' of the textbooks. Factors with hundreds of levels and identifiers do not harm trees and
#' forests. `free_levels = Inf` turns the deduction off, as the presets `"cart"`, `"c45"`, `"id3"`
#' and `"chaid"` do. It is better if each of 15 or more levels matters and there are few rows, or
#' with the criteria `"beta"` and `"tsallis_mutual"` with a parameter other than 1: they gain by any
#' even cut, so the product takes more from factors than what they gain by chance.
#' `free_levels = 2` applies the deduction to every factor. Gradient boosting has none: see
#' *Factors* in [tec_boost()].
#'
#' The levels that are compared with `free_levels` are those that the factor declares, also if no
#' row has them.
#'
#' # Looking ahead
#'
#' A greedy tree makes the split that looks best in a node, without regard to later splits. With
#' `lookahead = m`, the `m` most promising splits of all columns are tried in every node. Each is
#' completed greedily within `max_depth`, `max_leaves` and all other limits. The split whose
#' finished subtree has the smallest loss is made, and the search goes on in its branches.
#'
#' * The loss is that of cost-complexity pruning, at the best pruning of the subtree: the risk of
#'   the leaves (see `risk`) plus the penalty per leaf, if `cp` or `alpha` gives one. Ties go to the
#'   subtree with fewer leaves, then to the more promising split. With `missing = "drop"`, rows that
#'   stop at a node keep their share of its risk.
#' * The loss on the training rows is never larger than that of the greedy tree with the same
#'   settings, which is the first candidate in every node.
#' * If all branches would be leaves because of `max_depth`, the split whose leaves have the
#'   smallest loss is made. So with `max_depth = 2` and `lookahead = Inf`, no other tree of that
#'   depth has a smaller loss, if all splits are binary, no values are missing, no column has more
#'   than 256 values and no factor has more than 12 levels.
#' * The most promising splits are those with the largest score. Splits without a gain can be tried
#'   too, because later splits may gain. A cut that has less than a twentieth of the node's weight
#'   between it and a better cut of the same column comes after all other splits, because it would
#'   hardly lead to a different subtree. In a column with more than 256 values in a node, 63 evenly
#'   spaced cuts (255 in large nodes) and the greedy cut can be tried.
#' * With `max_leaves`, a subtree may have as many leaves as the one it replaces, plus those that
#'   the rest of the tree does not use.
#'
#' A node that tries `m` splits grows `m` greedy subtrees. So a tree takes about `m` times as long
#' as a greedy tree, at most `m` times its depth. `Inf` tries every cut of every column: with 20
#' columns of 100 values, about 2,000 subtrees in each node. A small `lookahead` sees only splits
#' that look good by themselves. If no single split shows an interaction, as with the exclusive or
#' of two columns, its splits look no better than noise. Among noise columns, `lookahead = 5` misses
#' it in most samples, and `Inf` finds it.
#'
#' Looking ahead is for small trees (`max_depth`, `max_leaves`, `cp`). Without such a limit, all
#' completed trees fit the training rows about equally well, and mostly their number of leaves
#' decides. It takes much longer: with 100,000 rows and 20 columns, a tree of depth 5 with
#' `lookahead = 20` takes seconds. A smaller loss on the training rows does not imply a smaller
#' error on new rows: see the article *Looking ahead*. `lookahead` is not available with
#' `rules = "c45"`, `max_p`, random splits (`ties`, `max_features`, `splitter`), nor in forests.
#'
#' @param min_split Minimum number of rows of a node that is split. `NULL`: set by the preset.
#' @param min_bucket Minimum number of rows of a branch, at least 1. In a multiway split, at least
#'   two branches must have it. `NULL`: set by the preset.
#' @param max_depth Maximum depth; the root has depth 0. `NULL` is `Inf`.
#' @param max_leaves Maximum number of leaves. Splits with the largest gain times weight are made
#'   first. `NULL` is `Inf`.
#' @param min_gain A node is split only if the gain is larger than this, in the units of the
#'   criterion. With `-Inf`, the best split is made whatever its gain, so that a tree can learn
#'   interactions without main effects, such as an exclusive or. The rules of C4.5 always require a
#'   positive gain. `NULL`: set by the preset, `-Inf` with `"id3"`, otherwise 0.
#' @param min_weighted_gain Minimum gain of a split, times the node's share of the weight of the
#'   root.
#' @param min_bucket_share Minimum size of a branch as a share of all rows, from 0 to 0.5. Like all
#'   sizes, it counts rows: see *Weights*. `min_bucket` applies as well.
#' @param min_impurity Nodes with this impurity or less are leaves, in the units of the criterion.
#' @param ties Which of several tied attributes is split on: the `"first"`, or one at `"random"`, so
#'   that importance does not favour the first columns.
#' @param max_features Number of randomly drawn columns to search in each node: a number, a share
#'   below 1, or `"sqrt"` or `"log2"` of the number of columns. If none of them has a split, more
#'   are drawn. `NULL`: all columns.
#' @param splitter `"best"`: the best cut of each column. `"random"`: one random cut of each column,
#'   between its minimum and maximum; the best of these is used. `ties`, `max_features` and
#'   `splitter` are reproducible with [set.seed()].
#' @param nominal How factors, characters and logicals are split: `"binary"` (two groups of levels),
#'   `"multiway"` (one branch per level) or `"ordered"` (a cut of the level codes). `NULL`: set by
#'   the preset.
#' @param intervals Maximum number of intervals of a split of a numeric column; 2 is a single cut.
#'   With the rules of CHAID, the number of groups of about equal counts that are merged. `NULL`: 10
#'   with the rules of CHAID, otherwise 2.
#' @param free_levels If a factor has more levels than this, a grouping of its levels (`nominal =
#'   "binary"`) pays for the number of groupings that it is chosen from: see *Factors with many
#'   levels*. `Inf`: never. `NULL`: 10, and `Inf` with every preset but `"tec"`. The rules of CHAID
#'   have their own correction instead.
#' @param missing How missing values are handled in the search for a split, in training and in
#'   prediction: see *Missing values*. `NULL`: set by the preset.
#' @param max_surrogate With `missing = "surrogate"`: maximum number of surrogates per node.
#' @param use_surrogate With `missing = "surrogate"`: what a row with a missing value does. 2: it
#'   follows the best surrogate that has a value, otherwise the branch with the largest weight. 1:
#'   it follows the surrogates, otherwise it stops at the node. 0: it stops at the node, and
#'   surrogates are kept only for information.
#' @param surrogate_style The agreement that ranks surrogates. 0: as a share of all rows with a
#'   value for the split. 1: as a share of those that also have a value for the surrogate.
#' @param unseen How prediction handles unseen levels: as `"missing"`, with a warning, or as an
#'   `"error"`.
#' @param prune How the tree is pruned: `"none"`, `"ccp"`, `"pep"`, `"ebp"` or `"rep"`, see
#'   [tec_prune()], or `"auto"`: `"ccp"` with `alpha = "min"`, on folds that depend only on the
#'   data, and no pruning with fewer than 50 rows. `NULL`: set by the preset, or `"ccp"` if `cp` or
#'   `alpha` is above 0. `"rep"` needs the argument `validation` of [tec_tree()].
#' @param cf The confidence of `"ebp"`, above 0 and not above 0.5.
#' @param raise Whether `"ebp"` may replace a node by its largest branch.
#' @param collapse Whether subtrees that do not reduce the training errors are pruned before any
#'   other pruning. `NULL`: only with `preset = "c45"`.
#' @param cp,alpha Complexity penalty per leaf for `"ccp"`: `cp` as a share of the root's risk,
#'   `alpha` in units of the mean risk. `alpha` can also be `"min"` or `"1se"`: the tree with the
#'   smallest cross-validated error, or the smallest tree within one standard error of it, among the
#'   penalties down to `cp`. The default of `"ccp"` is `cp = 0.01`.
#' @param folds For `"ccp"` and `"auto"`: number of folds of the cross-validation, 0 for none, or
#'   the fold of each row. `NULL`: 10, or 5 with `"auto"` and more than 10,000 rows.
#' @param risk The risk of a leaf for `"ccp"`: `"misclassification"` or `"impurity"`, see
#'   [tec_prune()]. With both, the cross-validated errors for `"min"` and `"1se"` are wrong
#'   predictions.
#' @param penalties The rule for the complexity penalty of each split for `"ccp"`: `"weakest_link"`
#'   (Breiman et al., 1984) or `"rpart"` (of the package rpart), see [cp_table()]. `NULL`: `"rpart"`
#'   with `preset = "cart"`, otherwise `"weakest_link"`.
#' @param eligible Which attributes may win a node. The cut measure is what chooses the best split
#'   of one attribute, such as the gain (column `cut` of [tec_criteria()]). `"default"`: the rule of
#'   the criterion; `"all"`; `"mean"`: those whose cut measure is at least the mean over the
#'   attributes; `"mean_sd"`: at least this mean minus one standard deviation.
#' @param smooth Number of extra rows in predicted class shares, or `"laplace"` for one row per
#'   class. With n rows and a share p of the class, the prediction is (n p + `smooth` r) / (n +
#'   `smooth`), where r is the share of the class in the extra rows. With weights or priors, n is
#'   the weight of the node, with a mean weight of 1 per row. `NULL`: set by the preset, 2 with
#'   `"tec"`, otherwise 0.
#' @param smooth_to How the extra rows are divided among the classes. `"even"`: 1 / K for each of K
#'   classes, which does not change the order of the classes. `"root"`: as the shares of the root or
#'   the priors, which makes `smooth = m` the m-estimate (Cestnik, 1990). The predicted class is
#'   always that of the shares without smoothing. [tec_shrink()] shrinks values towards those of all
#'   nodes above.
#' @param honest Whether the tree is honest: one part of the rows decides the splits and the
#'   pruning, the other part gives the values of all nodes. `TRUE` uses halves; a number above 0 and
#'   below 1 is the share of the rows for the values. The parts are drawn from R's random numbers.
#'   See [tec_intervals()].
#' @param lookahead Number of splits that are tried in every node; `Inf` tries all. With 1, the tree
#'   is grown greedily. With more, each split is completed to a whole subtree, and the split with
#'   the smallest loss is made: see *Looking ahead*.
#' @param threads Number of threads, at most one per processor. `NULL`: the option
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
#' settings <- tec_control(min_bucket = 3, max_depth = 4)
#' settings
#' tec_tree(Species ~ ., iris, control = settings)
#' tec_control(minbucket = 3)
#'
#' # Class shares with one extra row per class, and with five extra rows divided as in the root
#' tec_tree(Species ~ ., iris, smooth = "laplace")
#' predict(tec_tree(Species ~ ., iris, smooth = 5, smooth_to = "root"), iris[1:2, ], type = "prob")
#'
#' # Missing values go to the branch where they gain more
#' fit <- tec_tree(Ozone ~ ., airquality, missing = "learned", subset = !is.na(Ozone))
#' tec_scores(fit, airquality)[c("variable", "split", "gain", "missing_branch")]
#'
#' # An exclusive or: neither column gains anything by itself
#' d <- expand.grid(a = 0:1, b = 0:1, copy = 1:5)
#' d$y <- factor(ifelse(d$a == d$b, "same", "different"))
#' tec_tree(y ~ a + b, d, max_depth = 2)
#' tec_tree(y ~ a + b, d, max_depth = 2, lookahead = Inf)
#' @srrstats {G2.0a, G2.1a} Each setting is described with its type; the details say that it is one
#'   value.
#' @srrstats {G2.3b} The details say that words are in lower case.
#' @srrstats {ML3.0, ML3.0a, RE4.1} A specification without a fit: *Specified, not yet fitted* in
#'   the help.
#' @srrstats {ML3.5, ML3.5a} Settings of the search: `splitter`, `lookahead`, `max_features`,
#'   `eligible`.
#' @srrstats {ML3.6, ML3.6a} Greedy, random and lookahead searches, with any criterion.
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

# The arguments of tec_control() are the settings.
formals(tec_control) <- c(control_defaults, formals(tec_control))

usual_control <- structure(control_defaults, class = "tec_control")

# Converts a list of settings to the result of tec_control().
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
  # The name may be an argument of another method of the function.
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
