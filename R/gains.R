#' Gains and lift of leaves
#'
#' `tec_gains()` sorts the leaves by their share of a class and adds up how much of the class is
#' found when the best leaves are taken first. `plot()` draws the table as a gains, lift or response
#' chart.
#'
#' `n` and `gain_n` count rows by their weights. With `missing = "fractional"`, the default of
#' trees, a row with a missing value, or with a level that no training row of the node had, counts
#' in parts in several leaves. The order of the leaves comes from `data`, so even for new rows the
#' gains are slightly too good. For a numeric response the leaves are sorted by their mean, and
#' `gain_n` is the sum of the response in the leaf.
#'
#' @param x A tree from [tec_tree()].
#' @param data A data frame with predictors and response, preferably rows not used for training. If
#'   missing, the training rows are used, as counted by the tree.
#' @param class The class of interest. The default is the last class, for example `TRUE` or `"yes"`.
#' @param y The response of `data`, if the tree was grown from `x` and `y`.
#' @param weights Weights, one per row of `data`, as in [tec_tree()]. `NULL`: all rows of `data`
#'   count equally, even if the tree has weights.
#' @param ... Must be empty for `tec_gains()`; for `plot()`, `main`, `xlab`, `ylab`, `xlim` or
#'   `ylim`.
#' @return A data frame of class `tec_gains`, one row per leaf with rows, sorted by `response`,
#'   largest first.
#'   * `node`: the number of the leaf;
#'   * `n`, `n_percent`: its rows, and their share of all;
#'   * `gain_n`, `gain_percent`: its rows of the class, and their share of all rows of the class;
#'   * `response`: the share of the class in the leaf, in percent, or the mean of the response;
#'   * `index`: the response as a percentage of that of all rows, 100 times the lift;
#'   * `cum_n`, `cum_n_percent`, `cum_gain_n`, `cum_gain_percent`, `cum_response`, `cum_index`: the
#'     same of this leaf and those before it.
#' @family uses of a tree
#' @concept lift chart
#' @concept response rate
#' @examples
#' # A row of the table stands for `Freq` passengers
#' fit <- tec_tree(
#'   Survived ~ . - Freq, as.data.frame(Titanic), weights = Freq, weights_as = "frequency",
#'   preset = "chaid"
#' )
#' gains <- tec_gains(fit, class = "Yes")
#' gains
#' plot(gains)
#' plot(gains, type = "lift")
#' @export
tec_gains <- function(x, data, class = NULL, y = NULL, weights = NULL, ...) {
  refuse_dots("tec_gains", ...)
  x <- wrapped_tree(x)
  check_is_tree(x, "tec_gains")
  class <- check_gains_class(x, class, !is.null(class))
  counts <- if (missing(data)) {
    check_needs_data(NULL, y = y, weights = if (!missing(weights)) substitute(weights))
    gains_of_training(x, class)
  } else {
    data <- check_newdata(data, "data")
    weights <- eval_argument(
      substitute(weights), data, parent.frame(), parent.frame(), "weights"
    )
    gains_of_rows(x, data, class, y, weights, parent.frame())
  }
  gains_table(x, counts, class)
}

# The number of the class; NULL for a numeric response.
check_gains_class <- function(fit, class, given) {
  levels <- fit$response$levels
  if (fit$response$task == "regression") {
    if (given) {
      tec_abort("argument", c(
        "{.arg class} needs a response of classes.",
        x = "The response {.field {fit$response$name}} is numeric."
      ))
    }
    return(NULL)
  }
  if (given) class_numbers(class, levels) else length(levels)
}

gains_of_training <- function(fit, class) {
  tree <- fit$tree
  leaf <- which(tree$kind == 0L)
  weight <- tree$weight[leaf]
  share <- if (is.null(class)) tree$yval[leaf] else tree$prob[leaf, class]
  data.frame(node = leaf, n = weight, gain_n = weight * share)
}

# Rows without a response are ignored; a row that goes down several branches counts in parts.
gains_of_rows <- function(fit, data, class, y, weights, env) {
  values <- code_rows(fit, data, env)
  n <- nrow(data)
  response <- node_response(fit, data, y, env)
  weights <- weights_of_fit(fit, weights, n) %||% rep(1, n)
  node <- route_rows(fit, values, n)
  parts <- list(row = seq_len(n), node = node, share = rep(1, n))
  shared <- shared_rows(fit, values, n)
  if (!is.null(shared)) {
    whole <- !parts$row %in% shared$row
    parts <- lapply(names(parts), function(f) c(parts[[f]][whole], shared[[f]])) |>
      stats::setNames(names(parts))
  }
  used <- !is.na(response[parts$row]) & weights[parts$row] > 0
  row <- parts$row[used]
  weight <- weights[row] * parts$share[used]
  hit <- if (is.null(class)) response[row] else as.numeric(response[row] == class)
  node <- parts$node[used]
  if (!length(node)) {
    tec_abort("data", c("No row of {.arg data} has a response and a weight above 0."))
  }
  sums <- rowsum(cbind(weight, weight * hit), node)
  data.frame(node = as.integer(rownames(sums)), n = sums[, 1L], gain_n = sums[, 2L])
}

gains_table <- function(fit, counts, class) {
  counts <- counts[counts$n > 0, ]
  response <- counts$gain_n / counts$n
  counts <- counts[order(-response, counts$node), ]
  all_n <- sum(counts$n)
  all_gain <- sum(counts$gain_n)
  scale <- if (is.null(class)) 1 else 100
  part <- function(n, gain) {
    list(
      n = n, n_percent = 100 * n / all_n, gain_n = gain, gain_percent = 100 * gain / all_gain,
      response = scale * gain / n, index = 100 * (gain / n) / (all_gain / all_n)
    )
  }
  own <- part(counts$n, counts$gain_n)
  cumulative <- part(cumsum(counts$n), cumsum(counts$gain_n))
  names(cumulative) <- paste0("cum_", names(cumulative))
  structure(
    list2DF(c(list(node = counts$node), own, cumulative)),
    response = fit$response$name, class_name = if (!is.null(class)) fit$response$levels[class],
    overall = scale * all_gain / all_n, class = c("tec_gains", "data.frame")
  )
}

gains_title <- function(x) {
  class <- attr(x, "class_name")
  of <- if (is.null(class)) attr(x, "response") else paste(attr(x, "response"), "=", class)
  paste("Gains for", show_names(of))
}

#' @export
print.tec_gains <- function(x, digits = 4L, ...) {
  plain_numbers()
  refuse_dots("tec_gains", ...)
  check_output(digits)
  if (!all(c("node", "cum_index") %in% names(x))) {
    return(NextMethod())
  }
  unit <- if (is.null(attr(x, "class_name"))) "" else " %"
  cat(
    gains_title(x), " (", number_text(sum(x$n)), " rows, response ",
    number_text(attr(x, "overall"), digits), unit, ")\n",
    sep = ""
  )
  rounded <- lapply(x, function(v) number_text(v, digits))
  print(list2DF(rounded), row.names = FALSE, right = TRUE)
  invisible(x)
}

#' @param type `"gains"`: the share of the class that is found against the share of rows taken.
#'   `"lift"`: the cumulative index as a factor. `"response"`: the share of the class in each leaf.
#' @param main The title; `""` is none.
#' @param col The colour of the curve or the bars.
#' @param background Background colour, as in [plot()][plot.tec_tree].
#' @rdname tec_gains
#' @export
plot.tec_gains <- function(x, type = c("gains", "lift", "response"), main = NULL, col = "#0072B2",
                           background = NULL, ...) {
  type <- if (missing(type)) "gains" else match_choice(type, gains_types, "type")
  make <- function(ink) gains_chart(x, type, col, ink)
  plot_chart(x, make, main, background, given = list(...))
}

gains_types <- c("gains", "lift", "response")

#' @param object A result of `tec_gains()`.
#' @rdname tec_gains
#' @rawNamespace S3method(ggplot2::autoplot, tec_gains)
#' @rawNamespace export(autoplot.tec_gains)
autoplot.tec_gains <- function(object, type = c("gains", "lift", "response"), main = NULL,
                               col = "#0072B2", background = NULL, ...) {
  refuse_dots("autoplot", ...)
  type <- if (missing(type)) "gains" else match_choice(type, gains_types, "type")
  autoplot_chart(function(ink) gains_chart(object, type, col, ink), main, background)
}

gains_chart <- function(x, type, col, ink) {
  if (nrow(x) == 0L || !"cum_index" %in% names(x)) {
    tec_abort("argument", c(
      "There are no gains to draw.", i = "Draw what {.fn tec_gains} returned."
    ))
  }
  check_colours(col, "col", several = FALSE)
  if (type == "response") gains_bars(x, col, ink) else gains_curve(x, type, col, ink)
}

# The curve from no row to all rows, leaf by leaf, and the line for leaves taken at random.
gains_curve <- function(x, type, col, ink) {
  lift <- type == "lift"
  at <- c(if (!lift) 0, x$cum_n_percent)
  value <- c(if (!lift) 0, if (lift) x$cum_index / 100 else x$cum_gain_percent)
  of_class <- !is.null(attr(x, "class_name"))
  list(
    title = gains_title(x),
    x = chart_axis("Rows taken, %", c(0, 100)),
    y = chart_axis(
      if (lift) "Lift" else if (of_class) "Rows of the class, %" else "Sum of the response, %",
      padded(range(value, if (lift) c(0, 1) else c(0, 100)), 0.04)
    ),
    layers = list(
      chart_layer("segment",
        x = 0, xend = 100, y = if (lift) 1 else 0, yend = if (lift) 1 else 100,
        colour = ink$line, dash = 2
      ),
      chart_layer("line", x = at, y = value, group = 1, colour = col, width = 2),
      chart_layer("point", x = at, y = value, colour = col, frame = ink$ground)
    )
  )
}

gains_bars <- function(x, col, ink) {
  at <- seq_len(nrow(x))
  all <- attr(x, "overall")
  of_class <- !is.null(attr(x, "class_name"))
  list(
    title = gains_title(x), caption = "Line: all rows",
    x = chart_axis("Leaf", c(0.4, nrow(x) + 0.6), at, as.character(x$node)),
    y = chart_axis(
      if (of_class) "Share of the class, %" else "Mean response",
      padded(range(0, x$response, all), 0.04)
    ),
    layers = list(
      chart_layer("rect",
        xmin = at - 0.36, xmax = at + 0.36, ymin = 0, ymax = x$response, colour = col
      ),
      chart_layer("segment",
        x = 0.4, xend = nrow(x) + 0.6, y = all, yend = all, colour = ink$text, dash = 2
      )
    )
  )
}
