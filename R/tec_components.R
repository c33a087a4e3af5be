#' Components of a rotation forest
#'
#' Returns the loadings of a tree's components on the columns of their group. A component is the sum
#' of the scaled columns, each multiplied by its loading. The squares of the loadings of a component
#' add up to 1.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @param fit A fit from [tec_rotation()].
#' @param tree The numbers of one or more trees.
#' @return A data frame of class `tec_components`: `tree`, `component` (1, 2, ...), `group`,
#'   `column` (the predictor, or the predictor and a level), `loading`, and `splits`, the number of
#'   nodes of the tree that split on the component. `print()` writes one line per component.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' tec_components(fit)
#' as.data.frame(tec_components(fit, tree = 1:2))
#' @export
tec_components <- function(fit, tree = 1L) {
  if (!inherits(fit, "tec_rotation")) {
    tec_abort("argument", c(
      "{.fn tec_components} needs a rotation forest from {.fn tec_rotation}.",
      x = "It got {describe(fit)}."
    ))
  }
  check_fit(fit)
  check_tree_numbers(tree, length(fit$seeds), "tree")
  structure(
    do.call(rbind, lapply(tree, function(t) components_of(fit, t))),
    class = c("tec_components", "data.frame")
  )
}

components_of <- function(fit, tree) {
  p <- nrow(fit$inputs)
  size <- fit$rotation$group_size
  group <- (seq_len(p) - 1L) %/% size + 1L
  width <- tabulate(group)[group]
  # One row per component and column of its group.
  component <- rep(seq_len(p), width)
  place <- (group[component] - 1L) * size + sequence(width)
  at <- seq.int(fit$trees$start[tree] + 1L, fit$trees$start[tree + 1L])
  splits <- tabulate(abs(fit$trees$variable[at]), p)
  data.frame(
    tree = as.integer(tree), component = component, group = group[component],
    column = fit$inputs$name[fit$rotation$order[place, tree]], loading = fit$rotation$axes[, tree],
    splits = splits[component]
  )
}

#' @rdname tec_components
#' @param x An object returned by `tec_components()`.
#' @param most Maximum number of components to print per tree.
#' @param digits Number of decimal places of the loadings.
#' @param width Maximum width of a line.
#' @param ... Not used.
#' @export
print.tec_components <- function(x, most = 20L, digits = 2L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  check_bound(most, "most", least = 1)
  refuse_dots("print.tec_components", ...)
  whole <- c("tree", "component", "group", "column", "loading", "splits")
  if (!all(whole %in% names(x))) {
    print.data.frame(x)
    return(invisible(x))
  }
  for (t in unique(x$tree)) {
    one <- x[x$tree == t, ]
    cat("Tree ", t, "\n", sep = "")
    cat(component_lines(one, most, digits, max(20, width)), sep = "\n")
  }
  invisible(x)
}

# One line per component: "C1, 3 splits: 0.71 a - 0.70 b", the largest loadings first.
component_lines <- function(table, most, digits, width) {
  by <- split(table, factor(table$component, unique(table$component)))
  shown <- utils::head(by, most)
  head <- vapply(shown, function(one) {
    paste0("  C", one$component[1L], ", ", count_text(one$splits[1L], "split"), ":")
  }, "")
  terms <- lapply(shown, sum_terms, digits)
  lines <- Map(fill_lines, pad(head), terms, MoreArgs = list(width = width))
  more <- length(by) - length(shown)
  c(
    fit_width(unlist(lines, use.names = FALSE), width),
    if (more > 0L) paste0("  ... and ", count_text(more, "more component"))
  )
}

# Breaks lines between pieces and indents all lines after the first.
fill_lines <- function(head, pieces, width) {
  lines <- paste(head, pieces[1L])
  for (piece in pieces[-1L]) {
    last <- length(lines)
    longer <- paste(lines[last], piece)
    if (nchar(longer, "width") <= width) {
      lines[last] <- longer
    } else {
      lines <- c(lines, paste0("      ", piece))
    }
  }
  lines
}

sum_terms <- function(component, digits, most = 8L) {
  one <- component[order(-abs(component$loading)), ]
  size <- sprintf("%.*f", digits, abs(one$loading))
  seen <- which(as.double(size) > 0)
  more <- length(seen) - most
  seen <- utils::head(seen, most)
  sign <- ifelse(one$loading < 0, "- ", "+ ")[seen]
  sign[1L] <- if (one$loading[seen][1L] < 0) "-" else ""
  c(
    paste0(sign, size[seen], " ", show_names(one$column[seen])),
    if (more > 0L) paste0("+ ", more, " smaller")
  )
}
