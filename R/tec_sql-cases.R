# Tested in test-tec_sql.R.
# Writes a tree as one CASE. At every node, the child that needs the deepest nesting is not nested:
# its branches follow in the same CASE. So a tree of n leaves has at most log2(n) nested levels,
# whatever its depth. Parsers accept few levels: SQLite 18, before version 3.46.

# The branches of each inner node: the children `to`; `when`, mutually exclusive conditions for the
# children; `lost`, a condition for each child: the rows that neither this child nor the others
# take; `kind` and `other`, for the node where such rows go.
sql_branches <- function(form, sql) {
  split <- rows_of_table(form$splits, !form$stands_in[form$splits$node])
  level <- split$op == "in"
  when <- lost <- character(length(level))
  for (j in unique(split$input)) {
    here <- which(split$input == j)
    text <- if (level[here[1L]]) {
      sql_level_tests(rows_of_table(split, here), form$columns[j], form$labels[[j]], sql)
    } else {
      sql_range_tests(rows_of_table(split, here), form$columns[j], form$inputs[[j]], sql)
    }
    when[here] <- text$when
    lost[here] <- text$lost
  }
  node <- factor(split$node, seq_along(form$value))
  parts <- lapply(list(split$to, when, lost), split, f = node)
  range <- !seq_along(form$value) %in% split$node[level]
  out <- .mapply(
    function(to, when, lost, range, kind, other) {
      list(to = to, when = when, lost = lost, range = range, kind = kind, other = other)
    },
    c(parts, list(range, form$other$kind, form$other$to)), NULL
  )
  out[form$other$kind == ""] <- list(NULL)
  out[form$stands_in] <- lapply(which(form$stands_in), sql_branches_by_number, form, sql)
  apart <- form$other$kind == "node" & !form$stands_in & !form$other$to %in% split$to
  out[apart] <- lapply(which(apart), function(i) {
    with_missing_branch(out[[i]], rows_of_table(split, split$node == i), form, sql)
  })
  out
}

# A branch with only missing values has no step.
with_missing_branch <- function(out, split, form, sql) {
  j <- split$input[1L]
  lost <- if (out$range) {
    sql_missing(form$columns[j], form$inputs[[j]], sql)
  } else {
    sql_not_in(form$labels[[j]][unlist(split$value)], form$columns[j], sql)
  }
  out$to <- c(out$to, out$other)
  out$when <- c(out$when, lost)
  out$lost <- c(out$lost, lost)
  out
}

sql_level_tests <- function(split, column, labels, sql) {
  sets <- lapply(split$value, function(set) labels[set])
  list(
    when = vapply(sets, sql_in, "", column = column, sql = sql),
    lost = vapply(sets, sql_not_in, "", column = column, sql = sql)
  )
}

sql_range_tests <- function(split, column, input, sql) {
  cut <- unlist(split$value)
  first <- !duplicated(split$node)
  last <- !duplicated(split$node, fromLast = TRUE)
  when <- sql_range(
    column, replace(c(NA, cut[-length(cut)]), first, NA), replace(cut, last, NA), input, sql
  )
  # All numbers of the column go to one branch.
  all <- first & last
  when[all] <- both(paste(column, "IS NOT NULL"), when[all])
  list(when = when, lost = sql_missing(column, input, sql))
}

# With surrogates, the steps are tested in turn by a CASE that returns the number of the child.
sql_branches_by_number <- function(i, form, sql) {
  steps <- rows_of_table(form$steps, form$steps$node == i)
  when <- vapply(seq_along(steps$to), function(s) {
    j <- steps$input[s]
    value <- steps$value[[s]]
    if (steps$op[s] == "in") {
      return(sql_in(form$labels[[j]][value], form$columns[j], sql))
    }
    ends <- if (steps$op[s] == ">") c(value, NA) else c(NA, value)
    sql_range(form$columns[j], ends[1L], ends[2L], form$inputs[[j]], sql)
  }, "")
  other <- form$other$to[i]
  last <- if (!is.na(other)) paste(" ELSE", other)
  number <- paste0("CASE ", paste("WHEN", when, "THEN", steps$to, collapse = " "), last, " END")
  all <- form$edges$child[form$edges$parent == i]
  list(
    to = all, when = paste(number, "=", all), lost = rep(paste(number, "IS NULL"), length(all)),
    kind = form$other$kind[i], other = other, nested = TRUE
  )
}

# low < column <= high; an end that is NA is open. In PostgreSQL, NaN is above all numbers.
sql_range <- function(column, low, high, input, sql) {
  test <- function(op, end) {
    out <- character(length(end))
    known <- !is.na(end)
    if (any(known)) out[known] <- paste(column, op, sql_value(end[known], input, sql$name))
    out
  }
  number <- if (may_be_nan(input, sql)) paste0(column, "::float8 <> 'NaN'") else ""
  both(both(test(">", low), test("<=", high)), ifelse(is.na(high), number, ""))
}

# Joins conditions that may be empty.
both <- function(a, b) paste0(a, ifelse(nzchar(a) & nzchar(b), " AND ", ""), b, recycle0 = TRUE)

sql_missing <- function(column, input, sql) {
  out <- paste(column, "IS NULL")
  if (may_be_nan(input, sql)) paste0(out, " OR ", column, "::float8 = 'NaN'") else out
}

may_be_nan <- function(input, sql) {
  sql$name == "postgres" && input$type %in% c("number", "difftime") && !input$whole
}

sql_in <- function(labels, column, sql, not = FALSE) {
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

sql_not_in <- function(labels, column, sql) {
  paste(column, "IS NULL OR", sql_in(labels, column, sql, not = TRUE))
}

# `leaf`: for each node, the value of a row that ends there.
sql_cases <- function(form, leaf, sql) {
  shape <- sql_shape(form$branches, leaf)
  check_sql_nesting(shape$nesting[1L], sql)
  text <- shape$value
  for (head in rev(shape$heads)) text[head] <- sql_one_case(form, head, text, shape)
  text[1L]
}

# For each node: `same`, whether all its rows get the same value, so that no CASE is needed, and
# that `value`; how deep its CASE nests; which child `follows` in its CASE; and its indentation.
# `heads`: the nodes where a CASE starts.
sql_shape <- function(branches, leaf) {
  n <- length(leaf)
  inner <- which(lengths(branches) > 0L)
  same <- !seq_len(n) %in% inner
  value <- leaf
  nesting <- level <- integer(n)
  follows <- rep(NA_integer_, n)
  for (i in rev(inner)) {
    node <- branches[[i]]
    kids <- node$to
    known <- node$kind == "node"
    ends <- c(value[kids], if (node$kind == "stop") leaf[i])
    if ((known || node$kind == "stop") && all(same[kids]) && all(ends == ends[1L])) {
      same[i] <- TRUE
      value[i] <- ends[1L]
      next
    }
    depths <- nesting[kids]
    # Among the deepest children, the one where other rows go.
    deepest <- which.max(if (known) depths + (kids == node$other) / 2 else depths)
    if (known || !same[kids[deepest]]) {
      follows[i] <- kids[deepest]
      nesting[i] <- max(1L, depths[-deepest] + 1L, depths[deepest], if (isTRUE(node$nested)) 2L)
    } else {
      nesting[i] <- max(1L, depths + 1L, if (isTRUE(node$nested)) 2L)
    }
  }
  used <- seq_len(n) == 1L
  for (i in inner) {
    to <- branches[[i]]$to
    used[to] <- used[i] && !same[i]
    level[to] <- level[i] + !to %in% follows[i]
  }
  list(
    same = same, value = value, nesting = nesting, follows = follows, level = level,
    heads = setdiff(which(used & !same), follows)
  )
}

# The CASE that starts at `head`, with all nodes that share it. `text` already has the nodes further
# down.
sql_one_case <- function(form, head, text, shape) {
  when <- list()
  last <- NULL
  i <- head
  while (!shape$same[i]) {
    node <- form$branches[[i]]
    result <- text[node$to]
    lost <- switch(node$kind, node = NULL, stop = text[i], "NULL")
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

# The lines of a node, before those of its child `on`. They must also take rows with a missing
# value, unless these go to `on`.
sql_lines <- function(node, on, result, lost) {
  when <- node$when
  leaves <- node$to != on
  at <- match(on, node$to)
  if (is.null(lost) && node$other != on) {
    to <- match(node$other, node$to)
    when[to] <- if (isTRUE(node$range)) {
      paste(unique(c(when[to], node$lost[at])), collapse = " OR ")
    } else if (isTRUE(node$nested)) {
      when[to]
    } else {
      node$lost[at]
    }
    # It comes after the others, because it may hold for their rows too.
    order <- c(setdiff(which(leaves), to), to)
    return(paste("WHEN", when[order], "THEN", result[order]))
  }
  # A branch with only missing values has no test here, so there may be only one child.
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
        "This database treats columns whose names differ only by case as the same column.",
        x = "Columns: {.field {twice}}.",
        i = "Rename one, and grow the tree again."
      )
    }
  }
  empty <- vapply(inputs, function(x) !x$logical && "" %in% x$levels, NA)
  if (sql$name == "oracle" && any(empty)) {
    abort_export(
      "Oracle treats empty text as NULL.",
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
  if (identical(sql$model, "forest")) {
    abort_export(
      "The forest is too large for one query in this database ({.val {sql$name}}).",
      x = "It allows {big_number(limit)} {what}, and the forest needs {big_number(found)}.",
      i = "Grow fewer trees, or smaller ones with {.arg max_leaves}.",
      i = "Or use another export, such as {.fn tec_code}."
    )
  }
  abort_export(
    "The tree is too large for one expression in this database ({.val {sql$name}}).",
    x = "It allows {big_number(limit)} {what}, and the tree needs {big_number(found)}.",
    i = "Make the tree smaller with {.fn tec_prune} or {.arg max_leaves}.",
    i = "{.code missing = \"majority\"} gives the shortest text.",
    i = "Or use another export, such as {.fn tec_code}."
  )
}
