# Tested in test-tec_sql.R.
# A tree as one CASE. At every node the child that needs the deepest nesting is not nested: its
# branches follow in the same CASE. So a tree of n leaves nests log2(n) deep at most, whatever its
# depth. Parsers take few levels: SQLite's 18, before version 3.46.

# The branches of each inner node: the children `to`; `when`, a condition for each, no two of which
# hold at once; `lost`, a condition for each: of the rows that the others do not take, those that it
# does not take either; and `other`, where such rows go.
sql_branches <- function(form, sql) {
  lapply(form$nodes, function(node) {
    if (length(node) == 0L) {
      return(NULL)
    }
    if (node$stands_in) {
      return(sql_branches_by_number(node, form, sql))
    }
    step <- node$split[[1L]]
    column <- form$columns[step$input]
    input <- form$inputs[[step$input]]
    out <- if (step$op == "in") {
      sql_level_branches(node$split, column, form$labels[[step$input]], sql)
    } else {
      sql_range_branches(node$split, column, input, sql)
    }
    out <- with_missing_branch(out, node, column, input, form$labels[[step$input]], sql)
    c(out, list(other = node$other))
  })
}

# A branch of missing values alone has no step.
with_missing_branch <- function(out, node, column, input, labels, sql) {
  if (node$other$kind != "node" || node$other$to %in% out$to) {
    return(out)
  }
  lost <- if (isTRUE(out$range)) {
    sql_missing(column, input, sql)
  } else {
    known <- labels[unlist(lapply(node$split, `[[`, "value"))]
    paste(column, "IS NULL OR", sql_in(column, known, sql, not = TRUE))
  }
  out$to <- c(out$to, node$other$to)
  out$when <- c(out$when, lost)
  out$lost <- c(out$lost, lost)
  out
}

sql_level_branches <- function(steps, column, labels, sql) {
  sets <- lapply(steps, `[[`, "value")
  list(
    to = vapply(steps, `[[`, 0L, "to"),
    when = vapply(sets, function(set) sql_in(column, labels[set], sql), ""),
    lost = vapply(sets, function(set) {
      paste(column, "IS NULL OR", sql_in(column, labels[set], sql, not = TRUE))
    }, "")
  )
}

sql_range_branches <- function(steps, column, input, sql) {
  n <- length(steps)
  cut <- vapply(steps, `[[`, 0, "value")
  when <- vapply(seq_len(n), function(b) {
    sql_range(column, if (b > 1L) cut[b - 1L], if (b < n) cut[b], input, sql)
  }, "")
  # All numbers of a column go one way.
  if (n == 1L) {
    when <- paste(c(paste(column, "IS NOT NULL"), when[nzchar(when)]), collapse = " AND ")
  }
  list(
    to = vapply(steps, `[[`, 0L, "to"), when = when,
    lost = rep(sql_missing(column, input, sql), n), range = TRUE
  )
}

# With surrogates, the steps are tested in turn: a CASE that gives the number of the child.
sql_branches_by_number <- function(node, form, sql) {
  when <- vapply(node$steps, function(step) {
    column <- form$columns[step$input]
    if (step$op == "in") {
      return(sql_in(column, form$labels[[step$input]][step$value], sql))
    }
    low <- if (step$op == ">") step$value
    high <- if (step$op == "<=") step$value
    sql_range(column, low, high, form$inputs[[step$input]], sql)
  }, "")
  to <- vapply(node$steps, `[[`, 0L, "to")
  last <- if (node$other$kind == "node") paste(" ELSE", node$other$to)
  number <- paste0("CASE ", paste("WHEN", when, "THEN", to, collapse = " "), last, " END")
  all <- node$children
  list(
    to = all, when = paste(number, "=", all), lost = rep(paste(number, "IS NULL"), length(all)),
    other = node$other, nested = TRUE
  )
}

# low < column <= high; PostgreSQL has NaN above all numbers.
sql_range <- function(column, low, high, input, sql) {
  parts <- c(
    if (!is.null(low)) paste(column, ">", sql_value(low, input, sql$name)),
    if (!is.null(high)) paste(column, "<=", sql_value(high, input, sql$name)),
    if (is.null(high) && may_be_nan(input, sql)) paste0(column, "::float8 <> 'NaN'")
  )
  paste(parts, collapse = " AND ")
}

sql_missing <- function(column, input, sql) {
  out <- paste(column, "IS NULL")
  if (may_be_nan(input, sql)) paste0(out, " OR ", column, "::float8 = 'NaN'") else out
}

may_be_nan <- function(input, sql) {
  sql$name == "postgres" && input$type %in% c("number", "difftime") && !input$whole
}

sql_in <- function(column, labels, sql, not = FALSE) {
  if (length(labels) == 1L) {
    return(paste(column, if (not) "<>" else "=", labels))
  }
  # Oracle allows lists of at most 1,000.
  sets <- split(labels, (seq_along(labels) - 1L) %/% 1000L)
  lists <- vapply(sets, paste, "", collapse = ", ")
  out <- paste0(column, if (not) " NOT", " IN (", lists, ")")
  if (length(out) > 1L) out <- paste0("(", paste(out, collapse = if (not) " AND " else " OR "), ")")
  out
}

# `leaf`: the value of a row that ends at each node.
sql_cases <- function(form, leaf, sql) {
  shape <- sql_shape(form$branches, leaf)
  check_sql_nesting(shape$nesting[1L], sql)
  text <- leaf
  for (head in rev(shape$heads)) text[head] <- sql_one_case(form, head, text, shape)
  text[1L]
}

# For each node: `same`, whether all rows get the same there, and so no CASE is needed, and that
# `value`; how deep its CASE nests; which child `follows` in its CASE; and how far it is indented.
# `heads`: the nodes where a CASE starts.
sql_shape <- function(branches, leaf) {
  n <- length(leaf)
  inner <- which(lengths(branches) > 0L)
  out <- list(
    same = !seq_len(n) %in% inner, value = leaf, nesting = integer(n), follows = rep(NA_integer_, n)
  )
  for (i in rev(inner)) out <- sql_node_shape(out, branches[[i]], i, leaf[i])
  out$level <- integer(n)
  used <- seq_len(n) == 1L
  for (i in inner) {
    to <- branches[[i]]$to
    used[to] <- used[i] && !out$same[i]
    out$level[to] <- out$level[i] + !to %in% out$follows[i]
  }
  out$heads <- setdiff(which(used & !out$same), out$follows)
  out
}

sql_node_shape <- function(shape, node, i, leaf) {
  kids <- node$to
  kind <- node$other$kind
  ends <- c(shape$value[kids], if (kind == "stop") leaf)
  if (all(shape$same[kids]) && kind %in% c("node", "stop") && all(ends == ends[1L])) {
    shape$same[i] <- TRUE
    shape$value[i] <- ends[1L]
    return(shape)
  }
  first <- if (kind == "node") kids == node$other$to else rep(FALSE, length(kids))
  deepest <- kids[order(-shape$nesting[kids], !first)[1L]]
  if (kind == "node" || !shape$same[deepest]) shape$follows[i] <- deepest
  beside <- shape$nesting[setdiff(kids, shape$follows[i])]
  nesting <- c(1L + max(0L, beside), if (!is.na(shape$follows[i])) shape$nesting[deepest])
  shape$nesting[i] <- max(nesting, if (isTRUE(node$nested)) 2L)
  shape
}

# The nodes from `head` on that share its CASE. Of nodes further down `text` is there already.
sql_one_case <- function(form, head, text, shape) {
  when <- list()
  last <- NULL
  i <- head
  while (!shape$same[i]) {
    node <- form$branches[[i]]
    result <- ifelse(shape$same[node$to], shape$value[node$to], text[node$to])
    lost <- switch(node$other$kind, node = NULL, stop = text[i], "NULL")
    on <- shape$follows[i]
    when[[length(when) + 1L]] <- if (is.na(on)) {
      paste("WHEN", node$when, "THEN", result)
    } else {
      sql_lines(node, on, result, lost)
    }
    if (is.na(on)) {
      last <- lost
      break
    }
    i <- on
  }
  sql_case(unlist(when), last %||% shape$value[i], strrep("  ", shape$level[head]))
}

# The lines of a node, before those of its child `on` follow. By then rows with a missing value must
# be taken too, unless they go to `on`.
sql_lines <- function(node, on, result, lost) {
  when <- node$when
  leaves <- node$to != on
  at <- match(on, node$to)
  if (is.null(lost) && node$other$to != on) {
    to <- match(node$other$to, node$to)
    when[to] <- if (isTRUE(node$range)) {
      paste(unique(c(when[to], node$lost[at])), collapse = " OR ")
    } else if (isTRUE(node$nested)) {
      when[to]
    } else {
      node$lost[at]
    }
    # After the others: it may hold for their rows too.
    order <- c(setdiff(which(leaves), to), to)
    return(paste("WHEN", when[order], "THEN", result[order]))
  }
  # Beside a branch of missing values alone, which have no answer here, there may be one child only.
  lines <- if (any(leaves)) paste("WHEN", when[leaves], "THEN", result[leaves])
  c(lines, if (!is.null(lost)) paste("WHEN", node$lost[at], "THEN", lost))
}

sql_case <- function(when, last, indent = "") {
  if (length(when) == 0L) {
    return(last)
  }
  lines <- c(paste0("  ", when), paste0("  ELSE ", last), "END")
  paste0("CASE\n", paste0(indent, lines, collapse = "\n"))
}

# Limits of a database, checked in R.

# Names that are equal in the database, and text that it treats as NULL.
check_sql_inputs <- function(inputs, sql) {
  names <- vapply(inputs, `[[`, "", "name")
  if (sql$fold) {
    twice <- names[tolower(names) %in% tolower(names)[duplicated(tolower(names))]]
    if (length(twice)) {
      abort_export(
        "Columns whose names differ only by case are one column to this database.",
        x = "Columns: {.field {twice}}.",
        i = "Rename one, and grow the tree again."
      )
    }
  }
  empty <- vapply(inputs, function(x) !x$logical && "" %in% x$levels, NA)
  if (sql$name == "oracle" && any(empty)) {
    abort_export(
      "Oracle takes empty text for NULL.",
      x = "Column with the label {.val {\"\"}}: {.field {names[empty]}}.",
      i = "Give the label a name, and grow the tree again."
    )
  }
}

check_sql_nesting <- function(nesting, sql) {
  if (nesting > sql$nesting) {
    abort_limit("levels of nested CASE", nesting, sql$nesting, sql)
  }
}

check_sql_columns <- function(n, sql) {
  if (n > sql$columns) abort_limit("columns", n, sql$columns, sql)
}

check_sql_length <- function(texts, sql) {
  size <- sum(nchar(unlist(texts), "bytes"))
  if (size > sql$characters) abort_limit("bytes of text", size, sql$characters, sql)
}

abort_limit <- function(what, found, limit, sql) {
  count <- function(x) format(x, big.mark = ",", scientific = FALSE)
  if (identical(sql$model, "forest")) {
    abort_export(
      "The forest is too large for one query in this database ({.val {sql$name}}).",
      x = "It takes {count(limit)} {what}, and the forest needs {count(found)}.",
      i = "Grow fewer trees, or smaller ones with {.arg max_leaves}.",
      i = "Or export to another place, such as {.fn tec_code}."
    )
  }
  abort_export(
    "The tree is too large for one expression in this database ({.val {sql$name}}).",
    x = "It takes {count(limit)} {what}, and the tree needs {count(found)}.",
    i = "Make the tree smaller with {.fn tec_prune} or {.arg max_leaves}.",
    i = "{.code missing = \"majority\"} gives the shortest text.",
    i = "Or export to another place, such as {.fn tec_code}."
  )
}
