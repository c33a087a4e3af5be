#' tectree: decision trees with one family of split criteria
#'
#' A fast, exact tree engine for the split criteria of ID3, C4.5, CART, the Tsallis entropy
#' criterion and the CAMI family. [tec_tree()] grows a tree, [predict()][predict.tec_tree] uses it,
#' [tec_scores()] shows how each split was chosen and [tec_criteria()] lists all criteria.
#'
#' @section Options:
#' `tectree.threads`: the default number of threads.
#'
#' @section Lifecycle:
#' *Stable*: single trees and what is done with them, that is [tec_tree()], [tec_control()],
#' `predict()`,
#' `print()`, `summary()`, [tec_prune()], [cp_table()], [tec_tune()], [tec_scores()],
#' [importance()],
#' [explain()], [tec_criteria()], the entropies and the partitions; [tec_forest()]; the exports
#' [tec_sql()],
#' [tec_json()], [tec_code()], [tec_pmml()] and [tec_onnx()], and the JSON format, which carries
#' its version. An
#' argument or a result of these changes only after at least one version in which the old way still
#' works, with a
#' warning that says what to write instead.
#'
#' *Experimental*: [tec_boost()], [tec_shapes()], [tec_rotation()], [tec_mars()], [tec_shap()],
#' trees from databases
#' ([tec_engine()]), the looks of plots and pages, the connections to tidymodels, caret, mlr3 and
#' DALEX, and the C++
#' headers. They are tested as thoroughly, but may change in any version, and `NEWS.md` says how.
#'
#' The trees themselves may change in any version where a tie or a default is decided in another
#' way; `NEWS.md` says so.
#'
#' @keywords internal
#' @useDynLib tectree, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom stats predict
"_PACKAGE"
