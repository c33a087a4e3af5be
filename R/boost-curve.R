#' Learning curve and importance of a boosted model
#'
#' `plot()` draws the loss after each round: on the training rows, on those of `validation`, and the
#' mean over folds with a band of one standard error. A dashed line stands at the rounds of the
#' model.
#'
#' `importance()` gives the share of each predictor in what the splits take off the loss.
#'
#' @param x,object A model from [tec_boost()].
#' @param main A title.
#' @param background The colour of the page.
#' @param ... For `plot()`: `xlim`, `ylim`, `xlab`, `ylab`.
#' @return `plot()` returns `x` invisibly, `importance()` a data frame with `variable` and
#'   `importance`.
#' @family boosting functions
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ ., mtcars, rounds = 60, validation = 0.3, min_bucket = 3)
#' plot(fit)
#' importance(fit)
#' @export
plot.tec_boost <- function(x, main = NULL, background = NULL, ...) {
  plain_numbers()
  check_boost(x)
  check_page(background, main)
  ink <- ink_on(background %||% graphics::par("bg"))
  draw_chart(adjust_chart(curve_chart(x, main, ink), list(...), "plot"), background = background)
  invisible(x)
}

#' @rdname plot.tec_boost
#' @rawNamespace S3method(ggplot2::autoplot, tec_boost)
#' @rawNamespace export(autoplot.tec_boost)
autoplot.tec_boost <- function(object, main = NULL, background = NULL, ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  check_known(dot_names(list(...)), names(formals()), "autoplot")
  check_page(background, main)
  chart <- curve_chart(object, main, ink_on(background %||% theme_ground()))
  gg_chart(chart, background = background)
}

curve_chart <- function(x, main, ink) {
  curve <- x$curve
  shown <- intersect(c("training", "validation", "folds"), names(curve))
  colours <- c(training = "#8C8C8C", validation = raise_colour, folds = lower_colour)[shown]
  text <- c(training = "training rows", validation = "validation rows", folds = "folds")[shown]
  lines <- lapply(shown, function(one) {
    known <- which(!is.na(curve[[one]]))
    data.frame(
      x = curve$round[known], y = curve[[one]][known], colour = colours[[one]], group = one
    )
  })
  lines <- do.call(rbind, lines)
  se <- curve$folds_se
  band <- if (is.null(se)) {
    chart_layer("rect")
  } else {
    chart_layer(
      "rect", xmin = curve$round - 0.5, xmax = curve$round + 0.5, ymin = curve$folds - se,
      ymax = curve$folds + se, colour = grDevices::adjustcolor(lower_colour, 0.25)
    )
  }
  range <- padded(range(lines$y, if (!is.null(se)) c(curve$folds - se, curve$folds + se)), 0.05)
  what <- c(
    squared = "Mean squared error", logistic = "Mean minus log probability",
    multinomial = "Mean minus log probability", exponential = "Error on the tree's weights"
  )[[x$loss]]
  list(
    title = main %||% paste0("Learning curve for ", show_names(x$response$name)),
    keys = list(text = unname(text), colours = unname(colours)),
    x = chart_axis("round", padded(range(curve$round), 0.02)), y = chart_axis(what, range),
    layers = list(
      band,
      chart_layer(
        "segment", x = x$rounds, xend = x$rounds, y = range[1L], yend = range[2L],
        colour = ink$line, dash = 2
      ),
      chart_layer(
        "line", x = lines$x, y = lines$y, group = lines$group, colour = lines$colour, width = 2
      )
    )
  )
}

#' @rdname plot.tec_boost
#' @export
importance.tec_boost <- function(x, ...) {
  check_known(dot_names(list(...)), character(), "importance")
  check_boost(x)
  gain <- x$gain
  if (is.null(gain)) {
    count <- tabulate(abs(x$trees$variable), length(x$columns$name))
    gain <- stats::setNames(count, x$columns$name)
  }
  share <- if (sum(gain) > 0) gain / sum(gain) else gain
  order <- order(-share)
  data.frame(variable = names(share)[order], importance = unname(share)[order])
}
