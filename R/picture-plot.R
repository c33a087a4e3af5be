# Tested in test-chart.R.
# Converts pictures to charts.

# An axis for a column's codes.
column_axis <- function(facts, j, range) {
  columns <- facts$fit$columns
  label <- show_names(columns$name[j])
  if (columns$kind[j] == "numeric") {
    dated <- is.object(columns$ptype[[j]])
    text <- function(at) if (dated) value_text(columns, j, at, 4L) else tick_text(at, 4L)
    return(chart_axis(label, range, text = text))
  }
  levels <- show_label(columns$levels[[j]])
  chart_axis(label, c(0.5, length(levels) + 0.5), seq_along(levels), levels)
}

# A line for each class in its colour, or one in that of the text.
lines_by_class <- function(picture, facts, palette, ink) {
  class <- picture$class
  if (is.null(class)) {
    return(list(group = rep(1L, nrow(picture)), colour = rep(ink$text, nrow(picture))))
  }
  shown <- sort(unique(as.integer(class)))
  colours <- class_palette(facts$fit, palette)
  if (length(shown) == 1L && is.null(palette)) colours[shown] <- ink$text
  text <- show_label(levels(class))
  list(
    group = as.integer(class), colour = colours[as.integer(class)],
    place = match(as.integer(class), shown), n = length(shown),
    one = if (length(shown) == 1L) paste(" of", text[shown]) else "",
    keys = list(text = text[shown], colours = colours[shown])
  )
}

response_title <- function(facts, what) paste0(what, " of ", show_names(facts$fit$response$name))

roc_chart <- function(picture, facts, palette, ink) {
  lines <- lines_by_class(picture, facts, palette, ink)
  area <- sprintf("%.3f", attr(picture, "auc")$auc)
  lines$keys$text <- paste(area, lines$keys$text)
  list(
    title = response_title(facts, "ROC"), keys = lines$keys,
    caption = "Numbers above: area under the curve",
    x = chart_axis("False positive rate", c(-0.02, 1.02)),
    y = chart_axis("True positive rate", c(-0.02, 1.02)),
    layers = list(
      diagonal(c(0, 1), ink),
      chart_layer(
        "line", x = picture$false_positive, y = picture$true_positive, group = lines$group,
        colour = lines$colour, width = 2
      )
    )
  )
}

diagonal <- function(range, ink) {
  chart_layer(
    "segment", x = range[1L], y = range[1L], xend = range[2L], yend = range[2L],
    colour = ink$line, dash = 2
  )
}

calibration_chart <- function(picture, facts, palette, ink) {
  lines <- lines_by_class(picture, facts, palette, ink)
  what <- if (is.null(picture$class)) "mean" else "share"
  range <- padded(
    range(facts$range, picture$low, picture$high, picture$predicted, na.rm = TRUE), 0.02
  )
  some <- !is.na(picture$low)
  list(
    title = response_title(facts, "Calibration"), keys = if (isTRUE(lines$n > 1L)) lines$keys,
    caption = "Bars: 95 % intervals; area of points: rows",
    x = chart_axis(paste0("Predicted ", what, lines$one), range),
    y = chart_axis(paste0("Observed ", what, lines$one), range),
    layers = list(
      diagonal(range, ink),
      chart_layer(
        "segment", x = picture$predicted[some], xend = picture$predicted[some],
        y = picture$low[some], yend = picture$high[some], colour = lines$colour[some]
      ),
      chart_layer(
        "line", x = picture$predicted, y = picture$observed, group = lines$group,
        colour = lines$colour
      ),
      chart_layer(
        "point", x = picture$predicted, y = picture$observed, colour = lines$colour,
        frame = ink$ground, width = 0.7 + 1.3 * sqrt(picture$rows / max(picture$rows))
      )
    )
  )
}

# A range with some room at both ends, also around a single value.
padded <- function(range, share) {
  if (diff(range) == 0) range <- range + c(-0.5, 0.5)
  range + c(-share, share) * diff(range)
}

dependence_chart <- function(picture, facts, palette, ink) {
  lines <- lines_by_class(picture, facts, palette, ink)
  classes <- !is.null(picture$class)
  range <- padded(range(picture$value), 0.06)
  response <- show_names(facts$fit$response$name)
  what <- paste0("Mean prediction of ", response)
  if (classes) what <- paste0("Mean probability", lines$one)
  numeric <- is.null(picture$level)
  draw <- if (numeric) dependence_steps else dependence_levels
  list(
    title = response_title(facts, "Partial dependence"),
    keys = if (isTRUE(lines$n > 1L)) lines$keys,
    caption = if (length(facts$values)) "Marks below: tenths of the distinct values",
    x = column_axis(facts, facts$column, range(picture$from, picture$to)),
    y = chart_axis(what, range), layers = draw(picture, facts, lines, range, ink)
  )
}

dependence_steps <- function(picture, facts, lines, range, ink) {
  twice <- rep(seq_len(nrow(picture)), each = 2L)
  list(
    chart_layer(
      "segment", x = facts$values, xend = facts$values, y = rep(range[1L], length(facts$values)),
      yend = range[1L] + 0.03 * diff(range), colour = ink$line
    ),
    chart_layer(
      "line", x = as.vector(rbind(picture$from, picture$to)), y = picture$value[twice],
      group = lines$group[twice], colour = lines$colour[twice], width = 2
    )
  )
}

dependence_levels <- function(picture, facts, lines, range, ink) {
  n <- lines$n %||% 1L
  at <- as.integer(picture$level) + ((lines$place %||% 1L) - (n + 1) / 2) * 0.5 / n
  list(chart_layer(
    "point", x = at, y = picture$value, colour = lines$colour, frame = ink$ground, width = 1.5
  ))
}
