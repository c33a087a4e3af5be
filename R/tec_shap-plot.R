shap_plots <- c("beeswarm", "waterfall", "dependence", "importance", "interactions")

# list(values = rows x predictors, baseline, class) of one class, or of numbers.
one_output <- function(x, class, default) {
  if (length(dim(x$values)) == 2L) {
    class <- check_shap_class(class, x$response)
    if (!is.null(class) && !identical(class, x$class)) abort_other_class(x, class)
    return(list(values = x$values, baseline = x$baseline, class = x$class))
  }
  class <- check_shap_class(class, x$response) %||% x$response$levels[default]
  list(
    values = matrix(
      x$values[, , class], dim(x$values)[1L], dimnames = dimnames(x$values)[1:2]
    ),
    baseline = x$baseline[[class]], class = class
  )
}

abort_other_class <- function(x, class) {
  tec_abort("argument", c(
    "{.arg class} must be the class that was explained, {.val {x$class}}.",
    x = "It is {.val {class}}.",
    i = "Call {.fn tec_shap} without {.arg class} to have all classes."
  ))
}

# The second of two classes, as for a probability; otherwise the first.
usual_class <- function(x) if (length(x$response$levels) == 2L) 2L else 1L

check_predictor <- function(x, value, arg) {
  known <- names(x$data)
  if (is.numeric(value) && length(value) == 1L && value %in% seq_along(known)) {
    return(as.integer(value))
  }
  match(match_choice(value, known, arg), known)
}

shap_title <- function(x, class) paste("Shapley values for", shap_subject(x, class))

shap_subject <- function(x, class) {
  paste0("the ", if (is.null(class)) "prediction of ", shap_quantity(x, class))
}

shap_axis_title <- function(class) {
  if (is.null(class)) "change of the prediction" else "change of the probability"
}
