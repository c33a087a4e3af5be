# What tec_caret("boost") and tec_caret("adaboost") return of their own.

caret_boost <- function(model) {
  ada <- model == "adaboost"
  list(
    label = paste(if (ada) "AdaBoost" else "Gradient boosting", "(tectree)"),
    type = c("Classification", if (!ada) "Regression"),
    loop = function(grid) caret_loop(grid, c(rounds = -1)),
    fit = function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: names of caret
      caret_fit_boost(x, y, wts, param, if (ada) "adaboost" else "gradient", ...)
    },
    predict = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      caret_predict_boost(modelFit, newdata, submodels, "response")
    },
    prob = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      caret_predict_boost(modelFit, newdata, submodels, "prob")
    },
    tags = c(
      "Boosting", "Tree-Based Model", "Ensemble Model", "Implicit Feature Selection",
      "Accepts Case Weights", "Handle Missing Predictor Data"
    )
  )
}

caret_fit_boost <- function(x, y, wts, param, method, ...) {
  do.call(
    tec_boost.default, c(caret_rows(x, y, wts), list(method = method), as.list(param), list(...))
  )
}

caret_predict_boost <- function(fit, newdata, submodels, type) {
  if (is.data.frame(newdata)) newdata <- as.data.frame(newdata)
  at <- fit$rounds
  if (!is.null(submodels)) {
    check_first_rounds(fit)
    at <- c(at, vapply(submodels$rounds, function(most) rounds_of_first(fit, most), 0))
  }
  # Several predictions of the same number of rounds are made once.
  once <- unique(at)
  out <- predict.tec_boost(fit, newdata, type = type, rounds = once)
  if (length(once) == 1L) out <- list(out)
  if (type == "prob") out <- lapply(out, as.data.frame, optional = TRUE)
  if (is.null(submodels)) out[[1L]] else unname(out[match(at, once)])
}

# How many rounds the model would have with at most `most`.
rounds_of_first <- function(fit, most) {
  measured <- fit$curve$validation %||% fit$curve$folds
  as.double(if (is.null(measured)) {
    min(most, fit$rounds)
  } else {
    which.min(measured[seq_len(min(most, length(measured)))])
  })
}

# Pairs are taken after all rounds of single predictors.
check_first_rounds <- function(fit) {
  if (isTRUE(fit$settings$cyclic) && fit$settings$pairs > 0) {
    tec_abort("argument", c(
      "Several {.arg rounds} cannot be read off one model with {.arg pairs}.",
      x = "Its pairs come after all rounds of single predictors.",
      i = "Tune other settings with one number of {.arg rounds}, or use {.code pairs = 0}."
    ))
  }
}
