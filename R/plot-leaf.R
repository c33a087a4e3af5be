# Tested in test-plot-leaf.R and test-plot-fit.R.
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

# Widths of texts on the open device, and what the search for a layout remembers.

inches <- function(text, cex, font = 1) ruler(cex, font)(text)

# Rulers of the search for a layout, which measures the same texts many times on the same device.
widths <- new.env(parent = emptyenv())

remember_widths <- function(env = parent.frame()) {
  if (!is.null(widths$known)) {
    return(invisible())
  }
  widths$known <- new.env(parent = emptyenv())
  do.call(on.exit, list(quote(widths$known <- NULL), add = TRUE), envir = env)
}

# A function that measures texts in letters of one size. A search has one for each size; it
# remembers widths, and in its attribute `memory` what fit_conditions() found.
ruler <- function(cex, font = 1) {
  if (is.null(widths$known)) {
    return(new_ruler(cex, font))
  }
  key <- paste(cex, font)
  if (is.null(widths$known[[key]])) {
    # Most devices have letters of whole points only.
    same <- paste(font, paste(graphics::strwidth(all_letters, "inches", cex, font), collapse = " "))
    if (is.null(widths$known[[same]])) widths$known[[same]] <- new_ruler(cex, font)
    widths$known[[key]] <- widths$known[[same]]
  }
  widths$known[[key]]
}

all_letters <- c(letters, LETTERS, 0:9, paste(c(letters, LETTERS, 0:9), collapse = " "))

new_ruler <- function(cex, font) {
  known <- new.env(parent = emptyenv())
  strwidth <- function(text) graphics::strwidth(text, "inches", cex, font)
  structure(function(text) {
    if (any(nchar(text, "bytes") > longest_key)) {
      return(strwidth(text))
    }
    if (length(text) == 1L && nzchar(text)) {
      if (is.null(known[[text]])) assign(text, strwidth(text), envir = known)
      return(known[[text]])
    }
    wide <- numeric(length(text))
    some <- which(nzchar(text))
    wide[some] <- unlist(mget(text[some], envir = known, ifnotfound = NA_real_), FALSE, FALSE)
    if (anyNA(wide)) {
      new <- unique(text[is.na(wide)])
      list2env(stats::setNames(as.list(strwidth(new)), new), known)
      wide[some] <- unlist(mget(text[some], envir = known), FALSE, FALSE)
    }
    wide
  }, memory = new.env(parent = emptyenv()))
}

# Bytes of a name in an environment; R allows 10,000.
longest_key <- 5000L

# The distance of two lines of text, as text() itself sets them.
line_inches <- function(cex) cex * graphics::par("cin")[2L] * graphics::par("lheight")

# `value`, computed once for each key and ruler.
remembered <- function(measure, key, value) {
  memory <- attr(measure, "memory")
  if (is.null(memory) || nchar(key, "bytes") > longest_key) {
    return(value)
  }
  if (is.null(memory[[key]])) memory[[key]] <- value
  memory[[key]]
}

# `fit` is a fitted text, list(text, cut), or NULL if none fits. It is not computed where `memory`
# has the answer: a text found for a room is also that of each smaller one in which it fits, and
# what does not fit does not fit a smaller room either.
fit_once <- function(key, memory, width, lines, measure, fit) {
  if (is.null(memory) || nchar(key, "bytes") > longest_key) {
    return(fit)
  }
  known <- memory[[key]]
  at <- which(
    known$low <= width & width <= known$high & known$least <= lines & lines <= known$most
  )
  if (length(at)) {
    return(known$fitted[[at[1L]]])
  }
  low <- least <- -Inf
  if (!is.null(fit)) {
    text <- strsplit(fit$text, "\n", fixed = TRUE)[[1L]]
    # Words that were cut to a width are cut elsewhere in another one.
    low <- if (fit$cut) width else max(0, measure(text))
    least <- if (fit$cut) lines else length(text)
  }
  memory[[key]] <- list(
    low = c(known$low, low), high = c(known$high, width), least = c(known$least, least),
    most = c(known$most, lines), fitted = c(known$fitted, list(fit))
  )
  fit
}
