# Tested in test-engine-sql.R.
# Counts in DuckDB from a table of codes. Groups of one small whole number it counts in an array,
# several times as fast as it hashes other groups, but only column by column. So the cells of a
# level have numbers. A column `start` of the table says where the cells of a row's node, class and
# fold begin; in a column of k codes they are start * (k + 1) + code. It is written anew for each
# level, in place: a table that is dropped within a transaction keeps its memory.

# An array has a place for each number of two bytes and for NULL; beyond that DuckDB hashes.
array_bits <- 18

# So many columns have their arrays at a time.
array_columns <- 5L

# list(nodes =, classes =, folds =, each = starts of a node), or NULL where groups are hashed: with
# bags, as each column would hash the key anew, and where `start` has more than two bytes.
numbered_level <- function(s, tree, what) {
  if (!s$dialect$arrays || is.null(s$coded) || !is.null(what$bag) || !allow_arrays(s)) {
    return(NULL)
  }
  level <- list(
    nodes = asked_nodes(tree), folds = if (isTRUE(what$by_fold > 0)) what$by_fold else 1,
    classes = if (s$task == "class") length(s$response$levels) else 1
  )
  level$each <- level$classes * level$folds
  if ((length(level$nodes) + 1) * level$each < 65536) level
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

array_cells <- function(s, source, tree, what, level) {
  sql <- paste("UPDATE", source$from, "SET start =", start_sql(s, source, tree, level))
  tell(s$link, sql, "nodes of rows", what$level)
  found <- in_batches(what$columns, array_columns, function(columns) {
    sql <- array_query(s, source, columns, what, level)
    out <- ask(s$link, sql, "counts", c("f", "cell", "n"), what$level, "arrays")
    numbered_cells(s, out, columns, what, level)
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

array_query <- function(s, source, columns, what, level) {
  coded <- source$coded[columns]
  sums <- measures(s, weight_sql(s, NULL))
  from <- if (s$task == "number") {
    paste0("(SELECT *, ", unit_sql(s, what), " AS m FROM ", source$from, ") s")
  } else {
    source$from
  }
  parts <- vapply(seq_along(columns), function(i) {
    column <- s$columns[[columns[i]]]
    codes <- column$n_codes + 1
    cells <- (length(level$nodes) + 1) * level$each * codes
    cell <- "start"
    text <- column$raw
    by <- "cell, t"
    if (coded[i]) {
      # Of a sum DuckDB knows no range, of what is CAST the range of the type.
      cell <- s$dialect$code_type("start", max(cells, 65536))
      cell <- s$dialect$code_type(paste(cell, "*", codes, "+", code_name(column)), cells)
      text <- s$dialect$text_type("NULL")
      by <- "cell"
    }
    paste0(
      "SELECT ", i, " AS f, ", cell, " AS cell, ", if (!all(coded)) paste(text, "AS t, "), sums,
      " FROM ", from, " WHERE start >= ", level$each, " GROUP BY ", by
    )
  }, "")
  paste(parts, collapse = " UNION ALL ")
}

# What the numbers of cells stand for.
numbered_cells <- function(s, out, columns, what, level) {
  coded <- s$coded$coded[columns]
  codes <- vapply(s$columns[columns], function(column) column$n_codes + 1, 0)
  codes[!coded] <- 1
  f <- as.integer(out$f)
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
  if (isTRUE(what$by_fold > 0)) cells$fold <- as.integer(start %% level$folds) + 1L
  add_up(cells)
}
