# Tested in test-plot-show.R and test-plot-fit.R.
# The part of a tree that is drawn: its nodes and their texts. A view is a data frame in pre-order,
# one row per node drawn: node, up (the row of the parent, 0 for the first), level (from 0), leaf,
# hidden (nodes below it that are not drawn), below (the leaves among them), variable (the one that
# it tests), value (the prediction as text), n, size (the weight, or n), yval, on_path, and what
# write_nodes() adds; its attributes are `shares`, `weighted`, `total` (the size of the whole tree),
# `conditions` and `looks`.

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
    n = tree$n[drawn], yval = tree$yval[drawn]
  )
  weighted <- has_case_weights(tree)
  size <- if (weighted) tree$weight else tree$n
  out$size <- size[drawn]
  attr(out, "weighted") <- weighted
  out$value <- if (fit$response$task == "classification") {
    show_label(fit$response$levels)[out$yval]
  } else {
    plot_numbers(out$yval)
  }
  out$test <- node_tests(tree, drawn, signs)
  # Bars and colours show the rows, texts what is predicted.
  attr(out, "shares") <- tree$prob[drawn, , drop = FALSE]
  attr(out, "predicted") <- leaf_shares(fit, drawn)
  attr(out, "total") <- size[1L]
  attr(out, "conditions") <- condition_parts(fit, drawn, signs)
  attr(out, "looks") <- looks
  out$on_path <- drawn %in% looks$path$node
  write_nodes(out)
}

# "χ²(1) = 456.9, p < .001" of splits found by p values; p is adjusted.
node_tests <- function(tree, nodes, signs) {
  test <- split_tests(tree)[nodes, ]
  if (is.null(test)) {
    return("")
  }
  name <- ifelse(test_name(test) == "F", "F", if (signs) "\u03c7\u00b2" else "chi-square")
  text <- paste0(
    name, "(", sub(" and ", ", ", test_df(test), fixed = TRUE), ") = ",
    number_text(test$statistic, 4L), ", p ", brief_p(test$p_adjusted)
  )
  ifelse(is.na(test$df), "", text)
}

# As papers print it: "< .001", "= .012".
brief_p <- function(p) {
  ifelse(p < 0.001, "< .001", paste("=", sub("^0", "", sprintf("%.3f", p))))
}

has_case_weights <- function(tree) {
  any(abs(tree$weight - tree$n) > 1e-8 * pmax(tree$n, 1))
}

# A node is drawn where all its ancestors are open: parents come first.
drawn_nodes <- function(tree, open, first, last) {
  kept <- logical(length(open))
  kept[first] <- TRUE
  for (i in seq_len(last - first) + first) kept[i] <- kept[tree$parent[i]] && open[tree$parent[i]]
  which(kept)
}

# The text of a closed node: "node 5: 12 leaves", or "12 leaves below" if node numbers are shown
# anyway.
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
