# Neighbouring double-precision numbers, to convert between "x < t" and "x <= t".

# The smallest number above x.
next_double <- function(x) step_double(x, 1)
previous_double <- function(x) step_double(x, -1)

step_double <- function(x, sign) {
  vapply(x, function(v) {
    if (!is.finite(v)) {
      return(v)
    }
    if (v == 0) {
      return(sign * 2^-1074)
    }
    step <- 2^(max(floor(log2(abs(v))), -1022) - 52)
    # At a power of two the step below is half as large, and log2() may round up.
    for (part in c(step / 4, step / 2, step, 2 * step)) {
      moved <- v + sign * part
      if (part > 0 && moved != v && abs(moved - v) <= 2 * part) {
        return(moved)
      }
    }
    v
  }, 0)
}
