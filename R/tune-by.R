# Tested in test-tune-by.R.
# How the settings of a tuning run are compared: by cross-validation, or by an estimate from trees
# of all rows ("ebp", "pep", "mdl") or of bootstrap samples ("bootstrap632").

tune_criteria <- c("cv", "ebp", "pep", "mdl", "bootstrap632")
one_sample <- c("ebp", "pep", "mdl")

check_tune_by <- function(by, metric, rule, task, arg = "by") {
  by <- match_choice(by, tune_criteria, arg)
  if (by == "cv") {
    return(by)
  }
  if (!is.null(metric)) {
    tec_abort("metric", c(
      "{.arg metric} is for {.code {arg} = \"cv\"}.",
      x = "{.code {arg} = \"{by}\"} is itself a measure."
    ))
  }
  if (by %in% one_sample && task == "regression") {
    tec_abort("tune", c(
      "{.code {arg} = \"{by}\"} is for classification.",
      x = "The response is numeric.",
      i = "Use {.val cv} or {.val bootstrap632}."
    ))
  }
  if (by %in% one_sample && rule == "1se") {
    tec_abort("tune", c(
      "{.code rule = \"1se\"} needs a standard error.",
      x = "{.code {arg} = \"{by}\"} gives one number per setting.",
      i = "Use {.val cv} or {.val bootstrap632}."
    ))
  }
  by
}

# One sample has no folds. `folds` is the number of bootstrap samples, which have no repeats.
check_design_used <- function(design, by) {
  if (by %in% one_sample && !is.null(design$folds)) abort_only_with("folds", "by = \"cv\"")
  once <- is.null(design$repeats) || identical(design$repeats, 1) || identical(design$repeats, 1L)
  if (by != "cv" && !once) abort_only_with("repeats", "by = \"cv\"")
}

# ---- estimates from trees of all rows ----

# `fold`: list(train =, test =); both are all rows of the comparison.
measure_sample <- function(by, job, settings, fold) {
  best <- vapply(settings, function(s) s$control$prune == "auto", NA)
  settings[best] <- lapply(settings[best], unpruned)
  settings <- share_trees(settings, job$ready, job$asked)
  job$runs <- new.env(parent = emptyenv())
  settings <- join_runs(settings, job)
  about <- list(
    by = by, cuts = log2_cuts(job$ready, fold$train),
    cost = check_cost(job$asked$cost, job$ready$response$info)
  )
  found <- vector("list", length(settings))
  rest <- seq_along(settings)
  for (members in run_groups(settings, list(fold), job)) {
    trees <- traced_trees(job, settings, members, fold)
    if (length(trees) == 0L) next
    found[members] <- Map(estimate_tree, trees, best[members], MoreArgs = list(about = about))
    rest <- setdiff(rest, members)
  }
  for (members in split(rest, each_field(settings[rest], "grown", 0L))) {
    found[members] <- estimates_of_grown(job, settings[members], best[members], fold, about)
  }
  collect_estimates(found, by, fold)
}

# The setting of the full tree, whose best pruning is used.
unpruned <- function(setting) {
  setting$control[c("prune", "collapse")] <- list("none", FALSE)
  setting$control["alpha"] <- list(NULL)
  setting
}

traced_trees <- function(job, settings, members, fold) {
  run <- coded_run(job, settings, members)
  if (is.null(run)) list() else tec_run_trees_(run, fold$train, default_threads(job$fold_threads))
}

# For settings that share a grown tree: a list with the estimate of each, or an error.
estimates_of_grown <- function(job, settings, best, fold, about) {
  tryCatch(
    {
      fit <- grow_cell(job, largest_setting(settings), fold)
      if (length(settings) == 1L && is.null(settings[[1L]]$alpha)) {
        return(list(estimate_tree(fit$tree, best, about)))
      }
      nodes <- seq_along(fit$tree$kind)
      end <- prunings_of(fit, settings, nodes)$end
      lapply(seq_along(settings), function(i) {
        estimate_tree(keep_nodes(fit$tree, which(end[, i] == nodes)), best[i], about)
      })
    },
    error = but_limits(function(e) rep(list(e), length(settings)))
  )
}

# The part of a tree with some of its nodes; a parent has all of its children or none.
keep_nodes <- function(tree, nodes) {
  parent <- match(tree$parent[nodes], nodes, nomatch = 0L)
  kind <- ifelse(seq_along(nodes) %in% parent, tree$kind[nodes], 0L)
  c(
    list(parent = parent, kind = kind),
    lapply(tree[c("depth", "variable", "break_count", "weight", "yval")], `[`, nodes),
    list(prob = tree$prob[nodes, , drop = FALSE])
  )
}

collect_estimates <- function(found, by, fold) {
  failed <- vapply(found, inherits, NA, "error")
  columns <- c(by, sizes)
  values <- array(NA_real_, c(length(found), length(columns), 1L), list(NULL, columns, NULL))
  for (i in which(!failed)) values[i, , 1L] <- found[[i]][columns]
  errors <- matrix(NA_character_, length(found), 1L)
  errors[failed, 1L] <- vapply(found[failed], conditionMessage, "")
  parts <- data.frame(repeat_ = 1L, fold = 1L, n_train = length(fold$train), n_test = 0L)
  names(parts)[1L] <- "repeat"
  list(values = values, errors = errors, folds = parts)
}

# c(estimate, nodes, leaves, depth) of a tree or, with `best`, of its pruning with the smallest
# estimate.
estimate_tree <- function(tree, best, about) {
  leaf_cost <- leaf_costs(tree, about)
  split_cost <- if (about$by == "mdl") split_costs(tree, about$cuts) else numeric(length(leaf_cost))
  inner <- tree$kind != 0L
  below <- ifelse(inner, split_cost, 0)
  cut <- logical(length(inner))
  # Children come after their parents.
  for (v in rev(seq_along(inner))) {
    below[v] <- if (!inner[v] || best && leaf_cost[v] <= below[v] + 1e-9) leaf_cost[v] else below[v]
    cut[v] <- inner[v] && best && below[v] == leaf_cost[v]
    up <- tree$parent[v]
    if (up > 0L) below[up] <- below[up] + below[v]
  }
  kept <- rep(TRUE, length(inner))
  for (v in seq_along(inner)[-1L]) kept[v] <- kept[tree$parent[v]] && !cut[tree$parent[v]]
  unit <- if (about$by == "mdl") 1 else tree$weight[1L]
  out <- c(
    below[1L] / unit, nodes = sum(kept), leaves = sum(kept & (!inner | cut)),
    depth = max(tree$depth[kept])
  )
  names(out)[1L] <- about$by
  out
}

# The cost of each node as a leaf.
leaf_costs <- function(tree, about) {
  if (about$by == "mdl") {
    return(1 + code_lengths(tree$prob * tree$weight))
  }
  at <- cbind(seq_along(tree$yval), tree$yval)
  errors <- if (is.null(about$cost)) {
    1 - tree$prob[at]
  } else {
    (tree$prob %*% about$cost)[at] / max(about$cost)
  }
  errors <- pmax(0, tree$weight * errors)
  if (about$by == "pep") errors + 0.5 else tec_expected_errors_(tree$weight, errors, 0.25)
}

# The bits that encode the classes of the rows of each leaf: their stochastic complexity (Rissanen,
# 1989), as in Mehta, Rissanen and Agrawal (1995).
code_lengths <- function(counts) {
  k <- sum(counts[1L, ] > 0)
  n <- rowSums(counts)
  data <- rowSums(ifelse(counts > 0, counts * log2(pmax(n, 1e-300) / pmax(counts, 1e-300)), 0))
  constant <- (k / 2) * log2(pi) - lgamma(k / 2) / log(2)
  model <- (k - 1) / 2 * log2(pmax(n, 1e-300) / 2) + constant
  ifelse(n > 0, data + pmax(0, model), 0)
}

# The bits of each split: one for the kind of node, the column, and the cut among those of the
# column.
split_costs <- function(tree, cuts) {
  at <- pmax(1L, tree$variable)
  kind <- tree$kind
  values <- cuts$values[at]
  several <- lchoose(values - 1, tree$break_count) / log(2)
  cut <- ifelse(kind == 4L, cuts$subsets[at], ifelse(kind == 5L, 0, pmax(0, several)))
  1 + log2(length(cuts$values)) + cut
}

# For each column: the number of values in the rows, and log2 of the number of ways to divide its
# levels into two groups.
log2_cuts <- function(ready, rows) {
  values <- vapply(ready$frame$value, function(x) {
    x <- x[rows]
    length(unique(x[!is.na(x)]))
  }, 0L, USE.NAMES = FALSE)
  list(values = pmax(2, values), subsets = log2(2^pmin(pmax(values, 2) - 1, 1000) - 1))
}

# ---- the .632+ bootstrap (Efron and Tibshirani, 1997) ----

usual_samples <- 25

# The bootstrap samples, with all rows as the last fold.
draw_bootstrap <- function(times, stratified, used, class, n_all) {
  n <- length(used)
  groups <- if (stratified && !is.null(class)) split(seq_len(n), class) else list(seq_len(n))
  draw <- function(k) {
    count <- integer(n)
    for (group in groups) {
      picked <- group[sample.int(length(group), length(group), replace = TRUE)]
      count <- count + tabulate(picked, n)
    }
    by_row <- numeric(n_all)
    by_row[used] <- count
    list(repeat_ = 1L, fold = k, train = used[count > 0L], test = used[count == 0L], times = by_row)
  }
  samples <- lapply(seq_len(times), draw)
  if (any(vapply(samples, function(one) length(one$test) == 0L, NA))) {
    tec_abort("folds", c(
      "Every bootstrap sample must leave out some rows.",
      x = "There {cli::qty(n)}{?is/are} {n} row{?s}."
    ))
  }
  c(samples, list(list(repeat_ = 1L, fold = times + 1L, train = used, test = used)))
}

# list(weight =, limit =): the estimate is (1 - weight) x apparent + weight x limit x held_out.
error_632 <- function(apparent, held_out, none) {
  limited <- pmin(held_out, none)
  over <- limited > apparent & none > apparent
  rate <- ifelse(over, (limited - apparent) / ifelse(over, none - apparent, 1), 0)
  list(weight = 0.632 / (1 - 0.368 * rate), limit = ifelse(held_out > 0, limited / held_out, 1))
}
