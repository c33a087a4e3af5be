# Tested in test-tec_sql.R, test-tec_code.R and test-tec_pmml.R.
# A tree as the writers `tec_sql()`, `tec_code()`, `tec_onnx()` and `tec_pmml()` take it: a list
# with the inputs (the columns that prediction looks at), what is predicted, and the nodes.
#
# An inner node is a list of `steps`, asked in turn, and `other`, for a row that none of them takes.
# A step is list(input, op, value, to): op "<=" or ">" of a number, or "in" some levels (codes from
# 1 in the order of the input's levels). Asked of a missing value, or of a level not in training, no
# step holds. `other` is list(kind, to, share): kind "node" sends the row to node `to`, "stop" ends
# it here, "share" sends the parts `share` to the nodes `to`, and "null" predicts nothing.

export_tree <- function(fit, what, missing = "as_fitted") {
  fit <- chosen_fit(fit, what)
  check_is_tree(fit, what)
  fit <- with_missing(fit, missing)
  used <- sort(c(needed_columns(fit), optional_columns(fit)))
  export_form(fit, used, lapply(used, export_input, fit = fit), missing)
}

# `used`: the columns of `inputs`, by number.
export_form <- function(fit, used, inputs, missing) {
  tree <- fit$tree
  check_finite(fit)
  nodes <- lapply(seq_along(tree$parent), function(i) {
    export_node(fit, i, used, null = missing == "null")
  })
  shared <- any(vapply(nodes, function(n) identical(n$other$kind, "share"), NA))
  list(
    response = fit$response$name, classes = fit$response$levels, inputs = inputs, nodes = nodes,
    prob = unname(leaf_shares(fit)), value = tree$yval, weight = tree$weight, cost = fit$cost,
    shared = shared, parent = tree$parent
  )
}

missing_choices <- c("as_fitted", "majority", "null")

# The tree with its rule for missing values; "null" is handled where nodes are exported.
with_missing <- function(fit, missing) {
  if (missing == "as_fitted") {
    return(fit)
  }
  tree <- fit$tree
  edge <- edges(tree)
  # The first branch of largest weight: edges of a node stand together, in branch order.
  by <- order(edge$parent, -tree$weight[edge$child], edge$branch)
  first <- by[!duplicated(edge$parent[by])]
  tree$default_child[edge$parent[first]] <- edge$branch[first]
  tree$unknown <- 0L
  tree$by_surrogate <- FALSE
  tree$surrogate_count[] <- 0L
  fit$tree <- tree
  fit
}

# Neither SQL nor JSON has a number for infinity.
check_finite <- function(fit) {
  tree <- fit$tree
  cut <- rep(seq_along(tree$kind), tree$break_count)
  at <- rep(tree$break_start, tree$break_count) + sequence(tree$break_count)
  # One at the end of a split stands for a branch of missing values alone.
  apart <- tree$breaks[at] == Inf & !duplicated(cut, fromLast = TRUE) & tree$kind[cut] == 2L
  odd <- c(
    tree$variable[cut[!is.finite(tree$breaks[at]) & !apart]],
    tree$surrogate_variable[!is.finite(tree$surrogate_cut)]
  )
  if (length(odd)) {
    abort_infinite(fit$columns$name[unique(odd)])
  }
  if (!all(is.finite(c(tree$prob, if (!ncol(tree$prob)) tree$yval)))) {
    abort_export("The tree predicts numbers that are not finite.")
  }
}

abort_infinite <- function(names, model = "tree") {
  abort_export(
    "A {model} with a threshold that is infinite cannot leave R.",
    x = "Column{?s}: {.field {names}}.",
    i = "Replace the infinite values by finite ones, and grow the {model} again."
  )
}

# `needed`: used by a split; other inputs are only used by surrogates and can be absent.
export_input <- function(j, fit) {
  columns <- fit$columns
  name <- enc2utf8(columns$name[j])
  if (!is.symbol(fit$predictors[[j]])) {
    abort_export(
      "A {model_word(fit)} that computes its columns cannot leave R.",
      x = "It splits on {.code {name}}.",
      i = "Make it a column of the data, and grow the {model_word(fit)} on that."
    )
  }
  ptype <- columns$ptype[[j]]
  type <- if (columns$kind[j] == "numeric") quantity(ptype) else "level"
  labels <- c(name, columns$levels[[j]])
  if (!all(validUTF8(enc2utf8(labels)))) {
    abort_export("Column {.field {name}} has names that are not valid text.")
  }
  list(
    name = name, type = type, levels = if (type == "level") enc2utf8(columns$levels[[j]]),
    logical = is.logical(ptype), whole = is.integer(ptype),
    units = if (type == "difftime") units(ptype), needed = j %in% needed_columns(fit)
  )
}

# `split`: all steps of the split; `steps`: without those that `other` makes redundant, followed by
# the steps of the surrogates.
export_node <- function(fit, i, used, null) {
  tree <- fit$tree
  if (tree$kind[i] == 0L) {
    return(list())
  }
  to <- as.integer(tree$child[tree$child_start[i] + seq_len(tree$n_children[i])])
  first <- list(split_steps(
    match(tree$variable[i], used), to, tree$kind[i],
    tree$breaks[tree$break_start[i] + seq_len(tree$break_count[i])], set_at(tree, i),
    length(fit$columns$levels[[tree$variable[i]]])
  ))
  groups <- c(first, surrogate_steps(fit, i, used, to))
  other <- if (null) list(kind = "null") else export_other(tree, i, to)
  last <- length(groups)
  groups[[last]] <- without_steps_to(groups[[last]], other)
  list(
    steps = unlist(groups, recursive = FALSE), other = other, children = to, split = first[[1L]],
    stands_in = last > 1L
  )
}

set_at <- function(tree, i) {
  at <- tree$level_start[i] + seq_len(tree$level_count[i])
  list(level = tree$level[at], branch = tree$level_child[at])
}

# `to`: the child of each branch.
split_steps <- function(input, to, kind, breaks, set, n_levels) {
  if (kind %in% 1:2) {
    # No step leads to a branch of missing values alone.
    apart <- breaks[length(breaks)] == Inf
    if (apart) {
      to <- to[-length(to)]
      breaks <- if (length(breaks) > 1L) breaks[-length(breaks)] else .Machine$double.xmax
    }
    value <- c(breaks, breaks[length(breaks)])
    op <- rep(c("<=", ">"), c(length(breaks), 1L))
    return(lapply(seq_along(to), function(b) {
      list(input = input, op = op[b], value = value[b], to = to[b])
    }))
  }
  codes <- seq_len(n_levels)
  branch <- switch(as.character(kind),
    "3" = as.integer(codes > breaks),
    "4" = set$branch[match(codes, set$level)],
    "5" = codes - 1L
  )
  steps <- lapply(seq_along(to), function(b) {
    list(input = input, op = "in", value = which(branch == b - 1L), to = to[b])
  })
  steps[lengths(lapply(steps, `[[`, "value")) > 0L]
}

# A list of steps for each surrogate.
surrogate_steps <- function(fit, i, used, to) {
  tree <- fit$tree
  if (!isTRUE(tree$by_surrogate)) {
    return(NULL)
  }
  lapply(tree$surrogate_start[i] + seq_len(tree$surrogate_count[i]), function(s) {
    at <- tree$surrogate_level_start[s] + seq_len(tree$surrogate_level_count[s])
    variable <- tree$surrogate_variable[s]
    split_steps(
      match(variable, used), if (tree$surrogate_flipped[s]) rev(to) else to,
      tree$surrogate_kind[s], tree$surrogate_cut[s],
      list(level = tree$level[at], branch = tree$level_child[at]),
      length(fit$columns$levels[[variable]])
    )
  })
}

export_other <- function(tree, i, to) {
  if (tree$unknown == 0L) {
    return(list(kind = "node", to = to[tree$default_child[i] + 1L]))
  }
  weight <- tree$weight[to]
  if (tree$unknown == 2L || sum(weight) <= 0) {
    return(list(kind = "stop"))
  }
  list(kind = "share", to = to[weight > 0], share = (weight / sum(weight))[weight > 0])
}

# A row that no step takes goes to other$to, so final steps that lead there are omitted; of two
# mutually exclusive steps, the one that leads there comes last.
without_steps_to <- function(steps, other) {
  if (other$kind != "node") {
    return(steps)
  }
  there <- vapply(steps, `[[`, 0L, "to") == other$to
  if (length(steps) == 2L || steps[[1L]]$op == "in") {
    return(steps[!there])
  }
  if (there[length(steps)]) steps[-length(steps)] else steps
}

abort_shared <- function(what, model = "tree") {
  abort_export(
    paste(what, "cannot send a row down several branches."),
    x = "The {model} has {.code missing = \"fractional\"}: a row with a missing value goes down \
         all.",
    i = "Add {.code missing = \"majority\"}: such a row goes down the branch of largest weight.",
    i = "Or {.code missing = \"null\"}: such a row gets no prediction.",
    i = "Both predict rows without missing values as the {model} does."
  )
}
