# The critical-difference diagram: an axis of mean ranks, a line down from each
# criterion's place to its name, bars that join what does not differ.

#' @export
plot.tec_comparison <- function(x, ...) {
  print(autoplot.tec_comparison(x, ...))
  invisible(x)
}

#' @exportS3Method ggplot2::autoplot
autoplot.tec_comparison <- function(object, ...) {
  need_suggested("ggplot2", "autoplot")
  check_known(dot_names(list(...)), "object", "compare_criteria")
  shapes <- diagram_shapes(object)
  from <- ggplot2::aes(x = .data$x, y = .data$y, xend = .data$xend, yend = .data$yend)
  text <- ggplot2::aes(x = .data$x, y = .data$y, label = .data$label, hjust = .data$hjust)
  .data <- NULL
  ggplot2::ggplot() +
    ggplot2::geom_segment(from, shapes$axis) +
    ggplot2::geom_segment(from, shapes$stems, colour = "grey40") +
    ggplot2::geom_segment(from, shapes$bars, linewidth = 2, colour = "grey20") +
    ggplot2::geom_text(text, shapes$names) +
    ggplot2::geom_text(text, shapes$ticks, vjust = -0.5) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(mult = 0.25)) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = c(0.5, 1))) +
    ggplot2::labs(title = diagram_title(object), caption = diagram_caption(object)) +
    ggplot2::theme_void() +
    ggplot2::theme(plot.margin = ggplot2::margin(8, 8, 8, 8))
}

diagram_title <- function(x) {
  over <- if (is.null(x$data)) "folds" else "data sets"
  paste0("Mean rank by ", metric_label(x$metric[1L]), " over the ", over, " (1 is best)")
}

diagram_caption <- function(x) {
  if (is.null(x$overall)) {
    return(paste0("Bars: no difference by the corrected t-test (Holm, level ", x$level, ")"))
  }
  cd <- format(x$overall$critical_difference, digits = 3L)
  paste0("Bars: within the critical difference ", cd, " (Nemenyi, level ", x$level, ")")
}

# Data frames of the line ends and texts. y is 0 on the axis and counts lines down.
diagram_shapes <- function(x) {
  order <- order(x$table$rank)
  rank <- x$table$rank[order]
  label <- x$table$criterion[order]
  k <- length(rank)
  groups <- joined_groups(differing(x), order)
  n_bars <- length(groups$from)
  ticks <- seq_len(k)
  left <- seq_len(k) <= ceiling(k / 2)
  # The names of the better half stand on the left, the best on top.
  line <- ifelse(left, seq_len(k), k + 1L - seq_len(k))
  y <- -(0.6 + 0.35 * n_bars + line * 0.7)
  end <- ifelse(left, 1 - 0.05 * (k - 1), k + 0.05 * (k - 1))
  bar_y <- -(0.2 + 0.35 * seq_len(n_bars))
  segment <- function(x, y, xend, yend) data.frame(x = x, y = y, xend = xend, yend = yend)
  list(
    axis = rbind(segment(1, 0, k, 0), segment(ticks, 0, ticks, 0.15)),
    stems = rbind(segment(rank, 0, rank, y), segment(rank, y, end, y)),
    bars = segment(rank[groups$from] - 0.02, bar_y, rank[groups$to] + 0.02, bar_y),
    names = data.frame(x = end, y = y, label = paste0(" ", label, " "), hjust = ifelse(left, 1, 0)),
    ticks = data.frame(x = ticks, y = 0.15, label = ticks, hjust = 0.5)
  )
}
