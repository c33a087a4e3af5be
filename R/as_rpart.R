#' Convert a tree to rpart
#'
#' Returns an object of class `rpart`, for [rpart.plot::rpart.plot()], `print()`, `predict()` and so
#' on. Predictions are the same; class shares are those of the training rows, without `smooth` of
#' [tec_control()]. Thresholds are increased by the smallest possible step, because rpart splits by
#' `x < t` and tectree by `x <= t`.
#'
#' Trees of rpart have two branches per node and at most 30 levels. Grow the tree with
#' `nominal = "binary"` and two `intervals`, and if necessary with `max_depth = 30`.
#' Cross-validated errors are not part of the result; the complexities are computed from
#' the errors at the nodes, so that `rpart::prune()` works.
#'
#' # Missing values
#'
#' Surrogate splits are converted too, and predictions for missing values are those of `fit`, with
#' any `missing` (see [tec_control()]) but `"fractional"`. That has no counterpart: rpart sends such
#' a row down one branch, that with more rows.
#'
#' If no surrogate has a value, rpart takes the branch with more *rows*, or stops if both have the
#' same number; tectree takes the branch with the largest weight, the first on ties. Where these
#' differ, the node gets further surrogates with `adj` 0, which send any value of another predictor
#' down the correct branch. Only rows whose predictors are all missing still follow rpart's rule
#' there.
#'
#' A fit does not store how many rows a split or a surrogate decided. They are counted with `data`;
#' otherwise `count` is `NA`.
#'
#' @param fit A tree from [tec_tree()].
#' @param data `NULL`, or the training rows, for the counts and for `where`, the leaf of
#'   each row.
#' @return An object of class `rpart`.
#' @family conversions
#' @examplesIf requireNamespace("rpart", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris)
#' tree <- as_rpart(fit)
#' tree
#' head(predict(tree, iris), 3)
#' if (requireNamespace("rpart.plot", quietly = TRUE)) rpart.plot::rpart.plot(tree, type = 2)
#' @export
as_rpart <- function(fit, data = NULL) {
  need_package("rpart", "as_rpart")
  fit <- chosen_fit(fit, "as_rpart")
  check_is_tree(fit, "as_rpart")
  check_binary(fit$tree)
  rows <- if (!is.null(data)) deciding_rows(fit, check_newdata(data, "data"), parent.frame())
  splits <- rpart_splits(fit, rows)
  terms <- rpart_terms(fit)
  frame <- rpart_frame(fit)
  frame$nsurrogate <- splits$surrogates
  classes <- fit$response$task == "classification"
  ordered <- vapply(fit$columns$ptype, is.ordered, NA)
  out <- list(
    frame = frame, where = rows$where %||% integer(), call = fit$call, terms = terms,
    method = if (classes) "class" else "anova", parms = rpart_parms(fit),
    cptable = cost_table(frame, fit$tree),
    control = rpart_control(fit),
    functions = rpart_functions(fit),
    numresp = if (classes) 2L + length(fit$response$levels) else 1L,
    splits = splits$splits, csplit = splits$csplit,
    variable.importance = rpart_importance(frame, splits$splits, classes),
    ordered = stats::setNames(ordered, fit$columns$name)
  )
  out <- out[!vapply(out, is.null, NA)]
  structure(
    out,
    xlevels = rpart_levels(fit$columns), ylevels = fit$response$levels, class = "rpart"
  )
}

# usesurrogate 2: surrogates, then the majority; 1: surrogates, then stop; 0: stop.
rpart_control <- function(fit) {
  tree <- fit$tree
  control <- fit$control
  rpart::rpart.control(
    minsplit = control$min_split, minbucket = control$min_bucket, cp = 0, maxcompete = 0,
    maxsurrogate = max(0L, tree$surrogate_count), xval = 0,
    usesurrogate = if (tree$unknown != 2L) 2L else as.integer(tree$by_surrogate),
    surrogatestyle = control$surrogate_style %||% 0L, maxdepth = max(1, min(30, control$max_depth))
  )
}

check_binary <- function(tree) {
  wide <- which(tree$n_children > 2L)
  if (length(wide)) {
    kind <- split_kinds[tree$kind[wide[1L]] + 1L]
    tec_abort("conversion", c(
      "rpart has no splits with more than two branches.",
      x = "Node {wide[1L]} ({kind}) has {tree$n_children[wide[1L]]}; such nodes: {length(wide)}.",
      i = "Grow it with {.code nominal = \"binary\"} and {.code intervals = 2}.",
      i = "Or take {.fn partykit::as.party}, which knows them."
    ))
  }
  if (max(tree$depth) > 30) {
    # partykit cannot handle much deeper trees either.
    other <- if (max(tree$depth) <= 100) ", or use {.fn as.party}"
    tec_abort("conversion", c(
      "rpart numbers nodes down to depth 30.",
      x = "The tree is {max(tree$depth)} deep.",
      i = paste0("Grow it with {.code max_depth = 30}", other, ".")
    ))
  }
}

# rpart's numbers: the children of i are 2 i and 2 i + 1.
rpart_numbers <- function(tree) {
  out <- rep(1, length(tree$parent))
  branch <- node_branches(tree)
  for (i in seq_along(out)[-1L]) out[i] <- 2 * out[tree$parent[i]] + branch[i]
  out
}

rpart_frame <- function(fit) {
  tree <- fit$tree
  leaf <- tree$kind == 0L
  classes <- fit$response$task == "classification"
  dev <- if (classes) node_errors(fit) else tree$weight * tree$impurity
  frame <- data.frame(
    var = ifelse(leaf, "<leaf>", fit$columns$name[pmax(tree$variable, 1L)]),
    n = as.integer(tree$n), wt = case_weights(fit), dev = dev, yval = tree$yval,
    complexity = node_complexity(fit), ncompete = 0L, nsurrogate = 0L
  )
  if (classes) {
    levels <- length(fit$response$levels)
    yval2 <- cbind(tree$yval, case_counts(fit), tree$prob, tree$weight / tree$weight[1L])
    dimnames(yval2) <- list(NULL, c(rep("", 1L + 2L * levels), "nodeprob"))
    frame$yval2 <- yval2
  }
  row.names(frame) <- format(rpart_numbers(tree), scientific = FALSE, trim = TRUE)
  frame
}

# The weight of the wrong classes, or their losses. Shares are rounded, so whole weights are
# restored.
node_errors <- function(fit) {
  tree <- fit$tree
  prob <- raw_tree(fit)$prob
  cost <- fit$cost
  at <- cbind(seq_along(tree$yval), tree$yval)
  dev <- tree$weight * if (is.null(cost)) 1 - prob[at] else (prob %*% cost)[at]
  whole <- abs(dev - round(dev)) < 1e-9 * pmax(1, tree$weight)
  ifelse(whole, round(dev), dev)
}

# rpart's complexity of each node, as a share of the root's risk; 0 for leaves.
node_complexity <- function(fit) {
  risk <- if (fit$response$task == "regression") "impurity" else "misclassification"
  found <- penalty_sequence(fit, risk, "rpart")
  penalty <- pmax(found$node_penalty, 0)
  if (found$root_risk > 0) penalty / found$root_risk else penalty
}

# rpart's table of the cost-complexity subtrees, without cross-validation.
cost_table <- function(frame, tree) {
  inner <- tree$kind != 0L
  cost <- frame$complexity
  steps <- sort(unique(signif(cost[inner], 12)), decreasing = TRUE)
  if (length(steps) == 0L || steps[length(steps)] > 0) steps <- c(steps, 0)
  rows <- vapply(steps, function(step) {
    open <- inner & cost > step * (1 + 1e-11)
    if (step == 0) open <- inner & cost > 0
    # The leaves: children of open nodes (or the root) that are not open themselves.
    drawn <- c(TRUE, open[tree$parent[-1L]])
    error <- sum(frame$dev[drawn & !open]) / max(frame$dev[1L], 1e-300)
    c(CP = step, nsplit = sum(open), "rel error" = if (frame$dev[1L] > 0) error else 1)
  }, numeric(3L))
  out <- t(rows)
  rownames(out) <- seq_len(nrow(out))
  out
}

is_logical_column <- function(columns) vapply(columns$ptype, is.logical, NA)

rpart_terms <- function(fit) {
  formula <- stats::formula(fit)
  environment(formula) <- globalenv()
  out <- stats::terms(formula)
  kinds <- ifelse(
    is_logical_column(fit$columns), "logical",
    c(numeric = "numeric", ordered = "ordered", nominal = "factor")[fit$columns$kind]
  )
  other <- vapply(fit$columns$ptype, function(p) is.object(p) && !is.factor(p), NA)
  kinds[other] <- "other"
  kinds[vapply(fit$columns$ptype, is.character, NA)] <- "character"
  response <- if (fit$response$task == "regression") "numeric" else "factor"
  names(kinds) <- fit$columns$name
  attr(out, "dataClasses") <- c(stats::setNames(response, fit$response$name), kinds) # nolint: rpart
  out
}

rpart_levels <- function(columns) {
  some <- columns$kind != "numeric" & !is_logical_column(columns)
  stats::setNames(columns$levels[some], columns$name[some])
}

rpart_parms <- function(fit) {
  levels <- fit$response$levels
  if (is.null(levels)) {
    return(NULL)
  }
  k <- length(levels)
  list(
    prior = stats::setNames(fit$tree$prob[1L, ], seq_len(k)),
    loss = unname(fit$cost %||% (1 - diag(k))), split = 1
  )
}

# rpart keeps the functions that format a node in its object: those of a small tree.
rpart_functions <- function(fit) {
  levels <- fit$response$levels
  y <- if (is.null(levels)) 1:4 else factor(rep_len(levels, 2L * length(levels)), levels)
  data <- data.frame(y = y, x = seq_along(y))
  method <- if (is.null(levels)) "anova" else "class"
  rpart::rpart(y ~ x, data, method = method, control = rpart::rpart.control(xval = 0))$functions
}
