#' Plot a tree
#'
#' The tree is drawn by base graphics. A tree that fits grows downwards; a wider one grows to the
#' right with a line per leaf, which keeps forty to sixty leaves readable on an ordinary page. The
#' whole condition stands on each branch. A node shows its prediction and, for classes, the
#' probability of the predicted class. A leaf also shows its number of training rows and a bar of
#' the plain class shares, which are not smoothed. Sizes are taken from the open device: draw again
#' after resizing.
#'
#' With `missing = "fractional"`, a training row with a missing value counts in parts in several
#' leaves. Then, and with case weights, nodes show `weight`, the sum of the parts or weights,
#' instead of `n`. Trees grown with `missing = "learned"`, `"majority"` or `"surrogate"` show
#' whole rows.
#'
#' If a tree is too large for the page, only the top levels are drawn. Nodes whose branches are not
#' drawn show their number and how many leaves are below, and a message says how to see them: with
#' `nodes`, or with `depth` on a larger page. If `depth` leaves no room for text, branches and
#' colours are drawn without it. On small pages, thresholds have fewer digits than in [print()],
#' inner nodes show no shares, sets of levels show only the first levels (`+2`: and two more), and
#' long names are shortened in the middle, but different names always look different.
#'
#' @param x A tree from [tec_tree()]; for `text()` a tree just drawn with `labels = FALSE`.
#' @param depth The number of levels to draw. `NULL` draws all levels if they fit, otherwise the top
#'   ones; `Inf` draws all.
#' @param nodes One node: draws the branch below it. Several: draws only the paths to them.
#' @param direction `"down"`, `"right"` or `"auto"`.
#' @param palette Colours: one per class, or for regression those of the lowest and the highest
#'   value. The default is safe for colour-blind readers up to 14 classes.
#' @param main The title; the default names the response, `""` is none.
#' @param legend Whether to draw a legend of the classes.
#' @param labels Whether to draw text; `FALSE` draws branches and leaves only.
#' @param cex The size of the text; `NULL` for the largest that fits, at most 1 on a page of up to
#'   10 by 7 inches and more on a larger one. The automatic size is at least 0.42
#'   (5 points), or 0.25 (3 points) with `depth` or several `nodes`. For larger text make
#'   the page taller.
#' @param type `"tree"`, or another plot: `"surface"`, `"dependence"`, `"importance"`,
#'   `"calibration"`, `"roc"` or `"cp"`, see [tec_picture()].
#' @param show What is written in the nodes, one or more of `"node"` (its number, which `fit[[3]]`,
#'   `nodes` and [tec_scores()] take), `"prediction"`, `"share"` (the probability of the
#'   predicted class, smoothed as by [predict()][predict.tec_tree]), `"shares"` (the probabilities
#'   of all classes), `"count"` and `"percent"` (of the training rows, or of their weights, see
#'   *Details*), and `"test"` (of a split found by p values, with the adjusted p). Give a list with
#'   `leaf` and `inner` for different texts in leaves and inner nodes. `NULL` is `list(leaf =
#'   c("prediction", "share", "count"), inner = c("prediction", "share"))`, for regression without
#'   the shares, for CHAID with the test.
#' @param leaves The plot in the leaves. Classification: `"stack"` (the default) or `"columns"`.
#'   Regression: `"value"` (the default), or a `"histogram"` or `"density"` of the responses.
#' @param strips Whether inner nodes show the distribution of their split variable with the cut:
#'   bars of the classes, or points of a numeric response with the mean of each branch. The tree
#'   then grows downwards.
#' @param path A data frame of one row. Its path is drawn in bold, with the row's values.
#' @param by_rows Whether the widths of branches and stacks are proportional to their rows.
#' @param data Rows for `strips`, `"histogram"`, `"density"` and other types; by default the
#'   training rows, if they can be found.
#' @param background The background colour; text is light on a dark one. `NULL` is that of the
#'   device, `par("bg")`.
#' @param branches The text on the branches: `"condition"` (the default), the whole condition;
#'   `"yes/no"` or `"left/right"`, with the condition below the node; or `"value"`, with the
#'   variable in the node and its value on the branch. With `"yes/no"` and `"left/right"`, nodes
#'   with more than two branches have conditions. With `"value"`, a tree that grows to the right has
#'   whole conditions.
#' @param style `"rpart.plot"` draws in the style of that package: boxes in the colour of the class,
#'   paler for smaller shares, with the shares and the percentage of rows; conditions below the
#'   nodes, `yes` and `no` at the first. Other arguments still apply.
#' @param ... For another `type` the arguments of [tec_picture()]. Arguments of rpart's `plot()` and
#'   `text()` and of `rpart.plot()` that only affect the style, such as `uniform`, `extra` or a
#'   number as `type`, are ignored with a message. Any other name is an error.
#' @return `x`, invisibly.
#' @family uses of a tree
#' @seealso [autoplot.tec_tree] for ggplot2.
#' @concept plot tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' plot(fit)
#' plot(fit, depth = 2)
#' # A large tree: its top, and one branch
#' large <- tec_tree(class ~ ., balance_scale, min_bucket = 1)
#' plot(large)
#' plot(large, nodes = 3)
#' plot(tec_tree(mpg ~ ., mtcars), main = "Miles per gallon")
#'
#' plot(fit, show = c("node", "prediction", "count", "percent"))
#' plot(fit, strips = TRUE, path = iris[77, ])
#' plot(tec_tree(mpg ~ ., mtcars), leaves = "density", by_rows = TRUE, background = "grey10")
#' plot(fit, type = "surface")
#' plot(fit, style = "rpart.plot")
#' plot(tec_tree(PlayTennis ~ ., play_tennis, preset = "id3"), branches = "value")
#' @srrstats {RE6.0} All models have a `plot()` method.
#' @srrstats {RE6.2} The default plot of a tree shows the fitted value of each leaf, that of splines
#'   the fitted functions. Forests and boosted models show errors, and [tec_dependence()] their
#'   values.
#' @export
plot.tec_tree <- function(x, depth = NULL, nodes = NULL, direction = c("auto", "down", "right"),
                          palette = NULL, main = NULL, legend = TRUE, labels = TRUE, cex = NULL,
                          type = "tree", show = NULL, leaves = NULL, strips = FALSE, path = NULL,
                          by_rows = FALSE, data = NULL, background = NULL, branches = NULL,
                          style = c("tectree", "rpart.plot"), ...) {
  plain_numbers()
  check_fit(x)
  check_page(background, main, legend, palette)
  theirs <- dot_names(list(...))
  # rpart.plot has numbers for `type`. The `branch` of rpart's plot() is a shape, a number too, and
  # R takes it for `branches`.
  if (is_number(type)) {
    theirs <- c("type", theirs)
    type <- "tree"
  }
  if (is_number(branches)) {
    theirs <- c("branch", theirs)
    branches <- NULL
  }
  type <- match_choice(type, picture_types, "type")
  if (type != "tree") {
    check_picture_arguments(match.call(), type)
    picture <- make_picture(x, type, data, parent.frame(), list(...))
    do.call(plot, c(list(picture), picture_looks(picture, palette, main, background, legend)))
    return(invisible(x))
  }
  check_known(leave_out_looks(theirs), names(formals()), "plot.tec_tree")
  directions <- c("auto", "down", "right")
  direction <- if (missing(direction)) "auto" else match_choice(direction, directions, "direction")
  labels <- check_flag(labels, "labels", topic = "argument")
  depth <- check_depth(depth)
  cex <- check_cex(cex)
  nodes <- check_nodes_argument(nodes, x$tree)
  style <- if (missing(style)) "tectree" else style
  looks <- tree_looks(
    x, show, leaves, strips, path, by_rows, data, parent.frame(), branches, style
  )
  # Strips do not fit into a line of the page, and rpart.plot draws downwards.
  if (any(looks$strip_size > 0) || (direction == "auto" && style == "rpart.plot")) {
    direction <- "down"
  }
  draw_tree(
    x, depth, nodes, direction, looks, class_palette(x, palette), main, legend, labels, cex,
    background, fit_name(substitute(x))
  )
  invisible(x)
}

draw_tree <- function(fit, depth, nodes, direction, looks, colours, main, legend, labels, cex,
                      background, name) {
  force(colours)
  old <- graphics::par(
    mar = c(0.5, 0.5, 0.5, 0.5), xpd = NA, lheight = 0.85, bg = background %||% graphics::par("bg")
  )
  on.exit(graphics::par(old))
  graphics::plot.new()
  paint_ground(background)
  size <- graphics::par("pin")
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  title <- main %||% show_names(fit$response$name)
  keys <- if (isTRUE(legend)) show_label(fit$response$levels)
  header <- if (labels) draw_tree_header(title, keys, colours, size) else 0
  page <- list(width = size[1L], height = size[2L] - header)
  layout <- fit_page(fit, depth, nodes, page, direction, cex, looks)
  layout <- colour_layout(layout, view_colours(fit, layout$view, colours), ink_on())
  draw_layers(tree_layers(layout, labels))
  if (labels) report_rest(layout, depth, nodes, name)
  last_drawn$layout <- if (!labels) layout
}

draw_tree_header <- function(title, keys, colours, size) {
  letters <- largest_letters(list(width = size[1L], height = size[2L]))
  if (letters > 1) {
    old <- graphics::par(cex = letters)
    on.exit(graphics::par(old))
  }
  draw_header(title, keys, colours, size)
}

# Arguments of rpart's plot() and text() and of rpart.plot() that only concern looks get a message;
# the rest is returned.
leave_out_looks <- function(names, also = NULL) {
  looks <- intersect(names, c(
    also, "uniform", "branch", "compress", "margin", "minbranch", "nspace", "use.n", "all", "fancy",
    "pretty", "splits", "fwidth", "fheight"
  ))
  if (length(looks)) {
    tec_inform("plot", c(
      "rpart's {.arg {looks}} {?is/are} not available and {?was/were} ignored.",
      i = "The drawing fits the page and has its labels, with the rows of each leaf."
    ))
  }
  numbered <- intersect(names, c(
    "type", "extra", "under", "box.palette", "fallen.leaves", "roundint", "tweak", "shadow.col",
    "varlen", "faclen", "clip.right.labs", "yesno"
  ))
  if (length(numbered)) {
    tec_inform("plot", c(
      "rpart.plot's {.arg {numbered}} {?is/are} not available and {?was/were} ignored.",
      i = "Its style is {.code style = \"rpart.plot\"}.",
      i = "Other texts are chosen by {.arg show} and {.arg branches}."
    ))
  }
  setdiff(names, c(looks, numbered))
}

last_drawn <- new.env(parent = emptyenv())

#' @rdname plot.tec_tree
#' @importFrom graphics text
#' @export
text.tec_tree <- function(x, ...) {
  of_text <- c("cex", "col", "font", "srt", "digits", "minlength", "label")
  check_known(leave_out_looks(dot_names(list(...)), of_text), "x", "text")
  if (is.null(last_drawn$layout)) {
    tec_inform("plot", c(
      "There is nothing to add: {.fn plot} has written the labels.",
      i = "To write them later draw with {.code plot(fit, labels = FALSE)}."
    ))
    return(invisible(x))
  }
  layout <- last_drawn$layout
  old <- graphics::par(xpd = NA, lheight = 0.85)
  on.exit(graphics::par(old))
  draw_layers(c(list(branch_gaps(layout)), word_layers(layout)))
  last_drawn$layout <- NULL
  invisible(x)
}

check_cex <- function(cex, arg = "cex") {
  if (is.null(cex)) {
    return(NULL)
  }
  if (!is_number(cex) || cex <= 0 || !is.finite(cex)) {
    tec_abort(
      "argument", c("{.arg {arg}} must be one positive number.", x = "It is {describe(cex)}.")
    )
  }
  cex
}

# The layout with the colours of its nodes, classes and boxes.
colour_layout <- function(layout, colours, ink) {
  layout[c("colours", "ink")] <- list(colours, ink)
  layout$fill <- box_fills(layout$view, colours, ink)
  layout
}

# All that is drawn, as layers of a chart (chart.R) in inches. Without `labels` the branches of
# leaves have no gaps for their conditions.
tree_layers <- function(layout, labels = TRUE) {
  marks <- switch(layout$direction,
    down = down_layers(layout),
    right = right_layers(layout, labels),
    bare = bare_layers(layout)
  )
  c(marks, if (labels) word_layers(layout))
}

word_layers <- function(layout) {
  if (layout$direction == "bare") {
    return(NULL)
  }
  words <- layout_words(layout)
  list(chart_layer(
    "text",
    x = words$x, y = words$y, text = words$text, colour = words$colour, adj = words$adj,
    font = words$font, letters = layout$cex
  ))
}

layout_words <- function(layout) {
  words <- if (layout$direction == "down") down_words(layout) else right_words(layout)
  words[nzchar(words$text), , drop = FALSE]
}
