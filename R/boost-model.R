# Tested in test-boost-fit.R and test-adaboost-fit.R.
# A boosted model stores its trees up to the best round, the losses, and facts about its data.

new_boost <- function(grown, plan, input, call, folds = NULL) {
  ready <- plan$ready
  rounds <- length(grown$training)
  # For cyclic boosting, the core returns only the best rounds.
  best <- if (length(grown$validation)) which.min(grown$validation) else rounds
  if (plan$cyclic) best <- rounds
  curve <- boost_curve(grown, folds)
  kept <- which(grown$round < best)
  trees <- if (length(kept) < length(grown$round)) first_trees(grown$trees, kept) else grown$trees
  new_fit("tec_boost", c(
    list(
      method = plan$method, loss = plan$loss, rounds = best, trees = trees,
      output = grown$output[kept], round = grown$round[kept], base = grown$base, curve = curve,
      gain = stats::setNames(grown$gain, ready$frame$name), seeds = grown$seeds
    ),
    boost_facts(plan, input, call, trees),
    list(settings = c(
      plan[c(
        "rate", "max_depth", "lambda", "min_weight", "min_bucket", "min_gain", "draws",
        "drawn_columns", "monotone", "cyclic", "pairs", "patience"
      )],
      list(
        offset = !is.null(plan$offset), held_out = length(plan$held_out), folds = plan$folds,
        chosen = grown$pairs
      )
    ))
  ))
}

# AdaBoost: the core reweighs the rows, trees are those of tec_tree().

grow_adaboost <- function(plan, input, call) {
  ready <- plan$ready
  problem <- core_problem(ready, NULL, ready$control, NULL, seed = draw_seed(), more = FALSE)
  problem["rows"] <- list(ready$rows)
  # Sizes count rows, whose weights change from tree to tree. Leaves have a minimum size only if the
  # user sets one.
  if (length(plan$asked_sizes)) problem$sizes <- problem$sizes %||% rep(1, plan$n)
  problem$control[setdiff(c("min_bucket", "min_split"), plan$asked_sizes)] <- 0
  ticker <- forest_ticker(plan["progress"], plan$rounds, environment())
  on.exit(ticker$close())
  grown <- tec_adaboost_fit_(problem, list(
    rounds = plan$rounds, rate = plan$rate, progress = ticker$tick,
    threads = default_threads(ready$control$threads)
  ))
  if (length(grown$vote) == 0L) {
    tec_abort("response", c(
      "The first tree is no better than chance, so there is nothing to boost.",
      i = "A larger {.arg max_depth} may help, or {.code method = \"gradient\"}."
    ))
  }
  new_adaboost(grown, plan, input, call)
}

new_adaboost <- function(grown, plan, input, call) {
  n <- length(grown$vote)
  new_fit("tec_boost", c(
    list(
      method = "adaboost", loss = "exponential", rounds = n, trees = grown$trees,
      round = seq_len(n) - 1L, vote = grown$vote, base = 0,
      curve = data.frame(round = seq_len(n), training = grown$error), weight = grown$weight
    ),
    boost_facts(plan, input, call, grown$trees),
    list(settings = plan[c("rate", "max_depth", "cyclic")])
  ))
}

# Facts about the data and the call, for both methods.
boost_facts <- function(plan, input, call, trees) {
  ready <- plan$ready
  c(facts_of_data("tec_boost", ready, input, call, length(plan$rows)), list(
    criterion = ready$criterion, control = ready$control,
    root = root_of_rows(c(ready[c("response", "weights")], list(rows = plan$rows))),
    used = used_columns(trees)
  ))
}

boost_curve <- function(grown, folds) {
  out <- data.frame(round = seq_along(grown$training), training = grown$training)
  if (length(grown$validation)) out$validation <- grown$validation
  if (is.null(folds)) {
    return(out)
  }
  # The folds have all rounds, the model only those up to the best.
  all <- data.frame(round = seq_along(folds$mean), training = NA_real_)
  all$training[out$round] <- out$training
  all$folds <- folds$mean
  all$folds_se <- folds$se
  all
}

# The trees `kept`: the first ones, or some of them.
first_trees <- function(trees, kept) {
  from <- trees$start[kept] + 1L
  to <- trees$start[kept + 1L]
  nodes <- unlist(Map(seq.int, from, to))
  out <- trees
  for (part in c("variable", "right", "cut")) out[[part]] <- trees[[part]][nodes]
  if (!is.null(trees$own)) {
    per_node <- length(trees$own) %/% length(trees$variable)
    out$own <- matrix(trees$own, per_node)[, nodes]
  }
  out$start <- c(0L, cumsum(to - from + 1L))
  out
}
