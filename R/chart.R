# A chart as data: base graphics and ggplot2 (chart-gg.R) draw the same chart.
#
# list(title, caption, x, y, keys, layers). An axis is list(label, range, at, text, shorten); `keys`
# is list(text, colours). A layer is list(kind, data): "rect" with xmin, xmax, ymin, ymax, "line"
# and "polygon" with x, y, group, "segment" with x, y, xend, yend, "point" with x, y, "text" with x,
# y (its middle), text, adj, font and `letters` (their size), each with a colour, a frame and a
# width; segments and polygons may have a dash. Several charts share a page, with the title and the
# keys of the first; each may have a `panel`, a title of its own. A tree consists of such layers,
# too, in inches of its page (plot.R).

chart_axis <- function(label, range, at = NULL, text = NULL, shorten = shorten_text) {
  list(label = label, range = range, at = at, text = text, shorten = shorten)
}

chart_layer <- function(kind, ..., frame = NA, width = 1) {
  parts <- list(..., frame = frame, width = width)
  # An empty layer has no colours.
  some <- ...length() > 0L && all(lengths(parts) > 0L)
  data <- if (some) do.call(table_of, parts) else data.frame()
  # A line needs two points.
  if (kind == "line" && some) {
    data <- data[stats::ave(seq_along(data$x), data$group, FUN = length) > 1, , drop = FALSE]
  }
  list(kind = kind, data = data)
}

# Marks within the range, about `most` at most.
axis_marks <- function(axis, most = 5L) {
  if (!is.null(axis$at)) {
    return(list(at = axis$at, text = axis$text))
  }
  at <- pretty(axis$range, most)
  at <- at[at >= axis$range[1L] - 1e-9 & at <= axis$range[2L] + 1e-9]
  list(at = at, text = if (is.null(axis$text)) tick_text(at) else axis$text(at))
}

draw_chart <- function(chart, legend = TRUE, background = NULL) {
  draw_charts(list(chart), "down", legend, background)
}

# plot() of an object that one chart shows; `make(ink)` returns the chart. `given`: further
# arguments of plot(), for adjust_chart().
plot_chart <- function(x, make, main, background, palette = NULL, legend = TRUE, given = list()) {
  plain_numbers()
  check_page(background, main, legend, palette)
  chart <- adjust_chart(make(ink_on(background %||% graphics::par("bg"))), given, "plot")
  chart$title <- main %||% chart$title
  draw_chart(chart, legend, background)
  invisible(x)
}

# Charts below each other, or side by side with labels on the y axis of the first only.
draw_charts <- function(charts, along = c("down", "across"), legend = TRUE, background = NULL) {
  keys <- if (isTRUE(legend)) charts[[1L]]$keys
  draw_on_page(charts, keys, background, function(size, top, ink) {
    room <- list(left = 0, bottom = 0, width = size[1L], height = size[2L] - top)
    frames <- if (along[1L] == "down") {
      frames_below(charts, room)
    } else {
      frames_beside(charts, room)
    }
    for (i in seq_along(charts)) draw_panel(charts[[i]], frames[[i]], ink)
  })
}

# Opens a page and draws the title of the first chart and the keys. draw(size, top, ink) does the
# rest; the size of the page and the height of its header, `top`, are in inches.
draw_on_page <- function(charts, keys, background, draw) {
  # Errors come before a page is opened.
  force(charts)
  force(keys)
  scale <- page_scale()
  old <- graphics::par(
    mar = c(0.4, 0.4, 0.4, 0.4), cex = scale, mex = scale, lheight = 0.85, xpd = NA,
    bg = background %||% graphics::par("bg")
  )
  on.exit(graphics::par(old))
  graphics::plot.new()
  paint_ground(background)
  size <- graphics::par("pin")
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  draw(size, draw_header(charts[[1L]]$title, keys$text, keys$colours, size), ink_on())
}

# Panels of equal width and height, whatever the size of their axes.
frames_below <- function(charts, room) {
  n <- length(charts)
  frames <- lapply(charts, function(chart) {
    chart_frame(chart, list(left = 0, bottom = 0, width = room$width, height = room$height / n))
  })
  left <- max(vapply(frames, `[[`, 0, "left"))
  right <- min(vapply(frames, function(f) f$left + f$width, 0))
  around <- vapply(frames, function(f) room$height / n - f$height, 0)
  height <- (room$height - sum(around)) / n
  above <- room$height
  for (i in seq_len(n)) {
    above <- above - around[i] - height
    frames[[i]][c("left", "width", "height")] <- list(left, right - left, height)
    frames[[i]] <- move_frame(frames[[i]], 0, above)
  }
  frames
}

frames_beside <- function(charts, room) {
  n <- length(charts)
  first <- chart_frame(charts[[1L]], room)
  # All but the first have their marks without names.
  names <- max(first$left - 0.2, 0)
  width <- (room$width - names) / n
  frames <- lapply(seq_len(n), function(i) {
    chart <- charts[[i]]
    own <- list(left = 0, bottom = 0, width = width + if (i == 1L) names else 0)
    own$height <- room$height
    if (i > 1L) chart$y$text <- rep("", length(chart$y$at))
    if (i > 1L) chart$y$label <- ""
    frame <- chart_frame(chart, own, room$width)
    move_frame(frame, if (i > 1L) names + width * (i - 1L) else 0, 0)
  })
  level_frames(frames)
}

# Frames side by side with one bottom and one top; labels stay below the marks.
level_frames <- function(frames) {
  bottom <- max(vapply(frames, `[[`, 0, "bottom"))
  top <- min(vapply(frames, function(f) f$bottom + f$height, 0))
  lapply(frames, function(frame) {
    frame$origin[2L] <- bottom - frame$bottom
    frame[c("bottom", "height")] <- list(bottom, top - bottom)
    frame
  })
}

move_frame <- function(frame, right, up) {
  frame$left <- frame$left + right
  frame$bottom <- frame$bottom + up
  frame$origin <- c(right, up)
  frame
}

draw_panel <- function(chart, frame, ink) {
  x <- function(v) frame$left + (v - chart$x$range[1L]) / diff(chart$x$range) * frame$width
  y <- function(v) frame$bottom + (v - chart$y$range[1L]) / diff(chart$y$range) * frame$height
  draw_chart_axes(chart, frame, x, y, ink)
  graphics::clip(
    frame$left, frame$left + frame$width, frame$bottom, frame$bottom + frame$height
  )
  draw_layers(chart$layers, x, y)
  graphics::clip(-1e3, 1e3, -1e3, 1e3)
  graphics::rect(
    frame$left, frame$bottom, frame$left + frame$width, frame$bottom + frame$height,
    border = ink$line
  )
}

# A small page has smaller letters, a large one larger letters.
page_scale <- function() {
  size <- graphics::par("fin")
  min(1, max(0.65, min(size / c(4.5, 3.5)))) *
    largest_letters(list(width = size[1L], height = size[2L]))
}

# The panel within its room, in inches, and the texts around it. Names on the y axis may have a
# share of the width `page`.
chart_frame <- function(chart, room, page = room$width) {
  line <- line_inches(1)
  small <- function(t) inches(t, 0.8)
  caption <- wrap_text(chart$caption %||% "", room$width, 3L, small)
  marks <- list(x = axis_marks(chart$x), y = axis_marks(chart$y))
  marks$y$text <- shorten_marks(marks$y$text, chart$y, page / 2.7, small)
  left <- max(small(marks$y$text), 0) + 0.14 + if (nzchar(chart$y$label)) 1.2 * line else 0
  right <- if (length(marks$x$text)) small(marks$x$text[length(marks$x$text)]) / 2 else 0
  width <- room$width - left - max(right, 0.05)
  # Numbers that do not fit side by side are fewer, names stand upright.
  for (most in 4:1) {
    if (!is.null(chart$x$at) || sum(small(marks$x$text) + 0.08) <= width) break
    marks$x <- axis_marks(chart$x, most)
  }
  at <- (marks$x$at - chart$x$range[1L]) / diff(chart$x$range) * width
  if (!is.null(chart$x$at)) marks$x$text <- fold_marks(marks$x$text, at, small)
  wide <- small(marks$x$text)
  crowded <- sum(wide + 0.08) > width || !all(stand_apart(at, wide))
  high <- max(text_lines(marks$x$text), 1L)
  upright <- crowded && high == 1L && !is.null(chart$x$at)
  if (upright) {
    most <- min(max(room$height / 4, 1.2), room$height / 2.2)
    marks$x$text <- shorten_marks(marks$x$text, chart$x, most, small)
  } else if (crowded) {
    marks$x$text[!stand_apart(at, wide)] <- ""
  }
  below <- if (upright) max(small(marks$x$text)) else 0.8 * line * high
  under <- 0.85 * line * text_lines(caption)
  label <- if (nzchar(chart$x$label)) 1.3 * line else 0.2 * line
  bottom <- under + label + below + 0.16
  panel <- if (nzchar(chart$panel %||% "")) 1.2 * line else 0
  list(
    left = left, bottom = bottom, width = width, height = room$height - bottom - 0.05 - panel,
    marks = marks, upright = upright, below = below, caption = caption, under = under,
    origin = c(0, 0)
  )
}

# Names in lines between their words, if that makes all of them fit side by side.
fold_marks <- function(text, at, measure) {
  if (length(text) < 2L || all(stand_apart(at, measure(text)))) return(text)
  width <- min(diff(sort(at))) - 0.08
  folded <- lapply(text, wrap_one, width = width, lines = 3L, measure = measure)
  if (all(vapply(folded, `[[`, NA, "whole"))) vapply(folded, `[[`, "", "text") else text
}

# Which of several centred texts do not overlap an earlier one.
stand_apart <- function(at, wide) {
  shown <- logical(length(at))
  end <- -Inf
  for (i in order(at)) {
    shown[i] <- at[i] - wide[i] / 2 > end
    if (shown[i]) end <- at[i] + wide[i] / 2 + 0.06
  }
  shown
}

# Shortened names stay different.
shorten_marks <- function(text, axis, width, measure) {
  if (identical(axis$shorten, shorten_middle)) {
    return(shorten_apart(text, width, measure))
  }
  vapply(text, axis$shorten, "", width = width, measure = measure, USE.NAMES = FALSE)
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
    words(at, frame$bottom - 0.09 - frame$below / 2, frame$marks$x$text, cex = 0.8)
  }
  at <- y(frame$marks$y$at)
  graphics::segments(frame$left, at, right, at, col = ink$faint)
  graphics::segments(frame$left, at, frame$left - 0.05, at, col = ink$line)
  fit <- min(1, frame$height / max(length(at), 1L) / line_inches(0.8))
  words(frame$left - 0.09, at, frame$marks$y$text, adj = c(1, 0.5), cex = 0.8 * fit)
  plain <- ruler(1)
  words(
    frame$left + frame$width / 2, frame$origin[2L] + frame$under + 0.65 * line,
    shorten_text(chart$x$label, frame$width, plain)
  )
  words(
    frame$origin[1L] + 0.5 * line, frame$bottom + frame$height / 2,
    shorten_text(chart$y$label, frame$height, plain), srt = 90
  )
  words(right, frame$origin[2L] + frame$under / 2, frame$caption, adj = c(1, 0.5), cex = 0.8)
  if (nzchar(chart$panel %||% "")) {
    title <- shorten_text(chart$panel, frame$width, function(t) inches(t, 0.9, 2))
    words(frame$left + frame$width / 2, top + 0.6 * line, title, cex = 0.9, font = 2)
  }
}

# A chart with the user's settings of graphics::plot.default().
adjust_chart <- function(chart, given, what) {
  check_known(names(given), c("xlim", "ylim", "xlab", "ylab", "main"), what)
  for (arg in intersect(names(given), c("xlab", "ylab"))) check_one_text(given[[arg]], arg)
  for (arg in intersect(names(given), c("xlim", "ylim"))) check_limits(given[[arg]], arg)
  chart$x$range <- given$xlim %||% chart$x$range
  chart$y$range <- given$ylim %||% chart$y$range
  chart$x$label <- given$xlab %||% chart$x$label
  chart$y$label <- given$ylab %||% chart$y$label
  chart$title <- given$main %||% chart$title
  chart
}

draw_layers <- function(layers, x = identity, y = identity) {
  for (layer in layers) if (nrow(layer$data)) draw_layer(layer, x, y)
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
    # text() takes one alignment.
    text = for (one in split(d, d$adj)) {
      graphics::text(
        x(one$x), y(one$y), one$text,
        col = one$colour, adj = c(one$adj[1L], 0.5), cex = one$letters, font = one$font
      )
    },
    line = for (one in split(d, d$group)) {
      graphics::lines(x(one$x), y(one$y), col = one$colour[1L], lwd = one$width[1L])
    },
    polygon = for (one in split(d, d$group)) {
      graphics::polygon(
        x(one$x), y(one$y),
        col = one$colour[1L], border = one$frame[1L], lwd = one$width[1L],
        lty = (one$dash %||% 1)[1L]
      )
    }
  )
}

# The header of a page: the title and the legend of colours.

# A title and the keys of colours on top of the page; returns the height used.
draw_header <- function(title, keys, colours, size) {
  if (!nzchar(title) && length(keys) == 0L) {
    return(0)
  }
  line <- line_inches(1)
  top <- size[2L] - line / 2
  measure <- ruler(1, 2)
  used <- 0
  x <- 0
  if (nzchar(title)) {
    title <- shorten_text(title, size[1L] * if (length(keys)) 0.6 else 1, measure)
    graphics::text(0, top, title, adj = c(0, 0.5), font = 2, col = ink_on()$text)
    x <- measure(title) + 0.25
    used <- line
  }
  if (length(keys)) {
    place <- place_header_keys(keys, x, size[1L], below = nzchar(title))
    used <- max(used, draw_keys(place, colours, top, line))
  }
  used + 0.12
}

# Beside the title, or in lines of their own below it; in at most four lines, if need be in smaller
# letters or shortened.
place_header_keys <- function(keys, x, width, below) {
  # No page has room for more.
  keys <- utils::head(keys, 250L)
  for (share in c(0.35, 0.22)) {
    for (under in unique(c(FALSE, below))) {
      for (cex in c(0.9, 0.8, 0.7, 0.6)) {
        place <- place_keys(keys, cex, if (under) 0 else x, width, share)
        place$line <- place$line + under
        if (all(place$line <= 4L + under)) {
          return(c(place, cex = cex, last = 4L + under))
        }
      }
    }
  }
  c(place, cex = cex, last = 4L + under)
}

# Squares and names; an ellipsis in the last place stands for further keys. Returns the height.
draw_keys <- function(place, colours, y, line) {
  shown <- place$line <= place$last
  more <- if (all(shown)) 0L else sum(shown)
  shown[more] <- FALSE
  at <- y - line * (place$line - 1L)
  square <- 0.11 * max(1, graphics::par("cex"))
  ink <- ink_on()
  words <- function(x, y, text) {
    graphics::text(x, y, text, adj = c(0, 0.5), cex = place$cex, col = ink$text)
  }
  for (i in which(shown)) {
    left <- place$x[i]
    bottom <- at[i] - square / 2
    graphics::rect(
      left, bottom, left + square, bottom + square,
      col = colours[i], border = ink$line, lwd = 0.4
    )
    words(left + square + 0.06, at[i], place$text[i])
  }
  if (more > 0L) words(place$x[more], at[more], ellipsis())
  line * min(place$last, max(place$line))
}

# One after the other, the first of a line at `x`; none wider than a share of the width.
place_keys <- function(keys, cex, x, width, share) {
  measure <- ruler(cex)
  text <- shorten_apart(keys, width * share, measure)
  room <- 0.11 * max(1, graphics::par("cex")) + 0.06 + measure(text) + 0.18
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
