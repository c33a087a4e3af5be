# Tested in test-tune.R and test-tune-default.R.
# The grid of tec_tune(): every combination of a criterion with its parameter and of the settings of
# tec_control() that have several values.
#
# A setting is list(criterion =, control =, alpha =): a tec_criterion, a resolved tec_control, and
# the complexity penalty by which the grown tree is pruned, or NULL.

# list(table = one row per setting, settings = a list). `controls` comes from control_grid().
tune_grid <- function(criteria, controls, preset, task) {
  n_controls <- length(controls$control)
  of_criterion <- rep(seq_along(criteria), each = n_controls)
  of_control <- rep(seq_len(n_controls), length(criteria))
  table <- criteria_table(criteria)[of_criterion, , drop = FALSE]
  table <- cbind(table, controls$table[of_control, , drop = FALSE])
  rownames(table) <- NULL
  full <- lapply(controls$control, function(control) {
    rules_for_task(resolve_control(control, preset), control$rules, task)
  })
  settings <- Map(
    function(criterion, control, alpha) {
      list(criterion = criterion, control = control, alpha = alpha)
    },
    criteria[of_criterion], full[of_control], controls$alpha[of_control]
  )
  list(table = table, settings = unname(settings))
}

# Numeric values without duplicates.
check_grid <- function(values, arg, least = -Inf) {
  if (is.null(values)) {
    return(NULL)
  }
  if (!is.numeric(values) || is.object(values) || !is.null(dim(values))) {
    abort_found("{.arg {arg}} must be a vector of numbers to choose among.", values, topic = "grid")
  }
  if (length(values) == 0L) {
    tec_abort("grid", c("{.arg {arg}} must contain at least one number.", x = "It is empty."))
  }
  bad <- !is.finite(values) | values < least
  if (any(bad)) {
    first <- format(values[bad][1L])
    tec_abort("grid", c(
      if (is.finite(least)) {
        "Every value of {.arg {arg}} must be a finite number of at least {least}."
      } else {
        "Every value of {.arg {arg}} must be a finite number."
      },
      x = "{cli::qty(sum(bad))}{sum(bad)} value{?s} {?is/are} not, the first {.val {first}}."
    ))
  }
  unique(as.double(values))
}

# A list of criteria, each with its parameter.
criterion_grid <- function(q, beta, criterion, preset, task) {
  if (is.null(criterion)) {
    criterion <- c(if (!is.null(q)) "tsallis", if (!is.null(beta)) "beta")
  }
  criterion <- criterion %||% preset_criterion(preset, task)
  named <- as_criterion_list(criterion)
  check_parameter_used(q, "q", named)
  check_parameter_used(beta, "beta", named)
  named <- suited_criteria(named, task)
  out <- lapply(named, with_parameters, values = list(q = q, beta = beta))
  out <- unlist(out, recursive = FALSE)
  out[!duplicated(vapply(out, criterion_key, ""))]
}

# Each entry is a name or a tec_criterion. `arg`: the name of the argument in the user's call.
as_criterion_list <- function(criterion, arg = "criterion") {
  if (inherits(criterion, "tec_criterion")) {
    return(list(criterion))
  }
  ok <- (is.character(criterion) || is.list(criterion)) && length(criterion) > 0L
  if (!ok) {
    abort_found(
      "{.arg {arg}} must be names from {.fn tec_criteria}, or a list of {.fn tec_criterion}.",
      criterion, topic = "criterion"
    )
  }
  criterion <- as.list(criterion)
  for (one in criterion) tec_criterion(one)
  criterion
}

check_parameter_used <- function(values, parameter, named) {
  takes <- vapply(named, function(one) {
    is.character(one) && identical(names(tec_criterion(one)$parameter), parameter)
  }, NA)
  if (is.null(values) || any(takes)) {
    return(invisible())
  }
  shown <- vapply(named, function(one) format(tec_criterion(one)), "")
  tec_abort("criterion", c(
    "{.arg {parameter}} is given, but no criterion uses it.",
    x = "{cli::qty(length(shown))}The criteri{?on is/a are} {.val {shown}}.",
    i = "A criterion made by {.fn tec_criterion} has its own parameter."
  ))
}

# If there are several criteria, those for the other task are left out with a message.
suited_criteria <- function(named, task) {
  task_of <- vapply(named, function(one) tec_criterion(one)$task, "")
  if (length(named) == 1L || !any(task_of == task)) {
    return(named[1L])
  }
  if (any(task_of != task)) {
    lost <- vapply(named[task_of != task], function(one) tec_criterion(one)$name, "")
    tec_inform("criteria", c(i = "Not for {task} and left out: {.val {unique(lost)}}."))
  }
  named[task_of == task]
}

with_parameters <- function(one, values) {
  base <- tec_criterion(one)
  grid <- if (length(base$parameter)) values[[names(base$parameter)]]
  if (inherits(one, "tec_criterion") || is.null(grid)) {
    return(list(base))
  }
  arguments <- c("name", names(base$parameter))
  lapply(grid, function(value) {
    do.call(tec_criterion, stats::setNames(list(base$name, value), arguments))
  })
}

criterion_key <- function(criterion) {
  paste(c(criterion$name, format(criterion$parameter, digits = 17)), collapse = " ")
}

criteria_table <- function(criteria) {
  parameter <- function(name) {
    vapply(criteria, function(one) {
      if (identical(names(one$parameter), name)) one$parameter[[1L]] else NA_real_
    }, 0)
  }
  table <- data.frame(
    criterion = vapply(criteria, `[[`, "", "name"), q = parameter("q"), beta = parameter("beta"),
    stringsAsFactors = FALSE
  )
  table[c(TRUE, !all(is.na(table$q)), !all(is.na(table$beta)))]
}

# Arguments of tec_control() with several values span the grid. Returns list(table = the varying
# arguments, control = one tec_control per row, alpha = a list, given = its own arguments).
control_grid <- function(control, dots, known, what) {
  control <- as_control(control)
  given <- list(control = control, dots = dots, known = known, what = what)
  alpha <- check_alpha_grid(dots$alpha)
  if (is.numeric(dots$alpha)) dots$alpha <- NULL
  # Unknown names are reported first.
  check_known(dot_names(dots), c(control_names, known), what)
  empty <- lengths(dots) == 0L & !vapply(dots, is.null, NA)
  if (any(empty)) {
    arg <- names(dots)[empty][1L]
    tec_abort("grid", c("{.arg {arg}} must contain at least one value.", x = "It is empty."))
  }
  values <- lapply(dots, function(x) {
    if (is.atomic(x) && !is.null(x)) as.list(unique(x)) else list(x)
  })
  if (length(alpha)) values$alpha <- as.list(alpha)
  at <- rev(expand.grid(rev(lapply(values, seq_along))))
  if (length(values) == 0L) at <- data.frame(row.names = 1L)
  rows <- lapply(seq_len(nrow(at)), function(i) Map(function(v, j) v[[j]], values, at[i, ]))
  several <- names(values)[lengths(values) > 1L]
  if ("weights_as" %in% several) {
    tec_abort("grid", c(
      "{.arg weights_as} must be one word.",
      x = "Weights have the same meaning for all trees of a grid."
    ))
  }
  list(
    table = as.data.frame(
      lapply(stats::setNames(several, several), function(name) unlist(values[[name]][at[[name]]])),
      stringsAsFactors = FALSE
    ),
    control = lapply(rows, function(row) {
      # The tree that the penalties prune is grown in full.
      if (length(alpha)) row$prune <- "none"
      merge_control(control, row[setdiff(names(row), if (length(alpha)) "alpha")], known, what)
    }),
    alpha = lapply(rows, function(row) if (length(alpha)) row$alpha),
    given = given
  )
}

# Complexity penalties. They prune one tree, so they are not settings of its growth.
check_alpha_grid <- function(alpha) {
  if (!is.numeric(alpha)) {
    return(NULL)
  }
  check_grid(alpha, "alpha", least = 0)
}
