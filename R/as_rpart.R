#' Convert a tree to rpart
#'
#' Returns an object of class `rpart`, for [rpart.plot::rpart.plot()], `print()`, `predict()` and so
#' on. Predictions are the same. Class probabilities are the shares of the training rows, without
#' `smooth` of [tec_control()]. Cuts are increased by the smallest possible step, because rpart
#' splits by `x < t` and tectree by `x <= t`.
#'
#' Trees of rpart have two branches per node and at most 30 levels. Grow the tree with
#' `nominal = "binary"` and `intervals = 2`, and if necessary with `max_depth = 30`. Cross-validated
#' errors are not converted. The complexities are computed from the errors at the nodes, so
#' `rpart::prune()` works.
#'
#' # Missing values
#'
#' Surrogate splits are converted too. Predictions for missing values are those of `fit`, for every
#' `missing` (see [tec_control()]) except `"fractional"`, which has no counterpart in rpart: it
#' sends such a row down one branch, the one with more rows.
#'
#' If no surrogate has a value, rpart takes the branch with more *rows*, or stops if both branches
#' have the same number. tectree takes the branch with the largest weight, the first on ties. If
#' these differ, the node gets additional surrogates with `adj` 0, which send every value of another
#' predictor down the correct branch. Only rows whose predictors are all missing still follow
#' rpart's rule.
#'
#' A fit does not store how many rows a split or a surrogate decided. They are counted if `data` is
#' given; otherwise `count` is `NA`.
#'
#' @param fit A tree from [tec_tree()].
#' @param data `NULL`, or the training rows. They give the counts and `where`, the leaf of each row.
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
  check_rpart_classes(fit$response)
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

check_rpart_classes <- function(response) {
  if (length(response$levels) == 1L) {
    tec_abort("conversion", c(
      "rpart has no trees with only one class.",
      x = "The response {.field {response$name}} has only the class {.val {response$levels}}.",
      i = "Use {.fn partykit::as.party}, which supports them."
    ))
  }
}

check_binary <- function(tree) {
  wide <- which(tree$n_children > 2L)
  if (length(wide)) {
    kind <- split_kinds[tree$kind[wide[1L]] + 1L]
    tec_abort("conversion", c(
      "rpart has no splits with more than two branches.",
      x = "Node {wide[1L]} ({kind}) has {tree$n_children[wide[1L]]}; such nodes: {length(wide)}.",
      i = "Grow it with {.code nominal = \"binary\"} and {.code intervals = 2}.",
      i = "Or use {.fn partykit::as.party}, which supports them."
    ))
  }
  if (max(tree$depth) > 30) {
    # partykit cannot handle much deeper trees either.
    other <- if (max(tree$depth) <= 100) ", or use {.fn as.party}"
    tec_abort("conversion", c(
      "rpart can number nodes only down to depth 30.",
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
# restored here.
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
    # The leaves are the children of open nodes (or the root) that are not open themselves.
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

# An rpart object contains the functions that format a node; they are taken from a small tree.
rpart_functions <- function(fit) {
  levels <- fit$response$levels
  y <- if (is.null(levels)) 1:4 else factor(rep_len(levels, 2L * length(levels)), levels)
  data <- data.frame(y = y, x = seq_along(y))
  method <- if (is.null(levels)) "anova" else "class"
  rpart::rpart(y ~ x, data, method = method, control = rpart::rpart.control(xval = 0))$functions
}

# ---- splits ----

# The splits of an rpart object: for each node its own split, then its surrogates, one row each. A
# row contains the number of rows, the levels (-1: values below the cut go left, 1: right), the gain
# or agreement, and the cut or the row of csplit, where 1 is left, 3 right and 2 an unseen level.

rpart_splits <- function(fit, decided = NULL) {
  tree <- fit$tree
  count <- integer(length(tree$kind))
  inner <- which(tree$kind != 0L)
  if (length(inner) == 0L) {
    return(list(splits = NULL, csplit = NULL, surrogates = count))
  }
  rows <- lapply(inner, function(i) {
    c(list(primary_row(fit, i)), surrogate_rows(fit, i), stand_in_rows(fit, i))
  })
  owner <- rep(inner, lengths(rows))
  count[inner] <- lengths(rows) - 1L
  rows <- unlist(rows, recursive = FALSE)
  table <- csplit_table(lapply(rows, `[[`, "side"))
  number <- function(name) vapply(rows, function(row) as.double(row[[name]]), 0)
  index <- number("index")
  index[table$row > 0L] <- table$row[table$row > 0L]
  variable <- vapply(rows, `[[`, 0L, "variable")
  splits <- cbind(
    count = rows_decided(decided, owner, variable, length(fit$columns$name)),
    ncat = number("ncat"), improve = number("improve"), index = index, adj = number("adj")
  )
  rownames(splits) <- fit$columns$name[variable]
  list(splits = splits, csplit = table$csplit, surrogates = count)
}

# The column that decided at each node for each training row, and the leaf of the row.
deciding_rows <- function(fit, data, env) {
  known <- !is.na(node_response(fit, data, NULL, env))
  data <- data[known, , drop = FALSE]
  columns <- fit$columns
  values <- code_rows(fit, data, env, "data")
  paths <- tec_paths_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), nrow(data)
  )
  up <- fit$tree$parent[paths$node]
  by <- ifelse(paths$surrogate > 0L, paths$surrogate, fit$tree$variable[pmax(up, 1L)])
  some <- up > 0L & !paths$by_default
  where <- stats::setNames(route_rows(fit, values, nrow(data)), row.names(data))
  list(node = up[some], column = by[some], where = where)
}

rows_decided <- function(decided, node, column, n_columns) {
  if (is.null(decided)) {
    return(rep(NA_real_, length(node)))
  }
  key <- function(node, column) (node - 1) * n_columns + column
  as.double(tabulate(match(key(decided$node, decided$column), key(node, column)), length(node)))
}

# The branches of levels as rows of one matrix, and the row of each split (0 for a number).
csplit_table <- function(sides) {
  by_level <- which(lengths(sides) > 0L)
  row <- integer(length(sides))
  row[by_level] <- seq_along(by_level)
  csplit <- matrix(2L, length(by_level), max(lengths(sides)))
  for (k in seq_along(by_level)) {
    side <- sides[[by_level[k]]]
    csplit[k, seq_along(side)] <- ifelse(is.na(side), 2L, c(1L, 3L)[side])
  }
  list(row = row, csplit = if (length(by_level)) csplit)
}

# The split on one column in rpart's form: x <= cut for a number, otherwise by `side`, the branch (1
# or 2) of each level. `flipped`: low numbers go right.
rpart_test <- function(fit, variable, cut, side, flipped = FALSE) {
  if (fit$columns$kind[variable] == "numeric") {
    out <- list(ncat = if (flipped) 1 else -1, index = next_double(cut))
  } else if (is.logical(fit$columns$ptype[[variable]])) {
    # rpart codes a logical as 0 and 1.
    right <- isTRUE(side[1L] == 2L) || isTRUE(side[2L] == 1L)
    out <- list(ncat = if (right) 1 else -1, index = 0.5)
  } else {
    out <- list(ncat = length(side), index = 0, side = side)
  }
  c(list(variable = variable), out)
}

# For regression the gain is the decrease of the node's error as a share of that error.
primary_row <- function(fit, node) {
  tree <- fit$tree
  cut <- tree$breaks[tree$break_start[node] + 1L]
  test <- rpart_test(fit, tree$variable[node], cut, node_sides(fit, node))
  scale <- if (is.null(fit$response$levels)) 1 / tree$impurity[node] else tree$weight[node]
  c(test, list(improve = tree$gain[node] * scale, adj = 0))
}

surrogate_rows <- function(fit, node) {
  tree <- fit$tree
  at <- tree$surrogate_start[node] + seq_len(tree$surrogate_count[node])
  lapply(at, function(i) {
    test <- rpart_test(
      fit, tree$surrogate_variable[i], tree$surrogate_cut[i], surrogate_sides(fit, i),
      tree$surrogate_flipped[i]
    )
    c(test, list(improve = tree$surrogate_agree[i], adj = tree$surrogate_adj[i]))
  })
}

# The branch (1 or 2) of each level by surrogate `i`; NA for one that the node did not see.
surrogate_sides <- function(fit, i) {
  tree <- fit$tree
  n_levels <- length(fit$columns$levels[[tree$surrogate_variable[i]]])
  side <- level_branches(
    tree$surrogate_kind[i], tree$surrogate_cut[i], surrogate_set_at(tree, i), n_levels
  )
  if (tree$surrogate_flipped[i]) 3L - side else side
}

# The same for the node's split, with any number of branches.
node_sides <- function(fit, node) {
  tree <- fit$tree
  n_levels <- length(fit$columns$levels[[tree$variable[node]]])
  level_branches(
    tree$kind[node], tree$breaks[tree$break_start[node] + 1L], set_at(tree, node), n_levels
  )
}

# Surrogates that send every value to the branch for missing values, if that is not the branch with
# more rows. No number is below -Inf.
stand_in_rows <- function(fit, node) {
  tree <- fit$tree
  kids <- tree$child[tree$child_start[node] + 1:2]
  to <- tree$default_child[node] + 1L
  if (tree$unknown != 0L || tree$n[kids[to]] > tree$n[kids[3L - to]]) {
    return(NULL)
  }
  others <- setdiff(seq_along(fit$columns$name), tree$variable[node])
  agree <- tree$weight[kids[to]] / sum(tree$weight[kids])
  lapply(others, function(variable) {
    side <- rep(to, length(fit$columns$levels[[variable]]))
    c(
      if (length(side) && !is.logical(fit$columns$ptype[[variable]])) {
        list(variable = variable, ncat = length(side), index = 0, side = side)
      } else {
        list(variable = variable, ncat = if (to == 1L) 1 else -1, index = -Inf)
      },
      list(improve = agree, adj = 0)
    )
  })
}

# rpart's importance: the gains of splits, plus those of surrogates in proportion to their adj.
rpart_importance <- function(frame, splits, classes) {
  if (is.null(splits)) {
    return(NULL)
  }
  inner <- which(frame$var != "<leaf>")
  first <- cumsum(c(1L, 1L + frame$nsurrogate[inner]))[seq_along(inner)]
  gain <- unname(splits[first, "improve"]) * if (classes) 1 else frame$dev[inner]
  owner <- rep(seq_along(inner), 1L + frame$nsurrogate[inner])
  part <- splits[, "adj"]
  part[first] <- 1
  value <- rowsum(gain[owner] * part, rownames(splits))[, 1L]
  value <- sort(value[value > 0], decreasing = TRUE)
  if (length(value)) value
}
