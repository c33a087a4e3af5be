# Tested in test-engine-sql.R and test-engine-standard.R.
# Counts from a table of codes, by the number of a cell. `start` is where the cells of a row's node,
# class and fold begin. In a column of k codes, the cell of a row is start * (k + 1) + code.
# Grouping by one whole number is several times as fast as by node, class and code. DuckDB counts it
# in an array, but only column by column, and only from a column `start` of the table. This column
# is updated in place for each level, because a table that is dropped within a transaction keeps its
# memory. PostgreSQL hashes the number.

# An array has room for each two-byte number and for NULL; for larger numbers DuckDB hashes.
array_bits <- 18

# The number of columns that are counted in arrays at a time.
array_columns <- 5L

# list(nodes =, classes =, folds =, each = starts per node, starts =), or NULL if cells have no
# numbers: with bags, because DuckDB would hash the key again for each column, and if the numbers
# would be too large.
numbered_level <- function(s, tree, what) {
  by <- s$dialect$numbers
  if (is.null(by) || is.null(s$coded) || !takes_sets(s) || !is.null(what$bag)) {
    return(NULL)
  }
  if (by == "array" && !allow_arrays(s)) {
    return(NULL)
  }
  level <- level_of(s, asked_nodes(tree), what)
  codes <- max(codes_of(s, seq_along(s$columns)))
  fits <- if (by == "array") level$starts < 2^16 else level$starts * codes < 2^31
  if (fits) level
}

level_of <- function(s, nodes, what) {
  level <- list(nodes = nodes, folds = fold_count(what), classes = class_count(s))
  level$each <- level$classes * level$folds
  level$starts <- (length(nodes) + 1) * level$each
  level
}

# Allows arrays of this size until the counter is closed.
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

# Values below `each` mean that the row is in no requested node; the nodes follow in order.
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

# DuckDB knows the range of a CAST, which is that of the type, but not the range of a sum.
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
    paste0(
      "SELECT ", i, " AS f, ", cell_sql(s, column, coded[i], level), " AS cell, ",
      if (!all(coded)) paste(text, "AS t, "), sums, " FROM ", from, " WHERE start >= ",
      level$each, " GROUP BY cell", if (!coded[i]) ", t"
    )
  }, "")
  paste(parts, collapse = " UNION ALL ")
}

# The fence keeps PostgreSQL from computing `start` for each column. It also keeps it from
# overestimating the number of groups as that of all value combinations, and from sorting the rows.
hash_query <- function(s, source, columns, what, level, start) {
  coded <- source$coded[columns]
  number <- paste0("g", seq_along(columns))
  cell <- vapply(seq_along(columns), function(i) {
    cell_sql(s, s$columns[[columns[i]]], coded[i], level)
  }, "")
  text <- vapply(s$columns[columns[!coded]], `[[`, "", "raw")
  keys <- number
  keys[!coded] <- paste0(number[!coded], ", ", text, recycle0 = TRUE)
  paste0(
    "SELECT GROUPING(", toString(number), ") AS f, ", first_known(number), " AS cell, ",
    if (length(text)) paste0(first_known(text), " AS t, "), measures(s, weight_sql(s, NULL)),
    " FROM (SELECT ", toString(c(
      paste(cell, "AS", number), text, if (!is.null(s$weights)) "w", digits_sql(s, what)
    )),
    " FROM (SELECT *, ", start, " AS start FROM ", source$from, s$dialect$fence,
    ") r WHERE start >= ", level$each, ") s GROUP BY ", grouping_sets(keys)
  )
}

# Converts the numbers of cells back to node, class, fold and code.
numbered_cells <- function(s, out, f, columns, level) {
  coded <- (s$coded %||% s$exploded)$coded[columns]
  codes <- replace(codes_of(s, columns), !coded, 1)
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

# Counts in one pass over rows as codes, for Spark. Each row gives the number of its cell in every
# column, as an array that becomes rows, and these numbers are grouped. A number encodes column,
# node, class, fold and code. Several trees are counted at once: each adds its cells to the array.

explodes <- function(s, what) !is.null(s$exploded) && is.null(what$bag)

# Columns of text without codes have no numbers.
exploded_cells <- function(s, trees, what) {
  coded <- s$exploded$coded[what$columns]
  found <- list()
  if (any(coded)) {
    some <- replace(what, "columns", list(what$columns[coded]))
    found <- lapply(exploded_batches(s, trees, some), explode_trees, s = s, what = some)
  }
  if (!all(coded)) {
    rest <- replace(what, "columns", list(what$columns[!coded]))
    found <- c(found, lapply(trees, query_cells, s = s, what = rest))
  }
  bind_cells(found)
}

# The number of trees at a time is limited by `max_cells`.
exploded_batches <- function(s, trees, what) {
  each <- class_count(s) * fold_count(what) * sum(codes_of(s, what$columns))
  cells <- lengths(lapply(trees, asked_nodes)) * each
  unname(split(trees, cumsum(cells) %/% s$settings$max_cells))
}

explode_trees <- function(s, trees, what) {
  # Uses a table of codes, if there is one.
  source <- s$coded %||% s$exploded
  if (length(trees) == 1L && !is.null(s$coded)) {
    source <- advanced_source(s, trees[[1L]])
    trees <- list(source$tree %||% trees[[1L]])
  }
  level <- level_of(s, unlist(lapply(trees, asked_nodes)), what)
  # The first number of each column.
  codes <- codes_of(s, what$columns)
  level$first <- c(0, cumsum(level$starts * codes))[seq_along(codes)]
  sql <- explode_query(s, source, trees, what, level)
  out <- ask(s$link, sql, "counts", c("cell", "n"), what$level, "one pass")
  cell <- as.numeric(out$cell)
  f <- findInterval(cell, level$first)
  out$cell <- cell - level$first[f]
  numbered_cells(s, out, f, what$columns, level)
}

explode_query <- function(s, source, trees, what, level) {
  start <- paste0("start", seq_along(trees))
  starts <- vapply(trees, function(tree) start_sql(s, source, tree, level), "")
  arrays <- vapply(start, function(x) {
    cells <- vapply(seq_along(what$columns), function(i) {
      column <- s$columns[[what$columns[i]]]
      paste0(x, " * ", column$n_codes + 1, " + ", code_name(column), " + ",
        s$dialect$whole_type(sprintf("%.0f", level$first[i])))
    }, "")
    paste0("CASE WHEN ", x, " >= ", level$each, " THEN array(", toString(cells), ")")
  }, "")
  # A row outside all requested nodes has no array and becomes no rows.
  array <- if (length(trees) == 1L) {
    paste(arrays, "END")
  } else {
    none <- paste0("array(", s$dialect$whole_type("NULL"), ")")
    paste0("flatten(array(", toString(paste(arrays, "ELSE", none, "END")), "))")
  }
  kept <- c(if (!is.null(s$weights)) "w", digit_names(s))
  of <- c(
    unique(vapply(s$columns[what$columns], code_name, "")), if (!is.null(s$weights)) "w",
    digits_sql(s, what),
    paste(vapply(starts, s$dialect$whole_type, ""), "AS", start)
  )
  paste0(
    "SELECT cell, ", measures(s, weight_sql(s, NULL)), " FROM (SELECT ",
    toString(c(kept, paste0("explode(", array, ") AS cell"))), " FROM (SELECT ", toString(of),
    " FROM ", source$from, ") r) s WHERE cell IS NOT NULL GROUP BY cell"
  )
}

# The cells of several trees, each in the form of count_cells().
count_together <- function(s, frontiers, what) {
  what$columns <- as.integer(what$columns %||% seq_along(s$columns))
  what$level <- what$level %||% max(vapply(frontiers, tree_levels, 0))
  if (s$settings$strategy == "stream" || !explodes(s, what)) {
    return(lapply(frontiers, count_cells, s = s, what = what))
  }
  check_has_key(s, what)
  nodes <- lapply(frontiers, asked_nodes)
  before <- c(0, cumsum(lengths(nodes)))
  # The nodes of all trees are numbered consecutively.
  trees <- Map(function(tree, nodes, before) {
    swap_asked(tree, function(node) before + match(node, nodes))
  }, frontiers, nodes, before[seq_along(nodes)])
  cells <- exploded_cells(s, trees, what)
  of <- findInterval(cells$node, before, left.open = TRUE)
  lapply(seq_along(nodes), function(i) {
    out <- lapply(cells, `[`, of == i)
    out$node <- nodes[[i]][out$node - before[i]]
    out
  })
}

# `what`: columns, by_fold, bag, centre, level. The answer has node, column, code, class (or n, sum,
# squares) and fold; each cell occurs once, and empty cells are left out.
count_cells <- function(s, frontier, what) {
  what$columns <- as.integer(what$columns %||% seq_along(s$columns))
  what$level <- what$level %||% tree_levels(frontier)
  nodes <- asked_nodes(frontier)
  if (length(nodes) == 0L || length(what$columns) == 0L) {
    return(no_cells(s, what))
  }
  check_has_key(s, what)
  found <- lapply(count_batches(s, nodes, what$columns), function(batch) {
    tree <- if (length(batch$nodes) < length(nodes)) keep_asked(frontier, batch$nodes) else frontier
    what$columns <- batch$columns
    if (s$settings$strategy == "stream") {
      stream_cells(s, tree, batch$nodes, what)
    } else if (explodes(s, what)) {
      exploded_cells(s, list(tree), what)
    } else {
      query_cells(s, tree, what)
    }
  })
  bind_cells(found)
}
