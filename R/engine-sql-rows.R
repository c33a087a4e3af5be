# Tested in test-engine-sql.R and test-engine-hostile.R.
# Rows of small nodes, tables that shorten the path to a deep level, and trees that are too deep for
# one CASE.

# The rows of each requested node, as in R, under our own names: x1, x2, ..., the response y, the
# weight w and the key k.
fetch_rows <- function(s, frontier) {
  nodes <- asked_nodes(frontier)
  x <- vapply(s$columns, `[[`, "", "raw")
  parts <- c(x, "y", if (!is.null(s$weights)) "w", if (!is.null(s$key)) "k")
  sql <- placed_rows(s, s$inline, frontier, parts)
  out <- ask(s$link, sql, "rows", c(x, "y", "node"), tree_levels(frontier))
  rows <- lapply(s$columns, function(column) typed_values(out[[column$raw]], column))
  names(rows) <- x
  rows$y <- typed_values(out$y, s$response)
  if (isTRUE(s$made_classes)) rows$y <- factor(rows$y)
  if (!is.null(s$weights)) rows$w <- as.numeric(out$w)
  if (!is.null(s$key)) rows$k <- as.numeric(out$k)
  rows <- structure(rows, class = "data.frame", row.names = seq_len(nrow(out)))
  split(rows, factor(as.numeric(out$node), nodes))
}

# The rows in the requested nodes, and the node of each.
placed_rows <- function(s, source, tree, parts, as = "node", prefix = "stage") {
  stages <- staged(s, source, tree, prefix)
  parts <- c(parts, paste(node_case(s, source, stages$tree) %||% "NULL", "AS", as))
  paste0(
    "SELECT * FROM (SELECT ", toString(parts), " FROM ", stages$from, ") s WHERE ", as,
    " IS NOT NULL"
  )
}

typed_values <- function(x, column) {
  x <- switch(column$type, text = as.character(x), logical = as.logical(x), as.numeric(x))
  ptype <- prototypes[[column$type]]
  if (is.object(ptype)) attributes(x) <- attributes(ptype)
  x
}

# With a table of codes, every few levels the rows of unfinished nodes are copied to a new table
# together with the place they have reached, and the CASE starts there. Places are named by the
# splits on the path to them, because several trees may grow from one counter. A node whose place is
# not in the table is searched from the root.
advanced_source <- function(s, tree) {
  if (is.null(s$coded)) {
    return(s$source)
  }
  every <- s$settings$advance_every
  depth <- tree_levels(tree)
  from <- s$advanced
  if (depth - (from$depth %||% 0) > every) from <- advance(s, tree, depth - 1)
  if (is.null(from)) {
    return(s$coded)
  }
  start <- start_from(tree, from$places)
  if (is.null(start)) s$coded else c(from$source, list(tree = start))
}

advance <- function(s, tree, to) {
  places <- character()
  # The inner nodes at this depth that lead to requested nodes; their numbers replace those of the
  # requested nodes.
  numbered <- walk_tree(tree, function(node, key, depth) {
    if (is.list(node) && depth < to) {
      return(TRUE)
    }
    if (is.list(node)) {
      places <<- c(places, key)
      length(places)
    }
  }, "all")
  old <- s$advanced
  if (length(places) == 0L) {
    return(old)
  }
  table <- make_table(s, "level", placed_rows(s, s$coded, numbered, "*", "place", "step"))
  if (!is.null(old)) drop_table(s, old$table)
  s$advanced <- list(
    depth = to, places = places, table = table,
    source = replace(s$coded, "from", quote_name(s$link, table))
  )
  s$advanced
}

# A tree whose root divides by place; NULL if a requested node is elsewhere.
start_from <- function(tree, places) {
  found <- list()
  lost <- FALSE
  walk_tree(tree, function(node, key, depth) {
    at <- match(key, places)
    if (is.na(at) && is.list(node)) {
      return(TRUE)
    }
    if (is.na(at)) lost <<- TRUE else found[[at]] <<- node
    NULL
  }, "all")
  if (lost) NULL else structure(list(children = found), class = "tec_places")
}

# A tree that is too deep for one CASE of the database, in stages: list(from =, tree =). Each stage
# computes the place that a row has reached, in a column with this `prefix`, and the tree continues
# from there. The stages are chained by WITH, because nested subqueries would soon be too deep for
# SQLite's parser.
staged <- function(s, source, tree, prefix = "stage") {
  from <- source$from
  # Half of the limit, because subqueries and conditions are nested too.
  most <- s$link$words$nesting %/% 2
  with <- character()
  while (tree_levels(tree) > most) {
    name <- paste0(prefix, length(with) + 1L)
    cut <- cut_tree(tree, most)
    case <- node_case(s, source, cut$tree)
    if (is.null(case)) break
    # With a LIMIT, SQLite does not flatten the subquery.
    one <- paste0(" AS (SELECT *, ", case, " AS ", name, " FROM ", from, " LIMIT -1)")
    from <- paste(s$id, name, sep = "_")
    with <- c(with, paste0(from, one))
    tree <- structure(list(children = cut$below), class = "tec_places", stage = name)
  }
  if (length(with)) {
    from <- paste0("(WITH ", paste(with, collapse = ", "), " SELECT * FROM ", from, ") ", name)
  }
  list(from = from, tree = tree)
}

# The tree down to a depth, with numbers in place of what is below: list(tree =, below = trees or
# requested nodes).
cut_tree <- function(tree, most) {
  below <- list()
  tree <- walk_tree(tree, function(node, key, depth) {
    if (is.list(node) && depth < most) {
      return(TRUE)
    }
    below[[length(below) + 1L]] <<- node
    length(below)
  })
  list(tree = tree, below = below)
}

# Transforms a tree by `swap(node, key, depth)`, which returns the replacement of a node, or TRUE to
# keep the node and continue with its children. `key`: that of the root, if nodes are identified by
# the path that leads to them.
walk_tree <- function(tree, swap, key = NULL, depth = 0) {
  if (length(tree) == 0L) {
    return(NULL)
  }
  # Else promises of promises need R's stack.
  force(list(swap, key, depth))
  new <- swap(tree, key, depth)
  if (!isTRUE(new)) {
    return(new)
  }
  below <- lapply(seq_along(tree$children), function(b) {
    to <- if (!is.null(key)) branch_key(key, tree, b)
    walk_tree(tree$children[[b]], swap, to, depth + 1)
  })
  if (all(vapply(below, is.null, NA))) {
    return(NULL)
  }
  tree$children <- below
  tree
}

# Replaces each requested node of a tree.
swap_asked <- function(tree, swap) {
  walk_tree(tree, function(node, key, depth) if (is.list(node)) TRUE else swap(node))
}

keep_asked <- function(tree, nodes) swap_asked(tree, function(node) if (node %in% nodes) node)

# A text that identifies the rows of each requested node by the path to it; named by node.
node_keys <- function(tree) {
  keys <- list()
  walk_tree(tree, function(node, key, depth) {
    if (is.list(node)) {
      return(TRUE)
    }
    keys[[as.character(node)]] <<- key
    NULL
  }, "all")
  keys
}

# The same for a branch of a node that has a key.
branch_key <- function(key, node, branch) {
  taken <- if (is.null(node$at)) {
    which(node$branch == branch)
  } else {
    c(node$at, branch, node$missing == branch)
  }
  rlang::hash(list(key, node$column, taken))
}
