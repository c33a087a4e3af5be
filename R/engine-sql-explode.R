# Tested in test-engine-standard.R.
# Counts by one pass over rows as codes, for Spark: each row gives the number of its cell in
# every column, as an array that becomes rows, and these numbers are grouped. A number tells column,
# node, class, fold and code. Several trees are counted at once: each adds its cells to the array.

explodes <- function(s, what) {
  !is.null(s$exploded) && is.null(what$bag)
}

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

# As many trees at a time as bring back `max_cells`.
exploded_batches <- function(s, trees, what) {
  classes <- if (s$task == "class") length(s$response$levels) else 1
  folds <- max(1, what$by_fold %||% 0)
  codes <- sum(vapply(s$columns[what$columns], function(column) column$n_codes + 1, 0))
  cells <- lengths(lapply(trees, asked_nodes)) * classes * folds * codes
  unname(split(trees, cumsum(cells) %/% s$settings$max_cells))
}

explode_trees <- function(s, trees, what) {
  # From a table of codes, if there is one.
  source <- s$coded %||% s$exploded
  if (length(trees) == 1L && !is.null(s$coded)) {
    source <- advanced_source(s, trees[[1L]])
    trees <- list(source$tree %||% trees[[1L]])
  }
  level <- exploded_level(s, trees, what)
  sql <- explode_query(s, source, trees, what, level)
  out <- ask(s$link, sql, "counts", c("cell", "n"), what$level, "one pass")
  cell <- as.numeric(out$cell)
  f <- findInterval(cell, level$first)
  out$cell <- cell - level$first[f]
  numbered_cells(s, out, f, what$columns, level)
}

# As numbered_level(), for all trees; `first`: where the numbers of a column begin.
exploded_level <- function(s, trees, what) {
  level <- list(
    nodes = unlist(lapply(trees, asked_nodes)),
    folds = if (isTRUE(what$by_fold > 0)) what$by_fold else 1,
    classes = if (s$task == "class") length(s$response$levels) else 1
  )
  level$each <- level$classes * level$folds
  level$starts <- (length(level$nodes) + 1) * level$each
  codes <- vapply(s$columns[what$columns], function(column) column$n_codes + 1, 0)
  level$first <- c(0, cumsum(level$starts * codes))[seq_along(codes)]
  level
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
  # A row outside of all nodes asked for has no array, and becomes no rows.
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

# The cells of several trees, of each as count_cells() gives them.
count_together <- function(s, frontiers, what) {
  what$columns <- as.integer(what$columns %||% seq_along(s$columns))
  what$level <- what$level %||% max(vapply(frontiers, tree_levels, 0))
  if (s$settings$strategy == "stream" || !explodes(s, what)) {
    return(lapply(frontiers, count_cells, s = s, what = what))
  }
  check_has_key(s, what)
  nodes <- lapply(frontiers, asked_nodes)
  before <- c(0, cumsum(lengths(nodes)))
  # Nodes of all trees in one row of numbers.
  trees <- Map(function(tree, nodes, before) {
    renumber_asked(tree, function(node) before + match(node, nodes))
  }, frontiers, nodes, before[seq_along(nodes)])
  cells <- exploded_cells(s, trees, what)
  of <- findInterval(cells$node, before, left.open = TRUE)
  lapply(seq_along(nodes), function(i) {
    out <- lapply(cells, `[`, of == i)
    out$node <- nodes[[i]][out$node - before[i]]
    out
  })
}

renumber_asked <- function(tree, number) {
  if (is.null(tree)) {
    return(NULL)
  }
  if (!is.list(tree)) {
    return(number(tree))
  }
  tree$children <- lapply(tree$children, renumber_asked, number)
  tree
}

grouped_cells <- function(s, tree, what) {
  if (explodes(s, what)) exploded_cells(s, list(tree), what) else query_cells(s, tree, what)
}

# `what`: columns, by_fold, bag, centre, level. The answer: node, column, code, class (or n, sum,
# squares), fold; each cell once, none of 0.
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
    } else {
      grouped_cells(s, tree, what)
    }
  })
  bind_cells(found)
}
