# How much of a tree is drawn: without `depth`, the whole tree if it is readable on the page,
# otherwise as many levels as are easily readable.

# The smallest letters: for a part chosen by the user, and for an automatic choice.
least_letters <- c(asked = 0.25, small = 0.42, fair = 0.5, good = 0.6)

check_depth <- function(depth) {
  if (!is.null(depth)) check_bound(depth, "depth", least = 0, whole = TRUE)
}

some_levels <- function(layout, least) {
  if (!is.null(layout) && max(layout$view$level) >= least) layout
}

# The deepest layout that fits; a deeper one never needs less room.
fit_top <- function(lay, drawn, most) {
  low <- 0L
  high <- max(1L, sum(drawn <= most)) - 1L
  best <- NULL
  while (low <= high) {
    middle <- (low + high + 1L) %/% 2L
    layout <- lay(middle)
    if (is.null(layout)) {
      high <- middle - 1L
    } else {
      best <- layout
      low <- middle + 1L
    }
  }
  best
}

# How many leaves are drawn, closed nodes among them, with 0, 1, 2, ... levels below `first`.
drawn_leaves <- function(tree, first) {
  inside <- first:subtree_end(tree, first)
  level <- tree$depth[inside] - tree$depth[first] + 1L
  levels <- max(level)
  ended <- cumsum(tabulate(level[tree$kind[inside] == 0L], levels))
  tabulate(level, levels) + c(0L, ended[-levels])
}

bare_layers <- function(layout) {
  view <- layout$view
  pens <- branch_pens(view, layout$ink, 0.6 * layout$row, min(1, max(0.25, 10 * layout$row)))
  leaf <- which(view$leaf)
  end <- replace(layout$x, leaf, layout$end)
  child <- which(view$up > 0L)
  x <- layout$x[view$up[child]]
  y <- layout$y[child]
  list(
    branch_layer(
      view, pens,
      list(x = x, y = layout$y[view$up[child]], xend = x, yend = y, at = child),
      list(x = x, y = y, xend = end[child], yend = y, at = child)
    ),
    chart_layer(
      "rect",
      xmin = layout$end, xmax = layout$end + layout$mark, ymin = layout$y[leaf] - layout$row / 2,
      ymax = layout$y[leaf] + layout$row / 2, colour = layout$colours$node[leaf]
    )
  )
}

# The segments of the branches, those of a path on top. Each of `...` is list(x, y, xend, yend, at):
# `at` are the nodes whose pens draw it.
branch_layer <- function(view, pens, ...) {
  pieces <- stack_tables(list(...))
  pieces <- pieces[order(view$on_path[pieces$at]), ]
  chart_layer(
    "segment",
    x = pieces$x, y = pieces$y, xend = pieces$xend, yend = pieces$yend,
    colour = pens$colour[pieces$at], width = pens$width[pieces$at]
  )
}

# How to see more, if something is not drawn although the user did not exclude it.
report_rest <- function(layout, depth, nodes, name, verb = "plot") {
  view <- layout$view
  if (layout$direction == "bare") {
    tec_inform("plot", c(
      "{big_number(sum(view$leaf))} leaves leave no room for letters: only branches and colours
       are drawn.",
      i = "For labels take a larger page, fewer levels ({.arg depth}) or one branch ({.arg nodes})."
    ))
  } else if (is.null(depth) && length(nodes) <= 1L && any(view$hidden > 0)) {
    inform_top(view, name, verb, if (is.null(nodes)) "tree" else "branch")
  }
}

inform_top <- function(view, name, verb, what) {
  levels <- max(view$level)
  leaves <- big_number(sum(pmax(view$below, view$leaf)))
  largest <- view$node[which.max(view$below)]
  part <- if (levels == 0L) "only its first node" else "its top {levels} level{?s}"
  tec_inform("plot", c(
    paste0("The ", what, " has ", leaves, " leaves: ", part, " can be read on this page."),
    i = "To see a branch: {.code {verb}({name}, nodes = {largest})}.",
    i = "For more levels: {.code depth = {levels + 2L}} on a larger page; {.code depth = Inf} draws
         all."
  ))
}

# The user's name of the tree.
fit_name <- function(expr) if (is.symbol(expr)) as.character(expr) else "fit"
