# The plot of tuning results, drawn by ggplot2.

#' @rdname plot.tec_tune
#' @param object As `x`.
#' @rawNamespace S3method(ggplot2::autoplot, tec_tune)
#' @rawNamespace export(autoplot.tec_tune)
autoplot.tec_tune <- function(object, against = NULL, metric = NULL, col = NULL,
                              what = c("curve", "tree"), main = NULL, background = NULL, ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  if (!missing(what) && drawn_part(what) == "tree") {
    refuse_curves(against, metric, col)
    if (!is.null(main)) abort_only_with("main", "what = \"curve\"")
    return(ggplot2::autoplot(chosen_fit(object, "autoplot"), background = background, ...))
  }
  refuse_dots("autoplot", ...)
  check_page(background, main)
  ink <- ink_on(background %||% theme_ground())
  drawn <- drawn_settings(object, against, metric, col)
  draw <- if (is.null(drawn$against)) gg_race else gg_curves
  draw(drawn, col, ink) + ggplot2::labs(title = main) + gg_tuning_theme(ink, background)
}

# One row per setting and panel.
panel_table <- function(table, panels, rows, ...) {
  parts <- lapply(panels, function(measure) {
    bars <- error_range(table, measure)
    data.frame(
      ...,
      value = table[[measure]], low = bars$low, high = bars$high,
      panel = factor(metric_label(measure), vapply(panels, metric_label, "")), chosen = rows
    )
  })
  do.call(rbind, parts)
}

gg_curves <- function(x, col, ink) {
  against <- x$against
  shown <- is.finite(x$table[[against]])
  table <- x$table[shown, , drop = FALSE]
  line <- curve_of_settings(x, table, against)
  chosen <- which(shown) == x$chosen
  place <- dimension_axis(table[[against]], against)
  place$at <- side_by_side(place$at, line)
  data <- panel_table(table, x$panels, chosen, at = place$at, line = line)
  aes <- ggplot2::aes
  .data <- rlang::.data
  colours <- col %||% if (nlevels(line) > 1L) line_colours(nlevels(line)) else ink$text
  colours <- rep_len(colours, nlevels(line))
  key <- key_columns(levels(line), rows = 8L)
  guide <- if (nlevels(line) > 1L) {
    ggplot2::guide_legend(title.position = "top", ncol = key$columns, byrow = TRUE)
  } else {
    "none"
  }
  marks <- axis_marks(place$axis)
  ggplot2::ggplot(data, aes(.data$at, .data$value, colour = .data$line)) +
    ggplot2::geom_vline(xintercept = place$at[chosen], linetype = 2, colour = ink$line) +
    ggplot2::geom_linerange(aes(ymin = .data$low, ymax = .data$high), alpha = 0.5) +
    ggplot2::geom_line() +
    gg_settings(ink) +
    ggplot2::scale_x_continuous(breaks = marks$at, labels = marks$text, minor_breaks = NULL) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data$panel),
      ncol = 1L, scales = "free_y", strip.position = "left"
    ) +
    ggplot2::scale_colour_manual(
      attr(line, "title"),
      values = colours, guide = guide, breaks = levels(line)[seq_along(key$labels)],
      labels = key$labels
    ) +
    ggplot2::labs(x = against, y = NULL, caption = fold_title(tuning_caption, 55))
}

# Settings without an order of their own, one below the other, the best on top.
gg_race <- function(x, col, ink) {
  rows <- race_order(x)
  table <- x$table[rows, , drop = FALSE]
  label <- line_labels(table[varying_columns(x)])
  data <- panel_table(table, x$panels, rows == x$chosen, at = factor(label, unique(label)))
  aes <- ggplot2::aes
  .data <- rlang::.data
  colour <- if (is.null(col)) ink$text else col[1L]
  ggplot2::ggplot(data, aes(.data$value, .data$at)) +
    ggplot2::geom_linerange(aes(xmin = .data$low, xmax = .data$high), colour = colour) +
    gg_settings(ink, colour = colour) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data$panel),
      nrow = 1L, scales = "free_x", strip.position = "bottom"
    ) +
    ggplot2::scale_x_continuous(
      n.breaks = 3L, guide = ggplot2::guide_axis(check.overlap = TRUE)
    ) +
    ggplot2::scale_y_discrete(labels = function(labels) {
      shorten_apart(labels, 26, letters_wide)
    }) +
    ggplot2::labs(x = NULL, y = NULL, caption = fold_title(tuning_caption, 55))
}

# The chosen setting is a full point.
gg_settings <- function(ink, ...) {
  .data <- rlang::.data
  list(
    ggplot2::geom_point(
      ggplot2::aes(shape = .data$chosen, size = .data$chosen), fill = ink$ground, ...
    ),
    ggplot2::scale_shape_manual(values = c("FALSE" = 21, "TRUE" = 19), guide = "none"),
    ggplot2::scale_size_manual(values = c("FALSE" = 1.8, "TRUE" = 2.8), guide = "none")
  )
}

gg_tuning_theme <- function(ink, background) {
  gg_chart_theme(ink, background, upright = FALSE) +
    ggplot2::theme(
      strip.placement = "outside", strip.text = ggplot2::element_text(colour = ink$text, size = 9),
      legend.title = ggplot2::element_text(size = 9, colour = ink$text),
      legend.spacing.y = grid::unit(0, "lines"), panel.spacing.x = grid::unit(1.2, "lines")
    )
}
