#' Draw a tree with ggplot2
#'
#' The tree grows to the right, a line per leaf, with the class shares (or the number) as
#' bars. The result is an ordinary plot: add scales, titles and themes to it. On a page that
#' is too small for its letters fewer levels are drawn, and a message says so.
#'
#' @param object A tree from [tec_tree()].
#' @param depth,nodes Which part to draw, as in [plot()][plot.tec_tree]; without a `depth`
#'   as many levels as can be read on 7 x 5 inches, and fewer where the page is smaller.
#' @param palette One colour per class.
#' @param size The size of the text in millimetres; `NULL` for the largest that fits,
#'   found again whenever the plot is drawn. With a size all levels stay.
#' @param ... Must be empty.
#' @return A ggplot.
#' @family uses of a tree
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris)
#' ggplot2::autoplot(fit) + ggplot2::labs(title = "Three irises")
#' @rawNamespace S3method(ggplot2::autoplot, tec_tree)
#' @rawNamespace export(autoplot.tec_tree)
autoplot.tec_tree <- function(object, depth = NULL, nodes = NULL, palette = NULL, size = NULL,
                              ...) {
  need_package("ggplot2", "autoplot")
  check_known(dot_names(list(...)), names(formals()), "autoplot")
  check_fit(object)
  depth <- check_depth(depth)
  nodes <- check_nodes_argument(nodes, object$tree)
  layout <- letter_page(object, depth, nodes)
  name <- fit_name(substitute(object))
  report_rest(layout, depth, nodes, name, "autoplot")
  fewer <- if (is.null(c(depth, size)) && length(nodes) <= 1L) fewer_levels(object, nodes, layout)
  layouts <- c(list(layout), fewer)
  tell <- function(version) report_rest(layouts[[version]], depth, nodes, name, "autoplot")
  gg_tree(object, layouts, palette, size, tell)
}

# The same page with fewer levels, down to one, at most seven times.
fewer_levels <- function(fit, nodes, layout) {
  levels <- max(layout$view$level)
  if (levels < 2L || layout$direction == "bare") {
    return(NULL)
  }
  depths <- unique(round(seq(levels - 1, 1, length.out = min(levels - 1L, 7L))))
  lapply(depths, function(depth) letter_layout(tree_view(fit, depth, nodes, signs = FALSE)))
}

# fit_page() without a page: what can be read on 7 x 5 inches.
letter_page <- function(fit, depth, nodes) {
  lay <- function(depth, wide = Inf) {
    layout <- letter_layout(tree_view(fit, depth, nodes, signs = FALSE))
    if (layout$width <= wide) layout
  }
  if (!is.null(depth) || length(nodes) > 1L) {
    return(lay(depth %||% Inf))
  }
  drawn <- drawn_leaves(fit$tree, nodes %||% 1L)
  whole <- if (drawn[length(drawn)] <= 60) lay(Inf, 190)
  whole %||% fit_top(function(depth) lay(depth, 140), drawn, 36) %||% lay(0)
}

letters_wide <- function(text) nchar(text, "width")

# The layout of fit_right() in letters across and lines down.
letter_layout <- function(view) {
  # No page has room for so many texts.
  if (sum(view$leaf) > 200L || max(view$level) > 60L) {
    return(letter_bare(view))
  }
  letters <- letters_wide
  lines <- rep(1L, nrow(view))
  text <- list(
    edge = wrap_edges(view, 18, lines, letters, TRUE),
    variable = wrap_text(ifelse(view$leaf, "", view$variable), 18, 1L, letters),
    value = wrap_text(view$value, 20, 1L, letters)
  )
  need <- ifelse(view$leaf, 0, pmax(letters(text$edge), 1.1 * letters(text$variable))) + 3
  column <- vapply(split(need, factor(view$level)), max, 0)
  start <- cumsum(c(0, utils::head(column, -1L)))[view$level + 1L]
  bar <- max(start + ifelse(view$leaf, letters(text$edge) + 5, need))
  rows <- panel_rows(view)
  value_width <- max(letters(text$value[view$leaf]))
  list(
    direction = "right", view = view, x = start, end = start + column[view$level + 1L],
    y = -row_places(view), text = text, bar = bar,
    bar_width = 12, value_width = value_width, rows = rows,
    width = bar + 12 + 1.25 * value_width + max(letters(rows)) + 5.5
  )
}

letter_bare <- function(view) {
  levels <- max(view$level)
  list(
    direction = "bare", view = view, x = view$level, end = pmin(view$level + 1, levels),
    y = -row_places(view), bar = levels, bar_width = 0.05 * max(levels, 1),
    width = 1.05 * max(levels, 1)
  )
}

gg_tree <- function(fit, layouts, palette, size, tell) {
  layout <- layouts[[1L]]
  words <- if (layout$direction != "bare") {
    stack_versions(layouts, function(layout) gg_words(layout$view, layout))
  }
  choice <- version_choice(layouts, words, tell)
  aes <- ggplot2::aes
  .data <- rlang::.data
  out <- ggplot2::ggplot() +
    version_layer(
      ggplot2::GeomSegment,
      stack_versions(layouts, function(layout) gg_branches(layout$view, layout)),
      aes(x = .data$x, y = .data$y, xend = .data$xend, yend = .data$yend), choice,
      colour = "grey45", linewidth = 0.3
    ) +
    version_layer(
      ggplot2::GeomRect, stack_versions(layouts, function(layout) gg_bars(fit, layout$view, layout)),
      aes(
        xmin = .data$xmin, xmax = .data$xmax, ymin = .data$ymin, ymax = .data$ymax,
        fill = .data$fill
      ), choice,
      colour = NA
    ) +
    (if (length(words)) gg_version_text(words, size, choice)) +
    ggplot2::coord_cartesian(
      xlim = c(0, layout$width), ylim = page_lines(layout$view), clip = "off", expand = FALSE
    ) +
    ggplot2::theme_void() +
    ggplot2::theme(
      legend.position = "top", legend.text = ggplot2::element_text(size = 8),
      legend.title = ggplot2::element_text(size = 9),
      legend.spacing.y = grid::unit(0.15, "lines"), plot.margin = ggplot2::margin(6, 6, 6, 6)
    )
  out + gg_fill(fit, palette)
}

# A line per leaf, and no fewer than four, so that a small tree has no huge bars.
page_lines <- function(view) {
  leaves <- sum(view$leaf)
  (c(-1, 1) * max(leaves, 4) - leaves) / 2
}

gg_fill <- function(fit, palette) {
  name <- shorten_text(show_names(fit$response$name), 40, letters_wide)
  colours <- class_palette(fit, palette)
  if (fit$response$task == "classification") {
    key <- key_columns(show_label(fit$response$levels))
    shown <- seq_along(key$labels)
    values <- stats::setNames(colours[seq_along(fit$response$levels)], fit$response$levels)
    guide <- ggplot2::guide_legend(
      title.position = "top", ncol = key$columns, byrow = TRUE,
      keywidth = 0.8, keyheight = 0.8
    )
    return(ggplot2::scale_fill_manual(
      name,
      values = values, drop = FALSE, guide = guide, breaks = fit$response$levels[shown],
      labels = key$labels
    ))
  }
  # Wide enough for the numbers below it; of one number there is nothing to tell.
  leaves <- fit$tree$yval[fit$tree$kind == 0L]
  bar <- if (diff(range(leaves)) == 0) {
    "none"
  } else {
    ggplot2::guide_colourbar(title.position = "top", barwidth = 11, barheight = 0.6)
  }
  ggplot2::scale_fill_gradient(
    name, low = colours[1L], high = colours[length(colours)], n.breaks = 4L, guide = bar
  )
}

# The names of the classes in columns that a page of 3.3 inches has room for, and in at most
# six rows; of more than 36 classes the first.
key_columns <- function(labels, wide = 46, rows = 6L) {
  labels <- utils::head(labels, rows * 6L)
  fitting <- as.integer(wide %/% (max(letters_wide(labels)) + 5))
  columns <- max(1L, min(length(labels), fitting), (length(labels) + rows - 1L) %/% rows)
  labels <- vapply(labels, shorten_text, "", width = wide %/% columns - 5, measure = letters_wide)
  list(columns = columns, labels = unname(labels))
}

gg_branches <- function(view, layout) {
  inner <- which(!view$leaf)
  child <- outer_children(view)
  data.frame(
    x = c(layout$x[inner], layout$end[inner]), xend = c(layout$end[inner], layout$end[inner]),
    y = c(layout$y[inner], layout$y[child$first[inner]]),
    yend = c(layout$y[inner], layout$y[child$last[inner]])
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
    if (length(y)) data.frame(x, xmax, xend, y, label, hjust = 0, vjust, bold)
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
  half <- if (layout$direction == "bare") 0.5 else min(0.32, max(0.06, 0.02 * length(leaf)))
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
