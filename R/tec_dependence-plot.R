# Tested in test-tec_dependence.R.

#' @rdname tec_dependence
#' @export
plot.tec_dependence <- function(x, centre = FALSE, palette = NULL, main = NULL, legend = TRUE,
                                background = NULL, ...) {
  refuse_dots("plot", ...)
  centre <- check_flag(centre, "centre", topic = "argument")
  if (!is_pair(x)) {
    make <- function(ink) individual_chart(x, centre, palette, ink)
    return(plot_chart(x, make, main, background, palette, legend))
  }
  plain_numbers()
  check_page(background, main, legend, palette)
  charts <- pair_maps(x, centre, palette, ink_on(background %||% graphics::par("bg")))
  charts[[1L]]$title <- main %||% charts[[1L]]$title
  draw_chart_grid(charts, if (isTRUE(legend)) charts[[1L]]$keys, background)
  invisible(x)
}

#' @rdname tec_dependence
#' @rawNamespace S3method(ggplot2::autoplot, tec_dependence)
#' @rawNamespace export(autoplot.tec_dependence)
autoplot.tec_dependence <- function(object, centre = FALSE, palette = NULL, main = NULL,
                                    legend = TRUE, background = NULL, ...) {
  refuse_dots("autoplot", ...)
  centre <- check_flag(centre, "centre", topic = "argument")
  if (!is_pair(object)) {
    make <- function(ink) individual_chart(object, centre, palette, ink)
    return(autoplot_chart(make, main, background, palette, legend))
  }
  make <- function(ink) in_panels(pair_maps(object, centre, palette, ink), unique(object$class))
  out <- autoplot_chart(make, main, background, palette, legend)
  if (length(unique(object$class)) < 2L) out else out + gg_panels(background)
}

is_pair <- function(x) length(drawn_dependence(x)$column) == 2L

# The maps of several classes as one, with the class of each row.
in_panels <- function(charts, class) {
  out <- charts[[1L]]
  for (i in seq_along(out$layers)) {
    out$layers[[i]]$data <- do.call(rbind, Map(function(chart, k) {
      data <- chart$layers[[i]]$data
      data$panel <- rep(class[k], nrow(data))
      data
    }, charts, seq_along(charts)))
  }
  out
}

gg_panels <- function(background) {
  ink <- ink_on(background %||% theme_ground())
  .data <- rlang::.data
  label <- function(x) list(show_label(as.character(x[[1L]])))
  list(
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), labeller = label),
    ggplot2::theme(strip.text = ggplot2::element_text(colour = ink$text, size = 9))
  )
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

individual_chart <- function(x, centre, palette, ink) {
  about <- drawn_dependence(x)
  own <- attr(x, "individual")
  lines <- lines_by_class(x, about, palette, ink)
  if (centre) {
    x$prediction <- from_first(x$prediction, x$class)
    if (!is.null(own)) own$prediction <- from_first(own$prediction, paste(own$class, own$row))
  }
  classes <- !is.null(x$class)
  range <- padded(range(x$prediction, own$prediction), 0.06)
  across <- padded(range(axis_place(x[[1L]])), 0.02)
  rug <- about$rug[about$rug >= across[1L] & about$rug <= across[2L]]
  caption <- c(
    if (!is.null(own)) "Thin lines: single rows",
    if (length(rug)) "Marks below: values in the data"
  )
  list(
    title = response_title(about, "Partial dependence"),
    keys = if (isTRUE(lines$n > 1L)) lines$keys,
    caption = if (length(caption)) paste(caption, collapse = "; "),
    x = column_axis(about, about$column, across),
    y = chart_axis(dependence_label(about, lines, classes, centre), range),
    layers = c(
      list(chart_layer(
        "segment", x = rug, xend = rug, y = rep(range[1L], length(rug)),
        yend = range[1L] + 0.025 * diff(range), colour = rep(ink$line, length(rug))
      )),
      row_layers(own, about, palette, ink), mean_layers(x, lines, ink)
    )
  )
}

mean_layers <- function(x, lines, ink) {
  at <- axis_place(x[[1L]])
  levels <- is.factor(x[[1L]])
  list(
    # No line joins levels without an order.
    if (levels && !is.ordered(x[[1L]])) {
      chart_layer("line")
    } else {
      chart_layer(
        "line", x = at, y = x$prediction, group = lines$group, colour = lines$colour, width = 2.5
      )
    },
    if (levels) {
      chart_layer(
        "point", x = at, y = x$prediction, colour = lines$colour, frame = ink$ground, width = 1.5
      )
    } else {
      chart_layer("point")
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

# A heat map of two predictors for each class shown.
pair_maps <- function(x, centre, palette, ink) {
  if (centre) abort_one_predictor("centre")
  about <- drawn_dependence(x)
  class <- if (!is.null(x$class)) unique(x$class)
  lines <- lines_by_class(x, about, NULL, ink)
  limits <- range(x$prediction)
  at <- pretty(limits, 4L)
  limits <- range(limits, at)
  ends <- class_palette(list(response = list(task = "regression")), palette)
  about$scale <- list(at = at, colours = function(value) {
    ramp_colours((value - limits[1L]) / max(diff(limits), 1e-300), ends)
  })
  about$title <- response_title(about, "Partial dependence")
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
