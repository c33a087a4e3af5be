# Tested in test-entropy-joint.R.
# The joint distribution of a variable (rows) and of other variables taken together (columns): the
# cells that occur, with their shares, and the number of values declared for the rows.

as_cells <- function(x, y, ..., alone = FALSE, call = rlang::caller_env()) {
  others <- list(y, ...)
  if (is.null(y) && !alone) {
    if (length(others) > 1) check_variable(NULL, "y", call)
    return(cells_of_weights(x, call))
  }
  if (alone) others <- Filter(Negate(is.null), others)
  names <- c("x", "y", rep("...", max(0, length(others) - 1)))[seq_len(1 + length(others))]
  codes <- Map(function(v, arg) code_variable(v, arg, x, call), c(list(x), others), names)
  n <- vapply(codes, function(code) length(code$code), 0L)
  if (length(unique(n)) > 1) {
    cli::cli_abort(
      c(
        "The variables must have the same length.",
        "x" = "They have {n} values."
      ),
      class = entropy_error, call = call
    )
  }
  row <- codes[[1]]
  column <- join_codes(codes[-1], n[1])
  pair <- row$code + (column$code - 1) * row$n
  at <- which(!duplicated(pair))
  list(
    weight = tabulate(match(pair, pair[at])) / n[[1]], row = row$code[at],
    column = column$code[at], n_rows = row$n
  )
}

# The values of one argument as numbers; `n`: the number of declared values.
code_variable <- function(v, arg, first, call) {
  if (is.data.frame(v)) {
    if (length(v) == 0) check_variable(NULL, arg, call)
    for (column in v) check_variable(column, arg, call)
    return(join_codes(lapply(v, declared_values), nrow(v)))
  }
  if (inherits(first, "tec_partition") && inherits(v, "tec_partition")) {
    v <- aligned_blocks(v, first, call)
  }
  check_variable(v, arg, call)
  declared_values(v)
}

# Combines several variables into one: each combination that occurs is a value.
join_codes <- function(codes, n) {
  if (length(codes) == 0) {
    return(list(code = rep(1, n), n = 1))
  }
  Reduce(function(a, b) {
    both <- (b$code - 1) * a$n + a$code
    values <- unique(both)
    list(code = match(both, values), n = length(values))
  }, codes)
}

# A factor declares its levels; any other vector declares its values. Does not use table(), which
# would treat numbers that agree in their first 15 digits as equal.
declared_values <- function(x) {
  if (is.factor(x)) {
    check_factor(x, "entropy", "A variable")
    return(list(code = as.integer(x), n = nlevels(x)))
  }
  values <- unique(x)
  list(code = match(x, values), n = length(values))
}

cells_of_weights <- function(x, call) {
  if (length(dim(x)) < 2 || !is.numeric(x)) {
    cli::cli_abort(
      c(
        "{.arg x} must be a matrix or table of weights when {.arg y} is not given.",
        "x" = "It is {.obj_type_friendly {x}}.",
        "i" = "Give two variables, two partitions, or a matrix or table of weights."
      ),
      class = entropy_error, call = call
    )
  }
  weight <- as_distribution(x, call)
  n_rows <- nrow(x)
  at <- which(weight > 0)
  list(
    weight = weight[at], row = (at - 1) %% n_rows + 1, column = (at - 1) %/% n_rows + 1,
    n_rows = n_rows
  )
}

# The shares of the rows or columns that occur, and the position `at` of each cell among them.
margin_of <- function(cells, side) {
  code <- cells[[side]]
  at <- match(code, unique(code))
  list(total = as.vector(rowsum(cells$weight, at)), at = at)
}

check_variable <- function(x, arg, call) {
  if (!is.atomic(x) || is.null(x) || is.matrix(x)) {
    cli::cli_abort(
      c(
        "{.arg {arg}} must be a vector, a factor or a data frame.",
        "x" = "It is {.obj_type_friendly {x}}.",
        "i" = if (inherits(x, "formula")) {
          "For the gains of all columns of a formula: {.code tec_scores(formula, data)}."
        },
        "i" = "A partition can be paired only with another partition."
      ),
      class = entropy_error, call = call
    )
  }
  check_no_missing(x, arg, call)
  if (length(x) == 0) {
    cli::cli_abort(
      c("{.arg {arg}} must not be empty."),
      class = entropy_error, call = call
    )
  }
}
