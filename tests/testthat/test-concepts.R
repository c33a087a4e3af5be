# The pages on which help.search() would find a word: by its title, its names and its concepts.
pages_on <- function(pages, word) {
  found <- vapply(pages, function(page) {
    tags <- vapply(page, attr, "", "Rd_tag")
    text <- vapply(page[tags %in% c("\\title", "\\alias", "\\concept")], function(x) {
      paste(unlist(x), collapse = "")
    }, "")
    any(grepl(tolower(word), tolower(text), fixed = TRUE))
  }, NA)
  sub("[.]Rd$", "", names(pages)[found])
}

test_that("the words of other packages find the page", {
  pages <- help_pages()
  expected <- list(
    "variable importance" = "importance", "regression tree" = "tec_tree",
    "missing values" = c("tec_control", "predict.tec_tree"),
    "confusion matrix" = "summary.tec_tree", "decision rules" = "tec_rules",
    "surrogate" = c("tec_control", "predict.tec_tree"), "plot tree" = "plot.tec_tree",
    "hyperparameter" = c("tec_control", "tec_tune"), "complexity parameter" = "cp_table",
    "decision tree" = "tec_tree"
  )
  for (word in names(expected)) {
    expect_true(all(expected[[word]] %in% pages_on(pages, word)), label = word)
  }
})

test_that("help.search() finds them in the installed package", {
  index <- system.file("Meta", "hsearch.rds", package = "tectree")
  skip_if_not(nzchar(index), "the package was installed without its help")
  for (word in c("variable importance", "confusion matrix", "plot tree", "hyperparameter")) {
    found <- utils::help.search(word, package = "tectree", agrep = FALSE, rebuild = TRUE)
    expect_gt(nrow(found$matches), 0)
  }
})

test_that("every page says what its functions return, and has examples", {
  is_of_functions <- function(page) !any(attr(page, "meta")$docType %in% c("package", "import"))
  pages <- Filter(is_of_functions, help_pages())
  tags <- lapply(pages, function(page) vapply(page, attr, "", "Rd_tag"))
  lacking <- function(...) names(Filter(function(page) !any(c(...) %in% page), tags))
  expect_gt(length(pages), 90)
  expect_identical(lacking("\\value", "\\format"), character())
  expect_identical(lacking("\\examples"), character())
})
