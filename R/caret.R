# Tested in test-caret.R, test-caret-forest.R and test-caret-boost.R.

#' Trees, forests and boosting in caret
#'
#' `caret::train(method = tec_caret())` resamples and tunes trees of tectree. `tec_caret("forest")`
#' does the same for forests, `tec_caret("boost")` for gradient boosting and `tec_caret("adaboost")`
#' for AdaBoost.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' Settings that differ only in `cp`, `max_depth` and `min_split` give subtrees of one tree, which
#' is grown once per resample (see [tec_tune()]). Boosted models that differ only in `rounds` are
#' read off the model with the most rounds.
#'
#' Forests can also be tuned without resampling, by their out-of-bag error:
#' `caret::trainControl("oob")`.
#'
#' `cp` prunes as in `tec_prune(fit, cp = )`; 0 means no pruning. Other settings are tuned without
#' pruning, unless `cp` is tuned too or you give `prune`. If `min_split` is tuned, `min_bucket` is 1
#' unless you give it. Other arguments of [tec_tree()], [tec_forest()] and [tec_boost()] are passed
#' through `train()`: `train(..., preset = "cart")`, `train(..., trees = 200)`,
#' `train(..., cyclic = TRUE, pairs = 0)`. With a formula, caret converts factors to dummy
#' variables; with `x` and `y` it does not. For predictors with missing values use
#' `na.action = na.pass`.
#'
#' @param model `"tree"`, `"forest"`, `"boost"` or `"adaboost"`.
#' @param tune The settings to tune. The default is the first setting (for boosting the first two):
#'   * `"tree"`: `"cp"`, `"max_depth"`, `"min_split"`, `"min_bucket"`, `"q"`, `"criterion"`;
#'   * `"forest"`: `"mtry"`, and those of trees except `"cp"`;
#'   * `"boost"`: `"rounds"`, `"max_depth"`, `"rate"`, `"min_bucket"`, `"sample_fraction"`,
#'     `"column_fraction"`;
#'   * `"adaboost"`: `"rounds"`, `"max_depth"`, `"rate"`, `"q"`, `"criterion"`.
#' @return A list for the argument `method` of `caret::train()`.
#' @family modeling frameworks
#' @concept caret
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' set.seed(1)
#' caret::train(iris[1:4], iris$Species,
#'   method = tec_caret(tune = c("cp", "max_depth")), preset = "cart",
#'   trControl = caret::trainControl("cv", number = 3)
#' )
#' caret::train(iris[1:4], iris$Species,
#'   method = tec_caret("forest"), trees = 50, threads = 2,
#'   trControl = caret::trainControl("oob")
#' )
#' caret::train(mtcars[-1], mtcars$mpg,
#'   method = tec_caret("boost"), min_bucket = 3, threads = 2,
#'   tuneGrid = expand.grid(rounds = c(10, 30), max_depth = c(1, 3)),
#'   trControl = caret::trainControl("cv", number = 3)
#' )
#'
#' # A metric of your own: the median of the absolute errors
#' median_error <- function(data, lev = NULL, model = NULL) {
#'   c(median_error = median(abs(data$obs - data$pred)))
#' }
#' caret::train(mtcars[-1], mtcars$mpg,
#'   method = tec_caret(), metric = "median_error", maximize = FALSE,
#'   trControl = caret::trainControl("cv", number = 3, summaryFunction = median_error)
#' )
#' @srrstats {ML5.4b} The last example has a metric of the user.
#' @export
tec_caret <- function(model = c("tree", "forest", "boost", "adaboost"), tune = NULL) {
  models <- names(caret_settings)
  model <- if (missing(model)) "tree" else check_caret_model(model, models)
  known <- caret_settings[[model]]
  tune <- tune %||% known[seq_len(if (model %in% boosting) 2L else 1L)]
  check_caret(tune, known)
  own <- caret_model(model)
  predicted <- function(fit, newdata, submodels, type) {
    if (is.data.frame(newdata)) newdata <- as.data.frame(newdata)
    own$predict(fit, newdata, submodels, type)
  }
  list(
    library = "tectree", type = c("Classification", if (model != "adaboost") "Regression"),
    parameters = caret_parameters(tune),
    grid = function(x, y, len = NULL, search = "grid") {
      caret_grid(tune, y, len, search, NCOL(x))
    },
    varImp = function(object, ...) {
      found <- importance(object)
      data.frame(Overall = found$importance, row.names = found$variable)
    },
    predictors = function(x, ...) used_names(x),
    levels = function(x) x$response$levels,
    sort = function(x) x[caret_order(x), , drop = FALSE],
    label = paste(own$label, "(tectree)"), loop = own$loop,
    fit = function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: names of caret
      rows <- list(x = if (is.data.frame(x)) as.data.frame(x) else x, y = y, weights = wts)
      do.call(own$grow, c(rows, own$arguments(as.list(param), list(...))))
    },
    predict = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      predicted(modelFit, newdata, submodels, "response")
    },
    prob = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      predicted(modelFit, newdata, submodels, "prob")
    },
    tags = c(
      own$tags, "Implicit Feature Selection", "Accepts Case Weights",
      "Handle Missing Predictor Data"
    )
  ) |> c(own["oob"[model == "forest"]])
}

# The parts that differ between models: the label, the function that grows the model, its arguments
# in terms of caret's, how it predicts, and which settings need no fit of their own.
caret_model <- function(model) {
  switch(model,
    tree = list(
      label = "Decision tree", grow = tec_tree.default, arguments = caret_tree_arguments,
      loop = caret_loop, predict = caret_predict_tree, tags = "Tree-Based Model"
    ),
    forest = list(
      label = "Random forest", grow = tec_forest.default, arguments = c, oob = caret_oob,
      predict = function(fit, newdata, submodels, type) {
        out <- predict.tec_forest(fit, newdata, type = type)
        if (type == "prob") as.data.frame(out, optional = TRUE) else out
      },
      tags = c("Random Forest", "Ensemble Model", "Bagging")
    ),
    list(
      label = if (model == "adaboost") "AdaBoost" else "Gradient boosting",
      grow = tec_boost.default,
      # A number of rounds is what the grid says, unless rows are held out.
      arguments = function(param, more) {
        chosen <- any(c("validation", "folds") %in% names(more))
        method <- if (model == "adaboost") model else "gradient"
        c(list(method = method), param, more, if (!chosen) list(folds = 0))
      },
      loop = function(grid) caret_loop(grid, c(rounds = -1)), predict = caret_predict_boost,
      tags = c("Boosting", "Tree-Based Model", "Ensemble Model")
    )
  )
}

caret_predict_boost <- function(fit, newdata, submodels, type) {
  at <- fit$rounds
  if (!is.null(submodels)) {
    check_first_rounds(fit)
    at <- c(at, vapply(submodels$rounds, function(most) rounds_of_first(fit, most), 0))
  }
  # Each number of rounds is predicted only once.
  once <- unique(at)
  out <- predict.tec_boost(fit, newdata, type = type, rounds = once)
  if (length(once) == 1L) out <- list(out)
  if (type == "prob") out <- lapply(out, as.data.frame, optional = TRUE)
  if (is.null(submodels)) out[[1L]] else unname(out[match(at, once)])
}

# The number of rounds that the model would have with at most `most` rounds.
rounds_of_first <- function(fit, most) {
  measured <- fit$curve$validation %||% fit$curve$folds
  as.double(if (is.null(measured)) {
    min(most, fit$rounds)
  } else {
    which.min(measured[seq_len(min(most, length(measured)))])
  })
}

# Pairs come after all rounds of single predictors.
check_first_rounds <- function(fit) {
  if (isTRUE(fit$settings$cyclic) && fit$settings$pairs > 0) {
    tec_abort("argument", c(
      "Several {.arg rounds} cannot be read off one model with {.arg pairs}.",
      x = "Its pairs come after all rounds of single predictors.",
      i = "Tune other settings with one number of {.arg rounds}, or use {.code pairs = 0}."
    ))
  }
}

boosting <- c("boost", "adaboost")

check_caret_model <- function(model, models) {
  settings <- if (is.character(model)) intersect(model, unlist(caret_settings))
  if (length(settings)) {
    tec_abort("argument", c(
      "{.arg model} must be one of {.or {.val {models}}}.",
      x = "{.val {settings[1L]}} is a setting.",
      i = "Settings to tune are the second argument: {.code tec_caret(tune = \"{settings[1L]}\")}."
    ))
  }
  match_choice(model, models, "model")
}

used_names <- function(fit) fit$columns$name[needed_columns(fit)]

caret_parameters <- function(tune) {
  label <- vapply(tune, function(name) tuning[[name]]$label %||% "Criterion", "")
  data.frame(
    parameter = tune, class = ifelse(tune == "criterion", "character", "numeric"),
    label = unname(label)
  )
}

check_caret <- function(tune, known) {
  ok <- is.character(tune) && length(tune) > 0L && !anyDuplicated(tune)
  if (!ok) {
    tec_abort("argument", c(
      "{.arg tune} must name settings, each once.", x = "It is {describe(tune)}.",
      i = "Known: {.val {known}}."
    ))
  }
  for (name in tune) match_choice(name, known, "tune")
  if (all(c("q", "criterion") %in% tune)) {
    tec_abort("argument", c(
      "{.arg tune} can be {.val q} or {.val criterion}, not both.",
      x = "Most criteria have no {.arg q}."
    ))
  }
}

# `p`: the number of predictors.
caret_grid <- function(tune, y, len, search, p) {
  all <- tec_criteria()
  criteria <- all$name[all$task == response_task(y)]
  grid <- search == "grid"
  values <- lapply(stats::setNames(tune, tune), function(name) {
    if (name == "criterion") {
      return(if (grid) criteria else sample(criteria, len, TRUE))
    }
    tuning[[name]][[if (grid) "values" else "draw"]](len, p)
  })
  if (grid) {
    return(expand.grid(values, stringsAsFactors = FALSE))
  }
  unique(as.data.frame(values, stringsAsFactors = FALSE))
}

# Smaller trees, or faster models, come first.
caret_order <- function(x) {
  larger <- vapply(tuning[intersect(names(tuning), names(x))], `[[`, 0, "larger")
  larger <- larger[larger != 0]
  by <- Map(`*`, x[names(larger)], larger)
  if (length(by)) do.call(order, unname(by)) else seq_len(nrow(x))
}

# list(loop = the settings to fit, submodels = the settings that are part of each). A setting is
# part of another one that is at most as restrictive in every argument of `tight`. There, -1 marks
# arguments that are less restrictive if larger.
caret_loop <- function(grid, tight = c(cp = 1, max_depth = -1, min_split = 1)) {
  shared <- names(grid)[names(grid) %in% names(tight)]
  others <- unname(as.list(grid[setdiff(names(grid), shared)]))
  key <- if (length(others)) do.call(paste, others) else rep("", nrow(grid))
  tight <- Map(`*`, grid[shared], tight[shared])
  host <- seq_along(key)
  kept <- integer()
  # In this order, each setting comes after those that contain it.
  for (j in do.call(order, c(unname(tight), list(host)))) {
    looser <- vapply(kept, function(i) {
      key[i] == key[j] && all(vapply(tight, function(t) t[i] <= t[j], NA))
    }, NA)
    host[j] <- c(kept[looser], j)[1L]
    kept <- c(kept, if (host[j] == j) j)
  }
  kept <- sort(kept)
  served <- lapply(kept, function(i) setdiff(which(host == i), i))
  list(
    loop = grid[kept, , drop = FALSE],
    submodels = lapply(served, function(at) grid[at, shared, drop = FALSE])
  )
}

caret_tree_arguments <- function(param, more) {
  shared <- c("max_depth", "min_split", "cp")
  asked <- param[intersect(shared, names(param))]
  more <- c(param[setdiff(names(param), shared)], more)
  # All sizes are read off one tree, which must not be pruned by cross-validation.
  own <- c("prune", "cp", "alpha", "preset", "control")
  if (length(asked) && !any(c("cp", own) %in% c(names(asked), names(more)))) more$prune <- "none"
  prunable_arguments(asked, more)
}

caret_predict_tree <- function(fit, newdata, submodels, type) {
  prob <- type == "prob"
  own <- predict.tec_tree(fit, newdata, type = type)
  if (prob) own <- as.data.frame(own, optional = TRUE)
  if (is.null(submodels)) {
    return(own)
  }
  more <- lapply(predict_prunings(fit, newdata, submodels, prob), function(cell) {
    if (prob) {
      return(stats::setNames(as.data.frame(cell$prob), fit$response$levels))
    }
    if (is.factor(own)) as_classes(cell$value, fit$response) else cell$value
  })
  c(list(own), more)
}

# The measures for caret's trainControl("oob"), on the out-of-bag rows.
caret_oob <- function(x) {
  found <- oob_measures(x)
  if (is.null(found)) {
    tec_abort("oob", c(
      "caret compares forests by their out-of-bag error, but this one has none.",
      x = "Every tree was grown from all rows.",
      i = "Use {.code replace = TRUE} or a smaller {.arg sample_fraction}."
    ))
  }
  if (!is.null(found$confusion)) {
    return(c(Accuracy = 1 - x$oob$error, Kappa = kappa_of(x$oob$confusion)))
  }
  c(RMSE = sqrt(x$oob$error), Rsquared = x$oob$r_squared)
}

kappa_of <- function(confusion) {
  share <- confusion / sum(confusion)
  chance <- sum(rowSums(share) * colSums(share))
  if (chance == 1) 0 else (sum(diag(share)) - chance) / (1 - chance)
}
