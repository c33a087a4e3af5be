# What of a tree is drawn: the nodes, and the texts that belong to them. A view is a data
# frame in pre-order, one row per node drawn: node, up (the row of the parent, 0 for the
# first), level (from 0), leaf, hidden (nodes below it that are not drawn), below (the leaves
# among them), variable, edge (the condition on the way in, without the variable), class,
# value, n, on_path, title and extra (what is written), and the attributes `shares` and `looks`.

# `looks`: how a tree is drawn, from tree_looks(); `signs`: whether letters beyond Latin 1 can be.
tree_view <- function(fit, depth, nodes, looks = tree_looks(fit), signs = has_signs()) {
  tree <- fit$tree
  open <- open_nodes(tree, depth, nodes, if (looks$whole_path) looks$path$node)
  first <- attr(open, "first")
  end <- subtree_ends(tree)
  drawn <- drawn_nodes(tree, open, first, end[first])
  leaf <- tree$kind[drawn] == 0L | !open[drawn]
  closed <- leaf & tree$kind[drawn] != 0L
  leaves <- c(0L, cumsum(tree$kind == 0L))
  up <- match(tree$parent[drawn], drawn, nomatch = 0L)
  up[1L] <- 0L
  out <- data.frame(
    node = drawn, up = up, level = tree$depth[drawn] - tree$depth[first], leaf = leaf,
    hidden = ifelse(closed, end[drawn] - drawn, 0),
    below = ifelse(closed, leaves[end[drawn] + 1L] - leaves[drawn], 0L),
    variable = ifelse(leaf, NA, show_names(fit$columns$name)[pmax(tree$variable[drawn], 1L)]),
    edge = edge_texts(fit, drawn, signs), short = edge_texts(fit, drawn, signs, 3L),
    n = tree$n[drawn], yval = tree$yval[drawn]
  )
  out$edge[1L] <- out$short[1L] <- ""
  out$value <- if (fit$response$task == "classification") {
    show_label(fit$response$levels)[out$yval]
  } else {
    number_text(out$yval, 4L)
  }
  attr(out, "shares") <- tree$prob[drawn, , drop = FALSE]
  attr(out, "sets") <- edge_sets(fit, drawn)
  attr(out, "looks") <- looks
  out$on_path <- drawn %in% looks$path$node
  write_nodes(out, looks$show, tree$n[1L], looks$path)
}

# The last node below each, in pre-order: a node reaches as far as its last child does.
subtree_ends <- function(tree) {
  end <- seq_along(tree$parent)
  for (i in rev(end)[-length(end)]) {
    if (end[i] > end[tree$parent[i]]) end[tree$parent[i]] <- end[i]
  }
  end
}

# A node is drawn where all its ancestors are open: parents come first.
drawn_nodes <- function(tree, open, first, last) {
  kept <- logical(length(open))
  kept[first] <- TRUE
  for (i in seq_len(last - first) + first) kept[i] <- kept[tree$parent[i]] && open[tree$parent[i]]
  which(kept)
}

# What stands for the nodes below a closed one: "node 5: 12 leaves"; where the numbers of nodes are
# written anyway "12 leaves below".
closed_texts <- function(view) {
  some <- view$hidden > 0
  out <- character(nrow(view))
  leaves <- paste(big_number(view$below[some]), "leaves")
  out[some] <- if (isTRUE(attr(view, "numbered"))) {
    paste(leaves, "below")
  } else {
    paste0("node ", view$node[some], ": ", leaves)
  }
  out
}

big_number <- function(n) format(n, big.mark = ",", trim = TRUE, scientific = FALSE)

# The levels on each branch of a subset split with several, otherwise NULL.
edge_sets <- function(fit, nodes) {
  tree <- fit$tree
  branch <- node_branches(tree)
  lapply(seq_along(nodes), function(i) {
    from <- tree$parent[nodes[i]]
    if (i == 1L || tree$kind[from] != 4L) {
      return(NULL)
    }
    at <- set_positions(tree, from)
    codes <- tree$level[at][tree$level_child[at] == branch[nodes[i]]]
    if (length(codes) > 1L) show_label(fit$columns$levels[[tree$variable[from]]][codes])
  })
}

# Which nodes show their branches, those of `path` always, and from which node the drawing starts.
open_nodes <- function(tree, depth, nodes, path = integer()) {
  inner <- tree$kind != 0L
  open <- inner
  first <- 1L
  if (length(nodes) == 1L) {
    first <- nodes
  } else if (length(nodes) > 1L) {
    open[] <- FALSE
    for (node in nodes) {
      while (node > 1L) {
        node <- tree$parent[node]
        open[node] <- TRUE
      }
    }
    open <- open & inner
  }
  open <- open & tree$depth - tree$depth[first] < depth
  open[path] <- inner[path]
  structure(open, first = first)
}

edge_texts <- function(fit, nodes, signs, digits = 5L) {
  tree <- fit$tree
  branch <- node_branches(tree)
  out <- character(length(nodes))
  inner <- nodes != 1L
  to <- nodes[inner]
  # One level needs no sign: the way in is named by it.
  whole <- rep(Inf, length(to))
  text <- branch_conditions(tree, tree$parent[to], branch[to], fit$columns, digits, whole)
  text <- sub("^= ", "", text)
  set <- startsWith(text, "in {")
  text[set] <- substr(text[set], 5L, nchar(text[set]) - 1L)
  text <- sub("^in ", "", text)
  out[inner] <- if (signs) sub("^<= ", "\u2264 ", text) else text
  out
}
