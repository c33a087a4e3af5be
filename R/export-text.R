# Tested in test-export-text.R, test-identifiers.R and test-doubles.R.
# Numbers and labels as source text that reads back exactly; files are read and written as bytes.

# The shortest decimal text that every correct parser reads as the same double, or 17 digits.
exact_number <- function(x) tec_exact_numbers_(as.double(x))

# With a decimal point or an exponent, so that no language reads it as an integer.
real_number <- function(x) {
  text <- exact_number(x)
  ifelse(grepl("[.e]", text), text, paste0(text, ".0"))
}

# R rounds when it parses decimals. If this changes the number, it is written in hexadecimal.
r_number <- function(x) {
  text <- exact_number(x)
  ifelse(as.numeric(text) == x, text, sprintf("%a", x))
}

# A string in double quotes, of printable ASCII only, as the language writes it.
quoted <- function(x, lang) {
  x <- enc2utf8(x)
  odd <- grepl("[^ -~]|[\"\\\\?<]", x, perl = TRUE)
  x[odd] <- vapply(x[odd], function(s) {
    paste(escape_points(utf8ToInt(s), lang), collapse = "")
  }, "", USE.NAMES = FALSE)
  paste0("\"", x, "\"", recycle0 = TRUE)
}

# Characters that end a string, or that mean something inside one, are escaped as well: ? for C's
# trigraphs, < for a script within a page.
escape_points <- function(points, lang) {
  plain <- points >= 32L & points < 127L & !points %in% utf8ToInt("\"\\?<")
  out <- character(length(points))
  out[plain] <- vapply(points[plain], intToUtf8, "")
  odd <- points[!plain]
  out[!plain] <- switch(lang,
    c = vapply(odd, function(p) {
      paste(sprintf("\\%03o", as.integer(charToRaw(enc2utf8(intToUtf8(p))))), collapse = "")
    }, ""),
    rust = sprintf("\\u{%X}", odd),
    python = , r = sprintf(c("\\u%04X", "\\U%08X")[1L + (odd > 65535L)], odd),
    javascript = , json = vapply(odd, utf16_escape, "")
  )
  out
}

utf16_escape <- function(point) {
  if (point < 65536L) {
    return(sprintf("\\u%04X", point))
  }
  point <- point - 65536L
  sprintf("\\u%04X\\u%04X", 55296L + point %/% 1024L, 56320L + point %% 1024L)
}

# A file of the package as one string.
package_text <- function(folder, file) {
  path <- system.file(folder, file, package = "tectree", mustWork = TRUE)
  paste(readLines(path, encoding = "UTF-8"), collapse = "\n")
}

# The return value of an export: `value`, invisibly if its text was written to a file.
give_text <- function(value, file, text = unclass(value)) {
  if (is.null(file)) {
    return(value)
  }
  text <- enc2utf8(text)
  size <- sum(nchar(text, "bytes") + 1)
  write_complete(function(con) writeLines(text, con, useBytes = TRUE), file, size)
  invisible(value)
}

check_file <- function(file) {
  if (is.null(file)) {
    return(invisible())
  }
  if (!is.character(file) || length(file) != 1L || is.na(file) || !nzchar(file) ||
    Encoding(file) == "bytes") {
    tec_abort("argument", c(
      "{.arg file} must be the name of a file, or {.code NULL}.", x = "It is {describe(file)}."
    ))
  }
  if (nchar(file, "bytes") > 4000L) {
    tec_abort("argument", c(
      "{.arg file} must be the name of a file.", x = "It has {nchar(file, 'bytes')} bytes."
    ))
  }
  if (dir.exists(file)) {
    tec_abort("argument", c(
      "{.arg file} must be the name of a file.", x = "{.file {file}} is a folder."
    ))
  }
  if (!dir.exists(dirname(file))) {
    tec_abort("argument", c(
      "{.arg file} must be in a folder that exists.",
      x = "There is no folder {.file {dirname(file)}}.",
      i = "Create it with {.fn dir.create}."
    ))
  }
}

# The file is written completely or not at all: to a temporary name first, then renamed. `size`: in
# bytes. It is checked since R does not report that a disk is full.
write_complete <- function(write, file, size) {
  part <- tempfile(".tectree-", dirname(file))
  on.exit(unlink(part))
  done <- tryCatch(
    {
      con <- base::file(part, "wb")
      tryCatch(write(con), finally = close(con))
      isTRUE(file.size(part) == size) && file.rename(part, file)
    },
    error = but_limits(function(e) FALSE), warning = function(w) FALSE
  )
  if (!done) {
    abort_export(
      "{.file {file}} cannot be written.",
      i = "Is its folder or the file itself read-only, the disk full, or the name too long?"
    )
  }
}

# Writes the bytes unchanged, whatever the session's encoding and system.
write_utf8 <- function(text, file) {
  con <- base::file(file, "wb")
  on.exit(close(con))
  writeLines(text, con, useBytes = TRUE)
}

abort_export <- function(what, ..., envir = parent.frame()) {
  tec_abort("export", c(what, ...), envir = envir)
}

# Items separated by commas, on lines of about 90 characters.
csv <- function(items) {
  ends <- cumsum(nchar(items) + 2L)
  lines <- vapply(split(items, ends %/% 90L), paste, "", collapse = ", ")
  paste(lines, collapse = ",\n  ")
}

# Warnings about nominal columns that are probably mistakes: numbers as text, and identifiers.

warn_columns <- function(frame, rows) {
  if (!any(frame$n_levels >= 10L)) {
    return(invisible())
  }
  text <- number_texts(frame)
  warn_number_texts(frame, text)
  warn_identifiers(frame, rows, text)
}

# Columns of text, of at least 10 values, nine tenths of which are numbers.
number_texts <- function(frame) {
  text <- which(vapply(frame$ptype, is.character, NA) & frame$n_levels >= 10L)
  numbers <- vapply(frame$levels[text], function(levels) {
    mean(!is.na(suppressWarnings(as.numeric(levels))))
  }, 0)
  text[numbers >= 0.9]
}

warn_number_texts <- function(frame, at) {
  if (length(at) == 0L) {
    return(invisible())
  }
  first <- frame$levels[[at[1L]]]
  other <- first[is.na(suppressWarnings(as.numeric(first)))]
  tec_warn("text", c(
    "{length(at)} column{?s} of text contain{?s/} numbers: {.field {frame$name[at]}}.",
    x = "Text is split by groups of values, not by cuts.",
    i = if (length(other)) {
      "Not a number in {.field {frame$name[at[1L]]}}: {.val {utils::head(other, 3L)}}."
    },
    i = "Convert with {.fn as.numeric}; codes with {.fn factor}, which silences this warning."
  ))
}

# Identifiers are nominal predictors with nearly as many levels as rows. A tree can memorise them,
# but cannot generalise to other rows.

# At least 10 levels, and at least 6 levels per 10 rows with a value, such as names, tickets and
# cabins. A dozen levels in 30 rows are not identifiers.
warn_identifiers <- function(frame, rows, known) {
  nominal <- setdiff(which(frame$kind == "nominal" & frame$n_levels >= 10L), known)
  use_of <- function(i) level_use(frame$value[[i]], frame$n_levels[i], rows)
  found <- vapply(nominal, use_of, c(0, 0))
  found <- matrix(found, 2L)
  at <- which(found[1L, ] >= 10 & found[1L, ] >= 0.6 * found[2L, ])
  if (length(at) == 0L) {
    return(invisible())
  }
  name <- frame$name[nominal[at]]
  use <- paste0(
    vapply(name, function(n) cli::format_inline("{.field {n}}"), ""), ": ",
    big_number(found[1L, at]), " levels in ", big_number(found[2L, at]), " rows"
  )
  bullets <- escape_braces(utils::head(use, 5L))
  names(bullets) <- rep("x", length(bullets))
  tec_warn("identifier", c(
    paste(
      "{length(name)} column{?s} {?has/have} nearly as many levels as rows",
      "and may only identify the rows."
    ),
    bullets,
    if (length(use) > 5L) c(x = "... and {length(use) - 5L} more."),
    i = "A tree can memorise such a column, which is uninformative about other rows.",
    i = "Leave it out, or group its levels."
  ))
}

# The number of levels that occur, and the number of rows with a level.
level_use <- function(codes, n_levels, rows) {
  counts <- tabulate(if (is.null(rows)) codes else codes[rows], n_levels)
  c(sum(counts > 0L), sum(counts))
}

# Neighbouring double-precision numbers, to convert between "x < t" and "x <= t".

# The smallest number above x.
next_double <- function(x) step_double(x, 1)
previous_double <- function(x) step_double(x, -1)

step_double <- function(x, sign) {
  vapply(x, function(v) {
    if (!is.finite(v)) {
      return(v)
    }
    if (v == 0) {
      return(sign * 2^-1074)
    }
    step <- 2^(max(floor(log2(abs(v))), -1022) - 52)
    # At a power of two the step below is half as large, and log2() may round up.
    for (part in c(step / 4, step / 2, step, 2 * step)) {
      moved <- v + sign * part
      if (part > 0 && moved != v && abs(moved - v) <= 2 * part) {
        return(moved)
      }
    }
    v
  }, 0)
}
