#' Shapes of a boosted model
#'
#' A model of [tec_boost()] with `max_depth` 1 or 2, or `cyclic = TRUE`, is a sum of functions of
#' one or two predictors, its *shapes*. `tec_shapes()` returns them exactly, on the scale of
#' `predict(type = "link")`: the number, or the log odds.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' The shapes of pairs are purified (Lengerich et al., 2020): the effect of a single predictor is
#' in its own shape. So every shape, and every row and column of a pair's table, has mean 0 over the
#' weighted training rows. With more than two classes, each class has its own shapes, and only
#' differences between classes matter.
#'
#' @param fit A model from [tec_boost()].
#' @param data The training rows. They are needed only if they cannot be found as described in
#'   [tec_tree-methods]. The weights of the fit are used only if the rows are found: rows that are
#'   given all count equally, with a message. So for a model with weights, restore the data under
#'   the names of the call, or save the result of `tec_shapes(fit)` with the model.
#' @param class For more than two classes: one of them. Plots show the first by default.
#' @param threads Number of threads.
#' @return An object of class `tec_shapes`: a list with
#'   * `baseline`: the mean prediction, one number per output;
#'   * `terms`: a list of the shapes, the strongest first. Each has `predictors`, `strength` (the
#'     standard deviation of the shape over the training rows and all classes) and `table`, a data
#'     frame with one row per cell. Its columns are `from` and `to` or `level` (`from2`, ... for the
#'     second predictor of a pair), `missing`, the `weight` of the training rows in the cell, the
#'     `value`, `class` with more than two classes, and `se`, the standard deviation of the value
#'     over the bags of the model.
#'
#'   `predict()` returns the values of the shapes for new rows: a matrix with one column per shape.
#'   The sum of a row and the baseline is the prediction. `as.data.frame()` returns one table of all
#'   shapes.
#' @family boosting functions
#' @references Lengerich, B., Tan, S., Chang, C.-H., Hooker, G. and Caruana, R. (2020). Purifying
#'   interaction effects with the functional ANOVA. *AISTATS*.
#' @concept explainable boosting machine
#' @concept generalized additive model
#' @concept functional ANOVA
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ wt + hp + cyl, mtcars, rounds = 50, max_depth = 2, min_bucket = 3)
#' shapes <- tec_shapes(fit)
#' shapes
#' plot(shapes, "wt")
#' plot(shapes, c("wt", "hp"))
#'
#' # The sum is the prediction.
#' range(shapes$baseline + rowSums(predict(shapes, mtcars)) - predict(fit, mtcars))
#' @export
tec_shapes <- function(fit, data = NULL, threads = NULL) {
  fit <- wrapped_tree(fit)
  if (!inherits(fit, "tec_boost")) {
    tec_abort("argument", c(
      "{.fn tec_shapes} needs a model from {.fn tec_boost}.", x = "It got {describe(fit)}."
    ))
  }
  check_fit(fit)
  if (fit$method == "adaboost") {
    tec_abort("argument", c(
      "{.fn tec_shapes} needs a model of {.code method = \"gradient\"}.",
      x = "AdaBoost's trees vote; their numbers do not add up."
    ))
  }
  env <- parent.frame()
  weight <- NULL
  if (is.null(data)) {
    found <- training_rows(fit, "tec_shapes", env)
    data <- found$data
    weight <- found$used_weights
  } else {
    say_unweighted(fit)
  }
  data <- check_newdata(data, "data")
  # Bags may use more columns than the model.
  used <- sort(unique(unlist(lapply(c(list(fit), fit$bags), needed_columns))))
  values <- code_newdata(fit, data, used, env, arg = "data")
  weight <- as.double(weight %||% rep(1, nrow(data)))
  raw <- raw_shapes(fit, fit, threads)
  cells <- lapply(seq_along(values), function(j) cells_of(fit, raw$cuts[[j]], values[[j]], j))
  pure <- purify_shapes(raw, cells, weight, fit)
  bags <- lapply(fit$bags, function(bag) {
    one <- raw_shapes(fit, bag, threads)
    on_cells(purify_shapes(one, lapply(seq_along(values), function(j) {
      cells_of(fit, one$cuts[[j]], values[[j]], j)
    }), weight, fit), one, raw, fit)
  })
  density <- lapply(values, function(value) if (!is.null(value)) density_of(value, weight))
  out <- new_shapes(pure, raw, fit, weight, bags)
  out$density <- density
  out
}

# list(constant, cuts, tables) of some trees.
raw_shapes <- function(fit, trees, threads) {
  outputs <- boost_outputs(fit)
  empty <- lapply(fit$columns$kind, function(k) if (k == "numeric") numeric() else integer())
  out <- tec_shapes_(
    trees$trees, core_columns(fit, empty, 0L), outputs, as.integer(trees$output),
    default_threads(threads)
  )
  if (length(out) == 0L) {
    tec_abort("argument", c(
      "The model is not a sum of functions of one or two predictors.",
      x = "Its trees have {.arg max_depth} {fit$settings$max_depth}.",
      i = "Grow it with {.code max_depth = 2}, or {.code cyclic = TRUE}; see {.fn tec_shap} \\
           for others."
    ))
  }
  out$constant <- out$constant + trees$base
  out
}

# The cell of each row in a column. The last cell holds missing values.
cells_of <- function(fit, cuts, value, j) {
  if (is.null(value)) {
    return(NULL)
  }
  n <- cell_count(fit, cuts, j)
  at <- if (fit$columns$kind[j] != "numeric") {
    as.integer(value)
  } else {
    findInterval(as.double(value), cuts, left.open = TRUE) + 1L
  }
  at[is.na(at)] <- n
  at
}

new_shapes <- function(pure, raw, fit, weight, bags) {
  terms <- lapply(pure$terms, function(term) {
    list(
      predictors = fit$columns$name[term$columns], columns = term$columns,
      strength = sqrt(mean(colSums(term$weight * term$value^2)) / sum(weight)),
      table = shape_table(term, raw, fit, bags)
    )
  })
  order <- order(-vapply(terms, `[[`, 0, "strength"))
  baseline <- pure$constant
  if (boost_outputs(fit) > 1L) names(baseline) <- fit$response$levels
  structure(
    list(
      baseline = baseline, terms = terms[order], cuts = raw$cuts, columns = fit$columns,
      predictors = fit$predictors, control = fit$control, response = fit$response,
      n_rows = sum(weight), bags = length(bags)
    ),
    class = "tec_shapes"
  )
}

# One row per cell and output.
shape_table <- function(term, raw, fit, bags) {
  k <- ncol(term$value)
  parts <- Map(function(j, one) cell_texts(fit, raw$cuts[[j]], j), term$columns, term$columns)
  size <- vapply(parts, nrow, 0L)
  at <- if (length(parts) == 1L) {
    list(seq_len(size))
  } else {
    list(rep(seq_len(size[1L]), size[2L]), rep(seq_len(size[2L]), each = size[1L]))
  }
  out <- parts[[1L]][at[[1L]], , drop = FALSE]
  if (length(parts) == 2L) {
    second <- parts[[2L]][at[[2L]], , drop = FALSE]
    out <- cbind(out, stats::setNames(second, paste0(names(second), "2")))
  }
  out <- out[rep(seq_len(nrow(out)), k), , drop = FALSE]
  out$weight <- rep(term$weight, k)
  out$value <- as.vector(term$value)
  if (k > 1L) {
    out$class <- factor(rep(fit$response$levels, each = nrow(term$value)), fit$response$levels)
  }
  if (length(bags)) out$se <- bag_spread(term, bags)
  row.names(out) <- NULL
  out
}

cell_texts <- function(fit, cuts, j) {
  if (fit$columns$kind[j] != "numeric") {
    level <- c(fit$columns$levels[[j]], NA)
    return(data.frame(level = level, missing = is.na(level)))
  }
  data.frame(
    from = c(-Inf, cuts, NA), to = c(cuts, Inf, NA),
    missing = rep(c(FALSE, TRUE), c(length(cuts) + 1L, 1L))
  )
}

bag_spread <- function(term, bags) {
  key <- toString(term$columns)
  all <- vapply(bags, function(bag) {
    as.vector(bag[[key]] %||% array(0, dim(term$value)))
  }, numeric(length(term$value)))
  all <- matrix(all, length(term$value))
  sqrt(rowSums((all - rowMeans(all))^2) / max(length(bags) - 1L, 1L))
}

#' @rdname tec_shapes
#' @param object An object returned by `tec_shapes()`.
#' @param newdata The rows.
#' @param ... Not used.
#' @export
predict.tec_shapes <- function(object, newdata, class = NULL, ...) {
  refuse_dots("tec_shapes", ...)
  newdata <- check_newdata(newdata)
  used <- sort(unique(unlist(lapply(object$terms, `[[`, "columns"))))
  values <- code_newdata(object, newdata, used, parent.frame())
  class <- shapes_class(object, class)
  out <- vapply(object$terms, function(term) {
    table <- of_class(term$table, class)
    at <- lapply(term$columns, function(j) cells_of(object, object$cuts[[j]], values[[j]], j))
    first <- cell_count(object, object$cuts[[term$columns[1L]]], term$columns[1L])
    table$value[if (length(at) == 1L) at[[1L]] else at[[1L]] + (at[[2L]] - 1L) * first]
  }, numeric(nrow(newdata)))
  matrix(out, nrow(newdata), length(object$terms), dimnames = list(NULL, term_names(object)))
}

term_names <- function(x) {
  vapply(x$terms, function(term) paste(term$predictors, collapse = " : "), "")
}

# The class whose shapes are wanted; NULL if there is one output.
shapes_class <- function(x, class) {
  levels <- x$response$levels
  if (length(x$baseline) == 1L) {
    if (!is.null(class)) abort_only_for("class", "more than two classes")
    return(NULL)
  }
  if (is.null(class)) levels[1L] else levels[class_numbers(class, levels)]
}

of_class <- function(table, class) if (is.null(class)) table else table[table$class == class, ]

#' @rdname tec_shapes
#' @param x An object returned by `tec_shapes()`.
#' @param n Number of shapes to print.
#' @param digits Number of significant digits.
#' @export
print.tec_shapes <- function(x, n = 10L, digits = 3L, ...) {
  plain_numbers()
  cat(format.tec_shapes(x, n = n, digits = digits, ...), sep = "\n")
  invisible(x)
}

#' @export
format.tec_shapes <- function(x, n = 10L, digits = 3L, ...) {
  refuse_dots("tec_shapes", ...)
  check_output(digits, n = n)
  terms <- utils::head(x$terms, n)
  least <- function(f) vapply(terms, function(t) f(t$table$value[t$table$weight > 0]), 0)
  table <- data.frame(
    term = show_names(term_names(x))[seq_along(terms)],
    strength = number_text(vapply(terms, `[[`, 0, "strength"), digits),
    least = number_text(least(min), digits), largest = number_text(least(max), digits)
  )
  left <- length(x$terms) - length(terms)
  what <- if (is.null(x$response$levels)) {
    show_names(x$response$name)
  } else if (length(x$baseline) == 1L) {
    paste0("the log odds of ", show_names(x$response$name), " = ", x$response$levels[2L])
  } else {
    paste("the scores of the classes of", show_names(x$response$name))
  }
  c(
    paste0(
      "Functions that add up to ", what, ", baseline ", toString(number_text(x$baseline, digits))
    ),
    if (length(terms)) {
      utils::capture.output(print(table, row.names = FALSE, right = TRUE))
    } else {
      "No tree splits on any predictor."
    },
    if (left > 0L) paste0("... and ", count_text(left, "term"), " more")
  )
}

#' @rdname tec_shapes
#' @param row.names,optional As in [as.data.frame()]; `optional` is not used.
#' @export
as.data.frame.tec_shapes <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots("as.data.frame", ...)
  columns <- c("from", "to", "level", "from2", "to2", "level2", "class", "weight", "value", "se")
  parts <- Map(function(term, name) {
    table <- term$table
    for (one in setdiff(columns, names(table))) {
      table[[one]] <- if (one %in% c("level", "level2", "class")) NA_character_ else NA_real_
    }
    table$class <- as.character(table$class)
    cbind(term = name, strength = term$strength, table[columns])
  }, x$terms, term_names(x))
  with_row_names(do.call(rbind, unname(parts)), row.names)
}

# Histogram of the rows: list(breaks, weight) for a numeric predictor.
density_of <- function(value, weight) {
  value <- as.double(value)
  known <- is.finite(value)
  if (!any(known)) {
    return(list(breaks = c(0, 1), weight = 0))
  }
  range <- range(value[known])
  if (diff(range) == 0) range <- range + c(-0.5, 0.5)
  breaks <- seq(range[1L], range[2L], length.out = 41L)
  bin <- findInterval(value[known], breaks, rightmost.closed = TRUE)
  list(breaks = breaks, weight = rowsum_at(weight[known], bin, 40L))
}
