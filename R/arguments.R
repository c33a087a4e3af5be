# Tested in test-settings.R.
# The arguments of each fitting function, apart from the settings of trees (settings.R). Their
# defaults are only in the method for formulas.

# Arguments for prepare(): the criterion and the response.
asked_arguments <- list(
  tree = c(
    "q", "criterion", "beta", "preset", "cost", "cost_in", "prior", "class_weights", "validation",
    "tune_by"
  ),
  forest = c("q", "criterion", "beta", "cost", "cost_in", "prior", "class_weights"),
  boost = c("q", "criterion", "beta"),
  rotation = c("q", "criterion", "beta"),
  mars = character(),
  scores = c("q", "criterion", "preset", "cost", "cost_in", "prior", "class_weights"),
  tune = c("q", "criterion", "beta", "preset", "cost", "validation", "tune")
)

# Settings of one function only.
own_arguments <- list(
  tree = character(),
  forest = c(
    "trees", "mtry", "replace", "sample_fraction", "sample_weights", "by_class", "probability",
    "importance", "progress"
  ),
  boost = c(
    "method", "rounds", "rate", "max_depth", "lambda", "min_weight", "sample_fraction",
    "column_fraction", "validation", "folds", "patience", "monotone", "offset", "cyclic", "pairs",
    "bags", "progress"
  ),
  rotation = c("trees", "group_size", "sample_fraction", "time_limit", "progress"),
  mars = c(
    "degree", "terms", "penalty", "thresh", "max_terms", "prune", "folds", "min_span", "end_span",
    "end_adjust", "fast_k", "fast_beta", "unseen", "threads", "weights_as"
  ),
  scores = "candidates",
  tune = c(
    "by", "folds", "repeats", "metric", "rule", "stratified", "sample", "widen", "model"
  )
)

# Arguments with one value per row, which may be a column of `data`.
row_arguments <- c("sample_weights", "offset")

# Arguments for data elsewhere.
place_arguments <- c("engine", "table")

known_arguments <- lapply(stats::setNames(nm = names(own_arguments)), function(model) {
  c(
    "formula", "data", "x", "y", "weights", "subset", "na.action", asked_arguments[[model]],
    own_arguments[[model]], if (model != "mars") "control",
    if (model %in% c("tree", "forest", "tune")) place_arguments
  )
})

arguments_of <- function(model) known_arguments[[model]]

tree_arguments <- arguments_of("tree")
forest_arguments <- arguments_of("forest")
boost_arguments <- arguments_of("boost")
tune_arguments <- arguments_of("tune")
