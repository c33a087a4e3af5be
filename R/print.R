#' Print a tree
#'
#' Prints a header and one line per node: its number, the condition that leads to it, the number of
#' rows, the predicted class or number, and the predicted probabilities with two digits. `*` marks a
#' leaf. The weight of a node is also shown if it differs from the number of rows. For large trees,
#' only the nodes nearest to the root are shown.
#'
#' With `missing = "fractional"`, the default, a node may show `36 (weight 33.5)`: 36 training rows
#' reach it, some only in part because a value is missing, and the parts add up to 33.5. The rows of
#' the branches can then add up to more than those of the node, but the weights do not.
#'
#' A cut lies halfway between two values of the training rows, as in `months <= 22.5`. For a
#' predictor of whole numbers, this is the same as 22 or less.
#'
#' No line is wider than `width`. If a line is too long, weights are omitted first, then all
#' probabilities except that of the predicted class. Only then are names and sets of levels
#' shortened.
#'
#' The last line gives a hint: how many leaves pruning kept and how to get the full tree, that a
#' tree with more than ten leaves is not pruned, that `min_bucket` or `min_split` limited the size
#' of a tree with few rows, or why the root was not split. [summary()][summary.tec_tree] shows the
#' reason for each leaf.
#'
#' @param x A tree from [tec_tree()].
#' @param n Maximum number of nodes to show; `Inf` for all.
#' @param digits Number of significant digits of predicted numbers; cuts have at least seven.
#' @param width Maximum width of a line.
#' @param ... Passed on from `print()` to `format()`.
#' @return `print()` returns `x`, invisibly. `format()` returns the lines.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
#' print(fit, n = 5)
#' writeLines(format(fit, width = 50))
#' @name print.tec_tree
#' @export
format.tec_tree <- function(x, n = 40L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width, n)
  refuse_dots("print", ...)
  n <- check_bound(n, "n", least = 1)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  nodes <- shown_nodes(x$tree$depth, n)
  more <- length(x$tree$depth) - length(nodes)
  form <- print_form(x, nodes, digits, width)
  c(
    fit_width(format_header(x, width, form), width),
    node_lines(x, nodes, digits, width, form),
    fit_width(next_step(x), width),
    fit_width(found_step(x), width),
    if (more > 0L) fit_width(more_text(more, "node"), width)
  )
}

#' @rdname print.tec_tree
#' @srrstats {RE4.17, ML5.0b} Every model prints its rows, settings and what it consists of.
#' @export
#' @rawNamespace S3method(print, tec_summary, print.tec_fit)
#' @rawNamespace S3method(print, tec_explanation, print.tec_fit)
print.tec_fit <- function(x, ...) {
  plain_numbers()
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

# How the nodes of a tree from data elsewhere were searched.
found_step <- function(fit) {
  found <- fit$found[nzchar(fit$found)]
  if (length(found) == 0L) {
    return(NULL)
  }
  n <- table(factor(found, c("values", "certified", "bins", "collected")))
  words <- c(
    "by all values", "by certified bins", "by bins alone (approximate)", "from fetched rows"
  )
  shown <- paste(n[n > 0L], words[n > 0L], collapse = ", ")
  instead <- if (!is.null(fit$instead_of)) {
    paste0("# missing = \"", fit$control$missing, "\", since \"", fit$instead_of, "\" needs rows")
  }
  c(paste0("# ", count_text(sum(n), "node"), " searched: ", shown), instead)
}

# The n nodes nearest to the root, in pre-order.
shown_nodes <- function(depth, n) {
  nodes <- seq_along(depth)
  if (length(nodes) <= n) {
    return(nodes)
  }
  sort(order(depth, nodes)[seq_len(n)])
}

format_header <- function(x, width, form) {
  tree <- x$tree
  grouped <- tree$kind == match("subset", split_kinds) - 1L
  heuristic <- if (!identical(x$control$splitter, "random")) sum(grouped & tree$exact == 0L)
  c(
    wrap(grown_title(x), width),
    if (!is.null(x$tuning)) wrap(tuned_text(x$tuning), width),
    wrap(size_of_tree(x), width),
    if (isTRUE(heuristic > 0L)) {
      wrap(paste0("Levels grouped by a heuristic in ", count_text(heuristic, "node"), "."), width)
    },
    unlist(lapply(c(priors_text(x), shrinkage_text(x), honest_text(x)), wrap, width)),
    wrap(legend_text(x, form), width)
  )
}

# "Classification tree for Species (shannon)"
grown_title <- function(x) {
  paste0(
    if (x$response$task == "classification") "Classification " else "Regression ", model_word(x),
    " for ", show_names(x$response$name), " (", grown_by(x), ")"
  )
}

size_of_tree <- function(x) {
  tree <- x$tree
  size_text(c(
    rows = rows_of_values(x), weight = case_weights(x)[1L], nodes = length(tree$kind),
    leaves = sum(tree$kind == 0L), depth = max(tree$depth)
  ))
}

# "150 rows (weight 300), 11 nodes, 6 leaves, depth 4"
size_text <- function(size) {
  weighted <- abs(size[["weight"]] - size[["rows"]]) > 1e-9 * size[["rows"]]
  paste0(
    count_text(size[["rows"]], "row"),
    if (weighted) paste0(" (weight ", number_text(size[["weight"]]), ")"), ", ",
    count_text(size[["nodes"]], "node"), ", ", count_text(size[["leaves"]], "leaf", "leaves"),
    ", depth ", size[["depth"]]
  )
}

# How much the lines of nodes show at a given width: list(all =, weight =), whether they have the
# shares of all classes, and the weights that differ from the number of rows. Lines show as much as
# possible without cutting a rule, except for rules longer than half the width.
print_form <- function(x, nodes, digits, width) {
  least <- list(all = FALSE, weight = FALSE)
  if (x$response$task == "classification" && length(x$response$levels) * 5L > width %/% 2L) {
    forms <- list(list(all = FALSE, weight = TRUE), least)
  } else {
    forms <- list(
      list(all = TRUE, weight = TRUE), list(all = TRUE, weight = FALSE),
      list(all = FALSE, weight = TRUE), least
    )
  }
  start <- nchar(node_starts(x, nodes, width), "width")
  rule <- nchar(branch_rules(x, nodes, max(7L, digits)), "width")
  need <- pmin(rule, width %/% 2L)
  for (form in forms) {
    end <- nchar(node_summary(x, nodes, digits, width, form), "width") + nchar(":  *")
    if (all(start + need + end <= width)) {
      return(form)
    }
  }
  least
}

legend_text <- function(x, form) {
  if (x$response$task == "regression") {
    return("number) rule: rows, prediction; * is a leaf")
  }
  levels <- x$response$levels
  if (!form$all) {
    return("number) rule: rows, class (probability of the class); * is a leaf")
  }
  paste0(
    "number) rule: rows, class (probabilities of ", paste(show_label(levels), collapse = ", "),
    "); * is a leaf"
  )
}

node_starts <- function(x, nodes, width) {
  # The indent of deep trees is limited to a third of the width.
  indent <- strrep(" ", pmin(2L * x$tree$depth[nodes], 2L * (width %/% 6L)))
  paste0(indent, formatC(paste0(nodes, ")"), width = nchar(max(nodes)) + 1L), " ")
}

node_lines <- function(x, nodes, digits, width, form) {
  start <- node_starts(x, nodes, width)
  mark <- ifelse(x$tree$kind[nodes] == 0L, " *", "")
  tests <- test_lines(x, nodes, start, width)
  end <- paste0(": ", node_summary(x, nodes, digits, width, form), mark)
  room <- width - nchar(start, "width") - nchar(end, "width")
  rule <- branch_rules(x, nodes, max(7L, digits), set_width = room)
  long <- which(nchar(rule, "width") > room & nodes != 1L)
  if (length(long)) {
    # A long name loses its middle, and its condition stays.
    x$columns$name <- short_names(x, nodes[long], nchar(rule[long], "width") - room[long])
    rule[long] <- branch_rules(x, nodes[long], max(7L, digits), set_width = room[long])
  }
  # A long summary is cut before the rule is reduced to a few letters.
  rule <- fit_width(rule, pmax(room, 10L))
  lines <- fit_width(paste0(start, rule, end), width)
  if (is.null(tests)) lines else c(rbind(lines, tests))[c(rbind(TRUE, !is.na(tests)))]
}

# The test of each split, below its node; NA in leaves, NULL in a tree without tests.
test_lines <- function(x, nodes, start, width) {
  test <- split_tests(x$tree)
  if (is.null(test)) {
    return(NULL)
  }
  test <- test[nodes, ]
  indent <- strrep(" ", nchar(start, "width"))
  lines <- fit_width(paste0(indent, "[", test_texts(test), "]"), width)
  replace(lines, is.na(test$df), NA_character_)
}

# Shortens names so that each rule fits, but keeps at least eight letters.
short_names <- function(x, nodes, excess) {
  measure <- function(t) nchar(t, "width")
  names <- show_names(x$columns$name)
  tested <- names[x$tree$variable[x$tree$parent[nodes]]]
  shorten_apart(names, max(8, min(measure(tested) - excess)), measure, "...")
}

node_summary <- function(x, nodes, digits, width, form) {
  tree <- x$tree
  rows <- format(tree$n[nodes], trim = TRUE, scientific = FALSE, big.mark = ",")
  if (form$weight) {
    weight <- number_text(tree$weight[nodes], digits)
    # A weight that prints like the number of rows is omitted.
    differs <- weight != number_text(tree$n[nodes], digits)
    rows[differs] <- paste0(rows[differs], " (weight ", weight[differs], ")")
  }
  if (x$response$task == "regression") {
    return(paste0(rows, ", ", number_text(tree$yval[nodes], digits)))
  }
  # Long names of classes lose their middle, but no two look the same.
  class <- shorten_apart(
    show_label(x$response$levels), max(8L, width %/% 4L), function(t) nchar(t, "width"), "..."
  )[tree$yval[nodes]]
  paste0(rows, ", ", class, " (", class_shares(x, nodes, form$all), ")")
}

class_shares <- function(fit, nodes, all) {
  shares <- share_text(leaf_shares(fit, nodes))
  if (!all) {
    return(shares[cbind(seq_along(nodes), fit$tree$yval[nodes])])
  }
  apply(shares, 1L, paste, collapse = " ")
}
