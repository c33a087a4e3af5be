# Grows a rotation forest: makes numeric columns from the predictors, fills in missing values and
# scales. The core rotates these columns and grows the trees.

grow_rotation <- function(input, asked, settings, control, call) {
  settings <- check_rotation_settings(settings)
  control <- rotation_control(control, input$response)
  asked$criterion <- criterion_with_beta(asked$criterion, asked$beta, asked$q, grid = FALSE)
  ready <- withCallingHandlers(
    prepare(input, asked, control, preset = "forest"),
    tec_warning_one_class = function(w) invokeRestart("muffleWarning")
  )
  check_rotation_response(ready)
  ready$control <- check_prune_task(ready$control, ready$response$info, NULL)
  inputs <- rotation_inputs(ready)
  settings$group_size <- resolve_group_size(settings$group_size, nrow(inputs))
  turned <- rotation_ready(ready, inputs, input$n)
  seeds <- draw_seeds(settings$trees)
  problem <- core_problem(turned, NULL, turned$control, NULL, seed = 0L, more = FALSE)
  ticker <- forest_ticker(settings, length(seeds), environment())
  on.exit(ticker$close())
  core <- tec_rotation_fit_(problem, list(
    seeds = seeds, group_size = settings$group_size, fraction = settings$sample_fraction,
    seconds = settings$time_limit, progress = ticker$tick,
    threads = default_threads(ready$control$threads)
  ))
  new_rotation(core, ready, inputs, seeds, settings, input, call)
}

check_rotation_settings <- function(settings) {
  fraction <- settings$sample_fraction
  if (!is_number(fraction) || fraction <= 0 || fraction > 1) {
    abort_found(
      "{.arg sample_fraction} must be a share of the rows, above 0 and at most 1.", fraction,
      topic = "sample"
    )
  }
  limit <- settings$time_limit
  if (!is_number(limit) || limit <= 0) {
    abort_found("{.arg time_limit} must be a number of seconds above 0.", limit)
  }
  list(
    trees = check_trees(settings$trees, "trees"),
    group_size = check_count(settings$group_size, "group_size", least = 1),
    sample_fraction = as.double(fraction), time_limit = as.double(limit),
    progress = check_flag(settings$progress, "progress", topic = "argument")
  )
}

rotation_control <- function(control, response) {
  if (!is.null(control$missing)) {
    tec_abort("control", c(
      "A rotation forest replaces missing values by the median or the most frequent level.",
      x = "{.arg missing} is {.val {control$missing}}.", i = "Leave it out."
    ))
  }
  control <- unclass(forest_control(control, response, FALSE))
  control$missing <- "majority"
  structure(control, class = "tec_control")
}

check_rotation_response <- function(ready) {
  info <- ready$response$info
  y <- used_response(ready)
  if (info$task == "regression") {
    check_response_size(y, info$name)
  } else if (length(unique(y)) < 2L) {
    tec_abort("response", c(
      "A rotation forest needs at least two classes.",
      x = "The response {.field {info$name}} has only one: {.val {info$levels[y[1L]]}}."
    ))
  }
}

# The default is all columns if there are fewer.
resolve_group_size <- function(size, columns) {
  if (size > columns && size != 3L) {
    tec_abort("control", c(
      "{.arg group_size} must not be larger than the number of columns.",
      x = "It is {size}; there {cli::qty(columns)}{?is/are} {columns} column{?s}.",
      i = "A number is one column; a factor with more than two levels has one column per level."
    ))
  }
  min(size, columns)
}

# A data frame of the columns: the predictor, the level of an indicator (0 for a number), the name,
# the value that replaces missing values, centre and scale.
rotation_inputs <- function(ready) {
  frame <- ready$frame
  levels <- lapply(seq_along(frame$name), function(j) {
    level <- if (frame$kind[j] == "nominal") seq_len(frame$n_levels[j]) else 0L
    if (frame$kind[j] == "nominal" && length(level) <= 2L) level[-1L] else level
  })
  label <- lapply(seq_along(frame$name), function(j) {
    if (frame$kind[j] == "nominal") frame$levels[[j]][levels[[j]]] else ""
  })
  column <- rep(seq_along(levels), lengths(levels))
  out <- list2DF(list(
    column = column, level = as.integer(unlist(levels)),
    name = paste0(frame$name[column], unlist(label), recycle0 = TRUE)
  ))
  if (nrow(out) == 0L) {
    tec_abort("column", c(
      "There is nothing to learn from: every predictor is a factor with one level.",
      x = "Predictors: {.field {frame$name}}."
    ))
  }
  out$fill <- fill_values(ready)[out$column]
  check_rotation_columns(ready, out)
  weights <- used_weights(ready)
  one <- as.list(out)
  scaled <- vapply(seq_len(nrow(out)), function(i) {
    centre_and_scale(input_values(ready$frame$value, one, i, ready$rows), weights)
  }, c(centre = 0, scale = 0))
  out$centre <- scaled["centre", ]
  out$scale <- scaled["scale", ]
  out
}

check_rotation_columns <- function(ready, inputs) {
  odd <- vapply(seq_along(ready$frame$name), function(j) {
    x <- ready$frame$value[[j]]
    if (!is.null(ready$rows)) x <- x[ready$rows]
    any(abs(as.double(x)) > 1e100, na.rm = TRUE)
  }, NA)
  if (any(odd)) {
    tec_abort("column", c(
      "Predictors of {.fn tec_rotation} must be finite and below 1e100 in size.",
      x = "{cli::qty(sum(odd))}Column{?s}: {.field {ready$frame$name[odd]}}."
    ))
  }
}

# For each predictor: the median, or the code of the level with the largest weight; 0 if all values
# are missing.
fill_values <- function(ready) {
  weights <- used_weights(ready)
  vapply(seq_along(ready$frame$name), function(j) {
    x <- ready$frame$value[[j]]
    if (!is.null(ready$rows)) x <- x[ready$rows]
    known <- which(!is.na(x))
    if (length(known) == 0L) {
      return(0)
    }
    x <- as.double(x[known])
    w <- weights[known]
    if (ready$frame$kind[j] != "nominal") {
      return(if (is.null(weights)) stats::median(x) else weighted_median(x, w))
    }
    which.max(rowsum_at(w %||% rep(1, length(x)), x, ready$frame$n_levels[j]))
  }, 0)
}

# The values of a column, filled in. `values`: coded predictors.
input_values <- function(values, inputs, i, rows = NULL) {
  x <- values[[inputs$column[i]]]
  if (!is.null(rows)) x <- x[rows]
  x <- as.double(x)
  x[is.na(x)] <- inputs$fill[i]
  if (inputs$level[i] > 0L) as.double(x == inputs$level[i]) else x
}

centre_and_scale <- function(x, weights) {
  if (min(x) == max(x)) {
    return(c(centre = x[1L], scale = 1))
  }
  w <- if (is.null(weights)) rep(1, length(x)) else weights / max(weights)
  centre <- sum(w * x) / sum(w)
  size <- max(abs(x - centre))
  scale <- size * sqrt(sum(w * ((x - centre) / size)^2) / sum(w))
  c(centre = centre, scale = if (is.finite(scale) && scale > 0) scale else 1)
}

# The largest distance of a number from the mean: larger ones are infinite or almost.
farthest <- 1e100

scaled_columns <- function(values, inputs, rows = NULL) {
  inputs <- as.list(inputs)
  lapply(seq_along(inputs$column), function(i) {
    x <- (input_values(values, inputs, i, rows) - inputs$centre[i]) / inputs$scale[i]
    far <- which(abs(x) > farthest)
    if (length(far)) x[far] <- sign(x[far]) * farthest
    x
  })
}

# The result of prepare() for the rows used and the scaled columns.
rotation_ready <- function(ready, inputs, n) {
  p <- nrow(inputs)
  rows <- ready$rows
  ready$frame <- list(
    name = inputs$name, kind = rep("numeric", p), n_levels = integer(p),
    value = scaled_columns(ready$frame$value, inputs, rows)
  )
  ready$response$core$y <- used_response(ready)
  sizes <- ready$sizes
  if (!is.null(sizes)) ready$sizes <- if (is.null(rows)) sizes else sizes[rows]
  ready["weights"] <- list(used_weights(ready))
  ready["rows"] <- list(NULL)
  ready
}

new_rotation <- function(core, ready, inputs, seeds, settings, input, call) {
  grown <- length(core$trees$start) - 1L
  gain <- rowsum_at(core$gain, inputs$column, length(ready$frame$name))
  new_fit("tec_rotation", c(
    facts_of_data("tec_rotation", ready, input, call),
    list(
      trees = core$trees,
      rotation = list(
        order = matrix(core$order, nrow(inputs)), axes = matrix(core$axes, ncol = grown),
        group_size = settings$group_size
      ),
      inputs = inputs, gain = stats::setNames(as.double(gain), ready$frame$name),
      used = sort(unique(inputs$column)), criterion = ready$criterion, control = ready$control,
      seeds = seeds[seq_len(grown)],
      settings = c(
        settings[c("group_size", "sample_fraction", "time_limit")], list(asked = length(seeds))
      )
    )
  ))
}
