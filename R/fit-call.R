# Tested in test-settings.R, test-other-words.R and test-forest-words.R.
# From the call of a method, such as tec_boost.formula(), to the function that grows the model.

# The body of the methods of tec_<model>(). `by_formula`: the method for a formula. `read`: the
# function that reads the arguments. `grow` gets an environment with the arguments, `input`, `call`,
# `env` (where the call was made) and `frame` (of the method). `elsewhere`, for a table that is not
# in memory, gets `formula`, `data`, `engine` and `table` instead of `input`.
fit_model <- function(model, by_formula, grow, elsewhere = NULL, read = read_settings) {
  at <- sys.parent()
  method <- sys.function(at)
  written <- sys.call(at)
  frame <- parent.frame()
  env <- parent.frame(2L)
  call <- match.call(method, written, TRUE, env)
  own <- names(formals(method))
  has_formula <- "formula" %in% own
  if (if (has_formula) !is_given("formula", frame) else "formula" %in% names(call)) {
    return(eval(formula_first(written, by_formula), env))
  }
  if (!has_formula && !is_given("x", frame) && "data" %in% names(call)) {
    abort_no_formula(paste0("tec_", model))
  }
  if (has_other_words(names(call)[!names(call) %in% own], model)) {
    dotted <- match.call(method, written, FALSE, env)
    return(eval_translated(dotted, method, model, frame, env))
  }
  given <- list2env(read(model, frame, call))
  given$call <- call
  given$env <- env
  given$frame <- frame
  if (!has_formula) {
    x <- if_given("x", frame)
    given$input <- xy_input(x, if_given("y", frame), frame$weights, frame$subset)
    return(grow(given))
  }
  data <- if_given("data", frame)
  if (!is.null(elsewhere)) {
    if (is_elsewhere(data)) {
      for (name in c("formula", "data", place_arguments)) given[[name]] <- frame[[name]]
      return(elsewhere(given))
    }
    check_in_memory(frame$engine, frame$table)
  }
  given$input <- formula_input(frame$formula, data, call[["weights"]], call[["subset"]], env)
  around <- environment(frame$formula) %||% globalenv()
  for (name in intersect(row_arguments, names(given$settings))) {
    given$settings[name] <- list(eval_argument(given$settings[[name]], data, around, env, name))
  }
  grow(given)
}

# Whether an argument of the function with this frame is given.
is_given <- function(name, frame) {
  exists(name, frame, inherits = FALSE) && !eval(call("missing", as.name(name)), frame)
}

if_given <- function(name, frame) if (is_given(name, frame)) frame[[name]]

# list(control, asked, settings). In a method for a formula, settings with one value per row are
# expressions.
read_settings <- function(model, frame, call) {
  dots <- eval(quote(list(...)), frame)
  known <- arguments_of(model)
  what <- paste0("tec_", model)
  control <- if ("control" %in% known) {
    merge_control(if_given("control", frame), dots, known, what)
  } else {
    check_known(dot_names(dots), known, what)
  }
  own <- own_arguments[[model]]
  rows <- own[own %in% row_arguments & exists("formula", frame, inherits = FALSE)]
  written <- lapply(stats::setNames(nm = rows), function(row) call[[row]])
  list(
    control = control,
    asked = c(mget(asked_arguments[[model]], frame), list(
      na_action = given_action(frame$na.action), words = task_words(dots)
    )),
    settings = c(mget(own[!own %in% rows], frame), written)
  )
}
