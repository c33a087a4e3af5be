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
#' model of classes, `response` and `prob`; in R also `link`.
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

expected_predictions <- function(fit, newdata, missing = "as_fitted") {
  if (is_mars(fit)) {
    return(expected_of_mars(fit, newdata))
  }
  if (is_forest(fit)) {
    return(expected_of_forest(fit, newdata, missing))
  }
  fit <- with_missing(fit, missing)
  n <- nrow(newdata)
  values <- suppressWarnings(code_rows(fit, newdata, parent.frame()))
  predicted <- function(type) predict_coded(fit, values, n, type)
  classes <- !is.null(fit$response$levels)
  out <- list(
    node = predicted("node"), response = predicted("response"),
    prob = if (classes) predicted("prob")
  )
  if (classes) out$response <- as.character(out$response)
  if (missing == "null") {
    none <- vapply(predict_paths(fit, values, n), function(p) any(p$by_default), NA)
    out$node[none] <- NA
    out$response[none] <- NA
    if (classes) out$prob[none, ] <- NA
  }
  out
}

# The columns that the tree uses, if present: numbers, or labels as text.
exported_rows <- function(fit, newdata) {
  used <- sort(c(needed_columns(fit), optional_columns(fit)))
  columns <- fit$columns
  check_has_columns(fit, newdata, needed_columns(fit))
  used <- used[columns$name[used] %in% names(newdata)]
  out <- lapply(used, function(j) {
    x <- newdata[[columns$name[j]]]
    if (columns$kind[j] != "numeric") {
      return(as.character(x))
    }
    as.numeric(recode_column(x, columns, j, nrow(newdata))$value)
  })
  names(out) <- columns$name[used]
  structure(out, class = "data.frame", row.names = .set_row_names(nrow(newdata)))
}

compare_predictions <- function(wanted, found, tolerance) {
  first <- NULL
  rows <- lapply(intersect(names(wanted), names(found)[lengths(found) > 0L]), function(what) {
    a <- wanted[[what]]
    b <- found[[what]]
    if (NROW(a) != NROW(b)) abort_export("{.field {what}} has {NROW(b)} rows, not {NROW(a)}.")
    if (is.character(a)) {
      same <- a == as.character(b)
      size <- NA_real_
    } else {
      gap <- abs(unname(as.matrix(a)) - unname(as.matrix(b)))
      same <- rowSums(gap > tolerance * max(1, abs(a), na.rm = TRUE)) == 0
      size <- if (all(is.na(gap))) 0 else max(gap, na.rm = TRUE)
    }
    none <- rowSums(is.na(as.matrix(a))) > 0
    gone <- rowSums(is.na(as.matrix(b))) > 0
    same <- unname(none & gone | !none & !gone & same %in% TRUE)
    if (!all(same) && is.null(first)) first <<- which(!same)[1L]
    data.frame(what = what, rows = length(same), agree = sum(same), difference = size)
  })
  if (length(rows) == 0L) {
    abort_export("There is nothing to compare: no node, response or prob came back.")
  }
  structure(do.call(rbind, rows), first = first)
}

run_sql <- function(fit, newdata, con, missing) {
  rows <- database_rows(fit, newdata, con)
  order <- make.unique(c(tolower(names(rows)), "row_number"))[length(rows) + 1L]
  rows[[order]] <- seq_len(nrow(rows))
  table <- basename(tempfile("tectree_"))
  DBI::dbWriteTable(con, table, as.data.frame(rows), temporary = TRUE)
  on.exit(DBI::dbRemoveTable(con, table))
  if (is_forest(fit)) {
    return(run_forest_sql(fit, con, missing, table, order))
  }
  types <- c("node", "response", if (!is.null(fit$response$levels)) "prob")
  nodeless <- is_mars(fit) || missing == "as_fitted" && fit$tree$unknown == 1L
  if (nodeless) types <- setdiff(types, "node")
  sql <- lapply(types, function(type) tec_sql(fit, con, type, missing))
  expression <- unlist(lapply(sql, as.character))
  query <- paste0(
    "SELECT ", paste0(expression, " AS v", seq_along(expression), collapse = ", "), " FROM ",
    DBI::dbQuoteIdentifier(con, table), " ORDER BY ", DBI::dbQuoteIdentifier(con, order)
  )
  value <- unname(as.list(DBI::dbGetQuery(con, query)))
  out <- list()
  for (k in seq_along(types)) {
    own <- value[seq_along(sql[[k]]) + sum(lengths(sql[seq_len(k - 1L)]))]
    numbers <- types[k] == "prob"
    out[[types[k]]] <- if (numbers) do.call(cbind, lapply(own, as.numeric)) else own[[1L]]
  }
  out
}

run_forest_sql <- function(fit, con, missing, table, order) {
  classes <- !is.null(forest_classes(fit))
  types <- c("response", if (classes) "prob", if (classes && !is_linked(fit)) "votes")
  out <- lapply(types, function(type) {
    query <- tec_sql(fit, con, type, missing, table = table, keep = order)
    value <- unname(as.list(DBI::dbGetQuery(con, as.character(query))))
    by <- base::order(value[[1L]])
    if (type == "response") return(value[[2L]][by])
    do.call(cbind, lapply(value[-1L], function(x) as.numeric(x)[by]))
  })
  stats::setNames(out, types)
}

# Dates and logicals as the database has them.
database_rows <- function(fit, newdata, con) {
  rows <- exported_rows(fit, newdata)
  for (name in names(rows)) {
    x <- newdata[[name]]
    ptype <- fit$columns$ptype[[match(name, fit$columns$name)]]
    dated <- inherits(x, c("Date", "POSIXct")) && !inherits(con, "SQLiteConnection")
    if (dated) rows[[name]] <- x else if (is.logical(ptype)) rows[[name]] <- as.logical(x)
  }
  rows
}
