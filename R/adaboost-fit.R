# AdaBoost: the core reweighs the rows, trees are those of tec_tree().

grow_adaboost <- function(plan, input, call) {
  ready <- plan$ready
  problem <- core_problem(ready, NULL, ready$control, NULL, seed = draw_seed(), more = FALSE)
  problem["rows"] <- list(ready$rows)
  # Sizes count rows, whose weights change from tree to tree; none bounds a leaf unless asked for.
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
