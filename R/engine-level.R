# Tested in test-engine-grow.R and test-engine-bins.R.
# Growth by level: passes the core's questions to a counter until the tree is grown.

# list(tree =, found = how each node was searched). `keep`: called after each level with the answers
# so far.
grow_by_level <- function(counter, plan, answers = list(), keep = function(answers) NULL) {
  # Queries have nested conditions, which are written by recursion.
  tryCatch(take_levels(counter, plan, answers, keep), stackOverflowError = function(e) {
    tec_abort("engine", c(
      "The tree is too deep to be counted: R's stack is too small for the query of its next level.",
      i = deep_tree_advice
    ))
  })
}

take_levels <- function(counter, plan, answers, keep) {
  state <- counted_state(plan)
  report <- level_ticker(plan$engine)
  known <- length(answers)
  level <- 0L
  repeat {
    step <- tec_counted_grow_(state$growth)
    if (!is.null(step$tree)) break
    if (!is.null(step$look)) {
      cells <- counter$inside(c(step$look, counted_what(plan, level)["centre"]))
      check_conflict(tec_counted_look_(state$growth, core_cells(cells)), plan)
      next
    }
    if (is.null(step$ask)) {
      collect_nodes(state, counter, step$collect)
      next
    }
    level <- level + 1L
    if (level > known) {
      answers[[level]] <- counter$counts(step$ask$frontier, counted_what(plan, level))
      report(level, step$ask, answers[[level]])
    }
    check_conflict(tec_counted_answer_(state$growth, core_cells(answers[[level]])), plan)
    if (level > known) keep(answers)
  }
  step$growth <- state$growth
  step
}

counted_state <- function(plan) {
  response <- plan$meta$response
  made <- tec_counted_(
    plan$core, plan$codes$values, plan$codes$bins, core_cells(plan$root),
    plan$engine$collect_rows, response$centre %||% 0, 1 / (response$scale %||% 1),
    response$bits %||% 0L, plan$engine$exact != "bins"
  )
  check_conflict(made$conflict, plan)
  if (any(plan$codes$bins) && !made$bounded) say_bins(plan)
  list(growth = made$growth, plan = plan)
}

# Says that the criterion has no bound for cuts inside bins.
say_bins <- function(plan) {
  if (plan$engine$exact == "bins") {
    return(invisible())
  }
  names <- plan$ready$frame$name[plan$codes$bins]
  message <- c(
    "The best cuts of {.field {names}} cannot be certified with these settings.",
    x = "{cli::qty(length(names))}{?It has/They have} more than {plan$engine$max_values} different
         values, and criterion {.val {plan$ready$criterion$name}} has no bound for cuts inside a
         bin.",
    i = "Cuts between {plan$engine$bins} bins are searched; {.code fit$found} marks the nodes.
         For all values: {.code engine = tec_engine(max_values = Inf)}."
  )
  if (plan$engine$exact == "certify") tec_abort("engine", message)
  tec_inform("engine", message)
}

# Cells in the form that the core takes.
core_cells <- function(cells) {
  cells$rows <- cells$rows %||% cells$n
  whole <- names(cells) %in% c("node", "column", "code", "class")
  c(lapply(cells[whole], as.integer), lapply(cells[!whole], as.double))
}

# The number of values fetched at a time: 80 MB.
values_together <- 1e7

# Fetches nodes with few rows, many in one query, and grows each from its rows.
collect_nodes <- function(state, counter, asked) {
  rows <- values_together / (length(state$plan$meta$columns) + 3)
  batch <- cumsum(asked$rows) %/% max(state$plan$engine$collect_rows, rows)
  for (ids in split(asked$id, batch)) {
    rows <- counter$rows(tec_counted_frontier_(state$growth, ids))
    for (id in ids) {
      core <- fetched_core(state, rows[[as.character(id)]])
      check_conflict(tec_counted_collect_(state$growth, id, core), state$plan)
    }
  }
}

fetched_core <- function(state, rows) {
  core <- state$plan$core
  core$columns <- lapply(seq_along(state$plan$meta$columns), function(j) {
    of <- state$plan$meta$columns[[j]]
    x <- rows[[j]]
    if (of$kind == "numeric") as.double(unclass(x)) else match(as.character(x), of$values)
  })
  y <- rows[["y"]]
  core$response$y <- if (core$response$n_classes > 0L) {
    match(as.character(y), state$plan$meta$response$levels)
  } else {
    as.double(y)
  }
  if (!is.null(rows[["w"]])) core$weights <- as.double(rows[["w"]])
  core
}

# Counts that contradict those of the level above.
check_conflict <- function(conflict, plan) {
  if (is.null(conflict)) {
    return(invisible())
  }
  column <- plan$meta$columns[[conflict$column]]$name
  class <- if (conflict$class > 0L) plan$meta$response$levels[conflict$class]
  what <- if (conflict$class == -1L) "a sum of" else "counts of"
  tec_abort("counts", c(
    "The counts do not add up: the table changed, or a part of it was not counted.",
    x = paste(
      "In node {conflict$node}, by column {.field {column}}, {what}",
      if (is.null(class)) "all rows" else "class {.val {class}}",
      "add up to {format(conflict$found, digits = 15)}; by the split above it must be
       {format(conflict$promised, digits = 15)}."
    ),
    i = "Use a table that does not change while it is read, or a copy of it."
  ))
}

# Reports each level.
level_ticker <- function(engine) {
  if (!engine$progress) {
    return(function(level, ask, cells) NULL)
  }
  started <- proc.time()[["elapsed"]]
  function(level, ask, cells) {
    seconds <- proc.time()[["elapsed"]] - started
    started <<- started + seconds
    rows <- whole_text(sum(ask$rows))
    counts <- whole_text(length(cells$n))
    tec_inform("engine", paste(
      "Level {level}: {length(ask$id)} node{?s} of {rows} rows, {counts} counts,",
      "{round(seconds, 1)} s."
    ))
  }
}

# Describes what is counted. `plan$bag`: the rows of a tree of a forest; `plan$fold`: the rows
# outside a fold (see engine-tune.R).
counted_what <- function(plan, level) {
  list(
    columns = seq_along(plan$meta$columns), level = level, centre = plan$meta$response$centre,
    bag = plan$bag, fold = plan$fold
  )
}
