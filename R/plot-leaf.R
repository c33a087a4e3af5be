# The plot in a leaf: its classes, or the numbers of its rows. `room` is list(left, bottom, width,
# height).

draw_leaf <- function(view, i, room, colours, ink) {
  looks <- attr(view, "looks")
  if (looks$by_rows && looks$leaf %in% c("stack", "value")) {
    room$width <- room$width * view$n[i] / max(view$n[view$leaf])
  }
  switch(looks$leaf,
    stack = draw_bars(stacked(colours$shares[i, ], colours$class), room, ink$frame),
    columns = draw_bars(
      columns_of(colours$shares[i, ] / max(colours$shares[view$leaf, ]), colours$class), room
    ),
    value = draw_bars(whole_bar(colours$node[i]), room, ink$frame),
    none = NULL,
    draw_numbers(looks, view$node[i], view$yval[i], room, colours$node[i], ink)
  )
}

# Bars in a square of side 1.
stacked <- function(shares, colours) {
  ends <- cumsum(c(0, shares / max(sum(shares), 1e-300)))
  some <- which(shares > 0)
  data.frame(left = ends[some], right = ends[some + 1L], low = 0, high = 1, colour = colours[some])
}

columns_of <- function(shares, colours) {
  k <- length(shares)
  at <- seq_len(k) - 1
  data.frame(
    left = (at + 0.08) / k, right = (at + 0.92) / k, low = 0, high = shares,
    colour = colours[seq_len(k)]
  )
}

whole_bar <- function(colour) data.frame(left = 0, right = 1, low = 0, high = 1, colour = colour)

# Bars in their room; without a frame on a line.
draw_bars <- function(bars, room, frame = NULL) {
  x <- function(v) room$left + room$width * v
  y <- function(v) room$bottom + room$height * v
  graphics::rect(
    x(bars$left), y(bars$low), x(bars$right), y(bars$high), col = bars$colour, border = NA
  )
  if (is.null(frame)) {
    graphics::segments(x(0), y(0), x(1), y(0), col = ink_on()$line, lwd = 0.6)
  } else {
    graphics::rect(x(0), y(0), x(1), y(1), border = frame, lwd = 0.6)
  }
}

# The responses of a leaf's rows on the axis of all rows, and its prediction as a line.
draw_numbers <- function(looks, node, value, room, colour, ink) {
  rows <- looks$rows
  y <- rows$y[rows_of(rows, node)]
  if (looks$leaf == "histogram") {
    draw_bars(histogram_bars(y, rows$range, colour), room)
  } else {
    curve <- density_curve(y, rows$y)
    x <- room$left + room$width * c(0, curve$at, 1)
    high <- room$bottom + room$height * c(0, curve$high, 0)
    graphics::polygon(x, high, col = colour, border = ink$frame, lwd = 0.6)
  }
  span <- max(diff(rows$range), 1e-300)
  at <- room$left + room$width * min(max((value - rows$range[1L]) / span, 0), 1)
  graphics::segments(at, room$bottom, at, room$bottom + room$height, col = ink$text, lwd = 1.5)
}

histogram_bars <- function(y, range, colour, bins = 16L) {
  span <- max(diff(range), 1e-300)
  bin <- pmin(floor((y - range[1L]) / span * bins), bins - 1)
  count <- tabulate(bin + 1, bins)
  some <- which(count > 0)
  data.frame(
    left = (some - 1) / bins, right = some / bins, low = rep(0, length(some)),
    high = count[some] / max(count, 1), colour = rep(colour, length(some))
  )
}

# The same bandwidth in each leaf: half of that for all rows.
density_curve <- function(y, all) {
  range <- range(all)
  width <- if (length(all) > 1L) stats::bw.nrd0(all) / 2 else 1
  if (length(y) == 0L || diff(range) == 0) {
    return(data.frame(at = c(0, 1), high = 0))
  }
  curve <- stats::density(y, bw = width, from = range[1L], to = range[2L], n = 128L)
  data.frame(at = (curve$x - range[1L]) / diff(range), high = curve$y / max(curve$y))
}
