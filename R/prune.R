# Tested in test-prune-control.R, test-prune-ccp.R and test-prune-node.R.

#' Prune a tree
#'
#' Removes splits that do not improve a tree enough, by one of the classical methods. [tec_tree()]
#' has an argument `prune` and further arguments of the same names for pruning a tree as it is
#' grown. `prune(fit, cp = )` is an alias; it passes trees of other packages to their own `prune()`.
#'
#' @section Methods:
#' * `"ccp"`, cost-complexity pruning (Breiman et al., 1984): the smallest subtree that minimises
#'   the risk plus `alpha` times the number of leaves. [cp_table()] shows the whole sequence of
#'   subtrees, and explains rpart's rule, which is used with `preset = "cart"`.
#' * `"pep"`, pessimistic error pruning (Quinlan, 1987): half an error is added for each leaf. A
#'   node becomes a leaf if its own errors as a leaf plus one half are at most the errors of its
#'   subtree plus one standard error.
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
#' counts, use them in units of the largest cost. Empty leaves count as leaves.
#'
#' @param fit A tree from [tec_tree()], pruned before or not.
#' @param method The method. If missing, it is `"ccp"` with `cp` or `alpha` and `"rep"` with
#'   `validation`.
#' @param cp,alpha The complexity penalty per leaf for `"ccp"`, one of the two. `cp` is a share of
#'   the root's risk, as in `rpart::rpart()`; `alpha` is in units of the mean risk, as
#'   scikit-learn's `ccp_alpha`. `alpha` can also be `"min"` or `"1se"`: the tree with the smallest
#'   cross-validated error, or the smallest tree within one standard error of it. If the fit has no
#'   cross-validated table, the tree is grown again with one, on `data` or on the training rows if
#'   they can be found (see [fitted()][fitted.tec_tree]); folds are drawn from R's random numbers.
#' @param risk The risk of a leaf for `"ccp"`: `"misclassification"` (errors, or costs) or
#'   `"impurity"`, the impurity of the criterion. Pruning by impurity can keep a rare class where
#'   pruning by errors would leave only the root. Regression trees have only `"impurity"`. `NULL`:
#'   that of the fit's pruning, otherwise misclassification.
#' @param penalties The rule for the complexity penalty of each split: `"weakest_link"` or
#'   `"rpart"`, see [cp_table()]. `NULL`: that of the fit's pruning, otherwise that of its preset.
#' @param cf The confidence of `"ebp"`, above 0 and not above 0.5.
#' @param data The training data, which a fit does not store. `"ebp"` needs them to raise branches,
#'   `alpha = "min"` or `"1se"` to cross-validate. For a fit from `tec_tree(x = , y = )`, the
#'   response is the column `y`.
#' @param weights The case weights of `data`, as in [tec_tree()].
#' @param raise Whether `"ebp"` may raise branches. The default is `TRUE` if there is `data`.
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
  fit <- chosen_fit(fit, "tec_prune")
  if (!inherits(fit, "tec_tree")) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree}.",
      x = "It is {describe(fit)}."
    ))
  }
  check_fit(fit)
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

pruners_in_words <- function() {
  paste(
    "{.val pep} is pessimistic, {.val ebp} error-based, {.val ccp} cost-complexity and {.val rep}",
    "reduced-error pruning."
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
      i = pruners_in_words(),
      i = "{.arg cp} or {.arg alpha} alone ask for {.val ccp}, {.arg validation} for {.val rep}.",
      i = "By cross-validation: {.code tec_prune(fit, alpha = \"1se\")}."
    ))
  }
  if (is.character(method) && length(method) == 1L && !method %in% known) {
    tec_abort("prune", c(
      "{.arg method} must be one of {.or {.val {known}}}.",
      x = "It is {.val {method}}.",
      suggestion(method, known) %||% c(i = pruners_in_words())
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

# The fit with another tree, possibly the same.
with_tree <- function(fit, tree, method, ...) {
  fit <- replace_tree(fit, tree)
  fit$pruning <- list(method = method, ...)
  if (method != "ccp") fit["cptable"] <- NULL
  fit
}

replace_tree <- function(fit, tree) {
  if (!is.null(fit$found)) fit$found <- found_in(fit$found, fit$tree, tree)
  fit$tree <- keep_pieces(fit$tree, tree)
  fit
}

# The core returns the whole tree, so a field that it does not know must be an error, not lost.
keep_pieces <- function(before, after) {
  # A tree without a split has no test.
  lost <- setdiff(names(before), c(names(after), "test"))
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

# `rows` has columns, kinds, n_levels, response, weights and rows of a problem (core_problem()).
prune_with_rows <- function(fit, method, value, rows) {
  # Raised branches take each row once.
  if (anyDuplicated(rows$rows)) {
    rows$columns <- lapply(rows$columns, `[`, rows$rows)
    rows$response$y <- rows$response$y[rows$rows]
    rows["rows"] <- list(NULL)
  }
  problem <- c(rows, list(
    criterion = core_criterion(fit$criterion), control = core_control(fit$control)
  ))
  tree <- tec_prune_rows_(fit$tree, method, value, core_risk(fit), problem)
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
  # Without missing values, surrogates are searched after pruning, for the remaining splits only.
  if (control$missing == "surrogate") fit$tree <- tec_surrogates_(fit$tree, core)
  fit
}
