# Tested in test-tec_shap-plot.R.
# The Shapley values of a predictor against its values.

shap_dependence_chart <- function(x, options, ink) {
  one <- one_output(x, options$class, usual_class(x))
  j <- if (is.null(options$predictor)) {
    which.max(colMeans(abs(one$values)))
  } else {
    check_predictor(x, options$predictor, "predictor")
  }
  by <- if (!is.null(options$colour_by)) check_predictor(x, options$colour_by, "colour_by")
  value <- one$values[, j]
  place <- data_places(x$data[[j]], value)
  if (!any(place$known)) {
    tec_abort("argument", c(
      "{.field {names(x$data)[j]}} has no values to draw against.",
      x = "It is missing in all rows."
    ))
  }
  colour <- if (is.null(by)) {
    list(points = rep(plain_colour, length(value)))
  } else {
    colour_by_values(x$data[[by]])
  }
  range <- padded(range(0, value), 0.05)
  name <- show_names(names(x$data)[j])
  keys <- colour$keys
  if (!is.null(by)) keys$text <- paste0(show_names(names(x$data)[by]), ": ", keys$text)
  lost <- sum(!place$known)
  list(
    title = shap_title(x, one$class), keys = keys,
    caption = if (lost) paste("Not drawn:", count_text(lost, "row"), "with a missing value"),
    x = place$axis(name), y = chart_axis(paste("Shapley value of", name), range),
    layers = list(
      chart_layer(
        "segment", x = place$range[1L], xend = place$range[2L], y = 0, yend = 0, colour = ink$line
      ),
      chart_layer(
        "point", x = place$at[place$known], y = value[place$known],
        colour = colour$points[place$known], frame = colour$points[place$known],
        width = swarm_size(length(value))
      )
    )
  )
}

# The positions of a predictor's values: levels side by side, with spread points.
data_places <- function(data, value) {
  if (is.character(data) || is.logical(data)) data <- factor(data)
  if (is.factor(data)) {
    spread <- numeric(length(data))
    range <- padded(range(0, value), 0.05)
    for (level in levels(data)) {
      here <- which(data == level)
      if (length(here)) spread[here] <- swarm(value[here], range)
    }
    n <- max(nlevels(data), 1L)
    range <- c(0.5, n + 0.5)
    return(list(
      at = as.integer(data) + spread, known = !is.na(data), range = range,
      axis = function(name) {
        chart_axis(name, range, seq_len(n), show_label(levels(data)), shorten = shorten_middle)
      }
    ))
  }
  at <- as.numeric(data)
  known <- is.finite(at)
  range <- if (any(known)) padded(range(at[known]), 0.03) else c(0, 1)
  text <- if (is.object(data)) function(v) quantity_text(v, data[0L], 7L)
  list(
    at = at, known = known, range = range,
    axis = function(name) chart_axis(name, range, text = text)
  )
}

# list(points, keys): each level has its own colour, and numbers go from low to high.
colour_by_values <- function(data) {
  if (is.character(data) || is.logical(data)) data <- factor(data)
  if (!is.factor(data) || is.ordered(data)) {
    colours <- data_colour(data)
    return(list(points = colours, keys = data_keys(colours, "missing")))
  }
  colours <- class_colours(nlevels(data))
  points <- colours[as.integer(data)]
  points[is.na(points)] <- no_order_colour
  lost <- anyNA(data)
  list(points = points, keys = list(
    text = c(show_label(levels(data)), if (lost) "missing"),
    colours = c(colours, if (lost) no_order_colour)
  ))
}
