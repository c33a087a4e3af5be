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
