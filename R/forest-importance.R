#' Variable importance of a forest
#'
#' Returns the importance that [tec_forest()] computed, or the permutation importance on other rows.
#'
#' * `"gain"`: the gain of each split times the node's share of the weight of its root, summed by
#'   predictor and averaged over the trees. It favours predictors with many values, which find gains
#'   in noise.
#' * `"corrected"`: the gain of each split on the out-of-bag rows, summed by predictor, per
#'   out-of-bag row, and averaged over the trees (Li et al., 2019). A row with response y
#'   contributes (branch - node) y, where branch and node are the means of the tree's training rows
#'   there. The mean of y over the out-of-bag rows is subtracted from y first, so that a constant
#'   added to all responses changes nothing. For classes the contributions are summed over the
#'   classes, with shares for means and 0 and 1 for y. On the training rows this is the gain of
#'   `"gini"` and `"l2"`. See *What the corrected importance corrects*.
#' * `"permutation"`: the increase of the error of each tree on its out-of-bag rows (wrong classes,
#'   also with `cost`, or squared errors) when the values of the predictor are permuted among them,
#'   averaged over the trees, with its standard error `se` over the trees. The classes are those
#'   that the tree predicts. With `data`, it is the increase of the error of the whole forest on
#'   these rows, averaged over `repeats` permutations, and `se` is the standard error of that mean.
#'   On training rows, uninformative predictors also seem to matter. Without other rows, grow the
#'   forest with `importance = "permutation"`, which uses the out-of-bag rows.
#'
#' # What the corrected importance corrects
#'
#' The out-of-bag rows did not choose the split. If no predictor is related to the response, the
#' expected corrected importance of each is 0, whatever its number of values, while its `"gain"`
#' grows with that number. In a single forest it may be somewhat above or below 0.
#'
#' Some bias remains. Next to a predictor that matters, uninformative numbers and factors with few
#' levels stay near 0. An uninformative factor with 20 levels stays somewhat above 0 (in simulations
#' at 2 % of the predictor that matters), as with `"impurity_corrected"` of the ranger package. A
#' predictor that is correlated with an important one shares its importance, as it should.
#'
#' # P-values
#'
#' The response is permuted and a forest with the same settings is grown, `permutations` times. The
#' p-value of a predictor is (1 + the number of these forests in which its importance is at least
#' that in `x`) / (1 + `permutations`) (Altmann et al., 2010). The smallest possible p-value is 1 /
#' (1 + `permutations`). The training rows are needed, see [tec_tree-methods]. Permutations and
#' seeds follow [set.seed()].
#'
#' @param x A forest from [tec_forest()].
#' @param type `"gain"`, `"corrected"` or `"permutation"`. The default is the type that the forest
#'   was grown with.
#' @param data For permutation on other rows: a data frame with the predictors and the response,
#'   preferably of rows that were not used for training, see *Details*. All its rows count equally.
#'   For p-values: the training rows, needed only if they cannot be found.
#' @param y The response of `data`, needed only if the forest was grown from `x` and `y`.
#' @param weights,sample_weights For p-values with `data`: the weights that the forest was grown
#'   with, if any.
#' @param repeats With `data`: how often each predictor is permuted.
#' @param p_values Whether to compute p-values.
#' @param permutations Number of forests with a permuted response.
#' @param ... Must be empty.
#' @return A data frame of class `tec_importance`, in decreasing order, with the columns `variable`
#'   and `importance`, for gain `share` of the total, for permutation `se`, and `p_value` if asked
#'   for. [plot()][plot.tec_importance] draws it.
#' @family forest functions
#' @references Altmann, A., Tolosi, L., Sander, O. and Lengauer, T. (2010). Permutation importance:
#'   a corrected feature importance measure. *Bioinformatics* 26, 1340-1347.
#'
#'   Li, X., Wang, Y., Basu, S., Kumbier, K. and Yu, B. (2019). A debiased MDI feature importance
#'   measure for random forests. *NeurIPS* 32.
#' @concept variable importance
#' @concept permutation importance
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 50, importance = "permutation", threads = 2)
#' importance(fit)
#' importance(fit, p_values = TRUE, permutations = 9)
#' @export
importance.tec_forest <- function(x, type = NULL, data = NULL, y = NULL, repeats = 10L,
                                  p_values = FALSE, permutations = 99L, weights = NULL,
                                  sample_weights = NULL, ...) {
  refuse_dots("importance", ...)
  check_is_forest(x, "importance")
  stored <- x$importance$type
  type <- match_choice(type %||% stored %||% "gain", importance_kinds[-1L], "type")
  p_values <- check_flag(p_values, "p_values", topic = "argument")
  if (p_values) {
    refuse_without("p_values = FALSE", c(repeats = !missing(repeats)))
  } else {
    refuse_without("p_values = TRUE", c(
      permutations = !missing(permutations), weights = !is.null(weights),
      sample_weights = !is.null(sample_weights)
    ))
    if (type != "permutation") refuse_permutation(data, y, !missing(repeats))
    if (is.null(data)) {
      refuse_without("data", c(y = !is.null(y), repeats = !missing(repeats)))
    }
  }
  if (type == "permutation" && !is.null(data) && !p_values) {
    repeats <- check_count(repeats, "repeats", least = 1)
    out <- permutation_importance(x, needed_data(data, "importance"), y, repeats, parent.frame())
  } else {
    if (!identical(stored, type)) abort_not_stored(type, stored)
    out <- stored_importance(x)
  }
  if (p_values) {
    permutations <- check_count(permutations, "permutations", least = 1)
    rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
    out$p_value <- permuted_p_values(x, rows, permutations, parent.frame())
  }
  sorted_importance(out, type)
}

abort_not_stored <- function(type, stored) {
  tec_abort("argument", c(
    "The forest has no importance of type {.val {type}}.",
    x = if (is.null(stored)) "It was grown with {.code importance = \"none\"}." else
      "It was grown with {.code importance = \"{stored}\"}.",
    i = "Grow it with {.code importance = \"{type}\"}{if (type == 'permutation') ', or give data'}."
  ))
}

stored_importance <- function(fit) {
  found <- fit$importance
  out <- importance_table(fit$columns$name, unname(found$value))
  if (found$type != "gain") out$share <- NULL
  if (found$type == "permutation") out$se <- unname(found$se)
  out
}

# Only the response is permuted, among the rows used; their weights stay.
permuted_p_values <- function(fit, rows, permutations, env) {
  training <- forest_training(fit, "importance", env, rows)
  training$ready <- copy_rows(training$ready)
  training$n <- length(training$ready$response$core$y)
  plan <- forest_plan(fit, training)
  used <- plan$ready$rows %||% seq_len(plan$n)
  truth <- plan$ready$response$core$y
  at_least <- integer(length(fit$columns$name))
  for (b in seq_len(permutations)) {
    permuted <- truth
    permuted[used] <- truth[used[sample.int(length(used))]]
    plan$ready$response$core$y <- permuted
    plan$priors <- resolve_priors(plan$asked, plan$ready, plan$cost)
    core <- grow_core(plan, draw_seeds(length(fit)), oob = FALSE)
    null <- forest_importance(core$importance, plan)$value
    at_least <- at_least + (null >= fit$importance$value)
  }
  (1 + at_least) / (1 + permutations)
}
