# Tested in test-plot-conditions.R and test-plot.R.
# Fitting texts into their room.

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
  pieces <- text_pieces(text, measure)
  last <- line_ends(pieces, width, lines, measure)
  start <- c(1L, pieces$end[last[-length(last)]] + 1L)
  out <- substring(pieces$text, start, pieces$end[last] - pieces$space[last])
  if (any(startsWith(out, " ") | endsWith(out, " "))) out <- trimws(out)
  whole <- nchar(text) <= most_wrapped && length(out) <= lines && all(measure(out) <= width)
  list(text = paste(out, collapse = "\n"), whole = whole)
}

# Whether a text may fit into its lines, by the widths of its pieces.
may_fit <- function(text, width, lines, measure) {
  room <- (1 + kerning) * width
  pieces <- text_pieces(text, measure)
  count <- length(pieces$end)
  count == 0L || pieces$stop[count] <= lines * (room + measure(" ")) &&
    max(pieces$stop - c(0, pieces$next_start[-count])) <= room
}

# How far the widths of pieces may be from that of the whole.
kerning <- 0.05

# Where the beginning of a text can be broken: the last letter (`end`) of each piece, whether it is
# a space, and the sums of the widths of pieces without (`stop`) and with (`next_start`) this space.
text_pieces <- function(text, measure) {
  text <- substr(text, 1L, most_wrapped)
  remembered(measure, paste("pieces", text, sep = "\r"), {
    breaks <- "(?<=[ _,/])(?<![<>=\u2264] )|(?<=[.-])(?![0-9])"
    pieces <- strsplit(text, breaks, perl = TRUE)[[1L]]
    next_start <- cumsum(measure(pieces))
    space <- endsWith(pieces, " ")
    list(
      text = text, end = cumsum(nchar(pieces)), space = space, next_start = next_start,
      stop = cummax(next_start - space * measure(" "))
    )
  })
}

# The last piece of each line, of `lines` and one more at most. The sums of widths of pieces say
# where a line ends, as near as kerning allows; where that is in doubt, the line is measured.
line_ends <- function(pieces, width, lines, measure = NULL) {
  count <- length(pieces$end)
  out <- integer()
  done <- 0L
  while (done < count && length(out) <= lines) {
    from <- if (done > 0L) pieces$next_start[done] else 0
    last <- findInterval(from + width, pieces$stop)
    if (!is.null(measure)) {
      start <- if (done > 0L) pieces$end[done] + 1L else 1L
      fits <- function(last) {
        measure(substr(pieces$text, start, pieces$end[last] - pieces$space[last])) <= width
      }
      in_doubt <- function(last) abs(pieces$stop[last] - from - width) < kerning * width
      while (last > done && in_doubt(last) && !fits(last)) last <- last - 1L
      while (last < count && in_doubt(last + 1L) && fits(last + 1L)) last <- last + 1L
    }
    done <- max(last, done + 1L)
    out <- c(out, done)
  }
  out
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

# On a device without these signs.
plain_signs <- function(text) {
  gsub("\u2026", "...", gsub("\u2264", "<=", text, fixed = TRUE), fixed = TRUE)
}

# Cut with an ellipsis to a width: by halving, as letters differ in width.
shorten_text <- function(text, width, measure) {
  if (measure(text) <= width) {
    return(text)
  }
  text <- sub(paste0(ellipsis(), "$"), "", text)
  keep <- function(n) paste0(substr(text, 1L, n), ellipsis())
  keep(longest_that_fits(0L, nchar(text), keep, width, measure))
}

# Names often differ at their ends: the middle is left out. `mark` stands for it.
shorten_middle <- function(text, width, measure, mark = ellipsis()) {
  if (measure(text) <= width) {
    return(text)
  }
  letters <- nchar(text)
  keep <- function(n) {
    end <- n %/% 2L
    paste0(substr(text, 1L, n - end), mark, substr(text, letters - end + 1L, letters))
  }
  cut <- function() keep(longest_that_fits(1L, max(letters - 1L, 1L), keep, width, measure))
  key <- paste("middle", mark, text, sep = "\r")
  fit_once(key, attr(measure, "memory"), width, 1L, measure, list(text = cut(), cut = FALSE))$text
}

# The largest of low, ..., high whose text fits; `low` in any case.
longest_that_fits <- function(low, high, make, width, measure) {
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    if (measure(make(middle)) <= width) low <- middle else high <- middle - 1L
  }
  low
}

# The same for several names, of which no two become the same text: where the middle is what tells
# them apart, it stays. Names that are equal stay so.
shorten_apart <- function(names, width, measure, mark = ellipsis()) {
  different <- unique(names)
  short <- vapply(different, shorten_middle, "", width = width, measure = measure, mark = mark)
  for (group in alike(short)) {
    short[group] <- keep_differences(different[group], width, measure, mark)
    # Names that still look the same are numbered.
    for (same in alike(short[group])) {
      at <- group[same]
      short[at] <- count_names(different[at], width, measure, mark)
    }
  }
  # A counted name may look like one of another group.
  unname(make_apart(short)[match(names, different)])
}

# The places of texts that are the same, a vector a text.
alike <- function(text) {
  groups <- split(seq_along(text), factor(text, unique(text)))
  unname(groups[lengths(groups) > 1L])
}

# Names that begin alike and end alike: the part between, and as much before it as fits.
keep_differences <- function(names, width, measure, mark) {
  letters <- strsplit(names, "")
  common <- function(letters) {
    most <- min(lengths(letters))
    same <- vapply(seq_len(most), function(i) {
      length(unique(vapply(letters, `[[`, "", i))) == 1L
    }, NA)
    match(FALSE, same, nomatch = most + 1L) - 1L
  }
  before <- common(letters)
  after <- min(common(lapply(letters, rev)), min(lengths(letters)) - before)
  start <- pmax(1L, pmin(before + 1L, nchar(names) - after))
  core <- substr(names, start, nchar(names) - after)
  vapply(seq_along(names), function(i) {
    cut <- start[i] > 1L
    rest <- if (after > 0L) mark else ""
    head <- function(n) paste0(substr(names[i], 1L, n), if (cut) mark, core[i], rest)
    if (measure(head(0L)) <= width) {
      return(head(longest_that_fits(0L, start[i] - 1L, head, width, measure)))
    }
    shorten_middle(core[i], width, measure, mark)
  }, "")
}

count_names <- function(names, width, measure, mark) {
  vapply(seq_along(names), function(i) {
    end <- paste0(mark, i)
    head <- function(n) paste0(substr(names[i], 1L, n), end)
    head(longest_that_fits(0L, nchar(names[i]), head, width, measure))
  }, "")
}

make_apart <- function(text) {
  while (anyDuplicated(text)) text <- make.unique(text, "'")
  text
}

text_lines <- function(text) ifelse(nzchar(text), lengths(strsplit(text, "\n", fixed = TRUE)), 0L)

# The header of a page: the title and the legend of colours.

# A title and the keys of colours on top of the page; returns the height used.
draw_header <- function(title, keys, colours, size) {
  if (!nzchar(title) && length(keys) == 0L) {
    return(0)
  }
  line <- line_inches(1)
  top <- size[2L] - line / 2
  measure <- ruler(1, 2)
  used <- 0
  x <- 0
  if (nzchar(title)) {
    title <- shorten_text(title, size[1L] * if (length(keys)) 0.6 else 1, measure)
    graphics::text(0, top, title, adj = c(0, 0.5), font = 2, col = ink_on()$text)
    x <- measure(title) + 0.25
    used <- line
  }
  if (length(keys)) {
    place <- place_header_keys(keys, x, size[1L], below = nzchar(title))
    used <- max(used, draw_keys(place, colours, top, line))
  }
  used + 0.12
}

# Beside the title, or in lines of their own below it; in at most four lines, if need be in smaller
# letters or shortened.
place_header_keys <- function(keys, x, width, below) {
  # No page has room for more.
  keys <- utils::head(keys, 250L)
  for (share in c(0.35, 0.22)) {
    for (under in unique(c(FALSE, below))) {
      for (cex in c(0.9, 0.8, 0.7, 0.6)) {
        place <- place_keys(keys, cex, if (under) 0 else x, width, share)
        place$line <- place$line + under
        if (all(place$line <= 4L + under)) {
          return(c(place, cex = cex, last = 4L + under))
        }
      }
    }
  }
  c(place, cex = cex, last = 4L + under)
}

# Squares and names; the last place says where there are more. Returns the height.
draw_keys <- function(place, colours, y, line) {
  shown <- place$line <= place$last
  more <- if (all(shown)) 0L else sum(shown)
  shown[more] <- FALSE
  at <- y - line * (place$line - 1L)
  square <- 0.11
  ink <- ink_on()
  words <- function(x, y, text) {
    graphics::text(x, y, text, adj = c(0, 0.5), cex = place$cex, col = ink$text)
  }
  for (i in which(shown)) {
    left <- place$x[i]
    bottom <- at[i] - square / 2
    graphics::rect(
      left, bottom, left + square, bottom + square,
      col = colours[i], border = ink$line, lwd = 0.4
    )
    words(left + square + 0.06, at[i], place$text[i])
  }
  if (more > 0L) words(place$x[more], at[more], ellipsis())
  line * min(place$last, max(place$line))
}

# One after the other, the first of a line at `x`; none wider than a share of the width.
place_keys <- function(keys, cex, x, width, share) {
  measure <- ruler(cex)
  text <- shorten_apart(keys, width * share, measure)
  room <- 0.11 + 0.06 + measure(text) + 0.18
  left <- numeric(length(keys))
  line <- integer(length(keys))
  at <- x
  row <- 1L
  for (i in seq_along(keys)) {
    if (at + room[i] - 0.18 > width && at > x) {
      row <- row + 1L
      at <- x
    }
    left[i] <- at
    line[i] <- row
    at <- at + room[i]
  }
  list(x = left, line = line, text = text)
}
