# Tested in test-plot.R and test-plot-fit.R.
# A tree that grows to the right: a line of the page for each leaf, a column for each level where
# there is room for that, and at the right edge a panel with the leaves' bars. The branch of a node
# carries two texts, the whole condition above it and the node's own text below; both stay within
# the lines of the node's own leaves and within its branch, so no text can meet another. The
# condition of a leaf stands on its branch, which nothing crosses on the way to the panel.

# NULL if the tree does not fit with letters of size `least` or more.
fit_right <- function(view, page, cex, least, cut) {
  row <- page$height / max(sum(view$leaf), 1L)
  if (!is.null(cex)) {
    layout <- right_layout(view, page, right_parts(view, page, cex, 18, row = row))
    return(if (layout$fits && line_inches(cex) <= row) layout)
  }
  top <- min(1, row / line_inches(1))
  sizes <- unique(pmin(top, c(1, 0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.3)))
  # A branch has two gaps of 0.4 lines at least.
  gaps <- 0.8 * line_inches(sizes) * max(view$level)
  sizes <- sizes[sizes >= least & gaps < page$width]
  known <- new.env(parent = emptyenv())
  parts <- function(...) {
    key <- paste(...)
    known[[key]] <- known[[key]] %||% right_parts(view, page, ..., row = row)
    known[[key]]
  }
  columns <- function(...) right_layout(view, page, parts(...))
  # Without columns branches start where those before them end, which takes less room.
  ragged <- function(...) right_layout(view, page, parts(...), aligned = FALSE)
  # What does not fit in narrow columns does not in wider ones.
  sizes <- sizes[vapply(sizes, function(size) ragged(size, 6, TRUE)$fits, NA)]
  # The largest letters that leave names and levels whole, if broken into lines; then with fewer
  # levels, if need be with thresholds of fewer digits.
  whole <- expand.grid(letters = c(Inf, 30, 22, 17, 14, 11, 8), size = sizes)
  large <- whole[whole$size >= 0.5 | whole$size == top, ]
  out <- first_right(columns, large[large$size >= 0.6 | large$size == top, ], 0, FALSE) %||%
    first_right(columns, large, 1, FALSE) %||% first_right(ragged, large, 1, FALSE) %||%
    first_right(columns, whole, 1, TRUE) %||% first_right(ragged, whole, 1, TRUE)
  if (!is.null(out) || !cut) {
    return(out)
  }
  # Then with shortened names; to a few letters, or in very small letters, only as a last resort.
  few <- if (least < least_letters[["good"]]) c(7, 6)
  cut <- expand.grid(size = sizes, letters = c(17, 14, 11, 9, few))
  cut <- cut[cut$size >= 0.6 | cut$letters <= 11, ]
  out <- first_right(columns, cut, 2, TRUE) %||% first_right(ragged, cut, 2, TRUE)
  if (is.null(out) && least <= least_letters[["asked"]]) out <- first_right(ragged, cut, 3, TRUE)
  out
}

# The first that fits and has lost no more than `most` (as in fit_conditions()).
first_right <- function(lay, ways, most, short) {
  for (i in seq_len(nrow(ways))) {
    layout <- lay(ways$size[i], ways$letters[i], short)
    if (layout$fits && layout$lost <= most) {
      return(layout)
    }
  }
  NULL
}

# What a layout needs but for the places: the texts, and the panel.
right_parts <- function(view, page, cex, letters, short = FALSE, row) {
  limit <- letters * inches("n", cex)
  line <- min(line_inches(cex), row)
  room <- right_room(view, row / line)
  panel <- right_panel(view, cex, page$width, as.integer(row / line))
  most <- page$width - panel$width
  width <- pmin(ifelse(view$leaf, 2 * limit, limit), most)
  list(
    cex = cex, line = line, row = row, room = room, panel = panel, short = short,
    text = right_texts(view, cex, width, room, short)
  )
}

right_layout <- function(view, page, parts, aligned = TRUE) {
  cex <- parts$cex
  line <- parts$line
  row <- parts$row
  text <- parts$text
  panel <- parts$panel
  gap <- (if (aligned) 0.4 else 0.25) * line_inches(cex)
  if (!aligned) {
    panel$width <- panel$width - 0.3 * panel$bar
    panel$bar <- 0.7 * panel$bar
  }
  behind <- ifelse(text$stacked, 0, inches(text$title, cex, 2) + 1.5 * gap)
  behind[!nzchar(text$title)] <- 0
  words <- pmax(
    inches(text$edge, cex), inches(text$title, cex, 2),
    ifelse(nzchar(text$extra), behind + inches(text$extra, cex), 0)
  )
  need <- ifelse(view$leaf, 0, words) + 2 * gap
  column <- if (aligned) {
    vapply(split(need, factor(view$level)), max, 0)[view$level + 1L]
  } else {
    need
  }
  start <- branch_starts(view, column)
  # The condition of a leaf may run on to the panel.
  total <- max(start + ifelse(view$leaf, inches(text$edge, cex) + 3 * gap, column)) + panel$width
  if (total > page$width + 1e-9) {
    return(list(fits = FALSE))
  }
  stretch <- max(1, min((page$width - panel$width) / (total - panel$width), 1.8))
  start <- start * stretch
  column <- column * stretch
  panel_x <- max(page$width - panel$width, total - panel$width)
  # With the columns fixed, conditions can use all their room.
  free <- ifelse(view$leaf, panel_x - start - 4 * gap, column - 2 * gap)
  if (text$lost > 0L) text <- roomier_right(view, text, cex, free, parts$room, parts$short)
  list(
    direction = "right", view = view, text = text, cex = cex, line = line, gap = gap,
    x = start, column = column, y = page$height - row * row_places(view), row = row, panel = panel,
    panel_x = panel_x, behind = behind,
    under = ifelse(text$stacked, line * (text_lines(text$title) + text_lines(text$extra)) / 2, 0),
    fits = TRUE, lost = max(text$lost, panel$lost)
  )
}

# Each branch starts where that of its parent ends.
branch_starts <- function(view, column) {
  start <- numeric(nrow(view))
  for (i in seq_len(nrow(view))[-1L]) start[i] <- start[view$up[i]] + column[view$up[i]]
  start
}

# list(above, below): the lines of text that have room above and below each branch, which stay
# within the lines of the node's own leaves. A leaf has its text on the branch.
right_room <- function(view, lines) {
  place <- row_places(view)
  leaf <- cumsum(view$leaf) - view$leaf
  last <- leaf + view$leaf
  for (i in rev(seq_along(place))) {
    if (view$up[i] > 0L) last[view$up[i]] <- max(last[view$up[i]], last[i])
  }
  whole <- function(rows, more = 0) pmax(1L, as.integer(rows * lines + more + 1e-6))
  # The next leaf leaves half a line free beside its text; texts above a branch may have it.
  slack <- max(0, min(0.4, (lines - 1) / 2))
  list(
    above = ifelse(view$leaf, whole(1), whole(place - leaf, slack)),
    below = ifelse(view$leaf, 1L, whole(last - place, -slack))
  )
}

# The texts of inner nodes and of all branches, of at most the given widths. The further text of a
# node is below its title if there are lines for it (`stacked`), otherwise after it.
right_texts <- function(view, cex, width, room, short) {
  plain <- function(t) inches(t, cex)
  bold <- function(t) inches(t, cex, 2)
  inner <- !view$leaf
  edge <- fit_conditions(
    attr(view, "edges"), width, ifelse(inner, room$above, 1L), plain, short
  )
  ask <- fit_conditions(attr(view, "asks"), width, 1L, plain, short)
  extra <- ifelse(inner, gsub("\n", ", ", view$extra, fixed = TRUE), "")
  extra <- paste0(ask, ifelse(nzchar(ask) & nzchar(extra), ", ", ""), extra)
  said <- as.integer(nzchar(extra))
  stacked <- room$below > said
  lines <- pmax(1L, room$below - ifelse(stacked, said, 0L))
  title <- fit_titles(view, width, lines, bold)
  title_lost <- max(0L, attr(title, "lost")[inner], what_is_lost(ask))
  title[!inner] <- ""
  list(
    edge = as.character(edge), title = as.character(title), extra = extra, stacked = stacked,
    lost = max(what_is_lost(edge), title_lost), title_lost = title_lost
  )
}

roomier_right <- function(view, text, cex, free, room, short) {
  plain <- function(t) inches(t, cex)
  free <- pmax(free, plain(text$edge))
  edge <- fit_conditions(attr(view, "edges"), free, room$above, plain, short)
  text$edge <- as.character(edge)
  text$lost <- max(what_is_lost(edge), text$title_lost)
  text
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
