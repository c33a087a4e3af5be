# Tested in test-engine-sql.R.
# Counts in DuckDB from a table of codes. Groups of one small whole number it counts in an array,
# several times as fast as it hashes other groups, but only column by column; and it reads two
# tables row beside row. So the cells of a level have numbers, and a second table says of each row
# where the cells of its node, class and fold `start`: those of a column with k codes are numbered
# start * (k + 1) + code.

# An array has a place for each number of two bytes and for NULL; beyond that DuckDB hashes.
array_bits <- 18

takes_arrays <- function(s) s$dialect$arrays && !is.null(s$coded) && allow_arrays(s)

# Larger arrays, and rows that stay in order, until the counter is closed.
allow_arrays <- function(s) {
  if (is.null(s$arrays)) {
    now <- ask(s$link, paste(
      "SELECT current_setting('perfect_ht_threshold') AS bits,",
      "current_setting('preserve_insertion_order') AS ordered,",
      "current_setting('lock_configuration') AS locked"
    ), "a setting")
    bits <- as.numeric(now$bits)
    few <- bits < array_bits
    mixed <- !as.logical(now$ordered)
    s$arrays <- !(as.logical(now$locked) && (few || mixed))
    if (s$arrays) {
      set <- function(few_bits, order) {
        c(if (few) paste("SET perfect_ht_threshold =", few_bits),
          if (mixed) paste("SET preserve_insertion_order =", order))
      }
      s$restore <- set(sprintf("%.0f", bits), "false")
      for (sql in set(array_bits, "true")) tell(s$link, sql, "a setting")
    }
  }
  s$arrays
}

array_cells <- function(s, source, tree, what) {
  level <- list(
    nodes = asked_nodes(tree), folds = if (isTRUE(what$by_fold > 0)) what$by_fold else 1,
    classes = if (s$task == "class") length(s$response$levels) else 1
  )
  bag <- what$bag
  if (!is.null(bag)) {
    bag <- bag_sql("k", bag$tree, bag$replace %||% TRUE, bag$fraction %||% 1, s$dialect)
  }
  parts <- c(
    paste(start_sql(s, source, tree, level), "AS start"),
    if (!is.null(bag)) paste(bag$hash, "AS h"),
    if (s$task == "number") paste(unit_sql(s, what), "AS m")
  )
  table <- make_table(s, "level", paste("SELECT", paste(parts, collapse = ", "), "FROM",
    source$from))
  rows <- paste(source$from, "POSITIONAL JOIN", quote_name(s$link, table))
  sums <- measures(s, weight_sql(s, bag), bag$weight)
  found <- in_batches(what$columns, s$dialect$sets, function(columns) {
    sql <- array_query(s, rows, columns, level, sums)
    out <- ask(s$link, sql, "counts", c("f", "cell", "n"), what$level, "arrays")
    numbered_cells(s, out, columns, level, what)
  })
  drop_table(s, table)
  bind_cells(found)
}

# 0, 1, ... for the classes and folds of rows that are in no node asked for, then those of the first
# node, of the second, ...
start_sql <- function(s, source, tree, level) {
  each <- level$classes * level$folds
  node <- node_case(s, source, tree, function(node) {
    sprintf("%.0f", match(node, level$nodes) * each)
  }, none = "0")
  start <- c(
    node %||% "0", if (level$classes > 1) paste0("(y - 1) * ", level$folds),
    if (level$folds > 1) paste(fold_sql("k", level$folds, s$dialect), "- 1")
  )
  s$dialect$code_type(paste(start, collapse = " + "), (length(level$nodes) + 1) * each)
}

array_query <- function(s, rows, columns, level, sums) {
  each <- level$classes * level$folds
  coded <- s$coded$coded[columns]
  parts <- vapply(seq_along(columns), function(i) {
    column <- s$columns[[columns[i]]]
    codes <- column$n_codes + 1
    cells <- (length(level$nodes) + 1) * each * codes
    # Of a sum DuckDB knows no range, of a CAST that of the type.
    cell <- if (coded[i]) {
      start <- s$dialect$code_type("start", max(cells, 65536))
      s$dialect$code_type(paste(start, "*", codes, "+", code_name(column)), cells)
    } else {
      "start"
    }
    text <- if (coded[i]) s$dialect$text_type("NULL") else column$raw
    paste0(
      "SELECT ", i, " AS f, ", cell, " AS cell, ", if (!all(coded)) paste(text, "AS t, "), sums,
      " FROM ", rows, " WHERE start >= ", each, " GROUP BY ALL"
    )
  }, "")
  paste(parts, collapse = " UNION ALL ")
}

# What the numbers of cells stand for.
numbered_cells <- function(s, out, columns, level, what) {
  f <- as.integer(out$f)
  codes <- vapply(s$columns[columns], function(column) column$n_codes + 1, 0)
  codes[!s$coded$coded[columns]] <- 1
  start <- as.numeric(out$cell) %/% codes[f]
  code <- as.integer(as.numeric(out$cell) %% codes[f])
  for (i in which(!s$coded$coded[columns])) {
    code[f == i] <- value_codes(out$t[f == i], "t", s$columns[[columns[i]]])
  }
  for (i in unique(f[is.na(code)])) value_codes(NA, "code", s$columns[[columns[i]]])
  of <- start %/% level$folds
  cells <- list(
    node = level$nodes[of %/% level$classes], column = columns[f], code = code
  )
  if (s$task == "class") cells$class <- as.integer(of %% level$classes) + 1L
  cells <- c(cells, answer_sums(s, out))
  if (isTRUE(what$by_fold > 0)) cells$fold <- as.integer(start %% level$folds) + 1L
  add_up(cells)
}
