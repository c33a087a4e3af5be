# Tested in test-tec_code.R and test-tec_sql.R.

#' Verify an exported tree or forest
#'
#' Runs the exported tree or forest on `newdata` and compares nodes, classes, probabilities and
#' numbers with those of [predict()][predict.tec_tree], row by row. A difference is an error.
#'
#' @details
#' Use `newdata` with difficult cases: missing values, unseen labels, and values at the thresholds.
#'
#' `"c"`, `"javascript"`, `"python"`, `"rust"` run [tec_code()] by `cc`, `node`, `python3` and
#' `rustc`, `"json_python"` and `"json_javascript"` the predictors that come with [tec_json()], and
#' `"onnx"` runs [tec_onnx()] in ONNX Runtime for JavaScript (`onnxruntime-web`, found where `node`
#' looks for its modules). Programs are written to and run in a temporary folder. A connection gets
#' a temporary table of the rows.
#'
#' For a forest, `response` and `prob` are compared; in SQL, R and JSON also `votes`. For a boosted
#' model of classes, `response` and `prob`; in R and `"json"` also `link`.
#' A reader of [tec_pmml()] of a forest that votes gives `votes`, not `prob`.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
#' @param newdata A data frame with the columns of the tree or forest.
#' @param target Where to run it: `"r"`, `"c"`, `"javascript"`, `"python"`, `"rust"`,
#'   `"json"` (read by [tec_from_json()]), `"json_python"`, `"json_javascript"`, `"onnx"`; a DBI
#'   connection for [tec_sql()]; or any function of a data frame with the columns that the tree uses
#'   (labels as text, dates and times as numbers) that returns a list of `node`, `response` and
#'   `prob` (a matrix), or some of them; of a forest `votes` (a matrix) instead of `node`.
#' @param missing As in [tec_sql()], [tec_pmml()] and [tec_onnx()]. Other targets always use
#'   `"as_fitted"`.
#' @param tolerance The largest difference of a probability, or of a number relative to the largest
#'   predicted.
#' @return A data frame with a row for each of `node`, `response`, `prob`, `votes` and `link` that
#'   was compared: `what`, `rows`, `agree` (the number of rows with the same value) and
#'   `difference`, the largest.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' rows <- iris
#' rows$Petal.Length[1:20] <- NA
#' verify_export(fit, rows, "r")
#' if (nzchar(Sys.which("python3"))) verify_export(fit, rows, "python")
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' verify_export(forest, rows, "r")
#' @export
verify_export <- function(fit, newdata, target, missing = c("as_fitted", "majority", "null"),
                          tolerance = 1e-9) {
  plain_numbers(scipen = 999L)
  fit <- chosen_fit(fit, "verify_export")
  if (!is_forest(fit) && !is_mars(fit)) check_is_tree(fit, "verify_export")
  if (base::missing(missing)) {
    missing <- if (identical(target, "onnx")) unshared_missing(fit) else missing_choices[1L]
  }
  match_choice(missing, missing_choices, "missing")
  tolerance <- check_bound(tolerance, "tolerance", least = 0)
  newdata <- check_newdata(newdata)
  # Before the forest predicts, which may take a while.
  if (!is.function(target) && !inherits(target, "DBIConnection")) {
    target <- check_target(fit, target, missing)
  }
  wanted <- expected_predictions(fit, newdata, missing)
  found <- if (is.function(target)) {
    target(exported_rows(fit, newdata))
  } else if (inherits(target, "DBIConnection")) {
    run_sql(fit, newdata, target, missing)
  } else {
    run_program(fit, newdata, target, missing)
  }
  out <- compare_predictions(wanted, found, tolerance)
  wrong <- out$agree < out$rows
  if (any(wrong)) {
    first <- attr(out, "first")
    differ <- (out$rows - out$agree)[wrong][1L]
    abort_export(
      "The exported {model_word(fit)} does not predict what {.fn predict} does.",
      x = "{out$what[wrong][1L]}: {differ} of {out$rows[1L]} rows differ, \\
           the first is row {first}."
    )
  }
  attr(out, "first") <- NULL
  out
}
