# Tested in test-engine-sums.R and test-engine-servers.R.
# Sums of a numeric response that are exact in whatever order they are added. Numbers are whole
# multiples of a unit, 1 / `scale`, less a centre. Where these are too large for sums of their
# squares below 2^53 they are written in digits: m + m1 * 2^bits + m2 * 2^(2 bits) + ...; then sums
# of digits, and of products of digits, are below it.

# What a response must tell: how many numbers there are, their mean and weight, the sum of squares
# about it, the ends, the least size but 0, and in which units all numbers are whole (see below).
# list(scale =, centre =, bits =, digits =)
number_units <- function(of, name) {
  scale <- c(of$scales, 2^of$exponent)[1L]
  whole <- is.finite(scale) && abs(of$exponent) <= 500
  size <- if (whole) number_size(of, scale)
  digits <- if (whole) count_digits(size, max(of$weight, of$n, 1))
  if (is.null(digits)) abort_too_wide(of, name)
  list(scale = scale, centre = size$centre, bits = digits$bits, digits = digits$digits)
}

# A centre takes digits off where a double holds all numbers less it.
number_size <- function(of, scale) {
  most <- max(abs(of$range))
  centre <- if (most * scale < 2^52) round(of$mean * scale) / scale else 0
  off <- max(abs(of$range - centre)) * scale
  list(
    centre = centre, bits = ceiling(log2(off + 1)) + 1,
    squares = max(of$squares, off^2 / scale^2) * scale^2
  )
}

# Sums stay below 2^51, with room for a bag that is larger than the sample. The core adds whole
# numbers of 256 bits.
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
    x = "They go from {format(of$range[1L])} to {format(of$range[2L])}; the smallest, without its
         sign, is {format(of$least)}.",
    i = "Round them first, such as by {.code ROUND(y, 6)} in the query, or take their logarithm.
         Or fetch the rows: {.code engine = tec_engine(collect_rows = Inf)}."
  ))
}

# The powers of ten that make all numbers whole. Rounded to a multiple of 1 / scale a number must be
# the same double, since the nearest double to a decimal is what a database or R made of it.
decimal_scales <- 10^(0:6)

# Powers of two that may do so: the last surely does, since a double has 53 bits. Multiples of 8, so
# that they are the same whatever the rows.
binary_exponents <- function(least) {
  if (is.na(least)) {
    return(0)
  }
  last <- 8 * ceiling((52 - floor(log2(least))) / 8)
  last - 8 * (7:0)
}

# Of numbers in memory.
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

# NA where there is none.
least_size <- function(x) if (all(is.na(x))) NA_real_ else min(x, na.rm = TRUE)

whole_scales <- function(y) {
  Filter(function(scale) {
    scaled <- y * scale
    all(abs(scaled) < 2^52) && all(round(scaled) / scale == y)
  }, decimal_scales)
}

# Numbers as digits, a vector for each place, the lowest first.
number_digits <- function(y, response, centre) {
  whole <- round(y * response$scale) - round(centre * response$scale)
  places <- seq_len(response$digits) - 1L
  upper <- function(place) {
    if (place == response$digits) 0 else round(whole * 2^(-place * response$bits))
  }
  lapply(places, function(place) upper(place) - 2^response$bits * upper(place + 1L))
}

# What digits add up to in cells: their sums, and those of the products of each place; `w`: weights.
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

# By place of the product, the places of its factors.
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

# Sums of cells as doubles, in units.
sum_of_digits <- function(cells, names, bits) {
  places <- seq_along(names) - 1
  Reduce(`+`, Map(function(name, place) cells[[name]] * 2^(place * bits), names, places))
}

# PostgreSQL tables whose parts lie on other servers (postgres_fdw). Each server counts its part
# only where the column that divides the table is in GROUP BY; then no row is shipped. The plan of
# every kind of query is looked at, since otherwise the fit would be right, and very slow.

# The column that divides the table between servers, or NULL where all is here.
find_shards <- function(s) {
  if (s$link$name != "postgres") {
    return(NULL)
  }
  plan <- ask(s$link, paste("EXPLAIN (VERBOSE) SELECT 1 FROM", s$from), "the plan")[[1L]]
  if (!any(grepl("Foreign Scan", plan))) {
    return(NULL)
  }
  column <- s$settings$shard_key %||% shard_column(s, plan)
  if (is.null(column)) {
    warn_plan("The table is on another server, and the column that divides it is not known.")
  } else {
    tell(s$link, "SET LOCAL enable_partitionwise_aggregate = on", "a setting")
  }
  column
}

# The key of the one partitioned table with parts on other servers that the plan reads.
shard_column <- function(s, plan) {
  sql <- paste(
    "SELECT DISTINCT CAST(a.attname AS text) AS name, CAST(c.relname AS text) AS part",
    "FROM pg_partitioned_table p JOIN pg_inherits i ON i.inhparent = p.partrelid",
    "JOIN pg_class c ON c.oid = i.inhrelid AND c.relkind = 'f'",
    "JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]",
    "WHERE p.partnatts = 1"
  )
  found <- ask(s$link, sql, "the shards")
  text <- paste(plan, collapse = "\n")
  used <- vapply(found$part, grepl, NA, text, fixed = TRUE)
  name <- unique(found$name[used])
  there <- ask(s$link, paste0("SELECT * FROM (", s$query, ") q LIMIT 0"), "the columns",
    own = FALSE)
  if (length(name) == 1L && name %in% names(there)) name
}

# "pushed down" where each foreign scan is of an aggregate. The first other plan is warned of.
check_plan <- function(s, sql) {
  plan <- ask(s$link, paste("EXPLAIN (VERBOSE)", sql), "the plan")[[1L]]
  scans <- sum(grepl("Foreign Scan", plan))
  pushed <- sum(grepl("Relations: Aggregate on", plan, fixed = TRUE))
  if (pushed >= scans) {
    return("pushed down")
  }
  if (is.null(s$warned)) {
    warn_plan("{scans - pushed} of {scans} scans on other servers send all rows to this one.")
  }
  s$warned <- TRUE
  "rows shipped"
}

warn_plan <- function(what, envir = parent.frame()) {
  tec_warn("plan", c(
    "The other servers do not count for themselves: this will be slow.",
    x = what,
    i = "Give {.code shard_key}, the column that divides a table partitioned by list between them.",
    i = "Servers with the option {.code fdw_tuple_cost} '1' are less likely to be sent rows.",
    i = "{.code postgres_fdw} must be able to send the conditions in the query."
  ), envir)
}
