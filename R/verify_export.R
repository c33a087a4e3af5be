# Tested in test-tec_code.R, test-tec_json.R, test-tec_onnx.R and test-tec_sql.R.

#' Verify an exported tree or forest
#'
#' Runs the exported tree or forest on `newdata` and compares nodes, classes, probabilities and
#' numbers with those of [predict()][predict.tec_tree], row by row. A difference is an error.
#'
#' @details
#' Use `newdata` with difficult rows: missing values, unseen levels, and values at the cuts.
#'
#' `"c"`, `"javascript"`, `"python"` and `"rust"` run [tec_code()] with `cc`, `node`, `python3` and
#' `rustc`. `"json_python"` and `"json_javascript"` run the predictors that come with [tec_json()].
#' `"onnx"` runs [tec_onnx()] in ONNX Runtime for JavaScript (`onnxruntime-web`, found where `node`
#' looks for its modules). Programs are written to and run in a temporary folder. For a connection,
#' the rows are written to a temporary table.
#'
#' For a forest, `response` and `prob` are compared; in SQL, R and JSON also `votes`. For a boosted
#' model of classes, `response` and `prob` are compared; in R and `"json"` also `link`. A reader of
#' [tec_pmml()] returns `votes` instead of `prob` for a forest that votes.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
#' @param newdata A data frame with the columns of the tree or forest.
#' @param target Where to run it: `"r"`, `"c"`, `"javascript"`, `"python"`, `"rust"`, `"json"` (read
#'   by [tec_from_json()]), `"json_python"`, `"json_javascript"` or `"onnx"`; a DBI connection for
#'   [tec_sql()]; or a function of a data frame with the columns that the tree uses (labels as text,
#'   dates and times as numbers). The function returns a list of `node`, `response` and `prob` (a
#'   matrix), or some of them; for a forest `votes` (a matrix) instead of `node`.
#' @param missing As in [tec_sql()], [tec_pmml()] and [tec_onnx()]. Other targets always use
#'   `"as_fitted"`.
#' @param tolerance Maximum difference of a probability, or of a number relative to the largest
#'   prediction.
#' @return A data frame with one row for each of `node`, `response`, `prob`, `votes` and `link` that
#'   was compared: `what`, `rows`, `agree` (the number of rows with the same value) and
#'   `difference` (the largest difference).
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' rows <- iris
#' rows$Petal.Length[1:20] <- NA
#' verify_export(fit, rows, "r")
#' if (nzchar(Sys.which("python3"))) verify_export(fit, rows, "python")
#'
#' # Your own program: a function of the rows that returns its predictions
#' file <- tempfile(fileext = ".R")
#' tec_code(fit, "r", file = file)
#' service <- function(rows) {
#'   source(file, local = TRUE)
#'   said <- predict_tree(rows)
#'   list(response = said$response, prob = said$prob)
#' }
#' verify_export(fit, rows, service)
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' verify_export(forest, rows, "r")
#' @export
verify_export <- function(fit, newdata, target, missing = c("as_fitted", "majority", "null"),
                          tolerance = 1e-9) {
  plain_numbers(scipen = 999L)
  fit <- chosen_fit(fit, "verify_export")
  if (is_forest(fit) || is_mars(fit)) check_fit(fit) else check_is_tree(fit, "verify_export")
  if (base::missing(missing)) {
    missing <- if (identical(target, "onnx")) unshared_missing(fit) else missing_choices[1L]
  }
  match_choice(missing, missing_choices, "missing")
  tolerance <- check_bound(tolerance, "tolerance", least = 0)
  newdata <- check_newdata(newdata)
  # This check comes before the forest predicts, which may take a while.
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
      "The predictions of the exported {model_word(fit)} differ from those of {.fn predict}.",
      x = "{out$what[wrong][1L]}: {differ} of {out$rows[1L]} rows differ, \\
           the first is row {first}."
    )
  }
  attr(out, "first") <- NULL
  out
}

# ---- running an export ----

# A program reads a file of rows and writes one of predictions. The values of a row are separated by
# tabs: a number, h and the bytes of a label in hexadecimal, or _ if missing.

export_programs <- list(
  c = c(file = "c", command = "cc"), rust = c(file = "rs", command = "rustc"),
  javascript = c(file = "js", command = "node"), python = c(file = "py", command = "python3"),
  json_javascript = c(file = "js", command = "node"),
  json_python = c(file = "py", command = "python3"),
  onnx = c(file = "js", command = "node")
)

# The name of the program that runs the export, after a check that it is installed.
check_target <- function(fit, target, missing) {
  targets <- c("r", "json", names(export_programs))
  target <- our_word("language", our_word("target", target, targets), targets)
  match_choice(target, targets, "target")
  if (missing != "as_fitted" && target != "onnx") {
    tec_abort("argument", c(
      "{.arg missing} is for SQL, PMML and ONNX.",
      x = "The target {.val {target}} uses the tree as it was fitted."
    ))
  }
  if (target %in% c("r", "json")) {
    return(target)
  }
  if (is_mars(fit)) check_mars_target(target)
  command <- export_programs[[target]][["command"]]
  if (!nzchar(Sys.which(command))) {
    abort_export("The program {.code {command}}, which runs the tree, was not found.")
  }
  if (target == "onnx") {
    system_or_stop(command, c("-e", shQuote("require.resolve('onnxruntime-web')")))
  }
  target
}

check_mars_target <- function(target) {
  if (target %in% c("rust", "onnx", "json_python", "json_javascript")) {
    abort_export(
      "Splines cannot be exported to the target {.val {target}}.",
      i = "Use {.or {.val {c('r', 'c', 'python', 'javascript', 'json')}}}, or a connection."
    )
  }
}

# `target`: as check_target() returns it.
run_program <- function(fit, newdata, target, missing) {
  if (target == "r") {
    code <- parse(text = tec_code(fit, "r"), keep.source = FALSE)
    own <- eval(code, new.env(parent = baseenv()))
    return(own(rows_in_units(fit, newdata)))
  }
  if (target == "json") {
    again <- chosen_fit(tec_from_json(tec_json(fit)), "verify_export")
    return(expected_predictions(again, newdata))
  }
  program <- export_programs[[target]]
  folder <- tempfile("export")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  source <- file.path(folder, paste0("tree.", program[["file"]]))
  form <- program_form(fit, missing)
  write_utf8(program_source(fit, form, target, folder, missing), source)
  input <- file.path(folder, "rows")
  write_utf8(program_rows(form, exported_rows(fit, newdata)), input)
  found <- read_predictions(run_source(source, program, input), form$classes)
  if (is_forest(fit) || is_mars(fit)) found$node <- NULL
  found
}

# The properties of a model that the program around its export needs.
program_form <- function(fit, missing) {
  if (!is_forest(fit) && !is_mars(fit)) {
    return(export_tree(fit, "verify_export", missing))
  }
  inputs <- lapply(needed_columns(fit), export_input, fit = fit)
  list(inputs = inputs, classes = forest_classes(fit))
}

# Rows for tec_code() in R: time differences have the units of the training rows.
rows_in_units <- function(fit, newdata) {
  rows <- exported_rows(fit, newdata)
  for (name in names(rows)) {
    if (!inherits(newdata[[name]], "difftime")) rows[[name]] <- newdata[[name]]
  }
  rows
}

program_source <- function(fit, form, target, folder, missing) {
  runner <- if (target == "onnx") target else export_programs[[target]][["file"]]
  scores <- max(1L, length(form$classes))
  name <- "predict_tree"
  code <- switch(target,
    json_python = , json_javascript = json_program(fit, form, target, folder),
    onnx = onnx_program(fit, form, folder, missing),
    tec_code(fit, target, name)
  )
  # A forest has no single node where a row ends.
  node <- c(c = "r.node", js = "p.node", py = "_p[\"node\"]", rs = "p.node", onnx = "")[[runner]]
  fields <- list(
    NAME = name, N_INPUTS = length(form$inputs), SCORES = scores,
    NODE = if (is_forest(fit) || is_mars(fit)) "0" else node
  )
  c(code, fill_template(runner_template(runner), fields))
}

# A program that predicts with the tree: the predictor of the package, and the file of the tree.
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

# Writes the model to a file; the function that runs it is in run.txt.
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

# The part of run.txt with that name.
runner_template <- function(name) {
  parts <- strsplit(code_template("run.txt"), "\n?==== ")[[1L]]
  found <- parts[startsWith(parts, paste0(name, "\n"))]
  substring(found, nchar(name) + 2L)
}

program_rows <- function(form, rows) {
  tokens <- lapply(form$inputs, function(input) {
    x <- rows[[input$name]]
    if (is.null(x)) {
      return(rep("_", nrow(rows)))
    }
    if (is.null(input$levels)) {
      return(ifelse(is.na(x), "_", sprintf("%.17g", x)))
    }
    known <- unique(x)
    ifelse(is.na(x), "_", hex_label(known)[match(x, known)])
  })
  if (length(tokens)) do.call(paste, c(tokens, sep = "\t")) else rep("_", nrow(rows))
}

run_source <- function(source, program, input) {
  command <- program[["command"]]
  args <- shQuote(source)
  if (command %in% c("cc", "rustc")) {
    binary <- file.path(dirname(source), "tree.out")
    flags <- if (command == "cc") c("-std=c99", "-O1", args, "-lm") else c("-O", args)
    system_or_stop(command, c(flags, "-o", shQuote(binary)))
    command <- binary
    args <- character()
  }
  system_or_stop(command, args, stdin = input)
}

system_or_stop <- function(command, args, ...) {
  errors <- tempfile("errors")
  on.exit(unlink(errors))
  out <- suppressWarnings(system2(command, args, stdout = TRUE, stderr = errors, ...))
  if (!is.null(attr(out, "status"))) {
    said <- readLines(errors, warn = FALSE)
    if (any(grepl("Cannot find module 'onnxruntime-web'", said, fixed = TRUE))) {
      abort_export(
        "The target {.val onnx} needs {.code onnxruntime-web}, which {.code node} does not find.",
        i = "Install it with {.code npm install onnxruntime-web}, and let the environment variable \
             {.envvar NODE_PATH} name its folder {.file node_modules}."
      )
    }
    said <- utils::head(said, 5L)
    abort_export("{.code {basename(command)}} failed.", x = "{said}")
  }
  out
}

read_predictions <- function(lines, classes) {
  value <- strsplit(lines, "\t", fixed = TRUE)
  score <- do.call(rbind, lapply(value, function(v) suppressWarnings(as.numeric(v[-(1:2)]))))
  label <- vapply(value, `[`, "", 2L)
  node <- as.integer(vapply(value, `[`, "", 1L))
  node[node == 0L] <- NA
  if (is.null(classes)) {
    return(list(node = node, response = score[, 1L]))
  }
  list(node = node, response = classes[match(label, hex_label(classes))], prob = score)
}

hex_label <- function(x) {
  vapply(enc2utf8(as.character(x)), function(s) {
    paste0("h", paste(as.character(charToRaw(s)), collapse = ""))
  }, "", USE.NAMES = FALSE)
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

# Dates and logicals in the form of the database.
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
