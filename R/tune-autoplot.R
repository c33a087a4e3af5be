#' @rdname plot.tec_tune
#' @param object As `x`.
#' @rawNamespace S3method(ggplot2::autoplot, tec_tune)
#' @rawNamespace export(autoplot.tec_tune)
autoplot.tec_tune <- function(object, against = NULL, metric = NULL, col = NULL,
                              what = c("curve", "tree"), ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  if (!missing(what) && drawn_part(what) == "tree") {
    return(autoplot.tec_tree(chosen_fit(object, "autoplot"), ...))
  }
  check_known(dot_names(list(...)), c("against", "metric", "col", "what"), "autoplot")
  metric <- match_choice(metric %||% object$metric[1L], c(object$metric, sizes), "metric")
  against <- plot_dimension(object, against)
  object <- best_curves(object, against, metric)
  panels <- unique(c(metric, "nodes"))
  if (is.null(against)) gg_race(object, panels, col) else gg_curves(object, panels, against, col)
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

gg_curves <- function(x, panels, against, col) {
  shown <- is.finite(x$table[[against]])
  table <- x$table[shown, , drop = FALSE]
  line <- curve_of_settings(x, table, against)
  chosen <- which(shown) == x$chosen
  data <- panel_table(table, panels, chosen, at = table[[against]], line = line)
  aes <- ggplot2::aes
  .data <- rlang::.data
  colours <- rep_len(col %||% line_colours(nlevels(line)), nlevels(line))
  key <- key_columns(levels(line), rows = 8L)
  guide <- if (nlevels(line) > 1L) {
    ggplot2::guide_legend(title.position = "top", ncol = key$columns, byrow = TRUE)
  } else {
    "none"
  }
  at <- table[[against]][chosen]
  ggplot2::ggplot(data, aes(.data$at, .data$value, colour = .data$line)) +
    ggplot2::geom_vline(xintercept = at, linetype = 2, colour = "grey50") +
    ggplot2::geom_linerange(aes(ymin = .data$low, ymax = .data$high), alpha = 0.5) +
    ggplot2::geom_line() +
    gg_settings() +
    ggplot2::facet_wrap(
      ggplot2::vars(.data$panel),
      ncol = 1L, scales = "free_y", strip.position = "left"
    ) +
    ggplot2::scale_colour_manual(
      attr(line, "title"),
      values = colours, guide = guide, breaks = levels(line)[seq_along(key$labels)],
      labels = key$labels
    ) +
    ggplot2::labs(x = against, y = NULL) +
    gg_tuning_theme()
}

# Settings without an order of their own, one below the other, the best on top.
gg_race <- function(x, panels, col) {
  rows <- race_order(x)
  table <- x$table[rows, , drop = FALSE]
  label <- line_labels(table[varying_columns(x)])
  data <- panel_table(table, panels, rows == x$chosen, at = factor(label, unique(label)))
  aes <- ggplot2::aes
  .data <- rlang::.data
  colour <- if (is.null(col)) "grey30" else col[1L]
  ggplot2::ggplot(data, aes(.data$value, .data$at)) +
    ggplot2::geom_linerange(aes(xmin = .data$low, xmax = .data$high), colour = colour) +
    gg_settings(colour = colour) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data$panel),
      nrow = 1L, scales = "free_x", strip.position = "bottom"
    ) +
    ggplot2::scale_x_continuous(
      n.breaks = 3L, guide = ggplot2::guide_axis(check.overlap = TRUE)
    ) +
    ggplot2::scale_y_discrete(labels = function(labels) {
      vapply(labels, shorten_middle, "", width = 26, measure = letters_wide)
    }) +
    ggplot2::labs(x = NULL, y = NULL) +
    gg_tuning_theme()
}

# The chosen setting is a full point.
gg_settings <- function(...) {
  .data <- rlang::.data
  list(
    ggplot2::geom_point(
      ggplot2::aes(shape = .data$chosen, size = .data$chosen), fill = "white", ...
    ),
    ggplot2::scale_shape_manual(values = c("FALSE" = 21, "TRUE" = 19), guide = "none"),
    ggplot2::scale_size_manual(values = c("FALSE" = 1.8, "TRUE" = 2.8), guide = "none")
  )
}

gg_tuning_theme <- function() {
  ggplot2::theme_minimal() +
    ggplot2::theme(
      strip.placement = "outside", legend.position = "top",
      legend.text = ggplot2::element_text(size = 8), legend.title = ggplot2::element_text(size = 9),
      legend.key.height = grid::unit(0.7, "lines"), legend.spacing.y = grid::unit(0, "lines"),
      legend.margin = ggplot2::margin(), panel.spacing.x = grid::unit(1.2, "lines"),
      panel.grid.minor = ggplot2::element_blank()
    )
}
