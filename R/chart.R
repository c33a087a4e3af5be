# A chart as data, which base graphics and ggplot2 draw alike.
#
# list(title, caption, x, y, keys, layers). An axis is list(label, range, at, text, shorten); `keys`
# is list(text, colours). A layer is list(kind, data): "rect" with xmin, xmax, ymin, ymax, "line"
# with x, y, group, "segment" with x, y, xend, yend, "point" with x, y, each with a colour, a frame
# and a width; segments may have a dash.

chart_axis <- function(label, range, at = NULL, text = NULL, shorten = shorten_text) {
  list(label = label, range = range, at = at, text = text, shorten = shorten)
}

chart_layer <- function(kind, ..., frame = NA, width = 1) {
  parts <- list(..., frame = frame, width = width)
  # Nothing to draw has no colour.
  some <- all(lengths(parts) > 0L)
  list(kind = kind, data = if (some) do.call(data.frame, parts) else data.frame())
}

# Marks inside the range, at most about `most`.
axis_marks <- function(axis, most = 5L) {
  if (!is.null(axis$at)) {
    return(list(at = axis$at, text = axis$text))
  }
  at <- pretty(axis$range, most)
  at <- at[at >= axis$range[1L] - 1e-9 & at <= axis$range[2L] + 1e-9]
  list(at = at, text = if (is.null(axis$text)) number_text(at) else axis$text(at))
}

draw_chart <- function(chart, legend = TRUE, background = NULL) {
  # What cannot be drawn opens no page.
  force(chart)
  scale <- page_scale()
  old <- graphics::par(
    mar = c(0.4, 0.4, 0.4, 0.4), cex = scale, mex = scale, lheight = 0.85, xpd = NA,
    bg = background %||% graphics::par("bg")
  )
  on.exit(graphics::par(old))
  graphics::plot.new()
  paint_ground(background)
  ink <- ink_on()
  size <- graphics::par("pin")
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  keys <- if (isTRUE(legend)) chart$keys
  top <- draw_header(chart$title, keys$text, keys$colours, size)
  frame <- chart_frame(chart, size, top)
  x <- function(v) frame$left + (v - chart$x$range[1L]) / diff(chart$x$range) * frame$width
  y <- function(v) frame$bottom + (v - chart$y$range[1L]) / diff(chart$y$range) * frame$height
  draw_chart_axes(chart, frame, x, y, ink)
  graphics::clip(
    frame$left, frame$left + frame$width, frame$bottom, frame$bottom + frame$height
  )
  for (layer in chart$layers) if (nrow(layer$data)) draw_layer(layer, x, y)
  graphics::clip(-1e3, 1e3, -1e3, 1e3)
  graphics::rect(
    frame$left, frame$bottom, frame$left + frame$width, frame$bottom + frame$height,
    border = ink$line
  )
}

# A small page has smaller letters.
page_scale <- function() min(1, max(0.65, min(graphics::par("fin") / c(4.5, 3.5))))

# The panel within the page, in inches, and the texts around it.
chart_frame <- function(chart, size, top) {
  line <- line_inches(1)
  small <- function(t) inches(t, 0.8)
  caption <- wrap_text(chart$caption %||% "", size[1L], 3L, small)
  marks <- list(x = axis_marks(chart$x), y = axis_marks(chart$y))
  marks$y$text <- vapply(
    marks$y$text, chart$y$shorten, "", width = size[1L] / 2.7, measure = small
  )
  left <- max(small(marks$y$text), 0) + 0.14 + if (nzchar(chart$y$label)) 1.2 * line else 0
  right <- if (length(marks$x$text)) small(marks$x$text[length(marks$x$text)]) / 2 else 0
  width <- size[1L] - left - max(right, 0.05)
  # Names that do not fit side by side stand upright.
  wide <- small(marks$x$text)
  upright <- sum(wide + 0.08) > width
  if (upright) {
    marks$x$text <- vapply(marks$x$text, shorten_text, "", width = size[2L] / 4, measure = small)
  }
  below <- if (upright) max(small(marks$x$text)) else 0.8 * line
  under <- 0.85 * line * text_lines(caption)
  bottom <- under + 1.3 * line + below + 0.16
  list(
    left = left, bottom = bottom, width = width, height = size[2L] - top - bottom - 0.05,
    marks = marks, upright = upright, below = below, caption = caption, under = under
  )
}

draw_chart_axes <- function(chart, frame, x, y, ink) {
  line <- line_inches(1)
  right <- frame$left + frame$width
  top <- frame$bottom + frame$height
  words <- function(...) graphics::text(..., col = ink$text)
  at <- x(frame$marks$x$at)
  graphics::segments(at, frame$bottom, at, top, col = ink$faint)
  graphics::segments(at, frame$bottom, at, frame$bottom - 0.05, col = ink$line)
  if (frame$upright) {
    fit <- min(1, frame$width / length(at) / line_inches(0.8))
    words(at, frame$bottom - 0.09, frame$marks$x$text, srt = 90, adj = c(1, 0.5), cex = 0.8 * fit)
  } else {
    words(at, frame$bottom - 0.09 - 0.4 * line, frame$marks$x$text, cex = 0.8)
  }
  at <- y(frame$marks$y$at)
  graphics::segments(frame$left, at, right, at, col = ink$faint)
  graphics::segments(frame$left, at, frame$left - 0.05, at, col = ink$line)
  fit <- min(1, frame$height / max(length(at), 1L) / line_inches(0.8))
  words(frame$left - 0.09, at, frame$marks$y$text, adj = c(1, 0.5), cex = 0.8 * fit)
  plain <- function(t) inches(t, 1)
  words(
    frame$left + frame$width / 2, frame$under + 0.65 * line,
    shorten_text(chart$x$label, frame$width, plain)
  )
  words(
    0.5 * line, frame$bottom + frame$height / 2,
    shorten_text(chart$y$label, frame$height, plain), srt = 90
  )
  words(right, frame$under / 2, frame$caption, adj = c(1, 0.5), cex = 0.8)
}

draw_layer <- function(layer, x, y) {
  d <- layer$data
  switch(layer$kind,
    rect = graphics::rect(
      x(d$xmin), y(d$ymin), x(d$xmax), y(d$ymax), col = d$colour, border = d$frame, lwd = d$width
    ),
    segment = graphics::segments(
      x(d$x), y(d$y), x(d$xend), y(d$yend), col = d$colour, lwd = d$width, lty = d$dash %||% 1
    ),
    point = graphics::points(
      x(d$x), y(d$y), pch = 21, bg = d$colour, col = d$frame, cex = d$width, lwd = 0.6
    ),
    line = for (one in split(d, d$group)) {
      graphics::lines(x(one$x), y(one$y), col = one$colour[1L], lwd = one$width[1L])
    }
  )
}
