# The response: classes (a factor, character or logical vector) or numbers.

# Checks the response as far as possible without the rows used.
check_response <- function(y, name, n) {
  y <- drop_labels(y)
  if (is.null(y)) {
    tec_abort("response", c(
      "There is no response.",
      i = "Give it as {.arg y}, or on the left of {.code ~}."
    ))
  }
  if (length(dim(y)) == 1L || (is.matrix(y) && ncol(y) == 1L && !is.object(y))) {
    dim(y) <- NULL
  }
  check_response_type(y, name)
  check_not_a_name(y, n)
  if (length(y) != n) {
    tec_abort("response", c(
      "The response {.field {name}} must have one value per row.",
      x = value_count(length(y), n)
    ))
  }
  if (is_integer64(y)) {
    return(decode_integer64(y))
  }
  # Units and other classes may forbid arithmetic with plain numbers.
  if (is.object(y) && !is.factor(y) && typeof(y) %in% c("double", "integer")) {
    y <- as.vector(unclass(y))
  }
  utf8_values(y, cli::format_inline("The response {.field {name}}"), "response")
}

# For tec_tree(iris[1:4], "Species").
check_not_a_name <- function(y, n) {
  if (is.character(y) && length(y) == 1L && n > 1L) {
    tec_abort("response", c(
      "The response must be the values themselves, one per row.",
      x = "{.val {y}} looks like the name of a column.",
      i = "Give the column itself, as in {.code y = data${y}}, or a formula: {.code {y} ~ .}."
    ))
  }
}

# For iris |> tec_tree(Species ~ .).
check_not_a_formula <- function(y) {
  if (inherits(y, "formula")) {
    text <- paste(deparse(y), collapse = " ")
    tec_abort("response", c(
      "The formula comes first, then the data.",
      x = "The second argument is the formula {.code {text}}.",
      i = "In a pipe, name the data: {.code data |> tec_tree({text}, data = _)}."
    ))
  }
}

check_response_type <- function(y, name) {
  check_not_a_formula(y)
  if (is.list(y) || !is.null(dim(y))) {
    tec_abort("response", c(
      "The response {.field {name}} must be one vector.",
      x = "It is {describe(y)}.",
      i = if (inherits(y, "Surv")) {
        "Survival times are not supported. {.pkg rpart}, {.pkg ranger} and {.pkg partykit} grow \
         trees for them."
      } else if (is.data.frame(y) && length(y) == 1L) {
        "Give the column itself: {.code data${names(y)}}."
      } else if (is.matrix(y) && is.numeric(y)) {
        "Counts of two classes: a row for each class, with its count as {.arg weights}. Several \
         responses: a model for each."
      }
    ))
  }
  known <- is.factor(y) || is.character(y) || is.logical(y) || typeof(y) %in% c("double", "integer")
  if (!known || inherits(y, c("Date", "POSIXct", "difftime"))) {
    abort_found(
      "The response {.field {name}} must hold classes (factor, character, logical) or numbers.", y,
      i = "Convert it first, for example with {.fn as.numeric} or {.fn factor}.", topic = "response"
    )
  }
}

response_missing <- function(y) {
  if (is.factor(y) && anyNA(levels(y))) {
    return(is.na(y) | plain_codes(y) %in% which(is.na(levels(y))))
  }
  is.na(y)
}

# list(core = what the engine reads, info = what the fit keeps). `rows`: the rows used.
code_response <- function(y, name, rows) {
  if (is.factor(y) || is.character(y) || is.logical(y)) {
    return(code_classes(y, name, rows))
  }
  used <- if (is.null(rows)) y else y[rows]
  if (any(is.infinite(used))) {
    tec_abort("response", c(
      "The response {.field {name}} must be finite.",
      x = "{sum(is.infinite(used))} value{?s} {?is/are} infinite."
    ))
  }
  list(
    core = list(y = as_double(y), n_classes = 0L),
    info = list(name = name, task = "regression", levels = NULL, ptype = numeric())
  )
}

# Classes stored as numbers give a regression tree, which may not be intended.
say_regression <- function(response, rows) {
  if (response$info$task != "regression") {
    return(invisible())
  }
  y <- if (is.null(rows)) response$core$y else response$core$y[rows]
  if (length(y) < 20L || any(y[1:20] != round(y[1:20]))) {
    return(invisible())
  }
  values <- length(unique(y))
  if (values <= 10L && values <= length(y) / 5 && all(y == round(y))) {
    name <- response$info$name
    if (values == 1L) {
      tec_inform("regression", c(
        "The response {.field {name}} has only one value: {unique(y)}.",
        i = "The tree is a single leaf."
      ))
      return(invisible())
    }
    tec_inform("regression", c(
      "The response {.field {name}} is numeric, so this is a regression tree.",
      i = "It has only {values} different whole number{?s}. To predict classes use \
           {.code factor({name})}."
    ))
  }
}

code_classes <- function(y, name, rows) {
  column <- code_column(y, name, rows, "The response {.field {name}}", "response")
  check_class_number(name, column$n_levels)
  counts <- tabulate(if (is.null(rows)) column$value else column$value[rows], column$n_levels)
  warn_one_class(counts, column$levels, name)
  list(
    core = list(y = column$value, n_classes = column$n_levels),
    info = list(
      name = name, task = "classification", levels = column$levels, ptype = column$ptype
    )
  )
}

warn_one_class <- function(totals, levels, name) {
  only <- levels[totals > 0]
  if (length(only) == 1L) {
    tec_warn("one_class", c(
      "The response {.field {name}} has only one class: {.val {only}}.",
      i = "The tree is a single leaf."
    ))
  }
}

# The limits of the core.
check_class_number <- function(name, classes) {
  if (classes > 65535L) {
    tec_abort("response", c(
      "The response {.field {name}} has too many classes.",
      x = "It has {count_text(classes, 'class', 'classes')}; at most 65,535 can be used.",
      i = "Is it a number stored as text, or a name for each row?"
    ))
  }
}

# Class codes as a factor, ordered if the response was.
as_classes <- function(codes, response) {
  class <- if (is.ordered(response$ptype)) c("ordered", "factor") else "factor"
  structure(as.integer(codes), levels = response$levels, class = class)
}

# The numbers of the classes requested as text, a factor, or TRUE and FALSE.
class_numbers <- function(class, levels, one = TRUE) {
  if (is.factor(class)) {
    class <- levels(class)[plain_codes(class)]
  } else if (is.atomic(class) && !is.object(class) && (!one || length(class) == 1L)) {
    class <- as.character(class)
  }
  if (one || !is.character(class) || length(class) == 0L) class <- list(class)
  vapply(class, function(x) match(match_choice(x, levels, "class"), levels), 0L, USE.NAMES = FALSE)
}

# A fit from a file has no formula.
response_expr <- function(fit) {
  name <- fit$response$name
  if (length(fit$formula) == 3L) fit$formula[[2L]] else if (nzchar(name)) as.name(name)
}

node_response <- function(fit, data, y, env) {
  name <- fit$response$name
  lhs <- response_expr(fit)
  if (is.null(y)) {
    lost <- setdiff(free_variables(lhs), names(data))
    if (length(lost)) {
      tec_abort("newdata", c(
        "{.arg data} lacks the response {.field {lost}}.",
        i = "For a tree grown from {.arg x} and {.arg y} give the response as {.arg y}."
      ))
    }
    y <- eval_expr(lhs, data, env)
  }
  y <- check_response(y, name, nrow(data))
  if (fit$response$task == "regression") {
    if (!is.numeric(y)) {
      abort_found(
        "The response {.field {name}} must be numeric, as it was in training.", y,
        topic = "response"
      )
    }
    return(as_double(y))
  }
  columns <- list(name = name, kind = "nominal", levels = list(fit$response$levels))
  coded <- recode_column(y, columns, 1L, nrow(data), "data")
  report_unseen(if (length(coded$unseen)) stats::setNames(list(coded$unseen), name), arg = "data")
  coded$value
}
