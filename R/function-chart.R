# Tested in test-mars-plot.R.
# Charts of a function of one predictor, or of two, that a model is the sum of: a line or steps for
# numbers, bars for levels, a heat map for pairs, and below how the rows are spread. Nothing here
# knows the model.
#
# A function is list(columns, x, y, value, class). `columns` are the numbers of its predictors; of
# one, `x` are places in ascending order (or codes of levels) and `value` a matrix, a column for
# each line, `class` their numbers or NULL. Of two, `x` and `y` are list(value, from, to), the
# places of the cells and their bounds, and `value` a matrix of them. `spread` is by predictor
# list(range, counts): the rows in bins of equal width, or by level.

# `about`: list(fit = picture_facts(), title, caption, label, spread, scale); `limits`: the range of
# the values in all charts. `scale`, of maps: list(at, colours()), the values of the keys and the
# colours of any; by default from below to above 0.
function_chart <- function(f, about, limits, palette, ink) {
  if (length(f$columns) == 2L) {
    return(function_map(f, about, limits, ink))
  }
  j <- f$columns
  by_level <- about$fit$columns$kind[j] != "numeric"
  range <- padded(limits, 0.06)
  # The rows have a strip of their own below.
  strip <- range[1L] + c(-0.16, -0.02) * diff(range)
  range[1L] <- strip[1L]
  n <- nrow(f$value)
  lines <- function_lines(f, about, palette, ink)
  across <- if (by_level) c(0.5, n + 0.5) else padded(range(f$x), 0.02)
  axis <- column_axis(about, j, across)
  draw <- if (by_level) function_levels else function_line
  list(
    title = about$title, panel = show_names(about$fit$columns$name[j]), keys = lines$keys,
    caption = about$caption, x = replace(axis, "label", ""), shared = TRUE,
    y = chart_axis(about$label, range),
    layers = c(
      list(spread_layer(about$spread[[j]], strip, by_level, ink)),
      list(chart_layer("segment", x = across[1L], xend = across[2L], y = 0, yend = 0,
        colour = ink$line, dash = 2
      )),
      draw(f, lines, ink)
    )
  )
}

function_lines <- function(f, about, palette, ink) {
  k <- ncol(f$value)
  if (is.null(f$class) || k == 1L) {
    return(list(colours = rep(if (is_dark(ink$ground)) "#56B4E9" else "#0072B2", k), keys = NULL))
  }
  colours <- class_palette(about$fit, palette)[f$class]
  levels <- about$fit$response$levels[f$class]
  list(colours = colours, keys = list(text = show_label(levels), colours = colours))
}

function_line <- function(f, lines, ink) {
  n <- length(f$x)
  k <- ncol(f$value)
  list(chart_layer("line",
    x = rep(f$x, k), y = as.vector(f$value), group = rep(seq_len(k), each = n),
    colour = rep(lines$colours, each = n), width = 2
  ))
}

function_levels <- function(f, lines, ink) {
  n <- nrow(f$value)
  k <- ncol(f$value)
  wide <- 0.7 / k
  left <- rep(seq_len(n), k) - 0.35 + wide * rep(seq_len(k) - 1, each = n)
  value <- as.vector(f$value)
  list(chart_layer("rect",
    xmin = left, xmax = left + wide, ymin = pmin(0, value), ymax = pmax(0, value),
    colour = rep(lines$colours, each = n), frame = ink$frame
  ))
}

# `strip`: its bounds.
spread_layer <- function(spread, strip, by_level, ink, upright = FALSE) {
  counts <- spread$counts
  n <- length(counts)
  edges <- if (by_level || n == 1L) {
    cbind(seq_len(n) - 0.35, seq_len(n) + 0.35)
  } else {
    at <- spread$range[1L] + diff(spread$range) * (0:n) / n
    cbind(at[-(n + 1L)], at[-1L])
  }
  if (!by_level && n == 1L) edges <- matrix(spread$range + c(-0.2, 0.2), 1L)
  high <- strip[1L] + diff(strip) * counts / max(counts, 1)
  some <- counts > 0
  box <- list(edges[some, 1L], edges[some, 2L], rep(strip[1L], sum(some)), high[some])
  sides <- c("xmin", "xmax", "ymin", "ymax")
  names(box) <- if (upright) sides[c(3L, 4L, 1L, 2L)] else sides
  do.call(chart_layer, c(list("rect"), box, list(colour = rep(ink$faint, sum(some)), frame = NA)))
}

# What raises and what lowers a prediction. Neither is a colour of classes.
raise_colour <- "#8E3FA8"
lower_colour <- "#2CA25F"

# From below to above the mean.
centred_scale <- function(limits, ink) {
  most <- max(abs(limits))
  ends <- c(lower_colour, if (is_dark(ink$ground)) "grey25" else "grey96", raise_colour)
  list(
    at = signif(c(-most, 0, most), 2L),
    colours = function(value) ramp_colours((value / max(most, 1e-300) + 1) / 2, ends)
  )
}

# Shares of the way along the colours; none of what is not known.
ramp_colours <- function(at, ends) {
  at <- pmin(1, pmax(0, at))
  out <- rep("transparent", length(at))
  known <- !is.na(at)
  out[known] <- grDevices::rgb(grDevices::colorRamp(ends)(at[known]), maxColorValue = 255)
  out
}

function_map <- function(f, about, limits, ink) {
  scale <- about$scale %||% centred_scale(limits, ink)
  axes <- list(f$x, f$y)
  bounds <- lapply(axes, function(a) c(a$from[1L], a$to[length(a$to)]))
  strips <- lapply(bounds, function(b) b[1L] + c(-0.13, -0.015) * diff(b))
  ranges <- Map(function(b, s) c(s[1L], b[2L]), bounds, strips)
  by_level <- about$fit$columns$kind[f$columns] != "numeric"
  cells <- expand.grid(x = seq_along(f$x$value), y = seq_along(f$y$value))
  names <- show_names(about$fit$columns$name[f$columns])
  # Levels too leave room for the strip.
  axis <- Map(function(j, range) replace(column_axis(about, j, range), "range", list(range)),
    f$columns, ranges
  )
  list(
    title = about$title, panel = paste0(names[1L], ", ", names[2L], f$beside),
    keys = list(text = number_text(scale$at), colours = scale$colours(scale$at)),
    caption = about$caption, x = axis[[1L]], y = axis[[2L]],
    layers = list(
      chart_layer("rect",
        xmin = f$x$from[cells$x], xmax = f$x$to[cells$x], ymin = f$y$from[cells$y],
        ymax = f$y$to[cells$y], colour = scale$colours(as.vector(f$value)), frame = NA
      ),
      spread_layer(about$spread[[f$columns[1L]]], strips[[2L]], by_level[1L], ink),
      spread_layer(about$spread[[f$columns[2L]]], strips[[1L]], by_level[2L], ink, upright = TRUE)
    )
  )
}

# Several charts on a page, row by row, with the title of the first, the keys of `keys` and the
# caption of the first below. Charts that are `shared` have one vertical axis, whose numbers stand
# at the first of each row.
draw_chart_grid <- function(charts, keys = NULL, background = NULL, shared = FALSE) {
  draw_on_page(charts, keys, background, function(size, top, ink) {
    caption <- charts[[1L]]$caption
    below <- if (is.null(caption)) 0 else line_inches(1)
    columns <- grid_columns(length(charts), size)
    rows <- ceiling(length(charts) / columns)
    room <- list(
      left = 0, bottom = 0, width = size[1L] / columns, height = (size[2L] - top - below) / rows
    )
    place <- seq_along(charts) - 1L
    for (row in split(seq_along(charts), place %/% columns)) {
      drawn <- lapply(charts[row], replace, "caption", list(NULL))
      if (shared) drawn <- without_repeats(drawn)
      frames <- level_frames(lapply(drawn, chart_frame, room = room))
      for (i in seq_along(row)) {
        right <- room$width * (place[row[i]] %% columns)
        up <- below + room$height * (rows - 1L - place[row[i]] %/% columns)
        frame <- frames[[i]]
        origin <- frame$origin
        frame <- move_frame(frame, right, up)
        frame$origin <- frame$origin + origin
        draw_panel(drawn[[i]], frame, ink)
      }
    }
    if (!is.null(caption)) {
      graphics::text(size[1L], 0.5 * below, caption, adj = c(1, 0.5), cex = 0.8, col = ink$text)
    }
  })
}

# Charts side by side on one vertical axis: all but the first without its numbers.
without_repeats <- function(charts) {
  on_axis <- vapply(charts, function(chart) isTRUE(chart$shared), NA)
  for (i in which(on_axis & c(FALSE, on_axis[-length(on_axis)]))) {
    charts[[i]]$y$at <- axis_marks(charts[[i]]$y)$at
    charts[[i]]$y$text <- rep("", length(charts[[i]]$y$at))
    charts[[i]]$y$label <- ""
  }
  charts
}

# Panels a little wider than high.
grid_columns <- function(n, size) {
  shape <- vapply(seq_len(n), function(k) {
    abs(log(size[1L] / k / (size[2L] / ceiling(n / k)) / 1.3))
  }, 0)
  which.min(shape)
}
