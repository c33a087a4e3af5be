# Tested in test-plot-fit.R.
# Conditions fitted into their room.

# Conditions as texts of at most `width` and `lines` (one number or one per node). What does not fit
# loses digits (with `short`), then levels ("a, b, +14"), then the middle of the variable's name, as
# `names` has it; never the sign or the number. The attribute `lost` is 0 where nothing is, 1 for
# levels, 2 for a part of a name, 3 where next to nothing is left of it. Once a condition loses more
# than `most`, those after it are left as they are.
fit_conditions <- function(parts, width, lines, measure, short = FALSE, names = NULL, most = 3) {
  out <- edge_texts(parts)
  lost <- integer(length(out))
  width <- rep_len(width, length(out))
  lines <- rep_len(lines, length(out))
  long <- which(measure(out) > width)
  keys <- condition_keys(parts, long, short)
  memory <- attr(measure, "memory")
  # Not computed unless a condition needs it.
  delayedAssign("brief", brief_names(parts, width, lines, measure, names))
  for (at in seq_along(long)) {
    i <- long[at]
    once <- function(key, fit) fit_once(key, memory, width[i], lines[i], measure, fit)
    fitted <- once(keys[at], fit_condition(parts, i, width[i], lines[i], measure, short))
    if (is.null(fitted)) {
      fitted <- once(
        paste(keys[at], brief[i], sep = "\r"),
        fit_brief_condition(parts, i, brief[i], width[i], lines[i], measure, short)
      )
    }
    out[i] <- fitted$text
    lost[i] <- fitted$lost
    if (fitted$lost > most) break
  }
  structure(out, lost = lost)
}

# The name of each condition, short where `names` or short_conditions() has a short form.
brief_names <- function(parts, width, lines, measure, names) {
  names <- names %||% short_conditions(parts, width, lines, measure)
  at <- match(parts$name, names(names))
  ifelse(is.na(at), parts$name, unname(names)[at])
}

# Whatever the fitted text of a condition depends on, but for the room and the short name.
condition_keys <- function(parts, i, short) {
  paste(
    parts$name[i], parts$rest[i], parts$short[i], lengths(parts$sets[i]), isTRUE(parts$bare),
    if (is.null(parts$end)) "" else parts$end[i], short,
    sep = "\r"
  )
}

# With the whole name of the variable; NULL where that does not fit.
fit_condition <- function(parts, i, width, lines, measure, short) {
  name <- parts$name[i]
  for (rest in c(parts$rest[i], if (short) parts$short[i])) {
    text <- named(name, rest)
    fitted <- if (may_fit(text, width, lines, measure)) wrap_one(text, width, lines, measure)
    if (isTRUE(fitted$whole)) {
      return(list(text = fitted$text, lost = 0L, cut = FALSE))
    }
  }
  labels <- parts$sets[[i]]
  text <- if (!is.null(labels)) fit_set(name, labels, parts, i, width, lines, measure)
  if (!is.null(text)) list(text = text, lost = 1L, cut = FALSE)
}

fit_brief_condition <- function(parts, i, brief, width, lines, measure, short) {
  name <- parts$name[i]
  labels <- parts$sets[[i]]
  if (!is.null(labels)) {
    text <- if (brief != name) fit_set(brief, labels, parts, i, width, lines, measure)
    if (!is.null(text)) {
      return(list(text = text, lost = 2L, cut = FALSE))
    }
    return(fit_first_level(brief, labels, parts, i, width, lines, measure))
  }
  rest <- if (short) parts$short[i] else parts$rest[i]
  fitted <- wrap_one(named(brief, rest), width, lines, measure)
  if (fitted$whole) {
    return(list(text = fitted$text, lost = 2L, cut = FALSE))
  }
  text <- if (lines > 1L && nzchar(name) && measure(rest) <= width) {
    paste(shorten_middle(brief, width, measure), rest, sep = "\n")
  } else {
    shorten_lines(fitted$text, width, lines, measure)
  }
  list(text = text, lost = 3L, cut = TRUE)
}

# "purpose in {car, radio, +2}" with as many levels as fit; NULL where not even one does.
fit_set <- function(name, labels, parts, i, width, lines, measure) {
  n <- length(labels)
  k <- most_levels(name, labels, parts, i, width, lines, measure)
  while (k > 0L) {
    set <- paste(c(labels[seq_len(k)], paste0("+", n - k)), collapse = ", ")
    fitted <- wrap_one(named(name, set_condition(set, parts, i)), width, lines, measure)
    if (fitted$whole) {
      return(fitted$text)
    }
    k <- k - 1L
  }
}

# How many levels fit, by the widths of pieces: no fewer than really do. Of many levels only as many
# are measured as may have room.
most_levels <- function(name, labels, parts, i, width, lines, measure) {
  n <- length(labels)
  room <- (1 + kerning) * width
  seen <- 25L
  repeat {
    seen <- min(n, 4L * seen)
    set <- set_condition(paste(labels[seq_len(seen)], collapse = ", "), parts, i)
    ladder <- set_ladder(named(name, set), set, labels[seq_len(seen)], n, measure)
    end <- line_ends(ladder$pieces, room, lines)
    line <- findInterval(ladder$last, end, left.open = TRUE) + 1L
    start <- c(0, ladder$pieces$next_start[end])[line]
    line <- line + (ladder$place - start > room)
    fitting <- max(0L, ladder$levels[line <= lines & ladder$more <= room])
    if (seen == n || fitting < seen - 1L) {
      return(fitting)
    }
  }
}

# What more and more of the first levels of `n` need: list(pieces, levels, last, more, place). The
# first `levels` end with the piece `last`; "+3}" behind them is `more` wide and ends at `place`.
set_ladder <- function(text, set, labels, n, measure) {
  remembered(measure, paste("ladder", n, text, sep = "\r"), {
    pieces <- text_pieces(text, measure)
    bare <- !startsWith(set, "in {")
    before <- nchar(text) - nchar(set) + if (bare) 0L else nchar("in {")
    levels <- seq_len(length(labels) - 1L)
    last <- match(before + cumsum(nchar(labels[levels]) + 2L), pieces$end)
    levels <- levels[!is.na(last)]
    last <- last[!is.na(last)]
    more <- measure(paste0("+", n - levels, if (!bare) sub("^.*[}]", "}", set)))
    list(
      pieces = pieces, levels = levels, last = last, more = more,
      place = pieces$next_start[last] + more
    )
  })
}

set_condition <- function(set, parts, i) {
  if (isTRUE(parts$bare)) set else paste0("in {", set, "}", parts$end[i] %||% "")
}

# The beginning of the first level, and the number of the others.
fit_first_level <- function(name, labels, parts, i, width, lines, measure) {
  rest <- paste0(", +", length(labels) - 1L)
  set <- function(level) set_condition(paste0(level, rest), parts, i)
  above <- lines > 1L && nzchar(name)
  room <- width - measure(if (above) set("") else named(name, set("")))
  level <- shorten_middle(labels[1L], room, measure)
  text <- if (above) {
    paste(shorten_middle(name, width, measure), set(level), sep = "\n")
  } else {
    named(name, set(level))
  }
  few <- nchar(level) < min(4L, nchar(labels[1L]))
  if (any(measure(strsplit(text, "\n", fixed = TRUE)[[1L]]) > width)) {
    text <- shorten_lines(text, width, lines, measure)
    few <- TRUE
  }
  list(text = text, lost = if (few) 3L else 2L, cut = TRUE)
}

# Names of variables and their short forms, which are the same everywhere in a plot.
short_conditions <- function(parts, width, lines, measure) {
  some <- nzchar(parts$name)
  if (!any(some)) {
    return(NULL)
  }
  long <- some & measure(edge_texts(parts)) > width
  if (!any(long)) {
    return(NULL)
  }
  # A set keeps at least the first letters of a name.
  rest <- ifelse(lengths(parts$sets) > 0L, "in {level, +9}", parts$short)
  room <- ifelse(lines > 1L, width, width - measure(paste0(" ", rest)))
  names <- unique(parts$name[some])
  short <- shorten_apart(names, max(min(room[long]), measure("nnnnn")), measure)
  stats::setNames(short, names)
}
