#' Export a tree or forest to ONNX
#'
#' Writes a model for ONNX runtimes with the same predictions as [predict()][predict.tec_tree].
#'
#' @details
#' The model has one input per column that the tree uses, of shape rows x 1 and with the name of the
#' column. It is `double` for numbers (missing: NaN), dates and times (days and seconds since 1970,
#' UTC), and `string` for labels (missing: any text that is not a label of the column). The outputs
#' are `label` (text) or `value` (`double`), `probabilities` (`double`, rows x classes) and `node`
#' (`int64`).
#'
#' A `TreeEnsembleRegressor` finds the node, and the prediction is looked up in a table. So
#' probabilities, numbers and classes chosen by a cost matrix are exact. Cuts are doubles
#' (`ai.onnx.ml` version 3). Levels with the same next node share it, so nodes may have several
#' parents.
#'
#' The export is tested in ONNX Runtime (its build for JavaScript, 1.17) and with the checker of the
#' package onnx. No other runtime was tried, and a runtime with single precision only cannot load
#' the model. The file is written without a library.
#'
#' A tree or forest with `missing = "fractional"`, the default of trees, sends a row with a missing
#' value down several branches, which is not possible in a `TreeEnsembleRegressor`. If no training
#' row had a missing value where the tree splits, or in a column that the forest uses, such a row
#' goes down the branch with the largest weight (`missing = "majority"`), and a message says so.
#' Otherwise choose another `missing`. All other rows, trees and forests, including forests with the
#' defaults of [tec_forest()], are predicted as by `predict()`. Rows without a prediction
#' (`missing = "null"`) get the node 0, the label `""` and NaN.
#'
#' @section Forests:
#' A forest is one model. The ensemble has one target per tree, and the means over the trees are
#' computed from the tables, in double precision. Outputs are `label`, `probabilities` (mean shares)
#' and `votes` (shares of trees), or `value`. The class is chosen as by
#' [predict()][predict.tec_forest].
#'
#' @section Boosting:
#' A model of [tec_boost()] for classes has the outputs `label` and `probabilities`, as returned by
#' [predict()][predict.tec_boost]. The sums of the trees go through a `Softmax`, all in double
#' precision.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from
#'   [tec_forest()], or a boosted model from [tec_boost()].
#' @param file `NULL`, or the name of a file to write to. An existing file is replaced, but only by
#'   a complete one.
#' @inheritParams tec_sql
#' @return The model as a raw vector, which is invisible if a file was written.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, preset = "cart")
#' file <- tempfile(fileext = ".onnx")
#' tec_onnx(fit, file)
#' file.size(file)
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' length(tec_onnx(forest))
#'
#' # With the probabilities of predict()
#' boosted <- tec_boost(Species ~ ., iris, rounds = 5, threads = 2)
#' length(tec_onnx(boosted))
#' @export
tec_onnx <- function(fit, file = NULL, missing = c("as_fitted", "majority", "null")) {
  plain_numbers(scipen = 999L)
  missing <- if (!base::missing(missing)) match_choice(missing, missing_choices, "missing")
  check_file(file)
  form <- export_unshared(fit, "tec_onnx", missing)
  if (length(form$inputs) == 0L) {
    abort_export("A {form$model} without splits has no inputs, but an ONNX model needs one.")
  }
  bytes <- onnx_model(form)
  if (is.null(file)) {
    return(bytes)
  }
  write_complete(function(con) writeBin(bytes, con), file, length(bytes))
  invisible(bytes)
}

onnx_model <- function(form) {
  names <- onnx_names(form)
  own <- "tec_"
  while (any(startsWith(names, own))) own <- paste0(own, "_")
  make <- onnx_makers(own)
  id <- make$id
  levels <- lapply(form$inputs, `[[`, "levels")
  coded <- ifelse(vapply(levels, is.null, NA), names, id(paste0("code", seq_along(names))))
  encode <- lapply(which(coded != names), function(i) {
    keys <- list(
      keys_strings = levels[[i]], values_floats = as.double(seq_along(levels[[i]])),
      default_float = list(0)
    )
    float <- paste0("float", i)
    c(
      onnx_node("LabelEncoder", names[i], id(float), keys, ml = TRUE),
      make$cast(float, paste0("code", i), onnx_types[["double"]])
    )
  })
  forest <- !is.null(form$trees)
  ensemble <- onnx_ensemble(if (forest) form$trees else list(form))
  write <- if (!forest) onnx_tree else if (is_linked(form)) onnx_linked else onnx_forest
  graph <- c(
    do.call(c, encode),
    onnx_node("Concat", coded, id("row"), list(axis = list(1L))),
    onnx_node("TreeEnsembleRegressor", id("row"), id("end"), ensemble, ml = TRUE),
    make$cast("end", "wide", onnx_types[["int64"]]), write(form, make),
    pb_text(2L, if (forest) "forest" else "tree"),
    do.call(c, unname(Map(function(name, l) {
      onnx_value(11L, name, if (is.null(l)) "double" else "string", 1L)
    }, names, levels)))
  )
  opset <- function(domain, version) pb_bytes(8L, c(pb_text(1L, domain), pb_number(2L, version)))
  unlist(c(
    pb_number(1L, 8L), pb_text(2L, "tectree"), pb_bytes(7L, graph), opset("", 13L),
    opset("ai.onnx.ml", 3L)
  ))
}

onnx_names <- function(form) {
  names <- vapply(form$inputs, `[[`, "", "name")
  if (any(names %in% onnx_outputs)) {
    abort_export(
      "In ONNX, a column cannot have the name of an output.", x = "Columns: {.field {names}}."
    )
  }
  if (!all(nzchar(names))) abort_export("In ONNX, the name of an input cannot be empty.")
  names
}

# The attributes of a TreeEnsembleRegressor with one target per tree: the node where a row ends.
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

# The steps of each node in order. If a step holds, the row goes to its node, otherwise to the next
# step, and after the last step to the node for other rows. Ends are leaves whose weight is the
# number of the node.
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
  # Where the steps of a node begin, from 0. A node without steps is replaced by the node for its
  # other rows.
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

# ---- predictions from the nodes where a row ends ----

onnx_outputs <- c("label", "value", "probabilities", "node", "votes")

# Functions that make parts of the graph. Outputs keep their names, and inputs have the names of
# their columns. All other names have the prefix `own`, which no column has.
onnx_makers <- function(own) {
  id <- function(x) ifelse(x %in% onnx_outputs, x, paste0(own, x))
  node <- function(op, inputs, output, ...) onnx_node(op, id(inputs), id(output), list(...))
  list(
    id = id, node = node,
    cast = function(from, to, type) onnx_node("Cast", id(from), id(to), list(to = list(type))),
    gather = function(table, at, to) node("Gather", c(table, at), to, axis = list(0L)),
    reduce = function(op, from, to, keep = 0L) {
      node(paste0("Reduce", op), from, to, axes = 1L, keepdims = list(keep))
    },
    table = function(name, x, type = "double") {
      onnx_table(id(name), if (is.matrix(x)) t(x) else x, type, dim(x) %||% length(x))
    },
    output = function(name, columns = 0L, type = "double") onnx_value(12L, name, type, columns)
  )
}

# The prediction of each node. The first entry is for rows without a prediction.
onnx_tree <- function(form, make) {
  node <- make$node("Reshape", c("wide", "flat"), "node")
  out <- c(make$table("flat", -1, "int64"), make$output("node", type = "int64"))
  if (is.null(form$classes)) {
    return(c(
      node, make$gather("values", "node", "value"), make$table("values", c(NaN, form$value)),
      make$output("value"), out
    ))
  }
  c(
    node, make$gather("labels", "node", "label"), make$gather("shares", "node", "probabilities"),
    make$table("labels", c("", form$classes[form$value]), "string"),
    make$table("shares", rbind(NaN, form$prob)), make$output("label", type = "string"),
    make$output("probabilities", length(form$classes)), out
  )
}

# The positions of the nodes of all trees in the tables. Each tree has an entry for rows without a
# prediction, followed by its nodes.
onnx_entries <- function(trees, make) {
  size <- vapply(trees, function(tree) length(tree$value) + 1, 0)
  c(
    make$table("offset", cumsum(c(0, size[-length(size)])), "int64"),
    make$node("Add", c("wide", "offset"), "at")
  )
}

onnx_forest <- function(form, make) {
  k <- length(form$classes)
  rows <- function(of_tree) do.call(rbind, lapply(form$trees, function(t) rbind(NaN, of_tree(t))))
  mean_of <- function(name, x, to) {
    each <- paste0("each_", name)
    c(
      make$table(name, if (k) x else c(x)), make$gather(name, "at", each),
      make$reduce("Mean", each, to), make$output(to, k)
    )
  }
  at <- onnx_entries(form$trees, make)
  if (k == 0L) {
    return(c(at, mean_of("values", rows(function(tree) matrix(tree$value)), "value")))
  }
  c(
    at, mean_of("shares", rows(function(tree) tree$prob), "probabilities"),
    mean_of("choices", rows(function(tree) diag(k)[tree$value, , drop = FALSE]), "votes"),
    if (form$by == "cost") {
      c(
        make$table("losses", -unname(form$cost)),
        make$node("MatMul", c("probabilities", "losses"), "aim"),
        onnx_choice(form$classes, "aim", 1 + 1e-12, make)
      )
    } else {
      aim <- if (form$by == "votes") "votes" else "probabilities"
      onnx_choice(form$classes, aim, 1 - 1e-12, make)
    }
  )
}

# The sums of a boosted classifier, their softmax, and the class.
onnx_linked <- function(form, make) {
  link <- form$link
  k <- length(link$levels)
  look_up <- make$gather("added", "at", "each")
  sums <- if (is.null(link$vote)) {
    # With two classes there is one sum; that of the first class is 0.
    first <- k - length(link$base)
    c(
      make$table("added", unlist(lapply(form$trees, function(tree) c(NaN, tree$value)))), look_up,
      make$table("to", outer(link$output + first, seq_len(k), "==") + 0),
      make$node("MatMul", c("each", "to"), "summed"),
      make$table("base", matrix(c(numeric(first), link$base), 1L)),
      make$node("Add", c("summed", "base"), "sums")
    )
  } else {
    votes <- Map(function(tree, vote) {
      rbind(NaN, vote * diag(k)[tree$value, , drop = FALSE])
    }, form$trees, link$vote)
    c(
      make$table("added", do.call(rbind, votes)), look_up, make$reduce("Mean", "each", "mean"),
      make$table("trees", length(form$trees)), make$node("Mul", c("mean", "trees"), "sums")
    )
  }
  c(
    onnx_entries(form$trees, make), sums, make$table("scale", link$scale),
    make$node("Div", c("sums", "scale"), "scaled"),
    make$node("Softmax", "scaled", "probabilities"), make$output("probabilities", k),
    onnx_choice(link$levels, "sums", 1, make)
  )
}

# The output `label`: the first class that is among the best, up to the margin, or "".
onnx_choice <- function(classes, aim, margin, make) {
  c(
    make$reduce("Max", aim, "largest", keep = 1L), make$table("margin", margin),
    make$node("Mul", c("largest", "margin"), "least"),
    make$node("GreaterOrEqual", c(aim, "least"), "good"), make$cast("good", "score", 1L),
    make$node("ArgMax", "score", "first", axis = list(1L), keepdims = list(0L)),
    make$reduce("Max", "score", "any"), make$cast("any", "some", 7L),
    make$table("one", 1, "int64"), make$node("Add", c("first", "one"), "number"),
    make$node("Mul", c("number", "some"), "entry"),
    make$table("labels", c("", classes), "string"), make$gather("labels", "entry", "label"),
    make$output("label", type = "string")
  )
}
