# A number for each row from its key alone, the same in R and in every database: whole numbers
# below 2^53, in a double or in 64 bits. Folds and bags follow from it, so they need no column of
# their own and do not depend on the order of rows.

hash_prime <- 67108859 # the largest prime below 2^26: products of two remainders are below 2^52

# Odd numbers without a pattern, one stream for each `seed` (a whole number, 0 for folds).
hash_seeds <- function(seed) {
  out <- numeric(6L)
  state <- (seed %% hash_prime) * 48271 + 7919
  for (i in seq_along(out)) {
    for (turn in 1:2) {
      state <- ((state %% hash_prime) * 29943829 + 49979687) %% hash_prime
      state <- (state * state + 31 * state + 17) %% hash_prime
    }
    out[i] <- state + 1
  }
  out
}

# 0 to hash_prime - 1. Keys are whole numbers up to 2^53, also negative ones.
hash_key <- function(key, seed) {
  a <- hash_seeds(seed)
  h <- ((key %% hash_prime) * (a[1L] %% hash_prime) + a[2L]) %% hash_prime
  g <- ((key %% 67108837) * (a[3L] %% hash_prime)) %% hash_prime
  h <- (h + g) %% hash_prime
  h <- ((h + a[4L]) %% hash_prime * ((h + a[5L]) %% hash_prime)) %% hash_prime
  ((h + a[6L]) %% hash_prime * ((h + a[1L]) %% hash_prime) + h) %% hash_prime
}

# The same as a text, of a whole number `key`.
hash_sql <- function(key, seed, dialect) {
  a <- hash_seeds(seed)
  whole <- function(x) sprintf("%.0f", x)
  mod <- function(x, m = hash_prime) dialect$mod(x, whole(m))
  # The remainder of a negative number is negative in SQL.
  positive <- function(m) mod(paste0("(", mod(key, m), " + ", whole(m), ")"), m)
  times <- function(x, y) paste0("(", x, " * ", y, ")")
  plus <- function(x, y) paste0("(", x, " + ", y, ")")
  h <- mod(plus(
    mod(plus(times(positive(hash_prime), whole(a[1L] %% hash_prime)), whole(a[2L]))),
    mod(times(positive(67108837), whole(a[3L] %% hash_prime)))
  ))
  h <- mod(times(mod(plus(h, whole(a[4L]))), mod(plus(h, whole(a[5L])))))
  mod(plus(times(mod(plus(h, whole(a[6L]))), mod(plus(h, whole(a[1L])))), h))
}

hash_fold <- function(key, k) 1 + floor(hash_key(key, 0) %% k)

fold_sql <- function(key, k, dialect) {
  paste0("(1 + ", dialect$mod(hash_sql(key, 0, dialect), k), ")")
}

# How often a row is in the bag of a tree: Poisson with mean `fraction`, or at most once.
hash_bag <- function(key, tree, replace = TRUE, fraction = 1) {
  findInterval(hash_key(key, tree), bag_limits(replace, fraction))
}

bag_sql <- function(key, tree, replace, fraction, dialect) {
  limits <- bag_limits(replace, fraction)
  cases <- paste0("WHEN h < ", sprintf("%.0f", limits), " THEN ", seq_along(limits) - 1L)
  hash <- hash_sql(key, tree, dialect)
  list(hash = hash, weight = paste("CASE", paste(cases, collapse = " "), "ELSE", length(limits),
    "END"))
}

# A hash below the first is not in the bag, below the second once, ...
bag_limits <- function(replace, fraction) {
  if (!replace) {
    return(ceiling(hash_prime * (1 - fraction)))
  }
  limits <- ceiling(hash_prime * stats::ppois(0:40, fraction))
  limits[limits < hash_prime]
}
