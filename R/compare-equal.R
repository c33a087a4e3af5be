# Criteria that always grow the same tree with the settings of a call: only one is grown, and the
# others share its line.

# For each criterion, the index of the first one with the same tree.
equal_criteria <- function(criteria, control, ready) {
  key <- vapply(criteria, tree_key, "", facts = equality_facts(control, ready))
  match(key, key)
}

# What the equalities below depend on.
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

# Settings for which the equalities hold; all others must have their defaults.
neutral_settings <- c(
  "min_split", "min_bucket", "max_depth", "max_leaves", "min_gain", "nominal", "intervals",
  "missing", "max_surrogate", "use_surrogate", "surrogate_style", "unseen", "prune", "eligible",
  "rules", "threads", "cf", "raise", "collapse", "cp", "alpha", "folds", "risk", "penalties",
  "smooth", "smooth_to", "weights_as"
)

# Whether every setting that is not among `known` has its default.
usual_but_for <- function(control, known) {
  usual <- unclass(tec_control())
  others <- setdiff(names(control), known)
  identical(unclass(control)[others], usual[others])
}

# The same text for criteria that grow the same tree.
# * tsallis with q = 2 is gini.
# * Multiples of one gain choose alike wherever gains are only compared with each other: tsallis
#   and tsallis_mutual with q = 1, beta = 1, shannon, cond_entropy and cami; tsallis_mutual and
#   beta with one parameter.
# * cair divides cami by a number that is the same for every split in two, and the largest cami is
#   above the mean.
# * effcami0 divides it by the split information where there are no more branches than classes,
#   as gain_ratio does; so does effcami1 where the same attributes may win.
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

# Of criteria that are equal in every run the first.
first_in_all <- function(runs) {
  key <- do.call(paste, lapply(runs, `[[`, "first"))
  match(key, key)
}
