# Tested in test-explain.R.
# The changes that move a row into a region. A large tree has 100,000 conditions, so those on
# numbers are vectorised.

# list(text =, distance =), each a list with a vector a region: one entry a predictor that
# must change.
region_moves <- function(regions, values, columns, size) {
  flat <- flat_conditions(regions)
  variable <- condition_variables(flat$condition)
  value <- vapply(values, function(v) if (length(v)) as.numeric(v) else NA_real_, 0)
  number <- columns$kind[variable] == "numeric"
  met <- logical(length(variable))
  met[number] <- in_range(flat$condition[number], value[variable[number]])
  met[!number] <- as.logical(mapply(has_level, flat$condition[!number], value[variable[!number]]))
  conditions <- flat$condition[!met]
  variable <- variable[!met]
  region <- factor(flat$region[!met], levels = seq_along(regions))
  list(
    text = unname(split(move_texts(conditions, variable, values, columns), region)),
    distance = unname(split(move_distances(conditions, variable, value, columns, size), region))
  )
}

in_range <- function(conditions, value) {
  lower <- condition_ends(conditions, "lower")
  missing <- vapply(conditions, `[[`, NA, "missing")
  inside <- (lower == -Inf | value > lower) & value <= condition_ends(conditions, "upper")
  ifelse(is.na(value), missing, inside)
}

has_level <- function(condition, value) {
  if (is.na(value)) condition$missing else value %in% condition$codes
}

move_distances <- function(conditions, variable, value, columns, size) {
  value <- value[variable]
  number <- columns$kind[variable] == "numeric"
  out <- numeric(length(variable))
  lower <- condition_ends(conditions[number], "lower")
  upper <- condition_ends(conditions[number], "upper")
  from <- value[number]
  move <- ifelse(from > upper, from - upper, lower - from)
  # From a missing or infinite value, all distances are equal.
  out[number] <- ifelse(is.finite(from), move / size[variable[number]], 1)
  out[!number] <- as.numeric(mapply(
    level_distance, conditions[!number], value[!number], columns$kind[variable[!number]],
    size[variable[!number]]
  ))
  out
}

# An empty set of levels cannot be reached.
level_distance <- function(condition, value, kind, size) {
  if (length(condition$codes) == 0L) {
    return(Inf)
  }
  if (kind == "ordered" && !is.na(value)) min(abs(condition$codes - value)) / size else 1
}

# "x from 3 to 2 or less"
move_texts <- function(conditions, variable, values, columns) {
  target <- character(length(variable))
  from <- character(length(variable))
  for (group in split(seq_along(variable), variable)) {
    j <- variable[group[1L]]
    from[group] <- value_text(columns, j, values[[j]])
    target[group] <- if (columns$kind[j] == "numeric") {
      number_targets(conditions[group], j, columns)
    } else {
      vapply(conditions[group], level_target, "", columns$levels[[j]])
    }
  }
  name <- show_names(columns$name)[variable]
  paste0(name, " from ", from, " to ", target, recycle0 = TRUE)
}

number_targets <- function(conditions, variable, columns) {
  lower <- condition_ends(conditions, "lower")
  upper <- condition_ends(conditions, "upper")
  low <- value_text(columns, variable, lower)
  high <- value_text(columns, variable, upper)
  out <- paste0("between ", low, " and ", high)
  out[upper == Inf] <- paste("more than", low[upper == Inf])
  out[lower == -Inf] <- paste(high[lower == -Inf], "or less")
  out
}

level_target <- function(condition, levels) {
  codes <- if (length(condition$seen)) condition$seen else condition$codes
  labels <- show_label(levels)[codes]
  if (length(labels) == 1L) labels else paste0("one of {", set_text(labels, 40), "}")
}
