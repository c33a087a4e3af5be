# Tested in test-tec_dependence.R.

#' @rdname tec_dependence
#' @export
plot.tec_dependence <- function(x, centre = FALSE, palette = NULL, main = NULL, legend = TRUE,
                                background = NULL, ...) {
  plain_numbers()
  refuse_dots("plot", ...)
  check_page(background, main, legend, palette)
  ink <- ink_on(background %||% graphics::par("bg"))
  draw_chart(individual_chart(x, centre, palette, main, ink), legend, background)
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
  gg_chart(individual_chart(object, centre, palette, main, ink), legend, background)
}

individual_chart <- function(x, centre, palette, main, ink) {
  about <- attr(x, "about")
  if (is.null(about)) {
    tec_abort("argument", c(
      "There is nothing to draw: the table is a part of what {.fn tec_dependence} returned.",
      i = "Draw the whole."
    ))
  }
  centre <- check_flag(centre, "centre", topic = "argument")
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
