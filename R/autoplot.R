#' Draw a tree with ggplot2
#'
#' The tree grows to the right, a line a leaf, with the class shares (or the number) as
#' bars. The result is an ordinary plot: add scales, titles and themes to it.
#'
#' @param object A tree from [tec_tree()].
#' @param depth,nodes Which part to draw, as in [plot()][plot.tec_tree].
#' @param palette One colour a class.
#' @param size The size of the text in millimetres; `NULL` for the largest that fits,
#'   found anew whenever the plot is drawn.
#' @param ... Nothing else is understood.
#' @return A ggplot.
#' @family uses of a tree
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris)
#' ggplot2::autoplot(fit) + ggplot2::labs(title = "Three irises")
#' @rawNamespace S3method(ggplot2::autoplot, tec_tree)
#' @rawNamespace export(autoplot.tec_tree)
autoplot.tec_tree <- function(object, depth = Inf, nodes = NULL, palette = NULL, size = NULL, ...) {
  need_package("ggplot2", "autoplot")
  check_known(dot_names(list(...)), names(formals()), "autoplot")
  check_fit(object)
  depth <- check_bound(depth, "depth", least = 0, whole = TRUE)
  view <- tree_view(object, depth, check_nodes_argument(nodes, object$tree), signs = FALSE)
  layout <- letter_layout(view)
  gg_tree(object, view, layout, palette, size)
}

letters_wide <- function(text) nchar(text, "width")

# The layout of fit_right() in letters across and lines down.
letter_layout <- function(view) {
  letters <- letters_wide
  lines <- rep(1L, nrow(view))
  text <- list(
    edge = wrap_edges(view, 18, lines, letters),
    variable = wrap_text(ifelse(view$leaf, "", view$variable), 18, 1L, letters),
    value = wrap_text(view$value, 20, 1L, letters)
  )
  need <- ifelse(view$leaf, 0, pmax(letters(text$edge), 1.1 * letters(text$variable))) + 3
  column <- vapply(split(need, factor(view$level)), max, 0)
  start <- cumsum(c(0, utils::head(column, -1L)))[view$level + 1L]
  bar <- max(start + ifelse(view$leaf, letters(text$edge) + 5, need))
  rows <- rows_text(view$n)
  more <- view$leaf & view$hidden > 0
  rows[more] <- paste0(rows[more], ", + ", count_text_each(view$hidden[more]))
  value_width <- max(letters(text$value[view$leaf]))
  list(
    x = start, end = start + column[view$level + 1L], y = -row_places(view), text = text, bar = bar,
    bar_width = 12, value_width = value_width, rows = rows,
    width = bar + 12 + 1.25 * value_width + max(letters(rows)) + 5.5
  )
}

gg_tree <- function(fit, view, layout, palette, size) {
  branch <- gg_branches(view, layout)
  bars <- gg_bars(fit, view, layout)
  aes <- ggplot2::aes
  .data <- rlang::.data
  out <- ggplot2::ggplot() +
    ggplot2::geom_segment(
      aes(x = .data$x, y = .data$y, xend = .data$xend, yend = .data$yend),
      data = branch, colour = "grey45", linewidth = 0.3
    ) +
    ggplot2::geom_rect(
      aes(
        xmin = .data$xmin, xmax = .data$xmax, ymin = .data$ymin, ymax = .data$ymax,
        fill = .data$fill
      ),
      data = bars
    ) +
    gg_fitted_text(gg_words(view, layout), size) +
    ggplot2::coord_cartesian(xlim = c(0, layout$width), ylim = page_lines(view), clip = "off") +
    ggplot2::theme_void() +
    ggplot2::theme(legend.position = "top", plot.margin = ggplot2::margin(6, 6, 6, 6))
  out + gg_fill(fit, palette)
}

# A line a leaf, and no fewer than four, so that a small tree has no huge bars.
page_lines <- function(view) {
  leaves <- sum(view$leaf)
  (c(-1, 1) * max(leaves, 4) - leaves) / 2
}

gg_fill <- function(fit, palette) {
  name <- shorten_text(show_names(fit$response$name), 30, letters_wide)
  if (fit$response$task == "classification") {
    levels <- fit$response$levels
    colours <- palette %||% class_colours(length(levels))
    if (length(colours) < length(levels)) abort_palette(length(levels), palette)
    values <- stats::setNames(colours[seq_along(levels)], levels)
    labels <- vapply(show_label(levels), shorten_text, "", width = 40, measure = letters_wide)
    columns <- max(1L, min(length(levels), 75L %/% (max(letters_wide(labels)) + 5L)))
    return(ggplot2::scale_fill_manual(
      name, values = values, drop = FALSE, labels = unname(labels),
      guide = ggplot2::guide_legend(ncol = columns, byrow = TRUE)
    ))
  }
  ends <- palette %||% c("#DEEBF7", "#0072B2")
  # Wide enough for the numbers below it.
  bar <- ggplot2::guide_colourbar(barwidth = 14)
  ggplot2::scale_fill_gradient(
    name, low = ends[1L], high = ends[length(ends)], n.breaks = 4L, guide = bar
  )
}

gg_branches <- function(view, layout) {
  inner <- which(!view$leaf)
  span <- vapply(inner, function(i) range(layout$y[view$up == i]), numeric(2L))
  span <- matrix(span, nrow = 2L)
  data.frame(
    x = c(layout$x[inner], layout$end[inner]), xend = c(layout$end[inner], layout$end[inner]),
    y = c(layout$y[inner], span[1L, ]), yend = c(layout$y[inner], span[2L, ])
  )
}

# Every text with its place and the end of its room (xmax); conditions stand above their
# branch, variables below it. From the condition of a leaf a line runs to its bar (xend).
gg_words <- function(view, layout) {
  leaf <- view$leaf
  inner <- !leaf
  text <- layout$text
  right <- layout$bar + layout$bar_width + 1
  rows <- right + 1.25 * layout$value_width + 2
  part <- function(x, xmax, y, label, vjust, bold, xend = NA_real_) {
    if (length(y)) data.frame(x, xmax, xend, y, label, vjust, bold)
  }
  out <- rbind(
    part(layout$x[inner] + 1, layout$end[inner], layout$y[inner], text$edge[inner], -0.4, FALSE),
    part(layout$x[inner] + 1, layout$end[inner], layout$y[inner], text$variable[inner], 1.3, TRUE),
    part(
      layout$x[leaf] + 0.7, layout$bar - 1.5, layout$y[leaf], text$edge[leaf], 0.5, FALSE,
      xend = layout$bar
    ),
    part(right, rows - 0.7, layout$y[leaf], text$value[leaf], 0.5, TRUE),
    part(rows, layout$width, layout$y[leaf], layout$rows[leaf], 0.5, FALSE)
  )
  out[nzchar(out$label) | !is.na(out$xend), , drop = FALSE]
}

gg_bars <- function(fit, view, layout) {
  leaf <- which(view$leaf)
  y <- layout$y[leaf]
  half <- min(0.32, max(0.06, 0.02 * length(leaf)))
  if (fit$response$task == "regression") {
    return(data.frame(
      xmin = layout$bar, xmax = layout$bar + layout$bar_width, ymin = y - half, ymax = y + half,
      fill = view$yval[leaf]
    ))
  }
  shares <- attr(view, "shares")[leaf, , drop = FALSE]
  right <- t(apply(shares, 1L, cumsum))
  right <- matrix(right, nrow = length(leaf))
  levels <- fit$response$levels
  out <- data.frame(
    xmin = layout$bar + layout$bar_width * as.vector(right - shares),
    xmax = layout$bar + layout$bar_width * as.vector(right),
    ymin = y - half, ymax = y + half,
    fill = factor(rep(levels, each = length(leaf)), levels = levels)
  )
  out[as.vector(shares) > 0, , drop = FALSE]
}
