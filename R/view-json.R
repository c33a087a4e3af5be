# JSON for the page. jsonlite writes numbers with at most 15 digits, too few for a threshold that a
# row may lie on; and within a page no text may close its element.

# Vectors of one entry become scalars, but for those in I(). NULL entries of lists are left out.
json <- function(x) {
  if (is.list(x)) {
    x <- x[!vapply(x, is.null, NA)]
    values <- vapply(x, json, "")
    if (is.null(names(x))) {
      return(paste0("[", paste(values, collapse = ","), "]"))
    }
    return(paste0("{", paste0("\"", names(x), "\":", values, collapse = ","), "}"))
  }
  single <- length(x) == 1L && !inherits(x, "AsIs")
  text <- if (is.character(x)) json_strings(x) else json_numbers(unclass(x))
  if (single) text else paste0("[", paste(text, collapse = ","), "]")
}

json_numbers <- function(x) {
  if (is.logical(x)) {
    return(ifelse(is.na(x), "null", ifelse(x, "true", "false")))
  }
  out <- if (is.integer(x)) as.character(x) else exact_number(x)
  out[is.na(x)] <- "null"
  # Above the largest double: JSON has no infinity, but readers parse this number as infinite.
  sub("Inf", "1e999", out, fixed = TRUE)
}

# In quotes, with all special characters of JSON and HTML escaped.
json_strings <- function(x) {
  x <- utf8(x)
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  special <- unique(unlist(regmatches(x, gregexpr("[\u0001-\u001f<>&\u007f\u2028\u2029]", x))))
  for (sign in special) {
    x <- gsub(sign, sprintf("\\u%04x", utf8ToInt(sign)), x, fixed = TRUE)
  }
  paste0("\"", x, "\"", recycle0 = TRUE)
}

# Bytes that are not UTF-8 are shown as bytes.
utf8 <- function(x) {
  x <- enc2utf8(x)
  bad <- !validUTF8(x)
  x[bad] <- iconv(x[bad], "UTF-8", "UTF-8", sub = "byte")
  x
}
