#' Trees and forests in caret
#'
#' `caret::train(method = tec_caret())` resamples and tunes trees of tectree,
#' `caret::train(method = tec_caret("mtry", model = "forest"))` forests. Tree settings that differ
#' only in `cp`, `max_depth` and `min_split` are subtrees of one tree, which is grown once per
#' resample (see [tec_tune()]).
#'
#' Forests can be tuned without resampling too, by their out-of-bag error:
#' `caret::trainControl("oob")`.
#'
#' `cp` prunes as in `tec_prune(fit, cp = )`; 0 is no pruning. Other settings are tuned without
#' pruning, unless `cp` is tuned too or you give `prune`. If `min_split` is tuned, `min_bucket` is 1
#' unless you give it. Other arguments of [tec_tree()] and [tec_forest()] are passed through
#' `train()`: `train(..., preset = "cart")`, `train(..., trees = 200)`. With a formula, caret
#' converts factors to dummies; with `x` and `y` it does not. For missing predictors use `na.action
#' = na.pass`.
#'
#' @param tune The settings to tune, of `"cp"` (trees), `"mtry"` (forests), `"max_depth"`,
#'   `"min_split"`, `"min_bucket"`, `"q"` and `"criterion"`. By default `"cp"` or `"mtry"`.
#' @param model `"tree"` or `"forest"`.
#' @return A list for the argument `method` of `caret::train()`.
#' @family modeling frameworks
#' @concept caret
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' set.seed(1)
#' caret::train(iris[1:4], iris$Species,
#'   method = tec_caret(c("cp", "max_depth")), preset = "cart",
#'   trControl = caret::trainControl("cv", number = 3)
#' )
#' caret::train(iris[1:4], iris$Species,
#'   method = tec_caret("mtry", model = "forest"), trees = 50, threads = 2,
#'   trControl = caret::trainControl("oob")
#' )
#' @export
tec_caret <- function(tune = NULL, model = c("tree", "forest")) {
  model <- if (missing(model)) "tree" else match_choice(model, c("tree", "forest"), "model")
  known <- caret_parameters(model)
  tune <- tune %||% known$parameter[1L]
  check_caret(tune, known$parameter)
  parameters <- known[match(tune, known$parameter), ]
  rownames(parameters) <- NULL
  both <- list(
    library = "tectree", type = c("Classification", "Regression"), parameters = parameters,
    grid = function(x, y, len = NULL, search = "grid") {
      caret_grid(tune, y, len, search, NCOL(x))
    },
    predictors = function(x, ...) stats::variable.names(x, used = TRUE),
    varImp = function(object, ...) {
      found <- importance(object)
      data.frame(Overall = found$importance, row.names = found$variable)
    },
    levels = function(x) x$response$levels,
    sort = function(x) x[caret_order(x), , drop = FALSE]
  )
  c(both, if (model == "tree") caret_tree() else caret_forest())
}

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

caret_parameters <- function(model) {
  own <- if (model == "tree") {
    c("cp", "Complexity penalty")
  } else {
    c("mtry", "Predictors searched per node")
  }
  data.frame(
    parameter = c(own[1L], "max_depth", "min_split", "min_bucket", "q", "criterion"),
    class = c(rep("numeric", 5L), "character"),
    label = c(
      own[2L], "Largest depth", "Least weight of a split", "Least weight of a branch",
      "q of the Tsallis entropy", "Criterion"
    )
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
  list(
    cp = c(0, signif(0.1 * 0.4^rev(seq_len(len - 1L)), 2)),
    mtry = unique(round(if (len == 1L) sqrt(p) else seq(min(2, p), p, length.out = len))),
    max_depth = 1 + seq_len(len),
    min_split = round(4 * 1.7^seq_len(len)), min_bucket = round(1.7^seq_len(len)),
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
  draw <- list(
    cp = function() 10^stats::runif(len, -4, -1), mtry = function() sample.int(p, len, TRUE),
    max_depth = function() sample.int(15, len, TRUE),
    min_split = function() sample(2:40, len, TRUE),
    min_bucket = function() sample.int(20, len, TRUE),
    q = function() stats::runif(len, 0.2, 4), criterion = function() sample(criteria, len, TRUE)
  )
  unique(as.data.frame(lapply(draw[tune], function(one) one()), stringsAsFactors = FALSE))
}

# The smaller tree, or the forest that takes less time, first.
caret_order <- function(x) {
  smaller <- list(cp = -1, mtry = 1, max_depth = 1, min_split = -1, min_bucket = -1)
  known <- intersect(names(smaller), names(x))
  by <- Map(`*`, x[known], smaller[known])
  if (length(by)) do.call(order, unname(by)) else seq_len(nrow(x))
}

# list(loop = the settings to fit, submodels = the settings that are subtrees of each). A setting is
# a subtree of another one that is at most as restrictive in every argument.
caret_loop <- function(grid) {
  shared <- names(grid)[names(grid) %in% c("cp", "max_depth", "min_split")]
  others <- unname(as.list(grid[setdiff(names(grid), shared)]))
  key <- if (length(others)) do.call(paste, others) else rep("", nrow(grid))
  tight <- Map(`*`, grid[shared], c(cp = 1, max_depth = -1, min_split = 1)[shared])
  host <- seq_along(key)
  kept <- integer()
  # In this order, each setting comes after those of which it is a subtree.
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
  rows <- list(x = if (is.data.frame(x)) as.data.frame(x) else x, y = y, weights = wts)
  do.call(tec_tree.default, c(rows, prunable_arguments(asked, more)))
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
