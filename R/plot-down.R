# Tested in test-plot.R and test-plot-fit.R.
# A tree that grows downwards. Every level has a band of the page, and within it every node has a
# width of its own: no text can meet another. Lengths are in inches.

# The texts of all nodes, each at most `limit` wide (one number or one per node) and of `lines`
# lines; `lost` as in fit_conditions().
down_texts <- function(view, cex, limit, lines) {
  plain <- ruler(cex)
  bold <- ruler(cex, 2)
  edge <- fit_conditions(attr(view, "edges"), limit, lines, plain, short = TRUE)
  ask <- fit_conditions(attr(view, "asks"), limit, lines, plain, short = TRUE)
  title <- fit_titles(view, limit, min(lines, 3L), bold)
  rows <- break_lists(view$extra, limit, plain)
  list(
    edge = edge, ask = ask, title = title, rows = rows, more = closed_texts(view),
    lost = what_is_lost(edge, ask, title, rows)
  )
}

# The further text of a node, broken after commas and, if necessary, at spaces (`lost` is 1) or cut
# (`lost` is 2).
break_lists <- function(text, width, measure) {
  width <- rep_len(width, length(text))
  long <- measure(text) > width
  text[long] <- gsub(", ", "\n", text[long], fixed = TRUE)
  lost <- integer(length(text))
  for (i in which(measure(text) > width)) {
    lines <- lapply(strsplit(text[i], "\n", fixed = TRUE)[[1L]], wrap_one, width[i], 3L, measure)
    whole <- vapply(lines, `[[`, NA, "whole")
    lost[i] <- if (all(whole)) 1L else 2L
    parts <- strsplit(vapply(lines, `[[`, "", "text"), "\n", fixed = TRUE)
    cut <- vapply(unlist(parts), shorten_middle, "", width = width[i], measure = measure)
    text[i] <- paste(cut, collapse = "\n")
  }
  structure(text, lost = lost)
}

# NULL if the tree does not fit with letters of size `least` or more and at most `lost` (as in
# fit_conditions()).
fit_down <- function(view, page, cex, least, lost = 2) {
  largest <- largest_letters(page)
  sizes <- cex %||% unique(c(seq(largest, 1, length.out = 4L), seq(1, least, by = -0.1), least))
  most <- max(tabulate(view$level + 1L))
  levels <- max(view$level) + 1L
  line <- line_inches(sizes)
  # The minimum size of the nodes of a level and of the bands of levels.
  fit <- 3.7 * line * most <= page$width & (2.55 * levels - 0.9) * line <= page$height
  sizes <- sizes[fit]
  # In large letters with all names and levels whole, then at each size with room for names, broken
  # or shortened.
  large <- if (is.null(cex)) sizes[sizes >= 0.7] else sizes
  ways <- expand.grid(limit = c(2.2, 1.6, 1.1, 0.85), lines = c(3L, 8L), size = large)
  ways$lost <- rep(0, nrow(ways))
  if (lost > 0) {
    cut <- expand.grid(limit = c(1.6, 1.1, 0.85), lines = 3L, size = sizes)
    ways <- rbind(ways, cbind(cut, lost = rep(lost, nrow(cut))))
  }
  for (i in seq_len(nrow(ways))) {
    size <- ways$size[i]
    layout <- down_layout(view, page, size, ways$limit[i] * size, ways$lines[i])
    if (layout$fits && layout$text$lost <= ways$lost[i]) {
      return(wider_down(if (ways$lost[i] > 0) roomier_down(layout, page) else layout, page))
    }
  }
  NULL
}

# The layout with texts as wide as the room beside each node allows, so in fewer lines.
wider_down <- function(layout, page) {
  layout$lines <- max(layout$lines, 3L)
  room <- free_widths(layout$view, layout$x, layout$own, page$width) - layout$gap - 2 * layout$pad
  limit <- pmax(layout$limit, room)
  if (all(limit == layout$limit)) {
    return(layout)
  }
  text <- down_texts(layout$view, layout$cex, limit, layout$lines)
  wider <- down_heights(replace(layout, "text", list(text)), page)
  if (wider$fits && text$lost <= layout$text$lost) wider else layout
}

# The layout with more lines for levels and names that were cut, up to the size of the page.
roomier_down <- function(layout, page) {
  for (lines in c(8L, 6L, 4L)) {
    if (layout$text$lost == 0L) break
    more <- down_layout(layout$view, page, layout$cex, layout$limit, lines)
    if (more$fits) {
      return(more)
    }
  }
  layout
}

down_layout <- function(view, page, cex, limit, lines) {
  text <- down_texts(view, cex, limit, lines)
  line <- line_inches(cex)
  layout <- list(
    direction = "down", view = view, text = text, cex = cex, limit = limit, lines = lines,
    line = line, pad = 0.35 * line, gap = 0.6 * line
  )
  own <- down_widths(layout)
  place <- tree_places(view, own$all, page$width)
  layout[c("own", "x", "fits")] <- list(own$all, place$x, place$total <= page$width)
  down_heights(layout, page)
}

# list(box, all): the width of each box, and that of all of its node's texts with the gap.
down_widths <- function(layout) {
  text <- layout$text
  looks <- attr(layout$view, "looks")
  cex <- layout$cex
  pad <- layout$pad
  box <- pmax(
    inches(text$title, cex, 2), inches(text$rows, cex), inches(text$more, cex),
    layout$line * ifelse(layout$view$leaf, looks$leaf_size[1L], looks$strip_size[1L])
  ) + 2 * pad
  beside <- pmax(inches(text$edge, cex), inches(text$ask, cex)) + pad
  list(box = box, all = pmax(box, beside) + layout$gap)
}

# The layout with the heights of its boxes and levels.
down_heights <- function(layout, page) {
  view <- layout$view
  text <- layout$text
  looks <- attr(view, "looks")
  line <- layout$line
  picture <- line * ifelse(view$leaf, looks$leaf_size[2L], looks$strip_size[2L])
  # With what stands between a picture and the text below.
  apart <- picture + ifelse(picture > 0, 0.35 * line, 0)
  box <- line * (text_lines(text$title) + text_lines(text$rows) + text_lines(text$more)) +
    apart + layout$pad
  # The question stands below its box.
  ask <- line * (text_lines(text$ask) + ifelse(nzchar(text$ask), 0.3, 0))
  label <- line * text_lines(text$edge) + label_gap * line
  band <- level_bands(view, label, box + ask, 0.9 * line)
  spare <- page$height - band$total
  levels <- length(band$label)
  # A tall page lets the branches be longer, up to a limit.
  extra <- if (levels > 1L) min(max(spare, 0) / (levels - 1L), max(5 * line, 0.5)) else 0
  top <- page$height - cumsum(c(0, utils::head(band$height + extra, -1L)))
  layout$width <- down_widths(layout)$box
  layout[c("picture", "apart", "height", "ask")] <- list(picture, apart, box, ask)
  layout$top <- top[view$level + 1L] - band$label[view$level + 1L]
  layout$bend <- 0.45 * line + 0.5 * extra
  layout$fits <- layout$fits && spare >= 0
  layout
}

# From the box to the end of its branch, beyond the lines of the label between them.
label_gap <- 0.45

# The room each level needs: labels of the branches above the boxes, the boxes, a gap.
level_bands <- function(view, label, box, gap) {
  level <- factor(view$level)
  label <- vapply(split(label, level), max, 0)
  box <- vapply(split(box, level), max, 0)
  height <- label + box + gap
  list(label = label, height = height, total = sum(height) - gap)
}

down_layers <- function(layout) {
  view <- layout$view
  x <- layout$x
  bottom <- layout$top - layout$height - layout$ask
  # Below all boxes of the level: children may stand below a neighbour of their parent.
  bend <- stats::ave(bottom, view$level, FUN = min) - layout$bend
  # The branch ends above its label, which stands right over the box.
  end <- layout$top + layout$line * (label_gap - 0.05 + text_lines(layout$text$edge))
  child <- which(view$up > 0L)
  up <- view$up[child]
  branches <- branch_layer(
    view, branch_pens(view, layout$ink, 0.8 * layout$line),
    list(x = x[up], y = bottom[up], xend = x[up], yend = bend[up], at = child),
    list(x = x[up], y = bend[up], xend = x[child], yend = bend[up], at = child),
    list(x = x[child], y = bend[up], xend = x[child], yend = pmin(bend[up], end[child]), at = child)
  )
  rooms <- data.frame(
    left = x - layout$width / 2 + layout$pad, width = layout$width - 2 * layout$pad,
    bottom = layout$top - layout$pad / 2 -
      layout$line * (text_lines(layout$text$title) + 0.2) - layout$picture,
    height = layout$picture
  )
  shown <- layout$picture > 0
  c(
    list(branches, box_layer(layout)),
    leaf_layers(layout, rooms, which(shown & view$leaf)),
    strip_layers(layout, rooms, which(shown & !view$leaf))
  )
}

# Every text with its middle.
down_words <- function(layout) {
  view <- layout$view
  text <- layout$text
  line <- layout$line
  ink <- layout$ink
  dark <- node_text_colour(layout, ink)
  part <- function(y, text, font = 1, colour = ink$text) {
    table_of(x = layout$x, y = y, text = text, adj = 0.5, font = font, colour = colour)
  }
  y <- layout$top - layout$pad / 2
  n_title <- text_lines(text$title)
  edge <- part(layout$top + line * (0.15 + text_lines(text$edge) / 2), text$edge)
  title <- part(y - line * n_title / 2, text$title, 2, dark)
  y <- y - line * n_title - layout$apart
  rows <- part(y - line * text_lines(text$rows) / 2, text$rows, 1, dark)
  y <- y - line * text_lines(text$rows)
  more <- part(y - line / 2, text$more, 1, dark)
  ask <- part(
    layout$top - layout$height - line * (0.2 + text_lines(text$ask) / 2), text$ask
  )
  stack_tables(list(edge, title, rows, more, ask))
}

# Numbers stand on a fill from light to dark.
node_text_colour <- function(layout, ink) {
  view <- layout$view
  out <- rep(ink$text, length(view$node))
  if (is_filled(view)) {
    dark <- vapply(layout$fill, is_dark, NA)
    out[] <- ifelse(dark, "white", "black")
  } else if (attr(view, "looks")$leaf == "value") {
    dark <- vapply(layout$fill[view$leaf], is_dark, NA)
    out[view$leaf] <- ifelse(dark, "white", "black")
  }
  out
}

# The boxes of the nodes, with round corners in rpart.plot's style.
box_layer <- function(layout) {
  view <- layout$view
  ink <- layout$ink
  left <- layout$x - layout$width / 2
  radius <- if (is_filled(view)) 0.4 * layout$line else 0
  outlines <- lapply(seq_along(left), function(i) {
    box_outline(
      left[i], layout$top[i] - layout$height[i], left[i] + layout$width[i], layout$top[i], radius
    )
  })
  outline <- stack_tables(outlines)
  frame <- ifelse(view$on_path, ink$text, ifelse(view$leaf, ink$frame, ink$box_frame))
  at <- rep(seq_along(left), each = nrow(outline) / length(left))
  chart_layer(
    "polygon",
    x = outline$x, y = outline$y, group = at, colour = layout$fill[at], frame = frame[at],
    width = ifelse(view$on_path, 2.5, 1)[at], dash = ifelse(view$hidden > 0, 2, 1)[at]
  )
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
  least <- if (ncol(shares) > 1L) 1 / ncol(shares) else 0
  most <- shares[cbind(seq_along(view$yval), view$yval)]
  strength <- 0.12 + 0.6 * pmax(0, (most - least) / (1 - least))
  mixed_colours(colours$node, rep(ink$ground, length(strength)), rep(strength, each = 3L))
}
