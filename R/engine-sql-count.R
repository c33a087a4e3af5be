# Tested in test-engine-sql.R.
# Counts of nodes by code and class: one query for many columns by GROUPING SETS, or one part of a
# UNION ALL per column, or rows that are read and counted in R (engine-sql-stream.R). From a table
# of codes, DuckDB and PostgreSQL count numbers of cells (engine-sql-cells.R).

# The numbers of classes, folds and codes by which the cells of a node differ.
class_count <- function(s) if (s$task == "class") length(s$response$levels) else 1
fold_count <- function(what) max(1, what$by_fold)
codes_of <- function(s, columns) vapply(s$columns[columns], function(x) x$n_codes + 1, 0)

check_has_key <- function(s, what) {
  if (is.null(s$key) && (isTRUE(what$by_fold > 0) || !is.null(what$bag))) {
    tec_abort("key", c(
      "Folds and bags in a database need a key.",
      i = "Name a column of whole numbers that identifies the rows: {.code key = \"id\"}."
    ))
  }
}

no_cells <- function(s, what) {
  cells <- list(node = numeric(), column = integer(), code = integer())
  if (s$task == "class") cells$class <- integer()
  for (name in sum_names(s)) cells[[name]] <- numeric()
  if (isTRUE(what$by_fold > 0)) cells$fold <- integer()
  cells
}

bind_cells <- function(found) {
  if (length(found) == 1L) {
    return(found[[1L]])
  }
  names <- stats::setNames(nm = names(found[[1L]]))
  lapply(names, function(name) unlist(lapply(found, `[[`, name)))
}

# Batches of columns, then of nodes, such that an answer has at most `max_cells` cells.
count_batches <- function(s, nodes, columns) {
  cells <- codes_of(s, columns) * class_count(s)
  most <- max(1, floor(s$settings$max_cells / max(cells)))
  out <- list()
  for (some in split(nodes, (seq_along(nodes) - 1) %/% most)) {
    size <- cells * length(some)
    group <- integer(length(columns))
    filled <- 0
    for (i in seq_along(columns)) {
      new <- i > 1L && filled + size[i] > s$settings$max_cells
      filled <- if (new) size[i] else filled + size[i]
      group[i] <- (if (i > 1L) group[i - 1L] else 1L) + new
    }
    for (some_columns in split(columns, group)) {
      out[[length(out) + 1L]] <- list(nodes = some, columns = some_columns)
    }
  }
  out
}

# The rows of a level, with their node and what is counted.
level_query <- function(s, source, tree, what) {
  columns <- s$columns[what$columns]
  keys <- lapply(columns, function(column) group_key(s, source, column))
  parts <- c(
    paste(vapply(keys, `[[`, "", "sql"), "AS", key_names(keys)), "y",
    if (!is.null(s$shards)) "shard", if (!is.null(s$weights)) "w"
  )
  bag <- what$bag
  if (!is.null(bag)) {
    bag <- bag_sql("k", bag$tree, bag$replace %||% TRUE, bag$fraction %||% 1, s$dialect)
    parts <- c(parts, paste(bag$hash, "AS h"))
  }
  if (isTRUE(what$by_fold > 0)) {
    parts <- c(parts, paste(fold_sql("k", what$by_fold, s$dialect), "AS fold"))
  }
  parts <- c(parts, digits_sql(s, what))
  stages <- staged(s, source, tree)
  node <- node_case(s, source, stages$tree) %||% "NULL"
  sql <- paste0("SELECT ", paste(c(parts, paste(node, "AS node")), collapse = ", "), " FROM ",
    stages$from)
  list(sql = sql, keys = keys, weight = weight_sql(s, bag), bag = bag$weight)
}

key_names <- function(keys) paste0("g", seq_along(keys), recycle0 = TRUE)

# The key by which a column is grouped: its code, or its value, which becomes a code in R.
group_key <- function(s, source, column) {
  if (in_codes(source, column)) {
    return(list(sql = code_name(column), as = "code"))
  }
  if (!is.null(column$cuts) || column$type == "logical") {
    return(list(sql = code_case(s, column), as = "code"))
  }
  list(sql = column$raw, as = if (column$type == "text") "t" else "v")
}

weight_sql <- function(s, bag) {
  c(if (!is.null(s$weights)) s$dialect$whole_type("w"), bag$weight)
}

# The sums in cells.
sum_names <- function(s) {
  sums <- if (s$task == "number") all_sums(s$response$digits)
  c("n", if (!is.null(s$weights)) "rows", sums)
}

takes_sets <- function(s) s$dialect$sets > 0L && is.null(s$shards)

sets_query <- function(s, query, by) {
  g <- key_names(query$keys)
  as <- vapply(query$keys, `[[`, "", "as")
  values <- vapply(unique(as), function(kind) {
    of <- g[as == kind]
    paste(first_known(of), "AS", kind)
  }, "")
  paste0(
    "SELECT GROUPING(", toString(g), ") AS f, ", toString(c(by, values)), ", ",
    measures(s, query$weight, query$bag), " FROM (", query$sql, s$dialect$fence,
    ") s WHERE node IS NOT NULL GROUP BY ", grouping_sets(paste0(toString(by), ", ", g))
  )
}

first_known <- function(x) if (length(x) > 1L) paste0("COALESCE(", toString(x), ")") else x

grouping_sets <- function(keys) paste0("GROUPING SETS (", toString(paste0("(", keys, ")")), ")")

# The shard column in GROUP BY lets each server count its part.
union_query <- function(s, query, by) {
  g <- key_names(query$keys)
  as <- vapply(query$keys, `[[`, "", "as")
  typed <- list(code = s$dialect$whole_type("NULL"), v = s$dialect$number_type("NULL"),
    t = s$dialect$text_type("NULL"))
  by <- c(if (!is.null(s$shards)) "shard", by)
  rows <- if (is.null(s$shards)) "s" else paste0("(", query$sql, ") s")
  parts <- vapply(seq_along(g), function(i) {
    value <- typed[unique(as)]
    value[[as[i]]] <- g[i]
    values <- paste(unlist(value), "AS", names(value))
    paste0(
      "SELECT ", i, " AS f, ", toString(c(by, values, measures(s, query$weight, query$bag))),
      " FROM ", rows, " WHERE node IS NOT NULL GROUP BY ", toString(c(by, g[i]))
    )
  }, "")
  sql <- paste(parts, collapse = " UNION ALL ")
  if (is.null(s$shards)) paste0("WITH s AS (", query$sql, ") ", sql) else sql
}

# The table of an answer as cells.
answer_cells <- function(s, out, columns, keys, what) {
  f <- as.numeric(out$f)
  if (takes_sets(s)) f <- set_number(f, length(keys))
  cells <- list(node = as.numeric(out$node), column = columns[f], code = integer(length(f)))
  for (i in seq_along(keys)) {
    at <- which(f == i)
    column <- s$columns[[columns[i]]]
    cells$code[at] <- value_codes(out[[keys[[i]]$as]][at], keys[[i]]$as, column)
  }
  if (s$task == "class") cells$class <- value_codes(out$y, response_key(s), s$response)
  cells <- c(cells, answer_sums(s, out))
  if (isTRUE(what$by_fold > 0)) cells$fold <- as.integer(out$fold)
  add_up(cells)
}

answer_sums <- function(s, out) {
  names <- stats::setNames(nm = sum_names(s))
  lapply(names, function(name) as.numeric(out[[if (name == "rows") "row_count" else name]]))
}

# The number of the set, of `n`. GROUPING() has a 1 bit for each column that is not grouped; the
# first column has the highest bit.
set_number <- function(f, n) n - round(log2(2^n - 1 - as.numeric(f)))

# Codes of values, 0 for missing values. A value that did not exist at the start is an error.
value_codes <- function(x, as, column) {
  if (as == "code") {
    code <- as.integer(x)
    found <- code
  } else {
    found <- x
    code <- match(if (as == "l") as.character(as.logical(x)) else x, column$values)
    code[is.na(x)] <- 0L
  }
  if (anyNA(code)) {
    tec_abort("changed", c(
      "The data have changed while the tree was growing.",
      x = "{.field {column$name}} has a value that it did not have at the start\\
           {if (as != 'code') paste0(': ', format(found[is.na(code)][1L]))}.",
      i = "Fit on a copy, or in a database whose transactions see one state of the data."
    ))
  }
  code
}

# Adds up cells that came in parts, from several servers or as -0 and 0.
add_up <- function(cells) {
  empty <- cells$n == 0
  if (any(empty)) cells <- lapply(cells, `[`, !empty)
  by <- cells[intersect(c("node", "column", "code", "value", "class", "fold"), names(cells))]
  group <- group_of(unname(by))
  same <- duplicated(group)
  if (!any(same)) {
    return(cells)
  }
  group <- match(group, group[!same])
  sums <- setdiff(names(cells), c(names(by), "least"))
  for (name in setdiff(names(cells), sums)) cells[[name]] <- cells[[name]][!same]
  cells[sums] <- lapply(cells[sums], function(x) drop(unname(rowsum(x, group))))
  lapply(cells, as.vector)
}

# The number of the group of equal entries, in the order of the groups.
group_of <- function(by) {
  n <- length(by[[1L]])
  order <- do.call(order, by)
  new <- Reduce(`|`, lapply(by, function(x) {
    x <- x[order]
    c(TRUE, x[-1L] != x[-n])[seq_len(n)]
  }))
  out <- integer(n)
  out[order] <- cumsum(new)
  out
}

# The smallest value in the group of each element.
least_of <- function(x, group) {
  first <- order(group, x)
  x[first[!duplicated(group[first])]][group]
}
