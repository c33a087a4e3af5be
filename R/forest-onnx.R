# What an ONNX model of a forest computes from the nodes where a row ends: one row of a table for
# each node, their means over the trees, and the class.

# Each tree has its nodes in the tables, after an entry for rows without a prediction.
onnx_forest_outputs <- function(form, id) {
  size <- vapply(form$trees, function(tree) length(tree$value) + 1, 0)
  offset <- cumsum(c(0, size[-length(size)]))
  if (is_linked(form)) {
    return(onnx_linked_outputs(form, id, offset))
  }
  k <- length(form$classes)
  rows <- function(of_tree) do.call(rbind, lapply(form$trees, function(t) rbind(NaN, of_tree(t))))
  mean_of <- function(name, x, to) {
    c(
      onnx_table(id(name), t(x), "double", c(nrow(x), if (k) k)),
      onnx_node("Gather", c(id(name), id("at")), id(paste0("each_", name)), list(axis = list(0L))),
      onnx_node(
        "ReduceMean", id(paste0("each_", name)), to, list(axes = 1L, keepdims = list(0L))
      ),
      onnx_value(12L, to, "double", k)
    )
  }
  at <- onnx_entries(offset, id)
  if (k == 0L) {
    return(c(at, mean_of("values", rows(function(tree) matrix(tree$value)), "value")))
  }
  votes <- rows(function(tree) diag(k)[tree$value, , drop = FALSE])
  c(
    at, mean_of("shares", rows(function(tree) tree$prob), "probabilities"),
    mean_of("choices", votes, "votes"), onnx_forest_choice(form, id)
  )
}

onnx_forest_choice <- function(form, id) {
  if (form$by != "cost") {
    aim <- if (form$by == "votes") "votes" else "probabilities"
    return(onnx_choice(form$classes, aim, 1 - 1e-12, id))
  }
  k <- length(form$classes)
  c(
    onnx_table(id("losses"), t(-form$cost), "double", c(k, k)),
    onnx_node("MatMul", c("probabilities", id("losses")), id("aim")),
    onnx_choice(form$classes, id("aim"), 1 + 1e-12, id)
  )
}
