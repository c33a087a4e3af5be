# Tested in test-picture-judge.R, test-picture-steps.R and test-picture-surface.R.

#' The numbers behind a plot of a tree
#'
#' Returns the numbers that `plot(fit, type = )` and `autoplot(fit, type = )` draw: the partition of
#' two predictors, the partial dependence of one, the calibration of probabilities on new rows, ROC
#' curves, and the results of [importance()] and [cp_table()].
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
  fit <- chosen_fit(fit, "tec_picture")
  if (!inherits(fit, "tec_tree")) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree}.", x = "It is {describe(fit)}."
    ))
  }
  check_fit(fit)
  type <- match_choice(type, picture_types[-1L], "type")
  given <- setdiff(names(match.call())[-1L], c("fit", "type", "data", ""))
  options <- mget(given, environment())
  make_picture(fit, type, data, parent.frame(), options)
}

picture_types <- c("tree", "surface", "dependence", "importance", "calibration", "roc", "cp")

picture_options <- list(
  surface = c("predictors", "at", "y"), dependence = c("predictors", "class"),
  importance = character(), calibration = c("class", "bins", "y"), roc = c("class", "y"),
  cp = character()
)

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

as_picture <- function(table, type, ...) {
  structure(
    table, class = c("tec_picture", "data.frame"), picture = list(type = type, ...)
  )
}

check_options <- function(names, type) {
  check_known(names %||% character(), c("data", unique(unlist(picture_options))), "tec_picture")
  wrong <- setdiff(names, picture_options[[type]])
  if (length(wrong)) {
    tec_abort("argument", "{.arg {wrong[1L]}} is not for {.code type = \"{type}\"}.")
  }
}

check_judged_data <- function(data, type) {
  if (is.null(data)) {
    tec_abort("data", c(
      "{.code type = \"{type}\"} needs {.arg data}.",
      i = "Give rows with a response, best such that the tree has not seen."
    ))
  }
  check_newdata(data, "data")
}

# Arguments for drawing the tree do not apply to other types.
check_picture_arguments <- function(call, type) {
  wrong <- intersect(names(call), c(
    "depth", "nodes", "direction", "labels", "cex", "show", "leaves", "strips", "path", "by_rows",
    "size", "branches", "style"
  ))
  if (length(wrong)) {
    tec_abort("argument", c(
      "{.arg {wrong[1L]}} is for {.code type = \"tree\"}.", x = "{.arg type} is {.val {type}}."
    ))
  }
}

# Importance and the cp table have no classes.
picture_looks <- function(picture, palette, main, background, legend) {
  classes <- if (inherits(picture, "tec_picture")) list(palette = palette, legend = legend)
  c(list(main = main, background = background), classes)
}

# The columns of a fit by name, or the most important ones.
picture_columns <- function(fit, predictors, number) {
  names <- fit$columns$name
  if (is.null(predictors)) {
    predictors <- utils::head(gain_order(fit), number)
  }
  if (!is.character(predictors) || length(predictors) != number || anyDuplicated(predictors)) {
    tec_abort("argument", c(
      "{.arg predictors} must name {number} different predictor{?s}.",
      x = if (is.character(predictors)) "It names {length(unique(predictors))}."
      else "It is {describe(predictors)}."
    ))
  }
  vapply(predictors, function(p) match(match_choice(p, names, "predictors"), names), 0L)
}

gain_order <- function(fit) {
  table <- gain_importance(fit)
  table$variable[order(-table$importance)]
}

# The classes that have a curve, as numbers; none for a numeric response.
picture_classes <- function(fit, class) {
  levels <- fit$response$levels
  if (is.null(levels) && !is.null(class)) abort_only_for("class", "a response of classes")
  if (is.null(class)) {
    return(if (length(levels) == 2L) 2L else seq_along(levels))
  }
  class_numbers(class, levels, one = FALSE)
}

# Rows with a response: their truth and what the tree predicts.
judged_rows <- function(fit, rows) {
  truth <- node_response(fit, rows$data, rows$y, rows$env)
  known <- which(!is.na(truth))
  if (length(known) == 0L) {
    tec_abort("data", "No row of {.arg data} has a response.")
  }
  type <- if (fit$response$task == "classification") "prob" else "response"
  list(
    truth = truth[known],
    predicted = as.matrix(predict.tec_tree(fit, rows$data[known, , drop = FALSE], type = type))
  )
}
