# The rows that a fit uses: the rows of `subset` with a response and a positive weight, after
# `na.action`. NULL means all rows, so that the common case takes no time.

#' @srrstats {G2.13, G2.15} Missing responses, predictors and weights are looked for before growth.
#' @srrstats {RE2.2} Rows without a response are left out; those without a predictor follow
#'   `na.action`.
#' @noRd
used_rows <- function(input, y, na_action) {
  n <- input$n
  keep <- subset_rows(input$subset, n, input$row_names)
  weights <- check_weights(input$weights, n, keep)
  absent <- response_missing(y)
  dropped <- if (is.null(keep)) sum(absent) else sum(absent & keep)
  check_some_response(dropped, keep, n, input$response_name)
  if (dropped > 0L) {
    tec_inform("dropped", "{dropped} row{?s} with a missing response {?is/are} not used.")
    keep <- and_rows(keep, !absent)
  }
  if (!is.null(weights) && any(weights == 0, na.rm = TRUE)) {
    keep <- and_rows(keep, !is.na(weights) & weights > 0)
  }
  keep <- na_action(input, keep)
  if (!is.null(keep) && !any(keep)) {
    tec_abort("data", c("There are no rows left to grow a tree from."))
  }
  list(
    rows = if (!is.null(keep) && !all(keep)) which(keep),
    weights = weights,
    n_missing_response = dropped
  )
}

and_rows <- function(keep, also) if (is.null(keep)) also else keep & also

check_some_response <- function(dropped, keep, n, name) {
  of <- if (is.null(keep)) n else sum(keep)
  if (dropped == of) {
    tec_abort("response", c(
      "Every value of the response {.field {name}} is missing."
    ))
  }
}

check_some_rows <- function(n) {
  if (n == 0L) {
    tec_abort("data", c(
      "There are no rows to grow a tree from.",
      x = "{.arg data} has 0 rows."
    ))
  }
}

# A logical vector over the rows, or NULL for all rows.
subset_rows <- function(subset, n, row_names) {
  if (is.null(subset)) {
    return(NULL)
  }
  subset <- plain_vector(subset)
  if (is.character(subset)) {
    subset <- match(subset, as.character(row_names))
  }
  if (is.logical(subset) && length(subset) %in% c(1L, n)) {
    keep <- rep_len(!is.na(subset) & subset, n)
  } else {
    keep <- subset_numbers(subset, n)
  }
  if (!any(keep)) {
    tec_abort("data", c(
      "There are no rows to grow a tree from.", x = "{.arg subset} selects none."
    ))
  }
  keep
}

subset_numbers <- function(subset, n) {
  ok <- is.numeric(subset) && !anyNA(subset) && all(abs(subset) <= n) &&
    !(any(subset > 0) && any(subset < 0))
  broken <- if (ok) subset[subset != floor(subset)]
  if (!ok || length(broken)) {
    tec_abort("argument", c(
      "{.arg subset} must be TRUE or FALSE for each of the {n} row{?s}, or row numbers or names.",
      x = if (ok) "{broken[1L]} is not a row number." else "It is {describe(subset)}."
    ))
  }
  if (anyDuplicated(subset[subset > 0])) {
    tec_abort("argument", c(
      "{.arg subset} names a row more than once.",
      i = "To count a row twice give it the frequency 2 in {.arg weights}, with \
           {.code weights_as = \"frequency\"}."
    ))
  }
  keep <- logical(n)
  keep[subset] <- TRUE
  keep
}

check_weights <- function(weights, n, keep) {
  if (is.null(weights)) {
    return(NULL)
  }
  if (!is.numeric(weights) || !is.null(dim(weights))) {
    abort_found("{.arg weights} must be a numeric vector.", weights, topic = "weights")
  }
  if (length(weights) != n) {
    tec_abort("weights", c(
      "{.arg weights} must have one value per row.",
      x = value_count(length(weights), n)
    ))
  }
  weights <- as.double(plain_vector(weights))
  used <- if (is.null(keep)) weights else weights[keep]
  bad <- c(
    missing = sum(is.na(used)), infinite = sum(is.infinite(used)),
    negative = sum(used < 0, na.rm = TRUE)
  )
  if (any(bad > 0L)) {
    first <- names(bad)[bad > 0L][1L]
    tec_abort("weights", c(
      "{.arg weights} must be finite and not negative.",
      x = "{bad[[first]]} {?is/are} {first}."
    ))
  }
  if (all(used == 0)) {
    tec_abort("weights", c(
      "{.arg weights} must not all be zero.",
      i = "A row of weight 0 is not used."
    ))
  }
  weights
}

# Returns a function(input, keep) that applies the na.action to the predictors.
#' @srrstats {G2.14, G2.14a, G2.14b} `na.fail` is an error, `na.omit` leaves the rows out with a
#'   message, and `na.pass`, the default of most models, uses them.
#' @srrstats {RE2.1} `NaN` is a missing value; infinite values are described on the page of each
#'   model.
#' @noRd
resolve_na_action <- function(action) {
  pass <- function(input, keep) keep
  if (is.null(action)) {
    return(pass)
  }
  is_name <- is.character(action) && length(action) == 1L && Encoding(action) != "bytes"
  name <- if (is_name) action else named_action(action)
  switch(name,
    na.pass = pass,
    na.omit = omit_missing,
    na.fail = fail_missing,
    na.rpart = omit_unknown,
    tec_abort("argument", c(
      "{.arg na.action} must be {.fn na.pass}, {.fn na.omit}, {.fn na.fail} or {.fn na.rpart}.",
      i = "The default is {.fn na.pass}: the tree itself deals with missing predictors."
    ))
  )
}

# The value of `na.action`. na.rpart works without the package rpart.
given_action <- function(action) {
  tryCatch(action, error = function(e) {
    if (grepl("'na.rpart'", conditionMessage(e), fixed = TRUE)) "na.rpart" else stop(e)
  })
}

named_action <- function(action) {
  known <- list(na.pass = stats::na.pass, na.omit = stats::na.omit, na.fail = stats::na.fail)
  if (isNamespaceLoaded("rpart")) known$na.rpart <- getExportedValue("rpart", "na.rpart")
  same <- vapply(known, identical, NA, action)
  if (any(same)) names(known)[same] else ""
}

omit_missing <- function(input, keep) {
  before <- if (is.null(keep)) input$n else sum(keep)
  for (value in input$values) {
    if (anyNA(value)) keep <- and_rows(keep, !is.na(value))
  }
  say_omitted(before, input, keep, "with missing predictors")
}

# na.rpart: leaves out rows without any predictor.
omit_unknown <- function(input, keep) {
  before <- if (is.null(keep)) input$n else sum(keep)
  known <- Reduce(function(known, value) known | !is.na(value), input$values, logical(input$n))
  say_omitted(before, input, if (all(known)) keep else and_rows(keep, known), "without predictors")
}

say_omitted <- function(before, input, keep, which) {
  gone <- before - if (is.null(keep)) input$n else sum(keep)
  if (gone > 0L) tec_inform("dropped", "{gone} row{?s} {which} {cli::qty(gone)}{?is/are} not used.")
  keep
}

fail_missing <- function(input, keep) {
  holed <- vapply(input$values, function(x) anyNA(if (is.null(keep)) x else x[keep]), NA)
  if (any(holed)) {
    tec_abort("missing", c(
      "{.code na.action = na.fail}, and there are missing predictors.",
      x = "{cli::qty(sum(holed))}In column{?s}: {.field {input$names[holed]}}."
    ))
  }
  keep
}

rowsum_at <- function(x, group, groups) {
  vapply(split(x, factor(group, seq_len(groups))), sum, 0, USE.NAMES = FALSE)
}

# Vectors that sort rows in the same way as the columns.
sort_keys <- function(values, rows) {
  packed <- vapply(values, tec_is_packed_, NA)
  run <- cumsum(!packed | c(TRUE, !packed[-length(packed)]))
  keys <- lapply(split(seq_along(values), run), function(at) {
    if (all(packed[at])) {
      return(tec_packed_keys_(values[at], rows))
    }
    lapply(values[at], function(x) if (is.null(rows)) x else x[rows])
  })
  unlist(unname(keys), recursive = FALSE)
}

# Codes the predictors of the rows used.
used_values <- function(ready) {
  if (is.null(ready$rows)) {
    return(ready$frame$value)
  }
  lapply(ready$frame$value, function(x) x[ready$rows])
}

used_response <- function(ready) {
  y <- ready$response$core$y
  if (is.null(ready$rows)) y else y[ready$rows]
}
