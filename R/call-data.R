# A fit stores no data and no environment. Functions that need the training rows evaluate the data
# of the call in the user's environment, and use them only if they still are the training rows.

# The expression of a call that gives its rows.
call_data <- function(call) {
  if (!is.null(call$x)) {
    return(as.call(list(quote(data.frame), call$x, y = call$y)))
  }
  call$data %||% call$formula
}

shorten_code <- function(expr) fit_width(expr_text(expr), 40L)

call_rows <- function(fit, env) {
  call <- fit$call
  if (is.null(call$x)) {
    formula <- fit$formula
    environment(formula) <- env
    source <- if (!is.null(call$data)) check_data(eval(call$data, env))
    source <- source %||% formula_variables(fit, env)
    input <- formula_input(formula, source, call[["weights"]], call$subset, env)
  } else {
    x <- eval(call$x, env)
    input <- xy_input(x, eval(call$y, env), eval(call[["weights"]], env), eval(call$subset, env))
    source <- as_columns(x)
    source[[input$response_name]] <- input$response
  }
  # The data may have new columns, which `.` would include.
  at <- match(fit$columns$name, input$names)
  of_columns <- c("values", "names", "predictors", "needs")
  if (!anyNA(at)) input[of_columns] <- lapply(input[of_columns], `[`, at)
  y <- check_response(input$response, input$response_name, input$n)
  na_action <- given_action(eval(call$na.action, env))
  if (is_mars(fit)) na_action <- na_action %||% stats::na.omit
  action <- resolve_na_action(na_action)
  used <- suppressMessages(used_rows(input, y, action), classes = "tec_message")
  rows <- used$rows %||% seq_len(input$n)
  weights <- scaled_weights(used$weights, used$rows, meaning_of(fit$control))
  list(
    data = source[rows, , drop = FALSE], y = y[rows], used_weights = weights[rows],
    source = source, rows = rows, weights = input$weights, subset = input$subset, input = input,
    na_action = na_action
  )
}

# Without `data`, the variables are those of the formula.
formula_variables <- function(fit, env) {
  names <- unique(c(free_variables(fit$formula[[2L]]), unlist(fit$columns$needs)))
  as.data.frame(mget(names, envir = env, inherits = TRUE), optional = TRUE)
}

# Whether rows are the training rows, in the same order, judged by what a fit stores about them.
same_rows <- function(fit, found, env) {
  known <- fit$marks
  columns <- seq_along(fit$columns$name)
  values <- or_null(code_newdata(fit, found$data, columns, env, arg = "data"))
  y <- or_null(node_response(fit, found$data, found$y, env))
  weights <- found$used_weights
  rows <- NULL
  # A row with frequency n counts as n rows.
  if (counts_frequencies(fit) && is.null(known$weights) && identical(sum(weights), known$n + 0)) {
    rows <- rep.int(seq_along(y), weights)
    weights <- NULL
  }
  if (is.null(known) || is.null(values) || is.null(y)) {
    return(FALSE)
  }
  marks <- row_marks(values, y, rows, weights, default_threads())
  if (!is.null(known$offset)) {
    offset <- or_null(offset_of_rows(fit, found$data, env, training = TRUE))
    offset <- or_null(resolve_offset(offset, length(y), ncol(known$offset)))
    marks$offset <- offset_marks(offset, rows)
  }
  has <- function(marks) c(is.null(marks$weights), is.null(marks$offset))
  identical(marks$n, known$n) && identical(has(marks), has(known)) &&
    length(parts_that_differ(fit, marks)) == 0L
}

# The rows of a boosted model, prepared as for growing.
input_ready <- function(fit, found) {
  asked <- forest_asked(fit, found$na_action)
  copy_rows(prepare(found$input, asked, fit$control, preset = "forest"))
}

# list(data = the rows used, y = their response, used_weights = their weights in sums, source = all
# rows, weights, subset), or an error that says why `arg` must be given. A row with frequency n is
# one row of `data`.
training_rows <- function(fit, what, env, arg = "data") {
  reason <- "Its call does not say where its rows are."
  if (!is.null(fit$call) && !grepl("^`?<", shorten_code(call_data(fit$call)))) {
    other <- FALSE
    for (frame in unique(list(env, globalenv()))) {
      found <- or_null(suppressWarnings(call_rows(fit, frame)))
      if (!is.null(found) && suppressWarnings(same_rows(fit, found, frame))) {
        return(found)
      }
      other <- other || !is.null(found)
    }
    reason <- paste0(
      "{.code {shorten_code(call_data(fit$call))}} of its call ",
      if (other) "contains other rows now." else "cannot be evaluated here."
    )
  }
  tec_abort("data", c(
    "{.fn {what}} needs {.arg {arg}}: a {model_word(fit)} does not store its rows.", x = reason,
    i = "Give the rows, for example {.code {what}(fit, {arg} = training)}."
  ))
}

# Rows that the user gives come without the weights of the fit.
say_unweighted <- function(fit) {
  if (!is.null(fit$call[["weights"]]) || !is.null(fit[["marks"]]$weights)) {
    tec_inform("weights", c(
      "The rows of {.arg data} all count equally: the weights of the fit are not used.",
      i = "Without {.arg data}, the training rows are used with their weights, if they are found."
    ))
  }
}

rows_of_call <- function(fit, what, env) {
  found <- training_rows(fit, what, env)
  weights <- fit$call$sample_weights
  if (!is.null(weights)) {
    found$sample_weights <- eval_argument(
      weights, found$source, env, globalenv(), "sample_weights"
    )
  }
  found
}

# `rows`: list(data, y, weights, sample_weights). Returns list(ready =, sample_weights = those of
# the rows used, input =, n =).
forest_training <- function(fit, what, env, rows) {
  data <- rows$data
  check_needs_data(
    data, y = rows$y, weights = rows$weights, sample_weights = rows$sample_weights
  )
  found <- if (is.null(data)) {
    rows_of_call(fit, what, env)
  } else {
    list(
      input = given_input(fit, check_newdata(data, "data"), rows$y, rows$weights, env),
      sample_weights = rows$sample_weights
    )
  }
  ready <- suppressMessages(
    forest_ready(fit, found$input, found$na_action), classes = "tec_message"
  )
  if (!is.null(data)) check_same_rows(fit, ready, what, is.null(rows$weights))
  sampled <- check_sample_weights(found$sample_weights, found$input$n, ready$rows)
  if (isTRUE(fit$settings$sample_weights) && is.null(sampled)) {
    tec_abort("data", c(
      "{.fn {what}} needs {.arg sample_weights}: the forest was grown with them.",
      i = "Give them with {.arg data}."
    ))
  }
  list(
    ready = ready, sample_weights = sampled, input = found$input, n = found$input$n,
    na_action = found$na_action
  )
}
