# Tested in test-compare.R and test-compare-plot.R.

#' @export
print.tec_comparison <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("compare_criteria", ...)
  cat(comparison_header(x, width), comparison_lines(x, digits, width), sep = "\n")
  cat(comparison_verdict(x, width), sep = "\n")
  invisible(x)
}

comparison_header <- function(x, width) {
  n <- nrow(x$table)
  all <- n + sum(lengths(strsplit(x$table$same, " / ", fixed = TRUE)))
  criteria <- count_text(all, "criterion", "criteria")
  if (all > n) criteria <- paste0(criteria, " (", n, " different)")
  over <- if (is.null(x$data)) {
    paste(count_text(x$n_folds, "fold"), "of", count_text(x$n_rows, "row"))
  } else {
    count_text(length(x$data), "data set")
  }
  c(
    if (x$partial) wrap("PARTIAL: interrupted, on the folds finished", width),
    wrap(paste0("Comparison of ", criteria, " for ", show_names(x$response), " on ", over), width)
  )
}

# The best rank first. Criteria that grow the same tree share a line, wrapped in its first column.
comparison_lines <- function(x, digits, width) {
  table <- x$table[order(x$table$rank), ]
  measured <- unique(c(x$metric, "nodes", "depth"))
  names <- lapply(seq_len(nrow(table)), function(i) name_lines(table$criterion[i], table$same[i]))
  first <- cumsum(c(1L, lengths(names)))[seq_along(names)]
  on_first <- function(text) replace(rep("", sum(lengths(names))), first, text)
  columns <- c(
    list(
      pad(c("criterion", unlist(names))),
      pad(c("rank", on_first(formatC(table$rank, digits = 2L, format = "f"))), right = TRUE)
    ),
    lapply(measured, function(name) {
      text <- with_error(table[[name]], table[[paste0(name, "_se")]], digits)
      pad(c(name, on_first(text)), right = TRUE)
    })
  )
  trimws(fit_width(do.call(paste, c(columns, sep = "  ")), width), "right")
}

# "shannon / cami" in lines of some twenty characters, names not cut.
name_lines <- function(name, same) {
  all <- c(name, if (nzchar(same)) strsplit(same, " / ", fixed = TRUE)[[1L]])
  all[-length(all)] <- paste(all[-length(all)], "/")
  line <- 1L
  lines <- all[1L]
  for (one in all[-1L]) {
    if (nchar(lines[line]) + nchar(one) > 22L) {
      line <- line + 1L
      lines[line] <- paste0("  ", one)
    } else {
      lines[line] <- paste(lines[line], one)
    }
  }
  lines
}

comparison_verdict <- function(x, width) {
  if (!is.null(x$overall)) {
    return(wrap(paste0(
      "Friedman's test: p = ", format.pval(x$overall$p, 3L), "; critical difference of ranks ",
      format(x$overall$critical_difference, digits = 3L), " (Nemenyi, level ", x$level, ")"
    ), width))
  }
  different <- sum(x$tests$p_adjusted < 1 - x$level)
  verb <- if (different == 1) "differs" else "differ"
  wrap(paste0(
    different, " of ", count_text(nrow(x$tests), "pair"), " ", verb,
    " by the corrected t-test (Holm, level ", x$level, ")"
  ), width)
}

#' @export
as.data.frame.tec_comparison <- function(x, row.names = NULL, optional = FALSE,
                                         what = c("criteria", "tests", "folds"), ...) {
  refuse_dots("as.data.frame", ...)
  known <- c("criteria", "tests", "folds")
  what <- if (missing(what)) "criteria" else match_choice(what, known, "what")
  out <- switch(what,
    criteria = x$table,
    tests = x$tests,
    folds = x$values
  )
  with_row_names(out, row.names)
}

#' @export
tidy.tec_comparison <- function(x, what = "criteria", ...) {
  refuse_dots("tidy", ...)
  out <- of_whole(
    x, "tec_comparison", "compare_criteria", as.data.frame.tec_comparison(x, what = what)
  )
  as_table(out)
}

# The critical-difference diagram: an axis of mean ranks, a line from the rank of each criterion to
# its name, and bars that join criteria without a significant difference.

#' @export
plot.tec_comparison <- function(x, ...) {
  plain_numbers()
  refuse_dots("plot", ...)
  shapes <- diagram_shapes(x)
  old <- graphics::par(mar = c(0.5, 0.5, 0.5, 0.5), xpd = NA, lheight = 0.85)
  on.exit(graphics::par(old), add = TRUE)
  graphics::plot.new()
  size <- graphics::par("pin")
  title <- wrap_text(diagram_title(x), size[1L], 2L, ruler(1, 2))
  small <- function(t) inches(t, 0.75)
  caption <- wrap_text(diagram_caption(x), size[1L], 3L, small)
  same <- diagram_same(x)
  if (nzchar(same)) {
    caption <- paste(caption, wrap_text(same, size[1L], 4L, small), sep = "\n")
  }
  line <- line_inches(1)
  below <- (0.75 * text_lines(caption) + 0.4) * line
  above <- (text_lines(title) + 0.4) * line
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  room <- c(size[1L], max(size[2L] - above - below, 0.5))
  draw_layers(diagram_layers(shapes, room), y = function(y) y + below)
  graphics::text(0, size[2L], title, adj = c(0, 1), font = 2)
  graphics::text(size[1L], 0, caption, adj = c(1, 0), cex = 0.75)
  invisible(x)
}

# The diagram in a room, in inches from its corner.
diagram_layers <- function(shapes, room) {
  unit <- room[2L] / diff(shapes$high)
  x <- function(v) (v - shapes$wide[1L]) / diff(shapes$wide) * room[1L]
  y <- function(v) (v - shapes$high[1L]) * unit
  lines <- function(s, colour) {
    chart_layer(
      "segment",
      x = x(s$x), y = y(s$y), xend = x(s$xend), yend = y(s$yend), colour = rep(colour, nrow(s))
    )
  }
  words <- function(words) {
    cex <- diagram_cex(words, room, shapes$wide, unit)
    # Letters that stand on their place have their middle above it.
    up <- (0.5 - words$vjust) * 0.7 * line_inches(cex)
    chart_layer(
      "text",
      x = x(words$x), y = y(words$y) + up, text = words$label, adj = words$hjust, font = 1,
      letters = cex, colour = "black"
    )
  }
  bars <- shapes$bars
  list(
    lines(shapes$axis, "black"), lines(shapes$stems, "grey40"),
    chart_layer(
      "rect",
      xmin = x(bars$x), xmax = x(bars$xend), ymin = y(bars$y) - 0.026, ymax = y(bars$yend) + 0.026,
      colour = rep("grey20", nrow(bars))
    ),
    words(shapes$names), words(shapes$ticks)
  )
}

# The largest letters up to 1 with which every text fits. Each size is measured, as devices round
# letter sizes.
diagram_cex <- function(words, size, wide, unit) {
  room <- abs(words$xmax - words$x) / diff(wide) * size[1L]
  for (cex in seq(1, 0.25, by = -0.05)) {
    if (line_inches(cex) <= unit && all(inches(words$label, cex) <= room)) break
  }
  cex
}

#' @exportS3Method ggplot2::autoplot
autoplot.tec_comparison <- function(object, ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  refuse_dots("compare_criteria", ...)
  shapes <- of_whole(
    object, "tec_comparison", "compare_criteria", diagram_shapes(object), "object"
  )
  gg_page(function(size, fill) diagram_layers(shapes, size)) +
    ggplot2::labs(
      title = fold_title(diagram_title(object), 38),
      caption = fold_title(Filter(nzchar, c(diagram_caption(object), diagram_same(object))), 48)
    ) +
    ggplot2::theme(
      plot.title = ggplot2::element_text(size = 11), plot.caption = ggplot2::element_text(size = 8),
      plot.margin = ggplot2::margin(8, 8, 8, 8)
    )
}

diagram_title <- function(x) {
  over <- if (is.null(x$data)) "folds" else "data sets"
  paste0("Mean rank by ", metric_label(x$metric[1L]), " over the ", over, " (1 is best)")
}

diagram_caption <- function(x) {
  if (is.null(x$overall)) {
    return(paste0("Bars: no difference by the corrected t-test (Holm, level ", x$level, ")"))
  }
  cd <- format(x$overall$critical_difference, digits = 3L)
  paste0("Bars: within the critical difference ", cd, " (Nemenyi, level ", x$level, ")")
}

# "Same tree: gini / tsallis, q = 2; shannon / cami", or "".
diagram_same <- function(x) {
  table <- x$table[nzchar(x$table$same), ]
  if (nrow(table) == 0L) {
    return("")
  }
  groups <- paste(table$criterion, table$same, sep = " / ")
  paste0("Same tree (+): ", paste(groups, collapse = "; "))
}

# "shannon (+3)" where three others grow the same tree.
diagram_names <- function(table) {
  more <- lengths(strsplit(table$same, " / ", fixed = TRUE))
  paste0(table$criterion, ifelse(more > 0L, paste0(" (+", more, ")"), ""))
}

# Data frames of the line ends and of the texts with their room, and the ranges of both
# axes. y is 0 on the axis and counts lines of text down; the names have three tenths of the
# width on each side.
diagram_shapes <- function(x) {
  order <- order(x$table$rank)
  rank <- x$table$rank[order]
  k <- length(rank)
  groups <- joined_groups(differing(x), order)
  n_bars <- length(groups$from)
  left <- seq_len(k) <= ceiling(k / 2)
  # The names of the better half stand on the left, the best on top.
  line <- ifelse(left, seq_len(k), k + 1L - seq_len(k))
  y <- -(0.6 + 0.5 * n_bars + line)
  side <- 0.05 * (k - 1)
  end <- ifelse(left, 1 - side, k + side)
  wide <- c(1, k) + c(-1, 1) * 0.75 * (k - 1)
  bar_y <- -(0.2 + 0.5 * seq_len(n_bars))
  bar <- 0.01 * (k - 1)
  segment <- function(x, y, xend, yend) data.frame(x = x, y = y, xend = xend, yend = yend)
  word <- function(x, y, label, xmax, hjust, vjust) {
    data.frame(x, y, label, xmax, hjust, vjust)
  }
  ticks <- seq_len(k)
  list(
    axis = rbind(segment(1, 0, k, 0), segment(ticks, 0, ticks, 0.2)),
    stems = rbind(segment(rank, 0, rank, y), segment(rank, y, end, y)),
    bars = segment(rank[groups$from] - bar, bar_y, rank[groups$to] + bar, bar_y),
    names = word(
      end + side * ifelse(left, -0.3, 0.3), y, diagram_names(x$table)[order],
      wide[ifelse(left, 1L, 2L)], ifelse(left, 1, 0), 0.5
    ),
    ticks = word(ticks, 0.3, as.character(ticks), ticks + 0.9, 0.5, 0),
    wide = wide, high = c(min(y) - 0.7, 1.5)
  )
}

#' @rdname compare_methods
#' @export
plot.tec_methods <- function(x, metric = NULL, col = "#0072B2", main = NULL, background = NULL,
                             ...) {
  refuse_dots("plot", ...)
  plot_chart(x, function(ink) methods_chart(x, metric, col, ink), main, background)
}

#' @rdname compare_methods
#' @rawNamespace S3method(ggplot2::autoplot, tec_methods)
#' @rawNamespace export(autoplot.tec_methods)
autoplot.tec_methods <- function(object, metric = NULL, col = "#0072B2", main = NULL,
                                 background = NULL, ...) {
  refuse_dots("autoplot", ...)
  autoplot_chart(function(ink) methods_chart(object, metric, col, ink), main, background)
}

# Intervals: a line of one standard error on both sides of the mean, and below it the value of each
# fold.
methods_chart <- function(x, metric, col, ink) {
  check_colours(col, "col", several = FALSE)
  known <- sub("_se$", "", grep("_se$", names(x), value = TRUE))
  if (nrow(x) == 0L || length(known) == 0L) {
    tec_abort("argument", c(
      "There is nothing to draw.", i = "Draw what {.fn compare_methods} returned."
    ))
  }
  metric <- match_choice(metric %||% known[1L], known, "metric")
  mean <- x[[metric]]
  se <- x[[paste0(metric, "_se")]]
  y <- -seq_len(nrow(x))
  folds <- attr(x, "folds")
  folds <- folds[!is.na(folds[[metric]]) & folds$method %in% x$method, ]
  range <- padded(range(folds[[metric]], mean - se, mean + se, na.rm = TRUE), 0.05)
  list(
    title = paste(upper_first(metric_label(metric)), "by method"),
    caption = "Filled: mean over the folds with one standard error to each side; open: each fold",
    x = chart_axis(metric_label(metric), range),
    y = chart_axis("", c(min(y), -1) + c(-0.6, 0.6), y, show_names(x$method)),
    layers = list(
      chart_layer(
        "point", x = folds[[metric]], y = y[match(folds$method, x$method)] - 0.18,
        frame = ink$line, colour = rep(ink$ground, length(folds[[metric]])), width = 0.9
      ),
      chart_layer(
        "segment", x = mean - se, xend = mean + se, y = y, yend = y, colour = col, width = 3
      ),
      chart_layer("point", x = mean, y = y, frame = col, colour = col, width = 1.8)
    )
  )
}
