#' Convert forests of other packages
#'
#' Converts a random forest of ranger or randomForest to a `tec_forest`.
#' [print()][print.tec_forest], [predict()][predict.tec_forest], [tec_shap()] and exports such as
#' [tec_sql()] accept it, and `fit[[3]]` is its third tree as a `tec_tree`. Its predictions are the
#' same.
#'
#' @details
#' Forests for classes, numbers and probabilities can be converted. Survival forests, forests
#' without their trees (`write.forest = FALSE`, `keep.forest = FALSE`) and unsupervised forests are
#' errors.
#'
#' Both packages break ties between votes at random; the converted forest predicts the first of the
#' tied classes. For a forest of votes, `type = "prob"` gives the shares of the votes. A `cutoff` of
#' randomForest becomes a `cost`, and the correction of `corr.bias = TRUE` is part of the converted
#' trees.
#'
#' The converted forest has no out-of-bag results and no importance, and cannot grow more trees.
#'
#' # The training rows
#'
#' The packages do not store how many rows each leaf has (except ranger with `node.stats = TRUE`),
#' and ranger before 0.16 does not store which predictors were factors. Both follow from the
#' training rows. They are found through the call of `x`, or given as `data`. With in-bag counts
#' (`keep.inbag = TRUE`) the weight of a leaf counts the rows that the tree drew, otherwise all
#' training rows.
#'
#' Without training rows, all leaves have weight 1, `fit$weights_known` is `FALSE`, and predictors
#' whose levels are not stored are taken as numbers; a message says so. Predictions do not depend on
#' the weights, but [tec_shap()] and printed or plotted trees do.
#'
#' # Missing values and levels
#'
#' In a forest of ranger, a row with a missing value goes down the branch that ranger learned, and
#' left if it learned none, as in ranger 0.16 or later; earlier versions stop. In a forest of
#' randomForest, which itself predicts `NA` or stops, the row goes down the branch with the larger
#' weight. Unseen levels count as missing, with a warning.
#'
#' Factors are split as in the other package: by sets of levels or, in ranger with
#' `respect.unordered.factors = "ignore"` or `"order"`, between levels in the order of their codes
#' or in the order that ranger found. Character predictors have the levels of the training rows.
#'
#' @param x A fit of `ranger::ranger()` or `randomForest::randomForest()`, also inside a fit of
#'   parsnip.
#' @param data The training rows, at least the predictors; needed only if the call of `x` does not
#'   find them.
#' @param ... Must be empty.
#' @return A forest of class `tec_forest`.
#' @family conversions
#' @concept ranger
#' @concept randomForest
#' @examplesIf requireNamespace("ranger", quietly = TRUE)
#' peer <- ranger::ranger(Species ~ ., iris, num.trees = 50, probability = TRUE, seed = 1)
#' fit <- as_tec_forest(peer)
#' fit
#' predict(fit, iris[c(1, 71, 120), ], type = "prob")
#' fit[[1]]
#' @order 1
#' @export
as_tec_forest <- function(x, ...) {
  UseMethod("as_tec_forest")
}

#' @export
as_tec_forest.tec_forest <- function(x, ...) {
  refuse_dots("as_tec_forest", ...)
  x
}

#' @export
as_tec_forest.default <- function(x, ...) {
  inner <- if (inherits(x, "workflow")) x$fit$fit$fit else if (inherits(x, "model_fit")) x$fit
  if (inherits(inner, c("ranger", "randomForest", "tec_forest"))) {
    return(as_tec_forest(inner, ...))
  }
  tec_abort("conversion", c(
    "{.arg x} must be a forest of class {.cls ranger} or {.cls randomForest}.",
    x = "It is {describe(x)}.",
    i = "{.fn as_tec_tree} converts single trees."
  ))
}

# `nodes`: trees as the other packages store them, in plain vectors over the nodes of all trees:
# `left` and `right` (numbers of nodes, 0 in leaves), `variable` and `value` of the split. Leaves
# have `leaf_number`, `leaf_class` (from 1) or `shares` (a matrix of nodes and classes). `size`: the
# number of nodes of each tree; the first node is the root. If known: `leaf_weight`, one weight per
# node, and `unknown_right`, whether rows with a missing value go right. `sides`: a function of a
# predictor and split values that returns a matrix of levels and splits: TRUE if a level goes left,
# NA if the node has not seen it. `fit`: everything except the trees.
assemble_forest <- function(nodes, fit, sides) {
  order <- forest_preorder(nodes)
  at <- order$at
  inner <- nodes$left[at] > 0L
  n <- length(at)
  variable <- integer(n)
  variable[inner] <- as.integer(nodes$variable[at[inner]])
  sign <- if (is.null(nodes$unknown_right)) 1L else ifelse(nodes$unknown_right[at], -1L, 1L)
  right <- integer(n)
  right[inner] <- order$place[nodes$right[at[inner]]] - which(inner)
  cut <- as.double(nodes$value[at])
  kind <- rep("", n)
  kind[inner] <- fit$columns$kind[variable[inner]]
  cut[kind == "ordered"] <- floor(cut[kind == "ordered"])
  pool <- side_pool(variable, cut, kind, sides)
  cut[kind == "nominal"] <- pool$start
  trees <- list(
    start = as.integer(cumsum(c(0L, order$size))), variable = sign * variable,
    right = right, cut = cut, sides = pool$sides, weight = double(), unknown = 0L
  )
  fit$trees <- add_leaf_values(trees, nodes, at, !inner, length(fit$response$levels))
  fit$used <- used_columns(trees)
  fit$weights_known <- !is.null(nodes$leaf_weight)
  fit <- new_fit("tec_forest", fit)
  if (fit$weights_known) with_leaf_weights(fit, nodes$leaf_weight[at][!inner]) else fit
}

# list(at = the nodes in pre-order, tree by tree, place = the position of each node in that order,
# size = the sizes of the trees). Works on all trees at once, level by level.
forest_preorder <- function(nodes) {
  root <- cumsum(c(0L, nodes$size))[seq_along(nodes$size)] + 1L
  levels <- list()
  at <- root
  met <- 0
  while (length(at)) {
    met <- met + length(at)
    if (met > length(nodes$left)) abort_foreign_nodes()
    levels[[length(levels) + 1L]] <- at
    inner <- at[nodes$left[at] > 0L]
    at <- c(nodes$left[inner], nodes$right[inner])
    if (anyNA(at) || any(at < 1L | at > length(nodes$left))) abort_foreign_nodes()
  }
  size <- integer(length(nodes$left))
  for (at in rev(levels)) {
    inner <- at[nodes$left[at] > 0L]
    size[at] <- 1L
    size[inner] <- 1L + size[nodes$left[inner]] + size[nodes$right[inner]]
  }
  place <- integer(length(size))
  place[root] <- cumsum(c(0L, size[root]))[seq_along(root)] + 1L
  for (at in levels) {
    inner <- at[nodes$left[at] > 0L]
    left <- nodes$left[inner]
    place[left] <- place[inner] + 1L
    place[nodes$right[inner]] <- place[inner] + 1L + size[left]
  }
  out <- integer(sum(size[root]))
  out[place[place > 0L]] <- which(place > 0L)
  list(at = out, place = place, size = size[root])
}

abort_foreign_nodes <- function() {
  tec_abort("conversion", c(
    "The trees of {.arg x} are damaged.", x = "A node has a missing child, or is its own child."
  ))
}

# list(sides, start = for each node that splits by levels, in the order of nodes, its position in
# `sides`).
side_pool <- function(variable, cut, kind, sides) {
  at <- which(kind == "nominal")
  start <- double(length(at))
  pool <- list()
  used <- 0
  for (j in unique(variable[at])) {
    mine <- which(variable[at] == j)
    left <- sides(j, cut[at[mine]])
    pool[[length(pool) + 1L]] <- as.raw(ifelse(is.na(left), 0L, ifelse(left, 1L, 2L)))
    start[mine] <- used + (seq_along(mine) - 1) * nrow(left)
    used <- used + length(left)
  }
  list(sides = if (length(pool)) do.call(c, pool) else raw(), start = start)
}

# Weights are 1 until weigh_leaves() counts the rows.
add_leaf_values <- function(trees, nodes, at, leaf, classes) {
  if (classes == 0L) {
    trees$cut[leaf] <- nodes$leaf_number[at[leaf]]
    trees$right[leaf] <- 1L
    return(trees)
  }
  trees$cut[leaf] <- 1
  trees$shares <- matrix(0, classes, 0L)
  if (is.null(nodes$shares)) {
    trees$right[leaf] <- as.integer(nodes$leaf_class[at[leaf]])
    return(trees)
  }
  shares <- nodes$shares[at[leaf], , drop = FALSE]
  largest <- max.col(shares, ties.method = "first")
  pure <- rowSums(shares != 0) == 1L & shares[cbind(seq_along(largest), largest)] == 1
  trees$right[leaf] <- ifelse(pure, largest, -cumsum(!pure))
  trees$shares <- t(shares[!pure, , drop = FALSE])
  trees
}

# ---- the training rows ----

# Weights the leaves by the rows that reach them. `counts`: NULL, or a function of rows that returns
# how often each tree drew each of them, a matrix of rows and trees. Returns NULL if a leaf gets no
# row, because `data` are then not the training rows.
weigh_leaves <- function(fit, data, counts, env) {
  values <- suppressWarnings(code_rows(fit, data, env), classes = "tec_warning_unseen")
  trees <- fit$trees
  n <- nrow(data)
  weight <- numeric(length(trees$variable))
  first <- trees$start[-length(trees$start)]
  for (rows in split(seq_len(n), (seq_len(n) - 1L) %/% max(1L, 5e6 %/% length(first)))) {
    some <- lapply(values, function(v) v[rows])
    node <- core_forest_predict(fit, some, length(rows), "node") + rep(first, each = length(rows))
    weight <- weight + if (is.null(counts)) {
      tabulate(node, length(weight))
    } else {
      rowsum_at(c(counts(rows)), c(node), length(weight))
    }
  }
  leaf <- trees$variable == 0L
  if (any(weight[leaf] == 0)) {
    return(NULL)
  }
  with_leaf_weights(fit, weight[leaf])
}

with_leaf_weights <- function(fit, weight) {
  leaf <- fit$trees$variable == 0L
  if (length(fit$response$levels)) {
    fit$trees$cut[leaf] <- weight
  } else {
    fit$trees$right[leaf] <- as.integer(weight)
  }
  fit
}

# Rows with a missing value go down the branch with the larger weight, the left one on ties.
set_unknown_sides <- function(fit) {
  trees <- fit$trees
  classes <- length(fit$response$levels)
  leaf <- which(trees$variable == 0L)
  below <- numeric(length(trees$variable))
  below[leaf] <- leaf_weights(trees, leaf, classes)
  inner <- which(trees$variable != 0L)
  # The weight of a node is that of the leaves in its subtree.
  sums <- cumsum(c(0, below))
  end <- forest_ends(trees)
  middle <- inner + trees$right[inner]
  left <- sums[middle] - sums[inner]
  right <- sums[end[inner] + 1L] - sums[middle]
  fit$trees$variable[inner] <- ifelse(right > left, -1L, 1L) * abs(trees$variable[inner])
  fit
}

# The last node of each subtree.
forest_ends <- function(trees) {
  n <- length(trees$variable)
  end <- integer(n)
  at <- trees$start[-length(trees$start)] + 1L
  end[at] <- trees$start[-1L]
  while (length(at)) {
    at <- at[trees$variable[at] != 0L]
    right <- at + trees$right[at]
    end[at + 1L] <- right - 1L
    end[right] <- end[at]
    at <- c(at + 1L, right)
  }
  end
}

# list(data, given): `data` are the rows as given, or found by the call of `x`, or NULL. `n`: the
# number of rows that there must be.
foreign_rows <- function(call, data, needs, n, env) {
  if (!is.null(data)) {
    data <- check_newdata(data, "data")
    lost <- setdiff(needs, names(data))
    if (length(lost)) {
      tec_abort("conversion", c(
        "{.arg data} lacks predictors of the forest.",
        x = "Missing {cli::qty(length(lost))}column{?s}: {.field {lost}}."
      ))
    }
    return(list(data = data, given = TRUE))
  }
  found <- or_null(suppressWarnings(as_columns(rows_of_foreign_call(call, env))))
  if (!is.data.frame(found) || !all(needs %in% names(found))) found <- found[0L]
  if (NROW(found) != n && length(found)) {
    found <- found[stats::complete.cases(found[needs]), , drop = FALSE]
  }
  list(data = if (length(found) && nrow(found) == n) found, given = FALSE)
}

rows_of_foreign_call <- function(call, env) {
  named <- as.list(call)[-1L]
  if (length(names(named)) == 0L) names(named) <- rep("", length(named))
  plain <- which(names(named) == "")
  # Without names, the data follow the formula; without a formula, the first argument is x.
  first <- if (length(plain)) eval(named[[plain[1L]]], env)
  by_place <- if (inherits(first, "formula") && length(plain) > 1L) {
    named[[plain[2L]]]
  } else if ("formula" %in% names(named) && length(plain)) {
    named[[plain[1L]]]
  } else if (is.data.frame(first) || is.matrix(first)) {
    named[[plain[1L]]]
  }
  eval(named$data %||% named$x %||% by_place, env)
}

# The columns as in as_tec_tree(), with `code`: the number of each level in the other package.
# `types` and `levels` are used if there are no rows.
foreign_forest_columns <- function(name, predictors, data, env, types, levels) {
  if (!is.null(data)) {
    values <- lapply(predictors, function(expr) {
      if (is.symbol(expr)) data[[as.character(expr)]] else eval(expr, data, env)
    })
    columns <- columns_of_values(name, values)
  } else {
    columns <- foreign_columns(name, unname(types), unname(levels))
  }
  columns$code <- lapply(seq_along(name), function(j) {
    if (is.logical(columns$ptype[[j]])) 0:1 else seq_along(columns$levels[[j]])
  })
  columns
}

# Whether levels go left at each split value: the levels up to it, or those whose bits equal `left`.
foreign_sides <- function(value, code, in_order, left) {
  in_set <- function(code, value) floor(value / 2^(code - 1)) %% 2 == left
  outer(code, value, if (in_order) `<=` else in_set)
}

# `keep`: the argument of the other package that stores the trees.
check_foreign_forest <- function(x, type, known, kinds, keep) {
  if (!isTRUE(type %in% known)) {
    tec_abort("conversion", c(
      "Only forests for {kinds} can be converted.",
      x = "{.arg x} is a forest of type {.val {type}}."
    ))
  }
  if (is.null(x$forest)) {
    tec_abort("conversion", c(
      "{.arg x} does not contain its trees.", i = "Grow it with {.code {keep} = TRUE}."
    ))
  }
}

# A fit without its trees.
foreign_forest <- function(columns, response, predictors, criterion, formula, n, source) {
  columns$needs <- foreign_needs(predictors, columns$name)
  control <- unclass(tec_control(missing = "majority", prune = "none", smooth = 0))
  control <- resolve_control(structure(control, class = "tec_control"), "tec")
  list(
    trees = NULL, columns = columns[c("name", "kind", "levels", "ptype", "needs")],
    response = response, criterion = tec_criterion(criterion), control = control,
    formula = formula, predictors = predictors, call = NULL, source = source,
    n_rows = row_count(n), n_missing_response = 0L,
    settings = list(probability = FALSE, sample_weights = FALSE)
  )
}

# Sets the weights from the rows, if there are any, and then, `by_weight`, the branches of rows with
# a missing value.
finish_foreign <- function(fit, rows, counts, env, by_weight = TRUE) {
  weighed <- if (fit$weights_known) {
    fit
  } else if (!is.null(rows$data)) {
    tryCatch(weigh_leaves(fit, rows$data, counts, env), tec_error = function(e) {
      if (rows$given) stop(e)
      NULL
    })
  }
  if (is.null(weighed) && rows$given) {
    tec_abort("conversion", c(
      "{.arg data} must be the training rows of the forest.",
      x = "Some leaves contain none of its rows."
    ))
  }
  if (is.null(weighed)) {
    tec_inform("conversion", c(
      "The training rows were not found, so all leaves have the same weight.",
      i = "Predictions do not depend on the weights. {.fn tec_shap} and printed or plotted trees \\
      need them: give {.arg data}."
    ))
  }
  out <- weighed %||% fit
  if (by_weight) out <- set_unknown_sides(out)
  out$weights_known <- !is.null(weighed)
  check_fit(out)
  out
}
