#' Draw a tree
#'
#' Base graphics, no other package. A tree that fits grows downwards; a wider one grows to
#' the right with a line a leaf, which keeps some thirty leaves readable on an ordinary
#' page. Inner nodes name the variable, branches the condition, leaves the class with a bar
#' of the class shares (or the number) and their training rows. Sizes are taken from the
#' open device: draw again after resizing.
#'
#' @param x A tree from [tec_tree()]; for `text()` one that was just drawn with
#'   `labels = FALSE`.
#' @param depth How many levels to draw; nodes there stand for what is below them.
#' @param nodes One node: the branch below it is drawn. Several: the paths to them,
#'   with everything else closed.
#' @param direction `"down"`, `"right"` or `"auto"`.
#' @param palette Colours: one a class, or for a numeric response those of the lowest and
#'   the highest value. The default can be told apart by colour-blind people.
#' @param main The title; the default names the response, `""` is none.
#' @param legend Whether to name the classes' colours.
#' @param labels Whether to write anything; `FALSE` draws branches and leaves only.
#' @param cex The size of the text; `NULL` for the largest up to 1 that fits.
#' @param ... Nothing else is understood.
#' @return `x`, invisibly.
#' @family uses of a tree
#' @seealso [autoplot.tec_tree] for ggplot2.
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' plot(fit)
#' plot(fit, depth = 2)
#' plot(tec_tree(mpg ~ ., mtcars), main = "Miles per gallon")
#' @export
plot.tec_tree <- function(x, depth = Inf, nodes = NULL, direction = c("auto", "down", "right"),
                          palette = NULL, main = NULL, legend = TRUE, labels = TRUE, cex = NULL,
                          ...) {
  check_known(dot_names(list(...)), names(formals()), "plot.tec_tree")
  check_fit(x)
  directions <- c("auto", "down", "right")
  direction <- if (missing(direction)) "auto" else match_choice(direction, directions, "direction")
  depth <- check_bound(depth, "depth", least = 0, whole = TRUE)
  cex <- check_cex(cex)
  nodes <- check_nodes_argument(nodes, x$tree)
  old <- graphics::par(mar = c(0.5, 0.5, 0.5, 0.5), xpd = NA, lheight = 0.85)
  on.exit(graphics::par(old))
  # Now there is a device, which says what signs it can write.
  view <- tree_view(x, depth, nodes)
  colours <- view_colours(x, view, palette)
  graphics::plot.new()
  size <- graphics::par("pin")
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  header <- draw_header(x, size, main, legend, colours, labels)
  page <- list(width = size[1L], height = size[2L] - header)
  layout <- lay_out(view, page, direction, cex)
  draw_layout(layout, colours, labels)
  last_drawn$layout <- if (!labels) layout
  invisible(x)
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

# Downwards where that can be read, otherwise to the right.
lay_out <- function(view, page, direction, cex) {
  if (direction != "right") {
    down <- fit_down(view, page, cex, least = if (direction == "auto") 0.7 else 0.2)
    if (!is.null(down)) {
      return(down)
    }
  }
  fit_right(view, page, cex)
}

draw_layout <- function(layout, colours, labels) {
  if (layout$direction == "down") {
    draw_down(layout, colours)
  } else {
    draw_right(layout, colours)
  }
  if (labels) write_labels(layout)
}

write_labels <- function(layout) {
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

# list(class = colour a class, node = colour a node drawn).
view_colours <- function(fit, view, palette) {
  classes <- length(fit$response$levels)
  if (fit$response$task == "classification") {
    class <- palette %||% class_colours(classes)
    if (length(class) < classes) abort_palette(classes, palette)
    return(list(class = class, node = class[view$yval], shares = attr(view, "shares")))
  }
  if (is.null(palette)) {
    return(list(node = value_colours(view$yval)))
  }
  if (length(palette) < 2L) abort_palette(2L, palette)
  range <- range(view$yval)
  at <- if (diff(range) > 0) (view$yval - range[1L]) / diff(range) else 0 * view$yval
  list(node = grDevices::rgb(grDevices::colorRamp(palette)(at), maxColorValue = 255))
}

abort_palette <- function(needed, palette) {
  tec_abort("argument", c(
    "{.arg palette} must have {needed} colour{?s}.",
    x = "It has {length(palette)}."
  ))
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
  if (length(keys)) used <- max(used, draw_keys(keys, colours$class, x, top, size[1L], line))
  used + 0.12
}

# Squares and names, in as many lines as it takes but at most four.
draw_keys <- function(keys, colours, x, y, width, line) {
  cex <- 0.9
  measure <- function(t) inches(t, cex)
  keys <- vapply(keys, shorten_text, "", width = width * 0.35, measure = measure)
  square <- 0.11
  start <- x
  top <- y
  lines <- 1L
  for (i in seq_along(keys)) {
    room <- square + 0.06 + measure(keys[i]) + 0.18
    if (x + room - 0.18 > width && x > start) {
      if (lines == 4L) {
        graphics::text(x, y, ellipsis(), adj = c(0, 0.5), cex = cex)
        break
      }
      lines <- lines + 1L
      x <- start
      y <- y - line
    }
    graphics::rect(x, y - square / 2, x + square, y + square / 2, col = colours[i], border = NA)
    graphics::text(x + square + 0.06, y, keys[i], adj = c(0, 0.5), cex = cex)
    x <- x + room
  }
  top - y + line
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

rows_text <- function(n) {
  paste("n =", format(n, big.mark = ",", trim = TRUE, scientific = FALSE))
}
