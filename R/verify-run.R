# Tested in test-tec_code.R, test-tec_json.R and test-tec_onnx.R.
# Runs exported trees as programs, with a file of rows as input and a file of predictions as output.
# The values of a row are separated by tabs: a number, h and the bytes of a label in hexadecimal, or
# _ if missing.

export_programs <- list(
  c = c(file = "c", command = "cc"), rust = c(file = "rs", command = "rustc"),
  javascript = c(file = "js", command = "node"), python = c(file = "py", command = "python3"),
  json_javascript = c(file = "js", command = "node"),
  json_python = c(file = "py", command = "python3"),
  onnx = c(file = "js", command = "node")
)

# The name of what runs the export, once it is known that it is here.
check_target <- function(fit, target, missing) {
  targets <- c("r", "json", names(export_programs))
  target <- our_word("language", our_word("target", target, targets), targets)
  match_choice(target, targets, "target")
  if (missing != "as_fitted" && target != "onnx") {
    tec_abort("argument", c(
      "{.arg missing} is for SQL, PMML and ONNX.",
      x = "The target {.val {target}} takes the tree as it was fitted."
    ))
  }
  if (target %in% c("r", "json")) {
    return(target)
  }
  if (is_mars(fit)) check_mars_target(target)
  command <- export_programs[[target]][["command"]]
  if (!nzchar(Sys.which(command))) {
    abort_export("There is no {.code {command}} here to run the tree.")
  }
  if (target == "onnx") {
    system_or_stop(command, c("-e", shQuote("require.resolve('onnxruntime-web')")))
  }
  target
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

# What the programs around an exported model need to know of it.
program_form <- function(fit, missing) {
  if (!is_forest(fit) && !is_mars(fit)) {
    return(export_tree(fit, "verify_export", missing))
  }
  inputs <- lapply(needed_columns(fit), export_input, fit = fit)
  list(inputs = inputs, classes = forest_classes(fit))
}

# As tec_code() for R takes them: time differences in the units of training.
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
        "The target {.val onnx} needs {.code onnxruntime-web}, and {.code node} does not find it.",
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
