# For snapshots: each expression of a block, the class of its error and its
# message. The look does not depend on the version of testthat. Where no snapshot
# is compared, some expressions must raise an error of a class of ours.
show_errors <- function(block) {
  block <- substitute(block)
  stopifnot("a block in braces is needed" = identical(block[[1L]], quote(`{`)))
  env <- parent.frame()
  compared <- identical(Sys.getenv("NOT_CRAN"), "true")
  expressions <- as.list(block)[-1L]
  for (expr in if (compared) expressions else some_of(expressions, 4)) {
    error <- tryCatch(
      {
        eval(expr, env)
        NULL
      },
      error = identity
    )
    if (!compared) {
      stopifnot(inherits(error, "tec_error"))
      next
    }
    cat("> ", paste(deparse(expr), collapse = "\n  "), "\n", sep = "")
    cat("<", class(error)[1L], ">\n", sep = "")
    writeLines(c(if (is.null(error)) "no error" else conditionMessage(error), ""))
  }
}
