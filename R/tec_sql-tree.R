# Tested in test-tec_sql.R.

sql_expressions <- function(form, sql, type) {
  check_sql_inputs(form$inputs, sql)
  form <- sql_form(form, sql)
  form$branches <- sql_branches(form, sql)
  switch(type,
    node = list(sql_nodes(form, sql)),
    class = list(sql_class(form, sql)),
    prob = stats::setNames(sql_shares(form, sql), form$classes),
    response = list(sql_number(form, form$value, sql))
  )
}

sql_shares <- function(form, sql) {
  lapply(seq_along(form$classes), function(k) sql_number(form, form$prob[, k], sql))
}

# Adds the names of columns and levels, quoted for the dialect.
sql_form <- function(form, sql) {
  form$columns <- vapply(form$inputs, function(x) sql_name(x$name, sql), "")
  form$labels <- lapply(form$inputs, function(input) {
    if (input$logical) sql$bool else if (length(input$levels)) sql_string(input$levels, sql)
  })
  form
}

sql_nodes <- function(form, sql) {
  if (form$shared) abort_shared("{.code type = \"node\"}")
  sql_cases(form, as.character(seq_along(form$value)), sql)
}

# For a tree that sends rows down several branches: first the branches for rows without missing
# values, which are most rows, then a sum for the others.
sql_number <- function(form, value, sql) {
  plain <- sql_cases(form, sql_real(value, sql), sql)
  if (!form$shared) {
    return(plain)
  }
  # All rows get the same value, including rows with missing values.
  if (all(value == value[1L])) {
    return(sql_real(value[1L], sql))
  }
  sql_first(plain, sql_sum(form, value, sql))
}

sql_class <- function(form, sql) {
  # A forest counts classes by number.
  labels <- form$codes %||% sql_string(form$classes, sql)
  plain <- sql_cases(form, labels[form$value], sql)
  if (!form$shared) {
    return(plain)
  }
  # Over several leaves, the class has the largest share, or the smallest expected cost.
  aim <- if (is.null(form$cost)) form$prob else -(form$prob %*% form$cost)
  live <- if (is.null(form$cost)) colSums(form$prob) > 0 else rep(TRUE, ncol(aim))
  aim <- aim[, live, drop = FALSE]
  labels <- labels[live]
  # The margin for rounding is that of best_answer().
  margin <- if (is.null(form$cost)) 1 - 1e-12 else 1 + 1e-12
  best <- if (length(labels) <= 3L || !sql$subquery) {
    sql_duels(form, aim, margin, labels, sql)
  } else {
    sql_best(form, aim, margin, labels, sql)
  }
  if (length(labels) == 1L) best else sql_first(plain, best)
}

sql_first <- function(plain, sum) paste0("COALESCE(\n", plain, ",\n", sum, "\n)")

# The first class that is not worse than any later class.
sql_duels <- function(form, aim, margin, labels, sql) {
  n <- length(labels)
  when <- vapply(seq_len(n - 1L), function(k) {
    gap <- vapply((k + 1L):n, function(other) {
      paste(sql_sum(form, aim[, k] - margin * aim[, other], sql), ">= 0")
    }, "")
    paste0("WHEN ", paste(gap, collapse = "\n  AND "), " THEN ", labels[k])
  }, "")
  sql_case(when, labels[n])
}

# With more classes, each sum is written once, in its own query with one row.
sql_best <- function(form, aim, margin, labels, sql) {
  n <- length(labels)
  check_sql_columns(n, sql)
  name <- paste0("tectree_", seq_len(n))
  sums <- vapply(seq_len(n), function(k) sql_sum(form, aim[, k], sql), "")
  paste0(
    "(SELECT ", sql_case(first_largest(name, labels, margin), labels[n]), "\nFROM (SELECT\n",
    paste(sums, "AS", name, collapse = ",\n"), sql$from_nothing, ") tectree)"
  )
}

# The lines of a CASE: `then` for the first number that is not less than any later number times
# `margin`, unless it is the last.
first_largest <- function(numbers, then, margin = NULL) {
  n <- length(numbers)
  least <- if (is.null(margin)) numbers else paste(exact_number(margin), "*", numbers)
  vapply(seq_len(n - 1L), function(i) {
    paste("WHEN", paste(numbers[i], ">=", least[(i + 1L):n], collapse = " AND "), "THEN", then[i])
  }, "")
}

# The logistic function of sums.
sql_logistic <- function(sums, sql) {
  one <- sql_real(1, sql)
  # Outside this range, EXP() is an error in some databases.
  paste0(
    "(CASE WHEN (", sums, ") > 700 THEN ", one, " WHEN (", sums, ") < -700 THEN ", sql_real(0, sql),
    " ELSE ", one, " / (", one, " + EXP(-1 * (", sums, "))) END)"
  )
}

# ---- sums ----

# The weighted mean over the leaves that a row reaches: at each node, the sum over its branches of
# the share of the row in the branch (0 or 1 if the row has a value) times the sum of the child. If
# the parentheses would be nested too deeply, a branch becomes a separate term, times the share of
# the row that reaches it.

sql_sum_nesting <- 8L

sql_sum <- function(form, value, sql) {
  literal <- paste0(sql_real(value, sql), if (sql$name == "postgres") "::float8")
  literal[value == 0] <- "0"
  terms <- list(text = literal, nesting = integer(length(literal)))
  apart <- integer()
  for (i in rev(which(lengths(form$branches) > 0L))) {
    parts <- sql_parts(form$branches[[i]], i, terms, form$other$share)
    room <- max(0, sql_sum_nesting - ceiling(log2(length(parts$to))))
    too_deep <- parts$nesting > room
    if (any(too_deep)) {
      apart <- c(parts$to[too_deep & parts$text != "0"], apart)
      parts$text[too_deep] <- "0"
      parts$nesting[too_deep] <- 0L
    }
    whole <- sql_halves(parts, seq_along(parts$to), sql)
    terms$text[i] <- whole$text
    terms$nesting[i] <- whole$nesting
  }
  apart <- sort(apart)
  arrives <- sql_arrivals(form, apart, sql)
  outside <- paste(arrives, "*", terms$text[apart], recycle0 = TRUE)
  own <- if (terms$text[1L] != "0" || !length(apart)) terms$text[1L]
  sql_plus(c(own, outside))
}

# The children of a node, and the node itself if rows stop there: list(to, when, share, text,
# nesting).
sql_parts <- function(node, i, terms, share) {
  stops <- node$kind == "stop"
  to <- c(node$to, if (stops) i)
  list(
    to = to, when = c(node$when, if (stops) NA), text = terms$text[to],
    share = if (stops) as.double(to == i) else share[to],
    nesting = ifelse(to == i, 0L, terms$nesting[to])
  )
}

# Divides the branches into halves, so that labels are not repeated for every branch.
sql_halves <- function(parts, at, sql) {
  if (length(at) == 1L) {
    return(list(text = parts$text[at], nesting = parts$nesting[at]))
  }
  half <- seq_len(length(at) %/% 2L)
  sides <- list(at[half], at[-half])
  sums <- lapply(sides, sql_halves, parts = parts, sql = sql)
  text <- vapply(sums, `[[`, "", "text")
  nesting <- max(vapply(sums, `[[`, 0, "nesting"))
  if (text[1L] == text[2L] && nesting == 0) {
    return(sums[[1L]])
  }
  total <- sum(parts$share[at])
  when <- vapply(sides, function(side) {
    paste(stats::na.omit(parts$when[side]), collapse = " OR ")
  }, "")
  terms <- vapply(1:2, function(s) {
    share <- if (total > 0) sum(parts$share[sides[[s]]]) / total else 0
    cases <- paste("WHEN", when, "THEN", as.integer(1:2 == s))[nzchar(when)]
    part <- paste0("(CASE ", paste(cases, collapse = " "), " ELSE ", sql_real(share, sql), " END)")
    if (text[s] == "0") NA_character_ else paste(part, "*", text[s])
  }, "")
  terms <- terms[!is.na(terms)]
  list(text = paste0("(", paste(terms, collapse = " + "), ")"), nesting = nesting + 1L)
}

# Writes a sum of many terms as a sum of sums, because parsers nest a sum as deep as it is long.
sql_plus <- function(terms) {
  while (length(terms) > 1L) {
    groups <- split(terms, (seq_along(terms) - 1L) %/% 50L)
    terms <- vapply(groups, function(x) paste0("(", paste(x, collapse = " +\n"), ")"), "")
  }
  unname(terms)
}

# The share of a row that reaches each of `nodes`: a product over the columns on the path, with the
# conditions on a column combined. `nodes` are in increasing order, and a path continues that of its
# last ancestor among them.
sql_arrivals <- function(form, nodes, sql) {
  ways <- list()
  vapply(nodes, function(node) {
    path <- integer()
    i <- node
    while (i != 1L && (i == node || is.null(ways[as.character(i)][[1L]]))) {
      path <- c(i, path)
      i <- form$parent[i]
    }
    way <- ways[[as.character(i)]] %||% list()
    for (child in path) way <- sql_way_on(way, form, form$parent[child], child)
    ways[[as.character(node)]] <<- way
    paste0("(", vapply(way, sql_factor, "", form = form, sql = sql), ")", collapse = " * ")
  }, "")
}

# `way`: for each column on the path, the share of a row that its conditions let through:
# list(input, low, high, parts, lost). `low` and `high` bound a number, `parts` has the share of
# each level, and `lost` is the share if the value is missing. A node with surrogates has its own
# entry, with its conditions.
sql_way_on <- function(way, form, from, child) {
  share <- form$other$share[child]
  if (form$stands_in[from]) {
    branches <- form$branches[[from]]
    here <- branches$to == child
    return(c(way, list(list(input = 0L, when = branches$when, here = here, share = share))))
  }
  steps <- rows_of_table(form$splits, form$splits$node == from)
  input <- steps$input[1L]
  at <- match(input, vapply(way, `[[`, 0L, "input"))
  if (is.na(at)) {
    at <- length(way) + 1L
    levels <- length(form$labels[[input]])
    way[[at]] <- list(input = input, low = -Inf, high = Inf, parts = rep(1, levels), lost = 1)
  }
  b <- match(child, steps$to)
  now <- way[[at]]
  now$lost <- now$lost * share
  if (steps$op[1L] == "in") {
    known <- rep(0L, length(now$parts))
    known[unlist(steps$value)] <- rep(steps$to, lengths(steps$value))
    now$parts <- now$parts * ifelse(known == child, 1, ifelse(known == 0L, share, 0))
  } else {
    if (b > 1L) now$low <- max(now$low, steps$value[[b - 1L]])
    if (b < length(steps$to)) now$high <- min(now$high, steps$value[[b]])
  }
  way[[at]] <- now
  way
}

sql_factor <- function(part, form, sql) {
  if (part$input == 0L) {
    cases <- paste("WHEN", part$when, "THEN", as.integer(part$here), collapse = " ")
    return(paste("CASE", cases, "ELSE", sql_real(part$share, sql), "END"))
  }
  column <- form$columns[part$input]
  labels <- form$labels[[part$input]]
  lost <- sql_real(part$lost, sql)
  if (length(labels)) {
    sets <- split(labels, factor(part$parts, unique(part$parts)))
    value <- unique(part$parts)
    sets <- sets[value != part$lost]
    value <- value[value != part$lost]
    when <- vapply(sets, sql_in, "", column = column, sql = sql)
    cases <- paste("WHEN", when, "THEN", sql_real(value, sql), collapse = " ")
    return(if (length(sets)) paste("CASE", cases, "ELSE", lost, "END") else lost)
  }
  input <- form$inputs[[part$input]]
  ends <- c(part$low, part$high)
  ends[is.infinite(ends)] <- NA
  inside <- sql_range(column, ends[1L], ends[2L], input, sql)
  gone <- sql_missing(column, input, sql)
  paste("CASE WHEN", inside, "THEN 1 WHEN", gone, "THEN", lost, "ELSE 0 END")
}
