# How much of a tree is drawn: without `depth`, the whole tree if it is readable on the page,
# otherwise as many levels as are easily readable.

# The smallest letters: for a part chosen by the user, and for an automatic choice.
least_letters <- c(asked = 0.25, small = 0.42, fair = 0.5, good = 0.6)

check_depth <- function(depth) {
  if (!is.null(depth)) check_bound(depth, "depth", least = 0, whole = TRUE)
}

fit_page <- function(fit, depth, nodes, page, direction, cex, looks = tree_looks(fit)) {
  remember_widths()
  seen <- list()
  # A view remembers its layouts (fit_right()).
  see <- function(depth) {
    key <- format(depth)
    if (is.null(seen[[key]])) {
      seen[[key]] <<- structure(
        tree_view(fit, depth, nodes, looks), known = new.env(parent = emptyenv())
      )
    }
    seen[[key]]
  }
  lay <- function(depth, least, cut) lay_out(see(depth), page, direction, cex, least, cut)
  if (!is.null(depth) || length(nodes) > 1L) {
    view <- see(depth %||% Inf)
    return(lay_out(view, page, direction, cex, "asked", TRUE) %||% bare_layout(view, page))
  }
  lines <- function(least) page$height / line_inches(cex %||% least_letters[[least]])
  drawn <- drawn_leaves(fit$tree, nodes %||% 1L)
  top <- function(least, cut) {
    fit_top(function(depth) lay(depth, least, cut), drawn, lines(least))
  }
  whole <- if (drawn[length(drawn)] <= lines("small")) {
    lay(Inf, "fair", FALSE) %||% lay(Inf, "good", TRUE) %||% lay(Inf, "small", FALSE) %||%
      fit_brief(see(Inf), page, direction, cex)
  }
  # On a small page, small letters are preferred to an almost empty tree.
  part <- whole %||% some_levels(top("good", FALSE), 3L) %||% some_levels(top("small", FALSE), 2L)
  part <- part %||% top("small", TRUE)
  if (is.null(part) && looks$whole_path) {
    # Only the part of a path on the levels drawn.
    looks$whole_path <- FALSE
    return(fit_page(fit, depth, nodes, page, direction, cex, looks))
  }
  part %||% bare_layout(see(0), page)
}

# The whole tree in small letters, without the shares that inner nodes have by default.
fit_brief <- function(view, page, direction, cex) {
  looks <- attr(view, "looks")
  if (!"share" %in% looks$show$inner || !identical(looks$show, default_show(looks$response))) {
    return(NULL)
  }
  attr(view, "looks")$show$inner <- setdiff(looks$show$inner, c("share", "test"))
  attr(view, "known") <- new.env(parent = emptyenv())
  lay_out(write_nodes(view), page, direction, cex, "small", FALSE)
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

# Downwards if that is readable, otherwise to the right; NULL if neither is. `cut` allows names to
# be cut.
lay_out <- function(view, page, direction, cex, least, cut) {
  least <- least_letters[[least]]
  down <- function(least, lost) fit_down(view, page, cex, least, lost)
  if (direction == "down") {
    return(down(least, if (least <= least_letters[["asked"]]) 3 else 2))
  }
  right <- function(cut) fit_right(whole_conditions(view), page, cex, least, cut)
  if (direction == "right") {
    return(right(cut))
  }
  large <- max(0.7, least)
  down(large, 0) %||% right(FALSE) %||% down(large, 2) %||% if (cut) right(TRUE)
}

# Only branches and colours, for trees without room for text.
bare_layout <- function(view, page) {
  leaves <- sum(view$leaf)
  row <- page$height / max(leaves, 1L)
  mark <- 0.04 * page$width
  step <- (page$width - mark) / max(view$level, 1L)
  list(
    direction = "bare", view = view, x = view$level * step,
    y = page$height - row * row_places(view),
    end = page$width - mark, mark = mark, row = row
  )
}

draw_bare <- function(layout, colours) {
  view <- layout$view
  pens <- branch_pens(view, ink_on(), 0.6 * layout$row, min(1, max(0.25, 10 * layout$row)))
  leaf <- which(view$leaf)
  end <- replace(layout$x, leaf, layout$end)
  draw_branches(view, pens, function(line, child, up) {
    line(layout$x[up], layout$y[up], layout$x[up], layout$y[child])
    line(layout$x[up], layout$y[child], end[child], layout$y[child])
  })
  graphics::rect(
    layout$end, layout$y[leaf] - layout$row / 2, layout$end + layout$mark,
    layout$y[leaf] + layout$row / 2,
    col = colours$node[leaf], border = NA
  )
}

# Calls `draw(line, child, up)` for the branches and then once more for those of a path, on top.
# `line` is segments() with the pens of the children.
draw_branches <- function(view, pens, draw) {
  for (on in c(FALSE, TRUE)) {
    child <- which(view$up > 0L & view$on_path == on)
    line <- function(x0, y0, x1, y1) {
      graphics::segments(x0, y0, x1, y1, col = pens$colour[child], lwd = pens$width[child])
    }
    if (length(child)) draw(line, child, view$up[child])
  }
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
