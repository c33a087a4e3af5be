#' Decision rules
#'
#' Returns one rule per leaf: the conditions that lead to it, with all conditions on a predictor
#' combined, and the prediction. The rules of a tree are mutually exclusive and cover every row
#' without missing values and unseen levels. Other rows may satisfy no rule; how they are predicted
#' is explained in [predict()][predict.tec_tree].
#'
#' @param fit A tree from [tec_tree()].
#' @param nodes The numbers of the nodes to describe; `NULL` for the leaves.
#' @param digits Minimum number of significant digits of cuts.
#' @return A data frame of class `tec_rules`, one row per node, with the columns `node`, `rule`,
#'   then `class` (classification) or `prediction` (regression), `n` (number of training rows) and
#'   `weight` (sum of their weights). With `missing = "fractional"`, a row with a missing value
#'   counts in `n` of each leaf that it reaches, and in parts in `weight`. So `n` can add up to more
#'   than the number of rows, while `weight` adds up to it. For classification there are
#'   `probability` (the predicted probability of the class) and `lift` (this probability divided by
#'   that of the class at the root); for regression `impurity` (mean squared or absolute error).
#' @family explanations of a tree
#' @examples
#' tec_rules(tec_tree(Species ~ ., iris))
#' as.data.frame(tec_rules(tec_tree(mpg ~ ., mtcars)))
#' @export
tec_rules <- function(fit, nodes = NULL, digits = 7L) {
  plain_numbers()
  fit <- chosen_fit(fit, "tec_rules")
  check_is_tree(fit, "tec_rules")
  tree <- fit$tree
  check_output(digits)
  nodes <- check_nodes_argument(nodes, tree) %||% which(tree$kind == 0L)
  rule <- region_texts(node_regions(fit)[nodes], fit$columns, digits)
  out <- data.frame(node = nodes, rule = rule)
  if (fit$response$task == "classification") {
    class <- tree$yval[nodes]
    shares <- leaf_shares(fit, c(1L, nodes))
    out$class <- as_classes(tree$yval[nodes], fit$response)
    out$n <- tree$n[nodes]
    out$weight <- tree$weight[nodes]
    out$probability <- shares[cbind(seq_along(nodes) + 1L, class)]
    out$lift <- out$probability / shares[1L, class]
  } else {
    out$prediction <- tree$yval[nodes]
    out$n <- tree$n[nodes]
    out$weight <- tree$weight[nodes]
    out$impurity <- tree$impurity[nodes]
  }
  structure(
    out,
    response = fit$response$name, criterion = grown_by(fit),
    class = c("tec_rules", "data.frame")
  )
}

check_nodes_argument <- function(nodes, tree) {
  if (is.null(nodes)) {
    return(NULL)
  }
  last <- length(tree$parent)
  ok <- is.numeric(nodes) && length(nodes) > 0L && all_in_range(nodes, 1, last) &&
    all(nodes == round(nodes))
  if (!ok) abort_found("{.arg nodes} must be numbers of nodes, from 1 to {last}.", nodes)
  as.integer(nodes)
}

#' @export
as.data.frame.tec_rules <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots("as.data.frame", ...)
  attributes(x) <- attributes(x)[c("names", "row.names")]
  class(x) <- "data.frame"
  with_row_names(x, row.names)
}

#' @export
`[.tec_rules` <- function(x, ...) as.data.frame(x)[...]

#' @export
print.tec_rules <- function(x, n = 20L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("tec_rules", ...)
  check_output(digits, width, n)
  width <- max(20, width)
  cat(format_rules(x, n, digits, width), sep = "\n")
  invisible(x)
}

format_rules <- function(x, n, digits, width) {
  title <- paste0(
    count_text(nrow(x), "rule"), " for ", show_names(attr(x, "response")), " (",
    attr(x, "criterion"), ")"
  )
  shown <- utils::head(seq_len(nrow(x)), n)
  number <- formatC(paste0(x$node[shown], ")"), width = nchar(max(x$node)) + 1L)
  indent <- strrep(" ", nchar(number[1L]) + 1L)
  lines <- lapply(seq_along(shown), function(i) {
    rule <- wrap_rule(x$rule[shown[i]], width - nchar(indent))
    start <- c(paste0(number[i], " "), rep(indent, length(rule) - 1L))
    c(paste0(start, rule), paste0(indent, "=> ", rule_outcome(x, shown[i], digits)))
  })
  more <- nrow(x) - length(shown)
  lines <- c(title, unlist(lines), if (more > 0L) more_text(more, "rule"))
  fit_width(lines, width)
}

rule_outcome <- function(x, i, digits) {
  rows <- count_text(x$n[i], "row")
  if (abs(x$weight[i] - x$n[i]) > 1e-9 * max(1, x$n[i])) {
    rows <- paste0(rows, " of weight ", number_text(x$weight[i], digits))
  }
  if (is.null(x$class)) {
    return(paste0(number_text(x$prediction[i], digits), ": ", rows))
  }
  paste0(
    show_label(as.character(x$class[i])), ": ", rows, ", probability ",
    sprintf("%.2f", x$probability[i]), ", lift ", sprintf("%.2f", x$lift[i])
  )
}

# Lines break after "&", and within a condition only if it is too wide by itself.
wrap_rule <- function(rule, width) {
  parts <- strsplit(rule, " & ", fixed = TRUE)[[1L]]
  parts <- paste0(parts, c(rep(" &", length(parts) - 1L), ""))
  parts <- fit_width(parts, width)
  lines <- parts[1L]
  for (part in parts[-1L]) {
    joined <- paste(lines[length(lines)], part)
    if (nchar(joined, "width") <= width) {
      lines[length(lines)] <- joined
    } else {
      lines <- c(lines, part)
    }
  }
  lines
}
