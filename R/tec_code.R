#' Export a tree or forest to source code
#'
#' Writes the source code of a function with the same predictions as [predict()][predict.tec_tree].
#' It needs only the standard library of the language, or base R without this package.
#'
#' @details
#' The comment at the top describes the arguments and the value of the function. In JavaScript,
#' Python and R it takes rows by column names. In C and Rust it takes an array of numbers, one per
#' column, and a second function converts labels to numbers. It returns the node, the class or
#' number, and the probabilities. Missing values and unseen levels are handled as in
#' [predict()][predict.tec_tree], including surrogates and rows that go down several branches.
#' Unseen levels count as missing even if the tree was grown with `unseen = "error"`.
#'
#' Names and labels become escaped ASCII text, so none can break out of its string. Cuts read back
#' as the same double. The C code is C99 and also valid C++; the other languages are JavaScript
#' ES2018, Python 3.6 and Rust 2018.
#'
#' For splines ([tec_mars()]; not in Rust), the function returns the class or number and the
#' probabilities. A row with a missing value or an unseen level in a predictor of the terms has no
#' prediction.
#'
#' For a forest, the function returns the class or number, and for classes `prob`, the mean shares,
#' and `votes`, the shares of trees, but no node. The code contains the nodes as arrays. For a
#' boosted model ([tec_boost()]) of classes, it returns the class, the probabilities and `link`, the
#' sums of the trees, as [predict()][predict.tec_boost] does.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
#' @param lang `"r"`, `"c"`, `"javascript"`, `"python"` or `"rust"`.
#' @param name The name of the function, or in Rust of the module. It can contain letters, digits
#'   and `_`.
#' @param file `NULL`, or the name of a file to write the text to, in UTF-8. An existing file is
#'   replaced, but only by a complete text.
#' @return One string of class `tec_code`, which prints as the text. It is invisible if a file was
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
  model <- if (is_forest(fit)) "forest" else if (is_mars(fit)) "mars" else "tree"
  words <- code_words[[lang]]
  fields <- switch(model, forest = forest_code, mars = mars_code, tree = tree_code)(fit, words)
  end <- if (model == "forest") if (is_linked(fit)) "end_boost" else "end_forest"
  text <- code_template(paste0(model, words$end), if (length(end)) paste0(end, words$end))
  text <- fill_template(text, code_dummies(c(list(NAME = name), fields), lang))
  give_text(structure(text, class = "tec_code"), file)
}

#' @export
print.tec_code <- function(x, ...) {
  refuse_dots("tec_code", ...)
  cat(x, "\n", sep = "")
  invisible(x)
}

# The differences between the languages: file extensions, how numbers, columns, rows of a matrix and
# the line of a node are written, and whether indices start at 0 or 1.
code_words <- list(
  r = list(
    lang = "r", end = ".R", numbers = r_number, column = "x$x%d", row = c("", ""), base = 1L
  ),
  c = list(
    lang = "c", end = ".c", numbers = real_number, column = "x[%d]", row = c("{", "}"), base = 0L,
    or = " || ", equal = " == ", line = "  case %d: return %s;"
  ),
  javascript = list(
    lang = "javascript", end = ".js", numbers = exact_number, column = "x[%d]", row = c("[", "]"),
    base = 0L, or = " || ", equal = " === ", line = "    %d: (x) => %s,"
  ),
  python = list(
    lang = "python", end = ".py", numbers = exact_number, column = "x[%d]", row = c("[", "]"),
    base = 0L, line = "        %d: lambda x: %s,"
  ),
  rust = list(
    lang = "rust", end = ".rs", numbers = real_number, column = "x[%d]", row = c("[", "]"),
    base = 0L, or = " || ", equal = " == ", line = "            %d => %s,"
  )
)

# ---- shared by all models ----

# Several templates of a language share the code that reads values and looks up levels. `end`: the
# file that ends the template of a forest.
code_template <- function(file, end = NULL) {
  text <- package_text("export", file)
  if (!is.null(end)) text <- sub("@END@", package_text("export", end), text, fixed = TRUE)
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

# C has no empty arrays.
code_dummies <- function(fields, lang) {
  if (lang != "c") {
    return(fields)
  }
  text <- c("INPUTS", "CLASSES", "LEVELS")
  numbers <- c("ORDERED", "SIDE", "STOP", "INPUT", "LEVEL", "KNOT", "AT", "PART_TO", "PART")
  none <- vapply(fields, identical, NA, "")
  fields[none & names(fields) %in% text] <- "\"\""
  fields[none & names(fields) %in% numbers] <- "0"
  fields
}

code_matrix <- function(m, words) {
  cells <- matrix(words$numbers(m), nrow(m))
  rows <- do.call(paste, c(lapply(seq_len(ncol(m)), function(k) cells[, k]), sep = ", "))
  csv(paste0(words$row[1L], rows, words$row[2L]))
}

code_bool <- function(x, lang) {
  words <- switch(lang, r = c("FALSE", "TRUE"), python = c("False", "True"), c("false", "true"))
  words[x + 1L]
}

code_columns <- function(inputs, classes, lang) {
  c(
    list(
      N_INPUTS = length(inputs), INPUTS = csv(quoted(vapply(inputs, `[[`, "", "name"), lang)),
      CLASSES = csv(quoted(classes %||% character(), lang))
    ),
    code_levels(lapply(inputs, `[[`, "levels"), lang)
  )
}

code_levels <- function(levels, lang) {
  text <- lapply(levels, function(l) csv(quoted(l %||% character(), lang)))
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
  list(LEVELS = if (length(levels)) csv(sets) else "")
}

# How a class is chosen from the shares: the largest of their products with AIM, up to MARGIN. Costs
# are negative in AIM, so the largest product has the smallest cost.
code_aims <- function(classes, cost, words) {
  k <- length(classes)
  aim <- if (is.null(cost)) diag(k) else -unname(cost)
  list(
    AIM = if (k) code_matrix(aim, words) else switch(words$lang, c = "{0}", r = "NA", ""),
    MARGIN = if (is.null(cost)) "1.0 - 1e-12" else "1.0 + 1e-12"
  )
}

# ---- a tree ----

tree_code <- function(fit, words) {
  form <- export_tree(fit, "tec_code")
  classes <- length(form$classes)
  score <- if (classes) form$prob else matrix(form$value)
  value <- if (classes) form$value - (words$lang != "r") else rep(-1L, nrow(score))
  needed <- vapply(form$inputs, `[[`, NA, "needed")
  c(
    code_columns(form$inputs, form$classes, words$lang),
    list(
      N_NODES = length(form$value), SCORES = ncol(score),
      NEEDED = csv(code_bool(needed, words$lang)), VALUE = csv(value),
      SCORE = code_matrix(score, words), NEXT = paste(code_nodes(form, words), collapse = "\n")
    ),
    code_aims(if (form$shared) form$classes, form$cost, words), code_parts(form, words)
  )
}

# The branches and shares of a row that goes down several branches.
code_parts <- function(form, words) {
  edge <- form$edges
  some <- form$other$share[edge$child] > 0
  share <- words$numbers(form$other$share[edge$child][some])
  node <- factor(edge$parent[some], seq_along(form$value))
  to <- edge$child[some]
  counts <- tabulate(node, nlevels(node))
  lang <- words$lang
  if (lang == "c") {
    return(list(PARTS_FROM = csv(cumsum(c(0L, counts))), PART_TO = csv(to), PART = csv(share)))
  }
  collapse <- function(x) vapply(split(x, node), paste, "", collapse = ", ", USE.NAMES = FALSE)
  if (lang == "r") {
    to <- collapse(paste0(to, "L", recycle0 = TRUE))
    pairs <- ifelse(counts > 0L, paste0("list(c(", to, "), c(", collapse(share), "))"), "NULL")
    return(list(PARTS = if (any(counts > 0L)) csv(pairs) else ""))
  }
  at <- which(counts > 0L)
  open <- if (lang == "javascript") c("[", "]") else c("(", ")")
  pairs <- collapse(paste0(open[1L], to, ", ", share, open[2L], recycle0 = TRUE))[at]
  pairs <- paste0("[", pairs, "]", recycle0 = TRUE)
  if (lang == "rust") {
    lines <- paste0("            ", at, " => &", pairs, ",", recycle0 = TRUE)
    return(list(PARTS = paste(lines, collapse = "\n")))
  }
  list(PARTS = csv(paste0(at, ": ", pairs, recycle0 = TRUE)))
}

# The line of code for each inner node.
code_nodes <- function(form, words) {
  lang <- words$lang
  test <- code_tests(form$steps, words)
  to <- form$steps$to
  kind <- form$other$kind
  inner <- kind != ""
  other <- ifelse(kind == "node", form$other$to, ifelse(kind == "stop", seq_along(kind), 0L))
  asked <- switch(lang,
    r = paste0("to[which(", test, ")] <- ", to, "L; ", recycle0 = TRUE),
    python = paste0(to, " if ", test, " else ", recycle0 = TRUE),
    rust = paste0("if ", test, " { ", to, " } else ", recycle0 = TRUE),
    paste0(test, " ? ", to, " : ", recycle0 = TRUE)
  )
  # R works on whole columns, so the step that is tested first is written last.
  by_node <- split(asked, factor(form$steps$node, seq_along(kind)))
  if (lang == "r") by_node <- lapply(by_node, rev)
  asked <- vapply(by_node, paste, "", collapse = "", USE.NAMES = FALSE)
  if (lang == "r") {
    lines <- paste0("function(x, n) { to <- rep(", other, "L, n); ", asked, "to }")
    lines <- ifelse(inner, lines, "NULL")
    return(paste0("    ", lines, c(rep(",", length(lines) - 1L), "")))
  }
  if (lang == "rust") other <- paste0("{ ", other, " }")
  sprintf(words$line, which(inner), paste0(asked, other)[inner])
}

# The test of each step.
code_tests <- function(steps, words) {
  column <- sprintf(words$column, steps$input - 1L + words$base)
  level <- steps$op == "in"
  out <- character(length(column))
  out[!level] <- paste(
    column[!level], steps$op[!level], words$numbers(unlist(steps$value[!level])), recycle0 = TRUE
  )
  out[level] <- as.character(Map(code_set, column[level], steps$value[level], list(words)))
  out
}

code_set <- function(column, codes, words) {
  if (words$lang == "r") {
    return(paste0(column, " %in% c(", paste(codes, collapse = ", "), ")"))
  }
  if (words$lang == "python") {
    return(paste0(column, " in (", paste0(codes, ",", collapse = " "), ")"))
  }
  if (words$lang == "rust") codes <- paste0(codes, ".0")
  test <- paste0(column, words$equal, codes, collapse = words$or)
  if (length(codes) > 1L) paste0("(", test, ")") else test
}

# ---- a forest: nodes in vectors, and a function that walks them ----

forest_code <- function(fit, words) {
  check_fit(fit)
  check_forest_finite(fit)
  numbers <- words$numbers
  flag <- function(x) if (words$lang == "c") as.integer(x) else code_bool(x, words$lang)
  used <- needed_columns(fit)
  classes <- forest_classes(fit)
  link <- fit$link
  ends <- forest_entries(fit)
  nodes <- forest_nodes(fit$trees, used, words$base)
  c(
    code_columns(lapply(used, export_input, fit = fit), classes, words$lang),
    list(
      SCORES = ncol(ends$score), ORDERED = csv(flag(fit$columns$kind[used] == "ordered")),
      START = csv(nodes$start), INPUT = csv(nodes$input), RIGHT = csv(nodes$right),
      CUT = csv(numbers(nodes$cut)), SIDE = csv(as.integer(fit$trees$sides)),
      SCORE = code_matrix(ends$score, words), WEIGHT = csv(numbers(ends$weight)),
      UNKNOWN = fit$trees$unknown, STOP = csv(nodes$stop),
      BY_VOTES = flag(forest_rule(fit) == "votes"), IS_CLASS = as.integer(length(classes) > 0L),
      MODEL = if (is.null(link)) "A forest" else "A boosted model",
      # For the comment at the top.
      GIVES = if (is.null(link)) {
        "response, and for classes prob (mean shares) and votes (shares of trees)"
      } else {
        "response (the class), prob (the probabilities) and link (the sums of the trees)"
      }
    ),
    code_aims(fit$response$levels, fit$cost, words),
    if (!is.null(link)) {
      list(
        N_CLASSES = length(link$levels), SUMS = length(link$base),
        OUTPUT = csv((link$output %||% 1L) - 1L + words$base),
        VOTE = csv(numbers(link$vote %||% 0)), BASE = csv(numbers(link$base)),
        SCALE = numbers(link$scale)
      )
    }
  )
}

# Weights, and shares or numbers, of all leaves in their order. If rows can stop, those of the inner
# nodes follow, with weight 0.
forest_entries <- function(fit) {
  trees <- fit$trees
  leaf <- which(trees$variable == 0L)
  classes <- length(fit$response$levels)
  score <- if (classes) leaf_class_shares(trees, leaf, classes) else matrix(trees$cut[leaf])
  weight <- leaf_weights(trees, leaf, classes)
  if (trees$unknown == 2L) {
    own <- forest_own(fit)[-leaf, , drop = FALSE]
    score <- rbind(score, own)
    weight <- c(weight, numeric(nrow(own)))
  }
  list(score = score, weight = weight)
}

# The own predictions of all nodes, one row per node.
forest_own <- function(fit) {
  classes <- length(fit$response$levels)
  if (!is.null(fit$trees$own)) {
    return(t(own_values(fit$trees, classes)))
  }
  do.call(rbind, lapply(seq_len(length(fit)), function(i) {
    tree <- forest_tree(fit, i)$tree
    if (classes) tree$prob else matrix(tree$yval)
  }))
}

# Inputs are numbered as in `used`; nodes and entries from `base`.
forest_nodes <- function(trees, used, base) {
  leaf <- trees$variable == 0L
  place <- seq_along(leaf)
  right <- place + trees$right - 1L + base
  right[leaf] <- seq_len(sum(leaf)) - 1L + base
  stop <- if (trees$unknown == 2L) ifelse(leaf, right, sum(leaf) + cumsum(!leaf) - 1L + base)
  input <- sign(trees$variable) * match(abs(trees$variable), used, nomatch = 0L)
  list(
    start = trees$start[-length(trees$start)] + base, input = as.integer(input), right = right,
    stop = as.integer(stop), cut = replace(trees$cut, leaf, 0)
  )
}

# ---- splines ----

mars_code <- function(fit, words) {
  check_fit(fit)
  if (words$lang == "rust") {
    abort_export(
      "{.fn tec_code} writes splines in R, C, JavaScript and Python.", x = "Rust is not supported.",
      i = "Call the function of {.code lang = \"c\"} from Rust."
    )
  }
  check_mars_finite(fit)
  numbers <- words$numbers
  inputs <- lapply(fit$used, export_input, fit = fit)
  classes <- fit$response$levels
  f <- mars_factors(fit)
  c(
    code_columns(inputs, classes, words$lang),
    list(
      SCORES = max(1L, length(classes)), SUMS = ncol(fit$coefficients),
      TERMS = length(fit$selected), N_AT = length(fit$classes), FROM = csv(f$from),
      INPUT = csv(f$input - 1L + words$base), LEVEL = csv(f$level), SIDE = csv(f$side),
      KNOT = csv(numbers(f$knot)), COEF = code_matrix(unname(fit$coefficients), words),
      AT = csv(fit$classes - 1L + words$base)
    )
  )
}
