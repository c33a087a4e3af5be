#' Draw a tree
#'
#' Base graphics, no other package. A tree that fits grows downwards; a wider one grows to
#' the right with a line per leaf, which keeps some sixty leaves readable on an ordinary
#' page. Inner nodes name the variable, branches the condition, leaves the class with a bar
#' of the class shares (or the number) and their training rows. Sizes are taken from the
#' open device: draw again after resizing.
#'
#' Of a tree that is too large for the page the top levels are drawn, as many as can be
#' read with ease. A node that is closed says its number and how many leaves are below it,
#' and a message says how to see the rest: by `nodes` or by `depth` on a larger page. Where
#' a `depth` that was asked for leaves no room for letters, branches and colours are
#' drawn without them. On a small page thresholds have fewer digits than [print()] shows.
#'
#' @param x A tree from [tec_tree()]; for `text()` one that was just drawn with
#'   `labels = FALSE`.
#' @param depth How many levels to draw; nodes there stand for what is below them. `NULL`
#'   draws all levels where they fit, else the top ones; `Inf` draws all.
#' @param nodes One node: the branch below it is drawn. Several: the paths to them,
#'   with everything else closed.
#' @param direction `"down"`, `"right"` or `"auto"`.
#' @param palette Colours: one per class, or for a numeric response those of the lowest and
#'   the highest value. Colour-blind people can tell those of the default apart, up to 14
#'   classes.
#' @param main The title; the default names the response, `""` is none.
#' @param legend Whether to name the classes' colours.
#' @param labels Whether to write anything; `FALSE` draws branches and leaves only.
#' @param cex The size of the text; `NULL` for the largest up to 1 that fits.
#' @param ... The arguments of rpart's `plot()` and `text()` that only say how a tree looks, such as
#'   `uniform` or `use.n`: they are left out, with a message. Any other name is an error.
#' @return `x`, invisibly.
#' @family uses of a tree
#' @seealso [autoplot.tec_tree] for ggplot2.
#' @concept plot tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' plot(fit)
#' plot(fit, depth = 2)
#' # Of a large tree the top, and a branch of it:
#' large <- tec_tree(class ~ ., balance_scale, min_bucket = 1)
#' plot(large)
#' plot(large, nodes = 3)
#' plot(tec_tree(mpg ~ ., mtcars), main = "Miles per gallon")
#' @export
plot.tec_tree <- function(x, depth = NULL, nodes = NULL, direction = c("auto", "down", "right"),
                          palette = NULL, main = NULL, legend = TRUE, labels = TRUE, cex = NULL,
                          ...) {
  check_known(leave_out_looks(dot_names(list(...))), names(formals()), "plot.tec_tree")
  check_fit(x)
  directions <- c("auto", "down", "right")
  direction <- if (missing(direction)) "auto" else match_choice(direction, directions, "direction")
  depth <- check_depth(depth)
  cex <- check_cex(cex)
  nodes <- check_nodes_argument(nodes, x$tree)
  colours <- class_palette(x, palette)
  old <- graphics::par(mar = c(0.5, 0.5, 0.5, 0.5), xpd = NA, lheight = 0.85)
  on.exit(graphics::par(old))
  graphics::plot.new()
  size <- graphics::par("pin")
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  header <- draw_header(x, size, main, legend, colours, labels)
  page <- list(width = size[1L], height = size[2L] - header)
  layout <- fit_page(x, depth, nodes, page, direction, cex)
  colours <- view_colours(x, layout$view, colours)
  layout$fill <- colours$node
  draw_layout(layout, colours, labels)
  if (labels) report_rest(layout, depth, nodes, fit_name(substitute(x)))
  last_drawn$layout <- if (!labels) layout
  invisible(x)
}

# How rpart's plot() and text() are told to look; what else was given is returned.
leave_out_looks <- function(names) {
  looks <- intersect(names, c(
    "uniform", "branch", "compress", "margin", "minbranch", "nspace", "use.n", "all", "fancy",
    "pretty", "splits", "fwidth", "fheight"
  ))
  if (length(looks)) {
    tec_inform("plot", c(
      "rpart's {.arg {looks}} {?has/have} no equal here and {?is/are} left out.",
      i = "The drawing fits the page and has its labels, with the rows of each leaf."
    ))
  }
  setdiff(names, looks)
}

last_drawn <- new.env(parent = emptyenv())

#' @rdname plot.tec_tree
#' @importFrom graphics text
#' @export
text.tec_tree <- function(x, ...) {
  if (is.null(last_drawn$layout)) {
    tec_inform("plot", c(
      "There is nothing to add: {.fn plot} has written the labels.",
      i = "To write them later draw with {.code plot(fit, labels = FALSE)}."
    ))
    return(invisible(x))
  }
  old <- graphics::par(xpd = NA, lheight = 0.85)
  on.exit(graphics::par(old))
  layout <- last_drawn$layout
  write_labels(layout)
  last_drawn$layout <- NULL
  invisible(x)
}

check_cex <- function(cex) {
  if (is.null(cex)) {
    return(NULL)
  }
  if (!is_number(cex) || cex <= 0 || !is.finite(cex)) {
    tec_abort(
      "argument", c("{.arg cex} must be one positive number.", x = "It is {describe(cex)}.")
    )
  }
  cex
}

draw_layout <- function(layout, colours, labels) {
  switch(layout$direction,
    down = draw_down(layout, colours),
    right = draw_right(layout, colours),
    draw_bare(layout, colours)
  )
  if (labels) write_labels(layout)
}

write_labels <- function(layout) {
  if (layout$direction == "bare") {
    return(invisible())
  }
  if (layout$direction == "right") cut_branches(layout)
  words <- layout_words(layout)
  # One call a font and alignment: graphics::text() takes one of each.
  for (group in split(words, list(words$font, words$adj), drop = TRUE)) {
    graphics::text(
      group$x, group$y, group$text,
      cex = layout$cex, adj = c(group$adj[1L], 0.5), font = group$font[1L], col = group$colour
    )
  }
}

layout_words <- function(layout) {
  words <- if (layout$direction == "down") down_words(layout) else right_words(layout)
  words[nzchar(words$text), , drop = FALSE]
}

inches <- function(text, cex, font = 1) {
  graphics::strwidth(text, units = "inches", cex = cex, font = font)
}

# The distance of two lines of text, as text() itself sets them.
line_inches <- function(cex) cex * graphics::par("cin")[2L] * graphics::par("lheight")

# The title and the classes' colours on top of the page; returns the height used.
draw_header <- function(fit, size, main, legend, colours, labels) {
  title <- main %||% show_names(fit$response$name)
  keys <- if (isTRUE(legend)) show_label(fit$response$levels)
  if (!labels || (!nzchar(title) && length(keys) == 0L)) {
    return(0)
  }
  line <- line_inches(1)
  top <- size[2L] - line / 2
  measure <- function(t) inches(t, 1, 2)
  used <- 0
  x <- 0
  if (nzchar(title)) {
    title <- shorten_text(title, size[1L] * if (length(keys)) 0.6 else 1, measure)
    graphics::text(0, top, title, adj = c(0, 0.5), font = 2)
    x <- measure(title) + 0.25
    used <- line
  }
  if (length(keys)) used <- max(used, draw_keys(keys, colours, x, top, size[1L], line))
  used + 0.12
}

# Squares and names in at most four lines, if need be in smaller letters.
draw_keys <- function(keys, colours, x, y, width, line) {
  for (cex in c(0.9, 0.8, 0.7, 0.6)) {
    place <- place_keys(keys, cex, x, width)
    if (all(place$line <= 4L)) break
  }
  shown <- place$line <= 4L
  last <- if (all(shown)) 0L else sum(shown)
  # The last place says that there are more.
  if (last > 0L) shown[last] <- FALSE
  at <- y - line * (place$line - 1L)
  square <- 0.11
  for (i in which(shown)) {
    left <- place$x[i]
    bottom <- at[i] - square / 2
    graphics::rect(left, bottom, left + square, bottom + square, col = colours[i], border = NA)
    graphics::text(left + square + 0.06, at[i], place$text[i], adj = c(0, 0.5), cex = cex)
  }
  if (last > 0L) graphics::text(place$x[last], at[last], ellipsis(), adj = c(0, 0.5), cex = cex)
  line * min(4L, max(place$line))
}

# One after the other, the first of a line at `x`.
place_keys <- function(keys, cex, x, width) {
  measure <- function(t) inches(t, cex)
  text <- vapply(keys, shorten_text, "", width = width * 0.35, measure = measure)
  room <- 0.11 + 0.06 + measure(text) + 0.18
  left <- numeric(length(keys))
  line <- integer(length(keys))
  at <- x
  row <- 1L
  for (i in seq_along(keys)) {
    if (at + room[i] - 0.18 > width && at > x) {
      row <- row + 1L
      at <- x
    }
    left[i] <- at
    line[i] <- row
    at <- at + room[i]
  }
  list(x = left, line = line, text = text)
}

# The shares of the classes side by side, from left to right.
share_bar <- function(left, bottom, width, height, shares, colours) {
  ends <- cumsum(c(0, shares / max(sum(shares), 1e-300)))
  some <- which(shares > 0)
  graphics::rect(
    left + width * ends[some], bottom, left + width * ends[some + 1L], bottom + height,
    col = colours[some], border = NA
  )
  graphics::rect(left, bottom, left + width, bottom + height, border = "grey40", lwd = 0.6)
}

rows_text <- function(n) paste("n =", big_number(n))
