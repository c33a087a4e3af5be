#' Plot the functions of a boosted model
#'
#' Without `term`, `plot()` gives an overview: the strength of each function, then the strongest
#' functions in a grid. Those of one predictor share the vertical axis. Functions of numbers are
#' steps, those of factors are bars, and those of pairs are heat maps. The histogram below a
#' function shows the training rows. With [bags][tec_boost], a band covers two standard deviations
#' over them. `autoplot()` draws one function with ggplot2; `plot()` draws the overview.
#'
#' @param x,object What [tec_shapes()] returned.
#' @param term One or two predictors: the function to draw. `NULL` draws the overview, with
#'   `autoplot()` the strongest function.
#' @param class For more than two classes: whose functions to draw; the first by default.
#' @param most The maximum number of functions in the overview.
#' @param main A title.
#' @param background The colour of the page.
#' @param ... For `plot()`: `xlim`, `ylim`, `xlab`, `ylab` of one function.
#' @return `plot()` returns `x` invisibly, `autoplot()` a ggplot.
#' @family boosting functions
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 50, cyclic = TRUE, min_bucket = 3, bags = 5)
#' shapes <- tec_shapes(fit)
#' plot(shapes, "wt")
#' plot(shapes, c("wt", "hp"))
#' plot(shapes)
#' @export
plot.tec_shapes <- function(x, term = NULL, class = NULL, most = 5L, main = NULL,
                            background = NULL, ...) {
  if (!is.null(term)) {
    return(plot_chart(x, function(ink) {
      of_whole(x, "tec_shapes", "tec_shapes", shape_chart(x, find_term(x, term), class, ink))
    }, main, background, given = list(...)))
  }
  plain_numbers()
  refuse_dots("plot.tec_shapes", ...)
  check_page(background, main)
  most <- check_count(most, "most", least = 1)
  ink <- ink_on(background %||% graphics::par("bg"))
  charts <- of_whole(x, "tec_shapes", "tec_shapes", shape_overview(x, most, class, ink))
  charts[[1L]]$title <- main %||% charts[[1L]]$title
  draw_chart_grid(charts, charts[[1L]]$keys, background, shared = TRUE)
  invisible(x)
}

# The strengths of the functions, then the strongest in panels.
shape_overview <- function(x, most, class, ink) {
  shown <- utils::head(x$terms, most)
  if (length(shown) == 0L) abort_no_terms()
  charts <- lapply(shown, shape_chart, x = x, class = class, ink = ink)
  pair <- lengths(lapply(shown, `[[`, "columns")) == 2L
  ranges <- lapply(charts[!pair], function(chart) chart$y$range)
  range <- if (length(ranges)) range(unlist(ranges))
  charts <- Map(function(chart, term, pair) {
    if (!pair) chart <- lower_rows(chart, range)
    chart$panel <- paste(show_names(term$predictors), collapse = ", ")
    if (!pair) chart$x$label <- ""
    chart
  }, charts, shown, pair)
  caption <- c(
    "Below: the training rows", if (x$bags > 0L) paste0("bands: 2 sd of ", x$bags, " bags"),
    if (any(pair)) "pairs: empty cells have no training rows"
  )
  about <- list(
    title = paste("Functions of", shape_subject(x, shapes_class(x, class))),
    caption = paste(caption, collapse = "; "),
    keys = list(text = c("adds", "takes off"), colours = c(raise_colour, lower_colour))
  )
  c(list(strength_chart(x, length(shown), about, ink)), unname(charts))
}

strength_chart <- function(x, most, about, ink) {
  terms <- utils::head(x$terms, max(most, 8L))
  strength <- vapply(terms, `[[`, 0, "strength")
  names <- vapply(terms, function(term) paste(show_names(term$predictors), collapse = ", "), "")
  y <- -seq_along(strength)
  c(about, list(
    panel = "Strength",
    x = chart_axis("", c(0, 1.04 * max(strength, 1e-300))),
    y = chart_axis("", c(min(y) - 0.6, -0.4), y, names, shorten = shorten_middle),
    layers = list(chart_layer(
      "rect", xmin = 0, xmax = strength, ymin = y - 0.36, ymax = y + 0.36, colour = ink$box_frame
    ))
  ))
}

# The chart on the axis that all share, with its histogram at the bottom.
lower_rows <- function(chart, range) {
  rows <- chart$layers[[1L]]$data
  if (nrow(rows)) {
    old <- chart$y$range
    lift <- function(y) range[1L] + (y - old[1L]) / diff(old) * diff(range)
    chart$layers[[1L]]$data[c("ymin", "ymax")] <- lapply(rows[c("ymin", "ymax")], lift)
  }
  chart$y$range <- range
  chart$shared <- TRUE
  chart
}

#' @rdname plot.tec_shapes
#' @rawNamespace S3method(ggplot2::autoplot, tec_shapes)
#' @rawNamespace export(autoplot.tec_shapes)
autoplot.tec_shapes <- function(object, term = NULL, class = NULL, main = NULL, background = NULL,
                                ...) {
  refuse_dots("autoplot", ...)
  whole <- function(make) of_whole(object, "tec_shapes", "tec_shapes", make, "object")
  if (whole(length(object$terms)) == 0L) abort_no_terms()
  autoplot_chart(function(ink) {
    whole({
      one <- if (is.null(term)) object$terms[[1L]] else find_term(object, term)
      shape_chart(object, one, class, ink)
    })
  }, main, background)
}

abort_no_terms <- function() {
  tec_abort("argument", "There is nothing to draw: no tree splits on any predictor.")
}

find_term <- function(x, term) {
  found <- vapply(x$terms, function(one) {
    is.character(term) && setequal(one$predictors, term)
  }, NA)
  if (!any(found)) {
    abort_found(
      "{.arg term} must be one or two predictors that have a function.", term,
      i = "These have: {.val {shorten(term_names(x))}}."
    )
  }
  x$terms[[which(found)]]
}

shape_chart <- function(x, term, class, ink) {
  class <- shapes_class(x, class)
  table <- of_class(term$table, class)
  facts <- list(fit = list(columns = x$columns, response = x$response))
  out <- if (length(term$columns) == 2L) {
    pair_chart(x, term, table, facts, ink)
  } else if (x$columns$kind[term$columns] != "numeric") {
    bars_chart(term, table, facts, ink)
  } else {
    steps_chart(x, term, table, facts, ink)
  }
  by <- paste(show_names(term$predictors), collapse = " and ")
  out$title <- paste0(shape_subject(x, class), " by ", by)
  out
}

shape_subject <- function(x, class) {
  if (!is_string(x$response$name)) stop("Its response has no name.")
  of <- if (!is.null(class)) class else if (!is.null(x$response$levels)) x$response$levels[2L]
  paste0(show_names(x$response$name), if (length(of)) paste0(" = ", show_label(of)))
}

# Two classes have log odds, more classes scores.
adds_label <- function(x) {
  levels <- x$fit$response$levels
  if (is.null(levels)) "adds" else if (length(levels) == 2L) "log odds" else "score"
}

# Room below for where the rows are: list(range, base, top).
with_density <- function(values) {
  range <- padded(range(values, 0), 0.06)
  low <- range[1L] - 0.2 * diff(range)
  list(range = c(low, range[2L]), base = low, top = range[1L] - 0.03 * diff(range))
}

band_of <- function(table) 2 * (table$se %||% rep(0, nrow(table)))

steps_chart <- function(x, term, table, facts, ink) {
  j <- term$columns
  known <- table[!table$missing, ]
  data <- x$density[[j]]
  ends <- padded(range(data$breaks), 0.02)
  from <- pmax(known$from, ends[1L])
  to <- pmin(known$to, ends[2L])
  inside <- from < to
  known <- known[inside, ]
  from <- from[inside]
  to <- to[inside]
  band <- band_of(known)
  room <- with_density(c(known$value - band, known$value + band))
  at <- as.vector(rbind(from, to))
  height <- data$weight / max(data$weight, 1e-300) * (room$top - room$base)
  breaks <- data$breaks
  list(
    x = column_axis(facts, j, ends), y = chart_axis(adds_label(facts), room$range),
    caption = shape_caption(table, x),
    layers = list(
      chart_layer(
        "rect", xmin = breaks[-length(breaks)], xmax = breaks[-1L], ymin = room$base,
        ymax = room$base + height, colour = ink$box_frame
      ),
      if (any(band > 0)) {
        chart_layer(
          "rect", xmin = from, xmax = to, ymin = known$value - band, ymax = known$value + band,
          colour = grDevices::adjustcolor(plain_colour, 0.25)
        )
      } else {
        chart_layer("rect")
      },
      chart_layer("segment", x = ends[1L], xend = ends[2L], y = 0, yend = 0, colour = ink$line),
      chart_layer(
        "line", x = at, y = rep(known$value, each = 2L), group = 1L, colour = plain_colour,
        width = 2.5
      )
    )
  )
}

# What the picture cannot show.
shape_caption <- function(table, x) {
  missing <- table[table$missing & table$weight > 0, ]
  parts <- c(
    if (nrow(missing) == 1L) paste0("missing: ", plot_numbers(missing$value, 3L)),
    "below: the training rows", if (x$bags > 0L) paste0("band: 2 sd of ", x$bags, " bags")
  )
  upper_first(paste(parts, collapse = "; "))
}

bars_chart <- function(term, table, facts, ink) {
  known <- table[!table$missing, ]
  n <- nrow(known)
  at <- seq_len(n)
  band <- band_of(known)
  room <- with_density(c(known$value - band, known$value + band))
  height <- known$weight / max(known$weight, 1e-300) * (room$top - room$base)
  list(
    x = column_axis(facts, term$columns, c(0.4, n + 0.6)),
    y = chart_axis(adds_label(facts), room$range),
    caption = "Below: the training rows",
    layers = list(
      chart_layer(
        "rect", xmin = at - 0.3, xmax = at + 0.3, ymin = room$base, ymax = room$base + height,
        colour = ink$box_frame
      ),
      chart_layer(
        "rect", xmin = at - 0.3, xmax = at + 0.3, ymin = pmin(known$value, 0),
        ymax = pmax(known$value, 0), colour = ifelse(known$value >= 0, raise_colour, lower_colour)
      ),
      if (any(band > 0)) {
        chart_layer(
          "segment", x = at, xend = at, y = known$value - band, yend = known$value + band,
          colour = ink$text
        )
      } else {
        chart_layer("segment")
      },
      chart_layer("segment", x = 0.4, xend = n + 0.6, y = 0, yend = 0, colour = ink$line)
    )
  )
}

pair_chart <- function(x, term, table, facts, ink) {
  known <- table[!table$missing & !table$missing2, ]
  first <- cell_ends(x, known, term$columns[1L], "")
  second <- cell_ends(x, known, term$columns[2L], "2")
  inside <- first$from < first$to & second$from < second$to
  known <- known[inside, ]
  # Cells without rows can have large numbers, which matter to nobody: they are empty.
  inside[inside] <- known$weight > 0
  known <- known[known$weight > 0, ]
  most <- max(abs(known$value), 1e-300)
  at <- (known$value / most + 1) / 2
  colours <- ramp_colours(at, c(lower_colour, "#DCDCDC", raise_colour))
  list(
    keys = list(
      text = paste(c("adds", "takes off"), plot_numbers(most, 3L)),
      colours = c(raise_colour, lower_colour)
    ),
    caption = "Empty cells: no training rows",
    x = column_axis(facts, term$columns[1L], first$range),
    y = column_axis(facts, term$columns[2L], second$range),
    layers = list(chart_layer(
      "rect", xmin = first$from[inside], xmax = first$to[inside], ymin = second$from[inside],
      ymax = second$to[inside], colour = colours
    ))
  )
}

cell_ends <- function(x, table, j, suffix) {
  if (x$columns$kind[j] != "numeric") {
    at <- match(table[[paste0("level", suffix)]], x$columns$levels[[j]])
    most <- length(x$columns$levels[[j]])
    return(list(from = at - 0.5, to = at + 0.5, range = c(0.5, most + 0.5)))
  }
  range <- padded(range(x$density[[j]]$breaks), 0.02)
  list(
    from = pmax(table[[paste0("from", suffix)]], range[1L]),
    to = pmin(table[[paste0("to", suffix)]], range[2L]), range = range
  )
}
