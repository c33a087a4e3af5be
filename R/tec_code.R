#' Export a tree or forest to source code
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
#' The function of splines ([tec_mars()]; not in Rust) returns the class or number and the
#' probabilities; a row with a missing value or an unseen label in a predictor of the terms has
#' none.
#'
#' The function of a forest returns the class or number, and for classes `prob`, the mean shares,
#' and `votes`, the shares of trees, but no node. Its text holds the nodes as arrays. That of a
#' boosted model ([tec_boost()]) for classes returns the class, the probabilities and `link`, the
#' sums of the trees, as [predict()][predict.tec_boost] does.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
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
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' own <- eval(parse(text = tec_code(forest, "r", "predict_forest")))
#' own(iris[c(1, 60, 120), ])$votes
#'
#' boosted <- tec_boost(Species ~ ., iris, rounds = 5, threads = 2)
#' own <- eval(parse(text = tec_code(boosted, "r", "predict_boosted")))
#' own(iris[c(1, 60, 120), ])$prob
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
  fit <- chosen_fit(fit, "tec_code")
  write <- if (is_forest(fit)) forest_code else if (is_mars(fit)) mars_code else tree_code
  text <- write(fit, lang, name)
  give_text(structure(text, class = "tec_code"), file)
}

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
      N_INPUTS = length(form$inputs), N_NODES = length(form$nodes), SCORES = ncol(score),
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
