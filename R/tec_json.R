#' Export a model to JSON
#'
#' `tec_json()` writes everything that prediction needs, and the counts and scores of the nodes, as
#' JSON. `tec_from_json()` reads it and returns a model with the same methods.
#'
#' @details
#' Numbers are written so that they read back as the same double, and text as plain ASCII
#' with escapes. `system.file("export", "tree.schema.json", package = "tectree")` is the JSON
#' Schema, which says what each field means. In the same folder `json_tree.py` and `json_tree.js`
#' predict with such a file, also rows with missing values, without other packages.
#'
#' Parts needed only for training (weights, priors, control parameters, the table of pruning) are
#' not written. `prob` of a node are the class shares that it predicts; where `smooth` of
#' [tec_control()] changed them, `shares` are those of the training rows.
#'
#' `tec_from_json()` runs no code of the file. It checks each field by the schema, and that the
#' nodes form a tree: shares sum to 1, thresholds ascend, every node has one parent, no child weighs
#' more than its parent. Otherwise the error names the place in the file.
#'
#' Splines ([tec_mars()]) are written as their terms: factors of a column, and coefficients. The
#' schema and the two predictors are for trees and forests.
#'
#' A forest is written as a list of trees, each as vectors by node, about 30 bytes per node. Its
#' seeds, out-of-bag results and importance are not written. A boosted model of numbers is written
#' as the forest of [as_tec_forest()], one of classes as trees and a `link`: each tree adds its
#' number to the sum `output`, or its `vote` to the sum of its class, and the sums start from
#' `base`. The class is that of the largest sum (of two classes by gradients the sum is that of the
#' second beside 0), the probabilities are the softmax of the sums divided by `scale`. The learning
#' curve and the gains are not written.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
#' @param json The text, or the name of a file that holds it, in UTF-8.
#' @param file `NULL`, or the name of a file to write the text to. An existing file is replaced, and
#'   only by a complete text.
#' @return `tec_json()`: one string of class `tec_code`, which prints as the text, invisibly where a
#'   file was written. `tec_from_json()`: an object of class `tec_tree`, `tec_forest`, `tec_boost`
#'   (boosted classes) or `tec_mars`.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, max_depth = 1)
#' tec_json(fit)
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' file <- tempfile(fileext = ".json")
#' tec_json(fit, file)
#' again <- tec_from_json(file)
#' identical(predict(again, iris), predict(fit, iris))
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' again <- tec_from_json(tec_json(forest))
#' identical(predict(again, iris, "prob"), predict(forest, iris, "prob"))
#'
#' boosted <- tec_boost(Species ~ ., iris, rounds = 10, threads = 2)
#' again <- tec_from_json(tec_json(boosted))
#' identical(predict(again, iris, "prob"), predict(boosted, iris, "prob"))
#' @order 1
#' @export
tec_json <- function(fit, file = NULL) {
  plain_numbers(scipen = 999L)
  check_file(file)
  fit <- chosen_fit(fit, "tec_json")
  parts <- if (is_mars(fit)) {
    mars_json_parts(fit)
  } else if (is_forest(fit)) {
    check_fit(fit)
    lapply(needed_columns(fit), export_input, fit = fit) # refuses what no writer can say
    if (is_linked(fit)) boost_json_parts(fit) else forest_json_parts(fit)
  } else {
    export_tree(fit, "tec_json")
    json_parts(fit)
  }
  give_text(structure(json_text(parts), class = "tec_code"), file)
}

# A program that predicts with the tree: the predictor that ships, and the file beside it.
json_program <- function(fit, form, target, folder) {
  file <- file.path(folder, "tree.json")
  tec_json(fit, file)
  path <- quoted(normalizePath(file, "/"), "json")
  names <- vapply(form$inputs, `[[`, "", "name")
  python <- target == "json_python"
  call <- if (python) {
    "predict_tree = tree_predictor(open(%s, encoding=\"utf-8\").read())"
  } else {
    "const predict_tree = tree_predictor(require(\"fs\").readFileSync(%s, \"utf8\"));"
  }
  names <- paste(quoted(names, if (python) "python" else "json"), collapse = ", ")
  c(
    code_template(if (python) "json_tree.py" else "json_tree.js"), sprintf(call, path),
    paste0("predict_tree.inputs = [", names, "]")
  )
}
