# Tested in test-autoplot.R.
# The distribution of the split variable below each inner node, as split_strip() gives it for
# plot().

has_strips <- function(view) any(attr(view, "looks")$strip_size > 0)

# Where each stands: left, bottom, width and height, with the strip itself.
strip_rooms <- function(view, layout) {
  looks <- attr(view, "looks")
  lapply(which(!view$leaf), function(i) {
    list(
      left = layout$x[i] + 1, width = layout$end[i] - layout$x[i] - 2,
      bottom = layout$y[i] - layout$strip - 0.5, height = 0.5,
      strip = split_strip(looks$fit, view$node[i], looks$rows)
    )
  })
}

gg_strip_bars <- function(rooms) {
  do.call(rbind, lapply(rooms, function(room) {
    bars <- room$strip$bars
    if (is.null(bars)) {
      return(NULL)
    }
    data.frame(
      xmin = room$left + room$width * bars$left, xmax = room$left + room$width * bars$right,
      ymin = room$bottom + room$height * bars$low, ymax = room$bottom + room$height * bars$high,
      class = bars$class
    )
  }))
}

# The cuts, a line below, and the mean of each branch.
gg_strip_lines <- function(rooms, ink) {
  do.call(rbind, lapply(rooms, function(room) {
    x <- function(v) room$left + room$width * v
    y <- function(v) room$bottom + room$height * v
    cuts <- room$strip$cuts
    means <- room$strip$means
    line <- function(from, to, low, high, colour, thick) {
      data.frame(x = x(from), xend = x(to), y = y(low), yend = y(high), colour, thick)
    }
    rbind(
      line(0, 1, 0, 0, ink$line, 0.2),
      line(cuts, cuts, -0.06, 1, ink$text, 0.4),
      if (length(means)) line(means$from, means$to, means$y, means$y, ink$text, 0.6)
    )
  }))
}

gg_strip_points <- function(rooms, ink) {
  do.call(rbind, lapply(rooms, function(room) {
    points <- room$strip$points
    some <- utils::head(order((seq_along(points$x) * 0.618034) %% 1), 400L)
    data.frame(
      x = room$left + room$width * points$x[some], y = room$bottom + room$height * points$y[some],
      colour = rep(grDevices::adjustcolor(ink$line, 0.6), length(some))
    )
  }))
}
