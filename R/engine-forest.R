# Forests of data elsewhere. A tree's bag is a function of the key of each row and the number of the
# tree. So the engine counts bags like all rows, and no bag is stored.

forest_elsewhere <- function(formula, data, table, asked, settings, control, engine, call,
                             env) {
  fit_elsewhere(
    formula, data, table, engine, as.list(call)[c("weights", "subset", "sample_weights")],
    control,
    read = function(data, exprs) {
      input <- formula_input(formula, data, exprs$weights, exprs$subset, env)
      settings["sample_weights"] <- list(
        eval_argument(exprs$sample_weights, data, env, env, "sample_weights")
      )
      grow_forest(input, asked, settings, control, call)
    },
    check = function(response) {
      check_table_arguments(call, asked)
      check_counted_forest(check_forest_settings(settings), engine)
      like <- if (response$task == "classification") factor(character()) else numeric()
      own <- forest_control(control, like, settings$probability)
      check_countable(asked, own, response, "forest")
    },
    count = function(counter, terms, engine) {
      grow_counted_forest(counter, terms, asked, settings, control, engine, call)
    }
  )
}

grow_counted_forest <- function(counter, terms, asked, settings, control, engine, call = NULL) {
  settings <- check_forest_settings(settings)
  meta <- counter$meta()
  check_counted_rows(meta, terms$input)
  check_counted_forest(settings, engine)
  plan <- plan_counted_forest(counter, meta, terms, asked, settings, control, engine)
  seeds <- draw_seeds(settings$trees)
  ticker <- forest_ticker(settings, length(seeds), environment())
  on.exit(ticker$close())
  trees <- lapply(seq_along(seeds), function(i) {
    tree <- grow_in_bag(counter, plan, i, seeds[i], settings)
    if (!is.null(ticker$tick)) ticker$tick(i)
    tree
  })
  fit <- new_counted_forest(trees, plan, seeds, settings, call)
  fit$passes <- counter$passes()
  fit
}

check_counted_forest <- function(settings, engine) {
  check_key(engine, "A forest of a table needs a column that identifies its rows.")
  rows <- c("sample_weights", "by_class")
  given <- rows[!vapply(settings[rows], is.null, NA)]
  if (length(given)) abort_needs_rows(given[1L], "replace = TRUE")
  if (settings$importance %in% c("corrected", "permutation")) {
    abort_needs_rows(paste0("importance = \"", settings$importance, "\""), "importance = \"none\"")
  }
}

# Like plan_counted() of a tree, once for all trees.
plan_counted_forest <- function(counter, meta, terms, asked, settings, control, engine) {
  like <- if (meta$response$kind == "class") factor(character()) else numeric()
  control <- forest_control(control, like, settings$probability)
  engine <- engine_of_many(engine)
  plan <- plan_counted(counter, meta, terms, asked, control, engine, "forest")
  plan$mtry <- resolve_mtry(
    settings$mtry, plan$control$max_features, length(meta$columns),
    plan$ready$response$info$task
  )
  if (any(plan$codes$bins)) {
    tec_inform("engine", c(
      "{.field {plan$ready$frame$name[plan$codes$bins]}}: cuts between {engine$bins} bins only.",
      i = "For all values: {.code engine = tec_engine(max_values = Inf)}."
    ))
  }
  plan
}

# Grows a tree from the rows in its bag.
grow_in_bag <- function(counter, plan, number, seed, settings) {
  plan$bag <- list(
    tree = number, replace = settings$replace,
    fraction = settings$sample_fraction %||% (if (settings$replace) 1 else 0.632)
  )
  plan$root <- counter$counts(1L, counted_what(plan, 0L))
  if (length(plan$root$n) == 0L) {
    tec_abort("engine", c(
      "The bag of tree {number} is empty.", i = "Use a larger {.arg sample_fraction}."
    ))
  }
  control <- plan$control
  control["max_features"] <- list(if (plan$mtry < length(plan$meta$columns)) plan$mtry)
  ready <- plan$ready
  ready$total <- sum(plan$root$n[plan$root$column == 1L])
  plan$core <- core_problem(
    ready, plan$cost, control, plan$priors$factors,
    seed = seed, more = draws_more(ready, control)
  )
  plan$core$control$copies <- mean_copies(plan$bag)
  grow_by_level(counter, plan)$tree
}

# How often a row of a bag counts on average: numbers of copies have a Poisson distribution.
mean_copies <- function(bag) {
  if (bag$replace) bag$fraction / -expm1(-bag$fraction) else 1
}

new_counted_forest <- function(trees, plan, seeds, settings, call) {
  ready <- plan$ready
  frame <- ready$frame
  forest <- tec_trees_as_forest_(trees, unname(kind_codes[frame$kind]), as.integer(frame$n_levels))
  root <- ready$class_totals %||% c(weight = ready$total, mean = plan$meta$response$mean)
  new_fit("tec_forest", c(
    facts_of_data("tec_forest", ready, plan$input, call, counted_rows(plan$meta, ready)),
    facts_of_classes(plan$cost, plan$priors),
    list(
      trees = forest, criterion = ready$criterion, control = plan$control, root = root,
      seeds = seeds, mtry = plan$mtry,
      settings = list(
        replace = settings$replace, draws = counted_rows(plan$meta, ready), by_class = NULL,
        sample_weights = FALSE, probability = settings$probability
      ),
      used = used_columns(forest), oob = NULL, importance = NULL
    )
  ))
}
