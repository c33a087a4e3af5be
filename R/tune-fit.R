#' Methods for results of tuning
#'
#' Functions for trees accept the result of [tec_tune()] too, and use `tuned$fit`, the tree, forest
#' or boosted model of the chosen setting grown on all rows. [print()][print.tec_tune],
#' [plot()][plot.tec_tune] and [as.data.frame()][as.data.frame.tec_tune] show the compared settings;
#' to apply them to the tree use `tuned$fit` or `as_tec_tree(tuned)`.
#'
#' For a tree grown with several `q`, use `fit` itself: `fit$tuning` has no tree.
#'
#' @param object,x,tree,formula A result of [tec_tune()].
#' @param ... Arguments of the method for trees, such as `newdata`, `data` or `type`.
#' @return As the same function returns for a tree.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' tuned <- tec_tune(Species ~ ., iris, q = 1:3, folds = 5)
#' summary(tuned)
#' importance(tuned)
#' n_leaves(tuned)
#' tec_rules(tuned)
#' explain(tuned, iris[71, ])
#' plot(tuned$fit)
#' @name tec_tune-methods
#' @rawNamespace S3method(generics::explain, tec_tune)
#' @rawNamespace S3method(dplyr::explain, tec_tune)
#' @rawNamespace S3method(ranger::importance, tec_tune)
#' @rawNamespace S3method(randomForest::importance, tec_tune)
NULL

# Calls a function of trees as the user would have: rows and variables are looked for where the
# call came from.
of_chosen <- function(f, x, ..., what) {
  do.call(f, list(chosen_fit(x, what), ...), quote = TRUE, envir = parent.frame(2L))
}

#' @rdname tec_tune-methods
#' @export
predict.tec_tune <- function(object, ...) of_chosen(stats::predict, object, ..., what = "predict")

#' @rdname tec_tune-methods
#' @export
summary.tec_tune <- function(object, ...) of_chosen(summary, object, ..., what = "summary")

#' @rdname tec_tune-methods
#' @export
importance.tec_tune <- function(x, ...) of_chosen(importance, x, ..., what = "importance")

#' @rdname tec_tune-methods
#' @export
explain.tec_tune <- function(x, ...) of_chosen(explain, x, ..., what = "explain")

#' @rdname tec_tune-methods
#' @export
fitted.tec_tune <- function(object, ...) of_chosen(stats::fitted, object, ..., what = "fitted")

#' @rdname tec_tune-methods
#' @export
residuals.tec_tune <- function(object, ...) {
  of_chosen(stats::residuals, object, ..., what = "residuals")
}

#' @rdname tec_tune-methods
#' @export
deviance.tec_tune <- function(object, ...) {
  of_chosen(stats::deviance, object, ..., what = "deviance")
}

#' @rdname tec_tune-methods
#' @export
nobs.tec_tune <- function(object, ...) of_chosen(stats::nobs, object, ..., what = "nobs")

#' @rdname tec_tune-methods
#' @export
formula.tec_tune <- function(x, ...) of_chosen(stats::formula, x, ..., what = "formula")

#' @rdname tec_tune-methods
#' @export
terms.tec_tune <- function(x, ...) of_chosen(stats::terms, x, ..., what = "terms")

#' @rdname tec_tune-methods
#' @export
variable.names.tec_tune <- function(object, ...) {
  of_chosen(stats::variable.names, object, ..., what = "variable.names")
}

#' @rdname tec_tune-methods
#' @export
labels.tec_tune <- function(object, ...) of_chosen(labels, object, ..., what = "labels")

#' @rdname tec_tune-methods
#' @export
text.tec_tune <- function(x, ...) of_chosen(graphics::text, x, ..., what = "text")

#' @rdname tec_tune-methods
#' @export
tec_scores.tec_tune <- function(x, ...) of_chosen(tec_scores, x, ..., what = "tec_scores")

#' @rdname tec_tune-methods
#' @export
as_tec_tree.tec_tune <- function(x, ...) of_chosen(as_tec_tree, x, ..., what = "as_tec_tree")

#' @exportS3Method partykit::as.party
as.party.tec_tune <- function(obj, ...) of_chosen(partykit::as.party, obj, ..., what = "as.party")

#' @rdname tec_tune-methods
#' @export
augment.tec_tune <- function(x, ...) of_chosen(generics::augment, x, ..., what = "augment")

#' @rdname tec_tune-methods
#' @export
glance.tec_tune <- function(x, ...) of_chosen(generics::glance, x, ..., what = "glance")

#' @rdname tec_tune-methods
#' @export
printcp.tec_tune <- function(x, ...) of_chosen(printcp, x, ..., what = "printcp")

#' @rdname tec_tune-methods
#' @export
plotcp.tec_tune <- function(x, ...) of_chosen(plotcp, x, ..., what = "plotcp")

#' @rdname tec_tune-methods
#' @export
model.frame.tec_tune <- function(formula, ...) {
  of_chosen(stats::model.frame, formula, ..., what = "model.frame")
}

#' @rdname tec_tune-methods
#' @export
logLik.tec_tune <- function(object, ...) of_chosen(stats::logLik, object, ..., what = "logLik")
