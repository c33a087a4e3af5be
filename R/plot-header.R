# Tested in test-plot.R.
# The header of a page: the title and the legend of colours.

# A title and the keys of colours on top of the page; returns the height used.
draw_header <- function(title, keys, colours, size) {
  if (!nzchar(title) && length(keys) == 0L) {
    return(0)
  }
  line <- line_inches(1)
  top <- size[2L] - line / 2
  measure <- function(t) inches(t, 1, 2)
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
  measure <- function(t) inches(t, cex)
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
