# Tested in test-caret.R and test-caret-forest.R.

boosting <- c("boost", "adaboost")

# What can be tuned, the usual first.
caret_settings <- list(
  tree = c("cp", "max_depth", "min_split", "min_bucket", "q", "criterion"),
  forest = c("mtry", "max_depth", "min_split", "min_bucket", "q", "criterion"),
  boost = c("rounds", "max_depth", "rate", "min_bucket", "sample_fraction", "column_fraction"),
  adaboost = c("rounds", "max_depth", "rate", "q", "criterion")
)

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

caret_tree <- function() {
  list(
    label = "Decision tree (tectree)",
    loop = caret_loop,
    fit = function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: names of caret
      caret_fit(x, y, wts, param, ...)
    },
    predict = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      caret_predict(modelFit, newdata, submodels, prob = FALSE)
    },
    prob = function(modelFit, newdata, submodels = NULL) { # nolint: names of caret
      caret_predict(modelFit, newdata, submodels, prob = TRUE)
    },
    tags = c(
      "Tree-Based Model", "Implicit Feature Selection", "Accepts Case Weights",
      "Handle Missing Predictor Data"
    )
  )
}

caret_parameters <- function(tune) {
  label <- c(
    cp = "Complexity penalty", mtry = "Predictors searched per node", rounds = "Rounds",
    rate = "Learning rate", max_depth = "Largest depth", min_split = "Least weight of a split",
    min_bucket = "Least weight of a branch", sample_fraction = "Share of rows drawn per round",
    column_fraction = "Share of predictors drawn per round", q = "q of the Tsallis entropy",
    criterion = "Criterion"
  )
  data.frame(
    parameter = tune, class = ifelse(tune == "criterion", "character", "numeric"),
    label = unname(label[tune])
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

caret_values <- function(y, len, p) {
  classes <- response_task(y) == "classification"
  all <- tec_criteria()
  shares <- if (len == 1L) 1 else seq(0.5, 1, length.out = len)
  list(
    cp = c(0, signif(0.1 * 0.4^rev(seq_len(len - 1L)), 2)),
    mtry = unique(round(if (len == 1L) sqrt(p) else seq(min(2, p), p, length.out = len))),
    rounds = 50 * seq_len(len),
    rate = if (len == 1L) 0.1 else signif(0.3 / 3^(seq_len(len) - 1), 2),
    max_depth = 1 + seq_len(len),
    min_split = round(4 * 1.7^seq_len(len)), min_bucket = round(1.7^seq_len(len)),
    sample_fraction = shares, column_fraction = shares,
    q = if (len == 1L) 1 else seq(0.5, 3, length.out = len),
    criterion = all$name[all$task == if (classes) "classification" else "regression"]
  )
}

# `p`: the number of predictors.
caret_grid <- function(tune, y, len, search, p) {
  if (search == "grid") {
    return(expand.grid(caret_values(y, len, p)[tune], stringsAsFactors = FALSE))
  }
  criteria <- caret_values(y, 2L, p)$criterion
  shares <- function() stats::runif(len, 0.5, 1)
  draw <- list(
    cp = function() 10^stats::runif(len, -4, -1), mtry = function() sample.int(p, len, TRUE),
    rounds = function() sample.int(500, len, TRUE),
    rate = function() 10^stats::runif(len, -2, -0.5),
    max_depth = function() sample.int(15, len, TRUE),
    min_split = function() sample(2:40, len, TRUE),
    min_bucket = function() sample.int(20, len, TRUE),
    sample_fraction = shares, column_fraction = shares,
    q = function() stats::runif(len, 0.2, 4), criterion = function() sample(criteria, len, TRUE)
  )
  unique(as.data.frame(lapply(draw[tune], function(one) one()), stringsAsFactors = FALSE))
}

# The smaller tree, or the model that takes less time, first.
caret_order <- function(x) {
  smaller <- list(
    cp = -1, mtry = 1, rounds = 1, max_depth = 1, min_split = -1, min_bucket = -1,
    sample_fraction = 1, column_fraction = 1
  )
  known <- intersect(names(smaller), names(x))
  by <- Map(`*`, x[known], smaller[known])
  if (length(by)) do.call(order, unname(by)) else seq_len(nrow(x))
}

# list(loop = the settings to fit, submodels = the settings that are part of each). A setting is
# a part of another one that is at most as restrictive in every argument of `tight`, which has -1
# where more is less restrictive.
caret_loop <- function(grid, tight = c(cp = 1, max_depth = -1, min_split = 1)) {
  shared <- names(grid)[names(grid) %in% names(tight)]
  others <- unname(as.list(grid[setdiff(names(grid), shared)]))
  key <- if (length(others)) do.call(paste, others) else rep("", nrow(grid))
  tight <- Map(`*`, grid[shared], tight[shared])
  host <- seq_along(key)
  kept <- integer()
  # In this order, each setting comes after those of which it is a part.
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

caret_fit <- function(x, y, wts, param, ...) {
  shared <- c("max_depth", "min_split", "cp")
  asked <- as.list(param[intersect(shared, names(param))])
  more <- c(as.list(param[setdiff(names(param), shared)]), list(...))
  # All sizes come from one tree, which must not be pruned by cross-validation.
  own <- c("prune", "cp", "alpha", "preset", "control")
  if (length(asked) && !any(c("cp", own) %in% c(names(asked), names(more)))) more$prune <- "none"
  do.call(tec_tree.default, c(caret_rows(x, y, wts), prunable_arguments(asked, more)))
}

caret_predict <- function(fit, newdata, submodels, prob) {
  if (is.data.frame(newdata)) newdata <- as.data.frame(newdata)
  own <- predict.tec_tree(fit, newdata, type = if (prob) "prob" else "response")
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
