# Trees and rows for the tests of exports: every kind of column and split, missing values, unseen
# levels, values at the cuts and next to them, and names and labels that try to break out of their
# quotes.

nasty <- c(
  "a'); DROP TABLE rows; --", "b\"; system('true'); \"", "c\\' OR 1=1 --", "line\nbreak\ttab",
  "\U0001F333 \u00e9\u4e2d", "*/ int x; /*", "${process.exit(1)}", "</script>&amp;<!--]]>", "",
  "??/ %s {0} @NAME@ #{1} `x`", "__proto__", "constructor", "TRUE", "NA"
)

export_data <- function(n, names = paste0("x", 1:7), labels = letters[1:14]) {
  d <- list(
    stats::rnorm(n), sample(1:9, n, TRUE) / 2, factor(sample(labels[1:6], n, TRUE), labels[1:6]),
    sample(labels[7:14], n, TRUE), factor(sample(5, n, TRUE), 1:5, ordered = TRUE),
    sample(c(TRUE, FALSE), n, TRUE), as.Date("2020-01-01") + sample(300, n, TRUE)
  )
  names(d) <- names
  structure(d, class = "data.frame", row.names = seq_len(n))
}

with_gaps <- function(d, share = 0.12) {
  d[] <- lapply(d, function(x) replace(x, stats::runif(length(x)) < share, NA))
  d
}

# `d` has the columns of export_data(); the response depends on all of them.
export_response <- function(d, classes) {
  score <- d[[1L]] + d[[2L]] / 3 + as.integer(d[[3L]]) %% 3 + as.integer(factor(d[[4L]])) %% 2 +
    as.integer(d[[5L]]) / 2 + d[[6L]] + as.numeric(d[[7L]]) %% 100 / 50
  score <- score + stats::rnorm(nrow(d), sd = 0.4)
  if (is.null(classes)) {
    return(score)
  }
  factor(classes[as.integer(cut(rank(score), length(classes)))], classes)
}

# New rows: values at and next to the tree's thresholds, unknown labels, gaps.
export_rows <- function(fit, d, gaps = 0.15) {
  tree <- fit$tree
  for (i in which(tree$kind %in% 1:2)) {
    j <- tree$variable[i]
    t <- tree$breaks[tree$break_start[i] + 1L]
    at <- sample(nrow(d), 3L)
    if (inherits(d[[j]], "Date")) next
    d[[j]][at] <- c(t, next_double(t), previous_double(t))
  }
  if (is.numeric(d[[1L]])) d[[1L]][sample(nrow(d), 4L)] <- c(Inf, -Inf, NaN, -0)
  d <- with_gaps(d, gaps)
  d[[3L]] <- as.character(d[[3L]])
  d[[3L]][sample(nrow(d), 5L)] <- "never seen"
  d[[4L]][sample(nrow(d), 5L)] <- "' never \u00fc"
  d
}

# One tree of each kind: policy by policy, both tasks, nominal splits of both kinds.
export_cases <- function(names = paste0("x", 1:7), labels = letters[1:14], seed = 1) {
  set.seed(seed)
  full <- export_data(400, names, labels)
  cases <- list()
  for (missing in c("fractional", "majority", "mode", "learned", "surrogate", "drop")) {
    for (task in c("classes", "numbers")) {
      classes <- if (task == "classes") labels[c(1, 9, 5)]
      y <- export_response(full, classes)
      d <- with_gaps(full)
      fit <- suppressWarnings(tec_tree(
        x = d, y = y, missing = missing, max_depth = 5, min_bucket = 6, prune = "none",
        nominal = if (task == "classes") "binary" else "multiway",
        intervals = if (missing %in% c("majority", "drop")) 3 else 2
      ))
      cases[[paste(missing, task)]] <- list(
        fit = fit, rows = export_rows(fit, export_data(250, names, labels))
      )
    }
  }
  cost <- matrix(c(0, 1, 6, 2, 0, 1, 1, 3, 0), 3)
  y <- export_response(full, labels[c(1, 9, 5)])
  fit <- suppressWarnings(tec_tree(
    x = with_gaps(full), y = y, cost = cost, max_depth = 4, prune = "none"
  ))
  cases$cost <- list(fit = fit, rows = export_rows(fit, export_data(250, names, labels)))
  cases$leaf <- list(fit = tec_tree(x = full, y = y, max_depth = 0), rows = full)
  cases
}

# chain_tree() and the like as trees that send rows with a missing value down all branches.
sharing <- function(fit) {
  tree <- fit$tree
  tree$unknown <- 1L
  tree$weight <- as.double(tree$kind == 0L)
  for (i in rev(which(tree$kind != 0L))) {
    tree$weight[i] <- sum(tree$weight[tree$child[tree$child_start[i] + 1:2]])
  }
  tree$n <- tree$weight
  fit$tree <- tree
  fit$control$missing <- "fractional"
  fit
}

# All leaves at one depth, on as many columns, each leaf with a number of its own.
complete_tree <- function(depth) {
  d <- as.data.frame(as.matrix(expand.grid(rep(list(0:1), depth))))
  d$y <- as.vector(as.matrix(d) %*% 2^(seq_len(depth) - 1L))
  tec_tree(y ~ ., d, missing = "majority", prune = "none", min_bucket = 1, min_split = 2)
}

expect_export <- function(case, target, label, missing = "as_fitted") {
  out <- verify_export(case$fit, case$rows, target, missing)
  expect_true(all(out$agree == nrow(case$rows)) && nrow(out) > 0L, label = label)
}

# A PostgreSQL server in a temporary folder, started once and stopped after the last test. A
# function that predicts with tec_sql().
postgres <- new.env()
postgres_target <- function() {
  if (is.null(postgres$folder)) postgres$folder <- start_postgres(testthat::teardown_env())
  function(fit, missing = "as_fitted", dialect = "postgres") {
    function(rows) postgres_predict(fit, rows, missing, dialect, postgres$folder)
  }
}

# Its programs refuse to run as root. `more`: options of the server.
start_postgres <- function(env, more = "") {
  bin <- c(
    dirname(Sys.which("initdb")), Sys.glob("/usr/lib/postgresql/*/bin"),
    Sys.glob("/usr/pgsql-*/bin")
  )
  bin <- bin[file.exists(file.path(bin, "initdb")) & file.exists(file.path(bin, "pg_ctl"))]
  if (!length(bin) || !nzchar(Sys.which("psql"))) skip("there is no PostgreSQL here")
  folder <- tempfile("pg")
  dir.create(folder)
  root <- Sys.info()[["effective_user"]] == "root"
  if (root) {
    if (system2("id", "postgres", stdout = FALSE, stderr = FALSE) != 0) {
      skip("no user for PostgreSQL")
    }
    # The way to the folder must be open to that user.
    above <- dirname(folder)
    while (!above %in% c("/", "/tmp")) {
      if (bitwAnd(file.mode(above), 1L) == 0L) Sys.chmod(above, "0711")
      above <- dirname(above)
    }
    system2("chown", c("postgres", folder))
  }
  # Paths of the temporary folder and options: nothing in them needs quotes.
  run <- function(...) {
    command <- paste(c(...), collapse = " ")
    if (root) command <- paste("su postgres -s /bin/sh -c", shQuote(command))
    # The server hangs with the libraries of sanitizers.
    system(paste("cd /tmp && LD_PRELOAD= &&", command, ">", file.path(folder, "said"), "2>&1"))
  }
  data <- file.path(folder, "data")
  program <- function(name) file.path(rev(bin)[1L], name)
  # To copy what initdb makes takes a fraction of its time.
  if (is.null(postgres$made)) {
    made <- file.path(folder, "made")
    if (run(program("initdb"), "-N -D", made, "-U postgres -A trust -E UTF8 --locale=C") != 0) {
      skip("initdb failed")
    }
    postgres$made <- made
  }
  if (run("cp -a", postgres$made, data) != 0) skip("the database cannot be copied")
  # Long queries over few rows: to compile them takes longer than to run them.
  options <- "-c listen_addresses= -c fsync=off -c autovacuum=off -c jit=off -k"
  control <- function(...) run(program("pg_ctl"), "-D", data, ...)
  if (control("-w -o", shQuote(paste(options, folder, more)), "start") != 0) {
    skip("PostgreSQL does not start")
  }
  withr::defer(control("-m immediate stop"), env)
  folder
}

# A target of verify_export(): COPY takes the rows in and gives the predictions back.
postgres_predict <- function(fit, rows, missing, dialect, folder) {
  put_postgres_rows(fit, rows, folder)
  types <- c("response", if (!is.null(fit$response$levels)) "prob")
  if (missing != "as_fitted" || fit$tree$unknown != 1L) types <- c("node", types)
  sql <- lapply(types, function(type) unclass(tec_sql(fit, dialect, type, missing)))
  value <- ask_postgres(
    paste0("SELECT ", paste(unlist(sql), collapse = ",\n"), " FROM r ORDER BY row_number"), folder
  )
  number <- function(x) as.numeric(as.matrix(x))
  out <- list(response = value[[match("response", types)]])
  if (is.null(fit$response$levels)) out$response <- number(out$response)
  if ("node" %in% types) out$node <- number(value[[1L]])
  if ("prob" %in% types) {
    prob <- value[match("response", types) + seq_along(fit$response$levels)]
    out$prob <- matrix(number(prob), nrow(rows))
  }
  out
}

put_lines <- function(lines, file) {
  con <- file(file, "wb")
  on.exit(close(con))
  writeLines(lines, con, useBytes = TRUE)
}

run_psql <- function(lines, folder, out) {
  put_lines(c("SET client_min_messages = error;", lines), file.path(folder, "script.sql"))
  args <- c(
    "-h", folder, "-U postgres -d postgres -X -q -v ON_ERROR_STOP=1 -f",
    file.path(folder, "script.sql")
  )
  status <- system2("psql", args, stdout = out, env = c("PGCLIENTENCODING=UTF8", "LD_PRELOAD="))
  if (status != 0) stop("psql failed")
}

# The table r, with the number of each row.
put_postgres_rows <- function(fit, rows, folder) {
  ptype <- fit$columns$ptype[match(names(rows), fit$columns$name)]
  dates <- vapply(ptype, inherits, NA, "Date")
  rows[dates] <- lapply(rows[dates], structure, class = "Date")
  kinds <- ifelse(dates, "date", ifelse(vapply(rows, is.numeric, NA), "double precision", "text"))
  kinds[vapply(ptype, is.logical, NA)] <- "boolean"
  as_field <- function(x) {
    out <- if (is.numeric(x) && !is.object(x)) sprintf("%.17g", x) else enc2utf8(as.character(x))
    ifelse(is.na(x) & !is.nan(unclass(x)), "\\N", paste0("\"", gsub("\"", "\"\"", out), "\""))
  }
  # What a boolean cannot hold is missing.
  rows[kinds == "boolean"] <- lapply(rows[kinds == "boolean"], as.logical)
  name <- paste0("\"", gsub("\"", "\"\"", names(rows)), "\"", recycle0 = TRUE)
  file <- file.path(folder, "rows.csv")
  fields <- c(list(seq_len(nrow(rows))), unname(lapply(rows, as_field)))
  put_lines(do.call(paste, c(fields, sep = ",")), file)
  run_psql(c(
    "DROP TABLE IF EXISTS r;",
    paste0(
      "CREATE TABLE r (row_number int",
      paste0(", ", name, " ", kinds, collapse = "", recycle0 = TRUE), ");"
    ),
    paste0("\\copy r FROM '", file, "' (FORMAT csv, NULL '\\N')")
  ), folder, FALSE)
}

# The result of a query, all columns as text.
ask_postgres <- function(query, folder) {
  file <- file.path(folder, "out.csv")
  run_psql(
    paste0("COPY (", query, ") TO STDOUT (FORMAT csv, NULL '\\N', FORCE_QUOTE *);"), folder, file
  )
  utils::read.csv(file,
    header = FALSE, colClasses = "character", encoding = "UTF-8", na.strings = "\\N"
  )
}

tec_verified <- function(...) as.integer(verify_export(...)$agree)

has_jsonschema <- function(python) {
  nzchar(Sys.which(python)) &&
    system2(
      python, c("-W ignore -c", shQuote("import jsonschema")), stdout = FALSE, stderr = FALSE
    ) == 0
}

node_path <- function() {
  skip_if_not(nzchar(Sys.which("node")), "no node here")
  found <- system2(
    "node", c("-e", shQuote("require('onnxruntime-web')")), stdout = FALSE, stderr = FALSE
  )
  skip_if_not(found == 0, "node finds no onnxruntime-web")
}

# The outputs of ONNX models, a text for each, after onnx's own checker has taken them all.
checked_onnx <- function(models) {
  python <- Filter(function(p) {
    nzchar(Sys.which(p)) &&
      system2(p, c("-c", shQuote("import onnx")), stdout = FALSE, stderr = FALSE) == 0
  }, c("python3", "/usr/bin/python3"))
  skip_if_not(length(python) > 0L, "no python3-onnx here")
  folder <- withr::local_tempdir()
  files <- file.path(folder, seq_along(models))
  for (i in seq_along(models)) writeBin(models[[i]], files[i])
  check <- paste(
    "import onnx, sys", "for file in sys.argv[1:]:", "  model = onnx.load(file)",
    "  onnx.checker.check_model(model, full_check=True)",
    "  print(*[out.name for out in model.graph.output])", sep = "\n"
  )
  system2(python[1L], c("-c", shQuote(check), files), stdout = TRUE)
}

# So that a row without a value takes part in every split.
gappy_iris <- function() {
  d <- iris
  d$Petal.Length[c(1, 60, 120)] <- NA
  d$Petal.Width[c(1, 61, 121)] <- NA
  d
}
