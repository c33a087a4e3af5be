#' tectree: decision trees by Tsallis entropy and thirteen other criteria
#'
#' One fast exact tree engine under the split criteria of ID3, C4.5, CART, the
#' Tsallis entropy criterion and the CAMI family. [tec_tree()] grows a tree,
#' [predict()][predict.tec_tree] uses it, [tec_scores()] shows how each split was
#' chosen and [tec_criteria()] lists the criteria there are.
#'
#' @section Options:
#' `tectree.threads`: the number of threads used where a call names none.
#'
#' @keywords internal
#' @useDynLib tectree, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom stats predict
"_PACKAGE"
