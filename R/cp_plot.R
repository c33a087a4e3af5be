# Tested in test-chart.R and test-cp_table.R.
# The cp curve: error against the number of leaves, as rpart's plotcp() draws it.

#' @rdname cp_table
#' @export
plot.tec_cp_table <- function(x, upper = c("size", "splits", "none"), min_line = TRUE, main = NULL,
                              background = NULL, lty = 3L, col = NULL, ...) {
  upper <- if (missing(upper)) "size" else match_choice(upper, c("size", "splits", "none"), "upper")
  plot_chart(x, function(ink) {
    of_whole(
      x, "tec_cp_table", "cp_table", cp_chart(x, upper, min_line, ink, lty, col %||% ink$line)
    )
  }, main, background, given = list(...))
}

cp_sizes <- list(size = "n_leaves", splits = "nsplit")

# The data of the plot: one point per tree, with one standard error to each side.
cp_curve <- function(x) {
  crossed <- !is.null(x$xerror)
  error <- if (crossed) x$xerror else x$rel_error
  half <- if (crossed) x$xstd else 0 * error
  # Each tree is optimal in an interval of penalties: its label is the geometric mean of the ends.
  cp <- sqrt(x$cp * c(Inf, x$cp[-nrow(x)]))
  data.frame(
    at = seq_len(nrow(x)), cp = as.character(signif(cp, 2L)), error = error, low = error - half,
    high = error + half
  )
}

cp_error_name <- function(x) {
  if (is.null(x$xerror)) "Relative error" else "Cross-validated relative error"
}

# One standard error above the smallest error; NULL without cross-validation.
cp_line <- function(curve) {
  best <- which.min(curve$error)
  if (curve$high[best] > curve$low[best]) curve$high[best]
}

#' @rdname cp_table
#' @rawNamespace S3method(ggplot2::autoplot, tec_cp_table)
#' @rawNamespace export(autoplot.tec_cp_table)
autoplot.tec_cp_table <- function(object, upper = c("size", "splits", "none"), min_line = TRUE,
                                  main = NULL, background = NULL, ...) {
  refuse_dots("autoplot", ...)
  upper <- if (missing(upper)) "size" else match_choice(upper, c("size", "splits", "none"), "upper")
  autoplot_chart(function(ink) {
    of_whole(
      object, "tec_cp_table", "cp_table", cp_chart(object, upper, min_line, ink), "object"
    )
  }, main, background)
}

# Numbers beyond these make the device read invalid memory.
check_line_type <- function(lty) {
  words <- c("blank", "solid", "dashed", "dotted", "dotdash", "longdash", "twodash")
  if (!(is_number(lty) && lty %in% 0:6) && !(is_string(lty) && lty %in% words)) {
    abort_found("{.arg lty} must be a number from 0 to 6, or one of {.or {.val {words}}}.", lty)
  }
}

cp_chart <- function(x, upper, min_line, ink, lty = 3L, col = ink$line) {
  check_colours(col, "col", several = FALSE)
  check_line_type(lty)
  curve <- cp_curve(x)
  line <- if (check_flag(min_line, "min_line", topic = "argument")) cp_line(curve)
  size <- if (upper != "none") x[[cp_sizes[[upper]]]]
  list(
    title = "Error of pruned trees",
    x = chart_axis(
      paste0("cp", switch(upper, size = " (leaves below)", splits = " (splits below)", none = "")),
      c(0.5, nrow(curve) + 0.5), curve$at, paste0(curve$cp, if (length(size)) paste0("\n", size))
    ),
    y = chart_axis(cp_error_name(x), padded(range(curve$low, curve$high), 0.05)),
    layers = list(
      chart_layer(
        "segment", x = rep(0.5, length(line)), xend = nrow(curve) + 0.5, y = line, yend = line,
        colour = rep(col, length(line)), dash = rep(lty, length(line))
      ),
      chart_layer(
        "segment", x = curve$at, xend = curve$at, y = curve$low, yend = curve$high,
        colour = ink$text
      ),
      chart_layer("line", x = curve$at, y = curve$error, group = 1, colour = ink$text),
      chart_layer("point", x = curve$at, y = curve$error, colour = ink$ground, frame = ink$text)
    )
  )
}

#' @exportS3Method
plotcp.tec_tree <- function(x, ...) {
  dots <- list(...)
  names(dots)[names(dots) == "minline"] <- "min_line"
  do.call(plot.tec_cp_table, c(list(cp_table(x)), dots))
}
