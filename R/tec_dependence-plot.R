# Tested in test-tec_dependence.R.

#' @rdname tec_dependence
#' @export
plot.tec_dependence <- function(x, centre = FALSE, palette = NULL, main = NULL, legend = TRUE,
                                background = NULL, ...) {
  plain_numbers()
  refuse_dots("plot", ...)
  check_page(background, main, legend, palette)
  ink <- ink_on(background %||% graphics::par("bg"))
  centre <- check_flag(centre, "centre", topic = "argument")
  if (length(drawn_dependence(x)$column) == 2L) {
    charts <- pair_maps(x, centre, palette, main, ink)
    draw_chart_grid(charts, if (isTRUE(legend)) charts[[1L]]$keys, background)
  } else {
    draw_chart(individual_chart(x, centre, palette, main, ink), legend, background)
  }
  invisible(x)
}

#' @rdname tec_dependence
#' @rawNamespace S3method(ggplot2::autoplot, tec_dependence)
#' @rawNamespace export(autoplot.tec_dependence)
autoplot.tec_dependence <- function(object, centre = FALSE, palette = NULL, main = NULL,
                                    legend = TRUE, background = NULL, ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  refuse_dots("autoplot", ...)
  check_page(background, main, legend, palette)
  ink <- ink_on(background %||% theme_ground())
  centre <- check_flag(centre, "centre", topic = "argument")
  chart <- if (length(drawn_dependence(object)$column) == 2L) {
    pair_maps(object, centre, palette, main, ink, one = TRUE)[[1L]]
  } else {
    individual_chart(object, centre, palette, main, ink)
  }
  gg_chart(chart, legend, background)
}

drawn_dependence <- function(x) {
  about <- attr(x, "about")
  if (is.null(about)) {
    tec_abort("argument", c(
      "There is nothing to draw: the table is a part of what {.fn tec_dependence} returned.",
      i = "Draw the whole."
    ))
  }
  about
}

individual_chart <- function(x, centre, palette, main, ink) {
  about <- drawn_dependence(x)
  own <- attr(x, "individual")
  lines <- lines_by_class(x, about, palette, ink)
  if (centre) {
    x$prediction <- from_first(x$prediction, x$class)
    if (!is.null(own)) own$prediction <- from_first(own$prediction, paste(own$class, own$row))
  }
  classes <- !is.null(x$class)
  all <- range(x$prediction, own$prediction, if (classes && !centre) c(0, 1))
  list(
    title = main %||% response_title(about, "Partial dependence"),
    keys = if (isTRUE(lines$n > 1L)) lines$keys,
    caption = if (!is.null(own)) "Thin lines: single rows",
    x = column_axis(about, about$column, padded(range(axis_place(x[[1L]])), 0.02)),
    y = chart_axis(dependence_label(about, lines, classes, centre), padded(all, 0.04)),
    layers = c(row_layers(own, about, palette, ink), mean_layers(x, lines, ink))
  )
}

mean_layers <- function(x, lines, ink) {
  at <- axis_place(x[[1L]])
  c(
    list(chart_layer(
      "line", x = at, y = x$prediction, group = lines$group, colour = lines$colour, width = 2.5
    )),
    if (is.factor(x[[1L]])) {
      list(chart_layer(
        "point", x = at, y = x$prediction, colour = lines$colour, frame = ink$ground, width = 1.1
      ))
    }
  )
}

row_layers <- function(own, about, palette, ink) {
  if (is.null(own)) {
    return(list())
  }
  shown <- lines_by_class(own, about, palette, ink)
  list(chart_layer(
    "line", x = axis_place(own[[1L]]), y = own$prediction, group = paste(own$class, own$row),
    colour = grDevices::adjustcolor(shown$colour, 0.25), width = 0.7
  ))
}

# A heat map of two predictors for each class shown, or for the first.
pair_maps <- function(x, centre, palette, main, ink, one = FALSE) {
  if (centre) abort_one_predictor("centre")
  about <- drawn_dependence(x)
  class <- if (!is.null(x$class)) unique(x$class)
  if (one) class <- class[1L]
  if (length(class)) x <- x[x$class %in% class, ]
  lines <- lines_by_class(x, about, NULL, ink)
  limits <- range(x$prediction)
  at <- pretty(limits, 4L)
  limits <- range(limits, at)
  ends <- class_palette(list(response = list(task = "regression")), palette)
  about$scale <- list(at = at, colours = function(value) {
    ramp_colours((value - limits[1L]) / max(diff(limits), 1e-300), ends)
  })
  about$title <- main %||% response_title(about, "Partial dependence")
  label <- dependence_label(about, lines, length(class) > 0L, FALSE)
  about$caption <- paste0("Colour: ", sub("^Mean", "mean", label), "; beside: the rows")
  cells <- lapply(unclass(x)[1:2], map_cells)
  lapply(if (length(class)) class else NA, function(k) {
    own <- if (is.na(k)) x else x[x$class == k, ]
    value <- matrix(NA_real_, length(cells[[1L]]$value), length(cells[[2L]]$value))
    place <- Map(function(v, c) match(axis_place(v), c$value), unclass(own)[1:2], cells)
    value[cbind(place[[1L]], place[[2L]])] <- own$prediction
    beside <- if (length(class) > 1L) paste0(": ", show_label(as.character(k)))
    f <- list(columns = about$column, x = cells[[1L]], y = cells[[2L]], value = value,
      beside = beside
    )
    function_map(f, about, limits, ink)
  })
}

# The cells of a map reach half the way to the next values; those of levels are all there.
map_cells <- function(x) {
  if (is.factor(x)) {
    at <- seq_len(nlevels(x))
    return(list(value = at, from = at - 0.5, to = at + 0.5))
  }
  at <- sort(unique(as.double(x)))
  at <- at[is.finite(at)]
  between <- at[-1L] - diff(at) / 2
  half <- if (length(at) > 1L) min(diff(at)) / 2 else 0.5
  list(value = at, from = c(at[1L] - half, between), to = c(between, at[length(at)] + half))
}
