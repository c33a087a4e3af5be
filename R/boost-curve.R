#' Learning curve and importance of a boosted model
#'
#' `plot()` draws the loss after each round: on the training rows, on those of `validation`, and the
#' mean over folds with a band of one standard error. A dashed line and a point mark the number of
#' rounds of the model.
#'
#' `importance()` adds up how much the splits of each predictor reduce the loss. For AdaBoost it
#' counts the splits. With `type = "permutation"` it measures the increase of the prediction error
#' when the values of the predictor are shuffled, as for [trees][importance].
#'
#' @param x,object A model from [tec_boost()].
#' @param main A title.
#' @param background The colour of the page.
#' @inheritParams importance
#' @param ... For `plot()`: `xlim`, `ylim`, `xlab`, `ylab`.
#' @return `plot()` returns `x` invisibly, `importance()` a data frame of class `tec_importance`, in
#'   decreasing order: `variable`, `importance` and `share` (of the total), for permutation `se`.
#' @family boosting functions
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ ., mtcars, rounds = 60, validation = 0.3, min_bucket = 3)
#' plot(fit)
#' importance(fit)
#' @export
plot.tec_boost <- function(x, main = NULL, background = NULL, ...) {
  check_fit(x)
  plot_chart(x, function(ink) curve_chart(x, ink), main, background, given = list(...))
}

#' @rdname plot.tec_boost
#' @rawNamespace S3method(ggplot2::autoplot, tec_boost)
#' @rawNamespace export(autoplot.tec_boost)
autoplot.tec_boost <- function(object, main = NULL, background = NULL, ...) {
  refuse_dots("autoplot", ...)
  autoplot_chart(function(ink) curve_chart(object, ink), main, background)
}

curve_chart <- function(x, ink) {
  check_fit(x)
  curve <- known_curve(x)
  shown <- intersect(c("training", "validation", "folds"), names(curve))
  colours <- c(training = "#8C8C8C", validation = second_colour, folds = plain_colour)[shown]
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
      ymax = curve$folds + se, colour = grDevices::adjustcolor(plain_colour, 0.25)
    )
  }
  # The loss that chose the rounds is the last.
  judged <- lines[lines$group == shown[length(shown)], ]
  chosen <- judged[judged$x == x$rounds, ]
  range <- padded(range(lines$y, if (!is.null(se)) c(curve$folds - se, curve$folds + se)), 0.05)
  what <- c(
    squared = "Mean squared error", logistic = "Mean minus log probability",
    multinomial = "Mean minus log probability", exponential = "Error on the tree's weights"
  )[[x$loss]]
  list(
    title = paste0("Learning curve for ", show_names(x$response$name)),
    keys = list(text = unname(text), colours = unname(colours)),
    caption = paste("Dashed: the model has", count_text(x$rounds, "round")),
    x = chart_axis("round", padded(range(curve$round), 0.02)), y = chart_axis(what, range),
    layers = list(
      band,
      chart_layer(
        "segment", x = x$rounds, xend = x$rounds, y = range[1L], yend = range[2L],
        colour = ink$line, dash = 2
      ),
      chart_layer(
        "line", x = lines$x, y = lines$y, group = lines$group, colour = lines$colour, width = 2
      ),
      chart_layer(
        "point", x = chosen$x, y = chosen$y, colour = chosen$colour,
        frame = rep(ink$ground, nrow(chosen)), width = rep(1.8, nrow(chosen))
      )
    )
  )
}

#' @rdname plot.tec_boost
#' @export
importance.tec_boost <- function(x, type = c("gain", "permutation"), data = NULL, y = NULL,
                                 repeats = 10L, ...) {
  refuse_dots("importance", ...)
  type <- if (missing(type)) "gain" else type
  rows <- list(data = data, y = y, repeats = repeats, given = !missing(repeats))
  out <- importance_of(x, type, "gain", function(fit) {
    splits <- tabulate(abs(fit$trees$variable), length(fit$columns$name))
    importance_table(fit$columns$name, unname(fit$gain) %||% as.double(splits))
  }, rows, parent.frame())
  # Trees of AdaBoost have no common unit of gain.
  if (type == "gain" && is.null(x$gain)) attr(out, "type") <- "splits"
  out
}
