# Tested in test-plot.R.

#' Plot the scores of the predictors
#'
#' Draws one dot per candidate, the best on top. The winner is filled; predictors that are not
#' eligible are grey. Several tables, for example of several criteria, are drawn side by side, with
#' the predictors in the order of the first table, each on its own scale.
#'
#' @param x What [tec_scores()] returned.
#' @param ... More tables from [tec_scores()].
#' @param most The maximum number of predictors to show, by their scores in the first table.
#' @param main The title; `""` is none.
#' @param background The colour of the page, as in [plot()][plot.tec_tree].
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
plot.tec_scores <- function(x, ..., most = 25L, main = NULL, background = NULL) {
  plain_numbers()
  tables <- list(x, ...)
  wrong <- which(!vapply(tables, inherits, NA, "tec_scores"))
  if (length(wrong)) {
    check_known(setdiff(dot_names(tables)[wrong], ""), c("most", "main", "background"), "plot")
    tec_abort("argument", c(
      "Everything to draw must come from {.fn tec_scores}.",
      x = "Argument {wrong[1L]} is {describe(tables[[wrong[1L]]])}."
    ))
  }
  check_page(background, main)
  tables <- lapply(tables, function(t) t[!without_split(t), , drop = FALSE])
  most <- check_count(most, "most", least = 1)
  names <- unique(unlist(lapply(tables, function(t) t$variable)))
  if (length(names) == 0L) {
    tec_abort("data", "No predictor has an admissible split: there is nothing to draw.")
  }
  names <- utils::head(names, most)
  titles <- vapply(tables, function(t) attr(t, "criterion") %||% "score", "")
  ink <- ink_on(background %||% graphics::par("bg"))
  charts <- Map(function(table, title) scores_chart(table, names, title, ink), tables, titles)
  charts[[1L]]$keys <- scores_keys(do.call(rbind, lapply(tables, `[`, c("chosen", "eligible"))))
  charts[[1L]]$title <- main %||% charts[[1L]]$title
  draw_charts(unname(charts), "across", background = background)
  invisible(x)
}

score_colours <- c(chosen = "#D55E00", eligible = "#0072B2", "not eligible" = "grey60")

scores_kind <- function(table) {
  ifelse(table$chosen, "chosen", ifelse(table$eligible, "eligible", "not eligible"))
}

scores_keys <- function(table) {
  known <- intersect(names(score_colours), scores_kind(table))
  list(text = known, colours = unname(score_colours[known]))
}

# The winner is filled; predictors that are not eligible are grey.
scores_chart <- function(table, names, title, ink) {
  y <- length(names) + 1 - match(table$variable, names)
  shown <- !is.na(y) & is.finite(table$score)
  table <- table[shown, , drop = FALSE]
  y <- y[shown]
  colour <- unname(score_colours[scores_kind(table)])
  low <- if (any(table$score < 0)) min(table$score) else 0
  range <- padded(range(low, 0, table$score), 0.05)
  list(
    title = "Scores of the predictors", panel = title, keys = scores_keys(table),
    x = chart_axis("score", range),
    y = chart_axis(
      "", c(0.4, length(names) + 0.6), seq_along(names), rev(show_names(names)),
      shorten = shorten_middle
    ),
    layers = list(
      chart_layer(
        "segment", x = 0, xend = 0, y = 0.4, yend = length(names) + 0.6, colour = ink$line
      ),
      chart_layer("segment", x = 0, xend = table$score, y = y, yend = y, colour = colour),
      chart_layer(
        "point", x = table$score, y = y, frame = colour,
        colour = ifelse(table$chosen, colour, ink$ground), width = 1.2
      )
    )
  )
}

#' Impurity curves of two classes
#'
#' The impurity of a node with two classes against the share of one of them: Shannon's entropy in
#' bits, the Gini index and the misclassification error (the share of the smaller class), and
#' Tsallis entropies of other `q` on request. All are 0 for a pure node and largest at one half.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' At most eight curves are drawn, and none within two percent of the height of another, so that
#' they can be distinguished. A message names those left out; the returned data frame has all.
#'
#' @param q Values of q for further Tsallis curves; `NULL` for none.
#' @param scale Whether to scale all curves to a maximum of 1, to compare their shapes.
#' @param background The colour of the page, as in [plot()][plot.tec_tree].
#' @param rescaled Whether to add half the entropy and twice the Gini index, which have the height
#'   of the error and of the entropy. `scale = TRUE` makes them redundant.
#' @return A data frame with the columns `p`, `curve` and `impurity`, invisibly.
#' @seealso [tsallis_entropy()], [gini_index()], [shannon_entropy()]
#' @family entropies and partitions
#' @examples
#' plot_impurity()
#' plot_impurity(rescaled = TRUE)
#' plot_impurity(q = c(0.5, 3), scale = TRUE)
#' @export
plot_impurity <- function(q = NULL, scale = FALSE, background = NULL, rescaled = FALSE) {
  if (!is.null(q) && (!is.numeric(q) || is.object(q) || !all(is.finite(q)))) {
    tec_abort("argument", c("{.arg q} must be finite numbers.", x = "It is {describe(q)}."))
  }
  check_page(background, NULL)
  scale <- check_flag(scale, "scale", topic = "argument")
  rescaled <- check_flag(rescaled, "rescaled", topic = "argument") && !scale
  p <- seq(0, 1, length.out = 201L)
  at <- function(f) vapply(p, function(s) f(c(s, 1 - s)), 0)
  entropy <- at(shannon_entropy)
  gini <- at(gini_index)
  curves <- list(
    "Shannon, bits" = entropy, "Gini (q = 2)" = gini, "misclassification" = pmin(p, 1 - p)
  )
  if (rescaled) curves <- c(curves, list("half Shannon" = entropy / 2, "twice Gini" = 2 * gini))
  for (value in unique(q[q != 2])) {
    name <- paste0("Tsallis, q = ", number_text(value))
    curves[[name]] <- at(function(v) tsallis_entropy(v, value))
  }
  if (scale) curves <- lapply(curves, function(v) v / v[101L])
  drawn <- curves[told_apart(curves)]
  report_left_out(setdiff(names(curves), names(drawn)))
  ink <- ink_on(background %||% graphics::par("bg"))
  draw_chart(impurity_chart(p, drawn, ink), background = background)
  invisible(data.frame(
    p = rep(p, length(curves)), curve = rep(names(curves), each = length(p)),
    impurity = unlist(curves, use.names = FALSE)
  ))
}

# Which curves are drawn: those with a name of their own first, then each time the Tsallis curve
# farthest from those before it.
told_apart <- function(curves, most = 8L, least = 0.02) {
  values <- do.call(rbind, curves)
  height <- max(values)
  apart <- function(i, kept) min(apply(abs(t(values[kept, , drop = FALSE]) - values[i, ]), 2L, max))
  fixed <- !startsWith(names(curves), "Tsallis")
  kept <- 1L
  for (i in which(fixed)[-1L]) if (apart(i, kept) >= least * height) kept <- c(kept, i)
  rest <- which(!fixed)
  while (length(rest) && length(kept) < most) {
    distance <- vapply(rest, apart, 0, kept = kept)
    if (max(distance) < least * height) break
    best <- rest[which.max(distance)]
    kept <- c(kept, best)
    rest <- setdiff(rest, best)
  }
  sort(kept)
}

report_left_out <- function(names) {
  if (length(names)) {
    tec_inform("curves", c(
      i = "Not drawn, as {cli::qty(length(names))}{?it/they} could not be distinguished from
           other curves: {set_text(names, 60)}."
    ))
  }
}

impurity_chart <- function(p, curves, ink) {
  n <- length(curves)
  colours <- c(ink$text, line_colours(max(n - 1L, 1L)))[seq_len(n)]
  list(
    title = "Impurity of two classes", keys = list(text = names(curves), colours = colours),
    x = chart_axis("share p of one class", c(0, 1)),
    y = chart_axis("impurity", c(0, 1.04 * max(unlist(curves)))),
    layers = list(chart_layer(
      "line", x = rep(p, n), y = unlist(curves, use.names = FALSE),
      group = rep(seq_len(n), each = length(p)), colour = rep(colours, each = length(p)), width = 2
    ))
  )
}
