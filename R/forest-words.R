# Arguments of other packages for tec_forest(), tec_boost() and tec_mars(): the call is rewritten
# with ours and evaluated. Names that only differ are renamed, so that columns of `data` and the
# call as printed stay as written.

# `kind`: of the words, "forest", "boost", "rotation" or "mars".
has_forest_words <- function(call, kind = "forest") {
  any(vapply(names(call[["..."]]), is_forest_word, NA, kind))
}

is_forest_word <- function(name, kind = "forest") {
  seed <- kind != "mars" && name %in% seed_words
  nzchar(name) && (seed || !is.null(find_word(kind, name)))
}

seed_words <- c("seed", "random_state")

# `call`: match.call(expand.dots = FALSE) of the method, `...` its dots.
eval_forest_words <- function(call, method, env, ..., .kind = "forest") {
  dots <- as.list(call[["..."]])
  call[["..."]] <- NULL
  call[[1L]] <- method
  seed <- NULL
  for (i in seq_along(dots)) {
    name <- names(dots)[i]
    entry <- if (nzchar(name)) find_word(.kind, name)
    if (.kind != "mars" && name %in% seed_words) {
      seed <- check_seed(stats::setNames(list(...elt(i)), name))
    } else if (is.null(entry)) {
      call <- as.call(c(as.list(call), dots[i]))
    } else {
      given <- c(names(call), names(dots))
      call <- with_forest_word(call, name, entry, dots[[i]], function() ...elt(i), given)
    }
  }
  if (is.null(seed)) eval(call, env) else with_own_seed(seed, eval(call, env))
}

# `expr`: the argument as written; `value`: a function that returns its value; `given`: the names of
# all arguments.
with_forest_word <- function(call, name, entry, expr, value, given) {
  if (is.null(entry$ours)) {
    if (!is_no_change(entry, value())) abort_forest_word(name, entry)
    return(call)
  }
  own <- if (is.null(entry$convert)) {
    stats::setNames(list(expr), entry$ours)
  } else {
    entry$convert(value())
  }
  twice <- intersect(names(own), given)
  if (length(twice)) abort_twice(name, twice[1L])
  as.call(c(as.list(call), own))
}

abort_forest_word <- function(name, entry) {
  tec_abort("argument", c(
    "{.fn tec_{entry$kind}} has no argument {.arg {name}}.",
    x = "{.arg {name}} is an argument of {entry$tool}.",
    i = "{upper_first(entry$advice)}."
  ))
}
