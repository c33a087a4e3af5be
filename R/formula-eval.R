# Evaluates the terms of a formula: plain names are columns of the data, calls are evaluated (see
# freeze.R).

eval_response <- function(lhs, data, env) {
  if (is.symbol(lhs)) {
    return(find_variable(as.character(lhs), data, env))
  }
  check_variables(lhs, data, env)
  eval_expr(lhs, data, env)
}

# Plain columns are taken all at once; calls are evaluated. `needs` names the columns that
# prediction needs.
eval_terms <- function(terms, data, env, n) {
  check_duplicates(terms, data)
  plain <- vapply(terms$expr, is.symbol, NA)
  at <- if (is.null(data)) rep(NA_integer_, length(plain)) else match(terms$name, names(data))
  values <- vector("list", length(plain))
  needs <- as.list(terms$name)
  from_data <- plain & !is.na(at)
  values[from_data] <- .subset(data, at[from_data])
  for (i in which(plain & is.na(at))) {
    values[[i]] <- find_variable(terms$name[i], data, env, n)
  }
  for (i in which(!plain)) {
    term <- eval_call(terms$expr[[i]], data, env, n)
    values[[i]] <- term$value
    needs[[i]] <- term$needs
    terms$expr[[i]] <- term$expr
  }
  list(values = values, names = terms$name, predictors = terms$expr, needs = needs)
}

check_duplicates <- function(terms, data) {
  repeated <- unique(names(data)[duplicated(names(data))])
  if (length(repeated) == 0L) {
    return(invisible())
  }
  calls <- terms$expr[!vapply(terms$expr, is.symbol, NA)]
  used <- c(terms$name, unlist(lapply(calls, free_variables)))
  repeated <- intersect(repeated, used)
  if (length(repeated)) {
    tec_abort("formula", c(
      "{.arg data} has several columns of the same name.",
      x = "{cli::qty(length(repeated))}Repeated name{?s}: {.val {repeated}}.",
      i = "Rename them, for example with {.fn make.unique}."
    ))
  }
}

# A variable of the data, otherwise of the formula's environment.
find_variable <- function(name, data, env, n = NULL) {
  at <- match(name, names(data))
  if (!is.na(at)) {
    return(.subset2(data, at))
  }
  value <- get0(name, envir = env)
  usable <- !is.null(value) && !is.function(value) && !is.environment(value)
  if (!usable || (!is.null(data) && NROW(value) != nrow(data))) {
    abort_unknown(name, data)
  }
  if (!is.null(n) && NROW(value) != n) {
    tec_abort("formula", c(
      "The variables of the formula differ in length.",
      x = "The response has {n} value{?s}, {.field {name}} has {NROW(value)}."
    ))
  }
  value
}

abort_unknown <- function(name, data) {
  if (is.null(data)) {
    tec_abort("formula", c(
      "Variable {.val {name}} of the formula is not found.",
      i = "Give the data frame that contains it as {.arg data}."
    ))
  }
  tec_abort("formula", c(
    "Column {.val {name}} of the formula is not in {.arg data}.",
    suggestion(name, names(data))
  ))
}

check_variables <- function(expr, data, env) {
  lost <- setdiff(free_variables(expr), names(data))
  if ("$" %in% all.names(expr) && !all(vapply(lost, exists, NA, envir = env))) {
    tec_abort("formula", c(
      "The formula must name columns of {.arg data}.",
      x = "It has {.code {expr_text(expr)}}.",
      i = "Write {.code {gsub('[^~+ ]*[$]', '', expr_text(expr))}} and give the data frame as \
           {.arg data}."
    ))
  }
  for (name in lost) {
    if (!exists(name, envir = env)) {
      abort_unknown(name, data)
    }
  }
}

# `weights` and `subset` are evaluated where lm() would look for them, then where the call was made.
eval_argument <- function(expr, data, env, caller, arg) {
  if (is.null(expr)) {
    return(NULL)
  }
  failed <- function(e) {
    if (inherits(e, "tec_error")) stop(e)
    written <- behind_dots(expr, caller)
    if (!identical(written, expr)) {
      return(eval_argument(written, data, env, caller, arg))
    }
    abort_not_evaluated(expr, data, list(env, caller), arg, conditionMessage(e))
  }
  look <- function(env) {
    value <- eval(expr, data, env)
    # The function weights() is not meant.
    if (is.function(value)) stop("It is a function.")
    value
  }
  tryCatch(look(env), error = but_limits(function(e) {
    if (identical(env, caller)) {
      return(failed(e))
    }
    tryCatch(look(caller), error = but_limits(failed))
  }))
}

# The expression that the user wrote, if a function passed its `...` on as a symbol such as `..1`.
behind_dots <- function(expr, caller) {
  is_dot <- function(x) is.symbol(x) && grepl("^[.][.][0-9]+$", as.character(x))
  if (!is_dot(expr)) {
    return(expr)
  }
  dots <- or_null(eval(quote(substitute(list(...))), caller))
  at <- as.integer(substring(as.character(expr), 3L)) + 1L
  # If `...` is passed on twice, `..1` of one function may be `..2` of the other.
  if (at > length(dots) || is_dot(dots[[at]])) expr else dots[[at]]
}

abort_not_evaluated <- function(expr, data, envs, arg, said) {
  there <- function(name) any(vapply(envs, function(env) exists(name, envir = env), NA))
  lost <- Filter(Negate(there), setdiff(free_variables(expr), names(data)))
  if (length(lost) == 0L) {
    tec_abort("argument", c(
      "{.arg {arg}} cannot be evaluated: {.code {expr_text(expr)}}.", x = "{said}"
    ))
  }
  where <- if (is.null(data)) "" else " is not a column of {.arg data}, and"
  tec_abort("argument", c(
    "{.arg {arg}} uses {.val {lost[1L]}}, which is not found.",
    x = paste0("{.val {lost[1L]}}", where, " is not in the environment of the formula."),
    suggestion(lost[1L], names(data))
  ))
}

# The value of a term that is a call, the frozen call, and the columns that it needs.
eval_call <- function(expr, data, env, n) {
  check_variables(expr, data, env)
  written <- expr
  split <- split_variables(expr, data, env, n)
  # The environment is not stored, so the values found there are inserted into the call.
  expr <- replace_variables(expr, split$constants)
  expr <- freeze_call(expr, split$columns, env)
  value <- drop_matrix(eval_expr(expr, split$columns, env), written)
  if (length(value) != n) {
    tec_abort("formula", c(
      "{.code {expr_text(written)}} in the formula must give one value per row.",
      x = "It gives {length(value)} value{?s} for {n} row{?s}."
    ))
  }
  if (length(split$columns) == 0L) {
    tec_abort("formula", "{.code {expr_text(written)}} in the formula uses no column.")
  }
  check_rowwise(expr, written, value, split$columns, env, n)
  list(value = value, expr = expr, needs = names(split$columns))
}
