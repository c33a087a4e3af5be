# Numbers and labels as source text that reads back exactly; files are read and written as bytes.

# The shortest decimal text that every correct reader takes for the same double, else 17 digits.
exact_number <- function(x) tec_exact_numbers_(as.double(x))

# With a point or an exponent, so that no language takes it for an integer.
real_number <- function(x) {
  text <- exact_number(x)
  ifelse(grepl("[.e]", text), text, paste0(text, ".0"))
}

# R rounds when it reads decimals; if this changes the number, it is written in hexadecimal.
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

# A file of the package's own as one string.
package_text <- function(folder, file) {
  path <- system.file(folder, file, package = "tectree", mustWork = TRUE)
  paste(readLines(path, encoding = "UTF-8"), collapse = "\n")
}

# What a writer returns: `value`, invisibly where its text went to a file.
give_text <- function(value, file, text = unclass(value)) {
  if (is.null(file)) {
    return(value)
  }
  write_complete(function(con) writeLines(enc2utf8(text), con, useBytes = TRUE), file)
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

# The file is written completely or not at all: to a temporary name first, then renamed.
write_complete <- function(write, file) {
  part <- tempfile(".tectree-", dirname(file))
  on.exit(unlink(part))
  done <- tryCatch(
    {
      con <- base::file(part, "wb")
      tryCatch(write(con), finally = close(con))
      file.rename(part, file)
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  if (!done) {
    abort_export(
      "{.file {file}} cannot be written.",
      i = "Is its folder or the file itself read-only, or the name too long?"
    )
  }
}

# The bytes as they are, whatever the session's encoding and system.
write_utf8 <- function(text, file) {
  con <- base::file(file, "wb")
  on.exit(close(con))
  writeLines(text, con, useBytes = TRUE)
}

abort_export <- function(what, ..., envir = parent.frame()) {
  tec_abort("export", c(what, ...), envir = envir)
}

# Items on lines of about 90 characters.
wrap_items <- function(items, sep) {
  if (length(items) == 0L) {
    return("")
  }
  ends <- cumsum(nchar(items) + nchar(sep))
  lines <- vapply(split(items, ends %/% 90L), paste, "", collapse = sep)
  paste(lines, collapse = paste0(trimws(sep, "right"), "\n  "))
}
