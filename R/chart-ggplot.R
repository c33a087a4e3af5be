# Tested in test-chart.R.
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

# Names that do not fit side by side.
stands_upright <- function(text) {
  !any(grepl("\n", text, fixed = TRUE)) && sum(letters_wide(text)) > 45
}

gg_layer <- function(layer) {
  d <- layer$data
  if (nrow(d) == 0L) {
    return(NULL)
  }
  .data <- rlang::.data
  aes <- ggplot2::aes
  switch(layer$kind,
    rect = ggplot2::geom_rect(
      aes(xmin = .data$xmin, xmax = .data$xmax, ymin = .data$ymin, ymax = .data$ymax), d,
      fill = d$colour, colour = d$frame, linewidth = 0.25 * d$width
    ),
    segment = ggplot2::geom_segment(
      aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend), d,
      colour = d$colour, linewidth = 0.4 * d$width, linetype = d$dash %||% 1
    ),
    point = ggplot2::geom_point(
      aes(.data$x, .data$y), d,
      shape = 21, fill = d$colour, colour = d$frame, size = 2 * d$width, stroke = 0.3
    ),
    text = ggplot2::geom_text(
      aes(.data$x, .data$y, label = paste0(" ", .data$text)), d,
      colour = d$colour, hjust = 0, size = 2.8
    ),
    line = ggplot2::geom_path(
      aes(.data$x, .data$y, group = .data$group), d,
      colour = d$colour, linewidth = 0.4 * d$width
    )
  )
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
