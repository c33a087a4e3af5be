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

# The same for several names: different names stay different, so the middle stays where it
# distinguishes them. Equal names stay equal.
shorten_apart <- function(names, width, measure, mark = ellipsis()) {
  different <- unique(names)
  short <- vapply(different, shorten_middle, "", width = width, measure = measure, mark = mark)
  for (group in alike(short)) {
    short[group] <- keep_differences(different[group], width, measure, mark)
    # Names that still look the same get numbers.
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

# Widths of texts on the open device, and what the search for a layout remembers.

inches <- function(text, cex, font = 1) ruler(cex, font)(text)

# Rulers of the search for a layout, which measures the same texts many times on the same device.
widths <- new.env(parent = emptyenv())

remember_widths <- function(env = parent.frame()) {
  if (!is.null(widths$known)) {
    return(invisible())
  }
  widths$known <- new.env(parent = emptyenv())
  do.call(on.exit, list(quote(widths$known <- NULL), add = TRUE), envir = env)
}

# A function that measures texts in letters of one size. A search has one for each size; it
# remembers widths, and in its attribute `memory` what fit_conditions() found.
ruler <- function(cex, font = 1) {
  if (is.null(widths$known)) {
    return(new_ruler(cex, font))
  }
  key <- paste(cex, font)
  if (is.null(widths$known[[key]])) {
    # Most devices have letters of whole points only.
    same <- paste(font, paste(device_widths(all_letters, cex, font), collapse = " "))
    if (is.null(widths$known[[same]])) widths$known[[same]] <- new_ruler(cex, font)
    widths$known[[key]] <- widths$known[[same]]
  }
  widths$known[[key]]
}

all_letters <- c(letters, LETTERS, 0:9, paste(c(letters, LETTERS, 0:9), collapse = " "))

new_ruler <- function(cex, font) {
  known <- new.env(parent = emptyenv())
  strwidth <- function(text) device_widths(text, cex, font)
  structure(function(text) {
    if (any(nchar(text, "bytes") > longest_key)) {
      return(strwidth(text))
    }
    if (length(text) == 1L && nzchar(text)) {
      if (is.null(known[[text]])) assign(text, strwidth(text), envir = known)
      return(known[[text]])
    }
    wide <- numeric(length(text))
    some <- which(nzchar(text))
    wide[some] <- unlist(mget(text[some], envir = known, ifnotfound = NA_real_), FALSE, FALSE)
    if (anyNA(wide)) {
      new <- unique(text[is.na(wide)])
      list2env(stats::setNames(as.list(strwidth(new)), new), known)
      wide[some] <- unlist(mget(text[some], envir = known), FALSE, FALSE)
    }
    wide
  }, memory = new.env(parent = emptyenv()))
}

# Bytes of a name in an environment; R allows 10,000.
longest_key <- 5000L

# The distance of two lines of text, as text() itself sets them.
line_inches <- function(cex) {
  if (isTRUE(widths$by_grid)) {
    return(cex * 1.2 * letter_points / 72 * line_space)
  }
  cex * max(1, graphics::par("cex")) * graphics::par("cin")[2L] * graphics::par("lheight")
}

# The size of the largest letters: more than 1 on a page larger than that of most devices.
largest_letters <- function(page) min(3, max(1, min(page$width / 10, page$height / 7)))

# Letters of size 1 as grid draws them, and the height of their lines.
letter_points <- 12
line_space <- 0.85

device_widths <- function(text, cex, font) {
  if (!isTRUE(widths$by_grid)) {
    return(graphics::strwidth(text, "inches", cex, font))
  }
  letters <- grid::gpar(fontsize = letter_points * cex, font = font)
  grid::pushViewport(grid::viewport(gp = letters), recording = FALSE)
  on.exit(grid::popViewport(recording = FALSE))
  grid::convertWidth(grid::stringWidth(text), "inches", valueOnly = TRUE)
}

# `value`, with texts measured by grid.
measured_by_grid <- function(value) {
  widths$by_grid <- TRUE
  on.exit(widths$by_grid <- NULL)
  value
}

# `value`, computed once for each key and ruler.
remembered <- function(measure, key, value) {
  memory <- attr(measure, "memory")
  if (is.null(memory) || nchar(key, "bytes") > longest_key) {
    return(value)
  }
  if (is.null(memory[[key]])) memory[[key]] <- value
  memory[[key]]
}

# `fit` is a fitted text, list(text, cut), or NULL if none fits. It is not computed where `memory`
# has the answer: a text found for a room is also that of each smaller one in which it fits, and
# what does not fit does not fit a smaller room either.
fit_once <- function(key, memory, width, lines, measure, fit) {
  if (is.null(memory) || nchar(key, "bytes") > longest_key) {
    return(fit)
  }
  known <- memory[[key]]
  at <- which(
    known$low <= width & width <= known$high & known$least <= lines & lines <= known$most
  )
  if (length(at)) {
    return(known$fitted[[at[1L]]])
  }
  low <- least <- -Inf
  if (!is.null(fit)) {
    text <- strsplit(fit$text, "\n", fixed = TRUE)[[1L]]
    # Words that were cut to a width are cut elsewhere in another one.
    low <- if (fit$cut) width else max(0, measure(text))
    least <- if (fit$cut) lines else length(text)
  }
  memory[[key]] <- list(
    low = c(known$low, low), high = c(known$high, width), least = c(known$least, least),
    most = c(known$most, lines), fitted = c(known$fitted, list(fit))
  )
  fit
}

# Numbers of one plot.

# All with the same decimals, such that the largest has `digits` digits, and with commas from 10,000
# on; each with its own digits where that would hide a difference.
plot_numbers <- function(x, digits = 4L) {
  known <- x[is.finite(x)]
  most <- max(abs(known), 0)
  if (length(known) == 0L || most >= 1e15) {
    return(number_text(x, digits))
  }
  whole <- all(known == round(known))
  decimals <- if (whole || most == 0) 0 else max(0, digits - 1 - floor(log10(most)))
  if (decimals > 10) {
    return(number_text(x, digits))
  }
  mark <- if (most >= 10000) "," else ""
  out <- formatC(x, digits = decimals, format = "f", width = 1L, big.mark = mark)
  hidden <- length(unique(out)) < length(unique(signif(x, digits))) ||
    any(known != 0 & round(known, decimals) == 0)
  if (hidden) number_text(x, digits) else sub("^-(0[.]?0*)$", "\\1", out)
}

# Numbers on an axis: 0.5, 1, 10,000, 2e+10.
tick_text <- function(at, digits = 7L) {
  most <- max(abs(at[is.finite(at)]), 0)
  if (most >= 1e7) {
    text <- format(at, trim = TRUE, digits = 3L, scientific = TRUE)
    return(ifelse(is.finite(at) & at == 0, "0", text))
  }
  text <- number_text(at, digits)
  large <- is.finite(at) & abs(at) >= 10000
  text[large] <- format(at[large], trim = TRUE, digits = digits, big.mark = ",")
  text
}
