#' @export
print.tec_comparison <- function(x, digits = 4L, width = getOption("width"), ...) {
  check_known(dot_names(list(...)), c("digits", "width"), "compare_criteria")
  cat(comparison_header(x, width), comparison_lines(x, digits, width), sep = "\n")
  cat(comparison_verdict(x, width), sep = "\n")
  invisible(x)
}

comparison_header <- function(x, width) {
  criteria <- count_text(nrow(x$table), "criterion", "criteria")
  over <- if (is.null(x$data)) {
    paste(count_text(x$n_folds, "fold"), "of", count_text(x$n_rows, "row"))
  } else {
    count_text(length(x$data), "data set")
  }
  c(
    if (x$partial) wrap("PARTIAL: interrupted, on the folds finished", width),
    wrap(paste0("Comparison of ", criteria, " for ", show_names(x$response), " on ", over), width)
  )
}

# The best rank first.
comparison_lines <- function(x, digits, width) {
  table <- x$table[order(x$table$rank), ]
  measured <- unique(c(x$metric, "nodes", "depth"))
  columns <- c(
    list(
      pad(c("criterion", table$criterion)),
      pad(c("rank", formatC(table$rank, digits = 2L, format = "f")), right = TRUE)
    ),
    lapply(measured, function(name) {
      pad(c(name, with_error(table[[name]], table[[paste0(name, "_se")]], digits)), right = TRUE)
    })
  )
  fit_width(do.call(paste, c(columns, sep = "  ")), width)
}

comparison_verdict <- function(x, width) {
  if (!is.null(x$overall)) {
    return(wrap(paste0(
      "Friedman's test: p = ", format.pval(x$overall$p, 3L), "; critical difference of ranks ",
      format(x$overall$critical_difference, digits = 3L), " (Nemenyi, level ", x$level, ")"
    ), width))
  }
  different <- sum(x$tests$p_adjusted < 1 - x$level)
  verb <- if (different == 1) "differs" else "differ"
  wrap(paste0(
    different, " of ", count_text(nrow(x$tests), "pair"), " ", verb,
    " by the corrected t-test (Holm, level ", x$level, ")"
  ), width)
}

#' @export
as.data.frame.tec_comparison <- function(x, row.names = NULL, optional = FALSE,
                                         what = c("criteria", "tests", "folds"), ...) {
  check_known(dot_names(list(...)), c("row.names", "optional", "what"), "as.data.frame")
  known <- c("criteria", "tests", "folds")
  what <- if (missing(what)) "criteria" else match_choice(what, known, "what")
  out <- switch(what,
    criteria = x$table,
    tests = x$tests,
    folds = x$values
  )
  if (!is.null(row.names)) rownames(out) <- row.names
  out
}

#' @exportS3Method generics::tidy
tidy.tec_comparison <- function(x, what = "criteria", ...) {
  out <- as.data.frame.tec_comparison(x, what = what)
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(out) else out
}
