# The slow and obvious way to tune: tec_tree() and predict() per fold and setting, and the metrics
# by their definitions.

naive_metric <- function(name, fit, rows, weights = rep(1, nrow(rows))) {
  truth <- rows[[fit$response$name]]
  value <- predict(fit, rows)
  if (is.numeric(truth)) {
    error <- value - truth
    return(switch(name,
      rmse = sqrt(weighted.mean(error^2, weights)),
      mae = weighted.mean(abs(error), weights)
    ))
  }
  truth <- factor(as.character(truth), levels(value))
  prob <- predict(fit, rows, type = "prob")
  own <- prob[cbind(seq_along(truth), as.integer(truth))]
  switch(name,
    accuracy = weighted.mean(value == truth, weights),
    balanced_accuracy = mean(vapply(levels(droplevels(truth)), function(level) {
      weighted.mean(value[truth == level] == level, weights[truth == level])
    }, 0)),
    log_loss = weighted.mean(-log(pmax(own, 1e-15)), weights),
    brier = weighted.mean(rowSums((prob - (col(prob) == as.integer(truth)))^2), weights),
    auc = naive_hand_till(prob, truth, weights)
  )
}

naive_hand_till <- function(prob, truth, weights) {
  prob <- round(prob, 12)
  levels <- levels(droplevels(truth))
  if (length(levels) < 2) {
    return(NA)
  }
  mean(utils::combn(levels, 2, function(pair) {
    mean(vapply(pair, function(level) {
      yes <- which(truth == level)
      no <- which(truth == setdiff(pair, level))
      above <- outer(prob[yes, level], prob[no, level], function(a, b) (a > b) + (a == b) / 2)
      sum(above * outer(weights[yes], weights[no])) / (sum(weights[yes]) * sum(weights[no]))
    }, 0))
  }))
}

# A row a setting and fold: `settings` is a list of arguments of tec_tree(), without any the tree is
# not pruned, nor smoothed; `fold` the fold of each row.
naive_folds <- function(formula, data, settings, fold, metric, weights = rep(1, nrow(data))) {
  out <- lapply(settings, function(setting) {
    rows <- lapply(sort(unique(fold)), function(k) {
      args <- list(formula, data = data, subset = which(fold != k), weights = weights)
      full <- (setting$preset %||% "tec") == "tec"
      if (full && !any(c("prune", "cp", "alpha") %in% names(setting))) args$prune <- "none"
      if (is.null(setting$smooth)) args$smooth <- 0
      fit <- do.call(tec_tree, c(args, setting))
      at <- which(fold == k)
      measures <- vapply(metric, naive_metric, 0, fit, data[at, ], weights[at])
      c(measures, nodes = length(fit$tree$parent), depth = max(fit$tree$depth))
    })
    do.call(rbind, rows)
  })
  as.data.frame(do.call(rbind, out))
}

# tec_tune() of the grid that is given, on full trees, with the class shares of their rows.
full_tune <- function(...) {
  call <- sys.call()
  call[[1L]] <- quote(tec_tune)
  with_full_trees(call, names(match.call(expand.dots = FALSE)$...), parent.frame())
}

# A binding of the package replaced until the calling test ends.
local_binding <- function(name, value, frame = parent.frame()) {
  here <- asNamespace("tectree")
  old <- get(name, here)
  replace <- function(value) {
    unlockBinding(name, here)
    assign(name, value, here)
    lockBinding(name, here)
  }
  replace(value)
  withr::defer(replace(old), frame)
}

# How many trees a call grows, besides the chosen one.
count_grown <- function(code) count_calls("grow_cell", code)

# How often `code` calls a function of the package.
count_calls <- function(name, code) {
  count <- 0
  call <- get(name, asNamespace("tectree"))
  local_binding(name, function(...) {
    count <<- count + 1
    call(...)
  })
  force(code)
  count
}

same_tree_but_call <- function(a, b) {
  a[c("call", "tuning")] <- b[c("call", "tuning")] <- NULL
  identical(unclass(a), unclass(b))
}

mixed_data <- function(n = 120, seed = 4) {
  withr::with_seed(seed, {
    colour <- sample(c("red", "green", "blue", "grey"), n, TRUE)
    x <- rnorm(n)
    size <- factor(sample(c("s", "m", "l"), n, TRUE), c("s", "m", "l"), ordered = TRUE)
    y <- ifelse(x + (colour == "red") + 0.7 * rnorm(n) > 0.5, "b", "a")
    y[sample(n, n %/% 5)] <- "c"
    data.frame(
      y = factor(y), x = replace(x, sample(n, n %/% 10), NA), z = round(rnorm(n), 1),
      colour = factor(colour), size = size, number = x^2 + (size == "l") + rnorm(n) / 3
    )
  })
}

# tec_forest() or tec_boost() and predict() a fold: a list of matrices, for each fold a row for each
# number of rounds (one of a forest) and a column for each metric.
naive_model_folds <- function(model, formula, data, fold, metric, ..., rounds = NULL,
                              weights = rep(1, nrow(data))) {
  grow <- if (model == "forest") tec_forest else tec_boost
  lapply(sort(unique(fold)), function(k) {
    args <- list(formula, data = data, subset = which(fold != k), weights = weights, ...)
    exactly <- if (length(rounds)) list(rounds = max(rounds), folds = 0)
    fit <- do.call(grow, c(args, exactly, list(threads = 1)))
    at <- which(fold == k)
    one <- function(i) {
      vapply(metric, naive_metric, 0, at_round(fit, i), data[at, ], weights[at])
    }
    do.call(rbind, lapply(rounds %||% NA, one))
  })
}

# A model that predicts by some of its rounds.
at_round <- function(fit, rounds) {
  if (is.na(rounds)) fit else structure(fit, at = min(rounds, fit$rounds), class = "at_round")
}

predict.at_round <- function(object, newdata, type = "response", ...) {
  rounds <- attr(object, "at")
  class(object) <- "tec_boost"
  predict(object, newdata, type = type, rounds = rounds)
}
registerS3method("predict", "at_round", predict.at_round)

mean_of_folds <- function(folds) Reduce(`+`, folds) / length(folds)
