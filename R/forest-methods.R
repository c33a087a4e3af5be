# Small methods of forests for generics of R.

#' @export
variable.names.tec_forest <- function(object, used = FALSE, ...) {
  check_is_forest(object, "variable.names")
  names <- object$columns$name
  if (isTRUE(used)) names[needed_columns(object)] else names
}

#' @export
nobs.tec_forest <- function(object, ...) object$n_rows
