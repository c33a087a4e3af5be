# The meaning of weights. Importance: a row enters sums with its weight, scaled to a mean of 1, and
# counts as one row in sizes. Frequency: a row of weight n is n rows. Sums: weights are used as
# given, also in sizes, because the rules of C4.5 compare them.

# The meaning given by a class of hardhat, otherwise the requested meaning.
weights_meaning <- function(weights, asked) {
  asked <- asked %||% "importance"
  if (inherits(weights, "hardhat_frequency_weights")) {
    return("frequency")
  }
  if (asked == "frequency" && inherits(weights, "hardhat_importance_weights")) {
    tec_abort("weights", c(
      "{.arg weights} cannot be both importance and frequencies.",
      x = "They are {.fn hardhat::importance_weights}, and {.arg weights_as} is {.val frequency}.",
      i = "Use {.fn hardhat::frequency_weights}, or leave {.arg weights_as} out."
    ))
  }
  asked
}

# The meaning of weights in a fit, or in a call with these settings.
meaning_of <- function(control) {
  if (identical(control$weights_as, "frequency")) {
    return("frequency")
  }
  if (identical(control$rules, "c45")) "sums" else "importance"
}

# The rows that a fit uses, with their weights: list(rows, weights, sizes, copies, too_many).
# `sizes` is NULL if the size of a row is its weight. Frequencies become repeated rows, and `copies`
# has the number of copies of each row. If there would be too many rows, frequencies stay weights.
weigh_rows <- function(used, n, meaning, p) {
  out <- used[c("rows", "weights")]
  if (is.null(used$weights)) {
    return(out)
  }
  if (meaning == "frequency") {
    return(repeat_rows(out, n, p))
  }
  if (meaning == "importance") {
    say_frequencies(used_weights(used))
    out["weights"] <- list(scaled_weights(used$weights, used$rows, meaning))
    if (!is.null(out$weights)) out$sizes <- rep(1, n)
  }
  out
}

# The weights of rows in sums, NULL if all are equal.
scaled_weights <- function(weights, rows, meaning) {
  if (is.null(weights) || meaning == "sums") {
    return(weights)
  }
  used <- if (is.null(rows)) weights else weights[rows]
  if (meaning == "frequency") {
    check_frequencies(used)
    return(weights)
  }
  largest <- max(used)
  if (min(used) == largest) {
    return(NULL)
  }
  if (min(used) / largest < 1e-300) {
    abort_from_core("weights", paste(
      "weights from", format(min(used), digits = 3L), "to", format(largest, digits = 3L)
    ))
  }
  # A power of 2, so that weights with mean 1 do not change.
  unit <- 2^floor(log2(largest))
  weights / unit / mean(used / unit)
}

repeat_rows <- function(used, n, p) {
  times <- used_weights(used)
  check_frequencies(times)
  if (sum(times) > most_rows(p)) {
    return(c(used, list(too_many = sum(times))))
  }
  if (any(times != 1)) used$rows <- rep.int(used$rows %||% seq_len(n), times)
  used["weights"] <- list(NULL)
  c(used, list(copies = times))
}

# Whether a fit with `p` columns copies the rows.
most_rows <- function(p) {
  free <- free_memory()
  min(1e8, if (is.na(free)) Inf else free / rows_need(1, rep(8, p)))
}

check_frequencies <- function(times) {
  broken <- times[times != round(times)]
  if (length(broken)) {
    tec_abort("weights", c(
      "Frequencies must be whole numbers of rows.",
      x = "{length(broken)} of {length(times)} {?is/are} not, such as {broken[1L]}.",
      i = "Importance may be any number: leave out {.code weights_as = \"frequency\"}."
    ))
  }
}

# `needed`: whether each row is needed.
check_not_too_many <- function(ready, needed) {
  if (needed && !is.null(ready$too_many)) {
    tec_abort("weights", c(
      "The frequencies in {.arg weights} sum to more rows than can be repeated.",
      x = "They sum to {whole_text(ready$too_many)}.",
      i = "A tree without cross-validation counts them as they are: {.fn tec_tree} with \\
           {.code prune = \"none\"}. Or use a sample, or smaller frequencies."
    ))
  }
}

say_frequencies <- function(weights) {
  if (sum(weights) < 2 * length(weights) || any(weights != round(weights))) {
    return(invisible())
  }
  tec_inform_once("frequency", c(
    "{.arg weights} are importance, so sizes such as {.arg min_bucket} count rows.",
    i = "If a row of weight n stands for n rows, use {.code weights_as = \"frequency\"} or \\
         {.fn hardhat::frequency_weights}."
  ))
}

# The rows that an ensemble is grown from in a fold. Their mean weight is 1, and a resample contains
# some rows several times.
ready_for_fold <- function(ready, fold) {
  times <- fold$times[fold$train] %||% 1
  ready$rows <- rep.int(fold$train, times)
  if (!is.null(ready$sizes)) {
    ready["weights"] <- list(scaled_weights(ready$given_weights, ready$rows, "importance"))
    if (is.null(ready$weights)) ready["sizes"] <- list(NULL)
  }
  ready
}

# A resample that contains row i `times[i]` times.
draw_rows_again <- function(ready, times) {
  if (!is.null(ready$sizes)) ready$sizes <- times
  ready$weights <- if (is.null(ready$weights)) times else times * ready$weights
  ready
}

# Repeats rows, for code that stores one number per row. `from`: the original rows.
copy_rows <- function(ready) {
  if (is.null(ready$copies) || is.null(ready$rows)) {
    return(ready)
  }
  ready$from <- ready$rows
  ready$frame$value <- used_values(ready)
  ready$response$core$y <- used_response(ready)
  ready["rows"] <- list(NULL)
  ready
}

# Converts values by row of the data, a vector or a matrix, to the rows of copy_rows().
copied <- function(x, ready) {
  if (is.null(x) || is.null(ready$from)) {
    return(x)
  }
  if (is.matrix(x)) x[ready$from, , drop = FALSE] else x[ready$from]
}

count_used_rows <- function(ready, n) {
  ready$too_many %||% if (is.null(ready$rows)) n else length(ready$rows)
}

used_weights <- function(ready) {
  if (is.null(ready$rows)) ready$weights else ready$weights[ready$rows]
}

# NULL if every row counts once.
used_sizes <- function(ready) {
  size <- ready$sizes %||% ready$weights
  if (is.null(ready$rows)) size else size[ready$rows]
}

# The weights that are given with rows for a fit.
weights_of_fit <- function(fit, weights, n, keep = NULL) {
  checked <- check_weights(weights, n, keep)
  if (is.null(checked)) {
    return(NULL)
  }
  meaning <- meaning_of(fit$control)
  if (weights_meaning(weights, fit$control$weights_as) == "frequency") meaning <- "frequency"
  scaled_weights(checked, which((if (is.null(keep)) TRUE else keep) & checked > 0), meaning)
}

# The memory of a table while a tree is grown and pruned: `width` bytes per value of a column, plus
# (measured) 6 bytes per value for codes and orders and 130 bytes per row.
rows_need <- function(n, width) n * (130 + sum(width + 6))

counts_frequencies <- function(fit) meaning_of(fit$control) == "frequency"
