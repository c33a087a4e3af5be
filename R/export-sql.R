# Tested in test-tec_sql.R.

sql_expressions <- function(form, sql, type) {
  check_sql_inputs(form$inputs, sql)
  form <- sql_form(form, sql)
  form$branches <- sql_branches(form, sql)
  switch(type,
    node = sql_nodes(form, sql),
    class = sql_class(form, sql),
    prob = lapply(seq_along(form$classes), function(k) sql_number(form, form$prob[, k], sql)),
    response = sql_number(form, form$value, sql)
  )
}

# With the names of columns and levels as the dialect quotes them.
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

# In a tree that sends rows down several branches: first the branches for rows without missing
# values, which most rows are, and for the others a sum.
sql_number <- function(form, value, sql) {
  plain <- sql_cases(form, sql_real(value, sql), sql)
  if (!form$shared) {
    return(plain)
  }
  # The same for all rows, those with missing values among them.
  if (all(value == value[1L])) {
    return(sql_real(value[1L], sql))
  }
  sql_first(plain, sql_sum(form, value, sql))
}

sql_class <- function(form, sql) {
  # A forest counts classes by their number.
  labels <- form$codes %||% sql_string(form$classes, sql)
  plain <- sql_cases(form, labels[form$value], sql)
  if (!form$shared) {
    return(plain)
  }
  # How a class is chosen over several leaves: by the largest share, or the smallest expected cost.
  aim <- if (is.null(form$cost)) form$prob else -(form$prob %*% form$cost)
  live <- if (is.null(form$cost)) colSums(form$prob) > 0 else rep(TRUE, ncol(aim))
  aim <- aim[, live, drop = FALSE]
  labels <- labels[live]
  # Up to rounding, as best_answer() has it.
  margin <- if (is.null(form$cost)) 1 - 1e-12 else 1 + 1e-12
  best <- if (length(labels) <= 3L || !sql$subquery) {
    sql_duels(form, aim, margin, labels, sql)
  } else {
    sql_best(form, aim, margin, labels, sql)
  }
  if (length(labels) == 1L) best else sql_first(plain, best)
}

sql_first <- function(plain, sum) paste0("COALESCE(\n", plain, ",\n", sum, "\n)")

# The first class that is not worse than any later one.
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

# With more classes each sum is written once, in a query of its own, which has one row.
sql_best <- function(form, aim, margin, labels, sql) {
  n <- length(labels)
  check_sql_columns(n, sql)
  name <- paste0("tectree_", seq_len(n))
  sums <- vapply(seq_len(n), function(k) sql_sum(form, aim[, k], sql), "")
  when <- vapply(seq_len(n - 1L), function(k) {
    least <- paste(exact_number(margin), "*", name[(k + 1L):n])
    paste0("WHEN ", paste(name[k], ">=", least, collapse = " AND "), " THEN ", labels[k])
  }, "")
  paste0(
    "(SELECT ", sql_case(when, labels[n]), "\nFROM (SELECT\n",
    paste(sums, "AS", name, collapse = ",\n"), sql$from_nothing, ") tectree)"
  )
}
