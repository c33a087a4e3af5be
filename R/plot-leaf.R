# Tested in test-plot-leaf.R, test-plot-strip.R and test-plot-fit.R.
# The plots in the leaves: their classes, or the numbers of their rows. `rooms` has a row for each
# node drawn: left, bottom, width, height, in inches; `at` are the rows of the leaves.

leaf_layers <- function(layout, rooms, at) {
  view <- layout$view
  looks <- attr(view, "looks")
  if (looks$leaf == "none" || length(at) == 0L) {
    return(NULL)
  }
  framed <- looks$leaf %in% c("stack", "value")
  if (looks$by_rows && framed) rooms$width <- rooms$width * view$size / max(view$size[view$leaf])
  rooms <- rooms[at, ]
  colours <- layout$colours
  shapes <- if (framed || looks$leaf == "columns") {
    most <- max(colours$shares[view$leaf, ], 0)
    room_layer("rect", rooms, lapply(at, function(i) {
      switch(looks$leaf,
        stack = stacked(colours$shares[i, ], colours$class),
        columns = columns_of(colours$shares[i, ] / most, colours$class),
        value = whole_bar(colours$node[i])
      )
    }))
  }
  if (framed) {
    frame <- rep(list(whole_bar(NA)), length(at))
    frame <- room_layer("rect", rooms, frame, frame = layout$ink$frame, width = 0.6)
    return(list(shapes, frame))
  }
  if (!is.null(shapes)) {
    return(list(shapes, base_line(rooms, layout$ink)))
  }
  number_layers(layout, rooms, at)
}

# The responses of a leaf's rows on the axis of all rows, and its prediction as a line.
number_layers <- function(layout, rooms, at) {
  looks <- attr(layout$view, "looks")
  rows <- looks$rows
  y <- lapply(layout$view$node[at], function(node) rows$y[rows_of(rows, node)])
  colour <- layout$colours$node[at]
  shapes <- if (looks$leaf == "histogram") {
    bars <- lapply(seq_along(at), function(i) histogram_bars(y[[i]], rows$range, colour[i]))
    list(room_layer("rect", rooms, bars), base_line(rooms, layout$ink))
  } else {
    curves <- lapply(seq_along(at), function(i) {
      curve <- density_curve(y[[i]], rows$y)
      data.frame(x = c(0, curve$at, 1), y = c(0, curve$high, 0), group = i, colour = colour[i])
    })
    list(room_layer("polygon", rooms, curves, frame = layout$ink$frame, width = 0.6))
  }
  place <- (layout$view$yval[at] - rows$range[1L]) / max(diff(rows$range), 1e-300)
  lines <- lapply(pmin(pmax(place, 0), 1), function(x) data.frame(x, y = 0, xend = x, yend = 1))
  c(shapes, list(room_layer("segment", rooms, lines, colour = layout$ink$text, width = 1.5)))
}

# A layer of shapes in squares of side 1: a table for each room, with the columns of the layer,
# or with left, right, low and high of bars.
room_layer <- function(kind, rooms, parts, ...) {
  at <- rep(seq_along(parts), vapply(parts, function(part) length(part[[1L]]), 0L))
  shapes <- as.list(stack_tables(parts))
  ends <- c(left = "xmin", right = "xmax", low = "ymin", high = "ymax")
  bar <- names(shapes) %in% names(ends)
  names(shapes)[bar] <- ends[names(shapes)[bar]]
  across <- startsWith(names(shapes), "x")
  up <- startsWith(names(shapes), "y")
  shapes[across] <- lapply(shapes[across], function(v) rooms$left[at] + rooms$width[at] * v)
  shapes[up] <- lapply(shapes[up], function(v) rooms$bottom[at] + rooms$height[at] * v)
  do.call(chart_layer, c(kind, shapes, list(...)))
}

# What bars and points stand on.
base_line <- function(rooms, ink) {
  line <- data.frame(x = 0, y = 0, xend = 1, yend = 0)
  lines <- rep(list(line), nrow(rooms))
  room_layer("segment", rooms, lines, colour = ink$line, width = 0.6)
}

# Bars in a square of side 1.
stacked <- function(shares, colours) {
  ends <- cumsum(c(0, shares / max(sum(shares), 1e-300)))
  some <- which(shares > 0)
  table_of(left = ends[some], right = ends[some + 1L], low = 0, high = 1, colour = colours[some])
}

columns_of <- function(shares, colours) {
  k <- length(shares)
  at <- seq_len(k) - 1
  table_of(
    left = (at + 0.08) / k, right = (at + 0.92) / k, low = 0, high = shares,
    colour = colours[seq_len(k)]
  )
}

whole_bar <- function(colour) table_of(left = 0, right = 1, low = 0, high = 1, colour = colour)

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
