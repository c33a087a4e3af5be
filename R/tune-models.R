# Tested in test-tune-forest.R and test-tune-boost.R.
# tec_tune() for forests and boosted models: the grid, the measures of all its settings, and the
# model of the chosen setting. tune-boost.R grows the models of one setting.
#
# A setting is list(criterion =, arguments =), with one value per argument of tec_forest() or
# tec_boost().

tuned_models <- c("tree", "forest", "boost")

# Arguments of tec_tune() that these models also have.
model_formals <- c("q", "criterion", "beta", "na.action", "cost")

abort_model_elsewhere <- function() {
  tec_abort("data", c(
    "{.fn tec_tune} for forests and boosted models needs data in memory.",
    x = "{.arg data} is a table elsewhere.", i = "Collect it, or use {.code model = \"tree\"}."
  ))
}

# `frame`: the frame of a method of tec_tune(). `call`: its match.call().
check_tuned_model <- function(frame, call) {
  if (is_elsewhere(if_given("data", frame))) abort_model_elsewhere()
  match_choice(frame$model, tuned_models, "model")
  of_trees <- c("preset", "validation", "widen", place_arguments)
  refuse_without("model = \"tree\"", stats::setNames(of_trees %in% names(call), of_trees))
}

check_rule <- function(frame) {
  if (is_given("rule", frame)) match_choice(frame$rule, c("best", "1se"), "rule") else "best"
}

tune_model <- function(input, frame, call, env) {
  model <- frame$model
  task <- response_task(check_response(input$response, input$response_name, input$n))
  values <- c(
    mget(intersect(model_formals, names(call)), frame), dots_of_model(frame, call, env)
  )
  own <- model_values(values, model, length(input$names))
  design <- model_design(frame, own$values$folds)
  own$values$folds <- NULL
  space <- model_space(model, own, if ("control" %in% names(call)) frame$control, frame$tune, input)
  by <- check_model_by(model, design)
  grid <- model_grid(space, task)
  usual <- if (space$kind == "boost" && task == "classification") "log_loss"
  metric <- check_metric(design$metric %||% usual, task)
  job <- list(
    space = space, input = input, metric = metric, prob = needs_prob(metric), by = by,
    seed = sample.int(.Machine$integer.max, 1L), parallel = in_parallel()
  )
  plan <- plan_of_setting(grid$settings[[1L]], job)
  ready <- plan$ready
  used <- ready$rows %||% seq_len(input$n)
  drawn <- draw_rows(design, ready, used, input$n, by)
  measured <- measure_models(job, grid, drawn$folds)
  run <- c(measured, list(
    metric = metric, ready = ready, task = task, n_rows = length(used),
    n_folds = length(drawn$folds), by = by, n_sampled = drawn$n_sampled, model = model,
    seed = job$seed, several = names(grid$table)
  ))
  tuned <- describe_run(run, design$rule)
  say_most_rounds(tuned, space)
  chosen <- c(
    chosen_arguments(grid$settings[[measured$setting[tuned$chosen]]], space),
    if (!is.null(space$at)) list(rounds = tuned$table$rounds[tuned$chosen]),
    if (space$kind == "boost") {
      # The rule would have other answers if the rounds were not chosen.
      c(if (space$stops) plan$by_rule[intersect(names(plan$by_rule), ruled)], list(folds = 0))
    }
  )
  tuned$fit <- grow_chosen(call, model, space, chosen, job$seed, env)
  tuned$call <- stored_call(call, quote(tec_tune))
  structure(tuned, class = "tec_tune")
}

# The arguments in `...` of the method. Vectors with one value per row may be columns of `data`.
dots_of_model <- function(frame, call, env) {
  by_formula <- !is.null(frame$formula)
  per_row <- if (by_formula) c(row_arguments, "case.weights")
  names <- names(call)[-1L]
  names <- names[!names %in% names(frame)]
  out <- lapply(seq_along(names), function(i) {
    if (names[i] %in% per_row) {
      where <- environment(frame$formula)
      return(eval_argument(call[[names[i]]], frame$data, where, env, names[i]))
    }
    eval(call("...elt", i), frame)
  })
  stats::setNames(out, names)
}

model_design <- function(frame, folds) {
  out <- mget(c("by", "folds", "repeats", "metric", "stratified", "sample"), frame)
  out$folds <- folds %||% out$folds
  out$rule <- check_rule(frame)
  out
}

# ---- the grid ----

# The request of the call. `values`: the values by our names; `ours`: our names of all arguments by
# the names in the call; `kind`: "adaboost" or the model; `tune`: the settings with a default grid;
# `at`: the rounds to compare, if one model has them all; `stops`: whether rounds are chosen for
# each setting by early stopping.
model_space <- function(model, own, control, tune, input) {
  known <- model_arguments(model)
  check_known(names(own$values), c(known, control_names, tune_data), "tec_tune")
  empty <- names(own$values)[lengths(own$values) == 0L & !vapply(own$values, is.null, NA)]
  if (length(empty)) {
    tec_abort("grid", c("{.arg {empty[1L]}} must hold at least one value.", x = "It is empty."))
  }
  values <- own$values[!vapply(own$values, is.null, NA)]
  ada <- model == "boost" && identical(values$method, "adaboost")
  kind <- if (ada) "adaboost" else model
  criteria <- c("q", "criterion", "beta")
  if (kind == "boost") refuse_without("method = \"adaboost\"", present(values, criteria))
  several <- lengths(values) > 1L & !names(values) %in% whole_arguments
  tune <- model_tune(tune, kind, names(values), any(several) || any(present(values, criteria)))
  # Rounds of pairs come after all rounds of single predictors, so each number needs its own model.
  path <- model == "boost" && !isTRUE(values$cyclic)
  stops <- path && "rounds" %in% tune && length(values$rounds) < 2L
  out <- list(
    kind = kind, ours = own$ours, known = known, control = control, words = own$words,
    tune = setdiff(tune, "rounds"), stops = stops
  )
  if (path) {
    rounds <- values$rounds %||% if (ada) 100L else if (stops) 1000L else 200L
    for (one in rounds) check_trees(one, "rounds")
    out$at <- sort(unique(as.integer(rounds)))
    if (!is.null(values$patience)) {
      out$patience <- check_count(values$patience, "patience", least = 1)
    }
    values[c("rounds", "patience")] <- NULL
  }
  default <- setdiff(out$tune, names(values))
  out$values <- c(values, stats::setNames(lapply(tuning[default], function(one) {
    one$grid(kind, input$n, length(input$names))
  }), default))
  out
}

model_arguments <- function(model) {
  setdiff(arguments_of(model), c(tune_data, "validation", "folds"))
}

# Arguments of which several values are one.
whole_arguments <- c(
  "sample_weights", "by_class", "prior", "class_weights", "cost", "cost_in", "monotone", "offset",
  "na.action", "q", "beta", "criterion", "progress", "importance", "patience", "bags"
)

present <- function(values, names) {
  stats::setNames(!vapply(values[names], is.null, NA), names)
}

# list(values, ours, words) under our names. A 1 is one of the `p` predictors, not all of them.
model_values <- function(values, model, p) {
  known <- model_arguments(model)
  ours <- stats::setNames(names(values), names(values))
  out <- list()
  for (i in seq_along(values)) {
    name <- names(values)[i]
    one <- translate(values[i], model, c(names(out), names(values)[-i]), known)
    if (name == "mtry" && model == "boost" && is.numeric(one[[1L]])) {
      one[[1L]][one[[1L]] == 1] <- 1 / p
    }
    if (length(one)) ours[[name]] <- names(one)[1L]
    out <- c(out, one)
  }
  words <- task_words(out)
  if (model == "boost") words <- words[names(words) != "method"]
  out <- out[!names(out) %in% names(words)]
  renamed <- with_our_names(out, c(known, tune_data, "folds"))
  foreign <- setdiff(names(out), names(renamed))
  ours[foreign] <- vapply(foreign, function(name) settings_of(name)[1L], "")
  list(values = renamed, ours = ours, words = words)
}

# The names of the settings with a default grid. Rounds are chosen unless that is turned off.
model_tune <- function(tune, kind, given, has_grid) {
  known <- tuned_settings[[kind]]
  always <- intersect("rounds", known)
  if (is.null(tune)) {
    usual <- if (has_grid) always else known[seq_len(usual_tuned[[kind]])]
    return(setdiff(usual, setdiff(given, "rounds")))
  }
  if (!is.character(tune) || anyNA(tune)) {
    abort_found(
      "{.arg tune} must be names of settings to tune, of {.or {.val {known}}}.", tune,
      topic = "grid"
    )
  }
  word <- if (kind == "forest") "forest" else "boost"
  tune <- vapply(tune, function(one) {
    if (one %in% known) one else find_word(word, one)$ours %||% one
  }, "")
  for (one in tune) match_choice(one, known, "tune", "grid")
  twice <- setdiff(intersect(tune, given), "rounds")
  if (length(twice)) abort_tuned_twice(twice[1L])
  if (length(tune)) union(always, tune) else tune
}

# list(table = one row per setting, settings).
model_grid <- function(space, task) {
  values <- space$values
  criteria <- model_criteria(space, task)
  values[c("q", "beta", "criterion")] <- NULL
  values <- Map(function(value, name) {
    if (name %in% whole_arguments || !is.atomic(value)) list(value) else as.list(unique(value))
  }, values, names(values))
  at <- rev(expand.grid(rev(lapply(values, seq_along))))
  if (length(values) == 0L) at <- data.frame(row.names = 1L)
  of_criterion <- rep(seq_len(max(1L, length(criteria))), each = nrow(at))
  of_row <- rep(seq_len(nrow(at)), max(1L, length(criteria)))
  settings <- Map(function(i, j) {
    list(
      criterion = if (length(criteria)) criteria[[i]],
      arguments = Map(function(value, k) value[[k]], values, at[j, , drop = FALSE])
    )
  }, of_criterion, of_row)
  several <- names(values)[lengths(values) > 1L]
  table <- as.data.frame(
    lapply(stats::setNames(several, several), function(name) unlist(values[[name]][at[[name]]])),
    stringsAsFactors = FALSE
  )
  if (length(several) == 0L) table <- data.frame(row.names = seq_len(nrow(at)))
  table <- table[of_row, , drop = FALSE]
  if (length(criteria)) {
    table <- cbind(criteria_table(criteria)[of_criterion, , drop = FALSE], table)
  }
  rownames(table) <- NULL
  list(table = table, settings = settings)
}

model_criteria <- function(space, task) {
  # tec_boost() checks the task of AdaBoost.
  if (space$kind == "boost" || space$kind == "adaboost" && task == "regression") {
    return(NULL)
  }
  values <- space$values
  none <- is.null(values$q) && is.null(values$beta) && is.null(values$criterion)
  criterion_grid(
    check_grid(values$q, "q"), check_grid(values$beta, "beta"),
    values$criterion %||% if (none && space$kind == "adaboost") "gini", "forest", task
  )
}

check_model_by <- function(model, design) {
  folds <- !is.null(design$folds)
  by <- design$by %||% if (model == "forest" && !folds) "oob" else "cv"
  by <- match_choice(by, c(tune_criteria, "oob"), "by")
  if (by %in% setdiff(tune_criteria, "cv")) {
    abort_only_with(paste0("by = \"", by, "\""), "model = \"tree\"", "tune")
  }
  if (by == "oob" && model != "forest") {
    abort_only_with("by = \"oob\"", "model = \"forest\"", "tune")
  }
  if (by == "oob" && folds) abort_only_with("folds", "by = \"cv\"")
  if (by == "oob" && design$rule == "1se") {
    tec_abort("tune", c(
      "{.code rule = \"1se\"} needs a standard error.",
      x = "The out-of-bag error is one number per setting.", i = "Use {.code by = \"cv\"}."
    ))
  }
  by
}

# ---- the measures ----

# list(table, values, errors, folds, setting, ...) for describe_run(), with the setting of each row
# of the table.
measure_models <- function(job, grid, folds) {
  space <- job$space
  measure <- if (space$kind == "forest") measure_forest else measure_boost
  one <- function(setting) {
    tryCatch(measure(setting, job, folds), error = but_limits(function(e) e))
  }
  found <- if (job$parallel) {
    future.apply::future_lapply(grid$settings, one,
      future.seed = NULL, future.packages = "tectree"
    )
  } else {
    tick <- progress_ticker(length(grid$settings), environment())
    on.exit(tick$close())
    lapply(seq_along(grid$settings), function(i) {
      tick$around(i, function(signal) {
        out <- one(grid$settings[[i]])
        if (!is.null(signal)) signal()
        out
      })
    })
  }
  failed <- vapply(found, inherits, NA, "error")
  if (all(failed)) stop(found[[1L]])
  rows <- if (is.null(space$at) || space$stops) 1L else length(space$at)
  setting <- rep(seq_along(found), each = rows)
  names <- measure_names(job$metric)
  values <- array(NA_real_, c(length(setting), length(names), length(folds)),
    dimnames = list(NULL, names, NULL)
  )
  errors <- matrix(NA_character_, length(setting), length(folds))
  table <- grid$table[setting, , drop = FALSE]
  if (!is.null(space$at)) table$rounds <- NA_integer_
  for (i in seq_along(found)) {
    at <- which(setting == i)
    if (failed[i]) {
      errors[at, ] <- conditionMessage(found[[i]])
    } else {
      values[at, , ] <- found[[i]]$values
      if (!is.null(space$at)) table$rounds[at] <- found[[i]]$at
    }
  }
  rownames(table) <- NULL
  parts <- fold_table(folds)
  list(
    table = table, values = values, errors = errors, folds = parts, setting = setting,
    stopped = if (space$stops) "rounds",
    paths = if (space$stops) round_paths(grid$table, found, failed, max(table(parts[["repeat"]])))
  )
}

# One row per setting (its row in the table) and number of rounds.
round_paths <- function(table, found, failed, n_independent) {
  parts <- lapply(which(!failed), function(i) {
    path <- found[[i]]$path
    own <- table[rep(i, nrow(path)), , drop = FALSE]
    cbind(own, setting = i, rounds = seq_len(nrow(path)), summarise_cells(path, n_independent))
  })
  out <- do.call(rbind, parts)
  rownames(out) <- NULL
  out
}

# ---- the chosen model ----

chosen_arguments <- function(setting, space) {
  varied <- names(space$values)[lengths(space$values) > 1L]
  varied <- union(setdiff(varied, whole_arguments), space$tune)
  # `num_leaves` also removes the limit of the depth.
  if ("max_leaves" %in% varied) varied <- c(varied, "max_depth")
  out <- setting$arguments[intersect(varied, names(setting$arguments))]
  asked <- any(c("q", "beta", "criterion") %in% names(space$values))
  c(out, if (asked) criterion_arguments(setting$criterion))
}

# Evaluates the call that the user would have made. The names that it uses are found even if the
# package is not attached. Its messages were already given for the first setting.
grow_chosen <- function(call, model, space, chosen, seed, env) {
  criteria <- c("q", "beta", "criterion")
  args <- as.list(call)[-1L]
  ours <- ifelse(names(args) %in% names(space$ours), space$ours[names(args)], names(args))
  gone <- c(
    setdiff(tune_arguments, c(tune_data, space$known)), names(chosen), "patience", "validation",
    "folds", if (any(criteria %in% names(chosen))) criteria
  )
  name <- if (model == "forest") "tec_forest" else "tec_boost"
  args <- c(args[!ours %in% gone], chosen, list(seed = seed))
  here <- new.env(parent = env)
  for (own in c(name, "tec_criterion")) assign(own, get(own), here)
  suppressWarnings(
    suppressMessages(eval(as.call(c(list(as.name(name)), args)), here), classes = "tec_message"),
    classes = "tec_warning"
  )
}

say_most_rounds <- function(tuned, space) {
  if (space$stops && tuned$table$rounds[tuned$chosen] == max(space$at)) {
    tec_inform("rounds", c(
      i = "The best number of rounds is the largest allowed, {max(space$at)}; more may be better."
    ))
  }
}
