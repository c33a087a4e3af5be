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

test_that("the life cycle names every exported function, and experimental pages say so", {
  pages <- help_pages()
  text_of <- function(x) paste(unlist(x), collapse = " ")
  tags <- function(page) vapply(page, attr, "", "Rd_tag")
  named <- function(page, tag) trimws(vapply(page[tags(page) == tag], text_of, ""))
  package <- pages[["tectree-package.Rd"]]
  sections <- package[tags(package) == "\\section"]
  title <- vapply(sections, function(x) text_of(x[[1L]]), "")
  text <- text_of(sections[[which(title == "Lifecycle")]][[2L]])
  at <- regexpr("Experimental", text)
  words <- function(x) unlist(regmatches(x, gregexpr("[a-zA-Z_][a-zA-Z_.]*[a-zA-Z_]", x)))
  lists <- list(stable = words(substr(text, 1L, at)), new = words(substring(text, at)))
  # Described as a group, without their names.
  groups <- c(
    "entropies and partitions", "modeling frameworks", "trees of data elsewhere",
    "uses of all models", "forest functions"
  )
  exported <- sub("[.]tec_tree$", "", grep("^autoplot", getNamespaceExports("tectree"),
    value = TRUE, invert = TRUE
  ))
  # Generics of another package: the page of their methods is named.
  exported <- setdiff(exported, c("augment", "glance", "tidy"))
  page_of <- function(name) {
    Find(function(page) name %in% sub("[.]tec_tree$", "", named(page, "\\alias")), pages)
  }
  for (name in exported) {
    page <- page_of(name)
    known <- c(name, named(page, "\\alias"), named(page, "\\name"))
    grouped <- any(named(page, "\\concept") %in% groups)
    expect_true(any(known %in% unlist(lists)) || grouped, label = paste(name, "has a life cycle"))
  }
  marked <- vapply(pages, function(page) {
    any(grepl("Experimental", named(page, "\\description"), fixed = TRUE))
  }, NA)
  for (name in intersect(setdiff(lists$new, lists$stable), exported)) {
    page <- page_of(name)
    expect_true(marked[[paste0(named(page, "\\name"), ".Rd")]], label = paste(name, "is marked"))
  }
  expect_gt(sum(marked), 20)
  stable <- vapply(intersect(lists$stable, exported), function(name) {
    marked[[paste0(named(page_of(name), "\\name"), ".Rd")]]
  }, NA)
  expect_identical(names(stable)[stable], character())
})
