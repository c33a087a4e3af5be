# Tested in test-conditions.R and test-packages.R.
# Helpers for all conditions of the package. A condition has a class, names the argument, and says
# what was found and what to do.

# Exported functions. An error is reported from the function that was called from outside the
# package, however deep in the call it occurs.
entry_points <- c(
  "tec_tree", "tec_tree.formula", "tec_tree.default", "tec_scores",
  "tec_scores.formula", "tec_scores.default", "tec_scores.tec_tree",
  "tec_control", "tec_criterion", "predict", "predict.tec_tree", "print",
  "format", "format.tec_tree", "as.data.frame",
  "as.data.frame.tec_tree", "tec_prune", "prune", "prune.tec_tree", "cp_table",
  "plot.tec_cp_table", "print.tec_cp_table", "summary", "summary.tec_fit", "tec_rules", "explain",
  "explain.tec_tree", "importance", "importance.tec_tree", "n_leaves", "n_nodes", "tree_depth",
  "fitted", "residuals", "model.frame", "update", "printcp", "plotcp", "plot", "plot.tec_tree",
  "plot.tec_scores", "plot_impurity", "tec_picture", "plot.tec_picture",
  "logLik", "tec_caret", "tec_q_param", "tec_criterion_param", "multi_predict",
  "autoplot", "as.party", "as_rpart", "as_tec_tree", "augment", "tidy", "glance", "tec_tune",
  "tec_tune.formula", "tec_tune.default", "print.tec_tune", "plot.tec_tune",
  "as.data.frame.tec_tune", "tidy.tec_tune", "compare_criteria", "print.tec_comparison",
  "as.data.frame.tec_comparison", "plot.tec_comparison", "autoplot.tec_comparison",
  "tidy.tec_comparison", "tec_sql", "tec_json", "tec_from_json", "tec_code", "tec_pmml", "tec_onnx",
  "verify_export", "tec_view", "tec_forest", "tec_forest.formula", "tec_forest.default",
  "predict.tec_forest", "format.tec_forest", "n_trees",
  "importance.tec_forest", "plot.tec_forest", "tec_more", "tec_proximity", "tec_dependence",
  "plot.tec_dependence", "tec_shap", "plot.tec_shap", "autoplot.tec_shap", "as_tec_forest",
  "tec_mars", "tec_mars.formula", "tec_mars.default", "predict.tec_mars",
  "format.tec_mars", "importance.tec_mars", "explain.tec_mars", "plot.tec_mars",
  "autoplot.tec_mars",
  "tec_cleanup", "tec_engine", "tec_passes", "tec_resume",
  "tec_shrink", "tec_intervals",
  "tec_boost", "tec_boost.formula", "tec_boost.default", "predict.tec_boost",
  "format.tec_boost", "plot.tec_boost", "importance.tec_boost", "tec_shapes",
  "plot.tec_shapes", "autoplot.tec_shapes", "print.tec_shapes",
  "tec_rotation", "tec_rotation.formula", "tec_rotation.default", "predict.tec_rotation",
  "format.tec_rotation", "plot.tec_rotation",
  "importance.tec_rotation", "tec_components",
  "compare_methods", "plot.tec_methods", "autoplot.tec_methods", "tec_check_learner"
)

#' @srrstats {G5.2a} Messages name the argument or column; a few are shared where two functions find
#'   the same fault.
#' @noRd
tec_abort <- function(topic, message, envir = parent.frame()) {
  cli::cli_abort(
    message,
    class = c(paste0("tec_error_", topic), "tec_error"),
    call = entry_frame(),
    .envir = readable_envir(envir)
  )
}

# For an invalid argument; `...` are further bullets.
abort_found <- function(must, found, ..., topic = "argument") {
  found <- escape_braces(describe(found))
  tec_abort(topic, c(must, x = paste0("It is ", found, "."), ...), parent.frame())
}

tec_warn <- function(topic, message, envir = parent.frame()) {
  cli::cli_warn(
    message,
    class = c(paste0("tec_warning_", topic), "tec_warning"),
    .envir = readable_envir(envir)
  )
}

tec_inform <- function(topic, message, envir = parent.frame()) {
  cli::cli_inform(
    message,
    class = c(paste0("tec_message_", topic), "tec_message"),
    .envir = readable_envir(envir)
  )
}

# Once per session.
tec_inform_once <- function(topic, message, envir = parent.frame()) {
  cli::cli_inform(
    message,
    class = c(paste0("tec_message_", topic), "tec_message"),
    .frequency = "once", .frequency_id = paste0("tectree_", topic),
    .envir = readable_envir(envir)
  )
}

# The environment with the values of a message; unreadable text is escaped.
readable_envir <- function(envir) {
  names <- ls(envir)
  names <- names[!rlang::env_binding_are_lazy(envir, names)]
  text <- Filter(is.character, mget(names, envir))
  bad <- vapply(text, function(x) anyNA(as_utf8(x)[!is.na(x)]), NA)
  if (any(bad)) list2env(lapply(text[bad], spelled_out), new.env(parent = envir)) else envir
}

entry_frame <- function() {
  here <- topenv()
  parents <- sys.parents()
  ours <- function(i) i > 0L && identical(topenv(environment(sys.function(i))), here)
  for (i in rev(seq_len(sys.nframe()))) {
    if (call_head(sys.call(i)) %in% entry_points && !ours(parents[i])) {
      return(sys.frame(i))
    }
  }
  NULL
}

# Called by the core, to report its errors as errors of the package.
abort_from_core <- function(topic, found) {
  switch(topic,
    fit = abort_fit(plain_fault(found)),
    column = tec_abort("column", c(
      "A factor is not valid.", x = "Found: {found}.",
      i = "Create it again from its values, with {.fn factor}."
    )),
    weights = tec_abort("weights", c(
      "{.arg weights} are outside the range of numbers that can be added up.",
      x = "Found: {found}.",
      i = "Only their ratios matter: leave out rows with a negligible weight."
    )),
    response = tec_abort("response", c(
      "The response is outside the range of numbers that can be added up.",
      x = "Found: {found}.",
      i = "Divide it by a constant, or leave the outlying rows out."
    )),
    criterion = tec_abort("criterion", c(
      "The parameter of the criterion is too far below 0 for these data.",
      x = "Found: {found}.",
      i = "Choose a {.arg q} closer to 0, preferably above it."
    )),
    memory = tec_abort("memory", c(
      "There is not enough memory.",
      x = "{found}, in addition to the data.",
      i = "Try fewer rows or columns, {.code threads = 1}, or a session with fewer objects."
    ))
  )
}

# The problem that the core found in a fit, for "Found: ... .".
plain_fault <- function(found) {
  escape_braces(sub("[.]$", "", trimws(sub("damaged tree:", "", found))))
}

# The name of the called function without its namespace; "" if there is none.
call_head <- function(expr) {
  head <- expr[[1L]]
  if (is.call(head) && length(head) == 3L && is.symbol(head[[3L]])) {
    head <- head[[3L]]
  }
  if (is.symbol(head)) as.character(head) else ""
}

# The choice with the closest spelling, or NULL if none is close.
nearest_name <- function(name, choices) {
  if (length(choices) == 0L) {
    return(NULL)
  }
  name <- spelled_out(name)
  choices <- spelled_out(unique(choices[!is.na(choices) & nzchar(choices)]))
  if (length(choices) == 0L || is.na(name) || !nzchar(name)) {
    return(NULL)
  }
  # A very long list is first filtered by length, because the difference in length bounds the
  # distance.
  limit <- ceiling(nchar(name) / 3)
  choices <- choices[abs(nchar(choices) - nchar(name)) <= limit + 4]
  if (length(choices) == 0L) {
    return(NULL)
  }
  distance <- drop(utils::adist(name, choices, ignore.case = TRUE))
  starts <- startsWith(tolower(choices), tolower(name)) & nchar(name) >= 2L
  ends <- endsWith(tolower(choices), tolower(name)) & nchar(name) >= 4L
  distance <- ifelse(starts | ends, pmin(distance, 1), distance)
  best <- which.min(distance)
  # In a one-letter name, a wrong letter is not a misspelling.
  if (distance[best] <= limit && distance[best] < nchar(name)) choices[best] else NULL
}

# A bullet ready for cli: c(i = "Did you mean ...?"), or nothing.
suggestion <- function(name, choices) {
  near <- nearest_name(name, choices)
  if (is.null(near)) {
    return(NULL)
  }
  c(i = escape_braces(cli::format_inline("Did you mean {.val {near}}?")))
}

escape_braces <- function(x) {
  names <- names(x)
  x <- gsub("}", "}}", gsub("{", "{{", spelled_out(x), fixed = TRUE), fixed = TRUE)
  names(x) <- names
  x
}

# A string that must exactly match one of a short list.
#' @srrstats {G2.3, G2.3a} A word that is not among the choices is an error that suggests the
#'   nearest one.
#' @noRd
match_choice <- function(value, choices, arg, topic = "argument") {
  if (is.character(value) && length(value) == 1L && value %in% choices) {
    return(value)
  }
  if (!is.character(value) || length(value) != 1L || is.na(value)) {
    tec_abort(topic, c(
      "{.arg {arg}} must be one of {.or {.val {choices}}}.",
      x = "It is {describe(value)}."
    ))
  }
  tec_abort(topic, c(
    "{.arg {arg}} must be one of {.or {.val {choices}}}.",
    x = "It is {.val {value}}.",
    suggestion(value, choices)
  ))
}

# A description of a value, for "It is ...". Methods of other classes, or for damaged objects, may
# fail.
describe <- function(x) {
  tryCatch(
    describe_plainly(x),
    error = but_limits(function(e) {
      class <- spelled_out(oldClass(x)[1L] %||% typeof(x))
      paste0("an object of class ", dQuote(class, FALSE), " that cannot be shown")
    })
  )
}

describe_plainly <- function(x) {
  if (is.null(x)) {
    return("NULL")
  }
  if (is.atomic(x) && is.null(dim(x)) && length(x) == 1L) {
    shown <- if (is.character(x) && !is.na(x)) dQuote(spelled_out(x), FALSE) else format(x)
    return(paste0(shown, " (", class(x)[1L], ")"))
  }
  class <- class(x)[1L]
  what <- paste(if (grepl("^[aeiouAEIOU]", class)) "an" else "a", class)
  # The length of a model object is not informative.
  if (is.list(x) && is.object(x) && !is.data.frame(x)) {
    return(paste0("an object of class ", dQuote(class, FALSE)))
  }
  if (is.data.frame(x) || is.matrix(x)) {
    return(paste0(what, " of ", nrow(x), " x ", ncol(x)))
  }
  if (is.atomic(x) || is.list(x)) {
    return(paste0(what, if (is.atomic(x)) " vector", " of length ", length(x)))
  }
  what
}

# The names of `...`, "" for unnamed arguments.
dot_names <- function(dots) {
  if (is.null(names(dots))) rep("", length(dots)) else names(dots)
}

# R's errors for setTimeLimit() and setSessionTimeLimit() have no class of their own.
is_time_limit <- function(e) {
  messages <- c(
    "reached elapsed time limit", "reached CPU time limit",
    "reached session elapsed time limit", "reached session CPU time limit"
  )
  conditionMessage(e) %in% gettext(messages, domain = "R")
}

# A handler for all errors except time limits, which remain R's own errors.
but_limits <- function(handler) function(e) if (is_time_limit(e)) stop(e) else handler(e)

or_null <- function(expr) tryCatch(expr, error = but_limits(function(e) NULL))

# Calls `make` for an object of this package, which may have been changed since it was created.
of_whole <- function(x, class, maker, make, arg = "x") {
  if (!inherits(x, class)) {
    tec_abort("argument", c(
      "{.arg {arg}} must be what {.fn {maker}} returned.", x = "It is {describe(x)}."
    ))
  }
  tryCatch(make, error = but_limits(function(e) {
    if (inherits(e, "tec_error")) stop(e)
    tec_abort("damaged", c(
      "{.arg {arg}} is not as {.fn {maker}} returned it.", x = "{conditionMessage(e)}",
      i = "Create it again with {.fn {maker}}."
    ))
  }))
}

abort_fit <- function(what, lost = NULL, odd = lost, model = "fitted tree", maker = "tec_tree") {
  tec_abort("damaged", c(
    "The {model} is damaged.",
    x = paste0("Found: ", what, "."),
    i = "Grow it again with {.fn {maker}}."
  ))
}

abort_tuned <- function() {
  tec_abort("damaged", c(
    "The result of {.fn tec_tune} is damaged.", i = "Run {.fn tec_tune} again."
  ))
}

need_package <- function(package, what) {
  if (requireNamespace(package, quietly = TRUE)) {
    return(invisible())
  }
  tec_abort("package", c(
    "{.fn {what}} needs the package {.pkg {package}}, which is not installed.",
    i = "Install it with {.code install.packages(\"{package}\")}."
  ))
}

# A tibble if the package is installed.
as_table <- function(x) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(x) else x
}
