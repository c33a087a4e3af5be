# Tested in test-mars-methods.R.

#' Importance of predictors in regression splines
#'
#' Each predictor gets the fall of the squared error from every size of the backward pass to the
#' next larger one, up to that of the fit, if the larger subset uses it (criterion "rss" of
#' `evimp()` in the package earth, without its square root). With `type = "permutation"` it is the
#' increase of the prediction error when its values are shuffled, as for trees.
#'
#' @param x A fit from [tec_mars()].
#' @param type `"terms"` or `"permutation"`.
#' @param data For permutation: a data frame with the predictors and the response.
#' @param y The response, only if the fit was made from `x` and `y`.
#' @param repeats How often each predictor is shuffled.
#' @param ... Must be empty.
#' @return A data frame of class `tec_importance` as that of [importance()]. `splits` is the number
#'   of terms of the fit that use the predictor.
#' @family spline functions
#' @examples
#' fit <- tec_mars(mpg ~ ., mtcars)
#' importance(fit)
#' @export
importance.tec_mars <- function(x, type = c("terms", "permutation"), data = NULL, y = NULL,
                                repeats = 10L, ...) {
  refuse_dots("importance", ...)
  type <- if (missing(type)) "terms" else match_choice(type, c("terms", "permutation"), "type")
  check_fit(x)
  if (type != "permutation") refuse_permutation(data, y, !missing(repeats))
  sorted_importance(x, type, mars_gain, data, y, repeats, parent.frame())
}

mars_gain <- function(fit) {
  if (is.null(fit$subsets)) {
    tec_abort("conversion", c(
      "The fit does not know its backward pass.",
      x = "It was read from JSON, which has the terms alone.",
      i = "Use {.code type = \"permutation\"}."
    ))
  }
  p <- length(fit$columns$name)
  of_term <- function(t) unique(fit$inputs$column[fit$side[t, ] != 0L])
  gain <- numeric(p)
  for (size in seq_along(fit$selected)[-1L]) {
    used <- unique(unlist(lapply(fit$subsets[[size]], of_term)))
    gain[used] <- gain[used] + max(0, fit$sizes$rss[size - 1L] - fit$sizes$rss[size])
  }
  terms <- tabulate(unlist(lapply(fit$selected, of_term)), p)
  gain[terms == 0L] <- 0
  total <- sum(gain)
  list2DF(list(
    variable = fit$columns$name, importance = gain,
    share = if (total > 0) gain / total else 0 * gain, splits = terms
  ))
}
