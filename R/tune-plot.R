#' Plot the result of tuning
#'
#' The metric, and below it the number of nodes, against one dimension of the grid:
#' means with bars of one standard error to each side. The chosen setting is a full
#' point on a dashed line. Other dimensions of the grid make a line each. Where nothing
#' numeric varies (a race of criteria) the settings are listed, the best on top.
#' `plot()` uses base graphics, `autoplot()` makes a ggplot.
#'
#' @param x A result of [tec_tune()], or `fit$tuning` of a tree grown by several `q`.
#' @param against The column of the grid on the horizontal axis. `NULL`: `q` where it
#'   varies, else the first numeric one that does.
#' @param metric The metric drawn. `NULL`: the one that decided.
#' @param col The colours of the lines, used in turn.
#' @param ... For `plot()`, further arguments of [graphics::plot.default()], for both panels.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' plot(tec_tune(Species ~ ., iris, q = seq(0.2, 4, by = 0.2), min_bucket = c(1, 5)))
#' plot(tec_tune(Species ~ ., iris, criterion = c("gini", "shannon", "gain_ratio")))
#' @export
plot.tec_tune <- function(x, against = NULL, metric = NULL, col = NULL, ...) {
  metric <- match_choice(metric %||% x$metric[1L], c(x$metric, sizes), "metric")
  against <- plot_dimension(x, against)
  panels <- unique(c(metric, "nodes"))
  # Only what is changed here is put back: the layout of the caller stays in use.
  old <- graphics::par(mfrow = c(length(panels), 1L), mar = c(4, 5.5, 1.5, 1) + 0.1)
  on.exit(graphics::par(old))
  for (panel in panels) {
    if (is.null(against)) {
      draw_race(x, panel, col, ...)
    } else {
      draw_tuning_curves(x, panel, against, col, legend = panel == panels[1L], ...)
    }
  }
  invisible(x)
}

plot_dimension <- function(x, against) {
  varies <- vapply(x$table[x$grid], function(v) {
    is.numeric(v) && length(unique(v[is.finite(v)])) > 1L
  }, NA)
  numeric <- x$grid[varies]
  if (is.null(against)) {
    return(if (length(numeric)) numeric[1L])
  }
  if (length(numeric) == 0L) {
    tec_abort("argument", c(
      "{.arg against} must be a column of the grid.",
      x = "No numeric one varies."
    ))
  }
  match_choice(against, numeric, "against")
}

# A line for each combination of the other dimensions.
draw_tuning_curves <- function(x, measure, against, col, legend, ...) {
  shown <- is.finite(x$table[[against]])
  table <- x$table[shown, , drop = FALSE]
  line <- curve_of_settings(x, table, against)
  colours <- rep_len(col %||% line_colours(nlevels(line)), nlevels(line))
  key <- if (legend && nlevels(line) > 1L) key_above(levels(line))
  open_panel(table[[against]], table, measure, against, above = key$lines, ...)
  for (one in levels(line)) {
    rows <- which(line == one)
    rows <- rows[order(table[[against]][rows])]
    draw_line(table[rows, , drop = FALSE], measure, against, colours[match(one, levels(line))])
  }
  chosen <- which(which(shown) == x$chosen)
  if (length(chosen)) {
    graphics::abline(v = table[[against]][chosen], lty = 2L, col = "grey50")
    graphics::points(table[[against]][chosen], table[[measure]][chosen],
      pch = 19L, cex = 1.3, col = colours[as.integer(line[chosen])]
    )
  }
  if (!is.null(key)) {
    graphics::legend("bottomleft", levels(line),
      col = colours, lty = 1L, bty = "n", cex = key$cex, ncol = key$columns,
      inset = c(0, 1), xpd = NA, y.intersp = 1.3
    )
  }
}

curve_of_settings <- function(x, table, against) {
  others <- setdiff(varying_columns(x), against)
  line <- if (length(others)) line_labels(table[others]) else rep("", nrow(table))
  factor(line, unique(line))
}

# Those that colour-blind people can tell apart, while they last.
line_colours <- function(n) {
  apart <- class_colours(8L)[c(5L, 6L, 3L, 1L, 2L, 7L, 8L)]
  if (n <= length(apart)) apart[seq_len(n)] else grDevices::hcl.colors(n, "Dark 3")
}

# How to write the names of the lines above the panel: in as many columns as fit its width,
# smaller where they would take more than three lines of the margin.
key_above <- function(labels) {
  for (cex in c(0.8, 0.7, 0.6, 0.5)) {
    width <- max(graphics::strwidth(labels, units = "inches", cex = cex)) + 0.6 * cex
    columns <- max(1L, min(length(labels), floor(graphics::par("pin")[1L] / width)))
    lines <- ceiling(length(labels) / columns) * cex
    if (lines <= 3) break
  }
  list(columns = columns, lines = lines + 0.5, cex = cex)
}

line_labels <- function(table) {
  text <- lapply(names(table), function(name) {
    value <- if (is.numeric(table[[name]])) format_number(table[[name]]) else table[[name]]
    ifelse(is.na(table[[name]]), "", if (name == "criterion") value else paste(name, "=", value))
  })
  gsub("^, |, $", "", do.call(paste, c(text, sep = ", ")))
}

error_range <- function(table, measure) {
  se <- table[[paste0(measure, "_se")]]
  se[is.na(se)] <- 0
  list(low = table[[measure]] - se, high = table[[measure]] + se)
}

# A panel without its lines; `above` are the lines of text to leave free between it and a title.
open_panel <- function(at, table, measure, against, above = NULL, ...) {
  bars <- error_range(table, measure)
  given <- list(...)
  usual <- list(
    x = range(at), y = range(bars$low, bars$high, na.rm = TRUE), type = "n", las = 1L,
    xlab = against, ylab = metric_label(measure)
  )
  usual <- c(given, usual[setdiff(names(usual), names(given))])
  titles <- usual[c("main", "ylab")]
  usual[c("main", "ylab")] <- list(NULL, "")
  old <- graphics::par(mar = graphics::par("mar") + c(0, 0, above %||% 0, 0))
  on.exit(graphics::par(old))
  do.call(graphics::plot.default, usual)
  # Clear of the numbers at the ticks, which lie across.
  graphics::title(ylab = titles$ylab, line = 4.2)
  graphics::title(main = titles$main, line = 0.5 + (above %||% 0))
}

draw_line <- function(table, measure, against, colour) {
  at <- table[[against]]
  bars <- error_range(table, measure)
  faint <- grDevices::adjustcolor(colour, 0.5)
  graphics::segments(at, bars$low, at, bars$high, col = faint)
  graphics::lines(
    at, table[[measure]],
    type = "o", pch = 21L, bg = "white", col = colour, cex = 0.8
  )
}

# The rows of the settings, the best last.
race_order <- function(x) {
  value <- x$table[[x$metric[1L]]] * if (is_largest(x$metric[1L])) 1 else -1
  rev(order(-value, x$table$nodes, seq_along(value) != x$chosen))
}

# Settings without an order of their own: one below the other.
draw_race <- function(x, measure, col, ...) {
  rows <- race_order(x)
  table <- x$table[rows, , drop = FALSE]
  labels <- line_labels(table[varying_columns(x)])
  bars <- error_range(table, measure)
  place <- seq_along(rows)
  old <- graphics::par(mar = graphics::par("mar") + c(0, max(nchar(labels)) * 0.45, 0, 0))
  on.exit(graphics::par(old["mar"]))
  given <- list(...)
  usual <- list(
    x = range(bars$low, bars$high, na.rm = TRUE), y = c(0.5, length(rows) + 0.5), type = "n",
    yaxt = "n", xlab = metric_label(measure), ylab = ""
  )
  do.call(graphics::plot.default, c(given, usual[setdiff(names(usual), names(given))]))
  graphics::axis(2L, place, labels, las = 1L, tick = FALSE)
  colour <- if (is.null(col)) "grey30" else col[1L]
  graphics::segments(bars$low, place, bars$high, place, col = colour)
  chosen <- rows == x$chosen
  shape <- ifelse(chosen, 19L, 21L)
  graphics::points(table[[measure]], place, pch = shape, bg = "white", col = colour)
}
