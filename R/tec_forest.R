#' Grow a random forest
#'
#' Grows many trees with any criterion of [tec_criteria()], each on a random sample of the rows, and
#' averages them. Each node searches `mtry` randomly drawn predictors. The rows that a tree did not
#' draw are *out of bag* for it: their predictions give an honest estimate of the error without
#' other data.
#'
#' The forest depends only on [set.seed()]: it is the same for any number of threads.
#'
#' # Variants
#'
#' * Random forest (Breiman, 2001): the defaults.
#' * Bagging: `mtry = "all"`.
#' * Extremely randomized trees (Geurts et al., 2006): `splitter = "random"`, usually with
#'   `replace = FALSE, sample_fraction = 1`, which leaves no row out of bag.
#' * Balanced forest: `by_class = TRUE` draws as many rows from each class as the smallest class
#'   has.
#' * Probability forest: `probability = TRUE`. The class of a row is the one with the largest mean
#'   share instead of the most votes, and nodes of ten rows or fewer are not split.
#'
#' # Defaults
#'
#' Trees are neither pruned nor smoothed. A node is a leaf if none of the predictors drawn for it
#' has a split, as in ranger and randomForest; [tec_tree()] with `max_features` draws others.
#'
#' * Classes: `criterion = "gini"`, `mtry` is the square root of the number of predictors, rounded
#'   down, and `min_split = 2`.
#' * Numbers: `criterion = "l2"`, `mtry` is a third of the number of predictors, and
#'   `min_split = 6`. If a factor has more than `free_levels` levels (see [tec_control()]), a node
#'   without a split draws other predictors: such factors gain nothing in many nodes.
#' * Both: `min_bucket = 1`, and `missing = "learned"`, which sends rows with a missing value to the
#'   branch that gains more. `"fractional"`, `"majority"`, `"mode"` and `"drop"` are possible too
#'   (see [tec_control()]); `"surrogate"` is not.
#'
#' # Costs
#'
#' With `cost`, every tree predicts the class with the smallest expected cost in its leaf, as a
#' single tree does. `fit[[i]]`, `predict(type = "tree")`, the votes and the permutation importance
#' use these classes. The forest predicts the class with the smallest expected cost by the mean
#' shares, not the class with the most votes. `oob$error`, `oob$confusion` and `oob$curve` measure
#' the predictions of the forest. Errors remain shares of wrong classes. Class shares
#' (`type = "prob"`) do not change.
#'
#' # Draws and weights
#'
#' `sample_weights` determine how often a row is drawn, `weights` how much a drawn row counts. A
#' tree is grown from the rows that it drew, each with its weight times the number of draws. Rows of
#' weight 0 are never drawn.
#'
#' R's random number generator gives one seed per tree. All draws of a tree follow from its seed, so
#' the samples are not stored.
#'
#' # Several values of q
#'
#' With several `q` (or `beta`), one forest per value is grown on the same samples, and the forest
#' with the smallest out-of-bag error is returned. Ties go to the smaller trees, then to the `q`
#' nearest 1. `fit$tuning` is a data frame of all values. The out-of-bag error of the chosen forest
#' is slightly optimistic, because it was used for the choice.
#'
#' @inheritParams tec_tree
#' @param trees Number of trees.
#' @param mtry Number of predictors that each node searches: a number, a share below 1, `"sqrt"`,
#'   `"log2"` or `"all"`. `NULL`: see *Defaults*.
#' @param q The parameter of the Tsallis entropy. Among several values, the one with the smallest
#'   out-of-bag error is used.
#' @param beta The parameter of the criterion `"beta"`, which it implies. Several values are treated
#'   as with `q`.
#' @param replace Whether rows are drawn with replacement.
#' @param sample_fraction Number of rows that a tree draws: up to 1 a share of all rows, above 1 a
#'   number of rows. `NULL`: 1 with replacement, 0.632 without.
#' @param by_class Whether to draw from each class separately. `TRUE`: as many rows from each class
#'   as the smallest class has. Otherwise one number per class, named or in the order of the levels:
#'   numbers of rows, or shares of all rows if all are below 1.
#' @param probability Whether to predict the class of the largest mean share; see *Variants*.
#' @param importance The importance to compute while growing: `"gain"` (the default), `"corrected"`,
#'   `"permutation"` or `"none"`, see [importance()][importance.tec_forest]. `TRUE` is
#'   `"permutation"`, `FALSE` `"none"`.
#' @param progress Whether to show a progress bar if growing takes long. Inside
#'   `progressr::with_progress()` progress is reported there.
#' @param cost A matrix with the cost of each kind of error: rows are the true classes, columns the
#'   predicted classes. With names, they can be in any order; without names, they are in the order
#'   of the levels. See *Costs*. `NULL`: every error costs 1.
#' @param cost_in Where `cost` is used: `"leaf"`, in the predictions of trees and forest, or
#'   `"split"`, also in the search, where each class is weighted by its prior times the sum of its
#'   row of `cost`. `NULL`: `"leaf"`.
#' @param prior The class probabilities in the population, which must sum to 1, named or in the
#'   order of the levels. The rows of each class are reweighted so that the class shares of all rows
#'   are the priors. The draws of the rows do not change.
#' @param engine,table For data elsewhere, as in [tec_tree()]. Such a forest needs
#'   `tec_engine(key = )`, a column of whole numbers that identifies the rows. A hash of the key and
#'   of the tree's number determines how often a row is in the bag of a tree (Poisson with mean
#'   `sample_fraction`; without `replace`, once with this probability). So random numbers are used
#'   only for `mtry`. Whether the rows are read or counted is decided as for a tree. If they are
#'   counted, there are no out-of-bag results and no importance.
#' @param control Settings from [tec_control()].
#' @param ... Settings of [tec_control()], by name, such as `min_split`, `min_bucket`, `max_depth`,
#'   `nominal`, `missing`, `splitter` and `threads`. Arguments of other packages are accepted too:
#'   `ntree`, `num.trees`, `n_estimators`, `nodesize`, `min.node.size`, `sampsize`, `classwt` and
#'   others, see [other-words]. `min.node.size` and `nodesize` set `min_split`, to one more, because
#'   they are the largest size that is not split; `min_bucket` stays as it is.
#' @param sample_weights Non-negative numbers, one per row. The probability that a row is drawn is
#'   proportional to its number. The name of the argument cannot be shortened.
#' @return An object of class `tec_forest`, a list of plain vectors without data or environments:
#'   * `oob`, from the trees for which each row is out of bag: `error` (the share of wrong classes,
#'     or the mean squared error, with weights), `response`, and for classes `prob`, `votes`,
#'     `confusion` (true classes in rows) and `brier` (the Brier score, the mean over rows of the
#'     sum of squared errors of the shares); `times` (the number of these trees per row) and `curve`
#'     (the error of the first trees, for each number of trees; the last is `error`). Rows that are
#'     in the bags of all trees have `NA`.
#'   * `importance`: see [importance()][importance.tec_forest].
#'   * `trees`: all nodes, 16 bytes each. `fit[[3]]` is the third tree as a `tec_tree`, see
#'     [`[[`][n_trees], and `length(fit)` the number of trees.
#' @family forest functions
#' @references Breiman, L. (2001). Random forests. *Machine Learning* 45, 5-32.
#'
#'   Geurts, P., Ernst, D. and Wehenkel, L. (2006). Extremely randomized trees. *Machine Learning*
#'   63, 3-42.
#' @concept random forest
#' @concept bagging
#' @concept extra trees
#' @concept out-of-bag error
#' @concept ensemble
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 100, threads = 2)
#' fit
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#' fit$oob$error
#'
#' # Bagging: every node searches all predictors.
#' bagged <- tec_forest(Species ~ ., iris, trees = 100, mtry = "all", threads = 2)
#'
#' # Three values of q on the same samples
#' several <- tec_forest(Species ~ ., iris, trees = 50, q = c(0.5, 1, 2), threads = 2)
#' several$tuning
#'
#' # A numeric response, with arguments of other packages
#' tec_forest(mpg ~ ., mtcars, num.trees = 50, min.node.size = 5, num.threads = 2)
#' @usage NULL
#' @export
tec_forest <- function(x, ...) {
  UseMethod("tec_forest")
}

#' @rdname tec_forest
#' @export
tec_forest.formula <- function(formula, data, trees = 500L, mtry = NULL, q = NULL,
                               criterion = NULL, weights, subset, na.action = NULL, replace = TRUE,
                               sample_fraction = NULL, by_class = NULL, probability = FALSE,
                               importance = "gain", cost = NULL, cost_in = NULL, prior = NULL,
                               class_weights = NULL, beta = NULL, progress = TRUE,
                               control = tec_control(...), ..., sample_weights, engine = NULL,
                               table = NULL) {
  fit_model("forest", tec_forest.formula, grow = function(it) {
    grow_forest(it$input, it$asked, it$settings, it$control, it$call)
  }, elsewhere = function(it) {
    forest_elsewhere(
      it$formula, it$data, it$table, it$asked, it$settings, it$control, it$engine, it$call, it$env
    )
  })
}

#' @rdname tec_forest
#' @export
tec_forest.default <- with_xy(tec_forest.formula)

tec_forest <- with_arguments(tec_forest, tec_forest.formula, tec_forest.default)
