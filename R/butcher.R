#' Smaller trees with butcher
#'
#' A tree holds no rows, no environment and no fitted values, so there is little to take off.
#' `butcher::axe_call()` drops the call: [update()][update.tec_tree] and what looks for the training
#' rows then ask for `data`. `butcher::axe_fitted()` drops the curve of a `q` chosen by
#' cross-validation (`fit$tuning`). `butcher::butcher()` does both. Prediction is as before.
#'
#' @family other frameworks
#' @examplesIf requireNamespace("butcher", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris)
#' small <- butcher::butcher(fit)
#' identical(predict(small, iris), predict(fit, iris))
#' @name butcher
#' @rawNamespace S3method(butcher::axe_call, tec_tree, without_call)
#' @rawNamespace S3method(butcher::axe_fitted, tec_tree, without_tuning)
NULL

without_call <- function(x, ...) without_piece(x, "call")
without_tuning <- function(x, ...) without_piece(x, "tuning")

without_piece <- function(x, piece) {
  x[piece] <- NULL
  x
}
