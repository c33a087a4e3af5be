# Tested in test-print.R and test-rounded-shares.R.
# Resets the options that affect how the calling function formats numbers. With `scipen` 999, whole
# numbers have no exponent; otherwise node numbers above 100,000 would.
plain_numbers <- function(scipen = 0L, envir = parent.frame()) {
  old <- list(scipen = getOption("scipen"), OutDec = getOption("OutDec"))
  if (isTRUE(old$scipen == scipen) && identical(old$OutDec, ".")) {
    return(invisible())
  }
  # First what resets them: an interrupt may come after each line.
  do.call(on.exit, list(bquote(options(.(old))), add = TRUE, after = FALSE), envir = envir)
  options(scipen = scipen, OutDec = ".")
}

more_text <- function(more, what) {
  paste0("# ... with ", count_text(more, paste("more", what)), ": print(x, n = Inf)")
}

count_text <- function(n, one, many = paste0(one, "s")) {
  paste(big_number(n), if (n == 1) one else many)
}

wrap <- function(text, width) strwrap(text, width = width + 1L)

# Checks the arguments of printing: digits, width and number of lines.
check_output <- function(digits = 1, width = 1, n = 1) {
  # R's own print() accepts no more digits.
  check_count(digits, "digits", least = 1, most = 22)
  check_bound(width, "width", least = 1)
  check_bound(n, "n", least = 1)
}

# Cuts texts to a display width, with "..." if something is lost. `width` is one number, or one per
# text.
fit_width <- function(text, width) {
  width <- rep_len(width, length(text))
  long <- which(nchar(text, "width") > width)
  if (length(long)) {
    text[long] <- paste0(strtrim(text[long], pmax(1, width[long] - 3L)), "...")
  }
  text
}

# The table with the row names that as.data.frame() was given, if any.
with_row_names <- function(table, names) {
  if (is.null(names)) {
    return(table)
  }
  right <- (is.character(names) || is.numeric(names)) && !is.object(names) &&
    length(names) == nrow(table) && !anyNA(names) && !anyDuplicated(names)
  if (!right) {
    abort_found("{.arg row.names} must be {nrow(table)} different names, one for each row.", names)
  }
  attr(table, "row.names") <- as.character(names)
  table
}

# Makes a data frame of vectors and recycles the shorter ones. data.frame() takes ten times as long.
table_of <- function(...) {
  parts <- list(...)
  n <- max(lengths(parts))
  list2DF(lapply(parts, function(x) {
    names(x) <- NULL
    if (length(x) == n) x else rep_len(x, n)
  }))
}

# Stacks tables, or lists of vectors of one length.
stack_tables <- function(tables) {
  names <- stats::setNames(nm = names(tables[[1L]]))
  list2DF(lapply(names, function(name) {
    unlist(lapply(tables, `[[`, name), use.names = FALSE)
  }))
}

number_text <- function(x, digits = 7L) {
  if (length(x) == 0L) {
    return(character())
  }
  if (!is.numeric(digits) || length(digits) == 0L || anyNA(digits)) {
    abort_found("{.arg digits} must be one number.", digits)
  }
  # Large numbers keep one decimal, because half a unit can decide the branch of a value.
  size <- ceiling(log10(pmax(abs(x), 1)))
  digits <- pmin(17, pmax(digits, ifelse(is.finite(size), pmin(15, size + 1), 0)))
  out <- character(length(x))
  for (d in unique(digits)) {
    out[digits == d] <- formatC(x[digits == d], digits = d, width = 1L, format = "g")
  }
  # formatC() writes Inf, -Inf and NA as R does.
  sub("e([+-])0+", "e\\1", out)
}

# A cut lies between two values. For whole days or seconds, the earlier value is equivalent.
quantity_text <- function(x, ptype, digits) {
  if (inherits(ptype, "Date")) {
    return(format(structure(floor(x), class = "Date")))
  }
  if (inherits(ptype, "POSIXct")) {
    zone <- attr(ptype, "tzone") %||% ""
    at <- structure(floor(x), class = c("POSIXct", "POSIXt"), tzone = zone)
    return(sub(" 00:00:00$", "", format(at, "%Y-%m-%d %H:%M:%S")))
  }
  if (inherits(ptype, "difftime")) {
    return(paste(number_text(x, digits), units(ptype)))
  }
  number_text(x, digits)
}

# Labels that could be misread inside a set are quoted. Control characters are written as escapes,
# so that a line stays a line.
show_label <- function(x) {
  odd <- grepl("[,{}|\"]|^ | $|^$", x)
  x[odd] <- encodeString(x[odd], quote = "\"")
  control <- grepl("[[:cntrl:]]", x)
  x[control] <- encodeString(x[control])
  x
}

show_names <- function(x) {
  control <- grepl("[[:cntrl:]]", x)
  x[control] <- encodeString(x[control])
  x
}

# Pads to a common display width.
pad <- function(text, right = FALSE) {
  gap <- strrep(" ", max(nchar(text, "width")) - nchar(text, "width"))
  if (right) paste0(gap, text) else paste0(text, gap)
}

# "It has 1 value; there are 150 rows."
value_count <- function(values, rows, what = "It") {
  paste0(
    what, " has ", count_text(values, "value"), "; there ", if (rows == 1) "is " else "are ",
    count_text(rows, "row"), "."
  )
}

# Rounded shares that still add up to 1.

# Rounds the rows of `prob` and returns a character matrix. Shares are rounded down to `digits`, and
# then the largest remainders are rounded up (the earlier class on ties). In rows that do not add up
# to 1, each share is rounded by itself.
rounded_shares <- function(prob, digits = 2L) {
  unit <- 10^digits
  out <- matrix(sprintf("%.*f", digits, prob), nrow(prob))
  whole <- which(abs(rowSums(prob) - 1) < 1e-6)
  if (ncol(prob) < 2L || length(whole) == 0L) {
    return(out)
  }
  # Sums of parts of rows have rounding errors.
  size <- round(prob[whole, , drop = FALSE] * unit, 6L)
  down <- floor(size)
  missing <- round(unit - rowSums(down))
  rank <- t(apply(down - size, 1L, rank, ties.method = "first"))
  out[whole, ] <- sprintf("%.*f", digits, (down + (rank <= missing)) / unit)
  out
}
