# Tested in test-autoplot.R.
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
