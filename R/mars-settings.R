# Tested in test-tec_mars.R.
# The settings of tec_mars(): their checks and defaults, and the choice of a size.

check_mars_settings <- function(s) {
  s$degree <- check_count(s$degree, "degree", least = 1)
  for (name in c("terms", "max_terms")) {
    if (!is.null(s[[name]])) s[[name]] <- check_count(s[[name]], name, least = 1)
  }
  for (name in c("end_span", "fast_k")) s[[name]] <- check_count(s[[name]], name, least = 0)
  check_mars_number(s$min_span, "min_span", -1e6, 1e9)
  if (s$min_span != round(s$min_span)) {
    tec_abort("control", c(
      "{.arg min_span} must be a whole number.", x = "It is {describe(s$min_span)}."
    ))
  }
  check_mars_number(s$thresh, "thresh", 0, 1)
  check_mars_number(s$fast_beta, "fast_beta", 0, 1000)
  check_mars_number(s$end_adjust, "end_adjust", 0, 10)
  if (!is.null(s$penalty) && !(is_number(s$penalty) && s$penalty == -1)) {
    check_mars_number(s$penalty, "penalty", 0, 1000)
  }
  s$min_span <- as.integer(s$min_span)
  for (name in c("unseen", "weights_as")) {
    s[[name]] <- match_choice(s[[name]], tree_settings[[name]]$words, name)
  }
  if (!is.null(s$prune)) s$prune <- match_choice(s$prune, c("gcv", "folds", "none"), "prune")
  if (!is.null(s$folds) && !(s$prune %||% "folds") == "folds") {
    tec_abort("argument", c(
      "{.arg folds} are for {.code prune = \"folds\"}.", x = "{.arg prune} is {.val {s$prune}}."
    ))
  }
  s$prune <- s$prune %||% if (is.null(s$folds)) "gcv" else "folds"
  s
}

check_mars_number <- function(value, arg, least, most) {
  if (!is_number(value) || value < least || value > most) {
    tec_abort("control", c(
      "{.arg {arg}} must be a number from {least} to {most}.", x = "It is {describe(value)}."
    ))
  }
}

# `p`: the number of numeric columns.
mars_defaults <- function(s, p, n) {
  s$terms <- s$terms %||% as.integer(min(200, max(20, 2 * p)) + 1)
  if (s$terms > 1000L) {
    tec_abort("control", c("{.arg terms} must be at most 1000.", x = "It is {s$terms}."))
  }
  s$penalty <- as.double(s$penalty %||% if (s$degree > 1L) 3 else 2)
  for (name in c("min_span", "end_span")) {
    if (s[[name]] > n) {
      tec_abort("control", c(
        "{.arg {name}} must be at most the number of rows.", x = "It is {s[[name]]} of {n}."
      ))
    }
  }
  s
}

mars_gcv <- function(rss, penalty, n) {
  terms <- seq_along(rss)
  cost <- if (penalty == -1) 0 * terms else (terms + penalty * (terms - 1) / 2) / n
  ifelse(cost >= 1, Inf, rss / (n * (1 - cost)^2))
}

mars_sizes <- function(core, settings, n, fold_errors = NULL) {
  out <- data.frame(terms = seq_along(core$rss), rss = core$rss)
  out$gcv <- mars_gcv(out$rss, settings$penalty, n)
  if (!is.null(fold_errors)) {
    # A fold may have fewer terms than the whole fit. Then its largest model is used.
    out$cv <- fold_errors[pmin(out$terms, length(fold_errors))]
  }
  out
}

mars_best_size <- function(sizes, settings) {
  most <- min(nrow(sizes), settings$max_terms %||% Inf)
  if (settings$prune == "none") {
    return(most)
  }
  error <- if (settings$prune == "folds") sizes$cv else sizes$gcv
  which.min(error[seq_len(most)])
}
