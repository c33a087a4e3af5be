# Tested in test-forest-settings.R.
# The settings of a forest that a tree does not have: the numbers of trees and columns, and the rows
# that each tree draws.

check_forest_settings <- function(settings) {
  settings$trees <- check_trees(settings$trees, "trees")
  settings$replace <- check_flag(settings$replace, "replace", topic = "argument")
  settings$probability <- check_flag(settings$probability, "probability", topic = "argument")
  settings$progress <- check_flag(settings$progress, "progress", topic = "argument")
  settings$importance <- check_importance(settings$importance)
  settings
}

importance_kinds <- c("none", "gain", "corrected", "permutation")

# Also accepts the values of ranger and randomForest.
check_importance <- function(importance) {
  if (is.logical(importance) && length(importance) == 1L && !is.na(importance)) {
    return(if (importance) "permutation" else "none")
  }
  theirs <- c(impurity = "gain", impurity_corrected = "corrected")
  if (is_string(importance) && importance %in% names(theirs)) importance <- theirs[[importance]]
  match_choice(importance, importance_kinds, "importance", "control")
}

# Two kinds of importance need rows that a tree did not draw.
check_importance_rows <- function(settings, drawn, n) {
  if (settings$importance %in% c("corrected", "permutation") && !settings$replace &&
    drawn$draws == n) {
    tec_abort("oob", c(
      "{.code importance = \"{settings$importance}\"} is measured on the out-of-bag rows.",
      x = "Every tree draws all rows.",
      i = "Use {.code importance = \"gain\"}, or a smaller {.arg sample_fraction}."
    ))
  }
}

# The trees of a forest are not pruned, and the defaults depend on the response.
forest_control <- function(control, response, probability) {
  control <- unclass(control)
  pruning <- c(
    if (!is.null(control$prune) && !identical(control$prune, "none")) "prune",
    if (!is.null(control$alpha) && !identical(control$alpha, 0)) "alpha",
    if (isTRUE(control$cp > 0)) "cp"
  )
  if (length(pruning)) {
    tec_abort("prune", c(
      "The trees of a forest are not pruned.",
      x = "{.arg {pruning[1L]}} is given.",
      i = "Use {.arg min_bucket}, {.arg min_split} or {.arg max_depth} for smaller trees."
    ))
  }
  if (identical(control$missing, "surrogate")) {
    tec_abort("control", c(
      "A forest has no surrogate splits.",
      x = "{.arg missing} is {.val surrogate}.",
      i = "Use {.val learned}, the default, or {.val fractional}."
    ))
  }
  if (looks_ahead(control)) {
    tec_abort("control", c(
      "The trees of a forest do not look ahead.",
      x = "{.arg lookahead} is {control$lookahead}.",
      i = "Leave it out: a forest needs different trees, not the best single tree."
    ))
  }
  if (!identical(control$honest %||% FALSE, FALSE)) {
    tec_abort("control", c(
      "The trees of a forest are not honest.",
      x = "{.arg honest} is given.",
      i = "Use {.fn tec_tree} for an honest tree."
    ))
  }
  control[c("prune", "alpha", "cp")] <- list("none", NULL, NULL)
  classes <- is.factor(response) || is.character(response) || is.logical(response)
  control$min_split <- control$min_split %||% (if (probability) 11 else if (classes) 2 else 6)
  control$min_bucket <- control$min_bucket %||% 1
  structure(control, class = "tec_control")
}

# How many of `p` columns each node searches.
resolve_mtry <- function(mtry, max_features, p, task) {
  if (is.null(mtry)) {
    if (!is.null(max_features)) {
      return(as.integer(count_features(max_features, p)))
    }
    return(as.integer(if (task == "classification") sqrt(p) else max(1, p / 3)))
  }
  if (identical(mtry, "all")) {
    return(as.integer(p))
  }
  if (is_number(mtry) && mtry > p) {
    tec_abort("mtry", c(
      "{.arg mtry} must not be larger than the number of predictors.",
      x = "It is {mtry}; there {cli::qty(p)}{?is/are} {p} predictor{?s}.",
      i = "{.code mtry = \"all\"} searches all of them: bagging."
    ))
  }
  words <- c("sqrt", "log2")
  right <- is_string(mtry) && mtry %in% words ||
    is_number(mtry) && mtry > 0 && (mtry < 1 || mtry == floor(mtry))
  if (!right) {
    tec_abort("mtry", c(
      "{.arg mtry} must be a number of predictors, a share of them below 1, {.val sqrt}, \\
       {.val log2} or {.val all}.",
      x = "It is {describe(mtry)}."
    ))
  }
  as.integer(count_features(mtry, p))
}

# The draws of each tree from the `n` rows used: list(draws, weights, by_class); `by_class` has the
# number of draws from each class.
resolve_draws <- function(settings, ready, input_n) {
  n <- count_used_rows(ready, input_n)
  weights <- check_sample_weights(settings$sample_weights, input_n, ready$rows)
  by_class <- resolve_by_class(settings, ready, n)
  draws <- if (is.null(by_class)) count_draws(settings, n) else sum(by_class)
  if (!is.null(weights) && !settings$replace) {
    check_enough_drawable(weights, draws, by_class, used_response(ready))
  }
  list(draws = as.integer(draws), weights = weights, by_class = by_class)
}

count_draws <- function(settings, n) {
  share <- settings$sample_fraction %||% (if (settings$replace) 1 else 0.632)
  right <- is_number(share) && share > 0 && (share <= 1 || share == floor(share) && share <= n)
  if (!right) {
    tec_abort("sample", c(
      "{.arg sample_fraction} must be a share of the rows up to 1, or a whole number of them.",
      x = "It is {describe(share)}; there {cli::qty(n)}{?is/are} {n} row{?s}."
    ))
  }
  max(1, if (share <= 1) round(share * n) else share)
}

# One finite, non-negative number per row used, or NULL.
check_sample_weights <- function(weights, n, rows) {
  if (is.null(weights)) {
    return(NULL)
  }
  if (!is.numeric(weights) || length(weights) != n) {
    tec_abort("sample", c(
      "{.arg sample_weights} must have one number per row.",
      x = if (is.numeric(weights)) value_count(length(weights), n) else "It is {describe(weights)}."
    ))
  }
  weights <- as_double(plain_vector(weights))
  if (!is.null(rows)) weights <- weights[rows]
  wrong <- !is.finite(weights) | weights < 0
  if (any(wrong) || all(weights == 0)) {
    tec_abort("sample", c(
      "{.arg sample_weights} must be finite and not negative, and not all zero.",
      x = if (any(wrong)) "{sum(wrong)} of them {?is/are} not." else "All of them are 0."
    ))
  }
  weights / max(weights)
}

check_enough_drawable <- function(weights, draws, by_class, y) {
  lacking <- if (is.null(by_class)) {
    sum(weights > 0) < draws
  } else {
    any(tabulate(y[weights > 0], length(by_class)) < by_class)
  }
  if (lacking) {
    tec_abort("sample", c(
      "Without replacement, enough rows must have {.arg sample_weights} above 0.",
      x = "{sum(weights > 0)} row{?s} {?has/have}; each tree draws {draws}.",
      i = "Use {.code replace = TRUE}, or a smaller {.arg sample_fraction}."
    ))
  }
}

# The number of rows drawn from each class, or NULL.
resolve_by_class <- function(settings, ready, n) {
  by_class <- settings$by_class
  if (is.null(by_class) || identical(by_class, FALSE)) {
    return(NULL)
  }
  info <- ready$response$info
  if (info$task == "regression") {
    tec_abort("sample", c(
      "{.arg by_class} needs classes.",
      x = "The response {.field {info$name}} is numeric.",
      i = "Leave {.arg by_class} out."
    ))
  }
  if (!is.null(settings$sample_fraction)) {
    tec_abort("sample", c(
      "{.arg by_class} sets how many rows are drawn.",
      x = "{.arg sample_fraction} is given too.",
      i = "Give one of them."
    ))
  }
  rows <- tabulate(used_response(ready), length(info$levels))
  if (isTRUE(by_class)) {
    return(ifelse(rows > 0L, min(rows[rows > 0L]), 0L))
  }
  by_class <- class_draws(by_class, info$levels, n)
  check_class_draws(by_class, rows, info$levels, settings$replace)
  by_class
}

class_draws <- function(by_class, levels, n) {
  k <- length(levels)
  by_class <- plain_vector(by_class)
  names <- names(by_class)
  named <- is.null(names) || setequal(names, levels) && !anyDuplicated(names)
  right <- is.numeric(by_class) && length(by_class) == k && all(is.finite(by_class)) && named &&
    all(by_class >= 0) && any(by_class > 0)
  if (!right) {
    tec_abort("sample", c(
      "{.arg by_class} must be TRUE or one number for each of the {k} class{?es}, not all 0.",
      x = "It is {describe(by_class)}; the classes are {.val {shorten(levels)}}."
    ))
  }
  if (!is.null(names)) by_class <- by_class[levels]
  if (all(by_class < 1)) by_class <- by_class * n
  as.integer(round(unname(by_class)))
}

check_class_draws <- function(by_class, rows, levels, replace) {
  absent <- levels[by_class > 0L & rows == 0L]
  if (length(absent)) {
    tec_abort("sample", c(
      "{.arg by_class} draws from {cli::qty(length(absent))}{?a class/classes} without rows.",
      x = "There is no row of {cli::qty(length(absent))}{?class/classes} {.val {shorten(absent)}}.",
      i = "Give 0 for {cli::qty(length(absent))}{?it/them}, or {.code by_class = TRUE}."
    ))
  }
  short <- which(by_class > rows)
  if (!replace && length(short)) {
    one <- short[1L]
    tec_abort("sample", c(
      "Without replacement, {.arg by_class} cannot draw more rows than a class has.",
      x = "Class {.val {levels[one]}} has {rows[one]} row{?s}; {by_class[one]} {?is/are} asked for."
    ))
  }
  if (sum(by_class) == 0L) {
    tec_abort("sample", "{.arg by_class} draws no row: its shares are too small.")
  }
}

# One seed per tree: whole numbers below 2^53. A number from R's generator has at most 32 bits.
draw_seeds <- function(trees) {
  bits <- matrix(floor(stats::runif(2 * trees) * 2^26), 2L)
  bits[1L, ] * 2^27 + bits[2L, ]
}
