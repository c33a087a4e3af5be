# For butcher::axe_call() and axe_fitted(). A fit has no data and no environment, so there is little
# to remove: of a forest what it has of each training row.

#' @rawNamespace S3method(butcher::axe_call, tec_fit, without_call)
#' @rawNamespace S3method(butcher::axe_call, tec_tune, without_calls)
#' @rawNamespace S3method(butcher::axe_fitted, tec_tree, without_tuning)
#' @rawNamespace S3method(butcher::axe_fitted, tec_forest, without_oob)
NULL

without_call <- function(x, ...) without_piece(x, "call")

# A result of tuning has its own call, and that of the model.
without_calls <- function(x, ...) {
  x["call"] <- list(NULL)
  if (!is.null(x$fit)) x$fit <- without_call(x$fit)
  x
}

without_tuning <- function(x, ...) without_piece(x, "tuning")

without_oob <- function(x, ...) {
  class <- class(x)
  x <- unclass(x)
  x$oob[c("response", "prob", "votes")] <- NULL
  structure(x, class = class)
}

without_piece <- function(x, piece) {
  x[piece] <- NULL
  x
}
