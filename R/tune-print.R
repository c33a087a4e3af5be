#' Print the result of tuning
#'
#' Shows the chosen setting with the reason, and one line for each of the best settings; `>` marks
#' the chosen setting. Standard errors are in brackets. A further line reports that the grid of `q`
#' was extended, or that the best value is its first or last.
#'
#' @param x A result of [tec_tune()], or `fit$tuning` of a tree grown with several `q`.
#' @param n Maximum number of settings to show, the best and the chosen one; `Inf` for all.
#' @param digits Number of significant digits.
#' @param width Maximum width of a line.
#' @param ... Not used.
#' @return `x`, invisibly.
#' @family choosing settings
#' @examples
#' print(tec_tune(Species ~ ., iris, q = 1:3, folds = 5), n = 2)
#' @export
print.tec_tune <- function(x, n = 10L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width, n)
  refuse_dots("print.tec_tune", ...)
  check_tuned(x)
  n <- check_bound(n, "n", least = 1)
  more <- nrow(x$table) - n
  cat(
    tune_header(x, width), if (more > 0) grid_lines(x, width), edge_lines(x, width),
    if (nrow(x$table) == 1L && is.null(x$stopped)) {
      wrap("One setting: nothing was chosen. Give several values, or `tune =`", width)
    },
    tune_lines(x, n, digits, width),
    sep = "\n"
  )
  if (more > 0) {
    cat(fit_width(more_text(more, "setting"), width), "\n", sep = "")
  }
  invisible(x)
}

# Checks that a result of tec_tune() is complete.
check_tuned <- function(x) {
  size <- function(n) is_size(n) && n >= 1
  whole <- is.list(x) && is.data.frame(x$table) && nrow(x$table) > 0L && is.data.frame(x$folds) &&
    is.character(x$grid) && all(c(x$grid, x$stopped, x$metric) %in% names(x$table)) &&
    is.character(x$metric) && length(x$metric) > 0L &&
    (is.null(x$stopped) || is.character(x$stopped)) &&
    is_number(x$chosen) && x$chosen %in% seq_len(nrow(x$table)) && is_string(x$by %||% "cv") &&
    is_string(x$why) && is_string(x$rule) && is.character(x$response) &&
    isTRUE(x$partial %in% c(TRUE, FALSE)) && size(x$n_folds) && size(x$n_rows) &&
    (is.null(x$n_sampled) || size(x$n_sampled)) && (is.null(x$edge) || is.list(x$edge))
  if (!whole) abort_tuned()
}

tuned_words <- c(tree = "a tree", forest = "a forest", boost = "boosting")

tune_header <- function(x, width) {
  title <- paste0(
    "Tuning of ", tuned_words[[x$model %||% "tree"]], " for ", show_names(x$response), ": ",
    count_text(nrow(x$table), "setting"), ", ", design_text(x)
  )
  label <- setting_labels(x$table[c(x$grid, x$stopped)])[x$chosen]
  chosen <- paste0("Chosen: ", label, " (", x$why, ")")
  c(
    if (x$partial) {
      wrap(paste0(
        "PARTIAL: interrupted after ", nrow(x$folds), " of ", count_text(x$n_folds, "fold")
      ), width)
    },
    wrap(title, width), wrap(chosen, width)
  )
}

# "Grid: cp (8 values), max_depth (2)", if not every setting has a line.
grid_lines <- function(x, width) {
  n <- vapply(x$table[x$grid], function(v) length(unique(v[!is.na(v)])), 0L)
  n <- n[n > 1L]
  if (length(n) > 1L) {
    text <- c(count_text(n[[1L]], "value"), n[-1L])
    wrap(paste0("Grid: ", paste0(names(n), " (", text, ")", collapse = ", ")), width)
  }
}

# Reports how a best q at the end of its grid was handled.
edge_lines <- function(x, width) {
  tried <- x$widened
  edge <- x$edge
  beyond <- if (identical(edge$side, "last")) "larger" else "smaller"
  c(
    if (length(tried)) {
      wrap(paste0("Added to the grid of q, whose end was the best: ", show_numbers(tried)), width)
    },
    if (!is.null(edge) && (edge$n > 2L || length(tried))) {
      wrap(paste0(
        "The best q, ", format_number(edge$q), ", is the ", edge$side, " of the grid: a ", beyond,
        " one may be better"
      ), width)
    }
  )
}

show_numbers <- function(x) paste(format_number(x), collapse = ", ")

design_text <- function(x) {
  by <- x$by %||% "cv"
  repeats <- length(unique(x$folds[["repeat"]]))
  folds <- if (x$partial) x$n_folds else max(table(x$folds[["repeat"]]))
  rows <- if (is.null(x$n_sampled)) {
    count_text(x$n_rows, "row")
  } else {
    paste(count_text(x$n_sampled, "row"), "sampled of", count_text(x$n_rows, "row"))
  }
  if (by == "oob") {
    return(paste("by out-of-bag predictions of", rows))
  }
  if (by %in% one_sample) {
    return(paste0("by \"", by, "\" on ", rows))
  }
  paste0(
    count_text(folds, if (by == "cv") "fold" else "bootstrap sample"),
    if (repeats > 1L && !x$partial) paste0(" x ", count_text(repeats, "repeat")), " of ", rows
  )
}

# The tuned parameter of the criterion of a tree: q or beta.
tuned_names <- function(tuning) {
  names <- setdiff(varying_columns(tuning), "criterion")
  if (length(names)) names else "criterion"
}

# The line in the header of a tree whose q or beta was chosen.
tuned_text <- function(tuning) {
  names <- tuned_names(tuning)
  values <- count_text(nrow(tuning$table), if (length(names) > 1L) "setting" else "value")
  paste0(
    paste(names, collapse = ", "), " chosen from ", values, " by ",
    chosen_by_text(tuning), " (",
    metric_label(tuning$metric[1L]), " ",
    with_error(tuning$table[[tuning$metric[1L]]][tuning$chosen], NA, 4L), "): see $tuning",
    if (tuning$partial) "; PARTIAL"
  )
}

chosen_by_text <- function(tuning) {
  switch(tuning$by %||% "cv",
    cv = "cross-validation", bootstrap632 = "the bootstrap", "one sample"
  )
}

# The settings to print: all in the order of the grid, or the best and the chosen one.
shown_settings <- function(x, n) {
  all <- seq_len(nrow(x$table))
  if (length(all) <= n) {
    return(all)
  }
  metric <- x$metric[1L]
  value <- x$table[[metric]] * if (is_largest(metric)) -1 else 1
  first <- order(value, x$table$nodes)
  sort(unique(c(x$chosen, first))[seq_len(n)])
}

# The columns of the grid that distinguish settings.
varying_columns <- function(x) {
  varies <- vapply(x$table[x$grid], function(v) length(unique(v)) > 1L, NA)
  if (any(varies)) x$grid[varies] else utils::head(x$grid, 1L)
}

tune_lines <- function(x, n, digits, width) {
  rows <- shown_settings(x, n)
  table <- x$table[rows, , drop = FALSE]
  columns <- lapply(c(varying_columns(x), x$stopped), function(name) {
    text <- if (is.numeric(table[[name]])) format_number(table[[name]]) else table[[name]]
    text[is.na(table[[name]])] <- ""
    pad(c(name, as.character(text)), right = is.numeric(table[[name]]))
  })
  measured <- unique(c(x$metric, "nodes"))
  columns <- c(columns, lapply(measured, function(name) {
    se <- table[[paste0(name, "_se")]]
    whole <- name %in% sizes && all(is.na(se)) && all(table[[name]] %% 1 == 0, na.rm = TRUE)
    text <- if (whole) number_text(table[[name]]) else with_error(table[[name]], se, digits)
    pad(c(name, text), right = TRUE)
  }))
  mark <- c(" ", ifelse(rows == x$chosen, ">", " "))
  fit_width(do.call(paste, c(list(mark), columns, sep = "  ")), width)
}

# "0.9467 (0.0178)"
with_error <- function(mean, se, digits) {
  number <- function(v) formatC(v, digits = digits, format = "fg", flag = "#")
  out <- sub("[.]$", "", number(mean))
  known <- !is.na(se)
  out[known] <- paste0(out[known], " (", error_text(se[known]), ")")
  out[is.na(mean)] <- "failed"
  out
}

# Two digits. Errors of 100 or more are whole numbers, not powers of ten.
error_text <- function(se) {
  out <- trimws(formatC(se, digits = 2L, format = "g"))
  large <- is.finite(se) & se >= 99.5
  out[large] <- formatC(se[large], digits = 0L, format = "f", width = 1L)
  out
}

#' The settings of a tuning run as a data frame
#'
#' @param x A result of [tec_tune()], or `fit$tuning` of a tree grown with several `q`.
#' @param row.names,optional As in [as.data.frame()].
#' @param what `"settings"`: one row per setting. `"folds"`: one row per setting and fold.
#' @param ... Not used.
#' @return A data frame. For settings: the columns of the grid, the mean of every metric and of
#'   `nodes`, `leaves` and `depth`, their standard errors (`_se`), and `chosen`. For folds: the
#'   columns of the grid, `repeat`, `fold`, `n_train`, `n_test` and the values.
#' @family choosing settings
#' @examples
#' tuned <- tec_tune(Species ~ ., iris, q = 1:3, folds = 5)
#' as.data.frame(tuned)
#' head(as.data.frame(tuned, what = "folds"))
#' @export
as.data.frame.tec_tune <- function(x, row.names = NULL, optional = FALSE,
                                   what = c("settings", "folds"), ...) {
  refuse_dots("as.data.frame", ...)
  check_tuned(x)
  what <- if (missing(what)) "settings" else match_choice(what, c("settings", "folds"), "what")
  if (what == "settings") {
    out <- cbind(x$table, chosen = seq_len(nrow(x$table)) == x$chosen)
  } else {
    out <- fold_values(x$table[c(x$grid, x$stopped)], x$folds, x$values)
  }
  with_row_names(out, row.names)
}

#' @export
tidy.tec_tune <- function(x, ...) {
  refuse_dots("tidy", ...)
  out <- as.data.frame.tec_tune(x)
  as_table(out)
}
