#' Tidy tables of boosted models
#'
#' `tidy()` has a row for each round: the loss there. `glance()` has one row for the model,
#' `augment()` the rows with their predictions.
#'
#' @param x A model from [tec_boost()].
#' @param data The training rows, only if they cannot be found.
#' @param newdata Other rows to predict.
#' @param ... Not used.
#' @return A tibble where that package is there, else a data frame. `tidy()`: as `curve` of
#'   [tec_boost()]. `glance()`: `method`, `loss`, `nobs`, `rounds`, `trees`, `leaves` and `depth`
#'   (means over trees), and the last of each column of `curve`. `augment()`: `.fitted`, for classes
#'   `.prob_` and the class, and where the response is there `.resid`.
#' @family conversions
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' set.seed(1)
#' fit <- tec_boost(Species ~ ., iris, rounds = 10, threads = 2)
#' tidy(fit)
#' glance(fit)
#' augment(fit, newdata = iris[c(1, 71, 120), ])
#' @name boost-tidiers
NULL

#' @rdname boost-tidiers
#' @export
tidy.tec_boost <- function(x, ...) {
  refuse_dots("tidy", ...)
  check_boost(x)
  as_table(known_curve(x))
}

#' @rdname boost-tidiers
#' @export
glance.tec_boost <- function(x, ...) {
  refuse_dots("glance", ...)
  check_boost(x)
  size <- tree_sizes(if (x$method == "adaboost") x else c(list(response = NULL), x["trees"]))
  out <- data.frame(
    method = x$method, loss = x$loss, nobs = x$n_rows, rounds = x$rounds, trees = length(x$round),
    leaves = mean(size$leaves), depth = mean(size$depth)
  )
  if (!is.null(x$curve)) {
    last <- x$curve[min(x$rounds, nrow(x$curve)), -1L, drop = FALSE]
    out <- cbind(out, last, row.names = NULL)
  }
  as_table(out)
}

#' @rdname boost-tidiers
#' @export
augment.tec_boost <- function(x, data = NULL, newdata = NULL, ...) {
  refuse_dots("augment", ...)
  check_boost(x)
  env <- parent.frame()
  rows <- newdata %||% data %||% training_rows(x, "augment", env)$data
  rows <- check_rows_to_predict(x, rows, if (is.null(newdata)) "data" else "newdata")
  score <- boost_scores(x, code_rows(x, rows, env), nrow(rows))[[1L]]
  augmented(x, rows, function(type) finish_boost(x, score, type), env)
}

# Rows with what is predicted: predicted(type).
augmented <- function(x, rows, predicted, env) {
  out <- rows
  out$.fitted <- predicted("response")
  levels <- x$response$levels
  if (!is.null(levels)) out[paste0(".prob_", levels)] <- as.data.frame(predicted("prob"))
  if (has_response(x, rows)) {
    y <- eval(x$formula[[2L]], as.list(rows), env)
    out$.resid <- if (is.null(levels)) {
      y - out$.fitted
    } else {
      as.double(as.character(out$.fitted) != as.character(y))
    }
  }
  as_table(out)
}
