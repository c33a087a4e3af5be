#' Plot a forest
#'
#' Draws the out-of-bag error after each tree, the importance of the predictors, or the error of the
#' values of `q` that were compared. `plot()` uses base graphics, `autoplot()` ggplot2. A single
#' tree is drawn by `plot(fit[[3]])`.
#'
#' The error is the share of wrong classes by votes, or the mean squared error.
#'
#' @param x,object A forest from [tec_forest()].
#' @param type `"error"`, `"importance"` or `"tuning"`.
#' @param main The title; `""` is none.
#' @param background The colour of the page, as in [plot()][plot.tec_tree].
#' @param ... For `"importance"`: `most` and `col` of [plot.tec_importance()]. For `plot()` of the
#'   others: `xlim`, `ylim`, `xlab`, `ylab`.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 100, q = c(0.5, 1, 2, 4), threads = 2)
#' plot(fit)
#' plot(fit, type = "importance")
#' plot(fit, type = "tuning")
#' @export
plot.tec_forest <- function(x, type = c("error", "importance", "tuning"), main = NULL,
                            background = NULL, ...) {
  type <- if (missing(type)) "error" else match_choice(type, forest_plots, "type")
  check_is_forest(x, "plot")
  if (type == "importance") {
    plot.tec_importance(importance.tec_forest(x), main = main, background = background, ...)
    return(invisible(x))
  }
  plot_chart(x, function(ink) forest_chart(x, type, ink), main, background, given = list(...))
}

forest_plots <- c("error", "importance", "tuning")

#' @rdname plot.tec_forest
#' @rawNamespace S3method(ggplot2::autoplot, tec_forest)
#' @rawNamespace export(autoplot.tec_forest)
autoplot.tec_forest <- function(object, type = c("error", "importance", "tuning"), main = NULL,
                                background = NULL, ...) {
  need_package("ggplot2", "autoplot")
  type <- if (missing(type)) "error" else match_choice(type, forest_plots, "type")
  check_is_forest(object, "autoplot")
  if (type == "importance") {
    return(autoplot.tec_importance(
      importance.tec_forest(object), main = main, background = background, ...
    ))
  }
  refuse_dots("autoplot", ...)
  autoplot_chart(function(ink) forest_chart(object, type, ink), main, background)
}

forest_chart <- function(fit, type, ink) {
  if (type == "error") error_chart(fit, ink) else forest_tuning_chart(fit, ink)
}

error_label <- function(fit) {
  if (fit$response$task == "classification") "Share of wrong classes" else "Mean squared error"
}

error_chart <- function(fit, ink) {
  curve <- fit$oob$curve
  known <- which(is.finite(curve))
  if (length(known) == 0L) {
    tec_abort("oob", c(
      "There is no out-of-bag error to draw.",
      x = if (is.null(fit$oob)) "The forest has none." else "Every tree has all rows."
    ))
  }
  title <- paste("Out-of-bag error of", show_names(fit$response$name))
  at <- if (length(known) > 1L) known else rep(known, 2L) + c(-0.5, 0.5)
  list(
    title = title,
    x = chart_axis("Trees", c(0, max(at) * 1.02)),
    y = chart_axis(error_label(fit), padded(range(curve[known]), 0.05)),
    layers = list(chart_layer(
      "line", x = at, y = rep_len(curve[known], length(at)), group = 1L, colour = ink$text,
      width = 1.5
    ))
  )
}

forest_tuning_chart <- function(fit, ink) {
  table <- fit$tuning
  if (is.null(table)) {
    tec_abort("argument", c(
      "There is nothing to compare: the forest was grown with one {.arg q}.",
      i = "Give several: {.code tec_forest(..., q = c(0.5, 1, 2))}."
    ))
  }
  name <- names(table)[2L]
  order <- order(table[[2L]])
  list(
    title = paste("Out-of-bag error by", name),
    x = chart_axis(name, padded(range(table[[2L]]), 0.03)),
    y = chart_axis(error_label(fit), padded(range(table$error), 0.05)),
    layers = list(
      chart_layer(
        "line", x = table[[2L]][order], y = table$error[order], group = 1L, colour = ink$text,
        width = 1.5
      ),
      chart_layer(
        "point", x = table[[2L]], y = table$error, frame = ink$text,
        colour = ifelse(table$chosen, ink$text, ink$ground),
        width = ifelse(table$chosen, 1.3, 0.8)
      )
    )
  )
}
