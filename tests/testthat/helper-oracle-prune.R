# Pruning, each rule from its definition, recursively, on nested lists. Nothing is shared with the
# core: rows are routed here, counts made here.
#
# A node is a list(id, variable, rows, w, y, value, impurity, children); `rows` are row numbers,
# each row in one branch. `value` is a class code or a number; an empty leaf has its parent's.

# The fit's tree with its training rows in it. `weights` by row.
nest_fit <- function(fit, data, weights = rep(1, nrow(data))) {
  y <- data[[fit$response$name]]
  if (fit$response$task == "classification") y <- as.integer(factor(y, fit$response$levels))
  columns <- lapply(seq_along(fit$columns$name), function(j) {
    x <- data[[fit$columns$name[j]]]
    if (fit$columns$kind[j] == "numeric") x else match(as.character(x), fit$columns$levels[[j]])
  })
  problem <- list(
    tree = fit$tree, columns = columns, y = y, w = weights, k = length(fit$response$levels),
    cost = fit$cost, criterion = fit$criterion$name, parameter = c(fit$criterion$parameter, NA)[[1]]
  )
  list(problem = problem, root = nest_node(problem, 1L, seq_along(y), NULL))
}

nest_node <- function(problem, id, rows, parent) {
  tree <- problem$tree
  node <- describe_nested(problem, list(id = id, rows = rows, children = list()), parent)
  if (tree$kind[id] == 0L) {
    return(node)
  }
  ids <- tree$child[tree$child_start[id] + seq_len(tree$n_children[id])]
  branch <- nested_branch(problem, id, rows)
  node$children <- lapply(seq_along(ids), function(j) {
    nest_node(problem, ids[j], rows[branch == j], node)
  })
  node
}

describe_nested <- function(problem, node, parent) {
  y <- problem$y[node$rows]
  w <- problem$w[node$rows]
  node$weight <- sum(w)
  if (length(y) == 0) {
    node$value <- parent$value
    node$impurity <- 0
    return(node)
  }
  if (problem$k > 0) {
    counts <- vapply(seq_len(problem$k), function(s) sum(w[y == s]), 0)
    loss <- if (is.null(problem$cost)) sum(counts) - counts else drop(counts %*% problem$cost)
    node$value <- which(loss <= min(loss) * (1 + 1e-12))[1]
  } else {
    node$value <- if (problem$criterion == "l1") oracle_median(y, w) else oracle_mean(y, w)
  }
  node$impurity <- oracle_criteria[[problem$criterion]]$impurity(
    list(y = y, w = w, K = problem$k), problem$parameter
  )
  node
}

nested_branch <- function(problem, id, rows) {
  tree <- problem$tree
  x <- problem$columns[[tree$variable[id]]][rows]
  breaks <- pool(tree, "breaks", id)
  branch <- switch(tree$kind[id],
    findInterval(x, breaks, left.open = TRUE) + 1L,
    findInterval(x, breaks, left.open = TRUE) + 1L,
    ifelse(x <= breaks, 1L, 2L),
    pool(tree, "level_child", id)[match(x, pool(tree, "level", id))] + 1L,
    as.integer(x)
  )
  branch[is.na(branch)] <- tree$default_child[id] + 1L
  branch
}

nested_loss <- function(problem, y, value) {
  if (problem$k == 0) {
    return(if (problem$criterion == "l1") abs(y - value) else (y - value)^2)
  }
  if (is.null(problem$cost)) as.numeric(y != value) else problem$cost[cbind(y, value)]
}

# The training loss of a node as a leaf; of everything below it.
leaf_loss <- function(problem, node) {
  value <- rep(node$value, length(node$rows))
  sum(problem$w[node$rows] * nested_loss(problem, problem$y[node$rows], value))
}
below_loss <- function(problem, node, loss = leaf_loss) {
  if (length(node$children) == 0) {
    return(loss(problem, node))
  }
  sum(vapply(node$children, function(child) below_loss(problem, child, loss), 0))
}
nested_leaves <- function(node) {
  if (length(node$children) == 0) 1 else sum(vapply(node$children, nested_leaves, 0))
}
loss_unit <- function(problem) if (is.null(problem$cost)) 1 else max(problem$cost)

as_nested_leaf <- function(node) {
  node$children <- list()
  node
}

oracle_pep <- function(problem, node) {
  if (length(node$children) == 0) {
    return(node)
  }
  n <- node$weight
  r <- (below_loss(problem, node) / loss_unit(problem) + 0.5 * nested_leaves(node)) / n
  own <- leaf_loss(problem, node) / loss_unit(problem) + 0.5
  if (r * n + sqrt(n * r * max(0, 1 - r)) >= own - 1e-9) {
    return(as_nested_leaf(node))
  }
  node$children <- lapply(node$children, function(child) oracle_pep(problem, child))
  node
}

oracle_collapse <- function(problem, node) {
  if (length(node$children) == 0) {
    return(node)
  }
  unit <- loss_unit(problem)
  if (below_loss(problem, node) / unit >= leaf_loss(problem, node) / unit - 1e-3) {
    return(as_nested_leaf(node))
  }
  node$children <- lapply(node$children, function(child) oracle_collapse(problem, child))
  node
}

oracle_extra_errors <- function(n, e, cf) {
  if (e < 1) {
    none <- n * (1 - cf^(1 / n))
    return(if (e == 0) none else none + e * (oracle_extra_errors(n, 1, cf) - none))
  }
  if (e + 0.5 >= n) {
    return(max(n - e, 0))
  }
  z <- stats::qnorm(1 - cf)
  f <- (e + 0.5) / n
  n * (f + z^2 / (2 * n) + z * sqrt(f / n - f^2 / n + z^2 / (4 * n^2))) / (1 + z^2 / n) - e
}

expected_errors <- function(problem, node, cf) {
  if (length(node$children)) {
    return(sum(vapply(node$children, function(child) expected_errors(problem, child, cf), 0)))
  }
  if (node$weight < 1e-6) {
    return(0)
  }
  e <- leaf_loss(problem, node) / loss_unit(problem)
  e + oracle_extra_errors(node$weight, e, cf)
}

# The branch with other rows in it.
rerouted <- function(problem, node, rows, parent) {
  node$rows <- rows
  node <- describe_nested(problem, node, parent)
  branch <- if (length(node$children)) nested_branch(problem, node$id, rows)
  node$children <- lapply(seq_along(node$children), function(j) {
    rerouted(problem, node$children[[j]], rows[branch == j], node)
  })
  node
}

oracle_ebp <- function(problem, node, cf, raise) {
  if (length(node$children) == 0) {
    return(node)
  }
  node$children <- lapply(node$children, function(child) oracle_ebp(problem, child, cf, raise))
  weights <- vapply(node$children, `[[`, 0, "weight")
  largest <- max(which(weights >= max(weights) - 1e-6))
  branch <- if (raise) rerouted(problem, node$children[[largest]], node$rows, node)
  leaf <- expected_errors(problem, as_nested_leaf(node), cf)
  subtree <- expected_errors(problem, node, cf)
  raised <- if (raise) expected_errors(problem, branch, cf) else Inf
  slack <- 0.1 + 1e-6
  if (leaf < subtree + slack && leaf < raised + slack) {
    return(as_nested_leaf(node))
  }
  if (raised < subtree + slack) {
    return(oracle_ebp(problem, branch, cf, raise))
  }
  node
}

# `problem` and `node` of the validation rows; `training` the same node with the training rows.
oracle_rep <- function(problem, node, training) {
  as_leaf <- sum(problem$w[node$rows] *
    nested_loss(problem, problem$y[node$rows], rep(training$value, length(node$rows))))
  training$error <- as_leaf
  if (length(node$children) == 0) {
    return(training)
  }
  training$children <- Map(
    function(v, t) oracle_rep(problem, v, t), node$children, training$children
  )
  subtree <- sum(vapply(training$children, `[[`, 0, "error"))
  if (as_leaf <= subtree * (1 + 1e-12)) {
    return(as_nested_leaf(training))
  }
  training$error <- subtree
  training
}

node_risk <- function(kind) {
  function(problem, node) {
    if (kind == "impurity") node$weight * node$impurity else leaf_loss(problem, node)
  }
}

# Every pruning of a tree as list(risk, leaves, cut): `cut` are the nodes that became leaves.
all_prunings <- function(problem, node, risk) {
  leaf <- data.frame(risk = risk(problem, node), leaves = 1)
  leaf$cut <- list(node$id)
  if (length(node$children) == 0) {
    leaf$cut <- list(integer())
    return(leaf)
  }
  whole <- NULL
  for (child in node$children) {
    part <- all_prunings(problem, child, risk)
    if (is.null(whole)) {
      whole <- part
      next
    }
    at <- expand.grid(a = seq_len(nrow(whole)), b = seq_len(nrow(part)))
    both <- data.frame(
      risk = whole$risk[at$a] + part$risk[at$b], leaves = whole$leaves[at$a] + part$leaves[at$b]
    )
    both$cut <- Map(c, whole$cut[at$a], part$cut[at$b])
    whole <- both
  }
  rbind(leaf, whole)
}

# The tree that rpart's rule leaves when it grows at the penalty `least`; of each node its `penalty`
# (-Inf for a leaf), and the risk and the splits below it at this penalty. `bound`: what is known of
# the penalty when the node is made. A split into b branches counts as b - 1.
oracle_rpart <- function(problem, node, risk, least, bound = Inf) {
  own <- risk(problem, node)
  leaf <- c(as_nested_leaf(node), list(penalty = -Inf, risk = own, splits = 0))
  if (length(node$children) == 0 || min(own, bound) <= least + 1e-9) {
    return(leaf)
  }
  grown <- list()
  for (child in node$children) {
    known <- min(own, bound)
    if (length(grown)) {
      saved <- own - sum_of(grown, "risk")
      saved_by_leaves <- own - sum(vapply(grown, function(g) risk(problem, g), 0))
      here <- length(node$children) - 1
      known <- min(max(saved / (here + sum_of(grown, "splits")), saved_by_leaves / here), bound)
    }
    grown <- c(grown, list(oracle_rpart(problem, child, risk, least, known - least)))
  }
  node$children <- grown
  penalty <- function() {
    (own - sum_of(grown, "risk")) / (length(grown) - 1 + sum_of(grown, "splits"))
  }
  for (i in order(vapply(grown, `[[`, 0, "penalty"))) {
    if (penalty() <= grown[[i]]$penalty + 1e-9) break
    grown[[i]][c("risk", "splits")] <- list(risk(problem, grown[[i]]), 0)
  }
  if (penalty() <= least + 1e-9) {
    return(leaf)
  }
  c(node, list(
    penalty = penalty(), risk = sum_of(grown, "risk"),
    splits = length(grown) - 1 + sum_of(grown, "splits")
  ))
}

sum_of <- function(nodes, name) sum(vapply(nodes, `[[`, 0, name))

# No split is left that costs `penalty`, or stands below one that does.
oracle_cut <- function(node, penalty) {
  if (node$penalty <= penalty + 1e-9) {
    return(as_nested_leaf(node))
  }
  node$children <- lapply(node$children, oracle_cut, penalty = penalty)
  node
}

# All penalties, none larger than that of the node above it.
oracle_penalties <- function(node, above = Inf) {
  if (length(node$children) == 0) {
    return(numeric())
  }
  own <- min(node$penalty, above)
  c(own, unlist(lapply(node$children, oracle_penalties, above = own)))
}

# The nested tree as rows in pre-order.
flat_nested <- function(problem, node) {
  rows_of <- function(node, depth) {
    inner <- length(node$children) > 0
    own <- list(
      depth = depth, n = node$weight, weight = node$weight, yval = node$value,
      variable = if (inner) problem$tree$variable[node$id] else 0L, impurity = node$impurity
    )
    below <- lapply(node$children, rows_of, depth = depth + 1)
    c(list(unlist(lapply(own, unname))), unlist(below, recursive = FALSE))
  }
  as.data.frame(do.call(rbind, rows_of(node, 0)))
}

expect_nested <- function(fit, problem, node, label = NULL) {
  expected <- flat_nested(problem, node)
  found <- as.data.frame(fit$tree[names(expected)])
  expect_equal(found, expected, tolerance = 1e-9, ignore_attr = TRUE, label = label)
}

# Data of every kind of column, noisy enough for pruning to have work.
pruning_data <- function(n, classes = 3, noise = 0.4, missing = 0) {
  y <- sample(classes, n, TRUE, prob = seq_len(classes))
  noisy <- function(levels) {
    ifelse(stats::runif(n) < noise, sample(levels, n, TRUE), (y %% levels) + 1L)
  }
  data <- data.frame(
    a = round(y + stats::rnorm(n), 1), b = round(stats::rnorm(n), 1),
    f = factor(noisy(4), levels = 1:5), g = factor(noisy(3), levels = 1:3),
    o = factor(noisy(4), levels = 1:4, ordered = TRUE)
  )
  if (missing > 0) data[] <- lapply(data, function(x) replace(x, stats::runif(n) < missing, NA))
  data$y <- factor(letters[y], levels = letters[seq_len(classes)])
  data
}

random_cost <- function(classes) {
  cost <- matrix(sample(1:10, classes^2, TRUE), classes)
  diag(cost) <- 0
  levels <- letters[seq_len(classes)]
  dimnames(cost) <- list(levels, levels)
  cost
}

# Grown in many ways: a list(fit, data, weights).
random_grown <- function(missing = 0, cost = FALSE, prune = "none", ...) {
  classes <- pick(2:4)
  data <- pruning_data(pick(c(20, 60, 150)), classes, missing = missing)
  weights <- if (stats::runif(1) < 0.3) sample(1:3, nrow(data), TRUE) else rep(1, nrow(data))
  fit <- suppressWarnings(tec_tree(data[1:5], data$y,
    weights = weights, weights_as = "frequency",
    criterion = pick(c("gini", "shannon", "gain_ratio", "tsallis_mutual")),
    nominal = pick(c("binary", "multiway")), min_bucket = pick(1:3), threads = 1,
    missing = "majority", prune = prune,
    cost = if (cost) random_cost(classes), ...
  ))
  list(fit = fit, data = data, weights = weights)
}

# Where the oracle's router says that each row ends.
rank_of_leaf <- function(problem, fit, data) {
  problem$tree <- fit$tree
  at <- rep(1L, nrow(data))
  repeat {
    inner <- which(fit$tree$kind[at] != 0L)
    if (length(inner) == 0) {
      return(at)
    }
    for (id in unique(at[inner])) {
      rows <- inner[at[inner] == id]
      branch <- nested_branch(problem, id, rows)
      at[rows] <- fit$tree$child[fit$tree$child_start[id] + branch]
    }
  }
}

# The best pruning at a price: least risk + price x leaves, fewest leaves on ties.
best_pruning <- function(prunings, price) {
  value <- prunings$risk + price * prunings$leaves
  tied <- which(value <= min(value) + 1e-9 * max(1, abs(min(value))))
  tied[which.min(prunings$leaves[tied])]
}

cut_nested <- function(node, cut) {
  if (node$id %in% cut) {
    return(as_nested_leaf(node))
  }
  node$children <- lapply(node$children, cut_nested, cut)
  node
}
