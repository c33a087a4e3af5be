# Tested in test-engine-hostile.R.
# Trees that are deeper than a database can read in one CASE.

# A tree that is too deep for one CASE of the database, in stages: list(from =, tree =). Each tells
# which place a row has reached, from where the tree goes on, in a column of this `prefix`. They
# follow each other by WITH: subqueries of subqueries would soon be too deep for SQLite's parser.
staged <- function(s, source, tree, prefix = "stage") {
  from <- source$from
  # Half of it, as subqueries and conditions nest, too.
  most <- s$link$words$nesting %/% 2
  with <- character()
  while (tree_levels(tree) > most) {
    name <- paste0(prefix, length(with) + 1L)
    cut <- cut_tree(tree, most)
    case <- node_case(s, source, cut$tree)
    if (is.null(case)) break
    # With a limit SQLite leaves the subquery alone.
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

# The tree down to a depth, where numbers stand for what is below: list(tree =, below = trees, or
# nodes asked for).
cut_tree <- function(tree, depth) {
  below <- list()
  walk <- function(tree, depth) {
    if (is.null(tree) || length(tree) == 0L) {
      return(NULL)
    }
    if (!is.list(tree) || depth == 0) {
      below[[length(below) + 1L]] <<- tree
      return(length(below))
    }
    # Assigning NULL would remove the element of the list.
    tree$children <- lapply(tree$children, walk, depth - 1)
    tree
  }
  list(tree = walk(tree, depth), below = below)
}
