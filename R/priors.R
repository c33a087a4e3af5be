# The weights of classes in growth: priors, class weights, and costs in the search. All of them
# become two factors per class that multiply the weights of rows: one for the statistics of a node,
# one for the search.

# The checked arguments with the factors, or NULL if there are none.
resolve_priors <- function(asked, ready, cost) {
  info <- ready$response$info
  prior <- check_prior(asked$prior, info)
  class_weights <- check_class_weights(asked$class_weights, info, prior)
  cost_in <- resolve_cost_in(asked$cost_in, cost, ready$preset)
  out <- list(prior = prior, class_weights = class_weights, cost_in = cost_in, factors = NULL)
  in_split <- identical(cost_in, "split")
  if (is.null(prior) && is.null(class_weights) && !in_split) {
    return(out)
  }
  share <- root_shares(ready)
  check_prior_of_rows(prior, share)
  if (in_split) check_cost_rows(cost, share)
  held <- prior %||% weighted_shares(share, class_weights)
  held <- in_sum_one(ifelse(share > 0, held, 0))
  if (!is.null(class_weights)) out$prior <- held
  altered <- if (in_split) in_sum_one(held * rowSums(cost)) else held
  factor <- function(wanted) ifelse(share > 0, wanted / share, 1)
  out$factors <- list(prior = factor(held), split = factor(altered))
  out
}

in_sum_one <- function(x) x / sum(x)

# The share of each class in the weights of the rows, named by the levels.
root_shares <- function(ready) {
  if (!is.null(ready$class_totals)) {
    return(stats::setNames(in_sum_one(ready$class_totals), ready$response$info$levels))
  }
  y <- ready$response$core$y
  w <- ready$weights
  if (!is.null(ready$rows)) {
    y <- y[ready$rows]
    w <- w[ready$rows]
  }
  levels <- ready$response$info$levels
  # Only shares are needed, and large weights must not sum to infinity.
  if (!is.null(w) && max(w) > 1e150) w <- w / max(w)
  total <- if (is.null(w)) {
    tabulate(y, length(levels))
  } else {
    vapply(seq_along(levels), function(s) sum(w[y == s]), 0)
  }
  stats::setNames(in_sum_one(total), levels)
}

weighted_shares <- function(share, class_weights) {
  if (identical(class_weights, "balanced")) {
    return(in_sum_one(ifelse(share > 0, 1, 0)))
  }
  in_sum_one(share * (class_weights %||% 1))
}

# "balanced", or one positive number per class in the order of the levels, from a vector or a list.
check_class_weights <- function(class_weights, response, prior) {
  if (is.null(class_weights)) {
    return(NULL)
  }
  levels <- response$levels
  if (response$task == "regression") {
    tec_abort("class_weights", c(
      "{.arg class_weights} needs classes.",
      x = "The response {.field {response$name}} is numeric.",
      i = "Leave {.arg class_weights} out."
    ))
  }
  if (!is.null(prior)) {
    tec_abort("class_weights", c(
      "{.arg prior} and {.arg class_weights} cannot be combined.",
      x = "Both are given.",
      i = "Give one of them."
    ))
  }
  if (identical(class_weights, "balanced")) {
    return(class_weights)
  }
  if (typeof(class_weights) == "list" && all(lengths(unclass(class_weights)) == 1L)) {
    class_weights <- unlist(class_weights)
  }
  k <- length(levels)
  class_weights <- plain_vector(class_weights)
  if (!is.numeric(class_weights) || length(class_weights) != k) {
    tec_abort("class_weights", c(
      "{.arg class_weights} must be {.val balanced} or one number for each of the {k} class{?es}.",
      x = "It is {describe(class_weights)}; the classes are {.val {shorten(levels)}}."
    ))
  }
  names <- names(class_weights)
  if (!is.null(names) && (!setequal(names, levels) || anyDuplicated(names))) {
    tec_abort("class_weights", c(
      "The names of {.arg class_weights} must be the classes.",
      x = "They are {.val {shorten(names)}}; the classes are {.val {shorten(levels)}}."
    ))
  }
  if (!is.null(names)) class_weights <- class_weights[levels]
  bad <- !is.finite(class_weights) | class_weights <= 0
  if (any(bad)) {
    tec_abort("class_weights", c(
      "{.arg class_weights} must hold finite numbers above 0.",
      x = "One of them is {class_weights[bad][[1L]]}."
    ))
  }
  check_moderate(class_weights, "class_weights", "class_weights")
  structure(as.double(class_weights), names = levels)
}

resolve_cost_in <- function(cost_in, cost, preset) {
  if (is.null(cost_in)) {
    return(if (!is.null(cost)) if (preset == "cart") "split" else "leaf")
  }
  cost_in <- match_choice(cost_in, c("leaf", "split"), "cost_in", "cost")
  if (is.null(cost) && cost_in == "split") {
    tec_abort("cost", c(
      "{.code cost_in = \"split\"} needs a loss matrix.",
      x = "{.arg cost} is not given."
    ))
  }
  if (!is.null(cost)) cost_in
}

# A class with a prior of 0 cannot have rows.
check_prior_of_rows <- function(prior, share) {
  never <- names(share)[share > 0 & prior == 0]
  if (length(never)) {
    tec_abort("prior", c(
      "A class that has rows must have a {.arg prior} above 0.",
      x = "{cli::qty(length(never))}Class{?es} of prior 0: {.val {shorten(never)}}.",
      i = "Leave the rows out, for example by {.arg subset}."
    ))
  }
}

check_cost_rows <- function(cost, share) {
  free <- names(share)[share > 0 & rowSums(cost) == 0]
  if (length(free)) {
    tec_abort("cost", c(
      "With {.code cost_in = \"split\"}, every class must have an error with a cost above 0.",
      x = "{cli::qty(length(free))}In {.arg cost} the row{?s} {.val {shorten(free)}} {?is/are} 0.",
      i = "{.code cost_in = \"leaf\"} keeps costs out of the search."
    ))
  }
}

# Divides the classes into blocks: a matrix of nodes x classes can be large, and several copies may
# not fit in memory.
class_blocks <- function(tree, at_once = 2^20) {
  classes <- seq_len(ncol(tree$prob))
  split(classes, (classes - 1L) %/% max(1, at_once %/% nrow(tree$prob)))
}

# The lines about priors and costs in the header of a tree.
priors_text <- function(x) {
  named <- function(v) toString(paste(show_label(names(v)), number_text(v, 4L)))
  c(
    if (identical(x$class_weights, "balanced")) {
      "Class weights: balanced"
    } else if (!is.null(x$class_weights)) {
      paste("Class weights:", named(x$class_weights))
    } else if (!is.null(x$prior)) {
      paste("Priors:", named(x$prior))
    },
    if (!is.null(x$cost)) {
      where <- if (identical(x$cost_in, "split")) "splits and leaf classes" else "leaf classes"
      paste("Losses apply to", where)
    }
  )
}
