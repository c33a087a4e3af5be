# Tested in test-autoplot.R and test-autoplot-page.R.

#' Plot a tree with ggplot2
#'
#' The tree grows to the right with a line per leaf, class shares (or numbers) as bars, the
#' condition on each branch and a legend. The result is an ordinary ggplot to which you can add
#' scales, titles and themes. If the page is too small, fewer levels are drawn, with a message.
#'
#' @param object A tree from [tec_tree()].
#' @param depth,nodes Which part to draw, as in [plot()][plot.tec_tree]; without a `depth`
#'   as many levels as are readable on 7 x 5 inches, and fewer if the page is smaller.
#' @param palette,type,show,leaves,strips,path,by_rows,data,background,branches As in
#'   [plot()][plot.tec_tree]; the default background is that of the theme in use.
#' @param size The size of the text in millimetres; `NULL` for the largest that fits, recomputed
#'   whenever the plot is drawn. With a given size all levels are drawn.
#' @param ... For a `type` other than `"tree"` the arguments of [tec_picture()].
#' @return A ggplot.
#' @family uses of a tree
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris)
#' ggplot2::autoplot(fit) + ggplot2::labs(title = "Three irises")
#' ggplot2::autoplot(tec_tree(mpg ~ ., mtcars), leaves = "density")
#' ggplot2::autoplot(fit, strips = TRUE)
#' @rawNamespace S3method(ggplot2::autoplot, tec_tree)
#' @rawNamespace export(autoplot.tec_tree)
autoplot.tec_tree <- function(object, depth = NULL, nodes = NULL, palette = NULL, size = NULL,
                              type = "tree", show = NULL, leaves = NULL, strips = FALSE,
                              path = NULL, by_rows = FALSE, data = NULL, background = NULL,
                              branches = NULL, ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  check_fit(object)
  check_page(background, NULL, palette = palette)
  type <- match_choice(type, picture_types, "type")
  if (type != "tree") {
    check_picture_arguments(match.call(), type)
    picture <- make_picture(object, type, data, parent.frame(), list(...))
    looks <- picture_looks(picture, palette, NULL, background, TRUE)
    return(do.call(ggplot2::autoplot, c(list(picture), looks)))
  }
  refuse_dots("autoplot", ...)
  depth <- check_depth(depth)
  size <- check_cex(size, "size")
  nodes <- check_nodes_argument(nodes, object$tree)
  looks <- tree_looks(
    object, show, leaves, strips, path, by_rows, data, parent.frame(), branches
  )
  # Signs that the device does not have are replaced when the plot is drawn.
  signs <- l10n_info()[["UTF-8"]]
  see <- function(depth) tree_view(object, depth, nodes, looks, signs)
  layout <- letter_page(object$tree, see, depth, nodes)
  name <- fit_name(substitute(object))
  report_rest(layout, depth, nodes, name, "autoplot")
  fewer <- if (is.null(c(depth, size)) && length(nodes) <= 1L) fewer_levels(see, layout)
  layouts <- c(list(layout), fewer)
  tell <- function(version) report_rest(layouts[[version]], depth, nodes, name, "autoplot")
  gg_tree(object, layouts, palette, size, tell, background)
}

# The same page with fewer levels, down to one, at most seven times.
fewer_levels <- function(see, layout) {
  levels <- max(layout$view$level)
  if (levels < 2L || layout$direction == "bare") {
    return(NULL)
  }
  depths <- unique(round(seq(levels - 1, 1, length.out = min(levels - 1L, 7L))))
  # Small pages are narrow.
  lapply(depths, function(depth) letter_layout(see(depth), wide = 60))
}

# fit_page() without a page: what can be read on 7 x 5 inches.
letter_page <- function(tree, see, depth, nodes) {
  lay <- function(depth, wide = Inf) {
    layout <- letter_layout(see(depth))
    if (layout$width <= wide) layout
  }
  if (!is.null(depth) || length(nodes) > 1L) {
    return(lay(depth %||% Inf))
  }
  drawn <- drawn_leaves(tree, nodes %||% 1L)
  whole <- if (drawn[length(drawn)] <= 60) lay(Inf, 260)
  whole %||% fit_top(function(depth) lay(depth, 140), drawn, 36) %||% lay(0)
}

gg_tree <- function(fit, layouts, palette, size, tell, background) {
  layout <- layouts[[1L]]
  ink <- ink_on(background %||% theme_ground())
  words <- if (layout$direction != "bare") {
    stack_versions(layouts, function(layout) gg_words(layout$view, layout))
  }
  choice <- version_choice(layouts, words, tell)
  aes <- ggplot2::aes
  .data <- rlang::.data
  lines <- function(of) {
    version_layer(
      ggplot2::GeomSegment,
      stack_versions(layouts, function(layout) of(layout$view, layout, ink)),
      aes(
        x = .data$x, y = .data$y, xend = .data$xend, yend = .data$yend, colour = .data$colour,
        linewidth = .data$thick
      ), choice
    )
  }
  out <- ggplot2::ggplot() +
    lines(gg_branches) +
    ggplot2::scale_colour_identity() + ggplot2::scale_linewidth_identity() +
    version_layer(
      ggplot2::GeomRect,
      stack_versions(layouts, function(layout) gg_bars(fit, layout$view, layout)),
      aes(
        xmin = .data$xmin, xmax = .data$xmax, ymin = .data$ymin, ymax = .data$ymax,
        fill = .data$fill
      ), choice,
      colour = NA
    ) +
    (if (!has_whole_bar(layout$view) || has_strips(layout$view)) lines(gg_marks)) +
    (if (has_strips(layout$view) && fit$response$task == "regression") {
      strip_points(layouts, choice, ink)
    }) +
    (if (length(words)) gg_version_text(words, size, choice, ink)) +
    ggplot2::coord_cartesian(
      xlim = c(0, layout$width), ylim = page_lines(layout$view), clip = "off", expand = FALSE
    ) +
    ggplot2::theme_void() +
    ggplot2::theme(
      legend.position = "right", legend.text = ggplot2::element_text(size = 8, colour = ink$text),
      legend.title = ggplot2::element_text(size = 9, colour = ink$text),
      plot.title = ggplot2::element_text(colour = ink$text),
      legend.justification = "top", plot.margin = ggplot2::margin(6, 6, 6, 6)
    )
  out + gg_fill(fit, palette) + gg_ground(ink, background)
}

strip_points <- function(layouts, choice, ink) {
  .data <- rlang::.data
  points <- stack_versions(layouts, function(layout) {
    if (layout$direction != "bare") gg_strip_points(strip_rooms(layout$view, layout), ink)
  })
  version_layer(
    ggplot2::GeomPoint, points,
    ggplot2::aes(x = .data$x, y = .data$y, colour = .data$colour), choice,
    size = 0.3
  )
}

gg_fill <- function(fit, palette) {
  name <- shorten_middle(show_names(fit$response$name), 16, letters_wide)
  colours <- class_palette(fit, palette)
  if (fit$response$task == "classification") {
    key <- key_beside(show_label(fit$response$levels))
    shown <- seq_along(key$labels)
    values <- stats::setNames(colours[seq_along(fit$response$levels)], fit$response$levels)
    guide <- ggplot2::guide_legend(
      title.position = "top", ncol = key$columns,
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
    ggplot2::guide_colourbar(title.position = "top", barwidth = 0.6, barheight = 6)
  }
  ggplot2::scale_fill_gradient(
    name, low = colours[1L], high = colours[length(colours)], n.breaks = 4L, guide = bar
  )
}

# The names of the classes beside the tree, in one column, or in up to three narrower ones if there
# are many. If there are too many, only the first are shown.
key_beside <- function(labels, rows = 16L) {
  labels <- utils::head(labels, 3L * rows)
  columns <- (length(labels) + rows - 1L) %/% rows
  width <- c(16, 8, 5)[columns]
  list(columns = columns, labels = shorten_apart(labels, width, letters_wide))
}

# A ggplot does not know the size of its page until it is drawn. So the plot contains several
# versions of the tree, with fewer and fewer levels, and draws the largest readable one.

# The least size of letters in points: of a part, of the first version, and where hardly anything
# would be left.
readable_points <- c(part = 5, first = 4.5, least = 4)

# The versions as one data frame per layer, in the units of the first.
stack_versions <- function(layouts, layer) {
  first <- layouts[[1L]]
  lines <- page_lines(first$view)
  parts <- lapply(seq_along(layouts), function(i) {
    layout <- layouts[[i]]
    out <- layer(layout)
    across <- intersect(names(out), c("x", "xend", "xmin", "xmax"))
    down <- intersect(names(out), c("y", "yend", "ymin", "ymax"))
    own <- page_lines(layout$view)
    out[across] <- lapply(out[across], function(x) x * first$width / layout$width)
    out[down] <- lapply(out[down], function(y) {
      lines[1L] + (y - own[1L]) * diff(lines) / diff(own)
    })
    out$version <- rep(i, nrow(out))
    out
  })
  do.call(rbind, parts)
}

# The data for the choice at drawing time; `tell` is called once, with the version.
version_choice <- function(layouts, words, tell) {
  choice <- new.env(parent = emptyenv())
  choice$words <- if (length(words)) split(words, words$version)
  choice$levels <- vapply(layouts, function(layout) max(layout$view$level), 0)
  choice$row <- vapply(layouts, function(layout) {
    1 / diff(page_lines(layout$view)) / (layout$crowd %||% 1)
  }, 0)
  choice$width <- layouts[[1L]]$width
  choice$tell <- tell
  choice
}

drawn_version <- function(choice) {
  if (length(choice$levels) == 1L) {
    return(1L)
  }
  page <- c(
    grid::convertWidth(grid::unit(1, "npc"), "inches", valueOnly = TRUE),
    grid::convertHeight(grid::unit(1, "npc"), "inches", valueOnly = TRUE)
  )
  if (!identical(choice$page, page)) {
    points <- mapply(function(words, row) {
      words[c("x", "xmax")] <- words[c("x", "xmax")] / choice$width
      wide <- text_inches(written(words$label), ifelse(words$bold, "bold", "plain"), 10)
      fitting_points(words, wide, page, row)
    }, choice$words, choice$row)
    choice$page <- page
    choice$version <- readable_version(points, choice$levels)
  }
  if (choice$version > 1L && is.null(choice$told)) {
    choice$told <- TRUE
    choice$tell(choice$version)
  }
  choice$version
}

# The first readable version; small letters are preferred to an almost empty tree.
readable_version <- function(points, levels) {
  if (points[1L] >= readable_points[["first"]]) {
    return(1L)
  }
  part <- match(TRUE, points >= readable_points[["part"]])
  small <- match(TRUE, points >= readable_points[["least"]] & levels >= 2)
  if (!is.na(part) && (levels[part] >= 2 || is.na(small))) {
    return(part)
  }
  if (is.na(small)) which.max(points) else small
}

#' @exportS3Method grid::makeContent
makeContent.tec_versions <- function(x) {
  part <- x$parts[[as.character(drawn_version(x$choice))]]
  grid::setChildren(x, grid::gList(part %||% grid::nullGrob()))
}

# A line per leaf, and no fewer than four, so that a small tree has no huge bars.
page_lines <- function(view) {
  leaves <- sum(view$leaf)
  (c(-1, 1) * max(leaves, 4) - leaves) / 2
}
