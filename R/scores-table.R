# From what the core found to the table of tec_scores().

score_prepared <- function(ready, candidates) {
  frame <- ready$frame
  found <- tec_scores_(
    frame$value, unname(kind_codes[frame$kind]), frame$n_levels, ready$response$core,
    ready$weights, ready$rows, core_criterion(ready$criterion), core_control(ready$control),
    candidates == "all", ready$training
  )
  found$variable <- found$column
  out <- data.frame(
    variable = frame$name[found$column],
    split = split_texts(found, frame),
    kind = split_kinds[found$kind + 1L],
    gain = found$gain, score = found$score, eligible = as.logical(found$eligible),
    chosen = as.logical(found$chosen), cut = found$cut, exact = as.logical(found$exact),
    stringsAsFactors = FALSE
  )
  if (candidates == "all") {
    out$admissible <- as.logical(found$admissible)
  }
  # The winner stands first among equals, and equals keep the formula's order.
  out <- out[order(-out$score, !out$chosen), ]
  rownames(out) <- NULL
  structure(
    out,
    criterion = format(ready$criterion),
    node = 1L,
    n = if (is.null(ready$rows)) length(ready$response$core$y) else length(ready$rows),
    class = c("tec_scores", "data.frame")
  )
}

#' @export
print.tec_scores <- function(x, n = 40L, digits = 7L, width = getOption("width"), ...) {
  if (!all(c("variable", "split", "score") %in% names(x))) {
    return(NextMethod())
  }
  criterion <- attr(x, "criterion")
  if (!is.null(criterion)) {
    rows <- count_text(attr(x, "n"), "row")
    title <- paste0("Scores by ", criterion, " at node ", attr(x, "node"), " (", rows, ")")
    cat(fit_width(title, width), "\n", sep = "")
  }
  if (nrow(x) == 0L) {
    cat("No attribute has an admissible split.\n")
    return(invisible(x))
  }
  shown <- x[seq_len(min(n, nrow(x))), , drop = FALSE]
  cat(score_lines(shown, digits, width), sep = "\n")
  more <- nrow(x) - nrow(shown)
  if (more > 0L) {
    cat(fit_width(more_text(more, "row"), width), "\n", sep = "")
  }
  invisible(x)
}

# The winner is marked with ">", attributes that are not eligible with "(no)".
score_lines <- function(x, digits, width) {
  mark <- if ("chosen" %in% names(x)) ifelse(x$chosen, ">", " ") else rep(" ", nrow(x))
  number <- function(v) formatC(v, digits = digits, format = "g", width = 1L)
  fixed <- c(
    if ("gain" %in% names(x)) list(gain = number(x$gain)),
    list(score = number(x$score)),
    if ("eligible" %in% names(x)) list(eligible = ifelse(x$eligible, "yes", "no"))
  )
  columns <- lapply(names(fixed), function(name) pad(c(name, fixed[[name]]), right = TRUE))
  tail <- do.call(paste, columns)
  room <- width - nchar(tail[1L], "width") - 4L
  names <- pad(fit_width(c("variable", show_names(x$variable)), max(8, room %/% 2)))
  left <- max(5, room - nchar(names[1L], "width"))
  split <- pad(fit_width(c("split", x$split), left))
  fit_width(paste(c(" ", mark), names, split, tail), width)
}

# Pads to a common display width.
pad <- function(text, right = FALSE) {
  gap <- strrep(" ", max(nchar(text, "width")) - nchar(text, "width"))
  if (right) paste0(gap, text) else paste0(text, gap)
}
