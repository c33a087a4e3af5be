# Tested in test-mars-predict.R and test-mars-methods.R.

#' Predict with regression splines
#'
#' Returns one prediction per row of `newdata`, in the same order. The prediction is `NA` if a
#' predictor of the terms has a missing value or an unseen level. `summary()` with `data`,
#' [tec_dependence()] and permutation importance leave such rows out, with a message.
#'
#' @param object A fit from [tec_mars()].
#' @param newdata A data frame, or a matrix if the fit was made from one.
#' @param type What to return:
#'   * `"response"`: the number or the class;
#'   * `"class"`: a factor with the levels of the response;
#'   * `"prob"`: a matrix of probabilities, with one column per class;
#'   * `"link"`: the value of the formula that `print()` shows: the number, or for classes the log
#'     odds (a matrix for more than two classes);
#'   * `"terms"`: a matrix with one column per function. A function is the sum of the terms of the
#'     same predictors, less its mean over the training rows. The sum of all functions plus the
#'     attribute `"constant"` is the link. With more than two classes it is an array, whose third
#'     dimension is the classes.
#' @param ... Not used.
#' @return Depending on `type`, a factor, a numeric vector, a matrix or an array.
#' @family spline functions
#' @examples
#' fit <- tec_mars(Species ~ ., iris)
#' some <- iris[c(1, 71, 120), ]
#' predict(fit, some)
#' predict(fit, some, type = "prob")
#'
#' # The sum of the functions
#' numbers <- tec_mars(mpg ~ ., mtcars)
#' parts <- predict(numbers, mtcars, type = "terms")
#' all.equal(rowSums(parts) + attr(parts, "constant"), predict(numbers, mtcars))
#' @export
predict.tec_mars <- function(object, newdata, type = c(
                               "response", "class", "prob", "link", "terms"
                             ), ...) {
  refuse_dots("predict.tec_mars", ...)
  type <- prediction_type(
    if (missing(type)) "response" else type, c("response", "class", "prob", "link", "terms")
  )
  check_fit(object)
  predict_new(object, if (!missing(newdata)) newdata, type, parent.frame())
}

#' @exportS3Method
check_fit.tec_mars <- function(fit, nodes = TRUE) {
  parts <- c("side", "cut", "inputs", "selected", "coefficients", "columns", "response")
  whole <- is.list(fit) && all(parts %in% names(fit)) &&
    is.matrix(fit$side) && identical(dim(fit$side), dim(fit$cut)) &&
    ncol(fit$side) == nrow(fit$inputs) &&
    length(fit$selected) == nrow(fit$coefficients) && all(fit$selected %in% seq_len(nrow(fit$side)))
  if (!isTRUE(whole && mars_parts_fit(fit))) {
    abort_fit("it is not a whole fit", model = "spline model", maker = "tec_mars")
  }
}

# Whether the numbers of a fit are numeric and refer to columns that it has.
mars_parts_fit <- function(fit) {
  check_columns_info(fit)
  finite <- function(x) is.numeric(x) && all(is.finite(x))
  size <- function(x) is.null(x) || is.numeric(x) && length(x) == 1L
  inputs <- fit$inputs
  all(vapply(fit[c("side", "cut", "coefficients", "selected", "used")], finite, NA)) &&
    is.data.frame(inputs) && all(lengths(unclass(inputs)) == ncol(fit$side)) &&
    is.numeric(fit$means) && length(fit$means) == length(fit$selected) &&
    is_backward_pass(fit) && size(fit$end) && finite(inputs$column) && finite(inputs$level) &&
    all(inputs$level >= 0 & inputs$level <= lengths(fit$columns$levels)[inputs$column]) &&
    all(c(inputs$column, fit$used) %in% seq_along(fit$columns$name)) &&
    all(fit$side %in% -1:2) && all(vapply(fit[mars_sizes_kept], size, NA)) &&
    length(unique(lengths(fit[c("rss", "gcv", "r_squared", "gcv_r_squared")]))) == 1L &&
    setequal(fit$used, inputs$column[colSums(fit$side[fit$selected, , drop = FALSE] != 0L) > 0]) &&
    is.list(fit$settings) && is.list(fit$control) && is_string(fit$control$unseen) &&
    is.character(inputs$name) && (is.null(fit$logistic) || is.list(fit$logistic)) &&
    length(fit$spread) == length(fit$columns$name) && all(vapply(fit$spread, is_spread, NA))
}

# Checks the classes, and the terms of each size in the backward pass, if the fit contains them.
is_backward_pass <- function(fit) {
  is_term <- function(x) is.numeric(x) && all(x %in% seq_len(nrow(fit$side)))
  levels <- fit$response$levels
  is.null(fit$classes) == is.null(levels) && all(fit$classes %in% seq_along(levels)) && (
    is.null(fit$subsets) ||
      is.list(fit$subsets) && all(vapply(fit$subsets, is_term, NA)) && is.data.frame(fit$sizes) &&
        all(lengths(unclass(fit$sizes)) == length(fit$subsets)) &&
        all(vapply(fit$sizes, is.numeric, NA)) && all(c("terms", "rss") %in% names(fit$sizes)))
}

# Checks the distribution of a column: counts, and the two ends of a numeric column.
is_spread <- function(s) {
  is.list(s) && is.numeric(s$counts) &&
    (is.null(s$range) || is.numeric(s$range) && length(s$range) == 2L)
}

mars_sizes_kept <- c("rss", "gcv", "r_squared", "gcv_r_squared", "n_rows", "n_missing_response")

# `values`: coded columns.
#' @exportS3Method
predict_coded.tec_mars <- function(fit, values, n, type = "response", threads = NULL) {
  basis <- mars_basis_of(fit, values, n)
  if (type == "terms") {
    return(mars_parts(fit, basis))
  }
  link <- basis %*% fit$coefficients
  levels <- fit$response$levels
  if (type == "link") {
    return(if (ncol(link) == 1L) link[, 1L] else link)
  }
  if (is.null(levels)) {
    return(link[, 1L])
  }
  prob <- mars_shares(fit, link)
  if (type == "prob") {
    return(prob)
  }
  class <- rep(NA_integer_, n)
  known <- !is.na(prob[, 1L])
  # The odds decide, because probabilities near 1 can be equal.
  aim <- if (ncol(link) == 1L) cbind(0, link) else link
  class[known] <- fit$classes[max.col(aim[known, , drop = FALSE], ties.method = "first")]
  as_classes(class, fit$response)
}

mars_shares <- function(fit, link) {
  # Without rows plogis() would drop the dimensions.
  odds <- link
  odds[] <- stats::plogis(link)
  own <- if (ncol(link) == 1L) {
    cbind(stats::plogis(-link), odds)
  } else {
    # If all probabilities are rounded to 0, their ratios are those of exp(log odds).
    none <- rowSums(odds) == 0 & !is.na(odds[, 1L])
    top <- exp(link[none, , drop = FALSE] - apply(link[none, , drop = FALSE], 1L, max))
    odds[none, ] <- top
    odds / rowSums(odds)
  }
  out <- matrix(0, nrow(link), length(fit$response$levels))
  out[, fit$classes] <- own
  out[is.na(link[, 1L]), ] <- NA
  colnames(out) <- fit$response$levels
  out
}

# The functions, centred at their means.
mars_parts <- function(fit, basis) {
  functions <- mars_functions(fit)
  by_response <- lapply(seq_len(ncol(fit$coefficients)), function(r) {
    b <- fit$coefficients[, r]
    parts <- vapply(functions, function(f) {
      drop(basis[, f$terms, drop = FALSE] %*% b[f$terms]) - sum(fit$means[f$terms] * b[f$terms])
    }, numeric(nrow(basis)))
    matrix(parts, nrow(basis), length(functions), dimnames = list(NULL, names(functions)))
  })
  constant <- drop(fit$means %*% fit$coefficients)
  out <- by_response[[1L]]
  if (length(by_response) > 1L) {
    out <- array(unlist(by_response), c(nrow(basis), length(functions), length(by_response)),
      dimnames = list(NULL, names(functions), colnames(fit$coefficients))
    )
  }
  structure(out, constant = unname(constant))
}

#' Standard methods for regression splines
#'
#' Methods that only splines have. [model-methods] describes those of all models.
#'
#' * `coef()`: the coefficients, named by their terms.
#' * `tidy()`: one row per term: `term`, for more than two classes `class`, and `estimate`.
#' * `glance()`: one row: `nobs`, `terms`, `predictors`, `degree`, `gcv`, `gcv.r.squared`,
#'   `r.squared`, and for classes `deviance`.
#'
#' @param object,x A fit from [tec_mars()].
#' @param digits Number of significant digits of the knots.
#' @param ... Not used.
#' @return See above. `tidy()` and `glance()` return a tibble if the package tibble is installed,
#'   otherwise a data frame.
#' @family spline functions
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' coef(fit)
#' tidy(fit)
#' glance(fit)
#' @name tec_mars-methods
NULL

#' @rdname tec_mars-methods
#' @srrstats {RE4.2} Coefficients of splines; for other models an error.
#' @export
coef.tec_mars <- function(object, digits = 7L, ...) {
  plain_numbers()
  check_fit(object)
  refuse_dots("coef", ...)
  check_output(digits)
  out <- object$coefficients
  names <- names_of_terms(object, digits)
  if (ncol(out) == 1L) {
    return(stats::setNames(out[, 1L], names))
  }
  rownames(out) <- names
  out
}

#' @rdname tec_mars-methods
#' @export
tidy.tec_mars <- function(x, digits = 7L, ...) {
  plain_numbers()
  refuse_dots("tidy", ...)
  check_fit(x)
  check_output(digits)
  b <- x$coefficients
  out <- data.frame(term = rep(names_of_terms(x, digits), ncol(b)))
  if (ncol(b) > 1L) out$class <- rep(colnames(b), each = nrow(b))
  out$estimate <- as.vector(b)
  as_table(out)
}

names_of_terms <- function(fit, digits) {
  replace(mars_term_texts(fit, digits), 1L, "(Intercept)")
}

#' @rdname tec_mars-methods
#' @export
glance.tec_mars <- function(x, ...) {
  refuse_dots("glance", ...)
  check_fit(x)
  out <- data.frame(
    nobs = x$n_rows, terms = length(x$selected), predictors = length(x$used),
    degree = x$settings$degree, gcv = x$gcv, gcv.r.squared = x$gcv_r_squared,
    r.squared = x$r_squared
  )
  if (!is.null(x$logistic)) out$deviance <- sum(x$logistic$deviance)
  as_table(out)
}
