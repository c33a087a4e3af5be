# Tested in test-parsnip.R.
# For butcher::axe_call() and axe_fitted(). A fit has no data and no environment, so there is little
# to remove.

#' @rawNamespace S3method(butcher::axe_call, tec_tree, without_call)
#' @rawNamespace S3method(butcher::axe_fitted, tec_tree, without_tuning)
NULL

without_call <- function(x, ...) without_piece(x, "call")
without_tuning <- function(x, ...) without_piece(x, "tuning")

without_piece <- function(x, piece) {
  x[piece] <- NULL
  x
}
