#' Check the invariances of a learner
#'
#' Fits a learner to changed copies of the data and compares the predictions of new rows. A change
#' that should not matter, such as another order of the rows, should not change them. Each check is
#' reported as passed, failed or not applicable, with a sentence that says what was found.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' A failed check is a property to know, not necessarily a fault: some learners document that they
#' depend on units, or that weights are not frequencies. The table says what happened on these data
#' only. If two splits are equally good, the order of the rows or columns may decide, and other data
#' may have no such tie.
#'
#' @section Checks:
#' * `predictions`: the learner can be fitted, and each new row has a prediction.
#' * `seed`: the same random seed gives the same predictions.
#' * `session`: fitting and predicting change neither options, the working directory, the global
#'   environment nor the kind of random numbers, and fitting does not set the seed.
#' * `order of rows`, `order of columns`, `units` (numeric predictors in other units), `response
#'   units` (a numeric response times 1000), `constant column` (one more predictor, with one value),
#'   `unused level` (one more level of each factor, which no row has) and `threads` (1 and 2) do not
#'   change the predictions.
#' * `weights`: a weight of n acts as n rows. If not, another fit shows whether only the ratios of
#'   weights matter. `zero weights`: a weight of 0 acts as leaving the row out.
#' * `one row`: a row has the same prediction if it is predicted alone. `new levels`: so have rows
#'   whose factors have fewer levels, or the levels in another order.
#' * `unseen level`, `missing value`: such a row does not change the predictions of other rows. Its
#'   own may be `NA`.
#' * `stored`: a fit that was serialized and read again predicts the same. `export`: for models of
#'   this package, [verify_export()] with the target `"r"`.
#'
#' The seed is set before each fit. If another seed gives other predictions, the learner is random,
#' and checks that would also change its draws are not applicable. Errors of the learner are part of
#' the table. Its warnings, messages and output are not shown. The random seed of the session is
#' kept.
#'
#' @section The rows that are predicted:
#' The new rows have the values of `data` in other combinations: each predictor is moved by another
#' number of rows.
#'
#' @param learner What fits a model:
#'   * a function such as [tec_tree()] or `rpart::rpart()`, called with a formula, `data` and, if it
#'     has an argument `weights`, weights (or `NULL`). An argument called `threads`, `num.threads`,
#'     `nthread` or similar is used for the check of threads;
#'   * a model of this package, which stands for the settings of its call;
#'   * a model specification of parsnip with an engine;
#'   * a learner of mlr3.
#' @param formula The response and the predictors, which must be columns of `data`. Without `data`,
#'   `class ~ .` (the default) or `number ~ .`.
#' @param data A data frame that the learner can be fitted to. Without `data`, 200 built-in rows of
#'   four numeric predictors and a factor, with a response of two classes and a numeric response.
#' @param predict A function of a fit and new rows that returns one prediction per row: a vector, a
#'   factor, or a matrix or data frame, for example of probabilities. The default is `predict()`,
#'   for probabilities where this package, parsnip or mlr3 has them.
#' @param ... Settings of the learner, if it is a function or a model of this package.
#' @param tolerance Largest difference that passes.
#' @return A data frame of class `tec_learner_check` with one row per check: `check`, `result`
#'   (`"passed"`, `"failed"` or `"not applicable"`), `difference` and `found`, a sentence. The
#'   difference is the largest one of a probability, the largest one of a number relative to the
#'   largest prediction, or the share of the rows whose class changes. It is `NA` if no predictions
#'   were compared.
#' @family uses of all models
#' @concept metamorphic testing
#' @concept invariance
#' @concept reproducibility
#' @examples
#' tec_check_learner(tec_tree, weights_as = "frequency")
#'
#' # A distance depends on the units of the predictors
#' nearest <- function(formula, data) {
#'   list(x = as.matrix(data[c("dose", "height")]), y = data$number)
#' }
#' value <- function(fit, newdata) {
#'   x <- as.matrix(newdata[c("dose", "height")])
#'   fit$y[apply(x, 1, function(row) which.min(colSums((t(fit$x) - row)^2)))]
#' }
#' checks <- tec_check_learner(nearest, number ~ ., predict = value)
#' subset(checks, result == "failed")
#' @export
tec_check_learner <- function(learner, formula = NULL, data = NULL, predict = NULL, ...,
                              tolerance = 1e-6) {
  tolerance <- check_bound(tolerance, "tolerance", least = 0)
  if (!is.null(predict) && !is.function(predict)) {
    abort_found("{.arg predict} must be a function of a fit and new rows.", predict)
  }
  form <- learner_form(learner, list(...), parent.frame())
  form$predict <- predict %||% form$predict
  problem <- learner_problem(formula, data, form$task)
  out <- with_own_seed(1L, {
    bench <- learner_bench(form, problem, tolerance)
    lapply(names(learner_checks), run_learner_check, bench = bench)
  })
  structure(stack_tables(out), class = c("tec_learner_check", "data.frame"))
}

#' @param x An object returned by `tec_check_learner()`.
#' @param width Maximum width of a line.
#' @rdname tec_check_learner
#' @export
print.tec_learner_check <- function(x, width = getOption("width"), ...) {
  refuse_dots("print", ...)
  check_output(width = width)
  if (!all(c("check", "result", "difference", "found") %in% names(x))) {
    return(NextMethod())
  }
  results <- c("+" = "passed", "-" = "failed", " " = "not applicable")
  counts <- vapply(results, function(result) sum(x$result == result), 0L)
  cat(wrap(paste0(
    "Checks of a learner: ", paste(counts, results, collapse = ", ")
  ), width), sep = "\n")
  text <- ifelse(x$result %in% "failed" & !is.na(x$difference), paste0(
    x$found, " Largest difference: ", number_text(x$difference, 2L), "."
  ), x$found)
  names <- if (nrow(x)) pad(x$check) else ""
  room <- max(20, width - nchar(names[1L]) - 4L)
  for (i in seq_len(nrow(x))) {
    head <- paste0(names(results)[match(x$result[i], results)], " ", names[i], "  ")
    lines <- wrap(show_names(text[i]), room)
    cat(paste0(c(head, rep(strrep(" ", nchar(head)), length(lines) - 1L)), lines), sep = "\n")
  }
  invisible(x)
}

# ---- the data ----

# list(formula, data, response, predictors); `data` has no other columns.
learner_problem <- function(formula, data, task) {
  formula <- formula %||% if (identical(task, "regression")) number ~ . else class ~ .
  if (!inherits(formula, "formula") || length(formula) != 3L || !is.name(formula[[2L]])) {
    abort_found("{.arg formula} must have a column as the response, as in {.code y ~ .}.", formula)
  }
  response <- as.character(formula[[2L]])
  if (is.null(data)) {
    data <- learner_rows()
    data[setdiff(c("class", "number"), response)] <- NULL
  }
  data <- as.data.frame(check_newdata(data, "data"))
  names <- attr(stats::terms(formula, data = data), "term.labels")
  names <- gsub("^`|`$", "", names)
  unknown <- setdiff(c(response, names), names(data))
  if (length(unknown)) {
    tec_abort("formula", c(
      "{.arg formula} must consist of columns of {.arg data}.",
      x = "{.val {unknown[1L]}} is not a column."
    ))
  }
  data <- data[c(response, names)]
  rownames(data) <- NULL
  all <- stats::reformulate(".", as.name(response), env = globalenv())
  list(formula = all, data = data, response = response, predictors = names)
}

# The same rows everywhere, without R's random numbers: Park and Miller's generator.
learner_rows <- function(n = 200L) {
  state <- 1095038255
  draw <- function() {
    out <- numeric(n)
    for (i in seq_len(n)) out[i] <- state <<- (16807 * state) %% 2147483647
    out / 2147483647
  }
  age <- round(20 + 60 * draw(), 3L)
  dose <- round(5 * draw(), 4L)
  height <- round(stats::qnorm(draw(), 1.7, 0.1), 4L)
  score <- round(stats::qnorm(draw(), 100, 15), 3L)
  site <- c("east", "north", "south", "west")[ceiling(4 * draw())]
  effect <- c(east = 0, north = 1, south = -1, west = 0.5)[site]
  signal <- 0.05 * (age - 50) + 0.8 * (dose > 2) + 4 * (height - 1.7) + 0.6 * effect
  number <- round(10 + 2 * signal + stats::qnorm(draw()), 4L)
  data.frame(
    class = factor(ifelse(signal + stats::qlogis(draw()) > 0.3, "yes", "no")), number, age, dose,
    height, score, site = factor(site)
  )
}
