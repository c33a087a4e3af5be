# Tested in test-engine-sums.R.
# Sums of a numeric response in SQL, as engine-sums.R needs them.

# The unit of numbers, and what sums in it need.
take_unit <- function(s) {
  facts <- sql_unit_facts(s)
  if (s$n > 0 && !all(is.finite(facts$range))) {
    tec_abort("response", c(
      "A numeric response must be finite.", x = "{.field {s$response$name}} has an infinite value."
    ))
  }
  s$response[names(facts)] <- facts
  units <- if (s$n > 0) number_units(facts, s$response$name) else
    list(scale = 1, centre = 0, bits = 0L, digits = 1L)
  s$response[names(units)] <- units
}

# See unit_facts().
sql_unit_facts <- function(s) {
  double <- s$dialect$number
  at <- sprintf("%.1f", decimal_scales)
  whole <- paste0(
    "ABS(y) * ", at, " < ", double(2^52), " AND ROUND(y * ", at, ") / ", at, " = y"
  )
  weight <- if (is.null(s$weights)) c("SUM(y) AS m", "COUNT(*) AS c") else
    c("SUM(y * w) AS m", "SUM(w) AS c")
  out <- ask_totals(s, c(
    "MIN(y) AS l", "MAX(y) AS u", "MIN(CASE WHEN y <> 0 THEN ABS(y) END) AS l0", weight,
    not_whole(whole)
  ), "response")
  out <- lapply(out, as.numeric)
  facts <- list(
    n = s$n, mean = out$m / out$c, weight = out$c, range = c(out$l, out$u), least = out$l0,
    scales = decimal_scales[unlist(out[paste0("s", seq_along(decimal_scales))]) %in% 0],
    squares = Inf, exponent = Inf
  )
  most <- max(abs(facts$range))
  # Squares of larger numbers, and smaller units, are beyond doubles.
  if (s$n == 0 || !is.finite(most) || most > 2^200 || isTRUE(facts$least < 2^-400)) {
    return(facts)
  }
  if (length(facts$scales) == 0L) facts$exponent <- binary_exponent(s, facts)
  if (is.finite(facts$exponent) || length(facts$scales)) facts$squares <- sum_squares(s, facts$mean)
  if (!is.finite(facts$exponent)) facts$exponent <- 0
  facts
}

not_whole <- function(whole) {
  paste0("SUM(CASE WHEN ", whole, " THEN 0 ELSE 1 END) AS s", seq_along(whole))
}

binary_exponent <- function(s, facts) {
  exponents <- binary_exponents(facts$least)
  scaled <- paste("y *", s$dialect$number(2^exponents))
  out <- ask_totals(s, not_whole(paste0(scaled, " = ROUND(", scaled, ")")), "response")
  exponents[match(0, as.numeric(unlist(out[paste0("s", seq_along(exponents))])))]
}

sum_squares <- function(s, mean) {
  centre <- s$dialect$number(mean)
  square <- paste0("(y - ", centre, ") * (y - ", centre, ")", if (!is.null(s$weights)) " * w")
  as.numeric(ask_totals(s, paste0("SUM(", square, ") AS q"), "response")$q)
}

# The response less the centre, in whole units: see number_digits().
digits_sql <- function(s, what) {
  if (s$task == "class") {
    return(NULL)
  }
  of <- s$response
  centre <- round((what$centre %||% 0) * of$scale)
  number <- s$dialect$number
  whole <- paste0("ROUND(y * ", if (of$scale == 1) "1.0" else number(of$scale), ")")
  if (of$digits == 1L) {
    units <- s$dialect$whole_type(c(whole, sprintf("%.0f", centre)))
    return(paste(units[1L], "-", units[2L], "AS m"))
  }
  if (centre != 0) whole <- paste0("(", whole, " - ", number(centre), ")")
  upper <- function(place) {
    if (place == 0L) whole else paste0("ROUND(", whole, " * ", number(2^(-place * of$bits)), ")")
  }
  digit <- vapply(seq_len(of$digits) - 1L, function(place) {
    if (place == of$digits - 1L) {
      return(upper(place))
    }
    paste0(upper(place), " - ", number(2^of$bits), " * ", upper(place + 1L))
  }, "")
  paste(digit, "AS", digit_names(s))
}

digit_names <- function(s) if (s$task == "number") sum_digits("m", s$response$digits)

# COUNT, or sums of whole numbers as doubles; beside weights the number of rows, too.
measures <- function(s, weight, bag = NULL) {
  sum_of <- function(...) {
    s$dialect$number_type(paste0("SUM(", paste(c(...), collapse = " * "), ")"))
  }
  out <- paste(if (length(weight)) sum_of(weight) else "COUNT(*)", "AS n")
  if (!is.null(s$weights)) {
    out <- c(out, paste(if (is.null(bag)) "COUNT(*)" else sum_of(bag), "AS row_count"))
  }
  if (s$task == "number") {
    m <- digit_names(s)
    products <- vapply(product_pairs(length(m)), function(pairs) {
      parts <- vapply(pairs, function(at) {
        paste0(if (at[1L] != at[2L]) "2 * ", m[at[1L]], " * ", m[at[2L]])
      }, "")
      if (length(parts) == 1L) parts else paste0("(", paste(parts, collapse = " + "), ")")
    }, "")
    sums <- vapply(c(m, products), function(x) sum_of(weight, x), "")
    out <- c(out, paste(sums, "AS", all_sums(length(m))))
  }
  paste(out, collapse = ", ")
}
