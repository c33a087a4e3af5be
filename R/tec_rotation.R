#' Grow a rotation forest
#'
#' Grows many trees, each from all rows in its own *rotation*: the predictors are divided into
#' random groups, and each group is replaced by its principal components in some of the rows
#' (Rodriguez, Kuncheva and Alonso, 2006). So a tree splits on weighted sums of a few predictors,
#' and these differ from tree to tree. The prediction is the mean of the trees.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' Bagnall et al. (2018) found rotation forests the most accurate of many classifiers, on average,
#' if all predictors are numeric. On 20 numeric data sets, `tec_rotation()` had a smaller log loss
#' than [tec_forest()] on 14, fewer errors on 10, and more errors on 9.
#'
#' The forest depends only on [set.seed()]: it is the same for any number of threads.
#'
#' # How a tree is grown
#'
#' 1. The columns are shuffled and divided into groups of `group_size`. The last group has the rest:
#'    with 7 columns and groups of 3 it has one column, which is not rotated.
#' 2. For each group, a set of classes is drawn; every set but the empty one has the same
#'    probability. Then a share `sample_fraction` of the rows of these classes is drawn, without
#'    replacement. For a numeric response, the share is drawn from all rows.
#' 3. The components of the group are those of the covariance matrix of these rows, with their
#'    weights. All are kept, in decreasing order of variance. The largest loading of each component
#'    (the first if several are equal) is positive.
#' 4. A tree is grown on *all* rows, rotated by the components of all groups.
#'
#' With `group_size = 1` nothing is rotated, and every tree is the unpruned tree of [tec_tree()]
#' with the same `criterion`, `min_bucket` and `min_split`.
#'
#' # Columns
#'
#' Numbers, dates and times are one column each, and ordered factors the number of the level. Other
#' factors, text and logical values become an indicator of the second level if there are two, or one
#' indicator per level if there are more. A missing value is replaced by the median of the training
#' rows, or for factors by the most frequent level (the first on ties). An unseen level is replaced
#' in the same way. Each column is centred and divided by its standard deviation, unless it is
#' constant. All of these use the weights. New rows are filled in and scaled by the numbers of the
#' training rows, which the fit keeps.
#'
#' # Memory and time
#'
#' A rotation is stored as one block per group, in double precision: with groups of 3, 28 bytes per
#' column and tree. While a tree grows, its rotated rows take 8 bytes per row and column on each
#' thread. Prediction computes only the components that a tree splits on.
#'
#' @inheritParams tec_tree
#' @param data A data frame. If missing, the variables are taken from the environment of the
#'   formula. Only [tec_tree()], [tec_forest()] and [tec_tune()] accept data elsewhere, such as a
#'   database.
#' @param trees Number of trees.
#' @param group_size Number of columns in a group. With fewer than 3 columns, the default is one
#'   group.
#' @param sample_fraction Share of the rows of the drawn classes that determine the components of a
#'   group.
#' @param q The parameter of the Tsallis entropy.
#' @param criterion A criterion of [tec_criteria()]; `"gini"` for classes, `"l2"` for numbers.
#' @param beta The parameter of the criterion `"beta"`, which it implies.
#' @param na.action What to do with rows that have missing predictors. By default they are used, see
#'   *Columns*.
#' @param time_limit Seconds after which no further tree is started. The result has the first trees
#'   of the full forest, and at least one.
#' @param progress Whether to show a progress bar if growing takes long. Inside
#'   `progressr::with_progress()` progress is reported there.
#' @param control Settings from [tec_control()].
#' @param ... Settings of [tec_control()], by name, such as `min_split`, `min_bucket`, `max_depth`,
#'   `max_features` and `threads`. As in [tec_forest()], trees are not pruned, `min_bucket = 1`, and
#'   `min_split` is 2 for classes and 6 for numbers. Arguments of other packages are accepted too:
#'   `L`, `ntree`, `num.trees`, `n_estimators` and others, see [other-words].
#' @return An object of class `tec_rotation`, a list of plain vectors without data:
#'   * `trees`: all nodes, as in [tec_forest()], on the rotated columns;
#'   * `rotation`: `order` has the columns of each tree in their order, and `axes` the loadings of
#'     each tree and component. [tec_components()] returns them as a table;
#'   * `inputs`: a data frame of the columns: the predictor, the level of an indicator (otherwise
#'     0), the name, the value that replaces missing values, the centre and the scale;
#'   * `gain`: see [importance()][importance.tec_rotation].
#' @family rotation forest functions
#' @references Rodriguez, J. J., Kuncheva, L. I. and Alonso, C. J. (2006). Rotation forest: a new
#'   classifier ensemble method. *IEEE Transactions on Pattern Analysis and Machine Intelligence*
#'   28, 1619-1630.
#'
#'   Bagnall, A., Flynn, M., Large, J., Line, J., Bostrom, A. and Cawley, G. (2018). Is rotation
#'   forest the best classifier for problems with continuous features? arXiv:1809.06705.
#' @concept rotation forest
#' @concept principal components
#' @concept ensemble
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 50, threads = 2)
#' fit
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#' tec_components(fit, tree = 2)
#'
#' # A numeric response, with larger leaves
#' tec_rotation(mpg ~ ., mtcars, trees = 20, min_bucket = 3, threads = 2)
#' @srrstats {ML1.7a, ML1.7b} The section *Columns* says how missing values are replaced; other
#'   replacements can be made before, or `na.action` leaves the rows out.
#' @srrstats {ML2.3, ML2.4} `inputs` of the fit has the replacement, centre and scale of each
#'   column, and the section *Columns* says how they are computed.
#' @usage NULL
#' @export
tec_rotation <- function(x, ...) {
  UseMethod("tec_rotation")
}

#' @rdname tec_rotation
#' @export
tec_rotation.formula <- function(formula, data, trees = 200L, group_size = 3L,
                                 sample_fraction = 0.5, q = NULL, criterion = NULL, weights, subset,
                                 na.action = NULL, beta = NULL, time_limit = Inf, progress = TRUE,
                                 control = tec_control(...), ...) {
  fit_model("rotation", tec_rotation.formula, grow = function(it) {
    grow_rotation(it$input, it$asked, it$settings, it$control, it$call)
  })
}

#' @rdname tec_rotation
#' @export
tec_rotation.default <- with_xy(tec_rotation.formula)

tec_rotation <- with_arguments(tec_rotation, tec_rotation.formula, tec_rotation.default)
