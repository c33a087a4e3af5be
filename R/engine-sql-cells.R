# Tested in test-engine-sql.R.
# Counts from a table of codes, by the number of a cell. `start` is where the cells of a row's node,
# class and fold begin; in a column of k codes a row's cell is start * (k + 1) + code. One whole
# number is grouped several times as fast as node, class and code: DuckDB counts it in an array, but
# only column by column, and from a column `start` of the table, written anew for each level, in
# place (a table that is dropped within a transaction keeps its memory). PostgreSQL hashes it.

# An array has a place for each number of two bytes and for NULL; beyond that DuckDB hashes.
array_bits <- 18

# So many columns have their arrays at a time.
array_columns <- 5L

# list(nodes =, classes =, folds =, each = starts of a node, starts =), or NULL where cells have no
# numbers: with bags, as DuckDB would hash the key anew for each column, and where numbers would be
# too large.
numbered_level <- function(s, tree, what) {
  by <- s$dialect$numbers
  if (is.null(by) || is.null(s$coded) || !takes_sets(s) || !is.null(what$bag)) {
    return(NULL)
  }
  if (by == "array" && !allow_arrays(s)) {
    return(NULL)
  }
  level <- list(
    nodes = asked_nodes(tree), folds = if (isTRUE(what$by_fold > 0)) what$by_fold else 1,
    classes = if (s$task == "class") length(s$response$levels) else 1
  )
  level$each <- level$classes * level$folds
  level$starts <- (length(level$nodes) + 1) * level$each
  codes <- max(vapply(s$columns, function(column) column$n_codes + 1, 0))
  fits <- if (by == "array") level$starts < 2^16 else level$starts * codes < 2^31
  if (fits) level
}

# Lets arrays be so large until the counter is closed.
allow_arrays <- function(s) {
  if (is.null(s$arrays)) {
    now <- ask(s$link, paste(
      "SELECT current_setting('perfect_ht_threshold') AS bits,",
      "current_setting('lock_configuration') AS locked"
    ), "a setting")
    bits <- as.numeric(now$bits)
    s$arrays <- bits >= array_bits || !as.logical(now$locked)
    if (bits < array_bits && s$arrays) {
      set <- "SET perfect_ht_threshold = %.0f"
      s$restore <- sprintf(set, bits)
      tell(s$link, sprintf(set, array_bits), "a setting")
    }
  }
  s$arrays
}

cells_by_number <- function(s, source, tree, what, level) {
  start <- start_sql(s, source, tree, level)
  in_array <- s$dialect$numbers == "array"
  if (in_array) {
    tell(s$link, paste("UPDATE", source$from, "SET start =", start), "nodes of rows", what$level)
  }
  size <- if (in_array) array_columns else s$dialect$sets
  found <- in_batches(what$columns, size, function(columns) {
    sql <- if (in_array) {
      array_query(s, source, columns, what, level)
    } else {
      hash_query(s, source, columns, what, level, start)
    }
    plan <- if (in_array) "arrays" else "grouping sets"
    out <- ask(s$link, sql, "counts", c("f", "cell", "n"), what$level, plan)
    f <- if (in_array) as.integer(out$f) else set_number(out$f, length(columns))
    numbered_cells(s, out, f, columns, level)
  })
  bind_cells(found)
}

# Below `each` for rows that are in no node asked for; then come the nodes in turn.
start_sql <- function(s, source, tree, level) {
  node <- node_case(s, source, tree, function(node) {
    sprintf("%.0f", match(node, level$nodes) * level$each)
  }, none = "0")
  y <- s$dialect$code_type("y", 65536)
  start <- c(
    node %||% "0", if (level$classes > 1) paste0("(", y, " - 1) * ", level$folds),
    if (level$folds > 1) paste(fold_sql("k", level$folds, s$dialect), "- 1")
  )
  s$dialect$code_type(paste(start, collapse = " + "), 65535)
}

# DuckDB knows the range of a CAST, which is the type's, but not the range of a sum.
cell_sql <- function(s, column, coded, level) {
  if (!coded) {
    return("start")
  }
  codes <- column$n_codes + 1
  start <- s$dialect$code_type("start", max(level$starts * codes, 2^16))
  s$dialect$code_type(paste(start, "*", codes, "+", code_name(column)), level$starts * codes)
}

array_query <- function(s, source, columns, what, level) {
  coded <- source$coded[columns]
  sums <- measures(s, weight_sql(s, NULL))
  from <- if (s$task == "number") {
    paste0("(SELECT *, ", toString(digits_sql(s, what)), " FROM ", source$from, ") s")
  } else {
    source$from
  }
  parts <- vapply(seq_along(columns), function(i) {
    column <- s$columns[[columns[i]]]
    text <- if (coded[i]) s$dialect$text_type("NULL") else column$raw
    by <- if (coded[i]) "cell" else "cell, t"
    paste0(
      "SELECT ", i, " AS f, ", cell_sql(s, column, coded[i], level), " AS cell, ",
      if (!all(coded)) paste(text, "AS t, "), sums,
      " FROM ", from, " WHERE start >= ", level$each, " GROUP BY ", by
    )
  }, "")
  paste(parts, collapse = " UNION ALL ")
}

# The fence keeps PostgreSQL from working out `start` for each column, and from taking the number of
# groups for that of all values the columns in it have together: it would sort the rows.
hash_query <- function(s, source, columns, what, level, start) {
  coded <- source$coded[columns]
  number <- paste0("g", seq_along(columns))
  cell <- vapply(seq_along(columns), function(i) {
    cell_sql(s, s$columns[[columns[i]]], coded[i], level)
  }, "")
  text <- vapply(s$columns[columns[!coded]], `[[`, "", "raw")
  keys <- number
  keys[!coded] <- paste0(number[!coded], ", ", text, recycle0 = TRUE)
  first_of <- function(x) if (length(x) > 1L) paste0("COALESCE(", toString(x), ")") else x
  paste0(
    "SELECT GROUPING(", toString(number), ") AS f, ", first_of(number), " AS cell, ",
    if (length(text)) paste0(first_of(text), " AS t, "), measures(s, weight_sql(s, NULL)),
    " FROM (SELECT ", toString(c(
      paste(cell, "AS", number), text, if (!is.null(s$weights)) "w", digits_sql(s, what)
    )),
    " FROM (SELECT *, ", start, " AS start FROM ", source$from, s$dialect$fence,
    ") r WHERE start >= ", level$each, ") s GROUP BY GROUPING SETS (",
    paste0("(", keys, ")", collapse = ", "), ")"
  )
}

# What the numbers of cells stand for.
numbered_cells <- function(s, out, f, columns, level) {
  coded <- (s$coded %||% s$exploded)$coded[columns]
  codes <- vapply(s$columns[columns], function(column) column$n_codes + 1, 0)
  codes[!coded] <- 1
  start <- as.numeric(out$cell) %/% codes[f]
  code <- as.integer(as.numeric(out$cell) %% codes[f])
  for (i in seq_along(columns)) {
    at <- which(f == i)
    as <- if (coded[i]) "code" else "t"
    code[at] <- value_codes(if (coded[i]) code[at] else out$t[at], as, s$columns[[columns[i]]])
  }
  of <- start %/% level$folds
  cells <- list(node = level$nodes[of %/% level$classes], column = columns[f], code = code)
  if (s$task == "class") cells$class <- as.integer(of %% level$classes) + 1L
  cells <- c(cells, answer_sums(s, out))
  if (level$folds > 1) cells$fold <- as.integer(start %% level$folds) + 1L
  add_up(cells)
}

query_cells <- function(s, tree, what) {
  source <- advanced_source(s, tree)
  tree <- source$tree %||% tree
  level <- numbered_level(s, tree, what)
  if (!is.null(level)) {
    return(cells_by_number(s, source, tree, what, level))
  }
  sets <- takes_sets(s)
  size <- if (sets) s$dialect$sets else min(length(what$columns), s$dialect$unions)
  found <- in_batches(what$columns, size, function(columns) {
    what$columns <- columns
    query <- level_query(s, source, tree, what)
    by <- c("node", if (s$task == "class") "y", if (isTRUE(what$by_fold > 0)) "fold")
    sql <- if (sets) sets_query(s, query, by) else union_query(s, query, by)
    plan <- if (sets) "grouping sets" else "union all"
    if (!is.null(s$shards)) plan <- check_plan(s, sql)
    out <- ask(s$link, sql, "counts", c("f", "node", "n"), what$level, plan)
    answer_cells(s, out, columns, query$keys, what)
  })
  bind_cells(found)
}
