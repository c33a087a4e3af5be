#' Partial dependence and individual conditional expectation
#'
#' Sets one or two predictors to each of some values in all rows and predicts. Returns the mean
#' prediction for each value or pair of values (partial dependence; Friedman, 2001). With one
#' predictor and `individual = TRUE`, it also returns the prediction of each row (individual
#' conditional expectation; Goldstein et al., 2015). All models of this package are supported.
#' [tec_picture()] shows the exact steps of a single tree.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @param fit A tree from [tec_tree()], a forest from [tec_forest()], a model from [tec_boost()],
#'   [tec_rotation()] or [tec_mars()], or the result of [tec_tune()].
#' @param predictor The name of one or two predictors; a term such as `log(x)` if the formula has
#'   it.
#' @param data The rows. The default is the training rows, if they can be found (see
#'   [tec_tree-methods]), with their weights. Rows that are given all count equally.
#' @param values The values of the predictor, or a list with the values of two predictors. `NULL`,
#'   also in the list: `n` quantiles of a numeric predictor in `data`, or all levels of a factor in
#'   `data`.
#' @param n Number of quantiles.
#' @param individual Whether to keep the predictions of the rows, for one predictor.
#' @param class The classes to show. With two classes, the default is the second.
#' @param centre Whether the lines of `plot()` start at 0, so that they show differences from the
#'   prediction for the first value. For one predictor only.
#' @param threads Number of threads, see [tec_control()].
#' @param x,object An object returned by `tec_dependence()`.
#' @param palette,main,legend,background As in [plot()][plot.tec_tree]. For two predictors, the
#'   chart is a heat map, and `palette` has the colours of the lowest and the highest prediction.
#' @param ... Not used.
#' @return A data frame of class `tec_dependence`: one column per predictor with its name, for
#'   classes `class`, and `prediction`, a number or the probability of the class. With `individual`,
#'   the attribute `"individual"` is a data frame that also has the column `row`. `plot()` returns
#'   the data frame invisibly. `ggplot2::autoplot()` returns a ggplot, in which the maps of several
#'   classes are panels.
#' @family forest functions
#' @references Friedman, J. H. (2001). Greedy function approximation: a gradient boosting machine.
#'   *Annals of Statistics* 29, 1189-1232.
#'
#'   Goldstein, A., Kapelner, A., Bleich, J. and Pitkin, E. (2015). Peeking inside the black box:
#'   visualizing statistical learning with plots of individual conditional expectation. *Journal of
#'   Computational and Graphical Statistics* 24, 44-65.
#' @concept partial dependence
#' @concept ICE
#' @concept individual conditional expectation
#' @examples
#' set.seed(1)
#' fit <- tec_forest(mpg ~ ., mtcars, trees = 100, threads = 2)
#' found <- tec_dependence(fit, "wt", individual = TRUE)
#' head(found)
#' plot(found)
#' plot(tec_dependence(fit, c("wt", "hp")))
#'
#' classes <- tec_forest(Species ~ ., iris, trees = 50, threads = 2)
#' plot(tec_dependence(classes, "Petal.Width"))
#' @export
tec_dependence <- function(fit, predictor, data = NULL, values = NULL,
                           n = if (length(predictor) == 2L) 10L else 25L, individual = FALSE,
                           class = NULL, threads = NULL) {
  fit <- chosen_fit(fit, "tec_dependence")
  check_fit(fit)
  individual <- check_flag(individual, "individual", topic = "argument")
  threads <- default_threads(threads)
  j <- dependence_columns(fit, predictor)
  if (individual && length(j) == 2L) abort_one_predictor("individual")
  check_free_names(fit$columns$name[j])
  values <- dependence_given(values, fit$columns$name[j])
  if (!missing(n) && !any(vapply(values, is.null, NA))) {
    tec_abort("argument", c("{.arg n} and {.arg values} are both given.", i = "Give one."))
  }
  n <- check_count(n, "n", least = 2)
  env <- parent.frame()
  weight <- NULL
  if (is.null(data)) {
    found <- training_rows(fit, "tec_dependence", env)
    data <- found$data
    weight <- found$used_weights
  } else {
    say_unweighted(fit)
  }
  data <- check_newdata(data, "data")
  used <- union(needed_columns(fit), j)
  coded <- code_newdata(fit, data, sort(used), env, setdiff(optional_columns(fit), j), "data")
  rows <- rows_with_predictors(fit, coded, nrow(data), j)
  weight <- weight %||% rep(1, nrow(data))
  if (length(rows) < nrow(data)) {
    coded <- lapply(coded, `[`, rows)
    weight <- weight[rows]
  }
  at <- Map(function(j, values) dependence_values(fit, j, coded[[j]], values, n), j, values)
  shown <- picture_classes(fit, class)
  if (is.null(fit$response$levels)) shown <- NULL
  # The values of the last predictor change fastest.
  grid <- rev(expand.grid(rev(lapply(at, function(a) seq_along(a$code)))))
  predicted <- lapply(seq_len(nrow(grid)), function(i) {
    set <- coded
    for (p in seq_along(j)) set[[j[p]]] <- rep(at[[p]]$code[grid[[p]][i]], length(rows))
    said <- predict_numbers(fit, set, length(rows), shown, threads)
    list(mean = colSums(weight * said) / sum(weight), own = if (individual) said)
  })
  value <- Map(function(a, i) a$value[i], at, grid)
  out <- dependence_table(fit, j, value, lapply(predicted, `[[`, "mean"), shown)
  own <- if (individual) {
    dependence_table(fit, j, value, lapply(predicted, `[[`, "own"), shown, rows)
  }
  about <- list(column = j, fit = picture_facts(fit))
  if (length(j) == 2L) about$spread <- dependence_spread(fit, j, coded, at)
  if (length(j) == 1L) about$rug <- dependence_rug(fit, j, coded[[j]])
  structure(out, class = c("tec_dependence", "data.frame"), individual = own, about = about)
}

dependence_columns <- function(fit, predictor) {
  names <- fit$columns$name
  if (!is.character(predictor) || length(predictor) == 1L) {
    return(match(match_choice(predictor, names, "predictor"), names))
  }
  if (length(predictor) != 2L || anyDuplicated(predictor)) {
    abort_found("{.arg predictor} must be one or two different names.", predictor)
  }
  vapply(predictor, function(p) match(match_choice(p, names, "predictor"), names), 0L,
    USE.NAMES = FALSE
  )
}

abort_one_predictor <- function(arg) {
  tec_abort("argument", c(
    "{.code {arg} = TRUE} is for one predictor.", i = "Leave it out, or give one {.arg predictor}."
  ))
}

# A list with the requested values of each predictor, or NULL.
dependence_given <- function(values, names) {
  if (length(names) == 1L || is.null(values)) {
    return(if (is.null(values)) vector("list", length(names)) else list(values))
  }
  right <- is.list(values) && length(values) == 2L &&
    (is.null(names(values)) || setequal(names(values), names))
  if (!right) {
    abort_found("{.arg values} must be a list with the values of {.field {names}}.", values)
  }
  unname(if (is.null(names(values))) as.list(values) else as.list(values)[names])
}

# A matrix with one column per class shown, or one column of numbers.
predict_numbers <- function(fit, coded, n, shown, threads) {
  type <- if (is.null(shown)) "response" else "prob"
  out <- predict_coded(fit, coded, n, type, threads)
  if (is.null(shown)) as.matrix(out) else out[, shown, drop = FALSE]
}

# list(code =, value =): the values that the column is set to, as codes and for the table.
dependence_values <- function(fit, j, column, values, n) {
  columns <- fit$columns
  numeric <- columns$kind[j] == "numeric"
  if (is.null(values)) {
    known <- column[!is.na(column)]
    if (length(known) == 0L) {
      tec_abort("data", "Every value of {.field {columns$name[j]}} in {.arg data} is missing.")
    }
    code <- if (numeric) {
      plain <- as.double(known)
      if (n > length(plain)) {
        sort(unique(plain))
      } else {
        unique(stats::quantile(plain, seq(0, 1, length.out = n), type = 1L, names = FALSE))
      }
    } else {
      sort(unique(as.integer(known)))
    }
  } else {
    if (length(values) == 0L) {
      tec_abort("argument", c(
        "{.arg values} must be values of {.field {columns$name[j]}}.", x = "It is empty."
      ))
    }
    coded <- recode_column(values, columns, j, length(values), "values")
    unseen <- if (length(coded$unseen)) stats::setNames(list(coded$unseen), columns$name[j])
    report_unseen(unseen, "error", "values")
    code <- if (numeric) as.double(coded$value) else as.integer(coded$value)
  }
  value <- if (numeric) {
    with_class_of(code, columns$ptype[[j]])
  } else {
    factor(columns$levels[[j]][code], columns$levels[[j]], ordered = columns$kind[j] == "ordered")
  }
  list(code = code, value = value)
}

# Restores dates and times.
with_class_of <- function(x, ptype) {
  if (is.object(ptype)) attributes(x) <- attributes(ptype)
  x
}

# `value`: the values of the predictors for each prediction; `rows`: the row numbers, for
# predictions of single rows.
dependence_table <- function(fit, j, value, predicted, shown, rows = NULL) {
  n <- length(rows %||% 1L)
  k <- max(length(shown), 1L)
  out <- lapply(value, function(v) v[rep(seq_along(v), each = k * n)])
  out <- stats::setNames(out, fit$columns$name[j])
  if (!is.null(shown)) out$class <- class_of(fit, rep(rep(shown, each = n), length(predicted)))
  if (!is.null(rows)) out$row <- rep(rows, k * length(predicted))
  out$prediction <- unlist(predicted, use.names = FALSE)
  list2DF(out)
}

# The table has its own columns of these names.
check_free_names <- function(names) {
  taken <- intersect(names, c("prediction", "class", "row"))
  if (length(taken)) {
    tec_abort("argument", c(
      "{.fn tec_dependence} cannot show a predictor called {.field {taken[1L]}}.",
      x = "Its table has a column of that name.", i = "Rename the column, and grow the model again."
    ))
  }
}

class_of <- function(fit, codes) factor(fit$response$levels[codes], fit$response$levels)

# For each column: the distribution of the rows between the values.
dependence_spread <- function(fit, j, coded, at) {
  out <- vector("list", length(fit$columns$name))
  for (p in seq_along(j)) {
    x <- as.double(coded[[j[p]]])
    between <- !is.na(x) & x >= min(at[[p]]$code) & x <= max(at[[p]]$code)
    numeric <- fit$columns$kind[j[p]] == "numeric"
    levels <- if (!numeric) length(fit$columns$levels[[j[p]]])
    out[[j[p]]] <- value_spread(x[between], levels)
  }
  out
}

# At most a hundred of the values, by their quantiles; NULL for levels.
dependence_rug <- function(fit, j, values) {
  if (fit$columns$kind[j] != "numeric") {
    return(NULL)
  }
  at <- sort(as.double(values))
  at <- at[is.finite(at)]
  if (length(at) > 100L) at <- at[round(seq(1, length(at), length.out = 100L))]
  unique(at)
}

dependence_label <- function(about, lines, classes, centre) {
  what <- if (classes) {
    paste0("probability", lines$one)
  } else {
    paste("prediction of", show_names(about$fit$response$name))
  }
  if (centre) paste("Change of the", what) else upper_first(paste("mean", what))
}

axis_place <- function(x) if (is.factor(x)) as.integer(x) else as.double(x)

# Differences from the first entry of each group, which belongs to the first value.
from_first <- function(x, group) {
  if (is.null(group)) x - x[1L] else stats::ave(x, group, FUN = function(v) v - v[1L])
}

# The properties of the model that drawing needs.
picture_facts <- function(fit) list(response = fit$response, columns = fit$columns)

# The numbers of the classes that have a curve; none for a numeric response.
picture_classes <- function(fit, class) {
  levels <- fit$response$levels
  if (is.null(levels) && !is.null(class)) abort_only_for("class", "a response of classes")
  if (is.null(class)) {
    return(if (length(levels) == 2L) 2L else seq_along(levels))
  }
  class_numbers(class, levels, one = FALSE)
}
