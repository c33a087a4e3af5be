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
  steps <- list()
  first <- integer(length(form$nodes))
  add <- function(mode, input, value, yes, no) {
    step <- list(mode = mode, input = input, value = value, yes = yes, no = no)
    steps[[length(steps) + 1L]] <<- step
    length(steps)
  }
  leaf <- function(i) {
    add("LEAF", 1L, i, 1L, 1L)
  }
  for (i in rev(seq_along(form$nodes))) {
    node <- form$nodes[[i]]
    if (length(node) == 0L) {
      first[i] <- leaf(i)
      next
    }
    at <- switch(node$other$kind, node = first[node$other$to], stop = leaf(i), null = leaf(0L))
    for (step in rev(node$steps)) {
      modes <- c("<=" = "BRANCH_LEQ", ">" = "BRANCH_GT", "in" = "BRANCH_EQ")
      for (value in rev(step$value)) {
        at <- add(modes[[step$op]], step$input, value, first[step$to], at)
      }
    }
    first[i] <- at
  }
  # The root is the last that was made; runtimes want it first.
  n <- length(steps)
  get <- function(name) rev(unlist(lapply(steps, `[[`, name)))
  mode <- get("mode")
  id <- function(name) ifelse(mode == "LEAF", 0L, as.integer(n - get(name)))
  list(
    mode = mode, input = get("input"), value = as.double(get("value")), yes = id("yes"),
    no = id("no")
  )
}
