#' Parameters of trees and forests for dials
#'
#' The parameters for `q = tune()` and `criterion = tune()` in `set_engine("tectree")`, see
#' [parsnip] and [parsnip-forest]. Tune only one of the two: `q` is an error with a criterion that
#' has no `q`.
#'
#' @param range The minimum and the maximum.
#' @param trans A transformation of the package scales, or `NULL`.
#' @param values Names from [tec_criteria()]. `NULL`: all for classes. For a numeric response give
#'   `c("l2", "l1")`.
#' @return A parameter of the package dials.
#' @family modeling frameworks
#' @concept dials
#' @examplesIf requireNamespace("dials", quietly = TRUE)
#' tec_q_param()
#' dials::value_seq(tec_q_param(c(0.5, 2)), 4)
#' tec_criterion_param(c("gini", "shannon", "cair"))
#' @export
tec_q_param <- function(range = c(0.2, 4), trans = NULL) {
  need_package("dials", "tec_q_param")
  tryCatch(
    dials::new_quant_param("double",
      range = range, inclusive = c(TRUE, TRUE), trans = trans,
      label = c(q = "q of the Tsallis entropy")
    ),
    error = function(e) {
      tec_abort("argument", c(
        "{.arg range} must be two numbers, and {.arg trans} a transformation or {.code NULL}.",
        x = escape_braces(sub("^[^`A-Za-z]*", "", conditionMessage(e)))
      ))
    }
  )
}

#' @rdname tec_q_param
#' @export
tec_criterion_param <- function(values = NULL) {
  need_package("dials", "tec_criterion_param")
  known <- tec_criteria()
  values <- values %||% known$name[known$task == "classification"]
  if (!is.character(values)) {
    tec_abort("criterion", c(
      "{.arg values} must be names of criteria.", x = "It is {describe(values)}.",
      i = "{.run tectree::tec_criteria()} lists them."
    ))
  }
  for (value in values) tec_criterion(value)
  dials::new_qual_param("character", values = values, label = c(criterion = "Split criterion"))
}
