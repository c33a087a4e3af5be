#' Export a tree or forest to ONNX
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
#' A tree or forest with `missing = "fractional"`, the default of trees, sends a row with a missing
#' value down several branches, which is not possible in a `TreeEnsembleRegressor`. If no row had a
#' missing value where the tree splits, or in a column that the forest uses, such a row goes down
#' the branch of largest weight here (`missing = "majority"`). Else choose another `missing`. All
#' other rows, trees and forests, such as those of [tec_forest()]'s defaults, are as in `predict()`.
#' Rows without a prediction (`missing = "null"`) get the node 0, the label `""` and NaN.
#'
#' @section Forests:
#' A forest is one model: the ensemble has a target for each tree, and the means over the trees are
#' taken of the tables, in double precision. Outputs are `label`, `probabilities` (mean shares) and
#' `votes` (shares of trees), or `value`. The class is chosen as by [predict()][predict.tec_forest].
#'
#' @section Boosting:
#' A model of [tec_boost()] for classes has the outputs `label` and `probabilities`, those of
#' [predict()][predict.tec_boost]: the sums of the trees go through a `Softmax`, all in double
#' precision.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from
#'   [tec_forest()], or a boosted model from [tec_boost()].
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
    abort_export("A {form$model} of leaves alone has no inputs, and an ONNX model needs one.")
  }
  bytes <- onnx_model(form)
  if (is.null(file)) {
    return(bytes)
  }
  write_complete(function(con) writeBin(bytes, con), file)
  invisible(bytes)
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
  forms <- form$trees %||% list(form)
  graph <- c(
    do.call(c, encode),
    onnx_node("Concat", coded, id("row"), list(axis = list(1L))),
    onnx_node("TreeEnsembleRegressor", id("row"), id("end"), onnx_ensemble(forms), ml = TRUE),
    onnx_node("Cast", id("end"), id("wide"), list(to = list(onnx_types[["int64"]]))),
    if (is.null(form$trees)) onnx_outputs(form, id) else onnx_forest_outputs(form, id),
    pb_text(2L, if (is.null(form$trees)) "tree" else "forest"),
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
