# The parsed help pages, from the sources or otherwise from the installed package.
help_pages <- function() {
  man <- test_path("..", "..", "man")
  pages <- if (dir.exists(man)) {
    tools::Rd_db(dir = test_path("..", ".."))
  } else {
    tools::Rd_db("tectree")
  }
  skip_if(length(pages) == 0L, "the package was installed without its help")
  pages
}

# The words in the tables of the vignettes *Coming from ...*, if the heading of the first column is
# "your word in NAME", by NAME.
coming_from_words <- function() {
  vignettes <- c("from-rpart.Rmd", "from-sklearn.Rmd", "coming-from.Rmd")
  found <- test_path("..", "..", "vignettes", vignettes)
  if (!all(file.exists(found))) found <- system.file("doc", vignettes, package = "tectree")
  skip_if(length(found) < 3L, "the package was installed without its vignettes")
  lines <- unlist(lapply(found, readLines))
  head <- "^[|] your word in `([A-Za-z0-9._]+).*"
  words <- list()
  for (at in grep(head, lines)) {
    rows <- lines[seq(at + 2L, length(lines))]
    first <- sub("^[|] (.*?) [|].*", "\\1", rows[cumsum(!startsWith(rows, "|")) == 0L], perl = TRUE)
    code <- gregexpr("(?<=`)[A-Za-z][A-Za-z0-9._-]*(?=[` =])", first, perl = TRUE)
    words[[sub(head, "\\1", lines[at])]] <- unlist(regmatches(first, code))
  }
  words
}
