# Tested in test-engine-sums.R.
# Sums of a numeric response that are exact in whatever order they are added. Numbers are whole
# multiples of a unit, 1 / `scale`, minus a centre. If these are so large that sums of their squares
# would reach 2^53, they are written in digits: m + m1 * 2^bits + m2 * 2^(2 bits) + ... Sums of
# digits, and of products of digits, are then below 2^53.

# `of`: the facts of a response: the number of values, their mean and weight, the sum of squares
# about the mean, the range, the smallest absolute value above 0, and the units in which all values
# are whole (see below). Returns list(scale =, centre =, bits =, digits =).
number_units <- function(of, name) {
  scale <- c(of$scales, 2^of$exponent)[1L]
  whole <- is.finite(scale) && abs(of$exponent) <= 500
  size <- if (whole) number_size(of, scale)
  digits <- if (whole) count_digits(size, max(of$weight, of$n, 1))
  if (is.null(digits)) abort_too_wide(of, name)
  list(scale = scale, centre = size$centre, bits = digits$bits, digits = digits$digits)
}

# A centre saves digits if all numbers minus the centre are exact doubles.
number_size <- function(of, scale) {
  most <- max(abs(of$range))
  centre <- if (most * scale < 2^52) round(of$mean * scale) / scale else 0
  off <- max(abs(of$range - centre)) * scale
  list(
    centre = centre, bits = ceiling(log2(off + 1)) + 1,
    squares = max(of$squares, off^2 / scale^2) * scale^2
  )
}

# Sums stay below 2^51, which leaves room for a bag that is larger than the sample. The core adds
# whole numbers of 256 bits.
count_digits <- function(size, weight) {
  if (size$squares < 2^51) {
    return(list(bits = 0L, digits = 1L))
  }
  if (2 * size$bits + log2(weight) > 252) {
    return(NULL)
  }
  for (digits in 2:40) {
    bits <- floor((53 - log2(weight) - log2(digits)) / 2)
    if (bits * digits > size$bits) {
      return(list(bits = as.integer(bits), digits = digits))
    }
  }
  NULL
}

abort_too_wide <- function(of, name) {
  tec_abort("response", c(
    "The sums of the response {.field {name}} cannot be exact: its numbers need too many digits.",
    x = "They range from {format(of$range[1L])} to {format(of$range[2L])}; the smallest absolute
           value is {format(of$least)}.",
    i = "Round them first, for example by {.code ROUND(y, 6)} in the query, or take logarithms.
         Or fetch the rows: {.code engine = tec_engine(collect_rows = Inf)}."
  ))
}

# Powers of ten that may make all numbers whole. A number must be the same double after rounding to
# a multiple of 1 / scale, because a database or R stores a decimal as the nearest double.
decimal_scales <- 10^(0:6)

# Powers of two that may do so. The last one always does, because a double has 53 bits. They are
# multiples of 8, so that they depend less on the rows.
binary_exponents <- function(least) {
  if (is.na(least)) {
    return(0)
  }
  last <- 8 * ceiling((52 - floor(log2(least))) / 8)
  last - 8 * (7:0)
}

# The facts of numbers in memory.
unit_facts <- function(y, w = NULL) {
  mean <- if (length(y)) mean(y) else 0
  least <- least_size(abs(y[y != 0]))
  whole <- function(exponent) {
    scaled <- y * 2^exponent
    all(scaled == round(scaled))
  }
  exponents <- binary_exponents(least)
  list(
    n = length(y), mean = mean, weight = sum(w %||% length(y)),
    squares = sum((w %||% 1) * (y - mean)^2), range = if (length(y)) range(y) else c(0, 0),
    least = least, scales = whole_scales(y), exponent = Find(whole, exponents) %||% Inf
  )
}

# NA if there are no numbers.
least_size <- function(x) if (all(is.na(x))) NA_real_ else min(x, na.rm = TRUE)

whole_scales <- function(y) {
  Filter(function(scale) {
    scaled <- y * scale
    all(abs(scaled) < 2^52) && all(round(scaled) / scale == y)
  }, decimal_scales)
}

# Numbers as digits: one vector per place, the lowest place first.
number_digits <- function(y, response, centre) {
  whole <- round(y * response$scale) - round(centre * response$scale)
  places <- seq_len(response$digits) - 1L
  upper <- function(place) {
    if (place == response$digits) 0 else round(whole * 2^(-place * response$bits))
  }
  lapply(places, function(place) upper(place) - 2^response$bits * upper(place + 1L))
}

# The sums of digits in cells, and those of the products of each place. `w`: weights.
digit_sums <- function(digits, w = NULL) {
  products <- lapply(product_pairs(length(digits)), function(pairs) {
    Reduce(`+`, lapply(pairs, function(at) {
      digits[[at[1L]]] * digits[[at[2L]]] * (1 + (at[1L] != at[2L]))
    }))
  })
  sums <- c(digits, products)
  if (!is.null(w)) sums <- lapply(sums, `*`, w)
  stats::setNames(sums, all_sums(length(digits)))
}

# For each place of the product, the places of its factors.
product_pairs <- function(digits) {
  lapply(seq_len(2L * digits - 1L), function(place) {
    first <- seq_len(digits)
    second <- place + 1L - first
    keep <- second >= first & second <= digits
    Map(c, first[keep], second[keep])
  })
}

# The names of the places of a sum.
sum_digits <- function(name, digits) paste0(name, c("", seq_len(digits - 1L)))

square_digits <- function(digits) sum_digits("squares", 2L * digits - 1L)

all_sums <- function(digits) c(sum_digits("sum", digits), square_digits(digits))

# The sums of cells as doubles, in units.
sum_of_digits <- function(cells, names, bits) {
  places <- seq_along(names) - 1
  Reduce(`+`, Map(function(name, place) cells[[name]] * 2^(place * bits), names, places))
}

# The same in SQL.

# The unit of the numbers, and the digits that sums need.
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
  # The squares of larger numbers, and smaller units, exceed the range of doubles.
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

# The response minus the centre, in whole units, see number_digits().
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

# COUNT, or sums of whole numbers as doubles; with weights also the number of rows.
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
