# Tested in test-engine-grow.R, test-engine-fetch.R and test-engine-resume.R.
# Grows a tree from the answers of a counter (see engine-memory.R), level by level.

# `terms`: from table_terms(); its `input` is that of formula_input(), without values.
grow_counted <- function(counter, terms, asked, control, engine, call = NULL, env = NULL) {
  meta <- counter$meta()
  check_counted_rows(meta, terms$input)
  plan <- plan_counted(counter, meta, terms, asked, control, engine)
  finish_counted(plan, counter, asked$validation, call, env)
}

# Everything that growth needs besides the counter; a checkpoint stores it.
plan_counted <- function(counter, meta, terms, asked, control, engine,
                         preset = check_preset(asked$preset)) {
  input <- terms$input
  ready <- prepare_for(
    counted_response(meta, input$response_name), asked, control, preset,
    function() counted_frame(meta, preset)
  )
  ready <- counted_missing(ready, control$missing)
  ready$n_missing_response <- meta$dropped %||% 0
  check_counted(ready)
  say_stage(engine, "codes of {count_text(length(meta$columns), 'predictor')}")
  codes <- code_counted(counter, meta, engine)
  counter$encode(codes$meaning)
  report <- level_ticker(engine)
  root <- counter$counts(1L, counted_what(list(meta = meta), 0L))
  report(0L, list(id = 1L, rows = meta$n), root)
  ready <- with_totals(ready, meta, root)
  cost <- check_cost(asked$cost, ready$response$info)
  priors <- resolve_priors(asked, ready, cost)
  control <- check_prune_task(ready$control, ready$response$info, asked$validation)
  control <- counted_pruning(control)
  input$n <- counted_rows(meta, ready)
  list(
    meta = meta, terms = terms, input = input, ready = ready, codes = codes, root = root,
    cost = cost, priors = priors, control = control,
    core = counted_core(ready, cost, control, priors), engine = engine
  )
}

# `answers`: those of the levels that were already counted.
finish_counted <- function(plan, counter, validation = NULL, call = NULL, env = NULL,
                           answers = list()) {
  keep <- checkpoint_keeper(plan, call)
  grown <- grow_by_level(counter, plan, answers, keep)
  if (!is.null(counter$check)) counter$check(plan$root, plan$meta$response$centre)
  fit <- new_tree(
    grown$tree, plan$ready, plan$input, plan$control, plan$cost, plan$priors, call
  )
  # A row with frequency n counts as n rows.
  if (counts_frequencies(fit)) fit$tree$n <- round(case_weights(fit))
  fit$found <- found_words[grown$found + 1L]
  if (!is.null(plan$ready$instead_of)) fit$instead_of <- plan$ready$instead_of
  response <- plan$meta$response
  if (response$kind == "number") fit$sums <- "exact"
  fit <- finish_pruning(fit, plan$core, NULL, validation, env)
  fit$passes <- counter$passes()
  fit
}

# The number of rows, counted by frequencies.
counted_rows <- function(meta, ready) {
  if (meaning_of(ready$control) == "frequency") ready$total else meta$n
}

found_words <- c("", "values", "certified", "bins", "collected")

check_counted_rows <- function(meta, input) {
  if (meta$n > 0) {
    return(invisible())
  }
  if (isTRUE(meta$dropped > 0)) {
    tec_abort("response", "Every value of the response {.field {input$response_name}} is missing.")
  }
  tec_abort("data", c(
    "There are no rows to grow a tree from.",
    x = "The table of {.arg data} has 0 rows."
  ))
}

# If values are missing and `missing` was not given, a policy that works with counts replaces the
# default, which needs rows.
counted_missing <- function(ready, given) {
  control <- ready$control
  if (!is.null(given) || control$missing != "fractional" || !any(ready$frame$has_missing)) {
    return(ready)
  }
  ready$control$missing <- if (control$rules == "c45") "majority" else "learned"
  tec_inform("engine", paste(
    "Values are missing: {.code missing = \"{ready$control$missing}\"} is used, because the",
    "default, {.val fractional}, needs rows."
  ))
  ready$instead_of <- "fractional"
  ready
}

counted_response <- function(meta, name) {
  of <- meta$response
  if (isTRUE(meta$dropped > 0)) {
    tec_inform("dropped", "{meta$dropped} row{?s} with a missing response {?is/are} not used.")
  }
  if (of$kind != "class") {
    return(list(
      core = list(y = numeric(), n_classes = 0L),
      info = list(name = name, task = "regression", levels = NULL, ptype = numeric())
    ))
  }
  list(
    core = list(y = integer(), n_classes = length(of$levels)),
    info = list(
      name = name, task = "classification", levels = of$levels, ptype = of$ptype %||% character()
    )
  )
}

counted_frame <- function(meta, preset) {
  of <- function(what) lapply(meta$columns, `[[`, what)
  kind <- unlist(of("kind"))
  if (preset == "id3") kind[kind == "ordered"] <- "nominal"
  levels <- of("values")
  levels[kind == "numeric"] <- list(NULL)
  ptype <- of("ptype")
  none <- vapply(ptype, is.null, NA)
  ptype[none] <- ifelse(kind[none] == "numeric", list(numeric()), list(character()))
  list(
    name = unlist(of("name")), kind = kind, value = vector("list", length(kind)),
    n_levels = lengths(levels), levels = levels, ptype = ptype,
    has_missing = unlist(of("missing")) > 0
  )
}

# The weights of the classes and their total, from the cells of the root.
with_totals <- function(ready, meta, root) {
  first <- root$column == 1L
  ready$total <- sum(root$n[first])
  if (ready$response$info$task == "classification") {
    of <- ready$response$info
    ready$class_totals <- rowsum_at(root$n[first], root$class[first], length(of$levels))
    warn_one_class(ready$class_totals, of$levels, of$name)
  }
  ready
}

# The core's problem, without rows.
counted_core <- function(ready, cost, control, priors) {
  core <- core_problem(ready, cost, control, priors$factors)
  share <- core$control$min_bucket_share * ready$total
  core$control$min_bucket <- max(core$control$min_bucket, share)
  core$control$min_bucket_share <- 0
  core
}

# The codes of the columns: list(meaning = per column what its codes stand for, in the form of
# counter$encode(); values = the same for the core, for bins their upper edges; bins = whether the
# column has bins).
code_counted <- function(counter, meta, engine) {
  bins <- vapply(meta$columns, function(x) is.null(x$values), NA)
  check_many_levels(meta, bins, engine)
  meaning <- lapply(seq_along(bins), function(j) {
    if (!bins[j]) {
      return(list(values = meta$columns[[j]]$values))
    }
    cuts <- as.double(unclass(counter$cuts(j, engine$bins)))
    range <- as.double(unclass(meta$columns[[j]]$range))
    list(cuts = cuts[cuts < range[2L]], range = range)
  })
  values <- Map(function(of, x) {
    if (!is.null(of$cuts)) {
      return(c(of$cuts, of$range[2L]))
    }
    as.double(if (x$kind == "numeric") unclass(x$values) else seq_along(x$values))
  }, meaning, meta$columns)
  list(meaning = meaning, values = values, bins = bins)
}

check_many_levels <- function(meta, bins, engine) {
  kind <- vapply(meta$columns, `[[`, "", "kind")
  many <- bins & kind != "numeric"
  if (any(many)) {
    names <- vapply(meta$columns[many], `[[`, "", "name")
    tec_abort("engine", c(
      "{cli::qty(length(names))}{?A column has/Columns have} more than {engine$max_values} levels:
       {.field {names}}.",
      i = "Leave {?it/them} out, or allow more: {.code engine = tec_engine(max_values = )}."
    ))
  }
}

# A fit from rows that were read, or from counts. `exprs`: arguments of the call that are
# expressions of columns. `read(data, exprs)` fits a data frame. `count(counter, terms, engine)`
# fits counts; `check(response)` is called before anything is counted, with the name and the task of
# the response.
fit_elsewhere <- function(formula, data, table, engine, exprs, control, read, check, count) {
  engine <- check_engine(engine)
  source <- table_source(data, table)
  on.exit(source$close())
  exprs <- lapply(exprs, function(expr) if (is_string(expr)) as.name(expr) else expr)
  columns <- columns_of_call(formula, source$names, engine, exprs)
  way <- choose_way(source, columns, engine)
  if (way$read) {
    say_way(way, columns, engine, source$con)
    rows <- if (isTRUE(way$packed)) read_packed(source, columns, way, engine) else
      read_elsewhere(source, columns, engine)
    if (!is.null(rows)) {
      fit <- read(rows$data, exprs)
      fit$passes <- rows$passes
      if (inherits(fit, "tec_tree")) fit$found <- ifelse(fit$tree$kind == 0L, "", "collected")
      return(fit)
    }
    way <- list(read = FALSE, packed = FALSE, n = way$n, needs = way$needs, may = way$may)
  }
  check_counted_weights(exprs$weights, control)
  terms <- table_terms(formula, source$names, column_name(exprs$weights, "weights"), engine)
  check(response_elsewhere(source, terms))
  check_checkpoint(engine$checkpoint)
  say_way(way, columns, engine, source$con)
  say_stage(engine, "values of {count_text(length(columns), 'column')}")
  counter <- counter_of(source, terms, engine, environment())
  count(counter, terms, counting_engine(engine))
}

#' Resume an interrupted tree
#'
#' A tree grown from a database or files with `engine = tec_engine(checkpoint = file)` saves its
#' counts after each level. `tec_resume()` continues from there, on a new connection or in another
#' session. The result is the tree that would have grown without the interruption.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @param file The file that was given as `checkpoint`.
#' @param data The same table: a lazy table, a connection, paths of Parquet files, or a cluster.
#' @param table The name of the table if `data` is a connection or a cluster; for a cluster it can
#'   also be a function.
#' @param engine Settings from [tec_engine()]; `NULL`: those of the call that was interrupted.
#' @param validation For `prune = "rep"`: the rows that the call had.
#' @return A tree, as from [tec_tree()].
#' @family trees of data elsewhere
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' file <- tempfile(fileext = ".rds")
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' engine <- tec_engine(collect_rows = 0, checkpoint = file)
#' fit <- tec_tree(Species ~ ., con, table = "iris", prune = "none", engine = engine)
#' again <- tec_resume(file, con, table = "iris")
#' identical(fit$tree, again$tree)
#' DBI::dbDisconnect(con)
#' @export
tec_resume <- function(file, data, table = NULL, engine = NULL, validation = NULL) {
  saved <- read_checkpoint(file)
  plan <- saved$plan
  if (!is.null(engine)) plan$engine <- counting_engine(check_engine(engine))
  source <- table_source(data, table, "tec_resume")
  on.exit(source$close())
  counter <- counter_of(source, plan$terms, plan$engine, environment())
  check_same_table(counter$meta(), plan$meta)
  counter$encode(plan$codes$meaning)
  finish_counted(plan, counter, validation, saved$call, parent.frame(), saved$answers)
}
