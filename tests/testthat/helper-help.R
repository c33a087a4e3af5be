# The help pages, parsed: of the sources, or else of the installed package.
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
