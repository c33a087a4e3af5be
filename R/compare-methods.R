#' Compare methods on the same folds
#'
#' Fits each method on the training rows of the same folds and measures it on the held-out rows.
#' Methods are trees, forests, boosted models, rotation forests, splines, or any function of a
#' formula and data whose result predicts one class or number per row.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @param formula,data As in [tec_tree()].
#' @param methods A named list of functions of a formula and data. Each returns a fit whose
#'   [predict()] method works like that of [tec_tree()]: it returns the class or the number and, if
#'   a metric needs probabilities, a matrix of them with `type = "prob"`. Models that predict
#'   otherwise, such as those of rpart, need a class and a method of their own, see *Examples*. With
#'   `weights`, the functions also need an argument `weights`, one number per row of their data.
#' @param folds Number of folds. [tec_tune()] also accepts the fold of each row.
#' @param metric One or more metrics, see [tec_tune()]. For `plot()`: one of these, by default the
#'   first.
#' @param stratified Whether each fold has the same class proportions as the data.
#' @param weights As in [tec_tree()]; used by the methods and by the metrics.
#' @param x,object A result of `compare_methods()`.
#' @param col The colour of the means.
#' @param main A title.
#' @param background Background colour.
#' @param ... Must be empty.
#' @return A data frame of class `tec_methods`, sorted by the first metric, best first. `plot()`
#'   draws it, and `ggplot2::autoplot()` returns a ggplot. Its columns are `method`, for each
#'   metric its mean over the folds and its standard error (`_se`), `seconds` (mean time of a fit),
#'   `size` (leaves of a tree or of all trees, terms of splines; `NA` for others) and
#'   `no_prediction` (the share of held-out rows without a prediction, such as rows with missing
#'   values in splines; they are not measured). A method whose `no_prediction` is above 0 was
#'   measured on fewer rows, so it cannot be compared with the others. The attribute `"folds"` has
#'   the values of each fold. A message that several fits give is shown once per method.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' found <- compare_methods(mpg ~ ., mtcars, folds = 5, methods = list(
#'   tree = tec_tree, splines = tec_mars,
#'   forest = function(formula, data) tec_forest(formula, data, trees = 50, threads = 2)
#' ))
#' found
#' plot(found)
#'
#' # A model of another package, whose predict() returns probabilities by default
#' if (requireNamespace("rpart", quietly = TRUE)) {
#'   predict.by_class <- function(object, newdata, type = "class", ...) {
#'     predict(object$fit, newdata, type = type)
#'   }
#'   rpart_tree <- function(formula, data) {
#'     structure(list(fit = rpart::rpart(formula, data)), class = "by_class")
#'   }
#'   compare_methods(Species ~ ., iris, list(tree = tec_tree, rpart = rpart_tree), folds = 5)
#' }
#' # The method for ranger: predict(object$fit, data = newdata)$predictions
#' # For a model of parsnip the columns of "prob" are named like the levels:
#' #   p <- predict(object$fit, newdata, type = type)
#' #   if (type == "prob") as.matrix(setNames(p, sub("^.pred_", "", names(p)))) else p[[1]]
#' # For the engine "tectree" return parsnip::extract_fit_engine(fit) instead; it needs no method.
#' @srrstats {ML3.3, ML5.1} Any model of another package is measured on the same folds; the
#'   vignettes *Coming from ...* compare the objects.
#' @export
compare_methods <- function(formula, data,
                            methods = list(
                              tree = tec_tree, forest = tec_forest, splines = tec_mars
                            ),
                            folds = 10, metric = NULL, stratified = TRUE, weights = NULL) {
  if (missing(formula)) abort_no_formula("compare_methods")
  stratified <- check_flag(stratified, "stratified", topic = "argument")
  check_methods(methods)
  input <- formula_input(formula, data, match.call()[["weights"]], NULL, parent.frame())
  weights <- check_weights(input$weights, input$n, NULL)
  data <- check_data(data)
  y <- check_response(input$response, input$response_name, input$n)
  rows <- which(!response_missing(y))
  check_some_response(length(y) - length(rows), NULL, length(y), input$response_name)
  if (!is.null(weights)) rows <- rows[weights[rows] > 0]
  response <- code_response(y, input$response_name, rows)
  metric <- setdiff(check_metric(metric, response$info$task), "nodes")
  truth <- response$core$y
  classes <- !is.null(response$info$levels)
  folds <- check_fold_number(folds, length(rows))
  group <- draw_folds(folds, length(rows), if (stratified && classes) truth[rows])
  values <- lapply(names(methods), function(name) {
    say <- say_first(name)
    by_fold <- lapply(seq_len(folds), function(k) {
      test <- rows[group == k]
      withCallingHandlers(
        measure_method(
          methods[[name]], formula, data[rows[group != k], , drop = FALSE],
          data[test, , drop = FALSE], truth[test], metric, response$info$levels,
          weights[rows[group != k]], weights[test]
        ),
        tec_message = function(m) say(m, k)
      )
    })
    data.frame(method = name, fold = seq_len(folds), do.call(rbind, by_fold))
  })
  methods_table(do.call(rbind, values), metric)
}

# A handler of messages: the first of each kind is shown, with the method and the fold.
say_first <- function(name) {
  said <- character()
  function(m, fold) {
    kind <- class(m)[1L]
    if (!kind %in% said) {
      said <<- c(said, kind)
      text <- trimws(conditionMessage(m), "right")
      tec_inform(sub("^tec_message_", "", kind), "{name}, fold {fold}: {text}")
    }
    tryInvokeRestart("muffleMessage")
  }
}

check_methods <- function(methods) {
  right <- is.list(methods) && length(methods) > 0L && !is.null(names(methods)) &&
    all(nzchar(names(methods))) && !anyDuplicated(names(methods)) &&
    all(vapply(methods, is.function, NA))
  if (!right) {
    abort_found(
      "{.arg methods} must be a list of functions with different names.", methods,
      i = "For example {.code list(tree = tec_tree, splines = tec_mars)}."
    )
  }
}

# `weights` and `test_weights`: the weights of the rows of `train` and `test`, or NULL.
measure_method <- function(method, formula, train, test, truth, metric, levels, weights,
                           test_weights) {
  start <- proc.time()[[3L]]
  fit <- if (is.null(weights)) {
    method(formula, train)
  } else {
    do.call(method, list(formula, train, weights = weights))
  }
  seconds <- proc.time()[[3L]] - start
  value <- stats::predict(fit, test)
  check_one_value(value, nrow(test))
  if (!is.null(levels)) value <- match(as.character(value), levels)
  known <- which(!is.na(value))
  cell <- list(value = as.double(value)[known])
  if (needs_prob(metric)) {
    prob <- as.matrix(stats::predict(fit, test, type = "prob"))
    check_probabilities(prob, nrow(test), levels)
    cell$prob <- unname(prob[known, match(levels, colnames(prob)), drop = FALSE])
    cell$prob[is.na(cell$prob)] <- 0
  }
  measured <- vapply(metric, function(name) {
    if (length(known)) measure(name, cell, truth[known], test_weights[known]) else NA_real_
  }, 0)
  data.frame(
    as.list(measured), seconds = seconds, size = model_size(fit),
    no_prediction = 1 - length(known) / length(truth)
  )
}

# Other packages return a matrix of probabilities or a data frame by default.
check_one_value <- function(value, n) {
  right <- (is.atomic(value) && (is.null(dim(value)) || identical(dim(value)[-1L], 1L))) ||
    is.factor(value)
  if (!right || length(value) != n) {
    abort_found(
      "{.fn predict} of each of {.arg methods} must return one class or number per row.", value,
      i = "Set the class of what the method returns, and write a {.fn predict} method for it."
    )
  }
}

# A class that a model has not seen may lack its column.
check_probabilities <- function(prob, n, levels) {
  names <- colnames(prob)
  right <- is.numeric(prob) && nrow(prob) == n && length(names) > 0L && all(names %in% levels)
  if (!right) {
    odd <- setdiff(names, levels)
    tec_abort("argument", c(
      "{.code predict(type = \"prob\")} of each of {.arg methods} must return one row of \
       probabilities per row, in columns named like the classes.",
      x = if (length(odd)) {
        "There {cli::qty(length(odd))}{?is a column/are columns} {.field {odd}}."
      } else {
        "It returned {describe(prob)}."
      },
      i = "The classes are {.val {levels}}."
    ))
  }
}

model_size <- function(fit) {
  fit <- wrapped_tree(fit)
  if (inherits(fit, "tec_tune")) fit <- fit$fit
  if (!inherits(fit, "tec_fit")) {
    return(NA_real_)
  }
  if (!is.null(fit$selected)) {
    return(length(fit$selected))
  }
  if (is.null(fit$trees)) n_leaves(fit) else sum(fit$trees$variable == 0L)
}

methods_table <- function(values, metric) {
  by <- split(values, factor(values$method, unique(values$method)))
  rows <- lapply(by, function(own) {
    out <- data.frame(method = own$method[1L])
    for (name in metric) {
      known <- own[[name]][!is.na(own[[name]])]
      out[[name]] <- mean(known)
      out[[paste0(name, "_se")]] <- stats::sd(known) / sqrt(length(known))
    }
    for (name in c("seconds", "size", "no_prediction")) out[[name]] <- mean(own[[name]])
    out
  })
  out <- do.call(rbind, rows)
  out <- out[order(out[[metric[1L]]], decreasing = is_largest(metric[1L])), , drop = FALSE]
  rownames(out) <- NULL
  structure(out, folds = values, class = c("tec_methods", "data.frame"))
}
