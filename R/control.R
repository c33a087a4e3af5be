# Tested in test-control.R and test-control-random.R.

missing_policies <- c(
  "fractional", "majority", "mode", "learned", "surrogate", "drop", "category"
)

default_threads <- function(threads = NULL) {
  if (!is.null(threads)) {
    return(check_count(threads, "threads", least = 1))
  }
  option <- getOption("tectree.threads")
  if (!is.null(option)) {
    return(check_count(option, "tectree.threads", least = 1))
  }
  cores <- tec_cores_()
  # CRAN's checks set this if at most two cores may be used.
  if (nzchar(Sys.getenv("_R_CHECK_LIMIT_CORES_"))) {
    cores <- min(cores, 2L)
  }
  limit <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT")))
  if (!is.na(limit) && limit >= 1L) min(cores, limit) else cores
}

shown_setting <- function(v) if (length(v) == 1L) format(v) else paste(length(v), "values")

#' @export
print.tec_control <- function(x, ...) {
  plain_numbers()
  refuse_dots("tec_control", ...)
  shown <- vapply(x, function(v) if (is.null(v)) "(default)" else shown_setting(v), "")
  writeLines(c("<tec_control>", paste0("  ", format(names(shown)), " ", shown)))
  invisible(x)
}

# Random searches: `ties`, `max_features` and `splitter`. The core draws from a seed that comes from
# R's generator once per tree.

check_max_features <- function(x) {
  words <- c("sqrt", "log2")
  if (is.null(x) || (is.character(x) && length(x) == 1L && x %in% words)) {
    return(x)
  }
  if (identical(x, Inf)) {
    return(NULL)
  }
  right <- is.numeric(x) && length(x) == 1L && is.finite(x) && x > 0 && (x < 1 || x == floor(x))
  if (!right) {
    tec_abort("control", c(
      "{.arg max_features} must be a number of columns, a share of them below 1, {.val sqrt} or
       {.val log2}.",
      x = "It is {.obj_type_friendly {x}}{if (is.numeric(x) && length(x) == 1L) paste0(': ', x)}."
    ))
  }
  x
}

is_random <- function(control) {
  !is.null(control$max_features) || identical(control$ties, "random") ||
    identical(control$splitter, "random") || by_permutation(control)
}

check_random <- function(control) {
  if (!identical(control$splitter, "random")) {
    return(invisible())
  }
  other <- c(
    if (identical(control$rules, "c45")) "rules = \"c45\"",
    if (control$intervals > 2L) paste("intervals =", control$intervals)
  )
  if (length(other)) {
    tec_abort("control", c(
      "{.code splitter = \"random\"} draws one cut per column.",
      x = "{.code {other[[1L]]}} searches for cuts of its own.",
      i = "Leave one of the two out."
    ))
  }
}

# How many of p columns a node searches.
count_features <- function(max_features, p) {
  if (is.null(max_features)) {
    return(0)
  }
  count <- if (identical(max_features, "sqrt")) {
    sqrt(p)
  } else if (identical(max_features, "log2")) {
    log2(p)
  } else if (max_features < 1) {
    max_features * p
  } else {
    max_features
  }
  min(max(floor(count + 1e-9), 1), p)
}

draw_seed <- function() sample.int(.Machine$integer.max, 1L)

# Whether a node of a forest draws more predictors if none of those drawn can split it. Otherwise
# factors that pay for their groupings would end the branches of regression trees, which draw few
# predictors. Classes are better without (bench/RESULTS.md).
draws_more <- function(ready, control) {
  frame <- ready$frame
  pays <- frame$kind == "nominal" & frame$n_levels > (control$free_levels %||% Inf)
  ready$response$info$task == "regression" && control$nominal == "binary" && any(pays)
}

# The core's arguments; empty if nothing is random. A seed is drawn only if it is used. `more`:
# whether more columns are drawn if the first have no split.
core_random <- function(control, p, seed = draw_seed(), more = TRUE) {
  if (!is_random(control)) {
    return(list())
  }
  check_random(control)
  list(drawn = list(
    columns = count_features(control$max_features, p), more = more,
    ties = identical(control$ties, "random"), cuts = identical(control$splitter, "random"),
    seed = seed
  ))
}
