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
#' @param what `"curve"`: the settings that were compared. `"tree"`: the tree of the chosen one, with
#'   `...` as for [plot()][plot.tec_tree] and [autoplot()][autoplot.tec_tree] of a tree.
#' @param ... For `plot()`, further arguments of [graphics::plot.default()], for both panels.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' tuned <- tec_tune(Species ~ ., iris, q = seq(0.2, 4, by = 0.2), min_bucket = c(1, 5))
#' plot(tuned)
#' plot(tuned, what = "tree")
#' plot(tec_tune(Species ~ ., iris, criterion = c("gini", "shannon", "gain_ratio")))
#' @export
plot.tec_tune <- function(x, against = NULL, metric = NULL, col = NULL, what = c("curve", "tree"),
                          ...) {
  plain_numbers()
  if (!missing(what) && drawn_part(what) == "tree") {
    plot.tec_tree(chosen_fit(x, "plot"), ...)
    return(invisible(x))
  }
  metric <- match_choice(metric %||% x$metric[1L], c(x$metric, sizes), "metric")
  against <- plot_dimension(x, against)
  x <- best_curves(x, against, metric)
  panels <- unique(c(metric, "nodes"))
  # Only what is changed here is put back: the layout of the caller stays in use.
  old <- graphics::par("mfrow", "mar", "mgp", "mex", "cex")
  on.exit(graphics::par(old), add = TRUE)
  graphics::par(mfrow = c(length(panels), 1L))
  # A small page has smaller letters, and still smaller margins: what is in units of a letter is
  # 1 / mex lines of margin.
  scale <- min(1, max(0.55, min(graphics::par("din") / c(5, 4.5))))
  graphics::par(cex = scale, mex = scale, mgp = c(2.6, 0.8, 0))
  for (panel in panels) {
    last <- panel == panels[length(panels)]
    left <- 3.5 + 2 / scale
    graphics::par(mar = c(if (last || is.null(against)) 4 else 2.2, left, 1.2, 1) + 0.1)
    if (is.null(against)) {
      draw_race(x, panel, col, ...)
    } else {
      draw_tuning_curves(x, panel, against, col, legend = panel == panels[1L], last = last, ...)
    }
  }
  invisible(x)
}

drawn_part <- function(what) match_choice(what, c("curve", "tree"), "what")

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
draw_tuning_curves <- function(x, measure, against, col, legend, last, ...) {
  shown <- is.finite(x$table[[against]])
  table <- x$table[shown, , drop = FALSE]
  line <- curve_of_settings(x, table, against)
  colours <- rep_len(col %||% line_colours(nlevels(line)), nlevels(line))
  title <- attr(line, "title")
  key <- if (legend && nlevels(line) > 1L) key_above(levels(line), title)
  label <- if (last) against else ""
  open_panel(table[[against]], table, measure, label, above = key$lines, ...)
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
      inset = c(0, 1), xpd = NA, y.intersp = 1.3, title = title, title.adj = 0, seg.len = 1.2
    )
  }
}

# A factor with a level per curve, and as attribute `title` what the levels are values of.
curve_of_settings <- function(x, table, against) {
  others <- setdiff(varying_columns(x), against)
  # Names are said once, unless some setting is without a value.
  brief <- !anyNA(table[others])
  line <- if (length(others) == 0L) {
    rep("", nrow(table))
  } else if (brief) {
    line_values(table[others])
  } else {
    line_labels(table[others])
  }
  structure(factor(line, unique(line)), title = if (brief) paste(others, collapse = ", "))
}

# How to write the names of the lines above the panel: in as many columns as fit its width,
# smaller where they would take more than three lines of the margin.
key_above <- function(labels, title = NULL) {
  for (cex in c(0.8, 0.7, 0.6, 0.5)) {
    width <- max(graphics::strwidth(labels, units = "inches", cex = cex)) + 0.6 * cex
    columns <- max(1L, min(length(labels), floor(graphics::par("pin")[1L] / width)))
    lines <- ceiling(length(labels) / columns) * cex
    if (lines <= 3) break
  }
  lines <- lines + 0.5 + if (is.null(title)) 0 else cex
  list(columns = columns, lines = lines / graphics::par("mex"), cex = cex)
}

# One text per setting: "gini", "tsallis, q = 1".
line_labels <- function(table) {
  text <- lapply(names(table), function(name) {
    value <- setting_text(table[[name]])
    ifelse(is.na(table[[name]]), NA, if (name == "criterion") value else paste(name, "=", value))
  })
  join_known(text)
}

# The same without the names, which then stand in the title: "tsallis, 1".
line_values <- function(table) join_known(lapply(table, setting_text))

setting_text <- function(x) {
  out <- if (is.numeric(x)) format_number(x) else as.character(x)
  ifelse(is.na(x), NA, out)
}

join_known <- function(columns) {
  text <- do.call(cbind, unname(columns))
  apply(text, 1L, function(row) paste(row[!is.na(row)], collapse = ", "))
}

error_range <- function(table, measure) {
  se <- table[[paste0(measure, "_se")]]
  se[is.na(se)] <- 0
  list(low = table[[measure]] - se, high = table[[measure]] + se)
}

# A panel without its lines; `above` are the lines of text to leave free between it and a title.
open_panel <- function(at, table, measure, label, above = NULL, ...) {
  bars <- error_range(table, measure)
  given <- list(...)
  usual <- list(
    x = range(at), y = range(bars$low, bars$high, na.rm = TRUE), type = "n", las = 1L,
    xlab = label, ylab = metric_label(measure)
  )
  usual <- c(given, usual[setdiff(names(usual), names(given))])
  titles <- usual[c("main", "ylab")]
  usual[c("main", "ylab")] <- list(NULL, "")
  old <- graphics::par(mar = graphics::par("mar") + c(0, 0, above %||% 0, 0))
  on.exit(graphics::par(old), add = TRUE)
  do.call(graphics::plot.default, usual)
  # At the edge of the page: clear of the numbers at the ticks, which lie across.
  edge <- graphics::par("mar")[2L] - 0.4
  graphics::title(ylab = titles$ylab, line = edge - 1 / graphics::par("mex"))
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
  cex <- graphics::par("cex")
  wide <- function(t) graphics::strwidth(t, units = "inches")
  most <- graphics::par("din")[1L] / 2.2
  labels <- vapply(labels, shorten_middle, "", width = most, measure = wide)
  margin <- graphics::par("mai")
  margin[2L] <- max(wide(labels)) + 0.2
  old <- graphics::par(mai = margin)
  on.exit(graphics::par(old), add = TRUE)
  given <- list(...)
  usual <- list(
    x = range(bars$low, bars$high, na.rm = TRUE), y = c(0.5, length(rows) + 0.5), type = "n",
    yaxt = "n", xlab = metric_label(measure), ylab = ""
  )
  do.call(graphics::plot.default, c(given, usual[setdiff(names(usual), names(given))]))
  fitting <- min(1, graphics::par("pin")[2L] / length(rows) / (cex * graphics::par("cin")[2L]))
  graphics::mtext(labels, side = 2L, at = place, las = 1L, line = 0.5, cex = cex * fitting)
  colour <- if (is.null(col)) "grey30" else col[1L]
  graphics::segments(bars$low, place, bars$high, place, col = colour)
  chosen <- rows == x$chosen
  shape <- ifelse(chosen, 19L, 21L)
  graphics::points(table[[measure]], place, pch = shape, bg = "white", col = colour)
}
