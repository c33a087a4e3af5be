#' Export a tree to ONNX
#'
#' Writes a model for ONNX runtimes with the same predictions as [predict()][predict.tec_tree].
#'
#' @details
#' The model has an input for each column that the tree looks at, of shape rows x 1 and with the
#' column's name: `double` for numbers (missing: NaN), dates and times (days and seconds since 1970,
#' UTC), `string` for labels (missing: any text that is no label of the column). Its outputs are
#' `label` (text) or `value` (`double`), `probabilities` (`double`, rows x classes) and `node`
#' (`int64`).
#'
#' A `TreeEnsembleRegressor` finds the node; what is predicted there is looked up in a table, so
#' that probabilities, numbers and classes chosen by a loss matrix are exact. Thresholds are doubles
#' (`ai.onnx.ml` version 3), and levels with the same next node share it, so that nodes may have
#' several parents. Tested in ONNX Runtime (its build for JavaScript, 1.17) and by the checker of
#' the package onnx; no other runtime was tried. A runtime that knows only single precision cannot
#' load it. The file is written here, without a library: the few messages of the format take 40
#' lines.
#'
#' A tree grown with `missing = "fractional"` sends a row with a missing value down several
#' branches, which is not possible in a `TreeEnsembleRegressor`: choose another `missing`. Rows
#' without a prediction (`missing = "null"`) get the node 0, the label `""` and NaN.
#'
#' @param fit A tree from [tec_tree()], or the result of [tec_tune()].
#' @param file `NULL`, or the name of a file to write to. An existing file is replaced, and only by
#'   a complete one.
#' @inheritParams tec_sql
#' @return The model as a raw vector, invisibly if a file was written.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, preset = "cart")
#' file <- tempfile(fileext = ".onnx")
#' tec_onnx(fit, file)
#' file.size(file)
#' @export
tec_onnx <- function(fit, file = NULL, missing = c("as_fitted", "majority", "null")) {
  plain_numbers(scipen = 999L)
  missing <- match_choice(missing[1L], missing_choices, "missing")
  check_file(file)
  form <- export_tree(fit, "tec_onnx", missing)
  if (form$shared) abort_shared("{.fn tec_onnx}")
  if (length(form$inputs) == 0L) {
    abort_export("A tree of one leaf has no inputs, and an ONNX model needs one.")
  }
  bytes <- onnx_model(form)
  if (is.null(file)) {
    return(bytes)
  }
  write_complete(function(con) writeBin(bytes, con), file)
  invisible(bytes)
}

# Protocol buffers: a field is its number and type, then its bytes.
pb_varint <- function(x) {
  if (x < 0) stop("negative numbers are not needed")
  out <- raw()
  repeat {
    low <- x %% 128
    x <- x %/% 128
    out <- c(out, as.raw(low + if (x > 0) 128 else 0))
    if (x == 0) return(out)
  }
}

pb_number <- function(field, x) c(pb_varint(field * 8), pb_varint(x))
pb_bytes <- function(field, x) c(pb_varint(field * 8 + 2), pb_varint(length(x)), x)
pb_text <- function(field, x) pb_bytes(field, charToRaw(enc2utf8(x)))
pb_texts <- function(field, x) unlist(lapply(x, pb_text, field = field))
pb_float <- function(field, x) {
  c(pb_varint(field * 8 + 5), writeBin(x, raw(), size = 4L, endian = "little"))
}
int64_bytes <- function(x) {
  pairs <- rbind(as.integer(x), -(x < 0))
  writeBin(as.integer(pairs), raw(), size = 4L, endian = "little")
}
double_bytes <- function(x) writeBin(as.double(x), raw(), size = 8L, endian = "little")

onnx_types <- c(double = 11L, int64 = 7L, string = 8L)

# A TensorProto: its shape, type, name and values.
onnx_tensor <- function(name, x, type, dim = length(x)) {
  data <- switch(type,
    string = pb_texts(6L, x), double = pb_bytes(9L, double_bytes(x)),
    int64 = pb_bytes(9L, int64_bytes(x))
  )
  c(
    unlist(lapply(dim, pb_number, field = 1L)), pb_number(2L, onnx_types[[type]]),
    pb_text(8L, name), data
  )
}

# An AttributeProto: a tensor, several texts, floats or integers; in a list one alone.
onnx_attribute <- function(name, x) {
  one <- is.list(x)
  if (one) x <- x[[1L]]
  value <- if (inherits(x, "tensor")) {
    c(pb_bytes(5L, unclass(x)), pb_number(20L, 4L))
  } else if (is.character(x)) {
    c(pb_texts(9L, x), pb_number(20L, 8L))
  } else if (is.double(x)) {
    c(unlist(lapply(x, pb_float, field = if (one) 2L else 7L)), pb_number(20L, if (one) 1L else 6L))
  } else {
    ints <- unlist(lapply(x, pb_number, field = if (one) 3L else 8L))
    c(ints, pb_number(20L, if (one) 2L else 7L))
  }
  pb_bytes(5L, c(pb_text(1L, name), value))
}

onnx_node <- function(op, inputs, output, attributes = list(), ml = FALSE) {
  pb_bytes(1L, c(
    pb_texts(1L, inputs), pb_text(2L, output), pb_text(3L, paste0("make_", output)),
    pb_text(4L, op),
    unlist(Map(onnx_attribute, names(attributes), attributes)), if (ml) pb_text(7L, "ai.onnx.ml")
  ))
}

# A ValueInfoProto of rows x columns; one dimension where columns is 0.
onnx_value <- function(field, name, type, columns) {
  rows <- pb_bytes(1L, pb_text(2L, "rows"))
  shape <- c(rows, if (columns) pb_bytes(1L, pb_number(1L, columns)))
  tensor <- c(pb_number(1L, onnx_types[[type]]), pb_bytes(2L, shape))
  pb_bytes(field, c(pb_text(1L, name), pb_bytes(2L, pb_bytes(1L, tensor))))
}

onnx_model <- function(form) {
  names <- onnx_names(form)
  # Names of inputs are the columns' own; all others carry a prefix that no column has.
  own <- "tec_"
  while (any(startsWith(names, own))) own <- paste0(own, "_")
  levels <- lapply(form$inputs, `[[`, "levels")
  coded <- ifelse(vapply(levels, is.null, NA), names, paste0(own, "code", seq_along(names)))
  encode <- lapply(which(coded != names), function(i) {
    float <- paste0(own, "float", i)
    keys <- list(
      keys_strings = levels[[i]], values_floats = as.double(seq_along(levels[[i]])),
      default_float = list(0)
    )
    c(
      onnx_node("LabelEncoder", names[i], float, keys, ml = TRUE),
      onnx_node("Cast", float, coded[i], list(to = list(onnx_types[["double"]])))
    )
  })
  id <- function(x) paste0(own, x)
  graph <- c(
    unlist(encode),
    onnx_node("Concat", coded, id("row"), list(axis = list(1L))),
    onnx_node("TreeEnsembleRegressor", id("row"), id("end"), onnx_tree(form), ml = TRUE),
    onnx_node("Cast", id("end"), id("wide"), list(to = list(onnx_types[["int64"]]))),
    onnx_node("Reshape", c(id("wide"), id("flat")), "node"),
    onnx_outputs(form, id),
    pb_text(2L, "tree"),
    unlist(Map(function(name, l) {
      onnx_value(11L, name, if (is.null(l)) "double" else "string", 1L)
    }, names, levels))
  )
  opset <- function(domain, version) pb_bytes(8L, c(pb_text(1L, domain), pb_number(2L, version)))
  c(
    pb_number(1L, 8L), pb_text(2L, "tectree"), pb_bytes(7L, graph), opset("", 13L),
    opset("ai.onnx.ml", 3L)
  )
}

onnx_names <- function(form) {
  names <- vapply(form$inputs, `[[`, "", "name")
  if (any(names %in% c("label", "value", "probabilities", "node"))) {
    abort_export("ONNX: a column is named as an output is.", x = "Columns: {.field {names}}.")
  }
  if (!all(nzchar(names))) abort_export("ONNX cannot name an input by empty text.")
  names
}

# What is predicted at each node; the first entry is of the rows without a prediction.
onnx_outputs <- function(form, id) {
  table <- function(name, x, type, dim = length(x)) {
    pb_bytes(5L, onnx_tensor(id(name), x, type, dim))
  }
  look_up <- function(name, output) {
    onnx_node("Gather", c(id(name), "node"), output, list(axis = list(0L)))
  }
  out <- c(table("flat", -1, "int64"), onnx_value(12L, "node", "int64", 0L))
  if (is.null(form$classes)) {
    values <- table("values", c(NaN, form$value), "double")
    return(c(look_up("values", "value"), values, onnx_value(12L, "value", "double", 0L), out))
  }
  k <- length(form$classes)
  c(
    look_up("labels", "label"), look_up("shares", "probabilities"),
    table("labels", c("", form$classes[form$value]), "string"),
    table("shares", t(rbind(NaN, form$prob)), "double", c(nrow(form$prob) + 1L, k)),
    onnx_value(12L, "label", "string", 0L), onnx_value(12L, "probabilities", "double", k), out
  )
}

# The steps of each node one after the other: where one holds the row goes to a node, else on to
# the next step, in the end to the other. Ends are leaves whose weight is the number of the node.
onnx_tree <- function(form) {
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
  id <- function(x) as.integer(n - x)
  mode <- get("mode")
  ends <- which(mode == "LEAF")
  tensor <- function(x) structure(onnx_tensor("", x, "double"), class = "tensor")
  list(
    n_targets = list(1L), nodes_treeids = integer(n), nodes_nodeids = seq_len(n) - 1L,
    nodes_featureids = get("input") - 1L, nodes_modes = mode,
    nodes_values_as_tensor = tensor(ifelse(mode == "LEAF", 0, get("value"))),
    nodes_truenodeids = ifelse(mode == "LEAF", 0L, id(get("yes"))),
    nodes_falsenodeids = ifelse(mode == "LEAF", 0L, id(get("no"))),
    target_treeids = integer(length(ends)), target_nodeids = ends - 1L,
    target_ids = integer(length(ends)),
    target_weights_as_tensor = tensor(get("value")[ends])
  )
}

# For verify_export(): the model in a file, and the function that runs it is in run.txt.
onnx_program <- function(fit, form, folder, missing) {
  file <- file.path(folder, "tree.onnx")
  tec_onnx(fit, file, missing)
  text <- vapply(form$inputs, function(x) if (is.null(x$levels)) "false" else "true", "")
  names <- quoted(vapply(form$inputs, `[[`, "", "name"), "json")
  c(
    paste0("const file = ", quoted(normalizePath(file, "/"), "json"), ";"),
    paste0("const inputs = [", paste(names, collapse = ", "), "];"),
    paste0("const text = [", paste(text, collapse = ", "), "];")
  )
}
