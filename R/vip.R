#' Importance for vip
#'
#' `vip::vi(fit)` and `vip::vip(fit)` of the package vip show [importance()] by gain, also for fits of
#' parsnip and workflows.
#'
#' @family other frameworks
#' @examplesIf requireNamespace("vip", quietly = TRUE)
#' vip::vi(tec_tree(Species ~ ., iris))
#' @name vip
#' @rawNamespace S3method(vip::vi_model, tec_tree)
NULL

vi_model.tec_tree <- function(object, ...) {
  found <- importance.tec_tree(object)
  out <- as_table(data.frame(Variable = found$variable, Importance = found$importance))
  structure(out, type = "gain", class = c("vi", class(out)))
}
