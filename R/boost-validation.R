# Tested in test-boost-fit.R.
# The rows on which the loss is measured after each round.

# Into the plan: `held_out`, their numbers. Those of a data frame come after the rows of the data.
set_validation <- function(plan, validation, input) {
  plan$held_out <- integer()
  if (is.null(validation)) {
    return(plan)
  }
  if (is.data.frame(validation)) {
    return(append_validation(plan, validation, input))
  }
  n <- length(plan$rows)
  if (!is_number(validation) || validation <= 0 || validation >= 1) {
    tec_abort("validation", c(
      "{.arg validation} must be a share of the rows between 0 and 1, or a data frame.",
      x = "It is {describe(validation)}."
    ))
  }
  size <- round(validation * n)
  if (size < 1 || size >= n) {
    tec_abort("validation", c(
      "{.arg validation} must leave rows on both sides.",
      x = "{validation} of {n} row{?s} {?is/are} {size}."
    ))
  }
  held <- sort(sample.int(n, size))
  plan$held_out <- plan$rows[held]
  plan$rows <- plan$rows[-held]
  plan
}

append_validation <- function(plan, data, input) {
  ready <- plan$ready
  model <- new_fit("tec_boost", c(facts_of_data("tec_boost", ready, input, NULL), ready["control"]))
  env <- environment(input$formula) %||% globalenv()
  if (is.null(input$formula)) {
    tec_abort("validation", c(
      "A data frame as {.arg validation} needs a formula.", i = "Give a share of the rows."
    ))
  }
  data <- check_newdata(data, "validation")
  values <- code_newdata(model, data, seq_along(model$columns$name), env, integer(), "validation")
  y <- node_response(model, data, NULL, env)
  known <- which(!is.na(y))
  if (length(known) == 0L) {
    tec_abort("validation", "No row of {.arg validation} has a response.")
  }
  joined <- function(a, b) if (is.integer(a)) c(a, as.integer(b)) else c(as.double(a), as.double(b))
  plan$ready$frame$value <- Map(joined, ready$frame$value, values)
  y <- if (is.integer(ready$response$core$y)) as.integer(y) else as.double(y)
  plan$ready$response$core$y <- c(ready$response$core$y, y)
  for (part in c("weights", "sizes")) {
    if (!is.null(ready[[part]])) plan$ready[[part]] <- c(ready[[part]], rep(1, nrow(data)))
  }
  plan$held_out <- plan$n + known
  plan$n_all <- plan$n + nrow(data)
  plan
}
