# For snapshots: each expression of a block, the class of its error and its
# message. The look does not depend on the version of testthat.
show_errors <- function(block) {
  block <- substitute(block)
  stopifnot("a block in braces is needed" = identical(block[[1L]], quote(`{`)))
  env <- parent.frame()
  for (expr in as.list(block)[-1L]) {
    error <- tryCatch(
      {
        eval(expr, env)
        NULL
      },
      error = identity
    )
    cat("> ", paste(deparse(expr), collapse = "\n  "), "\n", sep = "")
    cat("<", class(error)[1L], ">\n", sep = "")
    writeLines(c(if (is.null(error)) "no error" else conditionMessage(error), ""))
  }
}
