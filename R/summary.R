# Tested in test-summary.R, test-as_data_frame.R and test-surrogates.R.

#' Model summary and evaluation on new data
#'
#' `summary(fit)` shows the settings and sizes, the importance of the predictors, and the
#' performance on the training rows. For a forest, the performance is out of bag; for a boosted
#' model, it is the loss. For splines, the summary shows why the forward pass ended and the sizes
#' that the backward pass compared.
#'
#' `summary(fit, data)` evaluates the model on other rows with their response. It shows the
#' confusion matrix, the accuracy, and the precision and recall of each class, or for a numeric
#' response RMSE, MAE and R squared.
#'
#' Performance on the training rows is optimistic; use other rows for an unbiased estimate. A fit
#' does not store the data, so the training performance of a tree is computed from the class counts
#' and impurities of the leaves. If missing values send rows down several branches
#' (`missing = "fractional"`), the training rows are predicted instead, if they can be found (see
#' [fitted()][model-methods]). If not, `in_parts` is `TRUE` and such rows count in parts.
#'
#' @param object A model from [tec_tree()], [tec_forest()], [tec_boost()], [tec_rotation()] or
#'   [tec_mars()].
#' @param data Rows to evaluate the model on, with the response.
#' @param y The response of `data`, only if the model was fitted to `x` and `y`.
#' @param x An object returned by `summary()`; `print()` takes the same arguments.
#' @param digits Number of significant digits; 5 for splines.
#' @param width Maximum width of a line.
#' @param ... Not used.
#' @return A list of class `summary.tec_tree`, `summary.tec_forest`, ... with `title`, `size` (for a
#'   tree: rows, weight, nodes, leaves, depth), `settings`, `leaves` (a data frame with the `node`
#'   of each leaf and the `reason` why it was not split; not for converted trees), `importance` (see
#'   [importance()]), and, if the tree has them, `surrogates`, `pruning` and `cptable`. For a
#'   boosted model, `training` has the loss. For splines, there are `fit`, `end` and `sizes` instead
#'   of the first three. `rows` is `NULL` for the training rows, otherwise the number of rows
#'   evaluated, in `data` or out of bag.
#'
#'   For classification: `confusion` (true classes in rows, predicted classes in columns; for the
#'   training rows sums of weights), `accuracy` and `classes`. The latter is a data frame with the
#'   `rows` of each class, `precision` (the share of the rows predicted as the class that belong to
#'   it), `recall` (the share of the rows of the class that are predicted as the class) and `f1`,
#'   their harmonic mean. A measure is `NA` if there are no such rows. With `cost`, there is also
#'   the mean cost.
#'
#'   For regression: `r_squared`, `rmse` and `mae`. For the training rows, criterion `l2` gives the
#'   first two and `l1` the last. R squared compares the predictions with the mean of the response
#'   in the rows evaluated.
#' @family uses of a tree
#' @family boosting functions
#' @examples
#' summary(tec_tree(Species ~ ., iris))
#' summary(tec_tree(mpg ~ ., mtcars))
#'
#' half <- seq(1, 150, by = 2)
#' fit <- tec_tree(Species ~ ., iris[half, ])
#' summary(fit, iris[-half, ])
#' summary(tec_mars(mpg ~ ., mtcars), mtcars)
#' @name summary.tec_tree
#' @aliases summary.tec_forest summary.tec_boost summary.tec_rotation summary.tec_mars
#' @srrstats {ML1.5} Counts and measures of the training rows, or of other rows.
#' @srrstats {ML5.3} Performance is measured by this function, [tec_tune()] and [compare_methods()].
#' @srrstats {RE4.18} Summaries of all models.
#' @export
summary.tec_fit <- function(object, data = NULL, y = NULL, ...) {
  plain_numbers()
  own <- paste0("summary.", class(object)[1L])
  refuse_dots(own, ...)
  check_needs_data(data, y = y)
  check_fit(object)
  env <- parent.frame()
  parts <- c(summary_parts(object), if (is.null(data)) {
    known_measures(object, env)
  } else {
    evaluate_fit(object, check_rows_to_predict(object, data), y, env)
  })
  structure(parts, class = c(own, "tec_summary"))
}

# The parts of a summary that need no rows.
summary_parts <- function(fit) UseMethod("summary_parts")

# The measures that are known without new rows.
known_measures <- function(fit, env) {
  if (inherits(fit, "tec_tree")) training_fit(fit, env) else if (is_forest(fit)) oob_measures(fit)
}

# The measures of evaluate_fit() for the rows that are out of bag for some tree; NULL if there are
# none.
oob_measures <- function(x) {
  oob <- x$oob
  if (is.null(oob) || !any(oob$times > 0L)) {
    return(NULL)
  }
  known <- sum(oob$times > 0L)
  out <- if (is.null(oob$confusion)) {
    list(r_squared = oob$r_squared, rmse = sqrt(oob$error))
  } else {
    class_measures(oob$confusion, x$cost)
  }
  c(list(rows = known, where = "Out of bag: "), out)
}

#' @exportS3Method
summary_parts.tec_tree <- function(fit) {
  tree <- fit$tree
  list(
    title = grown_title(fit),
    size = c(
      rows = rows_of_values(fit), weight = case_weights(fit)[1L], nodes = length(tree$kind),
      leaves = sum(tree$kind == 0L), depth = max(tree$depth)
    ),
    settings = settings_text(fit$control), leaves = explained_leaves(fit),
    importance = importance.tec_tree(fit), surrogates = surrogates_of(fit),
    pruning = fit$pruning, cptable = fit[["cptable"]]
  )
}

explained_leaves <- function(fit) {
  leaves <- leaf_reasons(fit)
  if (!is.null(leaves)) leaves$reason <- unname(reason_text(fit)[leaves$reason])
  leaves
}

# The surrogates of a tree in readable form: one row each, the best of a node first. `rule` is the
# condition under which a row goes to the first branch of the node.
surrogates_of <- function(fit, digits = 7L, set_width = Inf) {
  tree <- fit$tree
  n <- length(tree$surrogate_variable)
  splits <- list(
    kind = tree$surrogate_kind, variable = tree$surrogate_variable,
    break_start = seq_len(n) - 1L, break_count = rep(1L, n), breaks = tree$surrogate_cut,
    level_start = tree$surrogate_level_start, level_count = tree$surrogate_level_count,
    level = tree$level, level_child = tree$level_child
  )
  branch <- ifelse(tree$surrogate_flipped, 1L, 0L)
  name <- show_names(fit$columns$name[tree$surrogate_variable])
  rule <- branch_conditions(splits, seq_len(n), branch, fit$columns, digits, rep(set_width, n))
  at <- sequence(tree$surrogate_count, from = tree$surrogate_start + 1L)
  out <- data.frame(
    node = rep(seq_along(tree$parent), tree$surrogate_count),
    variable = fit$columns$name[tree$surrogate_variable[at]],
    rule = paste(name, rule, recycle0 = TRUE)[at],
    agree = tree$surrogate_agree[at], adj = tree$surrogate_adj[at],
    stringsAsFactors = FALSE
  )
  rownames(out) <- NULL
  out
}

settings_text <- function(control) {
  shown <- c(
    "min_split", "min_bucket", "max_depth", "max_leaves", "nominal", "missing", "prune",
    if (looks_ahead(control)) "lookahead"
  )
  shown <- shown[vapply(control[shown], function(v) {
    length(v) == 1L && !identical(as.vector(v), Inf) && !identical(v, "none")
  }, NA)]
  value <- vapply(control[shown], function(v) if (is.numeric(v)) number_text(v) else v, "")
  paste(shown, value, collapse = ", ")
}

#' @rdname summary.tec_tree
#' @export
format.tec_summary <- function(x, digits = 4L, width = getOption("width"), ...) {
  refuse_dots("print", ...)
  check_output(digits, width)
  width <- max(20, width)
  lines <- c(
    unlist(lapply(unlist(x[c("title", "size", "settings", "training")]), wrap, width)),
    if (!is.null(x$importance)) {
      c("", importance_title(x$importance), importance_lines(x$importance, 10L, digits, width))
    },
    if (!is.null(x$rows)) {
      c("", fit_lines(x, digits, width))
    } else if (inherits(x, "summary.tec_forest")) {
      c("", "No out-of-bag error.")
    }
  )
  fit_width(unname(lines), width)
}

#' @export
format.summary.tec_tree <- function(x, digits = 4L, width = getOption("width"), ...) {
  refuse_dots("summary.tec_tree", ...)
  check_output(digits, width)
  width <- max(20, width)
  size <- size_text(x$size)
  if (!is.null(x$rows)) {
    lines <- c(wrap(x$title, width), wrap(paste("Grown from", size), width), "")
    return(fit_width(c(lines, fit_lines(x, digits, width)), width))
  }
  used <- x$importance[x$importance$importance > 0, , drop = FALSE]
  lines <- c(
    wrap(x$title, width), wrap(size, width), wrap(x$settings, width),
    if (nrow(used)) {
      c("", "Importance (gain of the splits)", importance_lines(used, 10L, digits, width))
    },
    "", fit_lines(x, digits, width), reason_lines(x$leaves, width),
    table_lines(x$surrogates, "Surrogate splits", digits, width),
    pruning_lines(x, digits, width)
  )
  fit_width(lines, width)
}

fit_lines <- function(x, digits, width) {
  c(
    if (is.null(x$confusion)) error_lines(x, digits) else confusion_lines(x, width),
    if (isTRUE(x$in_parts)) {
      wrap("Rows with missing values count in parts, as in the leaves.", width)
    }
  )
}

# `where`: the title, if the rows are neither the training rows nor new data.
rows_title <- function(x) {
  x$where %||% (if (is.null(x$rows)) "Training rows: " else "New data: ")
}

error_lines <- function(x, digits) {
  number <- function(v) formatC(v, digits = digits, format = "g", width = 1L)
  if (is.null(x$rows) && !is.null(x$mae)) {
    return(paste("Training rows: mean absolute error", number(x$mae)))
  }
  paste0(
    rows_title(x), if (!is.null(x$rows)) paste0(count_text(x$rows, "row"), ", "),
    "R^2 ", number(x$r_squared), ", RMSE ", number(x$rmse),
    if (!is.null(x$mae)) paste0(", MAE ", number(x$mae))
  )
}

confusion_lines <- function(x, width) {
  c(confusion_table_lines(x, width), if (!is.null(x$rows)) class_lines(x, width))
}

confusion_table_lines <- function(x, width) {
  table <- x$confusion
  total <- sum(table)
  wrong <- total - sum(diag(table))
  title <- paste0(
    rows_title(x), number_text(wrong), " of ", number_text(total), " wrong (",
    sprintf("%.1f", 100 * wrong / total), " %)"
  )
  levels <- show_label(rownames(table))
  # A column takes at least two characters.
  if (2 * length(levels) > width) {
    return(c(title, worst_lines(table, levels)))
  }
  cells <- matrix(number_text(round(as.vector(table), 2)), nrow(table))
  cells[table == 0] <- "."
  head <- fit_width(levels, max(6, width %/% 6))
  columns <- lapply(seq_along(levels), function(j) pad(c(head[j], cells[, j]), right = TRUE))
  first <- pad(c("true \\ predicted", fit_width(levels, width %/% 3)))
  body <- do.call(paste, c(list(first), columns))
  wide <- nchar(body[1L], "width") > width - 2L
  c(title, if (wide) worst_lines(table, levels) else paste0("  ", body))
}

# The most frequent confusions, if there are too many classes for a table.
worst_lines <- function(table, levels, most = 8L) {
  diag(table) <- 0
  at <- which(table > 0)
  at <- at[order(-table[at])]
  shown <- utils::head(at, most)
  if (length(shown) == 0L) {
    return(character())
  }
  row <- (shown - 1L) %% nrow(table) + 1L
  column <- (shown - 1L) %/% nrow(table) + 1L
  more <- length(at) - length(shown)
  c(
    paste0("  ", number_text(table[shown]), " of ", levels[row], " predicted as ", levels[column]),
    if (more > 0L) paste0("  ... and ", more, " more pairs: see $confusion")
  )
}

# How a tree was pruned, and the table of its subtrees, if it has them.
pruning_lines <- function(x, digits, width) {
  shown <- x$pruning
  text <- if (length(shown)) {
    plain <- shown[vapply(shown, function(v) is.atomic(v) && length(v) == 1L, NA)]
    say <- function(v) if (is.numeric(v)) number_text(v, digits) else as.character(v)
    value <- vapply(plain, say, "")
    c("", wrap(paste0("Pruning: ", paste(names(plain), value, collapse = ", ")), width))
  }
  table <- if (length(x$cptable)) as.data.frame(x$cptable)
  c(text, table_lines(table, "Trees by complexity penalty", digits, width))
}

table_lines <- function(table, title, digits, width, most = 10L) {
  if (!is.data.frame(table) || nrow(table) == 0L) {
    return(NULL)
  }
  shown <- utils::head(as.data.frame(table), most)
  old <- list(width = getOption("width"))
  on.exit(options(old))
  options(width = max(10, min(width, 10000)))
  more <- nrow(table) - nrow(shown)
  c(
    "", title,
    paste0("  ", utils::capture.output(print(shown, digits = digits, row.names = FALSE))),
    if (more > 0L) paste0("# ... with ", count_text(more, "more row"))
  )
}

#' The nodes of a tree as a data frame
#'
#' Returns one row per node, in pre-order: a node comes before its branches, and all nodes of the
#' first branch come before the second branch.
#'
#' @param x A tree from [tec_tree()].
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Must be empty.
#' @return A data frame with the columns
#'   * `node`, `parent` (0 for the root), `depth` (0 for the root);
#'   * `kind`: `"leaf"`, `"threshold"`, `"intervals"`, `"level"` (a cut of ordered levels),
#'     `"subset"` or `"multiway"`;
#'   * `variable`: the column that the node splits, `NA` for a leaf;
#'   * `rule`: the condition on the branch that leads *into* the node;
#'   * `n` (number of rows), `weight` (sum of weights);
#'   * `yval`: the class (a factor) or the number predicted;
#'   * `impurity`, `gain`, `score`, in the units of the criterion, the last two
#'     `NA` for a leaf;
#'   * `exact`: whether the search of the split was exhaustive, `NA` for a leaf;
#'   * `n_children`;
#'   * for splits found by p values: `statistic` (chi-square or F), `df`, `df2` (for F), `p` and
#'     `p_adjusted`;
#'   * for classification: `prob_<level>`, the share of each class that the node predicts.
#' @family uses of a tree
#' @examples
#' as.data.frame(tec_tree(Species ~ ., iris))[c("node", "rule", "n", "yval")]
#' @export
as.data.frame.tec_tree <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots("as.data.frame", ...)
  check_fit(x)
  plain_numbers()
  tree <- x$tree
  nodes <- seq_along(tree$parent)
  variable <- ifelse(tree$kind == 0L, NA_integer_, tree$variable)
  classes <- x$response$task == "classification"
  out <- list(
    node = nodes, parent = as.integer(tree$parent), depth = as.integer(tree$depth),
    kind = split_kinds[tree$kind + 1L],
    variable = x$columns$name[variable],
    rule = branch_rules(x, nodes),
    n = tree$n, weight = tree$weight,
    yval = if (classes) as_classes(tree$yval, x$response) else tree$yval,
    impurity = tree$impurity, gain = tree$gain, score = tree$score,
    exact = as.logical(tree$exact), n_children = as.integer(tree$n_children)
  )
  out <- c(out, split_tests(tree))
  if (classes) {
    shares <- leaf_shares(x)
    shares <- lapply(seq_len(ncol(shares)), function(k) shares[, k])
    names(shares) <- paste0("prob_", x$response$levels)
    out <- c(out, shares)
  }
  attr(out, "row.names") <- .set_row_names(length(nodes))
  class(out) <- "data.frame"
  with_row_names(out, row.names)
}
