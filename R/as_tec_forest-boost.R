#' Boosted models in the functions of forests
#'
#' What the trees of a model of gradient boosting add up to is the mean of a forest for numbers,
#' whose leaves have as many times the number as there are trees. `as_tec_forest()` makes it: for a
#' number the prediction, for two classes the logarithm of the odds of the second, for more the
#' score of one class. All that is there for forests works with it: exports such as [tec_json()],
#' [tec_sql()], [tec_code()], [tec_pmml()] and [tec_onnx()] with [verify_export()], [tec_shap()] and
#' [tec_dependence()]. Models for numbers may be given to the exports as they are.
#'
#' `tec_shap()` of a boosted model explains what the trees add up to.
#'
#' @param x A model from [tec_boost()] by gradients.
#' @param class For more than two classes: whose score.
#' @param newdata,background,threads,... As in [tec_shap()].
#' @return A forest; what [tec_shap()] returns.
#' @family boosting functions
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 20, min_bucket = 3)
#' forest <- as_tec_forest(fit)
#' all.equal(predict(forest, mtcars), predict(fit, mtcars))
#' tec_shap(fit, mtcars[1:2, ])$values
#' @name boost-forest
NULL

of_summed_trees <- c("tec_json", "tec_sql", "tec_code", "tec_pmml", "tec_onnx", "verify_export")

#' @rdname boost-forest
#' @export
as_tec_forest.tec_boost <- function(x, class = NULL, ...) {
  check_boost(x)
  if (x$method == "adaboost") {
    tec_abort("conversion", c(
      "A model of AdaBoost is no sum of numbers.",
      i = "Use {.code method = \"gradient\"}."
    ))
  }
  output <- 1L
  if (boost_outputs(x) > 1L) {
    if (is.null(class)) {
      tec_abort("argument", c(
        "{.arg class} is missing: each class has a score of its own.",
        i = "It is one of {.val {x$response$levels}}."
      ))
    }
    output <- match(match_choice(class, x$response$levels, "class"), x$response$levels)
  }
  summed_output(x, output)
}

# The trees of one output, as a forest.
summed_output <- function(x, output) {
  kept <- which(x$output == output - 1L)
  trees <- if (length(kept) < length(x$output)) first_trees(x$trees, kept) else x$trees
  leaf <- trees$variable == 0L
  trees$cut[leaf] <- length(kept) * trees$cut[leaf] + x$base[output]
  levels <- x$response$levels
  name <- x$response$name
  if (!is.null(levels)) {
    of <- levels[if (length(levels) == 2L) 2L else output]
    name <- paste0(if (length(levels) == 2L) "log odds of " else "score of ", name, " = ", of)
  }
  structure(
    list(
      trees = trees, columns = x$columns,
      response = list(name = name, task = "regression", levels = NULL, ptype = numeric()),
      criterion = tec_criterion("l2"), control = x$control,
      formula = if (is.null(levels)) x$formula, predictors = x$predictors,
      call = if (is.null(levels)) x$call, n_rows = x$n_rows, n_missing_response = 0L,
      settings = list(probability = FALSE), used = used_columns(trees), source = "boosting",
      version = x$version
    ),
    class = "tec_forest"
  )
}

# For exports: models of classes are to be converted first, which says what is exported.
summed_forest <- function(x, what) {
  if (!is.null(x$response$levels)) {
    tec_abort("export", c(
      "{.fn {what}} exports what predicts a number.",
      x = "The model predicts the classes of {.field {x$response$name}}.",
      i = "Give {.code as_tec_forest(fit)}, the logarithm of the odds or the score of a class."
    ))
  }
  as_tec_forest.tec_boost(x)
}

#' @rdname boost-forest
#' @export
tec_shap.tec_boost <- function(x, newdata, background = NULL, class = NULL, threads = NULL, ...) {
  check_known(dot_names(list(...)), shap_arguments, "tec_shap")
  forest <- as_tec_forest.tec_boost(x, class)
  tec_shap.tec_forest(forest, if (!missing(newdata)) newdata, background, threads = threads)
}
