#' Draw a tree with ggplot2
#'
#' The tree grows to the right, a line a leaf, with the class shares (or the number) as
#' bars. The result is an ordinary plot: add scales, titles and themes to it.
#'
#' @param object A tree from [tec_tree()].
#' @param depth,nodes Which part to draw, as in [plot()][plot.tec_tree].
#' @param palette One colour a class.
#' @param size The size of the text in millimetres; `NULL` for what fits a page seven
#'   inches wide and high.
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
  size <- size %||% min(3.9, 350 / layout$width, 140 / sum(view$leaf))
  gg_tree(object, view, layout, palette, size)
}

# The layout of fit_right() in letters across and lines down.
letter_layout <- function(view) {
  letters <- function(t) nchar(t, "width")
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
    width = bar + 12 + 1.2 * value_width + max(letters(rows)) + 5
  )
}

gg_tree <- function(fit, view, layout, palette, size) {
  branch <- gg_branches(view, layout)
  words <- gg_words(view, layout)
  bars <- gg_bars(fit, view, layout)
  plain <- words[!words$bold, , drop = FALSE]
  bold <- words[words$bold, , drop = FALSE]
  aes <- ggplot2::aes
  .data <- rlang::.data
  text <- function(data, face) {
    ggplot2::geom_text(
      aes(.data$x, .data$y, label = .data$label),
      data = data, hjust = 0, size = size, fontface = face, vjust = data$vjust
    )
  }
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
    text(plain, "plain") + text(bold, "bold") +
    ggplot2::coord_cartesian(xlim = c(0, layout$width), clip = "off") +
    ggplot2::theme_void() +
    ggplot2::theme(legend.position = "top", plot.margin = ggplot2::margin(6, 6, 6, 6))
  out + gg_fill(fit, palette)
}

gg_fill <- function(fit, palette) {
  name <- fit$response$name
  if (fit$response$task == "classification") {
    levels <- fit$response$levels
    colours <- palette %||% class_colours(length(levels))
    if (length(colours) < length(levels)) abort_palette(length(levels), palette)
    values <- stats::setNames(colours[seq_along(levels)], levels)
    return(ggplot2::scale_fill_manual(name, values = values, drop = FALSE))
  }
  ends <- palette %||% c("#DEEBF7", "#0072B2")
  ggplot2::scale_fill_gradient(name, low = ends[1L], high = ends[length(ends)])
}

gg_branches <- function(view, layout) {
  inner <- which(!view$leaf)
  leaf <- which(view$leaf)
  span <- vapply(inner, function(i) range(layout$y[view$up == i]), numeric(2L))
  span <- matrix(span, nrow = 2L)
  wide <- nchar(layout$text$edge[leaf], "width")
  stub <- layout$x[leaf] + ifelse(wide > 0, wide + 2.5, 0)
  data.frame(
    x = c(layout$x[inner], layout$end[inner], stub, layout$x[leaf]),
    xend = c(
      layout$end[inner], layout$end[inner], rep(layout$bar, length(leaf)), layout$x[leaf] + 0.7
    ),
    y = c(layout$y[inner], span[1L, ], layout$y[leaf], layout$y[leaf]),
    yend = c(layout$y[inner], span[2L, ], layout$y[leaf], layout$y[leaf])
  )
}

# Every text with its place; conditions stand above their branch, variables below it.
gg_words <- function(view, layout) {
  leaf <- view$leaf
  text <- layout$text
  right <- layout$bar + layout$bar_width + 1
  part <- function(x, y, label, vjust, bold) {
    data.frame(x = x, y = y, label = label, vjust = vjust, bold = rep(bold, length(x)))
  }
  some <- function(v) rep(v, sum(leaf))
  inner <- !leaf
  out <- rbind(
    part(layout$x[inner] + 1, layout$y[inner], text$edge[inner], rep(-0.4, sum(inner)), FALSE),
    part(layout$x[inner] + 1, layout$y[inner], text$variable[inner], rep(1.3, sum(inner)), TRUE),
    part(layout$x[leaf] + 1, layout$y[leaf], text$edge[leaf], some(0.5), FALSE),
    part(some(right), layout$y[leaf], text$value[leaf], some(0.5), TRUE),
    part(
      some(right + 1.2 * layout$value_width + 1), layout$y[leaf], layout$rows[leaf],
      some(0.5), FALSE
    )
  )
  out[nzchar(out$label), , drop = FALSE]
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
