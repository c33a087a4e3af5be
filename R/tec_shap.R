#' Shapley values
#'
#' Divides the prediction for each row into one part per predictor: the prediction is `baseline`
#' plus the sum of the row's `values`. The values are exact, also for deep trees, factors, missing
#' values and predictors that occur several times on a path.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @details
#' A Shapley value is the mean change of the prediction when the value of the predictor becomes
#' known, over all orders in which the predictors can become known (Lundberg et al., 2020). The
#' prediction with some predictors unknown depends on `background`:
#'
#' * Without `background`, the row goes down all branches of a split on an unknown predictor, in
#'   proportion to the weights of the training rows ("path-dependent" values). The baseline is the
#'   weighted mean over the leaves; for an unpruned tree without smoothing, it is the mean over the
#'   training rows. With `missing = "drop"`, rows that end above the leaves are not included.
#' * With `background`, unknown predictors take their values from each background row in turn, and
#'   the results are averaged ("interventional" values). The baseline is the mean prediction for the
#'   background rows. About a hundred background rows are usually enough; the time is proportional
#'   to their number.
#'
#' For classes, the values explain `predict(type = "prob")`; for a numeric response, they explain
#' the predicted number. The values of a forest are the means over its trees. For gradient
#' boosting they explain `predict(type = "link")`: the log odds of the second of two classes, or the
#' link of one class. For AdaBoost they explain probabilities.
#'
#' # Interactions
#'
#' With `interactions = TRUE`, each Shapley value is divided further. For each row there is a matrix
#' of predictors x predictors. Its diagonal has the effect of each predictor alone, and the other
#' entries are interactions of two predictors, each divided evenly between the entries `[i, j]` and
#' `[j, i]`. An interaction is the change of the
#' prediction when both predictors become known, minus the changes when either does, as a mean over
#' the orders (Fujimoto et al., 2006). The matrices are symmetric, and their rows sum to the Shapley
#' values (Lundberg et al., 2020). The size of the array is the square of the number of predictors
#' per row and class. The time grows with the square of the number of predictors on a path.
#'
#' # Missing values
#'
#' Missing values are handled as by [predict()][predict.tec_tree]: with `missing = "fractional"`,
#' parts of the row go down all branches. Trees with surrogate splits need rows without missing
#' values in the predictors that they use, because a surrogate makes the effect of one predictor
#' depend on another.
#'
#' @param x A tree from [tec_tree()], a forest from [tec_forest()] or a boosted model from
#'   [tec_boost()].
#' @param newdata The rows to explain: a data frame, or a matrix if `x` was grown from one.
#' @param background Rows that stand for unknown values; `NULL` uses the weights of the training
#'   rows, see *Details*.
#' @param class For a classification tree or forest: the class whose probability is explained.
#'   `NULL` explains all classes. For gradient boosting of three or more classes, it is required.
#' @param interactions Whether to compute the interactions of pairs of predictors as well; in
#'   `as.data.frame()` and `tidy()`, whether to return them.
#' @param threads Number of threads, see [tec_control()].
#' @param ... Must be empty.
#' @return An object of class `tec_shap`, a list with
#'   * `values`: a matrix of rows x predictors; for all classes, an array of rows x predictors x
#'     classes;
#'   * `interactions`, if requested: an array of rows x predictors x predictors; for all classes,
#'     the classes are a fourth dimension;
#'   * `baseline`: the prediction if no predictor is known, one number, or one per class;
#'   * `data`: a data frame of the predictors of the rows, `NA` if `newdata` lacks a predictor that
#'     is not used;
#'   * `response`, `class` and `background` (the number of background rows, or `NULL`).
#'
#'   [plot()][plot.tec_shap] draws it, and `shapviz::shapviz()` converts it. `as.data.frame()` and
#'   `tidy()` return one line per row of `newdata`, predictor and class, with the columns `row`,
#'   `class` (if there are several), `variable`, `data` (the value of the predictor as text) and
#'   `value`. With `interactions = TRUE`, they return one line per row of `newdata`, pair of
#'   predictors and class, with the other predictor as `with` and its value as `with_data`.
#' @family explanations of a tree
#' @concept Shapley values
#' @concept SHAP
#' @concept TreeSHAP
#' @concept Shapley interaction values
#' @references Fujimoto, K., Kojadinovic, I. and Marichal, J.-L. (2006). Axiomatic characterizations
#'   of probabilistic and cardinal-probabilistic interaction indices. *Games and Economic Behavior*
#'   55, 72-99.
#'
#'   Lundberg, S. M., Erion, G., Chen, H., et al. (2020). From local explanations to
#'   global understanding with explainable AI for trees. *Nature Machine Intelligence* 2, 56-67.
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' shap <- tec_shap(fit, iris, threads = 2)
#' shap
#' plot(shap)
#' plot(shap, type = "waterfall", row = 71)
#'
#' # The sum of a row's values is its prediction minus the baseline.
#' shap$baseline + colSums(shap$values[71, , ])
#' predict(fit, iris[71, ], type = "prob")
#'
#' # Which predictors act together: the rows of each matrix sum to the Shapley values.
#' pairs <- tec_shap(fit, iris[c(1, 71), ], class = "virginica", interactions = TRUE)
#' round(pairs$interactions[2, , ], 3)
#' rowSums(pairs$interactions[2, , ]) - pairs$values[2, ]
#'
#' # Relative to background rows, for one class
#' tec_shap(fit, iris[c(1, 71), ], background = iris[51:150, ], class = "virginica")
#'
#' head(as.data.frame(tec_shap(tec_tree(mpg ~ ., mtcars), mtcars)))
#' @order 1
#' @export
tec_shap <- function(x, newdata, background = NULL, class = NULL, threads = NULL,
                     interactions = FALSE, ...) {
  UseMethod("tec_shap")
}

#' @export
tec_shap.default <- function(x, ...) {
  model <- wrapped_tree(x)
  if (!identical(model, x)) {
    return(tec_shap(model, ...))
  }
  tec_abort("argument", c(
    "{.fn tec_shap} needs what {.fn tec_tree}, {.fn tec_forest} or {.fn tec_boost} returned.",
    x = "{.arg x} is {describe(x)}.",
    i = if (inherits(x, c("tec_mars", "tec_rotation"))) {
      other_trees(x, "tec_shap")
    } else {
      "Models of other packages are converted by {.fn as_tec_tree} and {.fn as_tec_forest}."
    }
  ))
}

#' @rdname tec_shap
#' @export
tec_shap.tec_tree <- function(x, newdata, background = NULL, class = NULL, threads = NULL,
                              interactions = FALSE, ...) {
  refuse_dots("tec_shap", ...)
  check_fit(x)
  newdata <- if (missing(newdata)) NULL else newdata
  # Leaves predict their smoothed shares.
  tree <- x$tree
  tree$prob <- leaf_shares(x)
  asked <- list(
    newdata = newdata, background = background, class = class, threads = threads,
    interactions = interactions
  )
  explain_rows(x, asked, parent.frame(), function(...) tec_shap_tree_(tree, ...))
}

#' @rdname tec_shap
#' @export
tec_shap.tec_forest <- function(x, newdata, background = NULL, class = NULL, threads = NULL,
                                interactions = FALSE, ...) {
  refuse_dots("tec_shap", ...)
  check_fit(x)
  if (is.null(background)) check_known_weights(x)
  newdata <- if (missing(newdata)) NULL else newdata
  asked <- list(
    newdata = newdata, background = background, class = class, threads = threads,
    interactions = interactions
  )
  core <- function(...) tec_shap_forest_(x$trees, length(x$response$levels), ...)
  explain_rows(x, asked, parent.frame(), core)
}

# Without a background, the weights of the leaves are needed.
check_known_weights <- function(fit) {
  if (identical(fit$weights_known, FALSE)) {
    tec_abort("conversion", c(
      "{.fn tec_shap} needs the number of training rows in each leaf.",
      x = "The forest was converted without its training rows.",
      i = "Give {.arg background}, or give the training rows to {.fn as_tec_forest} as {.arg data}."
    ))
  }
}

# `core`: a function that returns the values of coded rows.
explain_rows <- function(fit, asked, env, core) {
  class <- check_shap_class(asked$class, fit$response)
  rows <- shap_rows(fit, asked$newdata, env, "newdata")
  others <- if (!is.null(asked$background)) shap_rows(fit, asked$background, env, "background")
  output <- if (is.null(class)) 0L else match(class, fit$response$levels)
  threads <- default_threads(asked$threads)
  interactions <- check_flag(asked$interactions, "interactions", topic = "argument")
  out <- core(rows$coded, others$coded, output, FALSE, threads)
  several <- fit$response$task == "classification" && is.null(class)
  baseline <- out$baseline
  if (!is.null(others)) {
    type <- if (fit$response$task == "classification") "prob" else "response"
    own <- predict_coded(fit, others$coded$values, others$coded$n, type, asked$threads)
    means <- colMeans(as.matrix(own))
    baseline <- unname(if (is.null(class)) means else means[output])
  }
  levels <- if (several) fit$response$levels
  names(baseline) <- levels
  pairs <- if (interactions) {
    core(rows$coded, others$coded, output, TRUE, threads)$values |>
      named_values(fit$columns$name, levels)
  }
  structure(
    c(
      list(values = named_values(out$values, fit$columns$name, levels)),
      if (interactions) list(interactions = pairs),
      list(
        baseline = baseline, data = shap_data(fit, rows, env),
        response = fit$response[c("name", "task", "levels")], class = class,
        background = others$coded$n
      )
    ),
    class = "tec_shap"
  )
}

# Adds names of predictors and classes, and drops the last dimension if there is one output.
named_values <- function(values, predictors, levels) {
  size <- dim(values)
  outputs <- length(size)
  names <- c(list(NULL), rep(list(predictors), outputs - 2L))
  if (is.null(levels)) {
    return(array(values, size[-outputs], names))
  }
  array(values, size, c(names, list(levels)))
}

check_shap_class <- function(class, response) {
  if (is.null(class)) {
    return(NULL)
  }
  if (response$task != "classification") {
    tec_abort("argument", c(
      "{.arg class} needs a classification tree or forest.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Leave {.arg class} out."
    ))
  }
  response$levels[class_numbers(class, response$levels)]
}

# list(newdata, coded): the rows, and the predictors that are used as codes.
shap_rows <- function(fit, newdata, env, arg) {
  if (is.null(newdata)) {
    tec_abort("newdata", c(
      "{.fn tec_shap} needs {.arg newdata}, the rows to explain.",
      i = "For example the training rows, or some of them."
    ))
  }
  newdata <- check_newdata(newdata, arg)
  n <- nrow(newdata)
  if (n == 0L && arg == "background") {
    tec_abort("newdata", c(
      "{.arg background} must have at least one row.",
      x = "It has none.",
      i = "Leave it out to use the weights of the training rows."
    ))
  }
  values <- code_newdata(fit, newdata, needed_columns(fit), env, arg = arg)
  if (uses_surrogates(fit)) check_no_surrogate(fit, values, n, arg)
  list(newdata = newdata, coded = core_columns(fit, values, n))
}

# Rows with a missing value, or with a level that no training row of some node on the path had:
# surrogates would decide where they go.
check_no_surrogate <- function(fit, values, n, arg) {
  tree <- fit$tree
  needs <- lapply(values, function(x) if (is.null(x)) logical(n) else is.na(x))
  for (node in which(tree$kind == 4L)) {
    j <- tree$variable[node]
    needs[[j]] <- needs[[j]] | !values[[j]] %in% tree$level[set_positions(tree, node)]
  }
  columns <- fit$columns$name[vapply(needs, any, NA)]
  rows <- sum(Reduce(`|`, needs, logical(n)))
  if (rows > 0L) {
    tec_abort("missing", c(
      "{.fn tec_shap} cannot explain rows that may follow surrogate splits.",
      x = paste0(
        "{rows} row{?s} of {.arg {arg}} {cli::qty(rows)}{?has/have} a missing value, or a level \\
         that a node never saw, in {.field {columns}}."
      ),
      i = "Leave {cli::qty(rows)}{?it/them} out, or grow the tree with another {.arg missing}, \\
           for example {.val fractional} or {.val majority}."
    ))
  }
}

# The predictors as given, with levels as factors.
shap_data <- function(fit, rows, env) {
  columns <- fit$columns
  n <- rows$coded$n
  places <- places_of(fit, rows$newdata)
  out <- lapply(seq_along(columns$name), function(j) {
    value <- rows$coded$values[[j]]
    if (is.null(value)) {
      return(unused_column(fit, rows$newdata, j, env, n, places[[j]]))
    }
    if (columns$kind[j] == "numeric") {
      return(value)
    }
    factor(columns$levels[[j]][value], columns$levels[[j]], ordered = columns$kind[j] == "ordered")
  })
  names(out) <- columns$name
  structure(out, class = "data.frame", row.names = .set_row_names(n))
}

unused_column <- function(fit, newdata, j, env, n, at) {
  value <- if (!anyNA(at)) {
    or_null(new_column(fit, newdata, j, env, at = at))
  }
  if (is.null(value) || !is_column(value) || length(value) != n) NA else value
}

#' @rdname boost-forest
#' @export
tec_shap.tec_boost <- function(x, newdata, background = NULL, class = NULL, threads = NULL,
                               interactions = FALSE, ...) {
  refuse_dots("tec_shap", ...)
  check_fit(x)
  votes <- x$method == "adaboost"
  forest <- as_tec_forest.tec_boost(x, if (!votes) class)
  tec_shap.tec_forest(forest, if (!missing(newdata)) newdata, background,
    class = if (votes) class, threads = threads, interactions = interactions
  )
}
