# Tested in test-tec_shap.R.

#' Plot Shapley values
#'
#' `plot()` uses base graphics, `ggplot2::autoplot()` ggplot2.
#'
#' * `"waterfall"`: one row, from the baseline at the bottom to its prediction at the top, a bar per
#'   predictor.
#' * `"beeswarm"`: a point per row and predictor; predictors with large values on top. Colours go
#'   from low to high values of the predictor among the rows. Levels without an order have colours
#'   of their own.
#' * `"dependence"`: the values of one predictor against its data. Rows with the same data differ by
#'   interactions; `colour_by` shows with which predictor.
#' * `"importance"`: the mean absolute value per predictor, for several classes stacked.
#' * `"interactions"`: the mean absolute value of what each pair of predictors does together, both
#'   halves; for values with `interactions = TRUE`.
#'
#' @param x,object What [tec_shap()] returned.
#' @param type What to draw; by default the beeswarm, for a single row the waterfall.
#' @param row The number of the row of the waterfall.
#' @param predictor The predictor of the dependence plot; by default the most important one.
#' @param colour_by Another predictor, whose values colour the points of the dependence plot.
#' @param class For values of several classes: the class to draw. By default the waterfall shows the
#'   class with the largest probability for the row, and the beeswarm and dependence plots the
#'   second of two classes, otherwise the first.
#' @param most The maximum number of predictors, or pairs, to show; the waterfall sums up the
#'   others.
#' @param main The title; `""` is none.
#' @param background The colour of the page, as in [plot()][plot.tec_tree].
#' @param ... No further arguments.
#' @return `x`, invisibly; for `autoplot()` a ggplot.
#' @family explanations of a tree
#' @concept Shapley values
#' @concept waterfall plot
#' @concept beeswarm plot
#' @examples
#' fit <- tec_tree(mpg ~ ., mtcars, max_depth = 4, prune = "none")
#' shap <- tec_shap(fit, mtcars)
#' plot(shap)
#' plot(shap, type = "waterfall", row = 20)
#' plot(shap, type = "dependence", predictor = "hp", colour_by = "wt")
#' plot(tec_shap(tec_tree(Species ~ ., iris), iris), type = "importance")
#' plot(tec_shap(fit, mtcars, interactions = TRUE), type = "interactions")
#' @export
plot.tec_shap <- function(x, type = c(
                            "beeswarm", "waterfall", "dependence", "importance", "interactions"
                          ),
                          row = 1L, predictor = NULL, colour_by = NULL, class = NULL, most = 12L,
                          main = NULL, background = NULL, ...) {
  refuse_dots("plot.tec_shap", ...)
  options <- list(
    row = if (!missing(row)) row, predictor = predictor, colour_by = colour_by, class = class,
    most = if (!missing(most)) most
  )
  type <- if (!missing(type)) type
  make <- function(ink) of_whole(x, "tec_shap", "tec_shap", shap_chart(x, type, options, ink))
  plot_chart(x, make, main, background)
}

#' @rdname plot.tec_shap
#' @rawNamespace S3method(ggplot2::autoplot, tec_shap)
#' @rawNamespace export(autoplot.tec_shap)
autoplot.tec_shap <- function(object, type = c(
                                "beeswarm", "waterfall", "dependence", "importance", "interactions"
                              ),
                              row = 1L, predictor = NULL, colour_by = NULL, class = NULL,
                              most = 12L, main = NULL, background = NULL, ...) {
  refuse_dots("plot.tec_shap", ...)
  options <- list(
    row = if (!missing(row)) row, predictor = predictor, colour_by = colour_by, class = class,
    most = if (!missing(most)) most
  )
  type <- if (!missing(type)) type
  autoplot_chart(function(ink) {
    of_whole(object, "tec_shap", "tec_shap", shap_chart(object, type, options, ink), "object")
  }, main, background)
}

shap_chart <- function(x, type, options, ink) {
  n <- nrow(x$data)
  if (n == 0L) {
    tec_abort("argument", "There are no rows to draw.")
  }
  type <- if (is.null(type)) {
    if (n == 1L) "waterfall" else "beeswarm"
  } else {
    match_choice(type, shap_plots, "type")
  }
  names <- c("row", "predictor", "colour_by", "most")
  given <- vapply(options[names], Negate(is.null), NA)
  names(given) <- names
  if (type != "waterfall") refuse_without("type = \"waterfall\"", given["row"])
  if (type != "dependence") {
    refuse_without("type = \"dependence\"", given[c("predictor", "colour_by")])
  } else {
    refuse_without("type = \"beeswarm\"", given["most"])
  }
  options$row <- options$row %||% 1L
  options$most <- check_count(options$most %||% 12L, "most", least = 1)
  make <- switch(type,
    beeswarm = beeswarm_chart, waterfall = waterfall_chart, dependence = shap_dependence_chart,
    importance = shap_importance_chart, interactions = shap_interaction_chart
  )
  make(x, options, ink)
}

shap_interaction_chart <- function(x, options, ink) {
  check_has_interactions(x)
  x$values <- pair_values(x)
  if (dim(x$values)[2L] == 0L) {
    tec_abort("argument", c(
      "There are no interactions to draw.", x = "The model has one predictor."
    ))
  }
  shap_importance_chart(x, options, ink, dimnames(x$values)[[2L]], "Interactions")
}
