#' Print a tree
#'
#' A header, then one line per node: its number, the condition that leads to it, the
#' rows it holds, the class or number it predicts and the shares of the classes. A
#' leaf ends with `*`. No line is wider than `width`; names and sets of levels that
#' would be are shortened. Of a large tree the nodes nearest to the root are shown. Where
#' weights differ from the number of rows both are shown.
#'
#' A last line says what to do next where it matters: how many leaves the pruning of [tec_tree()]
#' left and how to have all of them, that a tree of more than ten leaves is not pruned, that its
#' size was limited by `min_bucket` or `min_split` where the rows are few, or why the root was not
#' split. [summary()][summary.tec_tree] says why each leaf is one.
#'
#' @param x A tree from [tec_tree()].
#' @param n The most nodes to show; `Inf` for all.
#' @param digits Significant digits of the numbers predicted; thresholds have at least
#'   seven.
#' @param width The width of a line.
#' @param ... Passed on from `print()` to `format()`.
#' @return `print()` returns `x`, invisibly; `format()` the lines.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
#' print(fit, n = 5)
#' writeLines(format(fit, width = 50))
#' @export
print.tec_tree <- function(x, n = 40L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  cat(format.tec_tree(x, n = n, digits = digits, width = width, ...), sep = "\n")
  invisible(x)
}

#' @rdname print.tec_tree
#' @export
format.tec_tree <- function(x, n = 40L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_known(dot_names(list(...)), c("n", "digits", "width"), "print.tec_tree")
  n <- check_bound(n, "n", least = 1)
  width <- max(20, check_bound(width, "width", least = 1))
  check_fit(x)
  nodes <- shown_nodes(x$tree$depth, n)
  more <- length(x$tree$depth) - length(nodes)
  c(
    fit_width(format_header(x, width), width),
    node_lines(x, nodes, digits, width),
    fit_width(next_step(x), width),
    if (more > 0L) fit_width(more_text(more, "node"), width)
  )
}

more_text <- function(more, what) {
  paste0("# ... with ", count_text(more, paste("more", what)), ": print(x, n = Inf)")
}

# The n nodes nearest to the root, in pre-order.
shown_nodes <- function(depth, n) {
  nodes <- seq_along(depth)
  if (length(nodes) <= n) {
    return(nodes)
  }
  sort(order(depth, nodes)[seq_len(n)])
}

format_header <- function(x, width) {
  tree <- x$tree
  classes <- x$response$task == "classification"
  title <- paste0(
    if (classes) "Classification" else "Regression", " tree for ", show_names(x$response$name),
    " (", grown_by(x), ")"
  )
  heuristic <- sum(!as.logical(tree$exact), na.rm = TRUE)
  c(
    wrap(title, width),
    if (!is.null(x$tuning)) wrap(tuned_text(x$tuning), width),
    wrap(size_of_tree(x), width),
    if (heuristic > 0L) {
      wrap(paste0("Levels grouped by a heuristic in ", count_text(heuristic, "node"), "."), width)
    },
    unlist(lapply(priors_text(x), wrap, width)),
    wrap(legend_text(x, width), width)
  )
}

size_of_tree <- function(x) {
  tree <- x$tree
  size_text(c(
    rows = x$n_rows, weight = case_weights(x)[1L], nodes = length(tree$kind),
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
# The criterion, or for a converted tree what grew it.
grown_by <- function(fit) fit$source %||% format(fit$criterion)

count_text <- function(n, one, many = paste0(one, "s")) {
  paste(format(n, big.mark = ",", scientific = FALSE, trim = TRUE), if (n == 1) one else many)
}

wrap <- function(text, width) strwrap(text, width = width + 1L)

# Whether there is room for the share of every class, or of the predicted only.
all_shares <- function(x, width) length(x$response$levels) * 5L <= width %/% 5L

legend_text <- function(x, width) {
  if (x$response$task == "regression") {
    return("number) rule: rows, prediction; * is a leaf")
  }
  levels <- x$response$levels
  if (!all_shares(x, width)) {
    return("number) rule: rows, class (share of the class); * is a leaf")
  }
  paste0(
    "number) rule: rows, class (shares of ", paste(show_label(levels), collapse = ", "),
    "); * is a leaf"
  )
}

node_lines <- function(x, nodes, digits, width) {
  tree <- x$tree
  # Deep trees stay on the page: beyond a third of the width the indent stops.
  indent <- strrep(" ", pmin(2L * tree$depth[nodes], 2L * (width %/% 6L)))
  number <- formatC(paste0(nodes, ")"), width = nchar(max(nodes)) + 1L)
  start <- paste0(indent, number, " ")
  mark <- ifelse(tree$kind[nodes] == 0L, " *", "")
  end <- paste0(": ", node_summary(x, nodes, digits, width), mark)
  room <- width - nchar(start, "width") - nchar(end, "width")
  rule <- branch_rules(x, nodes, max(7L, digits), set_width = room)
  # A long summary gives way before the rule gets less than a few letters.
  rule <- fit_width(rule, pmax(room, 10L))
  fit_width(paste0(start, rule, end), width)
}

node_summary <- function(x, nodes, digits, width) {
  tree <- x$tree
  rows <- format(tree$n[nodes], trim = TRUE, scientific = FALSE, big.mark = ",")
  weighted <- any(abs(tree$weight - tree$n) > 1e-9 * pmax(1, tree$n))
  if (weighted) {
    rows <- paste0(rows, " (weight ", number_text(tree$weight[nodes], digits), ")")
  }
  if (x$response$task == "regression") {
    return(paste0(rows, ", ", number_text(tree$yval[nodes], digits)))
  }
  class <- show_label(x$response$levels[tree$yval[nodes]])
  class <- fit_width(class, max(8L, width %/% 4L))
  paste0(rows, ", ", class, " (", class_shares(tree, nodes, all_shares(x, width)), ")")
}

class_shares <- function(tree, nodes, all) {
  prob <- tree$prob[nodes, , drop = FALSE]
  if (!all) {
    return(sprintf("%.2f", prob[cbind(seq_along(nodes), tree$yval[nodes])]))
  }
  shares <- lapply(seq_len(ncol(prob)), function(k) sprintf("%.2f", prob[, k]))
  do.call(paste, shares)
}

# Cuts texts to a display width, with "..." where something is lost. `width` is
# one number or one a text.
fit_width <- function(text, width) {
  width <- rep_len(width, length(text))
  long <- which(nchar(text, "width") > width)
  if (length(long)) {
    text[long] <- paste0(strtrim(text[long], pmax(1, width[long] - 3L)), "...")
  }
  text
}
