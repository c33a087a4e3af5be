# If TECTREE_TIMES names a file, each test adds a line to it for tools/test.sh: its file, and the
# processor seconds since the test before, those of child processes too.
if (nzchar(Sys.getenv("TECTREE_TIMES"))) {
  file_clock <- list2env(list(last = proc.time()))

  test_that <- function(...) {
    call <- sys.call()
    on.exit({
      spent <- proc.time() - file_clock$last
      file_clock$last <- proc.time()
      file <- basename(utils::getSrcFilename(call))
      cat(file, sum(spent[-3L]), "\n", file = Sys.getenv("TECTREE_TIMES"), append = TRUE)
    })
    call[[1L]] <- quote(testthat::test_that)
    eval(call, parent.frame())
  }
}

# Bounds on these tell a slow way from one that takes forever; a busy machine hardly changes them.
processor_seconds <- function(expr) sum(system.time(expr)[c("user.self", "sys.self")])
