# Tested in test-chart.R and test-autoplot.R.
# The same charts with ggplot2. Colours are those of the chart; a user's scale changes the legend.

gg_chart <- function(chart, legend = TRUE, background = NULL) {
  ink <- ink_on(background %||% theme_ground())
  .data <- rlang::.data
  axis <- function(scale, axis) {
    marks <- axis_marks(axis)
    text <- vapply(marks$text, axis$shorten, "", width = 24, measure = letters_wide)
    guide <- if (any(grepl("\n", text, fixed = TRUE))) ggplot2::guide_axis(check.overlap = TRUE)
    scale(
      breaks = marks$at, labels = unname(text), minor_breaks = NULL,
      guide = guide %||% ggplot2::waiver()
    )
  }
  keys <- if (isTRUE(legend)) chart$keys
  out <- ggplot2::ggplot() + lapply(chart$layers, gg_layer)
  if (length(keys$text)) {
    shown <- key_columns(keys$text, wide = 40, rows = 7L)
    key <- data.frame(text = factor(keys$text, keys$text))
    out <- out +
      ggplot2::geom_point(
        ggplot2::aes(x = -Inf, y = -Inf, fill = .data$text), key,
        shape = 22, size = 0, alpha = 0
      ) +
      ggplot2::scale_fill_manual(
        NULL, values = stats::setNames(keys$colours[seq_along(keys$text)], keys$text),
        breaks = keys$text[seq_along(shown$labels)], labels = shown$labels,
        guide = ggplot2::guide_legend(
          ncol = shown$columns, byrow = TRUE,
          override.aes = list(size = 3.5, alpha = 1, colour = NA)
        )
      )
  }
  out + axis(ggplot2::scale_x_continuous, chart$x) + axis(ggplot2::scale_y_continuous, chart$y) +
    ggplot2::coord_cartesian(xlim = chart$x$range, ylim = chart$y$range, expand = FALSE) +
    ggplot2::labs(
      x = shorten_text(chart$x$label, 40, letters_wide),
      y = if (nzchar(chart$y$label)) shorten_text(chart$y$label, 30, letters_wide),
      title = if (nzchar(chart$title)) fold_title(chart$title, 45),
      caption = if (!is.null(chart$caption)) fold_title(chart$caption, 55)
    ) +
    gg_chart_theme(ink, background, upright = stands_upright(axis_marks(chart$x)$text))
}

# autoplot() of an object that one chart shows; `make(ink)` returns the chart.
autoplot_chart <- function(make, main, background, palette = NULL, legend = TRUE) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  check_page(background, main, legend, palette)
  chart <- make(ink_on(background %||% theme_ground()))
  chart$title <- main %||% chart$title
  gg_chart(chart, legend, background)
}

# Names that do not fit side by side.
stands_upright <- function(text) {
  !any(grepl("\n", text, fixed = TRUE)) && sum(letters_wide(text)) > 45
}

# A layer of a chart, whose places go through the scales of a ggplot. What is `colour` and `frame`
# there is `fill` and `colour` in a ggplot.
gg_layer <- function(layer) {
  d <- layer$data
  if (nrow(d) == 0L) {
    return(NULL)
  }
  places <- grep("^[xy]", names(d), value = TRUE)
  marks <- ggplot2::ggproto(
    NULL, ggplot2::Geom,
    default_aes = ggplot2::aes(fill = NA, colour = NA),
    draw_panel = function(data, panel_params, coord) {
      shown <- d[data$row, , drop = FALSE]
      shown[places] <- coord$transform(data, panel_params)[places]
      # Letters are smaller than those of base graphics, which knows the page.
      layer_grob(list(kind = layer$kind, data = shown), "npc", 10)
    }
  )
  columns <- c(places, "row")
  ggplot2::layer(
    data = data.frame(d[c(places, intersect("panel", names(d)))], row = seq_len(nrow(d))),
    stat = "identity", position = "identity", geom = marks,
    mapping = do.call(ggplot2::aes, rlang::syms(stats::setNames(columns, columns))),
    params = list(fill = d$colour, colour = d$frame), inherit.aes = FALSE, show.legend = FALSE,
    check.aes = FALSE
  )
}

# draw_layer() in grid, with letters of `points`.
layer_grob <- function(layer, unit = "inches", points = letter_points) {
  d <- layer$data
  if (nrow(d) == 0L) {
    return(grid::nullGrob())
  }
  at <- function(v) grid::unit(v, unit)
  # Of lines and polygons, the looks of each group.
  d <- d[order(d$group %||% seq_len(nrow(d))), , drop = FALSE]
  one <- if (layer$kind %in% c("line", "polygon")) d[!duplicated(d$group), , drop = FALSE] else d
  filled <- grid::gpar(
    fill = one$colour, col = one$frame, lwd = one$width, lty = one$dash %||% 1
  )
  drawn <- grid::gpar(col = one$colour, lwd = one$width, lty = one$dash %||% 1)
  switch(layer$kind,
    rect = grid::rectGrob(
      at(d$xmin), at(d$ymin), at(d$xmax - d$xmin), at(d$ymax - d$ymin),
      hjust = 0, vjust = 0, gp = filled
    ),
    segment = grid::segmentsGrob(at(d$x), at(d$y), at(d$xend), at(d$yend), gp = drawn),
    # Base graphics has points of 0.6 letters.
    point = grid::pointsGrob(
      at(d$x), at(d$y), pch = 21, size = grid::unit(0.6 * points * d$width, "points"),
      gp = grid::gpar(fill = d$colour, col = d$frame, lwd = 0.6)
    ),
    text = grid::textGrob(
      d$text, at(d$x), at(d$y), hjust = d$adj, vjust = 0.5,
      gp = grid::gpar(
        col = d$colour, fontsize = points * d$letters, font = d$font, lineheight = line_space
      )
    ),
    line = grid::polylineGrob(at(d$x), at(d$y), id = match(d$group, one$group), gp = drawn),
    polygon = grid::polygonGrob(at(d$x), at(d$y), id = match(d$group, one$group), gp = filled)
  )
}

# A ggplot of what is laid out when it is drawn, as only then the size of the page is known:
# `draw(size, fill)` returns layers in inches. `fill` are the values that have colours: `draw` gets
# the colours that the scale of the ggplot has for them.
gg_page <- function(draw, fill = NULL) {
  page <- ggplot2::ggproto(
    NULL, ggplot2::Geom,
    default_aes = ggplot2::aes(fill = NA, alpha = NA),
    draw_key = ggplot2::draw_key_rect,
    draw_panel = function(data, panel_params, coord) {
      grid::gTree(
        draw = draw, fill = data$fill, cl = "tec_page", name = grid::grobName(prefix = "page")
      )
    }
  )
  .data <- rlang::.data
  aes <- ggplot2::aes(x = 0, y = 0)
  if (!is.null(fill)) aes$fill <- ggplot2::aes(fill = .data$fill)$fill
  ggplot2::ggplot() +
    ggplot2::layer(
      data = data.frame(fill = fill %||% NA), stat = "identity", position = "identity", geom = page,
      mapping = aes, inherit.aes = FALSE, check.aes = FALSE
    ) +
    ggplot2::coord_cartesian(xlim = 0:1, ylim = 0:1, clip = "off", expand = FALSE) +
    ggplot2::theme_void()
}

#' @exportS3Method grid::makeContent
makeContent.tec_page <- function(x) {
  all <- grid::unit(1, "npc")
  size <- c(
    grid::convertWidth(all, "inches", valueOnly = TRUE),
    grid::convertHeight(all, "inches", valueOnly = TRUE)
  )
  layers <- measured_by_grid(x$draw(size, x$fill))
  grid::setChildren(x, do.call(grid::gList, lapply(layers, layer_grob)))
}

# The ground of the theme in use, NULL where it has none.
theme_ground <- function() {
  fill <- ggplot2::calc_element("plot.background", ggplot2::theme_get())$fill
  if (is.character(fill)) fill
}

gg_chart_theme <- function(ink, background, upright) {
  text <- function(...) ggplot2::element_text(colour = ink$text, ...)
  out <- ggplot2::theme_minimal() +
    ggplot2::theme(
      text = text(), axis.text = text(size = 8), plot.title = text(size = 11),
      plot.caption = text(size = 8), plot.title.position = "plot",
      legend.position = "top", legend.justification = "left", legend.text = text(size = 8),
      legend.key.height = grid::unit(0.8, "lines"), legend.key.width = grid::unit(0.8, "lines"),
      legend.margin = ggplot2::margin(), panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major = ggplot2::element_line(colour = ink$faint, linewidth = 0.3),
      panel.border = ggplot2::element_rect(colour = ink$line, fill = NA),
      plot.margin = ggplot2::margin(6, 10, 6, 6)
    )
  if (upright) {
    out <- out + ggplot2::theme(
      axis.text.x = text(size = 8, angle = 90, hjust = 1, vjust = 0.5)
    )
  }
  out + gg_ground(ink, background)
}

# Dark backgrounds are always drawn, light ones only if requested.
gg_ground <- function(ink, background) {
  if (is.null(background) && !is_dark(ink$ground)) {
    return(NULL)
  }
  ggplot2::theme(plot.background = ggplot2::element_rect(fill = ink$ground, colour = NA))
}

letters_wide <- function(text) nchar(text, "width")

# The names of lines in columns that a page of 3.3 inches has room for, and in at most
# `rows` rows; of more than six columns of them the first.
key_columns <- function(labels, wide = 46, rows = 6L) {
  labels <- utils::head(labels, rows * 6L)
  fitting <- as.integer(wide %/% (max(letters_wide(labels)) + 5))
  columns <- max(1L, min(length(labels), fitting), (length(labels) + rows - 1L) %/% rows)
  list(columns = columns, labels = shorten_apart(labels, wide %/% columns - 5, letters_wide))
}

# In lines that a page of 3.3 inches has room for.
fold_title <- function(text, width) paste(strwrap(text, width), collapse = "\n")
