# Tested in test-control.R.
# Checks of single settings.

check_bound <- function(value, arg, least, whole = FALSE, optional = FALSE) {
  if (is.null(value) && optional) {
    return(NULL)
  }
  ok <- is_number(value) && value >= least &&
    (!whole || is.infinite(value) || value == round(value))
  if (!ok) {
    kind <- if (whole) "whole number" else "number"
    bound <- if (least > -Inf) " of at least {least}" else ", {.code -Inf} included"
    tec_abort("control", c(
      paste0("{.arg {arg}} must be one {kind}", bound, "."),
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

check_share <- function(value, arg) {
  if (!is_number(value) || value < 0 || value > 0.5) {
    tec_abort("control", c(
      "{.arg {arg}} must be one number from 0 to 0.5.",
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

check_count <- function(value, arg, least, most = .Machine$integer.max) {
  value <- check_bound(value, arg, least, whole = TRUE)
  if (value > most) {
    bound <- if (most < .Machine$integer.max) {
      paste("and at most", format(most, big.mark = ",", scientific = FALSE))
    } else {
      "and finite"
    }
    tec_abort("control", c(
      "{.arg {arg}} must be one whole number of at least {least}, {bound}.",
      x = "It is {describe(value)}."
    ))
  }
  as.integer(value)
}

# Trees or rounds: of more, the seeds alone would fill the memory.
check_trees <- function(value, arg) check_count(value, arg, least = 1, most = 1e7)

check_code <- function(value, arg, codes) {
  if (!is_number(value) || !value %in% codes) {
    tec_abort("control", c(
      "{.arg {arg}} must be {.or {codes}}.",
      x = "It is {describe(value)}."
    ))
  }
  as.integer(value)
}

check_optional <- function(value, choices, arg) {
  if (is.null(value)) NULL else match_choice(value, choices, arg, "control")
}

check_alpha_level <- function(value, arg) {
  if (!is_number(value) || value <= 0 || value > 1) {
    tec_abort("control", c(
      "{.arg {arg}} must be a p value, above 0 and not above 1.",
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

# Categories that are split again at a p value above that of merging would be merged again.
check_resplit <- function(value, alpha_merge) {
  if (!is_number(value) || value < 0 || value > alpha_merge) {
    tec_abort("control", c(
      "{.arg alpha_resplit} must be a p value of at most {.arg alpha_merge}, or 0 for none.",
      x = "It is {describe(value)}, and {.arg alpha_merge} is {alpha_merge}."
    ))
  }
  as.double(value)
}
