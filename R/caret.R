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
