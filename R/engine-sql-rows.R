# Tested in test-engine-sql.R.
# Rows of small nodes, and tables that shorten the way to a deep level.

# The rows of each node asked for, as R would hold them, under our own names: x1, x2, ..., the
# response y, the weight w and the key k.
fetch_rows <- function(s, frontier) {
  nodes <- asked_nodes(frontier)
  x <- vapply(s$columns, `[[`, "", "raw")
  stages <- staged(s, s$inline, frontier)
  parts <- c(
    x, "y", if (!is.null(s$weights)) "w", if (!is.null(s$key)) "k",
    paste(node_case(s, s$inline, stages$tree) %||% "NULL", "AS node")
  )
  sql <- paste0(
    "SELECT * FROM (SELECT ", paste(parts, collapse = ", "), " FROM ", stages$from,
    ") s WHERE node IS NOT NULL"
  )
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

typed_values <- function(x, column) {
  x <- switch(column$type, text = as.character(x), logical = as.logical(x), as.numeric(x))
  ptype <- prototypes[[column$type]]
  if (is.object(ptype)) attributes(x) <- attributes(ptype)
  x
}

# Where codes are in a table, every few levels the rows that are still on their way go into a new
# one with the place they have reached: the CASE starts there. Places are named by the splits on the
# way to them, since several trees may grow from one counter; a node whose place is not in the table
# is looked for from the root.
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

advance <- function(s, tree, depth) {
  places <- places_at(tree, depth)
  if (length(places) == 0L) {
    return(s$advanced)
  }
  numbered <- number_places(tree, places)
  source <- s$coded
  stages <- staged(s, source, numbered, "step")
  case <- node_case(s, source, stages$tree)
  old <- s$advanced
  sql <- paste0(
    "SELECT * FROM (SELECT *, ", case, " AS place FROM ", stages$from, ") s ",
    "WHERE place IS NOT NULL"
  )
  table <- make_table(s, "level", sql)
  if (!is.null(old)) drop_table(s, old$table)
  s$advanced <- list(
    depth = depth, places = places, table = table,
    source = list(
      from = quote_name(s$link, table), coded = source$coded, classes = source$classes
    )
  )
  s$advanced
}

# The inner nodes of a depth that lead to nodes asked for, by their paths.
places_at <- function(tree, depth, path = "all") {
  # Else promises of promises need R's stack.
  force(path)
  if (!is.list(tree)) {
    return(NULL)
  }
  if (depth == 0) {
    return(path)
  }
  unlist(lapply(seq_along(tree$children), function(b) {
    places_at(tree$children[[b]], depth - 1, branch_key(path, tree, b))
  }))
}

# The tree cut at these places, with their numbers as what is asked for.
number_places <- function(tree, places, path = "all") {
  at <- match(path, places)
  if (!is.na(at)) {
    return(at)
  }
  if (!is.list(tree)) {
    return(NULL)
  }
  tree$children <- lapply(seq_along(tree$children), function(b) {
    number_places(tree$children[[b]], places, branch_key(path, tree, b))
  })
  tree
}

# A tree whose root divides by place; NULL where an asked node lies elsewhere.
start_from <- function(tree, places) {
  found <- list()
  lost <- FALSE
  walk <- function(node, path) {
    at <- match(path, places)
    if (!is.na(at)) {
      found[[at]] <<- node
    } else if (is.list(node)) {
      for (b in seq_along(node$children)) walk(node$children[[b]], branch_key(path, node, b))
    } else if (!is.null(node)) {
      lost <<- TRUE
    }
  }
  walk(tree, "all")
  if (lost) NULL else structure(list(children = found), class = "tec_places")
}

# The same for a branch of a node with a key.
branch_key <- function(key, node, branch) {
  taken <- if (is.null(node$at)) {
    which(node$branch == branch)
  } else {
    c(node$at, branch, node$missing == branch)
  }
  rlang::hash(list(key, node$column, taken))
}
