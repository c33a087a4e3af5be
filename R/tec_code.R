#' Export a tree to source code
#'
#' Writes the source code of a function with the same predictions as [predict()][predict.tec_tree].
#' It needs only the standard library of the language, or base R without this package.
#'
#' @details
#' The comment at its top says what the function takes and returns. In JavaScript, Python and R it
#' takes rows by column names. In C and Rust it takes an array of numbers, one per column, and
#' another function converts labels to numbers. It returns the node, the class or number, and the
#' probabilities. Missing values and unseen labels are handled as in [predict()][predict.tec_tree],
#' including surrogates and fractions of rows. (With `unseen = "error"` too such labels are missing
#' here.)
#'
#' Names and labels become escaped ASCII text, so none can break out of its string. Thresholds read
#' back as the same double. C is C99 and also C++, JavaScript ES2018, Python 3.6, Rust 2018.
#'
#' @param fit A tree from [tec_tree()], or the result of [tec_tune()].
#' @param lang `"r"`, `"c"`, `"javascript"`, `"python"` or `"rust"`.
#' @param name The name of the function; in Rust that of a module. Letters, digits and `_`.
#' @param file `NULL`, or the name of a file to write the text to, in UTF-8. An existing file is
#'   replaced, and only by a complete text.
#' @return One string of class `tec_code`, which prints as the text. Invisibly if a file was
#'   written.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ Petal.Length + Petal.Width, iris, preset = "cart")
#' tec_code(fit, "python")
#' predict_species <- eval(parse(text = tec_code(fit, "r")))
#' predict_species(iris[c(1, 60, 120), ])$response
#' @export
tec_code <- function(fit, lang = c("r", "c", "javascript", "python", "rust"),
                     name = "predict_tree", file = NULL) {
  plain_numbers(scipen = 999L)
  lang <- if (missing(lang)) "r" else our_word("language", lang, names(code_words))
  match_choice(lang, names(code_words), "lang")
  if (!is.character(name) || length(name) != 1L || !grepl("^[A-Za-z][A-Za-z0-9_]*$", name)) {
    tec_abort("argument", c(
      "{.arg name} must be a name of letters, digits and {.code _}.",
      x = "It is {describe(name)}."
    ))
  }
  check_file(file)
  form <- export_tree(fit, "tec_code")
  words <- code_words[[lang]]
  fields <- c(list(NAME = name), code_fields(form, lang, words))
  text <- fill_template(code_template(words$file), fields)
  give_text(structure(text, class = "tec_code"), file)
}

#' @export
print.tec_code <- function(x, ...) {
  cat(x, "\n", sep = "")
  invisible(x)
}

code_template <- function(file) package_text("export", file)

# Replaces every @FIELD@ in one pass: inserted text is not searched again.
fill_template <- function(text, fields) {
  at <- gregexpr("@[A-Z_]+@", text)
  found <- regmatches(text, at)[[1L]]
  regmatches(text, at) <- list(unlist(fields[gsub("@", "", found)]))
  text
}

# What differs between the languages: how lists, tests and the line of a node are written.
code_words <- list(
  r = list(file = "tree.R", column = "x$x%d", list = c("list(", ")"), row = c("", ""), base = 1L),
  c = list(
    file = "tree.c", column = "x[%d]", row = c("{", "}"), base = 0L, or = " || ", equal = " == ",
    line = "  case %d: return %s;"
  ),
  javascript = list(
    file = "tree.js", column = "x[%d]", row = c("[", "]"), base = 0L, or = " || ",
    equal = " === ", line = "    %d: (x) => %s,"
  ),
  python = list(
    file = "tree.py", column = "x[%d]", row = c("[", "]"), base = 0L,
    line = "        %d: lambda x: %s,"
  ),
  rust = list(
    file = "tree.rs", column = "x[%d]", row = c("[", "]"), base = 0L, or = " || ", equal = " == ",
    line = "            %d => %s,"
  )
)

code_fields <- function(form, lang, words) {
  numbers <- switch(lang, r = r_number, c = , rust = real_number, exact_number)
  csv <- function(x) wrap_items(x, ", ")
  row <- function(r) paste0(words$row[1L], paste(r, collapse = ", "), words$row[2L])
  rows <- function(m) csv(apply(matrix(numbers(m), nrow(m)), 1L, row))
  classes <- length(form$classes)
  score <- if (classes) form$prob else matrix(form$value)
  # A loss counts against a class, so the largest of the negative ones is the least.
  aim <- if (is.null(form$cost)) diag(ncol(score)) else -form$cost
  needed <- vapply(form$inputs, `[[`, NA, "needed")
  c(
    list(
      N_INPUTS = length(form$inputs), N_NODES = length(form$nodes), SCORES = ncol(score),
      INPUTS = csv(quoted(vapply(form$inputs, `[[`, "", "name"), lang)),
      CLASSES = csv(quoted(form$classes %||% character(), lang)),
      NEEDED = csv(code_bool(needed, lang)),
      VALUE = csv(if (classes) form$value - (lang != "r") else rep(-1L, nrow(score))),
      SCORE = rows(score),
      AIM = if (classes && form$shared) rows(aim) else code_empty(lang, ncol(score)),
      MARGIN = if (is.null(form$cost)) "1.0 - 1e-12" else "1.0 + 1e-12",
      NEXT = paste(code_nodes(form, lang, words, numbers), collapse = "\n")
    ),
    code_levels(form, lang), code_parts(form, lang, numbers)
  ) |> code_dummies(lang)
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

code_bool <- function(x, lang) {
  words <- switch(lang, r = c("FALSE", "TRUE"), python = c("False", "True"), c("false", "true"))
  words[x + 1L]
}

code_empty <- function(lang, columns) {
  switch(lang, c = paste0("{", paste(rep("0", columns), collapse = ", "), "}"), r = "NA", "")
}

# C has no arrays without elements.
code_dummies <- function(fields, lang) {
  if (lang == "c") {
    for (field in c("INPUTS", "CLASSES", "LEVELS")) {
      if (!nzchar(fields[[field]])) fields[[field]] <- "\"\""
    }
  }
  fields
}

code_levels <- function(form, lang) {
  levels <- lapply(form$inputs, `[[`, "levels")
  text <- lapply(levels, function(l) wrap_items(quoted(l %||% character(), lang), ", "))
  if (lang == "c") {
    some <- unlist(text[nzchar(unlist(text))])
    return(list(
      LEVELS = paste(some, collapse = ",\n  "),
      LEVELS_FROM = paste(cumsum(c(0L, lengths(levels))), collapse = ", ")
    ))
  }
  around <- switch(lang, r = c("c(", ")"), rust = c("&[", "]"), c("[", "]"))
  none <- switch(lang, r = "NULL", javascript = "null", python = "None", rust = "&[]")
  sets <- ifelse(vapply(levels, is.null, NA), none, paste0(around[1L], text, around[2L]))
  list(LEVELS = if (length(levels)) wrap_items(sets, ", ") else "")
}

# The nodes and shares of a row that goes down several branches.
code_parts <- function(form, lang, numbers) {
  others <- lapply(form$nodes, function(n) if (identical(n$other$kind, "share")) n$other)
  if (lang == "c") {
    to <- unlist(lapply(others, `[[`, "to"))
    share <- unlist(lapply(others, `[[`, "share"))
    counts <- lengths(lapply(others, `[[`, "to"))
    return(list(
      PARTS_FROM = wrap_items(cumsum(c(0L, counts)), ", "),
      PART_TO = wrap_items(to %||% "0", ", "),
      PART = wrap_items(if (length(share)) numbers(share) else "0", ", ")
    ))
  }
  at <- which(lengths(others) > 0L)
  if (lang == "r") {
    pairs <- vapply(others, function(o) {
      if (is.null(o)) return("NULL")
      to <- paste0(o$to, "L", collapse = ", ")
      paste0("list(c(", to, "), c(", paste(numbers(o$share), collapse = ", "), "))")
    }, "")
    return(list(PARTS = if (length(at)) wrap_items(pairs, ", ") else ""))
  }
  pairs <- vapply(others[at], function(o) {
    open <- if (lang == "javascript") c("[", "]") else c("(", ")")
    pairs <- paste0(open[1L], o$to, ", ", numbers(o$share), open[2L], collapse = ", ")
    paste0("[", pairs, "]")
  }, "")
  if (lang == "rust") {
    lines <- paste0("            ", at, " => &", pairs, ",", recycle0 = TRUE)
    return(list(PARTS = paste(lines, collapse = "\n")))
  }
  list(PARTS = wrap_items(paste0(at, ": ", pairs, recycle0 = TRUE), ", "))
}

# The line of each inner node.
code_nodes <- function(form, lang, words, numbers) {
  if (lang == "r") {
    return(code_nodes_r(form, words, numbers))
  }
  inner <- which(lengths(form$nodes) > 0L)
  vapply(inner, function(i) {
    node <- form$nodes[[i]]
    test <- vapply(node$steps, code_test, "", lang, words, numbers)
    to <- vapply(node$steps, `[[`, 0L, "to")
    other <- code_other(node$other, i)
    if (lang == "rust") other <- paste0("{ ", other, " }")
    asked <- switch(lang,
      python = paste0(to, " if ", test, " else ", recycle0 = TRUE),
      rust = paste0("if ", test, " { ", to, " } else ", recycle0 = TRUE),
      paste0(test, " ? ", to, " : ", recycle0 = TRUE)
    )
    sprintf(words$line, i, paste0(paste(asked, collapse = ""), other))
  }, "")
}

code_other <- function(other, i) {
  switch(other$kind, node = other$to, stop = i, share = 0L)
}

code_test <- function(step, lang, words, numbers) {
  column <- sprintf(words$column, step$input - 1L + words$base)
  if (step$op != "in") {
    return(paste(column, step$op, numbers(step$value)))
  }
  if (lang == "python") {
    return(paste0(column, " in (", paste0(step$value, ",", collapse = " "), ")"))
  }
  codes <- if (lang == "rust") paste0(step$value, ".0") else step$value
  test <- paste0(column, words$equal, codes, collapse = words$or)
  if (length(codes) > 1L) paste0("(", test, ")") else test
}

# Whole columns at once: the step that is asked first is written last.
code_nodes_r <- function(form, words, numbers) {
  lines <- vapply(seq_along(form$nodes), function(i) {
    node <- form$nodes[[i]]
    if (length(node) == 0L) {
      return("NULL")
    }
    sets <- vapply(rev(node$steps), function(step) {
      column <- sprintf(words$column, step$input)
      value <- if (step$op == "in") {
        paste0("%in% c(", paste(step$value, collapse = ", "), ")")
      } else {
        paste(step$op, numbers(step$value))
      }
      paste0("to[which(", column, " ", value, ")] <- ", step$to, "L; ")
    }, "")
    other <- code_other(node$other, i)
    paste0("function(x, n) { to <- rep(", other, "L, n); ", paste(sets, collapse = ""), "to }")
  }, "")
  paste0("    ", lines, c(rep(",", length(lines) - 1L), ""))
}
