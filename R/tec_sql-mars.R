# Tested in test-mars-export.R.
# Writes regression splines in SQL.

# The factors of all terms in order: list(from, input, level, side, knot). Inputs are numbered as in
# `used`, from 1.
mars_factors <- function(fit) {
  by_term <- lapply(fit$selected, function(t) {
    at <- which(fit$side[t, ] != 0L)
    data.frame(
      input = match(fit$inputs$column[at], fit$used), level = fit$inputs$level[at],
      side = fit$side[t, at], knot = fit$cut[t, at]
    )
  })
  c(list(from = cumsum(c(0L, vapply(by_term, nrow, 0L)))), as.list(do.call(rbind, by_term)))
}

# A list of expressions, named if there can be several.
mars_sql <- function(fit, sql, type) {
  check_mars_finite(fit)
  check_type(type, fit$response)
  form <- list(inputs = lapply(fit$used, export_input, fit = fit))
  check_sql_inputs(form$inputs, sql)
  form <- sql_form(form, sql)
  guard <- mars_sql_guard(form)
  guarded <- function(texts) {
    if (is.null(guard)) as.list(texts) else lapply(texts, function(text) {
      paste0("CASE WHEN ", guard, " THEN NULL ELSE\n", text, "\nEND")
    })
  }
  sums <- mars_sql_sums(fit, form, sql)
  levels <- fit$response$levels
  if (type == "link" || is.null(levels)) {
    out <- guarded(sums)
    return(if (length(out) > 1L) stats::setNames(out, colnames(fit$coefficients)) else out)
  }
  if (type != "prob") {
    return(guarded(mars_sql_class(fit, sums, sql)))
  }
  if (length(sums) == 1L) {
    odds <- sql_logistic(c(paste0("-1 * (", sums, ")"), sums), sql)
  } else {
    odds <- sql_logistic(sums, sql)
    odds <- paste0(odds, " / NULLIF(", paste(odds, collapse = " + "), ", 0)")
  }
  prob <- rep(sql_real(0, sql), length(levels))
  prob[fit$classes] <- odds
  stats::setNames(guarded(prob), levels)
}

# The class with the largest sum (the first on ties).
mars_sql_class <- function(fit, sums, sql) {
  labels <- sql_string(fit$response$levels[fit$classes], sql)
  if (length(sums) == 1L) {
    return(paste0("CASE WHEN (", sums, ") > 0 THEN ", labels[2L], " ELSE ", labels[1L], " END"))
  }
  sql_case(first_largest(paste0("(", sums, ")"), labels), labels[length(labels)])
}

mars_sql_sums <- function(fit, form, sql) {
  terms <- mars_sql_terms(fit, form, sql)
  apply(fit$coefficients, 2L, function(b) {
    product <- ifelse(nzchar(terms), paste0(sql_real(b, sql), " * ", terms), sql_real(b, sql))
    paste(product, collapse = "\n  + ")
  }, simplify = TRUE) |> unname()
}

mars_sql_terms <- function(fit, form, sql) {
  f <- mars_factors(fit)
  factors <- vapply(seq_along(f$input), function(i) {
    j <- f$input[i]
    if (f$level[i] > 0L) {
      test <- paste(form$columns[j], "=", form$labels[[j]][f$level[i]])
      value <- paste0("(CASE WHEN ", test, " THEN 1 ELSE 0 END)")
    } else {
      value <- mars_sql_number(form$inputs[[j]], form$columns[j], form$labels[[j]], sql)
    }
    if (f$side[i] == 2L) {
      return(value)
    }
    knot <- sql_real(f$knot[i], sql)
    ends <- if (f$side[i] == 1L) c(value, knot) else c(knot, value)
    beyond <- paste(ends, collapse = " - ")
    paste0("(CASE WHEN ", paste(ends, collapse = " > "), " THEN ", beyond, " ELSE 0 END)")
  }, "")
  vapply(seq_along(fit$selected), function(t) {
    paste(factors[seq_len(f$from[t + 1L] - f$from[t]) + f$from[t]], collapse = " * ")
  }, "")
}

mars_sql_number <- function(input, column, labels, sql) {
  if (input$type == "level") {
    when <- paste0("WHEN ", column, " = ", labels, " THEN ", seq_along(labels), collapse = " ")
    return(paste0("(CASE ", when, " END)"))
  }
  if (input$type %in% c("Date", "POSIXct") && sql$name != "sqlite") {
    abort_export(
      "Dates and times in splines are supported only for SQLite.",
      x = "Column: {.field {input$name}}.",
      i = "Make it a number, such as days since 1970, and fit again."
    )
  }
  double <- switch(sql$name,
    sqlite = "REAL", mysql = , mariadb = , duckdb = , spark = "DOUBLE", mssql = "FLOAT",
    bigquery = "FLOAT64", oracle = "BINARY_DOUBLE", "DOUBLE PRECISION"
  )
  paste0("CAST(", column, " AS ", double, ")")
}

# The rows without a prediction.
mars_sql_guard <- function(form) {
  tests <- Map(function(input, column, labels) {
    none <- paste(column, "IS NULL")
    if (input$type != "level" || input$logical) {
      return(none)
    }
    paste0(none, " OR NOT (", column, " IN (", paste(labels, collapse = ", "), "))")
  }, form$inputs, form$columns, form$labels)
  if (length(tests)) paste(tests, collapse = " OR ")
}
