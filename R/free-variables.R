# The variables of an expression, without those that a function inside it binds itself:
# `sapply(x, function(v) v + shift)` has `x` and `shift`.

free_variables <- function(expr) unique(found_variables(expr, character()))

found_variables <- function(expr, bound) {
  if (is.symbol(expr)) {
    name <- as.character(expr)
    return(if (nzchar(name) && !name %in% bound) name)
  }
  if (!is.call(expr)) {
    return(NULL)
  }
  if (is_function_call(expr)) {
    bound <- c(bound, bound_names(expr))
    parts <- c(as.list(expr[[2L]]), expr[[3L]])
  } else {
    parts <- call_parts(expr)
  }
  unlist(lapply(parts, found_variables, bound))
}

# The expression with the values of variables written in.
replace_variables <- function(expr, values) {
  if (length(values) == 0L) {
    return(expr)
  }
  if (is.symbol(expr)) {
    name <- as.character(expr)
    return(if (name %in% names(values)) values[[name]] else expr)
  }
  if (!is.call(expr)) {
    return(expr)
  }
  if (is_function_call(expr)) {
    values <- values[setdiff(names(values), bound_names(expr))]
    expr[[2L]] <- replace_defaults(expr[[2L]], values)
    expr[3L] <- list(replace_variables(expr[[3L]], values))
    # Without the source text, which would still show the names.
    return(expr[1:3])
  }
  parts <- part_numbers(expr)
  if (call_head(expr) %in% c("$", "@")) parts <- setdiff(parts, 3L)
  for (i in parts) expr[i] <- list(replace_variables(expr[[i]], values))
  expr
}

replace_defaults <- function(formals, values) {
  for (i in seq_along(formals)) {
    if (is.call(formals[[i]]) || nzchar(as.character(formals[[i]])[1L])) {
      formals[i] <- list(replace_variables(formals[[i]], values))
    }
  }
  as.pairlist(formals)
}

is_function_call <- function(expr) identical(expr[[1L]], quote(`function`))

# Of `function(a) { b <- a; b }`: a and b.
bound_names <- function(expr) c(names(expr[[2L]]), assigned_names(expr[[3L]]))

assigned_names <- function(expr) {
  if (!is.call(expr) || is_function_call(expr)) {
    return(NULL)
  }
  assigns <- call_head(expr) %in% c("<-", "=", "for") && is.symbol(expr[[2L]])
  c(if (assigns) as.character(expr[[2L]]), unlist(lapply(call_parts(expr), assigned_names)))
}

# The arguments of a call, and its function where that is an expression. As all.vars() has it, the
# name behind `$` is a variable.
call_parts <- function(expr) as.list(expr)[part_numbers(expr)]

part_numbers <- function(expr) {
  if (call_head(expr) %in% c("::", ":::")) {
    return(integer())
  }
  at <- seq_along(expr)
  if (!is.call(expr[[1L]])) at <- at[-1L]
  empty <- vapply(at, function(i) identical(expr[[i]], quote(expr = )), NA)
  at[!empty]
}
