# Random problems for ensembles, each against a naive implementation. `ensemble_topics` has one
# function per topic, which takes a seed and returns the differences, if any. bench/ensembles.R runs
# a thousand of each, test-ensembles.R some of them.

# What differs between numbers that are to be the same: a sentence, or nothing.
off_by <- function(what, found, expected, tolerance = 1e-9) {
  found <- as.vector(unlist(found))
  expected <- as.vector(unlist(expected))
  if (length(found) != length(expected)) {
    return(paste0(what, ": ", length(found), " values, not ", length(expected)))
  }
  if (any(is.na(found) != is.na(expected))) {
    return(paste0(what, ": other values are missing"))
  }
  off <- max(0, abs(found - expected), na.rm = TRUE)
  if (off <= tolerance * (1 + max(0, abs(expected), na.rm = TRUE))) {
    return(character())
  }
  paste0(what, ": off by ", signif(off, 3))
}

one_of <- function(...) {
  values <- list(...)
  values[[sample.int(length(values), 1L)]]
}

with_holes <- function(d, columns, share = 0.2) {
  for (name in columns) d[[name]][stats::runif(nrow(d)) < share] <- NA
  d
}

# list(fit, data, new, w): a small forest with settings at random. `missing`: the policies to draw.
forest_problem <- function(seed, classes = NULL, missing = forest_policies, importance = "none",
                           ...) {
  set.seed(seed)
  classes <- classes %||% one_of(TRUE, FALSE)
  n <- sample(25:60, 1)
  d <- forest_data(n, classes)
  new <- forest_data(15, classes)
  policy <- one_of(NULL, missing[sample.int(length(missing), 1)])
  if (!is.null(policy)) {
    d <- with_holes(d, c("a", "d", "e"))
    new <- with_holes(new, c("a", "b", "d", "f"))
  }
  w <- one_of(NULL, NULL, sample(1:3, n, TRUE), stats::runif(n, 0.5, 2))
  cost <- matrix(sample(0:4, 9, TRUE), 3, dimnames = rep(list(levels(d$y)), 2))
  diag(cost) <- 0
  set <- list(
    y ~ ., d, trees = 5, weights = w, missing = policy %||% "learned",
    replace = one_of(TRUE, FALSE), mtry = one_of(1, 2, "all"), max_depth = one_of(2, 4, NULL),
    min_split = one_of(2, 6), cost = if (classes && any(cost > 0)) one_of(NULL, NULL, cost),
    probability = classes && one_of(TRUE, FALSE), importance = importance, threads = 1,
    progress = FALSE
  )
  set <- utils::modifyList(set, list(...))
  fit <- do.call(tec_forest, set[lengths(set) > 0L])
  list(fit = fit, data = d, new = new, w = w %||% rep(1, n))
}

forest_policies <- c("learned", "majority", "drop", "fractional", "mode")

naive_oob <- function(seed) {
  p <- forest_problem(seed)
  expected <- oracle_oob(p$fit, p$data, p$data$y, p$w)
  oob <- p$fit$oob
  out <- c(
    off_by("times", oob$times, expected$times), off_by("curve", oob$curve, expected$curve),
    off_by("error", oob$error, expected$curve[5])
  )
  if (is.factor(p$data$y)) {
    class <- oracle_forest_class(p$fit, expected$votes, expected$mean)
    class[expected$times == 0] <- NA
    c(
      out, off_by("votes", oob$votes, expected$votes), off_by("shares", oob$prob, expected$mean),
      off_by("classes", as.integer(oob$response), class)
    )
  } else {
    c(out, off_by("means", oob$response, expected$mean))
  }
}

# New rows down the single trees.
naive_votes <- function(seed) {
  p <- forest_problem(seed)
  fit <- p$fit
  if (!is.factor(p$data$y)) {
    by_tree <- vapply(1:5, function(t) predict(fit[[t]], p$new), numeric(15))
    return(c(
      off_by("trees", predict(fit, p$new, type = "tree"), by_tree),
      off_by("means", predict(fit, p$new), rowMeans(by_tree))
    ))
  }
  levels <- levels(p$data$y)
  said <- vapply(1:5, function(t) as.character(predict(fit[[t]], p$new)), character(15))
  votes <- vapply(levels, function(s) rowMeans(said == s), numeric(15))
  shares <- Reduce(`+`, lapply(1:5, function(t) predict(fit[[t]], p$new, type = "prob"))) / 5
  c(
    if (!identical(predict(fit, p$new, type = "tree"), said)) "trees: other classes",
    off_by("votes", predict(fit, p$new, type = "votes"), votes),
    off_by("shares", predict(fit, p$new, type = "prob"), shares),
    off_by("classes", as.integer(predict(fit, p$new)), oracle_forest_class(fit, votes, shares))
  )
}

# Each tree as tec_tree() grows it from the rows of its bag.
naive_bags <- function(seed) {
  p <- forest_problem(seed,
    missing = "majority", mtry = "all", min_split = 2, cost = NULL, max_depth = 3, weights = NULL
  )
  counts <- forest_counts(p$fit)
  unlist(lapply(1:5, function(t) {
    tree <- tec_tree(y ~ ., p$data,
      weights = counts[, t], weights_as = "frequency", criterion = p$fit$criterion,
      missing = p$fit$control$missing,
      min_split = 2, min_bucket = 1, max_depth = 3, prune = "none", smooth = 0
    )
    type <- if (is.factor(p$data$y)) "prob" else "response"
    off_by("tree", predict(p$fit[[t]], p$new, type = type), predict(tree, p$new, type = type))
  }))
}

naive_importance <- function(type, missing) {
  function(seed) {
    p <- forest_problem(seed, missing = missing, importance = type)
    expected <- oracle_importance(p$fit, p$data, type, p$data$y, p$w)
    out <- off_by(type, p$fit$importance$value, rowMeans(expected))
    if (type != "permutation") {
      return(out)
    }
    c(out, off_by("se", p$fit$importance$se, apply(expected, 1, stats::sd) / sqrt(5)))
  }
}

naive_quantiles <- function(seed) {
  p <- forest_problem(seed, classes = FALSE, missing = c("learned", "majority", "mode"))
  weight <- oracle_forest_weights(p$fit, p$data, p$new, p$w)
  probs <- c(0, 0.13, 0.5, 0.81, 1)
  rows <- if (all(p$w == 1)) NULL else p$w
  found <- predict(p$fit, p$new, type = "quantiles", probs = probs, data = p$data, weights = rows)
  expected <- t(vapply(seq_len(15), function(j) {
    values <- sort(p$data$y[weight[, j] > 0])
    upto <- cumsum(weight[weight[, j] > 0, j][order(p$data$y[weight[, j] > 0])])
    vapply(probs, function(q) values[which(upto >= q - 1e-9)[1]], 0)
  }, probs))
  off_by("quantiles", found, expected)
}

naive_errors <- function(seed) {
  p <- forest_problem(seed, classes = FALSE, missing = "learned", trees = 30)
  by_tree <- vapply(1:30, function(t) predict(p$fit[[t]], p$new), numeric(15))
  found <- suppressWarnings(predict(p$fit, p$new, type = "se"))
  off_by("se", found, oracle_jackknife(by_tree, forest_counts(p$fit), p$fit$settings$replace))
}

# list(fit, x, y, ...): a boosted model with settings at random.
boost_problem <- function(seed) {
  set.seed(seed)
  loss <- one_of("squared", "logistic", "multinomial")
  d <- boost_data(sample(40:70, 1), missing = one_of(TRUE, FALSE))
  y <- d[[switch(loss, squared = "number", logistic = "two", "three")]]
  if (is.factor(y)) y <- droplevels(y)
  if (nlevels(y) == 2) loss <- "logistic"
  x <- d[c("a", "b", "f", "o")]
  # Without weights cuts of classes tie.
  w <- if (loss == "squared") one_of(rep(1, nrow(d)), stats::runif(nrow(d), 0.5, 2)) else
    stats::runif(nrow(d), 0.5, 2)
  w <- w / mean(w)
  set <- list(
    lambda = one_of(0, 1, stats::runif(1, 0, 5)), min_rows = sample(c(1, 3, 8), 1),
    min_weight = one_of(0.001, 0.5, 2),
    monotone = if (loss != "multinomial") one_of(NULL, c(a = 1, o = -1), c(b = -1))
  )
  depth <- sample(1:3, 1)
  fit <- tec_boost(x, y,
    weights = w, rounds = 3, folds = 0, rate = 0.5, max_depth = depth, lambda = set$lambda,
    min_bucket = set$min_rows, min_weight = set$min_weight, monotone = set$monotone,
    progress = FALSE, threads = 1
  )
  list(fit = fit, x = x, y = y, w = w, loss = loss, set = set, depth = depth)
}

naive_boost <- function(seed) {
  p <- boost_problem(seed)
  y <- as.numeric(p$y)
  expected <- oracle_boost(p$x, y, p$loss, p$w, 3, 0.5, p$depth, p$set, p$fit$base)
  type <- if (p$loss == "squared") "response" else "link"
  loss <- oracle_loss(p$loss, y, expected, p$w)
  c(
    off_by("scores", predict(p$fit, p$x, type = type), expected, 1e-8),
    off_by("loss", p$fit$curve$training[3], loss, 1e-8)
  )
}

oracle_loss <- function(loss, y, score, w) {
  one <- switch(loss,
    squared = (score[, 1] - y)^2,
    logistic = log(1 + exp(ifelse(y == 2, -1, 1) * score[, 1])),
    multinomial = log(rowSums(exp(score))) - score[cbind(seq_along(y), y)]
  )
  sum(w * one) / sum(w)
}

naive_adaboost <- function(seed) {
  set.seed(seed)
  n <- sample(30:60, 1)
  x <- data.frame(a = stats::rnorm(n), b = stats::rnorm(n), c = stats::rnorm(n))
  y <- factor(sample(letters[1:one_of(2, 3, 4)], n, TRUE))
  w <- stats::runif(n, 0.5, 2)
  w <- w / mean(w)
  rate <- one_of(1, 0.5)
  fit <- tec_boost(x, y, method = "adaboost", rounds = 6, weights = w, rate = rate, threads = 1,
    progress = FALSE
  )
  expected <- oracle_samme(y, w, 6, rate, gini_stump(x, y))
  c(
    off_by("votes", fit$vote, expected$votes), off_by("weights", fit$weight, expected$weight)
  )
}

naive_rotation <- function(seed) {
  set.seed(seed)
  d <- rotation_data(sample(50:90, 1))
  y <- if (one_of(TRUE, FALSE)) d$class else d$number
  if (one_of(TRUE, FALSE)) d <- with_holes(d, c("a", "f", "o"), 0.1)
  x <- d[setdiff(names(d), c("class", "number"))]
  w <- one_of(NULL, sample(c(2, 4, 8), nrow(d), TRUE))
  set <- list(
    max_depth = one_of(3, NULL), group_size = sample(1:4, 1), weights = w,
    sample_fraction = one_of(0.5, 0.8)
  )
  set <- set[lengths(set) > 0]
  fit <- do.call(tec_rotation, c(list(x, y, trees = 2, threads = 1), set))
  z <- naive_columns(fit, x, x, w %||% rep(1, nrow(d)))
  classes <- is.factor(y)
  type <- if (classes) "prob" else "response"
  new <- x[1:20, ]
  by_tree <- lapply(1:2, function(tree) {
    turned <- as.data.frame(turn_rows(z, whole_rotation(fit, tree)))
    alone <- do.call(tec_tree, c(
      list(
        turned, y, min_split = if (classes) 2 else 6, min_bucket = 1, prune = "none", smooth = 0,
        criterion = if (classes) "gini" else "l2"
      ), set[intersect(names(set), c("max_depth", "weights"))]
    ))
    predict(alone, turned[1:20, ], type = type)
  })
  off_by("predictions", predict(fit, new, type = type), Reduce(`+`, by_tree) / 2, 1e-7)
}

# Predictions from the terms as written, coefficients by lm() with the weights, sizes by errors.
naive_splines <- function(seed) {
  d <- mars_data(seed, sample(30:50, 1))
  n <- nrow(d$x)
  w <- one_of(NULL, stats::runif(n, 0.2, 3), sample(1:3, n, TRUE))
  fit <- tec_mars(d$x, d$y, degree = one_of(1, 2), weights = w)
  own <- w %||% rep(1, n)
  hinges <- vapply(fit$selected, function(t) {
    out <- rep(1, n)
    for (j in which(fit$side[t, ] != 0)) {
      off <- d$x[, j] - fit$cut[t, j]
      out <- out * switch(as.character(fit$side[t, j]),
        "1" = pmax(0, off), "-1" = pmax(0, -off), d$x[, j]
      )
    }
    out
  }, numeric(n))
  lm <- stats::lm.wfit(hinges, d$y, own)
  # A power of 2 rounds nothing: rounding decides where two steps reduce the errors alike.
  scaled <- if (is.null(w)) NULL else 8 * w
  again <- tec_mars(d$x, d$y, degree = fit$settings$degree, weights = scaled)
  c(
    off_by("predictions", predict(fit, d$x), hinges %*% lm$coefficients, 1e-7),
    off_by("rss", fit$rss, sum(own / mean(own) * lm$residuals^2), 1e-7),
    off_by("only ratios of weights matter", predict(again, d$x), predict(fit, d$x), 0)
  )
}

naive_forward <- function(seed) {
  d <- mars_data(seed, sample(28:36, 1))
  degree <- one_of(1, 2)
  w <- one_of(NULL, stats::runif(nrow(d$x), 0.5, 2))
  fit <- tec_mars(d$x, d$y,
    degree = degree, terms = 9, min_span = 1, end_span = 1, end_adjust = 0, fast_k = 0,
    fast_beta = 0, weights = w, prune = "none", thresh = 0.02, penalty = 0
  )
  steps <- mars_steps(fit)
  own <- w %||% rep(1, nrow(d$x))
  expected <- naive_mars(d$x, d$y, degree, 9, own, thresh = 0.02, chosen = steps)
  if (identical(steps, expected)) character() else "other terms"
}

# A tree, a forest, or a boosted model of numbers, with the trees that explain it.
shap_problem <- function(seed) {
  kind <- c("tree", "forest", "boost")[1 + seed %% 3]
  if (kind == "forest") {
    p <- forest_problem(seed, trees = 2, max_depth = 3, cost = NULL)
    return(c(p, list(trees = list(p$fit[[1]], p$fit[[2]]))))
  }
  set.seed(seed)
  classes <- kind == "tree" && one_of(TRUE, FALSE)
  d <- forest_data(60, classes)
  new <- forest_data(15, classes)
  missing <- if (kind == "boost") "learned" else sample(forest_policies, 1)
  if (one_of(TRUE, FALSE)) {
    d <- with_holes(d, c("a", "d"))
    new <- with_holes(new, c("a", "b", "d"))
  }
  if (kind == "tree") {
    fit <- tec_tree(y ~ ., d, missing = missing, max_depth = 3, prune = "none")
    return(list(fit = fit, data = d, new = new, trees = list(fit)))
  }
  fit <- tec_boost(y ~ ., d, rounds = 2, folds = 0, max_depth = 3, min_bucket = 4, progress = FALSE)
  as_forest <- as_tec_forest(fit)
  list(fit = fit, data = d, new = new, trees = lapply(1:2, function(t) as_forest[[t]]))
}

naive_shapley <- function(of_rows, found) {
  function(seed) {
    p <- shap_problem(seed)
    new <- p$new[1:2, ]
    background <- one_of(NULL, p$data[1:2, ])
    expected <- lapply(p$trees, of_rows, data = new, background = background)
    found <- found(tec_shap(p$fit, new, background = background, interactions = TRUE, threads = 1))
    off_by("values", found, Reduce(`+`, expected) / length(expected))
  }
}

ensemble_topics <- list(
  "out of bag" = naive_oob, "votes and means" = naive_votes, "trees of bags" = naive_bags,
  "importance: gain" = naive_importance("gain", "learned"),
  "importance: corrected" = naive_importance("corrected", setdiff(forest_policies, "fractional")),
  "importance: permutation" = naive_importance("permutation", forest_policies),
  "quantiles" = naive_quantiles, "standard errors" = naive_errors, "boosting" = naive_boost,
  "AdaBoost" = naive_adaboost, "rotation forests" = naive_rotation, "splines" = naive_splines,
  "splines: forward pass" = naive_forward,
  "Shapley values" = naive_shapley(oracle_shap, function(x) x$values),
  "Shapley interactions" = naive_shapley(oracle_interactions, function(x) x$interactions)
)
