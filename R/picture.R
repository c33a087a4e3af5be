# Tested in test-picture-judge.R, test-picture-steps.R and test-picture-surface.R.

#' The numbers behind a plot of a tree
#'
#' Returns the numbers that `plot(fit, type = )` and `autoplot(fit, type = )` draw: the partition of
#' two predictors, the partial dependence of one, the calibration of probabilities on new rows, ROC
#' curves, and the results of [importance()] and [cp_table()].
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' * `"surface"`: rectangles with a constant prediction, and the rows of `data`. Other predictors of
#'   the tree have the values of the row `at`, by default their median or most frequent level.
#'   Columns: `node`, `xmin`, `xmax`, `ymin`, `ymax`, `prediction`.
#' * `"dependence"`: the mean prediction over the rows of `data` with the predictor set to each
#'   value. For a tree it is a step function, which is returned exactly: the steps go from above
#'   `from` up to `to` (`level` for factors). Other columns: `class`, `value`.
#' * `"calibration"`: predictions in `bins` intervals of equal width, with the mean `predicted`
#'   and the `observed` share (or mean), its 95 % interval from `low` to `high` (Wilson's; for
#'   a mean 1.96 standard errors) and the number of `rows`.
#' * `"roc"`: `false_positive` and `true_positive` rates of each class against all others, for
#'   each `threshold`; the attribute `"auc"` has the areas under the curves.
#'
#' Rows with a missing response are left out. Case weights are used only for `"dependence"` on the
#' training rows.
#'
#' @param fit A tree from [tec_tree()].
#' @param type `"surface"`, `"dependence"`, `"importance"`, `"calibration"`, `"roc"` or `"cp"`.
#' @param data A data frame. It must be given for `"calibration"` and `"roc"`, and should be new
#'   data. The default for other types is the training rows, if they can be found.
#' @param predictors Two names for `"surface"`, one for `"dependence"`; by default the most
#'   important.
#' @param at A data frame of one row with the values of the other predictors.
#' @param class The classes to show. With two classes only the second has a curve.
#' @param bins The number of bins.
#' @param y The response of `data`, only if the tree was grown from `x` and `y`.
#' @param x,object What `tec_picture()` returned.
#' @param palette,background,main,legend As in [plot()][plot.tec_tree].
#' @param ... Not used.
#' @return A data frame of class `tec_picture`; what [importance()] or [cp_table()] return for these
#'   types. `plot()` returns it invisibly, `autoplot()` a ggplot.
#' @family uses of a tree
#' @concept partial dependence
#' @concept decision boundary
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' tec_picture(fit, "surface")
#' plot(fit, type = "surface")
#' plot(fit, type = "dependence", predictors = "Petal.Width")
#'
#' # On rows that the tree has not seen:
#' train <- seq(1, 150, by = 2)
#' half <- tec_tree(Species ~ ., iris, subset = train)
#' roc <- tec_picture(half, "roc", data = iris[-train, ])
#' attr(roc, "auc")
#' plot(roc)
#' plot(half, type = "calibration", data = iris[-train, ], bins = 5)
#' @order 1
#' @export
tec_picture <- function(fit, type, data = NULL, predictors = NULL, at = NULL, class = NULL,
                        bins = 10, y = NULL) {
  fit <- tree_argument(fit, "tec_picture")
  type <- match_choice(type, picture_types[-1L], "type")
  given <- setdiff(names(match.call())[-1L], c("fit", "type", "data", ""))
  options <- mget(given, environment())
  make_picture(fit, type, data, parent.frame(), options)
}

make_picture <- function(fit, type, data, env, options) {
  check_options(names(options), type)
  if (!is.null(data) && type %in% c("importance", "cp")) {
    tec_abort("argument", "{.arg data} is not for {.code type = \"{type}\"}.")
  }
  switch(type,
    importance = return(importance.tec_tree(fit)),
    cp = return(cp_table(fit))
  )
  needs_new <- type %in% c("calibration", "roc")
  rows <- if (needs_new || !is.null(data)) {
    list(data = check_judged_data(data, type), y = options$y)
  } else {
    training_rows(fit, "plot", env)
  }
  rows$env <- env
  make <- switch(type,
    surface = surface_picture, dependence = dependence_picture,
    calibration = calibration_picture, roc = roc_picture
  )
  make(fit, rows, options)
}

#' @rdname tec_picture
#' @export
plot.tec_picture <- function(x, palette = NULL, main = NULL, legend = TRUE, background = NULL,
                             ...) {
  refuse_dots("plot", ...)
  plot_chart(x, function(ink) picture_chart(x, palette, ink), main, background, palette, legend)
}

#' @rdname tec_picture
#' @rawNamespace S3method(ggplot2::autoplot, tec_picture)
#' @rawNamespace export(autoplot.tec_picture)
autoplot.tec_picture <- function(object, palette = NULL, main = NULL, legend = TRUE,
                                 background = NULL, ...) {
  refuse_dots("autoplot", ...)
  make <- function(ink) picture_chart(object, palette, ink)
  autoplot_chart(make, main, background, palette, legend)
}

picture_chart <- function(picture, palette, ink) {
  facts <- attr(picture, "picture")
  if (is.null(facts)) {
    tec_abort("argument", c(
      "There is nothing to draw: the table is a part of what {.fn tec_picture} returned.",
      i = "Draw the whole."
    ))
  }
  make <- switch(facts$type,
    surface = surface_chart, dependence = dependence_chart, calibration = calibration_chart,
    roc = roc_chart
  )
  make(picture, facts, palette, ink)
}
