#' Prune a tree
#'
#' Removes the splits of a grown tree that do not improve it enough, by one of
#' the classical rules. [tec_tree()] does the same while it grows a tree, with
#' `prune =` and the arguments of the same names. `prune(fit, cp = )` does the same; other
#' packages' trees are passed on to their own `prune()`.
#'
#' @section Methods:
#' * `"ccp"`, cost-complexity pruning (Breiman et al., 1984): the smallest tree
#'   of least risk plus `alpha` times the number of leaves. [cp_table()] shows the
#'   whole sequence of trees, and explains rpart's rule, which a tree of `preset = "cart"` has.
#' * `"pep"`, pessimistic pruning (Quinlan, 1987): a leaf is charged half an error
#'   more than it makes; a node becomes a leaf where its own errors as a leaf, plus
#'   one half, are at most those of its subtree plus one standard error.
#' * `"ebp"`, error-based pruning (C4.5; Quinlan, 1993): the errors expected at
#'   confidence `cf`. With `raise` the largest branch of a node may take the node's
#'   place, and all of its rows.
#' * `"rep"`, reduced-error pruning (Quinlan, 1987): a node becomes a leaf where
#'   that makes no more of the rows of `validation` wrong (for regression: where it
#'   does not add to their squared, or with criterion `"l1"` absolute, errors). A
#'   branch that no row of `validation` reaches is pruned.
#' * `"collapse"`: a subtree that makes no fewer training errors than its root would
#'   as a leaf is pruned; what C4.5 does before its pruning.
#'
#' `"pep"`, `"ebp"` and `"collapse"` count errors and are for classification. With a
#' loss matrix (`cost` of [tec_tree()]) each method counts losses; for the two
#' methods that estimate from counts, in units of the largest loss. A leaf that holds
#' no row counts as a leaf.
#'
#' @param fit A tree from [tec_tree()], pruned before or not.
#' @param method The rule. Left out it follows from the other arguments: `"ccp"`
#'   with `cp` or `alpha`, `"rep"` with `validation`.
#' @param cp,alpha The complexity penalty per leaf for `"ccp"`, one of the two. `cp` is a share of
#'   the root's risk, as in `rpart::rpart()`; `alpha` is in units of the mean risk, as
#'   scikit-learn's `ccp_alpha`. `alpha` may also be `"min"` or `"1se"`: the tree of
#'   least cross-validated error, or the smallest within one standard error of it. A fit without a
#'   cross-validated table is grown again with one, on `data` or on the training rows where they
#'   are found (see [fitted()][fitted.tec_tree]); folds are drawn by R's random numbers.
#' @param risk What `"ccp"` takes for the risk of a leaf: `"misclassification"` (its
#'   errors, or its losses) or `"impurity"`, the criterion's own. A rare class can
#'   survive pruning by impurity where the other would cut to the root. Regression
#'   knows the second alone. `NULL`: as the fit was pruned before, else by
#'   misclassification.
#' @param penalties The rule that gives each split its complexity penalty: `"weakest_link"` or
#'   `"rpart"`, see [cp_table()]. `NULL`: as the fit was pruned before, else as its preset says.
#' @param cf The confidence of `"ebp"`, above 0 and not above 0.5.
#' @param data The training data, which a tree does not keep: `"ebp"` needs them to
#'   raise branches, `alpha = "min"` or `"1se"` to cross-validate. With a fit from
#'   `tec_tree(x = , y = )` the response is its column
#'   `y`.
#' @param weights The case weights that belong to `data`, as in [tec_tree()].
#' @param raise Whether `"ebp"` may raise branches. The default is to do so where
#'   there is `data`.
#' @param validation For `"rep"`: a data frame of rows that the tree was not grown
#'   from, with the response.
#' @param node The numbers of nodes that are to become leaves: pruning by hand, as
#'   `rpart::snip.rpart()` does it.
#' @param ... Not used.
#' @return The pruned tree. Its nodes are numbered again, in pre-order.
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
  check_known(dot_names(list(...)), setdiff(names(formals(tec_prune)), "..."), "tec_prune")
  fit <- chosen_fit(fit, "tec_prune")
  if (!inherits(fit, "tec_tree")) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree}.",
      x = "It is {describe(fit)}."
    ))
  }
  check_fit(fit)
  if (!is.null(node)) {
    others <- c(method = method, cp = cp, alpha = alpha)
    return(prune_nodes(fit, node, names(others)))
  }
  method <- check_prune_method(method, cp, alpha, validation)
  env <- parent.frame()
  if (method %in% c("pep", "ebp", "collapse") && fit$response$task == "regression") {
    abort_no_classes(method, fit$response)
  }
  switch(method,
    ccp = prune_ccp(fit, cp, alpha, risk, penalties, data, weights, env),
    rep = prune_rep(fit, validation, env),
    ebp = prune_ebp(fit, check_cf(cf), check_flag(raise, "raise"), data, weights, env),
    prune_alone(fit, method)
  )
}

check_prune_method <- function(method, cp, alpha, validation) {
  known <- c(setdiff(prune_methods, c("auto", "none")), "collapse")
  by_penalty <- !is.null(cp) || !is.null(alpha)
  if (is.null(method)) {
    if (by_penalty == is.null(validation)) {
      return(if (by_penalty) "ccp" else "rep")
    }
    tec_abort("prune", c(
      "{.arg method} must be one of {.or {.val {known}}}.",
      x = "It is left out.",
      i = "{.arg cp} or {.arg alpha} alone ask for {.val ccp}, {.arg validation} for {.val rep}.",
      i = "By cross-validation: {.code tec_prune(fit, alpha = \"1se\")}."
    ))
  }
  method <- match_choice(method, known, "method", "prune")
  if (by_penalty && method != "ccp") {
    tec_abort("prune", c(
      "{.arg cp} and {.arg alpha} are for {.val ccp}.",
      x = "{.arg method} is {.val {method}}."
    ))
  }
  if (!is.null(validation) && method != "rep") {
    tec_abort("prune", c(
      "{.arg validation} is for {.val rep}.",
      x = "{.arg method} is {.val {method}}."
    ))
  }
  method
}

core_risk <- function(fit, risk = "misclassification") {
  check_squares(fit)
  list(loss = core_loss(fit$cost), impurity = risk == "impurity")
}

# The fit with another tree, which may be the same.
with_tree <- function(fit, tree, method, ...) {
  fit$tree <- keep_pieces(fit$tree, tree)
  fit$pruning <- list(method = method, ...)
  if (method != "ccp") fit["cptable"] <- NULL
  fit
}

# What the core gives back is the whole tree; a piece that it does not know of
# must not be lost in silence.
keep_pieces <- function(before, after) {
  lost <- setdiff(names(before), names(after))
  if (length(lost)) abort_fit("its tree has a part {.field {lost}} that is not known", lost)
  after
}

prune_alone <- function(fit, method, value = 0) {
  tree <- tec_prune_(fit$tree, length(fit$columns$name), method, value, core_risk(fit))
  with_tree(fit, tree, method)
}

prune_ebp <- function(fit, cf, raise, data, weights, env) {
  if (!raise) {
    tree <- tec_prune_(fit$tree, length(fit$columns$name), "ebp", cf, core_risk(fit))
    return(with_tree(fit, tree, "ebp", cf = cf, raise = FALSE))
  }
  if (is.null(data)) {
    tec_abort("prune", c(
      "{.code raise = TRUE} needs the training data.",
      x = "A tree does not keep them.",
      i = "Give them as {.arg data}, or use {.code prune = \"ebp\"} in {.fn tec_tree}."
    ))
  }
  prune_with_rows(fit, "ebp", cf, rows_of_fit(fit, data, weights, "data", env))
}

prune_rep <- function(fit, validation, env) {
  if (is.null(validation)) {
    tec_abort("prune", c(
      "{.code method = \"rep\"} needs rows that the tree was not grown from.",
      i = "Give them as {.arg validation}, a data frame with the response."
    ))
  }
  prune_with_rows(fit, "rep", 0, rows_of_fit(fit, validation, NULL, "validation", env))
}

# `rows` has the core's arguments columns, kinds, n_levels, response, weights, rows.
prune_with_rows <- function(fit, method, value, rows) {
  tree <- tec_prune_rows_(
    fit$tree, method, value, core_risk(fit), rows$columns, rows$kinds, rows$n_levels,
    rows$response, rows$weights, rows$rows, core_criterion(fit$criterion),
    core_control(fit$control)
  )
  if (method == "rep") {
    n <- if (is.null(rows$rows)) length(rows$response$y) else length(rows$rows)
    return(with_tree(fit, tree, "rep", n_validation = n))
  }
  with_tree(fit, tree, "ebp", cf = value, raise = TRUE)
}

# What tec_tree() does after growing. `core` are the core's arguments of the growth.
finish_pruning <- function(fit, core, group, validation, env) {
  control <- fit$control
  if (control$collapse) {
    fit <- prune_alone(fit, "collapse")
  }
  fit <- switch(control$prune,
    none = fit,
    pep = prune_alone(fit, "pep"),
    ebp = if (control$raise) {
      rows <- core[c("columns", "kinds", "n_levels", "response", "weights", "rows")]
      prune_with_rows(fit, "ebp", control$cf, rows)
    } else {
      prune_ebp(fit, control$cf, FALSE)
    },
    ccp = finish_ccp(fit, core, group),
    rep = prune_rep(fit, validation, env)
  )
  if (control$missing == "surrogate") fit$tree <- late_surrogates(fit$tree, core)
  fit
}

# Surrogates are looked for when it is known which splits stay, where growth could do
# without them.
late_surrogates <- function(tree, core) {
  tec_surrogates_(
    tree, core$columns, core$kinds, core$n_levels, core$response, core$weights, core$rows,
    core$criterion, core$control
  )
}
