# Tested in test-compare.R.

#' @export
print.tec_comparison <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  check_output(digits, width)
  refuse_dots("compare_criteria", ...)
  cat(comparison_header(x, width), comparison_lines(x, digits, width), sep = "\n")
  cat(comparison_verdict(x, width), sep = "\n")
  invisible(x)
}

comparison_header <- function(x, width) {
  n <- nrow(x$table)
  all <- n + sum(lengths(strsplit(x$table$same, " / ", fixed = TRUE)))
  criteria <- count_text(all, "criterion", "criteria")
  if (all > n) criteria <- paste0(criteria, " (", n, " different)")
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

# The best rank first. Criteria that grow the same tree share a line, wrapped in its first column.
comparison_lines <- function(x, digits, width) {
  table <- x$table[order(x$table$rank), ]
  measured <- unique(c(x$metric, "nodes", "depth"))
  names <- lapply(seq_len(nrow(table)), function(i) name_lines(table$criterion[i], table$same[i]))
  first <- cumsum(c(1L, lengths(names)))[seq_along(names)]
  on_first <- function(text) replace(rep("", sum(lengths(names))), first, text)
  columns <- c(
    list(
      pad(c("criterion", unlist(names))),
      pad(c("rank", on_first(formatC(table$rank, digits = 2L, format = "f"))), right = TRUE)
    ),
    lapply(measured, function(name) {
      text <- with_error(table[[name]], table[[paste0(name, "_se")]], digits)
      pad(c(name, on_first(text)), right = TRUE)
    })
  )
  trimws(fit_width(do.call(paste, c(columns, sep = "  ")), width), "right")
}

# "shannon / cami" in lines of some twenty characters, names not cut.
name_lines <- function(name, same) {
  all <- c(name, if (nzchar(same)) strsplit(same, " / ", fixed = TRUE)[[1L]])
  all[-length(all)] <- paste(all[-length(all)], "/")
  line <- 1L
  lines <- all[1L]
  for (one in all[-1L]) {
    if (nchar(lines[line]) + nchar(one) > 22L) {
      line <- line + 1L
      lines[line] <- paste0("  ", one)
    } else {
      lines[line] <- paste(lines[line], one)
    }
  }
  lines
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
  refuse_dots("as.data.frame", ...)
  known <- c("criteria", "tests", "folds")
  what <- if (missing(what)) "criteria" else match_choice(what, known, "what")
  out <- switch(what,
    criteria = x$table,
    tests = x$tests,
    folds = x$values
  )
  with_row_names(out, row.names)
}

#' @export
tidy.tec_comparison <- function(x, what = "criteria", ...) {
  refuse_dots("tidy", ...)
  out <- as.data.frame.tec_comparison(x, what = what)
  as_table(out)
}
