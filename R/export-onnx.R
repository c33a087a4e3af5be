# Tested in test-tec_onnx.R.

onnx_names <- function(form) {
  names <- vapply(form$inputs, `[[`, "", "name")
  if (any(names %in% c("label", "value", "probabilities", "node", "votes"))) {
    abort_export("ONNX: a column is named as an output is.", x = "Columns: {.field {names}}.")
  }
  if (!all(nzchar(names))) abort_export("ONNX cannot name an input by empty text.")
  names
}

# What is predicted at each node; the first entry is of the rows without a prediction.
onnx_outputs <- function(form, id) {
  table <- function(name, ...) onnx_table(id(name), ...)
  look_up <- function(name, output) {
    onnx_node("Gather", c(id(name), "node"), output, list(axis = list(0L)))
  }
  node <- onnx_node("Reshape", c(id("wide"), id("flat")), "node")
  out <- c(table("flat", -1, "int64"), onnx_value(12L, "node", "int64", 0L))
  if (is.null(form$classes)) {
    values <- table("values", c(NaN, form$value), "double")
    return(c(node, look_up("values", "value"), values, onnx_value(12L, "value", "double", 0L), out))
  }
  k <- length(form$classes)
  c(
    node, look_up("labels", "label"), look_up("shares", "probabilities"),
    table("labels", c("", form$classes[form$value]), "string"),
    table("shares", t(rbind(NaN, form$prob)), "double", c(nrow(form$prob) + 1L, k)),
    onnx_value(12L, "label", "string", 0L), onnx_value(12L, "probabilities", "double", k), out
  )
}

# The attributes of a TreeEnsembleRegressor with a target for each tree: the node where a row ends.
onnx_ensemble <- function(forms) {
  trees <- lapply(forms, onnx_steps)
  size <- lengths(lapply(trees, `[[`, "mode"))
  get <- function(name) unlist(lapply(trees, `[[`, name))
  tree <- rep(seq_along(trees), size) - 1L
  node <- sequence(size) - 1L
  mode <- get("mode")
  ends <- which(mode == "LEAF")
  tensor <- function(x) structure(onnx_tensor("", x, "double"), class = "tensor")
  list(
    n_targets = list(length(trees)), nodes_treeids = tree, nodes_nodeids = node,
    nodes_featureids = get("input") - 1L, nodes_modes = mode,
    nodes_values_as_tensor = tensor(ifelse(mode == "LEAF", 0, get("value"))),
    nodes_truenodeids = get("yes"), nodes_falsenodeids = get("no"),
    target_treeids = tree[ends], target_nodeids = node[ends], target_ids = tree[ends],
    target_weights_as_tensor = tensor(get("value")[ends])
  )
}

# The steps of each node one after the other: where one holds the row goes to a node, else on to
# the next step, in the end to the other. Ends are leaves whose weight is the number of the node.
onnx_steps <- function(form) {
  kind <- form$other$kind
  n <- length(kind)
  size <- lengths(form$steps$value)
  step <- rep(seq_along(size), size)
  end <- which(kind %in% c("", "stop", "null"))
  node <- c(form$steps$node[step], end)
  rows <- order(node)
  modes <- c("<=" = "BRANCH_LEQ", ">" = "BRANCH_GT", "in" = "BRANCH_EQ")
  mode <- c(modes[form$steps$op][step], rep("LEAF", length(end)))[rows]
  # Where the steps of a node begin, from 0; a node without any is where its other rows go.
  first <- cumsum(c(0L, tabulate(node, n)))[seq_len(n)]
  for (i in rev(setdiff(seq_len(n), node))) first[i] <- first[form$other$to[i]]
  on <- seq_along(rows)
  last <- !duplicated(node[rows], fromLast = TRUE) & mode != "LEAF"
  on[last] <- first[form$other$to[node[rows][last]]]
  leaves <- integer(length(end))
  list(
    mode = unname(mode), input = c(form$steps$input[step], leaves + 1L)[rows],
    value = as.double(c(unlist(form$steps$value), ifelse(kind[end] == "null", 0L, end))[rows]),
    yes = c(first[form$steps$to[step]], leaves)[rows],
    no = as.integer(ifelse(mode == "LEAF", 0L, on))
  )
}
