#' Multivariate adaptive regression splines
#'
#' Fits a sum of *hinges*, `max(0, x - knot)` and `max(0, knot - x)`, and of products of them
#' (Friedman, 1991). The result is a piecewise linear function that can be read as a formula. The
#' response is numeric, or has classes, which are fitted by logistic regression on the hinges.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' # How it is fitted
#'
#' The *forward pass* starts with the mean. Each step multiplies an existing term by a pair of
#' hinges and adds the pair that lowers the squared error most. It adds the whole predictor instead
#' if a hinge gains nothing more. The pass ends when there are `terms` terms, when R squared rises
#' by less than `thresh`, or when it reaches `1 - thresh`.
#'
#' The *backward pass* removes the terms one by one, each time the one that costs least. It keeps
#' the size with the smallest generalized cross-validation error (GCV),
#' RSS / (n (1 - (m + penalty (m - 1) / 2) / n)^2) for m terms and n rows;
#' or, with `folds`, the size with the smallest squared error on held-out rows.
#'
#' The search, its limits and its defaults are those of the package earth (Milborrow). The terms are
#' the same too, except where several are equally good. `fast_k` and `fast_beta`, which limit the
#' terms that are multiplied (Fast MARS; Friedman, 1993), also follow earth.
#'
#' # Classes
#'
#' The terms are chosen by the squared error of 0 and 1, or of one indicator per class, all
#' together, if there are more than two classes. The probabilities come from logistic regressions on
#' the chosen terms, by iterated weighted least squares, as with `glm = list(family = binomial)` in
#' earth. With two classes there is one regression, for the second class. With more there is one for
#' each class against the others, and the probabilities are divided by their sum. The predicted
#' class is the most probable one. Classes without rows have probability 0.
#'
#' A regression has converged if a step changes the deviance by less than 1e-8 of itself, as in
#' [stats::glm()], or if the deviance is almost 0. After 25 steps it ends with a warning of class
#' `tec_warning_converged`, and `fit$logistic` shows which regressions have converged. Neither limit
#' can be changed: more steps matter only if the terms separate the classes, and then the
#' coefficients grow without limit while the probabilities hardly change.
#'
#' # Predictors
#'
#' Numbers, dates and times enter as hinges. A factor, text or logical column enters as one
#' indicator for each level but the first, as in [stats::lm()]. An ordered factor enters as the
#' number of its level (earth uses polynomials of it). As in earth, a predictor never enters as a
#' whole if the sum of squares about its mean is below 0.01: measure it in smaller units.
#'
#' A hinge has no value if the predictor is missing or infinite. Rows with such a value are not used
#' (`na.action`), and predictions for them are missing. To use them, fill in the values first, as in
#' the examples or with a recipe.
#'
#' # Weights
#'
#' Weights multiply squared errors and log-likelihoods. They are scaled to a mean of 1, so only
#' their ratios matter. A row of weight 2 counts twice in these sums, but as one row in the number
#' of rows of the GCV, in `min_span` and in `end_span`. With `weights_as = "frequency"`, or the
#' class of `hardhat::frequency_weights()`, it counts as two rows everywhere.
#'
#' @inheritParams tec_tree
#' @param data A data frame. If missing, the variables are taken from the environment of the
#'   formula. Only [tec_tree()], [tec_forest()] and [tec_tune()] accept data elsewhere, such as a
#'   database.
#' @param weights Non-negative weights, one per row; only their ratios matter, see *Weights*. A row
#'   of weight 0 is ignored.
#' @param na.action What to do with rows that have missing predictors: `na.omit` (the default)
#'   leaves them out, `na.fail` is an error.
#' @param weights_as What `weights` are: `"importance"` or `"frequency"`, see *Weights*.
#' @param degree Maximum number of predictors in a term; 1 means no interactions.
#' @param terms Maximum number of terms in the forward pass, including the intercept. `NULL`: twice
#'   the number of columns, at least 20 and at most 200, plus 1.
#' @param penalty Penalty per knot in the GCV. `NULL`: 2, or 3 with interactions. 0 penalizes terms
#'   only, -1 nothing.
#' @param thresh Minimum rise of R squared for a further step.
#' @param max_terms Maximum number of terms that are kept.
#' @param prune `"gcv"`, `"folds"`, or `"none"` to keep all terms of the forward pass.
#' @param folds Number of folds, or the fold of each row that is used; implies `prune = "folds"`.
#'   `NULL`: 10.
#' @param min_span Minimum number of rows between two knots. 0: chosen from the number of rows and
#'   predictors. Negative: the number of knots per predictor.
#' @param end_span Number of rows at each end without a knot. 0: chosen from the number of
#'   predictors.
#' @param end_adjust For interactions, `end_span` is multiplied by `1 + end_adjust`.
#' @param fast_k Maximum number of parent terms that a step tries; 0: all.
#' @param fast_beta How fast a parent term that gained little loses priority.
#' @param unseen How an unseen level is treated: `"missing"` counts it as missing, with a warning;
#'   `"error"` is an error.
#' @param threads Number of threads, see [tec_control()]. The result does not depend on it.
#' @param ... Arguments of other packages: `nk`, `nprune`, `pmethod`, `nfold`, `minspan`, `endspan`,
#'   `fast.k`, `fast.beta` and others, see [other-words].
#' @return An object of class `tec_mars`, a list with
#'   * `side` and `cut`: for each term of the forward pass and each column, how the column enters
#'     (1: above the knot, -1: below, 2: as a whole, 0: not) and its knot; `inputs` describes the
#'     columns;
#'   * `selected`: the terms that are kept; `coefficients`: one column per response, for classes the
#'     coefficients of the logistic regressions, and `linear` those of least squares;
#'   * `sizes`: a data frame with the error (`rss`), the GCV and, with folds, the error on held-out
#'     rows (`cv`) for each number of terms;
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
#' # Interactions, with the argument names of earth
#' tec_mars(Volume ~ ., trees, degree = 2, nk = 15)
#'
#' # Classes
#' classes <- tec_mars(Species ~ ., iris)
#' predict(classes, iris[c(1, 71, 120), ], type = "prob")
#'
#' # Missing predictors, filled in with the median of the training rows
#' air <- subset(airquality, !is.na(Ozone))
#' middle <- median(air$Solar.R, na.rm = TRUE)
#' air$Solar.R[is.na(air$Solar.R)] <- middle
#' tec_mars(Ozone ~ Solar.R + Wind + Temp, air)
#' @srrstats {ML1.6, ML1.6a, ML1.6b} Splines leave out rows with missing predictors, with a message.
#'   The help says why, and the examples fill them in.
#' @srrstats {RE3.2, RE3.3} The section *Classes* has the limits of the iterations and why they are
#'   fixed.
#' @srrstats {RE2.4} A hinge that is a combination of earlier terms is never added.
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
