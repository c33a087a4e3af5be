# Tested in test-compare.R and test-compare-equal.R.
# Tests of differences between criteria. `by_unit` is a matrix of the metric, criterion x unit; a
# unit is a fold or a data set.

# Rank 1 is the best; ties share their mean rank.
mean_ranks <- function(by_unit, largest) {
  signed <- if (largest) -by_unit else by_unit
  # Rounding differences are ties.
  rowMeans(matrix(apply(signif(signed, 12), 2L, rank), nrow(by_unit)))
}

pair_numbers <- function(k) {
  at <- utils::combn(k, 2L)
  list(first = at[1L, ], second = at[2L, ])
}

pair_names <- function(labels) {
  at <- pair_numbers(length(labels))
  data.frame(first = labels[at$first], second = labels[at$second], stringsAsFactors = FALSE)
}

# `ratio` is n_test / n_train. It is NULL if units are independent data sets, which have no t-test.
pair_tests <- function(by_unit, ratio) {
  at <- pair_numbers(nrow(by_unit))
  difference <- by_unit[at$first, , drop = FALSE] - by_unit[at$second, , drop = FALSE]
  difference[abs(difference) < 1e-12] <- 0
  out <- data.frame(difference = rowMeans(difference))
  if (!is.null(ratio)) {
    out <- cbind(out, corrected_t(difference, ratio))
  }
  wilcoxon <- apply(difference, 1L, signed_rank)
  out$wilcoxon <- wilcoxon["statistic", ]
  out$wilcoxon_p <- wilcoxon["p", ]
  out$wilcoxon_p_adjusted <- stats::p.adjust(out$wilcoxon_p, "holm")
  out
}

# Nadeau and Bengio's corrected resampled t-test, one row of differences per test.
corrected_t <- function(difference, ratio) {
  n <- ncol(difference)
  mean <- rowMeans(difference)
  variance <- rowSums((difference - mean)^2) / (n - 1)
  se <- sqrt((1 / n + ratio) * variance)
  t <- ifelse(mean == 0, 0, mean / se)
  p <- 2 * stats::pt(-abs(t), n - 1)
  data.frame(se = se, t = t, df = n - 1, p = p, p_adjusted = stats::p.adjust(p, "holm"))
}

# Exact if there are neither ties nor zeros and fewer than 50 units, as in wilcox.test().
signed_rank <- function(difference) {
  if (all(difference == 0)) {
    return(c(statistic = 0, p = 1))
  }
  test <- suppressWarnings(stats::wilcox.test(difference))
  c(statistic = test$statistic[[1L]], p = test$p.value)
}

overall_tests <- function(by_unit, level) {
  friedman <- stats::friedman.test(t(signif(by_unit, 12)))
  list(
    friedman = friedman$statistic[[1L]], df = friedman$parameter[[1L]], p = friedman$p.value,
    critical_difference = critical_difference(nrow(by_unit), ncol(by_unit), level)
  )
}

# Nemenyi's critical difference of mean ranks, for k methods and n data sets.
critical_difference <- function(k, n, level) {
  stats::qtukey(level, k, Inf) / sqrt(2) * sqrt(k * (k + 1) / (6 * n))
}

# A matrix of whether two criteria differ.
differing <- function(x) {
  k <- nrow(x$table)
  out <- matrix(FALSE, k, k)
  if (!is.null(x$overall)) {
    return(abs(outer(x$table$rank, x$table$rank, `-`)) > x$overall$critical_difference)
  }
  at <- pair_numbers(k)
  out[cbind(at$first, at$second)] <- x$tests$p_adjusted < 1 - x$level
  out | t(out)
}

# The longest runs of neighbours in rank without a difference: list(from =, to =), positions in the
# order of the ranks.
joined_groups <- function(different, order) {
  different <- different[order, order, drop = FALSE]
  k <- length(order)
  # How far each criterion's run reaches.
  to <- vapply(seq_len(k), function(i) {
    end <- i
    while (end < k && !any(different[i:(end + 1L), i:(end + 1L)])) end <- end + 1L
    end
  }, 0L)
  longest <- to > seq_len(k) & to > c(0L, cummax(to)[-k])
  list(from = which(longest), to = to[longest])
}

# Some criteria always grow the same tree with the settings of a call. Only one of them is grown,
# and the others share its line.

# For each criterion, the index of the first one with the same tree.
equal_criteria <- function(criteria, control, ready) {
  key <- vapply(criteria, tree_key, "", facts = equality_facts(control, ready))
  match(key, key)
}

# The facts on which the equalities below depend.
equality_facts <- function(control, ready) {
  nominal <- ready$frame$kind != "numeric"
  levels <- max(0L, lengths(ready$frame$levels)[nominal])
  multiway <- control$nominal == "multiway"
  branches <- max(control$intervals, if (multiway) levels)
  gaps <- control$missing == "fractional" && any(has_missing(ready$frame, ready$rows))
  list(
    known = usual_but_for(control, neutral_settings),
    any_unit = control$min_gain %in% c(0, -Inf) && identical(control$rules, "exact") &&
      !(is.numeric(control$alpha) && identical(control$risk, "impurity")),
    two_way = branches <= 2L,
    one_bound = branches <= max(2L, length(ready$response$info$levels)) && !gaps,
    same_rule = control$eligible != "default"
  )
}

# The equalities hold for any value of these settings; all others must have their defaults.
neutral_settings <- c(
  "min_split", "min_bucket", "max_depth", "max_leaves", "min_gain", "nominal", "intervals",
  "free_levels", "missing", "max_surrogate", "use_surrogate", "surrogate_style", "unseen", "prune",
  "eligible", "rules", "threads", "cf", "raise", "collapse", "cp", "alpha", "folds", "risk",
  "penalties", "smooth", "smooth_to", "weights_as"
)

# Whether every setting outside `known` has its default.
usual_but_for <- function(control, known) {
  usual <- unclass(tec_control())
  others <- setdiff(names(control), known)
  identical(unclass(control)[others], usual[others])
}

# A text that is the same for criteria that grow the same tree:
# * tsallis with q = 2 is gini.
# * Multiples of one gain choose the same splits if gains are only compared with each other: tsallis
#   and tsallis_mutual with q = 1, beta = 1, shannon, cond_entropy and cami; tsallis_mutual and beta
#   with one parameter.
# * cair divides cami by a number that is the same for every split in two, and the largest cami is
#   above the mean.
# * effcami0 divides it by the split information if there are no more branches than classes, as
#   gain_ratio does; so does effcami1 if the same attributes are eligible.
tree_key <- function(criterion, facts) {
  name <- criterion$name
  value <- as.vector(criterion$parameter)
  own <- criterion_key(criterion)
  if (!facts$known) {
    return(own)
  }
  if (name == "tsallis" && value == 2) {
    return("gini")
  }
  if (!facts$any_unit) {
    return(own)
  }
  entropy <- c("shannon", "cond_entropy", "cami", if (facts$two_way) "cair")
  at_one <- c("tsallis", "tsallis_mutual", "beta")
  ratio <- if (facts$one_bound) c("effcami0", if (facts$same_rule) "effcami1")
  if (name %in% entropy || (name %in% at_one && value == 1)) {
    "entropy"
  } else if (name %in% ratio) {
    "gain_ratio"
  } else if (name == "beta") {
    criterion_key(list(name = "tsallis_mutual", parameter = value))
  } else {
    own
  }
}

# The results of all criteria from those of the distinct ones.
with_equal_criteria <- function(run, criteria, first) {
  at <- match(first, unique(first))
  run$table <- criteria_table(criteria)
  run$settings <- run$settings[at]
  run$values <- run$values[at, , , drop = FALSE]
  run$errors <- run$errors[at, , drop = FALSE]
  run$first <- first
  run
}

# Among criteria that are equal in every run, the first.
first_in_all <- function(runs) {
  key <- do.call(paste, lapply(runs, `[[`, "first"))
  match(key, key)
}
