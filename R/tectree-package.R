#' tectree: decision trees by Tsallis entropy and thirteen other criteria
#'
#' A fast, exact tree engine for the split criteria of ID3, C4.5, CART, the Tsallis entropy
#' criterion and the CAMI family. [tec_tree()] grows a tree, [predict()][predict.tec_tree] uses it,
#' [tec_scores()] shows how each split was chosen and [tec_criteria()] lists all criteria.
#'
#' @section Options:
#' `tectree.threads`: the default number of threads.
#'
#' @keywords internal
#' @useDynLib tectree, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom stats predict
"_PACKAGE"
