#' Scores of every candidate split
#'
#' Shows the search for a split at the root, or at a node of a fitted tree: the best split of each
#' attribute with its gain and score, and which one wins. `min_bucket` and `min_gain` apply;
#' `min_split` and `max_depth` do not.
#'
#' @param x,formula A formula, a data frame or matrix of predictors, or a tree from
#'   [tec_tree()].
#' @param data A data frame. With a tree: rows with the columns of the training rows, which the
#'   splits of the tree send to `node`. If missing, the training rows with their weights, if they
#'   can be found (see [tec_tree-methods]). The rules of C4.5 use all of these rows as the training
#'   set.
#' @param y The response, one value per row. With a tree: only if it was grown from
#'   `x` and `y`.
#' @param node Number of a node, which can be a leaf, as in
#'   [as.data.frame()][as.data.frame.tec_tree].
#' @param criterion,q,preset,weights,subset,na.action,control,... As in
#'   [tec_tree()]. With a tree, the defaults are its settings; with `data`, `weights` must be
#'   given again.
#' @param cost,cost_in,prior,class_weights As in [tec_tree()]: the weights of the classes in the
#'   search. A `cost` with `cost_in = "leaf"` changes no score. With a tree, its own settings are
#'   used.
#' @param candidates `"best"`: the split that represents each attribute. `"all"`: every split of the
#'   search, including those that `min_bucket` or `min_gain` rules out; the printed column
#'   `admissible` names the reason.
#' @return A data frame of class `tec_scores`, the highest score first. Every attribute has a row.
#'   The columns are `variable`, `split`, `kind`, `gain`, `score`, `eligible` (whether the attribute
#'   may win), `chosen` (whether it wins), `cut` (the measure that picks the split of one
#'   attribute), `exact`, `tied` (it has the same score as the chosen split, which comes first in
#'   the data), `reason` (why an attribute cannot split the node, `""` if it can) and, with all
#'   candidates, `admissible`. With `criterion = "cond_entropy"` there is also the conditional
#'   entropy. A `deduction` that was subtracted from the gain has its own column: with the rules of
#'   C4.5, for the number of cuts tried, \eqn{\log_2} of that number divided by the number of rows;
#'   otherwise for the grouping of a factor's levels, see *Factors with many levels* in
#'   [tec_control()]. The conditional entropy includes it. With
#'   `missing = "learned"` there is also `missing_branch`: the branch, 1 or 2, in which rows with a
#'   missing value are counted and to which they go, `NA` if there are none or they are not counted.
#'   Each split is listed with the branch that gains more.
#'
#'   The first printed lines name the units of gain and score.
#' @family explanations of a tree
#' @examples
#' tec_scores(Species ~ ., iris, criterion = "gain_ratio")
#'
#' fit <- tec_tree(Species ~ ., iris)
#' tec_scores(fit, iris, node = 3)
#' @export
tec_scores <- function(x, ...) {
  UseMethod("tec_scores")
}

#' @rdname tec_scores
#' @export
tec_scores.formula <- function(formula, data, criterion = NULL, q = NULL, preset = "tec",
                               candidates = c("best", "all"), weights, subset, na.action = NULL,
                               cost = NULL, cost_in = NULL, prior = NULL, class_weights = NULL,
                               control = tec_control(...), ...) {
  fit_model("scores", tec_scores.formula, read = read_scores, grow = function(it) {
    score_asked(it$input, it$asked, it$control, it$candidates)
  })
}

#' @rdname tec_scores
#' @export
tec_scores.default <- with_xy(tec_scores.formula)

#' @rdname tec_scores
#' @export
tec_scores.tec_tree <- function(x, data, node = 1L, criterion = NULL, q = NULL,
                                candidates = c("best", "all"), y = NULL, weights = NULL,
                                control = NULL, ...) {
  candidates <- if (missing(candidates)) "best" else check_candidates(candidates)
  check_fit(x)
  given <- names(list(...))
  asked <- merge_control(control, list(...), c(arguments_of("scores"), "node"), "tec_scores")
  if (missing(data)) {
    found <- training_rows(x, "tec_scores", parent.frame())
    data <- found$data
    y <- found$y
    weights <- found$used_weights
  } else {
    data <- check_newdata(data, "data")
    weights <- eval_argument(
      substitute(weights), data, parent.frame(), parent.frame(), "weights"
    )
  }
  ready <- prepare_node(x, data, node, y, weights, parent.frame())
  ready$criterion <- fit_criterion(x, q, criterion)
  check_task(ready$criterion, x$response)
  ready$control <- fit_control(x, asked, given, !is.null(control))
  out <- score_prepared(ready, candidates)
  attr(out, "node") <- as.integer(node)
  out
}

read_scores <- function(model, frame, call) {
  candidates <- if (is_given("candidates", frame)) check_candidates(frame$candidates) else "best"
  c(read_settings(model, frame, call), list(candidates = candidates))
}

score_asked <- function(input, asked, control, candidates) {
  ready <- prepare(input, asked, control)
  cost <- check_cost(asked$cost, ready$response$info)
  ready$response$core$factors <- resolve_priors(asked, ready, cost)$factors
  score_prepared(ready, candidates)
}

check_candidates <- function(candidates) match_choice(candidates, c("best", "all"), "candidates")

fit_criterion <- function(fit, q, criterion) {
  if (is.null(q) && is.null(criterion)) {
    return(fit$criterion)
  }
  if (is.null(criterion) && identical(names(fit$criterion$parameter), "q")) {
    criterion <- fit$criterion$name
  }
  resolve_criterion(q, criterion, fit$preset, fit$response$task)
}

# The settings of the tree, except for those given in the call.
fit_control <- function(fit, asked, given, whole) {
  if (whole) {
    return(resolve_control(asked, fit$preset))
  }
  control <- fit$control
  for (field in intersect(setting_names(given), control_names)) {
    control[field] <- list(asked[[field]])
  }
  check_c45_missing(control)
}

# The rows of `data` that reach a node, coded as the tree codes them.
prepare_node <- function(fit, data, node, y, weights, env) {
  check_node(node, length(fit$tree$parent), "node")
  check_some_rows(nrow(data))
  values <- code_newdata(fit, data, seq_along(fit$columns$name), env, arg = "data")
  share <- reaching_share(fit, values, nrow(data), node)
  codes <- node_response(fit, data, y, env)
  used <- !is.na(codes)
  weights <- weights_of_fit(fit, weights, nrow(data))
  # With importance weights, the size of a row is its share.
  sizes <- if (!is.null(weights) && meaning_of(fit$control) == "importance") share
  if (!is.null(weights)) used <- used & weights > 0
  inside <- used & share > 0
  times <- if (!is.null(weights) && counts_frequencies(fit)) weights
  if (!is.null(times)) weights <- NULL
  if (any(share > 0 & share < 1)) weights <- (weights %||% 1) * share
  which_of <- function(some) if (is.null(times)) which(some) else rep(which(some), times[some])
  if (!any(inside)) {
    tec_abort("data", c("No row of {.arg data} reaches node {node} with a response."))
  }
  frame <- list(
    name = fit$columns$name, kind = fit$columns$kind, value = values,
    n_levels = lengths(fit$columns$levels), levels = fit$columns$levels,
    ptype = fit$columns$ptype
  )
  core <- list(y = codes, n_classes = length(fit$response$levels), factors = fit$class_factors)
  list(
    frame = frame, response = list(core = core, info = fit$response),
    rows = if (!all(inside) || !is.null(times)) which_of(inside), weights = weights,
    sizes = sizes, training = if (!all(inside)) which_of(used)
  )
}

check_node <- function(node, last, arg) {
  if (!is_number(node) || node < 1 || node > last || node != round(node)) {
    abort_found("{.arg {arg}} must be the number of a node, from 1 to {last}.", node)
  }
}

# The share of each row that reaches a node. It is between 0 and 1 for rows that go down several
# branches.
reaching_share <- function(fit, values, n, node) {
  last <- subtree_end(fit$tree, node)
  end <- route_rows(fit, values, n)
  share <- as.double(end >= node & end <= last)
  shared <- shared_rows(fit, values, n)
  if (!is.null(shared)) {
    here <- shared$share * (shared$node >= node & shared$node <= last)
    share[unique(shared$row)] <- pmin(1, drop(rowsum(here, shared$row, reorder = FALSE)))
  }
  share
}

# In pre-order, the nodes below `node` follow it, up to the next node of at most its depth.
subtree_end <- function(tree, node) {
  after <- seq_along(tree$depth) > node & tree$depth <= tree$depth[node]
  if (any(after)) which(after)[1L] - 1L else length(tree$depth)
}
