# Tested in test-autoplot.R and test-autoplot-page.R.

#' Plot a tree with ggplot2
#'
#' The picture is the same as that of [plot()][plot.tec_tree]. The tree is laid out whenever it is
#' drawn, as large and as deep as the page allows. A message says what is left out. The result is an
#' ordinary ggplot with a legend beside the tree. You can add fill scales, titles and themes.
#' `autoplot()` is a function of ggplot2: call `library(ggplot2)` first, or write
#' `ggplot2::autoplot()`.
#'
#' @param object A tree from [tec_tree()].
#' @param depth,nodes Which part to draw, as in [plot()][plot.tec_tree].
#' @param palette,type,show,leaves,strips,path,by_rows,data,background,branches As in
#'   [plot()][plot.tec_tree]; the default background is that of the theme in use.
#' @param size The size of the text in millimetres; `NULL` for the largest that fits, recomputed
#'   whenever the plot is drawn.
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
  check_is_tree(object, "autoplot")
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
  name <- fit_name(substitute(object))
  ink <- ink_on(background %||% theme_ground())
  told <- NULL
  draw <- function(inches, fill) {
    page <- list(width = inches[1L], height = inches[2L])
    layout <- fit_page(object, depth, nodes, page, "auto", size_as_cex(size), looks)
    # What is drawn again is not told again.
    if (!identical(told, layout$view$node)) report_rest(layout, depth, nodes, name, "autoplot")
    told <<- layout$view$node
    tree_layers(colour_layout(layout, fill_colours(object, layout$view, fill), ink))
  }
  gg_page(draw, coloured_values(object)) + gg_tree_theme(ink) + gg_fill(object, palette) +
    gg_ground(ink, background)
}

gg_tree_theme <- function(ink) {
  text <- function(...) ggplot2::element_text(colour = ink$text, ...)
  ggplot2::theme(
    legend.position = "right", legend.text = text(size = 8), legend.title = text(size = 9),
    plot.title = text(), legend.justification = "top", plot.margin = ggplot2::margin(6, 6, 6, 6)
  )
}

# What has a colour: the classes, or the numbers of all nodes; and view_colours() of these colours.
coloured_values <- function(fit) {
  levels <- fit$response$levels
  if (fit$response$task == "regression") {
    return(fit$tree$yval)
  }
  if (length(levels)) factor(levels, levels)
}

fill_colours <- function(fit, view, fill) {
  if (fit$response$task == "regression") {
    return(list(node = fill[view$node]))
  }
  view_colours(fit, view, fill)
}

# Millimetres, as ggplot2 has them.
size_as_cex <- function(size) if (!is.null(size)) size / 25.4 * 72.27 / letter_points

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
