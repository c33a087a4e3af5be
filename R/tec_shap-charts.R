# Shapley values as charts.

raise_colour <- "#D55E00"
lower_colour <- "#0072B2"
# From low to high values of a predictor; the middle is visible on light and dark pages.
data_colours <- c("#0072B2", "#B9A3B8", "#D55E00")
no_order_colour <- "#8C8C8C"

waterfall_chart <- function(x, options, ink) {
  row <- check_count(options$row, "row", least = 1)
  if (row > nrow(x$data)) {
    tec_abort("argument", c(
      "{.arg row} must be at most {nrow(x$data)}, the number of rows explained.",
      x = "It is {row}."
    ))
  }
  one <- one_output(x, options$class, likeliest_class(x, row))
  bars <- waterfall_bars(x, one, row, options$most)
  n <- nrow(bars)
  y <- seq_len(n)
  end <- bars$to[n]
  range <- padded(range(bars$from, bars$to), 0.06)
  list(
    title = paste0("Row ", row, ": ", shap_quantity(x, one$class), " ", number_text(end, 4L)),
    keys = list(text = c("raises", "lowers"), colours = c(raise_colour, lower_colour)),
    caption = paste0(
      "From the baseline ", number_text(one$baseline, 4L), " at the bottom to the prediction ",
      number_text(end, 4L)
    ),
    x = chart_axis(if (is.null(one$class)) shap_quantity(x, NULL) else "probability", range),
    y = chart_axis("", c(0.4, n + 0.6), y, bars$text, shorten = shorten_middle),
    layers = list(
      chart_layer(
        "segment", x = c(one$baseline, end), xend = c(one$baseline, end), y = 0.4, yend = n + 0.6,
        colour = ink$line, dash = 2
      ),
      chart_layer(
        "rect", xmin = pmin(bars$from, bars$to), xmax = pmax(bars$from, bars$to),
        ymin = y - 0.34, ymax = y + 0.34,
        colour = ifelse(bars$to >= bars$from, raise_colour, lower_colour)
      ),
      chart_layer(
        "segment", x = bars$to[-n], xend = bars$to[-n], y = y[-n] + 0.34, yend = y[-1L] - 0.34,
        colour = rep(ink$text, n - 1L)
      )
    )
  )
}

likeliest_class <- function(x, row) {
  if (length(dim(x$values)) == 2L) 1L else which.max(x$baseline + colSums(x$values[row, , ]))
}

# The smallest at the bottom, below them the sum of those without a bar of their own.
waterfall_bars <- function(x, one, row, most) {
  value <- one$values[row, ]
  order <- order(-abs(value))
  shown <- order[seq_len(min(length(order), if (length(order) > most) most - 1L else most))]
  shown <- shown[value[shown] != 0 | seq_along(shown) == 1L]
  rest <- setdiff(order, shown)
  move <- rev(value[shown])
  name <- show_names(names(x$data)[rev(shown)])
  text <- paste0(name, " = ", vapply(x$data[rev(shown)], function(v) cell_text(v[row]), ""))
  if (any(value[rest] != 0)) {
    move <- c(sum(value[rest]), move)
    text <- c(count_text(length(rest), "other"), text)
  }
  to <- one$baseline + cumsum(move)
  data.frame(
    text = paste0(text, "  ", ifelse(move < 0, "", "+"), number_text(move, 3L)),
    from = c(one$baseline, to[-length(to)]), to = to
  )
}

beeswarm_chart <- function(x, options, ink) {
  one <- one_output(x, options$class, usual_class(x))
  order <- order(-colMeans(abs(one$values)))
  order <- utils::head(order, options$most)
  range <- padded(range(0, one$values[, order]), 0.04)
  parts <- lapply(seq_along(order), function(i) {
    value <- one$values[, order[i]]
    data.frame(
      x = value, y = swarm(value, range) - i, colour = data_colour(x$data[[order[i]]])
    )
  })
  points <- do.call(rbind, parts)
  y <- -seq_along(order)
  list(
    title = shap_title(x, one$class), keys = data_keys(points$colour),
    x = chart_axis(shap_axis_title(x, one$class), range),
    y = chart_axis(
      "", c(min(y) - 0.6, -0.4), y, show_names(names(x$data)[order]), shorten = shorten_middle
    ),
    layers = list(
      chart_layer("segment", x = 0, xend = 0, y = min(y) - 0.6, yend = -0.4, colour = ink$line),
      chart_layer(
        "point", x = points$x, y = points$y, colour = points$colour, frame = points$colour,
        width = swarm_size(nrow(x$data))
      )
    )
  )
}

# Points side by side become a column around 0, at most 0.4 to each side.
swarm <- function(value, range) {
  bin <- floor((value - range[1L]) / diff(range) * 90)
  count <- stats::ave(value, bin, FUN = length)
  place <- stats::ave(value, bin, FUN = seq_along)
  side <- ifelse(place %% 2 == 0, 1, -1) * (place %/% 2)
  step <- min(0.08, 0.8 / max(count))
  # Few points at one place still lie side by side, many fill the height.
  side * step
}

swarm_size <- function(n) if (n > 1000L) 0.45 else if (n > 200L) 0.6 else 0.8

# By rank among the rows; the same colour for what has no order or is missing.
data_colour <- function(data) {
  ordered <- !is.character(data) && (!is.factor(data) || is.ordered(data) || nlevels(data) == 2L)
  value <- if (ordered) as.numeric(data) else rep(NA_real_, length(data))
  rank <- rank(value, na.last = "keep", ties.method = "average")
  known <- !is.na(rank)
  out <- rep(no_order_colour, length(data))
  if (any(known)) {
    ends <- range(rank[known])
    at <- if (diff(ends) > 0) (rank[known] - ends[1L]) / diff(ends) else rep(0.5, sum(known))
    out[known] <- grDevices::rgb(grDevices::colorRamp(data_colours)(at), maxColorValue = 255)
  }
  out
}

data_keys <- function(colours) {
  some <- any(colours == no_order_colour)
  any_order <- any(colours != no_order_colour)
  list(
    text = c(if (any_order) c("low", "high"), if (some) "missing or without order"),
    colours = c(if (any_order) data_colours[c(1L, 3L)], if (some) no_order_colour)
  )
}

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
      "There is no value of {.field {names(x$data)[j]}} to draw against.",
      x = "It is missing in all rows."
    ))
  }
  colour <- if (is.null(by)) {
    list(points = rep(lower_colour, length(value)))
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

# Where values of a predictor are drawn: levels side by side, their points spread.
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
        chart_axis(
          name, range, seq_len(n), show_label(levels(data)), shorten = shorten_middle
        )
      }
    ))
  }
  at <- as.numeric(data)
  known <- is.finite(at)
  range <- if (any(known)) padded(range(at[known]), 0.03) else c(0, 1)
  text <- if (is.object(data)) function(v) quantity_text(v, data[0L], 7L)
  list(
    at = at, known = known, range = range, axis = function(name) chart_axis(name, range, text = text)
  )
}

# list(points, keys): levels have colours of their own, numbers go from low to high.
colour_by_values <- function(data) {
  if (is.character(data) || is.logical(data)) data <- factor(data)
  if (!is.factor(data) || is.ordered(data)) {
    colours <- data_colour(data)
    return(list(points = colours, keys = data_keys(colours)))
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

shap_importance_chart <- function(x, options, ink) {
  several <- length(dim(x$values)) > 2L && is.null(options$class) && length(x$response$levels) > 2L
  sizes <- if (several) {
    matrix(
      apply(abs(x$values), 2:3, mean), dim(x$values)[2L],
      dimnames = list(NULL, x$response$levels)
    )
  } else {
    one <- one_output(x, options$class, usual_class(x))
    as.matrix(colMeans(abs(one$values)))
  }
  order <- utils::head(order(-rowSums(sizes)), options$most)
  sizes <- sizes[order, , drop = FALSE]
  y <- -seq_along(order)
  end <- t(apply(sizes, 1L, cumsum))
  if (ncol(sizes) == 1L) end <- sizes
  top <- max(end, 1e-300)
  colours <- if (several) class_colours(ncol(sizes)) else lower_colour
  class <- if (!several) one$class
  list(
    title = if (several) {
      paste("Importance by Shapley values for", show_names(x$response$name))
    } else {
      paste("Importance by Shapley values for the", shap_quantity(x, class))
    },
    keys = if (several) list(text = show_label(x$response$levels), colours = colours),
    x = chart_axis(paste("mean absolute", shap_axis_title(x, x$response$levels)), c(-0.01, 1.04) * top),
    y = chart_axis(
      "", c(min(y) - 0.6, -0.4), y, show_names(names(x$data)[order]), shorten = shorten_middle
    ),
    layers = list(
      chart_layer(
        "rect", xmin = as.vector(end - sizes), xmax = as.vector(end), ymin = y - 0.36,
        ymax = y + 0.36, colour = rep(colours, each = length(y))
      ),
      chart_layer("segment", x = 0, xend = 0, y = min(y) - 0.6, yend = -0.4, colour = ink$line)
    )
  )
}
