# Tested in test-tec_shap-plot.R.
# Shapley values as charts.

# One line, or bars without a sign; a second line.
plain_colour <- "#0072B2"
second_colour <- "#D55E00"

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
  ends <- plot_numbers(c(one$baseline, end))
  range <- padded(range(bars$from, bars$to), 0.06)
  # Room for the numbers.
  range[2L] <- range[2L] + 0.12 * diff(range)
  list(
    title = paste0("Row ", row, ": ", shap_quantity(x, one$class), " ", ends[2L]),
    keys = list(text = c("raises", "lowers"), colours = c(raise_colour, lower_colour)),
    caption = paste0(
      "Baseline ", ends[1L], " (bottom), prediction ", ends[2L], " (top)"
    ),
    x = chart_axis(if (is.null(one$class)) shap_quantity(x, NULL) else "probability", range),
    y = chart_axis("", c(0.4, n + 0.6), y, bars$text, shorten = shorten_middle),
    layers = list(
      chart_layer(
        # Before the first bar and after the last: longer lines would cross the numbers.
        "segment", x = c(one$baseline, end), xend = c(one$baseline, end), y = c(0.4, n + 0.34),
        yend = c(0.66, n + 0.6), colour = ink$text, dash = 2
      ),
      chart_layer(
        "rect", xmin = pmin(bars$from, bars$to), xmax = pmax(bars$from, bars$to),
        ymin = y - 0.34, ymax = y + 0.34,
        colour = ifelse(bars$to >= bars$from, raise_colour, lower_colour)
      ),
      chart_layer(
        "segment", x = bars$to[-n], xend = bars$to[-n], y = y[-n] + 0.34, yend = y[-1L] - 0.34,
        colour = rep(ink$text, n - 1L)
      ),
      chart_layer(
        "text",
        x = pmax(bars$from, bars$to), y = y, text = paste0("  ", bars$amount), adj = 0, font = 1,
        letters = 0.8, colour = ink$text
      )
    )
  )
}

likeliest_class <- function(x, row) {
  if (length(dim(x$values)) == 2L) {
    return(1L)
  }
  which.max(x$baseline + colSums(array(x$values[row, , ], dim(x$values)[-1L])))
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
  text <- paste0(name, " = ", vapply(x$data[rev(shown)], function(v) cell_text(v[row], 4L), ""))
  if (any(value[rest] != 0)) {
    move <- c(sum(value[rest]), move)
    text <- c(count_text(length(rest), "other"), text)
  }
  to <- one$baseline + cumsum(move)
  data.frame(
    text = text, amount = paste0(ifelse(move < 0, "", "+"), plot_numbers(move, 3L)),
    from = c(one$baseline, to[-length(to)]), to = to
  )
}

beeswarm_chart <- function(x, options, ink) {
  one <- one_output(x, options$class, usual_class(x))
  order <- largest_first(colMeans(abs(one$values)), options$most)
  range <- padded(range(0, one$values[, order]), 0.04)
  colour <- lapply(order, function(j) swarm_colours(x$data[[j]], show_names(names(x$data)[j])))
  parts <- lapply(seq_along(order), function(i) {
    value <- one$values[, order[i]]
    data.frame(x = value, y = swarm(value, range) - i, colour = colour[[i]]$points)
  })
  points <- do.call(rbind, parts)
  y <- -seq_along(order)
  list(
    title = shap_title(x, one$class), keys = swarm_keys(colour),
    x = chart_axis(shap_axis_title(one$class), range),
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

# At most so many that are not 0, but one in any case.
largest_first <- function(sizes, most) {
  order <- utils::head(order(-sizes), most)
  order[sizes[order] > 0 | seq_along(order) == 1L]
}

# Points side by side become a column around 0, at most 0.4 to each side.
swarm <- function(value, range) {
  bin <- floor((value - range[1L]) / diff(range) * 90)
  count <- stats::ave(value, bin, FUN = length)
  place <- stats::ave(value, bin, FUN = seq_along)
  side <- ifelse(place %% 2 == 0, 1, -1) * (place %/% 2)
  step <- min(0.08, 0.8 / max(count))
  side * step
}

swarm_size <- function(n) if (n > 1000L) 0.45 else if (n > 200L) 0.6 else 0.8

# list(points, keys) of one predictor: levels without an order have colours of their own, which the
# keys name with the predictor.
swarm_colours <- function(data, name) {
  if (is.character(data) || is.logical(data)) data <- factor(data)
  if (!is.factor(data) || is.ordered(data)) {
    points <- data_colour(data)
    return(list(points = points, keys = data_keys(points, "missing")))
  }
  count <- tabulate(data, nlevels(data))
  own <- level_colours()
  shown <- sort(utils::head(order(-count), length(own)))
  colours <- rep(no_order_colour, nlevels(data))
  colours[shown] <- own[seq_along(shown)]
  points <- colours[as.integer(data)]
  points[is.na(points)] <- no_order_colour
  rest <- any(points == no_order_colour)
  list(points = points, keys = list(
    text = c(paste0(name, ": ", show_label(levels(data)[shown])), if (rest) "missing or other"),
    colours = c(colours[shown], if (rest) no_order_colour)
  ))
}

# Apart from each other and from those of low and high.
level_colours <- function() apart_colours[c(4L, 1L, 7L, 5L, 8L, 9L, 11L, 12L)]

# The keys of all predictors, each once, the low and the high first.
swarm_keys <- function(colours) {
  keys <- lapply(colours, `[[`, "keys")
  text <- unlist(lapply(keys, `[[`, "text"))
  colour <- unlist(lapply(keys, `[[`, "colours"))
  first <- !duplicated(paste(text, colour))
  plain <- match(text[first], c("low", "high"), nomatch = 3L)
  rest <- text[first] %in% c("missing", "missing or other")
  order <- order(plain, rest)
  list(text = text[first][order], colours = colour[first][order])
}

# By rank among the rows; the same colour for what has no order or is missing.
data_colour <- function(data) {
  ordered <- !is.character(data) && (!is.factor(data) || is.ordered(data))
  value <- if (ordered) as.numeric(data) else rep(NA_real_, length(data))
  rank <- rank(value, na.last = "keep", ties.method = "average")
  known <- !is.na(rank)
  out <- rep(no_order_colour, length(data))
  if (any(known)) {
    ends <- range(rank[known])
    at <- if (diff(ends) > 0) (rank[known] - ends[1L]) / diff(ends) else rep(0.5, sum(known))
    out[known] <- ramp_colours(at, data_colours)
  }
  out
}

data_keys <- function(colours, other) {
  some <- any(colours == no_order_colour)
  any_order <- any(colours != no_order_colour)
  list(
    text = c(if (any_order) c("low", "high"), if (some) other),
    colours = c(if (any_order) data_colours[c(1L, 3L)], if (some) no_order_colour)
  )
}

# `labels`: of what is measured.
shap_importance_chart <- function(x, options, ink, labels = show_names(names(x$data)),
                                  what = "Importance") {
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
  order <- largest_first(rowSums(sizes), options$most)
  sizes <- sizes[order, , drop = FALSE]
  y <- -seq_along(order)
  end <- t(apply(sizes, 1L, cumsum))
  if (ncol(sizes) == 1L) end <- sizes
  top <- max(end, 1e-300)
  colours <- if (several) class_colours(ncol(sizes)) else plain_colour
  class <- if (!several) one$class
  list(
    title = if (several) {
      paste(what, "by Shapley values for", show_names(x$response$name))
    } else {
      paste(what, "by Shapley values for", shap_subject(x, class))
    },
    keys = if (several) list(text = show_label(x$response$levels), colours = colours),
    x = chart_axis(
      paste("mean absolute", shap_axis_title(x$response$levels)), c(-0.01, 1.04) * top
    ),
    y = chart_axis("", c(min(y) - 0.6, -0.4), y, labels[order], shorten = shorten_middle),
    layers = list(
      chart_layer(
        "rect", xmin = as.vector(end - sizes), xmax = as.vector(end), ymin = y - 0.36,
        ymax = y + 0.36, colour = rep(colours, each = length(y))
      ),
      chart_layer("segment", x = 0, xend = 0, y = min(y) - 0.6, yend = -0.4, colour = ink$line)
    )
  )
}

shap_plots <- c("beeswarm", "waterfall", "dependence", "importance", "interactions")

# list(values = rows x predictors, baseline, class) of one class, or of numbers.
one_output <- function(x, class, default) {
  if (length(dim(x$values)) == 2L) {
    class <- check_shap_class(class, x$response)
    if (!is.null(class) && !identical(class, x$class)) abort_other_class(x, class)
    return(list(values = x$values, baseline = x$baseline, class = x$class))
  }
  class <- check_shap_class(class, x$response) %||% x$response$levels[default]
  list(
    values = matrix(x$values[, , class], dim(x$values)[1L], dimnames = dimnames(x$values)[1:2]),
    baseline = x$baseline[[class]], class = class
  )
}

abort_other_class <- function(x, class) {
  tec_abort("argument", c(
    "{.arg class} must be the class that was explained, {.val {x$class}}.",
    x = "It is {.val {class}}.",
    i = "Call {.fn tec_shap} without {.arg class} to have all classes."
  ))
}

# The second of two classes, as for a probability; otherwise the first.
usual_class <- function(x) if (length(x$response$levels) == 2L) 2L else 1L

check_predictor <- function(x, value, arg) {
  known <- names(x$data)
  if (is.numeric(value) && length(value) == 1L && value %in% seq_along(known)) {
    return(as.integer(value))
  }
  match(match_choice(value, known, arg), known)
}

shap_title <- function(x, class) paste("Shapley values for", shap_subject(x, class))

shap_subject <- function(x, class) {
  paste0("the ", if (is.null(class)) "prediction of ", shap_quantity(x, class))
}

shap_axis_title <- function(class) {
  if (is.null(class)) "change of the prediction" else "change of the probability"
}
