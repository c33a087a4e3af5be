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
    return(if (layout$fits && line_inches(cex) <= row) roomier_right(layout))
  }
  largest <- largest_letters(page)
  top <- min(largest, row / line_inches(1))
  sizes <- c(
    seq(largest, 1, length.out = 4L), 0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.3
  )
  sizes <- unique(pmin(top, sizes))
  # A branch has two gaps of 0.4 lines at least.
  gaps <- 0.8 * line_inches(sizes) * max(view$level)
  sizes <- sizes[sizes >= least & gaps < page$width]
  known <- attr(view, "known") %||% new.env(parent = emptyenv())
  once <- function(key, value) {
    if (is.null(known[[key]])) known[[key]] <- value
    known[[key]]
  }
  parts <- function(...) {
    once(paste("parts", ...), right_parts(view, page, ..., row = row))
  }
  columns <- function(...) {
    once(paste("columns", ...), right_layout(view, page, parts(...)))
  }
  # Without columns branches start where those before them end, which takes less room.
  ragged <- function(...) {
    once(paste("ragged", ...), right_layout(view, page, parts(...), aligned = FALSE))
  }
  # What does not fit in narrow columns does not in wider ones, nor in larger letters.
  fitting <- most_that_fit(rev(sizes), function(size) ragged(size, 6, TRUE)$fits)
  sizes <- utils::tail(sizes, fitting)
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
  # The letters that fit, by size.
  fitting <- list()
  for (i in seq_len(nrow(ways))) {
    size <- ways$size[i]
    key <- as.character(size)
    if (is.null(fitting[[key]])) {
      letters <- sort(ways$letters[ways$size == size])
      count <- most_that_fit(letters, function(letters) lay(size, letters, short)$fits)
      fitting[[key]] <- letters[seq_len(count)]
    }
    if (ways$letters[i] %in% fitting[[key]]) {
      layout <- roomier_right(lay(size, ways$letters[i], short), most)
      if (layout$lost <= most) {
        return(layout)
      }
    }
  }
  NULL
}

# How many of `x` fit, which are sorted: what does not fit does not with more either.
most_that_fit <- function(x, fits) {
  low <- 0L
  high <- length(x)
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    if (fits(x[middle])) low <- middle else high <- middle - 1L
  }
  low
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
  list(
    direction = "right", view = view, text = text, cex = cex, line = line, gap = gap,
    x = start, column = column, y = page$height - row * row_places(view), row = row, panel = panel,
    panel_x = panel_x, behind = behind,
    under = ifelse(text$stacked, line * (text_lines(text$title) + text_lines(text$extra)) / 2, 0),
    fits = TRUE, lost = max(text$lost, panel$lost), room = parts$room, short = parts$short
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
  plain <- ruler(cex)
  bold <- ruler(cex, 2)
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

# With the columns fixed, conditions can use all their room. Not needed where something else has
# lost more than `most`.
roomier_right <- function(layout, most = 3) {
  text <- layout$text
  if (text$lost == 0L || max(text$title_lost, layout$panel$lost) > most) {
    return(layout)
  }
  view <- layout$view
  plain <- ruler(layout$cex)
  free <- ifelse(
    view$leaf, layout$panel_x - layout$x - 4 * layout$gap, layout$column - 2 * layout$gap
  )
  free <- pmax(free, plain(text$edge))
  edge <- fit_conditions(
    attr(view, "edges"), free, layout$room$above, plain, layout$short, most = most
  )
  text$edge <- as.character(edge)
  text$lost <- max(what_is_lost(edge), text$title_lost)
  layout$text <- text
  layout$lost <- max(text$lost, layout$panel$lost)
  layout
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

# The panel of a tree that grows to the right, and how the tree is drawn.

# The texts and widths of the panel: a bar, the class or number, the rows.
right_panel <- function(view, cex, width, room) {
  leaf <- view$leaf
  measure <- ruler(cex)
  bold <- ruler(cex, 2)
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

right_layers <- function(layout, gaps) {
  view <- layout$view
  leaf <- view$leaf
  x <- layout$x
  y <- layout$y
  end <- ifelse(leaf, layout$panel_x, x + layout$column)
  child <- which(view$up > 0L)
  up <- view$up[child]
  open <- if (gaps) leaf_gaps(layout) else data.frame(at = integer())
  whole <- setdiff(seq_along(x), open$at)
  at <- open$at
  branches <- branch_layer(
    view, right_pens(layout),
    list(x = end[up], y = y[up], xend = end[up], yend = y[child], at = child),
    list(x = x[whole], y = y[whole], xend = end[whole], yend = y[whole], at = whole),
    list(x = x[at], y = y[at], xend = open$from, yend = y[at], at = at),
    list(x = open$to, y = y[at], xend = end[at], yend = y[at], at = at)
  )
  high <- attr(view, "looks")$leaf_size[2L] > 1
  height <- if (high) 0.86 * min(layout$row, 0.6) else 0.62 * min(layout$row, 0.3)
  rooms <- data.frame(
    left = layout$panel_x, bottom = y - height / 2, width = layout$panel$bar, height = height
  )
  c(list(branches), leaf_layers(layout, rooms, which(leaf)))
}

# The letters leave some of their lines free.
right_pens <- function(layout) branch_pens(layout$view, layout$ink, 0.35 * layout$line)

# Where the branch of a leaf (`at`) is open for its condition.
leaf_gaps <- function(layout) {
  at <- which(layout$view$leaf & nzchar(layout$text$edge))
  pen <- right_pens(layout)$width[at] / 96 / 2
  from <- layout$x[at] + layout$gap
  data.frame(
    at = at, from = pmax(from - 0.01 - pen, layout$x[at]),
    to = from + inches(layout$text$edge[at], layout$cex) + 0.02 + pen
  )
}

# Cuts the gaps into branches that were drawn without them.
branch_gaps <- function(layout) {
  if (layout$direction != "right") {
    return(chart_layer("rect"))
  }
  gap <- leaf_gaps(layout)
  half <- pmax(0.02, right_pens(layout)$width[gap$at] / 96)
  chart_layer(
    "rect",
    xmin = gap$from, xmax = gap$to, ymin = layout$y[gap$at] - half, ymax = layout$y[gap$at] + half,
    colour = rep(layout$ink$ground, nrow(gap))
  )
}

# Every text with its left end.
right_words <- function(layout) {
  view <- layout$view
  text <- layout$text
  leaf <- view$leaf
  part <- function(x, y, text, font = 1) {
    table_of(x = x, y = y, text = text, adj = 0, font = font, colour = layout$ink$text)
  }
  x <- layout$x + layout$gap
  # Clear of a thick branch.
  pen <- right_pens(layout)$width / 96 / 2
  pen <- ifelse(pen > 0.01, pen, 0)
  above <- ifelse(leaf, 0, layout$line * (0.08 + text_lines(text$edge) / 2) + pen)
  below <- layout$line * (0.05 + text_lines(text$title) / 2) + pen
  panel <- layout$panel
  left <- layout$panel_x + panel$bar + panel$gap
  stack_tables(list(
    part(x, layout$y + above, text$edge),
    part(x, layout$y - below, text$title, 2),
    part(x + layout$behind, layout$y - below - layout$under, text$extra),
    part(left, layout$y[leaf], panel$value, 2),
    part(left + panel$value_width + 1.5 * panel$gap, layout$y[leaf], panel$rows)
  ))
}
