# Tested in test-mars-export.R.
# Regression splines as source code and in SQL.

mars_code <- function(fit, lang, name) {
  if (!is_mars(fit)) check_is_tree(fit, "tec_code")
  check_fit(fit)
  if (lang == "rust") {
    abort_export(
      "{.fn tec_code} writes splines in R, C, JavaScript and Python.", x = "Not in Rust.",
      i = "Call the function of {.code lang = \"c\"} from Rust."
    )
  }
  words <- code_words[[lang]]
  template <- sub("tree", "mars", words$file, fixed = TRUE)
  fields <- c(list(NAME = name), mars_code_fields(fit, lang, words))
  fill_template(code_template(template), code_dummies(fields, lang))
}

# The factors of the terms one after the other: list(from, input, level, side, knot). Inputs are
# numbered as in `used`, from 1.
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

mars_code_fields <- function(fit, lang, words) {
  check_mars_finite(fit)
  numbers <- code_numbers(lang)
  csv <- function(x) if (length(x)) wrap_items(x, ", ") else if (lang == "c") "0" else ""
  inputs <- lapply(fit$used, export_input, fit = fit)
  classes <- fit$response$levels
  f <- mars_factors(fit)
  base <- words$base
  c(
    list(
      N_INPUTS = length(inputs), SCORES = max(1L, length(classes)), SUMS = ncol(fit$coefficients),
      TERMS = length(fit$selected), N_AT = length(fit$classes),
      INPUTS = wrap_items(quoted(vapply(inputs, `[[`, "", "name"), lang), ", "),
      CLASSES = wrap_items(quoted(classes %||% character(), lang), ", "),
      FROM = csv(f$from), INPUT = csv(f$input - 1L + base), LEVEL = csv(f$level),
      SIDE = csv(f$side),
      KNOT = csv(numbers(f$knot)), COEF = code_matrix(unname(fit$coefficients), words, numbers),
      AT = csv(fit$classes - 1L + base)
    ),
    code_levels(list(inputs = inputs), lang)
  )
}

check_mars_finite <- function(fit) {
  if (!all(is.finite(fit$coefficients))) {
    abort_export("The coefficients are not finite.")
  }
}

check_mars_target <- function(target) {
  if (target %in% c("rust", "onnx", "json_python", "json_javascript")) {
    abort_export(
      "Splines are not written for the target {.val {target}}.",
      i = "Use {.or {.val {c('r', 'c', 'python', 'javascript', 'json')}}}, or a connection."
    )
  }
}

expected_of_mars <- function(fit, newdata) {
  values <- suppressWarnings(code_rows(fit, newdata, parent.frame()))
  out <- list(response = predict_coded(fit, values, nrow(newdata)))
  if (!is.null(fit$response$levels)) {
    out$response <- as.character(out$response)
    out$prob <- predict_coded(fit, values, nrow(newdata), "prob")
  }
  out
}

# ---- SQL ----

tec_sql_mars <- function(fit, dialect, type, missing, file, table, keep) {
  check_fit(fit)
  check_mars_finite(fit)
  types <- c("response", "class", "prob", "link")
  type <- match_choice(our_word("type", type, types), types, "type")
  if (!is.null(table) || !is.null(keep)) {
    tec_abort("argument", c(
      "{.arg table} and {.arg keep} are for forests.",
      i = "Of splines {.fn tec_sql} writes an expression, for a query of your own."
    ))
  }
  check_type(type, fit$response)
  sql <- c(sql_dialect(dialect), model = "model")
  inputs <- lapply(fit$used, export_input, fit = fit)
  check_sql_inputs(inputs, sql)
  out <- mars_sql_expressions(fit, inputs, sql, type)
  check_sql_length(out, sql)
  out <- lapply(out, structure, class = c("tec_code", "sql", "character"))
  if (length(out) == 1L) {
    return(give_text(out[[1L]], file))
  }
  columns <- paste(vapply(out, unclass, ""), "AS", vapply(names(out), sql_name, "", sql))
  give_text(out, file, paste(columns, collapse = ",\n"))
}

mars_sql_expressions <- function(fit, inputs, sql, type) {
  guard <- mars_sql_guard(inputs, sql)
  guarded <- function(text) {
    if (is.null(guard)) text else paste0("CASE WHEN ", guard, " THEN NULL ELSE\n", text, "\nEND")
  }
  sums <- mars_sql_sums(fit, inputs, sql)
  levels <- fit$response$levels
  if (type == "link" || is.null(levels)) {
    out <- lapply(sums, guarded)
    return(if (length(out) > 1L) stats::setNames(out, colnames(fit$coefficients)) else out)
  }
  if (type != "prob") {
    return(list(guarded(mars_sql_class(fit, sums, sql))))
  }
  if (length(sums) == 1L) sums <- c(paste0("-1 * (", sums, ")"), sums)
  odds <- sql_logistic(sums, sql)
  prob <- rep(sql_real(0, sql), length(levels))
  prob[fit$classes] <- if (ncol(fit$coefficients) == 1L) {
    odds
  } else {
    paste0(odds, " / NULLIF(", paste(odds, collapse = " + "), ", 0)")
  }
  stats::setNames(lapply(prob, guarded), levels)
}

# The class of the largest sum, the first of equal ones.
mars_sql_class <- function(fit, sums, sql) {
  labels <- sql_string(fit$response$levels[fit$classes], sql)
  if (length(sums) == 1L) {
    return(paste0("CASE WHEN (", sums, ") > 0 THEN ", labels[2L], " ELSE ", labels[1L], " END"))
  }
  k <- length(sums)
  when <- vapply(seq_len(k - 1L), function(i) {
    later <- paste0("(", sums[i], ") >= (", sums[(i + 1L):k], ")")
    paste0("WHEN ", paste(later, collapse = " AND "), " THEN ", labels[i])
  }, "")
  sql_case(when, labels[k])
}

mars_sql_sums <- function(fit, inputs, sql) {
  terms <- mars_sql_terms(fit, inputs, sql)
  apply(fit$coefficients, 2L, function(b) {
    product <- ifelse(nzchar(terms), paste0(sql_real(b, sql), " * ", terms), sql_real(b, sql))
    paste(product, collapse = "\n  + ")
  }, simplify = TRUE) |> unname()
}

mars_sql_terms <- function(fit, inputs, sql) {
  f <- mars_factors(fit)
  factors <- vapply(seq_along(f$input), function(i) {
    input <- inputs[[f$input[i]]]
    name <- sql_name(input$name, sql)
    if (f$level[i] > 0L) {
      label <- mars_sql_labels(input, sql)[f$level[i]]
      value <- paste0("(CASE WHEN ", name, " = ", label, " THEN 1 ELSE 0 END)")
    } else {
      value <- mars_sql_number(input, name, sql)
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

mars_sql_labels <- function(input, sql) {
  if (input$logical) sql$bool else sql_string(input$levels, sql)
}

mars_sql_number <- function(input, name, sql) {
  if (input$type == "level") {
    labels <- mars_sql_labels(input, sql)
    when <- paste0("WHEN ", name, " = ", labels, " THEN ", seq_along(labels), collapse = " ")
    return(paste0("(CASE ", when, " END)"))
  }
  if (input$type %in% c("Date", "POSIXct") && sql$name != "sqlite") {
    abort_export(
      "Dates and times in splines are written for SQLite only.",
      x = "Column: {.field {input$name}}.",
      i = "Make it a number, such as days since 1970, and fit again."
    )
  }
  double <- switch(sql$name,
    sqlite = "REAL", mysql = , mariadb = , duckdb = , spark = "DOUBLE", mssql = "FLOAT",
    bigquery = "FLOAT64", oracle = "BINARY_DOUBLE", "DOUBLE PRECISION"
  )
  paste0("CAST(", name, " AS ", double, ")")
}

# The rows without a prediction.
mars_sql_guard <- function(inputs, sql) {
  if (length(inputs) == 0L) {
    return(NULL)
  }
  tests <- vapply(inputs, function(input) {
    name <- sql_name(input$name, sql)
    none <- paste(name, "IS NULL")
    if (input$type != "level" || input$logical) {
      return(none)
    }
    known <- paste(mars_sql_labels(input, sql), collapse = ", ")
    paste0(none, " OR NOT (", name, " IN (", known, "))")
  }, "")
  paste(tests, collapse = " OR ")
}
