# By hand: the nodes become leaves.
prune_nodes <- function(fit, node, others) {
  if (length(others)) {
    tec_abort("prune", c(
      "{.arg node} prunes by hand, and no other argument goes with it.",
      x = "{.arg {others[1L]}} is given too."
    ))
  }
  last <- length(fit$tree$kind)
  if (!is.numeric(node) || length(node) == 0L || !all_in_range(node, 1, last) ||
    any(node != round(node))) {
    tec_abort("argument", c(
      "{.arg node} must be the numbers of nodes, from 1 to {last}.",
      x = "It is {describe(node)}.",
      i = "{.fn print} and {.fn plot} show the numbers."
    ))
  }
  leaf <- node[fit$tree$kind[node] == 0L]
  if (length(leaf)) {
    tec_abort("argument", c(
      "{.arg node} must be nodes that are split.",
      x = "{toString(leaf)} {cli::qty(length(leaf))}{?is a leaf/are leaves}."
    ))
  }
  columns <- length(fit$columns$name)
  tree <- tec_cut_(fit$tree, columns, as.integer(node))
  with_tree(fit, tree, "by hand", nodes = toString(sort(unique(node))))
}
