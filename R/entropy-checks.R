# Argument checks shared by the entropies of one variable and of two.

entropy_error <- c("tec_error_entropy", "tec_error")

check_entropy_number <- function(x, arg, positive = FALSE, call = rlang::caller_env()) {
  wanted <- if (positive) "one positive finite number" else "one finite number"
  ok <- is.numeric(x) && !is.object(x) && length(x) == 1 && is.finite(x)
  if (ok && (!positive || x > 0)) {
    return(as.double(x))
  }
  found <- if (ok) "It is {.val {x}}." else "It is {.obj_type_friendly {x}}."
  cli::cli_abort(
    c("{.arg {arg}} must be {wanted}.", "x" = found),
    class = entropy_error, call = call
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
      class = entropy_error, call = call
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
      class = entropy_error, call = call
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
        "i" = "Leave these rows out first, in both variables if there are two."
      ),
      class = entropy_error, call = call
    )
  }
}

# Whether these numbers are more likely the values of a variable than weights. Weights have few
# zeros and ones, many different values, or are few. A single 1 among zeros is a pure node.
looks_like_variable <- function(x) {
  whole <- length(x) >= 3 && all(is.finite(x)) && all(x == round(x))
  whole && sum(x) != 1 && few_values(length(x), sort(unique(x)))
}

# Only 0 and 1, codes 0 or 1 to K with repetitions, or many numbers with few values.
few_values <- function(n, values) {
  k <- length(values)
  if (k == 1) {
    return(FALSE)
  }
  codes <- values[1] %in% 0:1 && all(diff(values) == 1)
  identical(as.double(values), c(0, 1)) || codes && n >= max(5, k + 2) || n >= max(30, 5 * k)
}

# Warns about calls such as shannon_entropy(9, 5) and shannon_entropy(0.5).
warn_single <- function(arg) {
  tec_warn("weights", c(
    "{.arg {arg}} is one number: a distribution with one value has entropy 0.",
    i = "Give all weights as one vector, for example {.code c(9, 5)} or {.code c(0.5, 0.5)}."
  ))
}

warn_variable <- function(p, arg) {
  values <- sort(unique(p))
  found <- if (length(values) <= 5) "only the values {.val {values}}" else "{length(values)} values"
  tec_warn("weights", c(
    "Numbers are taken as weights, but {.arg {arg}} looks like a variable.",
    x = paste0("Its {length(p)} whole numbers have ", found, "."),
    i = "For the entropy of the variable give {.code factor({arg})} or {.code table({arg})}.",
    i = "For weights give {.code as.table({arg})}, which marks them as counts."
  ))
}
