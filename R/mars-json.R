# Tested in test-mars-export.R.
# Regression splines as JSON and back: the terms that are kept, as factors of columns.

mars_sides <- c(above = 1L, below = -1L, whole = 2L)

mars_json_parts <- function(fit) {
  check_fit(fit)
  check_mars_finite(fit)
  lapply(fit$used, export_input, fit = fit) # refuses what no writer can say
  response <- fit$response
  list(
    format = "tectree", version = 1L, task = response$task,
    response = list(
      name = response$name, type = json_type(response$ptype), levels = json_array(response$levels)
    ),
    unseen = fit$control$unseen, degree = fit$settings$degree, rows = fit$n_rows, gcv = fit$gcv,
    rss = fit$rss, r_squared = fit$r_squared, gcv_r_squared = fit$gcv_r_squared,
    columns = json_columns(fit$columns),
    spread = json_array(lapply(fit$spread, function(s) {
      list(range = if (!is.null(s$range)) json_array(s$range), counts = json_array(s$counts))
    })),
    classes = if (!is.null(fit$classes)) json_array(response$levels[fit$classes]),
    terms = json_array(lapply(seq_along(fit$selected), mars_json_term, fit = fit))
  )
}

mars_json_term <- function(k, fit) {
  t <- fit$selected[k]
  factors <- lapply(which(fit$side[t, ] != 0L), function(j) {
    column <- fit$inputs$column[j]
    level <- fit$inputs$level[j]
    list(
      column = fit$columns$name[column],
      level = if (level > 0L) fit$columns$levels[[column]][level],
      side = names(mars_sides)[match(fit$side[t, j], mars_sides)], knot = fit$cut[t, j]
    )
  })
  list(
    factors = json_array(factors), coefficients = json_array(unname(fit$coefficients[k, ])),
    mean = fit$means[[k]]
  )
}

mars_from_json <- function(parts) {
  check_json_word(parts$task, c("classification", "regression"), "task")
  check_json_word(parts$unseen, c("missing", "error"), "unseen")
  levels <- check_json_response(parts$response, parts$task)
  check_json_columns(parts$columns)
  columns <- json_column_list(parts$columns)
  frame <- c(columns[c("name", "kind", "levels")], list(n_levels = lengths(columns$levels)))
  inputs <- mars_inputs(frame)
  classes <- if (!is.null(levels)) match(read_strings(parts$classes), levels)
  sums <- if (length(classes) > 2L) length(classes) else 1L
  check_json_list(parts$terms, "terms", 1L)
  side <- matrix(0L, length(parts$terms), nrow(inputs))
  cut <- matrix(0, length(parts$terms), nrow(inputs))
  b <- matrix(0, length(parts$terms), sums)
  for (t in seq_along(parts$terms)) {
    where <- paste0("terms[", t, "]")
    term <- parts$terms[[t]]
    if (length(term$coefficients) != sums) {
      json_fault(where, "it must have as many coefficients as there are sums, ", sums)
    }
    for (one in term$coefficients) check_json_number(one, where, -1e300, 1e300)
    b[t, ] <- read_numbers(term$coefficients)
    for (f in term$factors) {
      j <- mars_json_input(f, columns, inputs, where)
      side[t, j] <- mars_sides[[f$side]]
      cut[t, j] <- f$knot
    }
  }
  if (anyNA(classes) || (!is.null(levels) && (length(classes) < 2L || anyDuplicated(classes)))) {
    json_fault("classes", "they must be different levels of the response, at least two")
  }
  if (any(side[1L, ] != 0L)) json_fault("terms[1]", "the first term is the intercept")
  own <- if (sums > 1L) classes else classes[2L]
  shown <- if (is.null(levels)) parts$response$name else levels[own]
  dimnames(b) <- list(NULL, shown)
  mars_fit_of(parts, columns, levels, inputs, side, cut, b, classes)
}

mars_json_input <- function(f, columns, inputs, where) {
  check_json_string(f$column, where)
  check_json_word(f$side, names(mars_sides), where)
  check_json_number(f$knot, where, -1e300, 1e300)
  column <- match(f$column, columns$name)
  if (is.na(column)) json_fault(where, "there is no such column")
  level <- if (is.null(f$level)) 0L else match(f$level, columns$levels[[column]])
  j <- which(inputs$column == column & inputs$level == level)
  if (length(j) != 1L) json_fault(where, "there is no such level")
  j
}

mars_fit_of <- function(parts, columns, levels, inputs, side, cut, b, classes) {
  columns$needs <- as.list(columns$name)
  number <- function(name) as.double(parts[[name]])
  spread <- lapply(parts$spread, function(s) {
    list(range = if (!is.null(s$range)) read_numbers(s$range), counts = read_numbers(s$counts))
  })
  fit <- new_fit("tec_mars", list(
    side = side, cut = cut, inputs = inputs, selected = seq_len(nrow(side)), coefficients = b,
    classes = classes, rss = number("rss"), gcv = number("gcv"), r_squared = number("r_squared"),
    gcv_r_squared = number("gcv_r_squared"), columns = columns,
    used = sort(unique(inputs$column[colSums(side != 0L) > 0])),
    response = json_response(parts, levels), settings = list(degree = as.integer(parts$degree)),
    control = list(unseen = parts$unseen), spread = spread,
    means = read_numbers(lapply(parts$terms, `[[`, "mean")),
    predictors = lapply(columns$name, as.name), n_rows = row_count(parts$rows),
    n_missing_response = 0L
  ))
  check_fit(fit)
  fit
}
