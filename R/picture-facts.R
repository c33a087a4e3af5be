# Tested in test-picture-judge.R.

picture_types <- c("tree", "surface", "dependence", "importance", "calibration", "roc", "cp")

picture_options <- list(
  surface = c("predictors", "at", "y"), dependence = c("predictors", "class"),
  importance = character(), calibration = c("class", "bins", "y"), roc = c("class", "y"),
  cp = character()
)

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
