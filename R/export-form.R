# Tested in test-tec_sql.R, test-tec_code.R, test-tec_pmml.R and test-tec_code-forest.R.
# A tree in the form that the writers `tec_sql()`, `tec_code()`, `tec_onnx()` and `tec_pmml()` take:
# a list with the inputs (the columns that prediction uses), the response, and for the nodes:
#
# `steps`: vectors (node, input, op, to) and a list (value). An inner node tries its steps in turn;
# a row goes to `to` of the first step that holds. `op` is "<=" or ">" for a number, or "in" for a
# set of levels (codes from 1 in the order of the input's levels). No step holds for a missing value
# or an unseen level. `splits`: all steps of the splits alone. `steps` also has those of surrogates,
# but none that `other` makes redundant.
# `other`: vectors (kind, to), for a row that no step takes, "" for leaves. Kind "node" sends it to
# node `to`, "stop" ends it here, "share" sends the part `share` to each branch, and "null" predicts
# nothing.

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
  edge <- edges(tree)
  splits <- export_splits(tree, edge, fit$columns)
  steps <- export_steps(splits)
  steps$input <- match(splits$variable[steps$split], used)
  other <- export_other(tree, edge, missing == "null")
  of_split <- seq_along(splits$node) <= sum(tree$kind != 0L)
  list(
    response = fit$response$name, classes = fit$response$levels, inputs = inputs,
    splits = rows_of_table(steps, of_split[steps$split]),
    steps = rows_of_table(steps, !leads_to_other(steps, splits, other)), other = other,
    stands_in = seq_along(tree$kind) %in% splits$node[!of_split],
    prob = unname(leaf_shares(fit)), value = tree$yval, weight = tree$weight, cost = fit$cost,
    shared = "share" %in% other$kind, edges = edge, parent = tree$parent, depth = tree$depth
  )
}

rows_of_table <- function(table, rows) lapply(table, `[`, rows)

missing_choices <- c("as_fitted", "majority", "null")

# The tree with its rule for missing values; "null" is handled where nodes are exported.
with_missing <- function(fit, missing) {
  if (missing == "as_fitted") {
    return(fit)
  }
  tree <- fit$tree
  edge <- edges(tree)
  # The first branch with the largest weight; the edges of a node are adjacent, in branch order.
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
  # An infinite cut at the end of a split stands for a branch of missing values alone.
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
    "A {model} with an infinite cut cannot be exported.",
    x = "Column{?s}: {.field {names}}.",
    i = "Replace the infinite values by finite ones, and grow the {model} again."
  )
}

# `needed`: used by a split. Other inputs are used only by surrogates and may be absent.
export_input <- function(j, fit) {
  columns <- fit$columns
  name <- enc2utf8(columns$name[j])
  if (!is.symbol(fit$predictors[[j]])) {
    abort_export(
      "A {model_word(fit)} that computes its columns cannot be exported.",
      x = "It splits on {.code {name}}.",
      i = "Make it a column of the data, and grow the {model_word(fit)} again."
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

# All splits, then all surrogates: vectors (node, kind, variable) and lists `to` (the children),
# `breaks` (one for surrogates) and `sets` (the codes that go down each branch).
export_splits <- function(tree, edge, columns) {
  node <- which(tree$kind != 0L)
  to <- unname(split(edge$child, edge$parent))
  part <- function(x, start, count) {
    unname(split(x[rep(start, count) + sequence(count)], rep(factor(seq_along(count)), count)))
  }
  breaks <- part(tree$breaks, tree$break_start[node], tree$break_count[node])
  out <- list(node = node, kind = tree$kind[node], variable = tree$variable[node], to = to)
  level <- list(start = tree$level_start[node], count = tree$level_count[node])
  if (isTRUE(tree$by_surrogate)) {
    count <- tree$surrogate_count[node]
    s <- rep(tree$surrogate_start[node], count) + sequence(count)
    to <- rep(to, count)
    flipped <- tree$surrogate_flipped[s]
    to[flipped] <- lapply(to[flipped], rev)
    out <- Map(c, out, list(
      rep(node, count), tree$surrogate_kind[s], tree$surrogate_variable[s], to
    ))
    breaks <- c(breaks, as.list(tree$surrogate_cut[s]))
    level <- Map(c, level, list(tree$surrogate_level_start[s], tree$surrogate_level_count[s]))
  }
  out$breaks <- breaks
  out$sets <- vector("list", length(out$node))
  for (i in which(out$kind > 2L)) {
    set <- levels_at(tree, level$start[i], level$count[i])
    n_levels <- length(columns$levels[[out$variable[i]]])
    out$sets[[i]] <- level_sets(out$kind[i], breaks[[i]], set, n_levels, length(out$to[[i]]))
  }
  out
}

# A subset of levels, and the branch (from 0) of each.
levels_at <- function(tree, start, count) {
  at <- start + seq_len(count)
  list(level = tree$level[at], branch = tree$level_child[at])
}
set_at <- function(tree, i) levels_at(tree, tree$level_start[i], tree$level_count[i])
surrogate_set_at <- function(tree, s) {
  levels_at(tree, tree$surrogate_level_start[s], tree$surrogate_level_count[s])
}

# The branch (from 1) of each declared level; NA for a level that the node did not see.
level_branches <- function(kind, breaks, set, n_levels) {
  codes <- seq_len(n_levels)
  switch(as.character(kind),
    "3" = ifelse(codes <= breaks, 1L, 2L),
    "4" = set$branch[match(codes, set$level)] + 1L,
    codes
  )
}

# The codes of the levels that go down each branch.
level_sets <- function(kind, breaks, set, n_levels, n_branches) {
  branch <- level_branches(kind, breaks, set, n_levels)
  lapply(seq_len(n_branches), function(b) which(branch == b))
}

# The steps of all splits, node by node: vectors (node, split, op, to) and a list, `value`.
export_steps <- function(splits) {
  range <- splits$kind %in% 1:2
  value <- splits$sets
  value[range] <- lapply(splits$breaks[range], function(cut) {
    # No step leads to a branch of missing values alone.
    if (cut[length(cut)] < Inf) {
      c(cut, cut[length(cut)])
    } else if (length(cut) > 1L) {
      cut[c(seq_len(length(cut) - 1L), length(cut) - 1L)]
    } else {
      .Machine$double.xmax
    }
  })
  size <- lengths(value)
  split <- rep(seq_along(size), size)
  branch <- sequence(size)
  up <- branch == size[split] & size[split] > 1L
  all <- lengths(splits$to)
  steps <- list(
    node = splits$node[split], split = split,
    op = ifelse(range[split], ifelse(up, ">", "<="), "in"),
    to = as.integer(unlist(splits$to)[cumsum(c(0L, all))[split] + branch]),
    value = unlist(lapply(value, as.list), recursive = FALSE)
  )
  rows <- order(steps$node, split, branch)
  rows_of_table(steps, rows[lengths(steps$value)[rows] > 0L])
}

# Where rows go that no step takes. `share`: for each node, its share of such a row of its parent.
export_other <- function(tree, edge, null) {
  inner <- tree$kind != 0L
  kind <- if (null) "null" else c("node", "share", "stop")[tree$unknown + 1L]
  out <- list(kind = ifelse(inner, kind, ""), to = rep(NA_integer_, length(inner)))
  out$share <- numeric(length(inner))
  if (kind == "node") {
    at <- tree$child_start[inner] + tree$default_child[inner] + 1L
    out$to[inner] <- as.integer(tree$child[at])
  } else if (kind == "share") {
    weight <- tree$weight[edge$child]
    total <- rep(0, length(inner))
    total[inner] <- vapply(split(weight, edge$parent), sum, 0)
    out$kind[inner & total <= 0] <- "stop"
    out$share[edge$child] <- ifelse(total[edge$parent] > 0, weight / total[edge$parent], 0)
  }
  out
}

# A row that no step takes goes to other$to, so final steps that lead there are redundant; of two
# mutually exclusive steps, the one that leads there comes last.
leads_to_other <- function(steps, splits, other) {
  last <- integer(length(other$kind))
  last[splits$node] <- seq_along(splits$node)
  beside <- tabulate(steps$split, length(splits$node))[steps$split]
  final <- !duplicated(steps$split, fromLast = TRUE)
  other$kind[steps$node] == "node" & steps$to == other$to[steps$node] &
    steps$split == last[steps$node] & (beside == 2L | steps$op == "in" | final)
}

abort_shared <- function(what, model = "tree") {
  abort_export(
    paste(what, "cannot send a row down several branches."),
    x = "The {model} has {.code missing = \"fractional\"}: a row with a missing value goes down \
         all.",
    i = "Add {.code missing = \"majority\"}: such a row goes down the branch with the \
         largest weight.",
    i = "Or {.code missing = \"null\"}: such a row gets no prediction.",
    i = "Both predict rows without missing values as the {model} does."
  )
}

# ---- forests ----

# list(response, classes, inputs, by, cost, link, shared, trees): `trees` are the forms of
# export_tree(), all with the inputs of the forest; `by` is forest_rule(), `link` linked_forest()'s.
export_forest <- function(fit, missing = "as_fitted") {
  check_fit(fit)
  used <- needed_columns(fit)
  inputs <- lapply(used, export_input, fit = fit)
  by <- forest_rule(fit)
  trees <- lapply(seq_len(length(fit)), function(i) {
    tree <- forest_tree(fit, i, check = FALSE)
    export_form(with_missing(tree, missing), used, inputs, missing)
  })
  list(
    response = fit$response$name, classes = fit$response$levels, inputs = inputs, by = by,
    cost = fit$cost, link = fit$link, shared = any(vapply(trees, `[[`, NA, "shared")), trees = trees
  )
}

# For exports in which a row goes to one node of a tree. `missing`: NULL if not given.
export_unshared <- function(fit, what, missing) {
  fit <- chosen_fit(fit, what)
  if (!is_forest(fit)) check_is_tree(fit, what)
  chosen <- missing
  missing <- missing %||% unshared_missing(fit)
  form <- if (is_forest(fit)) {
    export_forest(fit, missing)
  } else {
    export_tree(fit, what, missing)
  }
  if (form$shared) abort_shared(paste0("{.fn ", what, "}"), model_word(fit))
  if (is.null(chosen) && missing == "majority" && length(form$inputs)) say_majority(what, fit)
  c(form, model = model_word(fit))
}

# The setting of the model. But a model that would send rows down several branches, and had no such
# row in training, sends them down the largest branch.
unshared_missing <- function(fit) {
  never <- if (is_forest(fit)) {
    trees <- fit[["trees"]]
    trees$unknown == 1L && !is.null(fit[["gaps"]]) && !any(needed_columns(fit) %in% fit[["gaps"]])
  } else {
    inherits(fit, "tec_tree") && fit$tree$unknown == 1L && is.null(fit$source) &&
      !has_shared_rows(fit$tree)
  }
  if (never) "majority" else "as_fitted"
}

say_majority <- function(what, fit) {
  tec_inform("missing", c(
    "{.fn {what}} sends a row with a missing value down the branch with the largest weight.",
    "!" = "{.fn predict} sends it down all branches. No training row had a missing value there.",
    i = "If new rows have missing values, grow the {model_word(fit)} with {.arg missing}, such as \
         {.code missing = \"majority\"}.",
    i = "If they have none, {.code {what}(missing = \"majority\")} writes the same export without \
         this message."
  ))
}

# Whether a row with a missing value counts in several branches of a node.
has_shared_rows <- function(tree) {
  edge <- edges(tree)
  inner <- which(tree$kind != 0L)
  below <- vapply(split(tree$n[edge$child], factor(edge$parent, inner)), sum, 0)
  any(below > tree$n[inner] * (1 + 1e-9))
}

# What determines the class: "votes", "shares" (their means) or "cost" (expected cost by mean
# shares). "mean" for a numeric response.
forest_rule <- function(fit) {
  if (fit$response$task == "regression") {
    return("mean")
  }
  if (!is.null(fit$cost)) {
    return("cost")
  }
  if (isTRUE(fit$settings$probability)) "shares" else "votes"
}

is_linked <- function(fit) !is.null(fit$link)

# The classes that the exports of a forest return, if any.
forest_classes <- function(fit) fit$link$levels %||% fit$response$levels

# Like check_finite(), but for all trees at once.
check_forest_finite <- function(fit) {
  trees <- fit$trees
  leaf <- trees$variable == 0L
  odd <- unique(abs(trees$variable[!leaf & !is.finite(trees$cut)]))
  if (length(odd)) abort_infinite(fit$columns$name[odd], "forest")
  said <- c(trees$shares, if (is.null(fit$response$levels)) trees$cut[leaf])
  if (!all(is.finite(said))) abort_export("The forest predicts numbers that are not finite.")
}

check_mars_finite <- function(fit) {
  if (!all(is.finite(fit$coefficients))) {
    abort_export("The coefficients are not finite.")
  }
}
