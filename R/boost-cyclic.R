# Boosting in turns: every predictor by itself, then pairs of predictors.

# As tec_boost_fit_() returns it, with the pairs that were chosen. Trees of one predictor have a
# split less from the root to a leaf: they otherwise fit noise, since each predictor gets one every
# round. The seeds are those of the rounds of
# single predictors and, beyond `plan$rounds`, of pairs.
cyclic_core <- function(plan, problem, settings) {
  p <- length(plan$ready$frame$name)
  wanted <- if (is.null(plan$turns)) min(plan$pairs, choose(p, 2)) else length(plan$turns$pairs)
  seeds <- settings$seeds
  singles <- seq_len(min(plan$rounds, length(seeds)))
  settings$turns <- as.list(seq_len(p))
  settings$seeds <- seeds[singles]
  depth <- problem$control$max_depth
  problem$control$max_depth <- max(1, depth - 1)
  out <- best_part(tec_boost_fit_(problem, settings), settings$patience)
  chosen <- list()
  left <- seeds[-singles]
  problem$control$max_depth <- depth
  if (wanted > 0L && length(left) > 0L) {
    settings$start <- boost_scores_of(out, settings$start, problem, settings$threads)
    chosen <- best_pairs(problem, settings, p, wanted)
    settings$turns <- chosen
    settings$seeds <- left
    more <- tec_boost_fit_(problem, settings)
    # A tree of pairs may not help at all.
    helps <- settings$patience == 0 || min(more$validation) < min(out$validation)
    if (helps) out <- joined_turns(out, best_part(more, settings$patience), plan)
  }
  out$pairs <- chosen
  out
}

# With patience, the rounds up to the least validation loss.
best_part <- function(out, patience) {
  if (patience == 0) out else up_to_round(out, which.min(out$validation))
}

up_to_round <- function(out, rounds) {
  kept <- which(out$round < rounds)
  if (length(kept) < length(out$round)) out$trees <- first_trees(out$trees, kept)
  for (part in c("output", "round")) out[[part]] <- out[[part]][kept]
  for (part in c("training", "validation")) {
    if (length(out[[part]])) out[[part]] <- out[[part]][seq_len(rounds)]
  }
  out
}

# The scores of all rows after some trees: a matrix.
boost_scores_of <- function(out, start, problem, threads) {
  columns <- problem[c("columns", "kinds", "n_levels")]
  names(columns)[1L] <- "values"
  columns$n <- nrow(start)
  score <- tec_boost_predict_(
    out$trees, columns, 0L, start, out$output, numeric(), length(out$output), threads
  )
  matrix(score, nrow(start))
}

# Those of which one tree takes off the most loss.
best_pairs <- function(problem, settings, p, wanted) {
  all <- utils::combn(p, 2L, simplify = FALSE)
  settings$turns <- all
  gain <- tec_boost_fit_(problem, settings, pairs = TRUE)$gain
  best <- order(-gain, seq_along(all))[seq_len(wanted)]
  all[sort(best)]
}

# Rounds of pairs come after those of single predictors.
joined_turns <- function(first, second, plan) {
  out <- first
  fit <- list(response = list(levels = NULL), columns = plan$ready$frame["kind"])
  out$trees <- joined_trees(first$trees, second$trees, fit)
  out$output <- c(first$output, second$output)
  out$round <- c(first$round, second$round + length(first$training))
  out$gain <- first$gain + second$gain
  for (part in c("training", "validation")) out[[part]] <- c(first[[part]], second[[part]])
  out
}
