# Tested in test-boost-export.R.
# A boosted classifier as JSON and back: its trees as those of a forest, and the link from what they
# add up to, to classes and probabilities.

boost_json_parts <- function(fit) {
  parts <- forest_json_parts(fit)
  append(parts, list(link = boost_json_link(fit)), match("rows", names(parts)) - 1L)
}

# By tree its round and what it adds to: its number to a sum, or its vote to the sum of its class.
boost_json_link <- function(fit) {
  link <- fit$link
  c(
    list(round = json_array(link$model$round + 1L)),
    if (is.null(link$vote)) {
      list(output = json_array(link$output))
    } else {
      list(vote = json_array(link$vote))
    },
    list(base = json_array(link$base), scale = link$scale)
  )
}

# What the trees add up to is known, but not how they were grown.
boost_from_json <- function(parts) {
  check_forest_json(parts)
  levels <- json_levels(parts)
  link <- parts$link
  votes <- !is.null(link$vote)
  columns <- json_column_list(parts$columns)
  columns$needs <- as.list(columns$name)
  trees <- json_forest_vectors(parts, columns, if (votes) levels)
  round <- as.integer(read_numbers(link$round))
  control <- tec_control(unseen = parts$unseen, prune = "none", missing = "majority")
  loss <- if (votes) "exponential" else if (length(levels) == 2L) "logistic" else "multinomial"
  fit <- new_fit("tec_boost", list(
    method = if (votes) "adaboost" else "gradient", loss = loss, rounds = max(round),
    trees = trees, output = if (!votes) as.integer(read_numbers(link$output)) - 1L,
    vote = if (votes) read_numbers(link$vote), round = round - 1L,
    base = if (!votes) read_numbers(link$base), columns = columns,
    response = json_response(parts, levels),
    criterion = tec_criterion(json_criterion(parts$criterion)),
    control = resolve_control(control, "tec"),
    predictors = lapply(columns$name, function(name) suppressWarnings(as.name(name))),
    n_rows = row_count(parts$rows), n_missing_response = 0L, settings = list(),
    used = used_columns(trees)
  ))
  check_fit(fit)
  fit
}
