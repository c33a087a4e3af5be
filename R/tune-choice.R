# From the measures of all cells to one setting.

# A data frame, one row per setting: the mean and the standard error of every measure.
# Folds of several repeats share their rows, so a repeat adds nothing to the number of
# independent values: the error is the spread of all values over the root of the
# number of folds of one repeat.
summarise_cells <- function(values, n_independent) {
  settings <- dim(values)[1L]
  out <- list()
  for (name in dimnames(values)[[2L]]) {
    cells <- matrix(values[, name, ], settings)
    # A fold without the classes that a metric needs is ignored for all settings.
    lost <- colSums(!is.na(cells)) == 0L
    cells <- cells[, !lost, drop = FALSE]
    out[[name]] <- rowMeans(cells)
    spread <- sqrt(pmax(0, rowSums((cells - out[[name]])^2)) / (ncol(cells) - 1L))
    out[[paste0(name, "_se")]] <- if (ncol(cells) > 1L) {
      spread / sqrt(min(ncol(cells), n_independent))
    } else {
      rep(NA_real_, settings)
    }
  }
  list2DF(out)
}

# list(row =, best =, why =). `table` has the grid's columns and the means.
choose_setting <- function(table, metric, rule) {
  value <- table[[metric]] * if (is_largest(metric)) 1 else -1
  ok <- !is.na(value)
  q_distance <- if (is.null(table$q)) rep(0, nrow(table)) else abs(table$q - 1)
  q_distance[is.na(q_distance)] <- Inf
  top <- max(value[ok])
  tied <- which(ok & value >= top - 1e-12)
  best <- tied[order(table$nodes[tied], q_distance[tied])][1L]
  if (rule == "best") {
    return(list(row = best, best = best, why = why_best(table, tied, best, metric)))
  }
  se <- table[[paste0(metric, "_se")]][best]
  within <- which(ok & value >= value[best] - (if (is.na(se)) 0 else se) - 1e-12)
  row <- within[order(table$nodes[within], -value[within], q_distance[within])][1L]
  alone <- length(within) == 1L
  list(row = row, best = best, why = paste0(
    if (alone) "alone " else paste0("fewest nodes of the ", length(within), " settings "),
    "within one standard error of the best ", metric_label(metric)
  ))
}

why_best <- function(table, tied, best, metric) {
  least <- if (metric == "nodes") "fewest" else "lowest"
  text <- paste(if (is_largest(metric)) "highest" else least, metric_label(metric))
  if (length(tied) == 1L) {
    return(text)
  }
  smallest <- tied[table$nodes[tied] == table$nodes[best]]
  text <- paste0(text, " of ", count_text(length(tied), "equal setting"))
  if (length(smallest) < length(tied)) text <- paste0(text, ", fewest nodes")
  if (length(smallest) == 1L) {
    return(text)
  }
  one_q <- length(unique(table$q[smallest])) < 2L
  paste0(text, if (one_q) ", first in the grid" else ", q nearest 1")
}

metric_label <- function(metric) {
  switch(metric,
    balanced_accuracy = "balanced accuracy", log_loss = "log loss", brier = "Brier score",
    auc = "AUC", rmse = "RMSE", mae = "MAE", ebp = "error expected by \"ebp\"",
    pep = "error expected by \"pep\"", mdl = "description length",
    bootstrap632 = ".632+ error", metric
  )
}

# The choice and its reasons, in plain vectors.
describe_run <- function(run, rule) {
  metric <- run$metric[1L]
  labels <- setting_labels(run$table)
  check_failures(run$values, run$errors, labels, metric)
  summary <- summarise_cells(run$values, max(table(run$folds[["repeat"]])))
  table <- cbind(run$table, summary)
  table[[metric]][rowSums(!is.na(run$errors)) > 0L] <- NA
  choice <- choose_setting(table, metric, rule)
  list(
    table = table, chosen = choice$row, best = choice$best, why = choice$why,
    metric = run$metric, rule = rule, grid = setdiff(names(run$table), run$stopped),
    several = run$several,
    values = run$values, folds = run$folds, n_folds = run$n_folds,
    partial = nrow(run$folds) < run$n_folds, n_rows = run$n_rows, n_sampled = run$n_sampled,
    task = run$task, by = run$by, response = run$ready$response$info$name, widened = run$widened,
    edge = run$edge, model = run$model %||% "tree", stopped = run$stopped, paths = run$paths,
    seed = run$seed
  )
}

# A setting in words: "tsallis, q = 1.4, min_bucket = 5".
setting_labels <- function(table) {
  if (length(table)) line_labels(table) else rep("the only one", nrow(table))
}

format_number <- function(x) vapply(x, format, "", digits = 7)

# Settings that failed on some fold are not considered.
check_failures <- function(values, errors, labels, metric) {
  failed <- rowSums(!is.na(errors)) > 0L
  if (all(failed)) {
    first <- escape_braces(errors[!is.na(errors)][1L])
    tec_abort("tune", c("No setting could be fitted on every fold.", x = first))
  }
  if (any(failed)) {
    first <- which(failed)[1L]
    text <- escape_braces(errors[first, !is.na(errors[first, ])][1L])
    tec_warn("tune", c(
      "{sum(failed)} setting{?s} could not be fitted on every fold and {?is/are} left out.",
      x = paste0("The first is {.val {labels[first]}}: ", text)
    ))
  }
  undefined <- colSums(!is.na(matrix(values[!failed, metric, ], sum(!failed)))) == 0L
  if (all(undefined)) {
    tec_abort("metric", c(
      "{.arg metric} {.val {metric}} is not defined on any fold.",
      i = "It needs folds that hold rows of at least two classes."
    ))
  }
  if (any(undefined)) {
    tec_warn("metric", c(
      paste(
        "{.arg metric} {.val {metric}} is not defined",
        "on {sum(undefined)} of {length(undefined)} folds."
      ),
      i = "They hold rows of one class and are left out of its mean."
    ))
  }
}

# One text per setting: "gini", "tsallis, q = 1".
line_labels <- function(table) {
  text <- lapply(names(table), function(name) {
    value <- setting_text(table[[name]])
    ifelse(is.na(table[[name]]), NA, if (name == "criterion") value else paste(name, "=", value))
  })
  join_known(text)
}

setting_text <- function(x) {
  out <- if (is.numeric(x)) format_number(x) else as.character(x)
  ifelse(is.na(x), NA, out)
}

join_known <- function(columns) {
  text <- do.call(cbind, unname(columns))
  apply(text, 1L, function(row) paste(row[!is.na(row)], collapse = ", "))
}
