# Tested in test-rotation-predict.R and test-rotation-methods.R.

#' Predict with a rotation forest
#'
#' Returns one prediction per row of `newdata`, in the same order: the mean over the trees of the
#' class shares or of the numbers. Missing values and unseen levels are replaced as described in
#' [tec_rotation()].
#'
#' @inheritParams predict.tec_tree
#' @param object A fit from [tec_rotation()].
#' @param newdata A data frame, or a matrix if the fit was made from one.
#' @param type What to return:
#'   * `"response"`: the class or the number;
#'   * `"class"`: the class with the largest mean share (the first on ties);
#'   * `"prob"`: a matrix of the mean shares, with one column per class.
#' @return Depending on `type`, a factor, a numeric vector or a matrix.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' some <- iris[c(1, 71, 120), ]
#' predict(fit, some)
#' predict(fit, some, type = "prob")
#' @export
predict.tec_rotation <- function(object, newdata, type = c("response", "class", "prob"),
                                 threads = NULL, ...) {
  refuse_dots("predict.tec_rotation", ...)
  type <- prediction_type(if (missing(type)) "response" else type, c("response", "class", "prob"))
  check_fit(object, nodes = FALSE)
  predict_new(object, if (!missing(newdata)) newdata, type, parent.frame(), threads)
}

#' @exportS3Method
predict_coded.tec_rotation <- function(fit, values, n, type = "response", threads = NULL) {
  p <- nrow(fit$inputs)
  columns <- list(
    values = scaled_columns(values, fit$inputs), kinds = integer(p), n_levels = integer(p), n = n
  )
  sums <- tec_rotation_predict_(
    fit$trees, fit$rotation, columns, length(fit$response$levels), default_threads(threads)
  )
  mean <- sums / length(fit$seeds)
  levels <- fit$response$levels
  if (is.null(levels)) {
    return(mean[, 1L])
  }
  if (type == "prob") {
    return(structure(mean, dimnames = list(NULL, levels)))
  }
  as_classes(max.col(mean, ties.method = "first"), fit$response)
}

rotation_pieces <- c(
  "trees", "rotation", "inputs", "columns", "response", "control", "predictors", "n_rows", "seeds",
  "settings"
)

#' @exportS3Method
check_fit.tec_rotation <- function(fit, nodes = TRUE) {
  fit <- check_pieces(fit, rotation_pieces, abort_rotation)
  if (is.null(fit$gain)) abort_rotation("it has no {.field gain}")
  n <- length(fit$trees$start) - 1L
  if (n < 1L || length(fit$seeds) != n) abort_rotation("its vectors differ in length")
  inputs <- fit$inputs
  numbers <- c("column", "level", "fill", "centre", "scale")
  sound <- is.data.frame(inputs) && nrow(inputs) > 0L && all(c(numbers, "name") %in% names(inputs))
  is_column <- function(x) is.numeric(x) && !anyNA(x) && length(x) == nrow(inputs)
  sound <- sound && all(vapply(inputs[numbers], is_column, NA)) &&
    is.character(inputs$name) && length(inputs$name) == nrow(inputs) &&
    all(inputs$column %in% fit$used) && all(fit$used %in% seq_along(fit$columns$name))
  if (!sound) abort_rotation("its columns are not described")
  p <- nrow(inputs)
  turn <- fit$rotation
  size <- if (is.list(turn)) turn$group_size
  sound <- is.list(turn) && is_number(size) && size >= 1 && size <= p &&
    is.integer(turn$order) && identical(dim(turn$order), c(p, n)) && is.double(turn$axes) &&
    identical(dim(turn$axes), c(loading_count(p, size), n)) && all(turn$order %in% seq_len(p))
  if (!sound) abort_rotation("its rotations do not fit its columns")
  sound <- is_number(fit$settings$asked) && is_number(fit$settings$sample_fraction)
  if (!sound) abort_rotation("its settings are not those of {.fn tec_rotation}")
  if (nodes) {
    check_tree_nodes(
      fit$trees, rep("numeric", p), integer(p), length(fit$response$levels), abort_rotation
    )
  }
  invisible(fit)
}

loading_count <- function(p, size) as.integer((p - p %% size) * size + (p %% size)^2)

abort_rotation <- function(what, lost = NULL) {
  tec_abort("damaged", c(
    "The rotation forest is damaged.", x = paste0("Found: ", what, "."),
    i = "Grow it again with {.fn tec_rotation}."
  ))
}

#' Standard methods for rotation forests
#'
#' Methods that only rotation forests have. [model-methods] describes those of all models.
#' `update()` evaluates the call of a fit again with other arguments. Store a fit with `saveRDS()`;
#' it cannot be exported to other languages.
#'
#' * `tidy()`: the loadings of all trees, as [tec_components()] returns them.
#' * `glance()`: one row: `nobs`, `trees`, `leaves` and `depth` (means over trees), `columns`,
#'   `group_size`, `sample_fraction`.
#'
#' @param x A fit from [tec_rotation()].
#' @param ... Not used.
#' @return A tibble if the package tibble is installed, otherwise a data frame.
#' @family rotation forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_rotation(Species ~ ., iris, trees = 20, threads = 2)
#' glance(fit)
#' @name tec_rotation-methods
NULL

#' @rdname tec_rotation-methods
#' @export
tidy.tec_rotation <- function(x, ...) {
  refuse_dots("tidy", ...)
  out <- tec_components(x, seq_along(x$seeds))
  class(out) <- "data.frame"
  as_table(out)
}

#' @rdname tec_rotation-methods
#' @export
glance.tec_rotation <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  size <- tree_sizes(x)
  as_table(data.frame(
    nobs = x$n_rows, trees = nrow(size), leaves = mean(size$leaves), depth = mean(size$depth),
    columns = nrow(x$inputs), group_size = x$rotation$group_size,
    sample_fraction = x$settings$sample_fraction
  ))
}
