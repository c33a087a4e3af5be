# Reads a formula without model.frame() and terms(), whose time is quadratic in the number of terms;
# 20,000 plain columns should be instant. An explicit stack is used for the right-hand side, so that
# a long sum cannot overflow R's stack.

# The parts of a formula and its data that a fit needs, before the columns are coded.
#' @srrstats {G2.10} Columns are evaluated by name in the data, so the class of the table does not
#'   matter.
#' @srrstats {RE1.0} All models have a formula interface, and one for `x` and `y`.
#' @noRd
formula_input <- function(formula, data, weights, subset, caller) {
  env <- environment(formula) %||% globalenv()
  data <- check_data(data)
  check_two_sided(formula)
  check_readable_names(names(data), "data")
  check_readable_names(all.names(formula), "formula")
  lhs <- formula[[2L]]
  response <- eval_response(lhs, data, env)
  n <- if (is.null(data)) NROW(response) else nrow(data)
  terms <- formula_terms(formula[[3L]], lhs, data)
  predictors <- eval_terms(terms, data, env, n)
  c(predictors, list(
    response = response,
    response_name = expr_text(lhs),
    n = n,
    weights = eval_argument(weights, data, env, caller, "weights"),
    subset = eval_argument(subset, data, env, caller, "subset"),
    row_names = if (!is.null(data)) attr(data, "row.names"),
    formula = stored_formula(formula, length(terms$name))
  ))
}

check_data <- function(data) {
  if (is.null(data) || is.data.frame(data)) {
    return(data)
  }
  elsewhere <- is_elsewhere(data)
  if ((is.list(data) || is.matrix(data)) && !elsewhere) {
    made <- or_null(as.data.frame(data, stringsAsFactors = FALSE))
    if (is.data.frame(made)) {
      return(made)
    }
  }
  tec_abort("data", c(
    "{.arg data} must be a data frame.",
    x = "It is {describe(data)}.",
    i = if (elsewhere) "{.fn tec_tree}, {.fn tec_forest} and {.fn tec_tune} accept such data."
  ))
}

check_two_sided <- function(formula) {
  if (length(formula) != 3L || is.null(formula[[2L]])) {
    tec_abort("response", c(
      "The formula has no response.",
      i = "Write it as {.code response ~ predictors}, for example {.code y ~ .}."
    ))
  }
}

formula_terms <- function(rhs, lhs, data) {
  flat <- flatten_sum(rhs)
  keys <- vapply(flat$expr, term_key, "")
  if (any(keys == ".")) {
    flat <- expand_dot(flat, keys, lhs, data)
    keys <- flat$key
  }
  keep <- surviving_terms(keys, flat$sign)
  names <- keys[keep]
  check_terms(names, lhs)
  list(name = names, expr = flat$expr[keep])
}

# The terms of a sum, in the order written, with the sign of each. The stack is a linked list,
# because assigning into a vector would search the whole expression for cycles each time. The right
# operand comes first, so the terms are reversed at the end.
flatten_sum <- function(rhs) {
  stack <- list(rhs, 1L, NULL)
  expr <- list()
  sign <- integer()
  found <- 0L
  while (!is.null(stack)) {
    node <- stack[[1L]]
    s <- stack[[2L]]
    stack <- stack[[3L]]
    op <- if (is.call(node)) call_head(node) else ""
    if (op %in% c("+", "-", "(")) {
      minus <- op == "-"
      if (minus && s < 0L) refuse_nested_minus(node)
      if (length(node) == 3L) stack <- list(node[[2L]], s, stack)
      stack <- list(node[[length(node)]], if (minus) -1L else s, stack)
    } else if (!is_intercept(node)) {
      check_term(node, op)
      expr[[found <- found + 1L]] <- node
      sign[found] <- s
    }
  }
  list(expr = rev(expr), sign = rev(sign))
}

is_intercept <- function(node) is.numeric(node) && length(node) == 1L && node %in% c(0, 1)

interaction_operators <- c(":", "*", "^", "%in%", "/")

check_term <- function(node, op) {
  if (op %in% interaction_operators) {
    tec_abort("formula", c(
      "The formula must be a sum of columns.",
      x = "It has {.code {expr_text(node)}}.",
      i = "A tree finds interactions by itself: write {.code a + b}. For arithmetic use {.fn I}."
    ))
  }
  if (op %in% c("|", "||", "offset", "~")) {
    known <- if (op == "offset" && length(node) == 2L) expr_text(node[[2L]])
    tec_abort("formula", c(
      "{.code {op}} has no meaning in a formula here.",
      x = "It has {.code {expr_text(node)}}.",
      i = if (!is.null(known)) {
        "{.fn tec_boost} has {.code offset = {known}}; otherwise subtract it from the response: \
         {.code y - {known} ~ .}."
      }
    ))
  }
  if (!is.call(node) && !is.symbol(node)) {
    tec_abort("formula", c(
      "The formula must be a sum of columns.",
      x = "It has {.code {expr_text(node)}}."
    ))
  }
}

refuse_nested_minus <- function(node) {
  tec_abort("formula", c(
    "A minus inside a group that is itself removed is ambiguous.",
    x = "It has {.code {expr_text(node)}}.",
    i = "Name each column to leave out: {.code - a - b}."
  ))
}

term_key <- function(expr) if (is.symbol(expr)) as.character(expr) else expr_text(expr)

expr_text <- function(expr) {
  plain_numbers() # `scipen` decides how deparse() writes numbers
  paste(deparse(expr, width.cutoff = 500L, backtick = TRUE), collapse = " ")
}

# `.` stands for every column that the response does not use.
expand_dot <- function(flat, keys, lhs, data) {
  if (is.null(data)) {
    tec_abort("formula", c(
      "{.code .} in the formula means the columns of {.arg data}, but there is no {.arg data}."
    ))
  }
  used <- free_variables(lhs)
  columns <- names(data)[!names(data) %in% used]
  is_dot <- keys == "."
  times <- rep(1L, length(keys))
  times[is_dot] <- length(columns)
  from <- rep(seq_along(keys), times)
  key <- keys[from]
  key[is_dot[from]] <- rep(columns, sum(is_dot))
  expr <- flat$expr[from]
  check_names(columns)
  expr[is_dot[from]] <- rep(lapply(columns, as.name), sum(is_dot))
  list(expr = expr, sign = flat$sign[from], key = key, dot = TRUE)
}

check_names <- function(names) {
  if (anyNA(names) || !all(nzchar(names))) {
    tec_abort("data", c(
      "Every column of {.arg data} must have a name.",
      x = "At least one has none."
    ))
  }
}

# From left to right, a term is included if it was added after it was last removed. Returns the
# position of the first such addition of each term.
surviving_terms <- function(keys, sign) {
  minus <- which(sign < 0L)
  last <- integer(length(keys))
  if (length(minus)) {
    back <- rev(minus)
    at <- match(keys, keys[back])
    last <- ifelse(is.na(at), 0L, back[at])
  }
  added <- which(sign > 0L & seq_along(keys) > last)
  added[!duplicated(keys[added])]
}

check_terms <- function(names, lhs) {
  if (length(names) == 0L) {
    tec_abort("data", c(
      "There are no predictors.",
      i = "Name at least one column on the right of {.code ~}."
    ))
  }
  if (term_key(lhs) %in% names) {
    tec_abort("formula", c(
      "{.code {term_key(lhs)}} is the response and cannot be a predictor as well."
    ))
  }
}

# A formula with very many terms is stored as response ~ . because such a deeply nested sum cannot
# be saved to a file. `predictors` has what prediction needs.
stored_formula <- function(formula, n_terms) {
  if (n_terms > 200L) {
    formula[[3L]] <- as.name(".")
  }
  formula <- strip_data(formula)
  class(formula) <- "formula"
  formula
}

is_elsewhere <- function(data) {
  elsewhere <- c("tbl_lazy", "tbl_sql", "DBIConnection", "adbc_connection", "Pool", "cluster")
  inherits(data, elsewhere) || is_parquet(data)
}

is_parquet <- function(data) {
  is.character(data) && length(data) > 0L && !anyNA(data) && is.null(dim(data)) &&
    all(grepl("[.]parquet$", data, ignore.case = TRUE))
}

# `small`: whether the object is known to be small.
strip_data <- function(x, small = FALSE) {
  if (missing(x)) {
    return(quote(expr = ))
  }
  if (inherits(x, "formula")) {
    attributes(x) <- NULL
  }
  if (is.symbol(x) || (is.atomic(x) && is.null(attributes(x)) && length(x) <= 5L)) {
    return(x)
  }
  if (!is.call(x)) {
    return(as.name(paste0("<", class(x)[1L], ">")))
  }
  if (!small && utils::object.size(x) > 5e4) {
    return(as.name("..."))
  }
  as.call(lapply(as.list(x), strip_data, small = TRUE))
}

xy_input <- function(x, y, weights, subset) {
  x <- as_columns(x)
  if (!is.data.frame(x)) {
    tec_abort("data", c(
      "{.arg x} must be a data frame or a matrix of predictors.",
      x = "It is {describe(x)}.",
      i = if (inherits(x, "tec_tree")) {
        "Give the data instead of a tree: {.code y ~ ., data}."
      } else {
        "With a formula: {.code tec_tree(y ~ ., data)}."
      }
    ))
  }
  names <- names(x)
  if (length(names) == 0L) {
    tec_abort("data", c("There are no predictors.", x = "{.arg x} has no columns."))
  }
  check_column_names(names)
  list(
    values = as.list(.subset(x, seq_along(names))), names = names,
    predictors = lapply(names, as.name), needs = as.list(names),
    response = y, response_name = "y", n = nrow(x), weights = weights, subset = subset,
    row_names = attr(x, "row.names"), formula = stored_formula(y ~ ., length(names))
  )
}

# Handles calls such as tec_tree(data = d, formula = y ~ .) and tec_tree(x = y ~ ., data = d).
formula_first <- function(call, method) {
  if (!"formula" %in% names(call)) names(call)[names(call) == "x"] <- "formula"
  call[[1L]] <- method
  call
}

abort_no_formula <- function(what) {
  tec_abort("formula", c(
    "There is no formula.",
    i = "Give it first: {.code {what}(y ~ ., data)}."
  ))
}

check_column_names <- function(names) {
  if (anyNA(names) || !all(nzchar(names))) {
    tec_abort("data", c("Every column of {.arg x} must have a name.", x = "At least one has none."))
  }
  check_readable_names(names, "x")
  repeated <- unique(names[duplicated(names)])
  if (length(repeated)) {
    tec_abort("data", c(
      "{.arg x} has several columns of the same name.",
      x = "{cli::qty(length(repeated))}Repeated name{?s}: {.val {repeated}}.",
      i = "Rename them, for example with {.fn make.unique}."
    ))
  }
}
