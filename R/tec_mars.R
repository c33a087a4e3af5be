#' Multivariate adaptive regression splines
#'
#' Fits a sum of *hinges*, `max(0, x - knot)` and `max(0, knot - x)`, and of products of them
#' (Friedman, 1991): a piecewise linear function that is chosen from the data and can be read as a
#' formula. For numbers, and for classes by logistic regression on the hinges.
#'
#' # How it is fitted
#'
#' The *forward pass* starts with the mean. Each step adds the pair of hinges, times a term that is
#' already there, that lowers the squared error most; or a predictor as a whole, where a hinge gains
#' nothing beyond. It ends with `terms` terms, where R squared rises by less than `thresh`, or where
#' it reaches `1 - thresh`. The *backward pass* takes the terms out one by one, each time the one
#' whose loss costs least, and of all sizes keeps the one with the smallest generalized
#' cross-validation error (GCV),
#' RSS / (n (1 - (m + penalty (m - 1) / 2) / n)^2) for m terms and n rows;
#' or, with `folds`, the size with the smallest squared error of rows left out.
#'
#' Searches, limits and defaults are those of the package earth (Milborrow), and so are the terms,
#' except where several are equally good. It also follows earth in `fast_k` and `fast_beta`, which
#' limit the terms that are multiplied (Fast MARS; Friedman, 1993).
#'
#' # Classes
#'
#' The terms are chosen by the squared error of 0 and 1 (for several classes of an indicator of each
#' class, all together). The probabilities come from logistic regressions on the chosen terms, by
#' iterated weighted least squares, as with `glm = list(family = binomial)` in earth: with two
#' classes one, for the second; with more one for each class against the others, and probabilities
#' are their shares of the sum. The class is the most probable one. Classes without rows have
#' probability 0.
#'
#' # Predictors
#'
#' Numbers, dates and times enter by hinges. A factor, text or logical column enters by an
#' indicator for each level but the first, as in [stats::lm()]. An ordered factor counts as the
#' number of its level (earth uses polynomials of it). A predictor whose values less their mean
#' have a sum of squares below 0.01 never enters as a whole, as in earth: measure it in smaller
#' units. Rows with a missing predictor are not used (`na.action`), and predictions for them are
#' missing.
#'
#' # Weights
#'
#' Case weights multiply squared errors and log-likelihoods, and are scaled to a mean of 1: only
#' their ratios matter. So a row of weight 2 counts twice in these sums, but it is one row in the
#' size of the sample that the GCV is charged by, in `min_span` and in `end_span`. With
#' `weights_as = "frequency"`, or the class of `hardhat::frequency_weights()`, it is two
#' rows everywhere.
#'
#' @inheritParams tec_tree
#' @param data A data frame. If missing, the variables are taken from the environment of the
#'   formula. Data elsewhere are for [tec_tree()], [tec_forest()] and [tec_tune()].
#' @param weights Non-negative case weights, one per row, of which only ratios matter: see
#'   *Weights*. A row of weight 0 is ignored.
#' @param na.action What to do with rows that have missing predictors: `na.omit` (the default)
#'   leaves them out, `na.fail` is an error.
#' @param weights_as What `weights` are: `"importance"` or `"frequency"`, see *Weights*.
#' @param degree How many predictors a term may multiply; 1: no interactions.
#' @param terms The most terms of the forward pass, the intercept among them. `NULL`: twice the
#'   columns, at least 20 and at most 200, plus 1.
#' @param penalty The charge for a knot in the GCV. `NULL`: 2, or 3 with interactions. 0 charges for
#'   terms only, -1 for nothing.
#' @param thresh The least rise of R squared for which a step is made.
#' @param max_terms The most terms that are kept.
#' @param prune `"gcv"`, `"folds"`, or `"none"` to keep all terms of the forward pass.
#' @param folds The number of folds, or the fold of each row that is used; implies
#'   `prune = "folds"`. `NULL`: 10.
#' @param min_span Rows between two knots. 0: chosen by the number of rows and predictors. Below 0:
#'   so many knots per predictor.
#' @param end_span Rows at each end without a knot. 0: chosen by the number of predictors.
#' @param end_adjust Knots of interactions stay away from the ends by `1 + end_adjust` times as many
#'   rows.
#' @param fast_k The most parents that a step tries; 0: all.
#' @param fast_beta How fast a parent that gained little is put behind.
#' @param unseen What a level that training did not have counts as: `"missing"` with a warning, or
#'   `"error"`.
#' @param threads The number of threads, see [tec_control()]. The result does not depend on it.
#' @param ... Arguments of other packages: `nk`, `nprune`, `pmethod`, `nfold`, `minspan`, `endspan`,
#'   `fast.k`, `fast.beta` and others, see [other-words].
#' @return An object of class `tec_mars`, a list with
#'   * `side` and `cut`: by term of the forward pass and column how it enters (1: above the knot,
#'     -1: below, 2: as a whole, 0: not) and the knot; `inputs` says what the columns are;
#'   * `selected`: the terms that are kept; `coefficients`: a column for each response, for classes
#'     those of the logistic regressions, and `linear` those of least squares;
#'   * `sizes`: a data frame with the error (`rss`), the GCV and with folds the error on rows left
#'     out (`cv`) of each number of terms;
#'   * `rss`, `gcv`, `r_squared` and `gcv_r_squared` of the terms kept, by least squares.
#' @family spline functions
#' @references Friedman, J. H. (1991). Multivariate adaptive regression splines. *Annals of
#'   Statistics* 19, 1-67.
#'
#'   Friedman, J. H. (1993). Fast MARS. Technical report 110, Department of Statistics, Stanford
#'   University.
#'
#'   Milborrow, S. earth: multivariate adaptive regression splines. R package.
#' @concept MARS
#' @concept earth
#' @concept hinge functions
#' @concept splines
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' fit
#' predict(fit, mtcars[1:3, ])
#' plot(fit)
#'
#' # Interactions, with the arguments' names of earth
#' tec_mars(Volume ~ ., trees, degree = 2, nk = 15)
#'
#' # Classes
#' classes <- tec_mars(Species ~ ., iris)
#' predict(classes, iris[c(1, 71, 120), ], type = "prob")
#' @usage NULL
#' @export
tec_mars <- function(x, ...) {
  UseMethod("tec_mars")
}

#' @rdname tec_mars
#' @export
tec_mars.formula <- function(formula, data, degree = 1L, terms = NULL, penalty = NULL,
                             thresh = 0.001, weights, subset, na.action = NULL, max_terms = NULL,
                             prune = NULL, folds = NULL, min_span = 0L, end_span = 0L,
                             end_adjust = 2, fast_k = 20L, fast_beta = 1, unseen = "missing",
                             threads = NULL, ..., weights_as = "importance") {
  fit_model("mars", tec_mars.formula, grow = function(it) {
    fit_mars(it$input, it$asked$na_action, it$settings, it$call)
  })
}

#' @rdname tec_mars
#' @export
tec_mars.default <- with_xy(tec_mars.formula)

tec_mars <- with_arguments(tec_mars, tec_mars.formula, tec_mars.default)
