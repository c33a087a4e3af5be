#' Plot a forest
#'
#' Draws the out-of-bag error after each tree, the importance of the predictors, the error of the
#' values of `q` that were compared, ROC curves, the calibration, or the proximity of rows. `plot()`
#' uses base graphics, `ggplot2::autoplot()` ggplot2. A single tree is drawn by `plot(fit[[3]])`.
#'
#' * `"error"` is the share of wrong classes by votes, or the mean squared error.
#' * `"roc"` and `"calibration"` compare predictions with the response, see [tec_picture()]: the
#'   out-of-bag predictions of the training rows, or those of `data`.
#' * `"proximity"` places rows in two dimensions, so that rows that share many leaves are close:
#'   classical scaling ([cmdscale()]) of the distances `sqrt(1 - proximity)`, see [tec_proximity()].
#'   With more than 500 rows, 500 at equal steps are drawn. Colours show the response.
#'
#' @param x,object A forest from [tec_forest()].
#' @param type `"error"`, `"importance"`, `"tuning"`, `"roc"`, `"calibration"` or `"proximity"`.
#' @param main The title; `""` is none.
#' @param background The colour of the page, as in [plot()][plot.tec_tree].
#' @param ... For `"importance"`: `most` and `col` of [plot.tec_importance()]. For `plot()` of the
#'   others: `xlim`, `ylim`, `xlab`, `ylab`.
#' @param data For `"roc"` and `"calibration"`: new rows with their response. For `"proximity"`: the
#'   rows to draw. `NULL` is the training rows, if they can be found.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 100, q = c(0.5, 1, 2, 4), threads = 2)
#' plot(fit)
#' plot(fit, type = "importance")
#' plot(fit, type = "tuning")
#' plot(fit, type = "roc")
#' plot(fit, type = "calibration")
#' plot(fit, type = "proximity")
#' @export
plot.tec_forest <- function(x, type = c("error", "importance", "tuning", "roc", "calibration",
                                        "proximity"),
                            main = NULL, background = NULL, ..., data = NULL) {
  type <- if (missing(type)) "error" else match_choice(type, forest_plots, "type")
  check_is_forest(x, "plot")
  check_forest_data(data, type)
  if (type == "importance") {
    plot.tec_importance(importance.tec_forest(x), main = main, background = background, ...)
    return(invisible(x))
  }
  shown <- forest_shown(x, type, data, parent.frame())
  plot_chart(x, function(ink) forest_chart(x, type, ink, shown), main, background,
    given = list(...)
  )
}

forest_plots <- c("error", "importance", "tuning", "roc", "calibration", "proximity")

#' @rdname plot.tec_forest
#' @rawNamespace S3method(ggplot2::autoplot, tec_forest)
#' @rawNamespace export(autoplot.tec_forest)
autoplot.tec_forest <- function(object, type = c("error", "importance", "tuning", "roc",
                                                 "calibration", "proximity"),
                                main = NULL, background = NULL, ..., data = NULL) {
  need_package("ggplot2", "autoplot")
  type <- if (missing(type)) "error" else match_choice(type, forest_plots, "type")
  check_is_forest(object, "autoplot")
  check_forest_data(data, type)
  if (type == "importance") {
    return(autoplot.tec_importance(
      importance.tec_forest(object), main = main, background = background, ...
    ))
  }
  refuse_dots("autoplot", ...)
  shown <- forest_shown(object, type, data, parent.frame())
  autoplot_chart(function(ink) forest_chart(object, type, ink, shown), main, background)
}

check_forest_data <- function(data, type) {
  if (!is.null(data) && !type %in% c("roc", "calibration", "proximity")) {
    abort_only_with("data", "type = \"roc\", \"calibration\" or \"proximity\"")
  }
}

# What charts of rows show: a picture, or the places of rows.
forest_shown <- function(fit, type, data, env) {
  if (!type %in% c("roc", "calibration", "proximity")) {
    return(NULL)
  }
  if (type == "roc") check_roc_task(fit)
  rows <- if (is.null(data)) training_rows(fit, "plot", env) else list(data = check_newdata(data))
  truth <- node_response(fit, rows$data, rows$y, env)
  if (type == "proximity") {
    return(row_places_of(fit, rows$data, truth))
  }
  what <- if (fit$response$task == "classification") "prob" else "response"
  predicted <- if (is.null(data)) {
    out_of_bag(fit, what)
  } else {
    predict_coded(fit, code_rows(fit, rows$data, env, "data"), nrow(rows$data), what)
  }
  predicted <- as.matrix(predicted)
  known <- which(!is.na(truth) & !is.na(predicted[, 1L]))
  if (length(known) == 0L) {
    tec_abort("data", "No row has a response and a prediction.")
  }
  judged <- list(truth = truth[known], predicted = predicted[known, , drop = FALSE])
  list(
    picture = if (type == "roc") roc_of(fit, judged) else calibration_of(fit, judged),
    rows = if (is.null(data)) "Out-of-bag predictions"
  )
}

# list(x, y, truth, n): places in two dimensions, by the trees in which rows share a leaf.
row_places_of <- function(fit, data, truth, most = 500L) {
  n <- nrow(data)
  at <- if (n > most) round(seq(1, n, length.out = most)) else seq_len(n)
  if (n < 3L) tec_abort("data", "{.code type = \"proximity\"} needs three rows or more.")
  near <- tec_proximity(fit, data[at, , drop = FALSE])
  place <- stats::cmdscale(sqrt(pmax(1 - near, 0)), k = 2L)
  points <- cbind(place, matrix(0, length(at), 2L))[, 1:2]
  list(x = points[, 1L], y = points[, 2L], truth = truth[at], n = n)
}

forest_chart <- function(fit, type, ink, shown = NULL) {
  if (type %in% c("roc", "calibration")) {
    chart <- picture_chart(shown$picture, NULL, ink)
    chart$caption <- paste(c(shown$rows, chart$caption), collapse = ". ")
    return(chart)
  }
  switch(type,
    error = error_chart(fit, ink), tuning = forest_tuning_chart(fit, ink),
    proximity = proximity_chart(fit, shown, ink)
  )
}

proximity_chart <- function(fit, shown, ink) {
  known <- which(!is.na(shown$truth))
  truth <- shown$truth[known]
  classes <- fit$response$task == "classification"
  palette <- class_palette(fit, NULL)
  keys <- if (classes) {
    list(text = show_label(fit$response$levels), colours = palette)
  } else {
    list(text = plot_numbers(range(truth)), colours = palette[c(1L, length(palette))])
  }
  n <- length(shown$x)
  list(
    title = paste("Proximity of rows by", show_names(fit$response$name)), keys = keys,
    caption = paste0(
      "Close rows share many leaves", if (n < shown$n) paste0("; ", n, " of ", shown$n, " rows")
    ),
    x = chart_axis("first dimension", padded(range(shown$x), 0.05)),
    y = chart_axis("second dimension", padded(range(shown$y), 0.05)),
    layers = list(chart_layer(
      "point", x = shown$x[known], y = shown$y[known], frame = ink$line, width = 1,
      colour = if (classes) palette[truth] else value_colours(truth, palette)
    ))
  )
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
