# Checks the costs of errors and the class probabilities against the levels of the response.

# A loss matrix with the levels as dimnames, rows = true class, columns = predicted class; NULL
# without costs.
check_cost <- function(cost, response) {
  if (is.null(cost)) {
    return(NULL)
  }
  if (response$task == "regression") {
    tec_abort("cost", c(
      "{.arg cost} needs classes.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Leave {.arg cost} out."
    ))
  }
  cost <- plain_vector(cost)
  check_cost_shape(cost, response$levels)
  cost <- cost_in_order(cost, response$levels)
  check_cost_values(cost)
  cost
}

check_cost_shape <- function(cost, levels) {
  k <- length(levels)
  if (!is.matrix(cost) || !is.numeric(cost)) {
    abort_found(
      "{.arg cost} must be a numeric matrix: rows are true classes, columns predicted ones.", cost,
      topic = "cost"
    )
  }
  if (!identical(dim(cost), c(k, k))) {
    tec_abort("cost", c(
      "{.arg cost} must have a row and a column for each of the {k} class{?es}.",
      x = "It is {nrow(cost)} x {ncol(cost)}; the classes are {.val {shorten(levels)}}."
    ))
  }
}

# Without names, rows and columns are in the order of the levels.
cost_in_order <- function(cost, levels) {
  names <- dimnames(cost)
  if (is.null(names[[1L]]) && is.null(names[[2L]])) {
    names <- list(levels, levels)
  }
  for (side in 1:2) {
    found <- names[[side]]
    if (!setequal(found, levels) || anyDuplicated(found)) {
      what <- c("row", "column")[side]
      shown <- if (is.null(found)) "none" else cli::format_inline("{.val {shorten(found)}}")
      shown <- escape_braces(shown)
      tec_abort("cost", c(
        "The {what} names of {.arg cost} must be the classes.",
        x = paste0("They are ", shown, "; the classes are {.val {shorten(levels)}}."),
        i = "Without any names, rows and columns are in the order of the levels."
      ))
    }
  }
  cost <- cost[match(levels, names[[1L]]), match(levels, names[[2L]]), drop = FALSE]
  matrix(as.double(cost), length(levels), dimnames = list(true = levels, predicted = levels))
}

check_cost_values <- function(cost) {
  if (!all(is.finite(cost)) || any(cost < 0)) {
    wrong <- cost[!is.finite(cost) | cost < 0][1L]
    tec_abort("cost", c(
      "{.arg cost} must contain finite, non-negative numbers.",
      x = "One entry is {wrong}."
    ))
  }
  if (any(diag(cost) != 0)) {
    class <- rownames(cost)[diag(cost) != 0][1L]
    tec_abort("cost", c(
      "The correct class must cost nothing: the diagonal of {.arg cost} must be 0.",
      x = "For {.val {class}} it is {diag(cost)[[class]]}."
    ))
  }
  if (all(cost == 0)) {
    tec_abort("cost", c("{.arg cost} must not be 0 everywhere."))
  }
  check_moderate(cost, "cost", "cost")
}

# The class probabilities given by the user, in the order of the levels.
check_prior <- function(prior, response) {
  if (is.null(prior)) {
    return(NULL)
  }
  levels <- response$levels
  if (response$task == "regression") {
    tec_abort("prior", c(
      "{.arg prior} needs classes.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Leave {.arg prior} out."
    ))
  }
  k <- length(levels)
  prior <- plain_vector(prior)
  if (!is.numeric(prior) || length(prior) != k) {
    tec_abort("prior", c(
      "{.arg prior} must have one number for each of the {k} class{?es}.",
      x = "It is {describe(prior)}; the classes are {.val {shorten(levels)}}."
    ))
  }
  if (!is.null(names(prior))) {
    if (!setequal(names(prior), levels)) {
      tec_abort("prior", c(
        "The names of {.arg prior} must be the classes.",
        x = "They are {.val {shorten(names(prior))}}; the classes are {.val {shorten(levels)}}."
      ))
    }
    prior <- prior[levels]
  }
  check_prior_values(prior)
  structure(as.double(prior), names = levels)
}

check_prior_values <- function(prior) {
  if (!all(is.finite(prior)) || any(prior < 0)) {
    wrong <- prior[!is.finite(prior) | prior < 0][[1L]]
    tec_abort("prior", c(
      "{.arg prior} must contain finite, non-negative numbers.",
      x = "One of them is {wrong}."
    ))
  }
  if (abs(sum(prior) - 1) > 1e-6) {
    tec_abort("prior", c(
      "{.arg prior} must sum to 1.",
      x = "It sums to {signif(sum(prior), 7)}."
    ))
  }
  check_moderate(prior, "prior", "prior")
}

# The core expects the matrix by rows.
core_loss <- function(cost) if (!is.null(cost)) as.vector(t(cost))
