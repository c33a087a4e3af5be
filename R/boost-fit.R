# Tested in test-boost-fit.R and test-boost-cyclic.R.
# Grows boosted trees: prepares the data as for a tree, computes the initial scores, and passes both
# to the core.

grow_boost <- function(input, asked, settings, control, call) {
  plan <- plan_boost(input, asked, check_boost_settings(settings, control), settings, control)
  if (plan$method == "adaboost") {
    return(grow_adaboost(plan, input, call))
  }
  seeds <- boost_seeds(plan, plan$rounds * if (plan$pairs > 0L) 2 else 1)
  folds <- plan$folds %||% 0L
  ticker <- forest_ticker(plan["progress"], length(seeds) * (1 + folds), environment())
  on.exit(ticker$close())
  tick <- if (!is.null(ticker$tick)) with_word_of_time(ticker$tick, plan)
  curve <- if (folds > 0L) fold_curve(plan, seeds, tick)
  rounds <- if (is.null(curve)) length(seeds) else which.min(curve$mean)
  grown <- boost_core(plan, seeds[seq_len(rounds)], tick = later_tick(tick, folds * length(seeds)))
  fit <- new_boost(grown, plan, input, call, curve)
  if (plan$bags > 0L) fit$bags <- grow_bags(plan, grown)
  fit
}

# The same ticker after `before` rounds.
later_tick <- function(tick, before) {
  if (!is.null(tick)) function(done) tick(before + done)
}

# The same ticker, which also says after some seconds what takes so long, unless it was asked for.
with_word_of_time <- function(tick, plan, seconds = 10) {
  start <- proc.time()[["elapsed"]]
  said <- !plan$by_default
  function(done) {
    if (!said && proc.time()[["elapsed"]] - start >= seconds) {
      said <<- TRUE
      tec_inform("rounds", c(
        i = "Choosing the number of rounds takes a while: {.code folds = 0} uses {.arg rounds}."
      ))
    }
    tick(done)
  }
}

# One seed per round. R's random numbers are used only if rows or columns are drawn.
boost_seeds <- function(plan, rounds) {
  if (plan$draws > 0 || plan$drawn_columns > 0) draw_seeds(rounds) else numeric(rounds)
}

# Everything that growing needs. `chooses`: whether the settings are those of a model whose rounds
# are chosen; NULL: as the call asks.
plan_boost <- function(input, asked, plan, settings, control, chooses = NULL) {
  ada <- plan$method == "adaboost"
  if (!ada) {
    own <- !vapply(asked[c("q", "criterion", "beta")], is.null, NA)
    refuse_without("method = \"adaboost\"", own)
  }
  control <- boost_control(control, plan)
  if (ada && is.numeric(input$response)) {
    tec_abort("response", c(
      "{.code method = \"adaboost\"} needs classes.",
      x = "The response {.field {input$response_name}} is numeric.",
      i = "Use {.code method = \"gradient\"}, or make it a factor."
    ))
  }
  if (ada) {
    asked$criterion <- criterion_with_beta(asked$criterion, asked$beta, asked$q, grid = FALSE)
  }
  if (ada && is.null(asked$q) && is.null(asked$criterion)) asked$criterion <- "gini"
  ready <- withCallingHandlers(
    prepare(input, asked, control, preset = "forest"),
    tec_warning_one_class = function(w) invokeRestart("muffleWarning")
  )
  ready$control <- check_prune_task(ready$control, ready$response$info, NULL)
  ready <- copy_rows(ready)
  ready$marks <- marks_of(ready, default_threads(ready$control$threads))
  plan$n <- length(ready$response$core$y)
  plan$rows <- ready$rows %||% seq_len(plan$n)
  choice <- choice_of_rounds(plan, settings, length(plan$rows))
  plan$folds <- choice$folds
  plan$by_default <- is.null(settings$folds) && is.null(settings$validation)
  chooses <- chooses %||% !(is.null(choice$folds) && is.null(choice$validation))
  levels <- max(0L, ready$frame$n_levels[ready$frame$kind == "nominal"])
  plan$by_rule <- settings_by_rule(
    plan, chooses, length(plan$rows), length(ready$frame$name), levels
  )
  plan[names(plan$by_rule)] <- plan$by_rule
  ready$control$max_depth <- plan$max_depth
  plan$ready <- ready
  check_boost_data(plan, ready)
  if (ada) {
    return(plan)
  }
  info <- ready$response$info
  plan$loss <- if (info$task == "regression") {
    "squared"
  } else if (length(info$levels) == 2L) {
    "logistic"
  } else {
    "multinomial"
  }
  plan$outputs <- if (plan$loss == "multinomial") length(info$levels) else 1L
  plan$monotone <- resolve_monotone(settings$monotone, ready$frame, info)
  plan$offset <- copied(resolve_offset(settings$offset, input$n, plan$outputs), ready)
  plan$ready$marks$offset <- offset_marks(plan$offset, ready$rows)
  plan <- set_validation(plan, choice$validation, input)
  plan$draws <- count_share(plan$sample_fraction, "sample_fraction", length(plan$rows), "rows")
  plan$drawn_columns <- count_share(
    plan$column_fraction, "column_fraction", length(ready$frame$name), "predictors"
  )
  plan
}

# Trees are not pruned; their size follows the settings of boosting.
boost_control <- function(control, plan) {
  pruned <- !is.null(control$prune) && !identical(control$prune, "none") ||
    isTRUE(control$cp > 0) || !is.null(control$alpha) && !identical(control$alpha, 0)
  if (pruned) {
    tec_abort("prune", c(
      "Boosted trees are not pruned.", x = "{.arg prune}, {.arg cp} or {.arg alpha} is given.",
      i = "Use {.arg max_depth}, {.arg min_bucket} or {.arg min_gain} for smaller trees."
    ))
  }
  control <- forest_control(control, "a class", FALSE)
  missing <- control$missing
  if (plan$method == "gradient" && !is.null(missing) && missing != "learned") {
    tec_abort("control", c(
      "Gradient boosting sends rows with a missing value down the branch with the smaller loss.",
      x = "{.arg missing} is {.val {missing}}.", i = "Leave it out."
    ))
  }
  if (plan$method == "gradient" && !identical(control$nominal %||% "binary", "binary")) {
    tec_abort("control", c(
      "Gradient boosting splits factors into two groups of levels.",
      x = "{.arg nominal} is {.val {control$nominal}}.", i = "Leave it out."
    ))
  }
  control
}

check_boost_data <- function(plan, ready) {
  info <- ready$response$info
  y <- ready$response$core$y[plan$rows]
  # Gradients are multiplied by weights. AdaBoost scales them.
  if (plan$method == "gradient" && !is.null(ready$weights)) {
    check_moderate(ready$weights[plan$rows], "weights", "weights")
  }
  if (info$task == "regression") {
    check_response_size(y, info$name)
    warn_close_response(y, plan$rate, info$name)
  } else if (length(unique(y)) < 2L) {
    tec_abort("response", c(
      "Boosting needs at least two classes.",
      x = "The response {.field {info$name}} has only one class: {.val {info$levels[y[1L]]}}."
    ))
  }
  many <- ready$frame$name[ready$frame$kind != "numeric" & ready$frame$n_levels > 65535L]
  if (plan$method == "gradient" && length(many)) {
    tec_abort("levels", c(
      "Gradient boosting supports factors with up to 65,535 levels.",
      x = "{.field {many}} {?has/have} more.", i = "Combine rare levels, or leave it out."
    ))
  }
}

# Grows from some of the rows. `start`: the scores before the first tree, a matrix with one row per
# row of the data.
boost_core <- function(plan, seeds, rows = plan$rows, validation = plan$held_out, first = 0L,
                       tick = NULL, patience = plan$patience, base = NULL, start = NULL,
                       weights = plan$ready$weights, sizes = plan$ready$sizes) {
  base <- base %||% boost_base(plan, rows, weights)
  start <- start %||% start_scores(plan, base)
  problem <- boost_problem(plan, rows, weights, sizes)
  settings <- boost_settings(
    plan, seeds, length(rows), if (length(validation)) patience else 0, tick
  )
  settings[c("first", "start", "validation")] <- list(first, start, validation)
  out <- if (plan$cyclic) {
    cyclic_core(plan, problem, settings)
  } else {
    tec_boost_fit_(problem, settings)
  }
  c(out, list(base = base, seeds = seeds))
}

boost_problem <- function(plan, rows, weights, sizes) {
  out <- core_problem(plan$ready, NULL, plan$ready$control, NULL, seed = 0L, more = FALSE)
  out$rows <- rows
  out[c("weights", "sizes")] <- list(weights, sizes)
  out
}

# The settings of the core that are the same for all rows of the plan. `n`: the number of rows.
boost_settings <- function(plan, seeds, n, patience, tick) {
  list(
    loss = plan$loss, seeds = seeds, rate = plan$rate, draws = rows_to_draw(plan, n),
    columns = plan$drawn_columns, patience = patience, lambda = plan$lambda,
    min_rows = plan$min_bucket, min_hessian = plan$min_weight, min_gain = plan$min_gain,
    monotone = plan$monotone, turns = NULL, progress = tick,
    threads = default_threads(plan$ready$control$threads)
  )
}

# In folds and bags, a share refers to their own rows, and a number is limited to all of them.
rows_to_draw <- function(plan, n) {
  if (plan$draws == 0 || n == length(plan$rows) || plan$sample_fraction > 1) {
    return(min(plan$draws, n))
  }
  count_share(plan$sample_fraction, "sample_fraction", n, "rows")
}

# The prediction without any tree: the mean, the log odds or the log shares; with an offset the
# constant that fits best in addition to it.
boost_base <- function(plan, rows, weights) {
  y <- plan$ready$response$core$y[rows]
  w <- if (is.null(weights)) rep(1, length(y)) else weights[rows]
  offset <- if (!is.null(plan$offset)) plan$offset[rows, , drop = FALSE]
  if (plan$loss == "squared") {
    return(stats::weighted.mean(y - (offset %||% 0), w))
  }
  k <- length(plan$ready$response$info$levels)
  share <- vapply(seq_len(k), function(s) sum(w[y == s]), 0) / sum(w)
  share <- pmax(share, 0.5 / length(y) / k)
  if (plan$loss == "multinomial") {
    return(log(share))
  }
  base <- log(share[2L] / share[1L])
  if (is.null(offset)) base else newton_base(base, y == 2L, w, offset[, 1L])
}

newton_base <- function(base, is, w, offset) {
  for (i in 1:50) {
    p <- stats::plogis(base + offset)
    step <- sum(w * (is - p)) / max(sum(w * p * (1 - p)), 1e-12)
    base <- base + max(min(step, 5), -5)
    if (abs(step) < 1e-12) break
  }
  base
}

start_scores <- function(plan, base) {
  start <- matrix(base, plan$n_all %||% plan$n, plan$outputs, byrow = TRUE)
  if (!is.null(plan$offset)) {
    start[seq_len(plan$n), ] <- start[seq_len(plan$n), , drop = FALSE] + plan$offset
  }
  start
}

# The loss on each fold after each round, from models grown without the fold: list(mean, se).
fold_curve <- function(plan, seeds, tick) {
  k <- plan$folds
  if (k > length(plan$rows)) {
    tec_abort("control", c(
      "There are more {.arg folds} than rows.", x = "{k} folds, {length(plan$rows)} rows."
    ))
  }
  classes <- if (plan$loss != "squared") plan$ready$response$core$y[plan$rows]
  group <- draw_folds(k, length(plan$rows), classes)
  loss <- if (plan$cyclic) {
    lapply(seq_len(k), function(f) {
      boost_core(
        plan, seeds, rows = plan$rows[group != f], validation = plan$rows[group == f], patience = 0,
        tick = later_tick(tick, (f - 1) * length(seeds))
      )$validation
    })
  } else {
    folds_core(plan, seeds, group, tick)
  }
  loss <- do.call(cbind, loss)
  list(mean = rowMeans(loss), se = apply(loss, 1L, stats::sd) / sqrt(k))
}

# The losses of the folds, whose models grow in step.
folds_core <- function(plan, seeds, group, tick) {
  weights <- plan$ready$weights
  folds <- lapply(seq_len(plan$folds), function(f) {
    rows <- plan$rows[group != f]
    list(
      rows = rows, validation = plan$rows[group == f], draws = rows_to_draw(plan, length(rows)),
      start = start_scores(plan, boost_base(plan, rows, weights))
    )
  })
  problem <- boost_problem(plan, plan$rows, weights, plan$ready$sizes)
  settings <- boost_settings(plan, seeds, length(plan$rows), plan$patience, tick)
  tec_boost_folds_(problem, settings, folds)
}

# Models of bootstrap samples, given as weights, with the same number of rounds: list(trees, output,
# base) of each.
grow_bags <- function(plan, grown) {
  lapply(seq_len(plan$bags), function(b) {
    count <- tabulate(sample.int(length(plan$rows), replace = TRUE), length(plan$rows))
    times <- numeric(plan$n_all %||% plan$n)
    times[plan$rows] <- count
    drawn <- draw_rows_again(plan$ready, times)
    out <- boost_core(
      plan, boost_seeds(plan, length(grown$training)), rows = plan$rows[count > 0L],
      validation = integer(), weights = drawn$weights, sizes = drawn$sizes
    )
    out[c("trees", "output", "base")]
  })
}

# Cyclic boosting: every predictor by itself, then pairs of predictors.

# Returns the result of tec_boost_fit_() with the chosen pairs. Trees of one predictor are one level
# less deep; they would otherwise fit noise, because each predictor gets a tree in every round. The
# first `plan$rounds` seeds are for rounds of single predictors, the others for pairs.
cyclic_core <- function(plan, problem, settings) {
  p <- length(plan$ready$frame$name)
  wanted <- if (is.null(plan$turns)) min(plan$pairs, choose(p, 2)) else length(plan$turns$pairs)
  seeds <- settings$seeds
  singles <- seq_len(min(plan$rounds, length(seeds)))
  settings$turns <- as.list(seq_len(p))
  settings$seeds <- seeds[singles]
  depth <- problem$control$max_depth
  problem$control$max_depth <- max(1, depth - 1)
  out <- best_part(tec_boost_fit_(problem, settings), settings$patience)
  chosen <- list()
  left <- seeds[-singles]
  problem$control$max_depth <- depth
  if (wanted > 0L && length(left) > 0L) {
    settings$start <- boost_scores_of(out, settings$start, problem, settings$threads)
    chosen <- best_pairs(problem, settings, p, wanted)
    settings$turns <- chosen
    settings$seeds <- left
    more <- tec_boost_fit_(problem, settings)
    # Trees of pairs may not help at all.
    helps <- settings$patience == 0 || min(more$validation) < min(out$validation)
    if (helps) {
      out <- joined_turns(out, best_part(more, settings$patience), plan)
    } else {
      chosen <- list()
    }
  }
  out$pairs <- chosen
  out
}

# With patience, only the rounds up to the smallest validation loss.
best_part <- function(out, patience) {
  if (patience == 0) out else up_to_round(out, which.min(out$validation))
}

up_to_round <- function(out, rounds) {
  kept <- which(out$round < rounds)
  if (length(kept) < length(out$round)) out$trees <- first_trees(out$trees, kept)
  for (part in c("output", "round")) out[[part]] <- out[[part]][kept]
  for (part in c("training", "validation")) {
    if (length(out[[part]])) out[[part]] <- out[[part]][seq_len(rounds)]
  }
  out
}

# The scores of all rows after these trees, as a matrix.
boost_scores_of <- function(out, start, problem, threads) {
  columns <- problem[c("columns", "kinds", "n_levels")]
  names(columns)[1L] <- "values"
  columns$n <- nrow(start)
  score <- tec_boost_predict_(
    out$trees, columns, 0L, start, out$output, numeric(), length(out$output), threads
  )
  matrix(score, nrow(start))
}

# The pairs with the largest decrease of the loss by one tree.
best_pairs <- function(problem, settings, p, wanted) {
  all <- utils::combn(p, 2L, simplify = FALSE)
  settings$turns <- all
  gain <- tec_boost_fit_(problem, settings, pairs = TRUE)$gain
  best <- order(-gain, seq_along(all))[seq_len(wanted)]
  all[sort(best)]
}

# Rounds of pairs come after those of single predictors.
joined_turns <- function(first, second, plan) {
  out <- first
  fit <- list(response = list(levels = NULL), columns = plan$ready$frame["kind"])
  out$trees <- joined_trees(first$trees, second$trees, fit)
  out$output <- c(first$output, second$output)
  out$round <- c(first$round, second$round + length(first$training))
  out$gain <- first$gain + second$gain
  for (part in c("training", "validation")) out[[part]] <- c(first[[part]], second[[part]])
  out
}

# The rows on which the loss is measured after each round.

# Adds `held_out` to the plan: the numbers of the held-out rows. Rows of a data frame are appended
# to the rows of the data.
set_validation <- function(plan, validation, input) {
  plan$held_out <- integer()
  if (is.null(validation)) {
    return(plan)
  }
  if (is.data.frame(validation)) {
    return(append_validation(plan, validation, input))
  }
  n <- length(plan$rows)
  if (!is_number(validation) || validation <= 0 || validation >= 1) {
    abort_found(
      "{.arg validation} must be a share of the rows between 0 and 1, or a data frame.", validation,
      topic = "validation"
    )
  }
  size <- round(validation * n)
  if (size < 1 || size >= n) {
    tec_abort("validation", c(
      "{.arg validation} must leave rows for training and for validation.",
      x = "{validation} of {n} row{?s} {?is/are} {size}."
    ))
  }
  held <- sort(sample.int(n, size))
  plan$held_out <- plan$rows[held]
  plan$rows <- plan$rows[-held]
  plan
}

append_validation <- function(plan, data, input) {
  ready <- plan$ready
  model <- new_fit("tec_boost", c(facts_of_data("tec_boost", ready, input, NULL), ready["control"]))
  env <- environment(input$formula) %||% globalenv()
  if (is.null(input$formula)) {
    tec_abort("validation", c(
      "A data frame as {.arg validation} needs a formula.", i = "Give a share of the rows."
    ))
  }
  if (!is.null(plan$offset)) {
    tec_abort("offset", c(
      "{.arg offset} has no values for the rows of a {.arg validation} data frame.",
      i = "Give {.arg validation} as a share of the rows, or use {.arg folds}."
    ))
  }
  data <- check_newdata(data, "validation")
  values <- code_newdata(model, data, seq_along(model$columns$name), env, integer(), "validation")
  y <- node_response(model, data, NULL, env)
  known <- which(!is.na(y))
  if (length(known) == 0L) {
    tec_abort("validation", "No row of {.arg validation} has a response.")
  }
  joined <- function(a, b) if (is.integer(a)) c(a, as.integer(b)) else c(as.double(a), as.double(b))
  plan$ready$frame$value <- Map(joined, ready$frame$value, values)
  y <- if (is.integer(ready$response$core$y)) as.integer(y) else as.double(y)
  plan$ready$response$core$y <- c(ready$response$core$y, y)
  for (part in c("weights", "sizes")) {
    if (!is.null(ready[[part]])) plan$ready[[part]] <- c(ready[[part]], rep(1, nrow(data)))
  }
  plan$held_out <- plan$n + known
  plan$n_all <- plan$n + nrow(data)
  plan
}
