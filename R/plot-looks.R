# Tested in test-plot-conditions.R, test-plot-leaf.R, test-plot-show.R and test-plot-colours.R.
# The style of a drawn tree: its texts, the plots in its nodes, and the rows for them.

leaf_kinds <- list(
  classification = c("stack", "columns"), regression = c("value", "histogram", "density")
)

# Width and height of each in lines of text.
leaf_sizes <- list(
  none = c(2.4, 0), stack = c(2.4, 0.7), columns = c(3.5, 2.2), value = c(2.4, 0),
  histogram = c(4.5, 2.2), density = c(4.5, 2.2)
)

branch_texts <- c("condition", "value", "yes/no", "left/right")
plot_styles <- c("tectree", "rpart.plot")

# list(show, branches, style, leaf, leaf_size, strip_size, by_rows, path, whole_path, fit, rows):
# `whole_path` says whether all of a path is drawn, however many levels there are; `rows` has the
# node where each row ends, its response and its coded values, where pictures need them.
tree_looks <- function(fit, show = NULL, leaves = NULL, strips = FALSE, path = NULL,
                       by_rows = FALSE, data = NULL, env = NULL, branches = NULL,
                       style = "tectree") {
  style <- match_choice(style, plot_styles, "style")
  filled <- style == "rpart.plot"
  branches <- branches %||% if (filled) "yes/no" else "condition"
  branches <- match_choice(branches, branch_texts, "branches")
  kinds <- leaf_kinds[[fit$response$task]]
  leaf <- if (is.null(leaves)) kinds[1L] else match_choice(leaves, kinds, "leaves")
  if (filled && is.null(leaves)) leaf <- "none"
  if (fit$response$task == "classification" && length(fit$response$levels) == 0L) leaf <- "none"
  strips <- check_flag(strips, "strips", topic = "argument")
  of_rows <- strips || leaf %in% c("histogram", "density")
  if (!of_rows) refuse_without("strips = TRUE", c(data = !is.null(data)))
  size <- leaf_sizes[[leaf]]
  response <- c(
    fit$response[c("name", "task", "levels")], list(tested = !is.null(fit$tree$test))
  )
  # Every class has a visible column.
  if (leaf == "columns") size[1L] <- max(size[1L], 0.35 * length(fit$response$levels))
  list(
    show = check_show(show, response, branches, filled), branches = branches, style = style,
    response = response, leaf = leaf, leaf_size = size,
    strip_size = if (strips) c(7, 3.2) else c(0, 0),
    by_rows = check_flag(by_rows, "by_rows", topic = "argument"),
    path = row_path(fit, path, env), whole_path = !is.null(path), fit = if (strips) fit,
    rows = if (of_rows) drawn_rows(fit, data, env)
  )
}

drawn_rows <- function(fit, data, env) {
  y <- NULL
  if (is.null(data)) {
    found <- training_rows(fit, "plot", env)
    data <- found$data
    y <- found$y
  }
  data <- check_newdata(data, "data")
  values <- code_rows(fit, data, env, "data")
  truth <- node_response(fit, data, y, env)
  node <- route_rows(fit, values, nrow(data))
  known <- which(!is.na(truth))
  if (length(known) == 0L) {
    tec_abort("data", "No row of {.arg data} has a response.")
  }
  list(
    node = node[known], y = truth[known],
    values = lapply(values, function(v) if (length(v)) as.double(v)[known]),
    last = subtree_ends(fit$tree), range = range(truth[known])
  )
}

# The rows that reach a node.
rows_of <- function(rows, node) which(rows$node >= node & rows$node <= rows$last[node])

# The last node below each, in pre-order: a node reaches as far as its last child does.
subtree_ends <- function(tree) {
  end <- seq_along(tree$parent)
  for (i in rev(end)[-length(end)]) {
    if (end[i] > end[tree$parent[i]]) end[tree$parent[i]] <- end[i]
  }
  end
}

# Colours of classes and numbers.

# Fourteen colours that colour-blind people can distinguish: those of Okabe and Ito (2008)
# without black, then seven chosen such that any two differ by 10 or more (CIEDE2000), as
# seen by trichromats and in simulations of protanopia, deuteranopia and tritanopia. The
# first four also differ in grey, by 11 or more in lightness (CIE L*).
apart_colours <- c(
  "#E69F00", "#0072B2", "#F0E442", "#009E73", "#56B4E9", "#D55E00", "#CC79A7",
  "#3C3C3C", "#960F00", "#C3E1F0", "#780069", "#5A6969", "#0000D2", "#C3C3B4"
)

class_colours <- function(k) shaded(apart_colours, k)

# Those of the fourteen that are visible as thin lines on white. The first four also differ in
# grey.
line_colours <- function(n) {
  shaded(apart_colours[c(2L, 1L, 4L, 11L, 6L, 5L, 7L, 8L, 9L, 12L, 13L)], n)
}

# Further classes get darker shades.
shaded <- function(base, k) {
  most <- length(base)
  colours <- base[(seq_len(k) - 1L) %% most + 1L]
  if (k <= most) {
    return(colours)
  }
  shade <- (seq_len(k) - 1L) %/% most
  mix <- shade / (max(shade) + 1)
  grDevices::rgb(t(grDevices::col2rgb(colours) / 255 * rep(1 - 0.65 * mix, each = 3)))
}

# Light to dark blue for numbers.
number_colours <- c("#DEEBF7", "#0072B2")

value_colours <- function(x, ends = number_colours) {
  range <- range(x)
  at <- if (diff(range) > 0) (x - range[1L]) / diff(range) else rep(0.5, length(x))
  grDevices::rgb(grDevices::colorRamp(ends)(at), maxColorValue = 255)
}

# The colours of all classes, or the ends of the scale of numbers.
class_palette <- function(fit, palette) {
  numbers <- fit$response$task == "regression"
  needed <- if (numbers) 2L else length(fit$response$levels)
  out <- palette %||% if (numbers) number_colours else class_colours(needed)
  if (length(out) < needed) abort_palette(needed, palette)
  out
}

# Names, codes such as "#0072B2", or numbers of R's palette().
are_colours <- function(x) {
  (is.character(x) || is.numeric(x) && !is.object(x) && all_in_range(x, 0, 1e6)) &&
    is.null(dim(x)) && length(x) > 0L && !anyNA(x) &&
    !inherits(try(grDevices::col2rgb(x), silent = TRUE), "try-error")
}

check_colours <- function(x, arg, several = TRUE) {
  if (!are_colours(x) || !several && length(x) != 1L) {
    what <- if (several) "colours" else "one colour"
    tec_abort("argument", c("{.arg {arg}} must be {what}.", x = "It is {describe(x)}."))
  }
  x
}

# list(class = a colour per class, node = a colour per node drawn, shares).
view_colours <- function(fit, view, colours) {
  if (fit$response$task == "regression") {
    return(list(node = value_colours(view$yval, colours)))
  }
  list(class = colours, node = colours[view$yval], shares = attr(view, "shares"))
}

abort_palette <- function(needed, palette) {
  tec_abort("argument", c(
    "{.arg palette} must have {needed} colour{?s}.",
    x = "It has {length(palette)}."
  ))
}

# Colours for light and dark backgrounds.

is_dark <- function(colour) {
  if (is.null(colour) || is.na(colour) || colour == "transparent") {
    return(FALSE)
  }
  sum(grDevices::col2rgb(colour) * c(0.299, 0.587, 0.114)) < 130
}

# ground: the page; text; line: branches, axes; faint: grids; box: inner nodes; leaf: leaves.
ink_on <- function(ground = graphics::par("bg")) {
  if (is_dark(ground)) {
    return(list(
      ground = ground, text = "grey93", line = "grey70", frame = "grey75", faint = "grey35",
      box = "grey25", box_frame = "grey55", leaf = "grey12"
    ))
  }
  list(
    ground = if (is.null(ground) || ground %in% c("transparent", NA)) "white" else ground,
    text = "black", line = "grey45", frame = "grey40", faint = "grey88", box = "grey94",
    box_frame = "grey70", leaf = "white"
  )
}

# Arguments that all charts share.
check_page <- function(background, main, legend = TRUE, palette = NULL) {
  check_flag(legend, "legend", topic = "argument")
  if (!is.null(palette)) check_colours(palette, "palette")
  check_one_text(main, "main")
  if (is.null(background)) {
    return(invisible())
  }
  if (!is.character(background) || length(background) != 1L || !are_colours(background)) {
    tec_abort("argument", c(
      "{.arg background} must be one colour.", x = "It is {describe(background)}."
    ))
  }
}

check_one_text <- function(x, arg) {
  if (is.null(x)) {
    return(invisible())
  }
  if (!is_string(x)) {
    tec_abort("argument", c("{.arg {arg}} must be one text.", x = "It is {describe(x)}."))
  }
  utf8_text(x, paste0("{.arg ", arg, "}"), "argument", function(at) c("Text", at))
}

check_limits <- function(x, arg) {
  right <- is.numeric(x) && length(x) == 2L && all(is.finite(x)) && x[1L] != x[2L]
  if (!is.null(x) && !right) {
    tec_abort("argument", c("{.arg {arg}} must be two numbers.", x = "It is {describe(x)}."))
  }
}

# Fills the figure that was just opened; its layout may hold others.
paint_ground <- function(background) {
  if (is.null(background)) {
    return(invisible())
  }
  graphics::par(bg = background, new = FALSE)
  x <- graphics::grconvertX(0:1, "nfc", "user")
  y <- graphics::grconvertY(0:1, "nfc", "user")
  graphics::rect(x[1L], y[1L], x[2L], y[2L], col = background, border = NA, xpd = NA)
}
