# Converts text of any encoding to UTF-8, in any session.

# Bytes that are not text become NA.
as_utf8 <- function(x) {
  mark <- Encoding(x)
  valid <- validUTF8(x)
  if (isTRUE(l10n_info()[["UTF-8"]]) && all(valid) && all(mark %in% c("unknown", "UTF-8"))) {
    return(x)
  }
  x[mark == "bytes" | mark == "UTF-8" & !valid] <- NA
  latin <- which(mark == "latin1")
  x[latin] <- iconv(x[latin], "latin1", "UTF-8")
  plain <- which(mark == "unknown" & !is.na(x))
  native <- iconv(x[plain], "", "UTF-8")
  unread <- which(is.na(native) & valid[plain])
  native[unread] <- x[plain][unread]
  Encoding(native) <- "UTF-8"
  x[plain] <- native
  x
}

# Text for messages, with bytes that are not text as `<e9>`.
spelled_out <- function(x) {
  x <- as.character(x)
  text <- as_utf8(x)
  bad <- is.na(text) & !is.na(x)
  Encoding(x)[bad] <- "unknown"
  text[bad] <- iconv(x[bad], "UTF-8", "UTF-8", sub = "byte")
  text
}

# The different texts of a column, including NA; only those of `rows` if they are given.
different_texts <- function(x, rows = NULL) {
  if (tec_is_packed_(x)) {
    return(unique(tec_packed_texts_(x, rows)))
  }
  unique(if (is.null(rows)) as.vector(x) else x[rows])
}

# match(x, levels)
levels_of_texts <- function(x, levels) {
  if (!tec_is_packed_(x)) {
    return(match(x, levels))
  }
  tec_packed_levels_(x, as.double(match(tec_packed_texts_(x, NULL), levels)))
}

plain_codes <- function(x) {
  attributes(x) <- NULL
  x
}

# Bytes that are not UTF-8 are shown as bytes.
utf8 <- function(x) {
  x <- enc2utf8(x)
  bad <- !validUTF8(x)
  x[bad] <- iconv(x[bad], "UTF-8", "UTF-8", sub = "byte")
  x
}

# Digits in groups of three, whatever the options of the session.
big_number <- function(n) {
  format(n, big.mark = ",", decimal.mark = ".", trim = TRUE, scientific = FALSE)
}
