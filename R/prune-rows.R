# Tested in test-prune-rules.R and test-prune-control.R.
# Codes rows with their response in the same way as the training rows of a tree.

# The arguments of the core for sending `data` down the tree of a fit.
rows_of_fit <- function(fit, data, weights, arg, env) {
  data <- as_columns(data)
  if (!is.data.frame(data)) {
    abort_found(
      "{.arg {arg}} must be a data frame with the predictors and the response.", data, topic = arg
    )
  }
  y <- known_response(fit, data, arg, env)
  keep <- !is.na(y)
  weights <- weights_of_fit(fit, weights, nrow(data), keep)
  if (!is.null(weights)) {
    keep <- keep & !is.na(weights) & weights > 0
  }
  if (!any(keep)) {
    tec_abort(arg, c("{.arg {arg}} has no rows with a response."))
  }
  if (anyNA(y)) {
    tec_inform("dropped", "{sum(is.na(y))} row{?s} with a missing response {?is/are} not used.")
  }
  used <- sort(unique(fit$tree$variable[fit$tree$kind != 0L]))
  gone <- setdiff(unlist(fit$columns$needs[used]), names(data))
  if (length(gone)) {
    tec_abort(arg, c(
      "{.arg {arg}} lacks a column that the tree uses.",
      x = "{cli::qty(length(gone))}Missing column{?s}: {.field {gone}}."
    ))
  }
  rows <- if (!all(keep)) which(keep)
  if (!is.null(weights) && counts_frequencies(fit)) {
    rows <- rep.int(which(keep), weights[keep])
    weights <- NULL
  }
  list(
    columns = code_newdata(fit, data, used, env, arg = arg),
    kinds = unname(kind_codes[fit$columns$kind]),
    n_levels = lengths(fit$columns$levels),
    response = list(
      y = y, n_classes = length(fit$response$levels), factors = fit$class_factors
    ),
    weights = weights, rows = rows
  )
}

# Class codes or numbers, NA where missing.
known_response <- function(fit, data, arg, env) {
  name <- fit$response$name
  y <- if (name %in% names(data)) data[[name]] else response_from_formula(fit, data, arg, env)
  if (length(y) != nrow(data) || !is.null(dim(y)) && ncol(y) != 1L) {
    tec_abort(arg, c("The response {.field {name}} of {.arg {arg}} must have one value per row."))
  }
  if (fit$response$task == "regression") {
    return(known_numbers(y, name, arg))
  }
  if (!is.factor(y) && !is.character(y) && !is.logical(y)) {
    abort_found(
      "The response {.field {name}} of {.arg {arg}} must hold classes, as in training.", y,
      topic = arg
    )
  }
  if (is.factor(y)) {
    check_factor(y, arg, cli::format_inline("The response {.field {name}} of {.arg {arg}}"))
  }
  label <- as.character(
    utf8_values(y, cli::format_inline("The response {.field {name}} of {.arg {arg}}"), arg)
  )
  code <- match(label, fit$response$levels)
  new <- unique(label[is.na(code) & !is.na(label)])
  if (length(new)) {
    tec_abort(arg, c(
      "The response {.field {name}} of {.arg {arg}} has classes that the tree does not have.",
      x = "{cli::qty(length(new))}Unknown class{?es}: {.val {shorten(new)}}.",
      i = "The classes of the tree are {.val {shorten(fit$response$levels)}}."
    ))
  }
  code
}

known_numbers <- function(y, name, arg) {
  if (!is.numeric(y) || is.factor(y)) {
    abort_found(
      "The response {.field {name}} of {.arg {arg}} must be numeric, as in training.", y,
      topic = arg
    )
  }
  if (any(is.infinite(y))) {
    tec_abort(arg, c("The response {.field {name}} of {.arg {arg}} must be finite."))
  }
  as_double(drop(y))
}

# A response such as log(y) is computed from its columns.
response_from_formula <- function(fit, data, arg, env) {
  lhs <- fit$formula[[2L]]
  gone <- setdiff(free_variables(lhs), names(data))
  if (!is.call(lhs) || length(gone)) {
    tec_abort(arg, c(
      "{.arg {arg}} must contain the response.",
      x = "It has no column {.field {c(gone, fit$response$name)[1L]}}."
    ))
  }
  eval(lhs, data, env)
}
