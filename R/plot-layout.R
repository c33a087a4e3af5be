# Tested in test-plot-fit.R.

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
