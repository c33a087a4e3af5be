# Tested in test-tec_code.R.

tree_code <- function(fit, lang, name) {
  form <- export_tree(fit, "tec_code")
  words <- code_words[[lang]]
  fields <- c(list(NAME = name), code_fields(form, lang, words))
  fill_template(code_template(words$file), fields)
}

#' @export
print.tec_code <- function(x, ...) {
  refuse_dots("tec_code", ...)
  cat(x, "\n", sep = "")
  invisible(x)
}

# How values are read, and levels looked up, is the same in several templates of a language.
# `end`: the text that ends the template of a forest.
code_template <- function(file, end = "") {
  text <- sub("@END@", end, package_text("export", file), fixed = TRUE)
  if (!grepl("@READ@", text, fixed = TRUE)) {
    return(text)
  }
  shared <- package_text("export", paste0("read.", tools::file_ext(file)))
  sub("@READ@", shared, text, fixed = TRUE)
}

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
  numbers <- code_numbers(lang)
  csv <- function(x) wrap_items(x, ", ")
  classes <- length(form$classes)
  score <- if (classes) form$prob else matrix(form$value)
  needed <- vapply(form$inputs, `[[`, NA, "needed")
  c(
    list(
      N_INPUTS = length(form$inputs), N_NODES = length(form$value), SCORES = ncol(score),
      INPUTS = csv(quoted(vapply(form$inputs, `[[`, "", "name"), lang)),
      CLASSES = csv(quoted(form$classes %||% character(), lang)),
      NEEDED = csv(code_bool(needed, lang)),
      VALUE = csv(if (classes) form$value - (lang != "r") else rep(-1L, nrow(score))),
      SCORE = code_matrix(score, words, numbers),
      NEXT = paste(code_nodes(form, lang, words, numbers), collapse = "\n")
    ),
    code_aims(if (form$shared) form$classes, form$cost, lang, words, numbers),
    code_levels(form, lang), code_parts(form, lang, numbers)
  ) |> code_dummies(lang)
}

code_numbers <- function(lang) {
  switch(lang, r = r_number, c = , rust = real_number, exact_number)
}

code_matrix <- function(m, words, numbers) {
  cells <- matrix(numbers(m), nrow(m))
  rows <- do.call(paste, c(lapply(seq_len(ncol(m)), function(k) cells[, k]), sep = ", "))
  wrap_items(paste0(words$row[1L], rows, words$row[2L]), ", ")
}

# How a class is chosen by shares: the largest of their products with AIM, up to MARGIN. A loss
# counts against a class, so the largest of the negative ones is the least.
code_aims <- function(classes, cost, lang, words, numbers) {
  k <- length(classes)
  aim <- if (is.null(cost)) diag(k) else -unname(cost)
  list(
    AIM = if (k) code_matrix(aim, words, numbers) else code_empty(lang, max(1L, k)),
    MARGIN = if (is.null(cost)) "1.0 - 1e-12" else "1.0 + 1e-12"
  )
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
    for (field in intersect(c("ORDERED", "SIDE", "STOP"), names(fields))) {
      if (!nzchar(fields[[field]])) fields[[field]] <- "0"
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
