# Nominal columns that are probably mistakes: numbers as text, and identifiers.

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
    "{length(at)} column{?s} of text hold{?s/} numbers: {.field {frame$name[at]}}.",
    x = "Text is split by groups of values, not by thresholds.",
    i = if (length(other)) {
      "Not a number in {.field {frame$name[at[1L]]}}: {.val {utils::head(other, 3L)}}."
    },
    i = "Convert with {.fn as.numeric}; codes with {.fn factor}, which silences this warning."
  ))
}

# Identifiers: nominal predictors with nearly as many levels as rows. A tree can memorise them, but
# cannot generalise to other rows.

# At least 10 levels, and at least 6 per 10 rows with a value, such as names, tickets and cabins.
# A dozen levels in 30 rows are not identifiers.
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
  count <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)
  use <- paste0(
    vapply(name, function(n) cli::format_inline("{.field {n}}"), ""), ": ",
    count(found[1L, at]), " levels in ", count(found[2L, at]), " rows"
  )
  bullets <- escape_braces(utils::head(use, 5L))
  names(bullets) <- rep("x", length(bullets))
  tec_warn("identifier", c(
    paste(
      "{length(name)} column{?s} {?has/have} nearly as many levels as rows",
      "and may only name the rows."
    ),
    bullets,
    if (length(use) > 5L) c(x = "... and {length(use) - 5L} more."),
    i = "A tree can memorise such a column, which says nothing about other rows.",
    i = "Leave it out, or group its levels."
  ))
}

# How many levels occur, in how many rows that have one.
level_use <- function(codes, n_levels, rows) {
  counts <- tabulate(if (is.null(rows)) codes else codes[rows], n_levels)
  c(sum(counts > 0L), sum(counts))
}
