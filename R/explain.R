#' Explain a prediction
#'
#' Shows the path of one row through the tree, one line per step, and the smallest changes of the
#' row that would change the prediction: to another class, or to a higher and a lower number. The
#' print shows one change per class (or direction); `$changes` has one per leaf, including equally
#' near ones.
#'
#' @details
#' The nearest change is the one with the fewest changed predictors, then the smallest sum of sizes,
#' then the leaf with the larger weight. The size of a change is
#' * for a number, the distance to the nearest value that the leaf accepts, divided by the standard
#'   deviation of the predictor in `data` or, without `data`, by the largest absolute value among
#'   the tree's cuts on the predictor and the row's own value (dates and other scales without a zero
#'   need `data` for a fair comparison);
#' * for an ordered factor, the number of levels moved divided by the number of levels minus one;
#' * 1 for other factors, and for a value that was missing or infinite.
#'
#' The search covers all leaves with training rows and is exact: a leaf is a product of sets, one
#' per predictor, so the nearest row in it can be found for each predictor separately. A missing
#' value is assumed to follow the branch with the largest weight, even if the tree uses fractions of
#' rows or surrogates; for such rows the changes are approximate. Predictors are changed
#' independently of each other, including `x` and `log(x)`, and the changed row need not be a likely
#' one.
#'
#' @param x A tree from [tec_tree()]. Splines have their own help page, [explain.tec_mars()]. For
#'   forests and boosted models, [tec_shap()] gives the parts of a prediction.
#' @param newrow A data frame of one row, with the columns that the tree uses.
#' @param data Rows to take standard deviations from, for example the training rows.
#' @param ... Must be empty.
#' @return An object of class `tec_explanation`: a list with `prediction`, its `probability`,
#'   `leaf`, `share` (the fraction of the row that reaches the leaf, below 1 if missing values send
#'   the row down several branches), `path` (a data frame: `node`, `variable`, `value`, `condition`,
#'   `by_default`, the `surrogate` that decided instead of the value, `n`, the class or number
#'   predicted there and its `probability`, for classes all shares as `prob_<level>`) and `changes`,
#'   one row per leaf with another prediction, the nearest first: `node`, `prediction`,
#'   `probability`, `n`, `n_changes`, `distance`, `change`.
#' @family explanations of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' explain(fit, iris[71, ])
#' explain(tec_tree(mpg ~ ., mtcars), mtcars["Fiat 128", ])
#' @export
explain <- function(x, ...) {
  UseMethod("explain")
}

#' @rdname explain
#' @export
#' @rawNamespace S3method(generics::explain, tec_tree)
#' @rawNamespace S3method(dplyr::explain, tec_tree)
explain.tec_tree <- function(x, newrow, data = NULL, ...) {
  plain_numbers()
  refuse_dots("explain", ...)
  check_fit(x)
  if (missing(newrow)) newrow <- NULL
  newrow <- one_row(newrow)
  used <- sort(unique(x$tree$variable[x$tree$kind != 0L]))
  env <- parent.frame()
  values <- code_rows(x, newrow, env, "newrow")
  leaf <- route_rows(x, values, 1L)
  path <- up_to_root(x$tree, leaf)
  others <- if (!is.null(data)) code_rows(x, check_newdata(data, "data"), env, "data")
  size <- change_sizes(x, used, values, others)
  prediction <- predict_coded(x, values, 1L)
  prob <- if (x$response$task == "classification") predict_coded(x, values, 1L, "prob")
  shared <- shared_rows(x, values, 1L)
  structure(
    list(
      response = x$response$name, task = x$response$task, prediction = prediction,
      probability = if (is.null(prob)) NA_real_ else prob[[1L, as.integer(prediction)]],
      leaf = leaf, share = if (is.null(shared)) 1 else shared$share[match(leaf, shared$node)],
      path = path_table(x, path, values),
      changes = nearest_changes(x, prediction, values, size)
    ),
    class = "tec_explanation"
  )
}

one_row <- function(newrow) {
  if (is.null(newrow) || !is.data.frame(newrow) || nrow(newrow) != 1L) {
    abort_found(
      "{.arg newrow} must be a data frame of one row.", newrow,
      i = "For example {.code data[1, ]}.", topic = "newdata"
    )
  }
  newrow
}

up_to_root <- function(tree, node) {
  path <- node
  while (node > 1L) {
    node <- tree$parent[node]
    path <- c(node, path)
  }
  as.integer(path)
}

path_table <- function(fit, path, values) {
  tree <- fit$tree
  from <- path[-length(path)]
  variable <- tree$variable[from]
  shown <- vapply(seq_along(from), function(i) {
    value_text(fit$columns, variable[i], values[[variable[i]]])
  }, "")
  taken <- predict_paths(fit, values, 1L)[[1L]]
  taken <- taken[match(path, taken$node), , drop = FALSE]
  out <- data.frame(
    node = path,
    variable = c(NA, fit$columns$name[variable]),
    value = c(NA, shown),
    condition = c(NA, branch_rules(fit, path[-1L])),
    by_default = taken$by_default,
    surrogate = surrogate_values(fit, taken$surrogate, values),
    n = tree$n[path],
    prediction = leaf_values(fit, path, "response"),
    probability = class_probability(fit, path)
  )
  prob <- leaf_shares(fit, path)
  out[paste0("prob_", fit$response$levels, recycle0 = TRUE)] <- as.data.frame(prob)
  out
}

# Texts of the surrogate columns, such as "twin, which is 3".
surrogate_values <- function(fit, names, values) {
  if (is.null(names)) {
    return(NA_character_)
  }
  vapply(match(names, fit$columns$name), function(j) {
    if (is.na(j)) {
      return(NA_character_)
    }
    value <- value_text(fit$columns, j, values[[j]])
    paste0(show_names(fit$columns$name[j]), ", which is ", value)
  }, "")
}

# The predicted share of the class that each node predicts.
class_probability <- function(fit, nodes) {
  if (fit$response$task == "regression") {
    return(rep(NA_real_, length(nodes)))
  }
  leaf_shares(fit, nodes)[cbind(seq_along(nodes), fit$tree$yval[nodes])]
}

# The unit of change of each numeric predictor, or `none` if it is unknown.
change_sizes <- function(fit, used, values, data, none = 1) {
  tree <- fit$tree
  out <- rep(1, length(fit$columns$name))
  for (j in used) {
    kind <- fit$columns$kind[j]
    if (kind == "ordered") out[j] <- max(1, length(fit$columns$levels[[j]]) - 1)
    if (kind != "numeric") next
    if (is.null(data)) {
      nodes <- which(tree$kind != 0L & tree$variable == j)
      count <- tree$break_count[nodes]
      at <- rep(tree$break_start[nodes], count) + sequence(count)
      known <- abs(c(tree$breaks[at], as.numeric(values[[j]])))
      spread <- max(known[is.finite(known)], 0)
    } else {
      spread <- stats::sd(as.numeric(data[[j]]), na.rm = TRUE)
    }
    out[j] <- if (is.na(spread) || spread <= 0) none else spread
  }
  out
}

nearest_changes <- function(fit, prediction, values, size) {
  tree <- fit$tree
  # Predictions that differ only in the last digits count as equal.
  other <- if (fit$response$task == "classification") {
    tree$yval != as.integer(prediction)
  } else {
    abs(tree$yval - prediction) > 1e-10 * max(1, abs(tree$yval))
  }
  target <- which(tree$kind == 0L & other & tree$weight > 0)
  regions <- node_regions(fit)[target]
  moves <- region_moves(regions, values, fit$columns, size)
  out <- data.frame(
    node = target,
    prediction = leaf_values(fit, target, "response"),
    probability = class_probability(fit, target),
    n = tree$n[target],
    n_changes = lengths(moves$text),
    distance = vapply(moves$distance, sum, 0),
    change = vapply(moves$text, paste, "", collapse = " and ")
  )
  out <- out[out$n_changes > 0L & is.finite(out$distance), , drop = FALSE]
  out <- out[order(out$n_changes, out$distance, -tree$weight[out$node]), , drop = FALSE]
  rownames(out) <- NULL
  out
}

# The changes that move a row into a region. A large tree has 100,000 conditions, so numeric ones
# are vectorised.

# list(text =, distance =), each a list with one vector per region, which has one entry per
# predictor that must change.
region_moves <- function(regions, values, columns, size) {
  flat <- flat_conditions(regions)
  variable <- condition_variables(flat$condition)
  value <- vapply(values, function(v) if (length(v)) as.numeric(v) else NA_real_, 0)
  number <- columns$kind[variable] == "numeric"
  met <- logical(length(variable))
  met[number] <- in_range(flat$condition[number], value[variable[number]])
  met[!number] <- as.logical(mapply(has_level, flat$condition[!number], value[variable[!number]]))
  conditions <- flat$condition[!met]
  variable <- variable[!met]
  region <- factor(flat$region[!met], levels = seq_along(regions))
  list(
    text = unname(split(move_texts(conditions, variable, values, columns), region)),
    distance = unname(split(move_distances(conditions, variable, value, columns, size), region))
  )
}

in_range <- function(conditions, value) {
  lower <- condition_ends(conditions, "lower")
  missing <- vapply(conditions, `[[`, NA, "missing")
  inside <- (lower == -Inf | value > lower) & value <= condition_ends(conditions, "upper")
  ifelse(is.na(value), missing, inside)
}

has_level <- function(condition, value) {
  if (is.na(value)) condition$missing else value %in% condition$codes
}

move_distances <- function(conditions, variable, value, columns, size) {
  value <- value[variable]
  number <- columns$kind[variable] == "numeric"
  out <- numeric(length(variable))
  lower <- condition_ends(conditions[number], "lower")
  upper <- condition_ends(conditions[number], "upper")
  from <- value[number]
  move <- ifelse(from > upper, from - upper, lower - from)
  # From a missing or infinite value all distances are equal.
  out[number] <- ifelse(is.finite(from), move / size[variable[number]], 1)
  out[!number] <- as.numeric(mapply(
    level_distance, conditions[!number], value[!number], columns$kind[variable[!number]],
    size[variable[!number]]
  ))
  out
}

# An empty set of levels cannot be reached.
level_distance <- function(condition, value, kind, size) {
  if (length(condition$codes) == 0L) {
    return(Inf)
  }
  if (kind == "ordered" && !is.na(value)) min(abs(condition$codes - value)) / size else 1
}

# "x from 3 to 2 or less"
move_texts <- function(conditions, variable, values, columns) {
  target <- character(length(variable))
  from <- character(length(variable))
  for (group in split(seq_along(variable), variable)) {
    j <- variable[group[1L]]
    from[group] <- value_text(columns, j, values[[j]])
    target[group] <- if (columns$kind[j] == "numeric") {
      number_targets(conditions[group], j, columns)
    } else {
      vapply(conditions[group], level_target, "", columns$levels[[j]])
    }
  }
  name <- show_names(columns$name)[variable]
  paste0(name, " from ", from, " to ", target, recycle0 = TRUE)
}

number_targets <- function(conditions, variable, columns) {
  lower <- condition_ends(conditions, "lower")
  upper <- condition_ends(conditions, "upper")
  low <- value_text(columns, variable, lower)
  high <- value_text(columns, variable, upper)
  out <- paste0("between ", low, " and ", high)
  out[upper == Inf] <- paste("more than", low[upper == Inf])
  out[lower == -Inf] <- paste(high[lower == -Inf], "or less")
  out
}

level_target <- function(condition, levels) {
  codes <- if (length(condition$seen)) condition$seen else condition$codes
  labels <- show_label(levels)[codes]
  if (length(labels) == 1L) labels else paste0("one of {", set_text(labels, 40), "}")
}
