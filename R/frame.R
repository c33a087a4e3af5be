# Tested in test-frame.R and test-matrix.R.
# Codes the columns. A numeric column is passed to the core without a copy, an ordered or nominal
# one as level codes 1..L with NA for missing values.

# `values`: the list of columns. Each vector of the result has one entry per column.
#' @srrstats {G2.8} Columns of every kind of table become one kind of list, which all other code
#'   reads.
#' @noRd
code_frame <- function(values, names, rows, n, nominal_ordered = FALSE) {
  check_columns(values, names, n)
  coded <- vector("list", length(values))
  for (i in seq_along(values)) {
    coded[[i]] <- code_column(values[[i]], names[i], rows)
  }
  kind <- vapply(coded, `[[`, "", "kind")
  if (nominal_ordered) {
    kind[kind == "ordered"] <- "nominal"
  }
  list(
    name = names,
    kind = kind,
    value = lapply(coded, `[[`, "value"),
    n_levels = vapply(coded, `[[`, 0L, "n_levels"),
    levels = lapply(coded, `[[`, "levels"),
    ptype = lapply(coded, `[[`, "ptype"),
    unused = unused_labels(coded, names)
  )
}

# Levels that occur only in unused rows. Prediction treats them as missing, without a warning.
unused_labels <- function(coded, names) {
  unused <- stats::setNames(lapply(coded, `[[`, "unused"), names)
  unused <- unused[lengths(unused) > 0L]
  if (length(unused)) unused
}

kind_codes <- c(numeric = 0L, ordered = 1L, nominal = 2L)

# One error names all columns that cannot be coded.
#' @srrstats {G2.12} List columns and other columns that are not vectors are an error that names
#'   them.
#' @noRd
check_columns <- function(values, names, n) {
  bad <- !vapply(values, is_column, NA)
  if (any(bad)) {
    found <- paste0(names[bad], " (", vapply(values[bad], function(x) class(x)[1L], ""), ")")
    tec_abort("column", c(
      "A predictor must be a vector of numbers, dates, times or classes.",
      x = "{cli::qty(length(found))}{?This column is/These columns are} not: {.field {found}}.",
      i = "Leave it out, or convert it to plain columns."
    ))
  }
  wrong <- which(lengths(values) != n)
  wrong <- wrong[!vapply(values[wrong], inherits, NA, "POSIXlt")]
  if (length(wrong)) {
    first <- names[wrong[1L]]
    found <- length(values[[wrong[1L]]])
    tec_abort("column", c(
      "A predictor must have one value per row.",
      x = value_count(found, n, "Column {.field {first}}")
    ))
  }
}

is_column <- function(x) {
  if (is.numeric(x) && is.null(attributes(x))) {
    return(TRUE)
  }
  if (!is.object(x) && is.null(attributes(x))) {
    return(typeof(x) %in% c("double", "integer", "character", "logical"))
  }
  if (inherits(x, "POSIXlt")) {
    return(TRUE)
  }
  if (is.list(x) || (length(dim(x)) > 1L && ncol(x) != 1L)) {
    return(FALSE)
  }
  typeof(x) %in% c("double", "integer", "character", "logical")
}

# `what` and `topic` are for errors about a damaged factor or unreadable text.
#' @srrstats {G2.4c} Levels are text, from `as.character()`; text is converted to UTF-8.
#' @srrstats {G2.5} Ordered factors are cut in their order, unordered ones are grouped; the help of
#'   [tec_tree()] and `nominal` say so.
#' @srrstats {G2.6} Dates, times, labelled, 64-bit and other classed numbers are read as their
#'   values.
#' @noRd
code_column <- function(x, name, rows, what = "Column {.field {name}}", topic = "column") {
  x <- utf8_values(drop_labels(x), cli::format_inline(what), topic)
  # Most columns can be recognised without their class.
  if (is.numeric(x) && !is.object(x)) {
    return(list(
      kind = "numeric", value = x, n_levels = 0L, levels = NULL,
      ptype = if (is.integer(x)) integer() else numeric()
    ))
  }
  if (is.factor(x)) {
    check_factor(x, topic, cli::format_inline(what))
    return(code_factor(x))
  }
  if (is.character(x)) {
    return(code_character(x, rows))
  }
  if (is.logical(x)) {
    return(list(
      kind = "nominal", value = as.integer(x) + 1L, n_levels = 2L,
      levels = c("FALSE", "TRUE"), ptype = logical()
    ))
  }
  if (inherits(x, "POSIXlt")) {
    x <- as.POSIXct(x)
  } else if (is_integer64(x)) {
    x <- decode_integer64(x)
  }
  list(kind = "numeric", value = x, n_levels = 0L, levels = NULL, ptype = prototype_of(x))
}

# A factor has its declared levels; a level that is itself NA counts as missing.
code_factor <- function(x) {
  levels <- levels(x)
  value <- x
  if (anyNA(levels)) {
    value <- match(levels, levels[!is.na(levels)])[x]
    levels <- levels[!is.na(levels)]
  }
  ordered <- is.ordered(x)
  list(
    kind = if (ordered) "ordered" else "nominal",
    value = plain_codes(value),
    n_levels = length(levels),
    levels = levels,
    ptype = if (ordered) no_ordered else no_factor
  )
}

# A factor made by hand, or read from a damaged file, may have codes without a level. `what` is
# evaluated only for the error.
check_factor <- function(x, topic, what) {
  codes <- plain_codes(x)
  n_levels <- length(levels(x))
  if (min(codes, 1L, na.rm = TRUE) >= 1L && max(codes, 0L, na.rm = TRUE) <= n_levels) {
    return(invisible())
  }
  row <- which(codes < 1L | codes > n_levels)[1L]
  tec_abort(topic, c(
    paste(escape_braces(what), "is not a valid factor."),
    x = "It has {count_text(n_levels, 'level')}, but row {row} has the code {codes[row]}.",
    i = "Create it again from its values, with {.fn factor}."
  ))
}

no_factor <- factor(character())
no_ordered <- ordered(character())

# Character columns have the levels that occur in the rows used, in the order of the C locale, so
# that the tree does not depend on the session's locale.
code_character <- function(x, rows) {
  present <- different_texts(x, rows)
  levels <- sort(as.character(present), method = "radix")
  list(
    kind = "nominal", value = levels_of_texts(x, levels), n_levels = length(levels),
    levels = levels, ptype = character(),
    unused = if (!is.null(rows)) setdiff(different_texts(x), c(present, NA))
  )
}

prototype_of <- function(x) {
  if (inherits(x, c("Date", "POSIXct", "difftime"))) {
    return(x[0L])
  }
  if (is.integer(x) && !is.object(x)) integer() else numeric()
}

# haven's labelled columns are plain values with attributes; haven may not be installed.
drop_labels <- function(x) {
  if (inherits(x, "haven_labelled")) plain_codes(x) else x
}

is_integer64 <- function(x) inherits(x, "integer64")

# 64-bit integers are stored in the bits of doubles. The number is computed from two 32-bit halves
# and is exact up to 2^53; -2^63 is the missing value.
decode_integer64 <- function(x) {
  bits <- writeBin(as.vector(unclass(x)), raw(), endian = "little")
  halves <- readBin(bits, "integer", n = 2L * length(x), size = 4L, endian = "little")
  low <- as_double(halves[c(TRUE, FALSE)])
  high <- as_double(halves[c(FALSE, TRUE)])
  # readBin() shows the bit pattern of -2^31 as NA.
  low[is.na(low)] <- -2^31
  high[is.na(high)] <- -2^31
  low <- ifelse(low < 0, low + 2^32, low)
  value <- high * 2^32 + low
  value[value == -2^63] <- NA
  value
}

# Numbers of any class as plain numbers, with their names and dimensions.
plain_vector <- function(x) {
  if (!is_integer64(x)) {
    return(x)
  }
  structure(decode_integer64(x), names = names(x), dim = dim(x), dimnames = dimnames(x))
}

has_missing <- function(frame, rows) {
  vapply(frame$value, function(x) anyNA(if (is.null(rows)) x else x[rows]), NA)
}

as_double <- function(x) {
  if (typeof(x) == "double") x else as.double(x)
}

# A matrix, dense or from the package Matrix, as a data frame of its columns, without the cost of
# as.data.frame() for wide matrices. Entries that a sparse matrix does not store are 0. Other
# objects are unchanged.
#' @srrstats {G2.7} Data frames, tibbles, data tables, dense and sparse matrices are accepted.
#' @srrstats {G2.9} Dropped rows are reported by a message, unseen levels by a warning, and columns
#'   that cannot be read by an error. The names of unnamed columns are in the help of [tec_tree()].
#' @noRd
as_columns <- function(x) {
  if (!is.matrix(x) && !inherits(x, "Matrix")) {
    return(x)
  }
  names <- colnames(x) %||% default_names(ncol(x))
  values <- if (is.matrix(x)) {
    matrix_columns(x)
  } else {
    need_package("Matrix", "tec_tree")
    # Only one block of columns at a time is dense.
    blocks <- split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% 64L)
    dense <- lapply(unname(blocks), function(at) matrix_columns(as.matrix(x[, at, drop = FALSE])))
    unlist(dense, recursive = FALSE)
  }
  structure(values, names = names, row.names = .set_row_names(nrow(x)), class = "data.frame")
}

default_names <- function(n) paste0("V", seq_len(n), recycle0 = TRUE)

matrix_columns <- function(x) lapply(seq_len(ncol(x)), function(j) unname(x[, j]))
