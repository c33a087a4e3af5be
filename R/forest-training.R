# Tested in test-forest-quantiles.R.
# The training rows of a forest, prepared as when it was grown: from its call, or as given.

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
        "{.arg y} is for a fit from {.arg x} and {.arg y}.",
        x = "This one has a formula: its response is in {.arg data}.", i = "Leave it out."
      ))
    }
    formula <- fit$formula
    environment(formula) <- env
    input <- formula_input(formula, data, NULL, NULL, env)
  } else {
    check_has_columns(fit, data, seq_along(fit$columns$name), "data")
    y <- y %||% data[["y"]]
    input <- xy_input(data[fit$columns$name], y, NULL, NULL)
  }
  input$weights <- weights
  input
}

# The data as prepare() made them, with the settings of the fit.
forest_ready <- function(fit, input, na_action = NULL) {
  asked <- forest_asked(fit, na_action)
  ready <- prepare(input, asked, fit$control, preset = "forest")
  if (!identical(ready$frame$levels, fit$columns$levels) ||
    !identical(ready$frame$kind, fit$columns$kind)) {
    tec_abort("data", c(
      "The rows are not those that the forest was grown from.",
      x = "A column has other levels, or another type."
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
    return(invisible())
  }
  if (plain && !is.null(fit$call[["weights"]])) {
    tec_abort("data", c(
      "{.fn {what}} needs {.arg weights}: the forest was grown with them.",
      x = "{.arg data} without weights has other sums.", i = "Give them with {.arg data}."
    ))
  }
  tec_abort("data", c(
    "{.fn {what}} needs the rows that the forest was grown from.",
    x = "{.arg data} has another number of rows, another response or other weights."
  ))
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

# What says how the trees drew their rows.
check_samples <- function(fit) {
  settings <- fit$settings
  sound <- is_size(settings$draws) && is_flag(settings$replace) && is_flag(settings$probability) &&
    is.numeric(fit$seeds) && length(fit$seeds) == length(fit$trees$start) - 1L &&
    is_size(fit$mtry) && (is.null(settings$by_class) || is.numeric(settings$by_class))
  if (!sound) abort_forest("its samples are not described")
}

is_flag <- function(x) is.logical(x) && length(x) == 1L && !is.na(x)

# What grow_core() needs to grow more of the same.
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
