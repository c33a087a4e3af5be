# For snapshots: each expression of a block, with the class of its error and its message. The format
# does not depend on the version of testthat. Each expression must raise an error of one of our
# classes, so that no snapshot stores any other error. If no snapshot is compared, only some
# expressions are tried.
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
    if (!inherits(error, "tec_error")) {
      stop(
        deparse1(expr), " must raise a tec_error: ",
        if (is.null(error)) "it raises none" else conditionMessage(error)
      )
    }
    if (!compared) next
    cat("> ", paste(deparse(expr), collapse = "\n  "), "\n", sep = "")
    cat("<", class(error)[1L], ">\n", sep = "")
    writeLines(c(conditionMessage(error), ""))
  }
}

# Each of some calls, named by the argument that is wrong in it, is an error that names it.
expect_named_errors <- function(calls, env = parent.frame()) {
  for (i in seq_along(calls)) {
    expect_error(eval(calls[[i]], env), names(calls)[i],
      fixed = TRUE, class = "tec_error", info = deparse1(calls[[i]])
    )
  }
}
