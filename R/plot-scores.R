#' Plot the scores of the attributes
#'
#' One dot per candidate, the best on top; the winner is filled, an attribute that the
#' criterion does not let win is grey. Several tables, for example of several criteria,
#' are drawn side by side with the attributes in the order of the first, each on its own
#' scale.
#'
#' @param x What [tec_scores()] returned.
#' @param ... More tables from [tec_scores()].
#' @param most The most attributes to show; those that score highest in the first table.
#' @param main Titles, one per table; the default is the criteria.
#' @return `x`, invisibly.
#' @family explanations of a tree
#' @examples
#' plot(tec_scores(PlayTennis ~ ., play_tennis, preset = "id3"))
#' plot(
#'   tec_scores(fruit ~ ., fruit, criterion = "shannon"),
#'   tec_scores(fruit ~ ., fruit, criterion = "gini"),
#'   tec_scores(fruit ~ ., fruit, criterion = "gain_ratio")
#' )
#' @export
plot.tec_scores <- function(x, ..., most = 25L, main = NULL) {
  plain_numbers()
  tables <- list(x, ...)
  wrong <- which(!vapply(tables, inherits, NA, "tec_scores"))
  if (length(wrong)) {
    tec_abort("argument", c(
      "Everything to draw must come from {.fn tec_scores}.",
      x = "Argument {wrong[1L]} is {describe(tables[[wrong[1L]]])}."
    ))
  }
  tables <- lapply(tables, function(t) t[!without_split(t), , drop = FALSE])
  most <- check_count(most, "most", least = 1)
  names <- unique(unlist(lapply(tables, function(t) t$variable)))
  if (length(names) == 0L) {
    tec_abort("data", "No attribute has an admissible split: there is nothing to draw.")
  }
  names <- utils::head(names, most)
  titles <- main %||% vapply(tables, function(t) attr(t, "criterion") %||% "score", "")
  old <- graphics::par(
    mfrow = c(1L, length(tables)), mar = c(2.6, 0.8, 2.2, 0.8), mgp = c(1.5, 0.4, 0), tcl = -0.25,
    oma = c(0, label_lines(names), 0, 0), cex = 1
  )
  on.exit(graphics::par(old), add = TRUE)
  for (i in seq_along(tables)) {
    draw_scores(tables[[i]], names, titles[i], labels = i == 1L)
  }
  invisible(x)
}

# The margin for the names, in lines of text, at most a third of the page.
label_lines <- function(names) {
  line <- graphics::par("cin")[2L]
  wide <- max(graphics::strwidth(show_names(names), units = "inches"))
  min(wide, graphics::par("din")[1L] / 3) / line + 0.8
}

draw_scores <- function(table, names, title, labels) {
  y <- length(names) + 1 - match(table$variable, names)
  shown <- !is.na(y) & is.finite(table$score)
  table <- table[shown, , drop = FALSE]
  y <- y[shown]
  range <- range(0, table$score)
  graphics::plot.new()
  graphics::plot.window(
    range + c(-0.03, 0.05) * diff(range), c(0.4, length(names) + 0.6), yaxs = "i"
  )
  graphics::abline(h = seq_along(names), col = "grey90")
  graphics::abline(v = 0, col = "grey70")
  colour <- ifelse(table$chosen, "#D55E00", ifelse(table$eligible, "#0072B2", "grey60"))
  graphics::segments(0, y, table$score, y, col = colour)
  graphics::points(
    table$score, y, pch = ifelse(table$chosen, 19, 21), col = colour, bg = "white", cex = 1.2
  )
  graphics::axis(1, cex.axis = 0.8)
  graphics::box(col = "grey80")
  title_width <- graphics::par("pin")[1L]
  measure <- function(t) inches(t, 1, 2)
  graphics::title(main = shorten_text(title, title_width, measure), line = 0.7, cex.main = 1)
  if (labels) {
    room <- graphics::par("omi")[2L] + graphics::par("mai")[2L] - 0.12
    plain <- function(t) inches(t, 1)
    cut <- vapply(show_names(names), shorten_text, "", width = room, measure = plain)
    cex <- min(1, graphics::par("pin")[2L] / length(names) / line_inches(1))
    graphics::mtext(rev(cut), side = 2, at = seq_along(names), las = 1, line = 0.3, cex = cex)
  }
}

#' Impurity curves of two classes
#'
#' The impurity of a node with two classes against the share of one of them: Shannon's
#' entropy in bits and half of it, the Gini index and twice that, the misclassification
#' error (the share of the smaller class), and Tsallis entropies of other `q`. All are 0 for
#' a pure node and largest at one half, where the error, the Gini index and half the entropy
#' meet at 0.5.
#'
#' @param q Values of q for further Tsallis curves.
#' @param scale `TRUE` brings every curve to 1 at its top, so that shapes compare (half the
#'   entropy and twice the Gini index are then left out).
#' @return A data frame with the columns `p`, `curve` and `impurity`, invisibly.
#' @seealso [tsallis_entropy()], [gini_index()], [shannon_entropy()]
#' @family entropies and partitions
#' @examples
#' plot_impurity()
#' plot_impurity(q = c(0.5, 3), scale = TRUE)
#' @export
plot_impurity <- function(q = c(0.5, 1.5, 3), scale = FALSE) {
  if (!is.numeric(q) || !all(is.finite(q))) {
    tec_abort("argument", c("{.arg q} must be finite numbers.", x = "It is {describe(q)}."))
  }
  p <- seq(0, 1, length.out = 201L)
  at <- function(f) vapply(p, function(s) f(c(s, 1 - s)), 0)
  entropy <- at(shannon_entropy)
  gini <- at(gini_index)
  curves <- list(
    "Shannon, bits" = entropy, "half Shannon" = entropy / 2, "Gini (q = 2)" = gini,
    "twice Gini" = 2 * gini, "misclassification" = pmin(p, 1 - p)
  )
  for (value in unique(q[q != 2])) {
    name <- paste0("Tsallis, q = ", number_text(value))
    curves[[name]] <- at(function(v) tsallis_entropy(v, value))
  }
  if (isTRUE(scale)) {
    # Of the same shape as the entropy and the Gini index themselves.
    curves[c("half Shannon", "twice Gini")] <- NULL
    curves <- lapply(curves, function(v) v / v[101L])
  }
  draw_curves(p, curves)
  invisible(data.frame(
    p = rep(p, length(curves)), curve = rep(names(curves), each = length(p)),
    impurity = unlist(curves, use.names = FALSE)
  ))
}

draw_curves <- function(p, curves) {
  colours <- c("#000000", apart_colours[c(1, 2, 3, 5, 6, 7, 9)])
  colours <- rep_len(colours, length(curves))
  dash <- rep_len(c(1, 2, 4, 3, 5), length(curves))
  top <- max(unlist(curves))
  old <- graphics::par(mar = c(3, 3.6, 0.8, 0.8), mgp = c(2, 0.5, 0), tcl = -0.3)
  on.exit(graphics::par(old), add = TRUE)
  graphics::plot.new()
  key <- curve_key(names(curves), graphics::par("pin"))
  # Room for the key above the curves.
  high <- top * (1 + key$high / max(graphics::par("pin")[2L] - key$high, 0.5))
  graphics::plot.window(c(0, 1), c(0, high), xaxs = "i", yaxs = "i")
  graphics::axis(1)
  graphics::axis(2, at = pretty(c(0, top)), las = 1)
  graphics::box(col = "grey60")
  graphics::title(xlab = "share p of one class")
  # Clear of the numbers at the ticks, which lie across.
  graphics::title(ylab = "impurity", line = 2.5)
  for (i in seq_along(curves)) {
    graphics::lines(p, curves[[i]], col = colours[i], lty = dash[i], lwd = 2)
  }
  graphics::legend(
    "top", names(curves),
    col = colours, lty = dash, lwd = 2, ncol = key$columns, cex = key$cex, bty = "n", seg.len = 2.5
  )
}

# Columns, letters and height (in inches) of a key that fits the page.
curve_key <- function(names, size) {
  size_of <- function(columns, cex) {
    key <- graphics::legend(
      "top", names, lty = 1, ncol = columns, cex = cex, bty = "n", seg.len = 2.5, plot = FALSE
    )$rect
    c(key$w, key$h) * size / c(diff(graphics::par("usr")[1:2]), diff(graphics::par("usr")[3:4]))
  }
  for (cex in c(1, 0.85, 0.7, 0.55)) {
    for (columns in 3:1) {
      needs <- size_of(columns, cex)
      if (needs[1L] <= size[1L] && needs[2L] <= size[2L] / 2.5) break
    }
    if (needs[1L] <= size[1L] && needs[2L] <= size[2L] / 2.5) break
  }
  list(columns = columns, cex = cex, high = needs[2L])
}
