# Tested in test-tec_json.R, test-tec_json-forest.R, test-boost-export.R and test-mars-export.R.

#' @rdname tec_json
#' @export
tec_from_json <- function(json) {
  plain_numbers()
  need_package("jsonlite", "tec_from_json")
  text <- read_json_text(json)
  check_json_name(text)
  check_json_depth(text)
  tryCatch(
    fit_from_json(jsonlite::parse_json(text)),
    error = but_limits(function(e) {
      if (inherits(e, "tec_error_format")) rlang::cnd_signal(e)
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
  check_json_smoothing(fit, parts)
  fit
}

# ---- a forest, and a boosted classifier ----

forest_from_json <- function(parts) {
  check_forest_json(parts)
  levels <- json_levels(parts)
  forest_of_json("tec_forest", parts, levels, list(
    cost = json_cost_matrix(parts$cost, levels),
    mtry = if (!is.null(parts$mtry)) as.integer(parts$mtry),
    settings = list(probability = identical(parts$class_by, "shares"))
  ))
}

# The sums of the trees are known, but not how the trees were grown.
boost_from_json <- function(parts) {
  check_forest_json(parts)
  levels <- json_levels(parts)
  link <- parts$link
  votes <- !is.null(link$vote)
  round <- as.integer(read_numbers(link$round))
  loss <- if (votes) "exponential" else if (length(levels) == 2L) "logistic" else "multinomial"
  forest_of_json("tec_boost", parts, if (votes) levels, list(
    method = if (votes) "adaboost" else "gradient", loss = loss, rounds = max(round),
    output = if (!votes) as.integer(read_numbers(link$output)) - 1L,
    vote = if (votes) read_numbers(link$vote), round = round - 1L,
    base = if (!votes) read_numbers(link$base), settings = list()
  ))
}

# `levels`: the classes of the leaves.
forest_of_json <- function(class, parts, levels, own) {
  columns <- json_column_list(parts$columns)
  trees <- json_forest_vectors(parts, columns, levels)
  control <- tec_control(unseen = parts$unseen, prune = "none", missing = "majority")
  fit_of_json(class, parts, columns, c(own, list(
    trees = trees, criterion = tec_criterion(json_criterion(parts$criterion)),
    control = resolve_control(control, "tec"), used = used_columns(trees)
  )))
}

fit_of_json <- function(class, parts, columns, own) {
  columns$needs <- as.list(columns$name)
  fit <- new_fit(class, c(own, list(
    columns = columns, response = json_response(parts, json_levels(parts)),
    predictors = lapply(columns$name, function(name) suppressWarnings(as.name(name))),
    n_rows = row_count(parts$rows), n_missing_response = 0L
  )))
  check_fit(fit)
  fit
}

# Joins the vectors of the trees to those of a forest.
json_forest_vectors <- function(parts, columns, levels) {
  nominal <- columns$kind == "nominal"
  n_levels <- lengths(columns$levels)
  sides_before <- stored_before <- 0
  trees <- lapply(parts$trees, function(x) {
    column <- as.integer(read_numbers(x$column))
    inner <- which(column != 0L)
    leaf <- which(column == 0L)
    child <- as.integer(read_numbers(x$right))
    variable <- column
    right <- integer(length(column))
    cut <- numeric(length(column))
    variable[inner] <- ifelse(read_numbers(x$default) == child, -1L, 1L) * column[inner]
    right[inner] <- child - inner
    by_sides <- nominal[column[inner]]
    sides <- Map(json_sides, x$split[by_sides], n_levels[column[inner[by_sides]]])
    cut[inner[!by_sides]] <- read_numbers(x$split[!by_sides])
    cut[inner[by_sides]] <- sides_before + cumsum(c(0, lengths(sides)))[seq_along(sides)]
    sides_before <<- sides_before + sum(lengths(sides))
    ends <- json_leaves(x, length(levels), stored_before)
    stored_before <<- ends$stored
    right[leaf] <- ends$right
    cut[leaf] <- ends$cut
    list(
      n = length(column), variable = variable, right = right, cut = cut,
      sides = unlist(sides) %||% raw(), shares = ends$shares, weight = ends$weight,
      own = if (!is.null(x$inner_value)) json_own(x, column != 0L, length(levels))
    )
  })
  all <- function(name, none) unlist(lapply(trees, `[[`, name)) %||% none
  list(
    start = c(0L, cumsum(all("n", 0L))), variable = all("variable", 0L), right = all("right", 0L),
    cut = all("cut", 0), sides = all("sides", raw()),
    shares = if (length(levels)) matrix(all("shares", numeric()), length(levels)),
    weight = all("weight", numeric()), unknown = match(parts$missing, unknown_words) - 1L
  ) |> c(if (!is.null(parts$trees[[1L]]$inner_value)) list(own = as.double(all("own", 0))))
}

# The own predictions of all nodes.
json_own <- function(x, inner, classes) {
  out <- matrix(0, max(1L, classes), length(inner))
  out[, inner] <- as.double(unlist(x$inner_value))
  if (classes == 0L) {
    out[1L, !inner] <- read_numbers(x$value)
    return(out)
  }
  out[, !inner] <- vapply(x$value, function(value) {
    if (is.list(value)) as.double(unlist(value)) else as.double(seq_len(classes) == value)
  }, numeric(classes))
  out
}

json_sides <- function(groups, n_levels) {
  out <- raw(n_levels)
  out[as.integer(unlist(groups[[1L]]))] <- as.raw(1L)
  out[as.integer(unlist(groups[[2L]]))] <- as.raw(2L)
  out
}

# The values of leaves in `right` and `cut`, and the entries that they add to `shares` or `weight`,
# which already have `stored` entries.
json_leaves <- function(x, classes, stored) {
  weight <- read_numbers(x$weight)
  if (classes == 0L) {
    small <- weight == floor(weight) & weight < 2^31
    right <- weight
    right[!small] <- -(stored + seq_len(sum(!small)))
    return(list(
      right = as.integer(right), cut = read_numbers(x$value), weight = weight[!small],
      stored = stored + sum(!small)
    ))
  }
  mixed <- vapply(x$value, is.list, NA)
  right <- integer(length(mixed))
  right[!mixed] <- as.integer(read_numbers(x$value[!mixed]))
  right[mixed] <- as.integer(-(stored + seq_len(sum(mixed))))
  list(
    right = right, cut = weight, shares = as.double(unlist(x$value[mixed])),
    stored = stored + sum(mixed)
  )
}

# ---- splines ----

mars_from_json <- function(parts) {
  check_json_word(parts$task, c("classification", "regression"), "task")
  check_json_word(parts$unseen, c("missing", "error"), "unseen")
  levels <- check_json_response(parts$response, parts$task)
  check_json_columns(parts$columns)
  check_mars_numbers(parts)
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
  number <- function(name) as.double(parts[[name]] %||% NA)
  spread <- lapply(parts$spread, function(s) {
    list(range = if (!is.null(s$range)) read_numbers(s$range), counts = read_numbers(s$counts))
  })
  fit_of_json("tec_mars", parts, columns, list(
    side = side, cut = cut, inputs = inputs, selected = seq_len(nrow(side)), coefficients = b,
    classes = classes, rss = number("rss"), gcv = number("gcv"), r_squared = number("r_squared"),
    gcv_r_squared = number("gcv_r_squared"),
    used = sort(unique(inputs$column[colSums(side != 0L) > 0])),
    settings = list(degree = as.integer(parts$degree)), control = list(unseen = parts$unseen),
    spread = spread, means = read_numbers(lapply(parts$terms, `[[`, "mean"))
  ))
}

# Numbers that describe the fit. A GCV may be infinite.
check_mars_numbers <- function(parts) {
  check_json_whole(parts$rows, "rows", 0, 2^31 - 1)
  check_json_whole(parts$degree, "degree", 1, 2^31 - 1)
  for (name in c("gcv", "rss", "r_squared", "gcv_r_squared")) {
    x <- parts[[name]]
    if (!is.null(x) && !(is.numeric(x) && length(x) == 1L)) json_fault(name, "it must be a number")
  }
  check_json_list(parts$spread, "spread", 0L)
  for (i in seq_along(parts$spread)) {
    one <- parts$spread[[i]]
    where <- paste0("spread[", i, "]")
    if (!is.list(one)) json_fault(where, "it must be an object")
    if (!is.null(one$range)) check_json_numbers(one$range, where)
    check_json_numbers(one$counts, where, 0)
  }
  check_json_list(parts$terms, "terms", 1L)
  for (i in seq_along(parts$terms)) {
    check_json_number(parts$terms[[i]]$mean, paste0("terms[", i, "]"))
  }
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
