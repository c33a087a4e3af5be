# Tested in test-tune-plot.R and test-tune-curves.R.

#' Plot the result of tuning
#'
#' Plots the metric, and below it the number of nodes, against one dimension of the grid: means with
#' one standard error to each side. The chosen setting is a filled point on a dashed line. There is
#' a line for each combination of the other dimensions. `cp`, `alpha` and `rate` have a logarithmic
#' axis, with 0 at its left end. If no numeric setting varies, as in a comparison of criteria, the
#' settings are listed, the best on top. Where rounds of boosting were chosen by early stopping,
#' `against = "rounds"` draws all numbers of rounds of the best settings. `plot()` uses base
#' graphics, `ggplot2::autoplot()` ggplot2.
#'
#' @param x A result of [tec_tune()], or `fit$tuning` of a tree grown by several `q`.
#' @param against The column of the grid on the horizontal axis. `NULL`: `q` if it
#'   varies, otherwise `cp`, `alpha` or the first numeric one that does.
#' @param metric The metric to plot. `NULL`: the one used for the choice.
#' @param col The colours of the lines, used in turn.
#' @param what `"curve"`: the settings that were compared. `"tree"`: the tree of the chosen one,
#'   with `...` as for [plot()][plot.tec_tree] and [autoplot()][autoplot.tec_tree] of a tree; of
#'   forests and boosting what `plot()` of the model draws.
#' @param main,background The title and background colour, as in [plot()][plot.tec_tree].
#' @param ... For `plot()` of curves: `xlim`, `xlab`.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' tuned <- tec_tune(Species ~ ., iris, q = seq(0.2, 4, by = 0.2), min_bucket = c(1, 5))
#' plot(tuned)
#' plot(tuned, what = "tree")
#' plot(tec_tune(Species ~ ., iris, cp = c(0, 0.001, 0.01, 0.1)))
#' plot(tec_tune(Species ~ ., iris, criterion = c("gini", "shannon", "gain_ratio")))
#' @order 1
#' @export
plot.tec_tune <- function(x, against = NULL, metric = NULL, col = NULL, what = c("curve", "tree"),
                          main = NULL, background = NULL, ...) {
  plain_numbers()
  if (!missing(what) && drawn_part(what) == "tree") {
    refuse_curves(against, metric, col)
    graphics::plot(chosen_fit(x, "plot"), main = main, background = background, ...)
    return(invisible(x))
  }
  check_page(background, main)
  given <- list(...)
  drawn <- drawn_settings(x, against, metric, col)
  race <- is.null(drawn$against)
  make <- if (race) race_charts else curve_charts
  charts <- make(drawn, col, ink_on(background %||% graphics::par("bg")))
  charts <- lapply(charts, adjust_chart, given, "plot")
  charts[[1L]]$title <- main %||% charts[[1L]]$title
  draw_charts(charts, if (race) "across" else "down", background = background)
  invisible(x)
}

refuse_curves <- function(against, metric, col) {
  given <- list(against = against, metric = metric, col = col)
  refuse_without("what = \"curve\"", !vapply(given, is.null, NA))
}

# The result with the settings that are drawn; `against` is NULL where they have no order.
drawn_settings <- function(x, against, metric, col) {
  check_tuned(x)
  if (!is.null(col)) check_colours(col, "col")
  metric <- match_choice(metric %||% x$metric[1L], c(x$metric, sizes), "metric")
  drawn <- by_rounds(x, against, metric)
  against <- plot_dimension(drawn, against)
  drawn <- best_curves(drawn, against, metric)
  drawn$against <- against
  drawn$panels <- unique(c(metric, "nodes"))
  drawn
}

drawn_part <- function(what) match_choice(what, c("curve", "tree"), "what")

plot_dimension <- function(x, against) {
  varies <- vapply(x$table[x$grid], function(v) {
    is.numeric(v) && length(unique(v[is.finite(v)])) > 1L
  }, NA)
  numeric <- x$grid[varies]
  if (is.null(against)) {
    first <- c(intersect(c("q", penalties), numeric), numeric)
    return(if (length(first)) first[1L])
  }
  if (length(numeric) == 0L) {
    tec_abort("argument", c(
      "{.arg against} must be a column of the grid.",
      x = "No numeric one varies."
    ))
  }
  match_choice(against, numeric, "against")
}

# With rows for numbers of rounds, if these are what is drawn: where nothing else varies, too.
by_rounds <- function(x, against, metric) {
  alone <- is.null(against) && nrow(x$table) == 1L
  if (is.null(x$paths) || !(alone || identical(against, "rounds"))) {
    return(x)
  }
  value <- x$table[[metric]] * if (is_largest(metric)) -1 else 1
  best <- utils::head(order(seq_along(value) != x$chosen, value), most_curves)
  if (length(best) < nrow(x$table)) {
    tec_inform("curves", c(i = "The {length(best)} best of {nrow(x$table)} settings are drawn."))
  }
  paths <- x$paths[x$paths$setting %in% best, ]
  own <- x$table$rounds[paths$setting]
  marks <- round(seq(1, max(paths$rounds), length.out = 30L))
  paths <- paths[paths$rounds == own | paths$rounds %in% marks, ]
  x$chosen <- which(paths$setting == x$chosen & paths$rounds == x$table$rounds[x$chosen])
  x$table <- paths
  x$grid <- c(x$grid, "rounds")
  x
}

penalties <- c("cp", "alpha")

# Dimensions that are compared by their ratios.
by_ratio <- c(penalties, "rate")

# list(at, axis): where values of a dimension stand, and their axis. Those compared by ratios have a
# logarithmic one, on which 0 stands aside.
dimension_axis <- function(x, name) {
  if (!name %in% by_ratio || !any(x > 0)) {
    range <- range(x)
    if (diff(range) == 0) range <- range + c(-0.5, 0.5)
    tried <- sort(unique(x))
    few <- length(tried) <= 8L && all(diff(tried) >= 0.08 * diff(range))
    axis <- chart_axis(
      name, padded(range, 0.03), if (few) tried, if (few) number_text(tried)
    )
    return(list(at = x, axis = axis))
  }
  size <- range(log10(x[x > 0]))
  tens <- seq(floor(size[1L]), ceiling(size[2L]))
  steps <- if (diff(size) < 1.2) c(1, 2, 5) else 1
  marks <- sort(as.vector(outer(steps, 10^tens)))
  marks <- marks[log10(marks) >= size[1L] - 0.05 & log10(marks) <= size[2L] + 0.05]
  zero <- size[1L] - max(0.4, 0.12 * diff(size))
  at <- ifelse(x > 0, log10(pmax(x, 1e-300)), zero)
  places <- log10(marks)
  text <- number_text(marks)
  if (any(x == 0)) {
    places <- c(zero, places)
    text <- c("0", text)
  }
  list(at = at, axis = chart_axis(name, padded(range(at, places), 0.04), places, text))
}

tuning_caption <- "Filled: the chosen setting; bars: one standard error to each side"

# One chart per panel, with a line for each combination of the other dimensions.
curve_charts <- function(x, col, ink) {
  against <- x$against
  panels <- x$panels
  shown <- is.finite(x$table[[against]])
  table <- x$table[shown, , drop = FALSE]
  line <- curve_of_settings(x, table, against)
  colours <- rep_len(col %||% line_colours(nlevels(line)), nlevels(line))[as.integer(line)]
  if (nlevels(line) == 1L && is.null(col)) colours[] <- ink$text
  place <- dimension_axis(table[[against]], against)
  place$at <- side_by_side(place$at, line)
  chosen <- which(shown) == x$chosen
  lapply(panels, function(measure) {
    last <- measure == panels[length(panels)]
    axis <- place$axis
    if (!last) axis$label <- ""
    bars <- error_range(table, measure)
    range <- padded(range(bars$low, bars$high, na.rm = TRUE), 0.04)
    order <- order(place$at)
    list(
      title = if (nlevels(line) > 1L) attr(line, "title") %||% "" else "",
      keys = if (nlevels(line) > 1L) {
        list(text = levels(line), colours = colours[match(levels(line), line)])
      },
      caption = if (last) tuning_caption,
      x = axis, y = chart_axis(metric_label(measure), range),
      layers = list(
        chart_layer(
          "segment", x = place$at[chosen], xend = place$at[chosen], y = rep(range[1L], sum(chosen)),
          yend = rep(range[2L], sum(chosen)), colour = ink$line, dash = 2
        ),
        chart_layer(
          "segment", x = place$at, xend = place$at, y = bars$low, yend = bars$high,
          colour = grDevices::adjustcolor(colours, 0.5)
        ),
        chart_layer(
          "line", x = place$at[order], y = table[[measure]][order], group = as.integer(line)[order],
          colour = colours[order], width = 1.5
        ),
        chart_layer(
          "point", x = place$at, y = table[[measure]], frame = colours,
          colour = ifelse(chosen, colours, ink$ground), width = ifelse(chosen, 1.3, 0.8)
        )
      )
    )
  })
}

# A factor with a level per curve, and as attribute `title` what the levels are values of.
curve_of_settings <- function(x, table, against) {
  others <- setdiff(varying_columns(x), against)
  # Names are in the title, unless some setting has no value.
  brief <- !anyNA(table[others])
  line <- if (length(others) == 0L) {
    rep("", nrow(table))
  } else if (brief) {
    line_values(table[others])
  } else {
    line_labels(table[others])
  }
  # In the order of the values, not of the results.
  order <- do.call(order, unname(lapply(table[others], order_of_values)))
  structure(
    factor(line, unique(if (length(others)) line[order] else line)),
    title = if (brief) paste(others, collapse = ", ")
  )
}

# Numbers by size, others as they come.
order_of_values <- function(x) if (is.numeric(x)) x else match(x, unique(x))

# The places of lines side by side: lines that share a value of the dimension do not hide each
# other's bars.
side_by_side <- function(at, line) {
  n <- nlevels(line)
  apart <- diff(sort(unique(at)))
  if (n < 2L || length(apart) == 0L) {
    return(at)
  }
  step <- min(0.5 * min(apart), 0.05 * sum(apart)) / n
  at + (as.integer(line) - (n + 1) / 2) * step
}

# The same without the names, which then stand in the title: "tsallis, 1".
line_values <- function(table) join_known(lapply(table, setting_text))

error_range <- function(table, measure) {
  se <- table[[paste0(measure, "_se")]]
  se[is.na(se)] <- 0
  list(low = table[[measure]] - se, high = table[[measure]] + se)
}

# The rows of the settings, in order, the best last.
race_order <- function(x) {
  value <- x$table[[x$metric[1L]]] * if (is_largest(x$metric[1L])) 1 else -1
  rev(order(-value, x$table$nodes, seq_along(value) != x$chosen))
}

# Settings without an order of their own: one below the other, a chart a panel.
race_charts <- function(x, col, ink) {
  rows <- race_order(x)
  table <- x$table[rows, , drop = FALSE]
  labels <- line_labels(table[varying_columns(x)])
  place <- seq_along(rows)
  chosen <- rows == x$chosen
  colour <- if (is.null(col)) ink$text else col[1L]
  lapply(x$panels, function(measure) {
    bars <- error_range(table, measure)
    list(
      title = "", caption = if (measure == x$panels[length(x$panels)]) tuning_caption,
      x = chart_axis(metric_label(measure), padded(range(bars$low, bars$high, na.rm = TRUE), 0.06)),
      y = chart_axis("", c(0.4, length(rows) + 0.6), place, labels, shorten = shorten_middle),
      layers = list(
        chart_layer(
          "segment", x = bars$low, xend = bars$high, y = place, yend = place, colour = colour
        ),
        chart_layer(
          "point", x = table[[measure]], y = place, frame = colour,
          colour = ifelse(chosen, colour, ink$ground), width = ifelse(chosen, 1.3, 0.9)
        )
      )
    )
  })
}

# A plot can show few curves: larger grids show the best settings over some dimensions.

most_curves <- 9L

# The result with, for each value of `against` and of the dimensions that are still told apart, the
# best setting (the chosen one where it is among them). Dimensions give way in the order of the
# grid, until no more than `most_curves` curves are left.
best_curves <- function(x, against, metric) {
  others <- setdiff(varying_columns(x), against)
  kept <- others
  while (length(kept) && n_combined(x$table[kept]) > most_curves) kept <- kept[-1L]
  if (is.null(against) || length(kept) == length(others)) {
    return(x)
  }
  gone <- setdiff(others, kept)
  tec_inform("curves", c(
    i = "Each point is the best of {n_combined(x$table[gone])} combinations of {.arg {gone}}."
  ))
  value <- x$table[[metric]] * if (is_largest(metric)) -1 else 1
  order <- order(seq_along(value) != x$chosen, value, x$table$nodes)
  key <- rlang::inject(paste(!!!unname(x$table[c(against, kept)]), sep = "\r"))
  first <- sort(order[!duplicated(key[order])])
  x$chosen <- match(x$chosen, first)
  x$table <- x$table[first, , drop = FALSE]
  x$grid <- intersect(x$grid, c(against, kept))
  x
}

n_combined <- function(table) nrow(unique(table))
