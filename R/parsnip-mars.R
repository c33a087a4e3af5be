#' Splines in tidymodels
#'
#' tectree registers the engine `"tectree"` for `mars()`, for classification and regression, when
#' parsnip and tectree are loaded, in any order. Predictors are used without dummies, and case
#' weights of hardhat are supported. Rows with missing predictors have no prediction.
#'
#' @section Arguments:
#' | `mars()` | [tec_mars()] | |
#' |---|---|---|
#' | `num_terms` | `max_terms` | |
#' | `prod_degree` | `degree` | |
#' | `prune_method` | `prune` | `"backward"` is `"gcv"`, `"cv"` is `"folds"` |
#'
#' All other arguments of [tec_mars()] go into `set_engine()`. Without arguments the defaults are
#' those of [tec_mars()].
#'
#' @param formula,data,weights As in [tec_mars()].
#' @param ... Other arguments of [tec_mars()].
#' @param num_terms,prod_degree,prune_method As above.
#' @return `tec_parsnip_mars()`, which parsnip calls, returns a fit of [tec_mars()].
#' @family modeling frameworks
#' @concept tidymodels
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- parsnip::mars("regression", prod_degree = 2)
#' spec <- parsnip::set_engine(spec, "tectree")
#' fit <- parsnip::fit(spec, mpg ~ ., mtcars)
#' predict(fit, mtcars[1:3, ])
#' parsnip::extract_fit_engine(fit)
#' @name parsnip-mars
NULL

parsnip_mars_arguments <- list(
  list("num_terms", "num_terms", "dials", "num_terms", FALSE),
  list("prod_degree", "prod_degree", "dials", "prod_degree", FALSE),
  list("prune_method", "prune_method", "dials", "prune_method", FALSE)
)

#' @rdname parsnip-mars
#' @export
tec_parsnip_mars <- function(formula, data, weights = NULL, ..., num_terms = NULL,
                             prod_degree = NULL, prune_method = NULL) {
  asked <- list(weights = parsnip_weights(weights), max_terms = num_terms, degree = prod_degree)
  asked <- asked[lengths(asked) > 0L]
  if (!is.null(prune_method)) asked$pmethod <- prune_method
  fit <- do.call(tec_mars, c(list(formula, data), asked, list(...)))
  if (identical(fit$response$name, "..y")) {
    fit$response$name <- "outcome"
    if (is.null(fit$response$levels)) colnames(fit$coefficients) <- "outcome"
  }
  fit
}
