# Tested in test-caret.R and test-caret-boost.R.

#' Trees, forests and boosting in caret
#'
#' `caret::train(method = tec_caret())` resamples and tunes trees of tectree,
#' `tec_caret("forest")` forests, `tec_caret("boost")` gradient boosting and `tec_caret("adaboost")`
#' AdaBoost.
#'
#' Tree settings that differ only in `cp`, `max_depth` and `min_split` are subtrees of one tree,
#' which is grown once per resample (see [tec_tune()]). So are models of boosting that differ only
#' in `rounds`: all numbers of rounds are read off the model of the most.
#'
#' Forests can be tuned without resampling too, by their out-of-bag error:
#' `caret::trainControl("oob")`.
#'
#' `cp` prunes as in `tec_prune(fit, cp = )`; 0 is no pruning. Other settings are tuned without
#' pruning, unless `cp` is tuned too or you give `prune`. If `min_split` is tuned, `min_bucket` is 1
#' unless you give it. Other arguments of [tec_tree()], [tec_forest()] and [tec_boost()] are passed
#' through `train()`: `train(..., preset = "cart")`, `train(..., trees = 200)`, `train(..., cyclic =
#' TRUE, pairs = 0)`. With a formula, caret converts factors to dummies; with `x` and `y` it does
#' not. For missing predictors use `na.action = na.pass`.
#'
#' @param model `"tree"`, `"forest"`, `"boost"` or `"adaboost"`.
#' @param tune The settings to tune, the first by default (of boosting the first two):
#'   * `"tree"`: `"cp"`, `"max_depth"`, `"min_split"`, `"min_bucket"`, `"q"`, `"criterion"`;
#'   * `"forest"`: `"mtry"`, and those of trees but `"cp"`;
#'   * `"boost"`: `"rounds"`, `"max_depth"`, `"rate"`, `"min_bucket"`, `"sample_fraction"`,
#'     `"column_fraction"`;
#'   * `"adaboost"`: `"rounds"`, `"max_depth"`, `"rate"`, `"q"`, `"criterion"`.
#' @return A list for the argument `method` of `caret::train()`.
#' @family modeling frameworks
#' @concept caret
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' set.seed(1)
#' caret::train(iris[1:4], iris$Species,
#'   method = tec_caret(tune = c("cp", "max_depth")), preset = "cart",
#'   trControl = caret::trainControl("cv", number = 3)
#' )
#' caret::train(iris[1:4], iris$Species,
#'   method = tec_caret("forest"), trees = 50, threads = 2,
#'   trControl = caret::trainControl("oob")
#' )
#' caret::train(mtcars[-1], mtcars$mpg,
#'   method = tec_caret("boost"), min_bucket = 3, threads = 2,
#'   tuneGrid = expand.grid(rounds = c(10, 30), max_depth = c(1, 3)),
#'   trControl = caret::trainControl("cv", number = 3)
#' )
#' @export
tec_caret <- function(model = c("tree", "forest", "boost", "adaboost"), tune = NULL) {
  models <- names(caret_settings)
  model <- if (missing(model)) "tree" else check_caret_model(model, models)
  known <- caret_settings[[model]]
  tune <- tune %||% known[seq_len(if (model %in% boosting) 2L else 1L)]
  check_caret(tune, known)
  both <- list(
    library = "tectree", type = c("Classification", "Regression"),
    parameters = caret_parameters(tune),
    grid = function(x, y, len = NULL, search = "grid") {
      caret_grid(tune, y, len, search, NCOL(x))
    },
    varImp = function(object, ...) {
      found <- importance(object)
      data.frame(Overall = found$importance, row.names = found$variable)
    },
    predictors = function(x, ...) used_names(x),
    levels = function(x) x$response$levels,
    sort = function(x) x[caret_order(x), , drop = FALSE]
  )
  own <- switch(model,
    tree = caret_tree(),
    forest = caret_forest(),
    caret_boost(model)
  )
  utils::modifyList(both, own, keep.null = TRUE)
}

# What tec_caret("boost") and tec_caret("adaboost") return of their own.

caret_boost <- function(model) {
  ada <- model == "adaboost"
  list(
    label = paste(if (ada) "AdaBoost" else "Gradient boosting", "(tectree)"),
    type = c("Classification", if (!ada) "Regression"),
    loop = function(grid) caret_loop(grid, c(rounds = -1)),
    fit = function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: names of caret
      caret_fit_boost(x, y, wts, param, if (ada) "adaboost" else "gradient", ...)
    },
    predict = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      caret_predict_boost(modelFit, newdata, submodels, "response")
    },
    prob = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      caret_predict_boost(modelFit, newdata, submodels, "prob")
    },
    tags = c(
      "Boosting", "Tree-Based Model", "Ensemble Model", "Implicit Feature Selection",
      "Accepts Case Weights", "Handle Missing Predictor Data"
    )
  )
}

caret_fit_boost <- function(x, y, wts, param, method, ...) {
  do.call(
    tec_boost.default, c(caret_rows(x, y, wts), list(method = method), as.list(param), list(...))
  )
}

caret_predict_boost <- function(fit, newdata, submodels, type) {
  if (is.data.frame(newdata)) newdata <- as.data.frame(newdata)
  at <- fit$rounds
  if (!is.null(submodels)) {
    check_first_rounds(fit)
    at <- c(at, vapply(submodels$rounds, function(most) rounds_of_first(fit, most), 0))
  }
  # Several predictions of the same number of rounds are made once.
  once <- unique(at)
  out <- predict.tec_boost(fit, newdata, type = type, rounds = once)
  if (length(once) == 1L) out <- list(out)
  if (type == "prob") out <- lapply(out, as.data.frame, optional = TRUE)
  if (is.null(submodels)) out[[1L]] else unname(out[match(at, once)])
}

# How many rounds the model would have with at most `most`.
rounds_of_first <- function(fit, most) {
  measured <- fit$curve$validation %||% fit$curve$folds
  as.double(if (is.null(measured)) {
    min(most, fit$rounds)
  } else {
    which.min(measured[seq_len(min(most, length(measured)))])
  })
}

# Pairs are taken after all rounds of single predictors.
check_first_rounds <- function(fit) {
  if (isTRUE(fit$settings$cyclic) && fit$settings$pairs > 0) {
    tec_abort("argument", c(
      "Several {.arg rounds} cannot be read off one model with {.arg pairs}.",
      x = "Its pairs come after all rounds of single predictors.",
      i = "Tune other settings with one number of {.arg rounds}, or use {.code pairs = 0}."
    ))
  }
}
