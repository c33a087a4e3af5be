#' Draw the importance of the predictors
#'
#' A bar a predictor, the largest on top; for permutation with a line of one standard
#' error to each side. `plot()` uses base graphics, `autoplot()` makes a ggplot.
#'
#' @param x,object What [importance()] returned.
#' @param most The most predictors to show.
#' @param col The colour of the bars.
#' @param main The title; the default says how importance was measured, `""` is none.
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
plot.tec_importance <- function(x, most = 20L, col = "#0072B2", main = NULL, ...) {
  check_known(dot_names(list(...)), names(formals()), "plot")
  bars <- importance_bars(x, most)
  n <- nrow(bars)
  # A small page has smaller letters.
  cex <- min(1, max(0.6, min(graphics::par("fin") / c(4.5, 3.5))))
  old <- graphics::par(
    mar = c(2.8, 0.5, 2, 0.8), mgp = c(1.6, 0.4, 0), tcl = -0.25, cex = cex, mex = cex
  )
  on.exit(graphics::par(old))
  measure <- function(t) graphics::strwidth(t, units = "inches")
  wide <- graphics::par("fin")[1L] / 2.5
  names <- vapply(bars$name, shorten_middle, "", width = wide, measure = measure)
  margin <- graphics::par("mai")
  margin[2L] <- max(measure(names)) + 0.12
  graphics::par(mai = margin)
  graphics::plot.new()
  graphics::plot.window(bars_range(bars), c(n, 0) + 0.5, yaxs = "i")
  y <- seq_len(n)
  graphics::rect(0, y - 0.36, bars$value, y + 0.36, col = col, border = NA)
  graphics::abline(v = 0, col = "grey40")
  graphics::segments(bars$low, y, bars$high, y)
  graphics::axis(1)
  line <- graphics::par("cin")[2L] * cex
  fitting <- min(1, graphics::par("pin")[2L] / n / line)
  graphics::mtext(names, side = 2, at = y, las = 1, line = 0.3, cex = cex * fitting)
  title <- main %||% importance_title(x)
  title <- shorten_text(title, graphics::par("fin")[1L] - 0.1, function(t) {
    graphics::strwidth(t, units = "inches", font = 2)
  })
  graphics::mtext(title, side = 3, line = 0.6, adj = 0, at = graphics::grconvertX(0.01, "nfc"),
    font = 2, cex = cex
  )
  graphics::title(xlab = importance_unit(x), cex.lab = 1)
  invisible(x)
}

#' @rdname plot.tec_importance
#' @rawNamespace S3method(ggplot2::autoplot, tec_importance)
#' @rawNamespace export(autoplot.tec_importance)
autoplot.tec_importance <- function(object, most = 20L, col = "#0072B2", main = NULL, ...) {
  need_package("ggplot2", "autoplot")
  check_known(dot_names(list(...)), names(formals()), "autoplot")
  bars <- importance_bars(object, most)
  bars$place <- factor(bars$name, rev(bars$name))
  .data <- rlang::.data
  aes <- ggplot2::aes
  shorten <- function(names) vapply(names, shorten_middle, "", width = 24, measure = letters_wide)
  out <- ggplot2::ggplot(bars, aes(.data$value, .data$place)) +
    ggplot2::geom_col(fill = col, width = 0.72)
  if (is_permutation(object)) {
    out <- out + ggplot2::geom_linerange(aes(xmin = .data$low, xmax = .data$high))
  }
  out +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::scale_y_discrete(labels = shorten) +
    ggplot2::scale_x_continuous(n.breaks = 4L, limits = bars_range(bars)) +
    ggplot2::labs(
      x = importance_unit(object), y = NULL, title = main %||% importance_title(object)
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major.y = ggplot2::element_blank(),
      axis.text.y = ggplot2::element_text(size = 8),
      plot.title = ggplot2::element_text(size = 11), plot.title.position = "plot"
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
  order <- utils::head(order(-x$importance), most)
  value <- x$importance[order]
  half <- if (is_permutation(x)) x$se[order] else 0
  half[is.na(half)] <- 0
  data.frame(
    name = make.unique(show_names(as.character(x$variable[order]))), value = value,
    low = value - half, high = value + half
  )
}

bars_range <- function(bars) {
  range <- range(0, bars$low, bars$high)
  if (diff(range) > 0) range else c(0, 1)
}

# Told from the columns: a selection of rows loses the attributes.
is_permutation <- function(x) "se" %in% names(x)

importance_title <- function(x) {
  if (is_permutation(x)) "Importance by permutation" else "Importance by gain of the splits"
}

importance_unit <- function(x) {
  if (is_permutation(x)) "increase in error" else "gain"
}
