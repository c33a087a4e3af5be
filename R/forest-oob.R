# Tested in test-forest-fit.R and test-forest-quantiles.R.
# The out-of-bag results of a forest.

# Results from the core's sums over the trees for which each row is out of bag.
finish_oob <- function(oob, curve, plan) {
  y <- used_response(plan$ready)
  w <- used_weights(plan$ready) %||% rep(1, length(y))
  info <- plan$ready$response$info
  out <- if (info$task == "classification") {
    class_oob(oob, y, w, info, plan$probability, plan$cost)
  } else {
    number_oob(oob, y, w)
  }
  c(out, list(times = as.integer(oob$times), curve = as.double(curve)))
}

class_oob <- function(oob, y, w, info, probability, cost) {
  known <- oob$times > 0L
  # Usually every row is out of some bag, and nothing is copied.
  of_known <- function(x) if (all(known)) x else x[known, , drop = FALSE]
  prob <- oob$shares / ifelse(known, oob$times, NA)
  oob$shares <- NULL
  dimnames(prob) <- dimnames(oob$votes) <- list(NULL, info$levels)
  class <- rep(NA_integer_, length(y))
  class[known] <- class_of_forest(of_known(oob$votes), of_known(prob), probability, cost)
  list(
    error = oob_error(class, y, w, known), response = as_classes(class, info), prob = prob,
    votes = oob$votes, confusion = confusion_table(y[known], class[known], info$levels, w[known]),
    brier = weighted_mean(squared_distances(of_known(prob), y[known]), w[known])
  )
}

# The predictions by row of the data. Rows that a frequency repeats have their own samples; their
# out-of-bag predictions are combined.
oob_of_rows <- function(fit) {
  if (is.null(fit$copies) || is.null(fit$oob$response)) {
    return(fit$oob)
  }
  row <- rep.int(seq_along(fit$copies), fit$copies)
  sums <- lapply(oob_sums(fit), function(x) unname(rowsum(x, row)))
  times <- drop(rowsum(fit$oob$times, row))
  over <- ifelse(times > 0L, times, NA)
  if (fit$response$task == "regression") {
    return(list(response = drop(sums$sum) / over, times = unname(times)))
  }
  prob <- sums$shares / over
  dimnames(prob) <- dimnames(sums$votes) <- list(NULL, fit$response$levels)
  class <- rep(NA_integer_, length(times))
  known <- times > 0L
  class[known] <- class_of_forest(
    sums$votes[known, , drop = FALSE], prob[known, , drop = FALSE],
    isTRUE(fit$settings$probability), fit$cost
  )
  list(
    response = as_classes(class, fit$response), prob = prob, votes = sums$votes,
    times = unname(times)
  )
}

# The distance of each row's shares from a share of 1 for its class.
squared_distances <- function(prob, y) {
  by_blocks(prob, function(rows) {
    some <- prob[rows, , drop = FALSE]
    true <- cbind(seq_along(rows), y[rows])
    some[true] <- some[true] - 1
    rowSums(some^2)
  })
}

# f(rows) for one block of rows of a matrix after another, so that the results stay small.
by_blocks <- function(x, f) {
  size <- max(1, 2^22 %/% max(1L, ncol(x)))
  n <- nrow(x)
  if (n <= size) {
    return(f(seq_len(n)))
  }
  unlist(lapply(seq(1, n, size), function(first) f(seq.int(first, min(first + size - 1, n)))))
}

number_oob <- function(oob, y, w) {
  known <- oob$times > 0L
  response <- oob$sum / ifelse(known, oob$times, NA)
  list(
    error = oob_error(response, y, w, known), response = response,
    r_squared = if (any(known)) number_measures(y[known], response[known], w[known])$r_squared
  )
}

# For classes, `y` is an integer vector.
oob_error <- function(response, y, w, known) {
  off <- response[known] - y[known]
  weighted_mean(if (is.integer(y)) off != 0L else off^2, w[known])
}

weighted_mean <- function(x, w) if (length(x)) sum(w * x) / sum(w) else NA_real_

# The class with the most votes (the first on ties), the largest mean share, or the smallest
# expected cost.
class_of_forest <- function(votes, prob, probability, cost) {
  if (!is.null(cost)) {
    return(best_answer(prob, cost))
  }
  if (probability) {
    return(largest_share(prob))
  }
  by_blocks(votes, function(rows) max.col(votes[rows, , drop = FALSE], ties.method = "first"))
}

# For each row: the votes and the sums of shares, or the sum of numbers, over the trees for which it
# is out of bag.
oob_sums <- function(fit) {
  sum_of <- function(means) {
    out <- unname(means) * fit$oob$times
    out[is.na(out)] <- 0
    out
  }
  if (fit$response$task == "regression") {
    return(list(sum = sum_of(fit$oob$response)))
  }
  list(votes = unname(fit$oob$votes), shares = sum_of(fit$oob$prob))
}

# The training rows of a forest, from its call or as given, prepared as when it was grown.

given_input <- function(fit, data, y, weights, env) {
  if (is.null(fit$formula)) {
    tec_abort("conversion", c(
      "The forest does not know how it was grown.",
      x = "It was converted, or read from a file: it has no formula and no samples."
    ))
  }
  if (is.null(fit$call$x)) {
    if (!is.null(y)) {
      tec_abort("argument", c(
        "{.arg y} is only for a fit from {.arg x} and {.arg y}.",
        x = "This one has a formula: its response is in {.arg data}.", i = "Leave it out."
      ))
    }
    formula <- fit$formula
    environment(formula) <- env
    if ("." %in% all.vars(formula[[3L]])) data <- columns_of_fit(fit, data)
    input <- formula_input(formula, data, NULL, NULL, env)
  } else {
    check_has_columns(fit, data, seq_along(fit$columns$name), "data")
    y <- y %||% data[["y"]]
    input <- xy_input(data[fit$columns$name], y, NULL, NULL)
  }
  input$weights <- weights
  with_levels_of(fit, input)
}

# The columns that `.` stood for, in that order.
columns_of_fit <- function(fit, data) {
  named <- unique(c(free_variables(fit$formula[[2L]]), unlist(fit$columns$needs)))
  data[intersect(named, names(data))]
}

# Gives factors the levels of the fit if they have all of them, in another order or with unused
# ones; text can replace a factor.
with_levels_of <- function(fit, input) {
  as_known <- function(x, levels) {
    if (is.null(levels) || identical(levels(x), levels) || !(is.factor(x) || is.character(x))) {
      return(x)
    }
    out <- factor(as.character(x), levels, ordered = is.ordered(x))
    if (identical(is.na(out), is.na(x))) out else x
  }
  input$values <- Map(as_known, input$values, fit$columns$levels)
  input$response <- as_known(input$response, fit$response$levels)
  input
}

# The data as prepare() returned them, with the settings of the fit.
forest_ready <- function(fit, input, na_action = NULL) {
  asked <- forest_asked(fit, na_action)
  ready <- prepare(input, asked, fit$control, preset = "forest")
  if (!identical(ready$frame$levels, fit$columns$levels) ||
    !identical(ready$frame$kind, fit$columns$kind)) {
    tec_abort("data", c(
      "The rows are not those that the forest was grown from.",
      x = "A column has different levels, or a different type."
    ))
  }
  ready
}

forest_asked <- function(fit, na_action = NULL) {
  list(
    criterion = fit$criterion, na_action = na_action, cost = fit$cost, cost_in = fit$cost_in,
    prior = if (is.null(fit$class_weights)) fit$prior, class_weights = fit$class_weights
  )
}

check_same_rows <- function(fit, ready, what, plain = FALSE) {
  if (isTRUE(all.equal(root_of_rows(ready), fit$root))) {
    check_order(fit, ready, what)
    return(check_marks(fit, marks_of(ready), what))
  }
  if (plain && !is.null(fit$call[["weights"]])) {
    tec_abort("data", c(
      "{.fn {what}} needs {.arg weights}: the forest was grown with them.",
      x = "{.arg data} without weights has different sums.", i = "Give them with {.arg data}."
    ))
  }
  tec_abort("data", c(
    "{.fn {what}} needs the rows that the forest was grown from.",
    x = "{.arg data} has a different number of rows, a different response or different weights."
  ))
}

# Bags go by position, so rows in another order give a different out-of-bag error.
check_order <- function(fit, ready, what) {
  oob <- fit$oob
  y <- used_response(ready)
  if (is.null(oob$error) || is.na(oob$error) || length(oob$response) != length(y)) {
    return(invisible())
  }
  response <- if (is.factor(oob$response)) plain_codes(oob$response) else oob$response
  w <- used_weights(ready) %||% rep(1, length(y))
  error <- oob_error(response, y, w, oob$times > 0L)
  if (!isTRUE(all.equal(error, oob$error))) {
    tec_abort("data", c(
      "{.fn {what}} needs the rows in the order in which the forest was grown from them.",
      x = "With the rows of {.arg data} the out-of-bag error is different.",
      i = "Give {.arg data} as it was when the forest was grown."
    ))
  }
}

# Different values of a predictor, or another order, lead to different leaves.
check_marks <- function(fit, marks, what) {
  other <- parts_that_differ(fit, marks)
  if (length(other)) {
    tec_abort("data", c(
      "{.fn {what}} needs the rows that the {model_word(fit)} was grown from, in the same order.",
      x = "{cli::qty(length(other))}{?This column has/These columns have} different values, or a \\
          different order: {.field {shorten(other)}}.",
      i = "Give {.arg data} as it was when the {model_word(fit)} was grown."
    ))
  }
}

# How often each tree drew each row: a matrix of rows and trees.
forest_bags <- function(fit, y, sample_weights, threads = NULL) {
  check_samples(fit)
  settings <- list(
    seeds = fit$seeds, replace = fit$settings$replace, draws = fit$settings$draws,
    sample_weights = sample_weights, by_class = fit$settings$by_class,
    importance = "none", threads = default_threads(threads)
  )
  classes <- if (is.null(fit$settings$by_class)) integer() else as.integer(y)
  tec_forest_bags_(settings, fit$n_rows, classes)
}

# Checks the description of how the trees drew their rows.
check_samples <- function(fit) {
  settings <- fit$settings
  sound <- is_size(settings$draws) && is_flag(settings$replace) && is_flag(settings$probability) &&
    is.numeric(fit$seeds) && length(fit$seeds) == length(fit$trees$start) - 1L &&
    is_size(fit$mtry) && (is.null(settings$by_class) || is.numeric(settings$by_class))
  if (!sound) abort_forest("its samples are not described")
}

is_flag <- function(x) is.logical(x) && length(x) == 1L && !is.na(x)

# The plan that grow_core() needs to grow more trees with the same settings.
forest_plan <- function(fit, training, importance = fit$importance$type %||% "none") {
  check_samples(fit)
  asked <- forest_asked(fit, training$na_action)
  list(
    ready = training$ready, asked = asked, cost = fit$cost,
    priors = resolve_priors(asked, training$ready, fit$cost), mtry = fit$mtry,
    drawn = list(
      draws = fit$settings$draws, weights = training$sample_weights,
      by_class = fit$settings$by_class
    ),
    replace = fit$settings$replace, probability = fit$settings$probability,
    importance = importance, n = training$n
  )
}
