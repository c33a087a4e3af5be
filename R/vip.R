# Tested in test-parsnip.R.
# For vip::vi() and vip::vip().

#' @rawNamespace S3method(vip::vi_model, tec_tree)
NULL

vi_model.tec_tree <- function(object, ...) {
  found <- importance.tec_tree(object)
  out <- as_table(data.frame(Variable = found$variable, Importance = found$importance))
  structure(out, type = "gain", class = c("vi", class(out)))
}
