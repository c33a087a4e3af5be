# The surrogates of a tree as people read them: one row each, the best of a node
# first. `rule` is the condition under which a row goes to the node's first branch.
surrogates_of <- function(fit, digits = 7L, set_width = Inf) {
  tree <- fit$tree
  n <- length(tree$surrogate_variable)
  splits <- list(
    kind = tree$surrogate_kind, variable = tree$surrogate_variable,
    break_start = seq_len(n) - 1L, break_count = rep(1L, n), breaks = tree$surrogate_cut,
    level_start = tree$surrogate_level_start, level_count = tree$surrogate_level_count,
    level = tree$level, level_child = tree$level_child
  )
  branch <- ifelse(tree$surrogate_flipped, 1L, 0L)
  name <- show_names(fit$columns$name[tree$surrogate_variable])
  rule <- branch_conditions(splits, seq_len(n), branch, fit$columns, digits, rep(set_width, n))
  at <- sequence(tree$surrogate_count, from = tree$surrogate_start + 1L)
  out <- data.frame(
    node = rep(seq_along(tree$parent), tree$surrogate_count),
    variable = fit$columns$name[tree$surrogate_variable[at]],
    rule = paste(name, rule, recycle0 = TRUE)[at],
    agree = tree$surrogate_agree[at], adj = tree$surrogate_adj[at],
    stringsAsFactors = FALSE
  )
  rownames(out) <- NULL
  out
}
