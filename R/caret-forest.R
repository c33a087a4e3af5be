# What tec_caret("forest") returns of its own.

caret_forest <- function() {
  list(
    label = "Random forest (tectree)",
    loop = NULL,
    fit = function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: names of caret
      caret_fit_forest(x, y, wts, param, ...)
    },
    predict = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      predict.tec_forest(modelFit, newdata)
    },
    prob = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      as.data.frame(predict.tec_forest(modelFit, newdata, type = "prob"), optional = TRUE)
    },
    oob = caret_oob,
    tags = c(
      "Random Forest", "Ensemble Model", "Bagging", "Implicit Feature Selection",
      "Accepts Case Weights", "Handle Missing Predictor Data"
    )
  )
}

caret_fit_forest <- function(x, y, wts, param, ...) {
  do.call(tec_forest.default, c(caret_rows(x, y, wts), as.list(param), list(...)))
}

# What caret's trainControl("oob") compares: the measures of the rows that were out of bag.
caret_oob <- function(x) {
  found <- oob_measures(x)
  if (is.null(found)) {
    abort_no_oob("caret compares forests by their out-of-bag error, and this one has none.")
  }
  if (!is.null(found$confusion)) {
    return(c(Accuracy = 1 - x$oob$error, Kappa = kappa_of(x$oob$confusion)))
  }
  c(RMSE = sqrt(x$oob$error), Rsquared = x$oob$r_squared)
}

# Cohen's kappa.
kappa_of <- function(confusion) {
  share <- confusion / sum(confusion)
  chance <- sum(rowSums(share) * colSums(share))
  if (chance == 1) 0 else (sum(diag(share)) - chance) / (1 - chance)
}

abort_no_oob <- function(message) {
  tec_abort("oob", c(
    message,
    x = "Every tree has all rows.",
    i = "Use {.code replace = TRUE} or a smaller {.arg sample_fraction}."
  ))
}

caret_rows <- function(x, y, wts) {
  list(x = if (is.data.frame(x)) as.data.frame(x) else x, y = y, weights = wts)
}
