#' Export a tree to SQL
#'
#' Expressions that predict inside a database what [predict()][predict.tec_tree] predicts in R: for a
#' `SELECT`, or for dplyr's `mutate()`: `predicted = !!tec_sql(...)`, or `!!!` where there are several. The columns of the table have the names of the columns that
#' the tree was grown from.
#'
#' @details
#' Names and labels are quoted as the database wants it, by the connection where one is given.
#' Thresholds are written so that they read back as the same double. Tested on SQLite and
#' PostgreSQL; for another database let [verify_export()] compare on your connection, above all where
#' `=` takes `"a"` and `"A"` for the same text. Some databases read a backslash within a string as
#' an escape: without a connection a label that holds one is an error there.
#'
#' `NULL` is a missing value, and so is PostgreSQL's `NaN`; in other databases turn `NaN` into `NULL`
#' first. A threshold that is infinite is an error. Labels that training did not have are
#' missing too, also where the tree was grown with `unseen = "error"`. Dates are compared as `DATE`, times as `TIMESTAMP WITH TIME ZONE`; in SQLite both are
#' numbers, days and seconds since 1970, as RSQLite stores them. Time differences are numbers in the
#' units of the training rows. A logical column is a boolean, in SQLite 0 or 1.
#'
#' @section Rows that are shared out:
#' With `missing = "fractional"`, the default of [tec_tree()], a row without a value at a split goes
#' down every branch, in parts. Probabilities and numbers are then sums over the branches, and the
#' class is the one whose sum is largest: the expression grows long with many classes. `fractional
#' = "null"` keeps it short and gives these rows `NULL`. `type = "node"` has no other way.
#'
#' @param fit A tree from [tec_tree()], or the result of [tec_tune()].
#' @param dialect `"postgres"`, `"sqlite"`, `"duckdb"`, `"mssql"`, `"oracle"`, `"mysql"`, `"mariadb"`,
#'   `"redshift"`, `"snowflake"` or `"spark"`; or a DBI connection.
#' @param type `"response"`, the class or the number; `"class"`; `"prob"`, an expression for each
#'   class; or `"node"`, the number of the node where the row ends.
#' @param fractional `"predict"`: rows that the tree shares out over several branches are predicted
#'   as [predict()][predict.tec_tree] does it. `"null"`: they get no prediction.
#' @return A string of class `sql`, as dbplyr's `sql()` makes it, which prints as the text; for
#'   `"prob"` a list of them, named by the classes.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, preset = "cart")
#' cat(tec_sql(fit, "postgres"))
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(con, "flowers", iris)
#' query <- paste("SELECT", tec_sql(fit, con), "AS predicted FROM flowers")
#' table(DBI::dbGetQuery(con, query)$predicted, iris$Species)
#' verify_export(fit, iris, con)
#' DBI::dbDisconnect(con)
#' @export
tec_sql <- function(fit, dialect, type = c("response", "class", "prob", "node"),
                    fractional = c("predict", "null")) {
  types <- c("response", "class", "prob", "node")
  type <- match_choice(if (missing(type)) "response" else type, types, "type")
  fractional <- match_choice(fractional[1L], fractional_choices, "fractional")
  sql <- sql_dialect(dialect)
  form <- export_tree(fit, "tec_sql", fractional)
  check_prediction_type(type, chosen_fit(fit, "tec_sql")$response)
  if (type == "response" && !is.null(form$classes)) type <- "class"
  columns <- vapply(form$inputs, function(x) sql_name(x$name, sql), "")
  conditions <- sql_conditions(form, columns, sql)
  out <- switch(type,
    node = sql_nodes(form, conditions),
    class = sql_class(form, conditions, sql),
    prob = vapply(seq_along(form$classes), function(k) {
      sql_number(form, conditions, form$prob[, k])[1L]
    }, ""),
    response = sql_number(form, conditions, form$value)[1L]
  )
  out <- lapply(out, structure, class = c("tec_code", "sql", "character"))
  if (type == "prob") stats::setNames(out, form$classes) else out[[1L]]
}

# For each node the conditions of its steps.
sql_conditions <- function(form, columns, sql) {
  labels <- lapply(form$inputs, function(input) {
    if (input$logical) {
      return(sql$bool)
    }
    if (length(input$levels)) sql_string(input$levels, sql)
  })
  lapply(form$nodes, function(node) {
    vapply(node$steps, function(step) {
      column <- columns[step$input]
      if (step$op != "in") {
        return(sql_compare(column, step, form$inputs[[step$input]], sql$name))
      }
      value <- labels[[step$input]][step$value]
      if (length(value) == 1L) {
        return(paste(column, "=", value))
      }
      paste0(column, " IN (", paste(value, collapse = ", "), ")")
    }, "")
  })
}

sql_compare <- function(column, step, input, dialect) {
  value <- sql_value(step$value, input, dialect)
  out <- paste(column, step$op, value)
  # PostgreSQL has NaN above all numbers.
  number <- input$type %in% c("number", "difftime") && !input$whole
  if (dialect == "postgres" && step$op == ">" && number) {
    out <- paste0(out, " AND ", column, "::float8 <> 'NaN'")
  }
  out
}

sql_value <- function(value, input, dialect) {
  if (dialect == "sqlite" || !input$type %in% c("Date", "POSIXct")) {
    return(exact_number(value))
  }
  if (input$type == "Date") {
    # A column of dates holds whole days.
    date <- format(structure(floor(value), class = "Date"), "%Y-%m-%d")
    check_year(date, input)
    return(paste0("CAST('", date, "' AS DATE)"))
  }
  if (!dialect %in% c("postgres", "duckdb")) {
    abort_export(
      "Times are written for SQLite and PostgreSQL only.",
      x = "Column: {.field {input$name}}."
    )
  }
  # The last microsecond that is at most the threshold.
  micro <- round(value * 1e6)
  if (micro / 1e6 > value) micro <- micro - 1
  second <- structure(floor(micro / 1e6), class = c("POSIXct", "POSIXt"), tzone = "UTC")
  time <- format(second, "%Y-%m-%d %H:%M:%S")
  check_year(time, input)
  part <- sprintf("%06.0f", micro - 1e6 * as.numeric(second))
  paste0("CAST('", time, ".", part, "+00' AS TIMESTAMP WITH TIME ZONE)")
}

check_year <- function(text, input) {
  if (!grepl("^[0-9]{4}-", text)) {
    abort_export(
      "Column {.field {input$name}} is split at a year that SQL cannot write.",
      x = "At {text}."
    )
  }
}

# One text a node, the whole of it the first: `leaf` at the leaves, and `other(i, text)` where a row
# goes no further by its values.
sql_cases <- function(form, conditions, leaf, other) {
  text <- leaf
  for (i in rev(which(lengths(form$nodes) > 0L))) {
    other_kind <- form$nodes[[i]]$other$kind
    to <- vapply(form$nodes[[i]]$steps, `[[`, 0L, "to")
    there <- form$nodes[[i]]$other$to
    last <- switch(other_kind, node = text[there], stop = leaf[i], null = "NULL", share = other(i))
    when <- paste("WHEN", conditions[[i]], "THEN")
    subject <- ""
    if (anyDuplicated(c(to, if (other_kind == "node") there))) {
      # Several steps lead to one child: first its number, so that its text is there once.
      number <- if (other_kind == "node") there else "NULL"
      subject <- paste(" CASE", paste(when, to, collapse = " "), "ELSE", number, "END")
      to <- setdiff(to, if (other_kind == "node") there)
      when <- paste("WHEN", to, "THEN")
    }
    line <- paste0("\n", strrep("  ", form$depth[i]))
    text[i] <- if (all(text[to] == last)) {
      last
    } else {
      cases <- paste0(line, "  ", when, " ", text[to], collapse = "")
      paste0("CASE", subject, cases, line, "  ELSE ", last, line, "END")
    }
  }
  text
}

sql_nodes <- function(form, conditions) {
  if (form$shared) abort_shared("{.code type = \"node\"}")
  sql_cases(form, conditions, as.character(seq_along(form$nodes)))[1L]
}

# A number of each node, in rows that are shared out the mean: of every branch its number times the
# part of the row that comes there, 1 or 0 where the row has a value.
sql_number <- function(form, conditions, value) {
  literal <- exact_number(value)
  if (!form$shared) {
    return(sql_cases(form, conditions, literal))
  }
  text <- literal
  for (i in rev(which(lengths(form$nodes) > 0L))) {
    node <- form$nodes[[i]]
    to <- vapply(node$steps, `[[`, 0L, "to")
    if (node$other$kind != "share") {
      when <- paste("WHEN", conditions[[i]], "THEN", text[to], collapse = " ")
      text[i] <- paste0("CASE ", when, " ELSE ", literal[i], " END")
      next
    }
    parts <- vapply(node$children, function(child) {
      share <- node$other$share[match(child, node$other$to)]
      when <- paste("WHEN", conditions[[i]], "THEN", as.integer(to == child), collapse = " ")
      share <- if (is.na(share)) "0" else exact_number(share)
      paste0("(CASE ", when, " ELSE ", share, " END) * ", text[child])
    }, "")
    text[i] <- paste0("(", paste(parts, collapse = " + "), ")")
  }
  text
}

sql_class <- function(form, conditions, sql) {
  leaf <- sql_string(form$classes, sql)[form$value]
  if (!form$shared) {
    return(sql_cases(form, conditions, leaf)[1L])
  }
  # What the class of a mean is chosen by: shares, or expected costs.
  by_share <- is.null(form$cost)
  aim <- if (by_share) form$prob else form$prob %*% form$cost
  sums <- lapply(seq_along(form$classes), function(k) sql_number(form, conditions, aim[, k]))
  below <- ends_below(form)
  other <- function(i) {
    at <- below[[i]]
    agreed <- unique(form$value[at])
    prob <- form$prob[at, , drop = FALSE]
    if (length(agreed) == 1L && all(best_answer(prob, form$cost) == agreed)) {
      return(leaf[at[1L]])
    }
    live <- if (by_share) colSums(prob) > 0 else rep(TRUE, length(sums))
    sql_best(vapply(sums[live], `[`, "", i), sql_string(form$classes[live], sql), by_share)
  }
  sql_cases(form, conditions, leaf, other)[1L]
}

# The nodes below each where a row may end.
ends_below <- function(form) {
  out <- as.list(seq_along(form$nodes))
  for (i in rev(which(lengths(form$nodes) > 0L))) {
    node <- form$nodes[[i]]
    stops <- if (node$other$kind == "stop") i
    out[[i]] <- c(stops, unlist(out[node$children]))
  }
  out
}

# The first class whose sum is largest, or least, up to rounding, as best_answer() has it.
sql_best <- function(sums, labels, largest) {
  n <- length(sums)
  bound <- if (largest) " >= 0.999999999999 * " else " <= 1.000000000001 * "
  when <- vapply(seq_len(n - 1L), function(k) {
    paste0(sums[k], bound, sums[(k + 1L):n], collapse = " AND ")
  }, "")
  cases <- paste("WHEN", when, "THEN", labels[-n], collapse = " ")
  paste0("CASE ", cases, " ELSE ", labels[n], " END")
}
