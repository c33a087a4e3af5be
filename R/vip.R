# Tested in test-parsnip.R and test-butcher.R.
# For vip::vi() and vip::vip().

#' @rawNamespace S3method(vip::vi_model, tec_tree)
#' @rawNamespace S3method(vip::vi_model, tec_forest)
#' @rawNamespace S3method(vip::vi_model, tec_boost)
#' @rawNamespace S3method(vip::vi_model, tec_rotation, vi_model.tec_boost)
#' @rawNamespace S3method(vip::vi_model, tec_mars)
NULL

vi_model.tec_tree <- function(object, ...) vi_table(importance.tec_tree(object), "gain")

vi_model.tec_forest <- function(object, ...) {
  vi_table(importance.tec_forest(object), object$importance$type)
}

vi_model.tec_boost <- function(object, ...) vi_table(importance(object), "gain")

vi_model.tec_mars <- function(object, ...) vi_table(importance.tec_mars(object), "terms")

vi_table <- function(found, type) {
  out <- as_table(data.frame(Variable = found$variable, Importance = found$importance))
  structure(out, type = type, class = c("vi", class(out)))
}
