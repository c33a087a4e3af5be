# Tested in test-boost-rule.R.
# The defaults of gradient boosting: how the number of rounds is chosen, and the settings that
# follow from the data. The section *Defaults* of tec_boost() states them.

# Up to so many rows, folds choose the rounds; with more rows, a held-out share does.
most_rows_for_folds <- function(cyclic) if (cyclic) 5000 else 20000

# list(folds =, validation =): how rounds are chosen with `n` rows, as the arguments that would ask
# for it; both NULL if they are not chosen.
choice_of_rounds <- function(plan, settings, n) {
  off <- function(value) is_number(value) && value == 0
  asked <- settings[c("folds", "validation")]
  given <- !vapply(asked, is.null, NA)
  asked[vapply(asked, off, NA)] <- list(NULL)
  if (!is.null(asked$folds)) asked$folds <- as.integer(asked$folds)
  if (any(given) || plan$method == "adaboost" || n < 10) {
    return(asked)
  }
  if (n <= most_rows_for_folds(plan$cyclic)) {
    list(folds = 5L, validation = NULL)
  } else {
    list(folds = NULL, validation = min(0.1, 20000 / n))
  }
}

# The settings of the trees that follow from the data.
ruled <- c("rate", "max_depth", "sample_fraction", "column_fraction", "min_bucket")

# The settings that are not given, for `n` rows and `p` predictors, of which a factor has at most
# `levels` levels. `chooses`: whether rounds are chosen.
settings_by_rule <- function(plan, chooses, n, p, levels = 0L) {
  ada <- plan$method == "adaboost"
  rounds <- plan$rounds %||% if (ada) 100L else if (!chooses || plan$cyclic) 200L else 1000L
  out <- list(
    rounds = rounds, rate = if (ada) 1 else 0.1,
    max_depth = if (ada) 1 else if (plan$cyclic) 2 else 4,
    sample_fraction = 1, column_fraction = 1, min_bucket = 10
  )
  if (chooses && !ada) {
    # A small rate needs many rounds.
    out$rate <- max(0.05, min(0.1, 20 / rounds))
    # With many rows, a draw takes as long as growing the trees. It brings little, unless a factor
    # has many levels: rows that are not drawn order them.
    if (n <= most_rows_for_folds(plan$cyclic) || levels > 50L) {
      out$sample_fraction <- if (plan$cyclic) 0.7 else 0.6
    }
    # Each round of `cyclic` takes all predictors.
    out$column_fraction <- if (plan$cyclic || p == 1L) 1 else max(0.6, 1 / p)
    out$min_bucket <- 3
  }
  rate <- plan$rate %||% out$rate
  out$patience <- as.integer(max(20, ceiling(2 / rate)))
  out[vapply(names(out), function(name) is.null(plan[[name]]), NA)]
}
