# Tested in test-forest-fit.R and test-forest-progress.R.
# Grows a forest: prepares the data as for a tree, draws the seeds, passes both to the core, and
# computes the out-of-bag results.

grow_forest <- function(input, asked, settings, control, call) {
  settings <- check_forest_settings(settings)
  grid <- forest_grid(asked)
  asked <- c(asked[setdiff(names(asked), c("q", "beta", "criterion"))], grid[[1L]])
  control <- forest_control(control, input$response, settings$probability)
  ready <- prepare(input, asked, control, preset = "forest")
  plan <- plan_forest(ready, input, asked, settings)
  seeds <- draw_seeds(settings$trees)
  out <- if (length(grid) == 1L) {
    grow_planned(plan, seeds, forest_ticker(settings, length(seeds), environment()))
  } else {
    best_of_grid(grid, plan, seeds, settings)
  }
  fit <- new_forest(out, plan, input, settings, call)
  if (!is.null(out$tuning)) fit$tuning <- out$tuning
  fit
}

# The criteria to compare: a list with q, beta and criterion of each, in the form that prepare()
# takes.
forest_grid <- function(asked) {
  several <- c("q", "beta")[lengths(asked[c("q", "beta")]) > 1L]
  if (length(several) == 2L) {
    tec_abort("criterion", "{.arg q} and {.arg beta} are parameters of different criteria.")
  }
  one <- function(name, value) {
    q <- if (identical(name, "q")) value else asked$q
    beta <- if (identical(name, "beta")) value else asked$beta
    list(q = q, beta = beta, criterion = criterion_with_beta(asked$criterion, beta, q))
  }
  if (length(several) == 0L) {
    return(list(one("", NULL)))
  }
  values <- asked[[several]]
  if (!is.numeric(values) || !all(is.finite(values)) || anyDuplicated(values)) {
    abort_found("{.arg {several}} must be different finite numbers.", values, topic = several)
  }
  grid <- lapply(values, function(value) one(several, value))
  stats::setNames(grid, paste(several, values))
}

# Everything that growing needs, and the costs and priors that the fit stores.
plan_forest <- function(ready, input, asked, settings) {
  p <- length(ready$frame$name)
  info <- ready$response$info
  cost <- check_cost(asked$cost, info)
  mtry <- resolve_mtry(settings$mtry, ready$control$max_features, p, info$task)
  ready$control <- check_prune_task(ready$control, info, NULL)
  ready$control["max_features"] <- list(if (mtry < p) mtry)
  if (settings$probability && info$task == "regression") {
    tec_abort("argument", c(
      "{.code probability = TRUE} needs classes.",
      x = "The response {.field {info$name}} is numeric.",
      i = "Leave it out, or make the response a factor."
    ))
  }
  if (info$task == "regression") check_response_size(used_response(ready), info$name)
  drawn <- resolve_draws(settings, ready, input$n)
  check_importance_rows(settings, drawn, count_used_rows(ready, input$n))
  list(
    ready = ready, asked = asked, cost = cost, priors = resolve_priors(asked, ready, cost),
    mtry = mtry, drawn = drawn, replace = settings$replace,
    probability = settings$probability, importance = settings$importance, n = input$n
  )
}

# list(trees, oob, curve, importance) from the core. `tick` is called with the number of finished
# trees.
grow_core <- function(plan, seeds, tick = NULL, oob = TRUE) {
  problem <- core_problem(
    plan$ready, plan$cost, plan$ready$control, plan$priors$factors,
    seed = 0L, more = draws_more(plan$ready, plan$ready$control)
  )
  check_forest_memory(plan, length(seeds), oob)
  settings <- c(draw_settings(plan, seeds), list(
    importance = plan$importance, oob = oob, by_shares = isTRUE(plan$probability), progress = tick
  ))
  tec_forest_fit_(problem, settings)
}

# There are votes and shares for every row and class, and a growing tree has shares for every node.
# With very many classes, these are most of the memory that a forest needs.
check_forest_memory <- function(plan, trees, oob) {
  n <- count_used_rows(plan$ready, plan$n)
  classes <- length(plan$ready$response$info$levels)
  control <- plan$ready$control
  # With replacement, a bag contains about 1 - exp(-1) of the rows.
  different <- min(n, plan$drawn$draws) * if (plan$replace) 0.64 else 1
  leaves <- min(different, control$max_leaves, 2^(control$max_depth %||% Inf))
  growing <- min(trees, default_threads(control$threads))
  bytes <- 8 * classes * (2 * leaves * growing + if (oob) 2.5 * n + classes else 0)
  free <- if (bytes > 2^28) free_memory() else NA
  if (!is.na(free) && bytes > free) {
    tec_abort("memory", c(
      "There is not enough memory for a forest of so many classes.",
      x = "{classes} classes of {n} rows need about {bytes_text(bytes)}, more than the \
           {bytes_text(free)} that are free.",
      i = "Combine rare classes, or try {.code threads = 1} or smaller trees ({.arg max_leaves})."
    ))
  }
}

draw_settings <- function(plan, seeds) {
  list(
    seeds = seeds, replace = plan$replace, draws = plan$drawn$draws,
    sample_weights = plan$drawn$weights, by_class = plan$drawn$by_class,
    threads = default_threads(plan$ready$control$threads)
  )
}

# list(core, oob, seeds, criterion)
grow_planned <- function(plan, seeds, ticker) {
  on.exit(ticker$close())
  core <- grow_core(plan, seeds, ticker$tick)
  if (!is.null(ticker$tick)) ticker$tick(length(seeds))
  list(
    core = core, oob = finish_oob(core$oob, core$curve, plan), seeds = seeds,
    criterion = plan$ready$criterion
  )
}

# The forest with the smallest out-of-bag error. All forests have the same samples.
best_of_grid <- function(grid, plan, seeds, settings) {
  ticker <- forest_ticker(settings, length(seeds) * length(grid), environment())
  on.exit(ticker$close())
  table <- data.frame(criterion = character(), parameter = numeric(), error = numeric(),
    nodes = numeric()
  )
  best <- NULL
  for (i in seq_along(grid)) {
    plan$ready$criterion <- resolve_criterion(
      grid[[i]]$q, grid[[i]]$criterion, "forest", plan$ready$response$info$task
    )
    check_task(plan$ready$criterion, plan$ready$response$info)
    before <- (i - 1) * length(seeds)
    one <- grow_planned(plan, seeds, list(
      tick = if (!is.null(ticker$tick)) function(done) ticker$tick(before + done),
      close = function() NULL
    ))
    check_some_oob(one$oob)
    value <- plan$ready$criterion
    table[i, ] <- list(
      value$name, value$parameter[[1L]], one$oob$error,
      length(one$core$trees$variable) / length(seeds)
    )
    if (is.null(best) || first_in_table(table) == i) best <- one
  }
  names(table)[2L] <- names(value$parameter)
  table$chosen <- seq_len(nrow(table)) == first_in_table(table)
  best$tuning <- table
  best
}

# The row with the smallest error; on ties the one with smaller trees, then with q closest to 1.
first_in_table <- function(table) {
  tied <- which(table$error <= min(table$error) + 1e-12)
  tied[order(table$nodes[tied], abs(table[[2L]][tied] - 1))[1L]]
}

check_some_oob <- function(oob) {
  if (all(oob$times == 0L)) {
    tec_abort("oob", c(
      "There is no out-of-bag error to choose by.",
      x = "The sample of every tree contains all rows.",
      i = "Use {.code replace = TRUE} or a smaller {.arg sample_fraction}, or {.fn tec_tune} for \\
           single trees."
    ))
  }
}

new_forest <- function(grown, plan, input, settings, call) {
  ready <- plan$ready
  trees <- grown$core$trees
  new_fit("tec_forest", c(
    facts_of_data("tec_forest", ready, input, call),
    facts_of_classes(plan$cost, plan$priors),
    list(
      trees = trees, criterion = grown$criterion, control = ready$control,
      root = root_of_rows(ready), seeds = grown$seeds, mtry = plan$mtry,
      settings = list(
        replace = plan$replace, draws = plan$drawn$draws, by_class = plan$drawn$by_class,
        sample_weights = !is.null(plan$drawn$weights), probability = plan$probability
      ),
      used = used_columns(trees), oob = grown$oob,
      importance = forest_importance(grown$core$importance, plan)
    ),
    ready["copies"][!is.null(ready$copies)], gaps_of(ready)
  ))
}

# The columns with missing values, if the search ignores rows without a value. Needed by exports
# that cannot send a row down several branches, and for a message about the gains of single trees.
gaps_of <- function(ready) {
  if (ready$control$missing %in% c("fractional", "majority", "drop")) {
    list(gaps = which(has_missing(ready$frame, ready$rows)))
  }
}

# list(type, value, se), named by the predictors, or NULL.
forest_importance <- function(found, plan) {
  if (plan$importance == "none") {
    return(NULL)
  }
  named <- function(x) if (!is.null(x)) stats::setNames(as.double(x), plan$ready$frame$name)
  value <- if (is.list(found)) found[[1L]] else found
  list(
    type = plan$importance, value = named(value),
    se = named(if (is.list(found) && length(found) > 1L) found[[2L]])
  )
}

joined_trees <- function(first, second, fit) {
  classes <- length(fit$response$levels)
  leaf <- second$variable == 0L
  stored <- if (classes > 0L) length(first$shares) %/% classes else length(first$weight)
  kept <- leaf & second$right < 0L
  second$right[kept] <- second$right[kept] - as.integer(stored)
  column <- abs(second$variable[!leaf])
  by_sides <- logical(length(leaf))
  by_sides[!leaf] <- fit$columns$kind[column] == "nominal" & length(second$sides) > 0L
  second$cut[by_sides] <- second$cut[by_sides] + length(first$sides)
  out <- first
  nodes <- as.double(length(first$variable)) + length(second$variable)
  if (nodes >= .Machine$integer.max) {
    tec_abort("memory", c(
      "The forest would have too many nodes.", x = "It would have {number_text(nodes)}."
    ))
  }
  out$start <- c(first$start, length(first$variable) + second$start[-1L])
  for (part in c("variable", "right", "cut", "sides", "weight")) {
    out[[part]] <- c(first[[part]], second[[part]])
  }
  if (classes > 0L) out$shares <- matrix(c(first$shares, second$shares), classes)
  if (!is.null(first$own)) out$own <- c(first$own, second$own)
  out
}

# The progress of a forest: list(tick = a function of the number of finished trees, or NULL, close).
# cli shows its bar only after two seconds.
forest_ticker <- function(settings, total, envir) {
  none <- list(tick = NULL, close = function() NULL)
  if (!settings$progress) {
    return(none)
  }
  if (progressr_listens()) {
    step <- progressr::progressor(steps = total, envir = envir)
    last <- 0
    tick <- function(done) {
      if (done > last) step(amount = done - last)
      last <<- done
    }
    return(list(tick = tick, close = function() NULL))
  }
  if (!rlang::is_interactive()) {
    return(none)
  }
  bar <- cli::cli_progress_bar("Growing trees", total = total, .auto_close = FALSE)
  list(
    tick = function(done) cli::cli_progress_update(set = done, id = bar),
    close = function() cli::cli_progress_done(id = bar)
  )
}

progressr_listens <- function() {
  if (!isNamespaceLoaded("progressr")) {
    return(FALSE)
  }
  around <- vapply(sys.calls(), function(call) call_head(call) == "with_progress", NA)
  any(around) || isTRUE(progressr::handlers(global = NA))
}
