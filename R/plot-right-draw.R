# Tested in test-plot.R and test-plot-fit.R.
# The panel of a tree that grows to the right, and how the tree is drawn.

# The texts and widths of the panel: a bar, the class or number, the rows.
right_panel <- function(view, cex, width, room) {
  leaf <- view$leaf
  measure <- function(t) inches(t, cex)
  bold <- function(t) inches(t, cex, 2)
  value <- fit_titles(view[leaf, ], 0.25 * width, 1L, bold)
  # What a closed node stands for has a line of its own where lines are high.
  rows <- panel_rows(view, if (room >= 2L) "\n" else ", ")[leaf]
  gap <- inches("n", cex)
  wide <- attr(view, "looks")$leaf %in% c("histogram", "density", "columns")
  bar <- min(1, 0.1 * width) * if (wide) 1.5 else 1
  list(
    value = as.character(value), rows = rows, gap = gap, bar = bar, value_width = max(bold(value)),
    lost = what_is_lost(value),
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
  below <- layout$line * (0.05 + text_lines(text$title) / 2) + pen
  panel <- layout$panel
  left <- layout$panel_x + panel$bar + panel$gap
  out <- rbind(
    part(x, layout$y + above, text$edge),
    part(x, layout$y - below, text$title, 2),
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
