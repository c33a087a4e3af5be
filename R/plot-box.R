# Tested in test-plot.R and test-plot-fit.R.
# The box of a node in a tree that grows downwards.

draw_box <- function(layout, i, colours, ink) {
  view <- layout$view
  leaf <- view$leaf[i]
  left <- layout$x[i] - layout$width[i] / 2
  frame <- if (view$on_path[i]) ink$text else if (leaf) ink$frame else ink$box_frame
  outline <- box_outline(
    left, layout$top[i] - layout$height[i], left + layout$width[i], layout$top[i],
    if (is_filled(view)) 0.4 * layout$line else 0
  )
  graphics::polygon(
    outline$x, outline$y,
    col = box_fills(view, colours, ink)[i], border = frame,
    lty = if (view$hidden[i] > 0) 2 else 1, lwd = if (view$on_path[i]) 2.5 else 1
  )
  if (layout$picture[i] > 0) {
    room <- list(
      left = left + layout$pad, width = layout$width[i] - 2 * layout$pad,
      height = layout$picture[i],
      bottom = layout$top[i] - layout$pad / 2 - layout$line * text_lines(layout$text$title[i]) -
        0.2 * layout$line - layout$picture[i]
    )
    if (leaf) draw_leaf(view, i, room, colours, ink) else draw_strip(view, i, room, colours, ink)
  }
}

# A rectangle, with round corners of some radius.
box_outline <- function(left, bottom, right, top, radius) {
  radius <- min(radius, (top - bottom) / 2)
  if (radius <= 0) {
    return(list(x = c(left, right, right, left), y = c(bottom, bottom, top, top)))
  }
  turn <- seq(0, pi / 2, length.out = 8L)
  angle <- c(turn, turn + pi / 2, turn + pi, turn + 3 * pi / 2)
  list(
    x = rep(c(right, left, left, right) + c(-1, 1, 1, -1) * radius, each = 8L) +
      radius * cos(angle),
    y = rep(c(top, top, bottom, bottom) + c(-1, -1, 1, 1) * radius, each = 8L) +
      radius * sin(angle)
  )
}

is_filled <- function(view) attr(view, "looks")$style == "rpart.plot"

# The colour of each box. In rpart.plot's style it is that of the class, paler for smaller shares.
box_fills <- function(view, colours, ink) {
  looks <- attr(view, "looks")
  if (!is_filled(view)) {
    leaf <- if (looks$leaf == "value") colours$node else ink$leaf
    return(ifelse(view$leaf, leaf, ink$box))
  }
  shares <- attr(view, "shares")
  if (length(shares) == 0L) {
    return(colours$node)
  }
  least <- 1 / ncol(shares)
  most <- shares[cbind(seq_along(view$yval), view$yval)]
  strength <- 0.12 + 0.6 * pmax(0, (most - least) / (1 - least))
  mixed_colours(colours$node, rep(ink$ground, length(strength)), rep(strength, each = 3L))
}
