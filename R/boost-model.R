# Tested in test-boost-fit.R.
# What a boosted model keeps: its trees up to the best round, the losses, the facts of its data.

new_boost <- function(grown, plan, input, call, folds = NULL) {
  ready <- plan$ready
  rounds <- length(grown$training)
  # With turns the core's rounds are the best already.
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

# What a model of either method knows of its data and its call.
boost_facts <- function(plan, input, call, trees) {
  ready <- plan$ready
  c(facts_of_data("tec_boost", ready, input, call, length(plan$rows)), list(
    criterion = ready$criterion, control = ready$control,
    root = root_of_rows(c(ready[c("response", "weights")], list(rows = plan$rows))),
    marks = plan$marks, used = used_columns(trees)
  ))
}

boost_curve <- function(grown, folds) {
  out <- data.frame(round = seq_along(grown$training), training = grown$training)
  if (length(grown$validation)) out$validation <- grown$validation
  if (is.null(folds)) {
    return(out)
  }
  # Folds have all rounds, the model those up to the best.
  all <- data.frame(round = seq_along(folds$mean), training = NA_real_)
  all$training[out$round] <- out$training
  all$folds <- folds$mean
  all$folds_se <- folds$se
  all
}

# The trees `kept`, a run from the first on, or that with later ones left out.
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

# The offset of a boosted model, NULL without one. Rows other than the training rows must have its
# columns.
offset_of_rows <- function(fit, rows, env, training = FALSE) {
  if (!inherits(fit, "tec_boost") || !isTRUE(fit$settings$offset)) {
    return(NULL)
  }
  expr <- fit$call$offset
  lost <- setdiff(free_variables(expr), names(rows))
  if (length(lost) && !training) {
    tec_abort("offset", c(
      "The model has an offset, which these rows lack.",
      x = "It was {.code {expr_text(expr)}}; there is no column {.field {lost[1L]}}.",
      i = "Add it, or use {.fn predict} with {.arg offset}."
    ))
  }
  eval_argument(expr, rows, env, globalenv(), "offset")
}
