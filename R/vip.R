# Tested in test-parsnip.R and test-butcher.R.
# For vip::vi() and vip::vip().

#' @rawNamespace S3method(vip::vi_model, tec_fit)
vi_model.tec_fit <- function(object, ...) {
  found <- importance(object)
  out <- as_table(data.frame(Variable = found$variable, Importance = found$importance))
  structure(out, type = attr(found, "type"), class = c("vi", class(out)))
}
