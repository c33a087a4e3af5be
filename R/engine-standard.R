# Tested in test-engine-standard.R and test-engine-hash.R.
# In an unknown database, trees grow with standard SQL. Where databases still differ, one test query
# each finds out which of a few forms it accepts.

learn_dialect <- function(link) {
  d <- link$dialect
  takes <- function(sql, wanted = NULL) dialect_says(link, sql, wanted)
  first <- function(candidates, works) Find(works, candidates) %||% candidates[[1L]]

  number <- first(c("DOUBLE PRECISION", "DOUBLE", "FLOAT64"), function(type) {
    takes(paste("SELECT", cast_to(type)("1"), "/ 3 AS v"), 1 / 3)
  })
  d$number_type <- cast_to(number)
  d$whole_type <- cast_to(first(c("BIGINT", "INT64", "SIGNED", "INTEGER"), function(type) {
    takes(paste("SELECT", cast_to(type)("4294967296"), "AS v"), 2^32)
  }))
  texts <- c("VARCHAR", "VARCHAR(4000)", "STRING", "CHAR", "TEXT")
  d$text_type <- cast_to(first(texts, function(type) {
    takes(paste("SELECT", cast_to(type)("'ab'"), "AS v"), "ab")
  }))
  d$mod <- first(
    list(d$mod, function(x, m) paste0("MOD(", x, ", ", m, ")")),
    function(mod) takes(paste("SELECT", mod("7", "4"), "AS v"), 3)
  )
  d$limit <- first(
    list(d$limit, function(n) sprintf(" FETCH FIRST %.0f ROWS ONLY", n), function(n) ""),
    function(limit) takes(paste0("SELECT v FROM (SELECT 1 AS v) q", limit(1)), 1)
  )
  d$number <- standard_number(d$number_type, takes)
  d <- learn_times(d, first, takes)
  d <- learn_nan(d, first, takes)
  d$bytes <- learn_bytes(takes)
  link$dialect <- d
}

say_standard <- function(link) {
  tec_inform("database", c(
    "This database is unknown, so the tree grows with standard SQL.",
    i = "The connection is {describe(link$con)}. A query that it cannot answer is an error;
           then fetch the rows, or a sample."
  ))
}

# Whether a query is answered, and with the wanted value.
dialect_says <- function(link, sql, wanted = NULL) {
  answer <- tryCatch(
    suppressWarnings(run_query(link$con, sql)), error = but_limits(function(e) NULL)
  )
  if (!is.data.frame(answer) || nrow(answer) != 1L || length(answer) != 1L) {
    return(FALSE)
  }
  found <- plain_column(answer[[1L]])
  if (is.numeric(wanted)) found <- suppressWarnings(as.numeric(found))
  is.null(wanted) || identical(found, wanted)
}

# Whole numbers below 2^53 and powers of two are read exactly everywhere; decimals are not.
standard_number <- function(type, takes) {
  infinity <- Find(function(text) takes(paste("SELECT", text, "AS v"), Inf),
    c(type("'Infinity'"), "9e999")) %||% type("'Infinity'")
  minus <- if (grepl("^CAST", infinity)) type("'-Infinity'") else paste0("-", infinity)
  function(x) {
    out <- character(length(x))
    out[x == Inf] <- infinity
    out[x == -Inf] <- minus
    at <- which(is.finite(x))
    out[at] <- vapply(x[at], function(one) {
      parts <- strsplit(gsub("[()]", "", scaled_number(one)), " ", fixed = TRUE)[[1L]]
      numbers <- grepl("[0-9]", parts)
      parts[numbers] <- type(sub("[.]0$", "", parts[numbers]))
      paste0("(", paste(parts, collapse = " "), ")")
    }, "")
    out
  }
}

# Texts with %s as functions.
forms <- function(...) lapply(c(...), function(format) function(x) sprintf(format, x))

# Days and seconds since 1970.
learn_times <- function(d, first, takes) {
  d$days <- first(
    forms(
      "(%s - DATE '1970-01-01')", "date_diff('day', DATE '1970-01-01', %s)",
      "DATEDIFF(day, DATE '1970-01-01', %s)", "DATEDIFF(%s, DATE '1970-01-01')"
    ),
    function(days) takes(paste("SELECT", d$number_type(days("DATE '1970-03-01'")), "AS v"), 59)
  )
  d$seconds <- Find(function(seconds) {
    takes(paste("SELECT", d$number_type(seconds("TIMESTAMP '1970-01-02 00:00:00'")), "AS v"), 86400)
  }, forms("EXTRACT(EPOCH FROM %s)", "to_unixtime(%s)"))
  d
}

# There is no condition if the database has no NaN.
learn_nan <- function(d, first, takes) {
  nan <- d$number_type("'NaN'")
  if (takes(paste("SELECT", nan, "AS v"), NaN)) {
    conditions <- forms("%1$s <> %1$s", paste("%s =", nan), "isnan(%s)", "is_nan(%s)")
    d$nan <- first(conditions, function(condition) {
      one <- function(x) paste("CASE WHEN", condition(x), "THEN 1 ELSE 0 END")
      takes(paste0("SELECT ", one(nan), " + 2 * ", one(d$number_type("1")), " AS v"), 1)
    })
  }
  d
}

# Finds an expression that distinguishes texts which a collation may treat as equal.
learn_bytes <- function(takes) {
  Find(function(bytes) {
    same <- function(x, y) paste("CASE WHEN", bytes(x), "=", bytes(y), "THEN 1 ELSE 0 END")
    sql <- paste(
      "SELECT", same("'a'", "'A'"), "+", same("'a'", "'a '"), "+ 4 *", same("'a'", "'a'"), "AS v"
    )
    takes(sql, 4)
  }, forms(
    "HEX(%s)", "encode(%s)", "CAST(%s AS VARBINARY(8000))", "CAST(%s AS BINARY)", "to_utf8(%s)"
  ))
}

# The types follow from the classes of the columns in an answer without rows.
answer_types <- function(s, quoted) {
  parts <- paste(quoted, "AS", paste0("t", seq_along(quoted)), collapse = ", ")
  none <- ask(s$link, paste("SELECT", parts, "FROM", s$from, "WHERE 1 = 0"), "types")
  vapply(none, function(x) {
    if (is.character(x)) {
      "text"
    } else if (inherits(x, "Date")) {
      "date"
    } else if (inherits(x, "POSIXct")) {
      "timestamp"
    } else if (is.object(x) || is.list(x)) {
      class(x)[1L]
    } else {
      switch(typeof(x), logical = "boolean", double = , integer = "double", class(x)[1L])
    }
  }, "")
}

check_times <- function(s, names) {
  if (length(names) && is.null(s$dialect$seconds)) {
    tec_abort("column", c(
      "A column of times cannot be counted in this database.",
      x = "Found: {.field {names}}.",
      i = "Convert it to numbers in the query, for example seconds since 1970."
    ))
  }
}

# A number for each row that depends only on its key and is the same in R and in every database: a
# whole number below 2^53, in a double or in 64 bits. Folds and bags follow from it, so they need no
# column of their own and do not depend on the order of rows.

hash_prime <- 67108859 # the largest prime below 2^26: products of two remainders are below 2^52

# Pseudorandom odd numbers, one stream per `seed` (a whole number, 0 for folds).
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

# A hash from 0 to hash_prime - 1, in the arithmetic of R or of SQL. `key(m)`: the remainder of the
# key.
hash_by <- function(seed, key, mod, times, plus, whole = identity) {
  p <- whole(hash_prime)
  a <- whole(hash_seeds(seed))
  small <- whole(hash_seeds(seed) %% hash_prime)
  h <- mod(plus(times(key(hash_prime), small[1L]), a[2L]), p)
  h <- mod(plus(h, mod(times(key(67108837), small[3L]), p)), p)
  h <- mod(times(mod(plus(h, a[4L]), p), mod(plus(h, a[5L]), p)), p)
  mod(plus(times(mod(plus(h, a[6L]), p), mod(plus(h, a[1L]), p)), h), p)
}

# Keys are whole numbers up to 2^53 and may be negative.
hash_key <- function(key, seed) hash_by(seed, function(m) key %% m, `%%`, `*`, `+`)

# The same as SQL text. The remainder of a negative number is negative in SQL.
hash_sql <- function(key, seed, dialect) {
  whole <- function(x) sprintf("%.0f", x)
  mod <- dialect$mod
  remainder <- function(m) mod(paste0("(", mod(key, whole(m)), " + ", whole(m), ")"), whole(m))
  infix <- function(sign) function(x, y) paste0("(", x, " ", sign, " ", y, ")")
  hash_by(seed, remainder, mod, infix("*"), infix("+"), whole)
}

hash_fold <- function(key, k) 1 + floor(hash_key(key, 0) %% k)

fold_sql <- function(key, k, dialect) {
  paste0("(1 + ", dialect$mod(hash_sql(key, 0, dialect), k), ")")
}

# How often a row is in the bag of a tree: Poisson distributed with mean `fraction`, or at most
# once.
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

# A row whose hash is below the first limit is not in the bag, below the second once, and so on.
bag_limits <- function(replace, fraction) {
  if (!replace) {
    return(ceiling(hash_prime * (1 - fraction)))
  }
  limits <- ceiling(hash_prime * stats::ppois(0:40, fraction))
  limits[limits < hash_prime]
}
