# Called by r-mutants.R and mutants.R: runs test files with the installed package, to the first
# failure.
#
#   Rscript r-mutant-tests.R TESTS MUTANT ORIGINAL FILE ...
#
# MUTANT is a copy of the file ORIGINAL of R/: what differs replaces the package's own. If a value
# differs, so do those that are computed from it when the package is built. If MUTANT is
# `installed`, the package is tested as it is. If it is `none`, all files run, and ORIGINAL gets one
# row per file that passes: its seconds, and the names of the functions that it calls.

args <- commandArgs(trailingOnly = TRUE)
space <- loadNamespace("tectree")

# Also where the function is registered as a method.
replace <- function(name, value) {
  own <- get0(name, space, inherits = FALSE)
  unlockBinding(name, space)
  assign(name, value, space)
  for (other in c("base", loadedNamespaces())) {
    table <- get0(".__S3MethodsTable__.", asNamespace(other), inherits = FALSE)
    method <- if (is.environment(table)) get0(name, table, inherits = FALSE)
    if (is.function(method) && identical(environment(method), space) && identical(method, own)) {
      assign(name, value, table)
    }
  }
}

if (args[[2L]] == "none") {
  seen <- new.env()
  for (name in ls(space, all.names = TRUE)) {
    fun <- get(name, space)
    if (!is.function(fun) || is.primitive(fun) || !identical(environment(fun), space)) next
    note <- eval(bquote(function() assign(.(name), TRUE, envir = .(seen))), baseenv())
    body(fun) <- call("{", as.call(list(note)), body(fun))
    replace(name, fun)
  }
} else if (args[[2L]] != "installed") {
  old <- as.list(parse(args[[3L]], keep.source = FALSE))
  new <- as.list(parse(args[[2L]], keep.source = FALSE))
  expressions <- new[!mapply(identical, old, new)]
  is_function <- function(expr) {
    is.call(expr) && length(expr) == 3L && is.call(expr[[3L]]) &&
      identical(expr[[3L]][[1L]], quote(`function`))
  }
  if (all(vapply(expressions, is_function, NA))) {
    for (expr in expressions) {
      box <- new.env(parent = space)
      eval(expr, box)
      for (name in ls(box, all.names = TRUE)) {
        value <- get(name, box)
        environment(value) <- space
        # The check that the package adds to a function when it is built.
        body <- body(get(name, space))
        if ("abort_missing" %in% all.names(body)) value <- space$with_missing_checks(value, name)
        replace(name, value)
      }
    }
  } else {
    # Tables are joined when the package is built, so the files are read as they are then.
    box <- new.env(parent = space)
    files <- sort(list.files(dirname(args[[3L]]), "[.]R$", full.names = TRUE), method = "radix")
    for (file in files[!basename(files) %in% c("RcppExports.R", "zz-missing.R")]) {
      sys.source(if (basename(file) == basename(args[[3L]])) args[[2L]] else file, box)
    }
    for (name in ls(box, all.names = TRUE)) {
      value <- get(name, box)
      if (!is.function(value) && !is.environment(value)) replace(name, value)
    }
  }
}

library(testthat)
library(tectree)

run <- function(file) {
  test_file(file.path(args[[1L]], file),
    package = "tectree", load_package = "installed", reporter = "stop", stop_on_failure = TRUE
  )
}
files <- args[-(1:3)]
if (args[[2L]] == "none") {
  rows <- lapply(files, function(file) {
    rm(list = ls(seen), envir = seen)
    start <- proc.time()
    passed <- tryCatch({
      run(file)
      TRUE
    }, error = function(e) FALSE)
    seconds <- sum((proc.time() - start)[-3L])
    if (passed) data.frame(file = file, seconds = seconds, calls = I(list(ls(seen))))
  })
  saveRDS(do.call(rbind, rows), args[[3L]])
} else {
  for (file in files) run(file)
}
