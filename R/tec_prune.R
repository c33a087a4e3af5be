# Tested in test-prune-ccp.R.

#' Prune a tree
#'
#' Removes splits that do not improve a tree enough, by one of the classical methods. To prune a
#' tree when it is grown, use the argument `prune` of [tec_tree()] and its further arguments of the
#' same names. `prune(fit, cp = )` is an alias, which passes trees of other packages to their own
#' `prune()`.
#'
#' @section Methods:
#' * `"ccp"`, cost-complexity pruning (Breiman et al., 1984): the smallest subtree that minimises
#'   the risk plus `alpha` times the number of leaves. [cp_table()] shows the whole sequence of
#'   subtrees, and explains rpart's rule, which is used with `preset = "cart"`.
#' * `"pep"`, pessimistic error pruning (Quinlan, 1987): half an error is added per leaf. A node
#'   becomes a leaf if its errors as a leaf plus one half are at most the errors of its subtree plus
#'   one standard error.
#' * `"ebp"`, error-based pruning (C4.5; Quinlan, 1993): uses upper confidence limits of the errors
#'   at confidence `cf`, by C4.5's formula with the exact quantile of the normal distribution (C4.5
#'   interpolates in a table of quantiles). With `raise`, a node may also be replaced by its largest
#'   branch, which then takes all its rows.
#' * `"rep"`, reduced-error pruning (Quinlan, 1987): a node becomes a leaf if this does not increase
#'   the errors on `validation` (for regression, the squared errors, or with criterion `"l1"` the
#'   absolute errors). A branch without any row of `validation` is pruned.
#' * `"collapse"`: a subtree that makes no fewer training errors than a leaf in its place is pruned.
#'   C4.5 does this before its other pruning.
#'
#' `"pep"`, `"ebp"` and `"collapse"` are for classification only. With a cost matrix (`cost` of
#' [tec_tree()]), all methods use costs instead of errors; `"pep"` and `"ebp"`, which estimate from
#' counts, use costs in units of the largest cost. Empty leaves count as leaves.
#'
#' @param fit A tree from [tec_tree()], which may have been pruned before.
#' @param method The method. If missing, it is `"ccp"` with `cp` or `alpha` and `"rep"` with
#'   `validation`.
#' @param cp,alpha Complexity penalty per leaf for `"ccp"`; give one of the two. `cp` is a share of
#'   the root's risk, as in `rpart::rpart()`. `alpha` is in units of the mean risk, as `ccp_alpha`
#'   in scikit-learn. `alpha` can also be `"min"` or `"1se"`: the tree with the smallest
#'   cross-validated error, or the smallest tree within one standard error of it. They use the
#'   cross-validation of the fit, so they do not depend on a seed. If the fit has none, the tree is
#'   grown again with cross-validation, from `data` or from the training rows if they can be found
#'   (see [fitted()][model-methods]). Only in that case, folds are drawn from R's random numbers.
#' @param risk The risk of a leaf for `"ccp"`: `"misclassification"` (errors, or costs) or
#'   `"impurity"`, the impurity of the criterion. Pruning by impurity can keep a rare class where
#'   pruning by errors would leave only the root. Regression trees have only `"impurity"`. `NULL`:
#'   the risk that the fit was pruned with, otherwise misclassification.
#' @param penalties The rule for the complexity penalty of each split: `"weakest_link"` or
#'   `"rpart"`, see [cp_table()]. `NULL`: the rule that the fit was pruned with, otherwise that of
#'   its preset.
#' @param cf The confidence of `"ebp"`, above 0 and not above 0.5.
#' @param data The training data, which a fit does not store. `"ebp"` needs them to raise branches,
#'   and `alpha = "min"` or `"1se"` to cross-validate. For a fit from `tec_tree(x = , y = )`, the
#'   response is the column `y`.
#' @param weights The weights of `data`, as in [tec_tree()].
#' @param raise Whether `"ebp"` may raise branches. The default is `TRUE` if `data` is given.
#' @param validation For `"rep"`: a data frame of rows that are not training rows, with the
#'   response.
#' @param node The numbers of nodes to turn into leaves: pruning by hand, as with
#'   `rpart::snip.rpart()`.
#' @param ... Not used.
#' @return The pruned tree. Its nodes are renumbered, in pre-order.
#' @references
#' Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984)
#' *Classification and Regression Trees*. Wadsworth.
#'
#' Quinlan, J. R. (1987) Simplifying decision trees. *International Journal of
#' Man-Machine Studies* 27, 221-234.
#'
#' Quinlan, J. R. (1993) *C4.5: Programs for Machine Learning*. Morgan Kaufmann.
#' @family pruning functions
#' @examples
#' fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
#' cp_table(fit)
#' tec_prune(fit, cp = 0.05)
#' tec_prune(fit, "pep")
#' tec_prune(fit, "ebp", data = iris)
#'
#' # By hand: node 4 becomes a leaf.
#' tec_prune(fit, node = 4)
#'
#' half <- seq(1, 150, by = 2)
#' fit <- tec_tree(Species ~ ., iris[half, ], min_bucket = 1)
#' tec_prune(fit, validation = iris[-half, ])
#' @export
tec_prune <- function(fit, method = NULL, cp = NULL, alpha = NULL, risk = NULL, cf = 0.25,
                      data = NULL, weights = NULL, raise = !is.null(data), validation = NULL,
                      node = NULL, penalties = NULL, ...) {
  refuse_dots("tec_prune", ...)
  fit <- tree_argument(fit, "tec_prune")
  shrunk <- fit$shrunk
  fit <- unshrunk(fit)
  given <- c(
    method = !is.null(method), cp = !is.null(cp), alpha = !is.null(alpha), risk = !is.null(risk),
    penalties = !is.null(penalties), cf = !missing(cf), raise = !missing(raise),
    data = !is.null(data), weights = !is.null(weights), validation = !is.null(validation)
  )
  if (!is.null(node)) {
    return(shrunk_like(prune_nodes(fit, node, names(which(given))), shrunk))
  }
  method <- check_prune_method(method, cp, alpha, validation)
  check_prune_given(method, given, alpha, raise)
  env <- parent.frame()
  if (method %in% c("pep", "ebp", "collapse") && fit$response$task == "regression") {
    abort_no_classes(method, fit$response)
  }
  out <- switch(method,
    ccp = prune_ccp(fit, cp, alpha, risk, penalties, data, weights, env),
    rep = prune_rep(fit, validation, env),
    ebp = prune_ebp(fit, check_cf(cf), check_flag(raise, "raise"), data, weights, env),
    prune_alone(fit, method)
  )
  shrunk_like(out, shrunk)
}

# tec_prune(method = "ccp")
prune_ccp <- function(fit, cp, alpha, risk, penalties, data, weights, env) {
  cp <- check_cp(cp)
  alpha <- check_alpha(alpha)
  if (is.character(alpha) && is.null(cp) && is.null(fit$pruning) && !is.null(fit$call)) {
    return(prune_cross_validated(fit, alpha, risk, penalties, data, weights, env))
  }
  if (is.null(cp) == is.null(alpha)) {
    tec_abort("prune", c(
      "{.val ccp} needs a complexity penalty: {.arg cp} or {.arg alpha}.",
      x = if (is.null(cp)) "Neither is given." else "Both are given.",
      i = "{.run tectree::cp_table(fit)} shows the penalties at which the tree changes."
    ))
  }
  risk <- resolve_risk(fit, risk)
  penalties <- resolve_penalties(fit, penalties)
  sequence <- penalty_sequence(fit, risk, penalties)
  if (is.character(alpha)) {
    table <- kept_rows(fit[["cptable"]])
    if (is.null(table$xerror)) abort_no_folds(alpha)
    cp <- table$cp[chosen_row(table, alpha)]
  }
  penalty <- if (is.null(cp)) alpha * sequence$weight else cp * sequence$root_risk
  table <- kept_rows(own_cptable(fit, risk, penalties))
  nodes <- length(fit$tree$kind)
  fit <- cut_at_penalty(fit, risk, penalties, penalty)
  cp <- if (sequence$root_risk > 0) penalty / sequence$root_risk else 0
  fit$pruning <- list(
    method = "ccp", cp = cp, alpha = penalty / sequence$weight, risk = risk, penalties = penalties,
    rule = if (is.character(alpha)) alpha else "penalty", folds = fit$pruning$folds %||% 0
  )
  fit$cptable <- if (is.null(table)) {
    as_cptable(penalty_sequence(fit, risk, penalties, penalty, relative = FALSE))
  } else if (length(fit$tree$kind) < nodes) {
    cut_table(table, cp, penalty / sequence$weight)
  } else {
    table
  }
  fit
}

# Grows a tree without a cross-validated table again with one. The rows are `data`, or those of the
# tree's call if they can be found.
prune_cross_validated <- function(fit, alpha, risk, penalties, data, weights, env) {
  changed <- list(prune = "ccp", alpha = alpha)
  changed$risk <- risk
  changed$penalties <- penalties
  if (is.null(data)) {
    training_rows(fit, "tec_prune", env) # or its error, in the name of this function
  } else {
    changed <- c(changed, list(data = data, weights = weights))
  }
  out <- do.call(update.tec_tree, c(list(fit), changed), envir = env)
  if (leaf_count(out) > leaf_count(fit)) {
    tec_abort("prune", c(
      "{.arg data} must be the rows that the tree was grown from.",
      x = "They grow a different tree, with {leaf_count(out)} {?leaf/leaves}."
    ))
  }
  out
}

#' @rdname tec_tune-methods
#' @usage NULL
#' @export
#' @rawNamespace S3method(rpart::prune, tec_tune)
#' @rawNamespace S3method(generics::prune, tec_tune)
prune.tec_tune <- function(tree, ...) of_chosen("prune", tree, ..., .generic = tec_prune)

#' @rdname tec_prune
#' @export
#' @rawNamespace S3method(rpart::prune, tec_tree)
#' @rawNamespace S3method(generics::prune, tec_tree)
prune.tec_tree <- function(tree, cp = NULL, ...) tec_prune(tree, cp = cp, ...)
