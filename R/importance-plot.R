#' Plot variable importance
#'
#' Draws one bar per predictor, the largest on top, for permutation with one standard error to each
#' side. Predictors of importance 0 have no bar; the caption names them. `plot()` uses base
#' graphics, `ggplot2::autoplot()` ggplot2.
#'
#' @param x,object What [importance()] returned.
#' @param most The maximum number of predictors to show.
#' @param col The colour of the bars.
#' @param main The title; the default says how importance was measured, `""` is none.
#' @param background The colour of the page, as in [plot()][plot.tec_tree].
#' @param ... No further arguments.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family uses of a tree
#' @concept variable importance
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' plot(importance(fit))
#' set.seed(1)
#' plot(importance(fit, type = "permutation", data = iris))
#' @export
plot.tec_importance <- function(x, most = 20L, col = "#0072B2", main = NULL, background = NULL,
                                ...) {
  refuse_dots("plot", ...)
  plot_chart(x, function(ink) importance_chart(x, most, col, ink), main, background)
}

#' @rdname plot.tec_importance
#' @rawNamespace S3method(ggplot2::autoplot, tec_importance)
#' @rawNamespace export(autoplot.tec_importance)
autoplot.tec_importance <- function(object, most = 20L, col = "#0072B2", main = NULL,
                                    background = NULL, ...) {
  refuse_dots("autoplot", ...)
  autoplot_chart(function(ink) importance_chart(object, most, col, ink), main, background)
}

importance_chart <- function(x, most, col, ink) {
  check_colours(col, "col", several = FALSE)
  bars <- importance_bars(x, most)
  y <- -seq_len(nrow(bars))
  range <- bars_range(bars)
  ends <- bars$high > bars$low
  list(
    title = importance_title(x), caption = attr(bars, "none"),
    x = chart_axis(importance_unit(x), range + c(-0.01, 0.04) * diff(range)),
    y = chart_axis("", c(min(y), -1) + c(-0.6, 0.6), y, bars$name, shorten = shorten_middle),
    layers = list(
      chart_layer(
        "rect", xmin = 0, xmax = bars$value, ymin = y - 0.36, ymax = y + 0.36, colour = col
      ),
      chart_layer("segment", x = 0, xend = 0, y = min(y) - 0.6, yend = -0.4, colour = ink$line),
      chart_layer(
        "segment", x = bars$low[ends], xend = bars$high[ends], y = y[ends], yend = y[ends],
        colour = rep(ink$text, sum(ends))
      )
    )
  )
}

# What is drawn: name, value, and the ends of the line of one standard error.
importance_bars <- function(x, most) {
  most <- check_count(most, "most", least = 1)
  if (!all(c("variable", "importance") %in% names(x)) || nrow(x) == 0L) {
    tec_abort("argument", c(
      "There is no importance to draw.",
      x = "The table has {nrow(x)} row{?s} and the columns {.field {names(x)}}.",
      i = "Draw what {.fn importance} returned, or some of its rows."
    ))
  }
  order <- order(-x$importance)
  none <- order[is.na(x$importance[order]) | x$importance[order] == 0]
  if (length(none) == nrow(x)) none <- integer()
  order <- utils::head(setdiff(order, none), most)
  value <- x$importance[order]
  half <- if (is_permutation(x)) x$se[order] else 0
  half[is.na(half)] <- 0
  bars <- data.frame(
    name = make.unique(show_names(as.character(x$variable[order]))), value = value,
    low = value - half, high = value + half
  )
  if (length(none)) {
    attr(bars, "none") <- paste0(
      "No importance: ", set_text(show_names(as.character(x$variable[none])), 60)
    )
  }
  bars
}

bars_range <- function(bars) {
  range <- range(0, bars$low, bars$high)
  if (diff(range) > 0) range else c(0, 1)
}

# Decided by the columns, as a selection of rows loses the attributes.
is_permutation <- function(x) "se" %in% names(x)

importance_title <- function(x) {
  if (identical(attr(x, "type"), "corrected")) {
    return("Importance by gain on rows out of bag")
  }
  if (identical(attr(x, "type"), "terms")) {
    return("Importance by the terms: fall of the squared error")
  }
  if (identical(attr(x, "type"), "splits")) {
    return("Importance by the number of splits")
  }
  if (is_permutation(x)) "Importance by permutation" else "Importance by gain of the splits"
}

importance_unit <- function(x) {
  if (identical(attr(x, "type"), "corrected")) {
    return("gain")
  }
  if (identical(attr(x, "type"), "splits")) {
    return("splits")
  }
  if (is_permutation(x)) "increase in error" else "gain"
}

#' @export
print.tec_importance <- function(x, n = 20L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("importance", ...)
  check_output(digits, width, n)
  if (!all(c("variable", "importance") %in% names(x))) {
    return(NextMethod())
  }
  cat(importance_text(x, n, digits, width), sep = "\n")
  invisible(x)
}

importance_text <- function(x, n, digits, width) {
  some <- x[is.na(x$importance) | x$importance != 0, , drop = FALSE]
  none <- show_names(as.character(setdiff(x$variable, some$variable)))
  terms <- identical(attr(x, "type"), "terms")
  said <- if (terms) "# Not used: " else if (is_permutation(x)) "# No effect: " else "# Not split: "
  c(
    importance_title(x), if (nrow(some)) importance_lines(some, n, digits, width),
    if (length(none)) fit_width(paste0(said, set_text(none, width - 13)), width)
  )
}

# "Petal.Width  0.901  61.5%  ========", for permutation "0.213 (se 0.01)": numbers with the same
# number of decimals, the bar in proportion.
importance_lines <- function(x, n, digits, width) {
  shown <- utils::head(seq_len(nrow(x)), n)
  value <- x$importance[shown]
  names <- shorten_apart(
    show_names(as.character(x$variable[shown])), max(8, width %/% 2),
    function(t) nchar(t, "width"), "..."
  )
  number <- pad(even_digits(value, digits, max(abs(x$importance), na.rm = TRUE)), right = TRUE)
  beside <- if (!is.null(x$share)) {
    share <- 100 * as.numeric(rounded_shares(matrix(x$share, 1L), 3L))[shown]
    paste0("  ", pad(paste0(sprintf("%.1f", share), "%"), right = TRUE))
  } else if (!is.null(x$se) && !anyNA(x$se[shown])) {
    se <- even_digits(x$se[shown], digits, max(abs(x$importance), na.rm = TRUE))
    paste0(" (se ", pad(se, right = TRUE), ")")
  }
  p_value <- if (!is.null(x$p_value)) paste0("  p ", pad(number_text(x$p_value[shown], 3L)))
  number <- paste0(number, beside, p_value)
  names <- pad(names)
  room <- max(0, min(30, width - nchar(names[1L], "width") - nchar(number[1L]) - 7L))
  top <- max(value, 0, na.rm = TRUE)
  bar <- strrep("=", if (top > 0) round(room * pmax(value, 0) / top) else 0L)
  lines <- sub(" +$", "", paste0("  ", names, "  ", number, "  ", bar))
  more <- nrow(x) - length(shown)
  fit_width(c(lines, if (more > 0L) paste0("# ... with ", more, " more")), width)
}
