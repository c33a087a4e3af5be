# Tested in test-freeze.R and test-free-variables.R.
# A term such as scale(x) or cut(x, 3) depends on all rows of its column. For new rows, the values
# computed from the training rows are inserted into the stored call. Terms for which this is
# impossible are errors.

# The variables of a call: columns (of the data, or of the same length), and constants, which are
# only in the formula's environment.
split_variables <- function(expr, data, env, n) {
  names <- free_variables(expr)
  at <- match(names, names(data))
  columns <- if (is.null(data)) list() else .subset(data, at[!is.na(at)])
  constants <- list()
  for (name in names[is.na(at)]) {
    value <- get(name, envir = env)
    if (NROW(value) == n && n > 1L && !is.function(value)) {
      columns[[name]] <- value
    } else if (is.atomic(value)) {
      constants[[name]] <- value
    }
  }
  list(columns = columns, constants = constants)
}

drop_matrix <- function(value, expr) {
  if (is.data.frame(value) || length(dim(value)) > 1L && ncol(value) != 1L) {
    tec_abort("formula", c(
      "A term of the formula must be one column.",
      x = "{.code {expr_text(expr)}} gives {describe(value)}.",
      i = if (call_head(expr) %in% c("poly", "bs", "ns")) {
        "Write {.code {expr_text(expr[[2L]])}}: trees and splines find curves by themselves."
      } else {
        "Add its columns to {.arg data}."
      }
    ))
  }
  if (length(dim(value)) > 1L) {
    dim(value) <- NULL
    attributes(value) <- NULL
  }
  value
}

#' @srrstats {RE4.12} Terms of the formula are stored with the values that they use, and evaluated
#'   on new rows.
#' @noRd
freeze_call <- function(expr, columns, env) {
  # The effect of a function's body on its arguments is known only when the function is called.
  if (is_function_call(expr)) {
    return(expr)
  }
  for (i in seq_along(expr)[-1L]) {
    if (is.call(expr[[i]])) {
      expr[[i]] <- freeze_call(expr[[i]], columns, env)
    }
  }
  head <- call_head(expr)
  if (head == "cut") {
    return(freeze_cut(expr, columns, env))
  }
  if (head %in% c("scale", "poly", "bs", "ns")) {
    return(stats::makepredictcall(eval_expr(expr, columns, env), expr))
  }
  expr
}

# cut(x, n) computes its breaks from x. They are computed here as in cut.default() and inserted into
# the call.
freeze_cut <- function(expr, columns, env) {
  full <- match.call(cut.default, expr)
  if (is.null(full$x) || is.null(full$breaks)) {
    return(expr)
  }
  x <- eval_expr(full$x, columns, env)
  breaks <- eval_expr(full$breaks, columns, env)
  if (!is.numeric(x) || is.object(x)) {
    if (length(breaks) == 1L && is.numeric(breaks)) {
      tec_abort("formula", c(
        "{.code {expr_text(expr)}} finds its breaks in the data.",
        i = "Give the breaks themselves, so that new rows are cut the same way."
      ))
    }
    return(expr)
  }
  full$breaks <- if (length(breaks) == 1L) equal_breaks(x, breaks, expr) else breaks
  full
}

equal_breaks <- function(x, count, expr) {
  if (!is_number(count) || count < 2 || !any(is.finite(x))) {
    tec_abort("formula", c(
      "{.code {expr_text(expr)}} in the formula cannot be evaluated.",
      x = "{.fn cut} needs at least two intervals and a value."
    ))
  }
  ends <- range(x, na.rm = TRUE)
  number <- as.integer(count + 1)
  width <- diff(ends)
  if (width == 0) {
    width <- if (ends[1L] != 0) abs(ends[1L]) else 1
    return(seq.int(ends[1L] - width / 1000, ends[2L] + width / 1000, length.out = number))
  }
  breaks <- seq.int(ends[1L], ends[2L], length.out = number)
  breaks[c(1L, number)] <- c(ends[1L] - width / 1000, ends[2L] + width / 1000)
  breaks
}

# A term can be used for new rows if it gives the same values for single training rows, and for some
# of them in another order. `as.integer(factor(x))` does not, because it numbers the values that
# occur.
check_rowwise <- function(expr, written, value, columns, env, n) {
  plain_numbers()
  flat <- vapply(columns, function(x) is.null(dim(x)), NA)
  if (n < 2L || !all(flat)) {
    return(invisible())
  }
  spread <- unique(as.integer(seq(n, 1, length.out = min(n - 1L, 9L))))
  differ <- utils::head(which(!duplicated(value)), 20L)
  for (rows in c(list(spread), as.list(differ))) {
    part <- or_null(
      suppressWarnings(drop_matrix(eval(expr, lapply(columns, `[`, rows), env), expr))
    )
    if (!is.null(part) && !same_values(value[rows], part)) {
      tec_abort("formula", c(
        "{.code {expr_text(written)}} depends on the other rows of its column.",
        x = "It would mean something else for new rows.",
        i = "Add it to {.arg data} as a column, computed the same way for new rows."
      ))
    }
  }
}

same_values <- function(a, b) {
  plain <- function(x) if (is.factor(x)) as.character(x) else as.vector(x)
  isTRUE(all.equal(plain(a), plain(b), check.attributes = FALSE))
}

# With the usual options for numbers: the labels of cut() must be the same in every session.
eval_expr <- function(expr, data, env) {
  plain_numbers()
  at <- match(free_variables(expr), names(data))
  columns <- if (is.null(data)) list() else .subset(data, unique(at[!is.na(at)]))
  tryCatch(
    eval(expr, columns, env),
    error = but_limits(function(e) {
      tec_abort("formula", c(
        "{.code {expr_text(expr)}} in the formula cannot be evaluated.",
        x = "{conditionMessage(e)}"
      ))
    })
  )
}

# The variables of an expression, except those that are bound by a function inside it:
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

# The expression with the values of variables inserted.
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
    # The source text is dropped, because it would still show the names.
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

# For `function(a) { b <- a; b }`: a and b.
bound_names <- function(expr) c(names(expr[[2L]]), assigned_names(expr[[3L]]))

assigned_names <- function(expr) {
  if (!is.call(expr) || is_function_call(expr)) {
    return(NULL)
  }
  assigns <- call_head(expr) %in% c("<-", "=", "for") && is.symbol(expr[[2L]])
  c(if (assigns) as.character(expr[[2L]]), unlist(lapply(call_parts(expr), assigned_names)))
}

# The arguments of a call, and its function if that is an expression. As in all.vars(), the name
# after `$` is a variable.
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
