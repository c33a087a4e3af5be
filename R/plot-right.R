# A tree that grows to the right: a line of the page for each leaf, a column for each
# level, and at the right edge a panel with the leaves' bars. A node's branch carries two
# texts, the condition above it and the variable that it tests below; both stay within the
# lines of the node's own leaves and within its column, so no text can meet another. The
# condition of a leaf stands on its branch, which nothing crosses on the way to the panel.

# NULL where the tree cannot be written in letters of size `least` or more.
fit_right <- function(view, page, cex, least, cut) {
  row <- page$height / max(sum(view$leaf), 1L)
  if (!is.null(cex)) {
    layout <- right_layout(view, page, cex, 14, row)
    return(if (layout$fits && line_inches(cex) <= row) layout)
  }
  top <- min(1, row / line_inches(1))
  sizes <- unique(pmin(top, c(1, 0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.3)))
  # A column has two gaps of 0.4 lines at least.
  columns <- 0.8 * line_inches(sizes) * max(view$level)
  sizes <- sizes[sizes >= least & columns < page$width]
  lay <- function(size, letters, short) right_layout(view, page, size, letters, row, short)
  # What does not fit in narrow columns does not in wider ones.
  sizes <- sizes[vapply(sizes, function(size) lay(size, 5, TRUE)$fits, NA)]
  # The largest letters that leave the names whole, if broken into lines; if need be with
  # thresholds of fewer digits.
  whole <- expand.grid(letters = c(Inf, 20, 14, 11, 8, 7), size = sizes)
  large <- whole[whole$size >= 0.5 | whole$size == top, ]
  out <- first_right(lay, large, TRUE, FALSE) %||% first_right(lay, whole, TRUE, TRUE)
  if (!is.null(out) || !cut) {
    return(out)
  }
  # Else shortened ones: to a few letters, or in very small ones, only at last.
  few <- if (least < least_letters[["good"]]) c(6.5, 5)
  cut <- expand.grid(size = sizes, letters = c(16, 11, 8, few))
  first_right(lay, cut[cut$size >= 0.6 | cut$letters <= 8, ], FALSE, TRUE)
}

first_right <- function(lay, ways, whole, short) {
  for (i in seq_len(nrow(ways))) {
    layout <- lay(ways$size[i], ways$letters[i], short)
    if (layout$fits && (layout$whole || !whole)) {
      return(layout)
    }
  }
  NULL
}

right_layout <- function(view, page, cex, letters, row, short = FALSE) {
  line <- min(line_inches(cex), row)
  limit <- letters * inches("n", cex)
  gap <- 0.4 * line_inches(cex)
  room <- if (nrow(view) == 1L) 1L else max(1L, as.integer(row / line))
  panel <- right_panel(view, cex, page$width, room)
  text <- right_texts(view, cex, limit, page$width - panel$width, room, short)
  # What is said of an inner node stands below its variable, or behind it in narrow lines.
  behind <- if (room > 1L) rep(0, nrow(view)) else inches(text$variable, cex, 2) + 1.5 * gap
  words <- pmax(
    inches(text$edge, cex), inches(text$variable, cex, 2),
    ifelse(nzchar(text$extra), behind + inches(text$extra, cex), 0)
  )
  need <- ifelse(view$leaf, 0, words) + 2 * gap
  column <- vapply(split(need, factor(view$level)), max, 0)
  start <- cumsum(c(0, utils::head(column, -1L)))
  # The condition of a leaf may run on to the panel.
  reach <- max(start[view$level + 1L] + ifelse(view$leaf, inches(text$edge, cex) + 3 * gap, need))
  total <- max(reach, sum(column)) + panel$width
  stretch <- max(1, min((page$width - panel$width) / (total - panel$width), 1.8))
  start <- start * stretch
  column <- column * stretch
  panel_x <- max(page$width - panel$width, total - panel$width)
  free <- pmax(panel_x - start[view$level + 1L] - 4 * gap, 0)
  text$edge <- longer_edges(view, text$edge, free, cex)
  list(
    direction = "right", view = view, text = text, cex = cex, line = line, gap = gap,
    x = start[view$level + 1L], column = column[view$level + 1L],
    y = page$height - row * row_places(view), row = row, panel = panel,
    panel_x = panel_x, behind = behind,
    under = if (room > 1L) line * (text_lines(text$variable) + 1) / 2 else 0,
    fits = total <= page$width + 1e-9,
    whole = !any(grepl(ellipsis(), c(text$variable, text$edge), fixed = TRUE))
  )
}

# Conditions and variables, each at most `limit` wide and as many lines as `room` says.
right_texts <- function(view, cex, limit, most, room, short) {
  plain <- function(t) inches(t, cex)
  bold <- function(t) inches(t, cex, 2)
  lines <- ifelse(view$leaf, 1L, room)
  width <- pmin(ifelse(view$leaf, 2 * limit, limit), most)
  list(
    edge = wrap_edges(view, width, lines, plain, short),
    variable = wrap_text(
      ifelse(view$leaf, "", view$title), min(limit, most),
      max(1L, room - any(nzchar(view$extra[!view$leaf]))), bold
    ),
    extra = gsub("\n", ", ", ifelse(view$leaf, "", view$extra), fixed = TRUE)
  )
}

# Now that the columns stand, the conditions of leaves may run on to the panel.
longer_edges <- function(view, edge, free, cex) {
  plain <- function(t) inches(t, cex)
  longer <- view$leaf & edge != view$edge & plain(edge) < free
  if (any(longer)) edge[longer] <- wrap_edges(view, free, rep(1L, nrow(view)), plain, TRUE)[longer]
  edge
}

# Leaves on lines 0.5, 1.5, ...; a parent halfway between its first and last child.
row_places <- function(view) {
  out <- numeric(length(view$node))
  out[view$leaf] <- seq_len(sum(view$leaf)) - 0.5
  low <- rep(Inf, length(out))
  high <- rep(-Inf, length(out))
  for (i in rev(seq_along(out))) {
    if (!view$leaf[i]) out[i] <- (low[i] + high[i]) / 2
    up <- view$up[i]
    if (up > 0L) {
      low[up] <- min(low[up], out[i])
      high[up] <- max(high[up], out[i])
    }
  }
  out
}

# The texts and widths of the panel: a bar, the class or number, the rows.
right_panel <- function(view, cex, width, room) {
  leaf <- view$leaf
  measure <- function(t) inches(t, cex)
  bold <- function(t) inches(t, cex, 2)
  value <- wrap_text(view$title[leaf], 0.25 * width, 1L, bold)
  # What a closed node stands for has a line of its own where lines are high.
  rows <- panel_rows(view, if (room >= 2L) "\n" else ", ")[leaf]
  gap <- inches("n", cex)
  wide <- attr(view, "looks")$leaf %in% c("histogram", "density", "columns")
  bar <- min(1, 0.1 * width) * if (wide) 1.5 else 1
  list(
    value = value, rows = rows, gap = gap, bar = bar, value_width = max(bold(value)),
    width = bar + max(bold(value)) + max(measure(rows)) + 3 * gap
  )
}

# "n = 12", and of a closed node "n = 12, node 5: 3 leaves".
panel_rows <- function(view, between = ", ") {
  rows <- view$extra
  closed <- view$hidden > 0
  between <- ifelse(nzchar(rows[closed]), between, "")
  rows[closed] <- paste0(rows[closed], between, closed_texts(view)[closed])
  rows
}

draw_right <- function(layout, colours) {
  view <- layout$view
  ink <- ink_on()
  pens <- branch_pens(view, ink, right_pen(layout))
  end <- ifelse(view$leaf, layout$panel_x, layout$x + layout$column)
  graphics::segments(
    layout$x[1L], layout$y[1L], end[1L], layout$y[1L],
    col = pens$colour[1L], lwd = pens$width[1L]
  )
  draw_branches(view, pens, function(line, child, up) {
    line(end[up], layout$y[up], end[up], layout$y[child])
    line(layout$x[child], layout$y[child], end[child], layout$y[child])
  })
  high <- attr(view, "looks")$leaf_size[2L] > 1
  height <- if (high) 0.86 * min(layout$row, 0.6) else 0.62 * min(layout$row, 0.3)
  for (i in which(view$leaf)) {
    room <- list(
      left = layout$panel_x, bottom = layout$y[i] - height / 2, width = layout$panel$bar,
      height = height
    )
    draw_leaf(view, i, room, colours, ink)
  }
}

# The letters leave some of their lines free.
right_pen <- function(layout) 0.35 * layout$line

# Every text with its left end, for write_labels().
right_words <- function(layout) {
  view <- layout$view
  text <- layout$text
  leaf <- view$leaf
  part <- function(x, y, text, font = 1) {
    data.frame(x = x, y = y, text = text, adj = rep(0, length(y)), font = rep(font, length(y)))
  }
  x <- layout$x + layout$gap
  # Clear of a thick branch.
  pen <- branch_pens(view, ink_on(), right_pen(layout))$width / 96 / 2
  pen <- ifelse(pen > 0.01, pen, 0)
  above <- ifelse(leaf, 0, layout$line * (0.08 + text_lines(text$edge) / 2) + pen)
  below <- layout$line * (0.05 + text_lines(text$variable) / 2) + pen
  panel <- layout$panel
  left <- layout$panel_x + panel$bar + panel$gap
  out <- rbind(
    part(x, layout$y + above, text$edge),
    part(x, layout$y - below, text$variable, 2),
    part(x + layout$behind, layout$y - below - layout$under, text$extra),
    part(left, layout$y[leaf], panel$value, 2),
    part(left + panel$value_width + 1.5 * panel$gap, layout$y[leaf], panel$rows)
  )
  cbind(out, colour = ink_on()$text)
}

# The branch of a leaf is cut open for its condition.
cut_branches <- function(layout) {
  leaf <- which(layout$view$leaf & nzchar(layout$text$edge))
  if (length(leaf) == 0L) {
    return(invisible())
  }
  x <- layout$x[leaf] + layout$gap
  graphics::rect(
    x - 0.02, layout$y[leaf] - 0.02, x + inches(layout$text$edge[leaf], layout$cex) + 0.03,
    layout$y[leaf] + 0.02,
    col = ink_on()$ground, border = NA
  )
}
