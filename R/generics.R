# Generics whose names other packages use too. If tectree is attached last, its generics mask theirs
# and pass objects of other classes on. If the other packages are attached last, our methods are
# registered with their generics.

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' @exportS3Method
explain.default <- function(x, ...) {
  if (missing(x)) pass_on("explain", ...) else pass_on("explain", x, ...)
}

#' @exportS3Method
importance.default <- function(x, ...) {
  if (missing(x)) pass_on("importance", ...) else pass_on("importance", x, ...)
}

# The generics of other packages call ours, which has a method for each model.
#' @exportS3Method
#' @rawNamespace S3method(ranger::importance, tec_fit)
#' @rawNamespace S3method(randomForest::importance, tec_fit)
importance.tec_fit <- function(x, ...) importance(x, ...)

#' @rdname tec_prune
#' @param tree A tree.
#' @export
prune <- function(tree, ...) {
  UseMethod("prune")
}

#' @exportS3Method
prune.default <- function(tree, ...) {
  if (missing(tree)) pass_on("prune", ...) else pass_on("prune", tree, ...)
}

#' @rdname cp_table
#' @export
printcp <- function(x, ...) {
  UseMethod("printcp")
}

#' @exportS3Method
printcp.tec_tree <- function(x, ...) print(cp_table(x), ...)

#' @exportS3Method
printcp.default <- function(x, ...) {
  if (missing(x)) pass_on("printcp", ...) else pass_on("printcp", x, ...)
}

#' @rdname cp_table
#' @export
plotcp <- function(x, ...) {
  UseMethod("plotcp")
}

#' @exportS3Method
plotcp.default <- function(x, ...) {
  if (missing(x)) pass_on("plotcp", ...) else pass_on("plotcp", x, ...)
}

# Calls the function `name` of another package. A parsnip fit or a workflow that contains a tectree
# model is handled by our method, unless an attached package has a function that accepts it.
pass_on <- function(name, ...) {
  if (...length() == 0L) {
    tec_abort("argument", c("{.fn {name}} needs a model.", x = "Nothing is given."))
  }
  object <- ...elt(1L)
  given <- dot_names(list(...))
  tree <- if (!nzchar(given[1L])) wrapped_tree(object)
  # A tectree model is passed to a package that the user attached, but not to one that is only
  # loaded.
  own <- inherits(object, c("tec_fit", "tec_tune"))
  wraps <- inherits(tree, c("tec_fit", "tec_tune")) && !own
  other <- other_function(name, object, given[nzchar(given)], loaded = !wraps && !own)
  if (is.null(other) && wraps) {
    ours <- get(name, envir = topenv())
    return(do.call(ours, c(list(tree), list(...)[-1L]), quote = TRUE, envir = parent.frame(2L)))
  }
  if (is.null(other)) {
    tec_abort("argument", c(
      switch(name,
        explain = "{.fn explain} needs a tree from {.fn tec_tree} or splines from {.fn tec_mars}.",
        importance = "{.fn importance} needs a model of this package.",
        "{.fn {name}} needs a tree from {.fn tec_tree}."
      ),
      x = "It got {describe(object)}.",
      i = other_trees(object, name)
    ))
  }
  call_from_outside(other, ...)
}

# A generic looks for methods from where it is called. It must not find the methods of this package
# that pass objects on.
call_from_outside <- function(other, ...) other(...)
environment(call_from_outside) <- globalenv()

# The function of this name in another package that accepts `object`. Attached packages come before
# loaded ones (if `loaded`). Among these, a function with a method for the class comes before one
# that accepts anything (such as `dials::prune()`), in the order of the search path. `given`: the
# names of the arguments.
other_function <- function(name, object, given = character(), loaded = TRUE) {
  attached <- sub("^package:", "", grep("^package:", search(), value = TRUE))
  for (packages in list(attached, if (loaded) loadedNamespaces())) {
    found <- Filter(is.function, lapply(packages, foreign_export, name))
    for (classes in list(.class2(object), "default")) {
      can <- Filter(function(fun) takes(fun, name, classes, given) && suits(fun, object), found)
      if (length(can) > 0L) {
        return(can[[1L]])
      }
    }
  }
  NULL
}

# The object that a package exports under a name, unless it is ours.
foreign_export <- function(package, name) {
  if (!isNamespaceLoaded(package) || !name %in% getNamespaceExports(package)) {
    return(NULL)
  }
  found <- getExportedValue(package, name)
  if (!identical(topenv(environment(found)), topenv())) found
}

# `printcp()` and `plotcp()` of rpart accept only rpart's trees.
suits <- function(fun, object) {
  !identical(environmentName(topenv(environment(fun))), "rpart") || inherits(object, "rpart")
}

# Whether a function is a generic with a method for one of the classes. Other functions with these
# arguments count as defaults.
takes <- function(fun, name, classes, given) {
  if (!isTRUE(as.logical(utils::isS3stdGeneric(fun)))) {
    known <- names(formals(fun))
    return("default" %in% classes && ("..." %in% known || !anyNA(pmatch(given, known))))
  }
  # A generic that is called from the workspace finds methods that are visible there, and those
  # registered with it.
  registered <- get0(".__S3MethodsTable__.", topenv(environment(fun)), inherits = FALSE)
  any(vapply(paste(name, classes, sep = "."), function(method) {
    found <- get0(method, globalenv(), mode = "function") %||%
      if (!is.null(registered)) get0(method, registered, inherits = FALSE)
    !is.null(found) && !only_stops(found)
  }, NA))
}

# The default of `randomForest::importance()` accepts nothing.
only_stops <- function(fun) is.call(body(fun)) && identical(body(fun)[[1L]], quote(stop))
