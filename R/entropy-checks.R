# Argument checks shared by the entropies of one variable and of two.

check_entropy_number <- function(x, arg, positive = FALSE, call = rlang::caller_env()) {
  wanted <- if (positive) "one positive finite number" else "one finite number"
  ok <- is.numeric(x) && !is.object(x) && length(x) == 1 && is.finite(x)
  if (ok && (!positive || x > 0)) {
    return(as.double(x))
  }
  found <- if (ok) "It is {.val {x}}." else "It is {.obj_type_friendly {x}}."
  cli::cli_abort(
    c("{.arg {arg}} must be {wanted}.", "x" = found),
    class = "tec_error_entropy", call = call
  )
}

check_entropy_base <- function(base, call = rlang::caller_env()) {
  base <- check_entropy_number(base, "base", positive = TRUE, call = call)
  if (base == 1) {
    cli::cli_abort(
      c(
        "{.arg base} must not be 1.",
        "i" = "Use 2 for bits or {.code exp(1)} for nats."
      ),
      class = "tec_error_entropy", call = call
    )
  }
  base
}

check_real_vector <- function(x, call = rlang::caller_env()) {
  if (!is.numeric(x) || is.object(x)) {
    cli::cli_abort(
      c(
        "{.arg x} must be a numeric vector.",
        "x" = "It is {.obj_type_friendly {x}}."
      ),
      class = "tec_error_entropy", call = call
    )
  }
}

check_no_missing <- function(x, arg, call) {
  n_missing <- sum(is.na(x))
  if (n_missing > 0) {
    cli::cli_abort(
      c(
        "{.arg {arg}} must not have missing values.",
        "x" = "It has {n_missing}.",
        "i" = "Leave these rows out first, in both variables where there are two."
      ),
      class = "tec_error_entropy", call = call
    )
  }
}
