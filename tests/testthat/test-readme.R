# Runs the R code of README.md as a reader would.

# list(code, said): each block of R code, and the output that follows it as `#> ` lines.
readme_blocks <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  fence <- grep("^```", lines)
  open <- fence[c(TRUE, FALSE)]
  close <- fence[c(FALSE, TRUE)]
  lapply(which(lines[open] == "```r"), function(i) lines[seq(open[i] + 1L, close[i] - 1L)])
}

# Without blanks at the end of lines, and empty lines.
plain_output <- function(lines) {
  lines <- trimws(lines, "right")
  lines[nzchar(lines)]
}

# Runs a block call by call: each call's own output, beside what README says.
expect_as_said <- function(lines, env) {
  parsed <- parse(text = lines, keep.source = TRUE)
  ends <- vapply(attr(parsed, "srcref"), `[[`, 0L, 3L)
  for (i in seq_along(parsed)) {
    last <- if (i < length(parsed)) attr(parsed, "srcref")[[i + 1L]][[1L]] - 1L else length(lines)
    after <- lines[seq_along(lines) > ends[i] & seq_along(lines) <= last]
    said <- sub("^#> ?", "", grep("^#>", after, value = TRUE))
    found <- utils::capture.output(suppressMessages({
      result <- withVisible(eval(parsed[[i]], env))
      if (result$visible) print(result$value)
    }))
    if (length(said)) {
      expect_identical(plain_output(found), plain_output(said), info = deparse(parsed[[i]])[1L])
    }
  }
}

test_that("the code of README runs in its order, and says what README says", {
  places <- c("README.md", file.path("00_pkg_src", "tectree", "README.md"))
  readme <- Filter(file.exists, file.path(test_path("..", ".."), places))[1L]
  skip_if(is.na(readme), "README.md is not beside the tests")
  expect_lte(length(readLines(readme)), 150)
  blocks <- readme_blocks(readme)
  expect_gt(length(blocks), 2)
  grDevices::pdf(withr::local_tempfile(fileext = ".pdf"))
  on.exit(grDevices::dev.off())
  env <- new.env(parent = globalenv())
  for (lines in blocks) {
    # Installs the package.
    if (!any(grepl("install_local", lines))) expect_as_said(lines, env)
  }
})

# Names of vignettes in calls of vignette(), and paths of pages in links.
named_pages <- function(files) {
  text <- unlist(lapply(files, readLines, encoding = "UTF-8"))
  found <- function(pattern) unlist(regmatches(text, gregexpr(pattern, text, perl = TRUE)))
  calls <- found("(?<=vignette\\(\")[a-z-]+(?=\")")
  unique(c(found("(?<=\\()vignettes/[^)]+(?=\\))"), file.path("vignettes", paste0(calls, ".Rmd"))))
}

test_that("vignettes and pages that are named exist", {
  root <- test_path("..", "..")
  skip_if_not(dir.exists(file.path(root, "vignettes")), "the vignettes are not beside the tests")
  files <- c(
    file.path(root, "README.md"), list.files(file.path(root, "R"), "[.]R$", full.names = TRUE),
    list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE),
    list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE, recursive = TRUE)
  )
  pages <- named_pages(files)
  expect_gt(length(pages), 15)
  expect_identical(pages[!file.exists(file.path(root, pages))], character())
})

test_that("README links only to files that are in the package", {
  root <- test_path("..", "..")
  ignore <- file.path(root, ".Rbuildignore")
  skip_if_not(file.exists(ignore), ".Rbuildignore is not beside the tests")
  text <- readLines(file.path(root, "README.md"), encoding = "UTF-8")
  found <- regmatches(text, gregexpr("(?<=\\]\\()(?!https?:)[^)#]+", text, perl = TRUE))
  links <- unlist(found)
  expect_gt(length(links), 10)
  # A pattern may leave out a folder of the file.
  folders <- function(path) if (path == ".") character() else c(path, folders(dirname(path)))
  matches <- function(pattern, paths) any(grepl(pattern, paths, perl = TRUE, ignore.case = TRUE))
  ignored <- vapply(links, function(link) {
    any(vapply(readLines(ignore), matches, NA, folders(link)))
  }, NA)
  expect_identical(links[ignored], character())
})

test_that("links between the pages of the site lead to pages", {
  folder <- test_path("..", "..", "vignettes")
  skip_if_not(dir.exists(folder), "the vignettes are not beside the tests")
  pages <- list.files(folder, "[.]Rmd$", full.names = TRUE, recursive = TRUE)
  text <- unlist(lapply(pages, readLines, encoding = "UTF-8"))
  found <- gregexpr("(?<=\\]\\()[a-z-]+(?=[.]html[)#])", text, perl = TRUE)
  links <- unlist(regmatches(text, found))
  expect_gt(length(links), 5)
  expect_identical(setdiff(links, sub("[.]Rmd$", "", basename(pages))), character())
})
