# Tested in test-tec_json.R.

#' @rdname tec_json
#' @export
tec_from_json <- function(json) {
  plain_numbers()
  need_package("jsonlite", "tec_from_json")
  text <- read_json_text(json)
  check_json_depth(text)
  tryCatch(
    fit_from_json(jsonlite::parse_json(text)),
    error = but_limits(function(e) {
      said <- strsplit(conditionMessage(e), "\n", fixed = TRUE)[[1L]]
      abort_export(
        "{.arg json} is not a model that {.fn tec_json} wrote.",
        x = "{said[nzchar(said)][1L]}"
      )
    })
  )
}

fit_from_json <- function(parts) {
  check_json_format(parts)
  if ("terms" %in% names(parts)) {
    return(mars_from_json(parts))
  }
  if ("link" %in% names(parts)) {
    return(boost_from_json(parts))
  }
  if ("trees" %in% names(parts)) {
    return(forest_from_json(parts))
  }
  check_json(parts)
  levels <- json_levels(parts)
  columns <- json_column_list(parts$columns)
  response <- json_response(parts, levels)
  control <- tec_control(
    unseen = parts$unseen, prune = "none", smooth = parts$smooth %||% 0,
    smooth_to = parts$smooth_to %||% "even"
  )
  fit <- as_fit(
    lapply(parts$nodes, json_record, columns = columns, classes = levels), columns, response,
    json_criterion(parts$criterion), parts$preset, NULL, control,
    list(unknown = match(parts$missing, unknown_words) - 1L, by_surrogate = parts$surrogates),
    parts$source
  )
  fit <- json_facts(fit, parts)
  check_json_shares(fit, parts)
  fit
}
