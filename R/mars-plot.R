#' Plot the functions of regression splines
#'
#' The fit is a sum of functions of one or several predictors. Each function is the sum of the terms
#' of these predictors, minus its mean over the training rows. `plot()` draws functions of a number
#' as lines, those of a factor as bars, and those of two predictors as heat maps. The histograms
#' beside them show the training rows. For classes, the functions are on the scale of the log odds.
#'
#' @param x,object A fit from [tec_mars()].
#' @param which The functions to draw, by number or name (such as `"wt"` or `"wt, hp"`). `NULL`
#'   draws the twelve functions with the largest standard deviation. `autoplot()` draws one, by
#'   default the first.
#' @param class For more than two classes: the classes that have lines. Heat maps show the first of
#'   them.
#' @param palette,main,legend,background As in [plot()][plot.tec_tree].
#' @param ... Not used.
#' @return `plot()` returns the functions drawn, invisibly: a list of data frames with the
#'   predictors' values and `value`, or one column per class for more than two classes. `autoplot()`
#'   returns a ggplot.
#' @family spline functions
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' plot(fit)
#'
#' pairs <- tec_mars(Volume ~ ., trees, degree = 2)
#' plot(pairs)
#' @export
plot.tec_mars <- function(x, which = NULL, class = NULL, palette = NULL, main = NULL, legend = TRUE,
                          background = NULL, ...) {
  plain_numbers()
  refuse_dots("plot", ...)
  check_page(background, main, legend, palette)
  check_fit(x)
  ink <- ink_on(background %||% graphics::par("bg"))
  drawn <- mars_curves(x, which, class)
  charts <- mars_charts(x, drawn, palette, main, ink)
  keys <- if (isTRUE(legend)) Filter(Negate(is.null), lapply(charts, `[[`, "keys"))
  draw_chart_grid(charts, if (length(keys)) keys[[1L]], background, shared = TRUE)
  invisible(lapply(drawn, curve_table, fit = x))
}

#' @rdname plot.tec_mars
#' @rawNamespace S3method(ggplot2::autoplot, tec_mars)
#' @rawNamespace export(autoplot.tec_mars)
autoplot.tec_mars <- function(object, which = 1L, class = NULL, palette = NULL, main = NULL,
                              legend = TRUE, background = NULL, ...) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  refuse_dots("autoplot", ...)
  check_page(background, main, legend, palette)
  check_fit(object)
  ink <- ink_on(background %||% theme_ground())
  if (length(which) != 1L) {
    abort_found("{.arg which} must be one function: {.fn autoplot} draws one.", which)
  }
  drawn <- mars_curves(object, which, class)
  chart <- mars_charts(object, drawn, palette, main, ink)[[1L]]
  chart$x$label <- sub(", .*", "", chart$panel)
  gg_chart(chart, legend, background)
}

mars_charts <- function(fit, drawn, palette, main, ink) {
  many <- attr(drawn, "not_drawn")
  classes <- !is.null(fit$response$levels)
  what <- if (!classes) {
    show_names(fit$response$name)
  } else if (ncol(fit$coefficients) == 1L) {
    paste0("log odds of ", show_label(colnames(fit$coefficients)))
  } else {
    "log odds"
  }
  about <- list(
    fit = picture_facts(fit), label = paste("Part of", what), spread = fit$spread,
    title = main %||% paste0("Functions of ", show_names(fit$response$name)),
    caption = if (many > 0L) {
      why <- " of three predictors or more, or of less weight"
      paste0("Not drawn: ", count_text(many, "function"), why)
    }
  )
  map <- lengths(lapply(drawn, `[[`, "columns")) == 2L
  limits <- lapply(list(!map, map), function(some) {
    range(unlist(lapply(drawn[some], `[[`, "value")), 0, na.rm = TRUE)
  })
  if (any(map) && ncol(fit$coefficients) > 1L && !all(map)) {
    about$caption <- paste(c(paste0(
      "Maps: green below 0, purple above, up to ", number_text(signif(max(abs(limits[[2L]])), 2L))
    ), about$caption), collapse = ". ")
  }
  unname(Map(function(f, pair) {
    function_chart(f, about, limits[[1L + pair]], palette, ink)
  }, drawn, map))
}

# The functions as function_chart() takes them.
mars_curves <- function(fit, which, class) {
  functions <- mars_functions(fit)
  if (length(functions) == 0L) {
    tec_abort("argument", c(
      "There is nothing to draw: the fit has no terms.",
      x = "It predicts the mean of {.field {fit$response$name}}."
    ))
  }
  shown <- mars_shown_classes(fit, class)
  small <- lengths(lapply(functions, `[[`, "columns")) <= 2L
  picked <- if (is.null(which)) {
    base::which(small)
  } else {
    mars_picked(functions, which, small)
  }
  out <- lapply(functions[picked], mars_curve, fit = fit, shown = shown)
  if (is.null(which) && length(out) > 12L) {
    size <- vapply(out, function(f) stats::sd(f$value[, 1L]), 0)
    out <- out[sort(order(-size)[1:12])]
  }
  structure(out, not_drawn = if (is.null(which)) length(functions) - length(out) else 0L)
}

mars_picked <- function(functions, which, small) {
  if (is.character(which)) {
    for (one in which) match_choice(one, names(functions), "which")
    which <- match(which, names(functions))
  }
  right <- is.numeric(which) && length(which) > 0L && all(which %in% seq_along(functions))
  if (!right) {
    abort_found(
      "{.arg which} must be numbers from 1 to {length(functions)}, or names of functions.", which
    )
  }
  if (!all(small[which])) {
    tec_abort("argument", c(
      "Only functions of one or two predictors can be drawn.",
      x = "{.val {names(functions)[which][!small[which]][1L]}} has more."
    ))
  }
  which
}

mars_shown_classes <- function(fit, class) {
  all <- colnames(fit$coefficients)
  if (is.null(class)) {
    return(seq_along(all))
  }
  if (length(all) == 1L) abort_only_for("class", "more than two classes")
  class_numbers(class, all, one = FALSE)
}

mars_curve <- function(f, fit, shown) {
  axes <- lapply(f$columns, mars_places, fit = fit, terms = fit$selected[f$terms])
  size <- lengths(lapply(axes, `[[`, "value"))
  values <- vector("list", length(fit$columns$name))
  values[[f$columns[1L]]] <- rep(axes[[1L]]$value, prod(size) / size[1L])
  if (length(size) == 2L) values[[f$columns[2L]]] <- rep(axes[[2L]]$value, each = size[1L])
  needed <- which(fit$inputs$column %in% f$columns)
  x <- mars_matrix(values, fit$inputs, n = prod(size), needed = needed)
  b <- fit$coefficients[f$terms, shown, drop = FALSE]
  basis <- mars_basis(x, fit$side, fit$cut, fit$selected[f$terms])
  value <- basis %*% b - rep(drop(fit$means[f$terms] %*% b), each = prod(size))
  several <- ncol(fit$coefficients) > 1L
  if (length(size) == 1L) {
    class <- if (several) match(colnames(fit$coefficients)[shown], fit$response$levels)
    return(list(columns = f$columns, x = axes[[1L]]$value, value = unname(value), class = class))
  }
  list(
    columns = f$columns, x = axes[[1L]], y = axes[[2L]], value = matrix(value[, 1L], size[1L]),
    beside = if (several) paste0(": ", show_label(colnames(fit$coefficients)[shown[1L]])) else ""
  )
}

# Where a predictor is looked at: at all levels; of numbers between the ends and the knots, where
# the function is straight, and for pairs in 40 cells.
mars_places <- function(j, fit, terms) {
  if (fit$columns$kind[j] != "numeric") {
    n <- length(fit$columns$levels[[j]])
    return(list(value = seq_len(n), from = seq_len(n) - 0.5, to = seq_len(n) + 0.5))
  }
  at <- which(fit$inputs$column == j)
  hinges <- fit$side[terms, at] %in% c(-1L, 1L)
  range <- fit$spread[[j]]$range
  pair <- any(rowSums(fit$side[terms, , drop = FALSE] != 0L) > 1L)
  if (pair) {
    edge <- seq(range[1L], range[2L], length.out = 41L)
    return(list(value = (edge[-1L] + edge[-41L]) / 2, from = edge[-41L], to = edge[-1L]))
  }
  list(value = sort(unique(c(range, fit$cut[terms, at][hinges]))))
}

curve_table <- function(f, fit) {
  names <- fit$columns$name[f$columns]
  places <- function(j, v) {
    if (fit$columns$kind[j] == "numeric") {
      return(with_class_of(v, fit$columns$ptype[[j]]))
    }
    factor(fit$columns$levels[[j]][v], fit$columns$levels[[j]])
  }
  if (length(names) == 1L) {
    out <- data.frame(places(f$columns, f$x), f$value)
    values <- if (is.null(f$class)) "value" else fit$response$levels[f$class]
    return(stats::setNames(out, c(names, values)))
  }
  out <- data.frame(
    rep(places(f$columns[1L], f$x$value), length(f$y$value)),
    rep(places(f$columns[2L], f$y$value), each = length(f$x$value)), as.vector(f$value)
  )
  stats::setNames(out, c(names, "value"))
}
