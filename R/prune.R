# Tested in test-prune-control.R, test-prune-ccp.R and test-prune-node.R.

pruners_in_words <- function() {
  paste(
    "{.val pep} is pessimistic, {.val ebp} error-based, {.val ccp} cost-complexity and {.val rep}",
    "reduced-error pruning."
  )
}

check_prune_method <- function(method, cp, alpha, validation) {
  known <- c(setdiff(prune_methods, c("auto", "none")), "collapse")
  by_penalty <- !is.null(cp) || !is.null(alpha)
  if (is.null(method)) {
    if (by_penalty == is.null(validation)) {
      return(if (by_penalty) "ccp" else "rep")
    }
    tec_abort("prune", c(
      "{.arg method} must be one of {.or {.val {known}}}.",
      x = "It is missing.",
      i = pruners_in_words(),
      i = "{.arg cp} or {.arg alpha} implies {.val ccp}, and {.arg validation} implies {.val rep}.",
      i = "By cross-validation: {.code tec_prune(fit, alpha = \"1se\")}."
    ))
  }
  if (is.character(method) && length(method) == 1L && !method %in% known) {
    tec_abort("prune", c(
      "{.arg method} must be one of {.or {.val {known}}}.",
      x = "It is {.val {method}}.",
      suggestion(method, known) %||% c(i = pruners_in_words())
    ))
  }
  method <- match_choice(method, known, "method", "prune")
  if (by_penalty && method != "ccp") {
    tec_abort("prune", c(
      "{.arg cp} and {.arg alpha} are for {.val ccp}.",
      x = "{.arg method} is {.val {method}}."
    ))
  }
  if (!is.null(validation) && method != "rep") {
    tec_abort("prune", c(
      "{.arg validation} is for {.val rep}.",
      x = "{.arg method} is {.val {method}}."
    ))
  }
  method
}

core_risk <- function(fit, risk = "misclassification") {
  check_squares(fit)
  list(loss = core_loss(fit$cost), impurity = risk == "impurity")
}

# The fit with another tree, possibly the same.
with_tree <- function(fit, tree, method, ...) {
  fit <- replace_tree(fit, tree)
  fit$pruning <- list(method = method, ...)
  if (method != "ccp") fit["cptable"] <- NULL
  fit
}

replace_tree <- function(fit, tree) {
  if (!is.null(fit$found)) fit$found <- found_in(fit$found, fit$tree, tree)
  fit$tree <- keep_pieces(fit$tree, tree)
  fit
}

# The core returns the whole tree, so a field that it does not know is an error; otherwise it would
# be lost.
keep_pieces <- function(before, after) {
  # A tree without splits has no tests.
  lost <- setdiff(names(before), c(names(after), "test"))
  if (length(lost)) abort_fit("its tree has a part {.field {lost}} that is not known", lost)
  after
}

prune_alone <- function(fit, method, value = 0) {
  tree <- tec_prune_(fit$tree, length(fit$columns$name), method, value, core_risk(fit))
  with_tree(fit, tree, method)
}

prune_ebp <- function(fit, cf, raise, data, weights, env) {
  if (!raise) {
    tree <- tec_prune_(fit$tree, length(fit$columns$name), "ebp", cf, core_risk(fit))
    return(with_tree(fit, tree, "ebp", cf = cf, raise = FALSE))
  }
  if (is.null(data)) {
    tec_abort("prune", c(
      "{.code raise = TRUE} needs the training data.",
      x = "A tree does not store them.",
      i = "Give them as {.arg data}, or use {.code prune = \"ebp\"} in {.fn tec_tree}."
    ))
  }
  prune_with_rows(fit, "ebp", cf, rows_of_fit(fit, data, weights, "data", env))
}

prune_rep <- function(fit, validation, env) {
  if (is.null(validation)) {
    tec_abort("prune", c(
      "{.code method = \"rep\"} needs rows that the tree was not grown from.",
      i = "Give them as {.arg validation}, a data frame with the response."
    ))
  }
  prune_with_rows(fit, "rep", 0, rows_of_fit(fit, validation, NULL, "validation", env))
}

# `rows` has the parts columns, kinds, n_levels, response, weights and rows of core_problem().
prune_with_rows <- function(fit, method, value, rows) {
  # A raised branch takes each row once.
  if (anyDuplicated(rows$rows)) {
    rows$columns <- lapply(rows$columns, `[`, rows$rows)
    rows$response$y <- rows$response$y[rows$rows]
    rows["rows"] <- list(NULL)
  }
  problem <- c(rows, list(
    criterion = core_criterion(fit$criterion), control = core_control(fit$control)
  ))
  tree <- tec_prune_rows_(fit$tree, method, value, core_risk(fit), problem)
  if (method == "rep") {
    n <- if (is.null(rows$rows)) length(rows$response$y) else length(rows$rows)
    return(with_tree(fit, tree, "rep", n_validation = n))
  }
  with_tree(fit, tree, "ebp", cf = value, raise = TRUE)
}

# How each remaining node of a tree was found. Nodes are identified by their paths.
found_in <- function(found, before, after) {
  found[match(node_paths(after), node_paths(before))]
}

node_paths <- function(tree) {
  path <- character(length(tree$parent))
  edge <- edges(tree)
  for (i in order(edge$child)) {
    path[edge$child[i]] <- paste(path[edge$parent[i]], edge$branch[i])
  }
  path
}

# Pruning by hand: the nodes become leaves.
prune_nodes <- function(fit, node, others) {
  if (length(others)) {
    tec_abort("prune", c(
      "{.arg node} prunes by hand and cannot be combined with other arguments.",
      x = "{.arg {others[1L]}} is given too."
    ))
  }
  last <- length(fit$tree$kind)
  if (!is.numeric(node) || length(node) == 0L || !all_in_range(node, 1, last) ||
    any(node != round(node))) {
    abort_found(
      "{.arg node} must be the numbers of nodes, from 1 to {last}.", node,
      i = "{.fn print} and {.fn plot} show the numbers."
    )
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
