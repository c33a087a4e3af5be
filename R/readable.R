# Tested in test-text.R.

# `place`: a function of the position of a string that nobody can read; what to call its place, its
# number and, for a level, its first row.
utf8_text <- function(x, what, topic, place) {
  text <- as_utf8(x)
  bad <- which(is.na(text) & !is.na(x))
  if (length(bad) == 0L) {
    return(text)
  }
  found <- place(bad[1L])
  row <- if (length(found) > 2L && !is.na(found[3L])) paste0(" (first in row ", found[3L], ")")
  shown <- escape_braces(spelled_out(x[bad[1L]]))
  tec_abort(topic, c(
    paste(escape_braces(what), "holds text that cannot be read."),
    x = paste0(found[1L], " ", found[2L], row, " is not valid text: \"", shown, "\"."),
    i = "Convert it first, for example with {.code iconv(x, \"latin1\", \"UTF-8\")}."
  ))
}

# Names of columns, none of which is read otherwise.
check_readable_names <- function(names, arg) {
  names <- as.character(names)
  bad <- which(is.na(as_utf8(names)) & !is.na(names))
  if (length(bad)) {
    shown <- escape_braces(spelled_out(names[bad[1L]]))
    tec_abort("data", c(
      "A name in {.arg {arg}} cannot be read.",
      x = paste0("Name ", bad[1L], " is not valid text: \"", shown, "\"."),
      i = paste(
        "Convert the names first,",
        "for example with {.code iconv(names(x), \"latin1\", \"UTF-8\")}."
      )
    ))
  }
}

# Text, or the levels of a factor, in UTF-8; anything else as it is. A string without a mark is in
# the session's encoding, or in UTF-8 if the session knows no letters except ASCII (LC_ALL=C).
# `what` (evaluated only for the error) and `topic` are those of the error.
utf8_values <- function(x, what, topic) {
  if (is.factor(x)) {
    text <- utf8_text(levels(x), what, topic, function(at) {
      c("Level", at, match(at, plain_codes(x)))
    })
    if (!identical(Encoding(text), Encoding(levels(x)))) levels(x) <- text
    return(x)
  }
  if (!is.character(x)) {
    return(x)
  }
  values <- different_texts(x)
  text <- utf8_text(values, what, topic, function(at) c("Row", match(values[at], x)))
  if (!identical(Encoding(text), Encoding(values))) x[] <- text[match(x, values)]
  x
}
