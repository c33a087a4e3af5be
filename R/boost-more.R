# tec_more() of a boosted model.

more_rounds <- function(fit, rounds, data, y, weights, progress, threads, env) {
  check_fit(fit)
  rounds <- check_trees(rounds, "trees")
  check_may_go_on(fit)
  training <- boost_training(fit, data, y, weights, env)
  plan <- plan_of_fit(fit, training$ready)
  offset <- resolve_offset(training$offset, training$input$n, plan$outputs)
  plan$offset <- copied(offset, training$ready)
  if (!is.null(threads)) plan$ready$control$threads <- check_count(threads, "threads", least = 1)
  seeds <- boost_seeds(plan, rounds)
  progress <- check_flag(progress, "progress", topic = "argument")
  ticker <- forest_ticker(list(progress = progress), rounds, environment())
  on.exit(ticker$close())
  values <- plan$ready$frame$value
  start <- boost_scores(
    fit, values, plan$n, threads = threads, start = start_scores(plan, fit$base)
  )
  core <- boost_core(
    plan, seeds, first = fit$rounds, tick = ticker$tick, base = fit$base, start = start[[1L]]
  )
  joined_rounds(fit, core, seeds)
}

boost_sizes <- c(
  "rate", "max_depth", "lambda", "min_weight", "min_bucket", "min_gain", "draws", "drawn_columns",
  "pairs", "patience", "held_out"
)

check_may_go_on <- function(fit) {
  why <- if (fit$method == "adaboost") {
    "This one is by AdaBoost."
  } else if (length(fit$settings) == 0L) {
    "This one is from a file, which does not say how it was grown."
  } else if (!all(vapply(fit$settings[boost_sizes], is_size, NA))) {
    abort_boost("its settings are not those that it was grown with")
  } else if (isTRUE(fit$settings$cyclic)) {
    "This one takes the predictors in turn."
  } else if (fit$settings$held_out > 0) {
    "The rounds of this one were chosen on rows that it has not seen."
  }
  if (length(why)) {
    tec_abort("argument", c(
      "{.fn tec_more} needs a model of gradient boosting from all rows.", x = why,
      i = "Grow it again with more {.arg rounds}."
    ))
  }
}

# list(ready, input, offset) of the training rows.
boost_training <- function(fit, data, y, weights, env) {
  check_needs_data(data, y = y, weights = weights)
  found <- if (is.null(data)) {
    training_rows(fit, "tec_more", env)
  } else {
    list(input = given_input(fit, check_newdata(data, "data"), y, weights, env), source = data)
  }
  ready <- suppressMessages(
    prepare(found$input, list(na_action = found$na_action), fit$control, preset = "forest"),
    classes = "tec_message"
  )
  ready <- copy_rows(ready)
  same <- length(used_response(ready)) == fit$n_rows &&
    isTRUE(all.equal(root_of_rows(ready), fit$root))
  if (!same) {
    tec_abort("data", c(
      "{.fn tec_more} needs the rows that the model was grown from.",
      x = "These are others: their number or their response differs."
    ))
  }
  offset <- if (isTRUE(fit$settings$offset)) {
    eval_argument(fit$call$offset, found$source, env, globalenv())
  }
  list(ready = ready, input = found$input, offset = offset)
}

plan_of_fit <- function(fit, ready) {
  n <- length(ready$response$core$y)
  info <- ready$response$info
  ready$control <- check_prune_task(ready$control, info, NULL)
  c(
    list(
      method = "gradient", loss = fit$loss, ready = ready, n = n,
      rows = ready$rows %||% seq_len(n), outputs = boost_outputs(fit), held_out = integer()
    ),
    fit$settings[c(
      "rate", "max_depth", "lambda", "min_weight", "min_bucket", "min_gain", "draws",
      "drawn_columns", "monotone", "cyclic", "pairs", "patience"
    )]
  )
}

joined_rounds <- function(fit, core, seeds) {
  out <- unclass(fit)
  out$trees <- joined_trees(fit$trees, core$trees, list(response = NULL, columns = fit$columns))
  out$output <- c(fit$output, core$output)
  out$round <- c(fit$round, core$round)
  out$rounds <- fit$rounds + length(core$training)
  out$gain <- fit$gain + core$gain
  curve <- fit$curve[seq_len(fit$rounds), "training"]
  out$curve <- data.frame(round = seq_len(out$rounds), training = c(curve, core$training))
  out$seeds <- c(fit$seeds, seeds)
  out$used <- used_columns(out$trees)
  out$bags <- NULL
  structure(out, class = class(fit))
}
