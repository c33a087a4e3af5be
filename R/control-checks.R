# Tested in test-control.R.
# Checks of individual settings.

check_share <- function(value, arg) {
  if (!is_number(value) || value < 0 || value > 0.5) {
    tec_abort("control", c(
      "{.arg {arg}} must be one number from 0 to 0.5.",
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

# Trees or rounds. With more, the seeds alone would fill the memory.
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
      "{.arg {arg}} must be a p value, above 0 and at most 1.",
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

# Categories that are split again at a p value above `alpha_merge` would be merged again.
check_resplit <- function(value, alpha_merge) {
  if (!is_number(value) || value < 0 || value > alpha_merge) {
    tec_abort("control", c(
      "{.arg alpha_resplit} must be a p value of at most {.arg alpha_merge}, or 0 for none.",
      x = "It is {describe(value)}, and {.arg alpha_merge} is {alpha_merge}."
    ))
  }
  as.double(value)
}

check_smooth <- function(smooth) {
  if (is.null(smooth) || identical(smooth, "laplace")) {
    return(smooth)
  }
  if (!is_number(smooth) || smooth < 0 || is.infinite(smooth)) {
    tec_abort("control", c(
      "{.arg smooth} must be one finite number of at least 0, or {.val laplace}.",
      x = "It is {describe(smooth)}.",
      i = "It is a number of rows; 0 predicts the shares of the training rows."
    ))
  }
  as.double(smooth)
}

check_honest <- function(honest) {
  if (identical(honest, FALSE) || is.null(honest)) {
    return(FALSE)
  }
  if (isTRUE(honest)) {
    return(0.5)
  }
  if (!is_number(honest) || honest <= 0 || honest >= 1) {
    tec_abort("control", c(
      "{.arg honest} must be TRUE, FALSE or one number above 0 and below 1.",
      x = "It is {describe(honest)}.",
      i = "It is the share of the rows that give the values of nodes; TRUE is 0.5."
    ))
  }
  as.double(honest)
}
