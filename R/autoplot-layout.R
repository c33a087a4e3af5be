# Tested in test-autoplot.R.
# The layout of a ggplot2 tree, and the data of its layers.

# The layout of fit_right() in letters across and lines down, with conditions as wide as keep it
# below `wide` letters, down to 15.
letter_layout <- function(view, wide = 100) {
  # No page has room for this many texts.
  if (sum(view$leaf) > 200L || max(view$level) > 60L) {
    return(letter_bare(view))
  }
  view <- whole_conditions(view)
  for (limit in c(40, 28, 22, 18, 15)) {
    layout <- letters_within(view, limit, narrow = wide < 100)
    if (layout$width <= wide) break
  }
  layout
}

# `narrow` is for small pages.
letters_within <- function(view, limit, narrow = FALSE) {
  letters <- letters_wide
  # The lines of text per leaf that ordinary pages have in small letters.
  lines <- max(1, min(3, 55 / sum(view$leaf)))
  room <- right_room(view, lines)
  few <- sum(view$leaf) <= 14L
  edge <- as.character(fit_conditions(
    attr(view, "edges"), ifelse(view$leaf & !narrow, 1.5 * limit, limit), room$above,
    letters, TRUE
  ))
  ask <- as.character(fit_conditions(attr(view, "asks"), limit, 1L, letters, TRUE))
  said <- if (few) text_lines(view$extra) + nzchar(ask) else 0L
  title_lines <- ifelse(view$leaf, max(1L, as.integer(lines)), pmax(1L, room$below - said))
  title <- as.character(fit_titles(view, if (narrow) 13 else 20, title_lines, letters))
  between <- if (few) "\n" else ", "
  extra <- if (few) view$extra else gsub("\n", ", ", view$extra, fixed = TRUE)
  extra <- paste0(ask, ifelse(nzchar(ask) & nzchar(extra), between, ""), extra)
  text <- list(
    edge = edge, variable = ifelse(view$leaf, "", title), value = title,
    extra = ifelse(view$leaf, "", extra)
  )
  widest <- function(text) {
    vapply(strsplit(text, "\n", fixed = TRUE), function(t) max(letters(t), 0), 0)
  }
  behind <- if (few) rep(0, nrow(view)) else 1.15 * widest(text$variable) + 1.5
  words <- pmax(
    widest(text$edge), 1.1 * widest(text$variable),
    ifelse(nzchar(text$extra), behind + widest(text$extra), 0)
  )
  strips <- has_strips(view)
  if (strips) words <- pmax(words, 14)
  need <- ifelse(view$leaf, 0, words) + 3
  column <- vapply(split(need, factor(view$level)), max, 0)
  start <- cumsum(c(0, utils::head(column, -1L)))[view$level + 1L]
  bar <- max(start + ifelse(view$leaf, widest(text$edge) + 5, need))
  rows <- panel_rows(view, if (lines >= 2) "\n" else ", ")
  if (narrow && lines >= 3) rows <- gsub(": ", ":\n", rows, fixed = TRUE)
  bar_width <- if (narrow) 8 else 12
  value_width <- max(widest(text$value[view$leaf]))
  # Texts have one line between two leaves, minus the height of a strip below them.
  texts <- max(lines, if (few) 1 + max(text_lines(text$extra)))
  under <- 1.2 * texts + 0.35
  crowd <- if (strips) 2 * under else texts
  list(
    direction = "right", view = view, x = start, end = start + column[view$level + 1L],
    y = -row_places(view), text = text, bar = bar, bar_width = bar_width, behind = behind,
    # Below the title, or beside its first line.
    under = 1 + (if (few) letters_high(text$variable) + 0.53 else 0.216) / letters_high(text$extra),
    crowd = crowd, strip = under / crowd, value_width = value_width, rows = rows,
    width = bar + bar_width + 1.25 * value_width + max(widest(rows)) + 5.5
  )
}

# In letters: 0.72 the first line, 1.2 each more.
letters_high <- function(text) pmax(1.2 * text_lines(text) - 0.48, 0.72)

letter_bare <- function(view) {
  levels <- max(view$level)
  list(
    direction = "bare", view = view, x = view$level, end = pmin(view$level + 1, levels),
    y = -row_places(view), bar = levels, bar_width = 0.05 * max(levels, 1),
    width = 1.05 * max(levels, 1)
  )
}

# Lines to each child, those of a path last; `thick` in millimetres. The line to a leaf is that of
# its condition (gg_words).
gg_branches <- function(view, layout, ink) {
  pens <- branch_pens(view, ink, 0.05)
  line <- function(i, x, xend, y, yend) {
    data.frame(x, xend, y, yend, colour = pens$colour[i], thick = 0.3 * pens$width[i])
  }
  child <- which(view$up > 0L)
  up <- view$up[child]
  # Leaves without text have no line.
  drawn <- which(!view$leaf | view$on_path | attr(view, "looks")$by_rows)
  end <- ifelse(view$leaf, pmin(layout$x + 0.3, layout$bar), layout$end)
  out <- rbind(
    line(child, layout$end[up], layout$end[up], layout$y[up], layout$y[child]),
    line(drawn, layout$x[drawn], end[drawn], layout$y[drawn], layout$y[drawn])
  )
  out[order(view$on_path[c(child, drawn)]), , drop = FALSE]
}

# Every text with its place and the end of its room (xmax); conditions stand above their
# branch, variables below it. From the condition of a leaf a line runs to its bar (xend).
gg_words <- function(view, layout) {
  leaf <- view$leaf
  inner <- !leaf
  text <- layout$text
  right <- layout$bar + layout$bar_width + 1
  rows <- right + 1.25 * layout$value_width + 2
  # Clear of thick branches.
  clear <- if (attr(view, "looks")$by_rows || any(view$on_path)) 0.3 else 0
  start <- layout$x[inner] + 1
  end <- layout$end[inner]
  y <- layout$y[inner]
  part <- function(x, xmax, y, label, vjust, bold, xend = NA_real_) {
    if (length(y)) data.frame(x, xmax, xend, y, label, hjust = 0, vjust, bold)
  }
  out <- rbind(
    # A third of a letter above the branch, however many lines.
    part(
      start, end, y, text$edge[inner], -(0.4 + clear) * 0.72 / letters_high(text$edge[inner]), FALSE
    ),
    part(
      start, end, y, text$variable[inner],
      1 + (0.3 + clear) * 0.72 / letters_high(text$variable[inner]), TRUE
    ),
    part(
      start + layout$behind[inner], end, y, text$extra[inner], layout$under[inner] + clear, FALSE
    ),
    part(
      layout$x[leaf] + 0.7, layout$bar - 1.5, layout$y[leaf], text$edge[leaf], 0.5, FALSE,
      xend = layout$bar
    ),
    part(right, rows - 0.7, layout$y[leaf], text$value[leaf], 0.5, TRUE),
    part(rows, layout$width, layout$y[leaf], layout$rows[leaf], 0.5, FALSE)
  )
  out[nzchar(out$label) | !is.na(out$xend), , drop = FALSE]
}

# The pictures in the leaves, those of plot(), each in its line.
gg_bars <- function(fit, view, layout) {
  leaf <- which(view$leaf)
  half <- half_line(view, layout)
  narrow <- attr(view, "looks")$by_rows && has_whole_bar(view)
  bars <- leaf_bars(view, leaf)
  wide <- layout$bar_width * if (narrow) view$n[bars$at] / max(view$n[leaf]) else 1
  bottom <- layout$y[bars$at] - half
  out <- data.frame(
    xmin = layout$bar + wide * bars$left, xmax = layout$bar + wide * bars$right,
    ymin = bottom + 2 * half * bars$low, ymax = bottom + 2 * half * bars$high, class = bars$colour
  )
  if (has_strips(view) && layout$direction != "bare") {
    out <- rbind(out, gg_strip_bars(strip_rooms(view, layout)))
  }
  out$fill <- out$class
  if (fit$response$task == "classification") {
    out$fill <- factor(fit$response$levels[out$class], levels = fit$response$levels)
  }
  out[names(out) != "class"]
}

# Half the height of a leaf's picture.
half_line <- function(view, layout) {
  if (layout$direction == "bare") {
    return(0.5)
  }
  if (!has_whole_bar(view)) {
    return(0.42)
  }
  min(0.32, max(0.06, 0.02 * sum(view$leaf)))
}

# Bars in a square of side 1 for each leaf, `at` in the view; `colour` is the class or the number.
leaf_bars <- function(view, leaf) {
  looks <- attr(view, "looks")
  shares <- attr(view, "shares")[leaf, , drop = FALSE]
  values <- view$yval[leaf]
  responses <- function(i) looks$rows$y[rows_of(looks$rows, view$node[leaf[i]])]
  each <- function(bars_of) {
    bars <- lapply(seq_along(leaf), bars_of)
    data.frame(do.call(rbind, bars), at = rep(leaf, vapply(bars, nrow, 0L)))
  }
  switch(looks$leaf,
    # For many leaves at once.
    stack = {
      right <- matrix(t(apply(shares, 1L, cumsum)), nrow = length(leaf))
      some <- which(shares > 0)
      data.frame(
        left = (right - shares)[some], right = right[some], low = 0, high = 1,
        colour = col(shares)[some], at = leaf[row(shares)[some]]
      )
    },
    none = data.frame(
      left = numeric(), right = numeric(), low = numeric(), high = numeric(), colour = integer(),
      at = integer()
    ),
    value = data.frame(left = 0, right = 1, low = 0, high = 1, colour = values, at = leaf),
    columns = each(function(i) columns_of(shares[i, ] / max(shares), seq_len(ncol(shares)))),
    histogram = each(function(i) histogram_bars(responses(i), looks$rows$range, values[i])),
    density = each(function(i) {
      curve <- density_curve(responses(i), looks$rows$y)
      last <- length(curve$at)
      data.frame(
        left = curve$at[-last], right = curve$at[-1L], low = 0,
        high = (curve$high[-last] + curve$high[-1L]) / 2, colour = values[i]
      )
    })
  )
}

has_whole_bar <- function(view) attr(view, "looks")$leaf %in% c("stack", "value", "none")

# What lies on the bars: lines of the pictures in leaves and of strips.
gg_marks <- function(view, layout, ink) {
  rbind(
    if (!has_whole_bar(view)) gg_leaf_lines(view, layout, ink),
    if (has_strips(view) && layout$direction != "bare") {
      gg_strip_lines(strip_rooms(view, layout), ink)
    }
  )
}

# Below a picture a line; in those of numbers the prediction.
gg_leaf_lines <- function(view, layout, ink) {
  looks <- attr(view, "looks")
  leaf <- which(view$leaf)
  low <- layout$y[leaf] - half_line(view, layout)
  out <- data.frame(
    x = layout$bar, xend = layout$bar + layout$bar_width, y = low, yend = low,
    colour = ink$line, thick = 0.2
  )
  if (looks$leaf == "columns") {
    return(out)
  }
  at <- (view$yval[leaf] - looks$rows$range[1L]) / max(diff(looks$rows$range), 1e-300)
  x <- layout$bar + layout$bar_width * pmin(pmax(at, 0), 1)
  high <- layout$y[leaf] + half_line(view, layout)
  rbind(out, data.frame(x, xend = x, y = low, yend = high, colour = ink$text, thick = 0.6))
}

# Texts of one size, the largest that keeps each in its room: found when they are drawn,
# because only then the size of the page is known.

# `words`: x, y, label, hjust, vjust, bold, xmax (|xmax - x| is the room) and xend (where a
# line from the text ends, or NA).
gg_fitted_text <- function(words) {
  ggplot2::layer(
    data = words, stat = "identity", position = "identity", geom = fitted_text_geom(),
    inherit.aes = FALSE, show.legend = FALSE, mapping = word_aes()
  )
}

# The same with a version of the words for each size of the page. `size` in millimetres, or NULL.
gg_version_text <- function(words, size, choice, ink) {
  points <- if (!is.null(size)) size * 72.27 / 25.4
  version_layer(
    fitted_text_geom(), words, word_aes(), choice,
    args = function(version) list(points = points, row = choice$row[version], ink = ink)
  )
}

word_aes <- function() {
  .data <- rlang::.data
  ggplot2::aes(
    .data$x, .data$y,
    label = .data$label, xmax = .data$xmax, xend = .data$xend,
    hjust = .data$hjust, vjust = .data$vjust, bold = .data$bold
  )
}

# `row` is the height of a line, as a share of the page's.
fitted_text_geom <- function() {
  ggplot2::ggproto(
    "GeomFittedText", ggplot2::Geom,
    required_aes = c("x", "y", "label", "xmax"), non_missing_aes = character(),
    default_aes = ggplot2::aes(xend = NA, hjust = 0, vjust = 0.5, bold = FALSE),
    draw_key = ggplot2::draw_key_blank,
    handle_na = function(self, data, params) data,
    draw_panel = function(data, panel_params, coord, points = NULL, row = NULL,
                          ink = ink_on("white")) {
      row <- row %||% (1 / diff(panel_params$y.range))
      words <- coord$transform(data, panel_params)
      # Two such layers of a plot need two names.
      grid::gTree(
        words = words, row = row, points = points, ink = ink, cl = "tec_fitted_text",
        name = grid::grobName(prefix = "fitted_text")
      )
    }
  )
}

#' @exportS3Method grid::makeContent
makeContent.tec_fitted_text <- function(x) {
  x$words$label <- written(x$words$label)
  words <- x$words
  page <- c(
    grid::convertWidth(grid::unit(1, "npc"), "inches", valueOnly = TRUE),
    grid::convertHeight(grid::unit(1, "npc"), "inches", valueOnly = TRUE)
  )
  face <- ifelse(words$bold, "bold", "plain")
  wide <- text_inches(words$label, face, 10)
  points <- x$points %||% fitting_points(words, wide, page, x$row)
  at <- function(v) grid::unit(v, "npc")
  text <- nzchar(words$label)
  words$end <- words$x + ifelse(text, (wide * points / 10 + 0.07) / page[1L], 0)
  line <- !is.na(words$xend) & words$end < words$xend
  grid::setChildren(x, grid::gList(
    if (any(line)) {
      grid::segmentsGrob(
        at(words$end[line]), at(words$y[line]), at(words$xend[line]), at(words$y[line]),
        gp = grid::gpar(col = x$ink$line, lwd = 0.3 * 72.27 / 25.4)
      )
    } else {
      grid::nullGrob()
    },
    grid::textGrob(
      words$label[text], at(words$x[text]), at(words$y[text]),
      hjust = words$hjust[text], vjust = words$vjust[text],
      gp = grid::gpar(fontsize = points, fontface = face[text], col = x$ink$text)
    )
  ))
}

# A ggplot is made before its device is known.
written <- function(text) if (has_signs()) text else plain_signs(text)

# Two texts, above and below a branch, share the lines of at least two leaves.
fitting_points <- function(words, wide, page, row) {
  room <- abs(words$xmax - words$x) * page[1L]
  some <- wide > 0
  min(11, 10 * 0.95 * room[some] / wide[some], 72 * row * page[2L] / 1.15)
}

text_inches <- function(text, face, points) {
  key <- paste(face, text)
  once <- which(!duplicated(key))
  wide <- vapply(once, function(i) {
    grob <- grid::textGrob(text[i], gp = grid::gpar(fontsize = points, fontface = face[i]))
    grid::convertWidth(grid::grobWidth(grob), "inches", valueOnly = TRUE)
  }, 0)
  wide[match(key, key[once])]
}

# A layer of all versions, of which one is drawn. `args` gives what else a version needs.
version_layer <- function(geom, data, mapping, choice, args = function(version) list(), ...) {
  all <- ggplot2::ggproto(
    NULL, geom,
    required_aes = c(geom$required_aes, "version"),
    draw_panel = function(data, panel_params, coord) {
      parts <- lapply(split(data, data$version), function(part) {
        do.call(geom$draw_panel, c(list(part, panel_params, coord), args(part$version[1L])))
      })
      grid::gTree(
        parts = parts, choice = choice, cl = "tec_versions",
        name = grid::grobName(prefix = "versions")
      )
    }
  )
  .data <- rlang::.data
  mapping$version <- ggplot2::aes(version = .data$version)$version
  ggplot2::layer(
    data = data, stat = "identity", position = "identity", geom = all, inherit.aes = FALSE,
    mapping = mapping, params = list(...)
  )
}
