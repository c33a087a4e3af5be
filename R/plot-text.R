# Texts that keep to the room they have.

# Text in lines of at most `width` (in the units of `measure`): broken at spaces and after
# . _ - , / (not within a number, nor between it and its sign) where it must be, shortened to
# `lines` lines with an ellipsis.
wrap_text <- function(text, width, lines, measure) {
  fold <- function(t) {
    wrapped <- wrap_one(t, width, lines, measure)
    if (wrapped$whole) wrapped$text else shorten_lines(wrapped$text, width, lines, measure)
  }
  long <- measure(text) > width
  text[long] <- vapply(text[long], fold, "", USE.NAMES = FALSE)
  text
}

# Conditions: of a set of levels as many as there is room for, "a, b, +14". `width` is
# one number or one per node, `lines` one per node; `short` allows thresholds of fewer digits.
wrap_edges <- function(view, width, lines, measure, short = FALSE) {
  sets <- attr(view, "sets")
  out <- view$edge
  width <- rep_len(width, length(out))
  long <- which(is_wider(out, width, measure))
  if (short) {
    out[long] <- view$short[long]
    long <- long[is_wider(out[long], width[long], measure)]
  }
  out[long] <- vapply(long, function(i) {
    wrapped <- wrap_one(out[i], width[i], lines[i], measure)
    if (wrapped$whole) {
      return(wrapped$text)
    }
    if (is.null(sets[[i]])) {
      return(shorten_lines(wrapped$text, width[i], lines[i], measure))
    }
    wrap_set(sets[[i]], width[i], lines[i], measure)
  }, "")
  out
}

wrap_set <- function(labels, width, lines, measure) {
  n <- length(labels)
  first <- function(k) paste(c(labels[seq_len(k)], paste0("+", n - k)), collapse = ", ")
  low <- 0L
  high <- min(n - 1L, sum(cumsum(nchar(utils::head(labels, most_wrapped)) + 2L) <= most_wrapped))
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    if (wrap_one(first(middle), width, lines, measure)$whole) low <- middle else high <- middle - 1L
  }
  if (low > 0L) {
    return(wrap_one(first(low), width, lines, measure)$text)
  }
  rest <- paste0(", +", n - 1L)
  paste0(shorten_text(labels[1L], width - measure(rest), measure), rest)
}

# Letters of a text that are looked at: more have no room, unless they fit one line.
most_wrapped <- 500L

# Sets of many levels make texts that take long to measure as a whole.
is_wider <- function(text, width, measure) {
  wider <- measure(substr(text, 1L, most_wrapped)) > width
  rest <- !wider & nchar(text) > most_wrapped
  wider[rest] <- measure(text[rest]) > rep_len(width, length(text))[rest]
  wider
}

# list(text =, whole = whether nothing is too wide or too much)
wrap_one <- function(text, width, lines, measure) {
  if (!nzchar(text) || !is_wider(text, width, measure)) {
    return(list(text = text, whole = TRUE))
  }
  long <- nchar(text) > most_wrapped
  breaks <- "(?<=[ _,/])(?<![<>=\u2264] )|(?<=[.-])(?![0-9])"
  pieces <- strsplit(substr(text, 1L, most_wrapped), breaks, perl = TRUE)[[1L]]
  out <- character()
  line <- ""
  for (piece in pieces) {
    if (measure(sub(" $", "", paste0(line, piece))) <= width) {
      line <- paste0(line, piece)
    } else {
      if (nzchar(line)) out <- c(out, line)
      line <- piece
    }
    if (length(out) > lines) break
  }
  out <- trimws(c(out, line))
  whole <- !long && length(out) <= lines && all(measure(out) <= width)
  list(text = paste(out, collapse = "\n"), whole = whole)
}

shorten_lines <- function(text, width, lines, measure) {
  out <- strsplit(text, "\n", fixed = TRUE)[[1L]]
  if (length(out) > lines) {
    out <- out[seq_len(lines)]
    out[lines] <- paste0(out[lines], ellipsis())
  }
  paste(vapply(out, shorten_text, "", width = width, measure = measure), collapse = "\n")
}

ellipsis <- function() if (has_signs()) "\u2026" else "..."

# Whether the open device can write signs beyond Latin 1: pdf() and postscript() cannot.
has_signs <- function() {
  plain <- c("pdf", "postscript", "xfig", "pictex")
  l10n_info()[["UTF-8"]] && !names(grDevices::dev.cur()) %in% plain
}

# Cut with an ellipsis to a width: by halving, as letters differ in width.
shorten_text <- function(text, width, measure) {
  if (measure(text) <= width) {
    return(text)
  }
  text <- sub(paste0(ellipsis(), "$"), "", text)
  low <- 0L
  high <- nchar(text)
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    fits <- measure(paste0(substr(text, 1L, middle), ellipsis())) <= width
    if (fits) low <- middle else high <- middle - 1L
  }
  paste0(substr(text, 1L, low), ellipsis())
}

# Names often differ at their ends.
shorten_middle <- function(text, width, measure) {
  if (measure(text) <= width) {
    return(text)
  }
  letters <- nchar(text)
  keep <- function(n) {
    end <- n %/% 2L
    paste0(substr(text, 1L, n - end), ellipsis(), substr(text, letters - end + 1L, letters))
  }
  low <- 1L
  high <- max(letters - 1L, 1L)
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    if (measure(keep(middle)) <= width) low <- middle else high <- middle - 1L
  }
  keep(low)
}
