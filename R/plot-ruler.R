# Tested in test-plot-fit.R.
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
    same <- paste(font, paste(graphics::strwidth(all_letters, "inches", cex, font), collapse = " "))
    if (is.null(widths$known[[same]])) widths$known[[same]] <- new_ruler(cex, font)
    widths$known[[key]] <- widths$known[[same]]
  }
  widths$known[[key]]
}

all_letters <- c(letters, LETTERS, 0:9, paste(c(letters, LETTERS, 0:9), collapse = " "))

new_ruler <- function(cex, font) {
  known <- new.env(parent = emptyenv())
  strwidth <- function(text) graphics::strwidth(text, "inches", cex, font)
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
line_inches <- function(cex) cex * graphics::par("cin")[2L] * graphics::par("lheight")

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
