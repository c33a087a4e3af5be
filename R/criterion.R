#' The split criteria
#'
#' `tec_criteria()` lists all criteria. `tec_criterion()` returns one criterion with its parameter,
#' for the argument `criterion` of [tec_tree()] and [tec_scores()].
#'
#' @param name One of the names in `tec_criteria()`.
#' @param ... The parameter of the criterion, by name: `q` for the Tsallis
#'   criteria, `beta` for `"beta"`. The defaults are shown by `tec_criteria()`.
#' @return `tec_criteria()`: a data frame, one row per criterion, with the columns `name`, `task`
#'   (`"classification"` or `"regression"`), `parameter` (its name or `""`), `default`, `domain`
#'   (the allowed values), `cut` (the measure that chooses the split of one predictor), `eligible`
#'   (the predictors that may win), `score` (what decides between them), `units` (of the gain;
#'   ratios of gains have none) and `reference`. `tec_criterion()`: an object of class
#'   `tec_criterion`.
#' @section Empty classes:
#' `cair` and the `effcami` criteria compare the number of branches with the number of classes, that
#' is, the number of levels of the response, including unused ones. An unused level makes all scores
#' of `cair` smaller and favours predictors with more values than classes. Use [droplevels()] to
#' remove unused levels, for example after taking a subset.
#' @family criteria
#' @examples
#' tec_criteria()[c("name", "task", "parameter", "score")]
#' tec_criterion("beta", beta = 1.7)
#' tec_criterion("gini")
#' @srrstats {G1.3} Each criterion is defined by a formula in the vignette *All criteria*, each
#'   measure on the page of the function that returns it.
#' @srrstats {ML3.5b, ML3.6b} `criterion` chooses what a split improves, from seventeen criteria.
#' @export
tec_criteria <- function() {
  core <- tec_criteria_()
  out <- data.frame(
    name = core$name,
    task = core$task,
    parameter = core$parameter,
    default = ifelse(core$parameter == "", NA_real_, core$default_parameter),
    domain = criterion_domain(core),
    cut = core$cut,
    eligible = core$eligible,
    score = core$score,
    units = core$units,
    reference = core$reference,
    stringsAsFactors = FALSE
  )
  out
}

criterion_domain <- function(core) {
  open <- ifelse(core$parameter_min_open, ">", ">=")
  bounded <- paste(core$parameter, open, core$parameter_min)
  free <- paste(core$parameter, "any finite number")
  out <- ifelse(is.finite(core$parameter_min), bounded, free)
  ifelse(core$parameter == "", "", out)
}

#' @rdname tec_criteria
#' @export
tec_criterion <- function(name, ...) {
  given <- list(...)
  if (inherits(name, "tec_criterion")) {
    if (!is.list(name) || !is_string(name$name) || !is_string(name$task)) {
      tec_abort("criterion", c(
        "{.arg criterion} is not what {.fn tec_criterion} returns.",
        x = "It has no {.field name}, or no {.field task}."
      ))
    }
    if (length(given) == 0L) {
      return(name)
    }
    name <- name$name
  }
  row <- criterion_row(name)
  check_criterion_arguments(dot_names(given), row)
  parameter <- numeric()
  if (nzchar(row$parameter)) {
    value <- if (length(given)) given[[1L]] else row$default_parameter
    parameter <- check_parameter(value, row)
    names(parameter) <- row$parameter
  }
  structure(
    list(
      name = row$name, parameter = parameter, task = row$task, cut = row$cut,
      eligible = row$eligible, score = row$score, units = row$units
    ),
    class = "tec_criterion"
  )
}

# The core's table, requested once.
core_criteria <- local({
  table <- NULL
  function() {
    if (is.null(table)) table <<- tec_criteria_()
    table
  }
})

criterion_row <- function(name) {
  core <- core_criteria()
  if (!is.character(name) || length(name) != 1L || is.na(name)) {
    tec_abort("criterion", c(
      "{.arg criterion} must be a name from {.fn tec_criteria}, or from {.fn tec_criterion}.",
      x = "It is {describe(name)}."
    ))
  }
  name <- our_word("criterion", name, core$name)
  at <- match(name, core$name)
  if (is.na(at)) {
    tec_abort("criterion", c(
      "There is no criterion {.val {name}}.",
      suggestion(name, core$name) %||% c(i = "There are {.val {core$name}}.")
    ))
  }
  lapply(core, `[[`, at)
}

check_criterion_arguments <- function(given, row) {
  wrong <- given[given != row$parameter | !nzchar(given)]
  if (length(given) == 0L || (length(wrong) == 0L && length(given) == 1L)) {
    return(invisible())
  }
  wrong <- c(wrong, given)[1L]
  takes <- if (nzchar(row$parameter)) {
    c(i = "It takes {.arg {row$parameter}}, one number.")
  } else {
    c(i = "It has no parameter.")
  }
  found <- if (nzchar(wrong)) "{.arg {wrong}}" else "a value without a name"
  tec_abort("criterion", c(paste0("Criterion {.val {row$name}} does not take ", found, "."), takes))
}

check_parameter <- function(value, row) {
  if (row$parameter == "q") {
    return(check_q(value))
  }
  arg <- row$parameter
  ok <- is_number(value) && is.finite(value)
  bound <- row$parameter_min
  if (ok && is.finite(bound)) {
    ok <- if (row$parameter_min_open) value > bound else value >= bound
  }
  if (!ok) {
    sign <- if (row$parameter_min_open) "above" else "of at least"
    tec_abort("criterion", c(
      "{.arg {arg}} of criterion {.val {row$name}} must be one finite number {sign} {bound}.",
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

check_q <- function(q) {
  if (is.numeric(q) && length(q) > 1L) {
    tec_abort("q", c(
      "{.arg q} must be one number.",
      x = "It has {length(q)} values.",
      i = "{.fn tec_tree} and {.fn tec_tune} choose among several by cross-validation."
    ))
  }
  if (!is_number(q) || !is.finite(q)) {
    tec_abort("q", c(
      "{.arg q} must be one finite number.",
      x = "It is {describe(q)}.",
      i = if (is.character(q)) "A criterion is given by name: {.code criterion = \"{q[1L]}\"}."
    ))
  }
  as.double(q)
}

# The criterion in the form that the core takes.
core_criterion <- function(criterion) {
  parameter <- if (length(criterion$parameter)) criterion$parameter[[1L]] else NA_real_
  list(name = criterion$name, parameter = parameter)
}

#' @export
format.tec_criterion <- function(x, ...) {
  refuse_dots("tec_criterion", ...)
  plain_numbers()
  if (length(x$parameter) == 0L) {
    return(x$name)
  }
  paste0(x$name, ", ", names(x$parameter), " = ", format(x$parameter[[1L]], digits = 7))
}

#' @export
print.tec_criterion <- function(x, ...) {
  refuse_dots("tec_criterion", ...)
  ratio <- x$name %in% names(ratio_scores)
  writeLines(c(
    paste0("<tec_criterion> ", format(x)),
    paste0("  task:     ", x$task),
    paste0("  score:    ", x$score, " (", if (ratio) "no unit; gain in ", x$units, ")"),
    paste0("  cut by:   ", x$cut),
    paste0("  eligible: ", x$eligible)
  ))
  invisible(x)
}

# Criteria whose score is a gain divided by a quantity in the same unit.
ratio_scores <- c(
  tsallis_ratio = "gain / entropy of the branch sizes", gain_ratio = "gain / split information",
  cair = "gain / max(log2 K, log2 g)", effcami0 = "gain / largest possible",
  effcami1 = "gain / largest possible"
)
