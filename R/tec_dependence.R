#' Partial dependence and individual conditional expectation
#'
#' Sets a predictor to each of some values in all rows, predicts, and returns the mean prediction
#' for each value (partial dependence; Friedman, 2001), with `individual = TRUE` also the prediction
#' of each row (individual conditional expectation; Goldstein et al., 2015). For every model of this
#' package; the exact steps of a single tree are those of [tec_picture()].
#'
#' @param fit A tree from [tec_tree()], a forest from [tec_forest()], or a model from [tec_boost()],
#'   [tec_rotation()] or [tec_mars()].
#' @param predictor The name of a predictor; a term such as `log(x)` if the formula has it.
#' @param data The rows. By default the training rows, if they can be found (see
#'   [tec_tree-methods]), with their case weights.
#' @param values The values of the predictor. `NULL`: of a number `n` quantiles of its values in
#'   `data`, of a factor all levels in `data`.
#' @param n The number of quantiles.
#' @param individual Whether to keep the predictions of the rows.
#' @param class The classes to show; with two classes by default the second.
#' @param centre Whether the lines of `plot()` start at 0: differences from the prediction for the
#'   first value.
#' @param threads The number of threads, see [tec_control()].
#' @param x,object What `tec_dependence()` returned.
#' @param palette,main,legend,background As in [plot()][plot.tec_tree].
#' @param ... Not used.
#' @return A data frame of class `tec_dependence`: the column named like the predictor, for classes
#'   `class`, and `prediction`, a number or the probability of the class. With `individual` the
#'   attribute `"individual"` is a data frame with the column `row` too. `plot()` returns it
#'   invisibly, `autoplot()` a ggplot.
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
#'
#' classes <- tec_forest(Species ~ ., iris, trees = 50, threads = 2)
#' plot(tec_dependence(classes, "Petal.Width"))
#' @export
tec_dependence <- function(fit, predictor, data = NULL, values = NULL, n = 25L,
                           individual = FALSE, class = NULL, threads = NULL) {
  check_dependence_fit(fit)
  individual <- check_flag(individual, "individual", topic = "argument")
  if (!is.null(values) && !missing(n)) {
    tec_abort("argument", c("{.arg n} and {.arg values} are both given.", i = "Give one."))
  }
  n <- check_count(n, "n", least = 2)
  check_one_predictor(predictor)
  j <- match(match_choice(predictor, fit$columns$name, "predictor"), fit$columns$name)
  env <- parent.frame()
  weight <- NULL
  if (is.null(data)) {
    found <- training_rows(fit, "tec_dependence", env)
    data <- found$data
    weight <- found$used_weights
  }
  data <- check_newdata(data, "data")
  used <- union(needed_columns(fit), j)
  coded <- code_newdata(fit, data, sort(used), env, setdiff(optional_columns(fit), j), "data")
  at <- dependence_values(fit, j, coded[[j]], values, n)
  shown <- picture_classes(fit, class)
  if (is.null(fit$response$levels)) shown <- NULL
  predicted <- lapply(seq_along(at$code), function(i) {
    set <- coded
    set[[j]] <- rep(at$code[i], nrow(data))
    predict_numbers(fit, set, nrow(data), shown, threads)
  })
  dependence_table(fit, j, at$value, predicted, shown, weight, individual)
}

check_dependence_fit <- function(fit) {
  kinds <- list(
    tec_forest = check_forest, tec_tree = check_fit, tec_boost = check_boost,
    tec_rotation = check_rotation, tec_mars = check_mars
  )
  kind <- intersect(class(fit), names(kinds))
  if (length(kind) == 0L) {
    tec_abort("argument", c(
      "{.arg fit} must be a model of this package, such as a tree from {.fn tec_tree}.",
      x = "It is {describe(fit)}."
    ))
  }
  kinds[[kind[1L]]](fit)
}

check_one_predictor <- function(predictor) {
  if (is.character(predictor) && length(predictor) == 2L) {
    tec_abort("argument", c(
      "{.arg predictor} must be one name.", x = "It is {describe(predictor)}.",
      i = "{.code plot(tree, type = \"surface\", predictors = )} draws a tree over two.",
      i = "{.fn tec_shapes} shows the pairs of a boosted model."
    ))
  }
}

# A matrix with a column per class shown, or one of numbers.
predict_numbers <- function(fit, coded, n, shown, threads) {
  type <- if (is.null(shown)) "response" else "prob"
  out <- if (inherits(fit, "tec_forest")) {
    predict_forest(fit, coded, n, type, threads)
  } else if (inherits(fit, "tec_boost")) {
    finish_boost(fit, boost_scores(fit, coded, n, threads = threads)[[1L]], type)
  } else if (inherits(fit, "tec_rotation")) {
    finish_rotation(fit, mean_of_rotated(fit, coded, n, threads), type)
  } else if (is_mars(fit)) {
    predict_mars(fit, coded, n, type)
  } else {
    predict_coded(fit, coded, n, type, threads)
  }
  if (is.null(shown)) as.matrix(out) else out[, shown, drop = FALSE]
}

# list(code =, value =): what the column is set to, as a code and for the table.
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
        "{.arg values} must be values of {.field {columns$name[j]}}.", x = "There are none."
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

# Dates and times as such.
with_class_of <- function(x, ptype) {
  if (is.object(ptype)) attributes(x) <- attributes(ptype)
  x
}

dependence_table <- function(fit, j, value, predicted, shown, weight, individual) {
  name <- fit$columns$name[j]
  n <- nrow(predicted[[1L]])
  weight <- weight %||% rep(1, n)
  levels <- fit$response$levels
  k <- max(length(shown), 1L)
  class_of <- function(codes) factor(levels[codes], levels)
  mean_of <- function(p) colSums(weight * p) / sum(weight)
  out <- stats::setNames(list(value[rep(seq_along(value), each = k)]), name)
  if (!is.null(shown)) out$class <- class_of(rep(shown, length(value)))
  out$prediction <- as.vector(vapply(predicted, mean_of, numeric(k)))
  own <- if (individual) {
    all <- stats::setNames(list(value[rep(seq_along(value), each = k * n)]), name)
    if (!is.null(shown)) all$class <- class_of(rep(rep(shown, each = n), length(value)))
    all$row <- rep(seq_len(n), k * length(value))
    all$prediction <- unlist(predicted, use.names = FALSE)
    list2DF(all)
  }
  structure(
    list2DF(out), class = c("tec_dependence", "data.frame"), individual = own,
    about = list(column = j, fit = picture_facts(fit))
  )
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

# Differences from the first entry of each group, which is that of the first value.
from_first <- function(x, group) {
  if (is.null(group)) x - x[1L] else stats::ave(x, group, FUN = function(v) v - v[1L])
}

# The properties of the tree that drawing needs.
picture_facts <- function(fit) list(response = fit$response, columns = fit$columns)

# The classes that have a curve, as numbers; none for a numeric response.
picture_classes <- function(fit, class) {
  levels <- fit$response$levels
  if (is.null(levels) && !is.null(class)) abort_only_for("class", "a response of classes")
  if (is.null(class)) {
    return(if (length(levels) == 2L) 2L else seq_along(levels))
  }
  class_numbers(class, levels, one = FALSE)
}
